"""`tf.keras`: Keras 2 of the package tf_keras, beside queues and in sessions; Keras 3 without it."""

import json
import os
import sys

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.suite import children
from tfqueue import errors, release
from tfqueue._tensorflow import patches
from tfqueue.port.rules import engine
from tfqueue.v1.keras import _cosine

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*state_updates:UserWarning", "ignore:The `lr` argument:UserWarning"
)

PROGRAM = """
import json, warnings
import numpy as np
{imported}
warnings.simplefilter("ignore")
tf.set_random_seed(3)
K = tf.keras.backend
begin = tf.keras.initializers.glorot_uniform
x = (np.arange(96).reshape(32, 3) % 7).astype("f") / 7
y = x.sum(1, keepdims=True)
model = tf.keras.models.Sequential([
    tf.keras.layers.Dense(4, tf.nn.relu, kernel_initializer=begin(seed=3), input_shape=(3,)),
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.Dropout(0.2, seed=5),
    tf.keras.layers.Dense(1, kernel_initializer=begin(seed=4)),
])
model.compile(optimizer=tf.keras.optimizers.SGD(lr=0.1), loss="mse", metrics=["mae"])
got = [model.fit(x, y, epochs=3, batch_size=8, shuffle=False, verbose=0).history["loss"]]
got.append(np.ravel(model.train_on_batch(x, y)).tolist())
got.append(np.ravel(model.evaluate(x, y, verbose=0)).tolist())
got.append(model.predict(x)[:, 0].tolist())
got.append([w.tolist() for w in model.get_weights()])
got.append(K.get_session().run(model.output, {{model.input: x, K.learning_phase(): 0}})[:, 0].tolist())
print(json.dumps(got))
"""


@pytest.fixture(autouse=True)
def no_session_left():
    yield
    tf.keras.backend.set_session(None)


def child(program, tmp_path, **env):
    path = tmp_path / "program.py"
    path.write_text(program, "utf-8")
    return children.run([str(path)], env={**os.environ, **env}, cwd=tmp_path)


def test_a_model_trains_as_in_plain_tensorflow(tmp_path):
    plain = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()"
    first = child(PROGRAM.format(imported=plain), tmp_path, TF_USE_LEGACY_KERAS="1")
    assert first.returncode == 0, first.stderr
    second = child(PROGRAM.format(imported="import tfqueue.v1 as tf"), tmp_path)
    assert second.returncode == 0, second.stderr
    expected, got = (json.loads(done.stdout.splitlines()[-1]) for done in (first, second))
    assert len(expected[0]) == 3
    assert expected[0][2] < expected[0][0]
    assert got == expected


def fed(files, epochs=None):
    """A compiled model whose input is a batch out of files, and its session, all initialised."""
    keras = tf.keras
    _, data = tf.WholeFileReader().read(
        tf.train.string_input_producer(files, num_epochs=epochs, shuffle=False)
    )
    batch = tf.train.batch([tf.reshape(tf.decode_raw(data, tf.float32), [3])], 4)
    inputs = keras.layers.Input(tensor=batch)
    model = keras.models.Model(inputs, keras.layers.Dense(1, kernel_initializer="zeros")(inputs))
    model.compile("sgd", "mse", target_tensors=[tf.reduce_sum(batch, 1, keepdims=True)])
    sess = keras.backend.get_session()
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    return model, sess


def write(tmp_path):
    path = tmp_path / "ones.bin"
    np.ones(3, np.float32).tofile(path)
    return str(path)


def test_a_model_trains_on_a_queue(tmp_path):
    model, sess = fed([write(tmp_path)])
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    losses = model.fit(steps_per_epoch=5, epochs=3, verbose=0).history["loss"]
    coord.request_stop()
    coord.join(threads)
    kernel, bias, error = 0.0, 0.0, []
    for _ in range(15):  # gradient descent by hand, the three weights being equal
        miss = 3 * kernel + bias - 3
        error.append(miss**2)
        kernel, bias = kernel - 0.02 * miss, bias - 0.02 * miss
    np.testing.assert_allclose(losses, np.reshape(error, (3, 5)).mean(1), rtol=1e-5)
    np.testing.assert_allclose(model.get_weights()[0], [[kernel]] * 3, rtol=1e-5)


def test_a_missing_file_is_no_end_of_the_data(tmp_path):
    model, sess = fed([write(tmp_path)] * 8 + [str(tmp_path / "gone.bin")], 1)
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    with pytest.raises(tf.errors.NotFoundError, match="gone"):
        model.fit(steps_per_epoch=5, epochs=1, verbose=0)
    coord.request_stop()
    with pytest.raises(tf.errors.NotFoundError):
        coord.join(threads)
    sess.close()


def test_a_model_whose_runners_nobody_started_does_not_wait_forever(tmp_path):
    model, sess = fed([write(tmp_path)])
    with pytest.raises(errors.StarvationError, match="start_queue_runners"):
        model.fit(steps_per_epoch=5, epochs=1, verbose=0)
    sess.close()


def test_where_its_module_has_moved_its_session_is_tensorflows(monkeypatch):
    monkeypatch.setitem(sys.modules, "tf_keras.src.backend", None)
    patches.keras_makes(tf.Session)
    assert tf.keras.layers.Dense


def test_the_session_is_the_default_one_or_that_which_was_set():
    backend = tf.keras.backend
    with tf.Session() as sess:
        assert backend.get_session() is sess
    assert isinstance(backend.get_session(), tf.Session)
    with tf.Session() as sess:
        backend.set_session(sess)
    assert backend.get_session() is sess


def test_layers_in_a_session_of_the_program():
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.keras.layers.Dense(1, kernel_initializer="ones")(x)
    doubled = tf.keras.backend.placeholder(shape=(None, 2)) * 2
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(y, {x: [[1, 2], [3, 4]]}).tolist() == [[3], [7]]
        assert doubled.shape.as_list() == [None, 2]


def test_the_ways_to_import_it():
    import tf_keras
    from tfqueue.v1.contrib.keras.python.keras.layers import Dense
    from tfqueue.v1.keras.backend import get_session
    from tfqueue.v1.keras.layers import Dense as same

    assert Dense is same is tf.keras.layers.Dense is tf.contrib.keras.layers.Dense
    assert tf.keras.Model is tf_keras.Model
    assert tf.keras.backend.get_session is get_session
    assert tf.keras.__version__ == tf_keras.__version__
    release.assume_keras()
    assert tf.keras.__version__ == "2.2.4"
    release.assume_keras_1()
    assert tf.keras.__version__ == "1.2.2"
    names = {}
    exec("from tfqueue.v1.keras import *", names)
    assert names["Model"] is tf_keras.Model
    assert {"layers", "Sequential"} <= set(dir(tf.keras)) == set(names) - {"__builtins__"}
    with pytest.raises(AttributeError, match="no_such_name"):
        tf.keras.no_such_name  # noqa: B018


LAZY = """
import sys
from tfqueue.v1 import *
import tfqueue.v1 as tf
assert tf.keras and "tf_keras" not in sys.modules, "loaded before it is used"
import tensorflow, tensorflow.compat.v1 as compat
before = dict(vars(compat))
tf.keras.layers.Dense
assert "tf_keras" in sys.modules
changed = {name for name in before if vars(compat).get(name) is not before[name]}
assert changed <= {"logging"}, changed  # the same module by its longer name
assert tensorflow.keras.__version__.startswith("3."), tensorflow.keras.__version__
assert compat.Session is not tf.Session
"""


def test_it_is_loaded_when_used_and_changes_nothing_of_tensorflow(tmp_path):
    done = child(LAZY, tmp_path)
    assert done.returncode == 0, done.stderr


OLD = """
import tensorflow as tf
from tensorflow.contrib.keras.python.keras.layers import Dense
from tensorflow.contrib.keras import models
from tensorflow.keras import optimizers

x = tf.ones([4, 3])
model = models.Sequential([Dense(1, input_shape=(3,), kernel_initializer="ones")])
model.compile(optimizers.SGD(lr=0.5), "mse")
sess = tf.contrib.keras.backend.get_session()
print "%s %s" % (sess.run(model(x)).tolist(), model.get_weights()[0].tolist())
"""


def test_an_old_program_runs_and_says_nothing_else(tmp_path, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)  # of which Keras 2 warns
    assert not [each for each in engine.translate(OLD, "old.py").findings if each.helpless]
    path = tmp_path / "old.py"
    path.write_text(OLD, "utf-8")
    done = children.run(["-m", "tfqueue", "run", str(path)], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (
        0,
        "[[3.0], [3.0], [3.0], [3.0]] [[1.0], [1.0], [1.0]]\n",
    )
    assert done.stderr == ""


WITHOUT = """
import sys, warnings
sys.modules["tf_keras"] = None
OLD = {old!r}
import numpy as np
import tfqueue.v1 as tf
warnings.simplefilter("ignore")

def said(use):
    try:
        use()
    except (ImportError, AttributeError) as error:
        assert "pip install 'tfqueue[keras]'" in str(error), error
        return type(error).__name__
    raise AssertionError("nothing was said")

def imported():
    from tfqueue.v1.keras.backend import placeholder

keras = tf.keras
assert keras.__version__.startswith("3.")
from tfqueue.v1.keras.layers import Dense
from tfqueue.v1.keras.utils import to_categorical
assert {"layers", "Sequential", "backend"} <= set(dir(keras))
assert Dense is keras.layers.Dense and to_categorical is keras.utils.to_categorical
x, y = np.ones([4, 3], "f"), np.ones([4, 1], "f")
dense = keras.layers.Dense(1, kernel_initializer="ones")
out = dense(tf.constant(x))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert sess.run(out).tolist() == [[3.0]] * 4
assert keras.backend.floatx() == "float32"
for name in ("get_session", "set_session", "placeholder", "learning_phase", "function"):
    assert not hasattr(keras.backend, name)
    assert said(lambda: getattr(keras.backend, name)) == "GoneAttributeError"
    assert said(lambda: getattr(tf.contrib.keras.backend, name)) == "GoneAttributeError"
assert said(imported) == "GoneWithoutKeras2"
model = keras.models.Sequential([keras.layers.Dense(1, input_shape=(3,))])
model.compile("sgd", "mse")
for name in ("fit", "evaluate", "train_on_batch", "test_on_batch"):
    assert said(lambda: getattr(model, name)(x, y)) == "MissingExtraError"
for name in ("predict", "predict_on_batch", "save", "save_weights"):
    assert said(lambda: getattr(model, name)(x)) == "MissingExtraError"
for each in (model, dense):
    assert said(each.get_weights) == "MissingExtraError"

from tfqueue import errors
from tfqueue.port.rules import engine
from tfqueue.v1.keras import _cosine
found = engine.translate(OLD, "old.py").findings
(only,) = [finding.message for finding in found if finding.helpless]
assert only.endswith("not installed: pip install 'tfqueue[keras]'"), only

import tensorflow
from tfqueue._tensorflow import mode
with mode.eager():
    model = tensorflow.keras.Sequential([tensorflow.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    assert len(model.fit(x, y, verbose=0).history["loss"]) == 1
    assert model.predict(x, verbose=0).shape == (4, 1) and len(model.get_weights()) == 2
"""


def test_without_the_extra_it_is_keras_3_and_says_what_is_missing(tmp_path):
    done = child(WITHOUT.replace("{old!r}", repr(OLD)), tmp_path)
    assert done.returncode == 0, done.stderr


def test_channels_first_where_there_is_no_gpu():
    """Predictions of Keras 2.2.5 on TensorFlow 1.15.5; which of its updates comes first varies there."""
    layers, first = tf.keras.layers, "channels_first"
    rng = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session():
        x = layers.Input((3, 8, 6))
        conv = layers.Conv2D(4, (3, 2), (2, 1), "same", first, activation="softmax")
        parts = [conv, layers.MaxPooling2D((2, 2), data_format=first)]
        parts += [layers.SeparableConv2D(3, 2, data_format=first, activation="relu")]
        parts += [layers.AveragePooling2D((1, 2), padding="same", data_format=first)]
        y = x
        for part in parts:
            y = part(y)
        y = layers.Dense(1)(layers.Flatten()(y))
        model = tf.keras.models.Model(x, y)
        shapes = [(4, 4, 6), (4, 2, 3), (3, 1, 2), (3, 1, 1)]
        assert [part.output_shape[1:] for part in parts] == shapes
        assert conv.get_config()["data_format"] == first
        assert conv.activation is tf.keras.activations.softmax
        model.set_weights([rng.randn(*weight.shape) * 0.5 for weight in model.get_weights()])
        images, targets = rng.randn(4, 3, 8, 6), rng.randn(4, 1)
        expected = [2.4361818, 2.2224598, 2.1198239, 2.3014326]
        found = tf.keras.backend.get_session().run(model.output, {model.input: images})
        np.testing.assert_allclose(found.ravel(), expected, rtol=1e-5)
        model.compile("sgd", "mse")
        losses = [model.train_on_batch(images, targets) for _ in range(3)]
        np.testing.assert_allclose(losses[0], 6.3576603, rtol=1e-5)
        assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("rank", [1, 3])
def test_channels_first_in_other_ranks_is_the_same_with_the_channels_last(rank):
    kind = getattr(tf.keras.layers, f"Conv{rank}D")
    to_last, back = [0, *range(2, rank + 2), 1], [0, rank + 1, *range(1, rank + 1)]
    rng = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session():
        layer, last = kind(2, 2, data_format="channels_first"), kind(2, 2)
        values = tf.constant(rng.randn(*[2, 3, 4, 5, 6][: rank + 2]), tf.float32)
        found, beside = layer(values), last(tf.transpose(values, to_last))
        layer.set_weights([rng.randn(*layer.kernel.shape), rng.randn(2)])
        last.set_weights(layer.get_weights())
        values = tf.keras.backend.get_session().run([found, tf.transpose(beside, back)])
        np.testing.assert_allclose(*values, rtol=1e-5)


@pytest.mark.parametrize(("old", "sign"), [(True, -1), (False, 1)])
def test_the_cosine_has_the_sign_of_its_release(old, sign, monkeypatch):
    """It was negative up to 1.13; 1.15.5 printed the positive ones."""
    monkeypatch.setattr(
        _cosine._call_forms, "reaches", lambda last, keras=False: old and last != "1.4"
    )
    true, guess = tf.constant([[1.0, 0], [0.6, 0.8]]), tf.constant([[0.6, 0.8], [1.0, 0]])
    kinds = tf.keras.losses, tf.keras.metrics
    functions = [
        kind.get(name) for kind in kinds for name in ("cosine_proximity", "cosine_similarity")
    ]
    functions += [
        tf.keras.losses.cosine,
        tf.keras.metrics.cosine,
        tf.keras.losses.CosineSimilarity(),
    ]
    with tf.Session() as session:
        found = session.run([function(true, guess) for function in functions])
    assert np.allclose(np.concatenate([np.ravel(one) for one in found]), sign * 0.6)
    assert tf.keras.metrics.get("cosine_proximity").__name__ == "cosine_proximity"
