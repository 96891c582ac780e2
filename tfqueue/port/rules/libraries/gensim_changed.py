"""gensim: names and arguments of word vectors that are gone since 4.0; run time gives them back.

https://github.com/piskvorky/gensim/wiki/Migrating-from-Gensim-3.x-to-4
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("gensim",)
_ARGUMENTS = frozenset(["size", "iter"])
_ATTRIBUTES = frozenset(["index2word", "index2entity", "syn0", "syn0norm"])


def find(module: Module) -> Iterator[Finding]:
    """Finds the first import of gensim in an old program, or in a module that gensim 4 refuses."""
    why = "word vectors of gensim have other names since 4.0"
    home = "tfqueue.port.libraries.gensim_methods"
    yield from moved_names.installs(module, "gensim", home, why, proven=_is_for_gensim_3(module))


def _is_for_gensim_3(module: Module) -> bool:
    """Whether a module has an argument or an attribute that gensim refuses since 4.0."""
    if any(node.attr in _ATTRIBUTES for node in module.nodes[ast.Attribute]):
        return True
    return any(
        dotted.startswith("gensim.")
        and not _ARGUMENTS.isdisjoint(word.arg for word in call.keywords)
        for call, dotted in module.calls
    )
