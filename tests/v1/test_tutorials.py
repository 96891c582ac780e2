"""`tfqueue.v1.examples.tutorials.mnist`: the reader of the four files, and the tutorial's model."""

import gzip
import struct

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.v1.examples.tutorials.mnist import input_data, mnist

NAMES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)


def write_idx(path, magic, array, packed=True):
    header = struct.pack(f">{1 + array.ndim}I", magic, *array.shape)
    with (gzip.open if packed else open)(path, "wb") as file:
        file.write(header + array.astype(np.uint8).tobytes())


@pytest.fixture
def folder(tmp_path):
    """Ten images of 2 x 2 and their labels 0 to 9; four more to test."""
    for name, magic, array in zip(
        NAMES,
        (2051, 2049, 2051, 2049),
        (
            (np.arange(40) % 256).reshape(10, 2, 2),
            np.arange(10),
            (np.arange(16) + 100).reshape(4, 2, 2),
            np.arange(4),
        ),
        strict=True,
    ):
        write_idx(tmp_path / f"{name}.gz", magic, array)
    return tmp_path


def test_batches_come_in_the_order_of_tensorflow_1_15(folder):
    # Recorded from TensorFlow 1.15.5 with numpy 1.18.5, on these files and this seed.
    sets = input_data.read_data_sets(str(folder), seed=7, validation_size=3)
    batches = [sets.train.next_batch(3)[1].tolist() for _ in range(4)]
    assert batches == [[5, 8, 3], [9, 6, 4], [7, 6, 4], [9, 3, 8]]
    assert sets.validation.next_batch(2)[1].tolist() == [2, 1]
    assert sets.test.next_batch(4, shuffle=False)[1].tolist() == [0, 1, 2, 3]
    assert sets.train.epochs_completed == 1
    assert (sets.train.images.dtype, sets.train.images.shape) == (np.float32, (7, 4))
    assert (sets.train.labels.dtype, sets.train.labels.shape) == (np.uint8, (7,))


def test_the_graphs_seed_counts_where_none_is_given(folder):
    tf.set_random_seed(5)
    sets = input_data.read_data_sets(
        str(folder), one_hot=True, dtype=tf.uint8, reshape=False, validation_size=0
    )
    epochs = [np.argmax(sets.train.next_batch(10)[1], 1).tolist() for _ in range(2)]
    # From TensorFlow 1.15.5, as above.
    assert epochs == [[9, 5, 2, 4, 7, 1, 0, 8, 6, 3], [2, 1, 0, 4, 6, 5, 7, 8, 3, 9]]
    assert (sets.train.images.dtype, sets.train.images.shape) == (np.uint8, (10, 2, 2, 1))
    assert (sets.train.labels.dtype, sets.train.labels.shape) == (np.float64, (10, 10))


EARLY = [[0, 1, 2, 3], [4, 5, 6, 7], [5, 4, 1, 2], [9, 6, 7, 0], [2, 3, 1, 4], [8, 9, 5, 7], [2, 9, 0, 4]]  # fmt: skip
LATER = [[5, 4, 1, 2], [9, 6, 7, 0], [3, 8, 2, 3], [1, 4, 8, 9], [5, 7, 0, 6], [2, 9, 0, 4], [6, 8, 7, 1]]  # fmt: skip


@pytest.mark.parametrize(("known", "batches", "epochs"), [("1.0", EARLY, 3), ("1.1", LATER, 2)])
def test_the_order_of_early_releases_is_that_of_the_program_s_own_seed(known, batches, epochs):
    """From TensorFlow 0.12.1 and 1.0.1, and for 1.1, whose wheel has no seed, from 1.4.1 with numpy's seed set behind it."""
    former = release.assume(known)
    try:
        np.random.seed(3)
        images = np.arange(10, dtype=np.uint8).reshape(10, 1, 1, 1)
        made = input_data.DataSet(images, np.arange(10), dtype=tf.uint8)
        assert [made.next_batch(4)[1].tolist() for _ in range(7)] == batches
        assert (made.epochs_completed, np.random.rand()) == (epochs, pytest.approx(0.40236064))
    finally:
        release.assume(former)


def test_an_image_keeps_its_label(folder):
    train = input_data.read_data_sets(str(folder), dtype=tf.uint8, validation_size=0).train
    for _ in range(7):
        images, labels = train.next_batch(3)
        np.testing.assert_array_equal(images[:, 0], labels * 4)


def test_files_may_be_unpacked(folder):
    for name in NAMES:
        packed = folder / f"{name}.gz"
        (folder / name).write_bytes(gzip.decompress(packed.read_bytes()))
        packed.unlink()
    assert input_data.read_data_sets(str(folder), validation_size=2).train.num_examples == 8


def test_missing_files_are_named_and_nothing_is_downloaded(folder):
    (folder / "t10k-labels-idx1-ubyte.gz").unlink()
    (folder / "train-images-idx3-ubyte.gz").unlink()
    with pytest.raises(FileNotFoundError) as raised:
        input_data.read_data_sets(str(folder), source_url="https://example.org/m/")
    text = str(raised.value)
    assert "put train-images-idx3-ubyte.gz, t10k-labels-idx1-ubyte.gz there" in text
    assert str(folder) in text
    assert "https://example.org/m/" in text
    assert "train-labels" not in text
    with pytest.raises(FileNotFoundError, match=r"put x\.gz into"):
        input_data.maybe_download("x.gz", str(folder), "https://example.org/x.gz")
    (folder / "x.gz").touch()
    found = input_data.maybe_download("x.gz", str(folder), "https://example.org/x.gz")
    assert found == str(folder / "x.gz")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (struct.pack(">4I", 2049, 1, 1, 1) + b"a", "Invalid magic number 2049 in MNIST image file"),
        (struct.pack(">4I", 2051, 9, 2, 2) + b"a", "says 36 bytes of images, 1 are there"),
        (b"abc", "has only 3 bytes"),
    ],
)
def test_a_file_that_is_not_what_its_name_says(folder, content, says):
    path = folder / "train-images-idx3-ubyte.gz"
    path.write_bytes(gzip.compress(content))
    with pytest.raises(ValueError, match=says):
        input_data.read_data_sets(str(folder))


def test_what_else_is_refused(folder):
    with pytest.raises(ValueError, match=r"between 0 and 10\. Received: 11"):
        input_data.read_data_sets(str(folder), validation_size=11)
    with pytest.raises(TypeError, match="expected uint8 or float32"):
        input_data.read_data_sets(str(folder), validation_size=1, dtype=tf.int32)
    with pytest.raises(ValueError, match="3 images and 2 labels"):
        input_data.DataSet(np.zeros([3, 2, 2, 1]), np.zeros([2]))


def test_fake_data_needs_no_files():
    sets = input_data.read_data_sets("no/such/folder", fake_data=True, one_hot=True)
    images, labels = sets.train.next_batch(2, fake_data=True)
    assert np.shape(images) == (2, 784)
    assert np.sum(images) == 1568
    assert labels == [[1] + [0] * 9] * 2
    assert sets.test.num_examples == 10000
    plain = input_data.read_data_sets("no/such/folder", fake_data=True)
    assert plain.train.next_batch(2, True)[1] == [0, 0]


def test_the_old_addresses():
    from tfqueue.v1.contrib import learn
    from tfqueue.v1.contrib.learn.python.learn.datasets.mnist import read_data_sets

    assert read_data_sets is input_data.read_data_sets
    assert learn.datasets.mnist.read_data_sets is read_data_sets
    assert learn.datasets.base.Datasets._fields == ("train", "validation", "test")


def digits(count, rng):
    """Images of 28 x 28 in which the class is a bright column, under noise."""
    labels = rng.integers(0, 10, count)
    images = rng.integers(0, 100, (count, 28, 28))
    for image, label in zip(images, labels, strict=True):
        image[:, 2 + 2 * label : 4 + 2 * label] += 155
    return images, labels


def test_the_tutorials_model_learns_from_a_queue(tmp_path):
    rng = np.random.default_rng(0)
    for kind, count in (("train", 600), ("t10k", 100)):
        images, labels = digits(count, rng)
        write_idx(tmp_path / f"{kind}-images-idx3-ubyte.gz", 2051, images)
        write_idx(tmp_path / f"{kind}-labels-idx1-ubyte.gz", 2049, labels)
    sets = input_data.read_data_sets(str(tmp_path), validation_size=100, seed=1)
    tf.set_random_seed(1)
    image, label = tf.train.slice_input_producer(
        [sets.train.images, sets.train.labels.astype(np.int32)], seed=1
    )
    images, labels = tf.train.batch([image, label], 50)
    logits = mnist.inference(images, 64, 32)
    loss = mnist.loss(logits, labels)
    step = mnist.training(loss, 0.1)
    right = mnist.evaluation(logits, labels)
    [steps] = [v for v in tf.global_variables() if v.op.name == "global_step"]
    assert [variable.op.name for variable in tf.trainable_variables()] == [
        "hidden1/weights",
        "hidden1/biases",
        "hidden2/weights",
        "hidden2/biases",
        "softmax_linear/weights",
        "softmax_linear/biases",
    ]
    with tfqueue.managed_session() as sess:
        first = sess.run(loss)
        for _ in sess.batches(step, steps=120):
            pass
        assert sess.run(loss) < first / 4
        tested = [
            sess.run(right, dict(zip((images, labels), sets.test.next_batch(50), strict=True)))
            for _ in range(2)
        ]
        assert sum(tested) > 90
        assert sess.run(steps) == 120
