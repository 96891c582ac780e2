"""How many ops recurrent layers of `tf.keras` were from 1.9 on; `tfqueue.v1._op_counts` says what for.

Left out are stacks of cells with a mask, `stateful` with a mask, and `reset_after` up to 1.12, a cell with dropout that
is called again, and `ConvLSTM2D` with dropout that is called again.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfqueue import release
from tfqueue._tensorflow import seeds
from tfqueue.v1._random_ops import ours


def _looped(steps: int | None, states: int, mask: bool, unroll: bool, of_convolution: bool) -> int:
    """What a loop was more.

    Args:
        steps: How many times there are, where that is known.
        states: How many states the cell has.
        mask: Whether times are hidden.
        of_convolution: Whether it is that of `ConvLSTM2D`.
    """
    if unroll:
        if not release.before("1.13"):
            return 0
        return (6 + 6 * states) * (steps or 0) * mask - 5
    count = 0
    if steps is not None and (of_convolution or release.before("1.15")):
        count += 13
    if of_convolution and release.before("1.14"):
        count += 7
    if release.before("1.13"):
        count -= 1
        if mask:
            count -= 17 + (19 if release.before("1.10") else 11) * states
    return count


def _looping(original: Callable[..., Any], of_convolution: bool) -> Any:
    signature = inspect.signature(original)

    @ours(original)
    def rnn(*args: Any, **named: Any) -> Any:
        found = original(*args, **named)
        if not release.before("1.9"):
            given = signature.bind(*args, **named)
            given.apply_defaults()
            inputs, *_ = tf.nest.flatten(given.arguments["inputs"])
            steps = inputs.shape.as_list()[0 if given.arguments["time_major"] else 1]
            states = len(tf.nest.flatten(given.arguments["initial_states"]))
            mask, unroll = given.arguments["mask"] is not None, given.arguments["unroll"]
            seeds.more(_looped(steps, states, mask, unroll, of_convolution))
        return found

    return rnn


def _of_a_lstm(cell: Any) -> int:
    """Its gates were cut out one by one up to 1.13."""
    if not release.before("1.14"):
        return 0
    if cell.implementation != 1:
        return 13
    return 32 if cell.use_bias else 16


def _of_a_gru(cell: Any) -> int:
    if cell.implementation == 1:
        return 0
    return 18 if cell.reset_after else 14


def _calling(original: Callable[..., Any], how_many: Callable[[Any], int]) -> Any:
    @ours(original)
    def call(self: Any, inputs: Any, states: Any, training: Any = None) -> Any:
        result = original(self, inputs, states, training)
        if not release.before("1.9"):
            seeds.more(how_many(self))
        return result

    return call


def _masked(original: Callable[..., Any]) -> Any:
    """Masks of dropout: what they are multiplied with took more ops, and each mask did up to 1.13."""

    @ours(original)
    def create(self: Any, inputs: Any, training: Any, count: int = 1) -> Any:
        result = original(self, inputs, training, count)
        if not release.before("1.9"):
            drawn = 2 * count if training is not False and release.before("1.14") else 0
            seeds.more(2 + drawn)
        return result

    return create


def _first_states(original: Callable[..., Any]) -> Any:
    """States of zeros, which took fewer ops up to 1.10; those of a stack took more in 1.11 and 1.12."""

    @ours(original)
    def get_initial_state(self: Any, inputs: Any) -> Any:
        states = original(self, inputs)
        if release.before("1.9") or not release.before("1.13"):
            return states
        if release.before("1.11"):
            seeds.more(-6 * len(tf.nest.flatten(states)))
        else:
            cells = getattr(self.cell, "cells", [self.cell])
            seeds.more(5 * (len(cells) - 1))
        return states

    return get_initial_state


def _both_ways(original: Callable[..., Any]) -> Any:
    """A mask took two ops more in 1.13, where one output is left of all."""

    @ours(original)
    def call(
        self: Any,
        inputs: Any,
        training: Any = None,
        mask: Any = None,
        initial_state: Any = None,
        constants: Any = None,
    ) -> Any:
        result = original(self, inputs, training, mask, initial_state, constants)
        hidden = mask is not None and not self.return_sequences
        if hidden and release.before("1.14") and not release.before("1.13"):
            seeds.more(2)
        return result

    return call


def _built(original: Callable[..., None]) -> Callable[..., None]:
    """A cell of `ConvLSTM2D`, which had its kernels and its bias cut with its variables up to 1.13."""

    @ours(original)
    def build(self: Any, input_shape: Any) -> None:
        original(self, input_shape)
        if release.before("1.14") and not release.before("1.9"):
            seeds.more(60 if self.use_bias else 40)

    return build


def install() -> None:
    """Has them count; over what `_recurrent` does."""
    for name in ("base_rnn", "base_conv_rnn"):
        module = _module(name)
        module.backend.rnn = _looping(module.backend.rnn, name == "base_conv_rnn")
    for home, name, how_many in (
        ("lstm", "LSTMCell", _of_a_lstm),
        ("gru", "GRUCell", _of_a_gru),
    ):
        cell = getattr(_module(home), name)
        cell.call = _calling(cell.call, how_many)
    dropout = _module("dropout_rnn_cell_mixin").DropoutRNNCellMixin
    dropout._create_dropout_mask = _masked(dropout._create_dropout_mask)
    dropout._create_recurrent_dropout_mask = _masked(dropout._create_recurrent_dropout_mask)
    of_convolution = _module("base_conv_lstm").ConvLSTMCell
    of_convolution.build = _built(of_convolution.build)
    both = _module("bidirectional").Bidirectional
    both.call = _both_ways(both.call)
    layer = _module("base_rnn").RNN
    layer.get_initial_state = _first_states(layer.get_initial_state)


def _module(name: str) -> Any:
    return importlib.import_module(f"tf_keras.src.layers.rnn.{name}")
