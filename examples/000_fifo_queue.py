"""Document 000, a queue of one's own: 1000 samples through a FIFOQueue fed by four threads.

The samples are pixels of a photograph: row, column, brightness and local contrast, labelled 1 where
the rocket's night sky is lit. The program keeps the textbook form: a QueueRunner with four enqueue
ops, a Coordinator, a loop of 100 dequeues that asks `should_stop()`, then `request_stop()` and
`join()`. What to look at: the queue holds 50 samples only, so the four threads wait in the middle
of their work most of the time, and still end when they are asked to.
"""

import sys
import threading

import numpy as np
from _common import options, pyplot, save
from skimage import color, data, filters

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

N_SAMPLES = 1000
NUM_THREADS = 4
STEPS = 100


def pixels(photo, count):
    """Draws pixels of a photograph.

    Returns:
      Features, float64 [count, 4] (row, column, brightness, contrast), and labels, int64 [count].
    """
    gray = color.rgb2gray(photo)
    contrast = filters.sobel(gray)
    lit = gray > filters.threshold_otsu(gray)
    rng = np.random.default_rng(0)
    row = rng.integers(0, gray.shape[0], count)
    column = rng.integers(0, gray.shape[1], count)
    features = np.stack([row, column, gray[row, column], contrast[row, column]], axis=1)
    return features, lit[row, column].astype(np.int64)


def main(argv=None):
    chosen = options(__doc__, argv)
    photo = data.rocket()
    samples, target = pixels(photo, N_SAMPLES)

    queue = tf.FIFOQueue(capacity=50, dtypes=[tf.float32, tf.int32], shapes=[[4], []])
    enqueue_op = queue.enqueue_many([samples, target])
    dequeue_op = queue.dequeue()
    runner = tf.train.QueueRunner(queue, [enqueue_op] * NUM_THREADS)

    before = threading.active_count()
    got = []
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = runner.create_threads(sess, coord=coord, start=True)
        for _ in range(STEPS):
            if coord.should_stop():
                break
            got.append(sess.run(dequeue_op))
        coord.request_stop()
        coord.join(threads)

    features = np.array([sample for sample, _ in got])
    labels = np.array([label for _, label in got])
    known = {tuple(row) for row in samples.astype(np.float32)}
    print(f"{len(got)} samples of shape {features[0].shape}")
    print(
        f"{len(threads)} threads: {NUM_THREADS} to enqueue, one to close the queue when asked to stop"
    )
    print(f"every one is a sample that was put in: {all(tuple(row) in known for row in features)}")
    print(f"lit: {labels.sum()}, dark: {(labels == 0).sum()}")
    print(f"threads left over: {threading.active_count() - before}")

    plt = pyplot(chosen.show)
    figure, axes = plt.subplots(figsize=(8, 5.6), layout="constrained")
    axes.imshow(photo)
    for value, colour, name in ((1, "gold", "lit"), (0, "deepskyblue", "dark")):
        chosen_rows = features[labels == value]
        axes.scatter(chosen_rows[:, 1], chosen_rows[:, 0], c=colour, edgecolors="black", label=name)
    axes.set_title(f"the {len(got)} samples that were dequeued, by their label")
    axes.legend(loc="upper left")
    axes.set_axis_off()
    save(figure, chosen.out / "000_fifo_queue.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
