"""How two pipelines are compared, by what their plan says."""

import numpy as np

from tfqueue.dataset import element_comparison as compare
from tfqueue.dataset import plan

ROWS = plan.Rows([np.arange(8)], 1, False)
MIXED = plan.Shuffle(ROWS, 8, None)


def numbers(*each):
    return [[np.array([number])] for number in each]


def test_in_order_floats_are_the_same_if_they_are_close():
    """Also where rounding them would part them."""
    one, other = [[np.array([1.0000499])]], [[np.array([1.0000501])]]
    assert compare.compare(one, other, ROWS, 10)


def test_what_a_queue_shuffles_is_compared_in_any_order():
    assert compare.compare(numbers(1, 2, 3), numbers(3, 1, 2), MIXED, 10)
    assert not compare.compare(numbers(1, 2, 3), numbers(3, 1, 2), ROWS, 10)
    assert not compare.compare(numbers(1, 2, 3), numbers(3, 1, 1), MIXED, 10)


def test_each_bucket_drops_what_does_not_fill_its_batch():
    node = plan.Bucket(MIXED, [2, 3], False, None)  # up to 1 and 2 elements
    one, other = numbers(1, 2, 3, 4, 5), numbers(1, 2, 6, 7, 8)
    assert compare.compare(one, other, node, 10)
    assert not compare.compare(one, numbers(1, 9, 6, 7, 8), node, 10)
