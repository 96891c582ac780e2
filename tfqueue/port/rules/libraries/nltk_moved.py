"""NLTK: modules and functions that have other names since 3.1.

https://github.com/nltk/nltk/wiki/Porting-your-code-to-NLTK-3.0
"""

from __future__ import annotations

from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("nltk",)
_ROWS = {
    "nltk.align": "nltk.translate",
    "nltk.align.bleu": "nltk.translate.bleu_score.sentence_bleu",
    "nltk.align.bleu_score.bleu": "nltk.translate.bleu_score.sentence_bleu",
    "nltk.util.ingrams": "nltk.util.ngrams",
    "nltk.ingrams": "nltk.ngrams",
}
_GIVES_OTHER = {
    "nltk.translate.bleu_score.SmoothingFunction": "tfqueue.port.libraries.nltk_scores.SmoothingFunction"
}
"""What is there, and gave something else."""


def find(module: Module) -> Iterator[Finding]:
    """Finds names that moved."""
    yield from moved_names.find(module, _ROWS)
    if module.is_old:
        yield from moved_names.find(module, _GIVES_OTHER, "{old} gave other scores up to NLTK 3.3")
