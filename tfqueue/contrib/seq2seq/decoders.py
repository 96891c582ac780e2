"""Decoding step by step: the loop, what it runs, and the plain decoder."""

import abc
import collections
import operator
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.contrib.seq2seq import helpers
from tfqueue.v1._types import Cell, DType, Scope, Shape, State, Tensor

_tf = _tensorflow.compat_v1()


class Decoder(abc.ABC):
    """What `dynamic_decode` runs (`tf.contrib.seq2seq.Decoder`).

    Attributes:
        batch_size: Scalar int32 tensor.
        output_size: A nest of sizes or `TensorShape`s: one output, without the batch.
        output_dtype: A nest of dtypes.
        tracks_own_finished: Whether `finished` of a step may turn from True to False, as with beams
            that move.
    """

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def output_size(self) -> Any:
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def output_dtype(self) -> Any:
        raise NotImplementedError

    tracks_own_finished = False

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """Returns `(finished, first inputs, initial state)`."""

    @abc.abstractmethod
    def step(self, time: Tensor, inputs: Tensor, state: State, name: str | None = None) -> Any:
        """Returns `(outputs, next state, next inputs, finished)`."""

    def finalize(self, outputs: Tensor, final_state: State, sequence_lengths: Tensor) -> Any:
        """Returns the result of all outputs, and the final state; called once, after the loop."""
        return outputs, final_state


class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", "rnn_output sample_id")):
    """What a `BasicDecoder` gives.

    Attributes:
        rnn_output: `[batch, time, ...]`, the cell's outputs, or those of the layer after it.
        sample_id: `[batch, time]`, the helper's samples of them.
    """

    __slots__ = ()


def check_cell(cell: Cell) -> None:
    """Refuses an object that is not a cell.

    Raises:
        TypeError: If it lacks a method or attribute of `RNNCell`.
    """
    needed = ("output_size", "state_size", "zero_state")
    if not callable(cell) or not all(hasattr(cell, name) for name in needed):
        raise TypeError(f"The argument 'cell' ({cell!r}) is not an RNNCell: it needs {needed}")


def check_layer(output_layer: Any) -> None:
    """Refuses what is no layer of outputs.

    Raises:
        TypeError: If it is neither None nor callable.
    """
    if output_layer is not None and not callable(output_layer):
        raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")


def _flat_shape(shape: Shape) -> Any:
    return _tf.TensorShape(shape if isinstance(shape, (list, tuple)) else _tf.TensorShape(shape))


def _through(layer: Any, size: Any) -> Any:
    """The size of a cell's outputs after a layer."""
    if layer is None:
        return size
    # with any batch, so that the layer sees tensors of its rank
    shapes = _tf.nest.map_structure(lambda each: _tf.TensorShape([None]).concatenate(each), size)
    return _tf.nest.map_structure(
        lambda each: _tf.TensorShape(layer.compute_output_shape(each))[1:], shapes
    )


class BasicDecoder(Decoder):
    """Samples of a cell's outputs (`tf.contrib.seq2seq.BasicDecoder`).

    Args:
        initial_state: The cell's state before the first step.
        output_layer: Optional layer over the outputs, such as `tf.layers.Dense`, before the
            helper.

    Raises:
        TypeError: If `cell` or `helper` is something else.
    """

    def __init__(
        self, cell: Cell, helper: Any, initial_state: State, output_layer: Any = None
    ) -> None:
        check_cell(cell)
        if not isinstance(helper, helpers.Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        check_layer(output_layer)
        self._cell = cell
        self._helper = helper
        self._initial_state = initial_state
        self._output_layer = output_layer

    batch_size = property(operator.attrgetter("_helper.batch_size"))

    @property
    def output_size(self) -> Any:
        return BasicDecoderOutput(
            rnn_output=_through(self._output_layer, self._cell.output_size),
            sample_id=self._helper.sample_ids_shape,
        )

    @property
    def output_dtype(self) -> Any:
        dtype = _tf.nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(
            _tf.nest.map_structure(lambda _: dtype, self.output_size.rnn_output),
            self._helper.sample_ids_dtype,
        )

    def initialize(self, name: str | None = None) -> Any:
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Tensor, inputs: Tensor, state: State, name: str | None = None) -> Any:
        with _tf.name_scope(name, "BasicDecoderStep", [time]):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            sample_ids = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, inputs, state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )
        return BasicDecoderOutput(outputs, sample_ids), state, inputs, finished


def _create_zero_outputs(size: Any, dtype: Any, batch_size: Tensor) -> Any:
    """Zeros of the sizes and dtypes of a decoder's outputs, for loops of one's own.

    Args:
        size: A nest of sizes or shapes, without the batch.
        dtype: A nest of dtypes.
        batch_size: Scalar int32 tensor.
    """

    def zero(size: Any, dtype: DType) -> Tensor:
        inner = size if _tf.is_tensor(size) else _suffix(_tf.TensorShape(size))
        return _tf.zeros(_tf.concat([[batch_size], inner], 0), dtype)

    return _tf.nest.map_structure(zero, size, dtype)


def _suffix(shape: Any) -> Tensor:
    return _tf.constant(shape.as_list(), _tf.int32, shape=[shape.rank])


def _transposed(tensor: Tensor) -> Tensor:
    """`[time, batch, ...]` as `[batch, time, ...]`, and the other way round."""
    rank = tensor.shape.rank
    if rank is not None and rank < 2:
        return tensor
    return helpers._time_first(tensor)


def _kept(finished: Tensor, old: Any, new: Any) -> Any:
    """The old part of a state where a sequence is finished."""
    if isinstance(old, _tf.TensorArray):
        return new
    new.set_shape(old.shape)
    return new if new.shape.rank == 0 else _tf.where(finished, old, new)


def dynamic_decode(
    decoder: Any,
    output_time_major: bool = False,
    impute_finished: bool = False,
    maximum_iterations: Any = None,
    parallel_iterations: int = 32,
    swap_memory: bool = False,
    scope: Scope | None = None,
    **kwargs: Any,
) -> Any:
    """Runs a decoder until all sequences are finished (`tf.contrib.seq2seq.dynamic_decode`).

    Args:
        output_time_major: Whether the outputs are `[time, batch, ...]`.
        impute_finished: Whether, once a sequence is finished, its state is kept and its outputs are
            zero.
        maximum_iterations: int32 scalar, how many steps at most; None for no limit.
        parallel_iterations: As for `tf.while_loop`.
        swap_memory: As there.
        scope: Variable scope, `decoder` when None.
        **kwargs: Further arguments of the decoder's methods of the same name.

    Returns:
        The outputs, the final state, and the lengths of the sequences, int32 `[batch]`. Up to
        TensorFlow 1.1 only the first two, which a program from then gets (`tfqueue.release`).

    Raises:
        TypeError: If `decoder` is something else.
        ValueError: If `maximum_iterations` is no scalar.
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with _tf.variable_scope(scope, "decoder") as varscope:
        if varscope.caching_device is None:
            varscope.set_caching_device(lambda op: op.device)
        if maximum_iterations is not None:
            maximum_iterations = _tf.convert_to_tensor(
                maximum_iterations, dtype=_tf.int32, name="maximum_iterations"
            )
            if maximum_iterations.shape.rank != 0:
                raise ValueError("maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize(**kwargs)
        batch = _tf.convert_to_tensor(decoder.batch_size, name="batch_size")
        static_batch = _tf.get_static_value(batch)

        def whole(size: Any) -> Any:
            size = _flat_shape(size)
            if size.rank is None:
                return size
            return _tf.TensorShape([static_batch]).concatenate(size)

        sizes = _tf.nest.map_structure(_flat_shape, decoder.output_size)

        zeros = None
        if impute_finished:
            zeros = _create_zero_outputs(sizes, decoder.output_dtype, batch)
        arrays = _tf.nest.map_structure(
            lambda size, dtype: _tf.TensorArray(
                dtype, 0, dynamic_size=True, element_shape=whole(size)
            ),
            sizes,
            decoder.output_dtype,
        )

        def condition(
            _time: Tensor, _arrays: Any, _state: State, _inputs: Tensor, finished: Tensor, _: Tensor
        ) -> Tensor:
            return _tf.logical_not(_tf.reduce_all(finished))

        def body(
            time: Tensor,
            arrays: Any,
            state: State,
            inputs: Tensor,
            finished: Tensor,
            lengths: Tensor,
        ) -> tuple[Any, ...]:
            outputs, next_state, next_inputs, done = decoder.step(time, inputs, state, **kwargs)
            if not decoder.tracks_own_finished or release.before("1.5"):
                done = _tf.logical_or(done, finished)
            lengths = _tf.where(finished, lengths, _tf.fill(_tf.shape(lengths), time + 1))
            _tf.nest.assert_same_structure(state, next_state)
            _tf.nest.assert_same_structure(arrays, outputs)
            _tf.nest.assert_same_structure(inputs, next_inputs)
            emitted = outputs
            if impute_finished:
                emitted = _tf.nest.map_structure(
                    lambda out, none: _tf.where(finished, none, out), outputs, zeros
                )
                next_state = _tf.nest.map_structure(
                    lambda old, new: _kept(finished, old, new), state, next_state
                )
            arrays = _tf.nest.map_structure(
                lambda array, out: array.write(time, out), arrays, emitted
            )
            return time + 1, arrays, next_state, next_inputs, done, lengths

        lengths = _tf.zeros_like(finished, dtype=_tf.int32)
        _, arrays, state, _, _, lengths = _tf.while_loop(
            condition,
            body,
            (_tf.constant(0, _tf.int32), arrays, state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations,
            maximum_iterations=maximum_iterations,
            swap_memory=swap_memory,
        )
        outputs = _tf.nest.map_structure(lambda array: array.stack(), arrays)
        outputs, state = decoder.finalize(outputs, state, lengths)
        if not output_time_major:
            outputs = _tf.nest.map_structure(_transposed, outputs)
    return (outputs, state) if release.before("1.2") else (outputs, state, lengths)
