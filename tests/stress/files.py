"""Damaged TFRecord files, read by the graph: the good records in front, then an error that says where."""

import collections
import faulthandler
import os
import resource
import sys
import warnings

import tfqueue
import tfqueue.v1 as tf
from tests import damaged_files
from tests.stress.sessions import HANG_SECONDS, Wrong

_COMPRESSION = {
    "": tf.python_io.TFRecordCompressionType.NONE,
    "GZIP": tf.python_io.TFRecordCompressionType.GZIP,
    "ZLIB": tf.python_io.TFRecordCompressionType.ZLIB,
}


def run(case, path, report):
    """Reads one damaged file to its end; raises `Wrong` where that is not what it must be.

    Args:
      case: A `damage.Case`.
      path: Where to put the file.
      report: A `collections.Counter` for the table.
    """
    with open(path, "wb") as file:
        file.write(case.data)
    report[case.kind] += 1
    seen, error = [], None
    faulthandler.dump_traceback_later(HANG_SECONDS, exit=True, file=sys.__stderr__)
    try:
        with tf.Graph().as_default(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            names = tf.train.string_input_producer([path], num_epochs=1)
            options = tf.python_io.TFRecordOptions(_COMPRESSION[case.compression])
            _, record = tf.TFRecordReader(options=options).read(names)
            batch = tf.train.batch([record], 1)
            with tfqueue.managed_session() as sess:
                for values in sess.batches(batch):
                    seen.append(values[0])
    except tf.errors.OpError as failure:
        error = failure
    finally:
        faulthandler.cancel_dump_traceback_later()
    told = [w for w in caught if issubclass(w.category, tfqueue.errors.TruncatedFileWarning)]
    if tuple(seen[: case.front]) != case.records[: case.front]:
        raise Wrong(f"{case}: {len(seen)} records delivered, {case.front} stood in front")
    if case.delivered is not None and tuple(seen) != case.delivered[: len(seen)]:
        raise Wrong(f"{case}: delivered what is no good record of the file")
    if case.clean is True and (error is not None or told):
        raise Wrong(f"{case}: a good file, but {error!r} {told}")
    if case.clean is False and error is None and not told:
        raise Wrong(f"{case}: the damage was not reported")
    if error is not None:
        text = str(error) + "\n".join(getattr(error, "__notes__", []))
        if path not in text:
            raise Wrong(f"{case}: the error does not name the file: {text}")


def run_all(seeds, folder, progress=None):
    """Reads a damaged file for each seed.

    Args:
      seeds: Iterable of int.
      folder: Where to put the files, one after the other.
      progress: Called with the number done so far.

    Returns:
      `(report, wrong, grown)`: a Counter of kinds, a list of `Wrong`, and by how many MiB the
      process's peak memory grew.
    """
    report, wrong = collections.Counter(), []
    path = os.path.join(folder, "damaged.tfrecord")
    before = _peak()
    for done, case in enumerate(damaged_files.cases(seeds), 1):
        try:
            run(case, path, report)
        except Wrong as error:
            wrong.append(error)
        if progress is not None:
            progress(done)
    return report, wrong, _peak() - before


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
