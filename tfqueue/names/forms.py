"""The forms of old calls that differ from today's, and what arguments that were renamed are today.

`forms.txt` beside this module is made from the ledger by `make ledger`: a line for each public function
and class, with its dotted name and, for each form, the last release that took it and its arguments.
"""

from __future__ import annotations

import functools
import pathlib

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

IGNORED = frozenset(["input_size", "unused_readahead"])
"""Arguments that did nothing any more when they still were there, whatever they were given."""

_ROWS = """
SparseTensor SparseTensorValue: shape=dense_shape
cond: fn1=true_fn fn2=false_fn
config.experimental.set_virtual_device_configuration: virtual_devices=logical_devices
contrib.distributions.Bernoulli contrib.distributions.Categorical: p=probs
contrib.distributions.Beta: a=concentration1 b=concentration0
contrib.distributions.Dirichlet: alpha=concentration
contrib.distributions.DirichletMultinomial: n=total_count alpha=concentration
contrib.distributions.Exponential: lam=rate
contrib.distributions.Gamma: alpha=concentration beta=rate
contrib.distributions.Multinomial: n=total_count p=probs
contrib.distributions.MultivariateNormalDiag: mu=loc diag_stdev=scale_diag
contrib.distributions.Normal contrib.distributions.StudentT: mu=loc sigma=scale
contrib.distributions.Uniform: a=low b=high
contrib.distributions.kl: allow_nan=allow_nan_stats dist_a=distribution_a dist_b=distribution_b
contrib.framework.nest.flatten: nest=structure nested=structure
contrib.framework.nest.is_sequence contrib.framework.nest.is_sequence_or_composite: o=seq
contrib.layers.maxout: name=scope
contrib.learn.utils.make_export_strategy: export_input_fn=serving_input_fn
contrib.learn.utils.saved_model_export_utils.garbage_collect_exports: exports_to_keep=count
contrib.learn.utils.saved_model_export_utils.get_temp_export_dir: timestamped_export_dir=folder
contrib.learn.utils.saved_model_export_utils.make_export_strategy: export_input_fn=serving_input_fn
contrib.lookup.index_table_from_tensor: mapping=vocabulary_list
contrib.lookup.index_to_string_table_from_tensor: mapping=vocabulary_list
contrib.lookup.string_to_index_table_from_tensor: mapping=vocabulary_list
contrib.nn.conv1d_transpose: value=input stride=strides
contrib.rnn.NASCell: use_biases=use_bias
contrib.slim.maxout: name=scope
logging.set_verbosity: verbosity=v
nn.sigmoid_cross_entropy_with_logits: targets=labels
random.experimental.create_rng_state: algorithm=alg
select: t=x e=y
sparse_concat: concat_dim=axis
sparse_split: split_dim=axis
split: num_split=num_or_size_splits
"""
RENAMED = {
    name: dict(pair.split("=") for pair in row.partition(": ")[2].split())
    for row in _ROWS.strip().splitlines()
    for name in row.partition(": ")[0].split()
}
"""Those of one function: its dotted name -> the old names -> the new ones."""


@functools.cache
def old_forms() -> dict[str, list[tuple[str, str]]]:
    """Dotted name -> the last release and the arguments of each old form, the oldest first.

    >>> old_forms()["scan"][0][1].endswith("infer_shape=True, name=None")
    True
    """
    text = pathlib.Path(__file__).with_name("forms.txt").read_text("utf-8")
    found = {}
    for line in text.splitlines():
        dotted, *forms = line.split("\t")
        found[dotted] = [tuple(form.split(" ", 1)) for form in forms]
    return found  # type: ignore[return-value]


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
