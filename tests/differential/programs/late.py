"""Examples that are like all others at first, when a vectorised step is compared, and odd later on."""

from ..kit import program

COUNT, ODD = 300, 240


def batched(tf, s, *values):
    s.run(tf.train.batch(list(values), 8, allow_smaller_final_batch=True))


def odd_one(tf, n, usual, odd):
    """`odd` for one example, well behind the first."""
    return tf.where(tf.equal(n, ODD + 3), odd, usual)


@program
def assertion_on_floats(tf, s):
    x = tf.to_float(s.number(COUNT))
    with tf.control_dependencies([tf.Assert(x < ODD, [x])]):
        checked = tf.identity(x)
    batched(tf, s, checked)


@program
def assertion_of_two_long_numbers(tf, s):
    n = tf.to_int64(s.number(COUNT))
    with tf.control_dependencies([tf.assert_less(n, tf.constant(ODD, tf.int64))]):
        checked = n + 1
    batched(tf, s, checked)


@program
def assertion_before_the_enqueue(tf, s):
    x = tf.to_float(s.number(COUNT))
    queue = tf.FIFOQueue(40, tf.float32, [[]])
    with tf.control_dependencies([tf.assert_less(x, float(ODD))]):
        put = queue.enqueue([x])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    s.run(queue.dequeue())


@program
def assertion_in_a_branch(tf, s):
    n = s.number(COUNT)
    twice = n * 2

    def checked():
        with tf.control_dependencies([tf.Assert(n < ODD, [n])]):
            return tf.identity(n)

    batched(tf, s, tf.cond(n % 2 < 1, checked, lambda: twice))


@program
def assertion_behind_a_copy_in_a_branch(tf, s):
    n = s.number(COUNT)

    def checked():
        with tf.control_dependencies([tf.Assert(n < ODD, [n])]):
            seen = tf.identity(n)
        with tf.control_dependencies([seen]):
            return n * 2

    batched(tf, s, tf.cond(n % 2 < 1, checked, lambda: -n))


@program
def assertion_in_a_branch_of_a_branch(tf, s):
    n = s.number(COUNT)

    def checked():
        with tf.control_dependencies([tf.Assert(n < ODD, [n])]):
            seen = tf.identity(n)

        def inner():
            with tf.control_dependencies([seen]):
                return tf.identity(n)

        return tf.cond(n % 3 > 0, inner, lambda: seen + 1)

    batched(tf, s, tf.cond(n % 2 < 1, checked, lambda: -n))


def rows(s):
    """Rows `i,i % 7,i / 2`, of which some are -999 later on."""
    text = [
        f"{i},{-999 if i > ODD and i % 5 == 0 else i % 7},{-999 if i > ODD and i % 3 == 0 else i / 2}"
        for i in range(COUNT)
    ]
    return [s.file("late.csv", "".join(f"{line}\n" for line in text))]


@program
def numbers_that_are_missing(tf, s):
    line = tf.TextLineReader().read(s.names(rows(s)))[1]
    batched(tf, s, *tf.decode_csv(line, [[0], [7], [0.5]], na_value="-999"))


@program
def numbers_that_are_missing_in_a_branch(tf, s):
    line = tf.TextLineReader().read(s.names(rows(s)))[1]
    short = tf.less(tf.size(tf.string_split([line], ",")), 3)

    def columns(marker):
        return lambda: tf.decode_csv(line, [[0], [7], [0.5]], na_value=marker)

    batched(tf, s, *tf.cond(short, columns(""), columns("-999")))


def of_one_branch(tf, n):
    """What only one side gives, which most examples take."""
    given = []

    def usual():
        given.append(n * 2)
        return given[0]

    tf.cond((n < ODD) | (n % 2 > 0), usual, lambda: n)
    return given[0]


@program
def examples_that_a_branch_lets_pass(tf, s):
    batched(tf, s, of_one_branch(tf, s.number(COUNT)))


@program
def examples_that_wait_for_a_branch(tf, s):
    n = s.number(COUNT)
    with tf.control_dependencies([of_one_branch(tf, n)]):
        same = tf.identity(n)
    batched(tf, s, same)


@program
def side_that_was_taken(tf, s):
    n = s.number(COUNT)
    either = tf.cond(n < ODD, lambda: n * 2, lambda: -n)
    batched(tf, s, either, either.op.outputs[1])


@program
def segment_that_is_none(tf, s):
    n = s.number(COUNT)
    segments = tf.stack([0, odd_one(tf, n, 1, 5), 2])
    batched(tf, s, n, tf.unsorted_segment_sum(tf.stack([n, n + 1, n + 2]), segments, 4))


@program
def largest_of_a_segment_that_is_none(tf, s):
    n = s.number(COUNT)
    segments = tf.stack([0, odd_one(tf, n, 1, 5), 2])
    batched(tf, s, n, tf.unsorted_segment_max(tf.stack([n, n + 1, n + 2]), segments, 4))


@program
def rows_that_are_none(tf, s):
    n = s.number(COUNT)
    values = tf.to_float(tf.stack([n, n + 1, n + 2]))
    sums = tf.sparse_segment_sum(values, tf.stack([0, odd_one(tf, n, 1, 4), 2]), [0, 0, 1])
    sums.set_shape([2])
    batched(tf, s, n, sums)


@program
def mean_of_rows_that_are_none(tf, s):
    n = s.number(COUNT)
    values = tf.to_float(tf.stack([n, n + 1, n + 2]))
    means = tf.sparse_segment_mean(values, tf.stack([0, odd_one(tf, n, 1, -1), 2]), [0, 0, 1])
    means.set_shape([2])
    batched(tf, s, n, means)


@program
def nothing_from_outside(tf, s):
    n = s.number(COUNT)
    none = tf.slice(tf.stack([n, n, n]), [tf.where(n < ODD, 1, 9)], [0])
    batched(tf, s, n, tf.reduce_sum(none))


@program
def nothing_from_outside_in_a_branch(tf, s):
    n = s.number(COUNT)
    three, begin = tf.stack([n, n, n]), tf.where(n < ODD, 1, 9)
    some = tf.cond(n % 2 < 1, lambda: tf.reduce_sum(tf.slice(three, [begin], [0])), lambda: n)
    batched(tf, s, n, some)


@program
def nothing_from_outside_in_a_function(tf, s):
    n = s.number(COUNT)
    part = tf.function(lambda three, begin: tf.reduce_sum(tf.slice(three, [begin], [0])))
    batched(tf, s, n, part(tf.stack([n, n, n]), tf.where(n < ODD, 1, 9)))


@program
def complex_numbers_that_are_huge(tf, s):
    n = s.number(COUNT)
    value = tf.complex(0.0, tf.where(n < ODD, 2.0, 1e25))
    batched(tf, s, n, tf.real(tf.log(value)))


@program
def complex_numbers_out_of_range(tf, s):
    n = s.number(COUNT)
    x = tf.to_double(n)
    value = tf.complex(tf.where(n < ODD, x * 0, -x), x)
    batched(tf, s, n, tf.cast(tf.cast(value, tf.uint8), tf.int32))


@program
def the_rest_from_outside(tf, s):
    n = s.number(COUNT)
    rest = tf.slice(tf.stack([n, n, n]), [tf.where(n < ODD, 1, 9)], [-1])
    batched(tf, s, n, tf.reduce_sum(rest))


@program
def small_numbers_out_of_range(tf, s):
    n = s.number(COUNT)
    x = tf.to_float(tf.where(n < ODD, n, n + 200)) - 0.25
    kinds = (tf.uint8, tf.int8, tf.uint16, tf.int16)
    batched(tf, s, *(tf.cast(x * kind.max / 255, kind) for kind in kinds))


@program
def cut_off_and_not_rounded(tf, s):
    x = tf.to_float(s.number(COUNT) + 200)
    short = tf.raw_ops.Cast(x=x, DstT=tf.bfloat16, Truncate=True)
    batched(tf, s, tf.cast(short, tf.float32))


@program
def what_waits_for_a_line(tf, s):
    lines = "".join("oops\n" if i == COUNT - 5 else f"{i}\n" for i in range(COUNT))
    line = tf.TextLineReader().read(s.names([s.file("late.txt", lines)]))[1]
    with tf.control_dependencies([line]):
        one = tf.constant(1)
    batched(tf, s, tf.string_to_number(line, tf.int32), one)


@program
def what_waits_for_an_element(tf, s):
    n = s.number(COUNT)
    with tf.control_dependencies([n]):
        one = tf.constant(1)
    text = tf.as_string(n + 100_000 + tf.where(n < ODD, 0, n % 2 * 1_000_000))
    batched(tf, s, tf.reduce_sum(tf.to_int32(tf.decode_raw(text, tf.uint8))), one, n)


@program
def whole_numbers_of_logarithms(tf, s):
    n = s.number(COUNT)
    power = tf.log(tf.to_float(tf.where(n < ODD, 3, 2 ** (n % 30)))) / tf.log(2.0)
    batched(tf, s, n, tf.to_int32(power), tf.to_int32(tf.floor(power)))


@program
def whole_numbers_of_reciprocals(tf, s):
    x = tf.reciprocal(tf.where(s.number(COUNT) < ODD, -0.3, -1.0))
    by = tf.function(lambda y: tf.to_int32(y))(x)
    batched(tf, s, tf.to_int32(x), by, tf.as_string(x) + ".")


@program
def compared_with_a_mean(tf, s):
    n = s.number(COUNT)
    x = tf.to_float(tf.where(n < ODD, 3, n)) / [7.0, 3.0, 0.3, 1.7, 0.2]
    mean = tf.reduce_mean(x)
    same = tf.equal(mean, tf.reduce_sum(x) / 5.0)
    batched(tf, s, n, same, tf.cond(mean * 5.0 > tf.reduce_sum(x), lambda: 1, lambda: 2))
