"""Runners that fail: the elements in front of the failure, and the true error."""

from ..kit import program


@program
def a_row_with_too_few_columns(tf, s):
    path = s.file("t", "".join("x\n" if i == 120 else f"{i},{i}\n" for i in range(200)))
    line = tf.TextLineReader().read(s.names([path]))[1]
    s.run(tf.train.batch(tf.decode_csv(line, [[0], [0]]), 8, capacity=300))


@program
def a_number_that_is_none(tf, s):
    path = s.file("t", "".join("x\n" if i == 120 else f"{i}\n" for i in range(200)))
    line = tf.TextLineReader().read(s.names([path]))[1]
    s.run(tf.train.batch([tf.string_to_number(line, tf.int32)], 8, capacity=300))


@program
def the_first_row_is_bad(tf, s):
    line = tf.TextLineReader().read(s.names([s.file("t", "x\n1\n")]))[1]
    s.run(tf.train.batch([tf.string_to_number(line, tf.int32)], 1))


@program
def a_second_file_that_is_not_there(tf, s):
    paths = [*s.lines(120), str(s.folder / "none")]
    s.run(tf.train.batch([tf.TextLineReader().read(s.names(paths))[1]], 8, capacity=300))


@program
def a_damaged_record(tf, s):
    (path,) = s.records([b"%04d" % i for i in range(200)])
    with open(path, "r+b") as file:
        file.seek(150 * 20 + 13)
        file.write(b"?")
    s.run(tf.train.batch([tf.TFRecordReader().read(s.names([path]))[1]], 8, capacity=300))


@program
def a_file_that_was_cut(tf, s):
    (path,) = s.records([b"%04d" % i for i in range(200)])
    with open(path, "r+b") as file:
        file.truncate(150 * 20 + 14)
    s.run(tf.train.batch([tf.TFRecordReader().read(s.names([path]))[1]], 8, capacity=300))


@program
def a_record_that_is_no_example(tf, s):
    packed = [s.example(i) for i in range(150)]
    packed[100] = b"no example"
    value = tf.TFRecordReader().read(s.names(s.records(packed)))[1]
    found = tf.parse_single_example(value, {"id": tf.FixedLenFeature([], tf.int64)})
    s.run(tf.train.batch([found["id"]], 8, capacity=300))


@program
def a_feature_that_is_missing(tf, s):
    found = tf.parse_single_example(s.serialized(), {"no": tf.FixedLenFeature([], tf.int64)})
    s.run(tf.train.batch([found["no"]], 8))


@program
def a_shape_that_differs(tf, s):
    n = s.number()
    row = tf.cond(tf.equal(n, 130), lambda: tf.range(3), lambda: tf.range(2) + n)
    row.set_shape([2])
    s.run(tf.train.batch([row], 8, capacity=300))


@program
def an_index_out_of_range(tf, s):
    s.run(tf.train.batch([tf.gather(tf.range(130), s.number())], 8, capacity=300))


@program
def an_assertion(tf, s):
    n = s.number()
    with tf.control_dependencies([tf.assert_less(n, 130)]):
        checked = tf.identity(n)
    s.run(tf.train.batch([checked], 8, capacity=300))


@program
def a_division_by_zero(tf, s):
    s.run(tf.train.batch([100 // (s.number() - 130)], 8, capacity=300))


@program
def a_python_function(tf, s):
    def fail(n):
        if n == 130:
            raise KeyError(n)
        return n

    found = tf.py_func(fail, [s.number()], tf.int32)
    found.set_shape([])
    s.run(tf.train.batch([found], 8, capacity=300))


@program
def numbers_that_are_no_numbers(tf, s):
    value = tf.check_numerics(1 / (130 - tf.cast(s.number(), tf.float32)), "here")
    s.run(tf.train.batch([value], 8, capacity=300))


@program
def a_failure_in_a_branch(tf, s):
    n = s.number()
    found = tf.cond(n < 130, lambda: n, lambda: tf.gather([1], n))
    s.run(tf.train.batch([found], 8, capacity=300))


@program
def a_failure_in_a_branch_that_is_not_taken(tf, s):
    n = s.number()
    found = tf.cond(n < 1000, lambda: n, lambda: tf.gather([1], n))
    s.run(tf.train.batch([found], 8))


@program
def a_local_variable_that_was_not_initialised(tf, s):
    batch = tf.train.batch([s.number()], 8)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            sess.run(batch)
        except tf.errors.OpError:
            s.see("failed")
        coord.request_stop()
        s.attempt(coord.join, threads)
