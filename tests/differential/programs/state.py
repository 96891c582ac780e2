"""Variables and tables between a source and its queue."""

import numpy as np

from ..kit import program

RESOURCE = (False, True)


def _variable(tf, start, resource, name="v", **options):
    return tf.get_variable(
        name, initializer=start, use_resource=resource, trainable=False, **options
    )


def _scaled(tf, s, resource):
    n = s.number()
    s.run(tf.train.batch([n * _variable(tf, 3, resource)], 8))


def _scaled_by_a_matrix(tf, s, resource):
    weights = _variable(tf, np.arange(12, dtype=np.float32).reshape(3, 4), resource)
    row = tf.cast(tf.stack([s.number()] * 3), tf.float32)
    s.run(tf.train.batch([tf.matmul(row[None], weights)[0]], 8))


def _gathered(tf, s, resource):
    table = _variable(tf, list(range(0, 700, 7)), resource)
    s.run(tf.train.batch([tf.gather(table, s.number() % 100)], 8))


def _counted(tf, s, resource):
    n = s.number()
    count = tf.assign_add(_variable(tf, 0, resource), 1)
    s.run(tf.train.batch([n, count + 0], 8))


def _summed(tf, s, resource):
    n = s.number()
    total = _variable(tf, 0, resource)
    with tf.control_dependencies([tf.assign_add(total, n)]):
        after = total + 0  # a value of its own: an identity shares the variable's memory
    s.run(tf.train.batch([n, after], 8))


def _last_seen(tf, s, resource):
    n = s.number()
    last = _variable(tf, -1, resource)
    before = last + 0
    with tf.control_dependencies([before]):
        after = tf.assign(last, n)
    s.run(tf.train.batch([before, after + 0], 8))


def _scattered(tf, s, resource):
    n = s.number()
    seen = _variable(tf, [0] * 5, resource)
    with tf.control_dependencies([tf.scatter_add(seen, [n % 5], [n])]):
        after = seen + 0
    s.run(tf.train.batch([after], 8))


def _read_after_the_example(tf, s, resource):
    n = s.number(300)
    weight = _variable(tf, 5, resource)
    with tf.control_dependencies([n]):
        factor = weight.read_value()
    s.run(tf.train.batch([n, n * factor], 10))


def _changed_by_the_step(tf, s, resource):
    # Only the step reads it; the runner computes without it.
    batch = tf.train.batch([s.number()], 8)
    seen = _variable(tf, 0, resource)
    s.run([batch, tf.assign_add(seen, tf.reduce_sum(batch))])


def _counted_up_to(tf, s, resource):
    count = tf.Variable(0, trainable=False, use_resource=resource)
    s.run(tf.train.batch([count.count_up_to(90)], 8))


def _a_schedule(tf, s, resource):
    step = _variable(tf, 0, resource)
    n = s.number()
    with tf.control_dependencies([tf.assign_add(step, 1)]):
        rate = tf.train.exponential_decay(1.0, step.read_value(), 10, 0.5, staircase=True)
    s.run(tf.train.batch([n, rate], 8))


def _of_unlike_shape(tf, s, resource):
    rows = _variable(tf, [[1, 2], [3, 4], [5, 6]], resource)
    n = s.number(150)
    s.run(tf.train.batch([rows[: n % 4]], 6, dynamic_pad=True))


for _function in (
    _scaled,
    _scaled_by_a_matrix,
    _gathered,
    _counted,
    _summed,
    _last_seen,
    _scattered,
    _read_after_the_example,
    _changed_by_the_step,
    _counted_up_to,
    _a_schedule,
    _of_unlike_shape,
):
    for _resource in RESOURCE:

        def _program(tf, s, function=_function, resource=_resource):
            function(tf, s, resource)

        _program.__name__ = _function.__name__[1:] + ("_resource" if _resource else "_ref")
        program(_program)


@program
def a_local_variable(tf, s):
    count = tf.get_local_variable("c", initializer=10)
    s.run(tf.train.batch([s.number() + count], 8))


@program
def a_variable_made_of_a_batch(tf, s):
    batch = tf.train.batch([s.number()], 8)
    kept = tf.get_variable("k", [8], tf.int32, tf.zeros_initializer(), trainable=False)
    s.run([tf.assign(kept, batch)])


@program
def two_counters(tf, s):
    n = s.number()
    a, b = (_variable(tf, 0, False, name) for name in "ab")
    s.run(tf.train.batch([tf.assign_add(a, 1) + 0, tf.assign_add(b, n) + 0, n], 8))


@program
def a_variable_that_nobody_initialised(tf, s):
    value = tf.get_variable("v", initializer=1)
    with tf.Session() as sess:
        s.attempt(sess.run, value)
        s.see(sess.run(tf.is_variable_initialized(value)))


@program
def a_global_step_behind_the_batch(tf, s):
    step = tf.train.get_or_create_global_step()
    batch = tf.train.batch([s.number()], 8)
    s.run([batch, tf.assign_add(step, 1)])


# -- tables ---------------------------------------------------------------------------------------


@program
def a_table_of_numbers(tf, s):
    keys = tf.range(0, 200, 2)
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, keys + 1), -1)
    s.run(tf.train.batch([table.lookup(s.number())], 8))


@program
def a_table_of_strings(tf, s):
    keys = tf.constant([f"0.{i}" for i in range(0, 170, 3)])
    values = tf.range(tf.size(keys))
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1)
    line = s.line(170)
    s.run(tf.train.batch([line, table.lookup(line)], 9))


@program
def a_vocabulary_from_a_file(tf, s):
    path = s.file("words", "".join(f"0.{i}\n" for i in range(100)))
    table = tf.lookup.StaticVocabularyTable(
        tf.lookup.TextFileInitializer(
            path,
            tf.string,
            tf.lookup.TextFileIndex.WHOLE_LINE,
            tf.int64,
            tf.lookup.TextFileIndex.LINE_NUMBER,
        ),
        num_oov_buckets=3,
    )
    s.run(tf.train.batch([table.lookup(s.line(150))], 9))


@program
def a_table_that_is_written_to(tf, s):
    from tensorflow.python.ops import lookup_ops

    table = lookup_ops.MutableHashTable(tf.int64, tf.int64, -1)
    n = tf.cast(s.number(), tf.int64)
    before = table.lookup(n % 7)
    with tf.control_dependencies([before]):
        with tf.control_dependencies([table.insert(n % 7, n)]):
            size = table.size()
    s.run(tf.train.batch([n, before, size], 8))


@program
def a_table_in_the_step(tf, s):
    keys = tf.constant([0, 1, 2])
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(keys, tf.constant(["a", "b", "c"])), "?"
    )
    s.run(table.lookup(tf.train.batch([s.number() % 4], 8)))


@program
def a_table_of_sparse_ids(tf, s):
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(
            tf.constant([0, 1, 2], tf.int64), tf.constant([5, 6, 7], tf.int64)
        ),
        -1,
    )
    s.run(tf.train.batch([table.lookup(s.parsed("some")["some"])], 8))


@program
def a_table_without_its_initializer(tf, s):
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(tf.constant([1]), tf.constant([2])), -1
    )
    with tf.Session() as sess:
        s.attempt(sess.run, table.lookup(tf.constant(1)))
