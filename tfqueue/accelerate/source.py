"""Where a TFRecord reader stands, so that a chunk that meets damage loses no record.

`ReaderReadUpTo` never goes past the end of a file once it has a record. But when
a record in the middle is damaged it raises, and the records that it had read
before are gone with it; only TFRecord files can be damaged like that. So of a
TFRecord file it is always known which one is being read, and how far: the first
record of each file is read alone (its key names the file), and the sound records
in front of a damaged one are read again from the file.
"""

import os
import threading

import numpy as np

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()

_records = _tensorflow.undecorated(_tf.python_io.tf_record_iterator)
_FRAME = 16
"""Bytes around the payload of a TFRecord record: length, and two checksums."""


class Position:
    """How far a TFRecord reader has read.

    Attributes:
      reading: Held while a step reads, by whoever does.

    Args:
      others_read: Function that tells whether other threads may read, one record at a time.
    """

    def __init__(self, others_read):
        self._others_read = others_read
        self.reading = threading.Lock()
        self._path, self._offset, self._end, self._inside = None, 0, None, False
        self._produced = 0

    def most(self, size):
        """How many records the next chunk may have at the most: one where a new file begins."""
        if self._others_read():
            self._inside = False
        return size if self._inside else 1

    def moved_elsewhere(self):
        """Others have read: where the reader stands is not known any more."""
        with self.reading:
            self._inside = False

    def read(self, key, length, produced):
        """Notes the last record of a chunk.

        Args:
          key: Its key, as bytes.
          length: The length of its value.
          produced: How many records the reader had produced after it.
        """
        path, _, offset = key.rpartition(b":")
        if path != self._path:
            self._path, self._end = path, _length(path)
        self._offset = int(offset) + _FRAME + int(length)
        self._produced = int(produced)
        # What is too short for a record is no more of the file, but for a reader's complaint.
        self._inside = self._end is not None and self._offset + _FRAME <= self._end

    def moved_on(self, columns, produced):
        """Notes a chunk whose records were read and kept, but not told of."""
        self.read(columns[0][-1], len(columns[1][-1]), produced)

    def lost(self, produced, most):
        """The records that a failed read had read before it met the damage.

        Args:
          produced: How many records the reader has produced now.
          most: How many it was asked for.

        Returns:
          Two arrays, keys and values.
        """
        count = min(int(produced) - self._produced, most) if self._inside else 0
        keys, values, offset = [], [], 0
        try:
            for value in _records(os.fsdecode(self._path)) if count > 0 else ():
                if len(values) >= count:
                    break
                if offset >= self._offset:
                    keys.append(self._path + b":" + str(offset).encode())
                    values.append(value)
                offset += _FRAME + len(value)
        except _tf.errors.OpError:
            pass  # here is the damage
        self._inside = False
        return [_column(keys), _column(values)]


def _column(items):
    array = np.empty(len(items), object)
    array[:] = items
    return array


def _length(path):
    try:
        return _tf.gfile.Stat(os.fsdecode(path)).length
    except _tf.errors.OpError:
        return None
