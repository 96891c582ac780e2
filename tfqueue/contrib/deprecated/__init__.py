"""`tf.contrib.deprecated`: the summaries of up to 0.12, under the name that 1.0 to 1.15 had for them."""

from tfqueue.v1 import _lazy_names

_ROWS = {
    name: f"tf:{name}"
    for name in (
        "audio_summary",
        "histogram_summary",
        "image_summary",
        "merge_all_summaries",
        "merge_summary",
        "scalar_summary",
    )
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
