"""Iterators of eager mode whose waits can be cancelled."""

import logging

import pytest
import tensorflow

import tfqueue
from tfqueue._tensorflow.iterators import CancellableIterator


def test_many_of_them_are_no_function_that_is_traced_too_often(caplog):
    """From the fifth on TensorFlow warned of it."""
    with tfqueue.eager(), caplog.at_level(logging.WARNING, "tensorflow"):
        for count in range(8):
            dataset = tensorflow.data.Dataset.range(count).map(lambda x: {"twice": 2 * x})
            iterator, found = CancellableIterator(iter(dataset)), []
            with pytest.raises(tensorflow.errors.OutOfRangeError):
                while True:
                    found.append(int(iterator.take()["twice"]))
            assert found == [2 * n for n in range(count)]
    assert caplog.messages == []
