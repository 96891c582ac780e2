"""What must hold after a block beside what it prints: most blocks of the documents print nothing.

A check is called with the block's run and named after the block: ``after_004_8``.
"""

from __future__ import annotations

import inspect
import itertools
from typing import Any

import numpy as np

from . import pictures
from .notebook import Notebook

# Cropped and padded to this, in pixels, by 004.
SIDE = 384


def after(block: str, notebook: Notebook) -> None:
    """Runs the check of `block`, where it has one."""
    check = globals().get("after_" + block.replace(".", "_"))
    if check:
        check(notebook, notebook.namespace)


def names() -> set[str]:
    """Returns the ids of the blocks that have a check."""
    return {name[6:].replace("_", ".") for name in globals() if name.startswith("after_")}


def after_000_1(notebook: Notebook, names: dict[str, Any]) -> None:
    """The functions, which the document never calls, take a picture to a file and back."""
    tf = notebook.tf
    picture, file = notebook.folder / "friday.jpg", str(notebook.folder / "friday.tfrecord")
    shape, image = names["get_image_binary"](picture)
    names["write_to_tfrecord"](b"Chihuahua", shape, image, file)
    with tf.Graph().as_default(), tf.Session() as sess:
        fetches = names["read_from_tfrecord"]([file])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(coord=coord)
        label, shape, image = sess.run(fetches)
        coord.request_stop()
        coord.join(threads)
    assert label == b"Chihuahua"
    np.testing.assert_array_equal(shape, [300, 451, 3])
    np.testing.assert_array_equal(image, names["np"].asarray(names["Image"].open(picture)))


def after_000_2(notebook: Notebook, names: dict[str, Any]) -> None:
    """A hundred steps; what came out is a row of what went in, with its label."""
    assert names["step"] == 99
    assert names["data_batch"].dtype == np.float32
    rows = np.flatnonzero((names["data"].astype(np.float32) == names["data_batch"]).all(axis=1))
    assert names["label_batch"] in names["target"][rows]
    assert len(names["enqueue_threads"]) >= names["NUM_THREADS"]
    assert not any(thread.is_alive() for thread in names["enqueue_threads"])


def after_000_3(notebook: Notebook, names: dict[str, Any]) -> None:
    """Ten threads ran and have ended, because one of them asked to."""
    assert names["coord"].should_stop()
    assert len(names["threads"]) == 10
    assert all(thread.ident and not thread.is_alive() for thread in names["threads"])


def after_000_4(notebook: Notebook, names: dict[str, Any]) -> None:
    """Each name of the list is a reader, and a base to make one's own from."""
    tf = notebook.tf
    for line in notebook.blocks[3].text.split():
        if line[0].isupper():
            assert issubclass(getattr(tf, line), tf.ReaderBase)


def after_000_5(notebook: Notebook, names: dict[str, Any]) -> None:
    """The header of heart.csv is skipped, and still counts in the key."""
    tf = notebook.tf
    read = names["reader"].read(names["filename_queue"])
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        # Of 000.2's runner, which the document made by hand, the graph's collection knows nothing.
        threads = tf.train.start_queue_runners(coord=coord)
        seen = [tuple(sess.run(list(read))) for _ in range(4)]
        coord.request_stop()
        coord.join(threads)
    assert seen[:2] == [(b"heart.csv:2", b"52,1"), (b"heart.csv:3", b"63,0")]
    assert seen[2:] == [(b"heart.csv:4", b"46,1"), seen[0]]


def after_001_8(notebook: Notebook, names: dict[str, Any]) -> None:
    """The file is gone as the function returns: what 001.11 does not know."""
    assert not (notebook.folder / names["filename"]).exists()


def after_001_15(notebook: Notebook, names: dict[str, Any]) -> None:
    """The record holds the picture, shape and label."""
    example = _only_example(notebook, "../data/friday.tfrecord")
    image = names["np"].asarray(names["Image"].open(names["image_file"]))
    assert example.features.feature["label"].int64_list.value == [1]
    assert example.features.feature["image"].bytes_list.value == [image.tobytes()]


def after_002_4(notebook: Notebook, names: dict[str, Any]) -> None:
    """The file holds the example that was printed."""
    assert _only_example(notebook, "customer_1.tfrecord") == names["example"]


def after_003_1(notebook: Notebook, names: dict[str, Any]) -> None:
    """One example as 003.3 reads it. Then the author's loop over all of MNIST, which is not shown."""
    label, image = pictures.digits()[0]
    example = _only_example(notebook, "mnist.tfrecords")
    assert example.features.feature["label"].int64_list.value == [label]
    assert example.features.feature["image"].int64_list.value == image.tolist()
    # The document has just the one record; with ten of them the blocks below show that an image
    # stays with its label.
    pictures.write_digits(notebook.folder / "mnist.tfrecords")


def after_003_4(notebook: Notebook, names: dict[str, Any]) -> None:
    """One example, of the document's types; the file's first."""
    label, image = names["label_val_1"], names["image_val_1"]
    assert (label.dtype, image.dtype, image.shape) == (np.int64, np.int64, (784,))
    assert label == 0
    np.testing.assert_array_equal(image, pictures.digits()[0][1])


def after_003_5(notebook: Notebook, names: dict[str, Any]) -> None:
    """A batch whose images have their own labels, in another order than the file's."""
    labels, images = names["labels"], names["images"]
    assert (labels.dtype, labels.shape) == (np.int64, (128,))
    assert (images.dtype, images.shape) == (np.int64, (128, 784))
    digits = np.stack([image for _, image in pictures.digits()])
    np.testing.assert_array_equal(images, digits[labels])
    assert any(after != (before + 1) % 10 for before, after in itertools.pairwise(labels))


def after_003_6(notebook: Notebook, names: dict[str, Any]) -> None:
    """The runners of both pipelines were started, and ended with the coordinator."""
    assert names["threads"]
    assert not any(thread.is_alive() for thread in names["threads"])


def after_004_5(notebook: Notebook, names: dict[str, Any]) -> None:
    """Three pairs of different sizes came back."""
    sizes = [image.shape for image, _ in names["reconstructed_images"]]
    assert sizes == [(300, 451, 3), (400, 600, 3), (427, 640, 3)]


def after_004_8(notebook: Notebook, names: dict[str, Any]) -> None:
    """A batch of two: each an original, cropped and padded, beside its own annotation."""
    originals = [tuple(map(_crop_or_pad, pair)) for pair in names["original_images"]]
    images, annotations = names["img"], names["anno"]
    assert images.shape == (2, SIDE, SIDE, 3)
    assert annotations.shape == (2, SIDE, SIDE, 1)
    for image, annotation in zip(images, annotations[..., 0], strict=True):
        assert any(
            np.array_equal(image, original) and np.array_equal(annotation, mask)
            for original, mask in originals
        )
    assert len(names["threads"]) >= 3
    assert not any(thread.is_alive() for thread in names["threads"])


def signature_accepts(tf: Any, heading: str) -> bool:
    """Whether a call with the parameters that a heading spells out is possible, in their order.

    Args:
        tf: the namespace.
        heading: such as ``tf.name(a, b=None)``.
    """
    name, _, parameters = heading.rstrip(")").partition("(")
    function = tf
    for part in name.split(".")[1:]:
        function = getattr(function, part)
    shown = inspect.signature(eval(f"lambda {parameters}: None")).parameters
    ours = list(inspect.signature(function).parameters.values())[: len(shown)]
    return [(p.name, p.default) for p in ours] == [(p.name, p.default) for p in shown.values()]


def _only_example(notebook: Notebook, name: str) -> Any:
    """Returns the one example of a file in the document's folder."""
    tf = notebook.tf
    (record,) = tf.python_io.tf_record_iterator(str(notebook.folder / name))
    return tf.train.Example.FromString(record)


def _crop_or_pad(image: np.ndarray) -> np.ndarray:
    """What `resize_image_with_crop_or_pad` is documented to do: centred, each axis by itself."""
    for axis in (0, 1):
        surplus = image.shape[axis] - SIDE
        if surplus > 0:
            image = image.take(range(surplus // 2, surplus // 2 + SIDE), axis)
        else:
            widths = [(0, 0)] * image.ndim
            widths[axis] = (-surplus // 2, -surplus - (-surplus // 2))
            image = np.pad(image, widths)
    return image
