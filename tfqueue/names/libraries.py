"""In which order functions of the day's libraries took their arguments, and names of Keras.

`libraries.txt` beside this module has a line for each function whose arguments have to be named today: its
name, the arguments that still may be given by position, a bar, and the others in the order that they had.
It was read from scikit-learn 0.19.2, scikit-image 0.14.5 and seaborn 0.9.0 beside today's
(`tests/port/libraries/record_arguments.py`). `KERAS_MODULES` are the modules that Keras 1 and 2 had,
`OPTIMIZERS` and `OTHER_RATES` optimizers that have changed.
"""

from __future__ import annotations

import functools
import pathlib

_LAYERS = "advanced_activations convolutional convolutional_recurrent core embeddings local merge"
_LAYERS += " noise normalization pooling recurrent wrappers"
_UTILS = "data_utils generic_utils io_utils layer_utils multi_gpu_utils np_utils training_utils vis_utils"
KERAS_MODULES = {
    **{f"layers.{name}": "layers" for name in _LAYERS.split()},
    **{f"utils.{name}": "utils" for name in _UTILS.split()},
    "backend.tensorflow_backend": "backend",
    "engine.base_layer": "layers",
    "engine.topology": "layers",
    "engine.training": "models",
    "engine": "layers",
    "objectives": "losses",
}
"""A module of Keras 2.2 below `keras`, which Keras 3 has not -> the one whose names they are."""

OPTIMIZERS = ("Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "RMSprop", "SGD")
"""The optimizers that took other arguments in Keras 2.2 and in `tf.keras` up to 1.12."""

OTHER_RATES = ("Adadelta", "Adagrad", "Adamax", "Nadam")
"""Those that began with another rate in Keras 2.2 than in `tf.keras`."""


@functools.cache
def orders() -> dict[str, str]:
    """The lines of the file.

    >>> orders()["sklearn.metrics.roc_curve"]
    'y_true y_score | pos_label sample_weight drop_intermediate'
    """
    text = pathlib.Path(__file__).with_name("libraries.txt").read_text("utf-8")
    return {dotted: order for dotted, _, order in (li.partition(" ") for li in text.splitlines())}
