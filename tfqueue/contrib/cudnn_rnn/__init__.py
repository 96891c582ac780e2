"""`tf.contrib.cudnn_rnn`: cuDNN's networks on plain ops, and the cells that compute the same.

TensorFlow 1 ran the networks on a GPU only. Here they run anywhere, slower than cuDNN on a GPU.

`layers` has the networks, `saveables` what checkpoints hold of their weights.
"""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.cudnn_rnn.layers import CudnnGRU, CudnnLSTM, CudnnRNNRelu, CudnnRNNTanh
from tfqueue.contrib.cudnn_rnn.saveables import (
    CudnnGRUSaveable,
    CudnnLSTMSaveable,
    CudnnRNNReluSaveable,
    CudnnRNNTanhSaveable,
)
from tfqueue.contrib.rnn import cells
from tfqueue.v1 import _lazy_names, rnn_cell
from tfqueue.v1._types import Initializer, State, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "CudnnCompatibleGRUCell",
    "CudnnCompatibleLSTMCell",
    "CudnnGRU",
    "CudnnGRUSaveable",
    "CudnnLSTM",
    "CudnnLSTMSaveable",
    "CudnnRNNRelu",
    "CudnnRNNReluSaveable",
    "CudnnRNNTanh",
    "CudnnRNNTanhSaveable",
]

# programs take these from `cudnn_rnn.python.ops.cudnn_rnn_ops`
CUDNN_RNN_UNIDIRECTION = "unidirectional"
CUDNN_RNN_BIDIRECTION = "bidirectional"
CUDNN_LSTM = "lstm"
CUDNN_GRU = "gru"
CUDNN_RNN_RELU = "rnn_relu"
CUDNN_RNN_TANH = "rnn_tanh"
CUDNN_LSTM_PARAMS_PER_LAYER = 8
CUDNN_GRU_PARAMS_PER_LAYER = 6
CUDNN_RNN_RELU_PARAMS_PER_LAYER = 2
CUDNN_RNN_TANH_PARAMS_PER_LAYER = 2
CUDNN_INPUT_LINEAR_MODE = "linear_input"
CUDNN_INPUT_SKIP_MODE = "skip_input"
CUDNN_INPUT_AUTO_MODE = "auto_select"


class CudnnCompatibleLSTMCell(cells.LSTMBlockCell):
    """An LSTM without a forget bias (`tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell`)."""

    def __init__(self, num_units: int, reuse: bool | None = None) -> None:
        super().__init__(num_units, forget_bias=0.0, reuse=reuse, name="cudnn_compatible_lstm_cell")


class CudnnCompatibleGRUCell(rnn_cell.GRUCell):
    """A GRU whose reset gate acts behind the product (`tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell`).

    Args:
        kernel_initializer: Of the four kernels.
    """

    def __init__(
        self,
        num_units: int,
        reuse: bool | None = None,
        kernel_initializer: Initializer | None = None,
    ) -> None:
        super().__init__(num_units, reuse=reuse, kernel_initializer=kernel_initializer)

    def build(self, inputs_shape: Any) -> None:
        depth = _tf.dimension_value(inputs_shape[1])
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        units, start = self._num_units, self._kernel_initializer
        one, zero = _tf.ones_initializer(), _tf.zeros_initializer()

        def add(place: str, shape: list[int], initializer: Any) -> Any:
            return self.add_variable(place, shape, initializer=initializer)

        self._gate_kernel = add("gates/kernel", [depth + units, 2 * units], start)
        self._gate_bias = add("gates/bias", [2 * units], one)
        self._input_kernel = add("candidate/input_projection/kernel", [depth, units], start)
        self._hidden_kernel = add("candidate/hidden_projection/kernel", [units, units], start)
        self._input_bias = add("candidate/input_projection/bias", [units], zero)
        self._hidden_bias = add("candidate/hidden_projection/bias", [units], zero)
        self.built = True

    def call(self, inputs: Tensor, state: State) -> Any:
        both = _tf.concat([inputs, state], 1)
        gates = _tf.sigmoid(_tf.nn.bias_add(_tf.matmul(both, self._gate_kernel), self._gate_bias))
        reset, update = _tf.split(gates, 2, axis=1)
        new = _tf.nn.bias_add(_tf.matmul(inputs, self._input_kernel), self._input_bias)
        kept = _tf.nn.bias_add(_tf.matmul(state, self._hidden_kernel), self._hidden_bias)
        new = self._activation(new + reset * kept)
        hidden = (1 - update) * new + update * state
        return hidden, hidden


__getattr__, __dir__ = _lazy_names.attributes(__name__, {})
