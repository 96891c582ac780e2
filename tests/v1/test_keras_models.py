"""What a model's loss is divided by, release by release, the old names of variables, and `tf.layers` behind Keras.

The losses were printed by TensorFlow 1.10.1, 1.12.3, 1.13.2 and 1.15.5, the names by 1.15.5.
"""

import threading
import types

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = [
    pytest.mark.usefixtures("no_session_of_keras"),
    pytest.mark.filterwarnings("ignore:.*state_updates:UserWarning", "ignore:the graph grew"),
]
RELEASES = ("1.10", "1.12", "1.13", "1.15")
LOSSES = {
    "mask": (1.07275, 1.07275, 0.81529, 0.81529),
    "mask and weights": (1.53863, 1.01683, 0.70161, 0.70161),
    "weights of steps": (1.44448, 0.96299, 0.98225, 0.98225),
    "mask and weights of steps": (1.48446, 1.00943, 0.76717, 0.76717),
    "weights of sequences": (1.45572, 1.02757, 0.87343, 0.87343),
    "weights": (6.27641, 4.43041, 3.76585, 3.76585),
    "own function": (6.27641, 4.43041, 4.43041, 3.76585),
}
SEQUENCES = {
    "mask": (True, None, None),
    "mask and weights": (True, None, "examples"),
    "weights of steps": (False, "temporal", "steps"),
    "mask and weights of steps": (True, "temporal", "steps"),
    "weights of sequences": (False, None, "examples"),
}


def numbers():
    drawn = np.random.RandomState(0)
    words = drawn.randint(0, 4, (10, 5))
    of_words, targets, inputs = drawn.randn(10, 5, 2), drawn.randn(10, 1), drawn.randn(10, 6)
    weights = {
        None: None,
        "examples": np.array([0, 1, 2, 0, 0, 3, 1, 1, 0, 0.5]),
        "steps": drawn.randint(0, 3, (10, 5)) * 1.0,
    }
    return words, of_words, inputs, targets, weights


def own(y_true, y_pred):
    return tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)


def model_of(layers, loss, mode):
    model = tf.keras.models.Sequential(layers)
    model.compile(optimizer="sgd", loss=loss, sample_weight_mode=mode)
    drawn = np.random.RandomState(1)
    model.set_weights([drawn.uniform(-0.5, 0.5, each.shape) for each in model.get_weights()])
    return model


@pytest.mark.parametrize("case", LOSSES)
def test_the_loss_is_divided_by_what_it_was(case):
    words, of_words, inputs, targets, weights = numbers()
    layers = tf.keras.layers
    found = []
    for when in RELEASES:
        release.assume(when)
        if case in SEQUENCES:
            mask, mode, kind = SEQUENCES[case]
            embedding = layers.Embedding(4, 3, mask_zero=mask, input_length=5)
            model = model_of([embedding, layers.TimeDistributed(layers.Dense(2))], "mse", mode)
            found.append(model.test_on_batch(words, of_words, weights[kind]))
        else:
            loss = own if case == "own function" else "mse"
            model = model_of([layers.Dense(1, input_shape=(6,))], loss, None)
            found.append(model.test_on_batch(inputs, targets, weights["examples"]))
    assert found == pytest.approx(LOSSES[case], abs=1e-5)


@pytest.mark.parametrize(
    ("loss", "expected"), [("mse", 5.47996), ("mae", 2.31180), ("an object", 1.96503)]
)
def test_in_1_13_losses_by_name_are_divided_but_mse(loss, expected):
    release.assume("1.13")
    drawn = np.random.RandomState(0)
    inputs, targets = drawn.randn(10, 6), drawn.randn(10, 1)
    layer = tf.keras.layers.Dense(1, input_shape=(6,))
    given = tf.keras.losses.MeanAbsoluteError() if loss == "an object" else loss
    model = model_of([layer], given, None)
    model.set_weights([np.ones((6, 1)), np.zeros(1)])
    found = model.test_on_batch(inputs, targets, numbers()[-1]["examples"])
    assert found == pytest.approx(expected, abs=1e-5)


def test_in_1_13_optimizers_begin_as_before():
    release.assume("1.13")
    config = tf.keras.optimizers.Adagrad().get_config()
    assert config["learning_rate"] == pytest.approx(0.01)
    assert config["initial_accumulator_value"] == 0
    release.assume("1.14")
    assert tf.keras.optimizers.Adagrad().get_config()["learning_rate"] == pytest.approx(0.001)


@pytest.mark.parametrize("when", RELEASES)
def test_where_nothing_counts_the_loss_is_nan_up_to_1_10(when):
    release.assume(when)
    layers = tf.keras.layers
    dense = model_of([layers.Dense(1, input_shape=(2,))], "mse", None)
    embedding = layers.Embedding(4, 3, mask_zero=True, input_length=5)
    masked = model_of([embedding, layers.TimeDistributed(layers.Dense(2))], "mse", None)
    found = [
        dense.test_on_batch(np.ones((3, 2)), np.ones((3, 1)), sample_weight=np.zeros(3)),
        masked.test_on_batch(np.zeros((3, 5)), np.ones((3, 5, 2))),
    ]
    expected = [np.nan if when == "1.10" else 0.0] * 2
    np.testing.assert_array_equal(found, expected)


def test_where_no_release_is_known_it_is_that_of_1_15():
    words, of_words, *_ = numbers()
    layers = tf.keras.layers
    embedding = layers.Embedding(4, 3, mask_zero=True, input_length=5)
    model = model_of([embedding, layers.TimeDistributed(layers.Dense(2))], "mse", None)
    assert model.test_on_batch(words, of_words) == pytest.approx(LOSSES["mask"][-1], abs=1e-5)


def test_a_loss_that_is_called_knows_no_masks():
    """1.15.5 gives 2.5, the mean of all; today's Keras gives 1, that of the steps that no mask hides."""
    given = tf.keras.layers.Masking()(tf.keras.layers.Input((2, 1)))
    loss = tf.keras.losses.MeanAbsoluteError()(tf.constant([[[1.0], [4.0]]]), given)
    with tf.Session() as sess:
        assert sess.run(loss, {given: [[[0.0], [0.0]]]}) == 2.5


def test_variables_of_recurrent_layers_have_the_name_of_the_layer_alone():
    layers = tf.keras.layers
    cells = [layers.LSTMCell(2), layers.GRUCell(3)]
    made = [layers.LSTM(2), layers.RNN(cells), layers.Bidirectional(layers.SimpleRNN(2))]
    found = []
    for layer in made:
        layer(layers.Input((5, 3)))
        found += [variable.op.name for variable in layer.weights]
    parts = ("kernel", "recurrent_kernel", "bias")
    assert found == [
        *(f"lstm/{part}" for part in parts),
        *(f"rnn/{part}" for part in parts),
        *(f"rnn/{part}_1" for part in parts),
        *(f"bidirectional/forward_simple_rnn/{part}" for part in parts),
        *(f"bidirectional/backward_simple_rnn/{part}" for part in parts),
    ]


def test_layers_and_cells_of_tensorflow_take_tensors_of_keras():
    """In a loop they waited for ever."""
    given = tf.keras.layers.Input((5, 4))
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(3), given * 2.0, dtype=tf.float32)
    assert outputs.shape.as_list() == [None, 5, 3]
    layer = tf.keras.layers.RNN(tf.nn.rnn_cell.BasicLSTMCell(2))
    assert layer(given).shape.as_list() == [None, 2]
    assert [each.op.name for each in layer.weights] == [
        f"basic_lstm_cell/{part}" for part in ("kernel", "bias")
    ]
    assert tf.layers.dense(given * 2.0, 3).shape.as_list() == [None, 5, 3]


@pytest.mark.parametrize(
    ("outputs", "classes"),
    [([[0.5], [0.75], [0.25]], [[0], [1], [0]]), ([[0.1, 0.7, 0.2], [0.4, 0.3, 0.3]], [1, 0])],
)
def test_a_sequential_model_predicts_classes(outputs, classes, monkeypatch):
    given = {}

    def predict(self, x, batch_size=None, verbose=0):
        given.update(x=x, batch_size=batch_size, verbose=verbose)
        return np.array(outputs)

    monkeypatch.setattr(tf.keras.Sequential, "predict", predict)
    model = tf.keras.Sequential()
    assert model.predict_classes("some").tolist() == classes
    assert given == {"x": "some", "batch_size": 32, "verbose": 0}
    assert model.predict_proba("some", 5, 1).tolist() == outputs
    assert given == {"x": "some", "batch_size": 5, "verbose": 1}
    assert not hasattr(tf.keras.Model, "predict_classes")


def test_a_generator_is_what_has_next():
    class Batches:
        def __init__(self, batches):
            self.left = [np.ones((1, 1))] * batches

        def __next__(self):
            if not self.left:
                raise StopIteration
            return self.left.pop(), np.ones((1, 1))

    given = {}

    class Noting:
        def fit_generator(self, generator, steps, validation_data=None):
            given.update(rows=list(generator), steps=steps, held=list(validation_data))

    from tfqueue.v1.keras import _models

    called = _models._of_iterators(Noting.fit_generator)
    called(Noting(), Batches(3), 3, validation_data=iter([1]))
    assert (len(given["rows"]), given["steps"], given["held"]) == (3, 3, [1])


@pytest.mark.parametrize(("when", "left"), [("1.8", ["d1"]), ("1.10", ["d1", "d2"])])
def test_layers_of_a_model_are_the_list_itself_up_to_1_8(when, left):
    release.assume(when)
    layers = tf.keras.layers
    given = layers.Input((3,))
    model = tf.keras.models.Model(
        given, layers.Dense(5, name="d2")(layers.Dense(4, name="d1")(given))
    )
    assert model.layers.pop().name == "d2"
    assert [layer.name for layer in model.layers[1:]] == left
    row = tf.keras.models.Sequential(
        [layers.Dense(2, name=name, input_shape=(2,)) for name in left]
    )
    row.layers.reverse()
    assert [layer.name for layer in row.layers] == sorted(left, reverse=when == "1.8")
    if when == "1.8":
        row.layers = model.layers
        assert row.layers[-1].name == "d1"
    else:
        with pytest.raises(AttributeError, match="layers"):
            model.layers = []


def test_a_callback_writes_what_it_is_told(tmp_path):
    board = tf.keras.callbacks.TensorBoard(str(tmp_path))
    board.set_model(tf.keras.models.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))]))
    board._write_logs({"rate": 1.5}, 3)
    board.on_train_end(None)
    [path] = tmp_path.glob("events*")
    written = [
        (e.step, v.tag, v.simple_value)
        for e in tf.train.summary_iterator(str(path))
        for v in e.summary.value
    ]
    assert written[-1] == (3, "rate", 1.5)


@pytest.mark.parametrize(
    ("batch", "targets", "mode", "expected"),
    [
        (([1, 2],), ["y"], "train", (1, 2)),
        (([1, 2, 3],), ["y"], "test", (1, 2, 3)),
        (([1, 2],), [], "train", ([1, 2],)),  # two inputs, and a loss of the model's own
        (([1, 2],), ["y"], "predict", ([1, 2],)),
        (([1, 2], 3), ["y"], "train", ([1, 2], 3)),
    ],
)
def test_a_generators_list_is_a_batch_with_targets(batch, targets, mode, expected):
    from tfqueue.v1.keras import _models

    model = types.SimpleNamespace(_feed_targets=targets)
    make = _models._of_lists(lambda model, mode: lambda *parts: parts)
    assert make(model, mode)(*batch) == expected


def test_up_to_1_10_the_session_of_keras_begins_with_all_variables():
    release.assume("1.15")
    own, of_keras = tf.Variable(2.0), tf.keras.backend.variable(3.0)
    assert tf.keras.backend.eval(of_keras) == 3
    with pytest.raises(tf.errors.FailedPreconditionError):
        tf.keras.backend.eval(own * 2)
    release.assume("1.10")
    assert tf.keras.backend.eval(own * 2) == 4


def test_a_thread_that_compiles_changes_nothing_for_another():
    """The second one put back what the first had put in its place, for good."""
    from tf_keras.src.engine import base_layer_utils

    from tfqueue.v1.keras import _models

    found = tf.keras.layers.Input((2,)) * 2.0
    begun, may_end = threading.Event(), threading.Event()

    def compiling():
        with _models.no_layers_of_ops():
            begun.set()
            assert may_end.wait(60)

    thread = threading.Thread(target=compiling)
    thread.start()
    assert begun.wait(60)
    with _models.no_layers_of_ops():
        assert not base_layer_utils.needs_keras_history(found)
        may_end.set()
        thread.join()
        assert not base_layer_utils.needs_keras_history(found)
    assert base_layer_utils.needs_keras_history(found)


def test_a_model_asks_its_inputs_for_no_shape():
    """Printed by 1.4.1, 1.8.0 and 1.15.5: only the layers ask."""
    k = tf.keras
    dense = k.models.Sequential([k.layers.Dense(5, input_dim=32), k.layers.Dense(1)])
    assert dense(tf.zeros([16, 1, 32])).shape == (16, 1, 1)
    given = k.layers.Input((None,))
    doubled = k.models.Model(given, k.layers.Lambda(lambda x: x * 2)(given))
    assert [doubled(tf.ones(shape)).shape for shape in ([2, 4, 1], [2, 4], [2])] == [
        *((2, 4, 1), (2, 4), (2,)),
    ]
    with pytest.raises(ValueError, match="have value 32"):
        dense(tf.zeros([16, 31]))
    other = k.layers.Input((1,))
    both = k.models.Model([given, other], [given, other])
    with pytest.raises(ValueError, match="expects 2 input"):
        both([tf.ones([2, 3])])
