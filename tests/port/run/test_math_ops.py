"""`tensorflow.python.ops.math_ops` under `tfqueue run`, with the arguments of TensorFlow 1."""

from tests.suite import children

SOURCE = """
import tensorflow as tf
from tensorflow.python.ops import math_ops
print(math_ops.reduce_mean(tf.ones([2, 3]), [1], keep_dims=True).shape)
"""


def test_reductions_keep_their_dimensions_by_the_old_word(tmp_path):
    (tmp_path / "old.py").write_text(SOURCE)
    told = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert told.stdout.strip() == "(2, 1)", told.stderr
