"""What is drawn for pictures, and where they are reflected, release by release.

The expected numbers were printed by TensorFlow 1.4.1, 1.8.0 and 1.15.5 with scipy 1.2; Keras 1.2.2 prints those of 1.4.1.
"""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytest.importorskip("scipy")
PICTURE = np.array(
    [123, 195, 82, 174, 227, 148, 209, 50, 155, 14, 41, 58, 30, 60, 90, 120, 150, 180], "f"
).reshape(3, 3, 2)
PLACES = {"row_axis": 0, "col_axis": 1, "channel_axis": 2}
WIDE = np.arange(0, 80, 2, dtype="f").reshape(1, 5, 8) ** 2 / 50
EARLY = {
    "moved": [67.02, 162.29, 108.02, 183.29, 108.02, 183.29],
    "next": 0.44081,
    "mean": 123,
    "whole": [-123, -123, -123, -123],
    "after": 0.708148,
    "sheared": [123, 195, 82, 174, 227, 148],
    "lit": [131.33, 186.64, 90.33, 165.64, 227, 139.64],
    "last": 0.510828,
    "turned": [20.48, 20.48, 23.12, 8, 9.68, 1.28],
    "zoomed": [0, 0, 0.08, 0.32, 1.28, 2],
}
MIDDLE = {
    **EARLY,
    "moved": [134.42, 150.2, 101.83, 180.12, 108.02, 183.29],
    "whole": [-123, -127.1, -112.6, -114.4],
    "sheared": [123.15, 194.74, 82.06, 173.86, 227, 148],
    "turned": [32.79, 20.42, 15, 8.64, 5.57, 2.14],
    "zoomed": [0, 0, 0.07, 0.44, 1.15, 2.21],
}
LATE = {
    "moved": [131.46, 143.97, 98.86, 173.89, 105.06, 177.06],
    "next": 0.44081,
    "mean": 12.3,
    "whole": [-12.3, -16.4, -1.9, -3.7],
    "after": 0.290905,
    "sheared": [123.15, 194.74, 82.06, 173.86, 227, 148],
    "lit": [131.33, 203.33, 90.33, 182.33, 227, 156.33],
    "last": 0.290905,
    "turned": [15, 7.09, 4.48, 1.51, 7.09, 3.38],
    "zoomed": [0, 0, 0.21, 0.72, 1.62, 2.83],
}


def computed(image):
    found = {}
    generator = image.ImageDataGenerator(
        rotation_range=40,
        width_shift_range=0.3,
        height_shift_range=0.3,
        shear_range=0.2,
        zoom_range=0.4,
        channel_shift_range=20,
        horizontal_flip=True,
    )
    np.random.seed(3)
    found["moved"] = generator.random_transform(PICTURE.copy()).ravel()[:6]
    found["next"] = np.random.rand()
    generator = image.ImageDataGenerator(
        vertical_flip=True, samplewise_center=True, rescale=0.1, featurewise_center=True
    )
    np.random.seed(3)
    gray = PICTURE[..., :1]
    generator.fit(np.stack([gray, gray]))
    found["mean"] = generator.mean.item()
    moved = generator.random_transform(gray.copy())
    found["whole"] = generator.standardize(moved).ravel()[:4]
    found["after"] = np.random.rand()
    np.random.seed(3)
    found["sheared"] = image.random_shear(PICTURE.copy(), 0.5, **PLACES).ravel()[:6]
    found["lit"] = image.random_channel_shift(PICTURE.copy(), 20, channel_axis=2).ravel()[:6]
    found["last"] = np.random.rand()
    np.random.seed(4)
    found["turned"] = image.random_rotation(WIDE.copy(), 30, fill_mode="reflect").ravel()[:6]
    places = {"row_axis": 1, "col_axis": 2, "channel_axis": 0}
    found["zoomed"] = image.random_zoom(WIDE.copy(), (0.5, 1.5), **places).ravel()[:6]
    return found


@pytest.mark.filterwarnings("ignore:This ImageDataGenerator")
@pytest.mark.parametrize(
    ("when", "expected"), [("1.4", EARLY), ("1.8", MIDDLE), ("1.10", MIDDLE), ("1.15", LATE)]
)
def test_what_is_drawn_for_a_picture(when, expected):
    release.assume(when)
    found = computed(tf.keras.preprocessing.image)
    assert found.keys() == expected.keys()
    for name, numbers in found.items():
        assert numbers == pytest.approx(expected[name], abs=6e-3), name
