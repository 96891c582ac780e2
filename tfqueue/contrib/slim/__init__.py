"""`tf.contrib.slim`: the package tf_slim, whose queue runners are ours here.

Needs the extra `slim`; without it the import says so.

`*` is tf_slim's module of that name with what had to change.
"""

from tfqueue.v1 import _lazy_names

_slim = _lazy_names.slim("tf_slim", "tf.contrib.slim")

globals().update(_lazy_names.mirror("tf_slim", "tf.contrib.slim"))

_HERE = "tfqueue.contrib.slim"
_ROWS = {
    **{name: f"{_HERE}.{name}" for name in ("evaluation", "learning", "queues")},
    **{
        name: f"{_HERE}.{name}"
        for name in ("dataset_data_provider", "parallel_reader", "prefetch_queue")
    },
    "initializers": "tf_slim.layers.initializers",
    "layers": "tf_slim.layers.layers",
    "losses": "tfqueue.contrib.losses",
    "nets": f"{__name__}.nets",
    "nn": "tf:nn",
    "regularizers": "tf_slim.layers.regularizers",
    "utils": "tf_slim.layers.utils",
    "variables": "tf_slim.ops.variables",
    # modules that TensorFlow 1's own imported, and that programs took from there
    **{name: f"tensorflow.python.ops.{name}" for name in ("embedding_ops", "sparse_ops")},
}
for _name in _ROWS:
    globals().pop(_name, None)  # tf_slim's own would be found first

# tf.contrib.slim had all that tf.contrib.layers had
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS, behind="tfqueue.contrib.layers")
