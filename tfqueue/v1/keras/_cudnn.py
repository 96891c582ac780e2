"""`tf.keras.layers.CuDNNLSTM` and `CuDNNGRU` where there is no GPU: the same numbers, on plain ops."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _cudnn_networks

_tf = _tensorflow.compat_v1()
# the order in which cuDNN has the gates of a layer's kernel
_GATES = {"lstm": (0, 1, 2, 3), "gru": (1, 0, 2)}


def install(layers: Any) -> None:
    """Has the two layers run anywhere.

    Args:
        layers: The module of Keras 2's layers.
    """
    if _tf.config.list_physical_devices("GPU"):
        return
    for name, mode in (("CuDNNLSTM", "lstm"), ("CuDNNGRU", "gru")):
        getattr(layers, name)._process_batch = _on_plain_ops(mode)


def _on_plain_ops(mode: str) -> Any:
    gates = _GATES[mode]

    def _process_batch(self: Any, inputs: Any, initial_state: Any) -> Any:
        units, count = self.units, len(gates)

        def part(values: Any, at: int) -> Any:
            return values[..., at * units : (at + 1) * units]

        inputs = inputs if self.time_major else _tf.transpose(inputs, [1, 0, 2])
        # a kernel goes into the vector as it is, of shape [width, units]: so Keras gives it to cuDNN
        weights = [part(self.kernel, at) for at in gates]
        weights += [part(self.recurrent_kernel, at) for at in gates]
        biases = [part(self.bias, at) for at in (*gates, *(count + at for at in gates))]
        plan = _cudnn_networks.Plan(mode, 1, units, int(self.kernel.shape[0]), both=False)
        outputs, ends = _cudnn_networks.run(
            plan,
            inputs,
            tuple(state[None] for state in initial_state),
            _cudnn_networks.joined(weights, biases),
        )
        last = outputs[-1]
        if self.return_sequences:
            last = outputs if self.time_major else _tf.transpose(outputs, [1, 0, 2])
        return last, [end[0] for end in ends]

    return _process_batch
