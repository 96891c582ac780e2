"""Takes two steps and ends in the way that its argument names.

ends.py HOW
"""

import os
import signal
import sys

import tensorflow as tf

if not hasattr(tf, "Session"):
    tf = tf.compat.v1
    tf.disable_eager_execution()

sess = tf.Session()
weight = tf.Variable(1.0, name="weight")
more = tf.assign_add(weight, 1.0, name="more")
sess.run(weight.initializer)
for _ in range(2):
    sess.run(more)
how = sys.argv[1]
if how == "raises":
    raise ValueError("a mistake")
if how == "text":
    sys.exit("a text")
if how.startswith("status"):
    sys.exit(int(how[6:]))
if how == "none":
    sys.exit()
if how == "op":
    sess.run(tf.check_numerics(tf.log(-1.0 * abs(weight)), "none"))
if how == "interrupted":
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        sess.run(more)
