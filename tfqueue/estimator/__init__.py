"""`tf.estimator`: the estimator of a model function, its specs, exporters and input functions.

Training runs on one machine. `_training`, `_models` and `_export` are shared with `tf.contrib.learn`,
which has the input functions of arrays and frames from here, too; `_canned` has
the canned estimators, `_baseline` and `_kmeans` two more kinds, `_heads` their heads, `_multi_head` one of several and
`_head_classes` those that a program makes itself; `_export` and `_exporters` write models; `_early_stopping` has hooks
that end a training early, `_evaluation_hooks` one that evaluates meanwhile; `_keras_models` makes an estimator of a model of Keras; `_extensions` has what changes an estimator
or a model function. `experimental` is `tf.estimator.experimental`.
"""

import collections
import copy
import functools
import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import seeds
from tfqueue.estimator import _export, _training
from tfqueue.estimator._exporters import BestExporter, Exporter, FinalExporter, LatestExporter
from tfqueue.v1 import _lazy_names, _namespace
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import constructor, record, takes
from tfqueue.v1._types import FileName, Hook, Op, Session, Tensor, Tensors

_tf = _tensorflow.compat_v1()

__all__ = [
    "BestExporter",
    "Estimator",
    "EstimatorSpec",
    "EvalSpec",
    "Exporter",
    "FinalExporter",
    "LatestExporter",
    "ModeKeys",
    "RunConfig",
    "TrainSpec",
    "WarmStartSettings",
    "export",
    "inputs",
    "train_and_evaluate",
]


class ModeKeys:
    """The modes in which a model function is called (`tf.estimator.ModeKeys`)."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


WarmStartSettings = collections.namedtuple(
    "WarmStartSettings",
    "ckpt_to_initialize_from vars_to_warm_start var_name_to_vocab_info var_name_to_prev_var_name",
    defaults=(".*", None, None),
)


def _scalar(loss: Tensor | None) -> Tensor | None:
    """A loss without dimensions; one that has none keeps its name."""
    if loss is None:
        return None
    loss = _tf.convert_to_tensor(loss)
    return loss if loss.shape.rank == 0 else _tf.reshape(loss, [])


_Spec: Any = record(
    "EstimatorSpec",
    "mode predictions=None loss=None train_op=None eval_metric_ops=None export_outputs=None "
    "training_chief_hooks=None training_hooks=None scaffold=None evaluation_hooks=None "
    "prediction_hooks=None",
)


class EstimatorSpec(_Spec):
    """What a model function returns (`tf.estimator.EstimatorSpec`).

    Args:
        mode: A key of `ModeKeys`.
        predictions: A tensor, or a dict of them; needed to predict.
        loss: Scalar tensor; needed to train and to evaluate.
        train_op: Op of one step; needed to train.
        eval_metric_ops: Dict from name to `(value, update op)`.
        export_outputs: Dict from a signature's name to its `tf.estimator.export.ExportOutput`; all
            predictions are exported when None.
        scaffold: A `tf.train.Scaffold`.

    Raises:
        ValueError: If what the mode needs is missing.
    """

    @classmethod
    def _checked(cls, given: dict[str, Any]) -> dict[str, Any]:
        _training.check(given["mode"], given["predictions"], given["loss"], given["train_op"])
        if given["predictions"] is None:
            given["predictions"] = {}
        given["loss"] = _scalar(given["loss"])
        given["eval_metric_ops"] = dict(given["eval_metric_ops"] or {})
        for name in given:
            if name.endswith("_hooks"):
                given[name] = tuple(given[name] or ())
        return given


_UNSET: Any = object()
_OF_CLUSTERS = (
    "train_distribute=None device_fn=None protocol=None eval_distribute=None "
    "experimental_distribute=None experimental_max_worker_delay_secs=None "
    "session_creation_timeout_secs=7200"
)


class RunConfig(_training.RunConfig):
    """How an estimator runs (`tf.estimator.RunConfig`).

    Args:
        model_dir: Folder of the checkpoints, where the estimator is given none.
        tf_random_seed: int, the graph's seed.
        save_summary_steps: int, steps from one summary to the next.
        save_checkpoints_steps: int, steps from one checkpoint to the next.
        save_checkpoints_secs: int, seconds in their place; 600 when neither is said. There are no checkpoints
            where what is said is None or 0.
        session_config: A `tf.ConfigProto`.
        keep_checkpoint_max: int, how many checkpoints stay.
        keep_checkpoint_every_n_hours: Hours after which one is kept for good.
        log_step_count_steps: int, steps from one log to the next.
        others: Kept as attributes, not used. A strategy has one replica.

    Raises:
        ValueError: If both steps and seconds are given.
    """

    num_worker_replicas, task_type = 1, "worker"

    __init__ = constructor(
        "model_dir=None tf_random_seed=None save_summary_steps=100 save_checkpoints_steps=_UNSET "
        "save_checkpoints_secs=_UNSET session_config=None keep_checkpoint_max=5 "
        f"keep_checkpoint_every_n_hours=10000 log_step_count_steps=100 {_OF_CLUSTERS}",
        save_checkpoints_steps=_UNSET,
        save_checkpoints_secs=_UNSET,
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        between = {
            name: given[name] for name in ("save_checkpoints_steps", "save_checkpoints_secs")
        }
        if all(value is _UNSET for value in between.values()):
            between["save_checkpoints_secs"] = _training.DEFAULT_SECONDS
        between = {name: None if v is _UNSET else v for name, v in between.items()}
        if None not in between.values():
            raise ValueError(_training.BOTH_SET)
        given["session_config"] = given["session_config"] or _tf.ConfigProto(
            allow_soft_placement=True
        )
        super().__init__(**given)
        vars(self).update(between)


class _DatasetInitializer(_train.SessionRunHook):
    """Initializes a dataset's iterator when the tables that the dataset uses are initialized."""

    def __init__(self, initializer: Op) -> None:
        self._initializer = initializer

    def after_create_session(self, session: Session, coord: Any) -> None:
        session.run(self._initializer)


class Estimator(_training.Estimator):
    """Trains, evaluates and uses a model (`tf.estimator.Estimator`).

    Args:
        model_fn: Function of `features` and, if it has them, `labels`, `mode`, `params` and `config`;
            returns an `EstimatorSpec`.
        model_dir: Folder of the checkpoints and summaries; a new one when None.
        params: What the model function and the input function get as `params`, a copy in each call.
        warm_start_from: A checkpoint, or `WarmStartSettings`, with the first values of the variables.

    Raises:
        ValueError: If the model function takes no `params` and some are given.
    """

    _tells_checkpoints = True

    def __init__(
        self,
        model_fn: Callable[..., Any],
        model_dir: str | None = None,
        config: Any = None,
        params: Any = None,
        warm_start_from: Any = None,
    ) -> None:
        super().__init__(model_fn, model_dir, config or RunConfig(), params)
        self._config = self._config.replace(model_dir=self._model_dir)
        self._warm_start = warm_start_from
        self._params = copy.deepcopy(params) if params is not None else {}

    @property
    def params(self) -> Any:
        """What the model function gets: a copy each time, so that no call sees what another changed."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable[..., Any]:
        """The model function, as one of `features`, `labels`, `mode` and `config`."""
        return self._called

    def _called(
        self, features: Tensors, labels: Tensors | None, mode: str, config: Any = None
    ) -> Any:
        """What the model function returns."""
        names = _training.argument_names(self._model_fn)
        given = {"features": features, "labels": labels, "mode": mode}
        given.update(params=self.params, config=config or self._config)
        if "labels" not in names and labels is not None:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        return self._model_fn(**{name: given[name] for name in names if name in given})

    def _ops(self, features: Tensors, labels: Tensors | None, mode: str) -> EstimatorSpec:
        _tf.logging.info("Calling model_fn.")
        spec = self._called(features, labels, mode)
        _tf.logging.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        if mode == ModeKeys.TRAIN and self._warm_start is not None and not self.latest_checkpoint():
            settings = self._warm_start
            if not isinstance(settings, WarmStartSettings):
                settings = WarmStartSettings(settings)
            _train.warm_start(*settings)
        return spec

    def _read(self, input_fn: Callable[..., Any], mode: str, hooks: list[Hook]) -> tuple[Any, Any]:
        """Features and labels of an input function; a dataset is iterated, which adds a hook."""
        given = {"params": self.params, "config": self._config, "mode": mode}
        try:
            names = _training.argument_names(input_fn)
        except ValueError:  # a function of C has none
            names = []
        found = input_fn(**{name: value for name, value in given.items() if name in names})
        if isinstance(found, _tf.compat.v2.data.Dataset):
            iterator = _tf.data.make_initializable_iterator(found)
            hooks.append(_DatasetInitializer(iterator.initializer))
            found = iterator.get_next()
        if isinstance(found, list | tuple):
            if len(found) != 2:
                raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
            return tuple(found)
        return found, None

    def train(
        self,
        input_fn: Callable[..., Any],
        hooks: Iterable[Hook] | None = None,
        steps: int | None = None,
        max_steps: int | None = None,
        saving_listeners: Iterable[Hook] | None = None,
    ) -> "Estimator":
        """Trains, from the last checkpoint on.

        Args:
            input_fn: Function of nothing, or of `params` and `config`: returns features and labels, or
                a `tf.data.Dataset` of them.
            steps: int, how many steps more; until the data ends when None.
            max_steps: int, up to which global step.
            saving_listeners: List of `tf.train.CheckpointSaverListener`, called at each checkpoint.

        Returns:
            Itself.

        Raises:
            ValueError: If both `steps` and `max_steps` are given, or one is not above 0.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        _above_0(steps=steps, max_steps=max_steps)
        if max_steps is not None and self._last_step() >= max_steps:
            _tf.logging.info("Skipping training since max_steps has already saved.")
            return self
        hooks = list(hooks or ())
        read = functools.partial(self._read, input_fn, ModeKeys.TRAIN, hooks)
        self._fitted(read, steps, max_steps, hooks, list(saving_listeners or ()))
        return self

    def evaluate(
        self,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Iterable[Hook] | None = None,
        checkpoint_path: str | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Measures the model.

        Args:
            input_fn: As for `train`.
            steps: int, how many batches; until the data ends when None.
            checkpoint_path: Which checkpoint; the last when None.
            name: Of the folder of summaries, `eval_<name>`.

        Returns:
            Dict from name to value; `loss` and `global_step` are among them.

        Raises:
            ValueError: If there is no checkpoint, or `steps` is not above 0.
        """
        _above_0(steps=steps)
        hooks = list(hooks or ())
        read = functools.partial(self._read, input_fn, ModeKeys.EVAL, hooks)
        return self._evaluated(read, steps, hooks, checkpoint_path, name)

    def predict(
        self,
        input_fn: Callable[..., Any],
        predict_keys: Any = None,
        hooks: Iterable[Hook] | None = None,
        checkpoint_path: str | None = None,
        yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        """Yields the model's predictions, until the data ends.

        Args:
            input_fn: As for `train`; labels are left out.
            predict_keys: Which of the predictions.
            checkpoint_path: Which checkpoint; the last when None.
            yield_single_examples: Whether to yield examples, or batches.

        Raises:
            ValueError: If there is no checkpoint, or no prediction has one of the keys.
        """
        checkpoint = checkpoint_path or self._checkpoint()
        hooks = list(hooks or ())
        with self._graph().as_default():
            features, _ = self._read(input_fn, ModeKeys.PREDICT, hooks)
            spec = self._ops(features, None, ModeKeys.PREDICT)
            predictions = _chosen(spec.predictions, predict_keys)
            every = [*hooks, *spec.prediction_hooks]
            session = self._session(spec.scaffold, checkpoint, every)
        with session:
            while not session.should_stop():
                batch = session.run(predictions)
                if yield_single_examples:
                    yield from _training.examples_of(batch)
                else:
                    yield batch

    def latest_checkpoint(self) -> str | None:
        """The path of the last checkpoint, or None."""
        return _train.latest_checkpoint(self._model_dir)

    def export_savedmodel(
        self,
        export_dir_base: FileName,
        serving_input_receiver_fn: Callable[..., Any],
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """Writes the model as a SavedModel, with the tag `serve`.

        Args:
            export_dir_base: Folder of the exports; a new one below it is named by the second.
            serving_input_receiver_fn: Function of nothing; returns a `ServingInputReceiver`.
            assets_extra: Dict from path below `assets.extra` to the file that is copied there.
            as_text: Whether the graph is written as text.
            checkpoint_path: Which checkpoint; the last when None.
            strip_default_attrs: Whether attributes with their default values are left out.

        Returns:
            The new folder.

        Raises:
            ValueError: If there is no checkpoint, or no input function.
        """
        receivers = {ModeKeys.PREDICT: serving_input_receiver_fn}
        more = assets_extra, as_text, checkpoint_path, strip_default_attrs
        return self._exported(export_dir_base, receivers, *more)

    def export_saved_model(
        self,
        export_dir_base: FileName,
        serving_input_receiver_fn: Callable[..., Any],
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        experimental_mode: str = ModeKeys.PREDICT,
    ) -> bytes:
        """`export_savedmodel` without attributes that have their default values.

        Args:
            experimental_mode: Key of `ModeKeys`, of what is written.
            others: As for `export_savedmodel`.
        """
        if serving_input_receiver_fn is None:
            raise ValueError("An input_receiver_fn must be defined.")
        receivers = {experimental_mode: serving_input_receiver_fn}
        return self._exported(export_dir_base, receivers, assets_extra, as_text, checkpoint_path)

    def experimental_export_all_saved_models(
        self,
        export_dir_base: FileName,
        input_receiver_fn_map: dict[str, Callable[..., Any]],
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
    ) -> bytes:
        """Writes the model as it trains, evaluates and predicts, each with its tag.

        Args:
            input_receiver_fn_map: Dict from a key of `ModeKeys` to a function of nothing.
            others: As for `export_savedmodel`.
        """
        return self._exported(
            export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path
        )

    def _exported(
        self,
        base: Any,
        receivers: dict[str, Callable[..., Any]],
        assets_extra: dict[str, str] | None,
        as_text: bool,
        checkpoint: str | None,
        strip: bool = True,
    ) -> bytes:
        checkpoint = checkpoint or self.latest_checkpoint()
        if checkpoint is None:
            raise ValueError(f"Couldn't find trained model at {self._model_dir}.")
        # The values are those of the first graph: training has the most variables.
        modes = [
            mode
            for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT)
            if receivers.get(mode)
        ]
        if not modes:
            raise ValueError(f"No valid modes for exporting found. Got {list(receivers)}.")

        def fill(builder: Any) -> None:
            for mode in modes:
                with self._graph().as_default():
                    received = receivers[mode]()
                    spec = self._ops(received.features, getattr(received, "labels", None), mode)
                    outputs = _export.outputs_of(spec)
                    others = getattr(received, "receiver_tensors_alternatives", None)
                    if spec.train_op is not None:
                        _tf.add_to_collection("saved_model_train_op", spec.train_op)
                    _export.add_graph(
                        builder,
                        _export.signatures(received.receiver_tensors, outputs, others),
                        checkpoint,
                        mode=mode,
                        with_variables=mode == modes[0],
                        saver=spec.scaffold and spec.scaffold.saver,
                        local_init_op=spec.scaffold and spec.scaffold.local_init_op,
                        strip_default_attrs=strip,
                        config=self._config.session_config,
                    )

        return _export.write(base, fill, assets_extra, as_text)


def _above_0(**counts: int | None) -> None:
    for name, count in counts.items():
        if count is not None and count <= 0:
            raise ValueError(f"Must specify {name} > 0, given: {count}")


def _chosen(predictions: Tensors, keys: Iterable[str] | None) -> Tensors:
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
    chosen = {key: value for key, value in predictions.items() if key in keys}
    if not chosen:
        raise ValueError(f"Expected to run at least one output from {sorted(predictions)}.")
    return chosen


class TrainSpec(
    collections.namedtuple("TrainSpec", "input_fn max_steps hooks", defaults=(None, ()))
):
    """How `train_and_evaluate` trains (`tf.estimator.TrainSpec`)."""

    __slots__ = ()


class EvalSpec(
    collections.namedtuple(
        "EvalSpec",
        "input_fn steps name hooks exporters start_delay_secs throttle_secs",
        defaults=(100, None, (), (), 120, 600),
    )
):
    """How `train_and_evaluate` evaluates and exports (`tf.estimator.EvalSpec`).

    Raises:
        TypeError: If an exporter is not one.
        ValueError: If two exporters have one name, or one has none.
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        spec = super().__new__(cls, *args, **kwargs)
        exporters = spec.exporters or ()
        exporters = (exporters,) if isinstance(exporters, Exporter) else tuple(exporters)
        if not all(isinstance(each, Exporter) for each in exporters):
            raise TypeError(f"`exporters` must be an Exporter, or several; found {exporters}.")
        names = [each.name for each in exporters]
        if not all(names) or len(set(names)) < len(names):
            raise ValueError(f"`exporters` must have unique names: {names}")
        return spec._replace(exporters=exporters)


class _Interruption(_train.SessionRunHook):
    """Stops training after some seconds, so that the model can be evaluated."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def begin(self) -> None:
        self._end = time.monotonic() + self._seconds

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if time.monotonic() >= self._end:
            run_context.request_stop()


class _Evaluations(_train.CheckpointSaverListener):
    """Evaluates each checkpoint but the first, where the last evaluation began long enough ago.

    Args:
        evaluate: Function of nothing.
        seconds: From the beginning of one evaluation to that of the next.
    """

    def __init__(self, evaluate: Callable[[], Any], seconds: float) -> None:
        self._evaluate, self._seconds = evaluate, seconds
        self.found: Any = (None, None)

    def begin(self) -> None:
        self._timer = _train.SecondOrStepTimer(every_secs=self._seconds)
        self._trained = False

    def after_save(self, session: Session, global_step_value: int) -> None:
        if self._trained and self._timer.should_trigger_for_step(global_step_value):
            self._measure(global_step_value)
        self._trained = True

    def end(self, session: Session, global_step_value: int) -> None:
        if global_step_value != self._timer.last_triggered_step():
            self._measure(global_step_value)

    def _measure(self, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        self.found = self._evaluate()


def train_and_evaluate(estimator: Estimator, train_spec: Any, eval_spec: Any) -> Any:
    """Trains, and evaluates and exports checkpoints in between and at the end, on one machine.

    Each checkpoint is evaluated that comes `throttle_secs` or more after the evaluation before. Up to
    1.9 the training was ended by `throttle_secs` or the end of its data, and begun again with new data
    after the evaluation, until `max_steps`, without them for ever; and is so with `--era 1.9`.

    Args:
        train_spec: A `TrainSpec`.

    Returns:
        The values of the last evaluation, and what each exporter returned.

    Raises:
        RuntimeError: If up to 1.9 a training adds no step.
        ValueError: If up to 1.9 `throttle_secs` is not positive.
    """
    evaluate = functools.partial(_measured, estimator, train_spec, eval_spec)
    hooks = list(train_spec.hooks or ())
    train = functools.partial(estimator.train, train_spec.input_fn, max_steps=train_spec.max_steps)
    if not release.before("1.10"):
        listener = _Evaluations(evaluate, eval_spec.throttle_secs)
        train(hooks=hooks, saving_listeners=[listener])
        return listener.found
    seconds, end = eval_spec.throttle_secs, train_spec.max_steps
    if seconds <= 0:
        raise ValueError(f"eval_spec.throttle_secs should be positive, given: {seconds}.")
    step = -1
    while True:
        train(hooks=[*hooks, _Interruption(seconds)])
        results, exports = evaluate()
        if end is not None and results["global_step"] >= end:
            return results, exports
        if results["global_step"] == step:
            raise RuntimeError(
                f"There was no new checkpoint after the training: its step is {step}."
            )
        step = results["global_step"]


def _measured(estimator: Estimator, train_spec: Any, eval_spec: Any) -> tuple[Any, list[Any]]:
    """The values of an evaluation of the last checkpoint, and what each exporter returned."""
    results = estimator.evaluate(
        eval_spec.input_fn, eval_spec.steps, eval_spec.hooks, name=eval_spec.name
    )
    done = train_spec.max_steps is not None and results["global_step"] >= train_spec.max_steps
    checkpoint = estimator.latest_checkpoint()
    exports = [
        each.export(
            estimator,
            os.path.join(estimator.model_dir, "export", each.name),
            checkpoint,
            results,
            done,
        )
        for each in eval_spec.exporters
    ]
    return results, exports


def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """An input function of arrays, whose examples go through a queue.

    Args:
        x: Array, or dict of arrays, one row an example.
        y: Array or dict of arrays of labels, or None.
        num_epochs: int, or None for no end.
        shuffle: Whether to shuffle; has to be given.
        num_threads: Not used.

    Raises:
        ValueError: If `shuffle` is not given, there is no feature, or lengths differ.
    """
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean "
            f"(it is recommended to set it as True for training); got {shuffle}"
        )
    if isinstance(x, dict) and not x:
        raise ValueError("x cannot be an empty dict.")
    parts = [{None: x} if not isinstance(x, dict) else x]
    if y is not None:
        parts.append({None: y} if not isinstance(y, dict) else y)
    arrays = [{key: np.asarray(value) for key, value in part.items()} for part in parts]
    lengths = {len(array) for part in arrays for array in part.values()}
    if len(lengths) != 1:
        raise ValueError(f"Length of tensors in x and y is mismatched: {sorted(lengths)}.")

    def input_fn() -> Any:
        with seeds.standing_for(17 + sum(map(len, arrays))):
            queue = _train.input_producer(
                _tf.range(max(lengths)), [], num_epochs, shuffle, capacity=queue_capacity
            )
            _summarize(queue, queue_capacity, shuffle)
            take = queue.dequeue_many if num_epochs is None else queue.dequeue_up_to
            index = take(batch_size)
            taken = [
                {key: _tf.gather(_tf.constant(array), index) for key, array in part.items()}
                for part in arrays
            ]
        whole = [part[None] if set(part) == {None} else part for part in taken]
        return whole[0] if y is None else tuple(whole)

    return input_fn


def _summarize(queue: Any, capacity: int, shuffle: Any) -> None:
    """How full the queue is, under the tag that event files had."""
    least, kind = (capacity // 4, "random_shuffle") if shuffle else (0, "fifo")
    with _tf.name_scope("enqueue_input") as scope:
        above = _tf.maximum(0, queue.size() - least)
        share = _tf.cast(above, _tf.float32) * (1.0 / (capacity - least))
        tag = f"queue/{scope}{kind}_queuefraction_over_{least}_of_{capacity - least}_full"
        _tf.summary.scalar(tag, share)


@takes(
    "x y=None batch_size=128 num_epochs=1 shuffle=None queue_capacity=1000 num_threads=1 "
    "target_column='target'"
)
def pandas_input_fn(given: dict[str, Any]) -> Callable[[], Any]:
    """`numpy_input_fn` of a pandas frame: a dict of its columns.

    Args:
        x: A `DataFrame`.
        y: A `Series`, or None.
        target_column: Not used.
        others: As for `numpy_input_fn`.
    """
    del given["target_column"]
    given["x"] = {name: given["x"][name].to_numpy() for name in given["x"].columns}
    given["y"] = None if given["y"] is None else given["y"].to_numpy()
    return numpy_input_fn(**given)


inputs = _namespace.of("tfqueue.estimator.inputs", [numpy_input_fn, pandas_input_fn])
export = _namespace.of(
    "tfqueue.estimator.export", [getattr(_export, name) for name in _export.__all__]
)
_CANNED = (
    "DNNClassifier DNNEstimator DNNLinearCombinedClassifier DNNLinearCombinedEstimator "
    "DNNLinearCombinedRegressor DNNRegressor LinearClassifier LinearEstimator LinearRegressor"
)
_BASELINE = "BaselineClassifier BaselineEstimator BaselineRegressor"
_EXTENSIONS = "add_metrics classifier_parse_example_spec regressor_parse_example_spec"
_HEADS = (
    "BinaryClassHead Head LogisticRegressionHead MultiClassHead MultiHead MultiLabelHead "
    "PoissonRegressionHead RegressionHead"
)
_HOOKS = (
    "CheckpointSaverHook CheckpointSaverListener FeedFnHook FinalOpsHook GlobalStepWaiterHook "
    "LoggingTensorHook NanLossDuringTrainingError NanTensorHook ProfilerHook SecondOrStepTimer "
    "SessionRunArgs SessionRunContext SessionRunHook SessionRunValues StepCounterHook StopAtStepHook "
    "SummarySaverHook VocabInfo"
)
__getattr__, __dir__ = _lazy_names.attributes(
    __name__,
    {
        **_lazy_names.rows_of(
            __name__,
            {
                "_baseline": _BASELINE,
                "_canned": _CANNED,
                "_extensions": _EXTENSIONS,
                "_head_classes": _HEADS,
            },
        ),
        **{name: f"tf:train.{name}" for name in _HOOKS.split()},
        "experimental": f"{__name__}.experimental",
        "tpu": "tfqueue.contrib.tpu",  # the same classes
    },
)
