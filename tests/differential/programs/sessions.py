"""Sessions: several on a graph, structures that are fetched, feeds, errors of the step itself."""

import collections

from ..kit import program

Pair = collections.namedtuple("Pair", "left right")


@program
def one_after_the_other(tf, s):
    batch = tf.train.batch([s.number(120)], 8)
    for _ in range(3):
        s.run(batch)


@program
def one_after_the_other_each_a_little(tf, s):
    batch = tf.train.batch([s.number(300)], 8)
    for steps in (1, 5, 20):
        s.run(batch, steps)


@program
def readers_one_after_the_other(tf, s):
    batch = tf.train.batch(s.row(150), 8)
    for _ in range(3):
        s.run(batch)


@program
def two_at_once(tf, s):
    batch = tf.train.batch([s.number(150)], 8)
    with s.started() as first, s.started() as second:
        for _ in range(9):
            s.see(first.run(batch), second.run(batch))


@program
def ops_made_between_the_steps(tf, s):
    batch = tf.train.batch([s.number(200)], 8)
    with s.started() as sess:
        for i in range(20):
            s.see(sess.run(batch + i))


@program
def a_second_pipeline_made_later(tf, s):
    first = tf.train.batch([s.number(200)], 8)
    with s.started() as sess:
        s.see(sess.run(first))
        second = tf.train.batch([s.number(100) * 2], 5)
        tf.get_default_session()
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        s.see(sess.run(second))
        coord.request_stop()
        coord.join(threads)


@program
def nested_structures(tf, s):
    a, b, c = tf.train.batch(s.row(), 8)
    s.run({"a": a, "rest": [Pair(b, c), (a, [b])]})


@program
def the_same_twice(tf, s):
    batch = tf.train.batch([s.number()], 8)
    s.run([batch, batch, batch + 0])


@program
def ops_and_tensors(tf, s):
    batch = tf.train.batch([s.number()], 8)
    s.run([batch, tf.group(batch), batch.name])


@program
def only_an_op(tf, s):
    batch = tf.train.batch([s.number(80)], 8)
    s.run(batch.op)


@program
def a_sparse_value(tf, s):
    batch = tf.train.batch([s.number(90)], 3)
    s.run(tf.SparseTensor([[0], [2]], batch[:2], [4]))


@program
def fed_in_place_of_the_queue(tf, s):
    batch = tf.train.batch([s.number()], 8)
    doubled = batch * 2
    with s.started() as sess:
        s.see(sess.run(doubled), sess.run(doubled, {batch: range(8)}), sess.run(doubled))


@program
def fed_beside_the_queue(tf, s):
    batch = tf.train.batch([s.number()], 8)
    factor = tf.placeholder_with_default(10, [])
    with s.started() as sess:
        for i in range(20):
            s.see(sess.run(batch * factor, {factor: i} if i % 2 else None))


@program
def wrongly_fed(tf, s):
    given = tf.placeholder(tf.float32, [2])
    with tf.Session() as sess:
        s.attempt(sess.run, given)
        s.attempt(sess.run, given, {given: [1, 2, 3]})
        s.attempt(sess.run, given, {given: ["a", "b"]})
        s.attempt(sess.run, given, {"given": [1, 2]})
        s.attempt(sess.run, given, {given: [1, 2]})


@program
def a_callable(tf, s):
    batch = tf.train.batch([s.number(170)], 8)
    with s.started() as sess:
        step = sess.make_callable(batch)
        for _ in range(21):
            s.see(step())
        s.attempt(step)


@program
def a_partial_run(tf, s):
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    total, product = a + b, (a + b) * a
    with tf.Session() as sess:
        handle = sess.partial_run_setup([total, product], [a, b])
        s.see(sess.partial_run(handle, total, {a: 1, b: 2}), sess.partial_run(handle, product))


@program
def a_partial_run_that_takes(tf, s):
    batch = tf.train.batch([s.number()], 8)
    given = tf.placeholder(tf.int32, [])
    scaled = batch * given
    with s.started() as sess:
        for i in range(12):
            handle = sess.partial_run_setup([batch, scaled], [given])
            s.see(sess.partial_run(handle, batch))
            s.see(sess.partial_run(handle, scaled, {given: i}))


@program
def an_interactive_one(tf, s):
    batch = tf.train.batch([s.number(100)], 8)
    sess = tf.InteractiveSession()
    s.initialise(sess)
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(coord=coord)
    for _ in range(12):
        s.see(batch.eval())
    s.attempt(batch.eval)
    coord.request_stop()
    coord.join(threads)
    sess.close()


@program
def closed_is_closed(tf, s):
    one = tf.constant(1)
    sess = tf.Session()
    s.see(sess.run(one))
    sess.close()
    s.attempt(sess.run, one)
    s.attempt(sess.close)


@program
def another_graphs_tensor(tf, s):
    with tf.Graph().as_default():
        other = tf.constant(1)
    with tf.Session() as sess:
        s.attempt(sess.run, other)


@program
def no_default_session(tf, s):
    one = tf.constant(1)
    s.attempt(one.eval)
    s.attempt(tf.train.start_queue_runners)
    with tf.Session().as_default():
        s.attempt(one.eval)


@program
def a_finalized_graph(tf, s):
    batch = tf.train.batch([s.number(170)], 8)
    with tf.Session() as sess:
        s.initialise(sess)
        tf.get_default_graph().finalize()
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for _ in range(21):
            s.see(sess.run(batch))
        s.attempt(sess.run, batch)
        s.attempt(tf.constant, 1)
        coord.request_stop()
        coord.join(threads)


@program
def metadata_of_a_step(tf, s):
    batch = tf.train.batch([s.number()], 8)
    with s.started() as sess:
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        s.see(sess.run(batch, options=options, run_metadata=metadata))
        s.see(len(metadata.step_stats.dev_stats) > 0)


@program
def errors_of_the_step_itself(tf, s):
    n = s.number(4)
    text = tf.constant(["1", "x"])
    cases = [
        tf.gather([1, 2], 5 + 0 * n),
        tf.constant(1) // (0 * n),
        tf.string_to_number(text),
        tf.reshape(tf.range(3 + 0 * n), [2, 2]),
        tf.decode_raw("abc", tf.int32),
        tf.read_file("no/such/file"),
        tf.decode_csv("1,2,3", [[0], [0]])[0],
        tf.image.decode_png("no image"),
        tf.parse_single_example("no example", {"a": tf.FixedLenFeature([], tf.int64)})["a"],
    ]
    for case in cases:
        with s.started() as sess:
            s.attempt(sess.run, case)


@program
def an_assertion_of_the_step(tf, s):
    batch = tf.train.batch([s.number()], 8)
    with tf.control_dependencies([tf.assert_less(batch, 50)]):
        checked = tf.identity(batch)
    with s.started() as sess:
        for _ in range(9):
            s.attempt(sess.run, checked)


@program
def a_failed_step_takes_its_elements(tf, s):
    batch = tf.train.batch([s.number()], 8)
    with tf.control_dependencies([tf.Assert(tf.equal(batch[0] % 16, 0), [batch])]):
        checked = tf.identity(batch)
    s_fetches = [checked, batch]
    with s.started() as sess:
        for i in range(20):
            s.attempt(sess.run, s_fetches[i % 2])


@program
def a_python_functions_error(tf, s):
    def fail(value):
        raise {0: KeyError, 1: ValueError, 2: StopIteration, 3: ZeroDivisionError}[int(value)]("no")

    given = tf.placeholder(tf.int64, [])
    found = tf.py_func(fail, [given], tf.int64)
    with tf.Session() as sess:
        for i in range(4):
            s.attempt(sess.run, found, {given: i})


@program
def checks_of_numbers(tf, s):
    given = tf.placeholder(tf.float32, [])
    with tf.Session() as sess:
        s.attempt(sess.run, tf.check_numerics(1 / given, "inf"), {given: 0})
        s.attempt(sess.run, tf.check_numerics(1 / given, "inf"), {given: 4})


@program
def a_device_that_is_not_there(tf, s):
    with tf.device("/device:GPU:7"):
        one = tf.constant(1) + 1
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        s.attempt(sess.run, one)


@program
def threads_of_its_own(tf, s):
    batch = tf.train.batch([s.number(150)], 10)
    config = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
    s.run(batch, config=config)


@program
def a_graph_given_by_hand(tf, s):
    with tf.Graph().as_default() as graph:
        batch = tf.train.batch([s.number(150)], 10)
        start = tf.local_variables_initializer()
    with tf.Session(graph=graph) as sess:
        sess.run(start)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        s.see(*[sess.run(batch) for _ in range(15)])
        s.attempt(sess.run, batch)
        coord.request_stop()
        coord.join(threads)


@program
def an_imported_graph(tf, s):
    with tf.Graph().as_default() as made:
        tf.train.batch([s.number(150)], 10, name="b")
        exported = tf.train.export_meta_graph(graph=made)
    tf.train.import_meta_graph(exported)
    s.run("b:0")


@program
def training_and_evaluation_in_turns(tf, s):
    train = tf.train.batch([s.number(80, None)], 8)
    for _ in range(3):
        s.run(train, 6)
        with tf.Graph().as_default():
            s.run(tf.train.batch([s.number(60)], 7))
