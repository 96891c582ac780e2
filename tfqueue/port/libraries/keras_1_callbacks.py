"""Callbacks of Keras 1, which counted epochs otherwise up to 2.0.8. Translated programs that show Keras 1 import them."""

from __future__ import annotations

from typing import Any

import tfqueue.v1 as _tf
from tfqueue.port.libraries import keras_1

_callbacks: Any = _tf.keras.callbacks


class EarlyStopping(_callbacks.EarlyStopping):  # type: ignore[misc]
    """Stands for ``keras.callbacks.EarlyStopping``, which waited for one epoch more than its `patience`."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        keras_1.tell("EarlyStopping", "EarlyStopping waits for one epoch more than its patience")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Counts an epoch without progress, or stops."""
        self.patience += 1
        try:
            super().on_epoch_end(epoch, logs)
        finally:
            self.patience -= 1


class ReduceLROnPlateau(_callbacks.ReduceLROnPlateau):  # type: ignore[misc]
    """Stands for ``keras.callbacks.ReduceLROnPlateau``, which after progress waited for one epoch more than its `patience`."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        keras_1.tell("ReduceLROnPlateau", "ReduceLROnPlateau waits for one epoch more at first")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Counts an epoch without progress, or makes the rate smaller."""
        rate = self._rate()
        self.patience += 1
        try:
            super().on_epoch_end(epoch, logs)
        finally:
            self.patience -= 1
        if self._rate() != rate:
            self.wait = 1

    def _rate(self) -> float:
        return float(_tf.keras.backend.get_value(self.model.optimizer.lr))


class ModelCheckpoint(_callbacks.ModelCheckpoint):  # type: ignore[misc]
    """Stands for ``keras.callbacks.ModelCheckpoint``, which counted epochs from 0 in the names of its files."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        keras_1.tell("ModelCheckpoint", "the files of ModelCheckpoint are counted from 0")

    def _get_file_path(self, epoch: int, *args: Any, **words: Any) -> Any:
        return super()._get_file_path(epoch - 1, *args, **words)
