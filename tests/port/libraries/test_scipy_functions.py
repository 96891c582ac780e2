"""Functions as scipy 1.2 had them. Expected values are scipy 1.2.3's."""

import importlib

import numpy as np
import pytest

from tfqueue.port.libraries import scipy_functions

pytest.importorskip("scipy")

ROWS = np.array([[1, 2, 0, 3], [1, 0, 0, 2], [0, 0, 0, 0], [2, 2, 1, 3]])
THIRDS = 2 / 3


@pytest.mark.parametrize("kind", [int, float, np.float32])
def test_numbers_that_differ_are_other_elements(kind):
    rows = ROWS.astype(kind)
    assert scipy_functions.jaccard(rows[0], rows[1]) == pytest.approx(THIRDS)
    assert scipy_functions.jaccard(rows[0], rows[1], [1, 2, 1, 1]) == pytest.approx(0.75)
    assert scipy_functions.jaccard(rows[2], rows[2]) == 0.0
    for metric in ("jaccard", "Jaccard", "j", scipy_functions.jaccard):
        pairs = scipy_functions.pdist(rows, metric)
        np.testing.assert_allclose(pairs, [THIRDS, 1, 0.5, 1, 1, 1])
        both = scipy_functions.cdist(rows[:2], rows[2:], metric)
        np.testing.assert_allclose(both, [[1, 0.5], [1, 1]])
    weighted = scipy_functions.pdist(rows, "jaccard", w=[1, 2, 1, 1])
    np.testing.assert_allclose(weighted, [0.75, 1, 0.4, 1, 1, 1])
    weighted = scipy_functions.cdist(rows[:1], rows[1:2], "jaccard", w=[1, 2, 1, 1])
    np.testing.assert_allclose(weighted, [[0.75]])


def test_bools_as_before():
    pairs = scipy_functions.pdist(ROWS > 1, "jaccard")
    np.testing.assert_allclose(pairs, [0.5, 1, 1 / 3, 1, THIRDS, 1])


def test_other_distances_are_scipys():
    assert scipy_functions.pdist(ROWS[:2]).tolist() == pytest.approx([5**0.5])
    assert scipy_functions.pdist(ROWS[:2], "cityblock").tolist() == [3]
    assert scipy_functions.cdist(ROWS[:1], ROWS[1:2]).tolist() == [[pytest.approx(5**0.5)]]
    assert scipy_functions.cdist(ROWS[:1], ROWS[1:2], "minkowski", p=1).tolist() == [[3]]
    for wrong in (ROWS[0], ROWS[None]):
        with pytest.raises(ValueError, match="must be"):
            scipy_functions.pdist(wrong, "jaccard")
        with pytest.raises(ValueError, match="must be"):
            scipy_functions.cdist(ROWS, wrong, "jaccard")
    with pytest.raises(ValueError, match="same number of columns"):
        scipy_functions.cdist(ROWS, ROWS[:, :2], "jaccard")


def test_few_rows():
    assert scipy_functions.pdist(ROWS[:1], "jaccard").shape == (0,)
    assert scipy_functions.cdist(ROWS[:0], ROWS, "jaccard").shape == (0, 4)


def test_arrays_are_one_vector():
    square = [[1, 2], [3, 4]]
    assert scipy_functions.toeplitz(square).tolist() == [
        [1, 2, 3, 4],
        [2, 1, 2, 3],
        [3, 2, 1, 2],
        [4, 3, 2, 1],
    ]
    assert scipy_functions.toeplitz(square, [5, 6]).tolist() == [[1, 6], [2, 1], [3, 2], [4, 3]]
    assert scipy_functions.toeplitz([1, 2j]).tolist() == [[1, -2j], [2j, 1]]
    assert scipy_functions.circulant(square)[0].tolist() == [1, 4, 3, 2]


@pytest.mark.parametrize("kind", [int, np.uint8, np.float32, bool])
def test_a_median_filter_gives_float64(kind):
    found = scipy_functions.medfilt(np.array([1, 5, 0, 9, 3], kind), 3)
    assert found.dtype == np.float64
    expected = {bool: [1, 1, 1, 1, 1]}.get(kind, [1, 1, 5, 3, 3])
    assert found.tolist() == expected


def test_what_moved_in_scipy_is_there():
    """The triangles of a square are what scipy 1.2.3 gave as `vertices`, too."""
    coords = importlib.import_module("scipy.interpolate._interpnd")._ndim_coords_from_arrays
    importlib.import_module("tfqueue.port.libraries.scipy_methods")
    spatial = importlib.import_module("scipy.spatial")
    found = spatial.Delaunay(np.array([[0.0, 0], [1, 0], [0, 1], [1, 1.5]]))
    assert found.vertices.shape == (2, 3)
    assert (found.vertices == found.simplices).all()
    assert coords(([1.0, 2], [3.0, 4])).tolist() == [[1, 3], [2, 4]]


@pytest.mark.parametrize(
    ("mode", "order", "expected"),
    [
        ("reflect", 0, [-0.9825, 0.657, -0.9756, -0.3821, -0.3665, 0.8632]),
        ("reflect", 1, [-0.4248, 0.5708, -0.6579, -0.0585, -0.5204, 0.5549]),
        ("reflect", 3, [-0.4506, 0.7141, -0.8677, -0.0278, -0.5437, 0.7875]),
        ("nearest", 3, [0.7707, -0.3508, -0.8876, 0.9928, 0.8546, -0.2903]),
    ],
)
def test_places_beyond_the_edge(mode, order, expected):
    """As scipy 1.2.3 printed them."""
    values = np.sin(np.arange(30.0) * 0.7).reshape(5, 6)
    places = [[-0.3, -1.7, 4.2, 4.8, 2, 9.3], [1.2, 5.6, -0.2, 5.1, -3.3, 2.5]]
    found = scipy_functions.map_coordinates(values, places, order=order, mode=mode)
    assert found == pytest.approx(expected, abs=1e-4)
    square = scipy_functions.map_coordinates(
        values, np.reshape(places, (2, 2, 3)), order=order, mode=mode
    )
    assert np.array_equal(square.ravel(), found)
