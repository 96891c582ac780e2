"""`tf.contrib.metrics`: the set operations of `tf.sets`; the rest is tf_slim's (extra `slim`)."""

from tfqueue.v1 import _lazy_names

_ROWS = {
    "confusion_matrix": "tf:confusion_matrix",
    "set_difference": "tf:sets.difference",
    "set_intersection": "tf:sets.intersection",
    "set_size": "tf:sets.size",
    "set_union": "tf:sets.union",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS, behind="tf_slim.metrics")
