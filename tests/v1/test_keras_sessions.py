"""The session of Keras in several threads: up to 1.12, and in the package keras, all threads had one."""

import threading

import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
K = tf.keras.backend


@pytest.fixture(autouse=True)
def without_a_session():
    yield
    release.assume(None)
    K.set_session(None)


def in_a_thread(function, graph):
    """What a function gives in a thread of its own, with a graph as the default."""
    found = []

    def called():
        with graph.as_default():
            found.append(function())

    thread = threading.Thread(target=called)
    thread.start()
    thread.join()
    return found[0]


def test_a_thread_has_the_session_of_another_for_its_graph():
    graph = tf.get_default_graph()
    session = tf.Session()
    K.set_session(session)
    assert in_a_thread(K.get_session, graph) is session
    made = in_a_thread(K.get_session, tf.Graph())
    assert made is not session
    assert in_a_thread(K.get_session, graph) is session is K.get_session()


@pytest.mark.parametrize(("when", "same"), [("1.12", True), ("1.13", False)])
def test_a_thread_that_names_no_graph_has_the_one_session_up_to_1_12(when, same):
    release.assume(when)
    session = tf.Session()
    K.set_session(session)
    assert (in_a_thread(K.get_session, tf.Graph()) is session) is same
    other = tf.Graph()
    with other.as_default():
        tf.constant(1)
    assert in_a_thread(K.get_session, other).graph is other


def test_it_is_there_when_its_thread_has_ended():
    graph = tf.Graph()
    made = in_a_thread(K.get_session, graph)
    with graph.as_default():
        assert K.get_session() is made


def test_a_closed_one_is_nobodys():
    graph = tf.get_default_graph()
    session = tf.Session()
    K.set_session(session)
    session.close()
    other = in_a_thread(K.get_session, graph)
    assert other is not session
    assert other.graph is graph


def test_variables_have_their_values_in_every_thread():
    weight = K.variable([3.0])
    K.set_value(weight, [4.0])
    graph = tf.get_default_graph()
    assert in_a_thread(lambda: K.get_value(weight).tolist(), graph) == [4.0]
    in_a_thread(lambda: K.set_value(weight, [5.0]), graph)
    assert K.get_value(weight).tolist() == [5.0]
