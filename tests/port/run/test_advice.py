"""What is said of an error that a translated program ends with."""

import sys
import types
import urllib.error

import numpy as np
import pytest

from tests.suite import children
from tfqueue.port.code.compilation import compile_translation
from tfqueue.port.program.era import Era
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine
from tfqueue.port.run import advice


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Runs a program and returns what is said of its error."""
    monkeypatch.chdir(tmp_path)

    def run(text, also=(), **words):
        path = str(tmp_path / "old.py")
        translation = engine.translate(text, path, written_for=WrittenFor(**words))
        with pytest.raises(Exception) as caught:
            exec(compile_translation(translation, path), {"__name__": "__main__"})
        return advice.sentence({path: translation}, caught.value, frozenset(also))

    return run


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("n = 5\nfor i in range(n / 2): pass\n", "where `/` divides whole numbers"),
        ("n = 5\nx = {1: 2}.keys() + [n]\n", "where map, range, keys and their kin give lists"),
        *(
            (f"import json, random; import numpy as np\nx = {text}\n", "their kin give lists")
            for text in (
                "len(zip([1], [2]))",
                "random.choice(map(int, [1]))",
                "json.dumps({1: 2}.keys())",
                "json.dumps(map(int, [1]))",
                "float(map(int, [1]))",
                "'%d %d' % map(int, [1])",
                "[1, 2][filter(None, [1])]",
                "1 - map(int, [1])",
                "np.zeros(map(int, [1]))",
                "np.array({1: 2}.values(), int)",
                "len(np.array(zip([1], [2])))",
                "np.concatenate(map(list, [[1]]))",
            )
        ),
        ("n = 5\nx = (i for i in [n]).next()\n", "where an iterator has next()"),
        ("n = 5\nx = enumerate([n]).next()\n", "where an iterator has next()"),
        ("n = 5\nx = 'a'.upper().decode()\n", "where text is bytes"),
        ("import re\nx = re.sub('a', '', b'a')\n", "where text is bytes"),
        ("import re\nx = re.sub(b'a', b'', 'a')\n", "where text is bytes"),
        ("n = 5\nx = b'a' + 'a'\n", "where text is bytes"),
        ("n = 5\nx = [n, None].sort()\n", "which orders any two things"),
        ("n = 5\nx = sorted(['a', n])\n", "which orders any two things"),
        ("n = 5\nx = 'a' + b'a'\n", "where text is bytes"),
        ("n = 5\nx = b'a'.startswith('a')\n", "where text is bytes"),
        ("n = 5\nx = 'a'.join([b'a'])\n", "where text is bytes"),
        ("n = 5\nx = b'a'.join(['a'])\n", "where text is bytes"),
        (
            "from tfqueue.port.py2.strings import ByteString\nx = 'a'.join([ByteString(b'a')])\n",
            "where text is bytes",
        ),
        ("import io\nio.TextIOWrapper(io.BytesIO(b'\\xff')).read()\n", "where text is bytes"),
        ("import io\nio.TextIOWrapper(io.BytesIO()).write(b'a')\n", "where text is bytes"),
    ],
)
def test_of_python_2_where_nothing_tells_the_python(said, text, about):
    assert (said(text) or "").startswith("old.py:2: nothing tells whether this is Python 2")
    assert about in said(text)
    assert said(text, given=True) is None
    assert said(text, proven=True) is None


def test_of_a_division_in_one_file_where_the_other_shows_its_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {}
    for name, text in (("a.py", "print 'a'\n"), ("b.py", "n = 5\nfor i in range(n / 2): pass\n")):
        files[str(tmp_path / name)] = engine.translate(text, name, written_for=WrittenFor())
    path = str(tmp_path / "b.py")
    with pytest.raises(TypeError) as caught:
        exec(compile_translation(files[path], path), {"__name__": "b"})
    assert advice.sentence(files, caught.value).startswith("b.py:2: nothing tells whether this is")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f(n):\n    m = n / 2\n    return range(m)\nf(4)\n", 2),
        ("def f(n):\n    n /= 2\n    return range(n)\nf(4)\n", 2),
        ("def g(n): return range(n)\nk = 2\ndef f(n): g(n / k)\nf(4)\n", 3),
        (
            "class A:\n  def __init__(self, n): self.n = n / 2\n  def f(self): return range(self.n)\nA(4).f()\n",
            2,
        ),
        ("h = 8 / 2\nw = 3 * 2.0 / 5\nrange(h)\n", 1),
    ],
)
def test_of_a_division_on_another_line(said, text, line):
    assert (said(text) or "").startswith(f"old.py:{line}: nothing tells whether this is Python 2")
    assert said(text, given=True) is None


def test_nothing_of_a_float_that_is_no_quotient_of_whole_numbers(said):
    assert said("def f(n):\n    m = n / 2.0\n    return range(m)\nf(4)\n") is None
    assert said("def f(n):\n    n /= 2.0\n    return range(n)\nf(4)\n") is None
    assert said("k = 2\nx = 8 / k\nrange(1.0)\n") is None
    assert said("range(1.0)\n") is None


def test_nothing_of_an_error_of_another_kind(said):
    assert said("x = 1\nx()\n") is None
    assert said("x = 4 / 2; raise TypeError('not <Tensor dtype=float32>')\n") is None
    assert said("x = 3 / 2\n[][x / 0]\n") is None


@pytest.mark.parametrize(
    ("kind", "number", "rest"),
    [("uint8", -1, 255), ("uint8", 300, 44), ("int8", 200, -56), ("uint16", 70000, 4464)],
)
def test_of_a_number_that_has_no_room(said, kind, number, rest):
    """What numpy 1.18.5 wrote, and numpy 1 still writes."""
    text = f"import numpy as np\nx = np.array([1], np.{kind})\nx[0] = {number}\n"
    if np.__version__ < "2":
        assert said(text) is None
        return
    assert (said(text) or "").startswith(f"old.py:3: numpy 1 wrote {rest} where {number} has no ")
    assert said("import math\nmath.exp(1000)\n") is None


def test_of_what_came_with_tensorflow_1(said, monkeypatch):
    """What the wheels of 0.12.1 to 1.15.5 require."""
    for package in ("tensorboard", "werkzeug"):
        monkeypatch.delitem(sys.modules, package, raising=False)
        raising = f"raise ModuleNotFoundError('gone', name='{package}.summary')\n"
        assert said("n = 1\n" + raising) == (
            f"old.py:2: {package} was installed with TensorFlow 1, and is not with today's: pip install {package}"
        )
    assert said("raise ModuleNotFoundError('gone', name='other')\n") is None
    assert said("raise ImportError('gone', name='tensorboard')\n") is None


def test_of_what_keras_3_refuses(said):
    """Keras 2.2 took both."""
    gone = "import keras\nx = keras.backend.get_session()\n"
    changed = "from keras.optimizers import SGD\nx = SGD(lr=0.1)\n"
    required = "from keras.layers import AveragePooling2D\nx = AveragePooling2D()\n"
    for text in (gone, changed, required, "n = 1\nfrom keras.layers import CuDNNLSTM\n"):
        assert said(text) == (
            "old.py:2: this is Keras 3. A program for Keras 1 or 2 on TensorFlow 1: run with --era 1.15"
        )
    assert (said(changed, era=Era(two=True)) or "").startswith("old.py:2: this is Keras 3")
    for sign in ("tf.function", "tf.random.set_seed", "tf.GradientTape"):
        assert said(f"{changed}# {sign}\n", era=Era(two=True)) is None
    assert said("import keras\nx = [].size\n") is None
    assert said("import keras\nclass Dense:\n    def __init__(self, n): pass\nDense()\n") is None


SHARED = """
import tensorflow as tf
class Cell(tf.nn.rnn_cell.RNNCell):
    state_size = output_size = 3
    def __call__(self, x, state, scope=None):
        with tf.variable_scope(scope or "cell"):
            return x, state + 0 * tf.reduce_sum(tf.get_variable("w", [int(x.shape[1])]))
cell = tf.nn.rnn_cell.MultiRNNCell([Cell()])
for size in 4, 5:
    with tf.variable_scope("of_%d" % size):
        cell(tf.zeros([2, size]), cell.zero_state(2, tf.float32))
"""


def test_of_a_cell_in_two_scopes(said):
    """What 1.15.5 refuses, and 1.0 took."""
    assert (said(SHARED) or "").startswith("old.py:7: up to TensorFlow 1.0 a cell that was called")
    assert said(SHARED, era=Era((1, 4), (1, 15))) is None
    error = "import numpy as np\nraise ValueError('Trying to share variable x')\n"
    assert said(error) is None


def test_of_what_is_gone(said):
    text = "import tensorflow as tf\nx = 1\ny = tf.contrib.timeseries.ARRegressor\n"
    found = advice.engine.translate(text, "old.py")
    (gone,) = [each for each in found.findings if each.helpless]
    assert gone.line == 3
    error = AttributeError("no attribute 'timeseries'")
    frame = types.SimpleNamespace(f_code=types.SimpleNamespace(co_filename="old.py"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advice, "_frames", lambda error: iter([(frame, 3)]))
        assert advice.sentence({"old.py": found}, error) == f"old.py:3: {gone.message}"
        assert advice.sentence({"old.py": found}, AttributeError("no attribute 'x'")) is None
        assert advice.sentence({"old.py": found}, ValueError("timeseries")) is None
    assert advice.sentence({"old.py": found}, error) is None


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Installs a package with a text, and imports it in a program."""
    folder = tmp_path / "site-packages"
    (folder / "tfq_old").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(folder))
    yield folder / "tfq_old" / "__init__.py"
    sys.modules.pop("tfq_old", None)


@pytest.mark.parametrize(
    ("text", "also", "told"),
    [
        ("import sys\nsys.gone\nimport tensorflow\n", [], True),
        ("from keras import no_such_name\n", [], True),
        ("print 1\n", [], True),
        ("import sys\nsys.gone\nimport tensorflow\n", ["tfq_old"], False),
        ("import sys\nsys.gone\n", [], False),
        ("from collections import Mapping\n", [], True),
        ("import inspect\ninspect.getargspec\n", [], True),
        ("from collections import Mapping\n", ["tfq_old"], False),
        ("from collections import Chart\n", [], False),
        ("import no_such_module\n", [], False),
        ("raise TypeError('Descriptors cannot be created directly.')\n", [], True),
        ("import tensorflow\n1 / 0\n", [], False),
    ],
)
def test_of_a_package_that_was_not_translated(said, package, text, also, told):
    package.write_text(text)
    sentence = (
        "tfq_old is an installed package and was not translated; --also tfq_old translates it"
    )
    assert said("import tfq_old\n", also) == (sentence if told else None)


def test_of_what_a_program_wants_to_download(said):
    text = (
        "import urllib.error\n"
        "def urlretrieve(url, filename=None):\n    raise urllib.error.URLError('no')\n"
        "urlretrieve('http://a/b.zip', 'data/b.zip')\n"
    )
    found = said(text, proven=True)
    assert found.startswith("the program downloads http://a/b.zip, which can't be reached")
    assert found.endswith("b.zip, and unpack it there")
    assert said(text.replace(", 'data/b.zip'", ""), proven=True).endswith("put it where it looks")
    temporary = text.replace("'data/b.zip'", "tempfile.mktemp()")
    found = said(f"import tempfile\n{temporary}", proven=True)
    assert found.endswith("put it where it looks")
    assert advice.sentence({}, urllib.error.URLError("no")) is None


def test_a_product_with_an_unknown_rank_has_an_option(tmp_path):
    text = (
        "import tensorflow as tf\na = tf.placeholder(tf.float32)\nb = tf.ones([2, 3, 4])\n"
        "print(tf.layers.dense(tf.matmul(a, b), 2).shape)\n"
    )
    (tmp_path / "old.py").write_text(text)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.returncode == 1
    assert "tfqueue: old.py:4: up to TensorFlow 1.13 a product" in done.stderr
    done = children.run(["-m", "tfqueue", "run", "--era", "1.13", "old.py"], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "(2, ?, 2)\n"), done.stderr


def test_a_name_that_is_gone_is_told_of_only_where_the_error_names_it(said):
    text = "import tensorflow as tf\nx = tf.contrib.rate.y if len('') else ''.separate_y\n"
    assert "tf.contrib.rate" not in (said(text) or "")
