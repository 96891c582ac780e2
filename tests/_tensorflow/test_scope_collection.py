"""The current variable scope as an element of a collection: expected values are TensorFlow 1.1.0's."""

import contextlib

import pytest
from tensorflow.python.ops import variable_scope

import tfqueue.v1 as tf


@contextlib.contextmanager
def _put(name, reuse=None):
    """A variable scope in the way of prettytensor: put there, and the outer one put back."""
    outer = tf.get_variable_scope()
    current = tf.get_collection_ref(variable_scope._VARSCOPE_KEY)
    whole = f"{outer.name}/{name}".lstrip("/")
    try:
        current[0] = tf.VariableScope(
            outer.reuse if reuse is None else reuse, name=whole, initializer=outer.initializer
        )
        current[0].name_scope = f"{whole}/"
        yield current[0]
    finally:
        current[0] = outer


@contextlib.contextmanager
def _counted(name):
    """A variable scope in the way of madoka: the store of variables counts the scopes in it."""
    current = tf.get_collection_ref(variable_scope._VARSCOPE_KEY)
    outer = current[0]
    store = variable_scope._get_default_variable_store()
    store.open_variable_scope(name)
    try:
        current[:] = [tf.VariableScope(False, name=name)]
        yield
    finally:
        store.close_variable_subscopes(name)
        current[:] = [outer]


def test_a_scope_that_is_put_there_is_the_current_one():
    with tf.Graph().as_default():
        names = []
        with _put("a") as here:
            names.append(tf.get_variable("w", [2]).name)
            assert here is tf.get_variable_scope()
            with tf.variable_scope("b"):
                names.append(tf.get_variable("w", [2]).name)
                with _put("c"):
                    names.append(tf.get_variable("w", [2]).name)
            with _put("d", reuse=True):
                assert tf.get_variable_scope().reuse is True
        with _put("a") as here:
            here.reuse_variables()
            names.append(tf.get_variable("w", [2]).name)
        assert (tf.get_variable_scope().name, bool(tf.get_variable_scope().reuse)) == ("", False)
        assert len(tf.trainable_variables()) == 3
    assert names == ["a/w:0", "a/b/w:0", "a/b/c/w:0", "a/w:0"]


def test_the_store_of_variables_counts_scopes():
    names = []
    with tf.Graph().as_default():
        for _ in range(2):
            with _counted("n"):
                for _ in range(2):
                    with tf.variable_scope(None, "x") as scope:
                        names.append(scope.name)
        assert variable_scope._get_default_variable_store().variable_scope_count("n") == 2
    assert names == ["n/x", "n/x_1", "n/x", "n/x_1"]


def test_the_collection_holds_one_scope():
    with tf.Graph().as_default() as graph:
        tf.add_to_collection("mine", 1)
        scopes = tf.get_collection_ref(variable_scope._VARSCOPE_KEY)
        assert tf.get_collection(variable_scope._VARSCOPE_KEY) == list(scopes)
        for wrong in ([], ["a"], [scopes[0], scopes[0]]):
            with pytest.raises(ValueError, match="one current variable scope"):
                scopes[:] = wrong
        with pytest.raises(ValueError, match="one current variable scope"):
            scopes.append(scopes[0])
        with pytest.raises(ValueError, match="one current variable scope"):
            del scopes[0]
        assert graph.get_all_collection_keys() == ["mine"]
        assert tf.get_collection_ref("mine") == [1]
    assert tf.get_collection_ref(variable_scope._VARSCOPE_KEY)[0] is tf.get_variable_scope()


def test_each_graph_has_its_own():
    other = tf.Graph()
    with tf.Graph().as_default():
        other.get_collection_ref(variable_scope._VARSCOPE_KEY)[0] = tf.VariableScope(False, "there")
        assert tf.get_variable_scope().name == ""
    with other.as_default():
        assert tf.get_variable_scope().name == "there"
