"""Parsing serialized examples: `parse_single_example` documented and guarded."""

from __future__ import annotations

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _function_op_counts
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()
_PARSE = _function_op_counts.one_parsed(_tf.parse_single_example)

__all__ = ["parse_single_example"]


def parse_single_example(
    serialized: Tensor,
    features: dict[str, Any],
    name: str | None = None,
    example_names: Tensor | None = None,
) -> dict[str, Any]:
    """Parses one serialized `tf.train.Example` (`tf.parse_single_example`).

    Args:
        serialized: Scalar string tensor, one serialized `Example`.
        features: Dict from feature key to `FixedLenFeature`, `VarLenFeature`,
            `SparseFeature` or `FixedLenSequenceFeature`.
        name: Name of the op.
        example_names: Optional scalar string tensor that names the example in errors.

    Returns:
        Dict from feature key to `Tensor` (fixed length: the feature's shape) or
        `SparseTensor` (variable length, rank 1).

    Raises:
        ValueError: If `features` is empty or holds something else, or `serialized` is no scalar.
        TypeError: If `features` is no dict.

    >>> import tfqueue.v1 as tf
    >>> one = tf.train.Example()
    >>> one.features.feature["age"].int64_list.value.append(29)
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     parsed = tf.parse_single_example(
    ...         one.SerializeToString(), {"age": tf.FixedLenFeature([], tf.int64)})
    ...     print(sess.run(parsed["age"]))
    29
    """
    if features and not hasattr(features, "items"):
        raise TypeError(
            "features must be a dict such as {'label': tf.FixedLenFeature([], tf.int64)}, "
            f"got {features!r}"
        )
    try:
        return _PARSE(serialized, features, name=name, example_names=example_names)
    except ValueError as error:
        shape = getattr(serialized, "shape", None)
        if shape is not None and shape.rank:
            _tensorflow.add_note(
                error, f"tfqueue: serialized has the shape {shape}; tf.parse_example parses a batch"
            )
        raise
