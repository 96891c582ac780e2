"""Names of TensorFlow 1 that are not brought back, with what to use for each, by their dotted names below `tf`.

Names that no row has, and that a release had, are in `ledger`. Beside them stands what needs Keras 2.
"""

from __future__ import annotations

from tfqueue.names import gone_contrib, ledger, modules
from tfqueue.names.sentence import Gone

_CANNED = "BoostedTreesClassifier BoostedTreesEstimator BoostedTreesRegressor"
GONE = [
    *(
        Gone(f"estimator.{name}", "2.16", "tf.estimator.Estimator with a model function")
        for name in _CANNED.split()
    ),
    Gone(
        "sdca",
        "1.2",
        "tf.train.sdca_optimizer with adaptative=False, tf.train.sdca_fprint, tf.train.sdca_shrink_l1",
    ),
    Gone(
        "nn.conv3d_backprop_input", "1.0", "tf.nn.conv3d_backprop_input_v2 with the input's shape"
    ),
    *(
        Gone(f"nn.{name}", "1.0", f"tf.raw_ops.{op}, whose results are a little higher since")
        for name, op in (
            ("quantized_bias_add", "QuantizedBiasAdd"),
            (
                "quantized_batch_norm_with_global_normalization",
                "QuantizedBatchNormWithGlobalNormalization",
            ),
        )
    ),
    Gone("learn", "1.0", "tfqueue.v1.contrib.learn has the parts input pipelines used"),
]
"""Names outside of `tf.contrib`."""

_KERAS = {
    "experimental.LinearCosineDecay": "tf.train.linear_cosine_decay",
    "experimental.NoisyLinearCosineDecay": "tf.train.noisy_linear_cosine_decay",
    "experimental.PeepholeLSTMCell": "tf.nn.rnn_cell.LSTMCell with use_peepholes=True",
    "experimental.export_saved_model": "tf.keras.models.save_model with save_format='tf'",
    "experimental.load_from_saved_model": "tf.keras.models.load_model",
    "experimental.terminate_keras_multiprocessing_pools": "nothing in its place: pools end by themselves",
    "metrics.cosine_similarity": "tf.keras.losses.cosine_similarity",
    "mixed_precision.experimental": "tf.train.experimental.enable_mixed_precision_graph_rewrite",
    "preprocessing.image.apply_transform": "tf.keras.preprocessing.image.apply_affine_transform",
    "preprocessing.image.flip_axis": "numpy.flip",
    "utils.HDF5Matrix": "a dataset of h5py",
}
KERAS = [Gone(f"keras.{name}", "2.16", use) for name, use in _KERAS.items()]
"""Names of `tf.keras` that its package, tf_keras, has no more."""

_SESSIONS = (
    "function get_session learning_phase learning_phase_scope manual_variable_initialization "
    "placeholder set_learning_phase set_session"
)
WITHOUT_KERAS_2 = (
    "Keras 2 is the package tf_keras, which is not installed: pip install 'tfqueue[keras]'"
)
"""The way out of Keras 3, for what only Keras 2 does."""
KERAS_2 = {
    name: Gone(f"keras.backend.{name}", "2.16", WITHOUT_KERAS_2) for name in _SESSIONS.split()
}
"""What `tf.keras.backend` held in TensorFlow 1 and not in Keras 3; gone only without tf_keras."""


def _below(path: str, rows: list[Gone]) -> list[Gone]:
    """The rows with their whole names."""
    return [row._replace(old=f"{path}.{row.old}") for row in rows]


BY_NAME = {
    row.old: row
    for row in [
        *GONE,
        *KERAS,
        *_below("contrib", gone_contrib.PACKAGES),
        *_below("contrib", modules.GONE),
        *(
            row
            for package, rows in gone_contrib.TABLES.items()
            for row in _below(f"contrib.{package}", rows)
        ),
    ]
}


def row_of(dotted: str) -> Gone | None:
    """The row of a name, or of what it stands below.

    Args:
        dotted: A dotted name below `tf`.

    >>> row_of("contrib.timeseries.python.timeseries").use[:15]
    'read the series'
    >>> row_of("contrib.learn.Estimator") is None
    True
    """
    while dotted:
        if dotted in BY_NAME:
            return BY_NAME[dotted]
        dotted = dotted.rpartition(".")[0]
    return None


def recorded(dotted: str) -> Gone | None:
    """A row for a name that a release of TensorFlow 1 had, though no table here says what to use.

    Args:
        dotted: A dotted name below `tf`.

    >>> recorded("contrib.learn.dataframe.Series")
    Gone(old='contrib.learn.dataframe.Series', removed='1.0', use='nothing here stands for it')
    >>> recorded("no.such_name") is None
    True
    """
    entries = ledger.find(dotted)
    if not entries:
        return None
    removed = entries[-1].release if entries[-1].kind == "gone" else "2.0"
    return Gone(dotted, removed, "nothing here stands for it")
