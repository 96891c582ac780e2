"""Tables with the argument `shared_name` that they took in TensorFlow 1, and what looks up at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from tensorflow.python.ops import lookup_ops

from tfqueue import _tensorflow
from tfqueue.v1._types import DType, Tensor

_tf = _tensorflow.compat_v1()


class _MayBeShared:
    """A table whose op gets the `shared_name` that was given for it."""

    _given_name: str | None = None
    _shared_name: str

    def _create_resource(self) -> Any:
        if self._given_name is not None:
            self._shared_name = self._given_name
        return super()._create_resource()  # type: ignore[misc]


class HashTable(_MayBeShared, lookup_ops.StaticHashTableV1):
    """`tf.contrib.lookup.HashTable`: a table that is filled once, by `tf.tables_initializer()`.

    Args:
        initializer: What fills it, such as a `KeyValueTensorInitializer`.
        default_value: What a key that is not there has.
        shared_name: Tables of this name share what they hold; None for a table of its own.
        name: Name of its op.
    """

    def __init__(
        self,
        initializer: Any,
        default_value: Any,
        shared_name: str | None = None,
        name: str | None = None,
    ) -> None:
        self._given_name = shared_name
        super().__init__(initializer, default_value, name)


class MutableHashTable(_MayBeShared, lookup_ops.MutableHashTable):
    """A table that can be filled and changed while a session runs.

    Args:
        key_dtype: Type of the keys.
        value_dtype: Type of the values.
        default_value: What a key that is not there has.
        name: Name of its op.
        checkpoint: Whether it is saved to checkpoints.
        shared_name: Tables of this name share what they hold; None for a table of its own.
    """

    def __init__(
        self,
        key_dtype: DType,
        value_dtype: DType,
        default_value: Any,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
        *,
        shared_name: str | None = None,
    ) -> None:
        self._given_name = shared_name
        super().__init__(key_dtype, value_dtype, default_value, name, checkpoint)


class MutableDenseHashTable(_MayBeShared, lookup_ops.DenseHashTable):
    """A table that can be filled and changed while a session runs, whose keys lie in one tensor.

    Args:
        key_dtype: Type of the keys.
        value_dtype: Type of the values.
        default_value: What a key that is not there has.
        empty_key: A key that is never used.
        deleted_key: Another one. Up to 1.12 there was none: where it is not given it is the least number, or the
            one behind it, or a text of its own; a step that uses this as a key fails.
        initial_num_buckets: For how many keys there is room at first.
        name: Name of its op.
        checkpoint: Whether it is saved to checkpoints.
        shared_name: Tables of this name share what they hold; None for a table of its own.
    """

    def __init__(
        self,
        key_dtype: DType,
        value_dtype: DType,
        default_value: Any,
        empty_key: Any,
        deleted_key: Any = None,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
        *,
        shared_name: str | None = None,
    ) -> None:
        self._given_name = shared_name
        if deleted_key is None:
            deleted_key = _another_key(_tf.as_dtype(key_dtype), empty_key)
        super().__init__(
            *(key_dtype, value_dtype, default_value, empty_key, deleted_key),
            *(initial_num_buckets, name, checkpoint),
        )


def _another_key(dtype: Any, empty_key: Any) -> Any:
    known = _tf.get_static_value(empty_key) if _tf.is_tensor(empty_key) else np.asarray(empty_key)
    if known is None:
        raise ValueError("MutableDenseHashTable needs deleted_key= where empty_key is computed")
    if dtype == _tf.string:
        return np.full(known.shape, b"\0 deleted \0", object)
    least = np.full(known.shape, dtype.min, dtype.as_numpy_dtype)
    return least + 1 if np.array_equal(least, known) else least


def _mapping(mapping: Any) -> Any:
    if mapping is None:
        raise ValueError("mapping must be specified.")
    return mapping


def string_to_index(
    tensor: Tensor, mapping: Any, default_value: int = -1, name: str | None = None
) -> Any:
    """`tf.contrib.lookup.string_to_index`: the place of each string in `mapping`.

    The table is one of `tf.tables_initializer()`.

    Args:
        tensor: String tensor of any shape, or a sparse one.
        mapping: 1-D string tensor of unlike strings.
        default_value: The number of a string that is not in it.
        name: Name of the table's op.

    Returns:
        Int64 tensor like `tensor`.
    """
    table = lookup_ops.index_table_from_tensor(
        _mapping(mapping), default_value=default_value, name=name
    )
    return table.lookup(tensor)


def index_to_string(
    tensor: Tensor, mapping: Any, default_value: str = "UNK", name: str | None = None
) -> Any:
    """`tf.contrib.lookup.index_to_string`: the string of `mapping` at each number.

    The table is one of `tf.tables_initializer()`.

    Args:
        tensor: Int64 tensor of any shape, or a sparse one.
        mapping: 1-D string tensor.
        default_value: The string of a number that `mapping` has no place for.
        name: Name of the table's op.

    Returns:
        String tensor like `tensor`.
    """
    table = lookup_ops.index_to_string_table_from_tensor(
        _mapping(mapping), default_value=default_value, name=name
    )
    return table.lookup(tensor)
