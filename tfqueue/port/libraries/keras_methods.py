"""Importing this has Keras 2 do what the package keras did up to 2.2, and `tf.keras` up to some release: programs import it for that.

Loops put out their first state where a mask hides a time, `model.layers` is the list itself, and Keras's session begins with all
variables.
"""

from tfqueue.v1 import keras
from tfqueue.v1.keras import _attributes, _recurrent, _sessions

if keras.__version__.startswith("2."):  # not Keras 3, where tf_keras is missing
    _recurrent.put_out_states(lambda: True)
    _attributes.share_layers(lambda: True)
    _sessions.begin_with_all(lambda: True)
