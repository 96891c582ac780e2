"""What functions of old scikit-image ask of today's, on a stand-in for it."""

import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import skimage_functions, skimage_images


def noted(*args, **words):
    return args, words


@pytest.fixture(autouse=True)
def skimage(monkeypatch):
    def module(name, **members):
        made = types.ModuleType(name)
        vars(made).update(members)
        monkeypatch.setitem(sys.modules, name, made)
        return made

    def regular_grid(shape, _):
        return tuple(slice(0, None, 4) for _ in shape)

    util = module("skimage.util", img_as_float=np.asarray, regular_grid=regular_grid)
    parts = {
        name: module(f"skimage.{name}", **{each: noted})
        for name, each in (
            ("color", "rgb2lab"),
            ("metrics", "structural_similarity"),
            ("segmentation", "slic"),
        )
    }
    module("skimage", util=util, **parts)


@pytest.mark.parametrize(
    ("kind", "extent"),
    [("uint8", 255), ("int16", 65535), ("uint16", 65535), ("float32", 2), ("float64", 2)],
)
def test_images_are_compared_in_the_whole_range_of_their_type(kind, extent):
    image = np.zeros((9, 9), kind)
    assert skimage_functions.compare_ssim(image, image)[1]["data_range"] == extent
    assert skimage_functions.compare_ssim(image, image, data_range=7)[1]["data_range"] == 7


@pytest.mark.parametrize("colors", [1, 2])
def test_segments_have_shares_of_the_size_that_was_asked_for(colors):
    pytest.importorskip("scipy")
    image = np.arange(64.0 * colors).reshape(8, 8, colors)
    (given, count, _), words = skimage_images.slic(image, 8)
    assert (given.shape, count, words["channel_axis"]) == (image.shape, 8, -1)
    begun = 64 / 4  # pixels of each of the segments that the stand-in's grid begins with
    for name, share in (("min_size_factor", 0.5), ("max_size_factor", 3)):
        assert int(words[name] * begun) == 64 / 8 * share
