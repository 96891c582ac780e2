"""Whether files hold any record: TensorFlow's readers read them in a session of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue.graph.op_types import Reader

_ALWAYS_ONE = ("WholeFileReader", "IdentityReader")
"""Readers that have a record for each file, whatever is in it."""


def hold_none(reader: Reader, paths: Sequence[str]) -> bool:
    """Whether a reader comes to the end of files without a record.

    Args:
        reader: A model `Reader`.
        paths: The names of the files, at least one.

    Returns:
        True or False; False also where it cannot be told.
    """
    if reader.kind in _ALWAYS_ONE or not reader.op.type.endswith("V2"):
        return False
    tf = _tensorflow.compat_v1()
    with tf.Graph().as_default() as graph:
        names = tf.FIFOQueue(len(paths), tf.string, [[]])
        put, close = names.enqueue_many([paths]), names.close()
        asked = op_building.copy_op(reader.op, reader.op.node_def, [])
        key, _ = tf.raw_ops.ReaderReadV2(
            reader_handle=asked.outputs[0], queue_handle=names.queue_ref
        )
        nothing = names.size()
    with contextlib.closing(_tensorflow.base_session()(graph=graph)) as sess:
        # In this thread: a py_func that does not return may have all of TensorFlow's.
        for targets in ([put], [close]):
            _tensorflow.PreparedStep(sess, targets, inline=True)()
        try:
            _tensorflow.PreparedStep(sess, [], [key], inline=True)()
        except tf.errors.OutOfRangeError:
            # Or a file is too short for a header: then others are left.
            return not _tensorflow.PreparedStep(sess, [], [nothing], inline=True)()[0]
        except tf.errors.OpError:
            return False  # the program is told by its own step
    return False
