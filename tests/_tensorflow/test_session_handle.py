"""What a thread that makes steps later on keeps alive of a session."""

import gc
import weakref

import tensorflow.compat.v1

import tfqueue.v1 as tf
from tfqueue import _tensorflow
from tfqueue._tensorflow import steps


def kept(cls):
    """A handle of a session of this class that nobody else refers to, and whether it is alive."""
    sess = cls()
    handle, alive = steps.SessionHandle(sess), weakref.ref(sess)
    del sess
    gc.collect()
    return handle, alive() is not None


def test_a_session_of_ours_is_not_kept():
    handle, alive = kept(tf.Session)
    assert not alive
    assert handle.graph is tf.get_default_graph()


def test_another_session_is_kept_while_a_step_of_it_may_run():
    one = tf.constant(1)
    handle, alive = kept(tensorflow.compat.v1.Session)
    assert alive
    assert _tensorflow.PreparedStep(handle, [], [one])() == [1]
