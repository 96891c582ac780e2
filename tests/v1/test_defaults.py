"""What arguments are when they are left out; the expected ones are TensorFlow 1.15.5's."""

import inspect

import pytest

import tfqueue.v1 as tf

DEFAULTS = {
    "read_keyed_batch_features": {
        "randomize_input": True,
        "num_epochs": None,
        "queue_capacity": 10000,
        "reader_num_threads": 1,
        "feature_queue_capacity": 100,
        "num_enqueue_threads": 2,
        "parse_fn": None,
        "name": None,
        "read_batch_size": None,
    },
    "read_batch_features": {
        "randomize_input": True,
        "num_epochs": None,
        "queue_capacity": 10000,
        "feature_queue_capacity": 100,
        "reader_num_threads": 1,
        "num_enqueue_threads": 2,
        "parse_fn": None,
        "name": None,
        "read_batch_size": None,
    },
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_of_the_readers_of_features(name):
    parameters = inspect.signature(getattr(tf.contrib.learn, name)).parameters.values()
    found = {each.name: each.default for each in parameters if each.default is not each.empty}
    assert found == DEFAULTS[name]


def test_limits_of_a_batch_renormalization_are_asked_for_where_there_is_one():
    tf.layers.BatchNormalization(renorm=False, renorm_clipping={"nope": 1})
    tf.layers.BatchNormalization(renorm=True, renorm_clipping={"rmax": 2})
    with pytest.raises(ValueError, match="contains keys not in"):
        tf.layers.BatchNormalization(renorm=True, renorm_clipping={"nope": 1})
