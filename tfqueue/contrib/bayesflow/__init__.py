"""`tf.contrib.bayesflow`: distributions whose samples stand in a graph, and losses of them.

`stochastic_tensor` has the tensors that stand for a distribution, `stochastic_graph` the loss of a graph with such,
`stochastic_gradient_estimators` its terms, `variational_inference` the bound that variational autoencoders maximize,
`monte_carlo` and `entropy` what is estimated of samples.
"""

from tfqueue.v1 import _lazy_names

_MODULES = (
    "entropy monte_carlo stochastic_gradient_estimators stochastic_graph stochastic_tensor "
    "variational_inference"
)
_ROWS = {
    **{name: f"{__name__}.{name}" for name in _MODULES.split()},
    "special_math": "tensorflow.python.ops.distributions.special_math",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
