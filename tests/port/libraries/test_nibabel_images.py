"""What `tfqueue.port.libraries.nibabel_images` gives back to nibabel, on stand-ins for its classes.

nibabel 2.5.2 gave the same for the same calls, and nibabel 5.4.2 has it back.
"""

import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import nibabel_images


@pytest.fixture
def image(monkeypatch):
    class DataobjImage:
        def __init__(self, values):
            self.dataobj, self._data_cache, self.shape = values, None, values.shape

    class SpatialImage(DataobjImage):
        affine, header = "affine", "header"

    home = types.ModuleType("nibabel")
    home.__version__ = "5.4.2"
    home.dataobj_images = types.SimpleNamespace(DataobjImage=DataobjImage)
    home.spatialimages = types.SimpleNamespace(SpatialImage=SpatialImage)
    monkeypatch.setitem(sys.modules, "nibabel", home)
    nibabel_images.install()
    return SpatialImage


class OnDisk:
    """What nibabel reads from a file each time that it is asked."""

    shape = (2, 2)

    def __array__(self, dtype=None, copy=None):
        return np.arange(4, dtype=np.int16).reshape(2, 2)


def test_data_has_the_dtype_of_the_file_and_stays(image):
    made = image(OnDisk())
    apart = made.get_data("unchanged")
    assert apart.dtype == np.int16
    data = made.get_data()
    assert data is not apart
    data[0, 0] = 9
    assert made.get_data()[0, 0] == made.get_data(caching="unchanged")[0, 0] == 9
    with pytest.raises(ValueError, match='should be "fill" or "unchanged"'):
        made.get_data("x")


def test_attributes_were_methods(image):
    made = image(OnDisk())
    assert (made.get_affine(), made.get_header(), made.get_shape()) == ("affine", "header", (2, 2))


def test_an_older_nibabel_is_left_alone(image):
    sys.modules["nibabel"].__version__ = "2.5.2"
    image.get_affine, kept = "its own", image.get_data
    nibabel_images.install()
    assert (image.get_affine, image.get_data) == ("its own", kept)
