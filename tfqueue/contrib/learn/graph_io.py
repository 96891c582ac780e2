"""`tf.contrib.learn.io.graph_io`: from a file pattern to batches in one call.

Built of our own producers, batching and runners, under TensorFlow 1.15's names
and arguments.
"""

from tfqueue.contrib.learn.examples_io import (
    KEY_FEATURE_NAME,
    read_batch_examples,
    read_keyed_batch_examples,
    read_keyed_batch_examples_shared_queue,
)
from tfqueue.contrib.learn.features_io import (
    queue_parsed_features,
    read_batch_features,
    read_batch_record_features,
    read_keyed_batch_features,
    read_keyed_batch_features_shared_queue,
)
from tfqueue.v1 import _lazy_names

__all__ = [
    "KEY_FEATURE_NAME",
    "queue_parsed_features",
    "read_batch_examples",
    "read_batch_features",
    "read_batch_record_features",
    "read_keyed_batch_examples",
    "read_keyed_batch_examples_shared_queue",
    "read_keyed_batch_features",
    "read_keyed_batch_features_shared_queue",
]

__getattr__ = _lazy_names.attributes(__name__, {"utils": "tensorflow.python.layers.utils"})[0]
