"""Document 003, digits: the old input function feeds a Keras 3 model.

The inputs in `_old_digits.py` are for TensorFlow 1 and stay as they are. `tfqueue.dataset` makes
real tf.data datasets of them; this program is in TensorFlow 2's eager mode throughout, and
`model.fit` takes the datasets like any others. The digits, the model (a softmax regression), the
batches and the steps are those of `003_digits.py`, which trains in graph mode.

What to look at: the structure of the dataset, the accuracy on digits that the model never saw (it is
that of `003_digits.py`), and at the end the same pipeline written out as a tf.data program, which is
all that a port would keep. The picture shows the loss and what was learned for each digit.
"""

import importlib
import pathlib
import sys

import numpy as np
from _common import options, pyplot, save

import tfqueue

OPTIONS = {"examples": 8000, "steps": 1000}

if __name__ == "__main__":
    options(__doc__, **OPTIONS)  # answers --help before TensorFlow is loaded

import tensorflow as tf

with tfqueue.eager():  # 003_digits imports tfqueue.v1: its names, and not its graph mode
    digits = importlib.import_module("003_digits")

OLD = pathlib.Path(__file__).parent / "_old_digits.py"


def softmax_regression():
    """The model of document 003: ten weighted sums of the pixels."""
    tf.keras.utils.set_random_seed(0)
    model = tf.keras.Sequential(
        [tf.keras.Input([digits.PIXELS]), tf.keras.layers.Dense(10, kernel_initializer="zeros")]
    )
    model.compile(
        optimizer=tf.keras.optimizers.SGD(0.1),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def main(argv=None):
    chosen = options(__doc__, argv, **OPTIONS)
    train = str(chosen.out / "003_keras_train.tfrecord")
    test = str(chosen.out / "003_keras_test.tfrecord")
    digits.write(*digits.draw(chosen.examples, seed=0), train)
    digits.write(*digits.draw(max(500, chosen.examples // 4), seed=1), test)

    dataset = tfqueue.dataset(f"{OLD}:train_inputs", [train])
    held_out = tfqueue.dataset(f"{OLD}:held_out_inputs", [test])
    print(f"eager: {tf.executing_eagerly()}")
    for name, spec in zip(("images", "labels"), dataset.element_spec, strict=True):
        print(f"{name}: {spec.dtype.name} {spec.shape}")

    model = softmax_regression()
    epochs = 10
    history = model.fit(
        dataset, epochs=epochs, steps_per_epoch=chosen.steps // epochs, verbose=0, shuffle=False
    )
    for epoch, loss in enumerate(history.history["loss"]):
        if epoch % 3 == 0:
            print(f"after {(epoch + 1) * chosen.steps // epochs} steps: loss {loss:.3f}")
    counts = [int(labels.shape[0]) for _, labels in held_out]
    # How many batches files will give is not known beforehand, of which Keras would warn.
    held_out = held_out.apply(tf.data.experimental.assert_cardinality(len(counts)))
    _, accuracy = model.evaluate(held_out, verbose=0)
    print(f"held-out accuracy: {accuracy:.3f} on {sum(counts)} digits (by chance: 0.1)")

    print("\nWritten out:\n")
    print(tfqueue.dataset.source(f"{OLD}:train_inputs", [train]))

    plt = pyplot(chosen.show)
    figure = plt.figure(figsize=(9, 4.5), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.2])
    axes = left.subplots()
    axes.plot(history.history["loss"], marker="o")
    axes.set(xlabel=f"{chosen.steps // epochs} steps each", ylabel="loss", title="model.fit")
    right.suptitle("weights: red speaks for the digit, blue against")
    weights = model.layers[-1].get_weights()[0]
    limit = np.abs(weights).max()
    for digit, axes in enumerate(right.subplots(2, 5).flat):
        axes.imshow(
            weights[:, digit].reshape(digits.SIDE, digits.SIDE),
            cmap="RdBu_r",
            vmin=-limit,
            vmax=limit,
        )
        axes.set_title(str(digit), fontsize=9)
        axes.set_axis_off()
    save(figure, chosen.out / "003_keras.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
