"""The forms of old calls that differ from today's, and what arguments that were renamed are today.

`forms.txt` beside this module is made from the ledger by `make ledger`: a line for each public function
and class, with its dotted name and, for each form, the last release that took it and its arguments.
"""

from __future__ import annotations

import functools

from tfqueue.names import older_forms

PAIRS: dict[str, tuple[str, ...]] = {
    "checkpoint_dir": ("ckpt_dir_or_file",),
    "concat_dim": ("axis",),
    "default_value": ("default",),
    "dim": ("axis",),
    "dimension": ("axis",),
    "docstring": ("help",),
    "export_dir_base": ("base",),
    "filepattern": ("ckpt_dir_or_file",),
    "flag_name": ("name",),
    "keep_dims": ("keepdims",),
    "num_queue_runners": ("num_enqueue_threads",),
    "reduction_indices": ("axis",),
    "split_dim": ("axis",),
    "target": ("labels",),
    "targets": ("labels",),
    "weight": ("weights",),
}
"""Arguments that got a new name in several functions: the old name -> the new ones."""

IGNORED = frozenset(["input_size", "num_decoder_symbols", "parser_num_threads", "unused_readahead"])
"""Arguments that change nothing, whatever they were given: today's functions find out by themselves."""

MEANT = {"keras.optimizers.Adagrad": {"initial_accumulator_value": 0.0}}
"""What a form meant that has not got an argument, where today's default is something else."""

BEGAN: dict[str, dict[str, tuple[str, bool]]] = {
    f"contrib.rnn.{cell}": {"state_is_tuple": ("1.1", False)}
    for cell in ("AttentionCellWrapper", "CoupledInputForgetGateLSTMCell", "GridLSTMCell")
} | {
    f"contrib.grid_rnn.Grid{cell}": {
        "state_is_tuple": ("1.1", False),
        "output_is_tuple": ("1.1", False),
    }
    for cell in (
        *("RNNCell", "1BasicRNNCell", "2BasicRNNCell", "1BasicLSTMCell", "2BasicLSTMCell"),
        *("1LSTMCell", "2LSTMCell", "3LSTMCell", "2GRUCell"),
    )
}
"""What an argument began with up to a release, where that gives other numbers or another structure."""

_ROWS = """
SparseTensor SparseTensorValue: shape=dense_shape
cond: fn1=true_fn fn2=false_fn
config.experimental.set_virtual_device_configuration: virtual_devices=logical_devices
conj: in_=x input=x
contrib.bayesflow.stochastic_tensor.ObservedStochasticTensor: dist_cls=dist
contrib.bayesflow.stochastic_tensor.StochasticTensor: dist_cls=dist
contrib.distributions.Bernoulli contrib.distributions.Categorical: p=probs
contrib.distributions.Binomial: n=total_count p=probs
contrib.distributions.Beta: a=concentration1 b=concentration0
contrib.distributions.Dirichlet: alpha=concentration
contrib.distributions.DirichletMultinomial: n=total_count alpha=concentration
contrib.distributions.Exponential: lam=rate
contrib.distributions.Gamma contrib.distributions.InverseGamma: alpha=concentration beta=rate
contrib.distributions.Independent: reduce_batch_ndims=reinterpreted_batch_ndims
contrib.distributions.Multinomial: n=total_count p=probs
contrib.distributions.MultivariateNormalDiag: mu=loc diag_stdev=scale_diag
contrib.distributions.Normal contrib.distributions.StudentT: mu=loc sigma=scale
contrib.distributions.Poisson: lam=rate
contrib.distributions.Uniform: a=low b=high
contrib.distributions.kl: allow_nan=allow_nan_stats dist_a=distribution_a dist_b=distribution_b
contrib.framework.nest.flatten: nest=structure nested=structure
contrib.framework.nest.is_sequence contrib.framework.nest.is_sequence_or_composite: o=seq
contrib.layers.input_from_feature_columns contrib.layers.weighted_sum_from_feature_columns: name=scope
contrib.layers.maxout: name=scope
contrib.learn.DNNLinearCombinedRegressor contrib.learn.LinearRegressor: target_dimension=label_dimension
contrib.learn.datasets.mnist.extract_images contrib.learn.datasets.mnist.extract_labels: filename=f
contrib.learn.utils.make_export_strategy: export_input_fn=serving_input_fn
contrib.learn.utils.saved_model_export_utils.garbage_collect_exports: exports_to_keep=count
contrib.learn.utils.saved_model_export_utils.get_temp_export_dir: timestamped_export_dir=folder
contrib.learn.utils.saved_model_export_utils.make_export_strategy: export_input_fn=serving_input_fn
contrib.lookup.index_table_from_tensor: mapping=vocabulary_list
contrib.lookup.index_to_string_table_from_tensor: mapping=vocabulary_list
contrib.lookup.string_to_index_table_from_tensor: mapping=vocabulary_list
contrib.nn.conv1d_transpose: value=input stride=strides
contrib.rnn.NASCell: use_biases=use_bias
contrib.seq2seq.gather_tree: sequence_length=max_sequence_lengths
contrib.slim.maxout: name=scope
device: dev=device_name_or_function
fft ifft imag real: in_=input
keras.callbacks.ModelCheckpoint: period=period
keras.callbacks.ReduceLROnPlateau: epsilon=min_delta
keras.layers.GRU keras.layers.GRUCell: implementation=implementation
keras.layers.LSTM keras.layers.LSTMCell: implementation=implementation
keras.layers.Input: batch_shape=batch_shape
keras.layers.LayerNormalization: trainable=trainable name=name
keras.metrics.deserialize: name=config
keras.models.save_model: include_optimizer=include_optimizer signatures=signatures
keras.optimizers.Adadelta keras.optimizers.Adagrad: lr=learning_rate decay=decay
keras.optimizers.Adam keras.optimizers.Adamax: lr=learning_rate decay=decay
keras.optimizers.Nadam: lr=learning_rate schedule_decay=schedule_decay
keras.optimizers.RMSprop keras.optimizers.SGD: lr=learning_rate decay=decay
keras.preprocessing.image.random_channel_shift: intensity=intensity_range
keras.preprocessing.text.one_hot keras.preprocessing.text.text_to_word_sequence: text=input_text
keras.regularizers.l1: l=l1
keras.regularizers.l2: l=l2
keras.utils.GeneratorEnqueuer: seed=random_seed sequence=generator
logging.set_verbosity: verbosity=v
nn.sigmoid_cross_entropy_with_logits: targets=labels
pad: input=tensor
random.experimental.create_rng_state: algorithm=alg
random_crop saturate_cast: image=value
select: t=x e=y
self_adjoint_eig: input=tensor matrix=tensor
self_adjoint_eigvals svd: matrix=tensor
sparse_add: sp_a=a sp_b=b
sparse_concat: concat_dim=axis
sparse_split: split_dim=axis
split: num_split=num_or_size_splits
summary.scalar: display_name=name
train.batch train.shuffle_batch: tensor_list=tensors
train.batch_join train.shuffle_batch_join: tensor_list_list=tensors_list
train.write_graph: graph_def=graph_or_graph_def
variable_op_scope: name=name_or_scope
where: input=condition
"""
RENAMED = {
    name: dict(pair.split("=") for pair in row.partition(": ")[2].split())
    for row in _ROWS.strip().splitlines()
    for name in row.partition(": ")[0].split()
}
"""Those of one function: its dotted name -> the old names -> the new ones.

One that stands for itself is no argument of its own today, but one of those that `**kwargs` takes.
"""


@functools.cache
def old_forms() -> dict[str, list[tuple[str, str]]]:
    """Dotted name -> the last release and the arguments of each old form, the oldest first.

    >>> old_forms()["nn.top_k"][0]
    ('0.6', 'input, k, name=None')
    """
    rows = older_forms.read("forms.txt")
    return rows | {dotted: [] for dotted in BEGAN if dotted not in rows}


@functools.cache
def _by_place() -> dict[str, dict[str, list[tuple[str, str]]]]:
    places: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for dotted, old in old_forms().items():
        place, _, name = dotted.rpartition(".")
        places.setdefault(place, {})[name] = old
    return places


def below(place: str) -> dict[str, list[tuple[str, str]]]:
    """The rows of one namespace: the bare name -> its forms.

    >>> sorted(below("io"))
    ['decode_raw']
    """
    return _by_place().get(place, {})
