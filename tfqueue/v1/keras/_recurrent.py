"""Recurrent layers of `tf.keras`: the names of their variables, how they call a cell, and what they put out where a mask hides a time.

Up to TensorFlow 1.15 a variable has the layer's name alone. Since TensorFlow 2 the name of the cell stands between:
`lstm/lstm_cell/kernel:0` for `lstm/kernel:0`. Checkpoints of `tf.train.Saver` and programs that choose variables go by the name.

What a loop puts out at a hidden time:

| release | output |
|---|---|
| up to 1.12, and the package keras up to 2.2 | the first state, which is an initial state before the first time that is shown |
| since 1.13, and with `unroll=True` | what it put out before, at first zeros |

Where `implementation=2` is asked for with a `recurrent_dropout`, all gates have one mask, as in TensorFlow 1; today each has its own.
In Keras 1 each gate has a variable by itself, whose first values do not depend on how many gates there are, but for `consume_less="gpu"`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import itertools
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import patches
from tfqueue.names.sentence import GoneError
from tfqueue.v1 import _call_forms
from tfqueue.v1.keras import _seeds

_tf = _tensorflow.compat_v1()
_KINDS = {
    "gru": "GRU",
    "gru_v1": "GRU",
    "lstm": "LSTM",
    "lstm_v1": "LSTM",
    "simple_rnn": "SimpleRNN",
    "conv_lstm2d": "ConvLSTM2D",
}
_APART = "_tfqueue_states_apart"
"""The attribute of a stack of cells while it gives each its own states."""
_HOOKS = (
    ("get_constants", "get_initial_states", "preprocess_input"),
    ("get_constants", "get_initial_states", "input_conv", "preprocess_input", "reccurent_conv"),
)
"""Methods that layers called up to Keras 2.0, and those that `ConvLSTM2D` did."""
_LOOPS = ("base_rnn", "base_conv_rnn")
_CELLS = (
    ("gru", "GRUCell", 3),
    ("lstm", "LSTMCell", 4),
    ("simple_rnn", "SimpleRNNCell", 1),
)
"""The cells, and how many gates each has."""
_CALLERS = ("base_rnn", "stacked_rnn_cells")


def install() -> None:
    """Has recurrent layers name their variables, call their cells and go through masks as in the program's release."""
    for name in _CALLERS:
        module = _module(name)
        module.backend = patches.copy_of(module.backend, name_scope=contextlib.nullcontext)
        module.callable = _is_called
    for home, name in _KINDS.items():
        kind = getattr(_module(home), name)
        kind.call = _without_old_methods(kind.call, name)
    recurrent = _module("base_rnn").RNN
    recurrent.build = _with_constants(recurrent.build)
    stack = _module("stacked_rnn_cells").StackedRNNCells
    stack.__init__ = _from_the_last(stack.__init__)
    stack.state_size = property(_in_one_row(stack.state_size.fget))
    stack.get_initial_state = _listed(stack.get_initial_state)
    stack.call = _of_each_cell(stack.call)
    both = _module("bidirectional").Bidirectional
    for home, name, gates in _CELLS:
        cell = getattr(_module(home), name)
        cell.call = _with_masks(cell.call, gates)
        if gates > 1:
            cell.__init__ = _as_asked(cell.__init__)
            cell.build = _gate_by_gate(cell.build)
    masked = _module("dropout_rnn_cell_mixin").DropoutRNNCellMixin
    masked._create_dropout_mask = _drawn_twice(masked._create_dropout_mask)
    both.stateful = property(_is_stateful, both.stateful.fset)
    both.reset_states = _reset_states
    model: Any = importlib.import_module("tf_keras.src.engine.training_v1").Model
    model.stateful = property(_has_stateful_layers, model.stateful.fset)
    _put_out_states()


def _as_asked(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **named: Any) -> None:
        original(self, *args, **named)
        self.implementation = named.get("implementation", self.implementation)

    return __init__


def _with_masks(original: Callable[..., Any], gates: int) -> Any:
    """What a cell computes, whose masks are drawn in the order of the release."""

    @functools.wraps(original)
    def call(self: Any, inputs: Any, states: Any, training: Any = None) -> Any:
        first, *others = _tf.nest.flatten(states)
        if not release.shows_keras_1():
            self.get_dropout_mask_for_cell(inputs, training, count=gates)
        masks = self.get_recurrent_dropout_mask_for_cell(first, training, count=gates)
        if gates > 1 and self.implementation != 1 and 0 < self.recurrent_dropout < 1:
            states = _tf.nest.pack_sequence_as(states, [first * masks[0], *others])
        return original(self, inputs, states, training)

    return call


def _drawn_twice(original: Callable[..., Any]) -> Any:
    """Masks for inputs: in Keras 1 those of gates were drawn once more before, for what does not come together with `consume_less="cpu"`."""

    @functools.wraps(original)
    def _create_dropout_mask(self: Any, inputs: Any, training: Any, count: int = 1) -> Any:
        if release.shows_keras_1() and count > 1 and getattr(self, "implementation", 0) == 1:
            for _ in range(count):
                _seeds.drawn()
        return original(self, inputs, training, count)

    return _create_dropout_mask


def _gate_by_gate(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def build(self: Any, input_shape: Any) -> None:
        if not release.shows_keras_1() or self.implementation == 2:
            original(self, input_shape)
            return
        given = self.kernel_initializer, self.recurrent_initializer
        self.kernel_initializer, self.recurrent_initializer = of_gates(*given, self.units)
        try:
            original(self, input_shape)
        finally:
            self.kernel_initializer, self.recurrent_initializer = given

    return build


def of_gates(kernel: Any, recurrent: Any, units: int) -> tuple[Any, Any]:
    """Initializers that make the parts of each gate by themselves, one gate after the other: Keras 1 had a variable for each.

    Args:
        kernel: That of the kernel.
        recurrent: That of the recurrent kernel, which comes second.
        units: How many columns a gate has.
    """
    found: dict[str, list[Any]] = {"recurrent": []}

    def of_kernel(shape: Any, dtype: Any = None, **_words: Any) -> Any:
        parts = []
        found["recurrent"] = []
        for _ in range(int(shape[-1]) // units):
            parts.append(kernel((shape[0], units), dtype=dtype))
            found["recurrent"].append(recurrent((units, units), dtype=dtype))
        return _tf.concat(parts, 1)

    def of_recurrent(_shape: Any, dtype: Any = None, **_words: Any) -> Any:
        return _tf.concat(found["recurrent"], 1)

    return of_kernel, of_recurrent


def _is_stateful(self: Any) -> bool:
    """Whether a `Bidirectional` is stateful: by a slip of 1.5 to 1.15 and Keras 2.1 and 2.2 none was.

    Its layers go on from their states in training alone: a prediction does not change them.
    """
    return bool(self._stateful and _call_forms.reaches("1.4"))


def _has_stateful_layers(self: Any) -> bool:
    return any(layer.stateful for layer in self.layers)


def _reset_states(self: Any, states: Any = None) -> None:
    """Resets the states of both layers of a `Bidirectional`."""
    half = len(states or ()) // 2
    self.forward_layer.reset_states(states and states[:half])
    self.backward_layer.reset_states(states and states[half:])


def _with_constants(original: Callable[..., None]) -> Callable[..., None]:
    """Builds a cell with the shapes of its constants behind its own, as in the package keras and up to 1.13."""

    @functools.wraps(original)
    def build(self: Any, input_shape: Any) -> None:
        count, cell = self._num_constants, self.cell
        of_cell = count and isinstance(input_shape, list) and hasattr(cell, "built")
        if of_cell and not cell.built and _call_forms.reaches("1.13", keras=True):
            shapes = [tuple(_tf.TensorShape(shape).as_list()) for shape in input_shape]
            cell.build([shapes[0][:1] + shapes[0][2:], *shapes[-count:]])
            cell.built = True
        original(self, input_shape)

    return build


def _without_old_methods(original: Callable[..., Any], kind: str) -> Any:
    """What a recurrent layer computes, unless a class of the program has a `step` for it, or another of `_HOOKS`.

    Keras called these up to 2.0, and `tf.keras` up to 1.4. Since then they are left out. A class with a `call` of its own
    may call them itself.
    """

    def call(
        self: Any, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None
    ) -> Any:
        mine = type(self)
        step = getattr(mine, "step", None)
        old = ["step"] * (inspect.isfunction(step) and len(inspect.signature(step).parameters) == 3)
        if mine.call is wrapped:
            old += [name for name in _HOOKS[kind == "ConvLSTM2D"] if hasattr(mine, name)]
        if old:
            name = f"keras.layers.{kind}.{old[0]}, which {mine.__name__} has for its own,"
            use = "a cell with call(inputs, states) in keras.layers.RNN"
            raise GoneError(name, "Keras 2.1", use)
        return original(self, inputs, mask=mask, training=training, initial_state=initial_state)

    wrapped = patches.unconverted(call)
    return wrapped


def _from_the_last(original: Callable[..., None]) -> Callable[..., None]:
    """Makes a stack of cells, whose last cell's states came first up to 1.10."""

    @functools.wraps(original)
    def __init__(self: Any, cells: Any, **named: Any) -> None:
        original(self, cells, **named)
        if _call_forms.reaches("1.10"):
            self.reverse_state_order = True

    return __init__


def _in_one_row(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The sizes of a stack's states, one behind the other in the package keras and up to 1.13: today each cell's are a list."""

    def state_size(self: Any) -> Any:
        found = original(self)
        return found if _APART in vars(self) or not _in_a_row() else tuple(_tf.nest.flatten(found))

    return state_size


def _listed(original: Callable[..., Any]) -> Callable[..., Any]:
    """The first states of a stack, in the order of its sizes."""

    @functools.wraps(original)
    def get_initial_state(self: Any, *args: Any, **named: Any) -> Any:
        found = original(self, *args, **named)
        return tuple(_tf.nest.flatten(found)) if _in_a_row() else found

    return get_initial_state


def _of_each_cell(original: Callable[..., Any]) -> Any:
    """What a stack computes: its cells are given their own states."""

    def call(
        self: Any,
        inputs: Any,
        states: Any,
        constants: Any = None,
        training: Any = None,
        **named: Any,
    ) -> Any:
        if not _in_a_row():
            return original(self, inputs, states, constants, training, **named)
        vars(self)[_APART] = True
        backwards = self.reverse_state_order
        counts = [len(_tf.nest.flatten(cell.state_size)) for cell in self.cells]
        states = _tf.nest.flatten(states)
        if backwards:
            states = _turned(states, counts[::-1])
        try:
            found, after = original(self, inputs, states, constants, training, **named)
        finally:
            del vars(self)[_APART]
        after = _tf.nest.flatten(after)
        return found, _turned(after, counts) if backwards else after

    return patches.unconverted(call)


def _turned(states: list[Any], counts: list[int]) -> list[Any]:
    """The states of cells, those of the last cell first.

    >>> _turned(["h", "c", "h2"], [2, 1])
    ['h2', 'h', 'c']
    """
    rest = iter(states)
    parts = [list(itertools.islice(rest, count)) for count in counts]
    return list(itertools.chain(*parts[::-1]))


def _in_a_row() -> bool:
    return _call_forms.reaches("1.13", keras=True)


def _put_out_states() -> None:
    """Has loops put out the first state where a mask hides a time."""
    own = importlib.import_module("tf_keras.src.backend")
    rnn = _putting_out_states(own.rnn)
    public: Any = importlib.import_module("tf_keras.api._v1.keras.backend")
    public.rnn = rnn
    for name in _LOOPS:
        module = _module(name)
        module.backend = patches.copy_of(module.backend, rnn=rnn)


def _module(name: str) -> Any:
    return importlib.import_module(f"tf_keras.src.layers.rnn.{name}")


def _is_called(cell: Any) -> bool:
    """Whether a layer calls its cell, or the cell's `call`, as it did up to 1.15: no layer's checks of its inputs."""
    kept = type(cell).__module__.partition(".")[0] in ("tf_keras", "tfqueue")
    return callable(cell) and (kept or not hasattr(cell, "call"))


def _putting_out_states(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def rnn(
        step_function: Callable[..., Any],
        inputs: Any,
        initial_states: Any,
        go_backwards: bool = False,
        mask: Any = None,
        constants: Any = None,
        unroll: bool = False,
        *args: Any,
        **named: Any,
    ) -> Any:
        if mask is not None and not unroll and _call_forms.reaches("1.12", keras=True):
            mask = _tf.cast(mask, _tf.bool)
            inputs = [inputs, mask[..., None] if mask.shape.rank == 2 else mask]
            step_function, mask = functools.partial(_step, step_function), None
        return original(
            step_function,
            inputs,
            initial_states,
            go_backwards,
            mask,
            constants,
            unroll,
            *args,
            **named,
        )

    return rnn


def _step(step_function: Callable[..., Any], given: Any, states: Any) -> Any:
    """A step that keeps the states of what is hidden, and puts out the first of them."""
    inputs, shown = given
    found, after = step_function(inputs, states)

    def chosen(new: Any, old: Any) -> Any:
        shape = _tf.concat([_tf.shape(shown)[:1], [1] * (new.shape.rank - 1)], 0)
        return _tf.where_v2(_tf.reshape(shown, shape), new, old)

    flat, before = _tf.nest.flatten(after), _tf.nest.flatten(states)
    kept = [chosen(*pair) for pair in zip(flat, before, strict=False)]
    return chosen(found, before[0]), _tf.nest.pack_sequence_as(after, kept)
