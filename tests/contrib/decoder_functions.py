"""Decoders of TensorFlow 1.0 and what they compute; run by TensorFlow 1.0.1 itself, it prints the expected values.

python tests/contrib/decoder_functions.py > tests/contrib/decoder_functions_101.json
"""

import json

import numpy as np

SYMBOLS, UNITS, BATCH, TIME = 6, 4, 2, 3


def filled(shape, start):
    """The same numbers in every release."""
    count = int(np.prod(shape))
    return (np.sin(np.arange(count) * 0.7 + start) * 0.5).reshape(shape).astype(np.float32)


def decoded(tf, attention, cell):
    """In a graph of its own: see `_decoded`."""
    with tf.Graph().as_default():
        return _decoded(tf, attention, cell)


def _decoded(tf, attention, cell):
    """Trains and infers with one kind of attention (None for none) and one kind of cell."""
    rnn, seq2seq, layers = tf.contrib.rnn, tf.contrib.seq2seq, tf.contrib.layers
    made = rnn.GRUCell(UNITS) if cell == "gru" else rnn.BasicLSTMCell(UNITS)
    parts = [tf.constant(filled([BATCH, UNITS], start)) for start in (1, 2)]
    encoded = parts[0] if cell == "gru" else rnn.LSTMStateTuple(*parts)
    memory = tf.constant(filled([BATCH, 5, UNITS], 3))
    table = tf.constant(filled([SYMBOLS, UNITS], 4))
    inputs = tf.constant(filled([BATCH, TIME, UNITS], 5))
    symbols = {
        "embeddings": table,
        "start_of_sequence_id": 1,
        "end_of_sequence_id": 2,
        "maximum_length": 4,
        "num_decoder_symbols": SYMBOLS,
    }

    def logits(output):
        return layers.linear(output, SYMBOLS, scope="output")

    with tf.variable_scope("decoder") as scope:
        if attention:
            attend = seq2seq.prepare_attention(memory, attention, UNITS)
            train = seq2seq.attention_decoder_fn_train(encoded, *attend)
        else:
            train = seq2seq.simple_decoder_fn_train(encoded)
        outputs, state, context = seq2seq.dynamic_rnn_decoder(
            made, train, inputs=inputs, sequence_length=tf.constant([3, 2]), scope=scope
        )
        loss = tf.reduce_sum(tf.square(logits(outputs)))
        scope.reuse_variables()
        if attention:
            attend = seq2seq.prepare_attention(memory, attention, UNITS, reuse=True)
            infer = seq2seq.attention_decoder_fn_inference(logits, encoded, *attend, **symbols)
        else:
            infer = seq2seq.simple_decoder_fn_inference(logits, encoded, **symbols)
        inferred, _, _ = seq2seq.dynamic_rnn_decoder(made, infer, scope=scope)
    variables = tf.global_variables()
    with tf.Session() as sess:
        for number, variable in enumerate(variables):
            variable.load(filled(variable.get_shape().as_list(), 10 + number), sess)
        gradient = tf.gradients(loss, variables)[0]
        values = sess.run([outputs, state, inferred, gradient])
    return {
        "variables": [[v.op.name, v.get_shape().as_list()] for v in variables],
        "shapes": [str(outputs.get_shape()), str(inferred.get_shape())],
        "context": context,
        "values": [np.round(np.asarray(value, np.float64), 5).tolist() for value in values],
    }


if __name__ == "__main__":
    import tensorflow

    found = {
        f"{attention} {cell}": decoded(tensorflow, attention, cell)
        for attention in (None, "bahdanau", "luong")
        for cell in ("gru", "lstm")
    }
    print(json.dumps(found, indent=1))
