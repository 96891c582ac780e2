"""Training and evaluation, which the estimators of `tf.estimator` and of `tf.contrib.learn` share.

Training runs in a `MonitoredTrainingSession` with a graph of its own, whose input is the queues that the
input function makes. It writes checkpoints and summaries into `model_dir`, and continues from them.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tfqueue import _tensorflow, release
from tfqueue.v1 import train as _train
from tfqueue.v1._types import Config, Op, Scaffold, Tensor, Tensors

_tf = _tensorflow.compat_v1()


DEFAULT_SECONDS = 600  # between checkpoints
BOTH_SET = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before it was fitted (`tf.contrib.learn.NotFittedError`)."""


def require_one_replica(strategy: str, replicas: int) -> None:
    """Refuses a strategy that would train with several batches at once.

    Args:
        strategy: What it is called.
        replicas: How many replicas it has.

    Raises:
        NotImplementedError: If there are more than one.
    """
    if replicas > 1:
        raise NotImplementedError(
            f"{strategy} has {replicas} replicas, each with a batch of its own, and tfqueue trains with one: "
            f"use one device, or no strategy, and batches of {replicas} times the size"
        )


def _require_no_cluster() -> None:
    """Refuses a TF_CONFIG of several tasks, of which each would train a model of its own.

    Raises:
        NotImplementedError: If there are more than one, evaluators not counted.
    """
    cluster = json.loads(os.environ.get("TF_CONFIG") or "{}").get("cluster") or {}
    tasks = sum(len(addresses) for job, addresses in cluster.items() if job != "evaluator")
    if tasks > 1:
        raise NotImplementedError(
            f"TF_CONFIG has a cluster of {tasks} tasks, and an estimator of tfqueue trains in one process: unset "
            "TF_CONFIG, or write the training with tf.train.MonitoredTrainingSession, which trains on clusters"
        )


class RunConfig:
    """How an estimator runs (`tf.contrib.learn.RunConfig`).

    Args:
        master: Target of the sessions.
        num_cores: Not used.
        log_device_placement: Whether a session logs where its ops run.
        gpu_memory_fraction: float, how much memory of a GPU a process takes.
        tf_random_seed: int, the graph's seed.
        save_summary_steps: int, steps from one summary to the next.
        save_checkpoints_secs: int, seconds from one checkpoint to the next; 0 means 600, or none where there are
            steps. There are no checkpoints where it is None and there are no steps.
        save_checkpoints_steps: int, steps in place of seconds.
        keep_checkpoint_max: int, how many checkpoints stay.
        keep_checkpoint_every_n_hours: Hours after which one is kept for good.
        log_step_count_steps: int, steps from one log of the speed to the next.
        model_dir: Folder of the checkpoints, where the estimator is given none.
        session_config: A `tf.ConfigProto`, in place of the other arguments.
        **others: Kept as attributes.

    Raises:
        NotImplementedError: If a strategy has more than one replica, or `TF_CONFIG` a cluster of more than one task.
    """

    replaceable = (
        "model_dir tf_random_seed save_summary_steps save_checkpoints_steps save_checkpoints_secs "
        "session_config keep_checkpoint_max keep_checkpoint_every_n_hours log_step_count_steps "
        "train_distribute device_fn protocol eval_distribute experimental_distribute "
        "experimental_max_worker_delay_secs session_creation_timeout_secs"
    ).split()
    is_chief, task_id, num_ps_replicas, num_worker_replicas = True, 0, 0, 0
    task_type: str | None = None
    cluster_spec, environment, evaluation_master = None, "local", ""

    def __init__(
        self,
        master: str = "",
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int = 100,
        save_checkpoints_secs: float | None = 0,
        save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int = 100,
        model_dir: str | None = None,
        session_config: Config | None = None,
        **others: Any,
    ) -> None:
        self.master = master
        self.tf_random_seed = tf_random_seed
        self.save_summary_steps = save_summary_steps
        if save_checkpoints_secs == 0:
            save_checkpoints_secs = DEFAULT_SECONDS if save_checkpoints_steps is None else None
        self.save_checkpoints_secs = save_checkpoints_secs
        self.save_checkpoints_steps = save_checkpoints_steps
        self.keep_checkpoint_max = keep_checkpoint_max
        self.keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self.log_step_count_steps = log_step_count_steps
        self.model_dir = model_dir
        self.session_config = self.tf_config = session_config or _tf.ConfigProto(
            log_device_placement=log_device_placement,
            gpu_options=_tf.GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction),
        )
        vars(self).update(others)
        _require_no_cluster()
        self._check_strategies()

    def _check_strategies(self) -> None:
        of_both = getattr(self, "experimental_distribute", None)
        for name in ("train_distribute", "eval_distribute"):
            for strategy in (getattr(self, name, None), getattr(of_both, name, None)):
                replicas = getattr(strategy, "num_replicas_in_sync", 1)
                require_one_replica(f"{name}: {type(strategy).__name__}", replicas)

    def replace(self, **kwargs: Any) -> Any:
        """A copy with some attributes replaced; steps between checkpoints take the place of seconds, and seconds of steps.

        Raises:
            ValueError: If one can't be replaced, or both steps and seconds are given.
            NotImplementedError: If a strategy has more than one replica.
        """
        for name in kwargs:
            if name not in self.replaceable:
                allowed = ", ".join(self.replaceable)
                raise ValueError(f"Replacing {name} is not supported. Allowed are {allowed}.")
        between = ("save_checkpoints_steps", "save_checkpoints_secs")
        given = [name for name in between if kwargs.get(name) is not None]
        if len(given) > 1:
            raise ValueError(BOTH_SET)
        if given:
            kwargs = {**dict.fromkeys(between), **kwargs}
        new = RunConfig.__new__(type(self))
        vars(new).update(vars(self), **kwargs)
        new._check_strategies()
        return new


class Measures(NamedTuple):
    """What an evaluation runs."""

    updates: list[Op]
    """The ops that count a batch."""
    values: Any
    """The `FinalOpsHook` that reads what is measured, and the global step, by name, at the end."""
    scaffold: Scaffold | None
    """The scaffold of the model function."""
    hooks: list[Any]
    """The hooks of the session; `values` is the last."""


def check(mode: str, predictions: Tensors, loss: Tensor, train_op: Op) -> None:
    """Checks that a model function returns what its mode needs.

    Args:
        mode: A key of `ModeKeys`: `"train"`, `"eval"` or `"infer"`.
        predictions: What it returns.
        loss: What it returns.
        train_op: What it returns.

    Raises:
        ValueError: If what the mode needs is missing.
    """
    if mode == "train" and train_op is None:
        raise ValueError("Missing train_op.")
    if mode in ("train", "eval") and loss is None:
        raise ValueError("Missing loss.")
    if mode == "infer" and predictions is None:
        raise ValueError("Missing predictions.")


def argument_names(function: Callable[..., Any]) -> list[str]:
    """The names of a function's arguments, less those that a `functools.partial` gives by name."""
    inner = inspect.unwrap(function, stop=lambda each: isinstance(each, functools.partial))
    given = inner.keywords if isinstance(inner, functools.partial) else {}
    names = inspect.signature(inner, follow_wrapped=False).parameters
    return [name for name in names if name not in given]


def _temporary() -> str:
    """A new folder for a model that was given none."""
    folder = tempfile.mkdtemp()
    _tf.logging.warning("Using temporary folder as model directory: %s", folder)
    return folder


class Estimator:
    """A model function, its folder and its sessions: the part that both estimators share.

    A subclass says what the model function is called with (`_ops`), and has the methods that
    programs call.

    Args:
        model_dir: Folder of the checkpoints and summaries; that of `config`, or a new one, when None.
        params: What the model function gets as `params`, where it takes it; a subclass keeps it.

    Raises:
        ValueError: If the model function takes no `params` and some are given.
    """

    _tells_checkpoints = False
    """Whether an evaluation's summary has the path of the checkpoint, as that of `tf.estimator` has since 1.9."""

    def __init__(
        self,
        model_fn: Callable[..., Any] | None,
        model_dir: str | None,
        config: RunConfig,
        params: Any,
    ) -> None:
        if model_fn is not None and params is not None and "params" not in argument_names(model_fn):
            raise ValueError(f"Estimator's model_fn ({model_fn}) does not take params")
        self._config = config
        self._model_dir = model_dir or config.model_dir or _temporary()
        self._model_fn: Any = model_fn

    @property
    def model_dir(self) -> str:
        """Folder of the checkpoints and summaries."""
        return self._model_dir

    def eval_dir(self, name: str | None = None) -> str:
        """Folder of the summaries of an evaluation, `eval` or `eval_<name>`."""
        return os.path.join(self._model_dir, f"eval_{name}" if name else "eval")

    @property
    def model_fn(self) -> Callable[..., Any] | None:
        """The model function."""
        return self._model_fn

    @property
    def config(self) -> RunConfig:
        """How the estimator runs."""
        return self._config

    def _seed(self) -> int | None:
        """The graph's seed."""
        return self._config.tf_random_seed

    def _ops(self, features: Tensors, labels: Tensor, mode: str) -> Any:
        """What the model function returns: `EstimatorSpec` or `ModelFnOps`."""
        raise NotImplementedError

    def _graph(self) -> Any:
        """A new graph with its seed and its global step."""
        graph = _tf.Graph()
        with graph.as_default():
            seed = self._seed()
            if seed is not None:
                _tf.set_random_seed(seed)
            _train.create_global_step(graph)
        return graph

    def _fitted(
        self,
        input_fn: Callable[[], Any],
        steps: int | None,
        max_steps: int | None,
        monitors: Iterable[Any],
        listeners: Sequence[Any] = (),
    ) -> None:
        """Trains, from the last checkpoint on."""
        with self._graph().as_default():
            with _tensorflow.step_read_first():
                features, labels = input_fn()
                ops = self._ops(features, labels, "train")
            if not any(each.op.name == "loss" for each in _tf.get_collection("summaries")):
                _tf.summary.scalar("loss", ops.loss)
            for monitor in monitors:
                if hasattr(monitor, "set_estimator"):
                    monitor.set_estimator(self)
            hooks = [*monitors, *ops.training_hooks, *ops.training_chief_hooks]
            hooks.append(_train.NanTensorHook(ops.loss))
            if self._config.log_step_count_steps:
                logged = {"loss": ops.loss, "step": _train.get_global_step()}
                steps_apart = self._config.log_step_count_steps
                hooks.append(_train.LoggingTensorHook(logged, every_n_iter=steps_apart))
            if steps is not None or max_steps is not None:
                hooks.append(_train.StopAtStepHook(steps, max_steps))
            loss = None
            with self._summaries(), self._training(ops.scaffold, hooks, listeners) as session:
                while not session.should_stop():
                    _, loss = session.run([ops.train_op, ops.loss])
        _tf.logging.info("Loss for final step: %s.", loss)

    def _training(
        self, scaffold: Scaffold | None, hooks: list[Any], listeners: Sequence[Any]
    ) -> Any:
        """The session of a training."""
        config = self._config
        seconds, steps = config.save_checkpoints_secs, config.save_checkpoints_steps
        if seconds and steps:
            raise ValueError(BOTH_SET)
        key = _tf.GraphKeys.SAVERS
        if not ((scaffold and scaffold.saver) or _tf.get_collection(key)):
            # hooks of the program find it there, and so does a scaffold without one
            saver = _train.Saver(
                max_to_keep=config.keep_checkpoint_max,
                keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
                save_relative_paths=True,
                defer_build=True,  # hooks make variables, too
            )
            _tf.add_to_collection(key, saver)
        scaffold = scaffold or _train.Scaffold()
        saving = [hook for hook in hooks if isinstance(hook, _train.CheckpointSaverHook)]
        chief_hooks = []
        if not saving and (seconds or steps):
            made = _train.CheckpointSaverHook(self._model_dir, seconds, steps, scaffold=scaffold)
            saving = chief_hooks = [made]
        if listeners and not saving:
            raise ValueError(
                "There are no checkpoints to tell `saving_listeners` of: set "
                "`save_checkpoints_steps` or `save_checkpoints_secs` of the RunConfig."
            )
        for listener in listeners:
            if listener not in saving[0]._listeners:
                saving[0]._listeners.append(listener)
        return _train.MonitoredTrainingSession(
            master=config.master,
            checkpoint_dir=self._model_dir,
            scaffold=scaffold,
            hooks=hooks,
            chief_only_hooks=chief_hooks,
            config=config.session_config,
            save_checkpoint_secs=0,  # a hook saves
            save_summaries_steps=config.save_summary_steps,
            log_step_count_steps=config.log_step_count_steps,
        )

    @contextlib.contextmanager
    def _summaries(self) -> Iterator[None]:
        """Keeps the writer of summaries open while a block trains, and ends its thread afterwards."""
        writer = _tf.summary.FileWriterCache.get(self._model_dir)
        writer.reopen()
        try:
            yield
        finally:
            writer.close()

    def _checkpoint(self) -> str:
        """The path of the last checkpoint."""
        found = _train.latest_checkpoint(self._model_dir)
        if found is None:
            raise NotFittedError(f"Couldn't find trained model at {self._model_dir}.")
        return found

    def _last_step(self) -> int:
        """The global step of the last checkpoint; 0 where there is none."""
        found = _train.latest_checkpoint(self._model_dir)
        return int(_train.load_variable(found, "global_step")) if found else 0

    def _session(
        self, scaffold: Scaffold | None, checkpoint: str, hooks: list[Any] | None = None
    ) -> Any:
        """A session with the variables of a checkpoint."""
        return _train.MonitoredSession(
            _train.ChiefSessionCreator(
                scaffold=scaffold or _train.Scaffold(),
                master=self._config.master,
                config=self._config.session_config,
                checkpoint_filename_with_path=checkpoint,
            ),
            hooks=hooks,
        )

    def _evaluated(
        self,
        input_fn: Callable[[], Any],
        steps: int | None,
        hooks: Iterable[Any],
        checkpoint: str | None,
        name: str | None,
        metrics: Callable[[Any, Any, Any], dict[str, Any]] | None = None,
        feed_fn: Callable[[], Any] | None = None,
    ) -> dict[str, Any]:
        """Measures the model, and writes the values as a summary.

        Args:
            input_fn: Returns features and labels.
            steps: int, how many batches; until the data ends when None.
            hooks: `tf.train.SessionRunHook`s; what `input_fn` adds to a list of them counts.
            checkpoint: Which checkpoint; the last when None.
            name: Of the folder of summaries, `eval_<name>`.
            metrics: Function of features, labels and predictions: further metrics.
            feed_fn: The feed_dict of a step.

        Returns:
            Dict from name to value; `loss` and `global_step` are among them.

        Raises:
            ValueError: If there is no checkpoint, or no batch.
        """
        checkpoint = checkpoint or self._checkpoint()
        with self._graph().as_default():
            measures = self._measures(input_fn, hooks, metrics)
            session = self._session(measures.scaffold, checkpoint, measures.hooks)
            folder = self.eval_dir(name)
            told = checkpoint if self._tells_checkpoints else None
            return self._measured(measures, session, steps, folder, feed_fn, told)

    def _measures(
        self,
        input_fn: Callable[[], Any],
        hooks: Iterable[Any],
        metrics: Callable[[Any, Any, Any], dict[str, Any]] | None = None,
    ) -> Measures:
        """Builds what an evaluation runs, in the default graph; the arguments are those of `_evaluated`."""
        features, labels = input_fn()
        ops = self._ops(features, labels, "eval")
        measured = dict(ops.eval_metric_ops)
        measured.update(metrics(features, labels, ops.predictions) if metrics else {})
        measured.setdefault("loss", _tf.metrics.mean(ops.loss))
        measured = dict(sorted(measured.items()))
        values = {known_as: value for known_as, (value, _) in measured.items()}
        values["global_step"] = _train.get_global_step()
        # Not read in a step: hooks run in each, and what they fetch would take a batch more.
        final = _train.FinalOpsHook(values)
        every = [*hooks, *getattr(ops, "evaluation_hooks", ()), final]
        return Measures([update for _, update in measured.values()], final, ops.scaffold, every)

    def _measured(
        self,
        measures: Measures,
        session: Any,
        steps: int | None,
        folder: str,
        feed_fn: Callable[[], Any] | None = None,
        checkpoint: str | None = None,
    ) -> dict[str, Any]:
        """Runs an evaluation in a session of its own, and writes the values as a summary.

        Args:
            folder: Folder of the summary.
            checkpoint: The checkpoint whose path is written, too.
            others: As for `_evaluated`.
        """
        done = 0
        _tf.logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%S"))
        with session:
            while not session.should_stop() and (steps is None or done < steps):
                session.run(measures.updates, feed_dict=feed_fn() if feed_fn else None)
                done += 1
                if steps is not None and (done == steps or done % max(1, steps // 10) == 0):
                    _tf.logging.info("Evaluation [%d/%d]", done, steps)
        if not done:
            raise ValueError("There is nothing to evaluate: the input function gave no batch.")
        results = measures.values.final_ops_values
        _write(folder, results, checkpoint)
        return dict(results)

    def get_variable_names(self) -> list[str]:
        """The names of the variables in the last checkpoint."""
        return [name for name, _ in _train.list_variables(self._checkpoint())]

    def get_variable_value(self, name: str) -> Any:
        """The value of a variable in the last checkpoint, an array."""
        return _train.load_variable(self._checkpoint(), name)


def examples_of(batch: Any) -> Iterator[Any]:
    """The examples of a batch, which is an array or a dict of arrays."""
    if isinstance(batch, dict):
        for row in zip(*batch.values(), strict=True):
            yield dict(zip(batch, row, strict=True))
    else:
        yield from batch


def _write(folder: str, results: dict[str, Any], checkpoint: str | None = None) -> None:
    """The numbers of an evaluation as a summary, in a file of its own.

    TensorFlow names a file by the second. The step behind it keeps a second evaluation in one second
    from writing over the first.
    """
    summary = _tf.Summary()
    for name, value in results.items():
        if name != "global_step" and np.ndim(value) == 0:
            summary.value.add(tag=name, simple_value=float(value))
    if checkpoint is not None and not release.before("1.9"):
        summary.value.add(tag="checkpoint_path", tensor=_tf.make_tensor_proto(checkpoint))
    step = int(results["global_step"])
    shown = ", ".join(f"{name} = {value!s}" for name, value in sorted(results.items()))
    _tf.logging.info("Saving dict for global step %d: %s", step, shown)
    with _tf.summary.FileWriter(folder, filename_suffix=f".{step}") as writer:
        writer.add_summary(summary, step)
