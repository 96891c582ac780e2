"""Conditionals and loops between a source and its queue, and in the step."""

from ..kit import program


@program
def cond_of_two_formulas(tf, s):
    n = s.number()
    s.run(tf.train.batch([n, tf.cond(n % 2 > 0, lambda: n * 10, lambda: -n)], 8))


@program
def cond_of_two_constants(tf, s):
    n = s.number()
    s.run(tf.train.batch([tf.cond(n % 3 > 0, lambda: 7, lambda: 9), n], 8))


@program
def cond_of_constants_of_unlike_length(tf, s):
    n = s.number()
    found = tf.cond(n % 3 > 0, lambda: tf.constant([1, 2, 3]), lambda: tf.constant([4]))
    s.run(tf.train.batch([found, n], 8, dynamic_pad=True))


@program
def cond_whose_branches_reduce_to_one_shape(tf, s):
    n = s.number()
    found = tf.cond(n % 3 > 0, lambda: tf.constant([1, 2, 3]), lambda: tf.constant([4]))
    s.run(tf.train.batch([tf.reduce_sum(found), tf.size(found)], 8))


@program
def cond_of_rows_and_columns(tf, s):
    n = s.number(150)
    tall, wide = (lambda: tf.fill([3, 1], n)), (lambda: tf.fill([1, 2], -n))
    s.run(tf.train.batch([tf.cond(n % 2 > 0, tall, wide)], 6, dynamic_pad=True))


@program
def nested_conds(tf, s):
    n = s.number()

    def odd():
        return tf.cond(n > 100, lambda: n + 1, lambda: tf.cond(n > 50, lambda: n * 2, lambda: n))

    s.run(tf.train.batch([tf.cond(n % 2 > 0, odd, lambda: 0)], 10))


@program
def several_results(tf, s):
    n = s.number()
    a, b = tf.cond(n % 4 < 2, lambda: (n, 2 * n), lambda: (-n, tf.constant(0)))
    s.run(tf.train.batch([a, b], 10))


@program
def two_conds_of_one_value(tf, s):
    n = s.number()
    square = n * n
    a = tf.cond(n % 2 > 0, lambda: square + 1, lambda: square)
    b = tf.cond(n % 3 > 0, lambda: square, lambda: square - 1)
    s.run(tf.train.batch([a, b, square], 9))


@program
def cond_on_another_queue(tf, s):
    n, m = s.number(180), s.number(220)
    s.run(tf.train.batch([tf.cond(m % 5 < 2, lambda: n, lambda: m)], 8))


@program
def cond_that_takes_from_a_queue(tf, s):
    spare = tf.train.range_input_producer(1000, shuffle=False)
    n = s.number()
    s.run(tf.train.batch([tf.cond(n % 3 > 0, spare.dequeue, lambda: -n), n], 8))


@program
def cond_of_two_queues(tf, s):
    left = tf.train.range_input_producer(500, shuffle=False)
    right = tf.train.range_input_producer(500, shuffle=False)
    n = s.number()
    found = tf.cond(n % 4 > 0, lambda: left.dequeue() + 1000, lambda: right.dequeue() + 2000)
    s.run(tf.train.batch([found, n], 10))


@program
def cond_in_the_step_of_two_batches(tf, s):
    # (the batches are taken in the branches: each only when its branch is)
    left = tf.FIFOQueue(500, tf.int32, [[]])
    right = tf.FIFOQueue(500, tf.int32, [[]])
    for queue, source in ((left, s.number(200)), (right, s.number(200) + 1000)):
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(source)]))
    turn = s.number(60)
    found = tf.cond(turn % 3 > 0, lambda: left.dequeue_many(3), lambda: right.dequeue_many(3))
    s.run(found, 40)


@program
def cond_with_a_variable(tf, s):
    n = s.number()
    weight = tf.get_variable("w", initializer=3, use_resource=False)
    s.run(tf.train.batch([tf.cond(n % 2 > 0, lambda: weight * n, lambda: weight + 0)], 8))


@program
def cond_with_a_resource_variable(tf, s):
    n = s.number()
    weight = tf.get_variable("w", initializer=3, use_resource=True)
    s.run(tf.train.batch([tf.cond(n % 2 > 0, lambda: weight * n, lambda: weight + 0)], 8))


@program
def cond_with_a_table(tf, s):
    n = s.number()
    keys = tf.range(100)
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(keys, keys * 5), default_value=-1
    )
    s.run(tf.train.batch([tf.cond(n % 2 > 0, lambda: table.lookup(n), lambda: n)], 8))


@program
def cond_with_a_python_function(tf, s):
    n = s.number()
    seen = []

    def square(value):
        seen.append(int(value))
        return value * value

    def compute():
        found = tf.py_func(square, [n], tf.int32)
        found.set_shape([])
        return found

    s.run(tf.train.batch([tf.cond(n % 4 < 1, compute, lambda: -n)], 10))
    s.see(seen[:40])


@program
def cond_that_counts(tf, s):
    n = s.number()
    count = tf.get_variable("c", initializer=0, use_resource=False, trainable=False)
    found = tf.cond(n % 3 < 1, lambda: tf.assign_add(count, 1) + 0, lambda: tf.constant(-1))
    s.run(tf.train.batch([found, n], 8))


@program
def cond_that_counts_in_a_resource(tf, s):
    n = s.number()
    count = tf.get_variable("c", initializer=0, use_resource=True, trainable=False)
    found = tf.cond(n % 3 < 1, lambda: count.assign_add(1) + 0, lambda: tf.constant(-1))
    s.run(tf.train.batch([found, n], 8))


@program
def cond_that_asserts(tf, s):
    n = s.number()

    def checked():
        with tf.control_dependencies([tf.Assert(n < 1000, [n])]):
            return tf.identity(n)

    s.run(tf.train.batch([tf.cond(n % 2 > 0, checked, lambda: -n)], 8))


@program
def cond_on_strings(tf, s):
    line = s.line(170)
    long = tf.strings.length(line) > 3
    s.run(tf.train.batch([tf.cond(long, lambda: tf.strings.substr(line, 1, 2), lambda: line)], 7))


@program
def cond_known_beforehand(tf, s):
    n = s.number()
    s.run(tf.train.batch([tf.cond(tf.constant(True), lambda: n + 1, lambda: n)], 8))


@program
def cond_switched_by_a_variable(tf, s):
    n = s.number()
    on = tf.get_variable("on", initializer=True, trainable=False)
    s.run(tf.train.batch([tf.cond(on, lambda: n + 1, lambda: -n)], 8))


@program
def a_case(tf, s):
    n = s.number()
    found = tf.case(
        [(tf.equal(n % 5, 0), lambda: n * 100), (tf.equal(n % 5, 1), lambda: tf.constant(1))],
        default=lambda: -n,
    )
    s.run(tf.train.batch([found], 8))


@program
def a_switch_case(tf, s):
    n = s.number()
    found = tf.switch_case(n % 3, [lambda: n, lambda: n * 10, lambda: tf.constant(5)])
    s.run(tf.train.batch([found], 8))


@program
def a_where(tf, s):
    n = s.number()
    row = n + tf.range(5)
    s.run(tf.train.batch([tf.where(row % 2 > 0, row, -row)], 8))


@program
def a_mask_of_unknown_length(tf, s):
    n = s.number()
    row = n + tf.range(6)
    s.run(tf.train.batch([tf.boolean_mask(row, row % 3 > 0)], 8, dynamic_pad=True))


@program
def a_while_loop(tf, s):
    n = s.number()
    _, total = tf.while_loop(lambda i, _: i < n % 7, lambda i, t: (i + 1, t + i * n), [0, 0])
    s.run(tf.train.batch([total], 8))


@program
def a_while_loop_of_growing_shape(tf, s):
    n = s.number(150)
    _, row = tf.while_loop(
        lambda i, _: i < n % 5,
        lambda i, row: (i + 1, tf.concat([row, [i * n]], 0)),
        [0, tf.zeros([0], tf.int32)],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
    )
    s.run(tf.train.batch([row], 6, dynamic_pad=True))


@program
def a_while_loop_that_takes(tf, s):
    spare = tf.train.range_input_producer(2000, shuffle=False)
    n = s.number(150)
    _, total = tf.while_loop(
        lambda i, _: i < n % 4,
        lambda i, t: (i + 1, t + spare.dequeue()),
        [0, 0],
        parallel_iterations=1,
    )
    s.run(tf.train.batch([total], 6))


@program
def a_cond_in_a_while_loop(tf, s):
    n = s.number(150)

    def body(i, total):
        return i + 1, tf.cond((n + i) % 2 > 0, lambda: total + i, lambda: total - 1)

    s.run(tf.train.batch([tf.while_loop(lambda i, _: i < 5, body, [0, n])[1]], 6))


@program
def a_while_loop_in_a_cond(tf, s):
    n = s.number(150)
    loop = lambda: tf.while_loop(lambda i: i * i < n, lambda i: i + 1, [0])  # noqa: E731
    s.run(tf.train.batch([tf.cond(n % 2 > 0, loop, lambda: tf.constant(-1))], 6))


@program
def mapped(tf, s):
    n = s.number()
    s.run(tf.train.batch([tf.map_fn(lambda x: x * x + n, tf.range(4))], 8))


@program
def folded(tf, s):
    n = s.number()
    s.run(tf.train.batch([tf.foldl(lambda a, x: a * 3 % 101 + x, tf.range(5) + n)], 8))


@program
def scanned(tf, s):
    n = s.number()
    s.run(tf.train.batch([tf.scan(lambda a, x: a + x, tf.range(5) * n)], 8))


@program
def an_assertion_that_holds(tf, s):
    n = s.number()
    with tf.control_dependencies([tf.assert_less(n, 1000)]):
        checked = tf.identity(n)
    s.run(tf.train.batch([checked], 8))


@program
def ordered_by_control_dependencies(tf, s):
    n = s.number()
    seen = []
    note = tf.py_func(lambda value: seen.append(int(value)), [n], [])
    with tf.control_dependencies([note]):
        doubled = n * 2
    s.run(tf.train.batch([doubled], 8))
    s.see(seen)


@program
def a_function_of_the_graph(tf, s):
    n = s.number()
    s.run(tf.train.batch([tf.grad_pass_through(lambda x: x * 2)(tf.cast(n, tf.float32))], 8))


@program
def a_group_of_effects(tf, s):
    n = s.number(150)
    first = tf.get_variable("a", initializer=0, use_resource=False, trainable=False)
    second = tf.get_variable("b", initializer=0, use_resource=False, trainable=False)
    both = tf.group(tf.assign_add(first, n), tf.assign(second, n))
    with tf.control_dependencies([both]):
        after = tf.identity(n)
    batch = tf.train.batch([after], 10)
    with s.started() as sess:
        for _ in range(15):
            s.see(sess.run(batch))
        s.attempt(sess.run, batch)
        s.see(sess.run([first, second]))
