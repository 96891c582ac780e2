"""`tf.contrib.learn.datasets.mnist`: the MNIST digits from their four idx files.

The files are read from the folder that the program names, packed
(`train-images-idx3-ubyte.gz`) or unpacked. Nothing is downloaded.
"""

import gzip
import io
import operator
import os
import struct
from typing import Any

import numpy as np

from tfqueue import _tensorflow, release
from tfqueue.contrib.learn.datasets import base
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Arrays, DType, Size, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "DEFAULT_SOURCE_URL",
    "DataSet",
    "dense_to_one_hot",
    "extract_images",
    "extract_labels",
    "load_mnist",
    "read_data_sets",
]

DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"

_FILES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)
_IMAGES, _LABELS = 2051, 2049
"""What an idx file of bytes begins with: three dimensions, and one."""


def _contents(file: Any) -> tuple[str, bytes]:
    """Name and unpacked bytes of a path or an open file, gzip or plain."""
    if isinstance(file, (str, os.PathLike)):
        with _tf.gfile.Open(os.fspath(file), "rb") as opened:
            return _contents(opened)
    packed = file.read()
    if packed[:2] == b"\x1f\x8b":
        packed = gzip.GzipFile(fileobj=io.BytesIO(packed)).read()
    return getattr(file, "name", "<file>"), packed


def _idx(file: Any, magic: int, dimensions: int, what: str) -> np.ndarray:
    """The array in an idx file of bytes.

    Args:
        file: A path, or a file open for reading bytes.
        magic: int, what the file must begin with.
        dimensions: How many sizes follow.
        what: "image" or "label", for the error.
    """
    name, data = _contents(file)
    print("Extracting", name)  # noqa: T201  (as the original does, and old transcripts show)
    header = struct.Struct(f">{1 + dimensions}I")
    if len(data) < header.size:
        raise ValueError(f"{name} is no MNIST {what} file: it has only {len(data)} bytes")
    found, *shape = header.unpack_from(data)
    if found != magic:
        raise ValueError(f"Invalid magic number {found} in MNIST {what} file: {name}")
    size = int(np.prod(shape))
    if len(data) < header.size + size:
        raise ValueError(
            f"{name} is cut short: its header says {size} bytes of {what}s, "
            f"{len(data) - header.size} are there"
        )
    return np.frombuffer(data, np.uint8, size, header.size).reshape(shape)


def extract_images(f: Any) -> Any:
    """The images in an idx file.

    Args:
        f: A file open for reading bytes, or a path; gzip or plain.

    Returns:
        uint8 array `[images, rows, columns, 1]`.

    Raises:
        ValueError: If it is not an idx file of images.
    """
    return _idx(f, _IMAGES, 3, "image")[..., np.newaxis]


def extract_labels(f: Any, one_hot: bool = False, num_classes: int = 10) -> Any:
    """The labels in an idx file.

    Args:
        f: A file open for reading bytes, or a path; gzip or plain.
        one_hot: Whether to give each label as a row with a single one.
        num_classes: int, the length of such a row.

    Returns:
        uint8 array `[labels]`, or float64 `[labels, num_classes]`.

    Raises:
        ValueError: If it is not an idx file of labels.
    """
    labels = _idx(f, _LABELS, 1, "label")
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


def dense_to_one_hot(labels_dense: Tensor, num_classes: int) -> Any:
    """Labels as rows with a single one.

    Args:
        labels_dense: Integer array `[labels]`.

    Returns:
        float64 array `[labels, num_classes]`.

    >>> dense_to_one_hot(np.array([2, 0]), 3).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    return np.eye(num_classes)[np.ravel(labels_dense)]


class DataSet:
    """Images and labels in memory, handed out batch by batch.

    As in TensorFlow 1.15 it is shuffled before its first batch and again at
    the end of each epoch, with numpy's global generator, which the constructor
    seeds. A batch across the end of an epoch has the rest of one and the
    beginning of the next. Up to 1.1 the constructor seeded nothing; up to 1.0
    the first epoch had the order of the files, and the rest of an epoch that
    was no batch was dropped.

    Args:
        images: uint8 array `[images, rows, columns, 1]`.
        labels: Array `[images, ...]`.
        fake_data: Whether to be a set of 10,000 that has no data and only hands
            out fake batches.
        one_hot: For fake data: whether labels are rows.
        dtype: `tf.float32` for pixels in 0 to 1, `tf.uint8` for 0 to 255.
        reshape: Whether to make each image one row of pixels.
        seed: int, for the shuffling; the graph's seed when None.

    Raises:
        TypeError: For another dtype.
        ValueError: If there are not as many labels as images.
    """

    def __init__(
        self,
        images: Arrays,
        labels: Arrays,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: DType = _tf.float32,
        reshape: bool = True,
        seed: int | None = None,
    ) -> None:
        if not release.before("1.2"):
            graph_seed, op_seed = _tf.get_seed(seed)
            np.random.seed(graph_seed if seed is None else op_seed)
        dtype = _tf.as_dtype(dtype).base_dtype
        if dtype not in (_tf.uint8, _tf.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self.one_hot = one_hot
        if fake_data:
            self._num_examples = 10000
        else:
            if len(images) != len(labels):
                raise ValueError(f"{len(images)} images and {len(labels)} labels")
            self._num_examples = len(images)
            if reshape:
                images = images.reshape(len(images), int(np.prod(images.shape[1:])))
            if dtype == _tf.float32:
                images = np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images, self._labels = images, labels
        self._epochs_completed = self._index_in_epoch = 0

    images = property(
        operator.attrgetter("_images"),
        doc="All images, in the order in which this epoch hands them out.",
    )
    labels = property(operator.attrgetter("_labels"), doc="All labels, in the order of the images.")
    num_examples = property(operator.attrgetter("_num_examples"), doc="int, how many there are.")
    epochs_completed = property(
        operator.attrgetter("_epochs_completed"), doc="int, how often the end was reached."
    )

    def _mix(self) -> None:
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def next_batch(self, batch_size: Size, fake_data: bool = False, shuffle: bool = True) -> Any:
        """The next examples.

        Args:
            batch_size: int, not more than there are.
            fake_data: Whether to return white images of class 0 instead, as lists.
            shuffle: Whether to shuffle at the beginning of an epoch.

        Returns:
            A pair: images and labels.
        """
        if fake_data:
            label = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._index_in_epoch
        keeps_rest = not release.before("1.1")
        if start == 0 and self._epochs_completed == 0 and shuffle and keeps_rest:
            self._mix()
        end = start + batch_size
        if end <= self._num_examples:
            self._index_in_epoch = end
            return self._images[start:end], self._labels[start:end]
        if not keeps_rest:
            start, end = self._num_examples, self._num_examples + batch_size
        rest = self._images[start:], self._labels[start:]
        self._epochs_completed += 1
        if shuffle:
            self._mix()
        self._index_in_epoch = end = end - self._num_examples
        return (
            np.concatenate([rest[0], self._images[:end]]),
            np.concatenate([rest[1], self._labels[:end]]),
        )


def _find(train_dir: str, source_url: str | None) -> list[str]:
    """The four paths; raises FileNotFoundError naming every one that is missing."""
    found, missing = [], []
    for name in _FILES:
        names = (
            name + ".gz",
            name,
            name.replace("-idx", ".idx"),
            name.replace("-idx", ".idx") + ".gz",
        )
        paths = [os.path.join(train_dir, candidate) for candidate in names]
        path = next((path for path in paths if _tf.gfile.Exists(path)), None)
        if path is None:
            missing.append(name + ".gz")
        else:
            found.append(path)
    if missing:
        raise FileNotFoundError(
            f"MNIST is not complete in {os.path.abspath(train_dir)}: put {', '.join(missing)} there "
            f"(packed or unpacked; they come from {source_url}). tfqueue downloads nothing; "
            "fake_data=True works without files."
        )
    return found


def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: DType = _tf.float32,
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: Any = DEFAULT_SOURCE_URL,
) -> Any:
    """MNIST, or another set in its four files, from a folder.

    Args:
        train_dir: The folder.
        fake_data: Whether to do without files; see `DataSet`.
        one_hot: Whether labels are rows with a single one.
        dtype: `tf.float32` for pixels in 0 to 1, `tf.uint8` for 0 to 255.
        reshape: Whether to make each image one row of pixels.
        validation_size: int, how many of the training images to keep apart.
        source_url: Where the files come from; only named in the error.

    Returns:
        A tuple with the `DataSet`s `train`, `validation` and `test`.

    Raises:
        FileNotFoundError: If files are missing; it names them and the folder.
        ValueError: If `validation_size` is not between 0 and the number of
            training images, or a file is not what its name says.
    """
    if fake_data:
        sets = [
            DataSet([], [], fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed)
            for _ in base.Datasets._fields
        ]
        return base.Datasets(*sets)
    paths = _find(train_dir, source_url or DEFAULT_SOURCE_URL)
    train_images = extract_images(paths[0])
    train_labels = extract_labels(paths[1], one_hot=one_hot)
    test_images = extract_images(paths[2])
    test_labels = extract_labels(paths[3], one_hot=one_hot)
    if not 0 <= validation_size <= len(train_images):
        raise ValueError(
            f"Validation size should be between 0 and {len(train_images)}. "
            f"Received: {validation_size}."
        )
    cut = validation_size
    options = {"dtype": dtype, "reshape": reshape, "seed": seed}
    return base.Datasets(
        train=DataSet(train_images[cut:], train_labels[cut:], **options),
        validation=DataSet(train_images[:cut], train_labels[:cut], **options),
        test=DataSet(test_images, test_labels, **options),
    )


def load_mnist(train_dir: str = "MNIST-data") -> Any:
    """`read_data_sets(train_dir)`."""
    return read_data_sets(train_dir)


__getattr__ = _lazy_names.attributes(__name__, {})[0]
