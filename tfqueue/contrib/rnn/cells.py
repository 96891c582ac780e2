"""Cells and wrappers of `tf.contrib.rnn` that TensorFlow no longer has, written on those it has."""

import contextlib
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tensorflow.python.compiler.xla import jit
from tensorflow.python.framework import op_def_registry

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import seeds
from tfqueue.v1 import _cell_names, _op_counts, _rnn_loops, rnn_cell
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Cell, DType, Scope, Size, State, Tensor

_tf = _tensorflow.compat_v1()


class Stored(rnn_cell.RNNCell):
    """A cell that keeps its arguments, each under its name with an underscore."""

    def _init_with(self, given: dict[str, Any]) -> None:
        super().__init__(name=given.pop("name", None), _reuse=given.pop("reuse", None))
        for name, value in given.items():
            setattr(self, f"_{name}", value)


class OnceInitialized(Stored):
    """A cell whose `initializer` is that of its weights up to 1.1, and is not looked at since then."""

    _initializer: Any

    def __call__(self, inputs: Tensor, state: State, *args: Any, **kwargs: Any) -> Any:
        """One step."""
        if not release.before("1.2") or self._initializer is None:
            return super().__call__(inputs, state, *args, **kwargs)
        with _tf.variable_scope(_tf.get_variable_scope(), initializer=self._initializer):
            return super().__call__(inputs, state, *args, **kwargs)


class OneState:
    """The sizes of a cell whose output is its state."""

    _num_units: int

    @property
    def state_size(self) -> Any:
        """The number of units."""
        return self._num_units

    output_size = state_size


class OfDepth:
    """A cell whose variables `_make` makes for the width of its inputs."""

    built: bool

    def _make(self, depth: int) -> None:
        raise NotImplementedError

    def build(self, inputs_shape: Any) -> None:
        depth = _tf.dimension_value(inputs_shape[-1])
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        self._make(depth)
        self.built = True


class LSTMSizes:
    """The sizes of an LSTM: its state is a pair, and its output may be projected."""

    _num_units: int
    _num_proj: int | None = None

    @property
    def state_size(self) -> Any:
        """An `LSTMStateTuple`."""
        return rnn_cell.LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self) -> Any:
        """The width of the output."""
        return self._num_proj or self._num_units


@contextlib.contextmanager
def _as_one_op() -> Iterator[None]:
    """What is built within the block counts as one op for the seeds behind it, beside what enters a loop."""
    graph = _tf.get_default_graph()
    before = len(graph.get_operations())
    yield
    if made := graph.get_operations()[before:]:
        seeds.more(1 - sum(op.type != "Enter" for op in made))


def gates_with_peepholes() -> str:
    """The gates `i`, `f` and `o` of a block of an LSTM, in the order in which their weights were made."""
    return "iof" if release.before("1.5") else "ifo"


class LSTMBlockCell(rnn_cell.LSTMCell):
    """An LSTM with the variables of `tf.contrib.rnn.LSTMBlockCell`, on plain ops.

    With `cell_clip` the gradient stops at the bound, which that of the block op did not.

    Args:
        cell_clip: float, the bound of the cell's state; None for none.
        use_peephole: Whether the cell's state is an input of the gates.
    """

    __init__ = constructor(
        "num_units forget_bias=1.0 cell_clip=None use_peephole=False dtype=None reuse=None "
        "name='lstm_cell'"
    )

    _names_of_0_12 = {
        "kernel": "W",
        "bias": "b",
        **{f"w_{gate}_diag": f"wc{gate}" for gate in "ifo"},
    }

    def _init_with(self, given: dict[str, Any]) -> None:
        clip, peepholes = given.pop("cell_clip"), given.pop("use_peephole")
        clip = clip if clip is not None and clip > 0 else None
        super().__init__(use_peepholes=peepholes, cell_clip=clip, **given)

    def build(self, inputs_shape: Any) -> None:
        """Makes the variables, in the order of the block."""
        depth = _tf.dimension_value(inputs_shape[1])
        if not depth:
            raise ValueError(f"Expecting inputs_shape[1] to be set: {inputs_shape}")
        wide, zeros = 4 * self._num_units, _tf.constant_initializer(0.0)
        self._kernel = self.add_variable("kernel", [depth + self._num_units, wide])
        self._bias = self.add_variable("bias", [wide], initializer=zeros)
        if self._use_peepholes:
            diagonals = {
                gate: self.add_variable(f"w_{gate}_diag", [self._num_units])
                for gate in gates_with_peepholes()
            }
            self._w_i_diag, self._w_f_diag, self._w_o_diag = map(diagonals.get, "ifo")
        self.built = True

    def call(self, inputs: Tensor, state: State) -> Any:
        if not self._use_peepholes:
            _tf.zeros([self._num_units])  # the block had zeros in the place of peepholes
        with _as_one_op():
            return super().call(inputs, state)


class GRUBlockCellV2(rnn_cell.GRUCell):
    """A GRU with the variables of `tf.contrib.rnn.GRUBlockCellV2`, on plain ops.

    Args:
        cell_size: The old name of `num_units`.
    """

    _takes_one_size = False

    def __init__(
        self,
        num_units: int | None = None,
        cell_size: int | None = None,
        reuse: bool | None = None,
        name: str | None = "gru_cell",
    ) -> None:
        if self._takes_one_size and (num_units is None) == (cell_size is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        super().__init__(num_units if num_units is not None else cell_size, reuse=reuse, name=name)
        if release.before("1.5"):  # it was no layer, nor had it a name
            self._base_name = type(self).__name__

    def add_variable(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Makes a variable of the GRU."""
        if name == "candidate/bias":
            kwargs["initializer"] = _tf.constant_initializer(0.0)
        return super().add_variable(name, *args, **kwargs)

    def call(self, inputs: Tensor, state: State) -> Any:
        with _as_one_op():
            return super().call(inputs, state)


_BLOCK_NAMES = {
    "gates/kernel": "w_ru",
    "gates/bias": "b_ru",
    "candidate/kernel": "w_c",
    "candidate/bias": "b_c",
}


class GRUBlockCell(GRUBlockCellV2):
    """A GRU with the variables of `tf.contrib.rnn.GRUBlockCell`, on plain ops.

    Args:
        cell_size: Its old name.

    Raises:
        ValueError: Unless one of `num_units` and `cell_size` is given.
    """

    _takes_one_size = True

    def add_variable(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Makes a variable of the GRU under its name in the block."""
        return super().add_variable(_BLOCK_NAMES[name], *args, **kwargs)


class CellWrapper(Stored):
    """A cell around a cell."""

    _cell: Cell

    state_size = property(operator.attrgetter("_cell.state_size"), doc="That of the inner cell.")
    output_size = property(operator.attrgetter("_cell.output_size"), doc="That of the inner cell.")

    def zero_state(self, batch_size: Size, dtype: DType) -> Any:
        """The inner cell's."""
        return self._cell.zero_state(batch_size, dtype)


class CompiledWrapper(CellWrapper):
    """Marks the ops of a cell for XLA, which compiles them where it can (`tf.contrib.rnn.CompiledWrapper`).

    Args:
        compile_stateful: Whether to mark initializers and random ops, too.
    """

    __init__ = constructor("cell compile_stateful=False")

    def __call__(self, inputs: Tensor, state: State, scope: Scope | None = None) -> Any:
        """One step; the variables are those of the inner cell."""
        with jit.experimental_jit_scope(compile_ops=self._compile_stateful or _is_stateless):
            return self._cell(inputs, state, scope=scope)


def _is_stateless(node: Any) -> bool:
    return not op_def_registry.get(node.op).is_stateful


class _WithScopeOfItsOwn(CellWrapper):
    """A wrapper with variables. Up to 1.1 those of the inner cell were beside its scope, since then below it."""

    def __call__(
        self, inputs: Tensor, state: State, scope: Scope | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        """One step."""
        if not release.before("1.2"):
            return super().__call__(inputs, state, scope, *args, **kwargs)
        named = scope or rnn_cell.scope_name(self)
        return self._step(inputs, state, lambda: _tf.variable_scope(named, reuse=self._reuse))

    def call(self, inputs: Tensor, state: State) -> Any:
        return self._step(inputs, state, contextlib.nullcontext)

    def _step(self, inputs: Tensor, state: State, own: Callable[[], Any]) -> Any:
        """One step, whose own variables are made `with own()`."""
        raise NotImplementedError


def _affine(inputs: Tensor, units: int, activation: Callable[[Tensor], Tensor] | None) -> Tensor:
    outputs = rnn_cell._linear(inputs, units, True)
    return activation(outputs) if activation else outputs


class InputProjectionWrapper(_WithScopeOfItsOwn):
    """Puts an affine layer before a cell.

    Args:
        num_proj: int, the layer's width.
        activation: Function of the layer's output.
        input_size: Not used any more.
    """

    __init__ = constructor("cell num_proj activation=None input_size=None reuse=None")

    def _step(self, inputs: Tensor, state: State, own: Callable[[], Any]) -> Any:
        with own():
            inputs = _affine(inputs, self._num_proj, self._activation)
        return self._cell(inputs, state)


class OutputProjectionWrapper(_WithScopeOfItsOwn):
    """Puts an affine layer after a cell.

    Args:
        output_size: int, the layer's width.
        activation: Function of the layer's output.
        reuse: As for `InputProjectionWrapper`.
    """

    output_size = property(operator.attrgetter("_output_size"), doc="The layer's width.")

    __init__ = constructor("cell output_size activation=None reuse=None")

    def _step(self, inputs: Tensor, state: State, own: Callable[[], Any]) -> Any:
        outputs, state = self._cell(inputs, state)
        with own():
            return _affine(outputs, self._output_size, self._activation), state


class EmbeddingWrapper(_WithScopeOfItsOwn):
    """Puts an embedding before a cell: its inputs are numbers of symbols.

    Args:
        embedding_classes: int, how many symbols.
        embedding_size: int, the vectors' size.
        initializer: Of the embedding; uniform with a variance of 1 when None.
    """

    __init__ = constructor("cell embedding_classes embedding_size initializer=None reuse=None")

    def _step(self, inputs: Tensor, state: State, own: Callable[[], Any]) -> Any:
        with own():
            inputs = self._embedded(inputs, _tf.nest.flatten(state)[0].dtype)
        return self._cell(inputs, state)

    def _embedded(self, inputs: Tensor, dtype: DType) -> Tensor:
        initializer = self._initializer or _tf.get_variable_scope().initializer
        if initializer is None:
            initializer = _tf.random_uniform_initializer(-(3**0.5), 3**0.5)
        shape = [self._embedding_classes, self._embedding_size]
        with _tf.device("/cpu:0"):
            embedding = _tf.get_variable("embedding", shape, dtype, initializer)
            return _tf.nn.embedding_lookup(embedding, _tf.reshape(inputs, [-1]))


def layer_normed(inputs: Tensor, scope: str, gain: float, shift: float) -> Tensor:
    """Rows with mean 0 and variance 1, times a variable, plus a variable.

    Args:
        inputs: `[batch, n]`.
        scope: Variable scope of `gamma` and `beta`.
        gain: float, what `gamma` begins with.
        shift: float, what `beta` begins with.
    """
    with _tf.variable_scope(scope):
        shape = [int(inputs.shape[-1])]
        gamma = _tf.get_variable("gamma", shape, initializer=_tf.constant_initializer(gain))
        beta = _tf.get_variable("beta", shape, initializer=_tf.constant_initializer(shift))
    mean, variance = _tf.nn.moments(inputs, [1], keep_dims=True)
    return _tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, 1e-12)


class Normed:
    """A cell whose sums have mean 0 and variance 1 where its argument `layer_norm` is true."""

    _layer_norm: bool
    _norm_gain: float
    _norm_shift: float

    def _normed(self, inputs: Tensor, scope: str) -> Tensor:
        if not self._layer_norm:
            return inputs
        return layer_normed(inputs, scope, self._norm_gain, self._norm_shift)


def clipped(values: Tensor, bound: float | None) -> Tensor:
    """Values from `-bound` to `bound`, where there is one."""
    return values if bound is None else _tf.clip_by_value(values, -bound, bound)


class LayerNormBasicLSTMCell(LSTMSizes, Normed, Stored):
    """An LSTM whose gates are normalized (`tf.contrib.rnn.LayerNormBasicLSTMCell`).

    Args:
        input_size: Not used any more.
        activation: Function of the new and of the kept state.
        norm_gain: float, what the gains begin with.
        norm_shift: float, what the shifts begin with.
        dropout_keep_prob: float or scalar tensor, how much of the new state is kept.
    """

    __init__ = constructor(
        "num_units forget_bias=1.0 input_size=None activation=tanh layer_norm=True norm_gain=1.0 "
        "norm_shift=0.0 dropout_keep_prob=1.0 dropout_prob_seed=None reuse=None",
        activation=_tf.tanh,
    )

    _names_of_0_12 = {"kernel": "linear/weights", "bias": "linear/b"}

    def _named(self, name: str) -> str:
        return _cell_names.variable_name(name, self._names_of_0_12)

    def call(self, inputs: Tensor, state: State) -> Any:
        cell, hidden = state
        both = _tf.concat([inputs, hidden], 1)
        kernel = _tf.get_variable(self._named("kernel"), [int(both.shape[1]), 4 * self._num_units])
        gates = _tf.matmul(both, kernel)
        if not self._layer_norm:
            bias = _tf.get_variable(self._named("bias"), [4 * self._num_units])
            gates = _tf.nn.bias_add(gates, bias)
        parts = _op_counts.split(gates, 4, 1)
        names = ("input", "transform", "forget", "output")
        enter, new, forget, leave = (
            self._normed(part, name) for part, name in zip(parts, names, strict=True)
        )
        new = self._activation(new)
        if _tf.is_tensor(self._dropout_keep_prob) or self._dropout_keep_prob < 1:
            new = _tf.nn.dropout(
                new, rate=1 - self._dropout_keep_prob, seed=self._dropout_prob_seed
            )
        cell = cell * _tf.sigmoid(forget + self._forget_bias) + _tf.sigmoid(enter) * new
        cell = self._normed(cell, "state")
        hidden = self._activation(cell) * _tf.sigmoid(leave)
        return hidden, rnn_cell.LSTMStateTuple(cell, hidden)


def _stacked(
    inputs: Any,
    cells_fw: list[Any],
    cells_bw: list[Any],
    starts_fw: list[Any] | None,
    starts_bw: list[Any] | None,
) -> list[dict[str, Any]]:
    """Checks the layers; gives cells and first states of each, as arguments."""
    for cells in (cells_fw, cells_bw):
        if not isinstance(cells, list) or not cells:
            raise ValueError("Must specify at least one cell for each layer, as a list.")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for starts, name in ((starts_fw, "initial_states_fw"), (starts_bw, "initial_states_bw")):
        if starts is not None and (not isinstance(starts, list) or len(starts) != len(cells_fw)):
            raise ValueError(f"{name} must be a list of states, as many as there are layers.")
    rnn_cell.part_layers(inputs, cells_fw, cells_bw)
    none = [None] * len(cells_fw)
    names = ("cell_fw", "cell_bw", "initial_state_fw", "initial_state_bw")
    layers = zip(cells_fw, cells_bw, starts_fw or none, starts_bw or none, strict=True)
    return [dict(zip(names, layer, strict=True)) for layer in layers]


def _in_layers(
    inputs: Any,
    layers: list[dict[str, Any]],
    scope: Scope | None,
    run: Callable[[Any, dict[str, Any], Scope | None], tuple[Any, Any, Any]],
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Runs each layer on the outputs of the last; gives these, and the last states of both directions."""
    states = []
    old = release.before("1.0")
    with _tf.variable_scope(scope or ("StackRNN" if old else "stack_bidirectional_rnn")):
        for number, layer in enumerate(layers):
            with _tf.variable_scope(f"{'Layer' if old else 'cell_'}{number}") as within:
                inputs, *both = run(inputs, layer, None if old else within)
            states.append(both)
    states_fw, states_bw = zip(*states, strict=True)
    return inputs, states_fw, states_bw


def stack_bidirectional_dynamic_rnn(
    cells_fw: list[Cell],
    cells_bw: list[Cell],
    inputs: Tensor,
    initial_states_fw: list[State] | None = None,
    initial_states_bw: list[State] | None = None,
    dtype: DType | None = None,
    sequence_length: Tensor | None = None,
    parallel_iterations: int | None = None,
    time_major: bool = False,
    scope: Scope | None = None,
    swap_memory: bool = False,
) -> Any:
    """Layers of `tf.nn.bidirectional_dynamic_rnn`, each on the joined outputs of the last.

    Args:
        cells_fw: List of cells, one a layer, forwards.
        cells_bw: List of cells, one a layer, backwards.
        initial_states_fw: List of first states.
        initial_states_bw: List of first states.
        scope: Variable scope; `stack_bidirectional_rnn` when None.
        others: As for `tf.nn.bidirectional_dynamic_rnn`.

    Returns:
        A triple: the outputs `[batch, time, forward + backward]`; two tuples with
        the last state of each layer.
    """
    layers = _stacked(inputs, cells_fw, cells_bw, initial_states_fw, initial_states_bw)

    def run(inputs: Tensor, layer: dict[str, Any], _within: Scope | None) -> tuple[Any, Any, Any]:
        outputs, states = _rnn_loops.bidirectional_dynamic_rnn(
            inputs=inputs,
            **layer,
            sequence_length=sequence_length,
            parallel_iterations=parallel_iterations,
            dtype=dtype,
            swap_memory=swap_memory,
            time_major=time_major,
        )
        return _tf.concat(outputs, 2), *states

    return _in_layers(inputs, layers, scope, run)


def stack_bidirectional_rnn(
    cells_fw: list[Cell],
    cells_bw: list[Cell],
    inputs: Sequence[Tensor],
    initial_states_fw: list[State] | None = None,
    initial_states_bw: list[State] | None = None,
    dtype: DType | None = None,
    sequence_length: Tensor | None = None,
    scope: Scope | None = None,
) -> Any:
    """Layers of `tf.nn.static_bidirectional_rnn`, each on the outputs of the last.

    Args:
        cells_fw: List of cells, one a layer, forwards.
        cells_bw: List of cells, one a layer, backwards.
        inputs: List of tensors, as there, and so on.
        initial_states_fw: List of first states.
        initial_states_bw: List of first states.
        dtype: See there.
        sequence_length: See there.
        scope: Variable scope; `stack_bidirectional_rnn` when None.

    Returns:
        A triple: the list of outputs; two tuples with the last state of each layer.
    """
    layers = _stacked(inputs[0], cells_fw, cells_bw, initial_states_fw, initial_states_bw)

    def run(inputs: Any, layer: dict[str, Any], within: Scope | None) -> tuple[Any, Any, Any]:
        return _rnn_loops.static_bidirectional_rnn(
            inputs=inputs, **layer, sequence_length=sequence_length, dtype=dtype, scope=within
        )

    return _in_layers(inputs, layers, scope, run)
