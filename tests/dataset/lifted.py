"""What the tests of lifted pipelines share: files of numbers, an old reader of them, their values."""

import numpy as np
import tensorflow

import tfqueue.v1 as tf


def text_files(folder):
    """Paths of three text files of 4, 3 and 5 numbers, 0 to 11."""
    paths, number = [], 0
    for k, count in enumerate((4, 3, 5)):
        path = folder / f"{k}.txt"
        path.write_text("".join(f"{number + i}\n" for i in range(count)))
        number += count
        paths.append(str(path))
    return paths


def line_of(files, **producer):
    """A number of a text file, as old programs read it."""
    names = tf.train.string_input_producer(files, **producer)
    _, line = tf.TextLineReader().read(names)
    return tf.string_to_number(line, tf.int32)


def values(dataset, steps=100):
    """All numbers of a dataset, in order."""
    return [
        int(n)
        for element in dataset.take(steps)
        for n in np.ravel(tensorflow.nest.flatten(element)[0].numpy())
    ]
