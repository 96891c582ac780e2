"""`tf.contrib.bayesflow` gives what it gave in TensorFlow 1.4.1."""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import stochastic_parts
from tfqueue import release
from tfqueue.names.sentence import GoneArgumentError, GoneError

pytestmark = pytest.mark.slow
RECORDED = json.loads((pathlib.Path(__file__).parent / "stochastic_parts_14.json").read_text())
# below and above which an integral of the normal distribution is another formula
NORMAL = [
    [0.0, 0.0013498986372724175, 0.5, 0.9772498607635498, 1.0],
    [-454.32122802734375, -6.607725620269775, -0.6931471824645996, -0.0230129174888134, 0.0],
]
st = tf.contrib.bayesflow.stochastic_tensor
sg = tf.contrib.bayesflow.stochastic_graph
ds = tf.contrib.distributions


@pytest.mark.parametrize("name", stochastic_parts.CASES)
def test_gives_what_1_4_gave(name):
    found, expected = stochastic_parts.run(tf, name), RECORDED[name]
    assert found["variables"] == expected["variables"]
    for one, other in zip(found["values"], expected["values"], strict=True):
        for value, recorded in zip(one, other, strict=True):
            # logarithms of sums are differences of near numbers
            np.testing.assert_allclose(value, recorded, rtol=2e-6, atol=5e-7)


def test_the_form_of_0_11_takes_a_class():
    logits = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    one = st.StochasticTensor(ds.Categorical, logits=logits)
    with st.value_type(st.SampleValue()):
        many = st.StochasticTensor(ds.Normal, mu=[0.0, 1.0], sigma=[1.0, 1.0])
    seen = st.ObservedStochasticTensor(ds.Normal, [1.0], mu=[0.0], sigma=[1.0])
    assert [one.value().shape, many.value().shape, seen.value().shape] == [[2], [1, 2], [1]]


def test_exponentials_have_a_gradient_up_to_1_0():
    release.assume("1.0")
    try:
        assert st.StochasticTensor(ds.Exponential(2.0)).loss(tf.constant(1.0)) is None
        with pytest.raises(GoneArgumentError, match="of a StudentT is gone"):
            st.StochasticTensor(ds.StudentT(3.0, 0.0, 1.0))
    finally:
        release.assume(None)


def test_what_does_not_fit_is_refused():
    normal = ds.Normal([0.0, 1.0], 1.0)
    with pytest.raises(TypeError, match="no distribution"):
        st.StochasticTensor(tf.constant(1.0))
    with pytest.raises(TypeError, match="callable"):
        st.StochasticTensor(normal, loss_fn=3)
    with pytest.raises(TypeError, match="no MeanValue"), st.value_type("mean"):
        pass
    with pytest.raises(ValueError, match="value_type"):
        st.get_current_value_type()
    for value in (1.0, [1.0, 2.0, 3.0], [1, 2]):
        with pytest.raises(ValueError, match="a value of"):
            st.ObservedStochasticTensor(normal, value)
    assert st.ObservedStochasticTensor(normal, tf.zeros([5, 2])).value().shape == [5, 2]
    with pytest.raises(ValueError, match="no axis of examples"):
        sg.surrogate_loss([tf.constant(1.0)])
    with pytest.raises(ValueError, match="No prior"):
        kept = st.StochasticTensor(normal)
        tf.contrib.bayesflow.variational_inference.elbo(kept.value() * 2)


def test_the_loss_of_a_loop_ends():
    drawn = st.StochasticTensor(ds.Bernoulli(logits=[0.5, 1.0]))
    _, loss = tf.while_loop(
        lambda i, _: i < 3, lambda i, x: (i + 1, x * 2.0), [0, tf.to_float(drawn)]
    )
    assert sg.surrogate_loss([loss], [drawn]).shape == [2]


def test_an_expectation_up_to_1_3_takes_a_distribution():
    monte = tf.contrib.bayesflow.monte_carlo
    p = ds.Normal([0.0, 1.0], 1.0)
    z = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.Session() as sess:
        for mean in (monte.expectation(tf.square, p, z), monte.expectation(tf.square, p=p, z=z)):
            assert sess.run(mean).tolist() == [5, 10]
    assert monte.expectation(tf.square, p, n=7, seed=1).shape == [2]
    with pytest.raises(ValueError, match="n or z"):
        monte.expectation(tf.square, p)


def test_normal_integrals_of_0_12():
    """What 0.12.1 gives."""
    special = tf.contrib.bayesflow.special_math
    x = tf.constant([-30.0, -3.0, 0.0, 2.0, 12.0])
    with tf.Session() as sess:
        values = sess.run([special.ndtr(x), special.log_ndtr(x)])
    np.testing.assert_allclose(values, NORMAL, rtol=1e-5, atol=1e-30)


def test_the_old_paths_of_modules():
    from tfqueue.v1.contrib.bayesflow.python.ops import stochastic_tensor as found
    from tfqueue.v1.contrib.bayesflow.python.ops.entropy_impl import renyi_alpha
    from tfqueue.v1.contrib.bayesflow.python.ops.stochastic_tensor_impl import SampleValue

    assert (found, SampleValue) == (st, st.SampleValue)
    assert renyi_alpha is tf.contrib.bayesflow.entropy.renyi_alpha
    with pytest.raises(GoneError, match="tensorflow-probability"):
        _ = tf.contrib.bayesflow.hmc
