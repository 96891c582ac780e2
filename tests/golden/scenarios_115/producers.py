# ruff: noqa: UP031
"""Producers: what goes into the first queue, how often, in which order, under which names."""


def _names(count):
    return ["f%d" % number for number in range(count)]


def _order(tf, kit, make, limit=100):
    """What one consumer of `make()` sees, and what the producer put into the graph."""
    queue = make()
    dequeued = queue.dequeue()
    values, facts = kit.steps(dequeued, limit)
    facts.update(values=kit.value(values), static=kit.static(dequeued), graph=kit.graph())
    facts["queue"] = {"name": queue.name, "dtypes": [each.name for each in queue.dtypes]}
    return facts


def string_two_epochs_in_order(tf, kit):
    return _order(
        tf, kit, lambda: tf.train.string_input_producer(_names(3), num_epochs=2, shuffle=False)
    )


def string_without_epochs_goes_round(tf, kit):
    return _order(tf, kit, lambda: tf.train.string_input_producer(_names(3), shuffle=False), 8)


def string_op_seed(tf, kit):
    return _order(tf, kit, lambda: tf.train.string_input_producer(_names(8), 3, seed=7))


def string_graph_and_op_seed(tf, kit):
    tf.set_random_seed(11)
    return _order(tf, kit, lambda: tf.train.string_input_producer(_names(8), 2, seed=7))


def string_graph_seed(tf, kit):
    tf.set_random_seed(11)
    return _order(tf, kit, lambda: tf.train.string_input_producer(_names(8), 2))


def string_unseeded_each_once_per_epoch(tf, kit):
    queue = tf.train.string_input_producer(_names(5), num_epochs=2)
    values, facts = kit.steps(queue.dequeue())
    epochs = [sorted(kit.value(values[start : start + 5]), key=str) for start in (0, 5)]
    facts.update(epochs=epochs, graph=kit.graph())
    return facts


def string_every_argument(tf, kit):
    return _order(
        tf,
        kit,
        lambda: tf.train.string_input_producer(
            tf.constant(_names(2)), 1, False, None, 5, "shared", "files"
        ),
    )


def string_one_file(tf, kit):
    return _order(tf, kit, lambda: tf.train.string_input_producer(["only"], num_epochs=3))


def string_default_and_given_names_in_one_graph(tf, kit):
    for name in (None, None, "mine", "mine"):
        tf.train.string_input_producer(_names(2), name=name)
    with tf.name_scope("input"):
        tf.train.string_input_producer(_names(2), num_epochs=1)
    return kit.graph()


def string_epochs_ended_reader_sees_end(tf, kit):
    queue = tf.train.string_input_producer(_names(2), 1, shuffle=False, capacity=1)
    batch = queue.dequeue_many(3)
    values, facts = kit.steps(batch)
    facts["values"] = kit.value(values)
    return facts


def range_in_order(tf, kit):
    return _order(tf, kit, lambda: tf.train.range_input_producer(4, num_epochs=2, shuffle=False))


def range_shuffled(tf, kit):
    return _order(tf, kit, lambda: tf.train.range_input_producer(9, num_epochs=2, seed=3))


def range_of_a_tensor(tf, kit):
    return _order(
        tf, kit, lambda: tf.train.range_input_producer(tf.constant(3), 1, False, name="numbers")
    )


def _slices(tf, kit, tensors, **how):
    parts = tf.train.slice_input_producer(tensors, **how)
    values, facts = kit.steps(parts)
    facts.update(values=kit.value(values), static=kit.static(parts), graph=kit.graph())
    return facts


def slices_in_order(tf, kit):
    rows = kit.np.arange(6, dtype=kit.np.float32).reshape(3, 2)
    return _slices(tf, kit, [rows, ["a", "b", "c"]], num_epochs=2, shuffle=False)


def slices_shuffled(tf, kit):
    numbers = list(range(7))
    return _slices(tf, kit, [numbers, [str(n) for n in numbers]], num_epochs=2, seed=5)


def slices_named_with_capacity(tf, kit):
    return _slices(
        tf, kit, [tf.constant([[1], [2]])], num_epochs=1, shuffle=False, capacity=3, name="rows"
    )


def rows_in_order(tf, kit):
    rows = kit.np.arange(6, dtype=kit.np.int64).reshape(3, 2)
    return _order(
        tf, kit, lambda: tf.train.input_producer(rows, num_epochs=2, shuffle=False, name="rows")
    )


def rows_shuffled(tf, kit):
    rows = kit.np.arange(12, dtype=kit.np.float32).reshape(6, 2)
    return _order(
        tf,
        kit,
        lambda: tf.train.input_producer(rows, num_epochs=2, seed=1, summary_name="rows_%s_full"),
    )


def rows_of_unknown_length(tf, kit):
    fed = tf.placeholder_with_default([[1.0, 2.0], [3.0, 4.0]], [None, None])
    return _order(tf, kit, lambda: tf.train.input_producer(fed, [2], 1, False))


def rows_with_cancel_op(tf, kit):
    return _order(
        tf,
        kit,
        lambda: tf.train.input_producer(
            [1, 2, 3], num_epochs=1, shuffle=False, cancel_op=tf.no_op()
        ),
    )


def limit_epochs(tf, kit):
    limited = tf.train.limit_epochs([1, 2, 3], num_epochs=2)
    values, facts = kit.steps(limited)
    facts.update(values=kit.value(values), static=kit.static(limited), graph=kit.graph())
    return facts


def limit_epochs_none_is_the_tensor_itself(tf, kit):
    tensor = tf.constant([1, 2])
    return {"same": tf.train.limit_epochs(tensor) is tensor}


def matching_files_once(tf, kit):
    names = tf.train.match_filenames_once(kit.file("?.txt"))
    graph = kit.graph()
    with kit.running() as run:
        found = run.sess.run(names)
    return {
        "found": sorted(kit.relative(found)),
        "graph": graph,
        "dtype": names.dtype.base_dtype.name,
        "shape": kit.shape(names.get_shape()),
    }


def matching_files_through_a_producer(tf, kit):
    names = tf.train.match_filenames_once([kit.file("a.txt"), kit.file("b*.txt")], name="found")
    queue = tf.train.string_input_producer(names, num_epochs=2, shuffle=False)
    values, facts = kit.steps(queue.dequeue())
    facts.update(values=kit.relative(values), graph=kit.graph())
    return facts


def building_errors(tf, kit):
    train = tf.train
    unknown = tf.placeholder(tf.string)
    return {
        "empty list": kit.error(train.string_input_producer, []),
        "empty tuple": kit.error(train.string_input_producer, ()),
        "zero epochs": kit.error(train.string_input_producer, ["a"], 0),
        "negative epochs": kit.error(train.string_input_producer, ["a"], -1),
        "one string": kit.error(train.string_input_producer, "a"),
        "numbers": kit.error(train.string_input_producer, [1, 2]),
        "string of unknown shape": kit.error(train.string_input_producer, unknown),
        "capacity zero": kit.error(train.string_input_producer, ["a"], capacity=0),
        "rows of unknown shape": kit.error(train.input_producer, tf.placeholder(tf.int32)),
        "a scalar": kit.error(train.input_producer, 3),
        "slices of nothing": kit.error(train.slice_input_producer, []),
        "slices of scalars": kit.error(train.slice_input_producer, [1, 2]),
        "element shape that does not fit": kit.error(train.input_producer, [[1, 2]], [3]),
        "limit zero": kit.error(train.limit_epochs, [1], 0),
        "limit negative": kit.error(train.limit_epochs, [1], -3),
    }


def empty_list_at_run_time(tf, kit):
    names = tf.placeholder_with_default(kit.np.array([], dtype=object).astype(str), [None])
    queue = tf.train.string_input_producer(names, num_epochs=1)
    values, facts = kit.steps(queue.dequeue())
    facts["values"] = kit.value(values)
    return facts


def epochs_without_local_initialiser(tf, kit):
    queue = tf.train.string_input_producer(["a", "b"], num_epochs=1, shuffle=False)
    values, facts = kit.steps(queue.dequeue(), init_local=False)
    facts["values"] = kit.value(values)
    return facts


def slices_of_different_lengths(tf, kit):
    return _slices(tf, kit, [[1, 2, 3], [4, 5]], num_epochs=1, shuffle=False)
