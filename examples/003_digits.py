"""Document 003, digits: 28 x 28 pictures through shuffle_batch into a softmax regression.

The digits are drawn in the fonts that come with matplotlib, turned, shifted, and laid on snippets of
real photographs of paper-like texture. Each record holds the label and 784 pixels as int64 lists, as
the document stores MNIST.

What to look at: first single examples, read one by one in the textbook form; then the same pipeline
in batches of 128, mixed in a queue of 2000 that never holds less than 1000, on which the regression
is trained. The accuracy is that on digits it never saw, read to the end by a pipeline of their own.
The picture shows a batch, what was learned for each digit, and what is taken for what.
"""

import sys

import numpy as np
from _common import options, pyplot, save
from matplotlib import font_manager
from PIL import Image, ImageDraw, ImageFont
from skimage import data

import tfqueue

OPTIONS = {"examples": 8000, "steps": 1000}

if __name__ == "__main__":
    options(__doc__, **OPTIONS)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

SIDE = 28
PIXELS = SIDE * SIDE
FONTS = [
    font_manager.FontProperties(family=family, weight=weight, style=style)
    for family in ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono")
    for weight in ("normal", "bold")
    for style in ("normal", "oblique")
]


def draw(count, seed):
    """Draws digits.

    Returns:
      Labels, int64 [count], and pictures, int64 [count, 784] of 0 (paper) to 255 (ink).
    """
    rng = np.random.default_rng(seed)
    # A few large drawings of each digit in each font; each sample turns and shrinks one of them.
    large = {}
    for number, properties in enumerate(FONTS):
        font = ImageFont.truetype(font_manager.findfont(properties), 80)
        for digit in range(10):
            picture = Image.new("L", (112, 112))
            ImageDraw.Draw(picture).text((56, 56), str(digit), fill=255, font=font, anchor="mm")
            large[number, digit] = picture
    textures = [data.grass(), data.gravel(), data.brick(), data.moon()]

    labels = rng.integers(0, 10, count)
    pictures = np.empty((count, PIXELS), np.int64)
    for k, label in enumerate(labels):
        turned = large[int(rng.integers(len(FONTS))), int(label)].rotate(
            rng.uniform(-15, 15),
            resample=Image.Resampling.BILINEAR,
            translate=tuple(rng.integers(-8, 9, 2).tolist()),
        )
        ink = np.asarray(turned.resize((SIDE, SIDE), Image.Resampling.BOX), np.float64)
        texture = textures[rng.integers(len(textures))]
        top, left = rng.integers(0, 512 - SIDE, 2)
        paper = texture[top : top + SIDE, left : left + SIDE]
        pictures[k] = np.maximum(ink, paper * 0.3).ravel()
    return labels, pictures


def write(labels, pictures, path):
    with tf.python_io.TFRecordWriter(path) as writer:
        for label, picture in zip(labels, pictures, strict=True):
            feature = {
                "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
                "image": tf.train.Feature(int64_list=tf.train.Int64List(value=picture)),
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())


def read_single_example(path, num_epochs=None):
    """Returns the tensors label, int64 [], and image, int64 [784]."""
    filename_queue = tf.train.string_input_producer([path], num_epochs=num_epochs)
    _, record = tf.TFRecordReader().read(filename_queue)
    parsed = tf.parse_single_example(
        record,
        features={
            "label": tf.FixedLenFeature([], tf.int64),
            "image": tf.FixedLenFeature([PIXELS], tf.int64),
        },
    )
    return parsed["label"], parsed["image"]


def one_by_one(path, labels, pictures):
    """Reads the first five examples and then stops, as the textbook has it."""
    label, image = read_single_example(path)
    with tf.Session() as sess:
        sess.run(tf.initialize_all_variables())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        try:
            for step in range(5):
                if coord.should_stop():
                    break
                digit, pixels = sess.run([label, image])
                same = digit == labels[step] and np.array_equal(pixels, pictures[step])
                print(
                    f"example {step}: label {digit}, {pixels.shape[0]} pixels, as written: {same}"
                )
        except tf.errors.OutOfRangeError:
            print("end of the data")
        finally:
            coord.request_stop()
            coord.join(threads)


def softmax_regression(images, labels):
    """Ten weighted sums of the pixels.

    Returns:
      The weights, the loss over the batch, and the digit each image is taken for.
    """
    weights = tf.get_variable("weights", [PIXELS, 10], initializer=tf.zeros_initializer())
    biases = tf.get_variable("biases", [10], initializer=tf.zeros_initializer())
    logits = tf.matmul(tf.cast(images, tf.float32) / 255.0, weights) + biases
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return weights, tf.reduce_mean(losses), tf.argmax(logits, axis=1)


def main(argv=None):
    chosen = options(__doc__, argv, **OPTIONS)
    train = str(chosen.out / "003_digits_train.tfrecord")
    test = str(chosen.out / "003_digits_test.tfrecord")
    drawn = draw(chosen.examples, seed=0)
    write(*drawn, train)
    write(*draw(max(500, chosen.examples // 4), seed=1), test)

    with tf.Graph().as_default():
        one_by_one(train, *drawn)

    label, image = read_single_example(train)
    images_batch, labels_batch = tf.train.shuffle_batch(
        [image, label], batch_size=128, capacity=2000, min_after_dequeue=1000
    )
    with tf.variable_scope("model"):
        weights, loss, _ = softmax_regression(images_batch, labels_batch)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

    label, image = read_single_example(test, num_epochs=1)
    test_images, test_labels = tf.train.batch(
        [image, label], batch_size=128, allow_smaller_final_batch=True
    )
    with tf.variable_scope("model", reuse=True):
        _, _, guesses = softmax_regression(test_images, test_labels)

    with tfqueue.managed_session() as sess:
        first_images, first_labels = sess.run([images_batch, labels_batch])
        print(f"a batch: images {first_images.shape}, labels {first_labels.shape}")
        every = max(1, chosen.steps // 5)
        for step, (value, _) in enumerate(sess.batches([loss, train_op], steps=chosen.steps)):
            if step % every == 0 or step == chosen.steps - 1:
                print(f"step {step}: loss {value:.3f}")
        learned = weights.eval()
        taken_for = np.zeros((10, 10), int)
        for truth, guess in sess.batches([test_labels, guesses]):
            np.add.at(taken_for, (truth, guess), 1)

    accuracy = np.trace(taken_for) / taken_for.sum()
    print(f"held-out accuracy: {accuracy:.3f} on {taken_for.sum()} digits (by chance: 0.1)")

    plt = pyplot(chosen.show)
    figure = plt.figure(figsize=(12, 5.4), layout="constrained")
    batch_part, weights_part, table_part = figure.subfigures(1, 3, width_ratios=[1.1, 1.1, 1])
    batch_part.suptitle("out of the first batch")
    for axes, picture, digit in zip(
        batch_part.subplots(6, 5).flat, first_images, first_labels, strict=False
    ):
        axes.imshow(picture.reshape(SIDE, SIDE), cmap="gray_r", vmin=0, vmax=255)
        axes.set_title(str(digit), fontsize=9)
        axes.set_axis_off()
    weights_part.suptitle("weights: red speaks for the digit, blue against")
    limit = np.abs(learned).max()
    for digit, axes in enumerate(weights_part.subplots(5, 2).flat):
        axes.imshow(learned[:, digit].reshape(SIDE, SIDE), cmap="RdBu_r", vmin=-limit, vmax=limit)
        axes.set_title(str(digit), fontsize=9)
        axes.set_axis_off()
    axes = table_part.subplots()
    axes.imshow(taken_for, cmap="Greens")
    for row in range(10):
        for column in range(10):
            if taken_for[row, column]:
                axes.text(column, row, taken_for[row, column], ha="center", va="center", fontsize=7)
    axes.set(xticks=range(10), yticks=range(10), xlabel="taken for", ylabel="digit")
    axes.set_title(f"held-out digits: {accuracy:.1%} right")
    save(figure, chosen.out / "003_digits.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
