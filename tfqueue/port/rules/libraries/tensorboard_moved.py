"""tensorboard: TensorFlow brings the package no longer, and the projector's messages are here.

https://www.tensorflow.org/tensorboard/tensorboard_projector_plugin
"""

from __future__ import annotations

from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("tensorboard",)
_HOME = "tfqueue.v1.contrib.tensorboard.plugins"
_ROWS = {"tensorboard.plugins.projector": f"{_HOME}.projector"}
# `tensorboard.summary` up to 1.13: what has kept its name is another function by now
_OLD_ROWS = {
    f"tensorboard.summary.{name}": f"tensorboard.summary.v1.{name}"
    for name in (
        "audio audio_pb custom_scalar custom_scalar_pb histogram histogram_pb image image_pb pr_curve pr_curve_pb "
        "pr_curve_raw_data_op pr_curve_raw_data_pb pr_curve_streaming_op scalar scalar_pb text text_pb"
    ).split()
}


def find(module: Module) -> Iterator[Finding]:
    """Finds imports of the projector, and the functions that `tensorboard.summary` had."""
    yield from moved_names.find(module, _ROWS | _OLD_ROWS if module.is_old else _ROWS)
