"""`tf.contrib.rnn`: the cells of `tf.nn.rnn_cell`, and wrappers of our own for the rest.

`cells` has plain cells and wrappers, `fused` cells that run over a whole sequence, `gated` cells with few
gates, `grid` those over time and frequencies, `independent` cells whose units do not share their state,
`normalized` LSTMs with normalized layers or weights, `phased` the phased LSTM, `research` more cells of
papers, `turing` the neural Turing machine; `sharded` holds weights in several variables.
"""

from tfqueue.v1 import _lazy_names

_CELLS = (
    "BasicLSTMCell BasicRNNCell DeviceWrapper DropoutWrapper GRUCell LSTMCell LSTMStateTuple "
    "LayerRNNCell MultiRNNCell RNNCell ResidualWrapper"
)
_OURS = {
    "cells": (
        "CompiledWrapper EmbeddingWrapper GRUBlockCell GRUBlockCellV2 InputProjectionWrapper "
        "LSTMBlockCell LayerNormBasicLSTMCell OutputProjectionWrapper "
        "stack_bidirectional_dynamic_rnn stack_bidirectional_rnn"
    ),
    "fused": (
        "FusedRNNCell FusedRNNCellAdaptor LSTMBlockFusedCell LSTMBlockWrapper TimeReversedFusedRNN"
    ),
    "gated": "CFNCell IntersectionRNNCell MinimalRNNCell",
    "grid": "BidirectionalGridLSTMCell GridLSTMCell TimeFreqLSTMCell",
    "independent": "GLSTMCell IndRNNCell IndyGRUCell IndyLSTMCell",
    "normalized": "LayerNormLSTMCell WeightNormLSTMCell",
    "phased": "PhasedLSTMCell",
    "research": (
        "AttentionCellWrapper Conv1DLSTMCell Conv2DLSTMCell Conv3DLSTMCell ConvLSTMCell "
        "CoupledInputForgetGateLSTMCell HighwayWrapper NASCell SRUCell UGRNNCell"
    ),
    "sharded": "_get_concat_variable _get_sharded_variable",
    "turing": "NTMCell NTMControllerState",
}
_ROWS = {
    **_lazy_names.rows_of(__name__, _OURS),
    **{name: f"tf:nn.rnn_cell.{name}" for name in _CELLS.split()},
    "_Linear": "tfqueue.v1.rnn_cell:_Linear",
    "_checked_scope": "tfqueue.v1.rnn_cell:_checked_scope",
    "_linear": "tfqueue.v1.rnn_cell:_linear",
    "static_rnn": "tf:nn.static_rnn",
    "static_state_saving_rnn": "tf:nn.static_state_saving_rnn",
    "static_bidirectional_rnn": "tf:nn.static_bidirectional_rnn",
    "best_effort_input_batch_size": "tensorflow.python.ops.rnn:_best_effort_input_batch_size",
    "transpose_batch_time": "tensorflow.python.ops.rnn:_transpose_batch_time",
    # modules of 1.0 and before, whose names are the package's
    "core_rnn_cell": __name__,
    "rnn_cell": __name__,
}

# programs look for the cells in `tf.contrib.rnn.__dict__`
globals().update({name: _lazy_names.resolve(target) for name, target in _ROWS.items()})
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
