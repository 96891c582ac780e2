"""`tf.contrib.distributions`: the numbers are those that TensorFlow 1.15.5 printed."""

import numpy as np
import pytest

import tfqueue.v1 as tf

ds = tf.contrib.distributions


def one():
    return ds.MultivariateNormalDiag([1.0, -1.0], [1.0, 2.0])


def two():
    return ds.MultivariateNormalDiag([[0.0, 0.5], [1.0, 1.0]], [[0.5, 1.0], [2.0, 3.0]])


ROWS = {
    "log_prob": (lambda: one().log_prob([0.0, 0.0]), -3.156024217605591),
    "log_prob of a batch": (
        lambda: two().log_prob([0.0, 0.0]),
        [-1.2697298526763916, -3.810192108154297],
    ),
    "prob": (lambda: one().prob([1.0, 2.0]), 0.02583502046763897),
    "entropy": (lambda: two().entropy(), [2.1447298526763916, 4.629636764526367]),
    "mean": (lambda: two().mean(), [[0.0, 0.5], [1.0, 1.0]]),
    "mode": (lambda: two().mode(), [[0.0, 0.5], [1.0, 1.0]]),
    "stddev": (lambda: two().stddev(), [[0.5, 1.0], [2.0, 3.0]]),
    "variance": (lambda: two().variance(), [[0.25, 1.0], [4.0, 9.0]]),
    "covariance": (
        lambda: two().covariance(),
        [[[0.25, 0.0], [0.0, 1.0]], [[4.0, 0.0], [0.0, 9.0]]],
    ),
    "kl": (
        lambda: ds.kl_divergence(two(), one()),
        [1.4175443649291992, 1.5263876914978027],
    ),
    "without loc": (
        lambda: ds.MultivariateNormalDiag(scale_diag=[1.0, 2.0]).log_prob([1.0, 1.0]),
        -3.156024217605591,
    ),
    "one scale": (
        lambda: ds.MultivariateNormalDiag(loc=[0.0, 1.0], scale_identity_multiplier=3.0).log_prob(
            [1.0, 1.0]
        ),
        -4.0906572341918945,
    ),
    "a scale for all of a batch": (
        lambda: ds.MultivariateNormalDiag(tf.zeros([4, 3]), tf.ones([3])).log_prob(tf.ones([4, 3])),
        [-4.256815433502197] * 4,
    ),
}


@pytest.mark.parametrize("row", ROWS)
def test_the_diagonal_normal(row):
    make, expected = ROWS[row]
    with tf.Graph().as_default(), tf.Session() as sess:
        np.testing.assert_allclose(sess.run(make()), expected, rtol=1e-5)


def test_shapes_of_the_diagonal_normal():
    with tf.Graph().as_default():
        many = ds.MultivariateNormalDiag(tf.placeholder(tf.float32, [None, 3]), tf.ones([3]))
        assert two().batch_shape.as_list() == [2]
        assert two().event_shape.as_list() == [2]
        assert two().sample(5).shape.as_list() == [5, 2, 2]
        assert many.log_prob(tf.zeros([3])).shape.as_list() == [None]
        with pytest.raises(ValueError, match="needs `loc` or `scale_diag`"):
            ds.MultivariateNormalDiag()


def test_samples_of_the_diagonal_normal_have_its_moments():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(1)
        drawn = sess.run(one().sample(20000))
    np.testing.assert_allclose(drawn.mean(0), [1, -1], atol=0.1)
    np.testing.assert_allclose(drawn.std(0), [1, 2], atol=0.1)


OLD = {
    "Normal": (dict(mu=1.0, sigma=2.0), dict(loc=1.0, scale=2.0), 0.5),
    "Bernoulli": (dict(p=0.3), dict(probs=0.3), 1),
    "Categorical": (dict(p=[0.2, 0.8]), dict(probs=[0.2, 0.8]), 1),
    "Beta": (dict(a=2.0, b=3.0), dict(concentration1=2.0, concentration0=3.0), 0.4),
    "Gamma": (dict(alpha=2.0, beta=3.0), dict(concentration=2.0, rate=3.0), 0.4),
    "Exponential": (dict(lam=2.0), dict(rate=2.0), 0.4),
    "Uniform": (dict(a=0.0, b=3.0), dict(low=0.0, high=3.0), 0.4),
    "MultivariateNormalDiag": (
        dict(mu=[1.0], diag_stdev=[2.0]),
        dict(loc=[1.0], scale_diag=[2.0]),
        [0.5],
    ),
}


@pytest.mark.parametrize("name", OLD)
def test_a_family_knows_its_parameters_by_their_names_of_old(name):
    old, new, value = OLD[name]
    family = getattr(ds, name)
    with tf.Graph().as_default(), tf.Session() as sess:
        before, after = family(**old), family(**new)
        given, today = sess.run([before.log_pdf(value), after.log_prob(value)])
        assert given == today
        assert sess.run(before.pdf(value)) == sess.run(after.prob(value))
        assert before.sample_n(3).shape[0] == 3
        for parameter, it_is in zip(old.values(), old, strict=True):
            np.testing.assert_allclose(sess.run(getattr(before, it_is)), parameter)


def test_both_names_of_a_parameter_are_refused():
    with tf.Graph().as_default(), pytest.raises(TypeError, match="which are one parameter"):
        ds.Normal(mu=0.0, loc=0.0, scale=1.0)


def test_a_policy_samples_and_learns():
    with tf.Graph().as_default(), tf.Session() as sess:
        logits = tf.get_variable("logits", [1, 3], initializer=tf.zeros_initializer())
        policy = ds.Categorical(logits=logits)
        loss = -tf.reduce_mean(policy.log_prob([2])) - 0.01 * tf.reduce_mean(policy.entropy())
        step = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
        sess.run(tf.global_variables_initializer())
        before = sess.run(loss)
        for _ in range(5):
            sess.run(step)
        assert sess.run(loss) < before
        assert sess.run(policy.sample()).shape == (1,)


def test_sizes_are_those_of_the_last_axis():
    with tf.Graph().as_default(), tf.Session() as sess:
        made = ds.MultivariateNormalDiag(
            [[0.0, 0.5, 1.0], [1.0, 1.0, 2.0]], [[0.5, 1.0, 2.0], [2.0, 3.0, 1.0]]
        )
        entropy, log_prob = sess.run([made.entropy(), made.log_prob([0.0, 0.0, 0.0])])
    np.testing.assert_allclose(entropy, [4.2568154, 6.048575], rtol=1e-5)
    np.testing.assert_allclose(log_prob, [-3.0068154, -6.7291307], rtol=1e-5)


def test_nothing_is_logged_of_a_library_that_has_moved(monkeypatch, caplog):
    """A user of 1.15 was told to install another package, which does not run here."""
    from tensorflow.python.util import deprecation

    monkeypatch.setattr(deprecation, "_PRINTED_WARNING", {})
    with tf.Graph().as_default():
        ds.Normal(0.0, 1.0)
        ds.Bernoulli(0.5)
    assert not caplog.records
