"""Whatever TensorFlow the old module imports, who asks for a dataset stays in TensorFlow 2 mode."""

import importlib.util
import os
import pathlib
import shutil
import sys
import textwrap
import threading

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.suite import children
from tfqueue import errors
from tfqueue._tensorflow import mode

MODULES = pathlib.Path(__file__).parent / "modules"


@pytest.fixture
def path(records):
    """Seven records of three floats and a label."""

    def example(k):
        floats = tf.train.Feature(float_list=tf.train.FloatList(value=[k, k + 0.5, -k]))
        label = tf.train.Feature(int64_list=tf.train.Int64List(value=[k % 3]))
        features = tf.train.Features(feature={"x": floats, "label": label})
        return tf.train.Example(features=features).SerializeToString()

    return records([example(k) for k in range(7)])


def load(name):
    """A module of dataset_modules, imported anew."""
    spec = importlib.util.spec_from_file_location(name, MODULES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(dataset):
    """That the seven records are in it."""
    batches = [(x.numpy(), label.numpy()) for x, label in dataset]
    assert [len(x) for x, _ in batches] == [4, 3]
    xs = np.concatenate([x for x, _ in batches])
    np.testing.assert_array_equal(xs, [[k, k + 0.5, -k] for k in range(7)])
    assert np.concatenate([label for _, label in batches]).tolist() == [0, 1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize("name", ["of_v1", "of_compat"])
def test_a_function(name, path):
    with tfqueue.eager():
        inputs = load(name).inputs
        mode.put(mode.V2)  # as if the module had been imported in a block of its own
        dataset = tfqueue.dataset(inputs, path)
        assert mode.now() == mode.V2
        check(dataset)


@pytest.mark.parametrize("name", ["of_v1", "of_compat", "untouched"])
def test_a_function_by_path(name, path, tmp_path, capsys):
    pytest.importorskip("tf_slim")
    file = tmp_path / f"{name}.py"
    source = MODULES / f"{name}.py"
    shutil.copy(source if source.exists() else f"{source}.txt", file)
    with tfqueue.eager():
        dataset = tfqueue.dataset(f"{file}:inputs", path, batch_size=4)
        assert mode.now() == mode.V2
        assert name not in sys.modules
        check(dataset)


def test_a_path_without_the_function(tmp_path):
    file = tmp_path / "old.py"
    file.write_text("def read(path):\n    pass\n")
    with tfqueue.eager():
        with pytest.raises(ValueError, match=r"old\.py has no 'inputs'; its functions are read"):
            tfqueue.dataset(f"{file}:inputs")
        with pytest.raises(ValueError, match=r"'path\.py:name'"):
            tfqueue.dataset(str(tmp_path))
        with pytest.raises(ValueError, match=r"old\.py: no step takes from a queue"):
            tfqueue.dataset(str(file))


def test_plain_tensorflow_in_a_function_is_told_of_the_path():
    import tensorflow

    def inputs():
        return tensorflow.train.string_input_producer(["a"]).dequeue()

    with tfqueue.eager():
        with pytest.raises(AttributeError) as caught:
            tfqueue.dataset(inputs)
    assert "test_mode.py:inputs'" in caught.value.__notes__[0]


def test_the_mode_is_what_it_was_after_an_error():
    def inputs():
        raise KeyError("in the old function")

    with tfqueue.eager():
        with pytest.raises(KeyError):
            tfqueue.dataset(inputs)
        assert mode.now() == mode.V2


def test_graph_mode_that_is_used_is_not_taken_away():
    before = mode.now()
    tf.constant(1)
    with pytest.raises(errors.GraphModeError, match=r"with tfqueue\.eager\(\)"):
        tfqueue.dataset(lambda: tf.constant(1))
    assert mode.now() == before


def test_eager_gives_back_what_was_there():
    before = mode.now()
    with tfqueue.eager():
        assert mode.now() == mode.V2
        with tfqueue.eager():
            assert mode.now() == mode.V2
        assert mode.now() == mode.V2
    assert mode.now() == before


def test_how_numbers_print_is_left_to_a_program_that_has_chosen(monkeypatch):
    monkeypatch.setattr(mode, "_before_v1", None)
    as_then = False if np.__version__ < "2" else "1.25"
    for chosen, expected in ((False, as_then), ("1.13", "1.13"), ("1.21", "1.21")):
        with np.printoptions(legacy=chosen):
            mode.take(lambda: None)
            assert np.get_printoptions()["legacy"] == expected
            assert mode._before_v1.numbers == chosen


SCRIPT = """
    import sys
    import tfqueue                                  # before TensorFlow, and changes nothing
    import tensorflow as tf
    sys.path.insert(0, {folder!r})
    from of_v1 import inputs                        # switches to graph mode
    ds = tfqueue.dataset(inputs, {path!r}, batch_size=2, num_epochs=None)
    assert tf.executing_eagerly() and tf.constant(1).numpy() == 1
    assert tf.zeros([2, 3]).shape[1] == 3
    assert "tfqueue.v1" not in sys.modules          # so that the next import of it switches again
    model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
    model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, steps_per_epoch=4, epochs=2, verbose=0)
    print("trained", model.count_params())
    import numpy as np
    assert repr([np.int64(1)]) == ("[1]" if np.__version__ < "2" else "[np.int64(1)]")
    import tfqueue.v1
    assert not tf.executing_eagerly()
    assert repr([np.int64(1)]) == "[1]"
    try:
        tfqueue.v1.constant(1)
        tfqueue.dataset(inputs, {path!r})
    except tfqueue.errors.GraphModeError as error:
        print("refused:", error)
"""


def test_a_plain_script(path):
    """A process of its own: there the import of tfqueue.v1 is the first."""
    script = textwrap.dedent(SCRIPT).format(folder=str(MODULES), path=path)
    env = {**os.environ, "PYTHONWARNINGS": "error::UserWarning:tfqueue"}
    done = children.run(["-c", script], env=env, cwd=pathlib.Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr[-3000:]
    assert "trained 12" in done.stdout
    assert "refused: this process is in TensorFlow 1's graph mode" in done.stdout


OLD = """
    import tfqueue.v1 as tf

    def inputs():
        number = tf.train.range_input_producer(8, shuffle=False).dequeue()
        return tf.train.batch([tf.to_float(tf.stack([number, number])), tf.constant(1)], 2)
"""
OPENS_A_GRAPH = """
    with tf.Graph().as_default():  # so TensorFlow's context is made in graph mode
        pass
"""
TAKES_A_STEP = """
    taken = inputs()
    with tf.Session() as sess:
        sess.run(taken)
"""
TRAINS = """
    import sys
    import threading
    import tensorflow as tf
    import tfqueue
    sys.path.insert(0, {folder!r})

    def train():
        model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        model.fit(dataset, steps_per_epoch=2, epochs=2, verbose=0)
        print("trained", model.count_params())

    {dataset}
    train()
    thread = threading.Thread(target=train)
    thread.start()
    thread.join()
"""


@pytest.mark.xdist_group("children")
@pytest.mark.parametrize(
    ("rest", "dataset"),
    [
        (OPENS_A_GRAPH, "from old import inputs; dataset = tfqueue.dataset(inputs)"),
        (TAKES_A_STEP, "dataset = tfqueue.dataset({path!r})"),
    ],
    ids=["opens a graph", "by its program"],
)
def test_keras_trains_where_the_old_module_came_first(rest, dataset, tmp_path):
    """In graph mode TensorFlow's context is made without a way out of functions to eager mode."""
    old = tmp_path / "old.py"
    old.write_text(textwrap.dedent(OLD) + textwrap.dedent(rest))
    dataset = dataset.format(path=str(old))
    script = textwrap.dedent(TRAINS).format(folder=str(tmp_path), dataset=dataset)
    done = children.run(["-c", script], cwd=pathlib.Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("trained 9") == 2, done.stderr[-3000:]


def test_another_thread_can_ask_within_the_block(path):
    """`eager` holds nothing that a thread of Keras, or of the user, would wait for."""
    found = []
    with tfqueue.eager():
        inputs = load("of_v1").inputs
        mode.put(mode.V2)
        thread = threading.Thread(target=lambda: found.append(tfqueue.dataset(inputs, path)))
        thread.start()
        thread.join(60)
        assert not thread.is_alive()
        check(found[0])
