"""nibabel's images with `get_shape`, `get_header`, `get_affine` and `get_data`, which 3.0, 4.0 and 5.0 took away."""

from __future__ import annotations

from typing import Any

import numpy as np


def install() -> None:
    """Gives nibabel 3 and later the methods back; an older one has them."""
    import nibabel
    from nibabel import dataobj_images, spatialimages

    if int(nibabel.__version__.partition(".")[0]) >= 3:
        spatialimages.SpatialImage.get_affine = _read("affine")
        spatialimages.SpatialImage.get_header = _read("header")
        dataobj_images.DataobjImage.get_shape = _read("shape")
        dataobj_images.DataobjImage.get_data = _data


def _read(name: str) -> Any:
    def method(self: Any) -> Any:
        return getattr(self, name)

    method.__doc__ = f"The attribute `{name}`, which was a method."
    return method


def _data(self: Any, caching: str = "fill") -> Any:
    """The voxels in the dtype that the file has, or `float64` where they are scaled.

    Args:
        caching: `"fill"` has the image keep them, so that what is changed in them stays; `"unchanged"` does not.
    """
    if caching not in ("fill", "unchanged"):
        raise ValueError('caching value should be "fill" or "unchanged"')
    if self._data_cache is not None:
        return self._data_cache
    data = np.asanyarray(self.dataobj)
    if caching == "fill":
        self._data_cache = data
    return data
