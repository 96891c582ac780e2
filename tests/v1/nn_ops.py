"""Ops that `tf.nn` of TensorFlow 0.12 showed, each called by position as there.

`python nn_ops.py > nn_ops_012.json` with TensorFlow 0.12.1 records what they give.
"""

import itertools
import json

import numpy as np

_BOX = ([1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME")
_STEPS = ([1, 1, 1, 1], [1, 1, 1, 1], "SAME")
_PADS = [[0, 0], [1, 1], [1, 1], [0, 0]]


def numbers(*shape):
    """Numbers from -1.25 to 1.25 in an order that repeats after 11."""
    count = int(np.prod(shape))
    return ((np.arange(count) * 7 % 11 - 5) / 4.0).reshape(shape).astype(np.float32)


def calls(tf):
    """Name of an op -> what it is called with, in parts."""
    kind = tf.quint8
    positive = ((numbers(2, 2, 2, 3) + 1.25) * 40).astype(np.uint8)
    given = [tf.bitcast(positive, kind), -1.25, 1.25]
    sides = [tf.constant(numbers(2, 3)), tf.constant(numbers(2, 2))]
    cube, kernels, image = numbers(1, 4, 4, 4, 2), numbers(2, 2, 2, 2, 3), numbers(1, 4, 4, 2)
    dilated = ((numbers(1, 5, 5, 2), numbers(2, 2, 2), numbers(1, 5, 5, 2)), _STEPS)
    padded = (_PADS, numbers(2, 2, 2, 3), "REFLECT", [1, 1, 1, 1], "VALID")
    pooled = tf.nn.max_pool3d(cube, *_BOX)
    grown = (numbers(1, 3, 3, 3, 3), [1, 1, 1, 1, 1], "VALID", "n")
    normed = (numbers(2, 3, 3, 2), numbers(2, 3, 3, 2) ** 2, numbers(2), numbers(2))
    return {
        "avg_pool3d_grad": [([1, 4, 4, 4, 2], numbers(1, 2, 2, 2, 2)), _BOX],
        "bias_add_grad": [(numbers(2, 3, 4),)],
        "bias_add_v1": [(numbers(2, 3), numbers(3), "b")],
        "conv3d_backprop_input_v2": [([1, 4, 4, 4, 2], kernels), grown],
        "dilation2d_backprop_filter": dilated,
        "dilation2d_backprop_input": dilated,
        "fused_batch_norm_grad": [normed, (abs(numbers(2)) + 1, 0.01, "NHWC", True)],
        "fused_pad_conv2d": [(image,), padded],
        "fused_resize_and_pad_conv2d": [(image, [7, 6]), padded, (True,)],
        "max_pool3d_grad": [(cube, pooled, numbers(1, 2, 2, 2, 2)), _BOX],
        "quantized_relu": [given],
        "quantized_relu6": [given, (kind, "six")],
        "seq2seq.linear": [(sides, 4, True, 0.25, "scope")],
        "seq2seq.shape": [(numbers(2, 3), "name", tf.int64)],
        "xw_plus_b_v1": [(numbers(2, 3), numbers(3, 2), numbers(2))],
    }


def result(tf, name):
    """Of each output that is told: its name but of `linear`, its shape, and a sum with weights."""
    with tf.Graph().as_default(), tf.Session() as sess:
        function = tf.nn
        for part in name.split("."):
            function = getattr(function, part)
        with tf.variable_scope("v", initializer=tf.constant_initializer(0.5)):
            made = function(*itertools.chain(*calls(tf)[name]))
        sess.run(tf.global_variables_initializer())
        outputs = list(made)[:3] if isinstance(made, tuple) else [made]
        found = []
        for tensor, value in zip(outputs, sess.run(outputs)):  # noqa: B905  (Python 2.7 reads this)
            plain = np.asarray(value).astype(np.float64)
            weights = np.arange(plain.size).reshape(plain.shape) % 7 + 1
            label = "" if name == "seq2seq.linear" else tensor.name
            found.append([label, list(plain.shape), float((plain * weights).sum())])
        return found


if __name__ == "__main__":
    import tensorflow

    recorded = {name: result(tensorflow, name) for name in calls(tensorflow)}
    print(json.dumps(recorded, indent=1, sort_keys=True))
