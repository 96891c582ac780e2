"""Where TensorFlow 1.15 had the modules of `tf.contrib.learn`; its names are here too."""

from tfqueue.v1.contrib import learn as _learn


def __getattr__(name):
    return getattr(_learn, name)
