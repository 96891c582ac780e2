"""gym: environments give and take something else since 0.26; run time gives back what they were.

https://github.com/openai/gym/releases/tag/0.26.0
"""

from __future__ import annotations

from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("gym",)


def find(module: Module) -> Iterator[Finding]:
    """Finds the first import of gym in an old program."""
    why = "reset and step of gym give other values since 0.26"
    yield from moved_names.installs(module, "gym", "tfqueue.port.libraries.gym_methods", why)
