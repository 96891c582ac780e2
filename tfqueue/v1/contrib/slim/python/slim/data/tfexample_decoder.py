"""`tf.contrib.slim.tfexample_decoder`, which is tf_slim's `tf_slim.data.tfexample_decoder`."""

from tfqueue.v1.contrib import _names

globals().update(
    _names.mirror("tf_slim.data.tfexample_decoder", "tf.contrib.slim.tfexample_decoder")
)
