"""`tf.contrib.gan` is the package tensorflow-gan, where that is installed: here a package of its form."""

import pytest

from tests.suite import children

PACKAGE = {
    "__init__.py": "import tensorflow as tf\nfrom tensorflow_gan.python import losses\n"
    "hook = tf.estimator.SessionRunHook\ndef gan_model(x):\n    return tf.layers.dense(x, 2)\n"
    "del python\n",  # as the package does
    "python/__init__.py": "",
    "python/namedtuples.py": "GANModel = 'a model'\n",
    "python/losses/__init__.py": "from tensorflow_gan.python.losses import losses_impl as wargs\n",
    "python/losses/losses_impl.py": "def minimax():\n    return 3\n",
}
PROGRAM = """
import tensorflow as tf
import tensorflow.contrib.gan as one
from tensorflow.contrib import gan as other
from tensorflow.contrib.gan.python import namedtuples
from tensorflow.contrib.gan.python.losses.python import losses_impl
tfgan = tf.contrib.gan
print(tfgan is one is other, tfgan.gan_model(tf.zeros([4, 3])).shape, tfgan.losses.wargs.minimax())
print(losses_impl.minimax(), namedtuples.GANModel)
"""


@pytest.fixture
def package(tmp_path):
    """The folder of a program, and in it a package `tensorflow_gan`."""
    for name, text in PACKAGE.items():
        path = tmp_path / "tensorflow_gan" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_the_installed_package_stands_for_it(package):
    (package / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=package)
    assert done.stdout == "True (4, 2) 3\n3 a model\n", done.stderr


def test_outside_of_a_run_the_sentence_says_what_to_do(package):
    code = "import tfqueue.v1 as tf; tf.contrib.gan.gan_model"
    done = children.run(["-c", code], cwd=package)
    told = " ".join(done.stderr.split())
    assert "tf.contrib.gan is gone since TensorFlow 2.0: the package tensorflow-gan, which" in told
    assert "Caused by AttributeError: module 'tensorflow' has no attribute 'estimator'" in told
