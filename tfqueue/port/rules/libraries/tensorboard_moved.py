"""tensorboard: TensorFlow brings the package no longer, and the projector's messages are here.

https://www.tensorflow.org/tensorboard/tensorboard_projector_plugin
"""

from __future__ import annotations

from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("tensorboard.plugins",)
_HOME = "tfqueue.v1.contrib.tensorboard.plugins"
_ROWS = {"tensorboard.plugins.projector": f"{_HOME}.projector"}


def find(module: Module) -> Iterator[Finding]:
    """Finds imports of the projector."""
    yield from moved_names.find(module, _ROWS)
