"""Updates and tensors of models that are called. What is expected was printed by Keras 2.0.8 to 2.2.4 and `tf.keras` of 1.4.1 to 1.15.5."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

COUNTS = """
{imports}
import tensorflow as tf
tf.Session()
def count(*models):
    print(*[len(each.updates) for each in models])
a, b, z = L.Input((3,)), L.Input((3,)), L.Input((2,))
norm, dense = L.BatchNormalization(), L.Dense(2)
first, second = Model(a, dense(norm(a))), Model(b, dense(norm(b)))
count(first, second)
made = Model(z, L.BatchNormalization()(L.Dense(3)(z)))
both = Model(z, first(made(z)))
count(first, made, both)
row = Sequential([L.Dense(3, input_shape=(3,)), L.BatchNormalization()])
outputs = row(a), row(b)
count(row, row.layers[-1])
count(Model(a, row(L.Dense(3)(a))), row)
first.trainable = False
count(first)
double = L.Lambda(lambda x: x * 2)
other, kept = Model(a, double(a)), K.variable(1.)
double.add_update(tf.assign(kept, 2.))
count(other)
places = {{id(row.inputs[0]): "own", id(a): "a", id(b): "b", id(row.outputs[0]): "own", id(outputs[0]): "a", id(outputs[1]): "b"}}
print([places[id(row.get_input_at(i))] + places[id(row.get_output_at(i))] for i in (0, 1, 2, -2, -4)])
print(row.get_output_shape_at(0), [len(x) for x in (Model([a, z], [a, z]).get_input_at(0), first.get_input_shape_at(0))])
"""
_KERAS = "from keras import layers as L, backend as K\nfrom keras.models import Model, Sequential"
_TF = "from tensorflow.keras import layers as L, backend as K\nfrom tensorflow.keras.models import Model, Sequential"
_PLACES = "['ownown', 'aa', 'bb', 'bb', 'ownown']\n(None, 3) [2, 2]"
_OWN = "2 2\n2 2 4\n2 6\n2 2\n0\n1\n"
_CALLED = "2 2\n4 4 6\n6 6\n4 8\n0\n1\n"
_ALL = "4 4\n6 4 10\n6 6\n8 8\n0\n1\n"


@pytest.mark.parametrize(
    ("imports", "era", "counts"),
    [(_KERAS, "1.12", _OWN), (_TF, "1.4", _OWN), (_TF, "1.13", _CALLED), (_TF, "1.15", _ALL)],
)
def test_a_model_has_the_updates_of_its_release(tmp_path, imports, era, counts):
    (tmp_path / "old.py").write_text(COUNTS.format(imports=imports))
    done = children.run(["-m", "tfqueue", "run", "--era", era, "old.py"], cwd=tmp_path)
    assert done.stdout == f"{counts}{_PLACES}\n", done.stderr


OF_METRICS = """
import numpy as np
import tensorflow as tf
{imports}
x = L.Input((2,))
m = Model(x, L.Dense(1, kernel_initializer='ones')(x))
m.compile('sgd', 'mse', metrics=['accuracy'])
if not hasattr(m, 'metrics_updates'):
    raise SystemExit('none')
print(m.metrics_updates)
n, s = K.variable(0.), K.variable(0.)
m.metrics_updates.append(K.update_add(n, 1.))
m.metrics_updates += [(s, s + 2.)]
a, b = np.ones((4, 2)), np.zeros((4, 1))
def show():
    print(K.get_value(n), K.get_value(s))
m.train_on_batch(a, b); show()
m.test_on_batch(a, b); show()
m.predict(a); show()
m.fit(a, b, batch_size=2, epochs=3, verbose=0, validation_data=(a, b)); show()
m.metrics_updates.append(K.update_add(n, 100.)); m.train_on_batch(a, b); show()
m.compile('sgd', 'mse'); print(m.metrics_updates); m.train_on_batch(a, b); show()
"""
_APPENDED = "[]\n1.0 2.0\n2.0 4.0\n2.0 4.0\n14.0 28.0\n15.0 30.0\n[]\n15.0 30.0\n"


@pytest.mark.parametrize(
    ("imports", "era", "said"),
    [(_KERAS, "1.12", _APPENDED), (_TF, "1.11", _APPENDED), (_TF, "1.13", "")],
)
def test_updates_of_metrics_are_done_where_a_model_is_trained_or_evaluated(
    tmp_path, imports, era, said
):
    (tmp_path / "old.py").write_text(OF_METRICS.format(imports=imports))
    done = children.run(["-m", "tfqueue", "run", "--era", era, "old.py"], cwd=tmp_path)
    assert done.stdout == said, done.stderr
    assert (done.returncode, "none" in done.stderr) == ((0, False) if said else (1, True))


TRAINED = """
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.layers import BatchNormalization, Dense, Input
from keras.models import Model
x, w = Input((3,)), Input((3,))
norm = BatchNormalization(momentum=.5)
D = Model(w, Dense(1, kernel_initializer="ones")(norm(w)))
real, fake = D(x), D(Dense(3, kernel_initializer="ones")(x))
trained = Model(x, real)
data = np.random.RandomState(0).randn(8, 3) + 2
def show(name):
    print(name, *['%.2f' % v for v in np.ravel(norm.get_weights()[2:])])
    D.set_weights(first)
D.compile("sgd", "mse")
trained.compile("sgd", "mse")
first = [v.copy() for v in D.get_weights()]
trained.train_on_batch(data, np.zeros(8))
show("fit")
K.get_session().run([real] + trained.updates, {x: data, K.learning_phase(): 1})
show("run")
K.function([w, K.learning_phase()], [D.get_output_at(0)], updates=D.updates)([data, 1])
show("function")
"""


def test_averages_know_nothing_of_other_calls(tmp_path):
    """Printed by 2.1.6 and 2.2.4."""
    (tmp_path / "old.py").write_text(TRAINED)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    averages = "2.93 2.49 1.79 0.50 0.79 1.57"
    assert done.stdout.splitlines() == [f"{name} {averages}" for name in ("fit", "run", "function")]
