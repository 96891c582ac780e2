"""`tf.contrib.session_bundle`: models for serving as they were written before SavedModels.

`exporter` writes such a bundle, `session_bundle` loads one; `manifest_pb2` has the messages in it, `constants` the
names, `gc` decides which of many bundles stay.
"""

from tfqueue.v1 import _lazy_names

_ROWS = {
    name: f"{__name__}.{name}"
    for name in ("constants", "exporter", "gc", "manifest_pb2", "session_bundle")
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
