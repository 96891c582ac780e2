"""What models and layers of `tf.keras` say of themselves.

| | up to | then |
|---|---|---|
| `model.weights`: those that are not trained | 1.12, and the package keras: at the end | beside the others of their layer |
| `model.get_weights()`: these | 1.12: at the end | the same |
| the shapes of an `InputLayer` | 1.13, and the package keras: one | a list of it |
| `model.summary()` | 1.13, and the package keras: begins with a line | `Model: "name"` |
| the class of a model of layers that are called | 1.15, and the package keras: `Model` | `Functional` |
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue import release
from tfqueue._tensorflow.lines import is_library_file
from tfqueue.v1 import _call_forms

_ENGINE = "tf_keras.src.engine"
_TOTALS = ("Total params", "Trainable params", "Non-trainable params")


def install() -> None:
    """Has models and layers say of themselves what they said in the program's release."""
    functional: Any = importlib.import_module(f"{_ENGINE}.functional").Functional
    functional.__name__ = "Model"
    model: Any = importlib.import_module(f"{_ENGINE}.training_v1").Model
    model.weights = property(_in_order(model.weights.fget))
    begins: Any = importlib.import_module(f"{_ENGINE}.input_layer").InputLayer
    for name in ("input_shape", "output_shape"):
        setattr(begins, name, property(_of_one(getattr(begins, name).fget)))
    utils: Any = importlib.import_module("tf_keras.src.utils.layer_utils")
    utils.print_summary = _printed(utils.print_summary)


def _of_one(original: Callable[..., Any]) -> Callable[..., Any]:
    """The shape of a layer that stands for an input."""

    @functools.wraps(original)
    def shape(*args: Any, **named: Any) -> Any:
        found = original(*args, **named)
        single = isinstance(found, list) and len(found) == 1
        return found[0] if single and _call_forms.reaches("1.13", keras=True) else found

    return shape


def _in_order(original: Callable[[Any], list[Any]]) -> Callable[[Any], list[Any]]:
    """The variables of a model; `get_weights` and its kin have them layer by layer in the package keras."""

    def weights(self: Any) -> list[Any]:
        found = original(self)
        if not _call_forms.reaches("1.12", keras=True):
            return found
        caller = sys._getframe(1).f_code.co_filename
        if release.imports_keras() and is_library_file(caller):
            listed = [
                one
                for layer in self.layers
                for one in (*layer.trainable_weights, *layer.non_trainable_weights)
            ]
            return listed if {*map(id, listed)} == {*map(id, found)} else found
        return [*self.trainable_weights, *self.non_trainable_weights]

    return weights


def _printed(original: Callable[..., None]) -> Callable[..., None]:
    """`print_summary`, each of whose rows is one line, cut where the next column begins."""

    @functools.wraps(original)
    def print_summary(
        model: Any,
        line_length: int | None = None,
        positions: Any = None,
        print_fn: Any = None,
        *args: Any,
        **named: Any,
    ) -> None:
        if args or any(named.values()):  # of what TensorFlow 1 did not print
            original(model, line_length, positions, print_fn, *args, **named)
            return
        lines: list[str] = []
        original(model, print_fn=lines.append)
        heads = [one.strip() for one in lines[2].split("  ") if one.strip()]
        connected = len(heads) > 3
        length = line_length or (98 if connected else 65)
        ends = positions or ([0.33, 0.55, 0.67, 1.0] if connected else [0.45, 0.85, 1.0])
        if ends[-1] <= 1:
            ends = [int(length * one) for one in ends]
        show = print_fn or print
        if not _call_forms.reaches("1.13", keras=True):
            show(lines[0])
        show("_" * length)
        show(_row(heads, ends))
        show("=" * length)
        for number, layer in enumerate(model.layers, 1):
            for row in _rows(model, layer, connected):
                show(_row(row, ends))
            show(("=" if number == len(model.layers) else "_") * length)
        for line in lines:
            name, _, count = line.partition(" (")[0].partition(": ")
            if name in _TOTALS:
                show(f"{name}: {int(count):,}")
        show("_" * length)

    return print_summary


def _row(fields: list[Any], ends: list[int]) -> str:
    """One line of a table.

    >>> _row(["dense_1 (Dense)", (None, 4), 16], [12, 24, 28])
    'dense_1 (De (None, 4)   16  '
    """
    line = ""
    for field, end in zip(fields, ends, strict=False):
        line = f"{line[:-1]} {field}" if line else str(field)
        line = line[:end].ljust(end)
    return line


def _rows(model: Any, layer: Any, connected: bool) -> Iterator[list[Any]]:
    """What is said of a layer, and where it has several inputs a row for each of the others."""
    try:
        shape = layer.output_shape
    except AttributeError:
        shape = "multiple"
    fields = [f"{layer.name} ({type(layer).__name__})", shape, layer.count_params()]
    if not connected:
        yield fields
        return
    own = {id(node) for nodes in model._nodes_by_depth.values() for node in nodes}
    before = [
        f"{inbound.name}[{node}][{tensor}]"
        for each in layer._inbound_nodes
        if id(each) in own
        for inbound, node, tensor, _ in each.iterate_inbound()
    ]
    yield [*fields, *(before[:1] or [""])]
    for one in before[1:]:
        yield ["", "", "", one]
