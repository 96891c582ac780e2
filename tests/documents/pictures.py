"""Real pictures in the place of the authors': from the wheel of scikit-image, so without a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np


def photograph(name: str, height: int = 0, width: int = 0) -> np.ndarray:
    """Returns a photograph of `skimage.data`: uint8 of shape [height, width, 3].

    Args:
        name: ``astronaut``, ``chelsea``, ``coffee`` or ``rocket``.
        height: of the result in pixels; 0 leaves the photograph as it is.
        width: likewise.
    """
    import skimage.data
    from PIL import Image

    image = getattr(skimage.data, name)()
    if height and width:
        image = np.asarray(Image.fromarray(image).resize((width, height)))
    return image


def mask(image: np.ndarray) -> np.ndarray:
    """Returns an annotation for `image`, uint8 of shape [height, width], as VOC's are.

    Bright pixels are class 12, the others background, and the seam between them is 255.
    """
    grey = image.mean(axis=2)
    classes = np.where(grey > grey.mean(), 12, 0).astype(np.uint8)
    seam = np.zeros(classes.shape, bool)
    seam[1:] |= classes[1:] != classes[:-1]
    seam[:, 1:] |= classes[:, 1:] != classes[:, :-1]
    classes[seam] = 255
    return classes


def write(image: np.ndarray, path: Path) -> None:
    """Writes `image` as what the name of `path` ends with; a single channel gets VOC's palette mode.

    Args:
        image: uint8 of shape [height, width, 3] or [height, width].
        path: its folder is made where it is missing.
    """
    from PIL import Image

    picture = Image.fromarray(image)
    if image.ndim == 2:
        picture.putpalette(bytes(value for grey in range(256) for value in (grey, grey, grey)))
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path)


def voc_pair(stem: str, name: str) -> dict[str, Callable[[Path], None]]:
    """Returns the two files of a VOC picture, each with what writes it."""
    return {
        f"JPEGImages/{stem}.jpg": lambda path: write(photograph(name), path),
        f"SegmentationClass/{stem}.png": lambda path: write(mask(photograph(name)), path),
    }


def digits() -> list[tuple[int, np.ndarray]]:
    """Returns ten pairs of a label and a different 28 x 28 picture: uint8 of shape [784]."""
    import skimage.data

    coins = skimage.data.coins()
    return [(label, coins[20 : 20 + 28, 30 * label :][:, :28].reshape(784)) for label in range(10)]


def write_digits(path: Path) -> None:
    """Writes the ten digits as TFRecord file, each as 003 does: `label` and `image` of int64."""
    import tfqueue.v1 as tf

    def int64s(values):
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))

    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for label, image in digits():
            feature = {"label": int64s([label]), "image": int64s(image.tolist())}
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())
