"""What programs of the package keras lean on, as Keras 2.2.4 on TensorFlow 1.12.3 prints it."""

import sys

import pytest

import tfqueue.v1 as tf
from tests.suite import children
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

_PROGRAM = """
import numpy as np
from keras import backend as K
from keras.callbacks import Callback
from keras.layers import Dense, Input, Layer, LSTM, RNN, Bidirectional
from keras.models import Model, model_from_yaml
from keras.optimizers import SGD

class Count(Layer):
    def __init__(self, name="count", **kwargs):
        super(Count, self).__init__(name=name, **kwargs)
        self.stateful, self.total = True, K.variable(0, dtype="int32")

    def reset_states(self):
        K.set_value(self.total, 0)

    def __call__(self, y_true, y_pred):
        found = K.sum(K.cast(y_pred > y_true, "int32"))
        before = self.total * 1
        self.add_update(K.update_add(self.total, found), inputs=[y_true, y_pred])
        return before + found

class Shapes(Callback):
    def on_epoch_end(self, epoch, logs=None):
        print([part.shape for part in self.validation_data])

class Cell(Layer):
    state_size = 2

    def build(self, shapes):
        print(shapes)
        self.kernel = self.add_weight("kernel", shape=(3, 2), initializer="ones")
        self.built = True

    def call(self, inputs, states, constants):
        out = states[0] + K.dot(inputs, self.kernel) + constants[0]
        return out, [out]

def batches():
    while True:
        yield x[:4], y[:4]

x = np.arange(30).reshape(10, 3) / 30.0
y = x[:, :1] * 0 + 0.2
given = Input((3,))
model = Model(given, Dense(1, kernel_initializer="ones")(given))
model.compile(SGD(0.0), "mse", metrics=[Count()])
history = model.fit(x, y, 4, 2, verbose=0, validation_data=(x[:2], y[:2])).history
print([int(v) for v in history["count"] + history["val_count"]], int(model.evaluate(x, y, 4, verbose=0)[1]))
model.fit_generator(batches(), 2, callbacks=[Shapes()], validation_data=(x, y), verbose=0)
node = model.layers[1].inbound_nodes[0] if hasattr(model.layers[1], "inbound_nodes") else model.layers[1]._inbound_nodes[0]
print([layer.name for layer in node.inbound_layers], node.node_indices, node.tensor_indices)
again = model_from_yaml(model.to_yaml())
print([layer.name for layer in again.layers], again.count_params())
rows, more = Input((4, 3)), Input((2,))
out = RNN(Cell())(rows, constants=more)
print(Model([rows, more], out).predict([np.ones((1, 4, 3)), np.ones((1, 2))]).tolist())
both = Bidirectional(LSTM(2, return_sequences=True))
both(rows)
print(K.int_shape(both.forward_layer.call(rows))[-1])
"""
_PRINTED = """
[9, 9, 1, 1] 9
[(10, 3), (10, 1), (10,)]
['input_1'] [0] [0]
%s[(None, 3), (None, 2)]
[[16.0, 16.0]]
2
"""
_YAML = "again = model_from_yaml(model.to_yaml())\nprint([layer.name for layer in again.layers], again.count_params())\n"


def test_layers_that_count_callbacks_nodes_and_cells_with_constants(tmp_path):
    program, printed = _PROGRAM, _PRINTED
    try:
        import yaml  # noqa: F401
    except ImportError:
        program, printed = program.replace(_YAML, ""), printed % ""
    else:
        printed %= "['input_1', 'dense_1'] 4\n"
    (tmp_path / "old.py").write_text(program)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.stdout == printed.lstrip(), done.stderr


@pytest.mark.usefixtures("no_session_of_keras")
def test_yaml_of_python_2_is_read_and_nothing_in_it_is_called():
    yaml = pytest.importorskip("yaml", reason="needs PyYAML: pip install pyyaml")
    text = """
class_name: Sequential
config:
- class_name: Dense
  config:
    batch_input_shape: !!python/tuple [null, 3]
    name: !!python/unicode 'first'
    units: 2
"""
    model = tf.keras.models.model_from_yaml(text)
    assert [layer.name for layer in model.layers] == ["first"]
    assert model.count_params() == 8
    assert "units: 2" in model.to_yaml(default_flow_style=False)
    with pytest.raises(yaml.YAMLError, match="could not determine a constructor"):
        tf.keras.models.model_from_yaml("!!python/object/apply:os.getpid []")


@pytest.mark.usefixtures("no_session_of_keras")
def test_where_there_is_no_yaml_the_package_is_named(monkeypatch):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ImportError, match="pip install pyyaml"):
        model.to_yaml()


@pytest.mark.usefixtures("no_session_of_keras")
@pytest.mark.parametrize(("when", "listed"), [("1.13", True), ("1.14", False)])
def test_one_layer_before_a_node_is_in_a_list_up_to_1_13(when, listed):
    given = tf.keras.layers.Input((3,))
    layer = tf.keras.layers.Dense(2)
    layer(given)
    release.assume(when)
    assert isinstance(layer.inbound_nodes[0].inbound_layers, list) is listed
