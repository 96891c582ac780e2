"""`tf.contrib.opt`: optimizers of scipy, of the family of Adam, with weight decay and moving averages.

`external` has the optimizers of scipy, `adam` the relatives of Adam, `decay` those with weight decay and LARS,
`averages` those with moving averages.
"""

from tfqueue.v1 import _lazy_names

_HERE = "tfqueue.contrib.opt"
_NAMES = {
    "adam": "AdaMaxOptimizer LazyAdamOptimizer NadamOptimizer",
    "averages": "MovingAverageOptimizer",
    "decay": (
        "AdamWOptimizer DecoupledWeightDecayExtension LARSOptimizer MomentumWOptimizer "
        "extend_with_decoupled_weight_decay"
    ),
    "external": "ExternalOptimizerInterface ScipyOptimizerInterface",
}
_ROWS = _lazy_names.rows_of(_HERE, _NAMES)

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
