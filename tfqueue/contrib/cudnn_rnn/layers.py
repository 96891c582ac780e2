"""Networks of cuDNN as layers, and as models whose vector of weights the program holds itself."""

import itertools
from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.contrib.cudnn_rnn import saveables
from tfqueue.v1 import _cudnn_networks as computation
from tfqueue.v1 import layers
from tfqueue.v1._types import DType, Initializer, Tensor

_tf = _tensorflow.compat_v1()


def _flat(rows: Sequence[Sequence[Any]]) -> list[Any]:
    return list(itertools.chain(*rows))


class Model:
    """A network whose weights are one vector that the program makes, as up to TensorFlow 1.4.

    `tf.contrib.cudnn_rnn.CudnnLSTM(num_layers, num_units, input_size)` and its kin give one.

    Args:
        mode: The kind of network.
        num_layers: int.
        num_units: int.
        input_size: int, the number of features of the inputs.
        input_mode: `linear_input`, `skip_input`, which adds the inputs to the gates as they are, or
            `auto_select`, which does so where their sizes are equal and was the default up to 1.2.
        dropout: Which share of what goes from a layer to the next one is left out in training.
    """

    def __init__(
        self,
        mode: str,
        num_layers: int,
        num_units: int,
        input_size: int,
        input_mode: str | None = None,
        direction: str = "unidirectional",
        *others: Any,
        dtype: DType = _tf.float32,
        dropout: float = 0.0,
        seed: int | None = None,
        seed2: int | None = None,
    ) -> None:
        rest = list(others)
        if rest and not isinstance(rest[0], int | float):  # its dtype came with 1.4
            dtype = rest.pop(0)
        dropout, seed = (*rest, *(dropout, seed)[len(rest) :])[:2]
        if input_mode is None:
            input_mode = "auto_select" if release.before((1, 3)) else "linear_input"
        self._plan = computation.planned(
            mode, num_layers, num_units, input_size, input_mode, direction
        )
        self._dtype, self._dropout, self._seed = _tf.as_dtype(dtype), dropout, seed
        self.num_layers, self.num_units, self.input_size = num_layers, num_units, input_size
        self.input_mode, self.direction, self.rnn_mode = input_mode, direction, mode

    def params_size(self) -> Tensor:
        """The number of elements of the vector, a tensor of int32."""
        return _tf.constant(self._plan.size(), _tf.int32)

    def __call__(self, input_data: Tensor, input_h: Tensor, *rest: Any, **words: Any) -> Any:
        """Runs the network.

        Args:
            input_data: [time, batch, inputs].
            input_h: The first state, [layers and directions, batch, units].
            *rest: For an LSTM its `input_c`, then the vector `params`, and `is_training`.

        Returns:
            The outputs [time, batch, units and directions] and the last state, of an LSTM both.
        """
        names = ["params", "is_training"]
        names = ["input_c", *names] if self.rnn_mode == "lstm" else names
        given = {**dict(zip(names, rest, strict=False)), **words}
        states = [input_h, given["input_c"]] if self.rnn_mode == "lstm" else [input_h]
        outputs, ends = computation.run(
            self._plan,
            _tf.convert_to_tensor(input_data, self._dtype),
            tuple(_tf.convert_to_tensor(state, self._dtype) for state in states),
            _tf.convert_to_tensor(given["params"], self._dtype),
            dropout=self._dropout if given.get("is_training", True) else 0.0,
            seed=self._seed,
        )
        return (outputs, *ends)

    def params_to_canonical(self, params: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        """The weights [units, width] and the biases [units] that a vector holds."""
        weights, biases = computation.divided(self._plan, params)
        return _flat(weights), _flat(biases)

    opaque_to_canonical = params_to_canonical

    def canonical_to_params(self, weights: Sequence[Tensor], biases: Sequence[Tensor]) -> Tensor:
        """The vector that holds weights and biases."""
        return computation.joined(weights, biases)

    canonical_to_opaque = canonical_to_params


class CudnnRNN(layers.Layer):
    """A network as a layer; its weights are the variable `opaque_kernel`.

    A checkpoint also has them as the variables of `CudnnCompatibleLSTMCell` and its kin. Under the form
    up to TensorFlow 1.4, with an `input_size`, it is a `Model`.

    Args:
        num_layers: int.
        num_units: int.
        dropout: Which share of what goes from a layer to the next one is left out in training.
        seed: Of dropout and of the first weights.
        kernel_initializer: Of each weight of shape [units, width]; Glorot's uniform one if None.
        bias_initializer: Of each bias of shape [units]; zeros if None.

    Raises:
        NotImplementedError: The inputs are to be added to the gates as they are (`skip_input`).
    """

    _saveable = saveables.Saveable

    def __new__(cls, *args: Any, **words: Any) -> Any:
        if "input_size" in words or (len(args) > 2 and not isinstance(args[2], str)):
            return Model(cls._saveable.mode, *args, **words)
        return super().__new__(cls, *args, **words)

    def __init__(
        self,
        num_layers: int,
        num_units: int,
        input_mode: str = "linear_input",
        direction: str = "unidirectional",
        dropout: float = 0.0,
        seed: int | None = None,
        dtype: DType = _tf.float32,
        kernel_initializer: Initializer | None = None,
        bias_initializer: Initializer | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype, name=name)
        computation.planned(self.rnn_mode, num_layers, num_units, num_units, input_mode, direction)
        if _tf.as_dtype(dtype) not in (_tf.float16, _tf.float32, _tf.float64):
            raise ValueError(f"Only support float16, float32, float64, provided {dtype}")
        if input_mode != "linear_input":
            raise NotImplementedError(f"a layer needs weights for its inputs: {input_mode}")
        self.num_layers, self.num_units = num_layers, num_units
        self.input_mode, self.direction = input_mode, direction
        self._dropout, self._seed = dropout, seed
        self._initializers = (
            kernel_initializer or _tf.glorot_uniform_initializer(seed),
            bias_initializer or _tf.zeros_initializer(),
        )
        self._plan: computation.Plan | None = None

    @property
    def rnn_mode(self) -> str:
        """`lstm`, `gru`, `rnn_relu` or `rnn_tanh`."""
        return self._saveable.mode

    @property
    def num_dirs(self) -> int:
        """2 if the network runs in both directions, else 1."""
        return 1 + (self.direction == "bidirectional")

    @property
    def input_size(self) -> int:
        """The number of features of the inputs.

        Raises:
            ValueError: The layer has not been built.
        """
        return self._built().inputs

    @property
    def canonical_weight_shapes(self) -> list[tuple[int, ...]]:
        """The shapes of the weights, in cuDNN's order."""
        return _flat(self._built().weights())

    @property
    def canonical_bias_shapes(self) -> list[list[int]]:
        """The shapes of the biases, in cuDNN's order."""
        return [list(shape) for shape in _flat(self._built().biases())]

    def _built(self) -> computation.Plan:
        if self._plan is None:
            raise ValueError("'input_size' is unknown since layer has not been built.")
        return self._plan

    def build(self, input_shape: Any) -> None:
        """Makes the variable.

        Args:
            input_shape: Of the inputs, with three dimensions of which the last is known.

        Raises:
            ValueError: It is another shape.
        """
        if self._plan is not None:
            return
        shape = _tf.TensorShape(input_shape)
        if shape.rank != 3:
            raise ValueError(f"Expecting input_shape with 3 dims, got {shape.rank}")
        depth = _tf.dimension_value(shape[-1])
        if depth is None:
            raise ValueError("The last dimension of the inputs to `CudnnRNN` should be defined.")
        plan = self._plan = computation.planned(
            self.rnn_mode, self.num_layers, self.num_units, depth, self.input_mode, self.direction
        )
        of_weights, of_biases = self._initializers

        def start(*_: Any, **__: Any) -> Tensor:
            weights = [of_weights(one, dtype=self.dtype) for one in _flat(plan.weights())]
            biases = [of_biases(one, dtype=self.dtype) for one in _flat(plan.biases())]
            return computation.joined(weights, biases)

        self.kernel = self.add_variable("opaque_kernel", [plan.size()], initializer=start)
        self.built = True
        saved = _tf.get_collection(_tf.GraphKeys.SAVEABLE_OBJECTS)
        name = f"{self.kernel.op.name}_saveable"
        self.saveable = next((one for one in saved if one.name == name), None)
        if self.saveable is None:  # a layer that shares the variable has made none
            sizes = (self.num_layers, self.num_units, depth, self.input_mode, self.direction)
            scope = _tf.get_variable_scope()
            self.saveable = self._saveable(self.kernel, *sizes, scope=scope, name=name)
            _tf.add_to_collection(_tf.GraphKeys.SAVEABLE_OBJECTS, self.saveable)

    def state_shape(self, batch_size: Any) -> tuple[list[Any], ...]:
        """The shape of each of the states."""
        count = 2 if self.rnn_mode == "lstm" else 1
        return ([self.num_layers * self.num_dirs, batch_size, self.num_units],) * count

    def call(
        self,
        inputs: Tensor,
        initial_state: tuple[Tensor, ...] | None = None,
        sequence_lengths: Tensor | None = None,
        time_major: bool = True,
        training: bool = True,
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Runs the network.

        Args:
            inputs: [time, batch, inputs]; [batch, time, inputs] if not `time_major`, where the outputs
                and states have the batch first, too.
            initial_state: A tuple of the states, for an LSTM h and c; zeros if None.
            sequence_lengths: [batch], where sequences end.
            training: Whether there is dropout.

        Returns:
            The outputs [time, batch, units and directions], and a tuple of the last states.

        Raises:
            TypeError: `initial_state` is no tuple.
        """
        if initial_state is not None and not isinstance(initial_state, tuple):
            raise TypeError(f"Invalid initial_state type: {initial_state}, expecting tuple.")

        def turned(tensor: Any) -> Tensor:
            tensor = _tf.convert_to_tensor(tensor, self.dtype)
            return tensor if time_major else _tf.transpose(tensor, [1, 0, 2])

        inputs = turned(inputs)
        if initial_state is None:
            shapes = self.state_shape(_tf.shape(inputs)[1])
            states = tuple(_tf.zeros(shape, self.dtype) for shape in shapes)
        else:
            states = tuple(map(turned, initial_state))
        outputs, ends = computation.run(
            self._built(),
            inputs,
            states,
            self.kernel,
            lengths=sequence_lengths,
            dropout=self._dropout if training else 0.0,
            seed=self._seed,
        )
        return turned(outputs), tuple(map(turned, ends))


class CudnnLSTM(CudnnRNN):
    """An LSTM (`tf.contrib.cudnn_rnn.CudnnLSTM`); see `CudnnRNN`."""

    _saveable = saveables.CudnnLSTMSaveable


class CudnnGRU(CudnnRNN):
    """A GRU whose reset gate acts behind the product (`tf.contrib.cudnn_rnn.CudnnGRU`); see `CudnnRNN`."""

    _saveable = saveables.CudnnGRUSaveable


class CudnnRNNRelu(CudnnRNN):
    """A plain network with relu (`tf.contrib.cudnn_rnn.CudnnRNNRelu`); see `CudnnRNN`."""

    _saveable = saveables.CudnnRNNReluSaveable


class CudnnRNNTanh(CudnnRNN):
    """A plain network with tanh (`tf.contrib.cudnn_rnn.CudnnRNNTanh`); see `CudnnRNN`."""

    _saveable = saveables.CudnnRNNTanhSaveable
