"""Names and numbers of `tf.keras` that changed after TensorFlow 1.15.

The expected ones were printed by 1.15.5, with scipy 1.4 and Pillow 7.
"""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = pytest.mark.filterwarnings("ignore:the graph grew")
PICTURE = np.array([123, 195, 82, 174, 227, 148, 209, 50, 155, 14, 41, 58], "f").reshape(3, 4, 1)


@pytest.fixture(autouse=True)
def without_a_session():
    yield
    tf.keras.backend.set_session(None)


def value(tensor):
    return tf.keras.backend.get_session().run(tensor)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ConvLSTM2D", "conv_lst_m2d"), ("My3DThing", "my3d_thing"), ("_Own", "private__own")],
)
def test_the_name_of_a_layer(name, expected):
    kind = type(name, (tf.keras.layers.Layer,), {})
    assert kind().name == expected


def test_a_layer_takes_the_inputs_of_its_updates():
    class Counting(tf.keras.layers.Layer):
        def build(self, shape):
            self.seen = self.add_weight("seen", (), initializer="zeros", trainable=False)

        def call(self, x):
            self.add_update([tf.assign_add(self.seen, 1.0)], x)
            self.add_update(tf.assign_add(self.seen, 1.0), inputs=None)
            return x

    layer = Counting()
    layer(tf.placeholder(tf.float32, [None, 2]))
    assert len(layer.updates) == 2


def test_huber_gives_a_loss_for_each_element():
    drawn = np.random.RandomState(0)
    true, found = drawn.randn(3, 4).astype("f"), drawn.randn(3, 4).astype("f")
    losses = [
        tf.keras.losses.Huber(reduction=how)(tf.constant(true), tf.constant(found))
        for how in ("none", "sum", "sum_over_batch_size")
    ]
    each, total, mean = value(losses)
    assert each[0] == pytest.approx([0.50301, 0.03878, 0.14305, 1.40722], abs=1e-5)
    assert (total, mean) == pytest.approx((6.84492, 0.57041), abs=1e-5)


@pytest.mark.parametrize("name", ["SensitivityAtSpecificity", "SpecificityAtSensitivity"])
def test_the_threshold_is_the_nearest(name):
    metric = getattr(tf.keras.metrics, name)(0.6, num_thresholds=7)
    step = metric.update_state(
        tf.constant([0.0, 1, 0, 1, 1, 0, 0, 1]),
        tf.constant([0.1, 0.3, 0.35, 0.4, 0.55, 0.6, 0.8, 0.9]),
    )
    value([variable.initializer for variable in metric.weights])
    value(step)
    assert value(metric.result()) == 0.5


def test_the_names_of_metrics():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile("sgd", "logcosh", metrics=["logcosh", tf.keras.losses.kld])
    assert model.metrics_names == ["loss", "logcosh", "kullback_leibler_divergence"]


def test_losses_of_batches_are_summed_as_float64():
    from tf_keras.src.engine import training_utils_v1

    sums = training_utils_v1.MetricsAggregator(use_steps=True, steps=3)
    outputs = [np.float32(0.1), np.float32(0.5)]
    sums.create(outputs)
    for _ in range(3):
        sums.aggregate(outputs)
    sums.finalize()
    assert isinstance(sums.results[0], np.float64)
    assert isinstance(sums.results[1], np.float32)
    assert sums.results[0] == pytest.approx(float(np.float32(0.1)), abs=1e-12)


def test_a_checkpoint_is_saved_after_so_many_examples(monkeypatch):
    saver = tf.keras.callbacks.ModelCheckpoint("w{epoch}.h5", save_freq=8)
    epochs = []
    monkeypatch.setattr(saver, "_save_model", lambda epoch, **_: epochs.append(epoch))
    for epoch in range(3):
        saver._current_epoch = epoch
        for batch in range(2):
            saver.on_train_batch_end(batch, {"batch": batch, "size": 4})
    assert epochs == [0, 1, 2]
    assert saver.on_train_batch_end(0, {"size": 4}) is None


@pytest.mark.parametrize("greedy", [True, False])
def test_decoded_sequences_are_as_wide_as_the_longest(greedy):
    steps = (np.eye(4)[[[0, 0, 3, 1, 1], [2, 3, 3, 3, 3]]] * 0.9 + 0.02).astype("f")
    found, _ = tf.keras.backend.ctc_decode(tf.constant(steps), tf.constant([5, 5]), greedy)
    assert value(found[0]).tolist() == [[0, 1], [2, -1]]


def test_the_backend_takes_vectors():
    square = np.arange(9.0).reshape(3, 3)
    rows = tf.keras.backend.switch(tf.constant([True, False, True]), tf.constant(square), -square)
    assert value(rows).tolist() == [[0, 1, 2], [-3, -4, -5], [6, 7, 8]]
    shares = value(tf.keras.backend.softmax(tf.constant([0.0, 1, 2])))
    assert shares == pytest.approx([0.09003, 0.24473, 0.66524], abs=1e-5)


def test_regularizers_have_both_factors():
    assert (tf.keras.regularizers.l2(0.5).l1, tf.keras.regularizers.l1(0.5).l2) == (0, 0)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {"width_shift_range": [1]},
            [123, 123, 195, 82, 227, 227, 148, 209, 155, 155, 14, 41],
        ),
        (
            {"height_shift_range": [1]},
            [123, 195, 82, 174, 123, 195, 82, 174, 227, 148, 209, 50],
        ),
        (
            {"brightness_range": (0.5, 0.6)},
            [68, 114, 42, 101, 134, 84, 123, 22, 88, 0, 16, 27],
        ),
        (
            {"rotation_range": 30, "shear_range": 10.0},
            [155.93, 181.942, 100.731, 163.853, 204.304, 126.33]
            + [195.324, 65.81, 152.212, 14.32, 41.067, 57.474],
        ),
    ],
    ids=["width", "height", "brightness", "rotation and shear"],
)
def test_a_generator_of_pictures(options, expected):
    pytest.importorskip("scipy")
    pytest.importorskip("PIL")
    generator = tf.keras.preprocessing.image.ImageDataGenerator(**options)
    found = generator.random_transform(PICTURE, seed=3)
    assert found.ravel() == pytest.approx(expected, abs=2e-3)


def test_all_that_is_done_to_a_picture():
    pytest.importorskip("scipy")
    image = tf.keras.preprocessing.image
    found = image.apply_affine_transform(
        PICTURE, 20, 1, 0.5, 10, 1.2, 0.9, fill_mode="constant", cval=5.0
    )
    expected = [116.708, 140.325, 166.323, 135.897, 5, 5, 60.139, 5, 5, 5, 5, 5]
    assert found.ravel() == pytest.approx(expected, abs=2e-3)
    assert image.apply_affine_transform(PICTURE) is PICTURE


@pytest.mark.filterwarnings("ignore:This ImageDataGenerator specifies")
def test_pictures_are_whitened_along_all_directions():
    pytest.importorskip("scipy")
    drawn = np.random.RandomState(5)
    many = drawn.rand(20, 2, 2, 1).astype("f")
    many[:, 0, 0, 0] = 0.5
    image = tf.keras.preprocessing.image
    generator = image.ImageDataGenerator(zca_whitening=True, zca_epsilon=1e-3)
    generator.fit(many)
    one = many[0].copy()
    one[0, 0, 0] = 0.75
    white = generator.standardize(one)
    assert white.dtype == np.float32
    assert white.ravel() == pytest.approx([7.893495, 1.241251, -1.067427, 1.257841], abs=2e-3)


def drawn_numbers(seed, *shape):
    return np.random.RandomState(seed).randint(-4, 5, shape).astype("f")


@pytest.mark.parametrize(
    ("shapes", "axes", "expected", "begins", "squares"),
    [
        (((2, 3, 4, 5), (2, 3, 6, 5)), [3, 3], (2, 3, 4, 6), [-24, -15, 11, -21], 36647),
        (((2, 3, 4, 5), (2, 3, 6, 5)), 3, (2, 3, 4, 6), [-24, -15, 11, -21], 36647),
        (((2, 3, 4, 5), (2, 3, 5, 6)), None, (2, 3, 4, 6), [-26, -7, 19, 2], 24172),
        (((2, 3, 5, 4), (2, 3, 5, 6)), [2, 2], (2, 3, 4, 6), [10, -15, 15, 20], 33213),
        (((2, 3, 5), (2, 3, 6, 5)), [2, 3], (2, 3, 6), [-24, -15, 11, -21], 7367),
        (((2, 3, 4), (2, 6, 4)), [2, 2], (2, 3, 6), [-12, 3, -1, 5], 7912),
    ],
)
def test_batch_dot_multiplies_matrices(shapes, axes, expected, begins, squares):
    backend = tf.keras.backend
    x, y = (backend.constant(drawn_numbers(seed, *one)) for seed, one in enumerate(shapes))
    found = backend.batch_dot(x, y, axes=axes)
    assert backend.int_shape(found) == expected
    numbers = value(found)
    assert numbers.ravel()[:4].tolist() == begins
    assert (numbers**2).sum() == squares


def test_a_function_may_have_no_outputs_and_takes_lists_of_rows():
    backend = tf.keras.backend
    variable = backend.variable([0.0])
    given, more = backend.placeholder((None, 2)), backend.placeholder((None,))
    add = backend.function([given, more], [], updates=[(variable, variable + given[0, 1])])
    rows = [np.array([1.0, 2]), np.array([3.0, 4])]
    assert add([rows, [1.0, 2.0]]) == []
    total = backend.function([given], [backend.sum(given), variable * 1.0])
    assert [one.tolist() for one in total([rows])] == [10, [2]]


def test_updates_of_a_function_come_behind_all_outputs():
    backend = tf.keras.backend
    variable = backend.variable(1.0)
    outputs = [backend.constant(0.0), variable]
    step = backend.function([], outputs, updates=[(variable, variable * 2)])
    assert [step([])[1].item() for _ in range(3)] == [1, 2, 4]
    ahead, seen = [step.updates_op], set()
    while ahead:
        op = ahead.pop()
        seen.add(op.name)
        ahead += [one for one in op.control_inputs] + [one.op for one in op.inputs]
    assert step.outputs[1].op.name in seen


def test_get_updates_of_keras_1():
    backend = tf.keras.backend
    losses = {}
    for form in ("keras 1", "named", "keras 2"):
        weights = backend.variable(np.ones((2, 1)))
        loss = backend.sum(backend.square(weights)) * 0.5
        optimizer = tf.keras.optimizers.SGD(0.5)
        if form == "keras 1":
            updates = optimizer.get_updates([weights], [], loss)
        elif form == "named":
            updates = optimizer.get_updates(params=[weights], constraints={}, loss=loss)
        else:
            updates = optimizer.get_updates(loss, [weights])
        step = backend.function([], [loss], updates=updates)
        losses[form] = [step([])[0].item() for _ in range(3)]
    assert losses["keras 1"] == losses["named"] == losses["keras 2"] == [1, 0.25, 0.0625]
    with pytest.raises(ValueError, match="kernel_constraint"):
        optimizer.get_updates([weights], {weights.ref(): abs}, loss)


def test_a_layer_and_a_model_can_be_renamed():
    """As in the package keras, where a name is an attribute."""
    layer = tf.keras.layers.Dense(1, input_shape=(2,), name="first")
    model = tf.keras.Sequential([layer])
    layer.name, model.name = "second", "whole"
    assert (layer.name, model.name) == ("second", "whole")
    assert model.get_layer("second") is layer


@pytest.mark.parametrize("rank", [2, 3])
def test_a_bias_is_added_to_rows_whatever_the_order_of_the_axes(rank):
    K = tf.keras.backend
    x = tf.reshape(tf.range(6.0), [1, 2, 3][-rank:])
    K.set_image_data_format("channels_first")
    try:
        found = value(K.bias_add(x, tf.constant([10.0, 20.0, 30.0][: 5 - rank])))
    finally:
        K.set_image_data_format("channels_last")
    expected = {2: [[10, 21, 32], [13, 24, 35]], 3: [[[10, 11, 12], [23, 24, 25]]]}
    assert found.tolist() == expected[rank]


@pytest.mark.parametrize(
    ("when", "of_whole", "of_double"), [("1.4", "float32", "float32"), ("1.12", None, "float64")]
)
def test_the_dtype_of_a_layers_weights(when, of_whole, of_double, monkeypatch):
    """Printed by 1.4.1, 1.8.0, 1.9.0 and 1.12.3; where 1.12 ended for whole numbers, they are floats."""
    monkeypatch.setattr(release, "_assumed", tuple(map(int, when.split("."))))

    class Rows(tf.keras.layers.Layer):
        def build(self, shape):
            self.rows = self.add_weight(name="rows", shape=(9, 4), initializer="uniform")
            self.count = self.add_weight(name="count", shape=(), initializer="zeros")
            self.half = self.add_weight(name="half", shape=(), dtype="float16", initializer="zeros")

        def call(self, x):
            return x

    dtypes = []
    for given in (tf.int32, tf.float64):
        layer = Rows()
        layer(tf.zeros([2, 3], given))
        assert layer.half.dtype == tf.float16
        dtypes.append((layer.rows.dtype.name, layer.count.dtype.name))
    assert dtypes == [("float32", of_whole or "int32"), (of_double, of_double)]
    cell = tf.layers.Dense(3, use_bias=False)
    cell(tf.zeros([2, 3], tf.float64))
    assert cell.kernel.dtype.base_dtype == tf.float64
