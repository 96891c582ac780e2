"""`tf.contrib.estimator` beyond what the goldens of 1.15.5 hold (`tests/golden/scenarios_115/heads`)."""

import pytest
from tfqueue.v1.contrib.estimator import canned

import tfqueue.v1 as tf


def test_a_private_head_sums_its_losses():
    logits, labels = tf.constant([[0.0], [0.0]]), tf.constant([0.0, 1.0])
    summed = canned._binary_logistic_head_with_sigmoid_cross_entropy_loss()
    meant = tf.contrib.estimator.binary_classification_head()
    losses = [
        head.create_loss({}, "train", logits, labels).training_loss for head in (summed, meant)
    ]
    with tf.Session() as sess:
        found, mean = sess.run(losses)
    assert found == pytest.approx(2 * 0.6931472)
    assert mean == pytest.approx(0.6931472)


def test_a_head_of_the_programs_own_may_take_other_arguments():
    class Own(canned._Head):
        name, logits_dimension = "own", 1

        def create_estimator_spec(self, features, logits, hooks=None):
            return logits, hooks

    assert Own().create_estimator_spec({}, 3, hooks=()) == (3, ())
    with pytest.raises(NotImplementedError):
        canned._Head().create_estimator_spec({}, "train", None)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [("Adam", "learning_rate must be"), ("Nadam", "Unsupported"), (3, "not an Optimizer")],
)
def test_an_optimizer_by_its_name(given, sentence):
    made = canned.get_optimizer_instance("Ftrl", 0.1)
    assert isinstance(made, tf.train.FtrlOptimizer)
    assert canned.get_optimizer_instance(lambda: made) is made
    with pytest.raises(ValueError, match=sentence):
        canned.get_optimizer_instance(given)


def test_the_regression_head_has_two_names():
    head = canned._regression_head_with_mean_squared_error_loss(label_dimension=2)
    assert head.logits_dimension == 2
    assert canned._binary_logistic_or_multi_class_head(3, None, None, "weighted_sum").name is None
