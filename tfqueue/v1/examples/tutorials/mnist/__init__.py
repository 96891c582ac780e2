"""`tensorflow.examples.tutorials.mnist`: the data set's reader (`input_data`) and the tutorial's model (`mnist`)."""

from tfqueue.v1.examples.tutorials.mnist import input_data, mnist

__all__ = ["input_data", "mnist"]
