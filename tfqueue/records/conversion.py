"""Between Python dicts and Examples: serialized, or as TensorFlow's own message classes.

What goes in, per key: one value or any rectangular nesting of them, as scalars, lists, tuples,
numpy arrays or eager tensors. str (as UTF-8) and bytes become a bytes list, bool and integers an
int64 list, floats a float list. What comes out: a list of bytes, a numpy array of int64 or of
float32, each of one dimension, for that is all that an Example keeps; an empty list where
the feature has no kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tfqueue.records import messages
from tfqueue.records.errors import ExampleError

# How ml_dtypes' types (bfloat16, float8_e5m2, uint4, ...) are named; numpy knows no kind for them.
_EXTENSION = re.compile(r"(?:(b?float)|(u?int))\d")
_TEXT = (str, bytes, bytearray, memoryview)
_HINTS = {
    "c": "store its real and its imaginary part under two keys",
    "M": "store it as integers: .astype('int64')",
    "m": "store it as integers: .astype('int64')",
    "V": "store each field under a key of its own",
}


def _octets(value: str | bytes | bytearray | memoryview, key: str) -> bytes:
    if not isinstance(value, str):
        return bytes(value)
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ExampleError(f"feature {key!r}: text that is no UTF-8: {error}", key) from None


def _numbers(array: np.ndarray, key: str) -> messages.Feature:
    """A numeric array of any shape as float32 [n] or int64 [n]."""
    kind = array.dtype.kind
    if match := _EXTENSION.match(array.dtype.name):
        kind = "f" if match[1] else "i" if kind not in "iu" else kind
    flat = array.ravel()
    if kind == "f":
        with np.errstate(over="ignore"):
            narrow = flat.astype(np.float32)
        # float64 is rounded, as TensorFlow rounds it; a number that turns to infinity is an error.
        if flat.dtype.itemsize > 4 and (bad := np.isinf(narrow) & np.isfinite(flat)).any():
            raise ExampleError(f"feature {key!r}: {flat[bad][0]} does not fit float32", key)
        return "float", narrow
    if kind in "biu":
        if kind == "u" and flat.dtype.itemsize == 8 and flat.size and flat.max() >> np.uint64(63):
            raise ExampleError(f"feature {key!r}: {flat.max()} does not fit int64", key)
        return "int64", flat.astype(np.int64)
    hint = _HINTS.get(kind)
    tail = f"; {hint}" if hint else ""
    raise ExampleError(f"feature {key!r}: an Example holds no {array.dtype}{tail}", key)


def _sequence(values: list[Any] | tuple[Any, ...], key: str) -> messages.Feature:
    """A list, nested or not, as (kind, flat values)."""
    types = set(map(type, values))
    if types <= {bool, int, float}:  # by far the most frequent, so without a look at each item
        if not types:
            return "empty", []
        try:
            return _numbers(np.array(values, np.float64 if float in types else np.int64), key)
        except OverflowError:
            what = "float32" if float in types else "int64"
            raise ExampleError(f"feature {key!r}: a number does not fit {what}", key) from None
    if types == {bytes}:
        return "bytes", list(values)
    parts = [_feature(item, key) for item in values]
    nested = [isinstance(item, (list, tuple)) or getattr(item, "ndim", 0) > 0 for item in values]
    sizes = {len(flat) if many else None for many, (_, flat) in zip(nested, parts, strict=True)}
    if len(sizes) > 1:
        raise ExampleError(
            f"feature {key!r}: its parts differ in length, which an Example does not keep", key
        )
    kinds = {kind for kind, _ in parts} - {"empty"}
    if not kinds:
        return "empty", []
    if "bytes" in kinds:
        if len(kinds) > 1:
            raise ExampleError(f"feature {key!r}: text and numbers in one list", key)
        return "bytes", [octets for _, flat in parts for octets in flat]
    flat = np.concatenate([flat for _, flat in parts])
    if "float" in kinds:
        return "float", flat.astype(np.float32)
    return "int64", flat


def _feature(value: Any, key: str) -> messages.Feature:
    """A value of any accepted form as (kind, flat values)."""
    if isinstance(value, _TEXT):
        return "bytes", [_octets(value, key)]
    if isinstance(value, (list, tuple)):
        return _sequence(value, key)
    if value is None:
        raise ExampleError(f"feature {key!r}: an Example holds no None; leave the key out", key)
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, NotImplementedError) as error:  # a symbolic tensor, say
        raise ExampleError(f"feature {key!r}: no array: {error}", key) from error
    if array.dtype.kind == "O" and array.ndim == 0:
        if isinstance(array.item(), _TEXT):  # a string tensor of no dimension
            return _feature(array.item(), key)
        if isinstance(value, int):
            raise ExampleError(f"feature {key!r}: {value} does not fit int64", key)
        name = type(value).__name__
        raise ExampleError(f"feature {key!r}: an Example holds no {name}: {value!r:.60}", key)
    if array.dtype.kind in "OSUT":
        return _sequence(array.ravel().tolist(), key)
    return _numbers(array, key)


def _fill(features: Any, values: Mapping[str, Any]) -> None:
    """Sets a Features message."""
    if not isinstance(values, Mapping):
        raise ExampleError(f"an example is a dict, not {type(values).__name__}: {values!r:.60}")
    features.SetInParent()  # an Example without features has an empty field of them
    for key, value in values.items():
        _check_key(key, "feature")
        messages.fill(features.feature[key], *_feature(value, key))


def _check_key(key: Any, what: str) -> None:
    if not isinstance(key, str):
        raise ExampleError(f"a {what}'s key is a str, not {key!r}")
    _octets(key, key)  # a key with lone surrogates has no UTF-8 form


def encode(values: Mapping[str, Any]) -> bytes:
    """A dict as a serialized `tf.train.Example`, its keys sorted: equal dicts are equal bytes.

    Args:
        values: Feature by key (see the module). An array's shape is not kept: C order, flat.

    Raises:
        ExampleError: A value is none that an Example can hold; it names the key.

    >>> decode(encode({"name": "Ada", "born": [1815, 12, 10], "share": 0.5}))
    {'born': array([1815,   12,   10]), 'name': [b'Ada'], 'share': array([0.5], dtype=float32)}
    >>> encode({"spectrum": 1j})
    Traceback (most recent call last):
    ...
    tfqueue.records.errors.ExampleError: feature 'spectrum': an Example holds no complex128; \
store its real and its imaginary part under two keys
    """
    message = messages.Example()
    _fill(message.features, values)
    return messages.serialize(message)


def encode_sequence(
    context: Mapping[str, Any], feature_lists: Mapping[str, Iterable[Any]]
) -> bytes:
    """A serialized `tf.train.SequenceExample`.

    Args:
        context: As for `encode`.
        feature_lists: By key one value per step, each as for `encode`.

    Raises:
        ExampleError: As for `encode`.

    >>> decode_sequence(encode_sequence({"length": 2}, {"tokens": [[1, 2], [3]]}))
    ({'length': array([2])}, {'tokens': [array([1, 2]), array([3])]})
    """
    message = messages.SequenceExample()
    _fill(message.context, context)
    message.feature_lists.SetInParent()
    for key, steps in feature_lists.items():
        _check_key(key, "feature list")
        if isinstance(steps, _TEXT) or not hasattr(steps, "__iter__"):
            raise ExampleError(f"feature list {key!r}: one value per step, in a list", key)
        features = message.feature_lists.feature_list[key].feature
        for step in steps:
            messages.fill(features.add(), *_feature(step, key))
    return messages.serialize(message)


def decode(data: bytes) -> dict[str, Any]:
    """The dict in a serialized `tf.train.Example`.

    Returns:
        By key a list of bytes, int64 [n], float32 [n], or `[]` for a feature without a kind.

    Raises:
        ExampleError: `data` is no Example, or is a SequenceExample.
    """
    features, lists = messages.parse(data)
    if lists is not None:
        raise ExampleError("it is a SequenceExample: read it with `sequences`")
    return {key: values for key, (_, values) in features.items()}


def decode_sequence(data: bytes) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Context and feature lists of a serialized `tf.train.SequenceExample`.

    Returns:
        The context as `decode` returns it; and by key one such value per step.

    Raises:
        ExampleError: `data` is no SequenceExample.
    """
    features, lists = messages.parse(data)
    context = {key: values for key, (_, values) in features.items()}
    return context, {key: [values for _, values in steps] for key, steps in (lists or {}).items()}


def decode_any(data: bytes) -> dict[str, Any] | tuple[dict[str, Any], dict[str, Any]] | bytes:
    """A record as what it is: a dict, a pair of dicts, or the bytes if it is no Example.

    Bytes that parse as a message of unknown fields only are no Example either: nearly any short
    text does. An Example without features is two bytes or none.
    """
    try:
        features, lists = messages.parse(data)
    except ExampleError:
        return data
    if lists is not None:
        return decode_sequence(data)
    if not features and data not in (b"", b"\n\0"):
        return data
    return {key: values for key, (_, values) in features.items()}


def to_example(values: Mapping[str, Any]) -> Any:
    """A dict as a `tf.train.Example` message; imports TensorFlow. See `encode`."""
    from tensorflow.core.example.example_pb2 import Example

    return Example.FromString(encode(values))


def from_example(message: Any) -> dict[str, Any]:
    """A `tf.train.Example` message as a dict. See `decode`."""
    return decode(message.SerializeToString())


def to_sequence_example(
    context: Mapping[str, Any], feature_lists: Mapping[str, Iterable[Any]]
) -> Any:
    """A `tf.train.SequenceExample` message; imports TensorFlow. See `encode_sequence`."""
    from tensorflow.core.example.example_pb2 import SequenceExample

    return SequenceExample.FromString(encode_sequence(context, feature_lists))


def from_sequence_example(message: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """A `tf.train.SequenceExample` message as dicts. See `decode_sequence`."""
    return decode_sequence(message.SerializeToString())
