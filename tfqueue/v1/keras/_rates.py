"""What a `LearningRateScheduler` gives its schedule: the epoch alone, or the rate, too.

Keras 1, Keras 2.0 and `tf.keras` up to 1.9 called `schedule(epoch)`. Keras 2.1 gave the rate as `lr`, where the schedule takes
that name; Keras 2.2 and `tf.keras` since 1.10 give it as the second argument, whatever its name.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable
from typing import Any

from tfqueue import release
from tfqueue.v1 import _call_forms

_told: set[str] = set()


def install() -> None:
    """Has `LearningRateScheduler` call its schedule as in the program's release."""
    scheduler: Any = importlib.import_module("tf_keras.src.callbacks").LearningRateScheduler
    scheduler.on_epoch_begin = _as_in_its_release(scheduler.on_epoch_begin)
    scheduler.on_epoch_end = _with_the_rate(scheduler.on_epoch_end)


def _as_in_its_release(begin: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(begin)
    def on_epoch_begin(self: Any, epoch: int, logs: Any = None) -> None:
        schedule = self.schedule
        if _takes_the_epoch_alone(schedule):
            self.schedule = lambda epoch, *rate: schedule(epoch)
        try:
            begin(self, epoch, logs)
        finally:
            self.schedule = schedule

    return on_epoch_begin


def _with_the_rate(end: Callable[..., Any]) -> Callable[..., Any]:
    """`logs["lr"]` at the end of an epoch, which was not there up to 1.12 and in Keras 1."""

    @functools.wraps(end)
    def on_epoch_end(self: Any, epoch: int, logs: Any = None) -> None:
        if not (_call_forms.reaches("1.12") or release.shows_keras_1()):
            end(self, epoch, logs)

    return on_epoch_end


def _takes_the_epoch_alone(schedule: Callable[..., Any]) -> bool:
    """Whether a schedule is called as `schedule(epoch)`.

    With the package keras a second argument whose default is text is no rate. Where it is a number, Keras 2.0 left it there: that the
    rate is given is said once.
    """
    try:
        signature = inspect.signature(schedule)
        signature.bind(0)
    except (TypeError, ValueError):  # it must have the rate, or is a builtin
        return False
    if release.shows_keras_1() or not release.imports_keras():
        return release.shows_keras_1() or _call_forms.reaches("1.9")
    taken = [*signature.parameters.values(), None, None][1]
    if taken is None or taken.kind is not taken.POSITIONAL_OR_KEYWORD:
        return False
    if isinstance(taken.default, str):
        return True
    if isinstance(taken.default, int | float) and taken.name not in _told:
        _told.add(taken.name)
        sys.stderr.write(
            f"tfqueue: LearningRateScheduler gives its schedule the rate for {taken.name}, as Keras 2.2 did; "
            f"Keras 2.0 left it at {taken.default}\n"
        )
    return False
