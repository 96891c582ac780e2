"""`tensorflow.models.rnn.ptb.reader`: the Penn Treebank's words as numbers, and batches of them.

The wheels up to TensorFlow 0.12 carried it; course notes and books went on importing it from there.
"""

import collections
import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import tfqueue.v1 as tf
from tfqueue.v1._types import FileName, Size, Tensor

FILES = ("ptb.train.txt", "ptb.valid.txt", "ptb.test.txt")


def _words(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().replace("\n", "<eos>").split()


def _numbers(words: Iterable[str], vocabulary: dict[str, int]) -> list[int]:
    return [vocabulary[word] for word in words if word in vocabulary]


def ptb_raw_data(data_path: FileName | None = None) -> Any:
    """Reads the three files and numbers their words (`tensorflow.models.rnn.ptb.reader`).

    The most frequent word of the training file is 0; words of equal frequency are in
    alphabetical order. A line's end is the word `<eos>`. What the training file does not
    know is left out of the others.

    Args:
        data_path: The folder that holds `ptb.train.txt`, `ptb.valid.txt` and `ptb.test.txt`.

    Returns:
        Three lists of int (training, validation, test) and the number of words known.

    Raises:
        FileNotFoundError: A file is not there; says which and what to put there.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in FILES:
    ...         _ = (pathlib.Path(folder) / name).write_text(" b a b \\n")
    ...     ptb_raw_data(folder)
    ([0, 2, 0, 1], [0, 2, 0, 1], [0, 2, 0, 1], 3)
    """
    folder = data_path or os.curdir
    paths = [os.path.join(folder, name) for name in FILES]
    missing = [name for name, path in zip(FILES, paths, strict=True) if not os.path.isfile(path)]
    if missing:
        raise FileNotFoundError(
            f"the Penn Treebank is not complete in {os.path.abspath(folder)}: put "
            f"{', '.join(missing)} there (simple-examples/data of Mikolov's simple-examples.tgz)"
        )
    train, valid, test = (_words(path) for path in paths)
    counts = collections.Counter(train)
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    vocabulary = {word: number for number, word in enumerate(ordered)}
    return *(_numbers(words, vocabulary) for words in (train, valid, test)), len(vocabulary)


def _rows(size: int, batch_size: int, num_steps: int) -> tuple[int, int]:
    """How many words a row has, and how many batches there are."""
    length = size // batch_size
    batches = (length - 1) // num_steps
    if batches < 1:
        raise ValueError(
            f"{size} words give no batch of {batch_size} rows with {num_steps} steps: "
            "decrease batch_size or num_steps"
        )
    return length, batches


def ptb_iterator(raw_data: Tensor, batch_size: Size, num_steps: int) -> Iterator[Any]:
    """Yields batches of words and of the words that follow (up to TensorFlow 0.11).

    Args:
        raw_data: List of int, one of `ptb_raw_data`'s.
        batch_size: Rows a batch.
        num_steps: Words a row of a batch.

    Yields:
        Two int32 arrays of shape `[batch_size, num_steps]`, the second one word ahead.

    Raises:
        ValueError: If there are too few words for one batch.

    >>> for x, y in ptb_iterator(range(7), 1, 3):
    ...     print(x.tolist(), y.tolist())
    [[0, 1, 2]] [[1, 2, 3]]
    [[3, 4, 5]] [[4, 5, 6]]
    """
    words = np.asarray(raw_data, np.int32)
    length, batches = _rows(len(words), batch_size, num_steps)
    table = words[: batch_size * length].reshape(batch_size, length)
    for start in range(0, batches * num_steps, num_steps):
        yield (
            table[:, start : start + num_steps],
            table[:, start + 1 : start + num_steps + 1],
        )


def ptb_producer(
    raw_data: Tensor, batch_size: Size, num_steps: int, name: str | None = None
) -> Any:
    """The same batches, by a queue that counts them (since TensorFlow 0.12).

    Args:
        raw_data: List of int, one of `ptb_raw_data`'s.
        batch_size: Rows a batch.
        num_steps: Words a row of a batch.

    Returns:
        Two int32 tensors of shape `[batch_size, num_steps]`, the second one word ahead, in order,
        over and over again. A `QueueRunner` is added to the graph.

    Raises:
        ValueError: If there are too few words for one batch.

    >>> import tfqueue
    >>> with tf.Graph().as_default():
    ...     batch = ptb_producer(range(7), 1, 3)
    ...     with tfqueue.managed_session() as sess:
    ...         print([value.tolist() for value in sess.run(batch)])
    [[[0, 1, 2]], [[1, 2, 3]]]
    """
    with tf.name_scope(name, "PTBProducer", [raw_data, batch_size, num_steps]):
        words = np.asarray(raw_data, np.int32)
        length, batches = _rows(len(words), batch_size, num_steps)
        table = tf.constant(
            words[: batch_size * length].reshape(batch_size, length), name="raw_data"
        )
        start = num_steps * tf.train.range_input_producer(batches, shuffle=False).dequeue()
        pair = []
        for ahead in (0, 1):
            part = tf.slice(table, tf.stack([0, start + ahead]), [batch_size, num_steps])
            part.set_shape([batch_size, num_steps])
            pair.append(part)
        return tuple(pair)
