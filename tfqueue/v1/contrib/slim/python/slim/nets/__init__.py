"""Where TensorFlow 1.15 had the networks of `tf.contrib.slim`."""

from tfqueue.v1.contrib.slim import nets as _nets


def __getattr__(name):
    return getattr(_nets, name)
