"""The documents' pipelines, as the examples have them: lifted, and written out, against a session."""

import importlib.util
import pathlib

import numpy as np
import pytest
import tensorflow

import tfqueue
import tfqueue.v1 as tf
from tests.dataset.lifted import imported
from tfqueue import errors

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(monkeypatch):
    """An example as a module: its functions write the files and build the pipelines."""

    def load(name):
        monkeypatch.syspath_prepend(str(EXAMPLES))
        spec = importlib.util.spec_from_file_location(f"lifted_{name}", EXAMPLES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def numpied(value):
    if isinstance(value, tensorflow.SparseTensor):
        return tuple(part.numpy() for part in (value.indices, value.values, value.dense_shape))
    return value.numpy()


def by_session(inputs, steps):
    with tf.Graph().as_default():
        fetches = inputs()
        with tfqueue.managed_session() as sess:
            return [
                [np.asarray(part) for part in tensorflow.nest.flatten(values)]
                for values in sess.batches(fetches, steps=steps)
            ]


def by_dataset(dataset, steps):
    return [
        [
            np.asarray(part)
            for part in tensorflow.nest.flatten(tensorflow.nest.map_structure(numpied, one))
        ]
        for one in dataset.take(steps)
    ]


def check(inputs, steps=100, ordered=True):
    """That session, dataset and written program give the same; how many elements it were."""
    expected = by_session(inputs, steps)
    with tfqueue.eager():
        lifted = by_dataset(tfqueue.dataset(inputs), steps)
        text = tfqueue.dataset.source(inputs)
        written = by_dataset(imported(text), steps)
    assert "tfqueue.v1" not in text
    for found in (lifted, written):
        assert len(found) == len(expected)
        if not ordered:
            found, wanted = sorted(map(parts, found)), sorted(map(parts, expected))
            assert found == wanted
            continue
        for one, other in zip(found, expected, strict=True):
            for a, b in zip(one, other, strict=True):
                assert a.dtype.kind == b.dtype.kind
                np.testing.assert_array_equal(a, b)
    return len(expected)


def parts(element):
    """What can be compared of an element wherever it comes."""
    return tuple(part.tobytes() for part in element)


def test_000_images_as_bytes(example, tmp_path):
    module = example("000_image_roundtrip")
    path = str(tmp_path / "photos")
    module.write({name: load() for name, load in list(module.PHOTOS.items())[:3]}, path)
    assert check(lambda: module.read([path])) == 3


def test_000_fifo_queue(example, tmp_path):
    module = example("000_fifo_queue")
    samples, target = module.pixels(module.data.rocket(), 100)

    def inputs():
        queue = tf.FIFOQueue(capacity=50, dtypes=[tf.float32, tf.int32], shapes=[[4], []])
        runner = tf.train.QueueRunner(queue, [queue.enqueue_many([samples, target])])
        tf.train.add_queue_runner(runner)
        return queue.dequeue()

    assert check(inputs, steps=250) == 250


def test_000_a_reader_of_ones_own(example, tmp_path):
    module = example("000_own_reader")
    frames = [module.Image.fromarray(np.full((4, 5, 3), k, np.uint8)) for k in (0, 200)]
    path = str(tmp_path / "one.gif")
    frames[0].save(path, save_all=True, append_images=frames[1:])

    def by_ops():
        return module.GifReader().read(tf.train.string_input_producer([path], num_epochs=1))

    def by_python():
        return module.ArchiveReader(tf.uint8).read(tf.train.string_input_producer([path]))

    assert check(by_ops) == 1
    with tfqueue.eager(), pytest.raises(errors.CannotLiftError, match="PyFunc 'PyFunc'"):
        tfqueue.dataset(by_python)


def test_001_sequences_of_different_length(example, tmp_path):
    module = example("001_sequences")
    path = str(tmp_path / "sequences")
    with tf.python_io.TFRecordWriter(path) as writer:
        for k in range(1, 8):
            tokens = [(k * i) % 8 for i in range(k)]
            record = module.to_example((k, 2 * k), tokens, module.turns(tokens))
            writer.write(record.SerializeToString())

    def padded():
        context, sequence = module.read(path)
        return tf.train.batch(
            [context["length"], sequence["tokens"], sequence["labels"]],
            batch_size=3,
            dynamic_pad=True,
            allow_smaller_final_batch=True,
        )

    assert check(lambda: module.read(path)) == 7
    assert check(padded) == 3


def test_001_an_image_with_a_label(example, tmp_path):
    module = example("001_labelled_image")
    picture, path = str(tmp_path / "cat.png"), str(tmp_path / "cat")
    module.Image.fromarray(module.data.chelsea()).save(picture)
    module.write(3, picture, path)
    assert check(lambda: module.read([path]), steps=4) == 4


def test_002_a_record_of_mixed_features(example, tmp_path):
    module = example("002_customer")
    path = str(tmp_path / "customers")
    module.write(module.CUSTOMERS, path)
    assert check(lambda: module.read(path, num_epochs=2, shuffle=False)) == 6
    batch = lambda: tf.train.batch(module.read(path, num_epochs=1), batch_size=3)  # noqa: E731
    assert check(batch) == 1


def test_003_digits(example, tmp_path):
    module = example("003_digits")
    path = str(tmp_path / "digits")
    module.write(*module.draw(60, seed=0), path)

    def mixed():
        label, image = module.read_single_example(path, num_epochs=1)
        return tf.train.shuffle_batch([image, label], 1, capacity=50, min_after_dequeue=20)

    def in_order():
        label, image = module.read_single_example(path, num_epochs=1)
        return tf.train.batch([image, label], 16, allow_smaller_final_batch=True)

    assert check(mixed, ordered=False) == 60
    assert check(in_order) == 4


def test_004_images_and_masks_of_different_sizes(example, tmp_path, monkeypatch):
    module = example("004_segmentation_pairs")
    monkeypatch.setattr(module, "EPOCHS", 2)
    path = str(tmp_path / "pairs")
    photos = list(module.photographs().values())
    module.write([(photo, photo[..., 0] // 64) for photo in photos], path)

    def pairs(dataset):
        both = [
            (image, mask)
            for images, masks in dataset
            for image, mask in zip(images, masks, strict=True)
        ]
        return sorted(parts([np.asarray(image), np.asarray(mask)]) for image, mask in both)

    inputs = lambda: module.input_pipeline(path)  # noqa: E731
    expected = pairs(by_session(inputs, 100))
    assert len(expected) == 12
    with tfqueue.eager():
        dataset = tfqueue.dataset(inputs)
        assert dataset.element_spec[0] == tensorflow.TensorSpec([2, 384, 384, 3], tf.uint8)
        assert pairs(dataset) == expected
        text = tfqueue.dataset.source(inputs)
        assert "tf.image.resize_with_crop_or_pad(" in text
        assert pairs(imported(text)) == expected
