"""An error whose message is no UTF-8: TensorFlow raises `UnicodeDecodeError` in its place."""

import pytest

import tfqueue
import tfqueue.v1 as tf

BAD = b"\xff\xfeabc"
SHOWN = r"\xff\xfeabc"


def _check(error, op_name):
    assert SHOWN in error.message
    assert error.op.name == op_name
    assert isinstance(error, tf.errors.UnknownError)


def test_a_step_of_the_program_raises_an_error_of_tensorflows():
    text = tf.placeholder(tf.string, [])
    number = tf.string_to_number(text, name="number")
    with tf.Session() as sess:
        for _ in range(2):  # the long way, and the step that is known by then
            with pytest.raises(tf.errors.OpError) as caught:
                sess.run(number, {text: BAD})
            _check(caught.value, "number")
            assert sess.run(number, {text: "7"}) == 7


@pytest.mark.parametrize("with_options", [False, True])
def test_a_callable_raises_an_error_of_tensorflows(with_options):
    number = tf.string_to_number(tf.constant(BAD), name="number")
    with tf.Session() as sess:
        call = sess.make_callable(number, accept_options=with_options)
        with pytest.raises(tf.errors.UnknownError) as caught:
            call()
    assert SHOWN in caught.value.message


@pytest.mark.parametrize("chunks", ["0", "auto", "4"])
@pytest.mark.parametrize("managed", [False, True])
def test_a_runner_that_meets_one_fails_with_its_file_and_record(
    records, monkeypatch, chunks, managed
):
    monkeypatch.setenv("TFQUEUE_CHUNKS", chunks)
    path = records([b"1", b"2", BAD, b"4"])
    names = tf.train.string_input_producer([path], num_epochs=1)
    value = tf.TFRecordReader().read(names)[1]
    batch = tf.train.batch([tf.string_to_number(value, name="number")], 1)
    seen = []

    def read(sess):
        while True:
            seen.extend(sess.run(batch).tolist())

    with pytest.raises(tf.errors.OpError) as caught:
        if managed:
            with tfqueue.managed_session() as sess:
                read(sess)
        else:
            with tf.Session() as sess:
                sess.run(tf.local_variables_initializer())
                tf.train.start_queue_runners(sess, tf.train.Coordinator())
                read(sess)
    _check(caught.value, "number")
    story = "".join(caught.value.__notes__)
    assert path in story
    assert "batch" in story
    assert seen == [1, 2]
