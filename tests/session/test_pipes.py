"""A step that waits for a named pipe, which TensorFlow does not cancel."""

import os

import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.explain import diagnosis
from tfqueue.session import owner, starvation


def test_the_end_of_a_session_says_that_a_step_reads_a_file(tmp_path, monkeypatch):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    names = tf.train.string_input_producer([path], num_epochs=1)
    _, line = tf.TextLineReader(name="lines").read(names)
    said = []

    def warn(text, category):
        said.append((text, category))
        os.close(os.open(path, os.O_WRONLY))  # now the step comes to an end

    def interrupt(watch):
        raise KeyboardInterrupt

    sess = tf.Session()
    sess.run(tf.local_variables_initializer())
    tf.train.start_queue_runners(sess)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(starvation.WaitWatch, "look", interrupt)
        sess.run(line)
    monkeypatch.setattr(diagnosis, "warn", warn)
    monkeypatch.setattr(owner, "_READ_SECONDS", 0.1)
    sess.close()
    ((text, category),) = said
    assert category is errors.WaitingWarning
    assert "waits for a step that reads files in ReaderReadV2" in text
