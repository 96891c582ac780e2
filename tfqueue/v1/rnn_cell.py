"""`tf.nn.rnn_cell`: the recurrent cells, without Keras 3 in the way.

TensorFlow still carries them and hides them where Keras 3 is installed. The
functions that run them (`tf.nn.dynamic_rnn` and its like) never left.
"""

import functools
import inspect
import warnings

from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl as _cells

DeviceWrapper = _cells.DeviceWrapper
DropoutWrapper = _cells.DropoutWrapper
LSTMStateTuple = _cells.LSTMStateTuple
LayerRNNCell = _cells.LayerRNNCell
MultiRNNCell = _cells.MultiRNNCell
RNNCell = _cells.RNNCell
ResidualWrapper = _cells.ResidualWrapper


def _quiet(original):
    """A subclass of `original` under its name, which is made without a warning."""
    make = original.__init__

    @functools.wraps(make)
    def __init__(self, *args, **kwargs):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"`tf\.nn\.rnn_cell\.", UserWarning)
            make(self, *args, **kwargs)

    return type(
        original.__name__,  # of which a variable's name is made
        (original,),
        {
            "__module__": __name__,
            "__doc__": f"The cell `tf.nn.rnn_cell.{original.__name__}` of TensorFlow 1.\n",
            "__signature__": inspect.signature(original),
            "__init__": __init__,
        },
    )


BasicLSTMCell = _quiet(_cells.BasicLSTMCell)
BasicRNNCell = _quiet(_cells.BasicRNNCell)
GRUCell = _quiet(_cells.GRUCell)
LSTMCell = _quiet(_cells.LSTMCell)

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
