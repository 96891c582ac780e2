"""Parts of keras 1 and 2 that are not public in `tf.keras`. Translated programs import them from here."""

from __future__ import annotations

import contextlib
import importlib
import operator
import types
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any

import numpy

from tfqueue.names.keras import KERAS_HELPED, KERAS_MODULES, KERAS_NAMES, KERAS_PARTS

_OURS = {
    "keras_gone": (
        *(
            "HDF5Matrix",
            "Highway",
            "MaxoutDense",
            "Merge",
            "ParametricSoftplus",
            "SReLU",
            "TimeDistributedDense",
            "apply_transform",
        ),
        *("convert_all_kernels_in_model", "convert_dense_weights_data_format", "convert_kernel"),
        *("categorical_probas_to_classes", "fbeta_score", "fmeasure", "get_test_data"),
        "list_pictures",
        *("matthews_correlation", "precision", "print_summary", "probas_to_classes", "recall"),
        "transform_matrix_offset_center",
    ),
    "keras_pooling": ("_Pooling1D", "_Pooling2D", "_Pooling3D"),
    "keras_optimizers": ("Optimizer",),
    "keras_recurrent": ("Recurrent", "_time_distributed_dense"),
}
"""A module of this package -> what it has of Keras."""
_HOMES = {dotted.rpartition(".")[2]: home for dotted, home in KERAS_PARTS.items() if home}


def _as_it_is(function: Any) -> Any:
    return function


class _Uids(MutableMapping[str, int]):
    """`keras.backend.common._UID_PREFIXES` of Keras 1: how many layers of a name there are, in the graph of now."""

    def _counts(self) -> Any:
        return importlib.import_module("tf_keras.src.backend").get_default_graph_uid_map()

    def __getitem__(self, prefix: str) -> int:
        return int(self._counts()["", prefix])

    def __setitem__(self, prefix: str, count: int) -> None:
        self._counts()["", prefix] = count

    def __delitem__(self, prefix: str) -> None:
        del self._counts()["", prefix]

    def __iter__(self) -> Iterator[str]:
        return iter([prefix for scope, prefix in self._counts() if not scope])

    def __len__(self) -> int:
        return len(list(iter(self)))


class _Interfaces(types.ModuleType):
    """`keras.legacy.interfaces`: its decorators renamed arguments of Keras 1; these leave a function as it is."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name == "generate_legacy_interface":
            return lambda *args, **words: _as_it_is
        if not name.startswith("legacy_") and not name.endswith("_preprocessor"):
            raise AttributeError(f"keras.legacy.interfaces has no {name!r} here")
        return _as_it_is


interfaces = _Interfaces("keras.legacy.interfaces")


class _Home(types.ModuleType):
    """A module of Keras 2.2 that is asked for at run time: `keras.engine` of a `keras` that another file handed on.

    Args:
        inner: Its name below keras.
    """

    def __init__(self, inner: str) -> None:
        super().__init__(f"keras.{inner}")
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        import tfqueue.v1

        dotted = f"{self._inner}.{name}"
        if dotted in KERAS_MODULES:
            return _Home(dotted)
        with contextlib.suppress(AttributeError):
            return known(self._inner, name)
        for home in (KERAS_MODULES.get(self._inner, ""), "models"):
            found = getattr(getattr(tfqueue.v1.keras, home, None), name, None)
            if found is not None:
                return found
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def known(inner: str, name: str) -> Any:
    """What a module of Keras 2.2 had under a name that its module of today has not.

    Args:
        inner: The name of the module below keras.
        name: The name.

    Raises:
        AttributeError: If it had none, or nothing stands for it.

    >>> known("layers", "Deconvolution2D").__name__
    'Conv2DTranspose'
    """
    import tfqueue.v1

    dotted = f"{inner}.{name}"
    if dotted in KERAS_PARTS:
        return getattr(importlib.import_module(__name__), name)
    if dotted in KERAS_NAMES:
        new = KERAS_NAMES[dotted]
        home = tfqueue.v1.contrib.keras if new.startswith("optimizers.") else tfqueue.v1.keras
        return operator.attrgetter(new)(home)
    if inner == "backend" and name in KERAS_HELPED:
        return getattr(importlib.import_module("tfqueue.port.libraries.keras_1"), name)
    raise AttributeError(f"module {f'keras.{inner}'!r} has no attribute {name!r}")


HOMES = {name: _Home(name) for name in ("engine", "legacy", "objectives")}
"""Modules that `tf.keras` has not."""
keras_test = _as_it_is
"""Stands for ``keras.utils.test_utils.keras_test``, which cleared the session behind a test."""
_UID_PREFIXES = _Uids()


def is_tensor(x: Any) -> bool:
    """Stands for ``keras.backend.is_tensor``."""
    import tfqueue.v1

    return bool(tfqueue.v1.is_tensor(x))


def slice(x: Any, start: Any, size: Any) -> Any:
    """Stands for ``keras.backend.slice``."""
    import tfqueue.v1

    return tfqueue.v1.slice(x, start, size)


def collect_trainable_weights(layer: Any) -> Any:
    """Stands for ``keras.engine.training.collect_trainable_weights`` of Keras 1."""
    return layer.trainable_weights


def collect_metrics(metrics: Any, output_names: Sequence[str]) -> list[list[Any]]:
    """Stands for ``keras.engine.training_utils.collect_metrics``: the metrics of each output.

    >>> collect_metrics(["acc"], "ab"), collect_metrics({"b": "acc"}, "ab"), collect_metrics(None, "a")
    ([['acc'], ['acc']], [[], ['acc']], [[]])
    """
    if isinstance(metrics, dict):
        named = [metrics.get(name, []) for name in output_names]
        return [each if isinstance(each, list) else [each] for each in named]
    if metrics and not isinstance(metrics, list):
        raise TypeError(f"metrics are a list or a dictionary, not {metrics!r}")
    return [list(metrics or []) for _ in output_names]


def weighted_masked_objective(fn: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """Stands for ``keras.engine.training_utils.weighted_masked_objective``: a loss as one number, of what counts."""
    if fn is None:
        return None

    def weighted(y_true: Any, y_pred: Any, weights: Any, mask: Any = None) -> Any:
        import tfqueue.v1

        backend = tfqueue.v1.keras.backend
        found = fn(y_true, y_pred)
        if mask is not None:
            mask = backend.cast(mask, backend.floatx())
            found = found * mask / backend.mean(mask)
        if weights is not None:
            axes = list(range(backend.ndim(weights), backend.ndim(found)))
            counts = backend.cast(backend.not_equal(weights, 0), backend.floatx())
            found = backend.mean(found, axis=axes) * weights / backend.mean(counts)
        return backend.mean(found)

    return weighted


_collect_metrics = collect_metrics
_weighted_masked_objective = weighted_objective = weighted_masked_objective


def slice_X(X: Any, start: Any = None, stop: Any = None) -> Any:
    """Stands for ``keras.engine.training.slice_X`` of Keras 1."""
    utils: Any = importlib.import_module("tf_keras.src.utils.generic_utils")
    return utils.slice_arrays(X, start, stop)


def iter_sequence_infinite(seq: Any) -> Iterator[Any]:
    """Stands for ``keras.engine.training_utils.iter_sequence_infinite``: the batches, again and again."""
    while True:
        yield from (seq[place] for place in range(len(seq)))


def object_list_uid(objects: Any) -> str:
    """Stands for ``keras.utils.generic_utils.object_list_uid``.

    >>> object_list_uid([]), object_list_uid(None) == str(id(None))
    ('', True)
    """
    listed = objects if isinstance(objects, list | tuple) else [objects]
    return ", ".join(str(id(each)) for each in listed)


def unpack_singleton(x: Any) -> Any:
    """Stands for ``keras.utils.generic_utils.unpack_singleton``.

    >>> unpack_singleton([1]), unpack_singleton([1, 2])
    (1, [1, 2])
    """
    return x[0] if len(x) == 1 else x


def _collect_input_shape(input_tensors: Any) -> Any:
    """Stands for ``keras.engine.base_layer._collect_input_shape``: the shapes of tensors as Keras has them."""
    import tfqueue.v1

    listed = input_tensors if isinstance(input_tensors, list | tuple) else [input_tensors]
    return unpack_singleton([tfqueue.v1.keras.backend.int_shape(each) for each in listed])


def _collect_previous_mask(input_tensors: Any) -> Any:
    """Stands for ``keras.engine.base_layer._collect_previous_mask``: the masks of tensors, None where there is none."""
    listed = input_tensors if isinstance(input_tensors, list | tuple) else [input_tensors]
    return unpack_singleton([getattr(each, "_keras_mask", None) for each in listed])


def transpose_shape(shape: Any, target_format: str, spatial_axes: Sequence[int]) -> Any:
    """Stands for ``keras.utils.generic_utils.transpose_shape``.

    >>> transpose_shape((9, 4, 5, 3), "channels_first", (1, 2)), transpose_shape([4, 5, 3], "channels_last", (0, 1))
    ((9, 3, 4, 5), [4, 5, 3])
    """
    if target_format == "channels_last":
        return shape
    if target_format != "channels_first":
        raise ValueError(
            f"data_format is 'channels_first' or 'channels_last', not {target_format!r}"
        )
    order = [*range(spatial_axes[0]), len(shape) - 1, *spatial_axes]
    return type(shape)(shape[axis] for axis in order)


def get_from_module(
    identifier: Any,
    module_params: Mapping[str, Any],
    module_name: str,
    instantiate: bool = False,
    kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """Stands for ``keras.utils.generic_utils.get_from_module`` of Keras 1: what a name or a config stands for.

    >>> import math
    >>> get_from_module("pi", vars(math), "number"), get_from_module(2, {}, "number")
    (3.141592653589793, 2)
    """
    import tfqueue.v1

    if not isinstance(identifier, str | dict):
        return identifier
    words = dict(kwargs or {})
    if isinstance(identifier, dict):
        words = dict(identifier)
        identifier, instantiate = str(words.pop("name")), True
    found = tfqueue.v1.keras.utils.get_registered_object(identifier, None, dict(module_params))
    if not found:
        raise ValueError(f"Invalid {module_name}: {identifier}")
    return found(**words) if instantiate else found


def accuracy(p: Any, y: Any) -> Any:
    """Stands for ``keras.utils.np_utils.accuracy`` of Keras 1.

    >>> float(accuracy([1, 2, 3, 4], [1, 2, 3, 5]))
    0.75
    """
    return numpy.mean([one == other for one, other in zip(p, y, strict=False)])


def deconv_length(
    dim_size: int | None,
    stride_size: int,
    kernel_size: int,
    padding: str,
    output_padding: int | None = None,
    dilation: int = 1,
) -> int | None:
    """Stands for ``keras.utils.conv_utils.deconv_length``: how long a transposed convolution's output is."""
    utils: Any = importlib.import_module("tf_keras.src.utils.conv_utils")
    found: int | None = utils.deconv_output_length(
        dim_size, kernel_size, padding, output_padding, stride_size, dilation
    )
    return found


def _generate_dropout_mask(ones: Any, rate: float, training: Any = None, count: int = 1) -> Any:
    """Stands for ``keras.layers.recurrent._generate_dropout_mask``."""
    import tfqueue.v1

    backend = tfqueue.v1.keras.backend
    masks = [
        backend.in_train_phase(lambda: backend.dropout(ones, rate), ones, training=training)
        for _ in range(count)
    ]
    return masks[0] if count <= 1 else masks


def clip_norm(gradient: Any, clipnorm: float, norm: Any) -> Any:
    """Stands for ``keras.optimizers.clip_norm``: a gradient, shortened where `norm` is more than `clipnorm`."""
    import tfqueue.v1 as tf
    from tfqueue.v1.keras import _optimizers

    if clipnorm <= 0:
        return gradient
    gradient = tf.convert_to_tensor(gradient)  # of the rows of an embedding, too
    return _optimizers.shortened(gradient, clipnorm, norm)


def _with_conv_lengths(module: types.ModuleType) -> types.ModuleType:
    """`keras.utils.conv_utils` with the functions that are gone from it."""
    for name in ("convert_kernel", "deconv_length"):
        if not hasattr(module, name):
            setattr(module, name, getattr(importlib.import_module(__name__), name))
    return module


def __getattr__(name: str) -> Any:
    if name in ("_EPSILON", "_FLOATX"):
        import tfqueue.v1

        backend = tfqueue.v1.keras.backend
        # Keras 1 read them once, too.
        globals()[name] = found = backend.epsilon() if name == "_EPSILON" else backend.floatx()
        return found
    if name == "time_distributed_dense":  # its name in Keras 1
        name = "_time_distributed_dense"
    if name.startswith("legacy_") or f"legacy.interfaces.{name}" in KERAS_PARTS:
        return getattr(interfaces, name)
    for module, names in _OURS.items():
        if name in names:
            return getattr(importlib.import_module(f"tfqueue.port.libraries.{module}"), name)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = importlib.import_module(f"tf_keras.src.{_HOMES[name]}")
    if name == "conv_utils":
        return _with_conv_lengths(importlib.import_module(f"{home.__name__}.{name}"))
    if not hasattr(home, name) and hasattr(home, name[1:]):  # public by now
        return getattr(home, name[1:])
    if not hasattr(home, name):  # a module
        importlib.import_module(f"{home.__name__}.{name}")
    return getattr(home, name)
