"""`tf.contrib.distributions`: distributions of numbers, with what TensorFlow 1.15.5 printed.

The values of `distributions_of_numbers_115.json` are those of `MADE`, of each at `AT`; what was drawn has the seed 7.
"""

import json
import math
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

ds = tf.contrib.distributions
FOUND = json.loads(
    pathlib.Path(__file__).with_name("distributions_of_numbers_115.json").read_text("utf-8")
)
MADE = {
    "Logistic": lambda: ds.Logistic([0.5, 1.0], [[2.0], [0.3]]),
    "Cauchy": lambda: ds.Cauchy([0.5, 1.0], [[2.0], [0.3]]),
    "HalfNormal": lambda: ds.HalfNormal([0.5, 2.0]),
    "InverseGamma": lambda: ds.InverseGamma([3.0, 2.5], [[1.0], [0.4]]),
    "InverseGamma1": lambda: ds.InverseGamma([0.9, 1.5], [1.0, 2.0]),
    "Poisson": lambda: ds.Poisson([1.0, 2.5]),
    "PoissonL": lambda: ds.Poisson(log_rate=[1.0, -0.5]),
    "Geometric": lambda: ds.Geometric(probs=[0.2, 0.7]),
    "GeometricL": lambda: ds.Geometric([0.2, -0.7]),
    "NegativeBinomial": lambda: ds.NegativeBinomial(5.0, probs=[0.2, 0.7]),
    "NegativeBinomialL": lambda: ds.NegativeBinomial([5.0, 0.5], [0.2, -0.7]),
    "Binomial": lambda: ds.Binomial([5.0, 3.0], probs=[0.2, 0.7]),
    "BinomialL": lambda: ds.Binomial(5.0, [0.2, -0.7]),
    "RelaxedBernoulli": lambda: ds.RelaxedBernoulli(0.5, probs=[0.2, 0.7]),
    "RelaxedBernoulliL": lambda: ds.RelaxedBernoulli(2.0, [0.2, -1.0]),
    "Deterministic": lambda: ds.Deterministic([0.2, 2.0]),
    "DeterministicA": lambda: ds.Deterministic([0.2, 2.0], atol=0.5, rtol=0.1),
    "Independent": lambda: ds.Independent(ds.Normal([[0.0, 1.0], [2.0, 3.0]], [[1.0, 2.0]])),
    "Independent2": lambda: ds.Independent(ds.Normal([[0.0, 1.0], [2.0, 3.0]], [[1.0, 2.0]]), 2),
    "Independent0": lambda: ds.Independent(ds.Bernoulli(probs=[0.2, 0.3]), 1),
    "Chi2": lambda: ds.Chi2([2.0, 5.0]),
    "Chi2W": lambda: ds.Chi2WithAbsDf([-2.5, 5.0]),
    "NSoft": lambda: ds.NormalWithSoftplusScale([0.0, 1.0], [-1.0, 2.0]),
}
AT = {
    "Poisson": [2.0, 3.0],
    "Geometric": [0.0, 2.0],
    "NegativeBinomial": [1.0, 4.0],
    "Binomial": [1.0, 2.0],
    "Deterministic": [0.2, 1.9],
    "RelaxedBernoulli": [0.3, 0.8],
}
OF_VALUES = {"log_prob", "prob", "cdf", "log_cdf", "survival_function"}


def value_of(name):
    if name == "Independent0":
        return np.int32([0, 1])
    return np.float32(AT.get(name.rstrip("LA1"), [0.5, 1.0]))


@pytest.mark.parametrize("name", MADE)
def test_the_numbers_are_those_of_1_15(name):
    made, found = MADE[name](), FOUND[name]
    asked = {}
    for what in found:
        if what in OF_VALUES:
            asked[what] = getattr(made, what)(value_of(name))
        elif what == "quantile":
            asked[what] = made.quantile(np.float32([0.2, 0.7]))
        else:
            asked[what] = made.sample(2, seed=7) if what == "sample" else getattr(made, what)()
    with tf.Session() as sess:
        for what, value in sess.run(asked).items():
            np.testing.assert_allclose(value, found[what], 2e-5, 1e-6, err_msg=what)
            assert np.shape(value) == np.shape(found[what]), what
    missing = {*OF_VALUES, "mean", "mode", "variance", "entropy", "quantile", "sample"} - {*found}
    for what in missing:
        given = [value_of(name)] if what in OF_VALUES else []
        given = [np.float32([0.2, 0.7])] if what == "quantile" else given
        with pytest.raises(NotImplementedError):
            getattr(made, what)(*given)


def test_shapes_and_names():
    two, whole = MADE["Logistic"](), MADE["Independent"]()
    assert (two.name, two.batch_shape.as_list(), two.event_shape.as_list()) == (
        "Logistic/",
        [2, 2],
        [],
    )
    assert (whole.name, whole.batch_shape.as_list(), whole.event_shape.as_list()) == (
        "IndependentNormal/",
        [2],
        [2],
    )
    with tf.Session() as sess:
        shapes = [two.batch_shape_tensor(), two.event_shape_tensor()]
        shapes += [whole.batch_shape_tensor(), whole.event_shape_tensor()]
        assert [each.tolist() for each in sess.run(shapes)] == [[2, 2], [], [2], [2]]


def test_a_tolerance_for_each_number():
    made = ds.Deterministic([1.0, 2.0], atol=np.float32([0.5, 0.1]), rtol=tf.constant(0.0))
    with tf.Session() as sess:
        assert sess.run(made.prob([1.4, 2.4])).tolist() == [1.0, 0.0]


def test_what_is_drawn_has_a_gradient_where_it_had_one():
    smooth = {"Logistic", "Cauchy", "HalfNormal", "RelaxedBernoulli", "Independent", "Chi2"}
    for name in {key.rstrip("LA01") for key in MADE} - {"NSoft", "Chi2W", "Independent2"}:
        kind = MADE[name]().reparameterization_type
        expected = ds.FULLY_REPARAMETERIZED if name in smooth else ds.NOT_REPARAMETERIZED
        assert kind == expected, name


def test_divergence_of_independent_normals():
    scales = [[1.0, 2.0]], [[3.0, 2.0]]
    one = ds.Independent(ds.Normal([[0.0, 1.0], [2.0, 3.0]], scales[0]))
    other = ds.Independent(ds.Normal([[0.0, 1.0], [2.0, 1.0]], scales[1]))
    with tf.Session() as sess:
        found = sess.run(ds.kl_divergence(one, other))
    np.testing.assert_allclose(found, [0.6541679, 1.1541679], rtol=1e-5)
    with pytest.raises(ValueError, match="Event shapes do not match"):
        ds.kl_divergence(one, MADE["Independent2"]())


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: ds.Poisson(), ValueError, "exactly one of `rate` and `log_rate`"),
        (lambda: ds.Poisson(1.0, 1.0), ValueError, "exactly one of `rate` and `log_rate`"),
        (lambda: ds.Poisson(1), TypeError, "not a float-type"),
        (lambda: ds.Geometric(), ValueError, "probs or logits"),
        (
            lambda: ds.Cauchy(0.0, 1.0, allow_nan_stats=False).mean(),
            ValueError,
            "`mean` is undefined",
        ),
        (
            lambda: ds.Independent(ds.Normal(0.0, 1.0), 1),
            ValueError,
            r"\(1\) cannot exceed .*\(0\)",
        ),
    ],
)
def test_what_was_refused(make, error, said):
    with pytest.raises(error, match=said):
        make()


def test_names_of_old():
    """Parameters up to 1.1, methods up to 0.12, and the axes of an `Independent` of 1.4."""
    old = [ds.Poisson(lam=2.0), ds.InverseGamma(alpha=2.0, beta=3.0), ds.Binomial(n=4.0, p=0.25)]
    new = [ds.Poisson(2.0), ds.InverseGamma(2.0, 3.0), ds.Binomial(4.0, probs=0.25)]
    whole = ds.Independent(ds.Normal([[1.0, 2.0]], 1.0), reduce_batch_ndims=2)
    assert old[0].get_batch_shape().as_list() == old[0].get_event_shape().as_list() == []
    with tf.Session() as sess:
        assert sess.run([each.log_pdf(2.0) for each in old]) == sess.run(
            [each.log_prob(2.0) for each in new]
        )
        assert (
            sess.run(new[0].sample_n(3, seed=1)).tolist()
            == sess.run(new[0].sample(3, seed=1)).tolist()
        )
    assert (whole.batch_shape.as_list(), whole.event_shape.as_list()) == ([], [1, 2])


def test_axes_of_an_event_by_release():
    three = ds.Normal([[[1.0, 2.0]]], 1.0)
    assert ds.Independent(three).event_shape.as_list() == [1, 2]
    before = release.assume("1.4")
    try:
        assert ds.Independent(three).event_shape.as_list() == [2]
    finally:
        release.assume(before)


def test_a_moment_that_there_is_not():
    made = ds.InverseGamma([0.5, 3.0], [1.0, 1.0], allow_nan_stats=False)
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match="mean undefined when any"):
            sess.run(made.mean())
        assert math.isnan(sess.run(ds.InverseGamma(0.5, 1.0).mean()))


def _value(tensor):
    with tf.Session() as sess:
        return sess.run(tensor)


@pytest.fixture(params=["1.0", "1.1"])
def up_to_1_0(request):
    """Whether the program is known to be from 1.0 or before."""
    former = release.assume(request.param)
    yield request.param == "1.0"
    release.assume(former)


# what TensorFlow 1.0.1 and 1.1.0 gave
VARIED = {
    "Dirichlet": (lambda: ds.Dirichlet([1.5, 3.0, 2.0]), [0.0236686, -0.0142012, -0.0094675]),
    "MultivariateNormalDiag": (
        lambda: ds.MultivariateNormalDiag([1.0, 2.0, 3.0], [0.5, 1.0, 2.0]),
        [0.25, 0.0, 0.0],
    ),
    "Multinomial": (
        lambda: ds.Multinomial(4.0, logits=[0.3, 1.0, -1.0]),
        [0.8467982, -0.7458573, -0.1009408],
    ),
    "DirichletMultinomial": (
        lambda: ds.DirichletMultinomial(4.0, [0.3, 1.0, 2.0]),
        [0.5612147, -0.1870716, -0.3741431],
    ),
}


@pytest.mark.parametrize("name", VARIED)
def test_a_variance_of_several_numbers_was_the_covariance_up_to_1_0(name, up_to_1_0):
    make, first = VARIED[name]
    found, deviation = _value([make().variance(), make().stddev()])
    assert found.shape == deviation.shape == ((3, 3) if up_to_1_0 else (3,))
    np.testing.assert_allclose(found[0], first if up_to_1_0 else first[0], rtol=1e-5)
    assert np.ravel(deviation)[0] == pytest.approx(first[0] ** 0.5, rel=1e-5)


def test_the_mode_at_a_concentration_of_1_was_0_up_to_1_0(up_to_1_0):
    modes = _value(
        [ds.Exponential([0.5]).mode(), ds.Gamma([1.0, 3.0, 0.5], [2.0, 2.0, 2.0]).mode()]
    )
    first = 0.0 if up_to_1_0 else np.nan
    np.testing.assert_equal(modes[0], np.float32([first]))
    np.testing.assert_equal(modes[1], np.float32([first, 1.0, np.nan]))


def test_the_covariance_of_a_class_as_a_vector():
    made = ds.OneHotCategorical([0.3, 1.0, -1.0])
    variance, covariance = _value([made.variance(), made.covariance()])
    np.testing.assert_allclose(variance, [0.2116995, 0.2372818, 0.0760527], rtol=1e-5)  # 1.15.5
    np.testing.assert_allclose(covariance[0], [0.2116995, -0.1864643, -0.0252352], rtol=1e-5)
    np.testing.assert_allclose(np.diag(covariance), variance)
