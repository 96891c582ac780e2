"""Beam search: the decoder that keeps the likeliest few sequences of each entry of the batch."""

import collections
import functools
import operator
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.contrib.seq2seq import attention, decoders, helpers
from tfqueue.v1._types import Cell, Shape, Size, State, Tensor

_tf = _tensorflow.compat_v1()


class BeamSearchDecoderState(
    collections.namedtuple(
        "BeamSearchDecoderState",
        "cell_state log_probs finished lengths accumulated_attention_probs",
        defaults=((),),  # up to 1.8 there were four
    )
):
    """The state of a search; all are `[batch, beam, ...]`."""

    __slots__ = ()


class BeamSearchDecoderOutput(
    collections.namedtuple("BeamSearchDecoderOutput", "scores predicted_ids parent_ids")
):
    """One step's output, each `[batch, beam]`: scores, symbols, and from which beam each went on."""

    __slots__ = ()


class FinalBeamSearchDecoderOutput(
    collections.namedtuple(
        "FinalBeamSearchDecoderOutput", "predicted_ids beam_search_decoder_output"
    )
):
    """The result of a search.

    Attributes:
        predicted_ids: int32 `[batch, time, beam]`, the sequences, the best beam first.
        beam_search_decoder_output: A `BeamSearchDecoderOutput` of all steps.
    """

    __slots__ = ()


def tile_batch(t: Tensor, multiplier: int, name: str | None = None) -> Any:
    """Repeats each entry of a batch (`tf.contrib.seq2seq.tile_batch`).

    Args:
        t: Tensor `[batch, ...]`, or a nest of them.
        multiplier: int, how often.

    Returns:
        Tensors `[batch * multiplier, ...]`; the repetitions of an entry stand together.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.contrib.seq2seq.tile_batch(tf.constant([1, 2]), 2)).tolist())
    [1, 1, 2, 2]
    """
    with _tf.name_scope(name, "tile_batch", [*_tf.nest.flatten(t), multiplier]):
        return _tf.nest.map_structure(lambda part: _tile(part, multiplier), t)


def _tile(tensor: Tensor, multiplier: int) -> Tensor:
    tensor = _tf.convert_to_tensor(tensor, name="t")
    if tensor.shape.rank is None:
        raise ValueError("t must have statically known rank")
    tensor.shape.with_rank_at_least(1)
    return _tf.repeat(tensor, multiplier, axis=0)


def gather_tree(
    step_ids: Tensor,
    parent_ids: Tensor,
    max_sequence_lengths: Tensor,
    end_token: Tensor | None = None,
    name: str | None = None,
) -> Any:
    """Walks back from the last step and gives each beam's sequence (`gather_tree`).

    Args:
        step_ids: int32 `[time, batch, beam]`, the symbols of each step.
        parent_ids: int32, the same shape: from which beam of the step before each went on.
        max_sequence_lengths: int32 `[batch]`, at which step the walk begins. Up to 1.4, where it was
            `sequence_length`, `[batch, beam]`: where that of each beam begins.
        end_token: int32 scalar, which fills a sequence after its end. None as up to 1.4: what is behind
            the begin of a walk is -1.

    Returns:
        int32 `[time, batch, beam]`.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     walked = tf.contrib.seq2seq.gather_tree(
    ...         [[[1, 2]], [[3, 4]]], [[[0, 0]], [[1, 0]]], [2], 9)
    ...     print(sess.run(walked).tolist())
    [[[2, 1]], [[3, 4]]]
    """
    with _tf.name_scope(name, "GatherTree", [step_ids, parent_ids]):
        step_ids = _tf.convert_to_tensor(step_ids, _tf.int32)
        parent_ids = _tf.convert_to_tensor(parent_ids, _tf.int32)
        steps, batch, beam = _tf.unstack(_tf.shape(step_ids))
        own = _tf.tile(_tf.range(beam)[None, :], [batch, 1])
        lengths = _tf.convert_to_tensor(max_sequence_lengths, _tf.int32)
        if end_token is None:
            behind = _tf.constant(-1)
        else:
            behind = _tf.convert_to_tensor(end_token, _tf.int32)
            lengths = _tf.tile(lengths[:, None], [1, beam])

        def back(walked: tuple[Tensor, Tensor], step: Any) -> tuple[Tensor, Tensor]:
            """One step towards the first: `walked` is the beam that each sequence is in here."""
            time, ids, parents = step
            symbols = _tf.gather(ids, walked[0], batch_dims=1)
            parents = _tf.gather(parents, walked[0], batch_dims=1)
            inside = time < lengths
            symbols = _tf.where(inside, symbols, _tf.fill([batch, beam], behind))
            return _tf.where(inside, parents, walked[0]), symbols

        _, symbols = _tf.scan(
            back,
            (_tf.range(steps), step_ids, parent_ids),
            (own, _tf.zeros_like(own)),
            reverse=True,
        )
        if end_token is None:
            symbols.set_shape(step_ids.shape)
            return symbols
        # a sequence ends with its first end token, whatever comes after it in broken trajectories
        ended = _tf.cumsum(_tf.cast(_tf.equal(symbols, behind), _tf.int32), exclusive=True) > 0
        result = _tf.where(ended, _tf.fill(_tf.shape(symbols), behind), symbols)
        result.set_shape(step_ids.shape)
        return result


def _reordered(values: Tensor, parent_ids: Tensor, sequence_length: Tensor) -> Tensor:
    """A tensor `[time, batch * beam, ...]`, each beam's own history in it."""
    steps, batch, beam = _tf.unstack(_tf.shape(parent_ids))
    own = _tf.tile(_tf.range(beam)[None, None, :], [steps, batch, 1])
    lengths = _tf.cast(_tf.reduce_max(sequence_length, axis=1), _tf.int32)
    # the symbols of this walk are the beams; none is the end token
    sorted_beams = gather_tree(own, parent_ids, lengths, beam + 1)
    inside = _tf.transpose(_tf.sequence_mask(sequence_length, steps), [2, 0, 1])
    sorted_beams = _tf.where(inside, sorted_beams, own)
    shape = _tf.shape(values)
    split = _tf.reshape(values, [steps, batch, beam, -1])
    return _tf.reshape(_tf.gather(split, sorted_beams, batch_dims=2), shape)


def _length_penalty(lengths: Tensor, weight: Tensor) -> Tensor:
    """`((5 + length) / (5 + 1)) ** weight`, and 1 where the weight is known to be 0."""
    weight = _tf.convert_to_tensor(weight, name="penalty_factor")
    if weight.shape.rank != 0:
        raise ValueError("length_penalty_weight must be a scalar")
    if _tf.get_static_value(weight) == 0:
        return _tf.constant(1.0)
    return (5.0 + _tf.cast(lengths, _tf.float32)) ** weight / (5.0 + 1.0) ** weight


def _alignments(cell_state: State) -> Tensor | None:
    """The alignments of the attention wrappers in a state, averaged over them; None if none."""
    if isinstance(cell_state, attention.AttentionWrapperState):
        found = [_tf.nest.flatten(cell_state.alignments)]
    elif isinstance(cell_state, tuple):
        found = [
            _tf.nest.flatten(part.alignments)
            for part in cell_state
            if isinstance(part, attention.AttentionWrapperState)
        ]
    else:
        return None
    heads = [head for part in found for head in part]
    if not heads:
        return None
    return heads[0] if len(heads) == 1 else _tf.reduce_mean(_tf.stack(heads, axis=-1), axis=-1)


class BeamSearchDecoder(decoders.Decoder):
    """Keeps the likeliest sequences (`tf.contrib.seq2seq.BeamSearchDecoder`).

    Args:
        embedding: A function of indices, or what `tf.nn.embedding_lookup` takes.
        start_tokens: int32 `[batch]`.
        end_token: int32 scalar.
        initial_state: The cell's state, `[batch * beam_width, ...]`: see `tile_batch`.
        beam_width: int, how many sequences are kept.
        output_layer: Optional layer from the cell's outputs to the logits.
        length_penalty_weight: float scalar; 0 for none.
        coverage_penalty_weight: float scalar; 0 for none. Needs an `AttentionWrapper`.
        reorder_tensor_arrays: Whether the `TensorArray`s of the final state, such as the alignment
            history, become tensors in the order of the sequences.

    Raises:
        TypeError: If `cell` or `output_layer` is something else.
        ValueError: If `start_tokens` is no vector, `end_token` no scalar, or the beam width is not known.
    """

    def __init__(
        self,
        cell: Cell,
        embedding: Tensor,
        start_tokens: Tensor,
        end_token: Tensor,
        initial_state: State,
        beam_width: Size,
        output_layer: Any = None,
        length_penalty_weight: float = 0.0,
        coverage_penalty_weight: float = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None:
        decoders.check_cell(cell)
        decoders.check_layer(output_layer)
        self._cell = cell
        self._output_layer = output_layer
        self._reorder = reorder_tensor_arrays
        self._embedding_fn = helpers._lookup(embedding)
        self._start_tokens = _tf.convert_to_tensor(
            start_tokens, dtype=_tf.int32, name="start_tokens"
        )
        if self._start_tokens.shape.rank != 1:
            raise ValueError("start_tokens must be a vector")
        self._end_token = _tf.convert_to_tensor(end_token, dtype=_tf.int32, name="end_token")
        if self._end_token.shape.rank != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size = _tf.size(self._start_tokens)
        self._beam_width = beam_width
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight
        self._coverage = _tf.get_static_value(_tf.convert_to_tensor(coverage_penalty_weight)) != 0
        self._initial_cell_state = _tf.nest.map_structure(self._split_state, initial_state)
        tokens = _tf.tile(self._start_tokens[:, None], [1, beam_width])
        self._start_inputs = self._embedding_fn(tokens)

    tracks_own_finished = True
    batch_size = property(operator.attrgetter("_batch_size"))

    @property
    def output_size(self) -> Any:
        each = _tf.TensorShape([self._beam_width])
        return BeamSearchDecoderOutput(scores=each, predicted_ids=each, parent_ids=each)

    @property
    def output_dtype(self) -> Any:
        dtype = _tf.nest.flatten(self._initial_cell_state)[0].dtype
        return BeamSearchDecoderOutput(dtype, _tf.int32, _tf.int32)

    def _split(self, tensor: Tensor) -> Tensor:
        """`[batch * beam, ...]` as `[batch, beam, ...]`."""
        batch = _tf.get_static_value(self._batch_size)
        first = tensor.shape[0].value
        if batch is not None and first is not None and first != batch * self._beam_width:
            raise ValueError(
                f"The initial state has {first} rows and the batch {batch} entries of "
                f"{self._beam_width} beams. Does it come from tile_batch(state, beam_width)?"
            )
        shape = _tf.concat([[self._batch_size, self._beam_width], _tf.shape(tensor)[1:]], 0)
        split = _tf.reshape(tensor, shape)
        split.set_shape(_tf.TensorShape([batch, self._beam_width]).concatenate(tensor.shape[1:]))
        return split

    def _merge(self, tensor: Tensor) -> Tensor:
        """`[batch, beam, ...]` as `[batch * beam, ...]`."""
        shape = _tf.shape(tensor)
        merged = _tf.reshape(
            tensor, _tf.concat([[self._batch_size * self._beam_width], shape[2:]], 0)
        )
        batch = _tf.get_static_value(self._batch_size)
        rows = None if batch is None else batch * self._beam_width
        merged.set_shape(_tf.TensorShape([rows]).concatenate(tensor.shape[2:]))
        return merged

    def _split_state(self, part: Any) -> Any:
        if isinstance(part, _tf.TensorArray):
            return part
        if part.shape.rank is None:
            raise ValueError(f"Expected tensor ({part}) to have known rank, but ndims == None.")
        return self._split(part) if part.shape.rank else part

    def _merge_state(self, part: Any) -> Any:
        scalar = isinstance(part, _tf.TensorArray) or not part.shape.rank
        return part if scalar else self._merge(part)

    def _moved(self, beams: Tensor) -> Callable[[Any], Any]:
        """A function that takes a part of the state from the beams that were chosen."""

        def move(part: Any) -> Any:
            if isinstance(part, _tf.TensorArray) or not part.shape.rank or part.shape.rank < 2:
                return part
            moved = _tf.gather(part, beams, batch_dims=1)
            moved.set_shape(part.shape)
            return moved

        return move

    def initialize(self, name: str | None = None) -> Any:
        with _tf.name_scope(name, "BeamSearchDecoderInitialize"):
            first = _tf.zeros([self._batch_size], _tf.int32)
            width = self._beam_width
            other = not release.before("1.6")  # whether a beam that does not count yet is finished
            finished = _tf.one_hot(first, width, on_value=False, off_value=other, dtype=_tf.bool)
            dtype = _tf.nest.flatten(self._initial_cell_state)[0].dtype
            # only the first beam counts at the beginning: all are the same
            log_probs = _tf.one_hot(
                first,
                width,
                on_value=_tf.constant(0, dtype),
                off_value=_tf.constant(-float("inf"), dtype),
                dtype=dtype,
            )
            attended = ()
            if self._coverage:
                found = _alignments(self._initial_cell_state)
                attended = () if found is None else found
            state = BeamSearchDecoderState(
                cell_state=self._initial_cell_state,
                log_probs=log_probs,
                finished=finished,
                lengths=_tf.zeros([self._batch_size, width], _tf.int64),
                accumulated_attention_probs=attended,
            )
            return finished, self._start_inputs, state

    def finalize(self, outputs: Tensor, final_state: State, sequence_lengths: Tensor) -> Any:
        walk = functools.partial(gather_tree, outputs.predicted_ids, outputs.parent_ids)
        if release.before("1.5"):
            ids = walk(sequence_lengths)
        else:  # the beams' own lengths are in the state
            lengths = _tf.cast(_tf.reduce_max(final_state.lengths, axis=1), _tf.int32)
            ids = walk(lengths, self._end_token)
        if self._reorder:

            def reordered(part: Any) -> Any:
                if not isinstance(part, _tf.TensorArray) or not self._by_beams(part.element_shape):
                    return part
                return _reordered(part.stack(), outputs.parent_ids, final_state.lengths)

            cell_state = _tf.nest.map_structure(reordered, final_state.cell_state)
            final_state = final_state._replace(cell_state=cell_state)
        return FinalBeamSearchDecoderOutput(ids, outputs), final_state

    def _by_beams(self, shape: Shape) -> bool:
        """Whether an array's elements can be `[batch * beam, ...]`, as TensorFlow 1.15 tells it.

        Where the batch and the second dimension are both known, it took the second for the beams.
        """
        batch = _tf.get_static_value(self._batch_size)
        if not shape.rank:
            return False
        first, *others = shape.as_list()
        if batch is None or first is None:
            return True
        if others and others[0] is not None and (first, others[0]) != (batch, self._beam_width):
            return False
        return first == batch * self._beam_width

    def step(self, time: Tensor, inputs: Tensor, state: State, name: str | None = None) -> Any:
        with _tf.name_scope(name, "BeamSearchDecoderStep", [time]):
            cell_state = _tf.nest.map_structure(self._merge_state, state.cell_state)
            inputs = _tf.nest.map_structure(self._merge, inputs)
            outputs, cell_state = self._cell(inputs, cell_state)
            logits = _tf.nest.map_structure(self._split, outputs)
            cell_state = _tf.nest.map_structure(self._split_state, cell_state)
            if self._output_layer is not None:
                logits = self._output_layer(logits)
            output, state = self._search(logits, cell_state, state)
            following = _tf.cond(
                _tf.reduce_all(state.finished),
                lambda: self._start_inputs,
                lambda: self._embedding_fn(output.predicted_ids),
            )
        return output, state, following, state.finished

    def _search(self, logits: Tensor, cell_state: State, state: State) -> tuple[Any, Any]:
        """The likeliest continuations of all beams, of any symbol."""
        vocabulary = logits.shape[-1].value
        vocabulary = _tf.shape(logits)[-1] if vocabulary is None else vocabulary
        step_probs = _tf.nn.log_softmax(logits)
        # a finished beam is continued by the end token alone, at no cost
        only_end = _tf.one_hot(
            _tf.fill(_tf.shape(state.finished), self._end_token),
            vocabulary,
            on_value=_tf.constant(0, step_probs.dtype),
            off_value=_tf.constant(step_probs.dtype.min, step_probs.dtype),
            dtype=step_probs.dtype,
        )
        done = _tf.tile(state.finished[:, :, None], [1, 1, vocabulary])
        step_probs = _tf.where(done, only_end, step_probs)
        total = state.log_probs[:, :, None] + step_probs

        grows = _tf.one_hot(
            _tf.fill(_tf.shape(state.finished), self._end_token),
            vocabulary,
            on_value=_tf.constant(0, _tf.int64),
            off_value=_tf.constant(1, _tf.int64),
            dtype=_tf.int64,
        )
        going_on = _tf.cast(_tf.logical_not(state.finished), _tf.int64)
        lengths = state.lengths[:, :, None] + grows * going_on[:, :, None]
        attended = state.accumulated_attention_probs
        if self._coverage:
            found = _alignments(cell_state)
            # a finished beam has no attention
            attended = (
                ()
                if found is None
                else attended
                + found * _tf.cast(_tf.logical_not(state.finished), found.dtype)[:, :, None]
            )
        scores = total / _tf.cast(
            _length_penalty(lengths, self._length_penalty_weight), total.dtype
        )
        if self._coverage:
            if isinstance(attended, tuple):
                raise ValueError(
                    "coverage_penalty_weight needs the alignments of an AttentionWrapper, which the "
                    "cell's state does not hold"
                )
            # what comes after the end of the source has no attention and no cost
            known = _tf.where(_tf.equal(attended, 0.0), _tf.ones_like(attended), attended)
            covered = _tf.reduce_sum(_tf.log(_tf.minimum(known, 1.0)), 2)
            covered *= _tf.cast(state.finished, covered.dtype)
            scores += (covered * self._coverage_penalty_weight)[:, :, None]

        flat = _tf.reshape(scores, [self._batch_size, -1])
        best, where = _tf.nn.top_k(flat, k=self._beam_width)
        symbols = _tf.cast(where % vocabulary, _tf.int32, name="next_beam_word_ids")
        beams = _tf.cast(where // vocabulary, _tf.int32, name="next_beam_parent_ids")
        move = self._moved(beams)
        log_probs = _tf.gather(_tf.reshape(total, [self._batch_size, -1]), where, batch_dims=1)
        were_finished = move(state.finished)
        finished = _tf.logical_or(were_finished, _tf.equal(symbols, self._end_token))
        # up to 1.4 the end token was not counted
        counted = _tf.logical_not(finished if release.before("1.5") else were_finished)
        next_lengths = move(state.lengths) + _tf.cast(counted, _tf.int64)
        next_state = BeamSearchDecoderState(
            cell_state=_tf.nest.map_structure(move, cell_state),
            log_probs=log_probs,
            lengths=next_lengths,
            finished=finished,
            accumulated_attention_probs=_tf.nest.map_structure(move, attended),
        )
        output = BeamSearchDecoderOutput(scores=best, predicted_ids=symbols, parent_ids=beams)
        return output, next_state
