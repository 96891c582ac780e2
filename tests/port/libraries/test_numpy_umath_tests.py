"""`numpy.core.umath_tests`, compared with numpy 1.16.6."""

import numpy as np

from tfqueue.port.libraries import numpy_umath_tests as tests


def test_inner1d_is_the_inner_product_of_the_last_axis():
    a = np.arange(12.0).reshape(2, 2, 3)
    assert tests.inner1d(a, a).tolist() == [[5.0, 50.0], [149.0, 302.0]]
    assert tests.inner1d(a, [1, 0, 2]).tolist() == [[4.0, 13.0], [22.0, 31.0]]


def test_matrix_multiply_is_of_stacks():
    a = np.arange(8).reshape(2, 2, 2)
    assert tests.matrix_multiply(a, a[0]).tolist() == [[[2, 3], [6, 11]], [[10, 19], [14, 27]]]
