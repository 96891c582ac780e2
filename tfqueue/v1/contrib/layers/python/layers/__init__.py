"""Where TensorFlow 1.15 had the modules of `tf.contrib.layers`; its names are here too."""

from tfqueue.v1.contrib import layers as _layers


def __getattr__(name):
    return getattr(_layers, name)
