"""The image functions of scipy.misc give what scipy gave; `record_scipy_misc.py` recorded it."""

import json
import pathlib
import sys

import pytest

from tests.port.libraries import record_scipy_misc
from tfqueue.port.libraries import scipy_misc

GOLDEN = json.loads(pathlib.Path(__file__).with_name("scipy_misc.json").read_text("utf-8"))


def test_as_scipy():
    for found, recorded in zip(record_scipy_misc.results(vars(scipy_misc)), GOLDEN, strict=True):
        assert found == recorded


def test_files(tmp_path):
    """A format without loss gives back what was written."""
    path = tmp_path / "x.png"
    scipy_misc.imsave(str(path), record_scipy_misc.COLOUR)
    assert scipy_misc.imread(str(path)).tolist() == record_scipy_misc.COLOUR.tolist()
    with open(path, "rb") as file:
        flat = scipy_misc.imread(file, flatten=True)
    assert (flat.dtype.name, flat.shape) == ("float32", (4, 5))
    assert scipy_misc.imread(str(path), mode="L").shape == (4, 5)
    scipy_misc.imsave(str(path), record_scipy_misc.GRAY, "BMP")
    assert path.read_bytes()[:2] == b"BM"


def test_what_is_no_image():
    with pytest.raises(ValueError, match=r"3 or 4 channels; this array has shape \(2, 2, 2\)"):
        scipy_misc.toimage([[[0, 1], [2, 3]], [[4, 5], [6, 7]]])
    with pytest.raises(ValueError, match="2 or 3 dimensions"):
        scipy_misc.toimage([0, 1])
    with pytest.raises(ValueError, match="an array with one channel has no mode 'RGB'"):
        scipy_misc.toimage([[0, 1]], mode="RGB")
    with pytest.raises(ValueError, match="an array with 3 channels has no mode 'L'"):
        scipy_misc.toimage([[[0, 1, 2]]], mode="L")
    with pytest.raises(ValueError, match="low and high are 0 and 256, not 0 <= low <= high <= 255"):
        scipy_misc.bytescale([[0.0]], high=256)


def test_a_picture_is_shown(monkeypatch):
    shown = []
    monkeypatch.setattr("PIL.Image.Image.show", lambda picture: shown.append(picture))
    scipy_misc.imshow([[0, 255]])
    assert [scipy_misc.fromimage(one).tolist() for one in shown] == [[[0, 255]]]


def test_without_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"need Pillow: pip install 'tfqueue\[images\]'"):
        scipy_misc.toimage([[0, 255]])


def test_other_names_of_scipy_misc():
    special = pytest.importorskip("scipy.special")
    assert scipy_misc.comb is special.comb
    with pytest.raises(AttributeError, match=r"no attribute 'lena': scipy\.misc is gone"):
        _ = scipy_misc.lena
