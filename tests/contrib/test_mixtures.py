"""`tf.contrib.distributions.Mixture`: what TensorFlow 1.15.5 printed."""

import numpy as np
import pytest

import tfqueue.v1 as tf

ds = tf.contrib.distributions


def several(static=False):
    return ds.Mixture(
        ds.Categorical(probs=[0.3, 0.7]),
        [ds.Normal(0.0, 1.0), ds.Uniform(2.0, 5.0)],
        use_static_graph=static,
    )


def of_vectors():
    return ds.Mixture(
        ds.Categorical([0.0, 0.0]),
        [ds.MultivariateNormalDiag([float(i), 1.0], [0.1, 0.2]) for i in range(2)],
    )


def batch():
    return ds.Mixture(
        ds.Categorical(probs=[[0.3, 0.7], [0.9, 0.1]]),
        [ds.Normal([0.0, 1.0], 1.0), ds.Gamma([2.0, 3.0], 5.0)],
    )


ROWS = {
    "several.sample(5, seed=3)": (
        lambda: several().sample(5, seed=3),
        [-1.2978235, 2.8414254, -0.073306382, 4.1639509, 2.6588392],
    ),
    "several.sample([2, 1], seed=4)": (
        lambda: several().sample([2, 1], seed=4),
        [[3.0626211], [4.2548122]],
    ),
    "several(static=True).sample(4, seed=3)": (
        lambda: several(static=True).sample(4, seed=3),
        [-1.2978235, 4.1639509, -0.63749921, 4.4768987],
    ),
    "several.log_prob([0.5, 2.5])": (
        lambda: several().log_prob([0.5, 2.5]),
        [-2.2479115, -1.433001],
    ),
    "several.prob([0.1])": (lambda: several().prob([0.1]), [0.11908577]),
    "several.cdf([1.0, 3.0])": (lambda: several().cdf([1.0, 3.0]), [0.25240341, 0.53292835]),
    "several.mean()": (lambda: several().mean(), 2.45),
    "several.stddev()": (lambda: several().stddev(), 1.8432307),
    "several.variance()": (lambda: several().variance(), 3.3974996),
    "several.entropy_lower_bound()": (lambda: several().entropy_lower_bound(), 1.1947101),
    "of_vectors.sample(3, seed=3)": (
        lambda: of_vectors().sample(3, seed=3),
        [[-0.12978236, 0.98533875], [0.84312904, 0.94283718], [-0.063749924, 0.91732687]],
    ),
    "of_vectors.log_prob([[0.5, 1.5]])": (
        lambda: of_vectors().log_prob([[0.5, 1.5]]),
        [-13.550854],
    ),
    "of_vectors.mean()": (lambda: of_vectors().mean(), [0.5, 1.0]),
    "of_vectors.stddev()": (lambda: of_vectors().stddev(), [0.50990194, 0.1999999]),
    "batch.sample(3, seed=3)": (
        lambda: batch().sample(3, seed=3),
        [[-1.2978235, 0.58663428], [0.35250381, 0.050839603], [-0.62961358, -0.73583651]],
    ),
    "batch.log_prob([0.5, 0.6])": (lambda: batch().log_prob([0.5, 0.6]), [-0.19375063, -0.8131386]),
    "batch.mean()": (lambda: batch().mean(), [0.28, 0.95999998]),
    "batch.stddev()": (lambda: batch().stddev(), [0.62417942, 0.96249676]),
}


@pytest.mark.parametrize("row", ROWS)
def test_a_value(row):
    make, expected = ROWS[row]
    with tf.Graph().as_default(), tf.Session() as sess:
        np.testing.assert_allclose(sess.run(make()), expected, rtol=1e-5, atol=1e-6)


def test_shapes():
    with tf.Graph().as_default():
        assert of_vectors().sample(5).shape.as_list() == [5, 2]
        assert batch().sample([3, 1]).shape.as_list() == [3, 1, 2]
        assert (of_vectors().event_shape.as_list(), batch().batch_shape.as_list()) == ([2], [2])
        assert (several().num_components, len(several().components)) == (2, 2)
        assert several().cat.probs.shape.as_list() == [2]
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(batch().sample(0)).shape == (0, 2)


def test_samples_have_a_gradient():
    with tf.Graph().as_default(), tf.Session() as sess:
        loc = tf.constant(1.0)
        made = ds.Mixture(ds.Categorical([0.0, 0.0]), [ds.Normal(loc, 1.0), ds.Normal(loc, 2.0)])
        [slope] = tf.gradients(made.sample(4), [loc])
        assert sess.run(slope) == 4.0


def test_there_is_a_component_for_each_class():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="3 classes, and there are 1"):
        ds.Mixture(ds.Categorical(tf.zeros(3)), [ds.Normal(0.0, 1.0)])
