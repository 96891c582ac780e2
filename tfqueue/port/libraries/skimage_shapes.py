"""scikit-image as it was up to 0.14: which pixels are in a polygon, and in a convex hull.

Later releases count the pixels on a border otherwise. Translated programs call these.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def _inside(x: Any, y: Any, polygon: Any) -> Any:
    """Whether places are in a polygon: a line from each to the right crosses its sides an odd number of times.

    Args:
        x: Of shape [1 or rows, columns].
        y: Of shape [rows].
        polygon: Its corners, x and y: of shape [n, 2].

    Returns:
        bool of shape [rows, columns].
    """
    x = np.broadcast_to(x, (len(y), x.shape[1]))
    found = np.zeros(x.shape, bool)
    corners = np.asarray(polygon, float)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, 1, 0), strict=True):
        (rows,) = np.nonzero((y >= min(y0, y1)) & (y < max(y0, y1)))
        if len(rows):
            found[rows] ^= x[rows] < ((x1 - x0) * (y[rows] - y0) / (y1 - y0) + x0)[:, None]
    return found


def polygon(r: Any, c: Any, shape: Any = None) -> tuple[Any, Any]:
    """Stands for ``skimage.draw.polygon``: the rows and the columns of the pixels inside."""
    corners = np.column_stack([np.asarray(c, float).ravel(), np.asarray(r, float).ravel()])
    first = np.maximum(corners.min(0), 0).astype(int)
    last = np.ceil(corners.max(0)).astype(int)
    if shape is not None:
        last = np.minimum(last, [shape[1] - 1, shape[0] - 1])
    columns, rows = (np.arange(a, b + 1) for a, b in zip(first, last, strict=True))
    found = np.nonzero(_inside(columns[None], rows, corners))
    return found[0] + first[1], found[1] + first[0]


def grid_points_in_poly(shape: Any, verts: Any) -> Any:
    """Stands for ``skimage.measure.grid_points_in_poly``: bool of the shape given."""
    return _inside(np.arange(shape[0])[None], np.arange(shape[1]), verts).T


def points_in_poly(points: Any, verts: Any) -> Any:
    """Stands for ``skimage.measure.points_in_poly``: a bool for each point."""
    points = np.asarray(points, float)
    return _inside(points[:, :1], points[:, 1], verts)[:, 0]


def convex_hull_image(image: Any, offset_coordinates: bool = True, tolerance: float = 1e-10) -> Any:
    """Stands for ``skimage.morphology.convex_hull_image``: the hull of the middles of the pixels' sides."""
    import skimage.morphology as morphology
    from scipy import spatial

    image = np.asarray(image)
    if image.ndim != 2 or not image.any():
        return morphology.convex_hull_image(image, offset_coordinates, tolerance)
    # A row's pixels between its first and its last one are no corners of the hull.
    rows = np.flatnonzero(image.any(1))
    within = image[rows] != 0
    firsts, lasts = within.argmax(1), image.shape[1] - 1 - within[:, ::-1].argmax(1)
    places = np.vstack([np.column_stack([rows, ends]) for ends in (firsts, lasts)]).astype(float)
    if offset_coordinates:
        sides = np.array([[-0.5, 0], [0.5, 0], [0, -0.5], [0, 0.5]])
        places = (places[:, None] + sides).reshape(-1, 2)
    hull = spatial.ConvexHull(np.unique(places, axis=0))
    return grid_points_in_poly(image.shape, hull.points[hull.vertices])


def convex_hull_object(image: Any, neighbors: int = 8) -> Any:
    """Stands for ``skimage.morphology.convex_hull_object``: the hulls of all objects."""
    from skimage import measure

    if np.ndim(image) > 2:
        raise ValueError("convex_hull_object: the image has to have two axes")
    if neighbors not in (4, 8):
        raise ValueError("convex_hull_object: neighbors is 4 or 8")
    labels = measure.label(image, background=0, connectivity=neighbors // 4)
    found = np.zeros(labels.shape, bool)
    for label in range(1, labels.max() + 1):
        found |= convex_hull_image(labels == label)
    return found
