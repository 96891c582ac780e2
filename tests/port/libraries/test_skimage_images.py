"""Colors, ranges, noise and segments of before scikit-image 0.15. Expected values are scikit-image 0.14.5's."""

import numpy as np
import pytest

from tests.port.libraries.test_skimage_functions import COLORS, GRAY, MASK, near
from tfqueue.port.differences import telling
from tfqueue.port.libraries import skimage_functions, skimage_images

pytest.importorskip("skimage")

BYTES = (GRAY * 100).astype(np.uint8)
Y, X = np.mgrid[:40, :40]
DISK = ((Y - 22) ** 2 + (X - 18) ** 2 < 64).astype(float)


def test_gray_images_get_colors_and_others_keep_theirs():
    gray2rgb = skimage_images.gray2rgb
    assert gray2rgb(COLORS) is COLORS
    assert gray2rgb(COLORS, True)[0, 0].tolist() == [0, 0, 1, 1]
    four = np.dstack([COLORS, GRAY])
    assert gray2rgb(four, False).shape == (6, 8, 3)
    assert gray2rgb(four, True).shape == gray2rgb(four).shape == (6, 8, 4)
    assert gray2rgb(GRAY).shape == (6, 8, 3)
    assert gray2rgb(BYTES, True)[0, 1].tolist() == [40, 40, 40, 255]
    assert gray2rgb(np.dstack([COLORS, COLORS])).shape == (6, 8, 6, 3)
    with pytest.raises(ValueError, match="three axes"):
        gray2rgb(np.ones((2, 2, 2, 3)))


def test_stains():
    stains = skimage_images.rgb2hed(COLORS)
    near(stains[0, :2], [[-0.5948, 0.4397, -1.2494], [-1.0182, 0.4674, -0.9124]])
    near(skimage_images.hed2rgb(stains)[0, :2], [[0, 0, 1], [0.4, 0.16, 0.6]])
    near(skimage_images.hed2rgb(COLORS - 3)[0, :2], np.ones((2, 3)))
    near(skimage_images.rgb2hed(np.dstack([BYTES] * 3))[0, 1], [-0.9302, 0.2716, -0.6779])


def test_ranges():
    gamma = skimage_images.adjust_gamma
    assert gamma(BYTES, 0.5)[0].tolist() == [0, 100, 142, 50, 112, 151, 71, 123]
    assert gamma(BYTES, 0.5, 3)[0].tolist() == [0, 46, 172, 151, 82, 198, 214, 115]
    near(gamma(GRAY, 2)[0, 1], 0.16)
    with pytest.raises(ValueError, match="0 or more"):
        gamma(BYTES, -1)
    rescale = skimage_images.rescale_intensity
    found = rescale(BYTES, out_range=(0, 99))
    assert (found.dtype, found[0, :4].tolist()) == (np.uint8, [0, 39, 79, 9])
    near(rescale(GRAY, out_range="uint8")[0, :4], [0, 102, 204, 25.5])
    near(rescale(GRAY, out_range="int16")[0, :3], [0, 13106.8, 26213.6])
    assert rescale(BYTES, (10, 60))[0, :4].tolist() == [0, 153, 255, 0]
    near(rescale(GRAY - 0.5)[0, :4], [-1, -0.2, 0.6, -0.8])


def test_derivatives():
    def at_2(image, **words):
        return [one[(2,) * image.ndim] for one in skimage_images.hessian_matrix(image, **words)]

    near(at_2(GRAY), [-0.062, 0.0351, -0.0267])
    near(at_2(GRAY, order="rc"), [-0.0267, 0.0351, -0.062])
    near(at_2(GRAY, order="xy", sigma=2, mode="nearest"), [-0.0101, -0.0144, 0.0074])
    near(
        [one[2, 2, 1] for one in skimage_images.hessian_matrix(COLORS)],
        [-0.0719, -0.0074, -0.0017, -0.0213, 0.0127, -0.0405],
    )
    near(skimage_functions.laplace(GRAY)[:2, :3], [[0, 0, 0], [0, -1.1, 1.1]])
    everywhere = np.ones(GRAY.shape, bool)
    near(skimage_functions.laplace(GRAY, 3, everywhere)[:2, :3], [[0, 0, 0], [0, -1.1, 1.1]])
    near(skimage_functions.roberts_pos_diag(GRAY)[:2, :3], [[0, 0, 0], [0, 0.3, 0.3]])
    near(skimage_functions.roberts_neg_diag(GRAY)[:2, :3], [[0, 0, 0], [0, -0.5, 0.6]])


@pytest.mark.parametrize(
    ("mode", "expected"),  # the last one is what numpy draws next
    [
        ("gaussian", [0.0441, 0.3669, 1, 0.9267]),
        ("localvar", [0.0441, 0.3669, 1, 0.9267]),
        ("poisson", [0, 0.5, 0.5625, 0.8938]),
        ("salt", [0, 0.4, 0.8, 0.8005]),
        ("pepper", [0, 0.4, 0.8, 0.8005]),
        ("s&p", [0, 0.4, 0.8, 0.8005]),
        ("speckle", [0, 0.3868, 0.9945, 0.9267]),
    ],
)
def test_noise_comes_from_the_global_generator(mode, expected):
    noisy = skimage_images.random_noise(GRAY, mode, seed=5)
    near([*noisy[0, :3], np.random.rand()], expected)


def test_noise_of_the_programs_own_seed():
    np.random.seed(2)
    found = skimage_images.random_noise(GRAY - 0.5, clip=False, var=0.04)
    near(found[0, :3], [-0.5834, -0.1113, -0.1272])


def test_medial_axes(capsys):
    telling.forget()
    blobs = np.pad(np.sin(X * Y / 90) + np.cos(X / 3) > 0.3, 2)
    found = skimage_images.medial_axis(blobs)
    assert (found.sum(), np.flatnonzero(found).sum()) == (110, 119178)
    assert capsys.readouterr().err == ""
    for _ in range(2):
        skimage_images.medial_axis(MASK)
    (line,) = capsys.readouterr().err.splitlines()
    assert "where an object is at the image's border" in line


def test_contours_go_by_x_and_y():
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    snake = np.column_stack([18 + 11 * np.cos(angle), 22 + 10 * np.sin(angle)])
    smooth = skimage_functions.gaussian(DISK, 2)
    words = {"w_edge": 0, "w_line": 0.2, "bc": "fixed", "max_iterations": 9}
    found = skimage_images.active_contour(smooth, snake, beta=1, max_iterations=3)
    near(found[:3], [[26, 22], [24.5263, 24.0115], [20.5035, 27.6603]])
    found = skimage_images.active_contour(np.dstack([DISK] * 3), snake, **words)
    near(found[:3], [[29, 22], [26.6738, 22.7553], [24.4301, 23.7771]])
    angle = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    side = np.column_stack([4 + 3.4 * np.cos(angle), 3 + 2.4 * np.sin(angle)])
    found = skimage_images.active_contour(GRAY, side, max_iterations=4)
    near(found[:3], [[7.2227, 3.1651], [7.2773, 4.6275], [5.957, 5.2127]])


def test_segments():
    colors = np.dstack([np.sin(X / 5) * 0.4 + 0.5, np.cos(Y / 4) * 0.3 + 0.4, (X * Y % 7) / 10])
    slic = skimage_images.slic
    assert np.bincount(slic(colors, 12, compactness=5).ravel()).tolist() == [747, 205, 648]
    words = {"multichannel": False, "sigma": 1}
    found = np.bincount(slic(colors[..., 0], 9, 0.1, **words).ravel())
    assert found.tolist() == [221, 182, 117, 221, 182, 117, 238, 196, 126]
    words = {"spacing": [1, 2.0, 1], "enforce_connectivity": False, "max_iter": 3}
    found = np.bincount(slic((colors[:9] * 255).astype(np.uint8), 5, **words).ravel())
    assert found.tolist() == [87, 54, 94, 68, 57]
    with pytest.raises(ValueError, match="three colors"):
        slic(colors[..., :2], convert2lab=True)
