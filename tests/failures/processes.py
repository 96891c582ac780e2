"""Rows that need a process of their own: what it prints, whether it exits, what a signal does."""

from __future__ import annotations

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Process:
    """A program run by itself; `tf`, `PATH` (a TFRecord file of 40) and `pipe` are given.

    Attributes:
        name: The row's name.
        program: Its source.
        ends_with: Its exit status; a negative one is a signal.
        prints: What stands on stdout.
        says: What must stand on stderr; empty: nothing at all may.
        interrupt: Whether Ctrl-C is sent once the program has printed `ready`.
    """

    name: str
    program: str
    ends_with: int = 0
    prints: str = ""
    says: str = ""
    interrupt: bool = False
    fine_today: str = ""
    """Why plain TensorFlow does all that too; every other row fails there."""

    def problems(self, printed: str, status: int, said: str) -> list[str]:
        """What is not as the row says, a line each: of stdout, exit status and stderr."""
        found = []
        if printed.strip() != self.prints:
            found.append(f"it printed {printed!r}")
        if status != self.ends_with:
            found.append(f"it ended with {status}")
        if self.says not in said:
            found.append(f"nothing is said of {self.says!r}")
        noise = r"Cancelled|Exception in thread|Error in " if self.says else "."
        if re.search(noise, said):
            found.append("there is noise on stderr")
        return found


_TEXTBOOK = """
batch = pipe(1)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    n = 0
    try:
        while not coord.should_stop():
            n += len(sess.run(batch))
    except tf.errors.OutOfRangeError:
        print(n)
    finally:
        coord.request_stop()
    coord.join(threads)
"""

PROCESSES = [
    Process("correct_program", _TEXTBOOK, prints="40"),
    Process("deprecation_noise", _TEXTBOOK, prints="40"),
    Process(
        "noise_at_exit",
        """
batch = pipe(None)
with tf.Session() as sess:
    tf.train.start_queue_runners(sess)
    print(len(sess.run(batch)))
""",
        prints="4",
    ),
    Process(
        "interrupted_wait",
        """
queue = tf.FIFOQueue(3, tf.int32, [[]])
enqueue = queue.enqueue(1)
begun = tf.py_func(lambda: print("ready", flush=True), [], [])  # by the step itself
with tf.control_dependencies([begun]):
    out = queue.dequeue_many(2)
with tf.Session() as sess:
    sess.run(out)
""",
        ends_with=-2,
        prints="ready",
        says="KeyboardInterrupt",
        interrupt=True,
    ),
    Process(
        "feeder_outlives_main",
        """
import threading
queue = tf.FIFOQueue(2, tf.int32, [[]])
enqueue, out = queue.enqueue(1), queue.dequeue()
sess = tf.Session()
coord = tf.train.Coordinator()
def feed():
    while not coord.should_stop():
        sess.run(enqueue)
threading.Thread(target=feed).start()
sess.run(out)
raise ValueError("bug in the training loop")
""",
        ends_with=1,
        says="ValueError: bug in the training loop",
    ),
    Process(
        "create_threads_outlive_main",
        """
queue = tf.RandomShuffleQueue(20, 2, tf.float32, [[3]])
runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.random_normal([3]))] * 4)
out = queue.dequeue_many(2)
sess = tf.Session()
coord = tf.train.Coordinator()
threads = runner.create_threads(sess, coord=coord, start=True)
sess.run(out)
raise ValueError("bug in the training loop")
""",
        ends_with=1,
        says="ValueError: bug in the training loop",
    ),
    Process(
        "session_never_closed",
        """
batch = pipe(None)
sess = tf.Session()
tf.train.start_queue_runners(sess)
print(len(sess.run(batch)))
""",
        prints="4",
    ),
    Process(
        "interrupted_training",
        """
batch = pipe(None)
with tf.Session() as sess:
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    try:
        first = True
        while not coord.should_stop():
            sess.run(batch)
            if first:
                print("ready", flush=True)
                first = False
    except tf.errors.OutOfRangeError:
        pass
    finally:
        coord.request_stop()
        coord.join(threads)
""",
        ends_with=-2,
        prints="ready",
        says="KeyboardInterrupt",
        interrupt=True,
        fine_today="as the list says",
    ),
    Process(
        "fork_after_session",
        """
import os, warnings
warnings.simplefilter("ignore")  # Python 3.12's own words on fork
batch = pipe(None)
sess = tf.Session()
tf.train.start_queue_runners(sess)
sess.run(batch)
child = os.fork()
if child == 0:
    for make in (tf.Session, tf.InteractiveSession):
        try:
            make()
        except tfqueue.errors.ForkedSessionError:
            continue
        os._exit(6)
    # It is not run: where a thread of the parent begins as it forks, TensorFlow keeps a lock for ever.
    tf.Session(graph=tf.Graph(), config=tf.ConfigProto(use_per_session_threads=True))
    try:
        sess.run(batch)
    except tfqueue.errors.ForkedSessionError as error:
        os._exit(7 if "spawn" in str(error) else 8)
    os._exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
sess.close()
""",
        prints="7",
    ),
]

BEGINNING = """
import sys
import tfqueue, tfqueue.v1 as tf
PATH = sys.argv[1]
def pipe(epochs):
    names = tf.train.string_input_producer([PATH], num_epochs=epochs)
    _, record = tf.TFRecordReader().read(names)
    return tf.train.shuffle_batch([record], 4, 100, 10)
"""
