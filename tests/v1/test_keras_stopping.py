"""Where `EarlyStopping` ends a training, and with which weights.

The last epoch, the epoch of the weights, and `stopped_epoch` were printed by Keras 2.2.4 and by TensorFlow 1.15.5
for `tf.keras`.
"""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

PROGRAM = """\
IMPORT


class Model(object):
    stop_training = False
    weights = None

    def get_weights(self):
        return self.weights

    def set_weights(self, weights):
        self.weights = weights


nan = float('nan')
for words in (
    {}, {'patience': 2}, {'baseline': .3, 'patience': 2}, {'min_delta': .02, 'patience': 1},
    {'restore_best_weights': True, 'patience': 2}, {'monitor': 'val_auc'}, {'monitor': 'val_acc_1', 'patience': 1},
    {'monitor': 'val_acc', 'mode': 'min'},
):
    for values in (
        [.5, .4, .3, .35, .2, .4, .5], [.2, .3, nan, nan], [.5, .49, .48, .47, .46], [.5, .1, .4, .05, .3, .3], [nan, .3, .2],
    ):
        words.setdefault('monitor', 'val_loss')
        stopping = keras.callbacks.EarlyStopping(**words)
        stopping.model = Model()
        stopping.on_train_begin()
        if values[0] != values[0] and 'restore_best_weights' in words:
            continue
        for epoch, value in enumerate(values):
            stopping.model.weights = epoch
            stopping.on_epoch_end(epoch, {words['monitor']: value})
            if stopping.model.stop_training:
                break
        stopping.on_train_end()
        print(epoch, stopping.model.weights, stopping.stopped_epoch)
"""
ENDS = (
    "3 3 3, 1 1 1, 4 4 0, 2 2 2, 0 0 0",
    "6 6 6, 2 2 2, 4 4 0, 5 5 5, 2 2 0",
    "1 1 1, 2 2 2, 1 1 1, 5 5 5, 1 1 1",
    "3 3 3, 1 1 1, 1 1 1, 2 2 2, 0 0 0",
    "6 4 6, 2 0 2, 4 4 0, 5 3 5",
    "3 3 3, 1 1 1, 4 4 0, 2 2 2, 0 0 0",
    "1 1 1, 2 2 2, 1 1 1, 1 1 1, 0 0 0",
    "3 3 3, 1 1 1, 4 4 0, 2 2 2, 0 0 0",
)
"""A line for each of the arguments."""


@pytest.mark.parametrize("imported", ["import keras", "from tensorflow import keras"])
def test_where_a_training_stops(tmp_path, imported):
    (tmp_path / "old.py").write_text(PROGRAM.replace("IMPORT", imported))
    done = children.run(["-m", "tfqueue", "run", "--era", "1.15", "old.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == ", ".join(ENDS).split(", ")
