"""`tensorflow.models.rnn.ptb`, of which `reader` is here."""

from tfqueue.v1.models.rnn.ptb import reader

__all__ = ["reader"]
