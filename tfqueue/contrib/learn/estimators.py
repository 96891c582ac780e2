"""`tf.contrib.learn`'s estimator of a model function, and what runs it: `Experiment`, `learn_runner`.

Training and evaluation are those of `tf.estimator` (`tfqueue.estimator._training`).
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import numpy as np

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.contrib.learn import _BY_MODULE
from tfqueue.contrib.learn import exports as _exports
from tfqueue.contrib.learn.graph_actions import ModeKeys
from tfqueue.estimator import _export, _training
from tfqueue.v1 import _lazy_names
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import record
from tfqueue.v1._types import (
    Arrays,
    FileName,
    Hook,
    Metric,
    Size,
    Tensor,
    Tensors,
)

_tf = _tensorflow.compat_v1()

__all__ = [
    "Estimator",
    "Experiment",
    "MetricSpec",
    "ModelFnOps",
    "NotFittedError",
    "RunConfig",
    "SKCompat",
    "run",
]


NotFittedError = _training.NotFittedError
RunConfig = _training.RunConfig


_Ops: Any = record(
    "ModelFnOps",
    "mode predictions=None loss=None train_op=None eval_metric_ops=None "
    "output_alternatives=None training_chief_hooks=None training_hooks=None scaffold=None",
    "predictions loss train_op eval_metric_ops output_alternatives training_chief_hooks "
    "training_hooks scaffold mode",
)


class ModelFnOps(_Ops):
    """What a model function returns (`tf.contrib.learn.ModelFnOps`).

    Args:
        output_alternatives: Dict from head to a `ProblemType` and its outputs, for an export.
        scaffold: A `tf.train.Scaffold` for the training.
        others: As for `tf.estimator.EstimatorSpec`.

    Raises:
        ValueError: If what the mode needs is missing.
    """

    @classmethod
    def _checked(cls, given: dict[str, Any]) -> dict[str, Any]:
        _training.check(given["mode"], given["predictions"], given["loss"], given["train_op"])
        given["eval_metric_ops"] = dict(given["eval_metric_ops"] or {})
        for hooks in ("training_chief_hooks", "training_hooks"):
            given[hooks] = list(given[hooks] or [])
        return given


class MetricSpec:
    """A metric of chosen predictions and labels (`tf.contrib.learn.MetricSpec`).

    Args:
        metric_fn: Function of predictions and labels, and of weights if there are some, such as those
            of `tf.metrics` or `tf.contrib.metrics`; returns `(value, update op)`.
        prediction_key: Which of the predictions, if they are a dict.
        label_key: Which of the labels, if they are a dict.
        weight_key: Which of the features are the weights.
    """

    _PREDICTIONS = ("predictions", "prediction")
    _LABELS = ("labels", "label", "targets", "target")

    def __init__(
        self,
        metric_fn: Callable[..., Any],
        prediction_key: str | None = None,
        label_key: str | None = None,
        weight_key: str | None = None,
    ) -> None:
        self.metric_fn = metric_fn
        self.prediction_key = prediction_key
        self.label_key = label_key
        self.weight_key = weight_key

    @staticmethod
    def _one(values: Tensors, key: str | None, what: str) -> Tensor:
        if not isinstance(values, dict):
            if key is not None:
                raise ValueError(f"{what} is a single tensor, but key {key!r} was asked for")
            return values
        if key is None:
            if len(values) != 1:
                raise ValueError(f"{what} is a dict; a key is needed, one of {sorted(values)}")
            return next(iter(values.values()))
        if key not in values:
            raise ValueError(f"{what} has no {key!r}, only {sorted(values)}")
        return values[key]

    def create_metric_ops(self, inputs: Tensor, labels: Tensor, predictions: Tensors) -> Any:
        """What `metric_fn` returns.

        Args:
            inputs: The features, for the weights.
            labels: A tensor or a dict.
            predictions: A tensor or a dict.
        """
        given = {}
        names = _training.argument_names(self.metric_fn)
        known = [name for name in self._PREDICTIONS if name in names]
        prediction = self._one(predictions, self.prediction_key, "predictions")
        label = self._one(labels, self.label_key, "labels")
        label_names = [name for name in self._LABELS if name in names]
        if self.weight_key is not None:
            weights = self._one(inputs, self.weight_key, "inputs")
            given["weights" if "weights" in names else "weight"] = weights
        if known and label_names:
            return self.metric_fn(**{known[0]: prediction, label_names[0]: label}, **given)
        return self.metric_fn(prediction, label, **given)


def _fitting(function: Callable[..., Any], **given: Any) -> Any:
    """Calls a function with those of the arguments that it takes."""
    names = inspect.signature(function).parameters
    everything = any(each.kind is each.VAR_KEYWORD for each in names.values())
    return function(**{k: v for k, v in given.items() if everything or k in names})


def _input_fn_of(
    x: Arrays, y: Arrays | None, batch_size: int | None, epochs: int | None, shuffle: bool
) -> Callable[[], Any]:
    """An input function of arrays; the examples go through a queue."""

    def columns(values: Arrays) -> dict[Any, np.ndarray]:
        values = values if isinstance(values, dict) else {None: values}
        return {key: np.asarray(value) for key, value in values.items()}

    def whole(found: dict[Any, Tensor]) -> Tensors:
        return found[None] if set(found) == {None} else found

    def input_fn() -> tuple[Tensors, Tensors | None]:
        features = columns(x)
        labels = {} if y is None else columns(y)
        count = len(next(iter(features.values())))
        size = min(batch_size or count, count)
        queue = _train.range_input_producer(count, num_epochs=epochs, shuffle=shuffle)
        index = queue.dequeue_many(size) if epochs is None else queue.dequeue_up_to(size)

        def taken(parts: dict[Any, np.ndarray]) -> dict[Any, Tensor]:
            return {
                key: _tf.gather(_tf.constant(_narrow(part)), index) for key, part in parts.items()
            }

        return whole(taken(features)), whole(taken(labels)) if labels else None

    return input_fn


def _narrow(array: np.ndarray) -> np.ndarray:
    """float64 as float32, the dtype of TensorFlow's models."""
    return array.astype(np.float32) if array.dtype == np.float64 else array


class Estimator(_training.Estimator):
    """Trains, evaluates and uses a model (`tf.contrib.learn.Estimator`).

    Args:
        model_fn: Function of `features`, `labels` and, if it has them, `mode`, `params`, `config` and
            `model_dir`; returns `ModelFnOps`, or predictions, loss and train op.
        model_dir: Folder of the checkpoints and summaries; a new one when None.
        params: Dict that the model function gets.
        feature_engineering_fn: Function of features and labels that gives both anew.

    Raises:
        ValueError: If the model function takes no `params` and some are given.
    """

    def __init__(
        self,
        model_fn: Callable[..., Any] | None = None,
        model_dir: str | None = None,
        config: _training.RunConfig | None = None,
        params: dict[str, Any] | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(model_fn, model_dir, config or RunConfig(), params)
        self.params = params
        self._engineered = feature_engineering_fn or (lambda features, labels: (features, labels))

    def _seed(self) -> int:
        return self._config.tf_random_seed or 1

    def _ops(self, features: Tensors, labels: Tensors | None, mode: str) -> ModelFnOps:
        features, labels = self._engineered(features, labels)
        given = {"mode": mode, "params": self.params, "config": self._config}
        names = _training.argument_names(self._model_fn)[2:]
        given["model_dir"] = self._model_dir
        made = self._model_fn(
            features, labels, **{name: given[name] for name in names if name in given}
        )
        if isinstance(made, ModelFnOps):
            return made
        if len(made) != 3:
            raise ValueError("Unrecognized value returned by model_fn, please return ModelFnOps.")
        predictions, loss, train_op = made
        return ModelFnOps(mode, predictions, loss, train_op)

    def fit(
        self,
        x: Arrays | None = None,
        y: Arrays | None = None,
        input_fn: Callable[..., Any] | None = None,
        steps: int | None = None,
        batch_size: Size | None = None,
        monitors: Iterable[Hook] | None = None,
        max_steps: int | None = None,
    ) -> Any:
        """Trains, from the last checkpoint on.

        Args:
            x: Array, or dict of arrays, one row an example; or None.
            y: Array of labels, or None.
            input_fn: Function without arguments, in their place: returns features and labels.
            steps: int, how many steps more; until the data ends when None.
            batch_size: int, for `x`; all of it when None.
            max_steps: int, up to which global step.

        Returns:
            Itself.

        Raises:
            ValueError: If both `steps` and `max_steps` are given, or both or none of `x` and `input_fn`.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        if max_steps is not None and self._last_step() >= max_steps:
            return self
        input_fn = self._inputs(x, y, input_fn, batch_size, None, True)
        self._fitted(input_fn, steps, max_steps, monitors or [])
        return self

    def partial_fit(
        self,
        x: Arrays | None = None,
        y: Arrays | None = None,
        input_fn: Callable[..., Any] | None = None,
        steps: int = 1,
        batch_size: Size | None = None,
        monitors: Iterable[Hook] | None = None,
    ) -> Any:
        """`fit` for some steps, one unless told otherwise."""
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def _inputs(
        self,
        x: Arrays | None,
        y: Arrays | None,
        input_fn: Callable[[], Any] | None,
        batch_size: int | None,
        epochs: int | None,
        shuffle: bool,
    ) -> Callable[[], Any]:
        if (x is None) == (input_fn is None):
            raise ValueError("Exactly one of x and input_fn must be provided.")
        return input_fn or _input_fn_of(x, y, batch_size, epochs, shuffle)

    def evaluate(
        self,
        x: Arrays | None = None,
        y: Arrays | None = None,
        input_fn: Callable[..., Any] | None = None,
        feed_fn: Callable[..., Any] | None = None,
        batch_size: Size | None = None,
        steps: int | None = None,
        metrics: dict[Any, Any] | None = None,
        name: str | None = None,
        checkpoint_path: str | None = None,
        hooks: Iterable[Hook] | None = None,
        log_progress: bool = True,
    ) -> Any:
        """Measures the model.

        Args:
            feed_fn: Function without arguments: the feed_dict of a step.
            steps: int, how many batches; until the data ends when None.
            metrics: Dict from name to a `MetricSpec`, or to a function of predictions and labels; a name
                `(name, key)` says which of the predictions.
            name: Of the folder of summaries, `eval_<name>`.
            checkpoint_path: Which checkpoint; the last when None.
            log_progress: Not used.
            others: As for `fit`.

        Returns:
            Dict from name to value; `loss` and `global_step` are among them.

        Raises:
            NotFittedError: If there is no checkpoint.
        """
        input_fn = self._inputs(x, y, input_fn, batch_size, 1, False)
        measured = functools.partial(_measured, metrics)
        return self._evaluated(
            input_fn, steps, hooks or [], checkpoint_path, name, measured, feed_fn
        )

    def predict(
        self,
        x: Arrays | None = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: Size | None = None,
        outputs: Tensor | None = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        """The model's predictions.

        Args:
            x: As for `fit`.
            input_fn: As for `fit`. One that fills no queue gives one batch.
            batch_size: As for `fit`.
            outputs: List of names, which of the predictions.
            as_iterable: Whether to yield one example after the other, or to return arrays of all.
            iterate_batches: Whether to go on until the data of `input_fn` ends.

        Returns:
            An iterator of arrays, or of dicts of them; or the arrays.

        Raises:
            NotFittedError: If there is no checkpoint.
        """
        checkpoint = self._checkpoint()
        input_fn = self._inputs(x, None, input_fn, batch_size, 1, False)
        rows = self._predicted(input_fn, checkpoint, outputs, iterate_batches)
        if as_iterable:
            return rows
        every = list(rows)
        if every and isinstance(every[0], dict):
            return {key: np.stack([row[key] for row in every]) for key in every[0]}
        return np.stack(every)

    def _predicted(
        self,
        input_fn: Callable[[], Any],
        checkpoint: str,
        outputs: Iterable[str] | None,
        iterate_batches: bool,
    ) -> Iterator[Any]:
        with self._graph().as_default() as graph:
            given = input_fn()
            features = given[0] if isinstance(given, tuple) else given
            ops = self._ops(features, None, ModeKeys.INFER)
            predictions = ops.predictions
            if outputs and isinstance(predictions, dict):
                predictions = {key: predictions[key] for key in outputs}
            once = not iterate_batches and not graph.get_collection(_tf.GraphKeys.QUEUE_RUNNERS)
            session = self._session(ops.scaffold, checkpoint)
        with session:
            while not session.should_stop():
                batch = session.run(predictions)
                yield from _training.examples_of(batch)
                if once:
                    break

    def export(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuses: the format of 0.x is gone.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError(
            f"{type(self).__name__}.export wrote a session bundle, which TensorFlow 2 can neither "
            "write nor read: use export_savedmodel"
        )

    def export_savedmodel(
        self,
        export_dir_base: FileName,
        serving_input_fn: Callable[[], Any],
        default_output_alternative_key: str | None = None,
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """Writes the model as a SavedModel, with the tag `serve`.

        Args:
            serving_input_fn: Function of nothing; returns `InputFnOps`.
            default_output_alternative_key: Which head is the default; None for a single one.
            others: As for `tf.estimator.Estimator.export_savedmodel`.

        Returns:
            The new folder.

        Raises:
            NotFittedError: If there is no checkpoint.
            ValueError: If there is no input function, or no such head.
        """
        if serving_input_fn is None:
            raise ValueError("serving_input_fn must be defined.")
        checkpoint = checkpoint_path or self._checkpoint()

        def fill(builder: Any) -> None:
            with self._graph().as_default():
                received = serving_input_fn()
                for name in received.features:
                    _tf.add_to_collection("input_feature_keys", name)
                ops = self._ops(received.features, None, ModeKeys.INFER)
                _export.add_graph(
                    builder,
                    _exports.signatures(received, ops, default_output_alternative_key),
                    checkpoint,
                    saver=ops.scaffold and ops.scaffold.saver,
                    strip_default_attrs=strip_default_attrs,
                )

        return _export.write(export_dir_base, fill, assets_extra, as_text)


def _measured(
    metrics: dict[Any, Any] | None, features: Tensors, labels: Tensors, predictions: Tensors
) -> dict[Any, Metric]:
    """Name to `(value, update op)` of what was asked for."""
    found = {}
    for name, metric in (metrics or {}).items():
        key = None
        if isinstance(name, tuple):
            name, key = name
        if not isinstance(metric, MetricSpec):
            metric = MetricSpec(metric, prediction_key=key)
        found[name] = metric.create_metric_ops(features, labels, predictions)
    return found


class SKCompat:
    """An estimator with scikit-learn's methods (`tf.contrib.learn.SKCompat`)."""

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator

    def fit(
        self,
        x: Arrays,
        y: Arrays,
        batch_size: Size = 128,
        steps: int | None = None,
        max_steps: int | None = None,
        monitors: Iterable[Hook] | None = None,
    ) -> Any:
        """`Estimator.fit` of arrays; returns itself."""
        self._estimator.fit(x, y, None, steps, batch_size, monitors, max_steps)
        return self

    def score(
        self,
        x: Arrays,
        y: Arrays,
        batch_size: Size = 128,
        steps: int | None = None,
        metrics: dict[Any, Any] | None = None,
        name: str | None = None,
    ) -> Any:
        """`Estimator.evaluate` of arrays."""
        return self._estimator.evaluate(
            x, y, batch_size=batch_size, steps=steps, metrics=metrics, name=name or "score"
        )

    def predict(self, x: Arrays, batch_size: Size = 128, outputs: Tensor | None = None) -> Any:
        """The predictions of arrays, as arrays; all of a canned estimator's, not one kind."""
        return Estimator.predict(self._estimator, x, None, batch_size, outputs, as_iterable=False)


class Experiment:
    """An estimator with its data (`tf.contrib.learn.Experiment`), on one machine.

    Args:
        train_input_fn: Input function to train with.
        eval_input_fn: Input function to evaluate with.
        eval_metrics: As for `Estimator.evaluate`.
        train_steps: int, up to which global step; without end when None.
        eval_steps: int, how many batches; until the data ends when None.
        train_monitors: Hooks of the training.
        eval_hooks: Hooks of the evaluation.
        min_eval_frequency: int, steps from one evaluation to the next; only at the end when None. Each
            begins the data of the training anew, and a warning says so.
        export_strategies: An `ExportStrategy`, or several, for the end of `train_and_evaluate`.
        **others: Arguments for clusters; kept as attributes.

    Raises:
        ValueError: If an export strategy is none.
    """

    def __init__(
        self,
        estimator: Any,
        train_input_fn: Callable[..., Any],
        eval_input_fn: Callable[..., Any],
        eval_metrics: dict[Any, Any] | None = None,
        train_steps: int | None = None,
        eval_steps: int = 100,
        train_monitors: Iterable[Hook] | None = None,
        eval_hooks: Iterable[Hook] | None = None,
        min_eval_frequency: int | None = None,
        export_strategies: Any = None,
        **others: Any,
    ) -> None:
        self.estimator = estimator
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self.eval_metrics, self.train_steps, self.eval_steps = (
            eval_metrics,
            train_steps,
            eval_steps,
        )
        self._monitors, self._eval_hooks = list(train_monitors or []), eval_hooks
        self._every = min_eval_frequency
        self.reset_export_strategies(export_strategies)
        vars(self).update(others)

    def reset_export_strategies(self, new_export_strategies: Any = None) -> Any:
        """Replaces the export strategies; returns the previous ones.

        Args:
            new_export_strategies: As for the experiment.
        """
        old, new = getattr(self, "_strategies", ()), new_export_strategies or ()
        new = (new,) if isinstance(new, _exports.ExportStrategy) else tuple(new)
        if not all(isinstance(each, _exports.ExportStrategy) for each in new):
            raise ValueError(f"`export_strategies` must be an ExportStrategy, or several: {new}")
        self._strategies = new
        return old

    def _exported(self, results: dict[str, Any]) -> list[Any]:
        folder = os.path.join(self.estimator.model_dir, "export")
        return [
            each.export(self.estimator, os.path.join(folder, each.name), eval_result=results)
            for each in self._strategies
        ]

    def train(self, delay_secs: float | None = None) -> Any:
        """Trains up to `train_steps`."""
        del delay_secs
        return self._trained(self.train_steps)

    def _trained(self, up_to: int | None) -> Any:
        if isinstance(self.estimator, _estimator.Estimator):
            return self.estimator.train(self._train_input_fn, self._monitors, max_steps=up_to)
        return self.estimator.fit(
            input_fn=self._train_input_fn, max_steps=up_to, monitors=self._monitors
        )

    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> Any:
        """Evaluates the last checkpoint; returns the values."""
        del delay_secs
        return self._evaluated(self.eval_steps, name)

    def _evaluated(self, steps: int | None, name: str | None) -> dict[str, Any]:
        more = {"metrics": self.eval_metrics}
        if isinstance(self.estimator, _estimator.Estimator):
            if self.eval_metrics:
                raise ValueError("`eval_metrics` must be `None` with `tf.estimator.Estimator`")
            more = {}
        return self.estimator.evaluate(
            input_fn=self._eval_input_fn, steps=steps, hooks=self._eval_hooks, name=name, **more
        )

    def train_and_evaluate(self) -> Any:
        """Trains, and evaluates in between and at the end.

        Returns:
            The values of the last evaluation, and what each export strategy returned.
        """
        step, results = self.estimator._last_step(), None
        if self._every and self.train_steps and step + self._every < self.train_steps:
            _tf.logging.warning(
                "Experiment(min_eval_frequency=%d): after each evaluation the training reads its data from the "
                "beginning, where TensorFlow 1 went on. Without min_eval_frequency it goes on; with an "
                "estimator of tf.contrib.learn, a ValidationMonitor in train_monitors evaluates in between.",
                self._every,
            )
        while self._every and self.train_steps and step + self._every < self.train_steps:
            step += self._every
            self._trained(step)
            results = self.evaluate(name="one_pass")
        self.train()
        results = self.evaluate(name="one_pass")
        return results, self._exported(results)

    local_run = train_and_evaluate

    def test(self) -> Any:
        """One step of training, and one of evaluation."""
        self._trained(1)
        results = self._evaluated(1, "one_pass")
        self._exported(results)
        return results


def run(
    experiment_fn: Callable[..., Any],
    output_dir: FileName | None = None,
    schedule: str | None = None,
    run_config: _training.RunConfig | None = None,
    hparams: Any = None,
) -> Any:
    """Makes an experiment and runs it (`tf.contrib.learn.learn_runner.run`).

    Args:
        experiment_fn: Function of `output_dir`; or of `run_config` and `hparams`, where these are given.
        output_dir: Folder of the model.
        schedule: Name of the experiment's method, `"train_and_evaluate"` when None.
        run_config: A `RunConfig`, with a `model_dir`.
        hparams: What `experiment_fn` gets as its second argument.

    Returns:
        What the method returns.

    Raises:
        ValueError: If there is no such method, or no folder.
    """
    if run_config is not None:
        experiment = _fitting(experiment_fn, run_config=run_config, hparams=hparams)
    elif output_dir:
        experiment = experiment_fn(output_dir=output_dir)
    else:
        raise ValueError("Must specify an output directory.")
    method = getattr(experiment, schedule or "train_and_evaluate", None)
    if not callable(method):
        raise ValueError(f"Schedule references non-existent member of Experiment: {schedule}")
    return method()


# Names of `tensorflow.contrib.learn.python.learn.estimators`, up to 0.12 `tf.contrib.learn.estimators`.
_LEARN = "tfqueue.contrib.learn"
_MODELS = "dnn_linear_combined"
_ROWS = {
    **_lazy_names.rows_of(_LEARN, {_MODELS: _BY_MODULE[_MODELS], "exports": "ProblemType"}),
    **dict.fromkeys(["dnn", _MODELS, "linear", "prediction_key"], f"{_LEARN}.{_MODELS}"),
    **dict.fromkeys(["estimator", "model_fn", "run_config"], __name__),
    "constants": f"{_LEARN}.exports",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
