"""`tensorflow.examples.tutorials.mnist.input_data`: MNIST from four files.

The releases differ in what they kept here beside `read_data_sets`; this has
all of it.
"""

from tfqueue.v1.contrib.learn.datasets.base import maybe_download
from tfqueue.v1.contrib.learn.datasets.mnist import (
    DataSet,
    dense_to_one_hot,
    extract_images,
    extract_labels,
    read_data_sets,
)

__all__ = [
    "DataSet",
    "dense_to_one_hot",
    "extract_images",
    "extract_labels",
    "maybe_download",
    "read_data_sets",
]
