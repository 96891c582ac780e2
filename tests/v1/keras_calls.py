"""What calls of `tf.keras` by position compute; an original prints the expected values.

python tests/v1/keras_calls.py > tests/v1/keras_calls_115.json    (TensorFlow 1.15.5; with 1.4.1, keras_calls_14.json)
"""

import contextlib
import functools
import json
import sys

import numpy as np

ONES = ("ones", "zeros")


def of_old(decay):
    """Calls of optimizers, in the order that `tf.keras` had up to 1.12 and `tf.contrib.keras` up to 1.15."""
    return {
        "SGD": (0.05, 0.9, decay, True),
        "RMSprop": (0.01, 0.8, 1e-3, decay),
        "Adagrad": (0.05, 1e-3, decay),
        "Adadelta": (1.0, 0.9, 1e-3, decay),
        "Adam": (0.02, 0.8, 0.99, 1e-3, decay),
        "Adamax": (0.02, 0.8, 0.99, 1e-3, decay),
        "Nadam": (0.02, 0.8, 0.99, 1e-3, 0.1),
    }


OPTIMIZERS_115 = {
    "SGD": (0.05, 0.9, True, "mine"),
    "RMSprop": (0.01, 0.8, 0.5, 1e-3, True),
    "Adagrad": (0.05, 0.2, 1e-3),
    "Adam": (0.02, 0.8, 0.99, 1e-3, True),
}


def _rounded(values):
    return np.round(np.asarray(values, np.float64), 5).tolist()


@contextlib.contextmanager
def apart(tf, keras):
    """A graph and a session of its own."""
    with tf.Graph().as_default(), tf.Session() as sess:
        keras.backend.set_session(sess)
        yield


def trained(keras, optimizer):
    """The losses of four steps, and the weights behind them."""
    x = (np.arange(24).reshape(8, 3) % 7).astype("f") / 7
    model = keras.models.Sequential([keras.layers.Dense(2, input_shape=(3,))])
    model.set_weights([np.arange(6).reshape(3, 2).astype("f") / 6, np.zeros(2, "f")])
    model.compile(optimizer, "mse")
    losses = [float(model.train_on_batch(x, x[:, :2] * 2 - 1)) for _ in range(4)]
    return [_rounded(losses), [_rounded(each) for each in model.get_weights()]]


def optimizers(tf, keras, calls):
    """What each optimizer does by position, as it begins, and by its name alone."""
    found = {}
    for name, arguments in calls.items():
        cls = getattr(keras.optimizers, name)
        made = {"position": functools.partial(cls, *arguments), "begins": cls}
        if name == "Adagrad":
            made["named"] = functools.partial(keras.optimizers.get, "adagrad")
        for how, make in made.items():
            with apart(tf, keras):
                found[name + " " + how] = trained(keras, make())
    return found


def layers_of(layers, release):
    """Each layer, made by position in the order of a release, and the shape of its inputs."""
    rest = (True,) + ONES
    depthwise = (2, 1, "same", 2, None, "tanh") + rest
    made = {
        "Conv2D": (layers.Conv2D(2, 2, 1, "same", None, 1, "tanh", *rest), (1, 3, 3, 1)),
        "Conv3D": (layers.Conv3D(2, 2, 1, "same", None, 1, "tanh", *rest), (1, 2, 2, 2, 1)),
        "GRU": (
            layers.GRU(2, "tanh", "hard_sigmoid", True, "ones", "zeros", "ones"),
            (1, 3, 2),
        ),
        "ConvLSTM2D": (
            layers.ConvLSTM2D(
                *(1, 2, 1, "same", None, 1, "tanh", "hard_sigmoid", True, "ones", "ones", "zeros"),
                *(True, None, None, None, None, None, None, None, True, True, False, 0.0, 0.0),
            ),
            (1, 3, 2, 2, 1),
        ),
    }
    if release >= (1, 15):
        recurrent = ("tanh", "hard_sigmoid", True, "ones", "zeros", "ones")
        none = (None,) * 7
        made["GRU whole"] = (
            layers.GRU(2, *(*recurrent, *none, 0.0, 0.0, 2, True, False, True, False, False, True)),
            (1, 3, 2),
        )
        made["LSTM whole"] = (
            layers.LSTM(2, *(*recurrent, False, *none, 0.0, 0.0, 2, True, False, True)),
            (1, 3, 2),
        )
        made["LSTMCell"] = (
            layers.RNN(layers.LSTMCell(2, *recurrent, False, *none[1:], 0.0, 0.0, 2)),
            (1, 3, 2),
        )
        made["GRUCell"] = (
            layers.RNN(layers.GRUCell(2, *recurrent, *none[1:], 0.0, 0.0, 1, True)),
            (1, 3, 2),
        )
        made["Conv1D"] = (
            layers.Conv1D(2, 2, 1, "same", "channels_last", 1, "tanh", *rest),
            (1, 3, 1),
        )
        made["DepthwiseConv2D"] = (layers.DepthwiseConv2D(*depthwise), (1, 3, 3, 2))
        made["LayerNormalization"] = (
            layers.LayerNormalization(-1, 0.1, True, True, *ONES, *(None,) * 4, False, "mine"),
            (1, 4),
        )
    else:
        made["Conv1D"] = (layers.Conv1D(2, 2, 1, "same", 1, "tanh", *rest), (1, 3, 1))
        made["Conv2DTranspose"] = (
            layers.Conv2DTranspose(2, 2, 1, "same", None, "tanh", *rest),
            (1, 3, 3, 1),
        )
        made["SeparableConv2D"] = (
            layers.SeparableConv2D(2, 2, 1, "same", None, 1, "tanh", True, "ones", *ONES),
            (1, 3, 3, 2),
        )
        made["Lambda"] = (layers.Lambda(lambda x, by: x * by, None, {"by": 3}), (1, 2))
    return made


def layers(keras, release):
    """What each layer gives for small numbers."""
    found = {}
    for name, (layer, shape) in layers_of(keras.layers, release).items():
        model = keras.models.Sequential()
        model.add(keras.layers.InputLayer(input_shape=shape[1:]))
        model.add(layer)
        values = (np.arange(np.prod(shape)).reshape(shape) - 3).astype("f") / 10
        found[name] = [_rounded(model.predict_on_batch(values)), layer.trainable]
    return found


def functions(tf, keras, backend, release):
    """What functions and losses give whose arguments moved."""
    x = np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1]], "f")
    y = np.array([[0, 0.5, 0.5], [0, 1, 0]], "f")
    x, y, one = tf.constant(x), tf.constant(y), tf.ones([3])
    if release >= (1, 15):
        losses = keras.losses
        made = {
            "batch_normalization": backend.batch_normalization(x, x[0], x[1], one, one, -1, 0.5),
            "Binary": losses.BinaryCrossentropy(True, 0.1, "none", "mine")(y, x),
            "Categorical": losses.CategoricalCrossentropy(True, 0.1, "none", "mine")(y, x),
            "Sparse": losses.SparseCategoricalCrossentropy(True, "none", "mine")([1, 2], x),
        }
    else:
        made = {"batch_normalization": backend.batch_normalization(x, x[0], x[1], one, one, 0.5)}
    with tf.Session() as sess:
        values = {}
        for name in sorted(made):
            value = made[name]
            sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            values[name] = _rounded(sess.run(value))
    return values


def asked(keras, release):
    """What objects say of themselves that were made by position."""
    image, callbacks = keras.preprocessing.image, keras.callbacks
    new = release >= (1, 15)
    brightness = ([0.5, 0.6],) if new else ()
    generator = image.ImageDataGenerator(
        *(False, False, False, False, False, 1e-6, 20, 0.1, 0.2),
        *brightness + (0.3, [0.4, 0.5], 0.6, "wrap", 1.0, True, False, 2.0, None, "channels_last"),
        *(0.25, "float32") if new else (),
    )
    words = "rotation_range height_shift_range shear_range zoom_range fill_mode rescale data_format"
    found = {"generator": [getattr(generator, word) for word in words.split()]}
    batches = image.NumpyArrayIterator(
        np.zeros([8, 2, 2, 1]),
        *(np.zeros(8), generator, 4, False),
        *(
            (None, 3, "channels_last", None, "", "png", "training", "float32")
            if new
            else (3, "channels_last")
        ),
    )
    found["batches"] = [batches.data_format, batches.batch_size, batches.save_format, batches.n]
    rate = callbacks.ReduceLROnPlateau("loss", 0.3, 4, 1, "min", 0.2, 5, 0.01)
    found["rate"] = [rate.monitor, rate.factor, getattr(rate, "min_delta", 0.2), rate.cooldown]
    kept = callbacks.ModelCheckpoint(
        "x", "loss", 1, True, False, "min", *("epoch",) if new else (3,)
    )
    found["kept"] = [kept.monitor, kept.save_best_only, kept.period]
    board = callbacks.TensorBoard("x", 0, 8, False, True, False)
    found["board"] = [board.log_dir, board.write_graph, board.write_images]
    if new:
        metrics = keras.metrics
        for metric in (
            metrics.SensitivityAtSpecificity(0.3, 50, "mine", "float32"),
            metrics.SparseCategoricalCrossentropy("mine", None, True, 1),
        ):
            config = metric.get_config()
            known = ["axis", "from_logits", "name", "num_thresholds"]
            found[type(metric).__name__] = [config.get(word) for word in known]
    return found


def found(tf, release):
    """All of them, of one release."""
    keras = tf.keras
    new = release >= (1, 15)
    made = {"optimizers": optimizers(tf, keras, OPTIMIZERS_115 if new else of_old(0.1))}
    # in 1.15 it was chance whether the first step decays
    made["contrib"] = optimizers(tf, tf.contrib.keras, of_old(0.0 if new else 0.1))
    with apart(tf, keras):
        made["layers"] = layers(keras, release)
    made["functions"] = functions(tf, keras, keras.backend, release)
    made["asked"] = asked(keras, release)
    return made


if __name__ == "__main__":
    import tensorflow

    parts = tuple(int(part) for part in tensorflow.__version__.split(".")[:2])
    json.dump(found(tensorflow, parts), sys.stdout, sort_keys=True)
    print()
