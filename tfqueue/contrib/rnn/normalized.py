"""LSTMs with normalized layers or weights, of `tensorflow.contrib.rnn.python.ops.rnn_cell`."""

from __future__ import annotations

from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.rnn import cells
from tfqueue.v1 import _op_counts, rnn_cell
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import State, Tensor

_tf = _tensorflow.compat_v1()


class _Projected(cells.LSTMSizes, cells.Stored):
    """An LSTM with peepholes and a projection, whose sums a derived class normalizes.

    Args:
        use_peepholes: Whether the memory is an input of the gates.
        cell_clip: float, the bound of the memory; None for none.
        initializer: Of the weights.
        num_proj: int, the width of a projection of the output; None for none.
        proj_clip: float, its bound; None for none.
        forget_bias: float, is added to the forget gate.
        activation: Function of the new and of the kept memory; tanh when None.
    """

    def _init_with(self, given: dict[str, Any]) -> None:
        super()._init_with({**given, "activation": given["activation"] or _tf.tanh})

    def _sums(self, args: list[Tensor], width: int, bias: bool) -> Tensor:
        """The arguments times a kernel, and a bias."""
        raise NotImplementedError

    def _normed(self, inputs: Tensor, scope: str) -> Tensor:
        return inputs

    def _inner_scope(self) -> Any:
        return _tf.get_variable_scope()

    def call(self, inputs: Tensor, state: State) -> Any:
        memory, hidden = state
        if _tf.dimension_value(inputs.shape.with_rank(2)[1]) is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        with _tf.variable_scope(self._inner_scope(), initializer=self._initializer):
            sums = self._sums([inputs, hidden], 4 * self._num_units, True)
            names = ("input", "transform", "forget", "output")
            put, new, forget, give = (
                self._normed(part, name)
                for part, name in zip(_op_counts.split(sums, 4, axis=1), names, strict=True)
            )
            if self._use_peepholes:
                of_forget, of_put, of_give = (
                    _tf.get_variable(f"w_{gate}_diag", [self._num_units], inputs.dtype)
                    for gate in "fio"
                )
            forget = forget + self._forget_bias
            if self._use_peepholes:
                forget, put = forget + of_forget * memory, put + of_put * memory
            memory = _tf.sigmoid(forget) * memory + _tf.sigmoid(put) * self._activation(new)
            memory = cells.clipped(self._normed(memory, "state"), self._cell_clip)
            if self._use_peepholes:
                give = give + of_give * memory
            hidden = _tf.sigmoid(give) * self._activation(memory)
            if self._num_proj is not None:
                with _tf.variable_scope("projection"):
                    hidden = self._sums([hidden], self._num_proj, False)
                hidden = cells.clipped(hidden, self._proj_clip)
        return hidden, rnn_cell.LSTMStateTuple(memory, hidden)


def _kernel(args: list[Tensor], width: int) -> Tensor:
    widths = [_tf.dimension_value(each.shape.with_rank(2)[1]) for each in args]
    if None in widths:
        raise ValueError(f"the widths must be known, got shapes {[each.shape for each in args]}")
    return _tf.get_variable("kernel", [sum(widths), width], args[0].dtype)


def _product(args: list[Tensor], kernel: Tensor) -> Tensor:
    return _tf.matmul(args[0] if len(args) == 1 else _tf.concat(args, 1), kernel)


class LayerNormLSTMCell(cells.Normed, _Projected):
    """An LSTM with layer normalization (`LayerNormLSTMCell` of 1.8 to 1.15).

    Args:
        layer_norm: Whether gates and memory are normalized. The biases are not added then.
        norm_gain: float, what the gains begin with.
        norm_shift: float, what the shifts begin with.
        others: As for `LSTMCell`.
    """

    __init__ = constructor(
        "num_units use_peepholes=False cell_clip=None initializer=None num_proj=None "
        "proj_clip=None forget_bias=1.0 activation=None layer_norm=False norm_gain=1.0 "
        "norm_shift=0.0 reuse=None"
    )

    def _sums(self, args: list[Tensor], width: int, bias: bool) -> Tensor:
        sums = _product(args, _kernel(args, width))
        if not bias:
            return sums
        added = rnn_cell._bias_variable(width, args[0].dtype)
        return sums if self._layer_norm else _tf.nn.bias_add(sums, added)


class WeightNormLSTMCell(_Projected):
    """An LSTM whose kernels are normalized (`WeightNormLSTMCell` of 1.8 to 1.15).

    Args:
        norm: Whether each column of a kernel has the length of a variable.
        others: As for `LSTMCell`.
    """

    __init__ = constructor(
        "num_units norm=True use_peepholes=False cell_clip=None initializer=None num_proj=None "
        "proj_clip=None forget_bias=1 activation=None reuse=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        super()._init_with(given)
        self._scope = self._inner_scope()  # it is the cell's own, too

    def _inner_scope(self) -> Any:
        return "wn_lstm_cell"

    def _sums(self, args: list[Tensor], width: int, bias: bool) -> Tensor:
        kernel = _kernel(args, width)
        if self._norm:
            first, parts = 0, []
            with _tf.control_dependencies(None):  # outside of a loop
                for number, each in enumerate(args):
                    last = first + int(each.shape[1])
                    part = kernel[first:last, :]
                    length = _tf.get_variable(f"norm_{number}", [width], part.dtype)
                    parts.append(_tf.nn.l2_normalize(part, axis=0) * length)
                    first = last
                kernel = _tf.concat(parts, axis=0)
        sums = _product(args, kernel)
        if not bias:
            return sums
        return _tf.nn.bias_add(sums, rnn_cell._bias_variable(width, args[0].dtype))
