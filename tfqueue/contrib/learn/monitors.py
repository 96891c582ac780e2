"""`tf.contrib.learn.monitors`: monitors of training, in addition to the hooks of `tf.train`."""

import copy
import time
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Estimator

_tf = _tensorflow.compat_v1()

__getattr__, __dir__ = _lazy_names.attributes(__name__, {})
__all__ = ["ValidationMonitor"]


class ValidationMonitor(_train.SessionRunHook):
    """Evaluates an estimator's new checkpoints (`tf.contrib.learn.monitors.ValidationMonitor`).

    It looks for one every `every_n_steps`; so a `RunConfig` that
    saves often lets it evaluate often. It may end the training when a metric gets no better.

    Args:
        every_n_steps: int, steps from one look to the next.
        early_stopping_rounds: int, for how many steps the metric may get no better; None for ever.
        early_stopping_metric: Name of the metric.
        early_stopping_metric_minimize: Whether less of it is better.
        check_interval_secs: Seconds that have to lie between two looks; None for none.
        others: As for `Estimator.evaluate`.

    Attributes:
        early_stopped: Whether it has ended a training.
        best_step: The step at which the metric was best.
        best_value: Its value then.
        best_metrics: Everything that was measured then.

    Raises:
        ValueError: If there is neither `x` nor `input_fn`.
    """

    __init__ = constructor(
        "x=None y=None input_fn=None batch_size=None eval_steps=None every_n_steps=100 metrics=None "
        "hooks=None early_stopping_rounds=None early_stopping_metric='loss' "
        "early_stopping_metric_minimize=True name=None check_interval_secs=5"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        if given["x"] is None and given["input_fn"] is None:
            raise ValueError("Either x or input_fn should be provided.")
        self._every, self._interval = given.pop("every_n_steps"), given.pop("check_interval_secs")
        self._rounds = given.pop("early_stopping_rounds")
        self._metric = given.pop("early_stopping_metric")
        self._less_is_better = given.pop("early_stopping_metric_minimize")
        self._given = {"steps": given.pop("eval_steps"), **given}
        self._estimator = self._looked_at = self._looked_when = None
        self._last_look = 0
        self.early_stopped = False
        self.best_step = self.best_value = self.best_metrics = None

    def set_estimator(self, estimator: Estimator) -> None:
        """Sets the estimator whose checkpoints are evaluated; `fit` calls it."""
        self._estimator = estimator

    def begin(self) -> None:
        """Finds the graph's global step."""
        self._step = _train.get_global_step()

    def before_run(self, run_context: Any) -> Any:
        """Asks for the global step."""
        return _train.SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Evaluates, when it is time and there is a new checkpoint."""
        due = self._last_look + self._every
        # What the step itself has read may be from before or behind it.
        if run_values.results + 1 < due:
            return
        step = int(run_context.session.run(self._step))
        if step >= due:
            self._last_look = step
            if self._evaluated(step):
                run_context.request_stop()

    def _evaluated(self, step: int) -> bool:
        """Whether the training is to end."""
        if self._estimator is None:
            raise ValueError("Missing call to set_estimator.")
        now = time.time()
        recent = self._looked_when is not None and self._interval is not None
        if recent and now - self._looked_when <= self._interval:
            return False
        self._looked_when = now
        checkpoint = _train.latest_checkpoint(self._estimator.model_dir)
        if checkpoint is None or checkpoint == self._looked_at:
            return False
        self._looked_at = checkpoint
        measured = self._estimator.evaluate(**self._given)
        told = ", ".join(f"{name} = {value}" for name, value in measured.items())
        _tf.logging.info(f"Validation (step {step}): {told}")
        if self._rounds is None:
            return False
        if self._metric not in measured:
            raise ValueError(f"Metric {self._metric} missing from outputs {set(measured)}.")
        value = measured[self._metric]
        better = self.best_value is None or (
            value < self.best_value if self._less_is_better else value > self.best_value
        )
        if better:
            self.best_value, self.best_step = value, step
            self.best_metrics = copy.deepcopy(measured)
        self.early_stopped = step - self.best_step >= self._rounds
        return self.early_stopped
