"""What a failed chunk, or a failed example, is told as: as the user's own op would have failed."""

import re

import numpy as np

from tfqueue import _tensorflow


def named(region, error):
    """`error`, raised by an op of ours, as the user's op would have raised it.

    Args:
      region: The `Region`.
      error: A `tf.errors.OpError`.
    """
    names = {"read": region.source.name, "put": region.op.name}

    def original(match):
        return "{{node " + names[match[1]] + "}}"

    text = _OURS.sub(original, error.message)
    if text == error.message:
        return error
    plain = type(error)(None, None, text).with_traceback(error.__traceback__)
    return _tensorflow.with_op(plain, region.op.graph)


# How messages name the ops of ours that may fail in place of the user's; all else is replayed.
_OURS = re.compile(rf"{{{{node {_tensorflow.CHUNK_SCOPE}\d+/(read|put)(?:_\d+)?}}}}")


class Replay:
    """Puts records one by one, by the runner's own op.

    Args:
      region: The `Region`.
      handle: The session's `SessionHandle`.
    """

    def __init__(self, region, handle):
        self._outputs = region.source.outputs
        self._reads = region.reader is not None
        self.put_one = _tensorflow.RawStep(handle, [region.op])

    def put(self, columns, mover):
        """Puts them; raises what the op raises, with `mover.record` the record at fault.

        Args:
          columns: An array for each output of the source, equally long.
          mover: The `Mover` on whose account they are put.
        """
        for row in zip(*columns, strict=True):
            if self._reads:
                mover.record = tuple(row)
            self.put_one(
                {
                    t: np.asarray(v, t.dtype.as_numpy_dtype)
                    for t, v in zip(self._outputs, row, strict=True)
                }
            )
            mover.elements += 1
            mover.certain += 1
        mover.record = None
