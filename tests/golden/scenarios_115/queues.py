# ruff: noqa: BLE001, UP031
"""The queue classes: what goes in and out, sizes, closing, and the class of every error."""


def _queues(tf):
    """One queue of each class, all holding up to 4 elements of one int64."""
    return {
        "FIFOQueue": tf.FIFOQueue(4, [tf.int64], [[]]),
        "PaddingFIFOQueue": tf.PaddingFIFOQueue(4, [tf.int64], [[]]),
        "RandomShuffleQueue": tf.RandomShuffleQueue(4, 0, [tf.int64], [[]], seed=3),
        "PriorityQueue": tf.PriorityQueue(4, [tf.int64], [[]]),
    }


def _element(kind, *values):
    """What to enqueue: a PriorityQueue takes its priority first."""
    return [list(values), list(values)] if kind == "PriorityQueue" else [list(values)]


def _each(tf, kit, do):
    """The facts of `do(kind, queue, sess)` for each class."""
    facts = {}
    for kind in ("FIFOQueue", "PaddingFIFOQueue", "RandomShuffleQueue", "PriorityQueue"):
        with tf.Graph().as_default(), tf.Session() as sess:
            facts[kind] = do(kind, _queues(tf)[kind], sess)
    return facts


def what_a_queue_says_of_itself(tf, kit):
    def do(kind, queue, sess):
        return {
            "name": queue.name,
            "op": queue.queue_ref.op.name,
            "type": queue.queue_ref.op.type,
            "dtypes": [each.name for each in queue.dtypes],
            "shapes": [kit.shape(each) for each in queue.shapes],
            "names": queue.names,
            "enqueue": queue.enqueue([1] * len(queue.dtypes)).name,
            "enqueue_many": queue.enqueue_many([[1]] * len(queue.dtypes)).name,
            "dequeue": kit.static(queue.dequeue()),
            "dequeue_many": kit.static(queue.dequeue_many(2)),
            "dequeue_up_to": kit.static(queue.dequeue_up_to(2)),
            "size": kit.static(queue.size()),
            "close": queue.close().name,
            "close with cancel": queue.close(cancel_pending_enqueues=True).name,
            "is_closed": kit.static(queue.is_closed()),
        }

    return _each(tf, kit, do)


def names_given_and_scopes(tf, kit):
    with tf.name_scope("input"):
        queue = tf.FIFOQueue(3, tf.int32, [[]], name="numbers", shared_name="all")
        ops = [queue.enqueue([1], name="put"), queue.close(name="shut")]
        got = [queue.dequeue(name="get"), queue.dequeue_many(2, name="many"), queue.size(name="n")]
    return {
        "name": queue.name,
        "op": queue.queue_ref.op.name,
        "ops": [op.name for op in ops],
        "static": kit.static(got),
    }


def order_one_by_one(tf, kit):
    def do(kind, queue, sess):
        for value in (5, 3, 9, 1):
            sess.run(queue.enqueue([value, value] if kind == "PriorityQueue" else [value]))
        size = kit.value(sess.run(queue.size()))
        get = queue.dequeue()
        return {"size": size, "out": [kit.value(sess.run(get)) for _ in range(4)]}

    return _each(tf, kit, do)


def order_many_at_once(tf, kit):
    def do(kind, queue, sess):
        sess.run(queue.enqueue_many(_element(kind, 5, 3, 9, 1)))
        out = [kit.value(sess.run(queue.dequeue_many(count))) for count in (3, 0, 1)]
        return {"out": out, "size": int(sess.run(queue.size()))}

    return _each(tf, kit, do)


def order_of_a_shuffle_queue_by_seed(tf, kit):
    facts = {}
    for seed, graph_seed in ((1, None), (2, None), (None, 5), (1, 5), (0, 0)):
        with tf.Graph().as_default(), tf.Session() as sess:
            if graph_seed is not None:
                tf.set_random_seed(graph_seed)
            queue = tf.RandomShuffleQueue(20, 0, [tf.int32], [[]], seed=seed)
            sess.run(queue.enqueue_many([list(range(12))]))
            out = sess.run(queue.dequeue_many(12)).tolist()
            facts["seed %s, graph %s" % (seed, graph_seed)] = out
    return facts


def several_components(tf, kit):
    queue = tf.FIFOQueue(10, ["float", tf.int32, tf.string], [[2], [], []])
    fill = queue.enqueue_many([[[1.0, 2.0], [3.0, 4.0]], [5, 6], ["x", "y"]])
    one, two = queue.dequeue(), queue.dequeue_many(1)
    with tf.Session() as sess:
        sess.run(fill)
        values = [kit.value(sess.run(one)), kit.value(sess.run(two))]
    return {"values": values, "static": kit.static([one, two])}


def components_by_name(tf, kit):
    queue = tf.FIFOQueue(4, [tf.int32, tf.string], [[], []], names=["number", "word"])
    fill = queue.enqueue({"number": 1, "word": "a"})
    more = queue.enqueue_many({"number": [2, 3], "word": ["b", "c"]})
    one = queue.dequeue()
    with tf.Session() as sess:
        sess.run(fill)
        sess.run(more)
        values = [kit.value(sess.run(one)) for _ in range(3)]
    return {
        "values": values,
        "static": kit.static(one),
        "names": list(queue.names),
        "a list": kit.error(queue.enqueue, [1, "a"]),
        "a wrong name": kit.error(queue.enqueue, {"number": 1, "letter": "a"}),
        "names of wrong length": kit.error(tf.FIFOQueue, 4, [tf.int32], names=["a", "b"]),
    }


def elements_of_any_shape(tf, kit):
    queue = tf.FIFOQueue(4, [tf.int32])
    first, second = queue.enqueue([[1, 2]]), queue.enqueue([3])
    one = queue.dequeue()
    with tf.Session() as sess:
        sess.run([first])
        sess.run([second])
        values = [kit.value(sess.run(one)) for _ in range(2)]
    return {
        "values": values,
        "static": kit.static(one),
        "dequeue_many": kit.error(queue.dequeue_many, 2),
        "dequeue_up_to": kit.error(queue.dequeue_up_to, 2),
        "enqueue_many": kit.error(queue.enqueue_many, [[1, 2]]),
    }


def padding(tf, kit):
    queue = tf.PaddingFIFOQueue(9, [tf.int32, tf.string], [[None], [None, 2]])
    numbers, words = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.string, [None, 2])
    fill = queue.enqueue([numbers, words])
    batch = queue.dequeue_many(3)
    with tf.Session() as sess:
        for count in (1, 3, 0):
            sess.run(
                fill,
                {
                    numbers: list(range(count)),
                    words: [["a", "b"]] * count or kit.np.zeros([0, 2], str),
                },
            )
        return {"values": kit.value(sess.run(batch)), "static": kit.static(batch)}


def priorities(tf, kit):
    queue = tf.PriorityQueue(10, [tf.string], [[]])
    fill = queue.enqueue_many([[5, 1, -3, 1, 9], ["five", "one", "less", "one again", "nine"]])
    batch = queue.dequeue_many(5)
    with tf.Session() as sess:
        sess.run(fill)
        priorities, words = sess.run(batch)
    return {
        "priorities": priorities.tolist(),
        "first": kit.value(words[0]),
        "static": kit.static(batch),
    }


def up_to_after_closing(tf, kit):
    def do(kind, queue, sess):
        sess.run(queue.enqueue_many(_element(kind, 1, 2, 3)))
        sess.run(queue.close())
        try:
            some = sess.run(queue.dequeue_up_to(5))
        except Exception as raised:
            return {"error": kit.name(raised)}
        some = some[0] if isinstance(some, list) else some
        return {
            "count": len(some),
            "sorted": sorted(some.tolist()),
            "then": kit.error(sess.run, queue.dequeue_up_to(5)),
        }

    return _each(tf, kit, do)


def operations_on_a_closed_queue(tf, kit):
    def do(kind, queue, sess):
        put = queue.enqueue([1] * len(queue.dtypes))
        put_many = queue.enqueue_many(_element(kind, 1, 2))
        operations = {
            "enqueue": put,
            "enqueue_many": put_many,
            "dequeue": queue.dequeue(),
            "dequeue_many": queue.dequeue_many(1),
            "dequeue_many of none": queue.dequeue_many(0),
            "close again": queue.close(),
            "size": queue.size(),
            "is_closed": queue.is_closed(),
        }
        sess.run(queue.close())
        order = sorted(operations)
        return {name: kit.error(sess.run, operations[name]) for name in order}

    return _each(tf, kit, do)


def closing_leaves_what_is_inside(tf, kit):
    def do(kind, queue, sess):
        sess.run(queue.enqueue_many(_element(kind, 1, 2, 3)))
        sess.run(queue.close())
        facts = {"more than there is": kit.error(sess.run, queue.dequeue_many(4))}
        facts["size"] = int(sess.run(queue.size()))
        facts["is_closed"] = bool(sess.run(queue.is_closed()))
        facts["one"] = kit.error(sess.run, queue.dequeue())
        facts["rest"] = int(sess.run(queue.size()))
        return facts

    return _each(tf, kit, do)


def closing_while_an_enqueue_waits(tf, kit):
    def do(kind, queue, sess):
        sess.run(queue.enqueue_many(_element(kind, 1, 2, 3, 4)))
        more = queue.enqueue_many(_element(kind, 5, 6))
        shut, take, size = queue.close(), queue.dequeue(), queue.size()
        waiting = kit.thread(lambda: sess.run(more))
        # Once the first of the two is in, the call was under way when the queue is closed.
        sess.run(take)
        while int(sess.run(size)) < 4:
            pass
        closing = kit.thread(lambda: sess.run(shut))  # it waits its turn behind the enqueue
        for _ in range(5):
            sess.run(take)
        return {
            "waiting": waiting(),
            "closing": closing(),
            "then": kit.error(sess.run, take),
        }

    return _each(tf, kit, do)


def closing_with_cancel_while_an_enqueue_waits(tf, kit):
    def do(kind, queue, sess):
        sess.run(queue.enqueue_many(_element(kind, 1, 2, 3, 4)))
        more = queue.enqueue_many(_element(kind, 5, 6))
        shut, take, size = queue.close(cancel_pending_enqueues=True), queue.dequeue(), queue.size()
        waiting = kit.thread(lambda: sess.run(more))
        sess.run(take)
        while int(sess.run(size)) < 4:
            pass
        sess.run(shut)
        facts = {"waiting": waiting(), "size": int(sess.run(size))}
        facts["left can be taken"] = kit.error(sess.run, take)
        return facts

    return _each(tf, kit, do)


def closing_while_a_dequeue_waits(tf, kit):
    def do(kind, queue, sess):
        many, one = queue.dequeue_many(3), queue.dequeue()
        put, shut, size = queue.enqueue([1] * len(queue.dtypes)), queue.close(), queue.size()
        waiting = kit.thread(lambda: sess.run(many))
        sess.run(put)
        sess.run(shut)
        return {
            "waiting": waiting(),
            "given back": int(sess.run(size)),
            "and taken": kit.error(sess.run, one),
        }

    return _each(tf, kit, do)


def closing_the_session_while_a_dequeue_waits(tf, kit):
    queue = tf.FIFOQueue(4, [tf.int32], [[]])
    started, take, size = queue.enqueue([1]), queue.dequeue_many(2), queue.size()
    sess = tf.Session()
    waiting = kit.thread(lambda: sess.run(take))
    sess.run(started)
    while int(sess.run(size)) > 0:
        pass
    sess.close()
    return {"waiting": waiting(), "afterwards": kit.error(sess.run, take)}


def a_min_after_dequeue_is_kept(tf, kit):
    queue = tf.RandomShuffleQueue(10, 3, [tf.int32], [[]], seed=1)
    fill, take, size, shut = (
        queue.enqueue_many([[1, 2, 3, 4]]),
        queue.dequeue(),
        queue.size(),
        queue.close(),
    )
    with tf.Session() as sess:
        sess.run(fill)
        sess.run(take)
        waiting = kit.thread(lambda: sess.run(take))
        before = int(sess.run(size))
        sess.run(shut)
        error = waiting()
        left = 0
        while kit.error(sess.run, take) is None:
            left += 1
    return {"before": before, "waiting": error, "left": left}


def wrong_elements(tf, kit):
    queue = tf.FIFOQueue(4, [tf.float32, tf.int32], [[2], []])
    fed = tf.placeholder(tf.float32)
    put = queue.enqueue([fed, 1])
    with tf.Session() as sess:
        return {
            "too few": kit.error(queue.enqueue, [[1.0, 2.0]]),
            "too many": kit.error(queue.enqueue, [[1.0, 2.0], 1, 1]),
            "wrong dtype": kit.error(queue.enqueue, [["a", "b"], 1]),
            "int tensor for float": kit.error(queue.enqueue, [tf.constant([1, 2]), 1]),
            "wrong static shape": kit.error(queue.enqueue, [[1.0, 2.0, 3.0], 1]),
            "many without a first dimension": kit.error(queue.enqueue_many, [[1.0, 2.0], 1]),
            "many of different lengths": kit.error(queue.enqueue_many, [[[1.0, 2.0]], [1, 2]]),
            "a dict": kit.error(queue.enqueue, {"a": 1}),
            "wrong fed shape": kit.error(sess.run, put, {fed: [1.0, 2.0, 3.0]}),
        }


def building_errors(tf, kit):
    return {
        "shapes and dtypes differ in length": kit.error(tf.FIFOQueue, 3, [tf.int32], [[], []]),
        "capacity missing": kit.error(tf.FIFOQueue),
        "dtypes missing": kit.error(tf.FIFOQueue, 3),
        "padding without shapes": kit.error(tf.PaddingFIFOQueue, 3, [tf.int32], None),
        "padding of unknown rank": kit.error(
            tf.PaddingFIFOQueue, 3, [tf.int32], [tf.TensorShape(None)]
        ),
        "unknown dimension in FIFO": kit.error(tf.FIFOQueue, 3, [tf.int32], [[None]]),
        "capacity not above min": kit.error(tf.RandomShuffleQueue, 3, 5, [tf.int32], [[]]),
        "from_list of nothing": kit.error(tf.FIFOQueue.from_list, 0, []),
        "from_list of two kinds": kit.error(
            tf.QueueBase.from_list, 0, [tf.FIFOQueue(1, tf.int32), tf.FIFOQueue(1, tf.string)]
        ),
    }


def capacity_not_above_min_at_run_time(tf, kit):
    queue = tf.RandomShuffleQueue(3, 5, [tf.int32], [[]])
    with tf.Session() as sess:
        return {"error": kit.error(sess.run, queue.size())}


def one_of_a_list_of_queues(tf, kit):
    queues = [tf.FIFOQueue(4, [tf.int32], [[]], name="q%d" % number) for number in range(2)]
    which = tf.placeholder(tf.int32, [])
    chosen = tf.QueueBase.from_list(which, queues)
    take = chosen.dequeue()
    with tf.Session() as sess:
        for number, queue in enumerate(queues):
            sess.run(queue.enqueue([10 + number]))
        return {"values": [kit.value(sess.run(take, {which: number})) for number in (1, 0)]}


def two_queues_of_one_shared_name(tf, kit):
    one = tf.FIFOQueue(4, [tf.int32], [[]], shared_name="same")
    two = tf.FIFOQueue(4, [tf.int32], [[]], shared_name="same")
    other = tf.FIFOQueue(4, [tf.string], [[]], shared_name="same")
    with tf.Session() as sess:
        sess.run(one.enqueue([7]))
        value = kit.value(sess.run(two.dequeue()))
        return {"value": value, "of another dtype": kit.error(sess.run, other.size())}


def queues_of_two_sessions_are_apart(tf, kit):
    queue = tf.FIFOQueue(4, [tf.int32], [[]])
    put, size = queue.enqueue([1]), queue.size()
    with tf.Session() as one, tf.Session() as two:
        one.run(put)
        return {"sizes": [int(one.run(size)), int(two.run(size))]}


def a_graph_imported_anew(tf, kit):
    with tf.Graph().as_default() as first:
        queue = tf.FIFOQueue(4, [tf.int32], [[]])
        queue.enqueue([3], name="put")
        queue.dequeue(name="take")
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(first.as_graph_def(), name="again")
        sess.run("again/put")
        return {"value": kit.value(sess.run("again/take:0"))}
