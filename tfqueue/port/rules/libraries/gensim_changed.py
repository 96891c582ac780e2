"""gensim: names and arguments of word vectors that are gone since 4.0; run time gives them back.

https://github.com/piskvorky/gensim/wiki/Migrating-from-Gensim-3.x-to-4
"""

from __future__ import annotations

from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("gensim",)


def find(module: Module) -> Iterator[Finding]:
    """Finds the first import of gensim in an old program."""
    why = "word vectors of gensim have other names since 4.0"
    yield from moved_names.installs(module, "gensim", "tfqueue.port.libraries.gensim_methods", why)
