"""imageio of its day. Expected values are of imageio 2.5.0 under Python 3.7, and 2.9.0 under Python 3.6."""

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
        get_writer=lambda *args, **words: types.SimpleNamespace(
            args=args, words=words, append_data=lambda *args, **words: calls.append((args, words))
        ),
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
    writer = imageio_functions.get_writer(os.fspath("b.gif"), mode="I", duration=0.1)
    assert (writer.args, writer.words) == (("b.gif", None, "I"), {"duration": 100.0})


def test_what_a_writer_appends_is_scaled(written):
    """imageio 2.9.0 wrote 145, 112 for 0.55, 0.43 into a GIF; that of today writes 0, 0."""
    imageio_functions.get_writer("a.gif").append_data(np.zeros((2, 2)), {"x": 1})
    imageio_functions.get_writer("a.mp4").append_data(np.zeros((2, 2)), meta=None)
    (depth, ((image, meta), none), ((same,), words)) = written
    assert (depth, image.shape, meta, none) == (8, (2, 2), {"x": 1}, {})
    assert (same.dtype, words) == (np.float64, {"meta": None})


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.gif", "a.bmp"])
def test_one_channel_is_gray(tmp_path, name):
    """imageio 2.9.0 wrote an array of (2, 3, 1) as one of (2, 3); that of today refuses it."""
    imageio = pytest.importorskip("imageio.v2")
    path = str(tmp_path / name)
    image = np.array([[[0], [255], [255]], [[255], [0], [0]]], np.uint8)
    for write in (
        lambda: imageio_functions.imwrite(path, image),
        lambda: imageio_functions.imwrite(path, image / 255.0),
    ):
        write()
        read = imageio.imread(path)
        gray = read if read.ndim == 2 else read[:, :, 0]
        assert (gray > 127).astype(int).tolist() == [[0, 1, 1], [1, 0, 0]]
    if name == "a.gif":
        imageio_functions.mimwrite(path, [image, 255 - image])
        assert len(imageio.mimread(path)) == 2
    if name == "a.png":
        imageio_functions.imwrite(path, image.astype(np.uint16) * 257)
        assert imageio.imread(path).tolist() == [[0, 65535, 65535], [65535, 0, 0]]


def test_more_channels_and_other_kinds_are_left(written):
    for name, shape in {"a.png": (2, 3, 3), "a.gif": (2, 1), "a.tif": (2, 3, 1)}.items():
        assert imageio_functions._scaled(np.zeros(shape, np.uint8), name, None).shape == shape


def test_another_kind_of_file_gets_the_array_as_it_is(written):
    image = np.zeros((2, 2))
    assert imageio_functions._scaled(image, "a.npy", None) is image
    assert imageio_functions._scaled(image, "a.png", "TIFF") is image
    assert written == []
