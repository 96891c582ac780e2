"""What is bytes today and was `str` in Python 2: in files, and in what a function of `tf.py_func` is given."""

import struct

import pytest

from tfqueue import cli
from tfqueue.port import py2

PROGRAM = """\
import re
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
def text(x, kind):
    assert type(kind) == str and kind in 'a pred' and 'pred'.startswith(kind)
    return '-'.join(['x', kind]) + re.sub(kind, 'q', 'a_pred') + 'pred'.replace(kind, 'r')
f = tf.py_func(text, [tf.constant(1.), 'pred'], tf.string)
with tf.Session() as s:
    for one in s.run([a, b, c, d, e, f]): print one
print c.op.name
"""
# of Python 2.7.18 with TensorFlow 1.15.5
PRINTED = "3.0\ngot x/y/z\n[ True False]\n3\n2\nx-preda_qr\nkinds\n"


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


def test_what_is_read_from_a_file_of_bytes(tmp_path):
    path = tmp_path / "words.bin"
    path.write_bytes(b"a b\n\x80 c\n")
    with path.open("rb") as file:
        assert py2.byte_strings(file.read(1)) == "a"
        assert py2.byte_strings(file.readlines())[0].strip().split(" ") == ["b"]
    with path.open("rb") as file:
        first, second = py2.byte_lines(file)
    assert (first.split(), second[-2], len(second)) == (["a", "b"], "c", 4)
    shared = [1, 2]
    assert py2.byte_strings(shared) is shared
    assert py2.byte_strings(b"") == ""


def test_lines_of_a_file_that_a_function_opened(tmp_path, monkeypatch, capsys):
    """What opens the file is not seen where it is gone through; the printed is that of Python 2.7.18."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text(
        "import bz2, gzip\ndef held(path, mode):\n"
        "  if path.endswith('.gz'):\n    return gzip.open(path, mode)\n"
        "  if path.endswith('.bz2'):\n    return bz2.BZ2File(path, mode)\n"
        "  return open(path, mode)\n"
        "for path in ('x.gz', 'x.bz2', 'x.bin'):\n"
        "  out = held(path, 'wb')\n  out.write(' a b\\nc\\n')\n  out.close()\n"
        "  lines = held(path, 'rb')\n"
        "  for line in lines:\n    print line.startswith(' '), line[0] == 'c', line.split()\n"
        "  lines.close()\n"
    )
    assert cli.main(["run", "old.py"]) == 0
    assert capsys.readouterr().out == "True False ['a', 'b']\nFalse True ['c']\n" * 3


def test_texts_beside_bytes():
    letters = [py2.byte_strings(one) for one in (b"a", b"b")]
    assert py2.joined("", letters) == "ab"
    assert py2.joined("-", iter(letters)) == "a-b"
    assert py2.joined(", ", "xy") == "x, y"
    with pytest.raises(TypeError):
        py2.joined("", [1])
    assert letters[0] in py2.characters("abc")
    assert letters[0] not in py2.characters("xyz")
    assert py2.repr(type(letters[0])) == "<type 'str'>"
    assert py2.isinstance(letters[0], py2.str)
    assert py2.isinstance(b"a", (int, py2.str))
    assert not py2.isinstance(b"a", int)


def test_a_program_reads_vectors_word_by_word(tmp_path, monkeypatch, capsys):
    """A loop that ends at a blank; its numbers are those of Python 2.7."""
    monkeypatch.chdir(tmp_path)
    numbers = struct.pack("<2f", 0.5, 8.0)
    (tmp_path / "vectors.bin").write_bytes(b"2 2\nan " + numbers + b"\nto " + numbers + b"\n")
    (tmp_path / "old.py").write_text(
        "import numpy as np\nf = open('vectors.bin', 'rb')\n"
        "count, size = map(int, f.readline().split())\nfor _ in xrange(count):\n"
        "  word = []\n  while True:\n    ch = f.read(1)\n    if ch == ' ':\n"
        "      word = ''.join(word)\n      break\n    if ch == '':\n      raise ValueError\n"
        "    if ch != '\\n':\n      word.append(ch)\n"
        "  print word, word in {'to': 1}, np.fromstring(f.read(4 * size), dtype='float32')\nf.close()\n"
    )
    assert cli.main(["run", "old.py"]) == 0
    assert capsys.readouterr().out == "an False [0.5 8. ]\nto True [0.5 8. ]\n"
