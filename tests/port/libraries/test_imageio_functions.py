"""imageio of its day. Expected values are of imageio 2.5.0 under Python 3.7."""

import os
import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import imageio_functions


@pytest.fixture
def written(monkeypatch):
    """A stand-in for imageio, which keeps what it is told to write."""
    calls = []

    def image_as_uint(image, bitdepth):
        calls.append(bitdepth)
        return image

    library, core, util = (types.ModuleType(name) for name in ("imageio", "core", "util"))
    util.image_as_uint = image_as_uint
    library.v2 = types.SimpleNamespace(
        imwrite=lambda *args, **words: calls.append((args[0], args[2], words)),
        mimwrite=lambda *args, **words: calls.append((args[0], len(args[1]), args[2], words)),
        get_writer=lambda *args, **words: (args, words),
    )
    for name, module in {"": library, ".core": core, ".core.util": util}.items():
        monkeypatch.setitem(sys.modules, f"imageio{name}", module)
    return calls


def test_images_are_scaled_to_bytes(written):
    wide = np.zeros((2, 2), np.uint16)
    for name, image in {
        "a.png": np.zeros((2, 2)),
        "b.png": wide,
        "c.png": np.zeros((2, 2, 3), np.uint16),
        "d.jpg": wide,
        "e.tif": np.zeros((2, 2)),
    }.items():
        imageio_functions.imwrite(name, image, quality=3)
    words = {"quality": 3}
    assert written == [
        *(8, ("a.png", None, words)),
        *(16, ("b.png", None, words)),
        *(8, ("c.png", None, words)),
        *(8, ("d.jpg", None, words)),
        ("e.tif", None, words),
    ]


def test_durations_are_in_seconds(written):
    imageio_functions.mimwrite("a.gif", [[[0]], [[1]]], duration=0.5)
    imageio_functions.mimwrite("a.GIF", [[[0]]], "GIF", duration=[0.25], loop=1)
    imageio_functions.mimwrite("a.mp4", [[[0]]], fps=5, duration=2)
    assert [call for call in written if call != 8] == [
        ("a.gif", 2, None, {"duration": 500.0}),
        ("a.GIF", 1, "GIF", {"duration": [250.0], "loop": 1}),
        ("a.mp4", 1, None, {"fps": 5, "duration": 2}),
    ]
    args, words = imageio_functions.get_writer(os.fspath("b.gif"), mode="I", duration=0.1)
    assert (args, words) == (("b.gif", None, "I"), {"duration": 100.0})


def test_another_kind_of_file_gets_the_array_as_it_is(written):
    image = np.zeros((2, 2))
    assert imageio_functions._scaled(image, "a.npy", None) is image
    assert imageio_functions._scaled(image, "a.png", "TIFF") is image
    assert written == []
