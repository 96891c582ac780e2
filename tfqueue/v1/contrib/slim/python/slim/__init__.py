"""Where TensorFlow 1.15 had the modules of `tf.contrib.slim`; its names are here too."""

from tfqueue.v1.contrib import slim as _slim


def __getattr__(name):
    return getattr(_slim, name)
