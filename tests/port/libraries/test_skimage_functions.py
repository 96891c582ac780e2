"""Functions of scikit-image of before 0.15. Expected values are scikit-image 0.14.5's."""

import numpy as np
import pytest

from tfqueue.port.libraries import skimage_functions

pytest.importorskip("skimage")

GRAY = (np.arange(48).reshape(6, 8) * 37 % 11) / 10.0
COLORS = np.dstack([GRAY, GRAY**2, 1 - GRAY])
MASK = GRAY > 0.5


def near(found, expected):
    assert np.round(np.asarray(found, float), 4).tolist() == pytest.approx(np.array(expected))


def test_sizes():
    near(skimage_functions.resize(GRAY, (2, 3)), [[0.4167, 0.2, 0.1667], [0.1167, 0.45, 0.7833]])
    smooth = skimage_functions.resize(GRAY, (2, 3), order=3, anti_aliasing=True)
    near(smooth, [[0.4408, 0.4226, 0.3446], [0.4021, 0.4341, 0.5211]])
    bytes_ = skimage_functions.resize((GRAY * 100).astype(np.uint8), (2, 2), preserve_range=True)
    near(bytes_, [[50, 45], [20, 70]])
    near(skimage_functions.resize(MASK, [2, 2]), [[0.5, 0.5], [0, 0.5]])
    assert skimage_functions.resize(COLORS, (3, 4)).shape == (3, 4, 3)
    near(skimage_functions.resize(COLORS, (3, 4, 2))[0, 0], [0.3969, 0.5094])
    near(skimage_functions.rescale(COLORS, 0.5)[0, 0], [0.425, 0.3125, 0.575])
    near(skimage_functions.rescale(GRAY, (0.5, 0.25)), [[0.55, 0.5], [0.35, 0.575], [0.425, 0.65]])
    assert skimage_functions.rescale(COLORS, 0.5, multichannel=False).shape == (3, 4, 2)
    assert skimage_functions.rescale(COLORS, (0.5, 0.5)).shape == (3, 4, 3)
    with pytest.raises(ValueError, match="one for each axis"):
        skimage_functions.rescale(COLORS, (0.5, 0.5, 1))
    assert skimage_functions.pyramid_reduce(COLORS).shape == (3, 4, 3)
    assert [one.shape for one in skimage_functions.pyramid_gaussian(COLORS, 1)] == [
        (6, 8, 3),
        (3, 4, 3),
    ]


def test_comparisons():
    assert skimage_functions.compare_ssim(GRAY, GRAY**2, 5) == pytest.approx(0.9015853894)
    dark = (GRAY * 200).astype(np.uint8), (GRAY * 100).astype(np.uint8)
    assert skimage_functions.compare_ssim(*dark, 5) == pytest.approx(0.6418521632)
    assert skimage_functions.compare_psnr(GRAY, GRAY**2) == pytest.approx(15.2757878380)
    assert skimage_functions.compare_nrmse(GRAY, GRAY**2, "mean") == pytest.approx(0.3548917670)


def test_filters():
    near(skimage_functions.gaussian(COLORS, 1)[0, 0], [0.3356, 0.2668, 0.6644])
    near(skimage_functions.gaussian(COLORS[..., :2], 1)[0, 0], [0.3149, 0.2875])
    near(skimage_functions.sobel(GRAY)[:2, :3], [[0, 0, 0], [0, 0.0559, 0.0559]])
    near(skimage_functions.roberts(GRAY)[:2, :3], [[0, 0, 0], [0, 0.4123, 0.4743]])
    assert not skimage_functions.sobel(GRAY)[-1].any()
    assert skimage_functions.sobel.__name__ == "sobel"
    near(skimage_functions.threshold_adaptive(GRAY, 3)[0], [0, 1, 1, 0, 1, 1, 0, 1])
    near(skimage_functions.rgb2gray(np.dstack([COLORS, GRAY]))[0, :2], [0.0721, 0.2427])
    assert skimage_functions.rgb2gray(GRAY) is GRAY


def test_regions():
    assert skimage_functions.label(MASK, neighbors=4).max() == 4
    assert skimage_functions.label(MASK, background=-1).max() == 7
    assert skimage_functions.label(MASK, None, None, True)[1] == 4
    diagonal = np.eye(3, dtype=int)
    assert skimage_functions.label(diagonal, 4).max() == 3
    assert skimage_functions.label(diagonal, 8).max() == 1
    assert skimage_functions.remove_small_objects(MASK, 5).sum() == 20
    assert skimage_functions.remove_small_objects(MASK, 6).sum() == 20
    assert skimage_functions.remove_small_objects(MASK, 7).sum() == 14
    assert skimage_functions.remove_small_holes(MASK, 3).sum() == 21
    owned = MASK.copy()
    assert skimage_functions.remove_small_objects(owned, 7, in_place=True) is owned
    assert owned.sum() == 14
    assert [one.tolist() for one in skimage_functions.circle(1, 1, 2, (3, 3))] == [
        [0, 0, 0, 1, 1, 1, 2, 2, 2],
        [0, 1, 2] * 3,
    ]
    shapes = (
        skimage_functions.square(2).shape,
        skimage_functions.cube(2).shape,
        skimage_functions.rectangle(2, 3).shape,
    )
    assert shapes == ((2, 2), (2, 2, 2), (2, 3))
    assert skimage_functions.square(2, float).dtype == float


@pytest.mark.filterwarnings("ignore:Setting the shape on a NumPy array:DeprecationWarning")
def test_surfaces_and_shifts():
    volume = np.pad(np.ones((2, 2, 2)), 1)
    assert [one.shape for one in skimage_functions.marching_cubes(volume, 0.5)] == [
        (24, 3),
        (44, 3),
    ]
    shapes = [
        one.shape for one in skimage_functions.marching_cubes_lewiner(volume, 0.5, (2.0, 1, 1))
    ]
    assert shapes == [(24, 3), (44, 3), (24, 3), (24,)]
    moved = skimage_functions.register_translation(GRAY, np.roll(GRAY, 2, 0))
    assert moved[0].tolist() == [-2, 0]
    assert skimage_functions.register_translation(GRAY, GRAY, 1, "real", False).tolist() == [0, 0]


def test_floating_point_images_are_written_as_whole_numbers(tmp_path):
    from skimage import io

    gray = np.linspace(0, 1, 6000).reshape(60, 100)
    skimage_functions.imsave(tmp_path / "a.png", gray)
    assert io.imread(tmp_path / "a.png").dtype == np.uint16
    skimage_functions.imsave(tmp_path / "b.png", np.dstack([gray] * 3))
    assert io.imread(tmp_path / "b.png").dtype == np.uint8


def test_regions_go_by_x_and_y():
    y, x = np.mgrid[:30, :30] - 15
    along, across = x * np.cos(1.2) + y * np.sin(1.2), y * np.cos(1.2) - x * np.sin(1.2)
    image = ((along / 10) ** 2 + (across / 4) ** 2 < 1).astype(int)
    image[3, 4] = 1
    (region,) = skimage_functions.regionprops(image, intensity_image=(x + 15) * (y + 15))
    near(region.orientation, -1.1663)
    near(region.inertia_tensor, [[23.9453, -8.423], [-8.423, 7.8775]])
    near(region["moments_central"][0, 1:3], [0, 3112.8923])
    assert (region.euler_number, region.area, region.bbox) == (1, 130, (3, 4, 25, 21))
    near(region.weighted_moments[0, 1], 357899)
    near(np.log(np.abs(region.moments_hu[6])), -19.9076)
    (plain,) = skimage_functions.regionprops(image, image, coordinates="rc")
    near(plain.orientation, 0.4045)
    (flat,) = skimage_functions.regionprops(np.ones((3, 3), int))
    near(flat.orientation, 0.7854)
    assert set(region) == set(plain)
    with pytest.raises(AttributeError, match="no_such"):
        region.no_such  # noqa: B018
