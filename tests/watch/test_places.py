"""What a watch knows of a queue's place in its pipeline, and of an error."""

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue._tensorflow.lines import add_note
from tfqueue.session import registry
from tfqueue.watch import watcher
from tfqueue.watch.counts import Place
from tfqueue.watch.watcher import Watch


def test_where_each_queue_stands(tmp_path):
    path = tmp_path / "lines"
    path.write_text("a\nb\nc\nd\n")
    watch = Watch(interval=3600)
    registry.add_observer(watch)
    try:
        with tf.Graph().as_default():
            names = tf.train.string_input_producer([str(path)], shuffle=False, name="names")
            _, line = tf.TextLineReader().read(names)
            number = tf.train.range_input_producer(4, shuffle=False, name="numbers").dequeue()
            batch = tf.train.batch([number, line], 2, num_threads=2, name="batch", capacity=9)
            with tfqueue.managed_session() as sess:
                sess.run(batch)
                (watched,) = watch.sessions
                places = {**watched.log.places}
    finally:
        registry.remove_observer(watch)
    assert places == {
        "names": Place("names", "FIFOQueue", 32, 0, 1, (), None, False),
        "numbers": Place("numbers", "FIFOQueue", 32, 0, 1, (), None, False),
        "batch/fifo_queue": Place(
            "batch/fifo_queue", "FIFOQueue", 9, 0, 2, ("names", "numbers"), "TextLineReader", True
        ),
    }


def test_an_error_is_kept_without_what_it_holds():
    error = tf.errors.NotFoundError(None, None, "none")
    add_note(error, "a note")
    bare = watcher._bare(error)
    assert (type(bare), bare.message.partition("\n")[0]) == (tf.errors.NotFoundError, "none")
    assert bare is not error
    assert not hasattr(bare, "__notes__")


@pytest.mark.parametrize(
    "error", [ValueError("none"), errors.StarvationError(None, None, "none"), KeyboardInterrupt()]
)
def test_an_error_of_another_kind_is_not_kept(error):
    assert watcher._bare(error) is None
