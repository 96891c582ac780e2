"""Distributions of vectors in `tf.contrib.distributions`: what TensorFlow 1.15.5 printed."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import _tensorflow

ds = tf.contrib.distributions
tfv = _tensorflow.compat_v1()

L = [[[1.0, 9.0], [0.5, 2.0]], [[2.0, 0.0], [-1.0, 0.5]]]
C = [[[2.0, 0.5], [0.5, 1.0]], [[1.0, -0.3], [-0.3, 3.0]]]
M = [[0.0, 0.5], [1.0, -1.0]]


def tril():
    return ds.MultivariateNormalTriL(M, L)


def full():
    return ds.MultivariateNormalFullCovariance(M, C)


def soft():
    return ds.MultivariateNormalDiagWithSoftplusScale(M, [[0.5, -1.0], [2.0, 0.0]])


def hot():
    return ds.OneHotCategorical(logits=[[0.5, 1.0, -1.0], [0.0, 0.0, 2.0]])


def relaxed():
    return ds.RelaxedOneHotCategorical(0.5, logits=[[0.5, 1.0, -1.0], [0.0, 0.0, 2.0]])


def mix():
    return ds.MixtureSameFamily(ds.Categorical(probs=[0.3, 0.7]), ds.Normal([0.0, 3.0], [1.0, 0.5]))


def vmix():
    return ds.MixtureSameFamily(
        ds.Categorical(probs=[0.3, 0.7]), ds.MultivariateNormalDiag(M, [[1.0, 2.0], [0.5, 0.5]])
    )


def relaxed_each():
    return ds.RelaxedOneHotCategorical([0.5, 2.0, 1.0], logits=[[1.0, 0.0, -1.0]] * 3)


def kl(one, other):
    return ds.kl_divergence(one, other)


A = ([0.0, 1.0], [[1.0, 0.0], [0.5, 2.0]])
B = ([0.3, 0.0], [[2.0, 0.0], [-0.5, 1.0]])

ROWS = {
    "kl of classes": (
        lambda: kl(
            ds.OneHotCategorical(logits=[[1.0, 0.0, -1.0], [0.0, 2.0, 0.0]]),
            ds.OneHotCategorical(logits=[0.0, 0.5, 0.0]),
        ),
        [0.33961704, 0.23531105],
    ),
    "kl tril tril": (
        lambda: kl(ds.MultivariateNormalTriL(*A), ds.MultivariateNormalTriL(*B)),
        1.8453125,
    ),
    "kl tril diag": (
        lambda: kl(
            ds.MultivariateNormalTriL(*A), ds.MultivariateNormalDiag([0.0, 1.0], [2.0, 1.0])
        ),
        1.25,
    ),
    "kl diag tril": (
        lambda: kl(
            ds.MultivariateNormalDiag([0.5, 1.0], [1.0, 3.0]), ds.MultivariateNormalTriL(*B)
        ),
        3.807035,
    ),
    "kl full diag": (
        lambda: kl(
            ds.MultivariateNormalFullCovariance([0.0, 1.0], [[1.0, 0.3], [0.3, 2.0]]),
            ds.MultivariateNormalDiag([0.0, 1.0], [2.0, 1.0]),
        ),
        0.49459556,
    ),
    "relaxed log_prob, a temperature each": (
        lambda: relaxed_each().log_prob([[0.2, 0.3, 0.5]] * 3),
        [-1.8266592, -0.56713486, -0.90772915],
    ),
    "tril log_prob": (lambda: tril().log_prob([[0.3, 0.7], [0.3, 0.7]]), [-2.576337, -5.544127]),
    "tril log_prob of many": (
        lambda: tril().log_prob([[[0.3, 0.7], [1.0, 2.0]], [[0.0, 0.0], [1.0, 1.0]]]),
        [[-2.576337, -19.83788], [-2.562274, -9.837877]],
    ),
    "tril prob": (lambda: tril().prob([[0.3, 0.7], [0.3, 0.7]]), [0.07605209, 0.003910355]),
    "tril entropy": (lambda: tril().entropy(), [3.531024, 2.837877]),
    "tril covariance": (
        lambda: tril().covariance(),
        [[[1.0, 0.5], [0.5, 4.25]], [[4.0, -2.0], [-2.0, 1.25]]],
    ),
    "tril stddev": (lambda: tril().stddev(), [[1.0, 2.061553], [2.0, 1.118034]]),
    "tril variance": (lambda: tril().variance(), [[1.0, 4.25], [4.0, 1.25]]),
    "tril mean": (lambda: tril().mean(), [[0.0, 0.5], [1.0, -1.0]]),
    "tril without loc": (
        lambda: ds.MultivariateNormalTriL(scale_tril=L).log_prob([[0.3, 0.7], [0.3, 0.7]]),
        [-2.613837, -3.294127],
    ),
    "tril without scale": (
        lambda: ds.MultivariateNormalTriL(loc=M).log_prob([[0.3, 0.7], [0.3, 0.7]]),
        [-1.902877, -3.527877],
    ),
    "full log_prob": (lambda: full().log_prob([[0.3, 0.7], [0.3, 0.7]]), [-2.149113, -2.998414]),
    "full covariance": (
        lambda: full().covariance(),
        [[[2.0, 0.5], [0.5, 1.0]], [[1.0, -0.3], [-0.3, 3.0]]],
    ),
    "full mode": (lambda: full().mode(), [[0.0, 0.5], [1.0, -1.0]]),
    "softplus log_prob": (
        lambda: soft().log_prob([[0.3, 0.7], [0.3, 0.7]]),
        [-0.9021281, -5.287779],
    ),
    "hot log_prob": (lambda: hot().log_prob([[1, 0, 0], [0, 0, 1]]), [-1.054957, -0.2395447]),
    "hot entropy": (lambda: hot().entropy(), [0.8844518, 0.6655726]),
    "hot mode": (lambda: hot().mode(), [[0, 1, 0], [0, 0, 1]]),
    "relaxed log_prob": (
        lambda: relaxed().log_prob([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]),
        [-1.581055, 0.5091839],
    ),
    "mixture log_prob": (
        lambda: mix().log_prob([0.0, 1.0, 3.0]),
        [-2.122911, -2.620334, -0.5800886],
    ),
    "mixture mean": (lambda: mix().mean(), 2.1),
    "mixture variance": (lambda: mix().variance(), 2.365),
    "vector mixture log_prob": (lambda: vmix().log_prob([0.0, 1.0]), -3.765373),
    "vector mixture mean": (lambda: vmix().mean(), [0.7, -0.55]),
}


@pytest.mark.parametrize("row", ROWS)
def test_a_value(row):
    make, expected = ROWS[row]
    with tf.Graph().as_default(), tf.Session() as sess:
        np.testing.assert_allclose(sess.run(make()), expected, rtol=1e-5, atol=1e-6)


def test_shapes():
    with tf.Graph().as_default():
        for make in (tril, full, soft, hot, relaxed):
            each = make()
            size = each.event_shape.as_list()
            assert each.batch_shape.as_list() == [2], each
            assert each.sample(5).shape.as_list() == [5, 2, *size], each
        assert vmix().sample(5).shape.as_list() == [5, 2]
        assert (vmix().event_shape.as_list(), vmix().batch_shape.as_list()) == ([2], [])
        assert mix().sample(5).shape.as_list() == [5]


@pytest.mark.parametrize("shape", [[2, 3], [None, None]])
@pytest.mark.parametrize(
    "make",
    [
        lambda value: ds.MultivariateNormalTriL(loc=value),
        lambda value: ds.OneHotCategorical(logits=value),
        lambda value: ds.RelaxedOneHotCategorical(0.5, logits=value),
    ],
)
def test_shapes_that_only_the_step_knows(make, shape):
    with tf.Graph().as_default(), tf.Session() as sess:
        made = make(tf.placeholder_with_default([[0.5, 1.0, -1.0], [0.0, 0.0, 2.0]], shape))
        found = sess.run([made.batch_shape_tensor(), made.event_shape_tensor()])
    assert [each.tolist() for each in found] == [[2], [3]]


@pytest.mark.parametrize("make", [tril, full, soft, vmix, mix])
def test_samples_have_the_moments(make):
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(1)
        drawn, mean, stddev = sess.run([make().sample(20000), make().mean(), make().stddev()])
    np.testing.assert_allclose(drawn.mean(0), mean, atol=0.1)
    np.testing.assert_allclose(drawn.std(0), stddev, atol=0.1)


def test_classes_are_drawn_as_often_as_they_should_be():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(1)
        drawn, near, probs = sess.run([hot().sample(20000), relaxed().sample(20000), hot().probs])
    assert drawn.dtype == np.int32
    np.testing.assert_allclose(drawn.mean(0), probs, atol=0.02)
    np.testing.assert_allclose(near.sum(-1), 1, rtol=1e-5)
    often = np.eye(3)[near.argmax(-1)].mean(0)
    np.testing.assert_allclose(often, probs, atol=0.02)


def test_the_least_noise_is_a_normal_number(monkeypatch):
    """A smaller one counts as 0, whose logarithm makes the loss no number, once in 2 ** 23 draws."""
    monkeypatch.setattr(tfv, "random_uniform", lambda shape, least, *_, **__: tf.fill(shape, least))
    with tf.Graph().as_default(), tf.Session() as sess:
        made = relaxed_each()
        drawn = made.sample()
        assert np.isfinite(sess.run(made.log_prob(drawn))).all()


def test_a_sample_has_a_gradient():
    with tf.Graph().as_default(), tf.Session() as sess:
        logits = tf.constant([0.5, 1.0, -1.0])
        near = ds.RelaxedOneHotCategorical(0.5, logits=logits).sample()
        [gradient] = tf.gradients(near[0], logits)
        assert np.abs(sess.run(gradient)).max() > 0


def test_what_is_refused():
    with tf.Graph().as_default():
        with pytest.raises(ValueError, match="one or both"):
            ds.MultivariateNormalTriL()
        with pytest.raises(ValueError, match="not both"):
            ds.OneHotCategorical()


def test_a_sample_of_a_mixture_has_no_gradient():
    with tf.Graph().as_default():
        kinds = [tril, vmix, mix]
        found = [make().reparameterization_type for make in kinds]
    assert found == [ds.FULLY_REPARAMETERIZED, *[ds.NOT_REPARAMETERIZED] * 2]
