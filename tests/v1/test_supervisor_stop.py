"""The end of a `tf.train.Supervisor` whose session was never made."""

import glob

import pytest
import tensorflow.compat.v1

import tfqueue.v1 as tf


def ends(train, folder):
    """How a supervisor ends that only wrote summaries: the notes of it in the summary file."""
    tf.train.get_or_create_global_step()
    supervisor = train.Supervisor(logdir=str(folder), init_op=tf.no_op())
    supervisor.stop()
    (file,) = glob.glob(f"{folder}/events*")
    return [
        event.session_log.status
        for event in tensorflow.compat.v1.train.summary_iterator(file)
        if event.HasField("session_log")
    ]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_it_is_noted_in_the_summary_file(tmp_path):
    expected = ends(tensorflow.compat.v1.train, tmp_path / "plain")
    with tf.Graph().as_default():
        assert ends(tf.train, tmp_path / "ours") == expected
    assert tf.SessionLog.STOP in expected
