"""What is bytes today and was `str` in Python 2: in what a function of `tf.py_func` is given."""

from tfqueue import cli

PROGRAM = """\
import numpy as np
import tensorflow as tf
class Reader(object):
    def __call__(self, path, sizes):
        return np.float32(len(path.split('/'))), 'got ' + path
def kinds(names):
    return np.array([n != 'b' for n in names])
a, b = tf.py_func(Reader(), ['x/y/z', tf.constant([1, 2])], [tf.float32, tf.string])
c = tf.py_func(kinds, [tf.constant(['a', 'b'])], tf.bool, name='kinds')
d = tf.py_func(func=lambda n: np.int32(n / 2), inp=[7], Tout=tf.int32, stateful=False)
e = tf.py_func(lambda s: {'a': 1, 'b': 2}[s], ['b'], tf.int64)
with tf.Session() as s:
    for one in s.run([a, b, c, d, e]): print one
print c.op.name
"""
# of Python 2.7.18 with TensorFlow 1.15.5
PRINTED = "3.0\ngot x/y/z\n[ True False]\n3\n2\nkinds\n"


def test_a_function_is_given_text(tmp_path, capsys):
    path = tmp_path / "old.py"
    path.write_text(PROGRAM)
    assert cli.main(["run", str(path)]) == 0
    assert capsys.readouterr() == (PRINTED, "")
