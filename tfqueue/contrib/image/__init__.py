"""`tf.contrib.image`: turning, shifting and warping images by projective transforms.

A transform is eight numbers `[a0, a1, a2, b0, b1, b2, c0, c1]`: a point `(x, y)` of the result is taken
from `((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k)` with `k = c0 x + c1 y + 1`. What lies outside
the image is zero.
"""

from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import seeds
from tfqueue.v1 import _call_forms, _lazy_names
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "angles_to_projective_transforms",
    "compose_transforms",
    "dense_image_warp",
    "flat_transforms_to_matrices",
    "matrices_to_flat_transforms",
    "rotate",
    "transform",
    "translate",
    "translations_to_projective_transforms",
]

__getattr__, __dir__ = _lazy_names.attributes(__name__, {})


def _as_batch(images: Tensor) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """The images as `[batch, height, width, channels]`, and how to undo that."""
    rank = images.shape.rank
    if rank is None:
        raise TypeError("image should have known rank")
    if rank == 2:
        return images[None, :, :, None], lambda result: result[0, :, :, 0]
    if rank == 3:
        return images[None], lambda result: result[0]
    if rank == 4:
        return images, lambda result: result
    raise TypeError("Images should have rank between 2 and 4.")


def _as_rows(values: Tensor, width: int, what: str) -> Tensor:
    """`values` as `[n, width]`."""
    rank = values.shape.rank
    if rank is None:
        raise TypeError(f"{what} should have known rank")
    if rank == 1:
        return values[None]
    if rank == 2:
        return values
    raise TypeError(f"{what} should have rank 1 or 2, of {width} numbers each")


def rotate(
    images: Tensor, angles: Tensor, interpolation: str = "NEAREST", name: str | None = None
) -> Any:
    """Turns images counterclockwise around their centres (`tf.contrib.image.rotate`).

    Args:
        images: `[batch, height, width, channels]`, `[height, width, channels]` or `[height, width]`;
            uint8, int32, int64, float16, float32 or float64.
        angles: float32 scalar or `[batch]`, in radians.
        interpolation: `"NEAREST"` or `"BILINEAR"`.

    Returns:
        Images of the same shape and dtype.

    Raises:
        TypeError: If the rank of `images` or `angles` is not known, or another.

    >>> import math
    >>> with _tf.Session() as sess:
    ...     print(sess.run(rotate([[1, 2], [3, 4]], math.pi / 2)).tolist())
    [[2, 4], [1, 3]]
    """
    with _tf.name_scope(name, "rotate"):
        images = _tf.convert_to_tensor(images)
        batch, _ = _as_batch(images)
        height, width = (_tf.cast(_tf.shape(batch)[axis], _tf.float32) for axis in (1, 2))
        return transform(
            images,
            angles_to_projective_transforms(angles, height, width),
            interpolation=interpolation,
        )


def translate(
    images: Tensor, translations: Tensor, interpolation: str = "NEAREST", name: str | None = None
) -> Any:
    """Shifts images (`tf.contrib.image.translate`).

    Args:
        images: As for `rotate`.
        translations: float32 `[2]` or `[batch, 2]`, the shift in x and in y.
        interpolation: As for `rotate`.

    Returns:
        Images of the same shape and dtype.
    """
    with _tf.name_scope(name, "translate"):
        moves = translations_to_projective_transforms(translations)
        return transform(images, moves, interpolation=interpolation)


def angles_to_projective_transforms(
    angles: Tensor, image_height: Tensor, image_width: Tensor, name: str | None = None
) -> Any:
    """The transforms that turn images (`tf.contrib.image.angles_to_projective_transforms`).

    Args:
        angles: float32 scalar or `[n]`, in radians, counterclockwise.
        image_height: float32 scalar.
        image_width: float32 scalar.
        name: Name scope of the ops.

    Returns:
        float32 `[n, 8]`.
    """
    with _tf.name_scope(name, "angles_to_projective_transforms"):
        angles = _tf.convert_to_tensor(angles, dtype=_tf.float32)
        if angles.shape.rank not in (0, 1):
            raise TypeError("Angles should have rank 0 or 1.")
        angles = _tf.reshape(angles, [-1])
        cos, sin = _tf.cos(angles), _tf.sin(angles)
        right, bottom = image_width - 1, image_height - 1
        x = (right - (cos * right - sin * bottom)) / 2.0
        y = (bottom - (sin * right + cos * bottom)) / 2.0
        none = _tf.zeros_like(cos)
        return _tf.stack([cos, -sin, x, sin, cos, y, none, none], axis=1)


def translations_to_projective_transforms(translations: Tensor, name: str | None = None) -> Any:
    """The transforms that shift images (`tf.contrib.image.translations_to_projective_transforms`).

    Args:
        translations: float32 `[2]` or `[n, 2]`, the shift in x and in y.

    Returns:
        float32 `[n, 8]`.
    """
    with _tf.name_scope(name, "translations_to_projective_transforms"):
        moves = _as_rows(_tf.convert_to_tensor(translations, dtype=_tf.float32), 2, "translations")
        one, none = _tf.ones_like(moves[:, 0]), _tf.zeros_like(moves[:, 0])
        return _tf.stack([one, none, -moves[:, 0], none, one, -moves[:, 1], none, none], axis=1)


def flat_transforms_to_matrices(transforms: Tensor) -> Any:
    """Transforms as matrices (`tf.contrib.image.flat_transforms_to_matrices`).

    Args:
        transforms: float32 `[8]` or `[n, 8]`.

    Returns:
        float32 `[n, 3, 3]`.
    """
    flat = _as_rows(_tf.convert_to_tensor(transforms, dtype=_tf.float32), 8, "transforms")
    return _tf.reshape(_tf.concat([flat, _tf.ones_like(flat[:, :1])], 1), [-1, 3, 3])


def matrices_to_flat_transforms(transform_matrices: Tensor) -> Any:
    """Matrices as transforms (`tf.contrib.image.matrices_to_flat_transforms`).

    Args:
        transform_matrices: float32 `[3, 3]` or `[n, 3, 3]`.

    Returns:
        float32 `[n, 8]`.
    """
    flat = _tf.reshape(_tf.convert_to_tensor(transform_matrices, dtype=_tf.float32), [-1, 9])
    return (flat / flat[:, 8:9])[:, :8]


def compose_transforms(*transforms: Any) -> Any:
    """One transform for several (`tf.contrib.image.compose_transforms`).

    Args:
        *transforms: float32 `[8]` or `[n, 8]` each.

    Returns:
        float32 `[n, 8]`.
    """
    if not transforms:
        raise ValueError("compose_transforms needs at least one transform")
    with _tf.name_scope("compose_transforms"):
        whole = flat_transforms_to_matrices(transforms[0])
        for each in transforms[1:]:
            whole = _tf.matmul(whole, flat_transforms_to_matrices(each))
        return matrices_to_flat_transforms(whole)


def transform(
    images: Tensor,
    transforms: Tensor,
    interpolation: str = "NEAREST",
    output_shape: Tensor | None = None,
    name: str | None = None,
) -> Any:
    """Warps images (`tf.contrib.image.transform`).

    Args:
        images: As for `rotate`.
        transforms: float32 `[8]` for all images, or `[batch, 8]`.
        interpolation: As for `rotate`.
        output_shape: int32 `[2]`, height and width of the result; those of the images when None.

    Returns:
        Images of the rank and dtype of `images`.
    """
    with _tf.name_scope(name, "transform"):
        images = _tf.convert_to_tensor(images)
        batch, undone = _as_batch(images)
        transforms = _as_rows(_tf.convert_to_tensor(transforms, dtype=_tf.float32), 8, "transforms")
        size = _tf.shape(batch)[1:3] if output_shape is None else output_shape
        result = _tf.raw_ops.ImageProjectiveTransformV2(
            images=batch,
            transforms=transforms,
            output_shape=_tf.convert_to_tensor(size, dtype=_tf.int32),
            interpolation=interpolation.upper(),
        )
        if output_shape is None:
            result.set_shape(batch.shape)
        return undone(result)


def dense_image_warp(image: Tensor, flow: Tensor, name: str | None = "dense_image_warp") -> Any:
    """Takes each pixel from elsewhere in its image (`tf.contrib.image.dense_image_warp`).

    Args:
        image: `[batch, height, width, channels]`, of at least 2 rows and columns.
        flow: `[batch, height, width, 2]`: how many rows and columns further up and left a pixel is
            taken from, between pixels the mean of four, outside of the image from its border.

    Returns:
        A tensor like `image`.

    Raises:
        InvalidArgumentError: If the image is smaller.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     image = tf.reshape([0.0, 1.0, 2.0, 3.0], [1, 2, 2, 1])
    ...     warped = dense_image_warp(image, tf.fill([1, 2, 2, 2], 0.5))
    ...     print(sess.run(warped[0, :, :, 0]).tolist())
    [[0.0, 0.5], [1.0, 1.5]]
    """
    ops = 243 if _call_forms.reaches("1.14") else 236  # so many had TensorFlow 1
    with _tf.name_scope(name), seeds.standing_for(ops):
        sizes = _tf.shape(image)[1:3]
        enough = _tf.debugging.assert_greater_equal(sizes, 2, message="The image is too small.")
        with _tf.control_dependencies([enough]):
            grid = _tf.meshgrid(_tf.range(sizes[0]), _tf.range(sizes[1]), indexing="ij")
        points = _tf.cast(_tf.stack(grid, -1), flow.dtype) - flow
        last = _tf.cast(sizes - 2, flow.dtype)
        low = _tf.minimum(_tf.maximum(_tf.zeros_like(last), _tf.floor(points)), last)
        part = _tf.cast(points - low, image.dtype)
        part = _tf.minimum(_tf.maximum(_tf.zeros([], image.dtype), part), _tf.ones([], image.dtype))
        first = _tf.cast(low, _tf.int32)

        def corner(down: int, right: int) -> Tensor:
            return _tf.gather_nd(image, first + [down, right], batch_dims=1)

        down, right = part[..., :1], part[..., 1:]
        top = right * (corner(0, 1) - corner(0, 0)) + corner(0, 0)
        bottom = right * (corner(1, 1) - corner(1, 0)) + corner(1, 0)
        return down * (bottom - top) + top
