"""Peaks and corners of before scikit-image 0.15. Expected values are scikit-image 0.14.5's."""

import numpy as np

from tfqueue.port.libraries.skimage_peaks import corner_peaks, peak_local_max

IMAGE = np.array(
    [
        *([3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8], [9, 7, 9, 3, 2, 3]),
        *([8, 4, 6, 2, 6, 4], [3, 3, 8, 3, 2, 7], [9, 5, 0, 2, 8, 8]),
    ]
)
RISING = IMAGE + np.arange(36).reshape(6, 6) / 100
LABELS = np.repeat([[1, 1, 1, 5, 5, 0]], 6, 0)


def test_peaks_come_from_the_last_place_on():
    assert peak_local_max(IMAGE).tolist() == [[4, 2], [2, 2]]
    assert np.argwhere(peak_local_max(IMAGE, indices=False)).tolist() == [[2, 2], [4, 2]]
    found = peak_local_max(IMAGE, exclude_border=False).tolist()
    assert found == [[5, 5], [5, 4], [5, 0], [4, 2], [2, 2], [2, 0], [0, 5]]
    found = peak_local_max(IMAGE, threshold_rel=0.95, exclude_border=False).tolist()
    assert found == [[5, 0], [2, 2], [2, 0], [0, 5]]
    assert len(peak_local_max(IMAGE, 1, 8, exclude_border=False)) == 4
    found = peak_local_max(RISING, num_peaks=2, exclude_border=False).tolist()
    assert found == [[5, 0], [2, 2]]
    found = peak_local_max(IMAGE, footprint=np.ones((1, 3)), exclude_border=1).tolist()
    assert found == [[4, 2], [3, 2], [2, 2], [1, 1], [0, 2]]
    assert peak_local_max(np.ones((3, 3))).shape == (0, 2)


def test_peaks_of_labels():
    found = peak_local_max(IMAGE, labels=LABELS, exclude_border=False).tolist()
    assert found == [[5, 4], [5, 0], [4, 2], [3, 4], [2, 2], [2, 0], [1, 4], [0, 4]]
    words = {"exclude_border": False, "num_peaks_per_label": 1}
    mask = peak_local_max(RISING, labels=LABELS, indices=False, **words)
    assert np.argwhere(mask).tolist() == [[5, 0], [5, 4]]


def test_corners_are_the_first_of_near_peaks():
    found = corner_peaks(IMAGE, exclude_border=False).tolist()
    assert found == [[0, 5], [2, 0], [2, 2], [4, 2], [5, 0], [5, 4]]
    found = corner_peaks(IMAGE, 3, exclude_border=False).tolist()
    assert found == [[0, 5], [2, 0], [2, 2], [5, 0]]
    assert np.argwhere(corner_peaks(IMAGE, indices=False)).tolist() == [[2, 2], [4, 2]]
    assert len(corner_peaks(IMAGE, 0, exclude_border=False)) == 35
