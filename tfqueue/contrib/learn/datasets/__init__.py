"""`tf.contrib.learn.datasets`: `base` and `mnist`."""

from tfqueue.contrib.learn.datasets import base, mnist
from tfqueue.names.moved import Gone
from tfqueue.v1 import _rows

load_mnist = mnist.load_mnist

_SCIKIT = [
    Gone("load_iris", "2.0", "sklearn.datasets.load_iris"),
    Gone("load_boston", "2.0", "sklearn.datasets.fetch_openml('boston')"),
    Gone("load_dataset", "2.0", "sklearn.datasets"),
    Gone("make_dataset", "2.0", "sklearn.datasets"),
    Gone("synthetic", "2.0", "sklearn.datasets"),
    Gone("text_datasets", "2.0", "the package tensorflow-datasets"),
]

__getattr__ = _rows.getter(__name__, {}, _SCIKIT)
__all__ = ["base", "load_mnist", "mnist"]
