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


def test_what_protoc_wrote_is_the_bytes_that_it_was(tmp_path, capsys):
    path = tmp_path / "old_pb2.py"
    path.write_text(
        "import sys\n"
        "_b=sys.version_info[0]<3 and (lambda x:x) or (lambda x:x.encode('latin1'))\n"
        "for d in (_b('\\n\\x0b\\xdc\\x1f'), _b('abc'), _b('caf\\xc3\\xa9'), _b('\\xff\\xfe\\x00')):\n"
        "    print len(d), [ord(c) for c in d]\n"
    )
    assert cli.main(["run", str(path)]) == 0
    # of Python 2.7.18
    assert capsys.readouterr().out == (
        "4 [10, 11, 220, 31]\n3 [97, 98, 99]\n5 [99, 97, 102, 195, 169]\n3 [255, 254, 0]\n"
    )
