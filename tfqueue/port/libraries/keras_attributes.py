"""Attributes that layers and models of the package keras had: `model.input_layers`, and in Keras 1 `layer.W` and `layer.nb_filter`.

Those of Keras 1 are there in programs that show it (`keras_1_methods`). What a program gives them changes a layer of the
library; in a class of its own it is an attribute like any other.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

import tfqueue.v1 as _tf
from tfqueue._tensorflow.lines import is_library_file
from tfqueue.graph import traversal
from tfqueue.names.keras import KERAS_WORDS
from tfqueue.port.libraries import keras_layers, keras_words

_keras: Any = _tf.keras
_K: Any = _keras.backend
_OF_MODELS = "input_layers nodes_by_depth output_layers"
_OF_GROUPS = (
    "load_weights_from_hdf5_group load_weights_from_hdf5_group_by_name save_weights_to_hdf5_group"
)
_OF_TWO_NAMES = {
    "BatchNormalization": {"running_mean": "moving_mean", "running_std": "moving_variance"},
    "Embedding": {"W": "embeddings"},
    "PReLU": {"alphas": "alpha"},
}
VARIABLES = {"W": "kernel", "U": "recurrent_kernel", "b": "bias"}
_SIDES = {("nb_row", "nb_col"): 2, ("kernel_dim1", "kernel_dim2", "kernel_dim3"): 3}
_PADS: dict[str, dict[str, tuple[int, ...]]] = {
    "ZeroPadding1D": {"left_pad": (0,), "right_pad": (1,)},
    "ZeroPadding2D": {
        "top_pad": (0, 0),
        "bottom_pad": (0, 1),
        "left_pad": (1, 0),
        "right_pad": (1, 1),
    },
}
"""Where each stands in `padding`."""
_NUMBERS = ("filter_length", "pool_length", "stride", "subsample_length")
"""Those that were one number, and are a tuple of one."""


class _Name:
    """A second name of an attribute, which gives way to what an object has of that name itself.

    Args:
        name: The name.
        get: Function of the object.
        new: The attribute that has the value today, which a layer of the library is given in its place.
    """

    def __init__(self, name: str, get: Callable[[Any], Any], new: str = "") -> None:
        self._name, self._get, self._new = name, get, new

    def __get__(self, made: Any, kind: Any = None) -> Any:
        if made is None:
            return self
        own = vars(made)
        return own[self._name] if self._name in own else self._get(made)

    def __set__(self, made: Any, value: Any) -> None:
        if not type(made).__module__.startswith("tf_keras."):
            vars(made)[self._name] = value
        elif self._new:
            setattr(made, self._new, value)
        else:
            raise AttributeError(f"{self._name} of {type(made).__name__} is only read here")


def _classes(kind: Any) -> Iterator[Any]:
    yield kind
    for derived in kind.__subclasses__():
        yield from _classes(derived)


def of_all() -> None:
    """Gives layers and models what they had in all releases up to 2.2."""
    for kind in set(_classes(_keras.layers.Layer)):
        if "compute_output_shape" in vars(kind) and kind.__module__.startswith("tf_keras."):
            kind.compute_output_shape = _plain_for_programs(vars(kind)["compute_output_shape"])
    _keras.Sequential.model = _Name("model", lambda self: self)
    for name in _OF_MODELS.split():
        setattr(_keras.Model, name, _Name(name, operator.attrgetter(f"_{name}")))
    for side in ("input", "output"):
        name = f"internal_{side}_shapes"
        setattr(_keras.Model, name, _Name(name, functools.partial(_shapes, f"{side}s")))
    _keras.Model.constraints = _Name("constraints", _constraints)  # up to 2.0.6
    _keras.Model._get_deduped_metrics_names = _each_once
    shape = _Name("batch_input_shape", operator.attrgetter("_batch_input_shape"))
    _keras.layers.Layer.batch_input_shape = shape


def _of_a_group(model: Any, name: str, group: Any) -> None:
    """Saves or loads weights as a group of an open file, which were methods."""
    files: Any = importlib.import_module("tf_keras.src.saving.legacy.hdf5_format")
    getattr(files, name)(group, model)


def _each_once(model: Any) -> list[str]:
    """The names of metrics, with a number behind those that are there twice."""
    names = list(model.metrics_names)
    return [
        f"{name}_{names[:place].count(name) + 1}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def _shapes(side: str, model: Any) -> list[Any]:
    return [_K.int_shape(one) for one in getattr(model, side)]


def _constraints(model: Any) -> dict[Any, Any]:
    """The constraints of a model's variables, which `get_updates` of an optimizer was given."""
    found = {one: getattr(one, "constraint", None) for one in model.trainable_weights}
    return {one: constraint for one, constraint in found.items() if constraint is not None}


def _add_updates(layer: Any, updates: Any, inputs: Any = None) -> None:
    layer.add_update(updates, inputs)


def _plain_for_programs(original: Callable[..., Any]) -> Callable[..., Any]:
    """`compute_output_shape`, which gives a program tuples; the shape stays where no class says it."""

    @functools.wraps(original)
    def compute_output_shape(self: Any, input_shape: Any) -> Any:
        of_library = is_library_file(sys._getframe(1).f_code.co_filename)
        try:
            found = original(self, input_shape)
        except NotImplementedError:
            if of_library:
                raise
            return input_shape
        return found if of_library else keras_layers.plain_shapes(found)

    return compute_output_shape


def of_keras_1() -> None:
    """Gives layers and models what they had in Keras 1."""
    layer = _keras.layers.Layer
    for kind in set(_classes(layer)):
        if "compute_output_shape" not in vars(kind) or not kind.__module__.startswith("tf_keras."):
            continue
        shape = functools.partialmethod(_plain, vars(kind)["compute_output_shape"])
        kind.get_output_shape_for = _said_or_kept if kind.__name__ == "Layer" else shape
    _keras.layers.Layer.add_updates = _add_updates  # the name of add_update up to 1.1
    for name in _OF_GROUPS.split():
        setattr(_keras.Model, name, functools.partialmethod(_of_a_group, name))
    layer.uses_learning_phase = _Name("uses_learning_phase", _uses_learning_phase)
    _keras.regularizers.Regularizer.set_param = keras_layers.set_param
    for kind in set(_classes(layer)):
        if "from_config" in vars(kind) and kind.__module__.startswith("tf_keras."):
            kind.from_config = classmethod(_made_again(vars(kind)["from_config"].__func__))
    for home, pads in _PADS.items():
        for name, place in pads.items():
            pad = _Name(name, functools.partial(_pad, place))
            setattr(getattr(_keras.layers, home), name, pad)
    of_layers(_keras.layers)


def _made_again(original: Callable[..., Any]) -> Callable[..., Any]:
    """`from_config`, which gives a class of the program the arguments of Keras 1 that its `__init__` names."""

    @functools.wraps(original)
    def from_config(cls: Any, config: Any, *args: Any, **words: Any) -> Any:
        if cls.__module__.startswith("tf_keras.") or not isinstance(config, dict):
            return original(cls, config, *args, **words)
        own, given = inspect.signature(cls.__init__).parameters, dict(config)
        for base in cls.__mro__:
            for old, new in KERAS_WORDS.get(base.__name__, {}).items():
                if old in own and new not in own and new in given:
                    given[old] = given.pop(new)
        return original(cls, given, *args, **words)

    return from_config


def of_layers(layers: Any) -> None:
    """Gives the layers of a module the attributes that they had in Keras 1."""
    for name, table in KERAS_WORDS.items():
        kind = keras_words.layer_class(layers, name)
        if kind is None:
            continue
        for old, new in {**table, **_OF_TWO_NAMES.get(name, {})}.items():
            _give(kind, old, new)
        if "kernel_initializer" in table.values():
            for old, new in VARIABLES.items():
                _give(kind, old, new)
            kind.W_shape = _Name("W_shape", lambda self: tuple(self.kernel.shape.as_list()))
        if name.startswith(("Conv", "Locally", "Separable", "Deconv")):
            for names, rank in _SIDES.items():
                if name.endswith(f"{rank}D"):
                    for place, side in enumerate(names):
                        setattr(kind, side, _Name(side, functools.partial(_side, place)))


def _give(kind: Any, old: str, new: str) -> None:
    if old in vars(kind) or old in VARIABLES.values():  # a name with another meaning today
        return
    if new.endswith("_initializer"):
        name = _Name(old, functools.partial(_initialization, new))
    elif new == "data_format":
        name = _Name(old, _dim_ordering)
    elif old in _NUMBERS:
        name = _Name(old, functools.partial(_first, new))
    else:
        name = _Name(old, operator.attrgetter(new), new)
    setattr(kind, old, name)


def _first(name: str, made: Any) -> Any:
    return getattr(made, name)[0]


def _side(place: int, made: Any) -> Any:
    return made.kernel_size[place]


def _pad(place: tuple[int, ...], made: Any) -> Any:
    return functools.reduce(operator.getitem, place, made.padding)


def _dim_ordering(made: Any) -> str:
    return "th" if made.data_format == "channels_first" else "tf"


def _initialization(name: str, made: Any) -> Callable[..., Any]:
    """A function of a shape that makes a variable, as Keras 1 had them for initializers."""
    first_value = getattr(made, name)

    def init(shape: Any, name: str | None = None, dim_ordering: str = "th") -> Any:
        return _K.variable(first_value(tuple(shape)), name=name)

    return init


def _plain(self: Any, original: Callable[..., Any], input_shape: Any) -> Any:
    """What `get_output_shape_for` of Keras 1 gives: tuples."""
    return keras_layers.plain_shapes(original(self, input_shape))


def _said_or_kept(self: Any, input_shape: Any) -> Any:
    """The shape by the program's `compute_output_shape`; without one the shape stays, as in Keras 1."""
    said = type(self).compute_output_shape
    says = "get_output_shape_for" not in vars(type(self))  # which calls this one
    if says and not said.__module__.startswith("tf_keras."):
        return keras_layers.plain_shapes(said(self, input_shape))
    return input_shape


def _uses_learning_phase(self: Any) -> bool:
    """Whether what a layer gave depends on `K.learning_phase()`."""
    phase = _K.learning_phase()
    if not _tf.is_tensor(phase):  # it was set
        return False
    outputs, inputs = (
        [one.op for node in self.inbound_nodes for one in _tf.nest.flatten(getattr(node, of))]
        for of in ("output_tensors", "input_tensors")
    )
    return phase.op in traversal.ancestors(outputs, stop=set(inputs))
