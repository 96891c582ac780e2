"""`tf.contrib.distributions`: what TensorFlow kept in `tf.distributions`, and most of the others.

The parameters can be given by the names that they had up to 0.12 (`mu`, `sigma`, `p`), and the
old methods (`pdf`, `log_pmf`, `sample_n`) are there.

`families` has the distributions of `tf.distributions`, `vectors` those of vectors and `scalars` those of numbers that
TensorFlow no longer has; `statistics` has what is computed of a sample.
"""

from tfqueue.v1 import _lazy_names

_FAMILIES = (
    "Bernoulli Beta Categorical Dirichlet DirichletMultinomial Exponential Gamma Laplace "
    "Multinomial MultivariateNormalDiag Normal StudentT Uniform"
)
_VECTORS = (
    "Mixture MixtureSameFamily MultivariateNormalDiagWithSoftplusScale MultivariateNormalFullCovariance "
    "MultivariateNormalTriL OneHotCategorical RelaxedOneHotCategorical"
)
_SCALARS = (
    "Binomial Cauchy Chi2 Chi2WithAbsDf Deterministic Geometric HalfNormal Independent InverseGamma Logistic "
    "NegativeBinomial Poisson RelaxedBernoulli"
)
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
_UTIL = "tensorflow.python.ops.distributions.util"
_ROWS = {
    **{name: f"tfqueue.contrib.distributions.families:{name}" for name in _FAMILIES.split()},
    **{name: f"tfqueue.contrib.distributions.vectors:{name}" for name in _VECTORS.split()},
    **{name: f"tfqueue.contrib.distributions.scalars:{name}" for name in _SCALARS.split()},
    **{
        name: f"tensorflow.python.ops.distributions.{home}:{name}"
        for home, name in _SOFTPLUS.items()
    },
    **{name: f"tf:distributions.{name}" for name in _KEPT.split()},
    "kl": "tf:distributions.kl_divergence",  # up to 1.1
    "fill_triangular": f"{_UTIL}:fill_triangular",
    "fill_triangular_inverse": f"{_UTIL}:fill_triangular_inverse",
    "percentile": "tfqueue.contrib.distributions.statistics:percentile",
    "reduce_weighted_logsumexp": f"{_UTIL}:reduce_weighted_logsumexp",
    "softplus_inverse": f"{_UTIL}:softplus_inverse",
    "tridiag": f"{_UTIL}:tridiag",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
