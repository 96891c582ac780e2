"""`tf.contrib` as far as queue-fed input pipelines and their little models went.

Nothing is loaded before it is used. What TensorFlow has kept under another name
is that (rows, see `tfqueue.v1._rows`); slim, layers and their like are the package
tf_slim, which the extra `slim` brings; the rest is written anew. What is not
brought back ends in one sentence that says what to use (`tfqueue.names.contrib`).
"""

from tfqueue.v1 import _rows

PARTS = (
    "compiler",
    "crf",
    "data",
    "deprecated",
    "distributions",
    "framework",
    "layers",
    "image",
    "input_pipeline",
    "keras",
    "learn",
    "legacy_seq2seq",
    "linalg",
    "lookup",
    "losses",
    "metrics",
    "nn",
    "predictor",
    "rnn",
    "seq2seq",
    "signal",
    "slim",
    "staging",
    "tensorboard",
    "tfprof",
    "tpu",
    "training",
    "util",
)
"""What there is."""

__getattr__, __dir__ = _rows.attributes(__name__, {part: f"{__name__}.{part}" for part in PARTS})
__all__ = sorted(PARTS)
