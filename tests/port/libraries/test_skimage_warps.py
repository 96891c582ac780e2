"""Warped images of before scikit-image 0.15. Expected values are scikit-image 0.14.5's."""

import numpy as np
import pytest

from tests.port.libraries.test_skimage_functions import COLORS, GRAY, MASK, near
from tfqueue.port.libraries import skimage_functions, skimage_warps

transform = pytest.importorskip("skimage.transform")

BYTES = (GRAY * 100).astype(np.uint8)
DOUBLE = transform.AffineTransform(scale=(0.5, 0.5)).params


def moved(x, y):
    return transform.AffineTransform(translation=(x, y))


def test_warps():
    warp = skimage_warps.warp
    near(
        warp(GRAY, moved(0.5, 0.25))[[0, 5], :4],
        [[0.3125, 0.575, 0.425, 0.275], [0.6, 0.4875, 0.375, 0.2625]],
    )
    near(warp(MASK, transform.AffineTransform(scale=(1.5, 1)))[0], [0, 0.5, 0, 0.5, 0, 0.5, 0, 0])
    near(warp(GRAY + 0.2, moved(-2.5, 0))[0, :5], [0, 0, 0.2, 0.4, 0.8])
    near(warp(GRAY + 0.2, moved(-1.5, 0), order=3)[0, :4], [0.2, 0.2, 0.3875, 0.8688])
    near(
        warp(COLORS, lambda places: places * 0.75 - 0.5)[1, :2],
        [[0, 0, 0], [0.2812, 0.2231, 0.7188]],
    )
    assert warp(COLORS, lambda places: places * 0.75, output_shape=(3, 2)).shape == (3, 2, 3)
    near(warp(GRAY, lambda places, by: places + by, {"by": 0.5})[0, :3], [0.425, 0.55, 0.4])
    near(warp(GRAY, DOUBLE, order=2)[0, :3], [0, 0.1281, 0.4])
    single = GRAY.astype(np.float32)
    assert warp(single, np.eye(3)).dtype == float
    assert warp(single, lambda places: places).dtype == np.float32


def test_the_nearest_pixel_is_a_number_from_0_to_1():
    found = skimage_warps.warp(BYTES, moved(1.25, -0.75), order=0, cval=0.5)
    near(found[:2, :4], [[0.5] * 4, [0.1569, 0.3137, 0.0392, 0.1961]])
    halves = skimage_warps.warp(GRAY, moved(0.5, 0), order=0)[0]
    near(halves, [0.4, 0.8, 0.1, 0.5, 0.9, 0.2, 0.6, 0])
    colors = skimage_warps.warp(COLORS, moved(1, 0), output_shape=(2, 2), order=0)
    near(colors, COLORS[:2, 1:3])
    wide = skimage_warps.warp(GRAY, moved(1, 0), output_shape=(2, 3), order=0)
    near(wide, [[0.4, 0.8, 0.1], [0.3, 0.7, 0]])
    whole = skimage_functions.resize(BYTES, (4, 5), order=0)[0]
    near(whole, [0, 0.3137, 0.1961, 0.3529, 0.2353])


def test_rotations():
    rotate = skimage_warps.rotate
    near(rotate(GRAY, 30)[2:4, 2:5], [[0.5099, 0.6589, 0.3415], [0.5621, 0.8585, 0.4036]])
    near(rotate(MASK, 20)[2, 2:5], [0.8737, 0.6863, 0.1409])
    near(rotate(GRAY, 30, center=(1, 2))[2, :4], [0.8562, 0.2, 0.4964, 0.7928])
    sizes = [rotate(GRAY, angle, resize=True).shape for angle in (20, 45, 90, 63)]
    assert sizes == [(9, 10), (10, 10), (8, 6), (10, 9)]
    near(rotate(GRAY, 20, resize=True)[3, 3:6], [0.6129, 0.5893, 0.4686])
    near(rotate(BYTES, 90, True, order=0, preserve_range=True)[0], [60, 50, 40, 30, 20, 10])


def test_swirls():
    near(
        skimage_warps.swirl(GRAY, strength=2, radius=5)[2:4, 2:5],
        [[0.6352, 0.6445, 0.4711], [0.5273, 0.8688, 0.2]],
    )
    near(skimage_warps.swirl(MASK, (2, 3), 1, 9, 0.2)[2, :4], [0.5087, 0.6317, 0.9196, 0.6346])


def test_sums_along_lines():
    near(
        skimage_warps.radon(BYTES, [0, 30.0])[4:8],
        [[330, 284.6599], [350, 360.6252], [150, 292.4425], [390, 370.8657]],
    )
    assert skimage_warps.radon(GRAY).shape == (12, 180)
    found, angles, distances = skimage_warps.hough_line(MASK)
    assert (found.shape, found.sum(), found.argmax()) == ((20, 180), 3780, 2237)
    near(angles[[0, -1]], [-1.5708, 1.5708])
    near(distances[[0, 1, 2, -1]], [-10, -8.9474, -7.8947, 10])
    found = skimage_warps.hough_line(MASK, np.array([0, 0.5]))[0]
    assert found[10:].T.tolist() == [[5, 1, 3, 4, 0, 4, 3, 1, 0, 0], [1, 2, 4, 2, 3, 4, 2, 2, 1, 0]]


def test_profiles_beyond_the_image():
    profile = skimage_warps.profile_line
    near(profile(GRAY, (4, 6), (7, 9), linewidth=2), [0.7055, 0.42, 0, 0, 0, 0])
    near(
        profile(COLORS, (4, 6.5), (5, 7.5), order=2),
        [[0.5119, 0.3943, 0.4881], [0.1354, 0.0196, 0.8646], [0, 0, 0]],
    )
    assert profile(BYTES, (5, 5), (5, 9)).tolist() == [40, 80, 10, 0, 0]
