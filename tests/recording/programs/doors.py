"""Goes through each of a session's doors, one graph each, and prints what the graphs hold.

doors.py FOLDER
"""

from __future__ import print_function

import os
import sys
import threading

import numpy as np
import tensorflow as tf

FOLDER = sys.argv[1]


def counted():
    """A queue of 0 to 9, one at a time."""
    names = tf.train.range_input_producer(10, shuffle=False, num_epochs=1)
    return names.dequeue(name="number")


def monitored():
    number = counted()
    step = tf.train.get_or_create_global_step()
    twice = tf.multiply(number, 2, name="twice")
    train = tf.assign_add(step, 1)
    hooks = [tf.train.LoggingTensorHook({"number": step}, every_n_secs=3600)]
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=os.path.join(FOLDER, "monitored"), hooks=hooks, save_summaries_steps=3
    ) as sess:
        while not sess.should_stop():
            sess.run([twice, train])


def supervised():
    number = tf.add(counted(), 100, name="number_and_hundred")
    supervisor = tf.train.Supervisor(logdir=os.path.join(FOLDER, "supervised"), save_model_secs=0)
    with supervisor.managed_session() as sess:
        while not supervisor.should_stop():
            sess.run(number)


def callables():
    given = tf.placeholder(tf.float32, [2], name="given")
    sum_of = tf.reduce_sum(given, name="sum_of")
    nothing = tf.constant([1.5, 2.5], name="nothing")
    sess = tf.Session()
    print(sess.make_callable(sum_of, [given])([1.0, 2.0]))
    print(sess.make_callable(nothing)())
    sess.close()


def evaluated():
    sess = tf.InteractiveSession()
    weight = tf.Variable([1.0, 2.0], name="weight")
    weight.initializer.run()
    print(tf.square(weight, name="square").eval())
    tf.assign(weight, [3.0, 4.0], name="given_anew").op.run()
    sess.close()


def in_parts():
    one, two = (
        tf.placeholder(tf.float32, [], name="one"),
        tf.placeholder(tf.float32, [], name="two"),
    )
    first = tf.add(one, 1.0, name="first_part")
    second = tf.multiply(first, two, name="second_part")
    with tf.Session() as sess:
        handle = sess.partial_run_setup([first, second], [one, two])
        print(sess.partial_run(handle, first, {one: 1.0}))
        print(sess.partial_run(handle, second, {two: 3.0}))


def threaded():
    value = tf.constant(3, name="in_a_thread")
    sess = tf.Session()
    threads = [threading.Thread(target=lambda: sess.run(value)) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    sess.run(tf.identity(value, name="behind_threads"))
    # This session is never closed.
    return sess


def in_control_flow():
    queue = tf.FIFOQueue(20, tf.int32, [])
    fill = queue.enqueue_many([list(range(12))], name="fill")
    plain = queue.dequeue(name="outside")
    branch = tf.cond(plain >= 0, lambda: queue.dequeue(), lambda: -1)
    loop = tf.while_loop(lambda k, _: k < 3, lambda k, s: (k + 1, s + queue.dequeue()), [0, 0])
    total = tf.add(branch, loop[1], name="total")
    with tf.Session() as sess:
        sess.run(fill)
        # Which of the five dequeues takes which element is chance; that they take the first five is not.
        print(sum(sess.run([total, plain])))
        sess.run(total)


def elsewhere():
    other = tf.Graph()
    with other.as_default():
        tf.constant(5, name="in_another_graph")
    with tf.Session(graph=other) as sess:
        print(sess.run("in_another_graph:0"))
    sess = tf.Session(graph=other)
    print(sess.run(other.get_tensor_by_name("in_another_graph:0")))


def strings():
    names = tf.train.string_input_producer(["a", "bc"], shuffle=False, num_epochs=1)
    pairs = tf.train.batch([names.dequeue(), tf.constant([["x"], ["y"]])], 2)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(tf.identity(pairs[0], name="two_names"))
        coord.request_stop()
        coord.join(threads)


def values():
    sparse = tf.sparse_placeholder(tf.float32, name="sparse")
    dense = tf.identity(tf.sparse_tensor_to_dense(sparse), name="dense")
    given = tf.placeholder(tf.string, [None], name="words")
    again = tf.identity(given, name="again")
    fetched = {
        "bool": tf.constant([True, False], name="bool"),
        "empty": tf.constant(np.zeros([0, 3], np.float32), name="empty"),
        "complex": tf.constant([1 + 2j, 3 - 4j], tf.complex64, name="complex"),
        "odd": tf.constant([np.nan, np.inf, -np.inf, 1.0], name="odd"),
        "half": tf.constant([1.0, 2.0], tf.bfloat16, name="half"),
        "double": tf.constant([1e300, -1e300], tf.float64, name="double"),
        "sparse": tf.SparseTensor([[0, 1]], [2.0], [2, 2]),
        "nested": (dense, [again]),
    }
    parts = tf.SparseTensorValue([[0, 0]], [5.0], [1, 2])
    with tf.Session() as sess:
        sess.run(fetched, {sparse: parts, given: ["a", "\u00e4"]})
        sess.run(dense, {sparse: ([[0, 1]], [6.0], [1, 2])})
        sess.run("again:0", {"words:0": [b"by name"]})


if __name__ == "__main__":
    kept = []
    chosen = sys.argv[2:] or ["monitored", "supervised", "callables", "evaluated", "in_parts"] + [
        "threaded",
        "in_control_flow",
        "elsewhere",
        "strings",
        "values",
    ]
    for name in chosen:
        with tf.Graph().as_default() as graph:
            kept.append(globals()[name]())
            # Those in tfqueue's scope are made when a step has to wait, so not in every run.
            ops = [op.name for op in graph.get_operations()]
            print(name, [op for op in ops if not op.startswith("tfqueue_control/")])
