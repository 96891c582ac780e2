"""Polygons and convex hulls of before scikit-image 0.15. Expected values are scikit-image 0.14.5's."""

import numpy as np
import pytest

from tfqueue.port.libraries import skimage_functions, skimage_shapes

pytest.importorskip("skimage")

OBJECTS = np.zeros((6, 7), int)
OBJECTS[1, 1:4] = OBJECTS[2:5, 2] = OBJECTS[4, 5] = OBJECTS[0, 6] = 1


def pixels(*rows):
    return [[int(one) for one in row] for row in rows]


def test_pixels_on_the_border_of_a_polygon():
    square = skimage_shapes.polygon([1, 4, 4, 1], [1, 1, 4, 4])
    assert [one.tolist() for one in square] == [[1, 1, 1, 2, 2, 2, 3, 3, 3], [1, 2, 3] * 3]
    triangle = skimage_shapes.polygon(np.array([-1, 2.5, 5]), [2, 5, -2], shape=(4, 3))
    assert [one.tolist() for one in triangle] == [
        [0, 1, 1, 2, 2, 2, 3, 3, 3],
        [2, 1, 2, 0, 1, 2, 0, 1, 2],
    ]
    grid = skimage_shapes.grid_points_in_poly((5, 4), [[0, 0], [0, 3], [4, 3]])
    assert grid.astype(int).tolist() == pixels("0110", "0110", "0010", "0000", "0000")
    points = [[0, 0], [0, 1], [1, 1], [2, 2], [2, 3]]
    corners = [[0, 0], [0, 3], [3, 3], [3, 0]]
    assert skimage_shapes.points_in_poly(points, corners).tolist() == [True] * 4 + [False]


def test_convex_hulls():
    hull = skimage_shapes.convex_hull_image(OBJECTS)
    assert hull.astype(int).tolist() == pixels(
        "0000111", "0111111", "0111110", "0011110", "0011110", "0000000"
    )
    narrow = skimage_shapes.convex_hull_image(OBJECTS, offset_coordinates=False)
    assert narrow.astype(int).tolist() == pixels(
        "0000000", "0011110", "0011110", "0011110", "0000000", "0000000"
    )
    expected = pixels("0000001", "0111000", "0111000", "0010000", "0010010", "0000000")
    assert skimage_shapes.convex_hull_object(OBJECTS).astype(int).tolist() == expected
    diagonal = np.eye(3, dtype=bool)
    assert skimage_shapes.convex_hull_object(diagonal, neighbors=4).sum() == 3
    assert skimage_shapes.convex_hull_object(diagonal).sum() == 3
    assert skimage_shapes.convex_hull_image(np.ones((3, 3, 3), bool)).all()
    with pytest.raises(ValueError, match="two axes"):
        skimage_shapes.convex_hull_object(np.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="4 or 8"):
        skimage_shapes.convex_hull_object(diagonal, 6)


@pytest.mark.parametrize("coordinates", [None, "rc"])
def test_regions_have_these_hulls(coordinates):
    labels = skimage_functions.label(OBJECTS)
    found = skimage_functions.regionprops(labels, coordinates=coordinates)
    assert [(one.convex_area, one.solidity) for one in found] == [(1, 1), (8, 0.75), (1, 1)]
    hull = pixels("111", "111", "010", "010")
    assert found[1].convex_image.astype(int).tolist() == hull
    assert found[1]["ConvexImage"].astype(int).tolist() == hull
    (apart,) = skimage_functions.regionprops(
        np.array(pixels("0110", "1000", "0010")), coordinates=coordinates
    )
    assert (apart.convex_area, round(apart.solidity, 4)) == (6, 0.6667)
    ring = np.array(pixels("111", "101", "111"))
    (one,) = skimage_functions.regionprops(ring, coordinates=coordinates)
    assert (one.euler_number, one.convex_area) == (0, 9)
