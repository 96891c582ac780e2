"""How `tf.contrib.learn` exports: `InputFnOps`, `ExportStrategy` and what makes them.

Stands for `learn.utils` and its modules `input_fn_utils` and `saved_model_export_utils`.
"""

import collections
import inspect
import os
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.layers import feature_column as _columns
from tfqueue.estimator import _export
from tfqueue.v1 import _lazy_names
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Estimator, FileName, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "ExportStrategy",
    "InputFnOps",
    "ProblemType",
    "build_default_serving_input_fn",
    "build_parsing_serving_input_fn",
    "garbage_collect_exports",
    "get_most_recent_export",
    "get_temp_export_dir",
    "get_timestamped_export_dir",
    "make_export_strategy",
    "make_parsing_export_strategy",
]
_DEFAULT = _tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY

InputFnOps = collections.namedtuple("InputFnOps", "features labels default_inputs")
Path = collections.namedtuple("Path", "path export_version")
garbage_collect_exports = _export.keep
get_timestamped_export_dir = _export.timestamped
get_temp_export_dir = _export.temporary


class ProblemType:
    """What a model is for (`tf.contrib.learn.ProblemType`); says how it is served."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3


def build_parsing_serving_input_fn(
    feature_spec: dict[str, Any], default_batch_size: int | None = None
) -> Callable[[], InputFnOps]:
    """A serving input function that parses serialized `tf.train.Example`s.

    Its arguments are those of `tf.estimator.export.build_parsing_serving_input_receiver_fn`.
    """
    return _input_fn(
        _export.build_parsing_serving_input_receiver_fn(feature_spec, default_batch_size)
    )


def build_default_serving_input_fn(
    features: dict[str, Any], default_batch_size: int | None = None
) -> Callable[[], InputFnOps]:
    """A serving input function whose features are fed as they are.

    Its arguments are those of `tf.estimator.export.build_raw_serving_input_receiver_fn`.
    """
    return _input_fn(_export.build_raw_serving_input_receiver_fn(features, default_batch_size))


def _input_fn(receive: Callable[[], Any]) -> Callable[[], InputFnOps]:
    """The serving input function of `tf.contrib.learn` for one of `tf.estimator`."""

    def input_fn() -> InputFnOps:
        received = receive()
        return InputFnOps(received.features, None, received.receiver_tensors)

    return input_fn


class ExportStrategy(
    collections.namedtuple("ExportStrategy", "name export_fn strip_default_attrs", defaults=(None,))
):
    """How an `Experiment` exports (`tf.contrib.learn.ExportStrategy`).

    Args:
        name: Folder of the exports, below `export` in the model's folder.
        export_fn: Function of an estimator and this folder and, if it has them, `checkpoint_path`,
            `eval_result` and `strip_default_attrs`; returns the new folder.
        strip_default_attrs: Its argument of that name.
    """

    __slots__ = ()

    def export(
        self,
        estimator: Estimator,
        export_path: FileName,
        checkpoint_path: str | None = None,
        eval_result: dict[str, Any] | None = None,
    ) -> Any:
        """Exports a model; returns what `export_fn` does.

        Args:
            export_path: Folder of the exports.
            checkpoint_path: Which checkpoint; the last when None.
            eval_result: What was measured for it.

        Raises:
            ValueError: If the function takes `eval_result` and no `checkpoint_path`.
        """
        names = inspect.signature(self.export_fn).parameters
        if "eval_result" in names and "checkpoint_path" not in names:
            raise ValueError("An export_fn with eval_result must also take checkpoint_path.")
        given = {
            "checkpoint_path": checkpoint_path,
            "eval_result": eval_result,
            "strip_default_attrs": self.strip_default_attrs,
        }
        taken = {name: value for name, value in given.items() if name in names}
        return self.export_fn(estimator, export_path, **taken)


def make_export_strategy(
    serving_input_fn: Callable[[], Any],
    default_output_alternative_key: str | None = None,
    assets_extra: dict[str, str] | None = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """The strategy that writes SavedModels, into `Servo`.

    Args:
        serving_input_fn: Function of nothing; returns `InputFnOps`, or a `ServingInputReceiver` for an
            estimator of `tf.estimator`.
        default_output_alternative_key: Which head is the default; None for a single one, and for an
            estimator of `tf.estimator`.
        assets_extra: Dict from path below `assets.extra` to the file that is copied there.
        as_text: Whether the graph is written as text.
        exports_to_keep: int, how many stay; all when None.
        strip_default_attrs: Whether attributes with their default values are left out.
    """

    def export_fn(
        estimator: Estimator,
        export_dir_base: FileName,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool | None = False,
    ) -> bytes:
        which = {"default_output_alternative_key": default_output_alternative_key}
        if hasattr(estimator, "export_saved_model"):
            if default_output_alternative_key is not None:
                raise ValueError(
                    "default_output_alternative_key is not supported in core Estimator. "
                    f"Given: {default_output_alternative_key}"
                )
            which = {}
        folder = estimator.export_savedmodel(
            export_dir_base,
            serving_input_fn,
            assets_extra=assets_extra,
            as_text=as_text,
            checkpoint_path=checkpoint_path,
            strip_default_attrs=bool(strip_default_attrs),
            **which,
        )
        _export.keep(export_dir_base, exports_to_keep)
        return folder

    return ExportStrategy("Servo", export_fn, strip_default_attrs)


@takes(
    "feature_columns default_output_alternative_key=None assets_extra=None as_text=False "
    "exports_to_keep=5 target_core=False strip_default_attrs=None"
)
def make_parsing_export_strategy(given: dict[str, Any]) -> ExportStrategy:
    """`make_export_strategy` that parses the features of columns.

    Args:
        feature_columns: Columns of `tf.contrib.layers`.
        target_core: Whether the estimator is one of `tf.estimator`.
        others: As for `make_export_strategy`.
    """
    spec = _columns.create_feature_spec_for_parsing(given.pop("feature_columns"))
    build: Callable[..., Any] = build_parsing_serving_input_fn
    if given.pop("target_core"):
        build = _export.build_parsing_serving_input_receiver_fn
    return make_export_strategy(build(spec), **given)


def get_most_recent_export(export_dir_base: FileName) -> Path | None:
    """The last export below a folder, or None.

    Args:
        export_dir_base: The folder of all exports.

    Returns:
        A tuple with `path` and `export_version`.
    """
    known = _export.versions(export_dir_base)
    if not known:
        return None
    return Path(os.path.join(os.fsdecode(export_dir_base), str(known[-1])), known[-1])


def signatures(received: Any, ops: Any, default: str | None) -> dict[str, Any]:
    """Name to `SignatureDef` of what a model function returned.

    Args:
        received: `InputFnOps`.
        ops: `ModelFnOps`.
        default: Which of `output_alternatives` is the default; None for a single one.

    Raises:
        ValueError: If there are several and none, or one that is not there, is the default.
    """
    heads = ops.output_alternatives
    if not heads and default is None:
        outputs = ops.predictions
        outputs = outputs if isinstance(outputs, dict) else {"output": outputs}
        default = "default_output_alternative"
        heads = {default: (ProblemType.UNSPECIFIED, outputs)}
    elif default is None and len(heads) == 1:
        default = next(iter(heads))
    elif default not in (heads or ()):
        raise ValueError(
            f"Please specify a default_output_alternative that is there, not {default}. Available "
            f"output_alternatives are: {sorted(heads or ())}"
        )
    inputs = received.default_inputs
    if not inputs:
        raise ValueError("A default input_alternative must be provided.")
    found = {
        f"default_input_alternative:{name or 'None'}": _signature(inputs, *head)
        for name, head in heads.items()
    }
    found[_DEFAULT] = _signature(inputs, *heads[default])
    return found


def _signature(inputs: dict[str, Tensor], problem: int, outputs: dict[str, Tensor]) -> Any:
    single = next(iter(inputs.values())) if len(inputs) == 1 else None
    if single is not None:
        if problem in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION):
            classes = outputs.get("classes")
            if classes is not None and classes.dtype != _tf.string:
                classes = None
            scores = outputs.get("scores", outputs.get("probabilities"))
            if classes is None and scores is None and len(outputs) == 1:
                (only,) = outputs.values()
                classes, scores = (only, None) if only.dtype == _tf.string else (None, only)
            if classes is not None or scores is not None:
                return _tf.saved_model.classification_signature_def(single, classes, scores)
        if problem == ProblemType.LINEAR_REGRESSION and len(outputs) == 1:
            (only,) = outputs.values()
            return _tf.saved_model.regression_signature_def(single, only)
    return _tf.saved_model.predict_signature_def(inputs, outputs)


__getattr__ = _lazy_names.attributes(__name__, {})[0]
