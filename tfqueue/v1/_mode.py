"""The switches of half-ported programs, which find the mode already set.

A program that was moved to `tensorflow.compat.v1` by hand begins with
`tf.disable_v2_behavior()` or one of its parts. Under `tfqueue.v1` the mode is
ours (see the package's docstring); these calls take nothing of it back.
"""

from __future__ import annotations

from tfqueue import _tensorflow

__all__ = [
    "disable_control_flow_v2",
    "disable_eager_execution",
    "disable_resource_variables",
    "disable_tensor_equality",
    "disable_v2_behavior",
    "disable_v2_tensorshape",
    "is_built_with_cuda",
]

_tf = _tensorflow.compat_v1()


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


def is_built_with_cuda() -> bool:
    """Whether TensorFlow computes on a GPU here (`tf.test.is_built_with_cuda`).

    TensorFlow 1 had a package for the CPU and one for the GPU, and programs ask which one it is.
    Today's one package for both was built with CUDA, so what counts is whether there is a GPU.
    """
    return bool(_tf.test.is_built_with_cuda() and _tf.config.list_physical_devices("GPU"))
