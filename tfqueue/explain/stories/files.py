"""Files that are missing, match nothing, or are damaged."""

from __future__ import annotations

import glob
import os
import re

from tfqueue import records
from tfqueue.explain.case import Case
from tfqueue.explain.stories.rows import Row, counted, listed, sure
from tfqueue.records import framing, suggestions


def _matched_nothing(case: Case) -> str | None:
    """The pattern that matched no file, or None."""
    if case.run is None or case.queue is None or case.names_of(case.queue) != []:
        return None
    for handle in case.variables():
        pattern = case.pattern_of(handle)
        if pattern is not None:
            return pattern
    return None


def _no_match(case: Case) -> str:
    return (
        f"match_filenames_once({_matched_nothing(case)!r}) matched no file, so that "
        f"'{case.known_queue.name}' has no names to put in. The pattern is looked at when its "
        "initializer runs, from the folder the program runs in"
    )


_RELATIVE = " (names are relative to the folder the program runs in)"


def _missing(case: Case) -> str:
    missing = re.match(r"(.+?); No such file", case.message)
    name = missing[1] if missing else listed(case.files)
    reads = [op.name for op in case.demand.reads]
    by = f", which read op {listed(sorted(reads))} was to read" if reads else ""
    if glob.has_magic(name) and (matched := glob.glob(name)):
        return (
            f"{name!r} is a pattern, and string_input_producer takes names. "
            f"tf.train.match_filenames_once({name!r}) finds the {counted(len(matched), 'file')} that "
            "it matches"
        )
    found = suggestions.did_you_mean(name)
    # A typing error explains more than the folder does.
    where = "" if found or name.startswith("/") else _RELATIVE
    return f"there is no file {name!r}{found}{by}{where}"


def _folder(case: Case) -> str | None:
    """The folder among the names that a reader is given, or None."""
    is_it = isinstance(case.error, case.tf.errors.FailedPreconditionError)
    if not (is_it and case.op_type.startswith("Read")):
        return None
    return next(filter(os.path.isdir, case.files), None)


def _of_folder(case: Case) -> str:
    folder = sure(_folder(case))
    return (
        f"{folder!r} is a folder, and a reader reads files. "
        f"tf.train.match_filenames_once({os.path.join(folder, '*')!r}) finds those in it"
    )


def _other_kind(case: Case) -> tuple[str, str] | None:
    """`(file, what it is)` of a file that is no TFRecord file at all, or None."""
    for reader in case.readers:
        if reader.kind != "TFRecordReader" or reader.op.get_attr("compression_type"):
            return None
    # Which file it was TensorFlow does not say: the first that is none must be the one, and so
    # must be the only one where the order is not known.
    found = []
    for path in case.files:
        try:
            kind = suggestions.kind_of_file(path)
        except OSError:
            continue
        if kind is not None:
            found.append((path, kind))
    return found[0] if found and (case.order_known or len(found) == 1) else None


def _is_not_its_beginning(case: Case) -> bool:
    """Whether a DataLossError is about damage, and not about a file of another kind."""
    return "record at 0" not in case.message or _other_kind(case) is None


def _story_of_other_kind(case: Case) -> str:
    path, kind = sure(_other_kind(case))
    fix = ""
    if kind == "a gzip file":
        fix = (
            ". If it is a compressed TFRecord file, give the reader "
            "options=tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)"
        )
    elif kind in ("a PNG", "a JPEG", "a GIF"):
        fix = ". tf.WholeFileReader and tf.image.decode_image read image files"
    elif kind == "text":
        fix = ". tf.TextLineReader reads text"
    return f"{path} is not a TFRecord file (it begins like {kind}){fix}"


def _damage(case: Case) -> tuple[str, records.Damage] | None:
    """`(file, Damage)` of the place that a DataLossError names, or None."""
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


def _too_short(case: Case) -> list[tuple[str, int, int]]:
    """`(file, its size, header_bytes)` of each file that ends inside the header of its records."""
    found = []
    for reader in case.readers:
        if reader.kind == "FixedLengthRecordReader" and not reader.op.get_attr("encoding"):
            header = reader.op.get_attr("header_bytes")
            for path in dict.fromkeys(case.files):
                try:
                    size = os.path.getsize(path)
                except OSError:
                    continue
                if size < header:
                    found.append((path, size, header))
    return found


def _data_loss(case: Case) -> str:
    found, short = _damage(case), _too_short(case)
    if short:
        path, size, header = short[0]
        text = f"{path} has {counted(size, 'byte')}, and header_bytes is {header:,}"
        if len(short) > 1:
            text += f". {listed(path for path, *_ in short[1:])} are too short too"
    elif found is None:
        where = f"one of {listed(case.files)}" if len(case.files) > 1 else listed(case.files)
        text = f"the damaged file is {where}" if where else ""
    else:
        path, damage = found
        text = f"{path}: {damage.reason}, in the record at byte {damage.offset}"
    if case.run is not None:
        before = counted(case.run.elements, "example")
        text += f". {before} in front of it went into '{case.run.queue_name}'"
    if all(reader.kind == "TFRecordReader" for reader in case.readers):
        text += ". `tfqueue records verify` shows what is left of a file, `salvage` saves it"
    return text


FAILURES = [
    Row(("pattern_without_match",), lambda case: _matched_nothing(case) is not None, _no_match),
    Row(
        ("missing_file", "missing_file_alone", "done_before_failure"),
        lambda case: (
            isinstance(case.error, case.tf.errors.NotFoundError) and case.op_type.startswith("Read")
        ),
        _missing,
    ),
    Row(("missing_file",), lambda case: _folder(case) is not None, _of_folder),
    Row(
        ("corrupt_record", "truncated_record"),
        lambda case: (
            isinstance(case.error, case.tf.errors.DataLossError) and _is_not_its_beginning(case)
        ),
        _data_loss,
    ),
    Row(
        ("corrupt_record", "truncated_record"),
        lambda case: (
            isinstance(case.error, case.tf.errors.DataLossError) and not _is_not_its_beginning(case)
        ),
        _story_of_other_kind,
    ),
]
