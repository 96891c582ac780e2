"""Random numbers with seeds: the same numbers, for the same examples."""

from ..kit import program


def _pairs(tf, s, *values, size=8, **options):
    n = s.number()
    s.run(tf.train.batch([n, *[value(n) for value in values]], size, **options))


@program
def uniform(tf, s):
    _pairs(tf, s, lambda n: tf.random_uniform([], seed=1))


@program
def normal_of_some_shape(tf, s):
    _pairs(tf, s, lambda n: tf.random_normal([2, 3], seed=1))


@program
def integers(tf, s):
    _pairs(tf, s, lambda n: tf.random_uniform([3], 0, 100, tf.int32, seed=4))


@program
def two_independent(tf, s):
    _pairs(
        tf, s, lambda n: tf.random_uniform([], seed=1), lambda n: tf.truncated_normal([], seed=2)
    )


@program
def one_that_two_share(tf, s):
    n = s.number()
    drawn = tf.random_uniform([], seed=1)
    s.run(tf.train.batch([n, drawn, drawn * 2], 8))


@program
def one_that_two_conds_share(tf, s):
    n = s.number()
    drawn = tf.random_uniform([], seed=1)
    image = tf.cond(drawn < 0.5, lambda: n, lambda: -n)
    mask = tf.cond(drawn < 0.5, lambda: n, lambda: -n)
    s.run(tf.train.batch([image, mask], 8))


@program
def drawn_in_a_branch(tf, s):
    n = s.number()
    found = tf.cond(
        n % 3 > 0, lambda: tf.random_uniform([], seed=1), lambda: tf.cast(n, tf.float32)
    )
    s.run(tf.train.batch([found], 8))


@program
def added_to_the_example(tf, s):
    _pairs(tf, s, lambda n: tf.cast(n, tf.float32) + tf.random_uniform([], -1, 1, seed=9))


@program
def with_the_graphs_seed_only(tf, s):
    _pairs(tf, s, lambda n: tf.random_uniform([]))


@program
def an_order(tf, s):
    _pairs(tf, s, lambda n: tf.random_shuffle(n + tf.range(5), seed=3))


@program
def a_crop(tf, s):
    _pairs(tf, s, lambda n: tf.random_crop(n + tf.reshape(tf.range(20), [4, 5]), [2, 2], seed=3))


@program
def a_flip(tf, s):
    n = s.number()
    image = tf.reshape(n + tf.range(12), [2, 2, 3])
    s.run(tf.train.batch([tf.image.random_flip_left_right(image, seed=5)], 8))


@program(close=True)
def brightness_and_contrast(tf, s):
    n = s.number(60)
    image = tf.cast(tf.reshape(n + tf.range(12), [2, 2, 3]), tf.float32)
    image = tf.image.random_brightness(image, 0.4, seed=5)
    s.run(tf.train.batch([tf.image.random_contrast(image, 0.2, 1.8, seed=6)], 6))


@program
def dropped_out(tf, s):
    _pairs(tf, s, lambda n: tf.nn.dropout(tf.ones([5]), rate=0.5, seed=3))


@program
def multinomial(tf, s):
    _pairs(tf, s, lambda n: tf.multinomial([[1.0, 2.0, 3.0]], 2, seed=2)[0])


@program
def stateless(tf, s):
    _pairs(tf, s, lambda n: tf.random.stateless_uniform([2], seed=tf.stack([n, 7])))


@program
def of_a_shape_that_changes(tf, s):
    n = s.number(150)
    s.run(tf.train.batch([tf.random_uniform([n % 4], seed=2)], 6, dynamic_pad=True))


@program
def in_a_loop(tf, s):
    n = s.number(150)
    _, total = tf.while_loop(
        lambda i, _: i < n % 3,
        lambda i, t: (i + 1, t + tf.random_uniform([], seed=2)),
        [0, 0.0],
        parallel_iterations=1,
    )
    s.run(tf.train.batch([total], 6))


@program
def in_the_step(tf, s):
    batch = tf.train.batch([s.number()], 8)
    s.run([batch, tf.random_uniform([2], seed=8)])


@program
def only_random_numbers(tf, s):
    n = s.number()
    with tf.control_dependencies([n]):
        drawn = tf.random_normal([3], seed=1)
    s.run(tf.train.batch([drawn], 8))


@program
def an_endless_source_of_them(tf, s):
    queue = tf.FIFOQueue(20, tf.float32, [[3]])
    put = queue.enqueue(tf.random_normal([3], seed=1))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    s.run(queue.dequeue_many(8), steps=20)


@program
def a_threshold_that_keeps(tf, s):
    n = s.number(300)
    s.run(tf.train.maybe_batch([n], tf.random_uniform([], seed=6) < 0.4, 7))


@program
def after_a_second_session(tf, s):
    batch = tf.train.batch([tf.random_uniform([], seed=1) + 0 * tf.cast(s.number(), tf.float32)], 8)
    s.run(batch)
    s.run(batch)


@program
def shuffled_names_and_random_crops(tf, s):
    names = s.names(s.lines(*[20] * 6), 1, shuffle=True, seed=4)
    line = tf.TextLineReader().read(names)[1]
    s.run(tf.train.batch([line, tf.random_uniform([], seed=3)], 7))
