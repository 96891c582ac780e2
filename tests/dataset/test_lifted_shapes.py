"""The static shapes of a lift are those of the batches in the queues' graph."""

import pytest

import tfqueue
import tfqueue.v1 as tf


def inputs(smaller):
    number = tf.train.range_input_producer(10, num_epochs=1, shuffle=False).dequeue()
    square = tf.reshape(tf.tile([number], [4]), [2, 2])
    return tf.train.batch([number, square], 4, allow_smaller_final_batch=smaller)


@pytest.mark.parametrize("smaller", [False, True])
def test_a_batch_is_as_long_as_in_the_graph(smaller):
    expected = [tensor.shape.as_list() for tensor in inputs(smaller)]
    assert expected == (
        [[None], [None, 2, 2]] if smaller else [[4], [4, 2, 2]]
    )  # as in TensorFlow 1.15.5
    with tfqueue.eager():
        dataset = tfqueue.dataset(inputs, smaller)
        sizes = [len(number) for number, _ in dataset.as_numpy_iterator()]
    assert [spec.shape.as_list() for spec in dataset.element_spec] == expected
    assert sizes == ([4, 4, 2] if smaller else [4, 4])
