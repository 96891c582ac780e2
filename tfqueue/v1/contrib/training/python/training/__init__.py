"""Where TensorFlow 1.15 had the modules of `tf.contrib.training`; its names are here too."""

from tfqueue.v1.contrib import training as _training


def __getattr__(name):
    return getattr(_training, name)
