"""Cells of `tf.contrib.rnn` whose units, or groups of units, do not see one another's state.

Each has the variables of TensorFlow 1.15's and gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.contrib.rnn import cells
from tfqueue.v1 import _op_counts, rnn_cell
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Initializer, State, Tensor

_tf = _tensorflow.compat_v1()


class _Independent(cells.OneState, cells.OfDepth, rnn_cell.LayerRNNCell):
    """A cell whose kernel for the state is one number a unit and gate.

    Args:
        activation: Function of the sums; tanh when None.
        kernel_initializer: Initializer of the kernels for the input; the scope's when None.
        bias_initializer: Initializer of the biases.
        dtype: Of the variables; that of the input when None.
    """

    def __init__(
        self,
        num_units: int,
        activation: Callable[[Tensor], Tensor] | None = None,
        reuse: bool | None = None,
        kernel_initializer: Initializer = None,
        bias_initializer: Initializer = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units, self._activation = num_units, activation or _tf.tanh
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    def _gates(
        self, depth: int, count: int, kernel: str = "kernel_w", bias: Initializer = None
    ) -> tuple[Any, Any, Any]:
        """The variables of some gates: for the input, for the state, and the biases."""
        wide, scope = count * self._num_units, kernel.rpartition("kernel")[0]
        uniform = _tf.random_uniform_initializer(-1, 1, dtype=self.dtype)
        bias = self._bias_initializer or bias or _tf.zeros_initializer(dtype=self.dtype)
        first = self._kernel_initializer
        return (
            self.add_variable(kernel, shape=[depth, wide], initializer=first),
            self.add_variable(f"{scope}kernel_u", shape=[1, wide], initializer=uniform),
            self.add_variable(f"{scope}bias", shape=[wide], initializer=bias),
        )

    def _make(self, depth: int) -> None:
        self._variables = self._gates(depth, 1)


def _sums(variables: tuple[Any, Any, Any], inputs: Tensor, state: Tensor, count: int) -> Tensor:
    """What the gates are computed from."""
    kernel, factors, bias = variables
    states = _tf.tile(state, [1, count]) if count > 1 else state
    return _tf.nn.bias_add(_tf.matmul(inputs, kernel) + states * factors, bias)


class IndRNNCell(_Independent):
    """The independently recurrent cell (`tf.contrib.rnn.IndRNNCell`).

    The arguments are those of `BasicRNNCell`.
    """

    __init__ = constructor("num_units activation=None reuse=None name=None dtype=None")

    def _init_with(self, given: dict[str, Any]) -> None:
        super().__init__(**given)

    def call(self, inputs: Tensor, state: State) -> Any:
        output = self._activation(_sums(self._variables, inputs, state, 1))
        return output, output


class IndyGRUCell(_Independent):
    """A GRU whose units see only their own state (`tf.contrib.rnn.IndyGRUCell`).

    The arguments are those of `GRUCell`.
    """

    def _make(self, depth: int) -> None:
        ones = _tf.constant_initializer(1.0, dtype=self.dtype)
        self._gate_variables = self._gates(depth, 2, "gates/kernel_w", ones)
        self._variables = self._gates(depth, 1, "candidate/kernel")

    def call(self, inputs: Tensor, state: State) -> Any:
        gates = _tf.sigmoid(_sums(self._gate_variables, inputs, state, 2))
        reset, update = _op_counts.split(gates, 2, axis=1)
        candidate = self._activation(_sums(self._variables, inputs, reset * state, 1))
        new = update * state + (1 - update) * candidate
        return new, new


class IndyLSTMCell(cells.LSTMSizes, _Independent):
    """An LSTM whose units see only their own state (`tf.contrib.rnn.IndyLSTMCell`).

    Args:
        forget_bias: Number that is added to the biases of the forget gates.
        *args: As for `GRUCell`, from `activation` on.
        **kwargs: The same by name.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(num_units, *args, **kwargs)
        self._forget_bias = forget_bias

    def _make(self, depth: int) -> None:
        self._variables = self._gates(depth, 4)

    def call(self, inputs: Tensor, state: State) -> Any:
        memory, hidden = state
        sums = _sums(self._variables, inputs, hidden, 4)
        put, new, forget, give = _op_counts.split(sums, 4, axis=1)
        memory = memory * _tf.sigmoid(forget + self._forget_bias)
        memory = memory + _tf.sigmoid(put) * self._activation(new)
        hidden = self._activation(memory) * _tf.sigmoid(give)
        return hidden, rnn_cell.LSTMStateTuple(memory, hidden)


class GLSTMCell(cells.LSTMSizes, cells.Stored):
    """An LSTM in groups, each with its part of the input and the state (`tf.contrib.rnn.GLSTMCell`).

    Args:
        num_units: int, the number of units of all groups.
        initializer: Initializer of the weights; the scope's when None.
        num_proj: int, the width of a projection after it; None for none.
        number_of_groups: int, how many groups there are.
        forget_bias: Number that is added to the biases of the forget gates.
        activation: Function of the memory.
        reuse: Whether its variables are those that are there; None as the scope says.

    Raises:
        ValueError: If units, projection or input can't be parted into so many groups, or the input's
            width is not known.
    """

    __init__ = constructor(
        "num_units initializer=None num_proj=None number_of_groups=1 forget_bias=1.0 "
        "activation=tanh reuse=None",
        activation=_tf.tanh,
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        for name in ("num_units", "num_proj"):
            if given[name] and given[name] % given["number_of_groups"]:
                raise ValueError(f"{name} must be divisible by number_of_groups")
        super()._init_with(given)
        self._linear: dict[Any, Any] = {}

    def _product(self, key: Any, inputs: Tensor, width: int) -> Tensor:
        """The input times a kernel, which is made at the first call.

        Of 1.4 to 1.6 that of the first group is the kernel of all.
        """
        if isinstance(key, int) and release.before("1.7") and not release.before("1.4"):
            key = 0
        if key not in self._linear:
            self._linear[key] = rnn_cell._Linear(inputs, width, False)
        return self._linear[key](inputs)

    def _of_group(self, values: Tensor, group: int, batch: Any) -> Tensor:
        width = int(values.shape[1]) // self._number_of_groups
        return _tf.slice(values, [0, group * width], [batch, width])

    def _sums(self, inputs: Tensor, hidden: Tensor) -> list[Tensor]:
        """What the gates are computed from: of all groups, and by gate."""
        parts = []
        wide = 4 * self._num_units // self._number_of_groups
        batch = _tf.dimension_value(inputs.shape[0]) or _tf.shape(inputs)[0]
        for group in range(self._number_of_groups):
            with _tf.variable_scope(f"group{group}"):
                row = [self._of_group(each, group, batch) for each in (inputs, hidden)]
                product = self._product(group, _tf.concat(row, 1), wide)
                parts.append(_op_counts.split(product, 4, axis=1))
        zeros = _tf.constant_initializer(0.0, dtype=inputs.dtype)
        biases = [
            _tf.get_variable(f"bias_{letter}", [self._num_units], inputs.dtype, zeros)
            for letter in "ijfo"
        ]
        return [
            _tf.nn.bias_add(_tf.concat(gates, 1), bias)
            for gates, bias in zip(zip(*parts, strict=True), biases, strict=True)
        ]

    def call(self, inputs: Tensor, state: State) -> Any:
        memory, hidden = state
        depth = _tf.dimension_value(inputs.shape[1])
        if depth is None:
            raise ValueError("input size must be statically known")
        if depth % self._number_of_groups:
            raise ValueError(
                f"input size ({depth}) must be divisible by number_of_groups ({self._number_of_groups})"
            )
        with _tf.variable_scope(_tf.get_variable_scope(), initializer=self._initializer):
            put, new, forget, give = self._sums(inputs, hidden)
        memory = _tf.sigmoid(forget + self._forget_bias) * memory
        memory = memory + _tf.sigmoid(put) * _tf.tanh(new)
        hidden = _tf.sigmoid(give) * self._activation(memory)
        if self._num_proj is not None:
            with _tf.variable_scope("projection"):
                hidden = self._product("projection", hidden, self._num_proj)
        return hidden, rnn_cell.LSTMStateTuple(memory, hidden)
