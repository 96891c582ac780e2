"""`tf.contrib.tpu` without a TPU: an estimator that trains on this machine.

A model function written for TPUs trains on a CPU with `use_tpu=False`; what needs a TPU is refused.
"""

import collections
import copy
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.contrib import summary as _summary
from tfqueue.estimator import _training
from tfqueue.v1 import _lazy_names
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import constructor, record
from tfqueue.v1._types import Hook, Tensors

_tf = _tensorflow.compat_v1()

_NO_TPU = "tfqueue has no TPU to run on: use_tpu=False trains the same model on this machine"
_RESERVED = ["batch_size", "context"]


class InputPipelineConfig:
    """How a TPU is fed (`tf.contrib.tpu.InputPipelineConfig`); without one it changes nothing."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


class TPUConfig(
    collections.namedtuple(
        "TPUConfig",
        "iterations_per_loop num_shards num_cores_per_replica per_host_input_for_training "
        "tpu_job_name initial_infeed_sleep_secs input_partition_dims "
        "eval_training_input_configuration experimental_host_call_every_n_steps",
        defaults=(2, None, None, 2, None, None, None, 2, 1),
    )
):
    """The part of a `RunConfig` that is for TPUs (`tf.contrib.tpu.TPUConfig`); it is only kept."""

    __slots__ = ()


class RunConfig(_estimator.RunConfig):
    """How an estimator runs (`tf.contrib.tpu.RunConfig`).

    Args:
        evaluation_master: Kept.
        master: Kept.
        cluster: None; a resolver needs a TPU.
        **others: As for `tf.estimator.RunConfig`.
    """

    replaceable = [*_estimator.RunConfig.replaceable, "tpu_config"]

    def __init__(
        self,
        tpu_config: TPUConfig | None = None,
        evaluation_master: str | None = None,
        master: str | None = None,
        cluster: Any = None,
        **others: Any,
    ) -> None:
        super().__init__(**others)
        self.tpu_config = tpu_config or TPUConfig()
        self.cluster = cluster
        self.master = master or ""
        self.evaluation_master = evaluation_master or ""


_Spec: Any = record(
    "TPUEstimatorSpec",
    "mode predictions=None loss=None train_op=None eval_metrics=None export_outputs=None "
    "scaffold_fn=None host_call=None training_hooks=None evaluation_hooks=None "
    "prediction_hooks=None",
)


class TPUEstimatorSpec(_Spec):
    """What a model function returns (`tf.contrib.tpu.TPUEstimatorSpec`).

    Args:
        mode: A key of `tf.estimator.ModeKeys`.
        predictions: A tensor, or a dict of them.
        loss: Scalar tensor.
        train_op: Op of one step.
        eval_metrics: `(function, tensors)`: the function of the tensors, a list or a dict, gives a dict
            from name to `(value, update op)`.
        export_outputs: As for `tf.estimator.EstimatorSpec`.
        scaffold_fn: Function of nothing: gives a `tf.train.Scaffold`.
        host_call: `(function, tensors)`: the function's ops are run after each training step.

    Raises:
        ValueError: If what the mode needs is missing, or a pair is not one.
    """

    @classmethod
    def _checked(cls, given: dict[str, Any]) -> dict[str, Any]:
        for name in ("eval_metrics", "host_call"):
            pair = given[name]
            if pair is None:
                continue
            if not isinstance(pair, list | tuple):
                raise ValueError(f"{name} should be tuple or list")
            if len(pair) != 2 or not callable(pair[0]):
                raise ValueError(f"{name} should be a function and its tensors.")
            if not isinstance(pair[1], list | tuple | dict):
                raise ValueError(f"{name}[1] should be tuple or list, or dict.")
        shared = {name: given[name] for name in given if name in _estimator.EstimatorSpec._fields}
        spec = _estimator.EstimatorSpec(**shared)._asdict()
        return {**given, **{name: spec[name] for name in shared}}

    def as_estimator_spec(self) -> _estimator.EstimatorSpec:
        """The same for `tf.estimator`: metrics, host call and scaffold are made."""
        hooks = self.training_hooks
        if self.host_call is not None:
            hooks = (*hooks, _HostCall(_called(self.host_call)))
        return _estimator.EstimatorSpec(
            self.mode,
            self.predictions,
            self.loss,
            self.train_op,
            eval_metric_ops=self.eval_metrics and _called(self.eval_metrics),
            export_outputs=self.export_outputs,
            training_hooks=hooks,
            scaffold=self.scaffold_fn and self.scaffold_fn(),
            evaluation_hooks=self.evaluation_hooks,
            prediction_hooks=self.prediction_hooks,
        )


def _called(pair: tuple[Callable[..., Any], Any]) -> Any:
    function, tensors = pair
    return function(**tensors) if isinstance(tensors, dict) else function(*tensors)


class _HostCall(_train.SessionRunHook):
    """Runs a host call with each step, and opens and flushes the writers of its summaries."""

    def __init__(self, ops: Any) -> None:
        self._ops = ops
        self._opened: list[Any] = []
        self._flushed: list[Any] = []

    def begin(self) -> None:
        self._opened = _summary.summary_writer_initializer_op()
        self._flushed = [_summary.flush(writer=op.inputs[0]) for op in self._opened]

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._opened)

    def before_run(self, run_context: Any) -> Any:
        return _train.SessionRunArgs(self._ops)

    def end(self, session: Any) -> None:
        session.run(self._flushed)


class TPUEstimator(_estimator.Estimator):
    """Trains, evaluates and uses a model (`tf.contrib.tpu.TPUEstimator`), here without a TPU.

    `params["batch_size"]` of the input and the model function is the batch size of their mode.

    Args:
        model_fn: Function of `features`, `labels`, `mode` and `params`; returns a `TPUEstimatorSpec` or
            a `tf.estimator.EstimatorSpec`.
        model_dir: Folder of the checkpoints.
        config: A `RunConfig` of this module.
        params: Dict; the model function gets a copy.
        use_tpu: False; True is refused where it trains, evaluates or predicts.
        train_batch_size: int, batch size for training.
        eval_batch_size: int, batch size for evaluation.
        predict_batch_size: int, batch size for prediction.
        batch_axis: Not used.
        eval_on_tpu: Not used.
        export_to_tpu: Not used.
        export_to_cpu: Not used.
        warm_start_from: As for `tf.estimator.Estimator`.

    Raises:
        ValueError: If `params` has one of the reserved keys, or `config` is another module's.
    """

    __init__ = constructor(
        "model_fn model_dir=None config=None params=None use_tpu=True train_batch_size=None "
        "eval_batch_size=None predict_batch_size=None batch_axis=None eval_on_tpu=True "
        "export_to_tpu=True export_to_cpu=True warm_start_from=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        params = given["params"]
        if not isinstance(given["config"], RunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(key in params for key in _RESERVED):
            raise ValueError(f"{_RESERVED} are reserved keys but existed in params {params}.")
        taken = ("model_fn", "model_dir", "config", "params", "warm_start_from")
        super().__init__(*(given[name] for name in taken))
        keys = _estimator.ModeKeys
        self._use_tpu = given["use_tpu"]
        self._sizes = {
            keys.TRAIN: given["train_batch_size"],
            keys.EVAL: given["eval_batch_size"],
            keys.PREDICT: given["predict_batch_size"],
        }

    def _with(self, mode: str, call: Callable[[], Any], **more: Any) -> Any:
        """Calls a function while the parameters are those of a mode."""
        if self._use_tpu:
            raise RuntimeError(_NO_TPU)
        params, self._params = self._params, copy.copy(self._params)
        try:
            if self._sizes[mode] is not None:
                more["batch_size"] = self._sizes[mode]
            for name, value in more.items():
                self._params[name] = value
            return call()
        finally:
            self._params = params

    def _read(self, input_fn: Callable[..., Any], mode: str, hooks: list[Hook]) -> tuple[Any, Any]:
        if "params" not in _training.argument_names(input_fn):
            raise ValueError(
                f"input_fn ({input_fn}) does not include params argument, required by TPUEstimator "
                'to pass batch size as params["batch_size"]'
            )
        return self._with(mode, lambda: super(TPUEstimator, self)._read(input_fn, mode, hooks))

    def _called(
        self, features: Tensors, labels: Tensors | None, mode: str, config: Any = None
    ) -> Any:
        found = self._with(
            mode,
            lambda: super(TPUEstimator, self)._called(features, labels, mode, config),
            use_tpu=False,
        )
        return found.as_estimator_spec() if isinstance(found, TPUEstimatorSpec) else found


class AsyncCheckpointSaverHook(_tf.train.CheckpointSaverHook):
    """Saves checkpoints while a model trains (`tf.contrib.tpu.AsyncCheckpointSaverHook`).

    It saves between two steps, as `tf.train.CheckpointSaverHook` does: the original saved in a thread, and
    passed over a checkpoint that came due before the last one was written.

    Args:
        checkpoint_dir: Folder of the checkpoints.
        save_secs: int, seconds between two of them.
        save_steps: int, steps between two of them.
        saver: `tf.train.Saver`.
        checkpoint_basename: Name of the checkpoints.
        scaffold: Gives the saver.
        listeners: List of `tf.train.CheckpointSaverListener`.
    """

    def __init__(
        self,
        checkpoint_dir: str,
        save_secs: int | None = None,
        save_steps: int | None = None,
        saver: Any = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
        listeners: Any = None,
    ) -> None:
        super().__init__(
            checkpoint_dir, save_secs, save_steps, saver, checkpoint_basename, scaffold, listeners
        )


__all__ = [
    "AsyncCheckpointSaverHook",
    "InputPipelineConfig",
    "RunConfig",
    "TPUConfig",
    "TPUEstimator",
    "TPUEstimatorSpec",
]

# models for TPUs name them behind `if use_tpu:`
_TODAY = (
    "CrossShardOptimizer batch_parallel bfloat16_scope core cross_replica_sum initialize_system "
    "outside_compilation replicate rewrite shard shutdown_system"
)

__getattr__, __dir__ = _lazy_names.attributes(
    __name__, {name: f"tf:tpu.{name}" for name in _TODAY.split()}
)
