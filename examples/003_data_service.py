"""Document 003, digits: the old input function on a tf.data service with two workers.

A dispatcher and two workers are started here, on this machine's loopback; on other machines each
would be a process of its own, made by the same three lines. The old inputs in `_old_digits.py` are
lifted by `tfqueue.dataset` with `service=`: the workers share the files among them, read, parse, mix
and batch, and this program only takes what is ready.

What to look at: the eight files are read once in all, not once by each worker, and each example
comes exactly once. Then a Keras model trains on batches from the same service. The picture shows
digits as they came, with the label of each.
"""

import importlib
import pathlib
import sys

import numpy as np
from _common import options, pyplot, save

import tfqueue

OPTIONS = {"examples": 2000, "steps": 200}

if __name__ == "__main__":
    options(__doc__, **OPTIONS)  # answers --help before TensorFlow is loaded

import tensorflow as tf

with tfqueue.eager():  # 003_digits imports tfqueue.v1: its names, and not its graph mode
    digits = importlib.import_module("003_digits")

OLD = pathlib.Path(__file__).parent / "_old_digits.py"
SERVICE = tf.data.experimental.service


def start_service(count):
    """Starts a dispatcher and `count` workers on loopback.

    Returns:
      The dispatcher and the workers; `dispatcher.target` is the address for `service=`.
    """
    dispatcher = SERVICE.DispatchServer()
    address = dispatcher.target.split("://")[1]
    workers = [
        SERVICE.WorkerServer(SERVICE.WorkerConfig(dispatcher_address=address)) for _ in range(count)
    ]
    return dispatcher, workers


def main(argv=None):
    chosen = options(__doc__, argv, **OPTIONS)
    labels, pictures = digits.draw(chosen.examples, seed=0)
    files = []
    for part in range(8):
        files.append(str(chosen.out / f"003_service_{part}.tfrecord"))
        digits.write(labels[part::8], pictures[part::8], files[-1])

    dispatcher, workers = start_service(2)
    print(f"a dispatcher and {len(workers)} workers")
    once = tfqueue.dataset(f"{OLD}:held_out_inputs", files, service=dispatcher.target)
    came = [(images.numpy(), numbers.numpy()) for images, numbers in once]
    images = np.concatenate([part for part, _ in came])
    numbers = np.concatenate([part for _, part in came])
    written = {row.tobytes() for row in (pictures / 255).astype(np.float32).round(4)}
    read = [row.tobytes() for row in images.round(4)]
    print(f"{len(read)} examples came, {len(set(read))} different")
    print(f"each as it was written, once: {set(read) == written and len(read) == len(written)}")

    dataset = tfqueue.dataset(f"{OLD}:train_inputs", files, service=dispatcher.target)
    tf.keras.utils.set_random_seed(0)
    model = tf.keras.Sequential([tf.keras.Input([digits.PIXELS]), tf.keras.layers.Dense(10)])
    model.compile(
        optimizer=tf.keras.optimizers.SGD(0.1),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    history = model.fit(dataset, steps_per_epoch=chosen.steps, verbose=0, shuffle=False)
    print(f"trained for {chosen.steps} steps: loss {history.history['loss'][-1]:.3f}")

    plt = pyplot(chosen.show)
    figure, grid = plt.subplots(4, 8, figsize=(8, 4.6), layout="constrained")
    for axes, picture, number in zip(grid.flat, images, numbers, strict=False):
        axes.imshow(picture.reshape(digits.SIDE, digits.SIDE), cmap="gray_r", vmin=0, vmax=1)
        axes.set_title(str(number), fontsize=9)
        axes.set_axis_off()
    figure.suptitle("as they came from the service")
    save(figure, chosen.out / "003_data_service.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
