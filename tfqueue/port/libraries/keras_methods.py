"""Importing this has Keras 2 do what the package keras did up to 2.2, and `tf.keras` up to some release: programs import it for that.

Loops put out their first state where a mask hides a time, `model.layers` is the list itself, Keras's session begins with all
variables, a batch counts as often as it has examples, layers take the arguments of Keras 1 (`keras_words`) and call methods of a class derived from
them (`keras_pooling`), and models have some attributes more (`keras_attributes`).
`keras.engine` is found at run time, too (`keras_parts`).
"""

import tfqueue.v1.keras as _keras
from tfqueue import release
from tfqueue.port.libraries import keras_attributes, keras_parts
from tfqueue.port.libraries import (  # noqa: F401 - for what importing them does
    keras_pooling as _keras_pooling,
)
from tfqueue.port.libraries import keras_words as _keras_words  # noqa: F401

release.assume_keras()
keras_attributes.of_all()
vars(_keras).update(keras_parts.HOMES)
