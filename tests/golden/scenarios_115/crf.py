"""tf.contrib.crf: likelihoods, decoding, and the pieces they are made of."""


def _wave(kit, shape, step=0.37, shift=0.0):
    count = 1
    for size in shape:
        count *= size
    values = kit.np.sin(kit.np.arange(count) * step + shift).reshape(shape)
    return values.astype(kit.np.float32)


def _given(tf, kit, time=4, lengths=(4, 2, 1)):
    inputs = tf.constant(_wave(kit, [3, time, 3], 0.9))
    tags = tf.constant((kit.np.arange(3 * time) * 2 % 3).reshape(3, time), tf.int32)
    transitions = tf.constant(_wave(kit, [3, 3], 1.3))
    return inputs, tags, tf.constant(lengths), transitions


def _run(kit, tf, fetches):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return kit.value(sess.run(fetches))


def _likelihood(tf, kit, **how):
    crf = tf.contrib.crf
    inputs, tags, lengths, transitions = _given(tf, kit, **how)
    likelihood, same = crf.crf_log_likelihood(inputs, tags, lengths, transitions)
    slopes = tf.gradients(likelihood, [inputs, transitions])
    decoded, best = crf.crf_decode(inputs, transitions, lengths)
    return {
        "values": _run(kit, tf, [likelihood, same, decoded, best]),
        "slopes": _run(kit, tf, [s for s in slopes if s is not None]),
        "shapes": [each["shape"] for each in kit.static([likelihood, decoded, best])],
    }


def likelihood_and_decoding(tf, kit):
    return _likelihood(tf, kit)


def of_one_step(tf, kit):
    return _likelihood(tf, kit, time=1, lengths=(1, 1, 1))


def of_no_length(tf, kit):
    crf = tf.contrib.crf
    inputs, tags, lengths, transitions = _given(tf, kit, lengths=(4, 0, 3))
    likelihood, _ = crf.crf_log_likelihood(inputs, tags, lengths, transitions)
    return {"values": _run(kit, tf, [likelihood, crf.crf_log_norm(inputs, lengths, transitions)])}


def pieces(tf, kit):
    crf = tf.contrib.crf
    inputs, tags, lengths, transitions = _given(tf, kit)
    allowed = tf.constant((kit.np.arange(36) % 5 > 1).reshape(3, 4, 3))
    return {
        "values": _run(
            kit,
            tf,
            [
                crf.crf_unary_score(tags, lengths, inputs),
                crf.crf_binary_score(tags, lengths, transitions),
                crf.crf_sequence_score(inputs, tags, lengths, transitions),
                crf.crf_multitag_sequence_score(inputs, allowed, lengths, transitions),
                crf.crf_log_norm(inputs, lengths, transitions),
            ],
        )
    }


def unknown_sizes(tf, kit):
    crf = tf.contrib.crf
    inputs, tags, lengths, _ = _given(tf, kit)
    inputs = tf.placeholder_with_default(inputs, [None, None, 3])
    tags = tf.placeholder_with_default(tags, [None, None])
    lengths = tf.placeholder_with_default(tf.cast(lengths, tf.int32), [None])
    likelihood, made = crf.crf_log_likelihood(inputs, tags, lengths)
    with tf.Session() as sess:
        made.load(_wave(kit, [3, 3], 1.3), sess)
        decoded, best = crf.crf_decode(inputs, made, lengths)
        values = kit.value(sess.run([likelihood, decoded, best]))
    return {"values": values, "variable": [made.name, made.get_shape().as_list()]}


def viterbi(tf, kit):
    path, score = tf.contrib.crf.viterbi_decode(_wave(kit, [5, 3], 0.9), _wave(kit, [3, 3], 1.3))
    return {"path": [int(tag) for tag in path], "score": float(score)}
