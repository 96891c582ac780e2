"""Recurrent layers of `tf.keras`: their variables have the layer's name alone, as up to TensorFlow 1.15.

Since TensorFlow 2 the name of the cell stands between: `lstm/lstm_cell/kernel:0` for `lstm/kernel:0`. Checkpoints of
`tf.train.Saver` and programs that choose variables go by the name.
"""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

from tfqueue._tensorflow import patches


def install() -> None:
    """Has recurrent layers build their cells in the layer's scope."""
    for name in ("base_rnn", "stacked_rnn_cells"):
        module: Any = importlib.import_module(f"tf_keras.src.layers.rnn.{name}")
        module.backend = patches.copy_of(module.backend, name_scope=contextlib.nullcontext)
