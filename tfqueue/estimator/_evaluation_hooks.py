"""Hooks of `tf.estimator.experimental` that evaluate while training, or end it with the chief's last checkpoint."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable
from typing import Any

from tensorflow.python.training import training_util

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.v1 import train as _train
from tfqueue.v1._types import Estimator, Hook, Scaffold, Session

_tf = _tensorflow.compat_v1()


class InMemoryEvaluatorHook(_train.SessionRunHook):
    """Evaluates a model while it trains, without a checkpoint between (`InMemoryEvaluatorHook`).

    It does so before the first step, after each `every_n_iter`th, and at the end.

    Args:
        estimator: The estimator that trains, on one machine.
        input_fn: As for its `evaluate`.
        steps: As there.
        hooks: As there.
        name: As there.
        every_n_iter: int, steps from one evaluation to the next.

    Raises:
        ValueError: If `every_n_iter` is not above 0, or there are more machines.
    """

    def __init__(
        self,
        estimator: Estimator,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Iterable[Hook] | None = None,
        name: str | None = None,
        every_n_iter: int = 100,
    ) -> None:
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if estimator.config.num_ps_replicas > 0 or estimator.config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluator supports only single machine (aka Local) setting.")
        self._estimator, self._input_fn, self._steps = estimator, input_fn, steps
        self._hooks, self._folder = list(hooks or ()), estimator.eval_dir(name)
        self._timer = _train.SecondOrStepTimer(every_steps=every_n_iter)

    def begin(self) -> None:
        """Builds the graph of the evaluations."""
        self._timer.reset()
        self._done = 0
        self._graph = self._estimator._graph()
        with self._graph.as_default():
            hooks = list(self._hooks)
            read = functools.partial(
                self._estimator._read, self._input_fn, _estimator.ModeKeys.EVAL, hooks
            )
            self._measures = self._estimator._measures(read, hooks)
            scaffold = self._measures.scaffold
            for custom in ("saver", "init_fn"):
                if getattr(scaffold, custom, None) is not None:
                    raise ValueError(f"InMemoryEvaluator does not support custom {custom}")

    def after_create_session(self, session: Session, coord: Any) -> None:
        """Evaluates before the first step."""
        if _tf.get_collection(_tf.GraphKeys.SAVEABLE_OBJECTS):
            raise ValueError(
                "InMemoryEvaluator does not support saveables other than global variables."
            )
        trained = {variable.name: variable for variable in _tf.global_variables()}
        with self._graph.as_default():
            both = [each for each in _tf.global_variables() if each.name in trained]
            self._trained = {each.name: trained[each.name] for each in both}
            self._fed = {each.name: _tf.placeholder(each.dtype.base_dtype) for each in both}
            copies = [_tf.assign(each, self._fed[each.name], validate_shape=False) for each in both]
            self._copy = _tf.group(*copies)
        self._evaluate(session)

    def _evaluate(self, session: Session) -> None:
        values = session.run(self._trained)
        feeds = {self._fed[name]: value for name, value in values.items()}

        def copy(_: Scaffold, evaluating: Session) -> None:
            evaluating.run(self._copy, feeds)

        with self._graph.as_default():
            given = self._measures.scaffold or _train.Scaffold()
            scaffold = _train.Scaffold(init_fn=copy, copy_from_scaffold=given)
            evaluating = self._estimator._session(scaffold, None, self._measures.hooks)
            self._estimator._measured(self._measures, evaluating, self._steps, self._folder)
        self._timer.update_last_triggered_step(self._done)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Evaluates when it is time."""
        self._done += 1
        if self._timer.should_trigger_for_step(self._done):
            self._evaluate(run_context.session)

    def end(self, session: Session) -> None:
        """Evaluates after the last step."""
        self._evaluate(session)


class _StopAtCheckpoint(_train.SessionRunHook):
    """Stops once a checkpoint has the last step, for machines that do not write it."""

    def __init__(self, model_dir: str, last_step: int, seconds: float) -> None:
        if last_step is None:
            raise ValueError("last_step must be specified.")
        self._model_dir, self._last_step, self._seconds = model_dir, last_step, seconds

    def begin(self) -> None:
        self._step = training_util._get_or_create_global_step_read()  # as it is before the step

    def before_run(self, run_context: Any) -> Any:
        """Fetches the global step."""
        return _train.SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Looks for the checkpoint, where the last step is reached; waits where it is not there yet."""
        if run_values.results + 1 < self._last_step:
            return
        found = _train.latest_checkpoint(self._model_dir)
        step = int(_train.load_variable(found, "global_step")) if found else 0
        if step >= self._last_step:
            run_context.request_stop()
        else:
            time.sleep(self._seconds)


def make_stop_at_checkpoint_step_hook(
    estimator: Estimator, last_step: int, wait_after_file_check_secs: float = 30
) -> Hook:
    """A hook that ends the training when the chief's checkpoint has the last step.

    `tf.estimator.experimental.make_stop_at_checkpoint_step_hook` of TensorFlow 1.

    Args:
        last_step: int, the global step.
        wait_after_file_check_secs: Seconds that other machines than the chief wait where the
            checkpoint is not there yet.

    Raises:
        ValueError: If there is no last step.
    """
    if estimator.config.is_chief:
        return _train.StopAtStepHook(last_step=last_step)
    return _StopAtCheckpoint(estimator.model_dir, last_step, wait_after_file_check_secs)
