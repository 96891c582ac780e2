"""`tf.contrib.eager`, of which libraries for graphs took functions: Sonnet 1 for one.

The numbers were printed by TensorFlow 1.15.5.
"""

import importlib

import pytest

import tfqueue.v1 as tf
from tests.suite import children
from tfqueue.names.sentence import GoneError

tfe = tf.contrib.eager


def test_it_is_imported_as_sonnet_does():
    inside = importlib.import_module("tfqueue.v1.contrib.eager.python.tfe")
    assert inside.defun is tfe.defun
    assert inside.Variable is tfe.Variable


def test_a_function_of_a_graph():
    @tfe.defun
    def doubled(x):
        return x + x

    @tfe.defun(input_signature=[tfe.TensorSpec([None], tf.float32)])
    def tripled(x):
        return 3 * x

    with tf.Session() as sess:
        assert sess.run(doubled(tf.constant(3))) == 6
        assert sess.run(tripled([1.0, 2.0])).tolist() == [3.0, 6.0]
        with pytest.raises((TypeError, ValueError)):
            tripled([[1.0]])


def test_a_custom_gradient():
    @tfe.custom_gradient
    def scaled(x):
        return x * x, lambda d: 0.5 * d

    x = tf.constant(3.0)
    with tf.Session() as sess:
        assert sess.run([scaled(x), *tf.gradients(scaled(x), x)]) == [9.0, 0.5]


def test_a_graph_is_not_eager():
    assert not tfe.executing_eagerly()
    assert not tfe.in_eager_mode()
    variable = tfe.Variable(2.0, name="v")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(variable) == 2.0


def test_an_iterator_of_a_dataset(tmp_path):
    (tmp_path / "old.py").write_text(
        "import tensorflow as tf\nimport tensorflow.contrib.eager as tfe\n"
        "tf.enable_eager_execution()\n"
        "it = tfe.Iterator(tf.data.Dataset.range(3))\n"
        "print(it.next().numpy(), it.get_next().numpy(), [v.numpy() for v in it], it.output_types)\n"
        "try:\n    it.next()\nexcept StopIteration:\n    print('stop')\n"
        "try:\n    it.get_next()\nexcept tf.errors.OutOfRangeError:\n    print('out of range')\n"
    )
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    # printed by 1.8.0, which has a RuntimeError for graphs, too
    assert done.stdout.split("\n") == ["0 1 [2] <dtype: 'int64'>", "stop", "out of range", ""]
    with pytest.raises(RuntimeError, match="eager mode"):
        tfe.Iterator(tf.data.Dataset.range(3))


def test_what_is_gone_says_what_to_use():
    with pytest.raises(GoneError, match=r"tf\.contrib\.eager\.Network is gone .*tf\.keras\.Model"):
        _ = tfe.Network


ROWS = [[0, 1, 0], [1, 0, 0], [0, 0, 1.0]]
GUESSES = [[0.1, 0.8, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]]
COUNTED = [
    (("Mean",), ([1.0, 3, 5, 7],), 4.0),
    (("Mean", "m n", tf.float32), ([1.0, 3, 5, 7], [1, 1, 0, 0]), 2.0),
    (("Accuracy",), ([1, 2, 3, 4], [0, 2, 3, 4]), 0.75),
    (("CategoricalAccuracy",), (ROWS, GUESSES), 2 / 3),
    (("BinaryAccuracy", 0.5), ([1, 0, 1], [0.7, 0.6, 0.9], [1.0, 2, 1]), 0.5),
    (("SparseAccuracy",), ([1, 1], [[0.1, 0.9], [0.8, 0.2]]), 0.5),
]


@pytest.mark.parametrize(("made", "batch", "expected"), COUNTED)
@pytest.mark.parametrize("eager", [False, True])
def test_a_metric_of_many_batches(made, batch, expected, eager):
    context = importlib.import_module("tensorflow.python.eager.context")
    with context.eager_mode() if eager else tf.Graph().as_default():
        metric = getattr(tfe.metrics, made[0])(*made[1:])
        batch = [tf.constant(each) for each in batch]
        counting = metric(*batch)
        begin, result = metric.init_variables(), metric.result(write_summary=not eager)
        if eager:
            assert str(result.numpy()) == "nan"
            metric(*batch)
            metric(*batch)
            found = metric.result().numpy()
        else:
            with tf.Session() as sess:
                sess.run(begin)
                sess.run(counting)
                sess.run(counting)
                found = sess.run(result)
            assert tf.get_collection(tf.GraphKeys.LOCAL_VARIABLES) == metric.variables
    assert found.dtype == ("float32" if len(made) == 3 else "float64")
    assert found == pytest.approx(expected)
    scope = metric.name.replace(" ", "_")
    assert [each.name for each in metric.variables] == [f"{scope}/numer:0", f"{scope}/denom:0"]


def test_metrics_of_two_towers_are_added():
    context = importlib.import_module("tensorflow.python.eager.context")
    with context.eager_mode():
        one, two = tfe.metrics.Mean("m"), tfe.metrics.Mean("m")
        one([1.0, 3.0])
        two([5.0])
        one.aggregate([two])
        assert one.value()().numpy() == 3.0
        with pytest.raises(TypeError, match="same type"):
            one.aggregate([tfe.metrics.Accuracy()])
        with pytest.raises(RuntimeError, match="except in build"):
            one.add_variable("x", ())
        with pytest.raises(tf.errors.InvalidArgumentError, match="Shapes of labels"):
            tfe.metrics.Accuracy()([1, 2], [1, 2, 3])
