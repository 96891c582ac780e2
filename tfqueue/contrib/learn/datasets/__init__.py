"""`tf.contrib.learn.datasets`: `base` and `mnist`."""

from tfqueue.contrib.learn.datasets import base, mnist
from tfqueue.v1 import _lazy_names

load_mnist = mnist.load_mnist

__getattr__, __dir__ = _lazy_names.attributes(__name__, {})
__all__ = ["base", "load_mnist", "mnist"]
