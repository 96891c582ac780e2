"""`tf.contrib.distributions`: what TensorFlow kept in `tf.distributions`, and most of the others.

The parameters can be given by the names that they had up to 0.12 (`mu`, `sigma`, `p`), and the
old methods (`pdf`, `log_pmf`, `sample_n`) are there.

`families` has the distributions of `tf.distributions`, `vectors` those of vectors and `scalars` those of numbers that
TensorFlow no longer has; `statistics` has what is computed of a sample.
"""

from tfqueue.v1 import _lazy_names

_OURS = {
    "families": (
        "Bernoulli Beta Categorical Dirichlet DirichletMultinomial Exponential Gamma Laplace "
        "Multinomial MultivariateNormalDiag Normal StudentT Uniform"
    ),
    "scalars": (
        "Binomial Cauchy Chi2 Chi2WithAbsDf Deterministic Geometric HalfNormal Independent "
        "InverseGamma Logistic NegativeBinomial Poisson RelaxedBernoulli"
    ),
    "statistics": "percentile",
    "vectors": (
        "Mixture MixtureSameFamily MultivariateNormalDiagWithSoftplusScale "
        "MultivariateNormalFullCovariance MultivariateNormalTriL OneHotCategorical "
        "RelaxedOneHotCategorical"
    ),
}
_SOFTPLUS = {
    "beta": "BetaWithSoftplusConcentration",
    "exponential": "ExponentialWithSoftplusRate",
    "gamma": "GammaWithSoftplusConcentrationRate",
    "laplace": "LaplaceWithSoftplusScale",
    "normal": "NormalWithSoftplusScale",
    "student_t": "StudentTWithAbsDfSoftplusScale",
}
_KEPT = (
    "Distribution FULLY_REPARAMETERIZED NOT_REPARAMETERIZED RegisterKL ReparameterizationType "
    "kl_divergence"
)
_UTIL = "fill_triangular fill_triangular_inverse reduce_weighted_logsumexp softplus_inverse tridiag"
_ROWS = {
    **_lazy_names.rows_of(__name__, _OURS),
    **{name: f"tf:distributions.{name}" for name in _KEPT.split()},
    **_lazy_names.rows_of("tensorflow.python.ops.distributions", {"util": _UTIL, **_SOFTPLUS}),
    "kl": "tf:distributions.kl_divergence",  # up to 1.1
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
