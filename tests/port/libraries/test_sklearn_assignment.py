"""The assignment of least cost that scikit-learn had until 0.22."""

import numpy as np

from tfqueue.port.libraries import sklearn_assignment


def test_an_assignment():
    costs = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    assert sklearn_assignment.linear_assignment(costs).tolist() == [[0, 1], [1, 0], [2, 2]]
    assert sklearn_assignment.linear_assignment(costs[:2]).tolist() == [[0, 1], [1, 0]]
