"""tf.contrib.seq2seq: attention, decoding while training and after it, beam search, its losses."""


def _wave(kit, shape, step=0.37, shift=0.0):
    count = 1
    for size in shape:
        count *= size
    values = kit.np.sin(kit.np.arange(count) * step + shift).reshape(shape)
    return values.astype(kit.np.float32)


def _filled(tf, kit, sess):
    """Gives every variable values of its own, and says which there are."""
    found = sorted(tf.global_variables(), key=lambda variable: variable.name)
    for number, variable in enumerate(found):
        shape = variable.get_shape().as_list()
        variable.load(
            _wave(kit, shape, 0.7, number) if shape else kit.np.float32(0.5 + number), sess
        )
    return [[variable.name, variable.get_shape().as_list()] for variable in found]


def _ran(tf, kit, fetches, loss=None):
    """The variables, the values, and the gradient of each variable."""
    gradients = []
    if loss is not None:
        found = sorted(tf.trainable_variables(), key=lambda variable: variable.name)
        slopes = [each for each in tf.gradients(loss, found) if each is not None]
        gradients = [tf.convert_to_tensor(each) for each in slopes]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        names = _filled(tf, kit, sess)
        values, slopes = sess.run([fetches, gradients])
    return {
        "variables": names,
        "values": kit.value(_plain(values)),
        "gradients": kit.value([kit.np.float32(kit.np.sum(each)) for each in slopes]),
    }


def _plain(value):
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def _mechanism(tf, kit, name, **more):
    seq2seq = tf.contrib.seq2seq
    memory = tf.constant(_wave(kit, [2, 4, 3]))
    lengths = tf.constant([4, 2])
    with tf.variable_scope("m"):
        mechanism = getattr(seq2seq, name)(3, memory, memory_sequence_length=lengths, **more)
        query = tf.constant(_wave(kit, [2, 3], 0.9))
        state = mechanism.initial_state(2, tf.float32)
        first, state = mechanism(query, state)
        with tf.variable_scope(tf.get_variable_scope(), reuse=tf.AUTO_REUSE):
            second, _ = mechanism(query * 2, state)
    return _ran(tf, kit, [mechanism.keys, first, second], tf.reduce_sum(tf.square(first)))


def bahdanau(tf, kit):
    return _mechanism(tf, kit, "BahdanauAttention")


def bahdanau_normalized(tf, kit):
    return _mechanism(tf, kit, "BahdanauAttention", normalize=True)


def bahdanau_hardmax(tf, kit):
    return _mechanism(
        tf,
        kit,
        "BahdanauAttention",
        probability_fn=tf.contrib.seq2seq.hardmax,
        score_mask_value=-9.0,
    )


def luong(tf, kit):
    return _mechanism(tf, kit, "LuongAttention")


def luong_scaled(tf, kit):
    return _mechanism(tf, kit, "LuongAttention", scale=True)


def bahdanau_monotonic(tf, kit):
    return _mechanism(tf, kit, "BahdanauMonotonicAttention", score_bias_init=-1.0)


def bahdanau_monotonic_recursive(tf, kit):
    return _mechanism(tf, kit, "BahdanauMonotonicAttention", mode="recursive", normalize=True)


def luong_monotonic_hard(tf, kit):
    return _mechanism(tf, kit, "LuongMonotonicAttention", mode="hard", scale=True)


def _cell(tf, kit, cell, lengths=None, mechanisms=("BahdanauAttention",), copies=1, **more):
    seq2seq = tf.contrib.seq2seq
    memory = tf.constant(_wave(kit, [2, 4, 3]))
    if more.pop("of_any_length", False):
        memory = tf.placeholder_with_default(memory, [2, None, 3])
    if copies > 1:
        memory = seq2seq.tile_batch(memory, copies)
        lengths = None if lengths is None else seq2seq.tile_batch(lengths, copies)
    made = [
        getattr(seq2seq, name)(4, memory, memory_sequence_length=lengths) for name in mechanisms
    ]
    return seq2seq.AttentionWrapper(cell, made if len(made) > 1 else made[0], **more)


def _trained(tf, kit, cell, time_major=False, layer=True, helper=None, **how):
    seq2seq = tf.contrib.seq2seq
    inputs = _wave(kit, [2, 5, 3], 0.21)
    if time_major:
        inputs = inputs.transpose([1, 0, 2])
    lengths = tf.constant([5, 3])
    helper = helper or seq2seq.TrainingHelper(tf.constant(inputs), lengths, time_major=time_major)
    output_layer = tf.layers.Dense(6, use_bias=False) if layer else None
    state = cell.zero_state(2, tf.float32)
    decoder = seq2seq.BasicDecoder(cell, helper, state, output_layer)
    outputs, state, got = seq2seq.dynamic_decode(decoder, output_time_major=time_major, **how)
    static = kit.static([outputs.rnn_output, outputs.sample_id, got])
    facts = _ran(
        tf, kit, [outputs.rnn_output, outputs.sample_id, got], tf.reduce_sum(outputs.rnn_output)
    )
    facts["shapes"] = [each["shape"] for each in static]
    facts["output_size"] = str(decoder.output_size)
    return facts


def training(tf, kit):
    return _trained(tf, kit, tf.nn.rnn_cell.LSTMCell(4))


def training_imputed(tf, kit):
    return _trained(tf, kit, tf.nn.rnn_cell.GRUCell(4), impute_finished=True)


def training_time_major(tf, kit):
    return _trained(tf, kit, tf.nn.rnn_cell.GRUCell(4), time_major=True, layer=False)


def training_few_steps(tf, kit):
    return _trained(tf, kit, tf.nn.rnn_cell.BasicRNNCell(4), maximum_iterations=2)


def training_attention(tf, kit):
    cell = _cell(tf, kit, tf.nn.rnn_cell.LSTMCell(4), tf.constant([4, 2]), attention_layer_size=5)
    return _trained(tf, kit, cell)


def training_attention_context(tf, kit):
    cell = _cell(tf, kit, tf.nn.rnn_cell.GRUCell(4), output_attention=False)
    return _trained(tf, kit, cell)


def training_two_attentions(tf, kit):
    cell = _cell(
        tf,
        kit,
        tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(4), tf.nn.rnn_cell.GRUCell(4)]),
        mechanisms=("BahdanauAttention", "LuongAttention"),
        attention_layer_size=[3, 2],
        alignment_history=True,
    )
    return _trained(tf, kit, cell, impute_finished=True)


def training_input_fn(tf, kit):
    cell = _cell(
        tf,
        kit,
        tf.nn.rnn_cell.GRUCell(4),
        attention_layer_size=3,
        cell_input_fn=lambda inputs, attention: inputs + attention,
    )
    return _trained(tf, kit, cell)


def _scheduled_output(tf, kit, probability):
    helper = tf.contrib.seq2seq.ScheduledOutputTrainingHelper(
        tf.constant(_wave(kit, [2, 5, 3], 0.21)),
        [5, 3],
        probability,
        next_inputs_fn=lambda out: out[:, :3] * 0.5,
        auxiliary_inputs=tf.constant(_wave(kit, [2, 5, 1])),
    )
    facts = _trained(tf, kit, tf.nn.rnn_cell.GRUCell(4), helper=helper)
    del facts["shapes"]  # that of the samples is better known today
    return facts


def scheduled_output_always(tf, kit):
    return _scheduled_output(tf, kit, 1.0)


def scheduled_output_never(tf, kit):
    return _scheduled_output(tf, kit, 0.0)


def scheduled_embedding_never(tf, kit):
    helper = tf.contrib.seq2seq.ScheduledEmbeddingTrainingHelper(
        tf.constant(_wave(kit, [2, 5, 3], 0.21)),
        [5, 3],
        tf.constant(_wave(kit, [6, 3], 0.11)),
        0.0,
    )
    facts = _trained(tf, kit, tf.nn.rnn_cell.GRUCell(4), helper=helper)
    del facts["shapes"]
    return facts


def _greedy(tf, kit, cell, **how):
    seq2seq = tf.contrib.seq2seq
    embedding = tf.constant(_wave(kit, [6, 3], 0.9))
    helper = seq2seq.GreedyEmbeddingHelper(embedding, tf.constant([1, 2]), 0)
    decoder = seq2seq.BasicDecoder(
        cell, helper, cell.zero_state(2, tf.float32), tf.layers.Dense(6, name="symbols")
    )
    outputs, state, got = seq2seq.dynamic_decode(decoder, maximum_iterations=7, **how)
    return outputs, state, got


def greedy(tf, kit):
    outputs, state, got = _greedy(tf, kit, tf.nn.rnn_cell.LSTMCell(4))
    return _ran(tf, kit, [outputs.rnn_output, outputs.sample_id, got, state])


def greedy_attention_history(tf, kit):
    cell = _cell(tf, kit, tf.nn.rnn_cell.GRUCell(4), attention_layer_size=4, alignment_history=True)
    outputs, state, got = _greedy(tf, kit, cell, impute_finished=True)
    return _ran(
        tf,
        kit,
        [outputs.sample_id, got, state.alignment_history.stack(), state.alignments, state.time],
    )


def inference_and_custom(tf, kit):
    seq2seq = tf.contrib.seq2seq
    start = tf.constant(_wave(kit, [2, 4]))
    facts = {}
    inference = seq2seq.InferenceHelper(
        sample_fn=lambda outputs: outputs,
        sample_shape=[4],
        sample_dtype=tf.float32,
        start_inputs=start,
        end_fn=lambda sample: tf.reduce_sum(sample, 1) > 0.9,
    )
    custom = seq2seq.CustomHelper(
        initialize_fn=lambda: (tf.constant([False, False]), start),
        sample_fn=lambda time, outputs, state: tf.fill([2], time),
        next_inputs_fn=lambda time, outputs, state, sample_ids: (
            tf.constant([False, True]),
            outputs * 0.5,
            state,
        ),
    )
    for name, helper in (("inference", inference), ("custom", custom)):
        with tf.variable_scope(name):
            cell = tf.nn.rnn_cell.GRUCell(4)
            decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32))
            outputs, _, got = seq2seq.dynamic_decode(decoder, maximum_iterations=4)
            facts[name] = [outputs.rnn_output, outputs.sample_id, got]
    return _ran(tf, kit, [facts["inference"], facts["custom"]])


def _beam(tf, kit, cell, width=3, steps=6, **more):
    seq2seq = tf.contrib.seq2seq
    embedding = tf.constant(_wave(kit, [6, 3], 0.9))
    state = cell.zero_state(2 * width, tf.float32)
    decoder = seq2seq.BeamSearchDecoder(
        cell,
        embedding,
        tf.constant([1, 2]),
        0,
        state,
        width,
        tf.layers.Dense(6, name="symbols"),
        **more,
    )
    outputs, state, got = seq2seq.dynamic_decode(decoder, maximum_iterations=steps)
    inner = outputs.beam_search_decoder_output
    fetches = [outputs.predicted_ids, inner.scores, inner.predicted_ids, inner.parent_ids, got]
    fetches += [state.log_probs, state.lengths, state.finished]
    shapes = [each["shape"] for each in kit.static(fetches)]
    return fetches, state, shapes


def beam(tf, kit):
    fetches, _, shapes = _beam(tf, kit, tf.nn.rnn_cell.LSTMCell(4))
    facts = _ran(tf, kit, fetches)
    facts["shapes"] = shapes
    return facts


def beam_length_penalty(tf, kit):
    fetches, _, _ = _beam(tf, kit, tf.nn.rnn_cell.GRUCell(4), 4, 8, length_penalty_weight=0.7)
    return _ran(tf, kit, fetches)


def beam_of_one(tf, kit):
    return _ran(tf, kit, _beam(tf, kit, tf.nn.rnn_cell.GRUCell(4), 1)[0])


def beam_attention_history(tf, kit):
    cell = _cell(
        tf,
        kit,
        tf.nn.rnn_cell.GRUCell(4),
        tf.constant([4, 3]),
        copies=3,
        attention_layer_size=4,
        alignment_history=True,
    )
    fetches, state, _ = _beam(tf, kit, cell)
    return _ran(tf, kit, fetches + [state.cell_state.alignment_history.stack()])


def beam_attention_history_in_order(tf, kit):
    cell = _cell(
        tf,
        kit,
        tf.nn.rnn_cell.GRUCell(4),
        tf.constant([4, 3]),
        copies=3,
        attention_layer_size=4,
        alignment_history=True,
        of_any_length=True,
    )
    fetches, state, _ = _beam(tf, kit, cell)
    return _ran(tf, kit, fetches + [state.cell_state.alignment_history])


def beam_coverage_penalty(tf, kit):
    cell = _cell(tf, kit, tf.nn.rnn_cell.GRUCell(4), copies=3, attention_layer_size=4)
    return _ran(tf, kit, _beam(tf, kit, cell, coverage_penalty_weight=0.3)[0])


def trees_and_tiles(tf, kit):
    seq2seq = tf.contrib.seq2seq
    ids = kit.np.array([[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]], [[3, 10, 2]]], kit.np.int32)
    parents = kit.np.array([[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]], [[1, 0, 2]]], kit.np.int32)
    tile = seq2seq.tile_batch((tf.constant([[1, 2], [3, 4]]), tf.constant([5, 6])), 3)
    fetches = [seq2seq.gather_tree(ids, parents, [length], end_token=10) for length in (4, 3, 2, 9)]
    return _ran(
        tf,
        kit,
        fetches
        + list(tile)
        + [
            seq2seq.hardmax([[1.0, 3.0, 2.0], [5.0, 4.0, 5.0]]),
            seq2seq.safe_cumprod([[0.5, 0.0, 0.25], [1.0, 0.1, 0.9]], axis=1, exclusive=True),
        ],
    )


def refused(tf, kit):
    seq2seq = tf.contrib.seq2seq
    cell = tf.nn.rnn_cell.GRUCell(4)
    memory = tf.constant(_wave(kit, [2, 4, 3]))
    mechanism = seq2seq.LuongAttention(3, memory)
    helper = seq2seq.TrainingHelper(memory, [4, 4])
    wrapper = seq2seq.AttentionWrapper
    return {
        "no mechanism": kit.error(wrapper, cell, "attention"),
        "sizes": kit.error(wrapper, cell, [mechanism], attention_layer_size=[1, 2]),
        "input": kit.error(wrapper, cell, mechanism, cell_input_fn=3),
        "helper": kit.error(seq2seq.BasicDecoder, cell, "helper", cell.zero_state(2, tf.float32)),
        "cell": kit.error(seq2seq.BasicDecoder, 3, helper, cell.zero_state(2, tf.float32)),
        "decoder": kit.error(seq2seq.dynamic_decode, "decoder"),
        "start": kit.error(seq2seq.GreedyEmbeddingHelper, memory, 1, 0),
        "end": kit.error(seq2seq.GreedyEmbeddingHelper, memory, [1], [0]),
        "length": kit.error(seq2seq.TrainingHelper, memory, 4),
        "depth": kit.error(mechanism, tf.zeros([2, 9]), mechanism.initial_state(2, tf.float32)),
        "memory": kit.error(seq2seq.LuongAttention, 3, tf.placeholder(tf.float32, [2, 4, None])),
        "beam": kit.error(
            seq2seq.BeamSearchDecoder, cell, memory, [[1]], 0, cell.zero_state(2, tf.float32), 2
        ),
    }


def _symbols(tf, kit, count, shift=0):
    rows = [[(row * 3 + step + shift) % 5 for row in range(2)] for step in range(count)]
    return [tf.constant(each, tf.int32) for each in rows]


def _legacy(tf, kit, name, cell, **how):
    model = getattr(tf.contrib.legacy_seq2seq, name)
    sizes = [5, 4] if name == "embedding_tied_rnn_seq2seq" else [5, 6, 4]
    with tf.variable_scope("model"):
        outputs, state = model(
            _symbols(tf, kit, 4),
            _symbols(tf, kit, 3, 1),
            cell,
            *sizes,
            **dict(how, dtype=tf.float32),
        )
    return _ran(tf, kit, [outputs, state], tf.reduce_sum(tf.square(tf.stack(outputs))))


def legacy_embedding(tf, kit):
    return _legacy(tf, kit, "embedding_rnn_seq2seq", tf.nn.rnn_cell.GRUCell(3))


def legacy_embedding_fed(tf, kit):
    cell = tf.nn.rnn_cell.GRUCell(3)
    return _legacy(tf, kit, "embedding_rnn_seq2seq", cell, feed_previous=True)


def legacy_tied(tf, kit):
    return _legacy(tf, kit, "embedding_tied_rnn_seq2seq", tf.nn.rnn_cell.GRUCell(3))


def legacy_attention(tf, kit):
    return _legacy(tf, kit, "embedding_attention_seq2seq", tf.nn.rnn_cell.GRUCell(3))


def legacy_attention_of_lstm(tf, kit):
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    return _legacy(
        tf, kit, "embedding_attention_seq2seq", cell, num_heads=2, initial_state_attention=True
    )


def legacy_attention_fed(tf, kit):
    cell = tf.nn.rnn_cell.GRUCell(3)
    weights = tf.constant(_wave(kit, [3, 6])), tf.constant(_wave(kit, [6]))
    return _legacy(
        tf,
        kit,
        "embedding_attention_seq2seq",
        cell,
        feed_previous=True,
        output_projection=weights,
    )


def legacy_attention_fed_by_a_tensor(tf, kit):
    fed = tf.placeholder_with_default(True, [])
    cell = tf.nn.rnn_cell.GRUCell(3)
    return _legacy(tf, kit, "embedding_attention_seq2seq", cell, feed_previous=fed)
