"""Files that are missing, match nothing, or are damaged."""

import re

from tfqueue import records
from tfqueue.explain.stories.rows import Row, counted, listed
from tfqueue.records import framing


def _matched_nothing(case):
    """The pattern that matched no file, or None."""
    if case.run is None or case.queue is None or case.names_of(case.queue) != []:
        return None
    for handle in case.variables():
        pattern = case.pattern_of(handle)
        if pattern is not None:
            return pattern
    return None


def _no_match(case):
    return (
        f"match_filenames_once({_matched_nothing(case)!r}) matched no file, so that "
        f"'{case.queue.name}' has no names to put in. The pattern is looked at when its "
        "initializer runs, from the folder the program runs in"
    )


def _missing(case):
    missing = re.match(r"(.+?); No such file", case.message)
    name = missing[1] if missing else listed(case.files)
    reads = [op.name for op in case.demand.reads] if case.demand is not None else []
    by = f" which read op {listed(sorted(reads))} was to read" if reads else ""
    return (
        f"there is no file {name!r},{by} (names are relative to the folder the program runs in)"
        if not name.startswith("/")
        else f"there is no file {name!r},{by}"
    )


def _damage(case):
    """`(file, Damage)` of the place that a DataLossError speaks of, or None."""
    place = re.search(r"record at (\d+)", case.message)
    if place is None:
        return None
    compression = {
        reader.op.get_attr("compression_type").decode()
        for reader in case.readers
        if reader.kind == "TFRecordReader"
    }
    for path in case.files:
        # TensorFlow gives the place of what it could not read: the data's, behind a header that
        # was good, or the header's. A good header is never found by chance.
        for offset, kinds in (
            (int(place[1]) - framing.HEADER, ("data-crc", "cut-payload", "length", "stream")),
            (
                int(place[1]),
                ("length-crc", "cut-header", "cut-payload", "length", "data-crc", "stream"),
            ),
        ):
            try:
                found = records.check_at(path, offset, *compression) if offset >= 0 else None
            except (OSError, ValueError, TypeError, records.RecordsError):
                continue
            if found is not None and found.kind in kinds:
                return path, found
    return None


def _data_loss(case):
    found = _damage(case)
    if found is None:
        where = f"one of {listed(case.files)}" if len(case.files) > 1 else listed(case.files)
        text = f"the damaged file is {where}" if where else ""
    else:
        path, damage = found
        text = f"{path}: {damage.reason}, in the record at byte {damage.offset}"
    if case.run is not None:
        before = counted(case.run.enqueued(), "example")
        text += f". {before} in front of it went into '{case.run.queue_name}'"
    return f"{text}. `tfqueue records verify` shows what is left of a file, `salvage` saves it"


FAILURES = [
    Row("59", lambda case: _matched_nothing(case) is not None, _no_match),
    Row(
        "07 08 60",
        lambda case: (
            isinstance(case.error, case.tf.errors.NotFoundError) and case.op_type.startswith("Read")
        ),
        _missing,
    ),
    Row("09 10", lambda case: isinstance(case.error, case.tf.errors.DataLossError), _data_loss),
]
