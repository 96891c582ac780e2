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


OTHER_ORDER = """
import tensorflow as tf
from tensorflow.python.ops import math_ops, nn
y, z = tf.constant([[1.0, 2.0, 0.5]]), tf.constant([[0.2, 0.3, 0.5]])
rows = tf.mul(tf.ones([2, 1, 3]), 1.0)
with tf.Session() as session:
    print(["%.4f" % one for one in session.run(nn.log_poisson_loss(y, z))[0, :2]])
    print(session.run(math_ops.batch_matmul(rows, rows, adj_y=True)).ravel().tolist())
"""


def test_arguments_in_the_order_of_then(tmp_path):
    """The numbers of 0.12.1, whose `log_poisson_loss` takes the logarithms first."""
    (tmp_path / "old.py").write_text(OTHER_ORDER)
    told = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert told.stdout.split("\n")[:2] == ["['2.5183', '6.7891']", "[3.0, 3.0]"], told.stderr
