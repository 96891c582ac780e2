"""Models behind a batch: gradients, optimisers, savers, summaries."""

from ..kit import program


def _model(tf, s, count=200, size=10):
    """The loss of a line through points that a runner brings."""
    a, b, c = tf.train.batch(s.row(count), size)
    x = tf.stack([tf.cast(b, tf.float32) / 7, c / 100], 1)
    y = tf.cast(a, tf.float32) / 100
    w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
    return tf.reduce_mean(tf.square(tf.matmul(x, w)[:, 0] - y)), w


def _trained(name, optimizer):
    def run(tf, s):
        loss, w = _model(tf, s)
        step = optimizer(tf).minimize(loss, global_step=tf.train.get_or_create_global_step())
        with s.started() as sess:
            s.see([sess.run([loss, step])[0] for _ in range(20)], sess.run(w))
            s.attempt(sess.run, step)

    run.__name__ = name
    program(run, close=True)


_trained("gradient_descent", lambda tf: tf.train.GradientDescentOptimizer(0.1))
_trained("momentum", lambda tf: tf.train.MomentumOptimizer(0.1, 0.9))
_trained("adam", lambda tf: tf.train.AdamOptimizer(0.05))
_trained("adagrad", lambda tf: tf.train.AdagradOptimizer(0.05))
_trained("rmsprop", lambda tf: tf.train.RMSPropOptimizer(0.01))


@program(close=True)
def gradients_alone(tf, s):
    loss, w = _model(tf, s)
    s.run([loss, tf.gradients(loss, w)])


@program(close=True)
def gradients_of_what_the_runner_brought(tf, s):
    batch = tf.cast(tf.train.batch([s.number(100)], 10), tf.float32)
    s.run(tf.gradients(tf.reduce_sum(batch * batch), batch))


@program(close=True)
def a_falling_rate(tf, s):
    loss, _ = _model(tf, s)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 5, 0.5, staircase=True)
    train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)
    with s.started() as sess:
        s.see([sess.run([rate, train])[0] for _ in range(18)])


@program(close=True)
def a_moving_average(tf, s):
    loss, w = _model(tf, s)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    average = tf.train.ExponentialMovingAverage(0.9)
    with tf.control_dependencies([train]):
        update = average.apply([w])
    with s.started() as sess:
        for _ in range(15):
            sess.run(update)
        s.see(sess.run(average.average(w)))


@program(close=True)
def clipped_gradients(tf, s):
    loss, w = _model(tf, s)
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    pairs = optimizer.compute_gradients(loss)
    train = optimizer.apply_gradients([(tf.clip_by_norm(g, 0.1), v) for g, v in pairs])
    with s.started() as sess:
        for _ in range(15):
            sess.run(train)
        s.see(sess.run(w))


@program(close=True)
def a_classifier(tf, s):
    a, b, _ = tf.train.batch(s.row(), 10)
    x = tf.one_hot(a % 7, 7)
    w = tf.get_variable("w", [7, 7], initializer=tf.zeros_initializer())
    loss = tf.losses.sparse_softmax_cross_entropy(b, tf.matmul(x, w))
    train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    accuracy = tf.reduce_mean(tf.cast(tf.nn.in_top_k(tf.matmul(x, w), b, 1), tf.float32))
    with s.started() as sess:
        s.see([sess.run([loss, accuracy, train])[:2] for _ in range(15)])


@program(close=True)
def an_embedding(tf, s):
    n = tf.train.batch([s.number() % 11], 10)
    table = tf.get_variable("e", [11, 2], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.nn.embedding_lookup(table, n) ** 2)
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    with s.started() as sess:
        for _ in range(20):
            sess.run(train)
        s.see(sess.run(table))


@program
def saved_and_restored(tf, s):
    batch = tf.train.batch([s.number(200)], 10)
    total = tf.get_variable("t", initializer=0, trainable=False)
    add = tf.assign_add(total, tf.reduce_sum(batch))
    saver = tf.train.Saver()
    with s.started() as sess:
        for _ in range(5):
            sess.run(add)
        path = saver.save(sess, str(s.folder / "model"))
    with s.started() as sess:
        saver.restore(sess, path)
        s.see(sess.run(total), sess.run(add))


@program
def saved_without_the_epochs(tf, s):
    tf.train.batch([s.number(200)], 10)
    tf.get_variable("t", initializer=0)
    s.see(sorted(v.name for v in tf.global_variables()), len(tf.local_variables()))


@program
def summaries_of_a_batch(tf, s):
    batch = tf.train.batch([tf.cast(s.number(150), tf.float32)], 10)
    tf.summary.scalar("mean", tf.reduce_mean(batch))
    merged = tf.summary.merge([tf.summary.scalar("first", batch[0])])
    with s.started() as sess:
        for _ in range(15):
            found = tf.Summary.FromString(sess.run(merged))
            s.see([(value.tag, value.simple_value) for value in found.value])
    s.see(sorted(t.op.name for t in tf.get_collection(tf.GraphKeys.SUMMARIES)))


@program
def streaming_metrics(tf, s):
    a, b, _ = tf.train.batch(s.row(), 10)
    value, update = tf.metrics.accuracy(b % 2, a % 2)
    with s.started() as sess:
        for _ in range(20):
            sess.run(update)
        s.see(sess.run(value))


@program
def the_names_of_the_ops(tf, s):
    key, value = tf.TextLineReader().read(s.names(s.lines(5)))
    tf.train.shuffle_batch([key, value], 4, 50, 10)
    tf.train.batch([value], 2, name="mine")
    kinds = ("Queue", "Reader")
    ops = tf.get_default_graph().get_operations()
    s.see(*[f"{op.type} {op.name}" for op in ops if any(kind in op.type for kind in kinds)])
