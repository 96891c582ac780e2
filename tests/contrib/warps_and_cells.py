"""Warps of images and cells of `tf.contrib`, in the words of any release.

`python warps_and_cells.py > warps_and_cells_115.json` with TensorFlow 1.15.5 records what they give.
"""

import importlib
import json

import numpy as np


def _cell(make, **words):
    def build(tf):
        x = tf.constant(np.sin(np.arange(12) * 1.7).reshape(2, 3, 2), tf.float32)
        outputs, state = tf.nn.dynamic_rnn(make(_Names(tf)), x, dtype=tf.float32, **words)
        return [outputs] + [one for one in _flat(state) if one.dtype == tf.float32]

    return build


class _Names:
    """The names of `tf.contrib.rnn`, and of its module where the cells stand that are not public."""

    def __init__(self, tf):
        inner = importlib.import_module(tf.__name__ + ".contrib.rnn.python.ops.rnn_cell")
        self._places = (tf.contrib.rnn, inner)

    def __getattr__(self, name):
        return next(getattr(place, name) for place in self._places if hasattr(place, name))


def _flat(state):
    if not isinstance(state, (tuple, list)):
        return [state]
    return [one for part in state for one in _flat(part)]


def _frequencies(tf):
    x = tf.constant(np.sin(np.arange(8) * 1.7).reshape(2, 4), tf.float32)
    cell = tf.contrib.rnn.TimeFreqLSTMCell(2, True, 0.1, feature_size=2, num_unit_shards=2)
    state = tf.constant(np.cos(np.arange(24)).reshape(2, 12), tf.float32)
    return list(cell(x, state))


def _phased(tf):
    x = tf.constant(np.sin(np.arange(12) * 1.7).reshape(2, 3, 2), tf.float32)
    cell = tf.contrib.rnn.PhasedLSTMCell(2, use_peepholes=True)
    return [tf.nn.dynamic_rnn(cell, (tf.abs(x[:, :, :1]), x), dtype=tf.float32)[0]]


def _grid(name="GridLSTMCell", **words):
    words = dict({"num_frequency_blocks": [2], "feature_size": 1, "frequency_skip": 1}, **words)
    return _cell(lambda rnn: getattr(rnn, name)(2, **words))


_BLOCKS = {
    "num_frequency_blocks": [1, 1],
    "start_freqindex_list": [0, 1],
    "end_freqindex_list": [1, 2],
}


def _image(tf, scale=1.0):
    shape = [2, 3, 4, 2]
    start = np.cos(np.arange(48) * 0.7).reshape(shape) * scale
    return tf.get_variable("image", shape, initializer=tf.constant_initializer(start))


def _resampled(places):
    def build(tf):
        start = np.array(places, np.float32)
        warp = tf.get_variable("warp", start.shape, initializer=tf.constant_initializer(start))
        return [tf.contrib.resampler.resampler(_image(tf), warp)]

    return build


def _warped(tf):
    start = np.sin(np.arange(48) * 1.3).reshape(2, 3, 4, 2) * 3
    start[0, 0, 0] = [0, 1]
    flow = tf.get_variable("flow", start.shape, initializer=tf.constant_initializer(start))
    return [tf.contrib.image.dense_image_warp(_image(tf), flow)]


def _constant(shape, dtype=None, partition_info=None):
    count = int(np.prod(shape))
    return (np.cos(np.arange(count) * 0.8).reshape(shape) * 0.6).astype("float32")


def _coupled(units=2, **words):
    return _cell(lambda rnn: rnn.CoupledInputForgetGateLSTMCell(units, **words))


CASES = {
    "gru_block": _cell(lambda rnn: rnn.GRUBlockCell(2)),
    "gru_block_old_name": _cell(lambda rnn: rnn.GRUBlockCell(cell_size=3, name="mine")),
    "sru": _cell(lambda rnn: rnn.SRUCell(2)),
    "sru_lengths": _cell(lambda rnn: rnn.SRUCell(3), sequence_length=[1, 3]),
    "coupled": _coupled(),
    "coupled_peepholes": _coupled(use_peepholes=True, forget_bias=0.5),
    "coupled_projection": _coupled(
        num_proj=3, proj_clip=0.1, num_unit_shards=2, num_proj_shards=2, state_is_tuple=False
    ),
    "coupled_norm": _coupled(5, layer_norm=True, norm_gain=0.5, norm_shift=0.1, use_peepholes=True),
    "ind_rnn": _cell(lambda rnn: rnn.IndRNNCell(2)),
    "ind_rnn_words": _cell(lambda rnn: rnn.IndRNNCell(3, abs, name="a", dtype="float32")),
    "indy_gru": _cell(lambda rnn: rnn.IndyGRUCell(2), sequence_length=[1, 3]),
    "indy_gru_words": _cell(lambda rnn: rnn.IndyGRUCell(2, None, None, _constant, _constant, "b")),
    "indy_lstm": _cell(lambda rnn: rnn.IndyLSTMCell(2)),
    "indy_lstm_words": _cell(
        lambda rnn: rnn.IndyLSTMCell(2, 0.5, None, None, _constant, _constant, name="c")
    ),
    "group_lstm": _cell(lambda rnn: rnn.GLSTMCell(2)),
    "group_lstm_of_two": _cell(
        lambda rnn: rnn.GLSTMCell(4, _constant, number_of_groups=2, forget_bias=0.5)
    ),
    "group_lstm_projection": _cell(lambda rnn: rnn.GLSTMCell(4, num_proj=6, number_of_groups=2)),
    "grid": _grid(),
    "grid_peepholes": _grid(use_peepholes=True, cell_clip=0.1, forget_bias=0.5),
    "grid_shared": _grid(use_peepholes=True, share_time_frequency_weights=True),
    "grid_coupled": _grid(use_peepholes=True, couple_input_forget_gates=True, num_unit_shards=2),
    "grid_tensor": _grid(state_is_tuple=False, frequency_skip=2, num_frequency_blocks=[1]),
    "grid_blocks": _grid(use_peepholes=True, **_BLOCKS),
    "grid_blocks_tensor": _grid(state_is_tuple=False, **_BLOCKS),
    "grid_both_ways": _grid("BidirectionalGridLSTMCell", use_peepholes=True),
    "grid_later": _grid("BidirectionalGridLSTMCell", backward_slice_offset=1),
    "grid_sooner": _grid("BidirectionalGridLSTMCell", backward_slice_offset=-1, **_BLOCKS),
    "frequencies": _frequencies,
    "intersection": _cell(lambda rnn: rnn.IntersectionRNNCell(2)),
    "intersection_first": _cell(
        lambda rnn: rnn.IntersectionRNNCell(3, 3, _constant, 0.5, y_activation=abs)
    ),
    "compiled": _cell(lambda rnn: rnn.CompiledWrapper(rnn.UGRNNCell(2))),
    "layer_norm": _cell(lambda rnn: rnn.LayerNormLSTMCell(5, layer_norm=True)),
    "layer_norm_words": _cell(
        lambda rnn: rnn.LayerNormLSTMCell(
            5,
            True,
            0.5,
            _constant,
            2,
            0.3,
            0.5,
            abs,
            layer_norm=True,
            norm_gain=0.7,
            norm_shift=0.1,
        )
    ),
    "layer_norm_none": _cell(lambda rnn: rnn.LayerNormLSTMCell(2)),
    "weight_norm": _cell(lambda rnn: rnn.WeightNormLSTMCell(2)),
    "weight_norm_words": _cell(
        lambda rnn: rnn.WeightNormLSTMCell(3, True, True, 0.5, _constant, 2, 0.3, 0.5, abs)
    ),
    "weight_norm_none": _cell(lambda rnn: rnn.WeightNormLSTMCell(2, norm=False, num_proj=3)),
    "minimal": _cell(lambda rnn: rnn.MinimalRNNCell(3)),
    "minimal_words": _cell(
        lambda rnn: rnn.MinimalRNNCell(2, "relu", "random_normal", "zeros", name="m")
    ),
    "chaos_free": _cell(lambda rnn: rnn.CFNCell(3)),
    "chaos_free_words": _cell(lambda rnn: rnn.CFNCell(2, None, "he_normal", _constant, name="m")),
    "turing": _cell(lambda rnn: rnn.NTMCell(rnn.UGRNNCell(3), 4, 2, 1, 1, output_dim=2)),
    "turing_heads": _cell(
        lambda rnn: rnn.NTMCell(rnn.UGRNNCell(3), 5, 3, 2, 2, 2, output_dim=3, clip_value=1)
    ),
    "nas": _cell(lambda rnn: rnn.NASCell(2, 3, use_bias=True)),
    "update_gate": _cell(lambda rnn: rnn.UGRNNCell(2)),
    "layer_norm_basic": _cell(lambda rnn: rnn.LayerNormBasicLSTMCell(5)),
    "attention": _cell(lambda rnn: rnn.AttentionCellWrapper(rnn.NASCell(2), 3)),
    "attention_tensor": _cell(
        lambda rnn: rnn.AttentionCellWrapper(rnn.UGRNNCell(2), 3, state_is_tuple=False)
    ),
    "phased": _phased,
    "lstm_block": _cell(lambda rnn: rnn.LSTMBlockCell(2)),
    "lstm_block_peepholes": _cell(lambda rnn: rnn.LSTMBlockCell(2, use_peephole=True)),
    "resampler": _resampled(
        [
            [[0.0, 0.0], [1.25, 0.5], [2.9, 1.9], [3.0, 2.0], [3.5, 1.0]],
            [[-0.25, 2.75], [-1.0, 1.0], [4.0, 0.0], [9.0, -7.0], [0.5, 2.0]],
        ]
    ),
    "resampler_grid": _resampled(np.arange(24).reshape(2, 3, 2, 2) * 0.37 - 1.5),
    "dense_image_warp": _warped,
}


_AT_RANDOM = {"chaos", "minimal", "phased", "turing"}
"""Cells whose variables have initializers of their own."""


def _listed(one):
    return [float(f"{number:.7g}") for number in np.ravel(one)]


def first_values(tf, name):
    """With a seed of the graph: how the variables begin, and one behind the case."""
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(7)
        CASES[name](tf)
        tf.get_variable("behind", [2])
        sess.run(tf.global_variables_initializer())
        return [_listed(one)[:2] for one in sess.run(tf.global_variables())]


def run(tf, name):
    """The variables, the values and the gradients of a case."""

    def start(shape, dtype=None, partition_info=None):
        count = int(np.prod(shape))
        return tf.constant(np.sin(np.arange(count) * 0.9 + 1.0).reshape(shape) * 0.5, dtype)

    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.variable_scope("s", initializer=start):
            found = CASES[name](tf)
        variables = tf.trainable_variables()
        total = tf.add_n([tf.reduce_sum(one * one) for one in found])
        slopes = [g for g in tf.gradients(total, variables) if g is not None]
        sess.run(tf.global_variables_initializer())
        given = [
            tf.assign(one, start(one.shape.as_list(), tf.float32))
            for one in variables
            if one.op.name.endswith("_u") or name.split("_")[0] in _AT_RANDOM
        ]
        sess.run(given)
        values, gradients = sess.run([found, [tf.convert_to_tensor(one) for one in slopes]])
    return {
        "variables": [[v.op.name] + v.shape.as_list() for v in variables],
        "values": [_listed(one) for one in values],
        "shapes": [list(one.shape) for one in values],
        "gradients": [_listed(one) for one in gradients],
    }


if __name__ == "__main__":
    import tensorflow

    found = {name: run(tensorflow, name) for name in CASES}
    for name, row in found.items():
        row["first"] = first_values(tensorflow, name)
    print(json.dumps(found, sort_keys=True, separators=(",", ":")))
