"""`tf.contrib.resampler`: pixels between pixels."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import seeds
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["resampler"]
__getattr__, __dir__ = _lazy_names.attributes(__name__, {})


def resampler(data: Tensor, warp: Tensor, name: str | None = "resampler") -> Any:
    """Takes values of images between their pixels (`tf.contrib.resampler.resampler`).

    Args:
        data: Images, `[batch, height, width, channels]`, of a floating dtype.
        warp: Where: `[batch, ..., 2]`, a column and a row each. Outside of the image is zero.

    Returns:
        `[batch, ..., channels]`: the mean of the four pixels around each place, by distance.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     data = tf.reshape([0.0, 1.0, 2.0, 3.0], [1, 2, 2, 1])
    ...     print(sess.run(resampler(data, [[[0.5, 0.0], [1.0, 1.5]]])).ravel().tolist())
    [0.5, 1.5]
    """
    with _tf.name_scope(name, values=[data, warp]):
        data = _tf.convert_to_tensor(data)
        warp = _tf.convert_to_tensor(warp, data.dtype)
        with seeds.standing_for(1):  # TensorFlow 1 had one op for it
            return _taken(data, warp)


def _taken(data: Tensor, warp: Tensor) -> Any:
    """The values at the places of `warp`, of tensors."""
    places = _tf.reverse(warp, [-1])  # rows first
    sizes = _tf.cast(_tf.shape(data)[1:3], data.dtype)
    inside = _tf.reduce_all((places > -1) & (places < sizes), -1, keepdims=True)
    places = _tf.where_v2(inside, places, _tf.zeros_like(places))
    low = _tf.floor(places)
    first = _tf.cast(low, _tf.int32) + 1
    framed = _tf.pad(data, [[0, 0], [1, 1], [1, 1], [0, 0]])
    part = places - low
    down, right = part[..., :1], part[..., 1:]

    def corner(rows: int, columns: int) -> Tensor:
        return _tf.gather_nd(framed, first + [rows, columns], batch_dims=1)

    found = (
        (1 - right) * (1 - down) * corner(0, 0)
        + right * down * corner(1, 1)
        + (1 - right) * down * corner(1, 0)
        + right * (1 - down) * corner(0, 1)
    )
    return _tf.where_v2(inside, found, _tf.zeros_like(found))
