"""`tf.contrib` as far as queue-fed input pipelines and their little models went.

Nothing is loaded before it is used. What TensorFlow has kept under another name
is that (rows, see `_names`); slim, layers and their like are the package
tf_slim, which the extra `slim` brings; the rest is written anew. What is not
brought back ends in one sentence that says what to use (`_gone`).
"""

from tfqueue.names import contrib as _gone
from tfqueue.v1 import _rows

PARTS = (
    "compiler",
    "crf",
    "data",
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

__getattr__ = _rows.getter(__name__, {}, _gone.PACKAGES, PARTS)
__all__ = sorted(PARTS)


def __dir__():
    return list(__all__)
