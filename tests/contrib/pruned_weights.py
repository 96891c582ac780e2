"""Masks of weights of `tf.contrib.model_pruning`, in the words of 1.14 and 1.15.

`python pruned_weights.py > pruned_weights_115.json` with TensorFlow 1.15.5 records what they become.
"""

import json

import numpy as np


def _start(shape, dtype=None, partition_info=None):
    count = int(np.prod(shape))
    return (np.sin(np.arange(count) * 1.3) * 0.9).reshape(shape).astype("float32")


def _pruned(share=None, shape=(4, 6), parts=None, **changed):
    """Masked weights, thresholds and shares at some steps, and names."""

    def build(tf):
        pruning = tf.contrib.model_pruning
        step = tf.train.create_global_step()
        partitioner = parts and tf.fixed_size_partitioner(parts)
        with tf.variable_scope("a", partitioner=partitioner):
            first = tf.get_variable("w", list(shape), initializer=_start)
            masked = [pruning.apply_mask(first, tf.get_variable_scope())]
        second = tf.get_variable("b", [5], initializer=_start)
        masked.append(pruning.apply_mask(second, "other"))
        spec = pruning.get_pruning_hparams()
        spec.sparsity_function_end_step = 20
        for name, value in changed.items():
            spec.set_hparam(name, value)
        made = pruning.Pruning(spec, sparsity=None if share is None else tf.constant(share))
        update = made.conditional_mask_update_op()
        if not parts:
            made.add_pruning_summaries()
            masked += pruning.get_weight_sparsity()
        masked += pruning.get_thresholds()
        steps = [tf.assign_add(step, 1), update]
        names = [v.op.name for v in tf.global_variables()]
        names += [one.op.name for one in pruning.get_masked_weights()]
        return masked, steps, names + [one.name for one in tf.get_collection("summaries")]

    return build


def _layers(tf):
    pruning = tf.contrib.model_pruning
    x = tf.constant(np.cos(np.arange(90) * 0.7).reshape(1, 5, 6, 3).astype("float32"))
    both = [pruning.masked_conv2d, pruning.masked_fully_connected]
    with tf.contrib.framework.arg_scope(both, weights_initializer=_start):
        regularizer = tf.contrib.layers.l2_regularizer(0.1)
        conv = pruning.masked_conv2d(
            x, 2, [3, 2], 2, weights_regularizer=regularizer, variables_collections=["mine"]
        )
        norm = {"normalizer_fn": tf.contrib.layers.batch_norm, "padding": "VALID"}
        made = [conv, pruning.masked_conv2d(x, 2, 3, scope="c2", outputs_collections="out", **norm)]
        flat, half = tf.layers.flatten(conv), tf.constant_initializer(0.5)
        dense = pruning.masked_fully_connected
        made.append(dense(flat, 3, activation_fn=None, biases_initializer=half))
        made += [dense(flat, 3, scope="fully_connected", reuse=True), dense(x, 2, scope="deep")]
    keys = ["variables", "trainable_variables", "model_variables", "mine", "masks", "out"]
    names = [one.name for key in keys for one in tf.get_collection(key)]
    return made + tf.losses.get_regularization_losses(), None, names


CASES = {
    "each_step": _pruned(pruning_frequency=1),
    "each_tenth": _pruned(),
    "decay": _pruned(
        pruning_frequency=2,
        threshold_decay=0.5,
        initial_sparsity=0.1,
        target_sparsity=0.8,
        sparsity_function_exponent=1.0,
        sparsity_function_begin_step=3,
        begin_pruning_step=4,
        end_pruning_step=14,
    ),
    "of_names": _pruned(pruning_frequency=3, weight_sparsity_map=["a/w:0.25", "^b:0.75"]),
    "blocks": _pruned(pruning_frequency=2, block_height=2, block_width=4),
    "blocks_of_names": _pruned(
        shape=(7, 1, 4),
        pruning_frequency=2,
        block_dims_map=["a/w:3x-1"],
        block_pooling_function="MAX",
    ),
    "parts": _pruned(parts=2, pruning_frequency=2),
    "share": _pruned(share=0.3, pruning_frequency=1),
    "layers": _layers,
}


def run(tf, name):
    """The names of a case, and its values at steps 6, 12, 18 and 24."""
    with tf.Graph().as_default(), tf.Session() as sess:
        made, steps, names = CASES[name](tf)
        sess.run(tf.global_variables_initializer())
        values = []
        for count in range(1, 25 if steps else 2):
            for op in steps or ():
                sess.run(op)
            if count % 6 == 0 or not steps:
                values.append([one.tolist() for one in sess.run(made)])
        return [names, values]


if __name__ == "__main__":
    import tensorflow

    print(json.dumps({name: run(tensorflow, name) for name in CASES}, separators=(",", ":")))
