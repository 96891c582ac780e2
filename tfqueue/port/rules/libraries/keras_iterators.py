"""A class derived from Keras's iterators of pictures unpacks what its `index_generator` gave up to Keras 2.0.8.

https://github.com/keras-team/keras/blob/2.0.8/keras/preprocessing/image.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program import index_generators
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("index_generator",)
_HOME = "tfqueue.port.libraries.keras_iterators"


def find(module: Module) -> Iterator[Finding]:
    """Finds what `next` of an `index_generator` gives, where it is three values."""
    if not module.is_old:
        return
    for call, owner, cls in index_generators.triples(module):
        yield module.finding(call, "an index_generator gave three values up to Keras 2.0.8")
        decorator = module.use(_HOME, "stepping")
        if not any(
            isinstance(one, ast.Name) and one.id == decorator.id for one in cls.decorator_list
        ):
            cls.decorator_list.append(decorator)
            module.settle(decorator, cls, cls)
        is_part = isinstance(module.parents[call], ast.Subscript)
        helper = "three_for_a_part" if is_part else "three"
        module.replace(call, module.call(helper, owner, call, home=_HOME))
