"""Ctrl-C is not lost in the first calls of a process: no Python runs where C++ drops its errors."""

import subprocess
import sys

import pytest
import tensorflow

from tests.suite import children

BEGIN = """
import builtins
import numpy.lib._version
import sys
import threading
import {module} as tf

tf.disable_v2_behavior()
"""
FIRST_STEP = """
begin = numpy.lib._version.NumpyVersion.__init__

def interrupted(self, version):
    if threading.current_thread() is threading.main_thread():
        raise KeyboardInterrupt
    begin(self, version)

numpy.lib._version.NumpyVersion.__init__ = interrupted
queue = tf.FIFOQueue(1, tf.int32)
with tf.Session() as sess:
    print(*sess.run([queue.size(), queue.is_closed()]))
"""
FIRST_PIPELINE = """
find = builtins.__import__

def watched_import(name, *args, **kwargs):
    calls_cpp = sys._getframe(1).f_code.co_name.startswith("_tf_core")
    if calls_cpp and threading.current_thread() is threading.main_thread():
        print("import", name)
    return find(name, *args, **kwargs)

def watched_call(frame, event, arg):
    code = frame.f_code
    if event == "call" and (code.co_filename, code.co_name) == ("<frozen abc>", "__subclasscheck__"):
        caller = frame.f_back.f_code
        if caller.co_filename.endswith("_ops.py"):  # that calls C++
            print("class", caller.co_name)

builtins.__import__ = watched_import
sys.setprofile(watched_call)
print(*tf.nest.flatten([1, [2]], expand_composites=True))
tf.nest.assert_same_structure([1], [2])
with tf.Session() as sess:
    names = tf.train.string_input_producer(["a", "b"], num_epochs=1, shuffle=False)
    batch = tf.train.batch([names.dequeue()], 2, capacity=8)
    sess.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    print(*sess.run(batch))
    coord.request_stop()
    coord.join(threads)
"""
FIRST_GRAPH = """
print(tf.Graph()._graph_key, tf.constant(1)._id)
"""


def printed_by(program, module, run=children.run):
    """What a program prints in a process of its own."""
    done = run(["-c", BEGIN.format(module=module) + program])
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_no_python_runs_in_the_first_step():
    assert printed_by(FIRST_STEP, "tfqueue.v1") == "0 False\n"


def test_no_python_looks_up_classes_for_the_first_lists_and_ops():
    assert printed_by(FIRST_PIPELINE, "tfqueue.v1") == "1 2\nb'a' b'b'\n"


def test_what_is_looked_up_beforehand_takes_no_number_of_a_graph():
    expected = printed_by(FIRST_GRAPH, "tensorflow.compat.v1")
    assert printed_by(FIRST_GRAPH, "tfqueue.v1") == expected


FORKED = """
import os
handles = []
for _ in range(2):
    read, write = os.pipe()
    if not os.fork():
        with tf.Session() as sess:
            sess.run(tf.constant(1))
            drawn = sess.run(tf.random_uniform([], maxval=1 << 30, dtype=tf.int32))
        os.write(write, str(drawn).encode())
        os._exit(0)
    os.wait()
    handles.append(os.read(read, 99))
print(handles[0] != handles[1])
"""


def test_processes_forked_after_the_import_draw_other_numbers():
    """They would also get one handle for their sessions on a server, and share its readers."""

    def run(arguments):  # not in a child that was forked itself
        line = [sys.executable, *arguments]
        return subprocess.run(line, capture_output=True, text=True, timeout=240, check=False)

    assert printed_by(FORKED, "tfqueue.v1", run) == "True\n"


@pytest.mark.skipif(
    not tensorflow.__version__.startswith("2.21."), reason="it is asked of TensorFlow 2.21 alone"
)
def test_tensorflow_runs_python_in_both():
    """Where this fails, `_look_up_python` is needed no more."""
    step = printed_by(FIRST_STEP, "tensorflow.compat.v1")
    assert step.startswith("KeyboardInterrupt")
    assert step.endswith("\n0 False\n")  # as if there had been none
    found = printed_by(FIRST_PIPELINE, "tensorflow.compat.v1")
    assert "import collections.abc\n" in found
    assert "class greater\n" in found
