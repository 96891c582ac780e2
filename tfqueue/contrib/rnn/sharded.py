"""Weights in several variables, as cells of TensorFlow 0.12 and 1.0 made them; cells of one's own still do."""

import collections.abc

from tfqueue import _tensorflow
from tfqueue.v1._types import DType, Shape, Tensor

_tf = _tensorflow.compat_v1()


def _state_size_with_prefix(
    state_size: Shape, prefix: collections.abc.Sequence[int] | None = None
) -> list[int | None]:
    """The shape of a cell's state, with dimensions before it.

    Args:
        state_size: int or shape of one state.
        prefix: A list of dimensions, such as the batch size; None for none.

    Raises:
        TypeError: If `prefix` is no list.

    >>> _state_size_with_prefix(3, prefix=[2]), _state_size_with_prefix([4, 5])
    ([2, 3], [4, 5])
    """
    if prefix is not None and not isinstance(prefix, list):
        raise TypeError("prefix of _state_size_with_prefix should be a list.")
    size = _tf.TensorShape(state_size).as_list()
    return [*(prefix or ()), *size]


def _get_sharded_variable(
    name: str, shape: collections.abc.Sequence[int], dtype: DType, num_shards: int
) -> list[Tensor]:
    """A variable in several parts, which are called `name_0`, `name_1` and so on.

    Args:
        shape: The shape of all together. The first parts have the rows that are left over.
        num_shards: How many parts: at most one a row.

    Raises:
        ValueError: If there are more parts than rows.
    """
    if num_shards > shape[0]:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={num_shards}")
    rows, left = divmod(int(shape[0]), int(num_shards))
    return [
        _tf.get_variable(f"{name}_{i}", [rows + (i < left), *shape[1:]], dtype=dtype)
        for i in range(int(num_shards))
    ]


def _get_concat_variable(
    name: str, shape: collections.abc.Sequence[int], dtype: DType, num_shards: int
) -> Tensor:
    """The parts of `_get_sharded_variable` as one tensor, which is made once a scope.

    Args:
        name: As for `_get_sharded_variable`.
        shape: As there.
        num_shards: As there.
    """
    parts = _get_sharded_variable(name, shape, dtype, num_shards)
    if len(parts) == 1:
        return parts[0]
    key = _tf.GraphKeys.CONCATENATED_VARIABLES
    whole = f"{_tf.get_variable_scope().name}/{name}/concat:0"
    for made in _tf.get_collection(key):
        if made.name == whole:
            return made
    joined = _tf.concat(parts, 0, name=f"{name}/concat")
    _tf.add_to_collection(key, joined)
    return joined
