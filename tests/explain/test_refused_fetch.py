"""What is said of fetches that `Session.run` refuses."""

import pytest

import tfqueue.v1 as tf
from tfqueue.explain import uncaught_errors


def other_graph():
    with tf.Graph().as_default():
        return tf.constant(1, name="far")


def nothing():
    pass


ROWS = {
    "none": (TypeError, nothing, "fetches is None"),
    "none in a list": (TypeError, lambda: [tf.constant(1), nothing()], "fetches[1] is None"),
    "none in a dict": (TypeError, lambda: {"loss": (nothing(),)}, "fetches['loss'][0] is None"),
    "a name": (ValueError, lambda: "lnies:0", "did you mean 'lines:0'?"),
    "another graph": (ValueError, other_graph, "fetches is 'far:0' of another graph"),
}


@pytest.mark.parametrize("kind", ROWS)
def test_the_note_says_which_fetch_and_why(kind):
    raised, fetches, said = ROWS[kind]
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.constant([b"1,2"], name="lines")
        with pytest.raises(raised) as caught:
            sess.run(fetches())
    assert said in " ".join(" ".join(uncaught_errors.lines_of(caught.value)).split())


@pytest.mark.parametrize("times", [0, 2])
def test_a_closed_session_is_called_closed(times):
    with tf.Graph().as_default():
        one = tf.constant(1)
        with tf.Session() as sess:
            assert [sess.run(one) for _ in range(times)] == [1] * times
        with pytest.raises(RuntimeError, match="closed Session") as caught:
            sess.run(one)
    assert "Run all steps inside the block" in caught.value.__notes__[0]


@pytest.mark.parametrize("second", [lambda label: label, lambda label: [label]])
@pytest.mark.parametrize("times", [1, 2])
def test_a_second_fetch_in_the_place_of_the_feeds(second, times):
    with tf.Graph().as_default(), tf.Session() as sess:
        image, label = tf.constant(1), tf.constant(2)
        for _ in range(times):
            with pytest.raises(TypeError) as caught:
                sess.run(image, second(label))
    assert "the second argument of run is feed_dict" in caught.value.__notes__[0]


def test_an_error_about_feeds_has_no_note():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [2])
        with pytest.raises(ValueError, match="Cannot feed") as caught:
            sess.run([x, "Placeholder:0"], {x: [1.0]})
    assert not hasattr(caught.value, "__notes__")
