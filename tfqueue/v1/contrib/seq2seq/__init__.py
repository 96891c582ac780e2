"""`tf.contrib.seq2seq`: its loss."""

from tfqueue.v1.contrib import _gone, _names

_ROWS = {
    "sequence_loss": "tfqueue.v1.contrib.seq2seq.losses:sequence_loss",
}

__getattr__ = _names.getter(__name__, _ROWS, _gone.SEQ2SEQ)
__dir__ = _names.lister(__name__, _ROWS)
