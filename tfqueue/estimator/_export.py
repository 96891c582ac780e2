"""`tf.estimator.export`, and how an estimator of any kind is written as a SavedModel.

What is written has the signatures, tags and folders of TensorFlow 1.15: a folder named by the second,
which has another name until it is whole, with the variables of a checkpoint in one shard.
"""

import collections
import os
import time
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._types import Config, FileName, Op, Saver, Tensor, Tensors

_tf = _tensorflow.compat_v1()

__all__ = [
    "ClassificationOutput",
    "EvalOutput",
    "ExportOutput",
    "PredictOutput",
    "RegressionOutput",
    "ServingInputReceiver",
    "SupervisedInputReceiver",
    "TensorServingInputReceiver",
    "TrainOutput",
    "build_parsing_serving_input_receiver_fn",
    "build_raw_serving_input_receiver_fn",
]
_DEFAULT = _tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
_FEATURE, _RECEIVER = "feature", "input"
_TAGS = {
    "train": _tf.saved_model.TRAINING,
    "eval": "eval",
    "infer": _tf.saved_model.SERVING,
}


def _checked(tensors: Any, what: str, single: str, ints: bool = False) -> dict[Any, Tensor]:
    """A dict of tensors; a tensor alone stands under the name `single`."""
    if tensors is None:
        raise ValueError(f"{what}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {single: tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, (str, int) if ints else str):
            kinds = "strings or ints" if ints else "strings"
            raise ValueError(f"{what} keys must be {kinds}: {name}.")
        if not isinstance(tensor, _tf.Tensor | _tf.SparseTensor):
            raise ValueError(f"{what} {name} must be a Tensor or SparseTensor.")
    return tensors


_Receiver = collections.namedtuple(
    "_Receiver", "features receiver_tensors receiver_tensors_alternatives"
)


class ServingInputReceiver(_Receiver):
    """What a serving input function returns (`tf.estimator.export.ServingInputReceiver`).

    Args:
        features: Tensor, or dict of them: what the model function gets, always as a dict.
        receiver_tensors: Placeholder, or dict of them: what is fed.
        receiver_tensors_alternatives: Dict from name to others that can be fed in their place.

    Raises:
        ValueError: If something is no tensor, or a name is no string.
    """

    __slots__ = ()

    def __new__(
        cls, features: Tensors, receiver_tensors: Tensor, receiver_tensors_alternatives: Any = None
    ) -> Any:
        features = _checked(features, "feature", _FEATURE, ints=True)
        receivers = _checked(receiver_tensors, "receiver_tensor", _RECEIVER)
        if receiver_tensors_alternatives is not None:
            if not isinstance(receiver_tensors_alternatives, dict):
                raise ValueError(
                    f"receiver_tensors_alternatives must be a dict: {receiver_tensors_alternatives}."
                )
            receiver_tensors_alternatives = {
                name: _checked(tensors, "receiver_tensors_alternative", _RECEIVER)
                for name, tensors in receiver_tensors_alternatives.items()
            }
        return super().__new__(cls, features, receivers, receiver_tensors_alternatives)


class TensorServingInputReceiver(_Receiver):
    """`ServingInputReceiver` for a model function whose features are one tensor.

    Args:
        features: Tensor.
        receiver_tensors: As there.
        receiver_tensors_alternatives: As there.

    Raises:
        ValueError: As there.
    """

    __slots__ = ()

    def __new__(
        cls, features: Tensors, receiver_tensors: Any, receiver_tensors_alternatives: Any = None
    ) -> Any:
        checked = ServingInputReceiver(
            {_FEATURE: features}, receiver_tensors, receiver_tensors_alternatives
        )
        return super().__new__(cls, features, *checked[1:])


class SupervisedInputReceiver(
    collections.namedtuple("SupervisedInputReceiver", "features labels receiver_tensors")
):
    """What is fed to a model that is exported to train or to evaluate.

    Args:
        features: Tensor, or dict of them.
        labels: Tensor, or dict of them.
        receiver_tensors: Placeholder, or dict of them: what is fed.

    Raises:
        ValueError: If something is no tensor, or a name is no string.
    """

    __slots__ = ()

    def __new__(cls, features: Tensors, labels: Tensor, receiver_tensors: Tensor) -> Any:
        _checked(features, "feature", _FEATURE, ints=True)
        _checked(labels, "label", "label", ints=True)
        receivers = _checked(receiver_tensors, "receiver_tensor", _RECEIVER)
        return super().__new__(cls, features, labels, receivers)


def build_parsing_serving_input_receiver_fn(
    feature_spec: dict[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A serving input function that parses serialized `tf.train.Example`s.

    Args:
        feature_spec: As for `tf.parse_example`.
        default_batch_size: int, how many are fed; any number when None.

    Returns:
        Function of nothing. It feeds a placeholder `input_example_tensor`, known as `examples`.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        examples = _tf.placeholder(_tf.string, [default_batch_size], "input_example_tensor")
        features = _tf.parse_example(examples, feature_spec)
        return ServingInputReceiver(features, {"examples": examples})

    return serving_input_receiver_fn


def _placeholders(features: dict[str, Any], batch_size: int | None) -> dict[str, Any]:
    """Placeholders of the names, types and shapes of tensors.

    Args:
        features: Dict of tensors.
        batch_size: int, their first dimension; unknown when None.
    """
    return {
        name: _tf.placeholder(
            tensor.dtype,
            _tf.TensorShape([batch_size]).concatenate(tensor.shape[1:]),
            tensor.op.name,
        )
        for name, tensor in features.items()
    }


def build_raw_serving_input_receiver_fn(
    features: dict[str, Any], default_batch_size: int | None = None
) -> Callable[[], ServingInputReceiver]:
    """A serving input function whose features are fed as they are.

    Args:
        features: Dict of tensors, whose types and shapes count.
        default_batch_size: int, the first dimension of what is fed; any number when None.
    """

    def serving_input_receiver_fn() -> ServingInputReceiver:
        fed = _placeholders(features, default_batch_size)
        return ServingInputReceiver(fed, fed)

    return serving_input_receiver_fn


def build_raw_supervised_input_receiver_fn(
    features: Tensors, labels: Tensors, default_batch_size: int | None = None
) -> Callable[[], SupervisedInputReceiver]:
    """A function whose features and labels are fed as they are, for a model exported to train or evaluate.

    `tf.estimator.experimental.build_raw_supervised_input_receiver_fn` of TensorFlow 1.

    Args:
        features: Tensor, or dict of them, whose types and shapes count.
        labels: Likewise.
        default_batch_size: int, the first dimension of what is fed; any number when None.

    Raises:
        ValueError: If a feature and a label have one name.
    """

    def names(tensors: Tensors, single: str) -> dict[Any, Tensor]:
        return tensors if isinstance(tensors, dict) else {single: tensors}

    every = names(features, _RECEIVER), names(labels, "label")
    both = every[0].keys() & every[1].keys()
    if both:
        raise ValueError(
            f"Features and labels must have distinct keys. Found overlapping keys: {both}"
        )

    def supervised_input_receiver_fn() -> SupervisedInputReceiver:
        fed = [_placeholders(each, default_batch_size) for each in every]
        given, target = (
            placed if isinstance(tensors, dict) else next(iter(placed.values()))
            for placed, tensors in zip(fed, (features, labels), strict=True)
        )
        return SupervisedInputReceiver(given, target, {**fed[0], **fed[1]})

    return supervised_input_receiver_fn


def _named(outputs: Tensor, single: str, what: str) -> dict[str, Tensor]:
    """A dict of output tensors; the parts of a tuple as a name are joined."""
    found = {}
    for key, tensor in (outputs if isinstance(outputs, dict) else {single: outputs}).items():
        key = "/".join(key) if isinstance(key, tuple) else key
        if not isinstance(key, str):
            raise ValueError(f"{what} output key must be a string; got {key}.")
        if not isinstance(tensor, _tf.Tensor):
            raise ValueError(f"{what} output value must be a Tensor; got {tensor}.")
        found[key] = tensor
    return found


class ExportOutput:
    """What of a model is served (`tf.estimator.export.ExportOutput`)."""

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        """The `SignatureDef` from what is fed to this output.

        Args:
            receiver_tensors: Dict of placeholders.

        Raises:
            ValueError: If such an output cannot be served from these.
        """
        raise NotImplementedError


def _examples(receiver_tensors: dict[str, Tensor], what: str) -> Tensor:
    tensors = list(receiver_tensors.values())
    if len(tensors) != 1 or tensors[0].dtype != _tf.string:
        raise ValueError(f"{what} input must be a single string Tensor; got {receiver_tensors}")
    return tensors[0]


class PredictOutput(ExportOutput):
    """Outputs of any kind (`tf.estimator.export.PredictOutput`).

    Args:
        outputs: Tensor, known as `output`, or dict of them.

    Raises:
        ValueError: If one is no tensor, or a name is no string.
    """

    def __init__(self, outputs: Tensor) -> None:
        self.outputs = _named(outputs, "output", "Prediction")

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        """See `ExportOutput`."""
        return _tf.saved_model.predict_signature_def(receiver_tensors, self.outputs)


class ClassificationOutput(ExportOutput):
    """Classes of a serialized example (`tf.estimator.export.ClassificationOutput`).

    Args:
        scores: Tensor of floats, of shape (batch, n), or None.
        classes: Tensor of strings, of shape (batch, n), or None.

    Raises:
        ValueError: If both are None, or one is of another type.
    """

    def __init__(self, scores: Tensor | None = None, classes: Tensor | None = None) -> None:
        if scores is not None and not (isinstance(scores, _tf.Tensor) and scores.dtype.is_floating):
            raise ValueError(f"Classification scores must be a float32 Tensor; got {scores}")
        if classes is not None and not (
            isinstance(classes, _tf.Tensor) and classes.dtype == _tf.string
        ):
            raise ValueError(f"Classification classes must be a string Tensor; got {classes}")
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self.scores, self.classes = scores, classes

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        """See `ExportOutput`."""
        examples = _examples(receiver_tensors, "Classification")
        return _tf.saved_model.classification_signature_def(examples, self.classes, self.scores)


class RegressionOutput(ExportOutput):
    """A number for a serialized example (`tf.estimator.export.RegressionOutput`).

    Args:
        value: Tensor of floats.

    Raises:
        ValueError: If it is none.
    """

    def __init__(self, value: Tensor) -> None:
        if not (isinstance(value, _tf.Tensor) and value.dtype.is_floating):
            raise ValueError(f"Regression output value must be a float32 Tensor; got {value}")
        self.value = value

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        """See `ExportOutput`."""
        examples = _examples(receiver_tensors, "Regression")
        return _tf.saved_model.regression_signature_def(examples, self.value)


class TrainOutput(ExportOutput):
    """Loss, predictions and metrics of a model that is exported to train.

    Args:
        loss: Tensor, or dict of them.
        predictions: Tensor, or dict of them.
        metrics: Dict from name to `(value, update op)`.

    Raises:
        ValueError: If something is no tensor, or a name is no string.
    """

    _METHOD = "tensorflow/supervised/training"

    def __init__(
        self, loss: Tensor | None = None, predictions: Tensors | None = None, metrics: Any = None
    ) -> None:
        self.outputs: dict[str, Any] = {}
        for given, name in ((loss, "loss"), (predictions, "predictions")):
            if given is not None:
                self._add(_named(given, name, name), name)
        for key, (value, update) in (metrics or {}).items():
            if isinstance(update, _tf.Operation):
                with _tf.control_dependencies([update]):
                    update = _tf.constant([], name="metric_op_wrapper")
            key = "/".join(key) if isinstance(key, tuple) else key
            both = {f"{key}/value": value, f"{key}/update_op": update}
            self._add(_named(both, "metrics", "metrics"), "metrics")

    def _add(self, tensors: dict[str, Tensor], prefix: str) -> None:
        for key, tensor in tensors.items():
            self.outputs[key if key.startswith(prefix) else f"{prefix}/{key}"] = tensor

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        """See `ExportOutput`."""
        info = _tf.saved_model.build_tensor_info
        return _tf.saved_model.build_signature_def(
            {name: info(tensor) for name, tensor in receiver_tensors.items()},
            {name: info(tensor) for name, tensor in self.outputs.items()},
            self._METHOD,
        )


class EvalOutput(TrainOutput):
    """`TrainOutput` of a model that is exported to evaluate."""

    _METHOD = "tensorflow/supervised/eval"


def outputs_of(spec: Any) -> dict[str, ExportOutput]:
    """Name of the signature to what a model function serves; one of them is the default.

    Args:
        spec: An `EstimatorSpec`.

    Raises:
        TypeError: If the `export_outputs` are no dict of `ExportOutput`.
        ValueError: If there are several and none is the default.
    """
    if spec.mode == "train":
        return {"train": TrainOutput(spec.loss, spec.predictions, spec.eval_metric_ops)}
    if spec.mode == "eval":
        return {"eval": EvalOutput(spec.loss, spec.predictions, spec.eval_metric_ops)}
    found = spec.export_outputs
    if found is None:
        return {_DEFAULT: PredictOutput(spec.predictions)}
    if not isinstance(found, dict):
        raise TypeError(f"export_outputs must be dict, given: {found}")
    if not all(isinstance(each, ExportOutput) for each in found.values()):
        raise TypeError(f"Values in export_outputs must be ExportOutput objects. Given: {found}")
    if len(found) == 1:
        return {_DEFAULT: next(iter(found.values())), **found}
    if _DEFAULT not in found:
        raise ValueError(
            "Multiple export_outputs were provided, but none of them is specified as the default. "
            f"Name one of them {_DEFAULT!r}."
        )
    return found


def signatures(
    receiver_tensors: dict[str, Any],
    outputs: dict[str, ExportOutput],
    alternatives: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Name to `SignatureDef`, of every output that can be served from what is fed.

    Args:
        receiver_tensors: Dict of placeholders.
        alternatives: Dict from name to other placeholders.
    """
    fed = {"": receiver_tensors}
    fed.update({f"{name or 'None'}:": tensors for name, tensors in (alternatives or {}).items()})
    found: dict[str, Any] = {}
    left_out = {}
    for prefix, tensors in fed.items():
        for key, output in outputs.items():
            name = f"{prefix}{key or 'None'}"
            try:
                signature = output.as_signature_def(tensors)
            except ValueError as error:
                left_out[name] = error
                continue
            if isinstance(output, TrainOutput) or _tf.saved_model.is_valid_signature(signature):
                found[name] = signature
    for name, why in left_out.items():
        _tf.logging.info("Signature %r is not exported: %s", name, why)
    return found


def add_graph(
    builder: Any,
    signature_def_map: dict[str, Any],
    checkpoint: str,
    *,
    mode: str = "infer",
    with_variables: bool = True,
    saver: Saver | None = None,
    local_init_op: Op | None = None,
    strip_default_attrs: bool = False,
    config: Config | None = None,
) -> None:
    """Adds the default graph to a SavedModel, with the values of a checkpoint.

    Args:
        builder: A `tf.saved_model.Builder`.
        signature_def_map: Name to `SignatureDef`.
        checkpoint: Path of the checkpoint.
        mode: Key of `ModeKeys`, which says the tag.
        with_variables: Whether the values are written; those of the first graph are.
        saver: What restores them; a `tf.train.Saver` of all variables when None.
        local_init_op: Op that is run when the model has been loaded; local variables and tables when None.
        strip_default_attrs: Whether attributes with their default values are left out.
        config: A `tf.ConfigProto`.

    Raises:
        ValueError: If a variable is not in the checkpoint.
    """
    saver = saver or _tf.train.Saver(sharded=True)
    if local_init_op is None:
        local_init_op = _tf.train.Scaffold.default_local_init_op()
    with _tf.Session(config=config) as session:
        try:
            saver.restore(session, checkpoint)
        except _tf.errors.NotFoundError as error:
            raise ValueError(
                "Could not load all requested variables from checkpoint. Please make sure your "
                "model_fn does not expect variables that were not saved in the checkpoint. "
                f"Mode {mode!r}, checkpoint {checkpoint!r}: {error}"
            ) from error
        more = {
            "signature_def_map": signature_def_map,
            "assets_collection": _tf.get_collection(_tf.GraphKeys.ASSET_FILEPATHS),
            "main_op": local_init_op,
            "strip_default_attrs": strip_default_attrs,
            "saver": saver,
        }
        if with_variables:
            builder.add_meta_graph_and_variables(session, [_TAGS[mode]], **more)
        else:
            builder.add_meta_graph([_TAGS[mode]], **more)


def write(
    base: FileName,
    fill: Callable[[Any], None],
    assets_extra: dict[str, str] | None = None,
    as_text: bool = False,
) -> bytes:
    """Writes a SavedModel into a new folder below `base`, which appears when it is whole.

    Args:
        base: The folder of all exports.
        fill: Adds the graphs; function of a `tf.saved_model.Builder`.
        assets_extra: Dict from path below `assets.extra` to the file that is copied there.
        as_text: Whether the graphs are written as text.

    Returns:
        The folder.
    """
    folder = timestamped(base)
    unfinished = os.fsdecode(temporary(folder))
    builder = _tf.saved_model.Builder(unfinished)
    try:
        fill(builder)
        builder.save(as_text)
        for name, source in (assets_extra or {}).items():
            path = os.path.join(unfinished, "assets.extra", name)
            _tf.gfile.MakeDirs(os.path.dirname(path))
            _tf.gfile.Copy(source, path)
    except BaseException:
        _tf.gfile.DeleteRecursively(unfinished)
        raise
    _tf.gfile.Rename(unfinished, folder)
    return folder


def _version(name: str) -> int | None:
    """The number that an export's folder is named by, or None."""
    name = os.fsdecode(name).rstrip("/")
    return int(name) if len(name) == 10 and name.isdigit() else None


def versions(base: Any) -> list[int]:
    """The numbers of all exports below a folder, the oldest first."""
    base = os.fsdecode(base)
    names = _tf.gfile.ListDirectory(base) if _tf.gfile.IsDirectory(base) else []
    return sorted(each for each in map(_version, names) if each is not None)


def timestamped(base: FileName) -> bytes:
    """The folder of the next export: its name is the time in seconds, and above all others.

    Args:
        base: The folder of all exports.
    """
    known = versions(base)
    seconds = max(int(time.time()), known[-1] + 1 if known else 0)
    return os.path.join(os.fsencode(base), str(seconds).encode())


def temporary(folder: Any) -> bytes:
    """Where an export is written until it is whole: `temp-<seconds>`.

    Args:
        folder: What `timestamped` gave.
    """
    head, tail = os.path.split(os.fsencode(folder))
    return os.path.join(head, b"temp-" + tail)


def keep(base: FileName, count: int | None) -> None:
    """Deletes all exports but the last ones.

    Args:
        base: The folder of all exports.
        count: int, how many stay; all when None.
    """
    if count is not None:
        for each in versions(base)[:-count]:
            _tf.gfile.DeleteRecursively(os.path.join(os.fsdecode(base), str(each)))
