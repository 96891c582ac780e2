"""`tf.contrib.memory_stats`: what a GPU's memory holds. Of a CPU TensorFlow 1 knew nothing, and here it is the same.

The device is that of the `tf.device` around the call, else the first GPU, if there is one.
"""

from collections.abc import Callable
from typing import Any

from tensorflow.python.client import device_lib

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms, _lazy_names

_tf = _tensorflow.compat_v1()

__all__ = ["BytesInUse", "BytesLimit", "MaxBytesInUse"]
__getattr__, __dir__ = _lazy_names.attributes(__name__, {})


def _asked(name: str, of_gpu: Callable[[str], int], of_cpu: int | None = None) -> Any:
    """An op of TensorFlow 1 that asks the device that it is for, when it runs.

    Args:
        of_gpu: What a GPU is asked.
        of_cpu: The answer of a CPU, None where the op was for GPUs alone.
    """

    def value() -> int:
        known = [
            one.name.removeprefix("/device:") for one in _tf.config.list_logical_devices("GPU")
        ]
        device = asked.device_type or ("GPU" if known else "CPU")
        if device == "CPU" and of_cpu is not None:
            return of_cpu
        gpu = f"GPU:{asked.device_index or 0}"
        if device != "GPU" or gpu not in known:
            raise ValueError(f"{name} is for GPUs alone, and its device, {device}, is none here")
        return of_gpu(gpu)

    found = _tf.py_func(value, [], _tf.int64, name=name)
    asked = _tf.DeviceSpec.from_string(found.op.device)
    found.op._set_device("/device:CPU:0")  # of Python itself
    found.set_shape([])
    return found


def _info(key: str) -> Callable[[str], int]:
    return lambda gpu: _tf.config.experimental.get_memory_info(gpu)[key]


def _limit(gpu: str) -> int:
    limits = {one.name: one.memory_limit for one in device_lib.list_local_devices()}
    return int(limits[f"/device:{gpu}"])


def BytesInUse() -> Any:
    """How many bytes a GPU's tensors hold now (`tf.contrib.memory_stats.BytesInUse`).

    Returns:
        int64 scalar.

    Raises:
        tf.errors.InvalidArgumentError: In the session: for a CPU, or for a GPU that is not there.
    """
    return _asked("BytesInUse", _info("current"))


def MaxBytesInUse() -> Any:
    """How many bytes a GPU's tensors have held at most (`tf.contrib.memory_stats.MaxBytesInUse`).

    Returns:
        int64 scalar.

    Raises:
        tf.errors.InvalidArgumentError: In the session: for a CPU, or for a GPU that is not there.
    """
    return _asked("MaxBytesInUse", _info("peak"))


def BytesLimit() -> Any:
    """How many bytes a device's tensors may hold (`tf.contrib.memory_stats.BytesLimit`).

    Returns:
        int64 scalar; of a CPU -1, up to 1.13 0.

    Raises:
        tf.errors.InvalidArgumentError: In the session: for a GPU that is not there.
    """
    return _asked("BytesLimit", _limit, 0 if _call_forms.reaches("1.13") else -1)
