# ruff: noqa: B905
"""batch, batch_join, shuffle_batch, shuffle_batch_join and their maybe_ forms."""


def _source(tf, kit, count=7, epochs=1):
    """One number and its square, in order."""
    numbers = list(range(count))
    return tf.train.slice_input_producer(
        [numbers, [float(n * n) for n in numbers]], num_epochs=epochs, shuffle=False
    )


def _facts(tf, kit, batch, limit=100, ordered=True):
    graph, static = kit.graph(), kit.static(batch)
    values, facts = kit.steps(batch, limit)
    facts.update(graph=graph, static=static)
    if ordered:
        facts["values"] = kit.value(values)
    else:  # which elements came, and whether those of one example stayed together
        pairs = [pair for step in values for pair in zip(*[part.tolist() for part in step])]
        facts["pairs"] = sorted(pairs)
        facts["sizes"] = [len(step[0]) for step in values]
    return facts


def batch_in_order(tf, kit):
    return _facts(tf, kit, tf.train.batch(_source(tf, kit), 3))


def batch_with_a_smaller_last(tf, kit):
    return _facts(tf, kit, tf.train.batch(_source(tf, kit), 3, allow_smaller_final_batch=True))


def batch_over_epochs(tf, kit):
    return _facts(tf, kit, tf.train.batch(_source(tf, kit, 4, 2), 3, capacity=5, name="pairs"))


def batch_for_ever(tf, kit):
    return _facts(tf, kit, tf.train.batch(_source(tf, kit, 4, None), 3), limit=4)


def batch_of_a_dict(tf, kit):
    number, square = _source(tf, kit, 4)
    return _facts(tf, kit, tf.train.batch({"number": number, "square": square}, 2))


def batch_of_one_tensor(tf, kit):
    number, _ = _source(tf, kit, 4)
    return _facts(tf, kit, tf.train.batch([number], batch_size=2))


def batch_many_threads(tf, kit):
    batch = tf.train.batch(_source(tf, kit), 2, num_threads=3, allow_smaller_final_batch=True)
    return _facts(tf, kit, batch, ordered=False)


def batch_enqueue_many(tf, kit):
    rows = tf.train.input_producer([[1, 2], [3, 4], [5, 6]], num_epochs=1, shuffle=False)
    chunk = tf.reshape(rows.dequeue(), [2])
    return _facts(tf, kit, tf.train.batch([chunk, chunk * 10], 4, enqueue_many=True))


def batch_dynamic_pad(tf, kit):
    number, _ = _source(tf, kit, 6)
    ragged = tf.fill([number % 3 + 1], number)
    table = tf.fill([2, number % 2], "x")
    return _facts(tf, kit, tf.train.batch([number, ragged, table], 3, dynamic_pad=True))


def batch_of_unshaped_with_shapes(tf, kit):
    number, _ = _source(tf, kit, 4)
    unshaped = tf.placeholder_with_default([1, 2], None)
    batch = tf.train.batch([number, unshaped], 2, shapes=[[], [2]])
    return _facts(tf, kit, batch)


def batch_of_a_sparse_tensor(tf, kit):
    number, _ = _source(tf, kit, 4)
    count = tf.cast(number % 3, tf.int64)
    sparse = tf.SparseTensor(
        tf.expand_dims(tf.range(count), 1), tf.fill([count], number), [tf.constant(3, tf.int64)]
    )
    return _facts(tf, kit, tf.train.batch([number, sparse], 2))


def batch_shared_and_named(tf, kit):
    batch = tf.train.batch(_source(tf, kit, 4), 2, shared_name="shared", name="input/pairs")
    return _facts(tf, kit, batch)


def batch_size_in_a_tensor(tf, kit):
    size = tf.placeholder_with_default(2, [])
    batch = tf.train.batch(_source(tf, kit, 5), size, allow_smaller_final_batch=True)
    return _facts(tf, kit, batch)


def batch_kept_by_a_condition(tf, kit):
    number, square = _source(tf, kit)
    batch = tf.train.maybe_batch([number, square], number % 2 > 0, 2)
    return _facts(tf, kit, batch)


def batch_kept_by_a_constant(tf, kit):
    return _facts(tf, kit, tf.train.maybe_batch(_source(tf, kit, 4), True, 2))


def batch_kept_rows(tf, kit):
    rows = tf.constant([[1, 2, 3], [4, 5, 6]])
    row = tf.train.slice_input_producer([rows], num_epochs=1, shuffle=False)[0]
    batch = tf.train.maybe_batch([row], tf.not_equal(row, 2), 2, enqueue_many=True)
    return _facts(tf, kit, batch)


def batch_join_of_two_files(tf, kit):
    lists = []
    for name in ("a.txt", "b.txt"):
        queue = tf.train.string_input_producer([kit.file(name)], 1)
        _, line = tf.TextLineReader().read(queue)
        lists.append([line, tf.constant(name)])
    batch = tf.train.batch_join(lists, 4, capacity=9, allow_smaller_final_batch=True)
    graph, static = kit.graph(), kit.static(batch)
    values, facts = kit.steps(batch)
    lines = sorted(kit.value(pair) for step in values for pair in zip(*[x.tolist() for x in step]))
    facts.update(graph=graph, static=static, lines=lines, sizes=[len(step[0]) for step in values])
    return facts


def batch_join_of_one(tf, kit):
    return _facts(tf, kit, tf.train.batch_join([_source(tf, kit, 4)], 2, name="joined"))


def batch_join_of_dicts(tf, kit):
    number, square = _source(tf, kit, 4)
    batch = tf.train.batch_join([{"n": number, "s": square}], 2)
    return _facts(tf, kit, batch)


def batch_join_shapes_are_merged(tf, kit):
    lists = [[tf.zeros([2, 3])], [tf.placeholder_with_default(kit.np.ones([2, 4], "f"), [2, None])]]
    return {
        "dynamic_pad": kit.static(tf.train.batch_join(lists, 2, dynamic_pad=True)),
        "without": kit.error(tf.train.batch_join, lists, 2),
    }


def batch_join_kept_by_conditions(tf, kit):
    number, square = _source(tf, kit, 6)
    batch = tf.train.maybe_batch_join([[number, square]], number > 1, 2)
    return _facts(tf, kit, batch)


def shuffled(tf, kit):
    batch = tf.train.shuffle_batch(_source(tf, kit, 8), 2, 32, 4, seed=1)
    return _facts(tf, kit, batch, ordered=False)


def shuffled_leaves_out_a_rest(tf, kit):
    facts = _facts(tf, kit, tf.train.shuffle_batch(_source(tf, kit), 2, 32, 4), ordered=False)
    pairs = facts.pop("pairs")  # which one is left out is not defined
    facts["each once"] = len(set(pairs)) == len(pairs)
    facts["of the source"] = all(square == n * n and n < 7 for n, square in pairs)
    return facts


def shuffled_with_a_smaller_last(tf, kit):
    batch = tf.train.shuffle_batch(
        _source(tf, kit), 2, capacity=10, min_after_dequeue=3, allow_smaller_final_batch=True
    )
    return _facts(tf, kit, batch, ordered=False)


def shuffled_many_threads(tf, kit):
    batch = tf.train.shuffle_batch(
        _source(tf, kit, 9, 2), 3, 50, 5, num_threads=2, name="mixed", shared_name="m"
    )
    return _facts(tf, kit, batch, ordered=False)


def shuffled_enqueue_many(tf, kit):
    numbers = tf.train.limit_epochs(tf.constant([1, 2, 3, 4]), 2)
    batch = tf.train.shuffle_batch([numbers, numbers * 2], 4, 20, 1, enqueue_many=True)
    return _facts(tf, kit, batch, ordered=False)


def shuffled_dict(tf, kit):
    number, square = _source(tf, kit, 4)
    batch = tf.train.shuffle_batch({"n": number, "s": square}, 2, 10, 2)
    graph, static = kit.graph(), kit.static(batch)
    values, facts = kit.steps(batch)
    numbers = sorted(number for step in values for number in step["n"].tolist())
    facts.update(graph=graph, static=static, numbers=numbers)
    return facts


def shuffled_textbook_numbers(tf, kit):
    numbers = tf.train.range_input_producer(384, 1, shuffle=False).dequeue()
    batch = tf.train.shuffle_batch([numbers, numbers + 1], 128, 2000, 1000)
    return _facts(tf, kit, batch, ordered=False)


def shuffled_kept_by_a_condition(tf, kit):
    number, square = _source(tf, kit)
    batch = tf.train.maybe_shuffle_batch([number, square], 2, 20, 1, number < 4)
    return _facts(tf, kit, batch, ordered=False)


def shuffled_join(tf, kit):
    lists = [_source(tf, kit, 4), _source(tf, kit, 3)]
    batch = tf.train.shuffle_batch_join(lists, 2, 20, 3, allow_smaller_final_batch=True)
    return _facts(tf, kit, batch, ordered=False)


def shuffled_join_named_with_seed(tf, kit):
    batch = tf.train.shuffle_batch_join([_source(tf, kit, 4)], 2, 20, 3, seed=1, name="mixed")
    return _facts(tf, kit, batch, ordered=False)


def shuffled_join_kept_by_conditions(tf, kit):
    number, square = _source(tf, kit, 6)
    batch = tf.train.maybe_shuffle_batch_join([[number, square]], 2, 20, 1, number > 1)
    return _facts(tf, kit, batch, ordered=False)


def names_of_many_in_one_graph(tf, kit):
    train = tf.train
    with tf.name_scope("input"):
        made = [
            train.batch([tf.constant(1)], 2),
            train.batch([tf.constant(1)], 2),
            train.batch([tf.constant(1)], 2, dynamic_pad=True),
            train.batch_join([[tf.constant(1)]], 2),
            train.shuffle_batch([tf.constant(1)], 2, 9, 3),
            train.shuffle_batch([tf.constant(1)], 2, 32, 16, allow_smaller_final_batch=True),
            train.shuffle_batch_join([[tf.constant(1)]], 2, 9, 3),
            train.maybe_batch([tf.constant(1)], True, 2),
            train.maybe_batch_join([[tf.constant(1)]], True, 2),
            train.maybe_shuffle_batch([tf.constant(1)], 2, 9, 3, True),
            train.maybe_shuffle_batch_join([[tf.constant(1)]], 2, 9, 3, True),
        ]
    return {"static": [kit.static(each) for each in made], "graph": kit.graph()}


def building_errors(tf, kit):
    train = tf.train
    one = tf.constant(1)
    unshaped = tf.placeholder(tf.float32)
    ragged = tf.placeholder(tf.float32, [None, 3])
    return {
        "empty list": kit.error(train.batch, [], 2),
        "empty dict": kit.error(train.batch, {}, 2),
        "empty join": kit.error(train.batch_join, [], 2),
        "unknown shape": kit.error(train.batch, [unshaped], 2),
        "unknown shape, shuffled": kit.error(train.shuffle_batch, [unshaped], 2, 10, 5),
        "unknown shape, dynamic_pad": kit.error(train.batch, [unshaped], 2, dynamic_pad=True),
        "unknown dimension": kit.error(train.batch, [ragged], 2),
        "unknown dimension, dynamic_pad": kit.error(train.batch, [ragged], 2, dynamic_pad=True),
        "enqueue_many of scalars": kit.error(train.batch, [one], 2, enqueue_many=True),
        "enqueue_many of different lengths": kit.error(
            train.batch, [[1, 2], [1, 2, 3]], 2, enqueue_many=True
        ),
        "threads zero": kit.error(train.batch, [one], 2, num_threads=0),
        "shapes that do not fit": kit.error(train.batch, [tf.zeros([3])], 2, shapes=[[2]]),
        "too many shapes": kit.error(train.batch, [one], 2, shapes=[[], []]),
        "capacity below min": kit.error(train.shuffle_batch, [one], 2, 5, 10),
        "capacity equals min": kit.error(train.shuffle_batch, [one], 2, 5, 5),
        "capacity missing": kit.error(train.shuffle_batch, [one], 2),
        "join of different lengths": kit.error(train.batch_join, [[one], [one, one]], 2),
        "join of different dtypes": kit.error(train.batch_join, [[one], [tf.constant("a")]], 2),
        "join of different shapes": kit.error(
            train.shuffle_batch_join, [[tf.zeros([2])], [tf.zeros([3])]], 2, 10, 3
        ),
        "join of dicts with other keys": kit.error(train.batch_join, [{"a": one}, {"b": one}], 2),
        "keep of rank 1": kit.error(train.maybe_batch, [one], [True, False], 2),
        "batch_size zero": kit.error(train.batch, [one], 0),
        "batch_size negative": kit.error(train.batch, [one], -1),
    }


def wrong_element_at_run_time(tf, kit):
    number, _ = _source(tf, kit, 4)
    image = tf.fill([number + 1], 1)
    image.set_shape([2])
    values, facts = kit.steps(tf.train.batch([image], 1))
    facts["values"] = kit.value(values)
    return facts


def a_bad_record_in_the_middle(tf, kit):
    queue = tf.train.string_input_producer([kit.file("flipped_payload.tfrecord")], 1)
    _, record = tf.TFRecordReader().read(queue)
    parsed = tf.parse_single_example(record, {"id": tf.FixedLenFeature([], tf.int64)})
    values, facts = kit.steps(tf.train.batch([parsed["id"]], 1))
    facts["values"] = kit.value(values)
    return facts


def a_missing_file_in_the_middle(tf, kit):
    names = [kit.file("a.txt"), kit.file("no such file"), kit.file("b.txt")]
    _, line = tf.TextLineReader().read(tf.train.string_input_producer(names, 1, shuffle=False))
    values, facts = kit.steps(tf.train.batch([line], 1))
    facts["values"] = kit.value(values)
    return facts


def a_missing_feature_through_the_queues(tf, kit):
    queue = tf.train.string_input_producer([kit.file("example.tfrecord")], 1)
    _, record = tf.TFRecordReader().read(queue)
    parsed = tf.parse_single_example(record, {"maybe": tf.FixedLenFeature([], tf.float32)})
    _, facts = kit.steps(tf.train.shuffle_batch([parsed["maybe"]], 1, 10, 1))
    return facts


def without_epochs_initialiser(tf, kit):
    values, facts = kit.steps(tf.train.batch(_source(tf, kit), 2), init_local=False)
    facts["values"] = kit.value(values)
    return facts


def records_through_the_textbook_pipeline(tf, kit):
    queue = tf.train.string_input_producer([kit.file("example.tfrecord")], 2)
    _, record = tf.TFRecordReader().read(queue)
    features = tf.parse_single_example(
        record,
        {"id": tf.FixedLenFeature([], tf.int64), "image": tf.FixedLenFeature([], tf.string)},
    )
    image = tf.decode_raw(features["image"], tf.uint8)
    image.set_shape([12])
    image = tf.cast(image, tf.float32) * (1.0 / 255) - 0.5
    return _facts(tf, kit, tf.train.batch([image, features["id"]], 4))


def sequences_padded(tf, kit):
    queue = tf.train.string_input_producer([kit.file("sequence.tfrecord")], 1)
    _, record = tf.TFRecordReader().read(queue)
    context, lists = tf.parse_single_sequence_example(
        record,
        {"length": tf.FixedLenFeature([], tf.int64)},
        {
            "tokens": tf.FixedLenSequenceFeature([], tf.int64),
            "vectors": tf.FixedLenSequenceFeature([2], tf.float32),
        },
    )
    batch = tf.train.batch(
        [context["length"], lists["tokens"], lists["vectors"]], 2, dynamic_pad=True
    )
    return _facts(tf, kit, batch)
