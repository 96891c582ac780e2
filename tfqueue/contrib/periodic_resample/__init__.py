"""`tf.contrib.periodic_resample`: a dimension's values go into others that grow."""

import math
from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Name, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["periodic_resample"]
__getattr__, __dir__ = _lazy_names.attributes(__name__, {})


def _checked(values: Tensor, dims: Sequence[int | None]) -> Any:
    """The sizes of the values, once it is known that the shape fits them."""
    rank = _tf.rank(values)
    if values.shape.rank not in (None, len(dims)):
        raise _tf.errors.InvalidArgumentError(
            None,
            None,
            f"expects the rank of the values, {values.shape.rank}, to be the length of the shape, {len(dims)}",
        )
    same = _tf.Assert(
        _tf.equal(rank, len(dims)),
        ["expects the rank of the values,", rank, "to be the length of the shape,", len(dims)],
    )
    with _tf.control_dependencies([same]):
        sizes = _tf.shape(values, out_type=_tf.int64)
    free = [size is None for size in dims]
    wanted = _tf.constant([size or 0 for size in dims], _tf.int64)
    fits = _tf.Assert(
        _tf.reduce_all((sizes <= wanted) | free),
        ["expects no size of the shape", wanted, "to be smaller than that of the values,", sizes],
    )
    with _tf.control_dependencies([fits]):
        return _tf.identity(sizes)


def periodic_resample(values: Tensor, shape: Any, name: Name = None) -> Any:
    """Shrinks one dimension, and has others grow by it (`tf.contrib.periodic_resample.periodic_resample`).

    The value at the place `s` is that at `s // g`, where `g` says how many times a dimension grows, rounded up;
    in the dimension that shrinks to the size `n` it is at `s + n * k`, where `k` counts the places of all `s % g`, the
    first dimension the fastest.

    Args:
        values: Tensor of any rank.
        shape: As many sizes, one of them None or less than 1: that of the dimension that shrinks. No other
            may be smaller than that of the values.

    Returns:
        A tensor of that shape; the missing size is what there are values for, rounded down.

    Raises:
        tf.errors.InvalidArgumentError: For several such dimensions, or none; in the session for a shape that
            does not fit, and where the original would read what is behind the values.

    The gradient of a value is the sum of those of its places: where the sizes are multiples there is one. The
    original otherwise took one of them, and of a value without a place what lay in memory.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(periodic_resample([[0, 1, 2, 3]], [2, None])).tolist())
    [[0, 1], [2, 3]]
    """
    dims = [None if size is None or int(size) < 1 else int(size) for size in _listed(shape)]
    if dims.count(None) != 1:
        raise _tf.errors.InvalidArgumentError(
            None, None, f"expects one index to be marked as adjustable, not {dims.count(None)}"
        )
    with _tf.name_scope(name, "PeriodicResample", [values]) as scope:
        values = _tf.convert_to_tensor(values, name="values")
        sizes = _checked(values, dims)
        count = _tf.size(values, out_type=_tf.int64)
        others = math.prod(size for size in dims if size is not None)
        target = [
            count // others if size is None else _tf.constant(size, _tf.int64) for size in dims
        ]
        place = _place(dims, target, _tf.unstack(sizes, len(dims)))
        checks = [
            _tf.Assert(
                count >= others, ["expects the adjustable dimension to be greater than zero"]
            ),
            _tf.Assert(_tf.reduce_all(place < count), ["the shape reads behind the values"]),
        ]
        with _tf.control_dependencies(checks):
            found = _tf.gather(_tf.reshape(values, [-1]), place, name=scope)
    known = values.shape.num_elements()
    found.set_shape([(known and known // others) if size is None else size for size in dims])
    return found


def _listed(shape: Any) -> Sequence[Any]:
    return shape.as_list() if isinstance(shape, _tf.TensorShape) else list(shape)


def _place(dims: Sequence[int | None], target: Sequence[Tensor], sizes: Sequence[Tensor]) -> Any:
    """Which of the values, counted through all dimensions, stands at each place of the target."""
    step, place, shared, turns = 1, 0, 0, 1
    steps: list[Any] = []
    for size in sizes[::-1]:
        steps.insert(0, step)
        step = step * size
    for dim, (wanted, size) in enumerate(zip(target, sizes, strict=True)):
        line = _tf.reshape(_tf.range(wanted), [-1 if one == dim else 1 for one in range(len(dims))])
        if dims[dim] is None:
            place = place + line * steps[dim]
            continue
        grown = -(-wanted // size)
        place = place + line // grown * steps[dim]
        shared = shared + line % grown * turns
        turns = turns * grown
    free = dims.index(None)
    return place + shared * target[free] * steps[free]
