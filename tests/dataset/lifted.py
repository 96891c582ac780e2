"""What the tests of lifted pipelines share: files, old readers, and a lift compared three ways."""

import contextlib
import importlib.util
import re
import subprocess
import tempfile

import numpy as np
import tensorflow
from ruff import find_ruff_bin

import tfqueue
import tfqueue.v1 as tf
from tfqueue.dataset import conversion, element_comparison, old_inputs, session_feed


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


def written(text):
    """The dataset of a written program that needs TensorFlow alone."""
    formatted(text)
    return imported(text)


def imported(text):
    """The dataset of a written program, imported from a file as a porter would have it."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        spec = importlib.util.spec_from_file_location("written", file.name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.dataset(**text.arrays)


def formatted(text):
    """Checks that a written program is laid out as ruff does it, and needs TensorFlow alone."""
    assert max(map(len, text.splitlines())) <= 100
    assert not re.search(r"^(import|from) (?!tensorflow as tf$|collections$)", text, re.MULTILINE)
    ruff = [find_ruff_bin(), "format", "--isolated", "--line-length", "100", "--diff"]
    done = subprocess.run([*ruff, "-"], input=text, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def three_ways(inputs, *args, steps=100, python=False):
    """Runs the queues, the lift and the written program, and checks that they give the same.

    Returns:
        The two `Comparison`s with the queues: of the lift, of the written program.
    """
    with tfqueue.eager():
        built = old_inputs.call(inputs, args, {})
        plan, text = conversion.planned(built, python=python)
        there, error = [], None
        try:
            with contextlib.closing(
                session_feed.elements(built, tfqueue.managed_session)
            ) as elements:
                for element in elements:
                    there.append(element)
                    if len(there) == steps:
                        break
        except tf.errors.OpError as caught:
            error = caught
        lifted = tfqueue.dataset(inputs, *args, **({"python": True} if python else {}))
        by_hand = written(text)
        assert lifted.element_spec == by_hand.element_spec
        found = [
            element_comparison.compare(_again(there, error), dataset, plan, steps)
            for dataset in (lifted, by_hand)
        ]
    for outcome in found:
        assert outcome, f"{outcome}\n{text}"
    return found


def _again(elements, error):
    yield from elements
    if error is not None:
        raise error
