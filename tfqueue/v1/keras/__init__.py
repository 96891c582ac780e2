"""`tf.keras`: Keras 2, which trains in sessions, as it was in TensorFlow 1.

It is the package tf_keras, which the extra `keras` brings, with TensorFlow 1's names. Where that is
not installed it is the Keras 3 of today's TensorFlow: its layers build graphs, and what needs a
session ends in a sentence. Neither is loaded before one of its names is used.

`_attributes` has what models and layers had besides, `_averages` has batches count as they did, `_backend` has functions of `keras.backend`, `_boards` what TensorBoard is written, `_cudnn` and `_channels_first` have layers for where there is no GPU, `_descriptions` what models and layers say of themselves, `_frozen` which layers are trained, `_optimizers` what optimizers began with, `_cosine` a
loss that changed its sign, `_datasets` the data that is loaded, `_early_pictures` what was drawn for pictures, `_early_texts` how texts were numbered, `_layer_names` what layers are called, `_losses` labels of losses, and what of an activity counts, `_models` what a loss was divided by and methods that are gone, `_moving_averages` those of batch normalization, `_recurrent` the variables' names and what a mask hides, `_seeds` where random numbers come from, `_op_counts` and `_recurrent_op_counts` how many ops count for them, `_numbers` names and numbers
that changed, `_pickles` models that are pickled and copied, `_pictures` how pictures are turned and lit, `_rates` what schedules of learning rates are given, `_sessions` the session of several threads, `_sparse` feeds sparse matrices, `_stopping` says when a training is stopped early, `_updates` which updates a model has, `_wrappers` models as estimators of scikit-learn, `_yaml` models as YAML.
"""

import functools
import importlib
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, errors, release
from tfqueue._tensorflow import patches
from tfqueue.names import gone
from tfqueue.names.gone import KERAS_2, WITHOUT_KERAS_2
from tfqueue.names.sentence import GoneAttributeError, GoneError
from tfqueue.session.session import Session
from tfqueue.v1 import _call_forms, _gone_imports, _lazy_names, _namespace
from tfqueue.v1.keras import (
    _attributes,
    _averages,
    _backend,
    _boards,
    _channels_first,
    _cosine,
    _cudnn,
    _datasets,
    _descriptions,
    _early_texts,
    _frozen,
    _layer_names,
    _losses,
    _models,
    _moving_averages,
    _numbers,
    _op_counts,
    _optimizers,
    _pickles,
    _pictures,
    _rates,
    _recurrent,
    _recurrent_op_counts,
    _seeds,
    _sessions,
    _sparse,
    _stopping,
    _updates,
    _wrappers,
    _yaml,
)

_OF_A_MODEL = (
    "evaluate fit get_weights predict predict_on_batch save save_weights test_on_batch "
    "train_on_batch"
).split()
"""What a model of Keras 3 does in eager mode alone."""
# Keras 2 warns of what its own code does, and of names that TensorFlow 1 had for an argument and methods.
_NOISE = ("`Model.state_updates` will be removed", "The `lr` argument is deprecated")
_OLD_NAMES = (
    r"`[mM]odel.\w+_generator` is deprecated",
    "`tf.keras.backend.set_learning_phase` is",
    "You are saving your model as an HDF5 file",
)


@functools.cache
def _keras() -> Any:
    """The module whose names these are."""
    try:
        found = importlib.import_module("tf_keras.api._v1.keras")  # what tf.compat.v1.keras can be
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "tf_keras":
            raise
        return _keras_3()
    patches.keras_makes(Session)
    patches.keras_assigns_bases_that_change()
    patches.layers_take_tensors_of_keras()
    _channels_first.install()
    _cosine.install(found)
    _cudnn.install(found.layers)
    _models.install(found)
    _moving_averages.install(found)
    _averages.install()
    _layer_names.install()
    _losses.install(found)
    _boards.install()
    _backend.install(found)
    _datasets.install(found)
    _descriptions.install()
    _early_texts.install(found)
    _numbers.install(found)
    _op_counts.install(found.layers)
    _pickles.install()
    _pictures.install(found)
    _rates.install()
    _attributes.install()
    _recurrent.install()
    _recurrent_op_counts.install()
    _seeds.install(found)
    _sessions.install(found)
    _sparse.install()
    _stopping.install()
    _frozen.install()
    _updates.install()
    _wrappers.install(found)
    _yaml.install(found)
    found.utils.multi_gpu_model = _multi_gpu_model
    found.estimator.model_to_estimator = _model_to_estimator
    found.utils.serialize_keras_object = found.utils.legacy.serialize_keras_object
    found.utils.deserialize_keras_object = found.utils.legacy.deserialize_keras_object
    for row in gone.KERAS:
        home = row.old.removeprefix("keras.").rpartition(".")[0]
        module = _namespace.member(found, home) if home else found
        vars(module)["__getattr__"] = _saying_what_is_gone(f"keras.{home}" if home else "keras")
    _optimizers.install(found.optimizers)
    _call_forms.adapt_keras(found)
    for message in _NOISE:
        warnings.filterwarnings("ignore", message, UserWarning, "tf_keras")
    for message in _OLD_NAMES:
        warnings.filterwarnings("ignore", message, UserWarning)
    return found


def _model_to_estimator(
    keras_model: Any = None,
    keras_model_path: str | None = None,
    custom_objects: Any = None,
    model_dir: str | None = None,
    config: Any = None,
    checkpoint_format: str = "saver",
) -> Any:
    """`tf.keras.estimator.model_to_estimator`, which loads `tf.estimator`."""
    make = _lazy_names.resolve("tfqueue.estimator._keras_models:model_to_estimator")
    return make(keras_model, keras_model_path, custom_objects, model_dir, config, checkpoint_format)


def _multi_gpu_model(
    model: Any, gpus: Any, cpu_merge: bool = True, cpu_relocation: bool = False
) -> Any:
    """A model in a copy for each of several GPUs (`tf.keras.utils.multi_gpu_model`).

    Args:
        gpus: How many, or their numbers.

    Raises:
        ValueError: They are fewer than two, or this machine has fewer.
        GoneError: It has them: no such model is made here.
    """
    numbers = list(gpus) if isinstance(gpus, list | tuple) else list(range(gpus))
    if len(numbers) < 2:
        raise ValueError(
            "For multi-gpu usage to be effective, call `multi_gpu_model` with `gpus >= 2`. "
            f"Received: `gpus={gpus}`"
        )
    here = len(_tensorflow.compat_v1().config.list_physical_devices("GPU"))
    if max(numbers) >= here:
        raise ValueError(
            f"To call `multi_gpu_model` with `gpus={gpus}`, this machine has too few: {here}. "
            "Try reducing `gpus`."
        )
    raise GoneError("tf.keras.utils.multi_gpu_model", "2.4", "the model itself, on one GPU")


def _saying_what_is_gone(place: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module of tf_keras."""

    def __getattr__(name: str) -> Any:
        row = gone.BY_NAME.get(f"{place}.{name}")
        row = row or (None if name.startswith("_") else gone.recorded(f"{place}.{name}"))
        if row is None:
            raise AttributeError(f"module 'tf.{place}' has no attribute {name!r}")
        return _gone_imports.refused(row._replace(old=f"tf.{row.old}"), name, sys._getframe(1))

    return __getattr__


class GoneWithoutKeras2(GoneError, errors.MissingExtraError):
    """The program imported a name of Keras 2, which is not installed."""


class _Backend(_namespace.Namespace):
    """`backend` of Keras 3."""

    __path__: list[str] = []  # with it, `from backend import name` asks by way of importlib

    def __getattr__(self, name: str) -> Any:
        row = KERAS_2.get(name)
        if row is not None:
            importing = _gone_imports.is_imported(sys._getframe(1))
            error = GoneWithoutKeras2 if importing else GoneAttributeError
            raise error(f"tf.{row.old}", row.removed, row.use)
        return super().__getattr__(name)


def _keras_3() -> types.ModuleType:
    original = _tensorflow.compat_v1().keras
    backend = _Backend(f"{__name__}.backend", original.backend)  # loads it, and with it its names
    found = _namespace.Namespace(__name__, original)
    vars(found)["backend"] = backend
    for name in _OF_A_MODEL:
        setattr(original.Model, name, _in_eager_mode(getattr(original.Model, name), name))
    layer = original.layers.Layer
    layer.get_weights = _in_eager_mode(layer.get_weights, "get_weights")
    return found


def _in_eager_mode(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    """`method` of a class of Keras 3, which says in graph mode what is missing there."""

    @functools.wraps(method)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if not _tensorflow.compat_v1().executing_eagerly_outside_functions():
            raise errors.MissingExtraError(
                f"{name} of Keras 3 needs eager mode; in TensorFlow 1's graph mode Keras 2 has "
                f"it. {WITHOUT_KERAS_2}"
            )
        return method(*args, **kwargs)

    return checked


def __getattr__(name: str) -> Any:
    if name == "__version__" and release.imports_keras():
        return "1.2.2" if release.shows_keras_1() else "2.2.4"
    if name == "__version__":
        package = "tf_keras" if _keras().__name__.startswith("tf_keras") else "keras"
        return importlib.import_module(package).__version__
    if name == "__all__":
        return __dir__()  # `import *`
    if name.startswith("__") and name != "__internal__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_keras(), name)


def __dir__() -> list[str]:
    return [name for name in dir(_keras()) if not name.startswith("_")]
