"""`tf.contrib.slim.nets`: the networks that tf_slim has."""

from tfqueue.v1 import _lazy_names

_lazy_names.slim("tf_slim.nets", "tf.contrib.slim.nets")
_ROWS = {
    name: f"tf_slim.nets.{name}"
    for name in (
        "alexnet",
        "inception",
        "inception_v1",
        "inception_v2",
        "inception_v3",
        "overfeat",
        "resnet_utils",
        "resnet_v1",
        "resnet_v2",
        "vgg",
    )
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
