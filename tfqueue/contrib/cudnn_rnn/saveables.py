"""How checkpoints hold the weights: as the variables of the cells that compute the same."""

from collections.abc import Sequence
from typing import Any

from tensorflow.python.training.saving import saveable_object

from tfqueue import _tensorflow
from tfqueue.v1 import _cudnn_networks as computation
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()
_CELLS = {"lstm": "cudnn_compatible_lstm_cell", "gru": "cudnn_compatible_gru_cell"}
_PLAIN = ("",)
_OF_GRU = ("gates/", "candidate/input_projection/", "candidate/hidden_projection/")
# the order of a cell's gates
_ORDER = {"lstm": (0, 2, 1, 3), "gru": (0, 1), "rnn_relu": (0,), "rnn_tanh": (0,)}


def _of_cell(
    mode: str, weights: Sequence[Tensor], biases: Sequence[Tensor]
) -> tuple[list[Tensor], list[Tensor]]:
    """Kernels and biases of a cell, from those of one layer and direction."""
    count = len(weights) // 2
    both = [_tf.concat([weights[at], weights[count + at]], 1) for at in _ORDER[mode]]
    sums = [biases[at] + biases[count + at] for at in _ORDER[mode]]
    kernels, rest = [_tf.transpose(_tf.concat(both, 0))], [_tf.concat(sums, 0)]
    if mode == "gru":  # its candidate keeps the two apart
        kernels += [_tf.transpose(weights[2]), _tf.transpose(weights[5])]
        rest += [biases[2], biases[5]]
    return kernels, rest


def _of_layer(
    mode: str, kernels: Sequence[Tensor], biases: Sequence[Tensor]
) -> tuple[list[Tensor], list[Tensor]]:
    """The weights and biases of one layer and direction, from those of a cell."""
    order, units = _ORDER[mode], kernels[0].shape[1] // len(_ORDER[mode])
    width = kernels[0].shape[0] - units
    gates = _tf.split(_tf.transpose(kernels[0]), len(order), 0)
    halves = _tf.split(biases[0] / 2, len(order), 0)
    back = [order.index(at) for at in range(len(order))]
    of_inputs, of_state = (
        [gates[at][:, part] for at in back] for part in (slice(width), slice(width, None))
    )
    of_biases = ([halves[at] for at in back], [halves[at] for at in back])
    if mode == "gru":
        of_inputs.append(_tf.transpose(kernels[1]))
        of_state.append(_tf.transpose(kernels[2]))
        of_biases[0].append(biases[1])
        of_biases[1].append(biases[2])
    return [*of_inputs, *of_state], [*of_biases[0], *of_biases[1]]


class Saveable(saveable_object.SaveableObject):
    """A variable with the weights of all layers, saved as the variables of cells.

    Args:
        opaque_params: The variable.
        num_layers: int.
        num_units: int.
        input_size: int, the number of features of the inputs.
        scope: Under which scope the cells' variables stand.
        name: Of the object.

    Raises:
        ValueError: The inputs have no weights (`skip_input`).
    """

    mode = ""

    def __init__(
        self,
        opaque_params: Any,
        num_layers: int,
        num_units: int,
        input_size: int,
        input_mode: str = "linear_input",
        direction: str = "unidirectional",
        scope: Any = None,
        name: str = "cudnn_rnn_saveable",
    ) -> None:
        plan = computation.planned(
            self.mode, num_layers, num_units, input_size, input_mode, direction
        )
        if plan.skip:
            raise ValueError("a cell has weights for its inputs: skip_input cannot be saved as one")
        self._variable, self._plan = opaque_params, plan
        kernels: list[Tensor] = []
        biases: list[Tensor] = []
        for each in zip(*computation.divided(plan, opaque_params), strict=True):
            of_cell = _of_cell(self.mode, *each)
            kernels += of_cell[0]
            biases += of_cell[1]
        front = getattr(scope, "name", scope)
        front = f"{front}/" if front else ""
        names = [front + each for each in self._names()]
        self._shapes = [tensor.shape for tensor in (*kernels, *biases)]
        specs = [
            saveable_object.SaveSpec(tensor, "", each)
            for tensor, each in zip((*kernels, *biases), names, strict=True)
        ]
        super().__init__(_tf.identity(opaque_params), specs, name)

    def _names(self) -> list[str]:
        cell = _CELLS.get(self.mode, "basic_rnn_cell")
        fronts = [f"rnn/multi_rnn_cell/cell_{at}/{cell}/" for at in range(self._plan.layers)]
        if self._plan.both:
            fronts = [
                f"stack_bidirectional_rnn/cell_{at}/bidirectional_rnn/{way}/{cell}/"
                for at in range(self._plan.layers)
                for way in ("fw", "bw")
            ]
        parts = [
            front + part for front in fronts for part in (_OF_GRU if self.mode == "gru" else _PLAIN)
        ]
        return [f"{part}{kind}" for kind in ("kernel", "bias") for part in parts]

    def restore(self, restored_tensors: Sequence[Tensor], restored_shapes: Any) -> Any:
        """The op that gives the variable what a checkpoint has of the cells."""
        tensors = [
            _tf.reshape(each, shape)
            for each, shape in zip(restored_tensors, self._shapes, strict=True)
        ]
        half, runs = len(tensors) // 2, self._plan.runs
        weights: list[Tensor] = []
        biases: list[Tensor] = []
        for at in range(0, half, half // runs):
            place = slice(at, at + half // runs)
            found = _of_layer(self.mode, tensors[:half][place], tensors[half:][place])
            weights += found[0]
            biases += found[1]
        # the saver restores the vector itself, too: what the cells had counts
        with _tf.control_dependencies(self._assigned_here()):
            return _tf.assign(self._variable, computation.joined(weights, biases))

    def _assigned_here(self) -> list[Any]:
        """The ops of the saver that is being built which assign the variable."""
        graph = _tf.get_default_graph()
        scope, own = f"{graph.get_name_scope()}/", self._variable.op
        return [
            op
            for op in graph.get_operations()
            if op.type.startswith("Assign") and op.inputs[0].op is own and op.name.startswith(scope)
        ]


class CudnnLSTMSaveable(Saveable):
    """Of an LSTM (`tf.contrib.cudnn_rnn.CudnnLSTMSaveable`)."""

    mode = "lstm"


class CudnnGRUSaveable(Saveable):
    """Of a GRU (`tf.contrib.cudnn_rnn.CudnnGRUSaveable`)."""

    mode = "gru"


class CudnnRNNReluSaveable(Saveable):
    """Of a plain network (`tf.contrib.cudnn_rnn.CudnnRNNReluSaveable`)."""

    mode = "rnn_relu"


class CudnnRNNTanhSaveable(Saveable):
    """Of a plain network (`tf.contrib.cudnn_rnn.CudnnRNNTanhSaveable`)."""

    mode = "rnn_tanh"
