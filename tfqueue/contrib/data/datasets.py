"""`tf.contrib.data.Dataset` of 1.2 to 1.4: lists that were structures, and methods that are functions today."""

from typing import Any

import numpy as np

from tfqueue import _tensorflow, release

_tf = _tensorflow.compat_v1()


class _Names(type):
    """What the class has beside its own functions is what `tf.data.Dataset` has."""

    def __getattr__(cls, name: str) -> Any:
        """Called for a function that is not below."""
        return getattr(_tf.data.Dataset, name)

    def __instancecheck__(cls, instance: Any) -> bool:
        """Called by `isinstance`: datasets had one class."""
        return isinstance(instance, _tf.data.Dataset)


class Dataset(metaclass=_Names):
    """`tf.data.Dataset`, which takes lists as 1.2 did where 1.3 and later refused them.

    In 1.2 a list was a structure, as a tuple is. Since 1.3 it is one tensor: a list of arrays, or of
    tensors of several dtypes or shapes, was refused, and is a structure here. With `--era 1.2` all lists
    are. Elements of a list come as a tuple.
    """

    @staticmethod
    def from_tensors(tensors: Any) -> Any:
        """A dataset of one element."""
        return _tf.data.Dataset.from_tensors(_structure(tensors))

    @staticmethod
    def from_tensor_slices(tensors: Any) -> Any:
        """A dataset of slices along the first axis."""
        return _tf.data.Dataset.from_tensor_slices(_structure(tensors))

    @staticmethod
    def zip(datasets: Any) -> Any:
        """A dataset of elements of several datasets."""
        return _tf.data.Dataset.zip(_tuples(datasets))


def _tuples(value: Any) -> Any:
    """A structure with tuples for lists."""
    if isinstance(value, dict):
        return type(value)((key, _tuples(one)) for key, one in value.items())
    if type(value) in (list, tuple):
        return tuple(map(_tuples, value))
    return value


def _structure(value: Any) -> Any:
    """A structure with tuples for the lists that are no tensors."""
    if release.before("1.3"):
        return _tuples(value)
    if isinstance(value, list) and not _is_tensor(value):
        return tuple(map(_structure, value))
    if isinstance(value, dict):
        return type(value)((key, _structure(one)) for key, one in value.items())
    return tuple(map(_structure, value)) if type(value) is tuple else value


def _is_tensor(values: list[Any]) -> bool:
    """Whether TensorFlow 1.3 made one tensor of a list."""
    tensors = [one for one in values if isinstance(one, _tf.Tensor)]
    if tensors:
        first = tensors[0]
        return all(
            getattr(one, "dtype", first.dtype) == first.dtype
            and first.shape.is_compatible_with(getattr(one, "shape", np.shape(one)))
            for one in values
        )
    return not any(isinstance(one, np.ndarray) and one.ndim for one in values)
