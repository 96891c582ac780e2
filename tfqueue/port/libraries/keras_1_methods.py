"""Importing this gives layers and models the names and attributes that they had in Keras 1: programs that show it import this."""

from tfqueue import release
from tfqueue.port.libraries import keras_attributes

keras_attributes.of_keras_1()
release.assume_keras_1()
