"""A lift that Ctrl-C ends leaves nothing behind, and can be done again."""

import signal

import pytest

import tfqueue
import tfqueue.v1 as tf


@pytest.mark.parametrize("place", ["before", "between", "behind"])
def test_a_lift_that_is_interrupted_is_done_again(place, records):
    path = records([b"a", b"b", b"c"])
    interrupts = [place]

    def at(here):
        if here in interrupts:
            interrupts.remove(here)
            signal.raise_signal(signal.SIGINT)

    def inputs():
        at("before")
        names = tf.train.string_input_producer([path], num_epochs=1, shuffle=False)
        at("between")
        _, value = tf.TFRecordReader().read(names)
        batch = tf.train.batch([value], 2, allow_smaller_final_batch=True)
        at("behind")
        return batch

    with tfqueue.eager():
        with pytest.raises(KeyboardInterrupt):
            tfqueue.dataset(inputs)
        found = [batch.numpy().tolist() for batch in tfqueue.dataset(inputs)]
    assert found == [[b"a", b"b"], [b"c"]]
