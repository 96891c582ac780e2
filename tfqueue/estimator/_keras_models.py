"""`tf.keras.estimator.model_to_estimator`: an estimator of a compiled model of Keras 2."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.estimator import Estimator, EstimatorSpec, ModeKeys
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Tensor, Tensors

_tf = _tensorflow.compat_v1()


def model_to_estimator(
    keras_model: Any = None,
    keras_model_path: str | None = None,
    custom_objects: Any = None,
    model_dir: str | None = None,
    config: Any = None,
    checkpoint_format: str = "saver",
) -> Estimator:
    """An estimator that trains a copy of a model (`tf.keras.estimator.model_to_estimator`).

    Args:
        keras_model: A compiled model. If it has weights by now, the estimator's first ones are these.
        keras_model_path: A file with one, in its place.
        custom_objects: Dict from name to class or function, with which the model is read and copied.
        model_dir: Folder of the checkpoints and summaries; a new one when None.
        config: A `tf.estimator.RunConfig`.
        checkpoint_format: `"saver"`, which all checkpoints here are.

    Raises:
        ValueError: If there is not one model, or it is not compiled.
    """
    keras = _lazy_names.resolve("tf:keras")
    if (keras_model is None) == (keras_model_path is None):
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be given, not both.")
    if keras_model is None:
        keras_model = keras.models.load_model(keras_model_path, custom_objects)
    if not getattr(keras_model, "optimizer", None):
        raise ValueError(
            "The given keras model has not been compiled. Call its `compile` before `model_to_estimator`."
        )
    made = any(getattr(weight, "_keras_initialized", False) for weight in keras_model.weights)
    values = keras_model.get_weights() if made else None
    model_fn = _model_fn(keras, keras_model, custom_objects, values)
    return Estimator(model_fn, model_dir, config)


def _model_fn(keras: Any, model: Any, custom_objects: Any, values: Any) -> Callable[..., Any]:
    cloning = importlib.import_module("tf_keras.src.models.cloning")

    def model_fn(features: Tensors, labels: Tensors, mode: str) -> EstimatorSpec:
        keras.backend.set_learning_phase(mode == ModeKeys.TRAIN)
        trained = mode != ModeKeys.PREDICT
        clone = cloning.clone_and_build_model(
            model,
            _in_order(features, model.input_names, "features"),
            _in_order(labels, model.output_names, "labels") if trained else None,
            custom_objects,
            compile_clone=trained,
            optimizer_iterations=_tf.train.get_or_create_global_step(),
        )
        predictions = dict(zip(clone.output_names, clone.outputs, strict=True))
        if not trained:
            return EstimatorSpec(mode, predictions)
        train_op, measured = None, dict[str, Any]()
        if mode == ModeKeys.TRAIN:
            clone._make_train_function()
            train_op = clone.train_function.updates_op
        else:
            for one in clone.metrics:
                updated = one._call_result  # `result` puts another in its place
                measured[one.name] = one.result(), updated
        for one in clone.metrics:  # of no collection: nothing else would initialize them
            for variable in one.variables:
                _tf.add_to_collection(_tf.GraphKeys.LOCAL_VARIABLES, variable)
        scaffold = _tf.train.Scaffold(init_fn=_assigning(clone, values)) if values else None
        return EstimatorSpec(
            mode, predictions, clone.total_loss, train_op, measured, scaffold=scaffold
        )

    return model_fn


def _in_order(given: Tensors, names: list[str], what: str) -> list[Tensor]:
    """Features or labels as a list, in the order of a model's inputs or outputs."""
    if isinstance(given, dict):
        lacking = [name for name in names if name not in given]
        if lacking:
            raise KeyError(f"The {what} have {sorted(given)}; the model needs {', '.join(lacking)}")
        given = [given[name] for name in names]
    listed = list(given) if isinstance(given, list | tuple) else [given]
    return [
        _tf.cast(one, _tf.float32) if one.dtype in (_tf.float16, _tf.float64) else one
        for one in map(_tf.convert_to_tensor, listed)
    ]


def _assigning(model: Any, values: list[Any]) -> Callable[[Any, Any], None]:
    def init_fn(_scaffold: Any, session: Any) -> None:
        for weight, value in zip(model.weights, values, strict=True):
            weight.load(value, session)

    return init_fn
