"""`tf.contrib.distributions`: what TensorFlow kept in `tf.distributions`, and the diagonal normal.

The parameters can be given by the names that they had up to 0.12 (`mu`, `sigma`, `p`), and the
methods of then (`pdf`, `log_pmf`, `sample_n`) are there.
"""

from tfqueue.v1 import _rows

_HERE = "tfqueue.contrib.distributions.families"
_UTIL = "tensorflow.python.ops.distributions.util"
_ROWS = {
    **{
        name: f"{_HERE}:{name}"
        for name in [
            "Bernoulli",
            "Beta",
            "Categorical",
            "Dirichlet",
            "DirichletMultinomial",
            "Exponential",
            "Gamma",
            "Laplace",
            "Multinomial",
            "MultivariateNormalDiag",
            "Normal",
            "StudentT",
            "Uniform",
        ]
    },
    **{
        name: f"tf:distributions.{name}"
        for name in [
            "Distribution",
            "FULLY_REPARAMETERIZED",
            "NOT_REPARAMETERIZED",
            "RegisterKL",
            "ReparameterizationType",
            "kl_divergence",
        ]
    },
    "kl": "tf:distributions.kl_divergence",  # up to 1.1
    "fill_triangular": f"{_UTIL}:fill_triangular",
    "fill_triangular_inverse": f"{_UTIL}:fill_triangular_inverse",
    "reduce_weighted_logsumexp": f"{_UTIL}:reduce_weighted_logsumexp",
    "softplus_inverse": f"{_UTIL}:softplus_inverse",
    "tridiag": f"{_UTIL}:tridiag",
}

__getattr__, __dir__ = _rows.attributes(__name__, _ROWS)
