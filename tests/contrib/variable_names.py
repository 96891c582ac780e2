"""Cells, layers, optimizers and metrics whose variables are named, in the words of any release.

`python variable_names.py 0.12.1 > recorded.json` with that release records each case; `variable_names.json` has what
five releases gave, by release.
"""

import json
import sys


class Words:
    """What the cases say, in the words of one release.

    Args:
        tf: The module.
        release: `(major, minor)` of the release whose words are wanted.
    """

    def __init__(self, tf, release):
        old = release < (1, 0)
        self.tf, self.old = tf, old
        self.cells = tf.nn.rnn_cell if old else tf.contrib.rnn
        self.more_cells = tf.contrib.rnn
        self.static = tf.nn.rnn if old else tf.contrib.rnn.static_rnn
        self.static_both = (
            tf.nn.bidirectional_rnn if old else tf.contrib.rnn.static_bidirectional_rnn
        )
        self.legacy = tf.nn.seq2seq if old else tf.contrib.legacy_seq2seq
        self.tuples = {"state_is_tuple": True}

    def sequence(self):
        return self.tf.placeholder(self.tf.float32, [2, 3, 4])

    def steps(self):
        return [self.tf.placeholder(self.tf.float32, [2, 4]) for _ in range(3)]

    def symbols(self):
        return [self.tf.placeholder(self.tf.int32, [2]) for _ in range(2)]

    def pictures(self):
        return self.tf.placeholder(self.tf.float32, [2, 8, 8, 3])

    def run(self, cell, **words):
        self.tf.nn.dynamic_rnn(cell, self.sequence(), dtype=self.tf.float32, **words)

    def both(self, first, second, **words):
        self.tf.nn.bidirectional_dynamic_rnn(
            first, second, self.sequence(), [3, 3], dtype=self.tf.float32, **words
        )

    def step(self, cell, *scope):
        cell(self.tf.zeros([2, 4]), cell.zero_state(2, self.tf.float32), *scope)

    def lstm(self, size=5, **words):
        return self.cells.LSTMCell(size, state_is_tuple=True, **words)

    def basic_lstm(self, size=5):
        return self.cells.BasicLSTMCell(size, state_is_tuple=True)

    def layers(self, *cells):
        return self.cells.MultiRNNCell(list(cells), state_is_tuple=True)


def _of_cells(words):
    """Cells, their wrappers, and what runs them."""
    tf, cells, more = words.tf, words.cells, words.more_cells
    gru, lstm, basic, layers = cells.GRUCell, words.lstm, words.basic_lstm, words.layers
    cases = {
        "BasicRNNCell": lambda: words.run(cells.BasicRNNCell(5)),
        "BasicLSTMCell": lambda: words.run(basic()),
        "LSTMCell": lambda: words.run(lstm(use_peepholes=True, num_proj=3)),
        "GRUCell": lambda: words.run(gru(5)),
        "MultiRNNCell": lambda: words.run(layers(basic(4), gru(4))),
        "MultiRNNCell of one cell twice": lambda: words.run(layers(*[basic(4)] * 2)),
        "MultiRNNCell with one state": lambda: words.run(
            cells.MultiRNNCell([gru(4), gru(3)], state_is_tuple=False)
        ),
        "MultiRNNCell of MultiRNNCell": lambda: words.run(layers(layers(gru(4), gru(4)), gru(3))),
        "DropoutWrapper": lambda: words.run(cells.DropoutWrapper(basic(), output_keep_prob=0.5)),
        "OutputProjectionWrapper": lambda: words.run(cells.OutputProjectionWrapper(gru(5), 3)),
        "InputProjectionWrapper": lambda: words.run(cells.InputProjectionWrapper(gru(5), 3)),
        "wrapper of wrapper": lambda: words.run(
            cells.OutputProjectionWrapper(
                cells.InputProjectionWrapper(cells.DropoutWrapper(gru(5)), 3), 2
            )
        ),
        "MultiRNNCell of wrappers": lambda: words.run(
            layers(*[cells.OutputProjectionWrapper(gru(5), 4) for _ in range(2)])
        ),
        "EmbeddingWrapper": lambda: words.static(
            cells.EmbeddingWrapper(gru(5), 7, 3), words.symbols(), dtype=tf.float32
        ),
        "static_rnn": lambda: words.static(gru(5), words.steps(), dtype=tf.float32),
        "static_rnn, scope": lambda: words.static(
            gru(5), words.steps(), dtype=tf.float32, scope="mine"
        ),
        "dynamic_rnn, scope": lambda: words.run(gru(5), scope="mine"),
        "dynamic_rnn in a scope": lambda: _in_scope(tf, lambda: words.run(gru(5))),
        "raw_rnn": lambda: _raw(words),
        "both": lambda: words.both(gru(5), basic()),
        "both, scope": lambda: words.both(gru(5), basic(), scope="mine"),
        "both, in a scope": lambda: _in_scope(tf, lambda: words.both(gru(5), gru(5))),
        "both, with one cell": lambda: words.both(*[gru(5)] * 2),
        "both, layers": lambda: words.both(layers(lstm(), lstm()), layers(lstm(), lstm())),
        "static, both": lambda: words.static_both(gru(5), basic(), words.steps(), dtype=tf.float32),
        "a call": lambda: words.step(gru(5)),
        "a call, scope": lambda: words.step(lstm(), "named"),
        "a wrapper's call, scope": lambda: words.step(
            cells.OutputProjectionWrapper(gru(5), 3), "named"
        ),
        "an input wrapper's call, scope": lambda: words.step(
            cells.InputProjectionWrapper(gru(5), 3), "named"
        ),
        "layers' call, scope": lambda: words.step(layers(gru(5)), "named"),
        "calls that reuse": lambda: _reusing(words, basic()),
        "subclass": lambda: words.run(type("Mine", (gru,), {})(5)),
        "AttentionCellWrapper": lambda: words.run(
            more.AttentionCellWrapper(gru(5), 2, **words.tuples)
        ),
        "LayerNormBasicLSTMCell": lambda: words.run(more.LayerNormBasicLSTMCell(5)),
        "LayerNormBasicLSTMCell without": lambda: words.run(
            more.LayerNormBasicLSTMCell(5, layer_norm=False)
        ),
        "CoupledInputForgetGateLSTMCell": lambda: words.run(
            more.CoupledInputForgetGateLSTMCell(5, use_peepholes=True, num_proj=3, **words.tuples)
        ),
        "GridLSTMCell": lambda: words.run(
            more.GridLSTMCell(
                5,
                use_peepholes=True,
                feature_size=2,
                frequency_skip=2,
                num_frequency_blocks=[2],
                **words.tuples,
            )
        ),
        "UGRNNCell": lambda: words.run(more.UGRNNCell(5)),
        "IntersectionRNNCell": lambda: words.run(more.IntersectionRNNCell(5, num_in_proj=5)),
        "NASCell": lambda: words.run(more.NASCell(5)),
        "PhasedLSTMCell": lambda: tf.nn.dynamic_rnn(
            more.PhasedLSTMCell(5), (tf.zeros([2, 3, 1]), words.sequence()), dtype=tf.float32
        ),
        "HighwayWrapper": lambda: words.run(more.HighwayWrapper(gru(4))),
        "ConvLSTMCell": lambda: _convolved(words, more),
        "GLSTMCell": lambda: words.run(more.GLSTMCell(4, number_of_groups=2)),
        "LSTMBlockCell": lambda: words.run(more.LSTMBlockCell(5, use_peephole=True)),
        "GRUBlockCell": lambda: words.run(more.GRUBlockCell(5)),
        "LSTMBlockFusedCell": lambda: more.LSTMBlockFusedCell(5, use_peephole=True)(
            tf.zeros([3, 2, 4]), dtype=tf.float32
        ),
        "FusedRNNCellAdaptor": lambda: more.FusedRNNCellAdaptor(gru(5), use_dynamic_rnn=True)(
            tf.zeros([3, 2, 4]), dtype=tf.float32
        ),
        "stack_bidirectional_dynamic_rnn": lambda: more.stack_bidirectional_dynamic_rnn(
            [gru(5), gru(4)],
            [gru(5), gru(4)],
            words.sequence(),
            dtype=tf.float32,
            sequence_length=[3, 3],
        ),
        "stack_bidirectional_rnn": lambda: more.stack_bidirectional_rnn(
            [gru(5)], [gru(5)], words.steps(), dtype=tf.float32
        ),
    }
    cases.update(_of_legacy_seq2seq(words))
    return cases


def _in_scope(tf, build):
    with tf.variable_scope("outer"):
        build()


def _raw(words):
    tf, cell = words.tf, words.cells.GRUCell(5)

    def loop(time, output, state, _):
        state = cell.zero_state(2, tf.float32) if state is None else state
        return time >= 3, tf.zeros([2, 4]), state, output, None

    tf.nn.raw_rnn(cell, loop)


def _reusing(words, cell):
    tf = words.tf
    with tf.variable_scope("steps") as scope:
        state = cell.zero_state(2, tf.float32)
        for number in range(3):
            if number:
                scope.reuse_variables()
            _, state = cell(tf.zeros([2, 4]), state)


def _convolved(words, more):
    tf = words.tf
    cell = more.ConvLSTMCell(conv_ndims=1, input_shape=[6, 2], output_channels=3, kernel_shape=[3])
    tf.nn.dynamic_rnn(cell, tf.zeros([2, 3, 6, 2]), dtype=tf.float32)


def _of_legacy_seq2seq(words):
    make, gru, symbols = words.legacy, words.cells.GRUCell, words.symbols
    return {
        "basic_rnn_seq2seq": lambda: make.basic_rnn_seq2seq(words.steps(), words.steps(), gru(5)),
        "tied_rnn_seq2seq": lambda: make.tied_rnn_seq2seq(words.steps(), words.steps(), gru(5)),
        "embedding_rnn_seq2seq": lambda: make.embedding_rnn_seq2seq(
            symbols(), symbols(), gru(5), 7, 6, 3
        ),
        "embedding_tied_rnn_seq2seq": lambda: make.embedding_tied_rnn_seq2seq(
            symbols(), symbols(), gru(5), 7, 3
        ),
        "embedding_attention_seq2seq": lambda: make.embedding_attention_seq2seq(
            symbols(), symbols(), gru(5), 7, 6, 3, num_heads=2
        ),
    }


def _of_layers(words):
    """Layers of `tf.layers` and `tf.contrib.layers`."""
    tf = words.tf
    wide, pictures, sequence = lambda: tf.zeros([2, 5]), words.pictures, words.sequence
    made = tf.contrib.layers
    cases = {
        "contrib fully_connected": lambda: [made.fully_connected(wide(), 3) for _ in range(2)],
        "contrib linear, relu, relu6": lambda: [
            getattr(made, name)(wide(), 3) for name in ("linear", "relu", "relu6", "legacy_relu")
        ],
        "contrib fully_connected, no bias, normed": lambda: made.fully_connected(
            wide(), 3, normalizer_fn=made.batch_norm
        ),
        "contrib fully_connected of rank 3": lambda: made.fully_connected(sequence(), 3),
        "contrib conv2d": lambda: [made.conv2d(pictures(), 4, 3) for _ in range(2)],
        "contrib convolution2d": lambda: made.convolution2d(pictures(), 4, [3, 3], scope="c"),
        "contrib conv2d, normed": lambda: made.conv2d(
            pictures(), 4, 3, normalizer_fn=made.batch_norm
        ),
        "contrib conv2d_transpose": lambda: made.conv2d_transpose(pictures(), 4, 3),
        "contrib conv2d_in_plane": lambda: made.conv2d_in_plane(pictures(), 3),
        "contrib separable_conv2d": lambda: made.separable_conv2d(pictures(), 4, 3, 1),
        "contrib separable_conv2d, depthwise": lambda: made.separable_conv2d(
            pictures(), None, 3, 1
        ),
        "contrib batch_norm": lambda: made.batch_norm(pictures()),
        "contrib batch_norm, scaled": lambda: made.batch_norm(pictures(), center=False, scale=True),
        "contrib layer_norm": lambda: made.layer_norm(pictures()),
        "contrib instance_norm": lambda: made.instance_norm(pictures()),
        "contrib group_norm": lambda: made.group_norm(pictures(), groups=3),
        "contrib unit_norm": lambda: made.unit_norm(wide(), 1),
        "contrib bias_add": lambda: made.bias_add(wide()),
        "contrib embed_sequence": lambda: made.embed_sequence(tf.zeros([2, 3], tf.int64), 7, 4),
        "contrib stack": lambda: made.stack(wide(), made.fully_connected, [4, 3]),
        "contrib repeat": lambda: made.repeat(pictures(), 2, made.conv2d, 4, 3),
        "contrib legacy_fully_connected": lambda: made.legacy_fully_connected(wide(), 3),
        "contrib convolution3d": lambda: made.convolution(tf.zeros([1, 4, 4, 4, 2]), 3, 3),
        "dense": lambda: [tf.layers.dense(wide(), 3) for _ in range(2)],
        "dense, name": lambda: tf.layers.dense(wide(), 3, name="mine"),
        "conv1d": lambda: tf.layers.conv1d(sequence(), 3, 2),
        "conv2d": lambda: [tf.layers.conv2d(pictures(), 3, 2) for _ in range(2)],
        "conv2d_transpose": lambda: tf.layers.conv2d_transpose(pictures(), 3, 2),
        "separable_conv2d": lambda: tf.layers.separable_conv2d(pictures(), 3, 2),
        "batch_normalization": lambda: tf.layers.batch_normalization(pictures()),
        "batch_normalization, renorm": lambda: tf.layers.batch_normalization(
            pictures(), renorm=True, training=True
        ),
        "layers in a scope": lambda: _in_scope(
            tf, lambda: (tf.layers.dense(wide(), 3), made.fully_connected(wide(), 3))
        ),
    }
    return cases


def _of_optimizers(words):
    """What optimizers, averages and metrics make beside the weights."""
    tf = words.tf
    train = tf.train

    def minimized(make):
        def build():
            weights = tf.get_variable("w", [3, 2])
            step = tf.Variable(0, name="step", trainable=False)
            make().minimize(tf.reduce_sum(tf.square(weights)), global_step=step)

        return build

    cases = {
        name: minimized(make)
        for name, make in {
            "GradientDescentOptimizer": lambda: train.GradientDescentOptimizer(0.1),
            "MomentumOptimizer": lambda: train.MomentumOptimizer(0.1, 0.9),
            "AdamOptimizer": lambda: train.AdamOptimizer(),
            "AdamOptimizer, name": lambda: train.AdamOptimizer(name="Mine"),
            "AdagradOptimizer": lambda: train.AdagradOptimizer(0.1),
            "AdagradDAOptimizer": lambda: train.AdagradDAOptimizer(
                0.1, tf.Variable(0, name="da", dtype=tf.int64, trainable=False)
            ),
            "AdadeltaOptimizer": lambda: train.AdadeltaOptimizer(),
            "RMSPropOptimizer": lambda: train.RMSPropOptimizer(0.1),
            "RMSPropOptimizer, centered": lambda: train.RMSPropOptimizer(0.1, centered=True),
            "FtrlOptimizer": lambda: train.FtrlOptimizer(0.1),
            "NadamOptimizer": lambda: tf.contrib.opt.NadamOptimizer(),
            "LazyAdamOptimizer": lambda: tf.contrib.opt.LazyAdamOptimizer(),
            "AdamWOptimizer": lambda: tf.contrib.opt.AdamWOptimizer(0.1),
        }.items()
    }

    def averaged(**given):
        def build():
            weights = tf.get_variable("w", [3, 2])
            train.ExponentialMovingAverage(0.9, **given).apply([weights, weights * 2])

        return build

    def minimized_in_contrib(name):
        def build():
            weights = tf.get_variable("w", [3, 2])
            step = tf.Variable(0, name="global_step", trainable=False)
            loss = tf.reduce_sum(tf.square(weights))
            tf.contrib.layers.optimize_loss(loss, step, 0.1, name)

        return build

    metrics = (
        "mean accuracy precision recall auc mean_squared_error mean_iou true_positives "
        "mean_per_class_accuracy precision_at_thresholds"
    )

    def measured(name, where):
        def build():
            labels, found = tf.constant([0, 1, 1]), tf.constant([0.0, 1.0, 1.0])
            call = getattr(where(), name)
            more = {
                "mean_iou": lambda: call(labels, labels, 2),
                "mean_per_class_accuracy": lambda: call(labels, labels, 2),
                "mean": lambda: call(found),
                "mean_squared_error": lambda: call(found, found),
                "precision_at_thresholds": lambda: call(labels, found, [0.5]),
            }
            more.get(name, lambda: call(labels, found))()

        return build

    cases.update(
        {
            "ExponentialMovingAverage": averaged(),
            "ExponentialMovingAverage, steps": averaged(num_updates=3),
            "ExponentialMovingAverage, zero_debias": averaged(zero_debias=True),
            "optimize_loss Adam": minimized_in_contrib("Adam"),
            "optimize_loss SGD": minimized_in_contrib("SGD"),
        }
    )
    for name in metrics.split():
        cases["metrics." + name] = measured(name, lambda: tf.metrics)
    return cases


GROUPS = {"cells": _of_cells, "layers": _of_layers, "optimizers and metrics": _of_optimizers}


def found(tf, release, group):
    """From each case to the names and shapes of its variables, and the seeds of its random ops in order.

    The graph has a seed, and a random op stands behind all others. What the release has not got is None.
    """
    results = {}
    for case in GROUPS[group](Words(tf, release)):
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(7)
            try:
                GROUPS[group](Words(tf, release))[case]()
            except Exception as error:  # noqa: BLE001  (what it has not got)
                print(case, type(error).__name__, str(error)[:150], file=sys.stderr)
                results[case] = None
                continue
            tf.random_uniform([2])
            results[case] = [_names(tf), _seeds(graph)]
    return results


def _names(tf):
    kinds = (tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.LOCAL_VARIABLES)
    return [
        each.op.name + " " + "x".join(map(str, each.get_shape().as_list()))
        for kind in kinds
        for each in tf.get_collection(kind)
    ]


def _seeds(graph):
    nodes = [op.node_def for op in graph.get_operations()]
    return [node.attr["seed2"].i for node in nodes if "seed2" in node.attr]


if __name__ == "__main__":
    import tensorflow

    of = tuple(map(int, sys.argv[1].split(".")[:2]))
    json.dump({each: found(tensorflow, of, each) for each in GROUPS}, sys.stdout)
