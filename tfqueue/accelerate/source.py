"""Reads chunks of records from the one source of a region, and loses none of them.

`ReaderReadUpTo` never goes past the end of a file once it has a record. But
when a record in the middle is damaged it raises, and the records that it had
read before are gone with it; only TFRecord files can be damaged like that. So
of a TFRecord file it is always known which one is being read, and how far:
the first record of each new file is read alone (its key names the file), and
the sound records in front of a damaged one are read again from the file.
"""

import contextlib
import itertools
import os
import threading

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building

_tf = _tensorflow.compat_v1()

_FRAME = 16
"""Bytes around the payload of a TFRecord record: length, and two checksums."""


class Kept:
    """A chunk of records that the session keeps.

    Attributes:
      key: Its number.
      count: How many records it has.
    """

    def __init__(self, key, count):
        self.key = key
        self.count = count


class Source:
    """Chunks of what a region's only source gives.

    Args:
      region: The `Region`.
      reading: Its `Reading`.
      sess: The session.
      named: Function that turns an error of ours into the one that the user's op would raise.
      others_read: Function that tells whether someone else may read from the reader, too.
    """

    def __init__(self, region, reading, sess, named, others_read=lambda: False):
        self._lock = threading.Lock()
        self._reading = reading
        self._named = named
        self._others_read = others_read
        self._later = None  # an error to be raised once all in front of it is delivered
        self._numbers = itertools.count()
        self._files = region.reader is not None and region.reader.kind == "TFRecordReader"
        told = reading.told if self._files else reading.told[:1]

        def step(targets, fetches=()):
            return _tensorflow.RawStep(sess, targets, fetches, inline=True)

        self._keep = step([reading.keep], told)
        self._keep_given = step([reading.keep_given])
        self._take_back = step([], reading.take_back)
        if self._files:
            self._keep_joined = step([reading.keep_joined], told)
            self._read_one = step([], [*reading.read, reading.told[-1]])
            self._now = step([], [reading.produced])
        self._path, self._offset, self._inside = None, 0, False
        self._produced = 0

    def steps(self):
        """The `RawStep`s that read."""
        return [self._keep]

    def take(self, most):
        """The next chunk.

        Args:
          most: How many records at the most.

        Returns:
          A `Kept` of 1 record at least.

        Raises:
          tf.errors.OpError: What the user's op would raise here.
        """
        with self._lock:
            if self._later is not None:
                raise self._later
            if not self._files:
                return self._read(self._keep, most)
            if self._others_read():
                return self._read_singly(most)
            if self._inside:
                return self._read_on(most)
            first = self._read_first()
            if most == 1 or not self._inside:
                return self.give(first)
            try:
                return self._read_on(most - 1, first)
            except _tf.errors.OpError as error:
                self._later = error
                return self.give(first)

    def give(self, records):
        """A chunk of records that are at hand.

        Args:
          records: A list of arrays, one for each output of the source, equally long.

        Returns:
          A `Kept`.
        """
        key = next(self._numbers)
        feeds = dict(zip(self._reading.given, records, strict=True))
        self._keep_given(feeds | {self._reading.key: key})
        return Kept(key, len(records[0]))

    def take_back(self, kept):
        """The records of a `Kept`, as `give` takes them; the session no longer keeps them."""
        return self._take_back({self._reading.key: kept.key})

    @contextlib.contextmanager
    def paused(self):
        """Within the block no other thread reads on: what it finds may be the end of it all."""
        with self._lock:
            yield

    @contextlib.contextmanager
    def aside(self):
        """Within the block the user's op reads by itself, and no other thread reads on."""
        with self._lock:
            self._inside = False
            yield

    def left(self):
        """Others have read: where the reader stands is not known any more."""
        with self._lock:
            self._inside = False

    def _read_singly(self, most):
        """As many, one at a time: a read of one record has none to lose."""
        rows = [self._read_first()]
        try:
            while len(rows) < most:
                rows.append(self._read_first())
        except _tf.errors.OpError as error:
            self._later = error
        return self.give([np.concatenate(column) for column in zip(*rows, strict=True)])

    def _read_first(self):
        """One record, as `give` takes it: its key names the file that it is of."""
        *found, produced = self._run(self._read_one, {self._reading.size: 1})
        self._produced = int(produced)
        self._note(found[0][-1], len(found[1][-1]))
        return found

    def _run(self, step, feeds):
        try:
            return step(feeds)
        except _tf.errors.OpError as error:
            raise self._named(error) from None

    def _read(self, step, most, front=None):
        key = next(self._numbers)
        feeds = {self._reading.size: most, self._reading.key: key}
        if front is not None:
            feeds |= zip(self._reading.given, front, strict=True)
        count, *last = self._run(step, feeds)
        if last:
            self._produced = int(last[2])
            self._note(last[0], int(last[1]))
        return Kept(key, int(count) + (len(front[0]) if front is not None else 0))

    def _read_on(self, most, front=None):
        """The next records of the file that is being read, behind those at hand."""
        try:
            return self._read(self._keep if front is None else self._keep_joined, most, front)
        except (_tf.errors.OutOfRangeError, _tf.errors.CancelledError):
            raise
        except _tf.errors.OpError as error:
            lost = self._read_again(most)
            if not len(lost[0]):
                raise
            self._later = error
            if front is not None:
                lost = [np.concatenate(pair) for pair in zip(front, lost, strict=True)]
            return self.give(lost)

    def _note(self, key, length):
        """Notes which file the last record is of, and whether the file goes on behind it."""
        path, _, offset = key.rpartition(b":")
        if path != self._path:
            self._path, self._end = path, _length(path)
        self._offset = int(offset) + _FRAME + length
        # What is too short for a record is no more of the file, but for a reader's complaint.
        self._inside = self._end is not None and self._offset + _FRAME <= self._end

    def _read_again(self, most):
        """The records that a failed read had read before it met the damaged one."""
        lost = min(int(self._now()[0]) - self._produced, most)
        keys, values, offset = [], [], 0
        try:
            for value in op_building.records_of(os.fsdecode(self._path)):
                if len(values) >= lost:
                    break
                if offset >= self._offset:
                    keys.append(self._path + b":" + str(offset).encode())
                    values.append(value)
                offset += _FRAME + len(value)
        except _tf.errors.OpError:
            pass  # here is the damage
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
