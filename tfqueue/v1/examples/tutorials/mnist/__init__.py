"""`tensorflow.examples.tutorials.mnist`: the data set's reader and the tutorial's model."""

from tfqueue.v1.examples.tutorials.mnist import input_data, mnist

__all__ = ["input_data", "mnist"]
