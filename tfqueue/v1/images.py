"""Functions of `tf.image` that make an image of rank 3 of one whose shape is not known.

`tf.image.decode_image` gives no static shape. Up to 1.15 a flip behind it gave `(?, ?, ?)`, which
`resize_images` and what follows build on; since 2.0 a flip takes batches, too, and says nothing.
"""

import functools

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()

_FLIPS = (
    "flip_left_right flip_up_down random_flip_left_right random_flip_up_down rot90 transpose "
    "transpose_image"
)


def _of_rank_3(name):
    function = getattr(_tf.image, name)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        if result.shape.rank is None:
            result.set_shape([None, None, None])
        return result

    wrapper.__module__ = __name__
    wrapper.__signature__ = _tensorflow.signature(_tensorflow.undecorated(function))
    wrapper.__doc__ = (
        f"`tf.image.{name}`; of an image whose shape is not known, of the shape `(?, ?, ?)`.\n"
    )
    return wrapper


FUNCTIONS = {f"image.{name}": _of_rank_3(name) for name in _FLIPS.split()}
"""Dotted name below `tf` -> what is laid over it."""
