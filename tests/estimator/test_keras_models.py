"""Estimators of models of Keras. The numbers were printed by TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfqueue.v1 as tf

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*state_updates:UserWarning", "ignore:The `lr`", "ignore:.*set_learning_phase"
)

X = (np.arange(24).reshape(8, 3) % 7 / 7.0).astype("f")
Y = np.eye(2)[np.arange(8) % 2].astype("f")
WEIGHTS = [[0.1, 0.2], [0.3, 0.1], [0, 0.5], [0.2, 0]]


@pytest.fixture(autouse=True)
def no_session_left():
    yield
    tf.keras.backend.set_session(None)


def sequential():
    layers, constant = tf.keras.layers, tf.keras.initializers.Constant
    first = layers.Dense(
        4, "tanh", kernel_initializer=constant(0.1), input_shape=(3,), name="first"
    )
    last = layers.Dense(2, "softmax", kernel_initializer=constant(WEIGHTS), name="out")
    return tf.keras.models.Sequential([first, layers.BatchNormalization(), last])


def data(epochs):
    slices = tf.data.Dataset.from_tensor_slices(({"first_input": X}, Y))
    return slices.repeat(epochs).batch(4)


def measured(estimator, input_fn, **words):
    return {
        name: round(float(one), 5) for name, one in estimator.evaluate(input_fn, **words).items()
    }


@pytest.mark.parametrize(
    ("optimizer", "accuracy", "loss", "first"),
    [
        (lambda: tf.keras.optimizers.SGD(lr=0.1, momentum=0.9), 0.875, 0.62635, [0.47483, 0.52517]),
        (lambda: tf.train.AdamOptimizer(0.01), 0.75, 0.68511, [0.4982, 0.5018]),
    ],
    ids=["keras", "train"],
)
def test_it_trains_a_copy(optimizer, accuracy, loss, first, tmp_path):
    model = sequential()
    model.compile(optimizer(), "categorical_crossentropy", ["accuracy"])
    made = tf.keras.estimator.model_to_estimator(model, model_dir=str(tmp_path))
    made.train(lambda: data(3))
    made.train(lambda: data(None), steps=2)
    assert measured(made, lambda: data(1)) == {"acc": accuracy, "global_step": 8, "loss": loss}
    features = {"first_input": X}
    found = list(made.predict(lambda: tf.data.Dataset.from_tensor_slices(features).batch(4)))
    assert (len(found), list(found[0])) == (8, ["out"])
    assert np.allclose(found[0]["out"], first, atol=1e-5)


def test_it_goes_on_from_the_weights_of_the_model(tmp_path):
    model = sequential()
    model.compile("sgd", "mse")
    for batch in (slice(0, 4), slice(4, 8)):
        model.train_on_batch(X[batch], Y[batch])
    made = tf.keras.estimator.model_to_estimator(keras_model=model, model_dir=str(tmp_path))
    made.train(lambda: ({"first_input": tf.constant(X)}, tf.constant(Y)), steps=1)
    assert measured(made, lambda: data(1)) == {"global_step": 1, "loss": 0.25028}


def test_several_inputs_and_outputs(tmp_path):
    layers = tf.keras.layers
    inputs = [tf.keras.Input((2,), name="a"), tf.keras.Input((1,), name="b", dtype="int32")]
    words = layers.Flatten()(layers.Embedding(4, 2, embeddings_initializer="ones")(inputs[1]))
    both = layers.concatenate([inputs[0], words])
    outputs = [
        layers.Dense(size, kernel_initializer="ones", name=name)(both)
        for size, name in ((1, "u"), (2, "v"))
    ]
    model = tf.keras.Model(inputs, outputs)
    model.compile(tf.keras.optimizers.Adagrad(lr=0.1), ["mse", "mae"], metrics={"u": ["mae"]})
    made = tf.keras.estimator.model_to_estimator(model, model_dir=str(tmp_path))

    def two():
        features = {"a": tf.constant([[1.0, 2.0], [3, 4]]), "b": tf.constant([[1], [3]])}
        return features, {"u": tf.constant([[1.0], [2]]), "v": tf.constant([[1.0, 2], [3, 4]])}

    made.train(two, steps=3)
    found = measured(made, two, steps=2)
    assert found == {"global_step": 3, "loss": 15.83363, "u_mean_absolute_error": 3.49552}
    with pytest.raises(KeyError, match="the model needs b"):
        made.train(lambda: ({"a": X[:, :2]}, Y), steps=1)


def test_what_it_refuses():
    for given in ((), (sequential(), "a path")):
        with pytest.raises(ValueError, match="Either `keras_model`"):
            tf.keras.estimator.model_to_estimator(*given)
    with pytest.raises(ValueError, match="has not been compiled"):
        tf.keras.estimator.model_to_estimator(sequential())
