"""Arguments of Keras 1, which layers took up to 2.2, where only run time has them: `unit(8, consume_less="cpu")`, `Dense(**given)`.

Where a call says them, the rule `keras-moved` renames them. Importing this has the layers of `tf.keras` take them in
programs that import keras.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import tfqueue.v1 as _tf
from tfqueue import release
from tfqueue.names.keras import KERAS_NAMES, KERAS_ORDERED, KERAS_WORDS
from tfqueue.port.libraries import keras_1, keras_initializations

HANDS_ON = True
"""The program's calls go through here, and mean what they meant in its release (`tfqueue.v1._call_forms`)."""
_SIDES = {2: ("nb_row", "nb_col"), 3: ("kernel_dim1", "kernel_dim2", "kernel_dim3")}
_PADS = {
    "ZeroPadding1D": ("left_pad", "right_pad"),
    "ZeroPadding2D": ("top_pad", "bottom_pad", "left_pad", "right_pad"),
}
_LEFT = ("consume_less", "output_shape")
"""Those that did nothing to what a layer gives; the second is of `Deconvolution2D`."""
_OF_STEPS = ("Conv1D", "LocallyConnected1D")
"""Layers whose `input_dim` and `input_length` were a shape."""


def layer_class(layers: Any, name: str) -> Any:
    """The class of a layer that Keras had under a name, or None.

    >>> layer_class(_tf.keras.layers, "AtrousConvolution2D").__name__, layer_class(_tf.keras.layers, "one_hot")
    ('Conv2D', None)
    """
    found = getattr(layers, KERAS_NAMES.get(f"layers.{name}", name).removeprefix("layers."), None)
    return found if inspect.isclass(found) else None


def install(layers: Any) -> None:
    """Has the layers of a module take the arguments that Keras 1 had for them."""
    tables: dict[Any, dict[str, str]] = {}
    for name, table in KERAS_WORDS.items():
        kind = layer_class(layers, name)
        if kind is not None:
            tables.setdefault(kind, {}).update(table)
    for name, sides in _PADS.items():
        kind = layer_class(layers, name)
        if kind is not None:
            kind.__init__ = _padding(kind.__init__, sides)
    for kind, table in tables.items():
        kind.__init__ = _taking(
            kind.__init__, table, kind.__name__ in _OF_STEPS, KERAS_ORDERED.get(kind.__name__)
        )


def _taking(
    original: Callable[..., None], table: Mapping[str, str], of_steps: bool, place: int | None
) -> Callable[..., None]:
    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **words: Any) -> None:
        if release.imports_keras() and not words.keys().isdisjoint(known):
            kept = {name: words.pop(name) for name in own if name in words}
            words = {**_renamed(words, table), **kept}
            args = _with_sides(args, words)
            if of_steps and "input_dim" in words:
                words["input_shape"] = words.pop("input_length", None), words.pop("input_dim")
        if release.imports_keras() and place is not None and len(args) > place:
            args = (*args[:place], keras_1.data_format(args[place]), *args[place + 1 :])
        original(self, *args, **words)

    own = set(_LEFT) & inspect.signature(original).parameters.keys()
    known = {
        *table,
        *(("input_dim",) if of_steps else ()),
        *_LEFT,
        "activity_regularizer",
        *(side for sides in _SIDES.values() for side in sides),
    }
    if "inner_activation" in table:
        known.add("forget_bias_init")
    known -= inspect.signature(original).parameters.keys()
    vars(__init__)["__signature__"] = inspect.signature(original)  # what a configuration is read by
    return __init__


def _padding(original: Callable[..., None], sides: tuple[str, ...]) -> Callable[..., None]:
    """A padding with a name for each side, or of one number each: `ZeroPadding2D((1, 2, 3, 4))`."""

    @functools.wraps(original)
    def __init__(self: Any, padding: Any = 1, *args: Any, **words: Any) -> None:
        if isinstance(padding, dict):
            padding = tuple(padding.get(side, 0) for side in sides)
        if isinstance(padding, tuple) and len(padding) == 4:
            padding = padding[:2], padding[2:]
        original(self, padding, *args, **words)

    vars(__init__)["__signature__"] = inspect.signature(original)
    return __init__


def _with_sides(args: tuple[Any, ...], words: dict[str, Any]) -> tuple[Any, ...]:
    """Arguments of a convolution whose kernel is given half by name: `Convolution2D(5, 3, nb_col=3)`.

    >>> words = {"nb_col": 7}
    >>> _with_sides((5, 3), words), words
    ((5, (3, 7)), {})
    """
    for rank, sides in _SIDES.items():
        named = [side for side in sides if side in words]
        count = rank - len(named)
        if named and count and len(args) == 1 + count and (*sides[count:],) == (*named,):
            return (args[0], (*args[1:], *(words.pop(side) for side in named)))
    return args


def _forget(words: dict[str, Any]) -> None:
    """`forget_bias_init`, with which an LSTM's forget gate began in Keras 1. Keras 2 began with ones, whatever it says.

    >>> words = {"forget_bias_init": "one"}
    >>> _forget(words)
    >>> words
    {}
    """
    name = words["forget_bias_init"]
    if name not in ("one", "ones", "zero", "zeros") and release.shows_keras_1():
        return  # which is refused: today's are ones, or begin as the other gates' do
    del words["forget_bias_init"]
    if name in ("zero", "zeros") and release.shows_keras_1():
        words["unit_forget_bias"] = False


def _renamed(words: dict[str, Any], table: Mapping[str, str]) -> dict[str, Any]:
    """Arguments by the names that they have since Keras 2.

    >>> _renamed({"output_dim": 3, "consume_less": "cpu"}, KERAS_WORDS["LSTM"])
    {'units': 3}
    >>> _renamed({"output_dim": 3, "consume_less": "gpu"}, KERAS_WORDS["LSTM"])
    {'implementation': 2, 'units': 3}
    >>> _renamed({"nb_row": 3, "nb_col": 5, "dim_ordering": "th"}, KERAS_WORDS["Conv2D"])
    {'kernel_size': (3, 5), 'data_format': 'channels_first'}
    """
    words = {**words}
    if "inner_activation" in table and "forget_bias_init" in words:
        _forget(words)
    for_gpu = words.get("consume_less") == "gpu" and "inner_activation" in table
    words = {name: value for name, value in words.items() if name not in _LEFT}
    if for_gpu:  # one product for all gates
        words["implementation"] = 2
    if isinstance(words.get("activity_regularizer"), str):
        words["activity_regularizer"] = keras_1.activity(words["activity_regularizer"])
    for sides in _SIDES.values():
        if words.keys() >= {*sides}:
            words["kernel_size"] = tuple(words.pop(side) for side in sides)
    for old in [name for name in words if name in table]:
        value, new = words.pop(old), table[old]
        if new == "data_format":
            value = keras_1.data_format(value)
        elif old == "init":
            value = keras_initializations.initializer(value)
        words[new] = value
    return words


_layers: Any = _tf.keras.layers
if _layers.__name__.startswith("tf_keras."):  # not Keras 3's, without the extra
    install(_layers)
