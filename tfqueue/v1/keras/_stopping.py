"""`EarlyStopping` as it was up to TensorFlow 1.15 and in Keras 2.2, when it ended a training elsewhere.

* What is better is more than `baseline` from the beginning on, and not more than the first epoch.
* The first epoch may be the last: where the monitored value is nan, too.
* `restore_best_weights` sets weights where it stops; a training that comes to its end keeps its last ones.
* A monitored value with "acc" in its name is to grow, and any other to fall, "val_auc" among them.
"""

from __future__ import annotations

import functools
import importlib
import sys
from typing import Any

import numpy as np


def install() -> None:
    """Has `EarlyStopping` end a training where it did."""
    stopping: Any = importlib.import_module("tf_keras.src.callbacks").EarlyStopping
    begin = stopping.__init__

    @functools.wraps(begin)
    def __init__(self: Any, *args: Any, **words: Any) -> None:
        begin(self, *args, **words)
        mode = words.get("mode", [*args, *[None] * 5][4])
        if mode not in ("min", "max"):
            grows = "acc" in self.monitor
            self.monitor_op = np.greater if grows else np.less
            self.min_delta = abs(self.min_delta) if grows else -abs(self.min_delta)

    stopping.__init__ = __init__
    stopping.on_train_begin = _begin
    stopping.on_epoch_end = _end_epoch
    stopping.on_train_end = _end


def _begin(self: Any, logs: Any = None) -> None:
    self.wait = self.stopped_epoch = 0
    self.best = np.inf if self.monitor_op == np.less else -np.inf
    if self.baseline is not None:
        self.best = self.baseline


def _end_epoch(self: Any, epoch: int, logs: Any = None) -> None:
    current = self.get_monitor_value(logs)
    if current is None or epoch < self.start_from_epoch:
        return
    if self.monitor_op(current - self.min_delta, self.best):
        self.best, self.wait = current, 0
        if self.restore_best_weights:
            self.best_weights = self.model.get_weights()
        return
    self.wait += 1
    if self.wait < self.patience:
        return
    self.stopped_epoch = epoch
    self.model.stop_training = True
    if self.restore_best_weights and self.best_weights is not None:
        if self.verbose > 0:
            sys.stdout.write("Restoring model weights from the end of the best epoch\n")
        self.model.set_weights(self.best_weights)


def _end(self: Any, logs: Any = None) -> None:
    if self.stopped_epoch > 0 and self.verbose > 0:
        sys.stdout.write(f"Epoch {self.stopped_epoch + 1:05d}: early stopping\n")
