"""Cells with few gates: `IntersectionRNNCell` of `tf.contrib.rnn`, and two that its `python.ops.rnn_cell` has."""

from __future__ import annotations

from typing import Any

from tensorflow.python.keras import activations, initializers

from tfqueue import _tensorflow
from tfqueue.contrib.rnn import cells
from tfqueue.v1 import _op_counts, layers, rnn_cell
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import State, Tensor

_tf = _tensorflow.compat_v1()


class IntersectionRNNCell(cells.OneState, cells.Stored):
    """A cell with a gate through time and one through depth (`tf.contrib.rnn.IntersectionRNNCell`).

    Args:
        num_in_proj: int, other than 0 for the first of several layers: the input becomes
            `num_units` wide; None where it is.
        initializer: Of the weights.
        forget_bias: float, is added to both gates.
        y_activation: Function of what goes through depth.

    Raises:
        ValueError: If the input has another width than `num_units`, and `num_in_proj` is None.
    """

    __init__ = constructor(
        "num_units num_in_proj=None initializer=None forget_bias=1.0 y_activation=relu reuse=None",
        y_activation=_tf.nn.relu,
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        super()._init_with(given)
        self._products: dict[str, Any] = {}

    def _product(self, name: str, inputs: Tensor, width: int) -> Tensor:
        """The input times a kernel, which is made at the first call, and a bias."""
        if name not in self._products:
            self._products[name] = rnn_cell._Linear(inputs, width, True)
        return self._products[name](inputs)

    def call(self, inputs: Tensor, state: State) -> Any:
        units = self._num_units
        width = _tf.dimension_value(inputs.shape.with_rank(2)[1])
        if width is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        if width != units and not self._num_in_proj:
            raise ValueError(
                "Must have input size == output size for Intersection RNN. To fix, num_in_proj "
                "should be set to num_units at cell init."
            )
        with _tf.variable_scope(_tf.get_variable_scope(), initializer=self._initializer):
            if width != units:
                with _tf.variable_scope("in_projection"):
                    inputs = self._product("in", inputs, units)
            sums = self._product("gates", _tf.concat([inputs, state], 1), 4 * units)
        stays, new, passes, up = (sums[:, n * units : (n + 1) * units] for n in range(4))
        new, up = _tf.tanh(new), self._y_activation(up)
        stays = _tf.sigmoid(stays + self._forget_bias)
        passes = _tf.sigmoid(passes + self._forget_bias)
        state = stays * state + (1.0 - stays) * new
        return passes * inputs + (1.0 - passes) * up, state


class _OfKeras(cells.OfDepth, rnn_cell.LayerRNNCell):
    """A cell whose arguments are those of a Keras layer.

    Args:
        activation: Function, or the name of one in Keras.
        kernel_initializer: Initializer of the kernels, or its name in Keras.
        bias_initializer: The same of the bias.
        **kwargs: `trainable` and its like.
    """

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "ones",
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.input_spec = layers.InputSpec(ndim=2)
        self.units = units
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)

    @property
    def state_size(self) -> int:
        """The number of units."""
        return self.units

    output_size = state_size

    def _weight(self, name: str, *shape: int) -> Any:
        start = self.bias_initializer if name == "bias" else self.kernel_initializer
        return self.add_weight(name=name, shape=shape, initializer=start)


class MinimalRNNCell(_OfKeras):
    """A cell with one gate between its state and the projected input (`MinimalRNNCell` of 1.15)."""

    def _make(self, depth: int) -> None:
        self.kernel = self._weight("kernel", depth + 2 * self.units, self.units)
        self.bias = self._weight("bias", self.units)

    def call(self, inputs: Tensor, state: State) -> Any:
        sizes = [int(inputs.shape[1]), 2 * self.units]
        of_input, of_gate = _op_counts.split(self.kernel, sizes, axis=0)
        new = self.activation(_tf.matmul(inputs, of_input))
        sums = _tf.matmul(_tf.concat([new, state], 1), of_gate)
        gate = _tf.sigmoid(_tf.nn.bias_add(sums, self.bias))
        state = gate * state + (1 - gate) * new
        return state, state


class CFNCell(_OfKeras):
    """A chaos-free network, whose state shrinks without input (`CFNCell` of 1.15)."""

    def _make(self, depth: int) -> None:
        self.kernel = self._weight("kernel", depth, 3 * self.units)
        self.recurrent_kernel = self._weight("recurrent_kernel", self.units, 2 * self.units)
        self.bias = self._weight("bias", 2 * self.units)

    def call(self, inputs: Tensor, state: State) -> Any:
        of_gates, of_input = _op_counts.split(self.kernel, [2 * self.units, self.units], axis=1)
        sums = _tf.matmul(state, self.recurrent_kernel) + _tf.matmul(inputs, of_gates)
        gates = _tf.sigmoid(_tf.nn.bias_add(sums, self.bias))
        stays, leaves = _op_counts.split(gates, 2, axis=1)
        projected = _tf.matmul(inputs, of_input)
        state = stays * self.activation(state) + (1 - leaves) * self.activation(projected)
        return state, state
