"""`tf.contrib.grid_rnn`: cells whose units lie in a grid of several dimensions (arXiv 1507.01526).

Each dimension has a cell of its own, whose state is the output of the last one, and which reads those of
the others. A dimension that is an input is given a projection of the inputs in place of its state.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms, _lazy_names, rnn_cell
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Cell, Scope, State, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "Grid1BasicLSTMCell",
    "Grid1BasicRNNCell",
    "Grid1LSTMCell",
    "Grid2BasicLSTMCell",
    "Grid2BasicRNNCell",
    "Grid2GRUCell",
    "Grid2LSTMCell",
    "Grid3LSTMCell",
    "GridRNNCell",
]

Dims = int | Sequence[int] | None
Activation = Callable[[Tensor], Tensor] | None


def _joined(parts: Sequence[Tensor], dtype: Any) -> Any:
    return _tf.concat(parts, 1) if parts else _tf.zeros([0, 0], dtype)


class GridRNNCell(rnn_cell.RNNCell):
    """A cell for each dimension of a grid (`tf.contrib.grid_rnn.GridRNNCell`).

    Args:
        num_units: int, the units of each dimension.
        num_dims: int, how many dimensions there are.
        input_dims: int or list, those that read the inputs.
        output_dims: int or list, those whose outputs are the outputs.
        priority_dims: int or list, those that come after the others, and read their new outputs.
        non_recurrent_dims: int or list, those that are a layer, without a state.
        tied: Whether all dimensions have the same weights.
        cell_fn: What makes a cell of a number of units (up to 1.1 with the size of its inputs behind it), or
            None for an `LSTMCell`. It has a state of its outputs, or a pair of a memory and its outputs.
        non_recurrent_fn: The activation of dimensions without a state, or None for relu.
        state_is_tuple: Whether the state is a tuple of those of all dimensions that have one, and not
            one tensor. Up to 1.1 it is one tensor.
        output_is_tuple: The same of the outputs.

    Raises:
        ValueError: If a dimension is not in the grid.
        TypeError: If `cell_fn` gives no cell.
        MissingExtraError: When it is called, if it has non-recurrent dimensions and tf_slim is not installed.
    """

    def __init__(
        self,
        num_units: int,
        num_dims: int = 1,
        input_dims: Dims = None,
        output_dims: Dims = None,
        priority_dims: Dims = None,
        non_recurrent_dims: Dims = None,
        tied: bool = False,
        cell_fn: Callable[..., Any] | None = None,
        non_recurrent_fn: Activation = None,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:
        super().__init__()
        if num_dims < 1:
            raise ValueError(f"dims must be >= 1: {num_dims}")

        def listed(dims: Dims) -> list[int]:
            given = [] if dims is None else dims
            found = sorted(set(given if isinstance(given, (list, tuple)) else [given]))
            if any(not 0 <= dim < num_dims for dim in found):
                raise ValueError(f"Invalid dims: {found}. Must be in [0, {num_dims})")
            return found

        every = range(num_dims)
        self._num_units, self._tied = num_units, tied
        self._inputs, self._outputs = listed(input_dims), listed(output_dims)
        self._priority = listed(priority_dims)
        self._layers = listed(non_recurrent_dims)
        self._recurrent = [dim for dim in every if dim not in self._layers]
        self._activation = non_recurrent_fn or _tf.nn.relu
        self._tuples = state_is_tuple, output_is_tuple
        input_size = (num_dims - 1) * num_units
        cells = [_made(cell_fn, num_units, input_size) for _ in every[: 1 if tied else None]]
        self._cells = cells * num_dims if tied else cells

    @property
    def _sizes(self) -> list[int]:
        """The widths of a cell's state: of its memory, if it has one, and of its outputs."""
        size = self._cells[0].state_size
        if isinstance(size, tuple):
            return list(size)
        rest = size - self._num_units
        return [self._num_units, rest] if rest else [size]

    @property
    def output_size(self) -> Any:
        """The width of the outputs, or a tuple of those of all dimensions."""
        size = self._cells[0].output_size
        return (size,) * len(self._outputs) if self._tuples[1] else size * len(self._outputs)

    @property
    def state_size(self) -> Any:
        """The width of the state, or a tuple of those of all dimensions."""
        if self._tuples[0]:
            return (self._cells[0].state_size,) * len(self._recurrent)
        return sum(self._sizes) * len(self._recurrent)

    def __call__(self, inputs: Tensor, state: State, scope: Scope | None = None) -> Any:
        """Runs one step.

        Args:
            inputs: `[batch, n]`, a part of the columns for each dimension that is an input; or None.
            state: As `state_size` has it.
            scope: The variables' scope, the name of the class if None.

        Returns:
            The outputs and the new state.

        Raises:
            ValueError: If there are too few or too many states.
        """
        memories, outputs = self._parted(state)
        dtype = _tf.nest.flatten(state)[0].dtype if inputs is None else inputs.dtype
        new_outputs: list[Any] = [None] * len(self._cells)
        new_states = list(new_outputs)
        with _tf.variable_scope(scope or type(self).__name__):
            if inputs is not None and self._inputs and _tf.dimension_value(inputs.shape[1]):
                self._project(inputs, memories, outputs)
            others = [dim for dim in range(len(self._cells)) if dim not in self._priority]
            seen: set[bool] = set()
            for group in (others, self._priority):
                before = [
                    old if new is None else new
                    for old, new in zip(outputs, new_outputs, strict=True)
                ]
                for dim in group:
                    reuse = self._tied and (dim in self._layers) in seen
                    seen.add(dim in self._layers)
                    new_outputs[dim], new_states[dim] = self._step(
                        dim, memories[dim], before, reuse
                    )
        made = [new_outputs[dim] for dim in self._outputs]
        states = [new_states[dim] for dim in self._recurrent]
        state_is_tuple, output_is_tuple = self._tuples
        return (
            tuple(made) if output_is_tuple else _joined(made, dtype),
            tuple(states) if state_is_tuple else _joined(_tf.nest.flatten(states), dtype),
        )

    def _parted(self, state: State) -> tuple[list[Any], list[Any]]:
        """The memory and the last output of each dimension, None where it has none."""
        memories: list[Any] = [None] * len(self._cells)
        outputs = list(memories)
        if self._tuples[0]:
            if len(state) != len(self._recurrent):
                raise ValueError(f"Expected state as a tuple of {len(self._recurrent)} element")
            parts = list(state)
        else:
            sizes = self._sizes * len(self._recurrent)
            flat = _tf.split(state, sizes, 1) if sizes else []
            step = len(self._sizes)
            parts = [flat[i : i + step] for i in range(0, len(flat), step)]
        for dim, part in zip(self._recurrent, parts, strict=True):
            *memory, outputs[dim] = part if isinstance(part, (tuple, list)) else [part]
            memories[dim] = memory[0] if memory else None
        return memories, outputs

    def _project(self, inputs: Tensor, memories: list[Any], outputs: list[Any]) -> None:
        for part, dim in zip(_tf.split(inputs, len(self._inputs), 1), self._inputs, strict=True):
            shape = [_tf.dimension_value(part.shape[1]), self._num_units]
            kinds = [("m", outputs), ("c", memories)][: len(self._sizes)]
            for kind, found in kinds:
                weights = _tf.get_variable(f"project_{kind}_{dim}", shape, dtype=inputs.dtype)
                found[dim] = _tf.matmul(part, weights)

    def _step(self, dim: int, memory: Tensor, before: list[Any], reuse: bool) -> Any:
        """The output and the state of one dimension, after the outputs `before`."""
        *others, last = before
        kind = "non_recurrent" if dim in self._layers else "recurrent"
        with _tf.variable_scope(kind if self._tied else f"{kind}/cell_{dim}") as scope:
            if reuse:
                scope.reuse_variables()
            if dim in self._layers:
                return self._layer(_tf.concat(before, 1) if others else last, scope), None
            cell = self._cells[dim]
            read = _tf.concat(others, 1) if others else last[:, :0]
            if memory is None:
                return cell(read, last)
            if isinstance(cell.state_size, tuple):
                return cell(read, (memory, last))
            return cell(read, _tf.concat([memory, last], 1))

    def _layer(self, read: Tensor, scope: Scope) -> Any:
        layers = _lazy_names.resolve("tf:contrib.layers")
        start = scope.initializer or layers.xavier_initializer()
        if _call_forms.reaches("1.1"):  # its bias has another name, and no weight a regularizer
            return layers.legacy_fully_connected(read, self._num_units, self._activation, start)
        return layers.fully_connected(
            read,
            self._num_units,
            activation_fn=self._activation,
            weights_initializer=start,
            weights_regularizer=scope.regularizer,
        )


def _made(cell_fn: Callable[..., Any] | None, num_units: int, input_size: int) -> Cell:
    if cell_fn is None:
        return rnn_cell.LSTMCell(num_units)
    old = _call_forms.reaches("1.1")
    cell = cell_fn(num_units, input_size) if old else cell_fn(num_units)
    if not isinstance(cell, rnn_cell.RNNCell):
        raise TypeError(f"cell_fn must return an RNNCell instance, saw: {type(cell)}")
    return cell


class _Grid(GridRNNCell):
    """A grid that has cells of one kind in all its dimensions."""

    _dimensions: int
    _kind: Any
    _options: tuple[str, ...] = ()
    """Arguments that are those of the cells."""

    def _init_with(self, given: dict[str, Any]) -> None:
        words = {name: given[name] for name in self._options}
        activation = given.get("non_recurrent_fn")
        super().__init__(
            given["num_units"],
            self._dimensions,
            *(0, 0, 0, None if activation is None else 0, given.get("tied", False)),
            lambda num_units, *_: self._kind(num_units, **words),
            activation,
            *(given["state_is_tuple"], given["output_is_tuple"]),
        )


class Grid1BasicRNNCell(_Grid):
    """A `BasicRNNCell` (`tf.contrib.grid_rnn.Grid1BasicRNNCell`).

    Args:
        num_units: int, the units of each dimension.
        state_is_tuple: As for `GridRNNCell`.
        output_is_tuple: As for `GridRNNCell`.
    """

    _dimensions, _kind = 1, rnn_cell.BasicRNNCell
    __init__ = constructor("num_units state_is_tuple=True output_is_tuple=True")


class Grid2BasicRNNCell(_Grid):
    """A grid of two `BasicRNNCell` (`tf.contrib.grid_rnn.Grid2BasicRNNCell`).

    Args:
        num_units: int, the units of each dimension.
        tied: Whether all dimensions have the same weights.
        non_recurrent_fn: If given, the first dimension is a layer of this activation.
        state_is_tuple: As for `GridRNNCell`.
        output_is_tuple: As for `GridRNNCell`.
    """

    _dimensions, _kind = 2, rnn_cell.BasicRNNCell
    __init__ = constructor(
        "num_units tied=False non_recurrent_fn=None state_is_tuple=True output_is_tuple=True"
    )


class Grid1BasicLSTMCell(_Grid):
    """A `BasicLSTMCell` (`tf.contrib.grid_rnn.Grid1BasicLSTMCell`).

    Args:
        num_units: int, the units of each dimension.
        forget_bias: What is added to the forget gates.
        state_is_tuple: As for `GridRNNCell`.
        output_is_tuple: As for `GridRNNCell`.
    """

    _dimensions, _kind = 1, rnn_cell.BasicLSTMCell
    _options = ("forget_bias",)
    __init__ = constructor("num_units forget_bias=1 state_is_tuple=True output_is_tuple=True")


class Grid2BasicLSTMCell(_Grid):
    """A grid of two `BasicLSTMCell` (`tf.contrib.grid_rnn.Grid2BasicLSTMCell`).

    Args:
        num_units: int, the units of each dimension.
        tied: Whether all dimensions have the same weights.
        non_recurrent_fn: If given, the first dimension is a layer of this activation.
        forget_bias: What is added to the forget gates.
        state_is_tuple: As for `GridRNNCell`.
        output_is_tuple: As for `GridRNNCell`.
    """

    _dimensions, _kind = 2, rnn_cell.BasicLSTMCell
    _options = ("forget_bias",)
    __init__ = constructor(
        "num_units tied=False non_recurrent_fn=None forget_bias=1 "
        "state_is_tuple=True output_is_tuple=True"
    )


class Grid1LSTMCell(_Grid):
    """An `LSTMCell` (`tf.contrib.grid_rnn.Grid1LSTMCell`).

    Args:
        num_units: int, the units of each dimension.
        use_peepholes: Whether the gates see the memory.
        forget_bias: What is added to the forget gates.
        state_is_tuple: As for `GridRNNCell`.
        output_is_tuple: As for `GridRNNCell`.
    """

    _dimensions, _kind = 1, rnn_cell.LSTMCell
    _options = ("use_peepholes", "forget_bias")
    __init__ = constructor(
        "num_units use_peepholes=False forget_bias=1.0 state_is_tuple=True output_is_tuple=True"
    )


class _OfLSTMCells(_Grid):
    """A grid of some `LSTMCell`.

    Args:
        num_units: int, the units of each dimension.
        tied: Whether all dimensions have the same weights.
        non_recurrent_fn: If given, the first dimension is a layer of this activation.
        use_peepholes: Whether the gates see the memory.
        forget_bias: What is added to the forget gates.
        state_is_tuple: As for `GridRNNCell`.
        output_is_tuple: As for `GridRNNCell`.
    """

    _kind = rnn_cell.LSTMCell
    _options = ("use_peepholes", "forget_bias")
    __init__ = constructor(
        "num_units tied=False non_recurrent_fn=None use_peepholes=False forget_bias=1.0 "
        "state_is_tuple=True output_is_tuple=True"
    )


class Grid2LSTMCell(_OfLSTMCells):
    """A grid of two `LSTMCell` (`tf.contrib.grid_rnn.Grid2LSTMCell`).

    Args:
        others: As for `Grid1LSTMCell`, with `tied` and `non_recurrent_fn` of `GridRNNCell` behind `num_units`.
    """

    _dimensions = 2


class Grid3LSTMCell(_OfLSTMCells):
    """A grid of three `LSTMCell` (`tf.contrib.grid_rnn.Grid3LSTMCell`).

    Args:
        others: As for `Grid2LSTMCell`.
    """

    _dimensions = 3


class Grid2GRUCell(_Grid):
    """A grid of two `GRUCell` (`tf.contrib.grid_rnn.Grid2GRUCell`).

    Args:
        num_units: int, the units of each dimension.
        tied: Whether all dimensions have the same weights.
        non_recurrent_fn: If given, the first dimension is a layer of this activation.
        state_is_tuple: As for `GridRNNCell`.
        output_is_tuple: As for `GridRNNCell`.
    """

    _dimensions, _kind = 2, rnn_cell.GRUCell
    __init__ = constructor(
        "num_units tied=False non_recurrent_fn=None state_is_tuple=True output_is_tuple=True"
    )


__getattr__, __dir__ = _lazy_names.attributes(__name__, {})
