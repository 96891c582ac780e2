"""Importing this has Keras 2 do what the package keras did up to 2.2, and `tf.keras` up to some release: programs import it for that.

Loops put out their first state where a mask hides a time, `model.layers` is the list itself, Keras's session begins with all
variables, and a batch counts as often as it has examples.
"""

from tfqueue import release

release.assume_keras()
