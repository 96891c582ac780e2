"""Importing this has loops put out their first state where a mask hides a time, as in Keras 2.2; programs that import keras import it for that."""

from tfqueue.v1 import keras
from tfqueue.v1.keras import _recurrent

if keras.__version__.startswith("2."):  # not Keras 3, where tf_keras is missing
    _recurrent.put_out_states(lambda: True)
