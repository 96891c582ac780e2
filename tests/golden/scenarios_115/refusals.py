"""What functions and classes of tf.contrib refuse: the class of the error of each wrong call."""


def _told(tf, calls):
    """By the name of a call, the class of its error, or "accepted"."""
    found = {}
    for name, call in calls.items():
        with tf.Graph().as_default():
            try:
                call()
                found[name] = "accepted"
            except Exception as error:  # noqa: BLE001  (its class is what is recorded)
                found[name] = type(error).__name__
    return found


def attention(tf, kit):
    seq2seq = tf.contrib.seq2seq

    def wrapped(mechanisms=1, **more):
        memory = tf.ones([2, 4, 3])
        made = [seq2seq.LuongAttention(4, memory) for _ in range(mechanisms)]
        return seq2seq.AttentionWrapper(
            tf.nn.rnn_cell.GRUCell(4), made[0] if mechanisms == 1 else made, **more
        )

    def dense():
        return tf.layers.Dense(3)

    return _told(
        tf,
        {
            "plain": wrapped,
            "no mechanism": lambda: seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(4), "luong"),
            "a list with none": lambda: seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(4), [3]),
            "no cell": lambda: seq2seq.AttentionWrapper(
                3, seq2seq.LuongAttention(4, tf.ones([2, 4, 3]))
            ),
            "no function": lambda: wrapped(cell_input_fn=3),
            "size and layer": lambda: wrapped(attention_layer_size=3, attention_layer=dense()),
            "two sizes for one": lambda: wrapped(attention_layer_size=[3, 3]),
            "one size for two": lambda: wrapped(2, attention_layer_size=[3]),
            "two sizes for two": lambda: wrapped(2, attention_layer_size=[3, 4]),
            "two layers for one": lambda: wrapped(attention_layer=[dense(), dense()]),
            "one layer for two": lambda: wrapped(2, attention_layer=[dense()]),
            "memory of one dimension": lambda: seq2seq.LuongAttention(4, tf.ones([2])),
            "an odd mode": lambda: seq2seq.monotonic_attention(
                tf.ones([2, 3]), tf.ones([2, 3]), "odd"
            ),
            "a number to tile": lambda: seq2seq.tile_batch(tf.constant(1), 2),
        },
    )


def decoding(tf, kit):
    seq2seq = tf.contrib.seq2seq
    table = kit.np.ones([5, 3], kit.np.float32)

    def training(**more):
        given = {"inputs": tf.ones([2, 4, 3]), "sequence_length": [4, 2]}
        given.update(more)
        return seq2seq.TrainingHelper(**given)

    def beams(**more):
        cell = tf.nn.rnn_cell.GRUCell(4)
        given = {
            "cell": cell,
            "embedding": table,
            "start_tokens": [1, 1],
            "end_token": 2,
            "initial_state": cell.zero_state(6, tf.float32),
            "beam_width": 3,
        }
        given.update(more)
        return seq2seq.BeamSearchDecoder(**given)

    def basic(**more):
        cell = tf.nn.rnn_cell.GRUCell(4)
        given = {
            "cell": cell,
            "helper": training(),
            "initial_state": cell.zero_state(2, tf.float32),
        }
        given.update(more)
        return seq2seq.BasicDecoder(**given)

    return _told(
        tf,
        {
            "lengths of two dimensions": lambda: training(sequence_length=[[4, 2]]),
            "lengths": training,
            "scheduled by a vector": lambda: seq2seq.ScheduledEmbeddingTrainingHelper(
                tf.ones([2, 4, 3]), [4, 2], table, sampling_probability=[0.5, 0.5, 0.5]
            ),
            "scheduled outputs by a matrix": lambda: seq2seq.ScheduledOutputTrainingHelper(
                tf.ones([2, 4, 3]), [4, 2], sampling_probability=[[0.5]]
            ),
            "greedy from a number": lambda: seq2seq.GreedyEmbeddingHelper(table, 1, 2),
            "greedy to a vector": lambda: seq2seq.GreedyEmbeddingHelper(table, [1, 1], [2, 2]),
            "greedy": lambda: seq2seq.GreedyEmbeddingHelper(table, [1, 1], 2),
            "beams": beams,
            "beams from a number": lambda: beams(start_tokens=1),
            "beams to a vector": lambda: beams(end_token=[2, 2]),
            "beams of no cell": lambda: beams(cell=3),
            "beams of no layer": lambda: beams(output_layer=3),
            "basic": basic,
            "basic of no cell": lambda: basic(cell=3),
            "basic of no helper": lambda: basic(helper=3),
            "basic of no layer": lambda: basic(output_layer=3),
            "decode nothing": lambda: seq2seq.dynamic_decode(3),
            "at most a vector": lambda: seq2seq.dynamic_decode(basic(), maximum_iterations=[3, 3]),
            "at most a number": lambda: seq2seq.dynamic_decode(basic(), maximum_iterations=3),
        },
    )


def losses(tf, kit):
    def loss(logits=(2, 4, 3), targets=(2, 4), weights=(2, 4), **more):
        return tf.contrib.seq2seq.sequence_loss(
            tf.ones(logits), tf.ones(targets, tf.int32), tf.ones(weights), **more
        )

    legacy = tf.contrib.legacy_seq2seq
    row = [tf.constant([1, 2])]
    return _told(
        tf,
        {
            "fits": loss,
            "logits of two dimensions": lambda: loss(logits=(8, 3)),
            "targets of one dimension": lambda: loss(targets=(8,)),
            "weights of one dimension": lambda: loss(weights=(8,)),
            "time twice": lambda: loss(sum_over_timesteps=True),
            "batch twice": lambda: loss(sum_over_batch=True),
            "sums": lambda: loss(
                average_across_timesteps=False,
                average_across_batch=False,
                sum_over_timesteps=True,
                sum_over_batch=True,
            ),
            "lists of two lengths": lambda: legacy.sequence_loss_by_example(row * 2, row, row),
            "weights of another length": lambda: legacy.sequence_loss_by_example(row, row, row * 2),
            "too few inputs": lambda: legacy.model_with_buckets(
                row, row, row, row, [(2, 1)], lambda x, y: (x, y)
            ),
            "too few targets": lambda: legacy.model_with_buckets(
                row, row, row, row, [(1, 2)], lambda x, y: (x, y)
            ),
            "attend to nothing": lambda: legacy.attention_decoder(
                [], tf.ones([2, 4]), tf.ones([2, 3, 4]), tf.nn.rnn_cell.GRUCell(4)
            ),
            "attend without a head": lambda: legacy.attention_decoder(
                [tf.ones([2, 4])],
                tf.ones([2, 4]),
                tf.ones([2, 3, 4]),
                tf.nn.rnn_cell.GRUCell(4),
                num_heads=0,
            ),
        },
    )


def sampling(tf, kit):
    training = tf.contrib.training

    def saved(**more):
        given = {
            "batch_size": 2,
            "num_unroll": 2,
            "input_length": 4,
            "input_key": "key",
            "input_sequences": {"x": tf.ones([4, 3])},
            "input_context": {},
            "initial_states": {"s": tf.zeros([2])},
        }
        given.update(more)
        return training.SequenceQueueingStateSaver(**given)

    def rejected(tensors, **more):
        return training.rejection_sample(tensors, lambda given: tf.constant(0.5), 2, **more)

    def stratified(labels=0, targets=(0.5, 0.5), **more):
        return training.stratified_sample(
            [tf.ones([3])], tf.constant(labels), list(targets), 2, **more
        )

    return _told(
        tf,
        {
            "states": saved,
            "no state": lambda: saved(initial_states={}),
            "a list of states": lambda: saved(initial_states=[1]),
            "a number for a state's name": lambda: saved(initial_states={1: tf.zeros([2])}),
            "a colon in a state's name": lambda: saved(initial_states={"s:0": tf.zeros([2])}),
            "less capacity than a batch": lambda: saved(capacity=1),
            "one example": lambda: rejected([tf.constant(1)]),
            "many of no dimension": lambda: rejected([tf.constant(1)], enqueue_many=True),
            "many of two sizes": lambda: rejected([tf.ones([2]), tf.ones([3])], enqueue_many=True),
            "many": lambda: rejected([tf.ones([2]), tf.ones([2])], enqueue_many=True),
            "strata": lambda: stratified(init_probs=[0.5, 0.5]),
            "labels of one dimension": lambda: stratified([0, 1]),
            "labels of many of none": lambda: stratified(0, enqueue_many=True),
            "targets of no dimension": lambda: training.stratified_sample(
                [tf.ones([3])], tf.constant(0), 0.5, 2
            ),
        },
    )


def columns(tf, kit):
    layers = tf.contrib.layers
    real = layers.real_valued_column("x")
    ids = layers.sparse_column_with_integerized_feature("i", 5)
    calls = {
        "boundaries": lambda: layers.bucketized_column(real, [1.0, 2.0]),
        "a tuple of boundaries": lambda: layers.bucketized_column(real, (1.0, 2.0)),
        "no boundary": lambda: layers.bucketized_column(real, []),
        "a number for boundaries": lambda: layers.bucketized_column(real, 3),
        "boundaries out of order": lambda: layers.bucketized_column(real, [2.0, 1.0]),
        "boundaries of ids": lambda: layers.bucketized_column(ids, [1.0]),
        "ids that are floats": lambda: layers.sparse_column_with_integerized_feature(
            "i", 5, dtype=tf.float32
        ),
        "ids that are small": lambda: layers.sparse_column_with_integerized_feature(
            "i", 5, dtype=tf.int32
        ),
        "ids without a bucket": lambda: layers.sparse_column_with_integerized_feature("i", 0),
        "ids in one bucket": lambda: layers.sparse_column_with_integerized_feature("i", 1),
        "hashes of floats": lambda: layers.sparse_column_with_hash_bucket("h", 5, dtype=tf.float32),
        "hashes in one bucket": lambda: layers.sparse_column_with_hash_bucket("h", 1),
        "hashes of numbers": lambda: layers.sparse_column_with_hash_bucket("h", 5, dtype=tf.int64),
        "keys that are floats": lambda: layers.sparse_column_with_keys(
            "k", ["a"], dtype=tf.float32
        ),
        "no dimension": lambda: layers.real_valued_column("r", 0),
        "a word for a dimension": lambda: layers.real_valued_column("r", "two"),
        "defaults of another length": lambda: layers.real_valued_column("r", 2, [1.0]),
        "defaults": lambda: layers.real_valued_column("r", 2, [1.0, 2.0]),
        "a word for a default": lambda: layers.real_valued_column("r", default_value="two"),
        "words": lambda: layers.real_valued_column("r", dtype=tf.string),
        "a normalizer that is none": lambda: layers.real_valued_column("r", normalizer=3),
        "weights that are words": lambda: layers.weighted_sparse_column(ids, "w", tf.string),
        "weights": lambda: layers.weighted_sparse_column(ids, "w", tf.int32),
        "a cross of one": lambda: layers.crossed_column([ids], 10),
        "a cross": lambda: layers.crossed_column([ids, ids], 10),
        "a cross in one bucket": lambda: layers.crossed_column([ids, ids], 1),
        "a cross of numbers": lambda: layers.crossed_column([ids, real], 10),
        "vectors from a number": lambda: layers.embedding_column(ids, 3, initializer=3),
        "vectors from half a checkpoint": lambda: layers.embedding_column(
            ids, 3, ckpt_to_load_from="file"
        ),
        "vectors by an odd rule": lambda: layers.embedding_column(ids, 3, combiner="odd"),
        "vectors of no column": lambda: layers.embedding_column(None, 3),
    }
    return _told(tf, calls)


def cells(tf, kit):
    rnn = tf.contrib.rnn

    def of_any_width():
        return tf.placeholder(tf.float32, [2, None])

    def stacked(**more):
        given = {
            "cells_fw": [tf.nn.rnn_cell.GRUCell(4)],
            "cells_bw": [tf.nn.rnn_cell.GRUCell(4)],
            "inputs": tf.ones([2, 3, 4]),
            "dtype": tf.float32,
        }
        given.update(more)
        return rnn.stack_bidirectional_dynamic_rnn(**given)

    def run(cell, inputs=None):
        inputs = tf.ones([2, 3]) if inputs is None else inputs
        return cell(inputs, cell.zero_state(2, tf.float32))

    return _told(
        tf,
        {
            "no inputs": lambda: rnn.static_rnn(tf.nn.rnn_cell.GRUCell(4), []),
            "inputs that are no list": lambda: rnn.static_rnn(
                tf.nn.rnn_cell.GRUCell(4), tf.ones([2, 3])
            ),
            "neither state nor type": lambda: rnn.static_rnn(
                tf.nn.rnn_cell.GRUCell(4), [tf.ones([2, 3])]
            ),
            "nas of any width": lambda: run(rnn.NASCell(4), of_any_width()),
            "nas": lambda: run(rnn.NASCell(4)),
            "a block of any width": lambda: run(rnn.LSTMBlockCell(4), of_any_width()),
            "a block": lambda: run(rnn.LSTMBlockCell(4)),
            "ugrnn of any width": lambda: run(rnn.UGRNNCell(4), of_any_width()),
            "a highway of another width": lambda: run(
                rnn.HighwayWrapper(tf.nn.rnn_cell.GRUCell(4)), tf.ones([2, 3])
            ),
            "a highway": lambda: run(
                rnn.HighwayWrapper(tf.nn.rnn_cell.GRUCell(3)), tf.ones([2, 3])
            ),
            "attention to no step": lambda: rnn.AttentionCellWrapper(tf.nn.rnn_cell.GRUCell(4), 0),
            "stacked": stacked,
            "stacked without a cell": lambda: stacked(cells_fw=[]),
            "stacked of two depths": lambda: stacked(cells_bw=[tf.nn.rnn_cell.GRUCell(4)] * 2),
            "stacked of no list": lambda: stacked(cells_fw=tf.nn.rnn_cell.GRUCell(4)),
            "stacked from too few states": lambda: stacked(initial_states_fw=[]),
        },
    )


def parameters(tf, kit):
    training = tf.contrib.training

    def made():
        return training.HParams(a=1, b=0.5, words=["x"], on=False)

    return _told(
        tf,
        {
            "a name twice": lambda: made().add_hparam("a", 2),
            "an empty list": lambda: training.HParams(nothing=[]),
            "another type": lambda: made().set_hparam("a", "word"),
            "a float for a number": lambda: made().set_hparam("a", 1.5),
            "a number for a float": lambda: made().set_hparam("b", 2),
            "a number for a switch": lambda: made().set_hparam("on", 2),
            "a list for a number": lambda: made().set_hparam("a", [1]),
            "a number for a list": lambda: made().set_hparam("words", "y"),
            "parse another name": lambda: made().parse("c=1"),
            "parse a word": lambda: made().parse("a=word"),
            "parse a name twice": lambda: made().parse("a=1,a=2"),
            "parse no value": lambda: made().parse("a"),
            "parse": lambda: made().parse("a=2,b=3,words=[p,q],on=true"),
            "delete": lambda: made().del_hparam("a"),
            "a method's name": lambda: training.HParams(parse=1),
            "export of a function": lambda: tf.contrib.learn.ExportStrategy(
                "name", lambda estimator, path, eval_result: None, None
            ).export(None, "path"),
            "export by path": lambda: tf.contrib.learn.ExportStrategy(
                "name", lambda estimator, path: None, None
            ).export(None, "path"),
            "export by all": lambda: tf.contrib.learn.ExportStrategy(
                "name", lambda estimator, path, checkpoint_path, eval_result: None, None
            ).export(None, "path"),
        },
    )
