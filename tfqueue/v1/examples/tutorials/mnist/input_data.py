"""`tensorflow.examples.tutorials.mnist.input_data`: MNIST from four files.

The releases differ in what they kept here beside `read_data_sets`; this has
all of it.
"""

from tfqueue.v1 import _lazy_names

_DATASETS = "tfqueue.contrib.learn.datasets"
_ROWS = {
    "maybe_download": f"{_DATASETS}.base:maybe_download",
    **{
        name: f"{_DATASETS}.mnist:{name}"
        for name in (
            "DataSet",
            "dense_to_one_hot",
            "extract_images",
            "extract_labels",
            "read_data_sets",
        )
    },
}
__all__ = sorted(_ROWS)

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
