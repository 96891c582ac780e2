"""`tf.contrib.model_pruning`: weights that are smallest become zero, more and more of them while a model trains.

`pruning` has the masks of weights and what changes them, `layers` two layers with such masks. `layers` needs the extra
`slim`.
"""

from tfqueue.v1 import _lazy_names

_ROWS = _lazy_names.rows_of(
    __name__,
    {
        "layers": "masked_conv2d masked_convolution masked_fully_connected",
        "pruning": (
            "Pruning apply_mask get_masked_weights get_masks get_pruning_hparams get_thresholds "
            "get_weight_sparsity get_weights"
        ),
    },
)

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
