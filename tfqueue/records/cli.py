"""`tfqueue records`: look at, check, save and write TFRecord files from the command line.

What it calls: `framing.verify` checks, `salvaging.salvage` saves, `schemas` infers the features.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gc
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from tfqueue import records  # a module of it is loaded when a name of it is used
from tfqueue.errors import TFQueueError
from tfqueue.output.files import ended_in_order, is_stream
from tfqueue.output.printing import is_utf8, json_printable, line_of, printable
from tfqueue.output.progress import ProgressBar
from tfqueue.records.errors import DamagedRecordError, SourceError

if TYPE_CHECKING:
    from tfqueue.records import sources

GOOD, DAMAGED, UNUSABLE = 0, 1, 2
ERRORS = (TFQueueError, OSError, MemoryError)

DESCRIPTION = """\
Look at, check, save and write TFRecord files.

FILE is a name or a quoted pattern. GZIP and ZLIB are recognised.
TensorFlow is not loaded.
"""
EPILOG = """\
exit code: 0 fine, 1 damage was found, 2 bad usage or input

examples:
  tfqueue records schema 'train-*.tfrecord'
  tfqueue records verify --json data/*.tfrecord
  tfqueue records salvage broken.tfrecord -o saved.tfrecord
  tfqueue records images train.tfrecord -o sheet.png --limit 100
  tfqueue records write photos/ -o train.tfrecord --shards 8 --shuffle 1
"""


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{value} is not at least 1")
    return value


_positive.__name__ = "number"  # what argparse calls it in its error


def _shape(text: str) -> tuple[int, ...]:
    sides = tuple(map(_positive, text.replace("x", ",").split(",")))
    if len(sides) not in (2, 3):
        raise argparse.ArgumentTypeError("a shape is HEIGHT,WIDTH or HEIGHT,WIDTH,CHANNELS")
    return sides


_shape.__name__ = "shape"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands to the parser of `tfqueue records`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    commands = parser.add_subparsers(dest="records_command", required=True, metavar="COMMAND")

    def command(name: str, help: str, many: bool = True) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = commands.add_parser(
            name, help=help, description=help[0].upper() + help[1:] + "."
        )
        if many:
            added.add_argument("files", nargs="+", metavar="FILE", help="name or quoted pattern")
        added.add_argument("--json", action="store_true", help="print JSON")
        added.add_argument(
            "--compression",
            choices=("none", "gzip", "zlib"),
            help="of the files written (default: none)"
            if name == "write"
            else "of the files read (default: look)",
        )
        return added

    head = command("head", "show the first records")
    head.add_argument("-n", type=_positive, default=3, metavar="N", help="how many (default: 3)")

    schema = command("schema", "keys, kinds, lengths and shares; and features={...} to paste")
    some = schema.add_mutually_exclusive_group()
    some.add_argument("--limit", type=_positive, metavar="N", help="look at the first N records")
    some.add_argument(
        "--all", action="store_true", help="look at every record (default: at a sample of many)"
    )

    command("count", "count the records")
    command("verify", "check every record; say where the first bad one is")

    salvage = command("salvage", "copy the good records of a damaged file to a new one", many=False)
    salvage.add_argument("file", metavar="FILE", help="the damaged file; it stays as it is")
    salvage.add_argument("-o", "--output", required=True, metavar="FILE", help="the new file")
    salvage.add_argument("--force", action="store_true", help="replace the new file if it exists")

    _add_images(command("images", "draw a contact sheet of an image feature"))
    _add_write(command("write", "write images, a table or arrays to TFRecord files", many=False))


def _add_images(images: argparse.ArgumentParser) -> None:
    images.add_argument("-o", "--output", required=True, metavar="PNG", help="the picture")
    images.add_argument("--key", help="the feature (default: the likeliest)")
    images.add_argument(
        "--limit", type=_positive, default=64, metavar="N", help="images at most (default: 64)"
    )
    images.add_argument("--columns", type=_positive, metavar="N", help="images per row")
    images.add_argument(
        "--size", type=_positive, default=96, metavar="N", help="pixels of a side (default: 96)"
    )
    images.add_argument(
        "--shape",
        type=_shape,
        metavar="H,W,C",
        help="of unencoded images (default: as far as seen)",
    )
    images.add_argument(
        "--dtype", default="uint8", help="of unencoded images in bytes (default: uint8)"
    )


def _add_write(write: argparse.ArgumentParser) -> None:
    write.add_argument(
        "source",
        metavar="SOURCE",
        help="a folder with one folder of images per class, a CSV, .npy or .npz file",
    )
    write.add_argument("-o", "--output", required=True, metavar="FILE", help="the new file")
    write.add_argument("--shards", type=_positive, metavar="N", help="write N files")
    write.add_argument(
        "--shuffle", type=int, metavar="SEED", help="folder: shuffle, with this seed"
    )
    write.add_argument(
        "--no-header", action="store_true", help="CSV: the first row is data, not names"
    )
    write.add_argument("--delimiter", metavar="CHAR", help="CSV (default: ,; '\\t' is a tab)")
    write.add_argument(
        "--raw", action="store_true", help="arrays: rows as bytes, for tf.decode_raw"
    )


def _out(args: argparse.Namespace, found: Any, lines: list[str]) -> None:
    """Prints what was found: as JSON, or the lines that say it."""
    if args.json:
        text = json_printable(json.dumps(found, ensure_ascii=not is_utf8(sys.stdout)))
    else:
        text = "\n".join(map(printable, lines))
    sys.stdout.write(text + "\n")


def _head(args: argparse.Namespace) -> int:
    from tfqueue.records import display

    found = records.head(args.files, args.n, args.compression)
    lines = []
    if not args.json:
        for number, item in enumerate(found):
            lines += [f"record {number}", *display.record(item)]
    _out(args, display.jsonable(found) if args.json else None, lines or ["no record"])
    return GOOD


@contextlib.contextmanager
def _no_collections() -> Iterator[None]:
    """Without the garbage collector, which of millions of keys would take half of the time.

    A schema holds no reference that leads back, so there is nothing to collect.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _schema(args: argparse.Namespace) -> int:
    from tfqueue.records import display

    with _no_collections():
        with ProgressBar("looking at", "records") as progress:
            sample = not (args.all or args.limit)
            found = records.schema(args.files, args.compression, args.limit, progress, sample)
        if args.json:
            _out(args, found.as_dict() | {"code": found.code()}, [])
        else:
            _out(args, None, display.schema(found))
    return GOOD


def _each(args: argparse.Namespace, look: Callable[[str], Any]) -> tuple[dict[str, Any], int]:
    """What `look` finds in each file, by its name, and the exit code so far.

    A file that is damaged or cannot be read is one line on stderr; the others are looked at.
    """
    found, code = {}, GOOD
    for name in args.files:
        try:
            for path in records.expand(name):
                try:
                    found[path] = look(path)
                except ERRORS as error:
                    code = max(code, _failed(error))
        except ERRORS as error:  # no such file
            code = max(code, _failed(error))
    return found, code


def _count(args: argparse.Namespace) -> int:
    from tfqueue.records import display

    with ProgressBar("counting", "records") as progress:
        counts, code = _each(args, lambda path: records.count([path], args.compression, progress))
    total = sum(counts.values())
    lines = [f"{count:>12,}  {path}" for path, count in counts.items()]
    if len(counts) > 1:
        lines.append(f"{total:>12,}  in {display.plural(len(counts), 'file')}")
    if counts:
        _out(args, {"records": total, "files": counts}, lines)
    return code


def _verify(args: argparse.Namespace) -> int:
    from tfqueue.records import display

    with ProgressBar("checking", "records") as progress:
        found, code = _each(args, lambda path: records.verify(path, args.compression, progress))
    reports = list(found.values())
    bad = sum(not report.good for report in reports)
    lines = [display.report(report) for report in reports]
    if len(reports) > 1:
        lines.append(f"{display.plural(len(reports), 'file')}, {bad} damaged")
    if reports:
        _out(
            args,
            [dataclasses.asdict(report) | {"good": report.good} for report in reports],
            lines,
        )
    return max(code, DAMAGED if bad else GOOD)


def _unpacked_size(args: argparse.Namespace) -> int | None:
    """The size of an uncompressed file in bytes; None where it is compressed or no file."""
    from tfqueue.records import framing

    if not os.path.isfile(args.file):
        return None
    given = args.compression
    compressed = framing.detect_compression(args.file) if given is None else given != "none"
    return None if compressed else os.path.getsize(args.file)


def _salvage(args: argparse.Namespace) -> int:
    from tfqueue.records import display

    exists = os.path.isfile(args.output) and not is_stream(args.output)
    if exists and not (args.force or os.path.samefile(args.file, args.output)):
        # What is there may be all that was saved the last time.
        raise SourceError(f"{args.output}: the file exists; --force replaces it")
    with ProgressBar("saving", "bytes", _unpacked_size(args)) as progress:
        found = records.salvage(args.file, args.output, args.compression, progress=progress)
    lines = [f"{found.output}: {display.plural(found.records, 'record')} saved"]
    if found.repaired:
        lines[0] += f", {found.repaired:,} of them with a damaged header"
    for loss in found.lost:
        span = display.plural(loss.end - loss.start, "byte")
        lines.append(f"lost: {span} at byte {loss.start}: {loss.reason}")
    if found.reason:
        lines.append(f"{found.reason}; what could be unpacked is saved")
    if found.good:
        lines.append(f"{found.path} is not damaged")
    extra = {"lost_bytes": found.lost_bytes, "good": found.good}
    _out(args, dataclasses.asdict(found) | extra, lines)
    return GOOD if found.good else DAMAGED


def _images(args: argparse.Namespace) -> int:
    from tfqueue.records import display

    with ProgressBar("drawing"):
        count = records.images(
            args.files,
            args.output,
            args.key,
            args.limit,
            args.columns,
            args.size,
            args.shape,
            args.dtype,
            args.compression,
        )
    line = f"{args.output}: {display.plural(count, 'image')}"
    _out(args, {"output": args.output, "images": count}, [line])
    return GOOD


_OPTIONS_OF = {
    "a folder": ["shuffle"],
    "arrays": ["raw"],
    "a CSV table": ["no_header", "delimiter"],
}
"""The options of `write` that are for one kind of source."""


def _items(args: argparse.Namespace) -> sources.Items:
    kind = "a CSV table"
    if os.path.isdir(args.source):
        kind = "a folder"
    elif args.source.lower().endswith((".npy", ".npz")):
        kind = "arrays"
    for other, names in _OPTIONS_OF.items():
        for name in names if other != kind and os.path.exists(args.source) else ():
            value = getattr(args, name)
            if value is not None and value is not False:
                option = f"--{name.replace('_', '-')}"
                raise SourceError(f"{args.source} is read as {kind}: {option} is for {other}")
    if kind == "a folder":
        return records.from_folder(args.source, args.shuffle)
    if kind == "arrays":
        return records.from_numpy(args.source, args.raw)
    delimiter = "," if args.delimiter is None else args.delimiter.replace(r"\t", "\t")
    return records.from_csv(args.source, not args.no_header, delimiter)


def _write(args: argparse.Namespace) -> int:
    from tfqueue.records import display

    with ProgressBar("reading"):
        items = _items(args)
    with ProgressBar("writing", "records", len(items)) as progress:
        names = records.write(args.output, items, args.compression, args.shards, progress)
    lines = [f"{display.plural(len(items), 'record')} in {display.plural(len(names), 'file')}:"]
    lines += [f"  {name}" for name in names]
    if items.classes:
        lines.append("labels:")
        lines += [f"  {label}  {name}" for label, name in enumerate(items.classes)]
    found = {"records": len(items), "files": names, "classes": items.classes}
    _out(args, found, lines)
    return GOOD


_COMMANDS = {
    "head": _head,
    "schema": _schema,
    "count": _count,
    "verify": _verify,
    "salvage": _salvage,
    "images": _images,
    "write": _write,
}


def run(args: argparse.Namespace) -> int:
    """Does what was parsed.

    Returns:
        The exit code: 0 fine; 1 damage was found; 2 the input cannot be used. What is wrong stands
        on stderr, in one line.
    """
    try:
        with ended_in_order():
            code = _COMMANDS[args.records_command](args)
            sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = None  # the reader of the pipe has ended (`| head`): nothing is left to flush
        return GOOD
    except MemoryError as error:
        where = getattr(args, "files", None) or [getattr(args, "file", args.records_command)]
        return _failed(error if str(error) else MemoryError(f"{', '.join(where)}: {_TOO_LARGE}"))
    except ERRORS as error:
        return _failed(error)
    return code


_TOO_LARGE = "there is not enough memory"


def _failed(error: Exception) -> int:
    """Says in one line what is wrong; returns the exit code."""
    message = line_of(error) or _TOO_LARGE
    if isinstance(error, FileNotFoundError) and isinstance(error.filename, str):
        from tfqueue.records import suggestions

        message += suggestions.did_you_mean(error.filename)
    sys.stderr.write(f"tfqueue records: {message}\n")
    return DAMAGED if isinstance(error, DamagedRecordError) else UNUSABLE
