"""`tf.contrib.rnn`: the cells of `tf.nn.rnn_cell`, and wrappers of our own for the rest.

`cells` has plain cells and wrappers, `fused` cells that run over a whole sequence, `gated` cells with few
gates, `grid` those over time and frequencies, `independent` cells whose units do not share their state,
`normalized` LSTMs with normalized layers or weights, `phased` the phased LSTM, `research` more cells of
papers, `turing` the neural Turing machine; `sharded` holds weights in several variables.
"""

from tfqueue.v1 import _lazy_names

_RESEARCH = (
    "AttentionCellWrapper Conv1DLSTMCell Conv2DLSTMCell Conv3DLSTMCell ConvLSTMCell "
    "CoupledInputForgetGateLSTMCell HighwayWrapper NASCell SRUCell UGRNNCell"
)
_GATED = "CFNCell IntersectionRNNCell MinimalRNNCell"
_GRID = "BidirectionalGridLSTMCell GridLSTMCell TimeFreqLSTMCell"
_INDEPENDENT = "GLSTMCell IndRNNCell IndyGRUCell IndyLSTMCell"
_FUSED = "FusedRNNCell FusedRNNCellAdaptor LSTMBlockFusedCell LSTMBlockWrapper TimeReversedFusedRNN"
_ROWS = {
    "_Linear": "tfqueue.v1.rnn_cell:_Linear",
    "_checked_scope": "tfqueue.v1.rnn_cell:_checked_scope",
    "_get_concat_variable": "tfqueue.contrib.rnn.sharded:_get_concat_variable",
    "_get_sharded_variable": "tfqueue.contrib.rnn.sharded:_get_sharded_variable",
    "_linear": "tfqueue.v1.rnn_cell:_linear",
    "BasicLSTMCell": "tf:nn.rnn_cell.BasicLSTMCell",
    "BasicRNNCell": "tf:nn.rnn_cell.BasicRNNCell",
    "DeviceWrapper": "tf:nn.rnn_cell.DeviceWrapper",
    "DropoutWrapper": "tf:nn.rnn_cell.DropoutWrapper",
    "GRUCell": "tf:nn.rnn_cell.GRUCell",
    "LSTMCell": "tf:nn.rnn_cell.LSTMCell",
    "LSTMStateTuple": "tf:nn.rnn_cell.LSTMStateTuple",
    "LayerRNNCell": "tf:nn.rnn_cell.LayerRNNCell",
    "MultiRNNCell": "tf:nn.rnn_cell.MultiRNNCell",
    "RNNCell": "tf:nn.rnn_cell.RNNCell",
    "ResidualWrapper": "tf:nn.rnn_cell.ResidualWrapper",
    "static_rnn": "tf:nn.static_rnn",
    "static_state_saving_rnn": "tf:nn.static_state_saving_rnn",
    "static_bidirectional_rnn": "tf:nn.static_bidirectional_rnn",
    "best_effort_input_batch_size": "tensorflow.python.ops.rnn:_best_effort_input_batch_size",
    "transpose_batch_time": "tensorflow.python.ops.rnn:_transpose_batch_time",
    "CompiledWrapper": "tfqueue.contrib.rnn.cells:CompiledWrapper",
    "EmbeddingWrapper": "tfqueue.contrib.rnn.cells:EmbeddingWrapper",
    "GRUBlockCell": "tfqueue.contrib.rnn.cells:GRUBlockCell",
    "GRUBlockCellV2": "tfqueue.contrib.rnn.cells:GRUBlockCellV2",
    "InputProjectionWrapper": "tfqueue.contrib.rnn.cells:InputProjectionWrapper",
    "LSTMBlockCell": "tfqueue.contrib.rnn.cells:LSTMBlockCell",
    "LayerNormBasicLSTMCell": "tfqueue.contrib.rnn.cells:LayerNormBasicLSTMCell",
    "OutputProjectionWrapper": "tfqueue.contrib.rnn.cells:OutputProjectionWrapper",
    **{name: f"tfqueue.contrib.rnn.research:{name}" for name in _RESEARCH.split()},
    **{name: f"tfqueue.contrib.rnn.fused:{name}" for name in _FUSED.split()},
    **{name: f"tfqueue.contrib.rnn.gated:{name}" for name in _GATED.split()},
    **{name: f"tfqueue.contrib.rnn.grid:{name}" for name in _GRID.split()},
    **{name: f"tfqueue.contrib.rnn.independent:{name}" for name in _INDEPENDENT.split()},
    "LayerNormLSTMCell": "tfqueue.contrib.rnn.normalized:LayerNormLSTMCell",
    "NTMCell": "tfqueue.contrib.rnn.turing:NTMCell",
    "NTMControllerState": "tfqueue.contrib.rnn.turing:NTMControllerState",
    "WeightNormLSTMCell": "tfqueue.contrib.rnn.normalized:WeightNormLSTMCell",
    "PhasedLSTMCell": "tfqueue.contrib.rnn.phased:PhasedLSTMCell",
    # modules of 1.0 and before, whose names are the package's
    "core_rnn_cell": __name__,
    "rnn_cell": __name__,
    "stack_bidirectional_dynamic_rnn": "tfqueue.contrib.rnn.cells:stack_bidirectional_dynamic_rnn",
    "stack_bidirectional_rnn": "tfqueue.contrib.rnn.cells:stack_bidirectional_rnn",
}

# programs look for the cells in `tf.contrib.rnn.__dict__`
globals().update({name: _lazy_names.resolve(target) for name, target in _ROWS.items()})
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
