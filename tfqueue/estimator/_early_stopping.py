"""Hooks that end a training early, by what its evaluations measured.

`tf.estimator.experimental` and `tf.contrib.estimator` share them. What was measured is read from the
summaries that an evaluation writes.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Session

_tf = _tensorflow.compat_v1()

_OFTEN = "eval_dir=None min_steps=0 run_every_secs=60 run_every_steps=None"
_Measured = list[tuple[int, float]]


def make_early_stopping_hook(
    estimator: Any,
    should_stop_fn: Callable[[], bool],
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """A hook that ends the training when a function says so.

    Args:
        should_stop_fn: Function of nothing: whether to stop.
        run_every_secs: Seconds from one call to the next. The first call is after the first step.
        run_every_steps: Steps in place of seconds.

    Raises:
        TypeError: If the first is no estimator, or the second no function.
        ValueError: If both seconds and steps are given.
    """
    if not hasattr(estimator, "eval_dir"):
        raise TypeError(
            f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
        )
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    if estimator.config.is_chief:
        return _Chief(should_stop_fn, run_every_secs, run_every_steps)
    return _Follower()


def read_eval_metrics(eval_dir: str) -> dict[int, dict[str, float]]:
    """What the evaluations in a folder measured.

    Args:
        eval_dir: The folder of their summaries.

    Returns:
        Dict from global step, in order, to a dict from name to value.
    """
    found: dict[int, dict[str, float]] = {}
    for path in _tf.gfile.Glob(os.path.join(eval_dir, "events.out.tfevents.*")):
        for event in _tf.train.summary_iterator(path):
            for value in event.summary.value:
                if value.HasField("simple_value"):
                    found.setdefault(event.step, {})[value.tag] = value.simple_value
    return dict(sorted(found.items()))


def _crossed(measured: _Measured, better: Any, threshold: float) -> bool:
    """Whether a value is beyond a threshold."""
    return any(better(value, threshold) for _, value in measured)


def _stale(measured: _Measured, better: Any, steps: int) -> bool:
    """Whether no value is better than one of at least so many steps before."""
    best: tuple[int, float] | None = None
    for step, value in measured:
        if best is None or better(value, best[1]):
            best = step, value
        if step - best[0] >= steps:
            return True
    return False


def _hook(judge: Callable[..., bool], better: Any, bound: Any, given: dict[str, Any]) -> Any:
    """The hook that calls a judge with the values of one metric."""
    folder = given["eval_dir"] or given["estimator"].eval_dir()

    def should_stop() -> bool:
        measured = [
            (step, values[given["metric_name"]])
            for step, values in read_eval_metrics(folder).items()
            if step >= given["min_steps"]
        ]
        return judge(measured, better, bound)

    every = (given["run_every_secs"], given["run_every_steps"])
    return make_early_stopping_hook(given["estimator"], should_stop, *every)


@takes(f"estimator metric_name threshold {_OFTEN}")
def stop_if_higher_hook(given: dict[str, Any]) -> Any:
    """A hook that ends the training once a metric is higher than a threshold.

    Args:
        metric_name: Name of the metric, `"loss"` or another that is evaluated.
        threshold: The number.
        eval_dir: Folder of the evaluations; the estimator's when None.
        min_steps: Evaluations before this step do not count.
        others: As for `make_early_stopping_hook`.
    """
    return _hook(_crossed, operator.gt, given["threshold"], given)


@takes(f"estimator metric_name threshold {_OFTEN}")
def stop_if_lower_hook(given: dict[str, Any]) -> Any:
    """A hook that ends the training once a metric is lower than a threshold; see `stop_if_higher_hook`."""
    return _hook(_crossed, operator.lt, given["threshold"], given)


@takes(f"estimator metric_name max_steps_without_increase {_OFTEN}")
def stop_if_no_increase_hook(given: dict[str, Any]) -> Any:
    """A hook that ends the training once a metric has not risen for some steps.

    Args:
        others: As for `stop_if_higher_hook`.
    """
    return _hook(_stale, operator.gt, given["max_steps_without_increase"], given)


@takes(f"estimator metric_name max_steps_without_decrease {_OFTEN}")
def stop_if_no_decrease_hook(given: dict[str, Any]) -> Any:
    """`stop_if_no_increase_hook` for a metric that is to fall: `max_steps_without_decrease`."""
    return _hook(_stale, operator.lt, given["max_steps_without_decrease"], given)


def _signal() -> Any:
    """The variable by which the chief tells the other workers to stop."""
    with _tf.variable_scope("signal_early_stopping", reuse=_tf.AUTO_REUSE):
        return _tf.get_variable(
            "STOP",
            shape=[],
            dtype=_tf.bool,
            initializer=_tf.constant_initializer(False),
            collections=[_tf.GraphKeys.GLOBAL_VARIABLES],
            trainable=False,
        )


class _Chief(_train.SessionRunHook):
    """Asks a function whether to stop, now and then, and tells the other workers."""

    def __init__(
        self, should_stop: Callable[[], bool], seconds: float | None, steps: int | None
    ) -> None:
        if not callable(should_stop):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop = should_stop
        self._timer = _train.SecondOrStepTimer(every_secs=seconds, every_steps=steps)

    def begin(self) -> None:
        self._step = _train.get_global_step()
        self._stop = _tf.assign(_signal(), True)

    def before_run(self, run_context: Any) -> Any:
        """Fetches the global step."""
        return _train.SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Asks, when it is time."""
        step = run_values.results
        if not self._timer.should_trigger_for_step(step):
            return
        self._timer.update_last_triggered_step(step)
        if self._should_stop():
            session: Session = run_context.session
            session.run(self._stop)
            run_context.request_stop()


class _Follower(_train.SessionRunHook):
    """Stops when the chief says so."""

    def begin(self) -> None:
        self._stop = _signal()

    def before_run(self, run_context: Any) -> Any:
        """Fetches the variable."""
        return _train.SessionRunArgs(self._stop)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stops."""
        if run_values.results:
            run_context.request_stop()
