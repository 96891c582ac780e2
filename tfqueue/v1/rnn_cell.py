"""`tf.nn.rnn_cell`: the recurrent cells, without Keras 3 in the way.

TensorFlow still carries them and hides them where Keras 3 is installed. The
functions that run them (`tf.nn.dynamic_rnn` and its like) never left.
"""

import functools
import logging
import warnings

from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl as _cells

from tfqueue.v1 import quiet


def _is_no_reproach(record):
    """Whether a line of the log says more than that a class is old."""
    return "is deprecated. This class is equivalent" not in record.getMessage()


def _in_silence(original):
    """`original.__init__` without the warning that the class is old."""
    make = original.__init__

    @functools.wraps(make)
    def __init__(self, *args, **kwargs):
        logger = logging.getLogger("tensorflow")
        logger.addFilter(_is_no_reproach)
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", r"`tf\.nn\.rnn_cell\.", UserWarning)
                make(self, *args, **kwargs)
        finally:
            logger.removeFilter(_is_no_reproach)

    return __init__


def _cell(original, base):
    return quiet.subclass(
        original, "cell tf.nn.rnn_cell.", __name__, base, __init__=_in_silence(original)
    )


RNNCell = _cell(_cells.RNNCell, quiet.Quiet)
LayerRNNCell = _cell(_cells.LayerRNNCell, RNNCell)
BasicLSTMCell = _cell(_cells.BasicLSTMCell, LayerRNNCell)
BasicRNNCell = _cell(_cells.BasicRNNCell, LayerRNNCell)
GRUCell = _cell(_cells.GRUCell, LayerRNNCell)
LSTMCell = _cell(_cells.LSTMCell, LayerRNNCell)
MultiRNNCell = _cell(_cells.MultiRNNCell, RNNCell)
DeviceWrapper = _cell(_cells.DeviceWrapper, RNNCell)
DropoutWrapper = _cell(_cells.DropoutWrapper, RNNCell)
ResidualWrapper = _cell(_cells.ResidualWrapper, RNNCell)
LSTMStateTuple = _cells.LSTMStateTuple

__all__ = [
    "BasicLSTMCell",
    "BasicRNNCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "GRUCell",
    "LSTMCell",
    "LSTMStateTuple",
    "MultiRNNCell",
    "RNNCell",
    "ResidualWrapper",
]
