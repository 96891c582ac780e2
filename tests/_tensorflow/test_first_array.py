"""Ctrl-C is not lost in the first step of a process."""

import subprocess
import sys

FIRST_STEP = """
import numpy.lib._version
import threading
import {module} as tf

tf.disable_v2_behavior()
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


def printed_with(module):
    """What is printed where C++ runs Python in the first step of a process, and it is interrupted."""
    program = FIRST_STEP.format(module=module)
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, timeout=240, check=True
    )
    return done.stdout


def test_no_python_runs_in_the_first_step():
    assert printed_with("tfqueue.v1") == "0 False\n"


def test_tensorflow_runs_python_in_the_first_step_and_drops_its_errors():
    """Where this fails, `_make_array` is needed no more."""
    printed = printed_with("tensorflow.compat.v1")
    assert printed.startswith("KeyboardInterrupt")
    assert printed.endswith("\n0 False\n")
