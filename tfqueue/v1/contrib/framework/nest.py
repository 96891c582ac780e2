"""`tf.contrib.framework.nest`: `tf.nest`, and what was renamed in it."""

from tensorflow.python.util.nest import *  # noqa: F403
