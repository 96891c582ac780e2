"""The switches of half-ported programs, which find the mode already set.

A program that was moved to `tensorflow.compat.v1` by hand begins with
`tf.disable_v2_behavior()` or one of its parts. Under `tfqueue.v1` the mode is
ours (see the package's docstring); these calls take nothing of it back.
"""

from __future__ import annotations

__all__ = [
    "disable_control_flow_v2",
    "disable_eager_execution",
    "disable_resource_variables",
    "disable_tensor_equality",
    "disable_v2_behavior",
    "disable_v2_tensorshape",
]


def disable_v2_behavior() -> None:
    """Does nothing: graph mode is on since `import tfqueue.v1` (`tf.disable_v2_behavior`)."""


def disable_eager_execution() -> None:
    """Does nothing: eager execution is off since `import tfqueue.v1`."""


def disable_resource_variables() -> None:
    """Does nothing: variables are reference variables since `import tfqueue.v1`, as in TF1."""


def disable_control_flow_v2() -> None:
    """Does nothing: `tf.cond` is built of Switch and Merge since `import tfqueue.v1`."""


def disable_v2_tensorshape() -> None:
    """Does nothing: shapes hold `Dimension` objects since `import tfqueue.v1`."""


def disable_tensor_equality() -> None:
    """Does nothing: `==` on tensors compares identity since `import tfqueue.v1`, as in TF1."""
