"""What models and layers say of themselves; printed by TensorFlow 1.12.3, 1.13.2, 1.14.0 and 1.15.5 and by the package keras 2.2.4."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = [
    pytest.mark.usefixtures("no_session_of_keras"),
    pytest.mark.filterwarnings("ignore:the graph grew"),
]
L = tf.keras.layers
IN_A_ROW = """\
_________________________________________________________________
Layer (type)                 Output Shape              Param #   
=================================================================
big (Dense)                  (None, 2000)              8000      
_________________________________________________________________
a_layer_of_a_long_name (Batc (None, 2000)              8000      
=================================================================
Total params: 16,000
Trainable params: 12,000
Non-trainable params: 4,000
_________________________________________________________________"""  # noqa: W291
CONNECTED = """\
__________________________________________________________________________________________________
Layer (type)                    Output Shape         Param #     Connected to                     
==================================================================================================
x (InputLayer)                  {shape:20} 0                                            
__________________________________________________________________________________________________
a_rather_long_name_of_a_layer ( (None, 3)            15          x[0][0]                          
__________________________________________________________________________________________________
b (Dense)                       (None, 3)            15          x[0][0]                          
__________________________________________________________________________________________________
c (Concatenate)                 (None, 6)            0           a_rather_long_name_of_a_layer[0][
                                                                 b[0][0]                          
==================================================================================================
Total params: 30
Trainable params: 30
Non-trainable params: 0
__________________________________________________________________________________________________"""  # noqa: W291


@pytest.fixture(autouse=True)
def of_its_release(request):
    when = request.node.callspec.params["when"]
    release.assume_keras(when == "keras")
    release.assume(None if when == "keras" else when)
    yield
    release.assume_keras(False)


def in_a_row():
    layers = [L.Dense(2000, input_shape=(3,), name="big")]
    layers.append(L.BatchNormalization(name="a_layer_of_a_long_name"))
    return tf.keras.Sequential(layers, name="row")


def connected():
    x = L.Input((4,), name="x")
    a, b = (L.Dense(3, name=name)(x) for name in ("a_rather_long_name_of_a_layer", "b"))
    return tf.keras.Model(x, [L.Concatenate(name="c")([a, b]), a], name="whole")


@pytest.mark.parametrize(("when", "titled"), [("keras", False), ("1.13", False), ("1.14", True)])
def test_the_summary_of_a_model(when, titled):
    shape = "[(None, 4)]" if titled else "(None, 4)"
    for make, text in ((in_a_row, IN_A_ROW), (connected, CONNECTED.format(shape=shape))):
        model, lines = make(), []
        model.summary(print_fn=lines.append)
        title = [f'Model: "{model.name}"'] if titled else []
        assert lines == title + text.splitlines()


@pytest.mark.parametrize("when", ["keras"])
def test_the_columns_of_a_summary_may_be_given(when):
    lines = []
    in_a_row().summary(40, [0.5, 0.8, 1.0], lines.append)
    assert lines[:4] == [
        *("_" * 40, "Layer (type)        Output Shap Param # ", "=" * 40),
        "big (Dense)         (None, 2000 8000    ",
    ]


@pytest.mark.parametrize(("when", "listed"), [("keras", False), ("1.13", False), ("1.14", True)])
def test_the_shape_of_an_input(when, listed):
    layer, shape = connected().layers[0], (None, 4)
    assert [layer.input_shape, layer.output_shape] == [[shape] if listed else shape] * 2
    assert layer.get_output_shape_at(0) == shape


@pytest.mark.parametrize("when", ["keras", "1.12", "1.15"])
def test_the_class_of_a_model_of_called_layers(when):
    model = connected()
    assert type(model).__name__ == "Model"
    again = tf.keras.models.model_from_json(model.to_json())
    assert '"class_name": "Model"' in again.to_json()
    assert [one.name for one in again.layers] == [one.name for one in model.layers]


ENDS = ["kernel", "bias", "gamma", "beta", "kernel", "bias", "moving_mean", "moving_variance"]
BESIDE = ["kernel", "bias", "gamma", "beta", "moving_mean", "moving_variance", "kernel", "bias"]


@pytest.mark.parametrize(
    ("when", "of_the_model", "of_get_weights"),
    [("keras", ENDS, BESIDE), ("1.12", ENDS, ENDS), ("1.13", BESIDE, BESIDE)],
)
def test_the_order_of_variables(when, of_the_model, of_get_weights):
    layers = [L.Dense(4, input_shape=(3,)), L.BatchNormalization(), L.Dense(5)]
    model = tf.keras.Sequential(layers)
    assert [one.name.rpartition("/")[2][:-2] for one in model.weights] == of_the_model
    shapes = {"kernel": [(3, 4), (4, 5)], "bias": [(4,), (5,)]}
    counts = {"kernel": 0, "bias": 0}
    expected = []
    for name in of_get_weights:
        expected.append(shapes[name][counts[name]] if name in shapes else (4,))
        counts[name] = counts.get(name, 0) + 1
    assert [one.shape for one in model.get_weights()] == expected


@pytest.mark.parametrize(("when", "divided"), [("keras", False), ("1.12", False), ("1.13", True)])
def test_the_loss_of_what_a_layer_puts_out(when, divided):
    x = L.Input((2,))
    layer = L.ActivityRegularization(l2=0.5)
    layer(x)
    [found] = tf.keras.backend.function([x], layer.losses)([np.full((4, 2), 3.0)])
    assert found == (9 if divided else 36)
