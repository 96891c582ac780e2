"""Queues made by hand, and what resembles them."""

import threading

from ..kit import program


def _runner(tf, queue, *ops, **options):
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, list(ops), **options))
    return queue


@program
def one_by_one(tf, s):
    queue = tf.FIFOQueue(3, tf.int32, [[]])
    put = [queue.enqueue(i) for i in range(3)]
    take, size = queue.dequeue(), queue.size()
    with tf.Session() as sess:
        for op in put:
            sess.run(op)
        s.see(sess.run(size), [sess.run(take) for _ in range(2)], sess.run(size))


@program
def many_and_up_to(tf, s):
    queue = tf.FIFOQueue(20, tf.int32, [[]])
    put, many, up_to = queue.enqueue_many([list(range(9))]), queue.dequeue_many(4), queue.close()
    rest = queue.dequeue_up_to(7)
    with tf.Session() as sess:
        sess.run(put)
        s.see(sess.run(many))
        sess.run(up_to)
        s.see(sess.run(rest))
        s.attempt(sess.run, rest)
        s.see(sess.run(queue.is_closed()))


@program
def nothing_enters_a_closed_queue(tf, s):
    queue = tf.FIFOQueue(5, tf.int32, [[]])
    put, many, close = queue.enqueue(1), queue.enqueue_many([[1, 2]]), queue.close()
    take = queue.dequeue()
    with tf.Session() as sess:
        sess.run(put)
        sess.run(close)
        s.attempt(sess.run, put)
        s.attempt(sess.run, many)
        s.see(sess.run(take))
        s.attempt(sess.run, take)
        s.attempt(sess.run, close)


@program
def by_priority(tf, s):
    queue = tf.PriorityQueue(10, [tf.string], [[]])
    put = [queue.enqueue([tf.constant(p, tf.int64), f"p{p}"]) for p in (5, -1, 3, 2)]
    with tf.Session() as sess:
        for op in put:
            sess.run(op)
        s.see(sess.run(queue.dequeue()), sess.run(queue.dequeue_many(3)))


@program
def a_runner_into_a_priority_queue(tf, s):
    n = s.number(150)
    queue = tf.PriorityQueue(200, [tf.int32], [[]])
    _runner(tf, queue, queue.enqueue([tf.cast(n * 37 % 151, tf.int64), n]))
    s.run(queue.dequeue_many(150))


@program
def named_components(tf, s):
    queue = tf.FIFOQueue(200, [tf.int32, tf.string], [[], []], names=["n", "text"])
    n = s.number(150)
    _runner(tf, queue, queue.enqueue({"n": n, "text": tf.as_string(n)}))
    s.run(queue.dequeue_many(12))


@program
def without_shapes(tf, s):
    n = s.number(150)
    queue = _q = tf.FIFOQueue(30, [tf.int32])
    _runner(tf, _q, queue.enqueue([tf.range(n % 4)]))
    s.run(queue.dequeue())


@program
def padded_by_its_queue(tf, s):
    n = s.number(150)
    queue = tf.PaddingFIFOQueue(30, [tf.int32], [[None]])
    _runner(tf, queue, queue.enqueue([tf.range(n % 5)]))
    s.run(queue.dequeue_many(6))


@program(ordered=False)
def random_shuffle(tf, s):
    queue = tf.RandomShuffleQueue(60, 20, [tf.int32], [[]], seed=3)
    _runner(tf, queue, queue.enqueue([s.number()]))
    s.run(queue.dequeue_up_to(9))


@program
def random_shuffle_filled_beforehand(tf, s):
    queue = tf.RandomShuffleQueue(300, 0, [tf.int32], [[]], seed=3)
    put, take = queue.enqueue_many([list(range(200))]), queue.dequeue_many(10)
    with tf.Session() as sess:
        sess.run(put)
        for _ in range(20):
            s.see(sess.run(take))


@program
def two_ops_of_one_runner(tf, s):
    queue = tf.FIFOQueue(400, [tf.int32], [[]])
    _runner(tf, queue, queue.enqueue([s.number(100)]), queue.enqueue([s.number(100)]))
    found = tf.reduce_sum(queue.dequeue_many(200))
    s.run(found)


@program
def one_op_twice_in_a_runner(tf, s):
    queue = tf.FIFOQueue(400, [tf.int32], [[]])
    _runner(tf, queue, *[queue.enqueue([s.number()])] * 3)
    s.run(tf.sort(queue.dequeue_many(200)))


@program
def many_a_step(tf, s):
    queue = tf.FIFOQueue(40, [tf.int32], [[]])
    n = s.number(90)
    _runner(tf, queue, queue.enqueue_many([tf.stack([n, -n, n * n])]))
    s.run(queue.dequeue_many(10))


@program
def more_a_step_than_there_is_room_for(tf, s):
    queue = tf.FIFOQueue(7, [tf.int32], [[]])
    _runner(tf, queue, queue.enqueue_many([tf.range(25) + 100 * s.number(12)]))
    s.run(queue.dequeue_many(10))


@program
def to_two_queues_at_once(tf, s):
    n = s.number(150)
    first, second = tf.FIFOQueue(200, [tf.int32], [[]]), tf.FIFOQueue(200, [tf.int32], [[]])
    put = tf.group(first.enqueue([n]), second.enqueue([-n]))
    _runner(tf, first, put)
    s.run(first.dequeue_many(10), each=lambda sess: s.see(sess.run(second.dequeue_many(10))))


@program
def odd_and_even(tf, s):
    n = s.number(200)
    odd, even = tf.FIFOQueue(200, [tf.int32], [[]]), tf.FIFOQueue(200, [tf.int32], [[]])
    put = tf.cond(n % 2 > 0, lambda: odd.enqueue([n]), lambda: even.enqueue([n]))
    _runner(tf, odd, put)
    both = [odd.dequeue_many(100), even.dequeue_many(100)]
    with s.started() as sess:
        s.see(*[sess.run(each) for each in both])


@program
def some_by_condition(tf, s):
    n = s.number(200)
    queue = tf.FIFOQueue(300, [tf.int32], [[]])
    _runner(tf, queue, tf.cond(n % 3 > 0, lambda: queue.enqueue([n]), tf.no_op))
    s.run(queue.dequeue_up_to(9))


@program
def sums_of_pairs(tf, s):
    source = tf.train.range_input_producer(200, 1, shuffle=False)
    queue = tf.FIFOQueue(50, [tf.int32], [[]])
    _runner(tf, queue, queue.enqueue([tf.reduce_sum(source.dequeue_many(2))]))
    s.run(queue.dequeue_many(5))


@program
def triples_with_the_rest(tf, s):
    source = tf.train.range_input_producer(200, 1, shuffle=False)
    queue = tf.FIFOQueue(50, [tf.int32, tf.int32], [[], []])
    three = source.dequeue_up_to(3)
    _runner(tf, queue, queue.enqueue([tf.reduce_sum(three), tf.size(three)]))
    s.run(queue.dequeue_many(1))


@program
def a_queue_that_feeds_itself(tf, s):
    queue = tf.FIFOQueue(5, [tf.int32], [[]])
    start = queue.enqueue_many([[0, 100, 200]])
    around = queue.enqueue([queue.dequeue() + 1])
    with tf.Session() as sess:
        sess.run(start)
        for _ in range(100):
            sess.run(around)
        s.see(sess.run(queue.dequeue_many(3)))


@program
def a_round_of_two_queues(tf, s):
    first, second = tf.FIFOQueue(9, [tf.int32], [[]]), tf.FIFOQueue(9, [tf.int32], [[]])
    start = first.enqueue([1])
    there, back = second.enqueue([first.dequeue() * 3]), first.enqueue([second.dequeue() % 1000])
    with tf.Session() as sess:
        sess.run(start)
        for _ in range(50):
            sess.run(there)
            sess.run(back)
        s.see(sess.run(first.dequeue()))


@program
def fed_by_a_thread(tf, s):
    queue, value = tf.FIFOQueue(10, [tf.int32], [[]]), tf.placeholder(tf.int32, [])
    put, close, take = queue.enqueue([value]), queue.close(), queue.dequeue_many(7)
    with tf.Session() as sess:

        def feed():
            for number in range(150):
                sess.run(put, {value: number})
            sess.run(close)

        thread = threading.Thread(target=feed)
        thread.start()
        for _ in range(21):
            s.see(sess.run(take))
        s.attempt(sess.run, take)
        thread.join()


@program
def fed_by_a_thread_into_a_runners_source(tf, s):
    queue, value = tf.FIFOQueue(10, [tf.int32], [[]]), tf.placeholder(tf.int32, [None])
    put, close = queue.enqueue_many([value]), queue.close()
    batch = tf.train.batch([queue.dequeue() * 2], 9)
    with s.started() as sess:

        def feed():
            for number in range(30):
                sess.run(put, {value: range(10 * number, 10 * number + 5)})
            sess.run(close)

        thread = threading.Thread(target=feed)
        thread.start()
        for _ in range(16):
            s.see(sess.run(batch))
        s.attempt(sess.run, batch)
        thread.join()


@program
def a_hand_closed_source_ends_the_pipeline(tf, s):
    source = tf.FIFOQueue(300, [tf.int32], [[]])
    fill, close = source.enqueue_many([list(range(170))]), source.close()
    batch = tf.train.batch([source.dequeue()], 10, allow_smaller_final_batch=True)
    with s.started() as sess:
        sess.run(fill)
        sess.run(close)
        for _ in range(17):
            s.see(sess.run(batch))
        s.attempt(sess.run, batch)


@program
def what_is_left_after_a_runner_ended(tf, s):
    queue = tf.FIFOQueue(300, [tf.int32], [[]])
    _runner(tf, queue, queue.enqueue([s.number()]))
    size, take = queue.size(), queue.dequeue_many(200)
    with s.started() as sess:
        s.see(sess.run(take), sess.run(size))
        s.attempt(sess.run, queue.dequeue())


@program
def taken_from_by_index(tf, s):
    queues = [tf.FIFOQueue(9, [tf.int32], [[]]) for _ in range(3)]
    put = [q.enqueue_many([[i, 10 * i]]) for i, q in enumerate(queues)]
    which = tf.placeholder(tf.int32, [])
    take = tf.QueueBase.from_list(which, queues).dequeue()
    with tf.Session() as sess:
        sess.run(put)
        s.see([sess.run(take, {which: i}) for i in (2, 0, 1, 2)])


@program
def one_queue_for_two_sessions(tf, s):
    queue = tf.FIFOQueue(9, [tf.int32], [[]])
    put, size = queue.enqueue([1]), queue.size()
    for _ in range(2):
        with tf.Session() as sess:
            sess.run(put)
            s.see(sess.run(size))  # each session has its own


@program
def two_names_of_one_queue(tf, s):
    first = tf.FIFOQueue(9, [tf.int32], [[]], shared_name="both")
    second = tf.FIFOQueue(9, [tf.int32], [[]], shared_name="both")
    with tf.Session() as sess:
        sess.run(first.enqueue([5]))
        s.see(sess.run(second.dequeue()))


@program
def wrong_elements_are_refused(tf, s):
    queue = tf.FIFOQueue(9, [tf.int32], [[2]])
    s.attempt(queue.enqueue, [[1, 2, 3]])
    s.attempt(queue.enqueue, ["text"])
    s.attempt(tf.FIFOQueue(9, [tf.int32]).dequeue_many, 2)
    value = tf.placeholder(tf.int32)
    put = queue.enqueue([value])
    with tf.Session() as sess:
        s.attempt(sess.run, put, {value: [1, 2, 3]})
        s.attempt(sess.run, put, {value: [1, 2]})
        s.see(sess.run(queue.size()))


@program
def a_deadline(tf, s):
    queue = tf.FIFOQueue(9, [tf.int32], [[]])
    _, take = queue.enqueue([1]), queue.dequeue()
    with tf.Session() as sess:
        s.attempt(sess.run, take, options=tf.RunOptions(timeout_in_ms=100))


@program
def a_deadline_in_front_of_an_idle_thread(tf, s):
    queue = tf.FIFOQueue(2, [tf.int32], [[]])
    fill = queue.enqueue_many([[1, 2]])
    with tf.Session() as sess:
        sess.run(fill)
        s.attempt(sess.run, queue.enqueue([3]), options=tf.RunOptions(timeout_in_ms=100))
        s.see(sess.run(queue.size()))


@program
def a_staging_area(tf, s):
    area = tf.contrib.staging.StagingArea if False else None
    from tensorflow.python.ops import data_flow_ops

    area = data_flow_ops.StagingArea([tf.int32], [[]])
    put, take = area.put([s.number(60)]), area.get()
    with s.started() as sess:
        sess.run(put)
        for _ in range(59):
            s.see(sess.run([take, put])[0])
        s.see(sess.run(take))
        s.attempt(sess.run, put)


@program
def a_staging_area_behind_a_batch(tf, s):
    from tensorflow.python.ops import data_flow_ops

    batch = tf.train.batch([s.number(200)], 10)
    area = data_flow_ops.StagingArea([tf.int32], [[10]])
    put, take, size = area.put([batch]), area.get(), area.size()
    with s.started() as sess:
        for _ in range(3):
            sess.run(put)
        s.see(sess.run(size))
        for _ in range(17):
            s.see(sess.run([take, put])[0])
        s.see(sess.run(size))


@program
def a_map_staging_area(tf, s):
    from tensorflow.python.ops import data_flow_ops

    area = data_flow_ops.MapStagingArea([tf.int32], [[]], ordered=True)
    number = s.number(20)
    put = area.put(tf.cast(19 - number, tf.int64), [number], [0])
    take = area.get()
    with s.started() as sess:
        for _ in range(20):
            sess.run(put)
        s.see([sess.run(take) for _ in range(20)])


@program
def a_barrier(tf, s):
    from tensorflow.python.ops import data_flow_ops

    barrier = data_flow_ops.Barrier([tf.int32, tf.string], [[], []])
    keys = tf.constant(["k0", "k1", "k2"])
    halves = [
        barrier.insert_many(0, keys, [1, 2, 3]),
        barrier.insert_many(1, keys, ["a", "b", "c"]),
    ]
    take = barrier.take_many(2)
    with tf.Session() as sess:
        sess.run(halves[0])
        s.see(sess.run([barrier.ready_size(), barrier.incomplete_size()]))
        sess.run(halves[1])
        _, taken, values = sess.run(take)
        s.see(taken, values)
        sess.run(barrier.close())
        s.attempt(sess.run, take)


@program
def an_accumulator(tf, s):
    sums = tf.ConditionalAccumulator(tf.float32, [2])
    value = s.parsed("pair")["pair"]
    apply, mean = sums.apply_grad(value, local_step=0), sums.take_grad(4)
    with s.started() as sess:
        for _ in range(10):
            for _ in range(4):
                sess.run(apply)
            s.see(sess.run(mean))
            sess.run(sums.set_global_step(0))


@program
def a_sparse_accumulator(tf, s):
    sums = tf.SparseConditionalAccumulator(tf.float32, [4, 1])
    index = tf.placeholder(tf.int64, [None])
    slices = tf.IndexedSlices(tf.ones([tf.size(index), 1]), index, tf.constant([4, 1], tf.int64))
    apply, mean = sums.apply_indexed_slices_grad(slices), sums.take_indexed_slices_grad(2)
    with tf.Session() as sess:
        sess.run(apply, {index: [0, 2]})
        sess.run(apply, {index: [2, 3]})
        s.see(sess.run(mean))


@program
def a_pipeline_of_four_runners(tf, s):
    found = s.number(180)
    for i in range(4):
        queue = tf.FIFOQueue(5 + i, [tf.int32], [[]])
        _runner(tf, queue, queue.enqueue([found + i]))
        found = queue.dequeue()
    s.run(found)


@program
def what_ends_a_runner_is_told_it(tf, s):
    queue = tf.FIFOQueue(300, [tf.int32], [[]])
    note = tf.py_func(lambda n: n, [s.number(100)], tf.int32)
    note.set_shape([])
    with tf.control_dependencies([tf.Assert(note < 70, [note])]):
        put = queue.enqueue([note])
    closers = (tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError)
    _runner(tf, queue, put, queue_closed_exception_types=closers)
    s.run(queue.dequeue_many(10))


@program
def its_own_close_op(tf, s):
    queue = tf.FIFOQueue(300, [tf.int32], [[]])
    second = tf.FIFOQueue(300, [tf.int32], [[]])
    both = tf.group(queue.close(), second.close())
    number = s.number(60)
    put = tf.group(queue.enqueue([number]), second.enqueue([-number]))
    _runner(tf, queue, put, close_op=both)
    with s.started() as sess:
        s.see(sess.run(queue.dequeue_many(60)), sess.run(second.dequeue_many(60)))
        s.attempt(sess.run, queue.dequeue())
        s.attempt(sess.run, second.dequeue())


@program
def a_runner_from_its_proto(tf, s):
    queue = tf.FIFOQueue(300, [tf.int32], [[]])
    made = tf.train.QueueRunner(queue, [queue.enqueue([s.number(150)])])
    again = tf.train.queue_runner.QueueRunner.from_proto(made.to_proto())
    tf.train.add_queue_runner(again)
    s.see(again.name, len(again.enqueue_ops))
    s.run(queue.dequeue_many(10))


@program
def started_by_hand(tf, s):
    queue = tf.FIFOQueue(20, [tf.int32], [[]])
    runner = tf.train.QueueRunner(queue, [queue.enqueue([s.number(150, None)])] * 1)
    take = queue.dequeue_many(10)
    with tf.Session() as sess:
        s.initialise(sess)
        coord = tf.train.Coordinator()
        source = tf.train.start_queue_runners(sess, coord)
        threads = runner.create_threads(sess, coord=coord, daemon=True, start=True)
        for _ in range(20):
            s.see(sess.run(take))
        coord.request_stop()
        coord.join([*source, *threads])
        s.see(coord.should_stop(), runner.exceptions_raised)
