"""Sparse matrices of scipy for a model's sparse inputs. The numbers were printed by Keras 2.2.4 on TensorFlow 1.12.3."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytest.importorskip("scipy")

PROGRAM = """\
import numpy as np
import scipy.sparse as sparse
import keras
Input, Dense, Lambda, Model, K = keras.layers.Input, keras.layers.Dense, keras.layers.Lambda, keras.models.Model, keras.backend
x, x2 = [sparse.csr_matrix(np.arange(18).reshape(6, 3) % n == 0, dtype=float) for n in (2, 5)]
y = np.ones((6, 2))


def one():
    a = Input((3,), sparse=True)
    m = Model(a, Dense(2, kernel_initializer='ones')(a))
    m.compile('sgd', 'mse')
    return m


def told(numbers):
    print(np.round(numbers, 5).tolist())


told(one().predict(x, batch_size=4)[:, 0])
told(one().fit(x, y, verbose=0, epochs=2, batch_size=2, shuffle=False).history['loss'])
told([v[0] for _, v in sorted(one().fit(x, y, verbose=0, epochs=1, batch_size=2, validation_split=.5, shuffle=False).history.items())])
told(one().evaluate(x, y, verbose=0, batch_size=2))
told(one().train_on_batch(x, y))
told(one().predict_on_batch(x)[:, 0])
a, b = Input((3,)), Input((3,), sparse=True)
m = Model([a, b], [Dense(2, kernel_initializer='ones')(a), Dense(4, kernel_initializer='ones')(b)])
m.compile('sgd', 'mse')
told(m.fit([x, x2], [y, np.ones((6, 4))], verbose=0, batch_size=2, shuffle=False).history['loss'])
features, nodes = Input((2,)), Input(batch_shape=(None, None), sparse=True)
hidden = Dense(2, kernel_initializer='ones')(features)
graph = Model([features, nodes], Lambda(lambda both: K.dot(both[1], both[0]))([hidden, nodes]))
graph.compile('sgd', 'mse')
edges = sparse.csr_matrix(np.eye(6) + np.eye(6, k=1))
told(graph.fit([y, edges], y, sample_weight=np.arange(6) < 4, batch_size=6, epochs=2, shuffle=False, verbose=0).history['loss'])
"""
PRINTED = """\
[2.0, 1.0, 2.0, 1.0, 2.0, 1.0]
[0.48529, 0.44353]
[0.65674, 0.30444]
0.5
0.5
[2.0, 1.0, 2.0, 1.0, 2.0, 1.0]
[0.81779]
[9.0, 6.9696]
"""


@pytest.mark.parametrize("imported", ["import keras", "from tensorflow import keras"])
def test_sparse_matrices_are_fed(tmp_path, imported):
    (tmp_path / "old.py").write_text(PROGRAM.replace("import keras", imported, 1))
    done = children.run(["-m", "tfqueue", "run", "--era", "1.12", "old.py"], cwd=tmp_path)
    assert done.stdout == PRINTED, done.stderr
