"""What a recording holds, read and checked: nothing in it is run, and no path in it is opened."""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from tfqueue.recording import record_tf1

FORMAT = 1
_LONGEST_LINE = 1 << 31  # bytes; a step of a recording with data is one line


class RecordingError(ValueError):
    """A file that is no recording, or a damaged one. Its text is one line."""


@dataclasses.dataclass(frozen=True)
class Value:
    """What is kept of one value.

    Attributes:
        dtype: The dtype's name as TensorFlow calls it; ``"summary"`` of a serialized summary.
        shape: The shape.
        digest: The first 80 bits of the SHA-1 of its bytes, in hexadecimal digits.
        sample: Of floats, all values up to a size or a sample of them.
        moments: Of floats, minimum, maximum, sum and sum of squares of what is finite.
        tags: Of a summary, the tags of its values.
    """

    dtype: str
    shape: tuple[int, ...]
    digest: str
    sample: tuple[float, ...] = ()
    moments: tuple[float, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of elements."""
        size = 1
        for dimension in self.shape:
            size *= dimension
        return size


@dataclasses.dataclass(frozen=True)
class Rows:
    """The elements that one op took in a step.

    Attributes:
        rows: For each element the digests of its components.
        floats: From a float component's number to sum, minimum and maximum of each row.
        types: dtype and shape of each component.
    """

    rows: tuple[tuple[str, ...], ...]
    floats: dict[int, tuple[tuple[float, ...], ...]]
    types: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Take:
    """An op that takes elements.

    Attributes:
        order: ``"in order"`` where the program fixes the order, else ``"any"``.
        held: How many elements the queues before it can hold.
        line: ``file:line`` where the program made it, or an empty string.
    """

    order: str
    held: int
    line: str


@dataclasses.dataclass(frozen=True)
class Fetches:
    """What the program fetches in some of its steps.

    Attributes:
        names: The names of operations and tensors.
        types: The type of each one's op.
        lines: ``file:line`` where the program made each.
        sources: What each one's value depends on: ``variable:x``, ``taken:op``, ``drawn:op``,
            ``python:op``.
        takes: The ops that take elements.
        seeds: From the name of an op that draws to its two seeds and its line; a seed that
            TensorFlow counted is None.
        writes: From a variable's name to what its new value depends on.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    lines: tuple[str, ...]
    sources: tuple[frozenset[str], ...]
    takes: dict[str, Take]
    seeds: dict[str, tuple[int | None, int | None, str]]
    writes: dict[str, frozenset[str]]

    @property
    def tensors(self) -> list[int]:
        """The places of the tensors, which have values; operations have none."""
        return [place for place, name in enumerate(self.names) if ":" in name]


@dataclasses.dataclass(frozen=True)
class Step:
    """One step of the program's own.

    Attributes:
        fetches: What was fetched.
        values: The value of each fetched tensor.
        taken: From the name of an op to the elements that it took.
        fed: From a tensor's name to what the program fed.
        error: The name of the class of the exception that ended it, or None.
    """

    fetches: Fetches
    values: tuple[Value, ...]
    taken: dict[str, Rows]
    fed: dict[str, Value]
    error: str | None


@dataclasses.dataclass(frozen=True)
class TracedOp:
    """One op of the traced step.

    Attributes:
        name: Its name.
        type: Its type.
        inputs: The names of the tensors that it is given.
        line: ``file:line`` where the program made it, or an empty string.
        outputs: From an output's number to its value.
    """

    name: str
    type: str
    inputs: tuple[str, ...]
    line: str
    outputs: dict[int, Value]


@dataclasses.dataclass(frozen=True)
class File:
    """A file that the program wrote.

    Attributes:
        kind: ``"records"`` or ``"checkpoint"``.
        rows: The digests of its records.
        values: The variables of a checkpoint.
        error: The name of the class of the error with which it could not be read, or None.
    """

    kind: str
    rows: tuple[str, ...]
    values: dict[str, Value]
    error: str | None


@dataclasses.dataclass
class Recording:
    """A recording.

    Attributes:
        program: The program's path, or a module's name.
        is_module: Whether it is a module's name.
        arguments: The program's arguments.
        releases: TensorFlow's, tfqueue's, Python's and NumPy's, and the platform.
        has_data: Whether initial values, elements and draws are there whole.
        replayed: Whether it was made with the values of another one.
        steps: The program's steps in the main thread.
        others: How many steps other threads of the program ran.
        initial: The variables as they were first initialised.
        final: The variables at the end.
        sources: From a variable's name to what its first value depends on.
        lines: From a variable's name to ``file:line`` where the program made it.
        seeds: From the name of an op that draws to its two seeds and its line.
        trace: Every op of one step, inputs first; empty where none was asked for.
        files: From a path to the file that was written.
        error: The name of the class of the exception that ended the program, or None.
        status: The exit status.
    """

    program: str
    is_module: bool
    arguments: tuple[str, ...]
    releases: dict[str, str]
    has_data: bool
    replayed: bool
    steps: list[Step] = dataclasses.field(default_factory=list)
    others: int = 0
    initial: dict[str, Value] = dataclasses.field(default_factory=dict)
    final: dict[str, Value] = dataclasses.field(default_factory=dict)
    sources: dict[str, frozenset[str]] = dataclasses.field(default_factory=dict)
    seeds: dict[str, tuple[int | None, int | None, str]] = dataclasses.field(default_factory=dict)
    lines: dict[str, str] = dataclasses.field(default_factory=dict)
    trace: list[TracedOp] = dataclasses.field(default_factory=list)
    files: dict[str, File] = dataclasses.field(default_factory=dict)
    error: str | None = None
    status: int = 0


def read(path: str | os.PathLike[str]) -> Recording:
    """Reads a recording.

    Args:
        path: The file.

    Raises:
        OSError: If it cannot be opened.
        RecordingError: If it is no recording, is damaged, or is of a later format.
    """
    name = os.fspath(path)
    try:
        return _built(_events(name), name)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise RecordingError(f"{name}: damaged, or no recording") from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        if isinstance(error, RecordingError):
            raise
        raise RecordingError(f"{name}: damaged, or no recording") from None


def beginning(found: Recording, steps: int) -> Recording:
    """A recording's first steps; what stands at its end is left out.

    Args:
        found: The recording.
        steps: How many steps are kept.
    """
    if len(found.steps) <= steps:
        return found
    return dataclasses.replace(
        found, steps=found.steps[:steps], final={}, files={}, error="Enough", status=0
    )


def _events(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(name, "rb") as file:
        while line := file.readline(_LONGEST_LINE):
            event = json.loads(line)
            if not isinstance(event, dict):
                raise RecordingError(f"{name}: damaged, or no recording")
            yield event


def _built(events: Iterator[dict[str, Any]], name: str) -> Recording:
    start = next(events, {})
    if start.get("e") != "start":
        raise RecordingError(f"{name}: this is no recording")
    if start["format"] != FORMAT:
        raise RecordingError(
            f"{name}: its format is {start['format']!r}, this tfqueue reads {FORMAT}"
        )
    told = ("tensorflow", "tfqueue", "python", "numpy", "platform")
    found = Recording(
        program=str(start["program"]),
        is_module=bool(start["module"]),
        arguments=tuple(map(str, start["arguments"])),
        releases={key: str(start[key]) for key in told},
        has_data=bool(start["with_data"]),
        replayed=bool(start["replay"]),
    )
    fetches: dict[int, Fetches] = {}
    whole = False
    for event in events:
        kind = event["e"]
        if kind == "fetches":
            fetches[event["id"]] = known = _fetches(event)
            found.seeds.update(known.seeds)
            for variable, sources in known.writes.items():
                found.sources.setdefault(variable, sources)
        elif kind == "run":
            _add_step(found, event, fetches[event["fetches"]])
        elif kind == "variables":
            values = _values(event["values"])
            found.lines.update({str(k): str(v) for k, v in event["lines"].items()})
            if event["when"] == "end":
                found.final.update(values)
            else:
                for variable, value in values.items():
                    found.initial.setdefault(variable, value)
        elif kind == "trace":
            found.trace = [_traced(each) for each in event["ops"]]
        elif kind == "file":
            found.files[str(event["path"])] = _file(event)
        elif kind == "end":
            found.error, found.status = event["error"], int(event["status"])
            whole = True
    if not whole:
        raise RecordingError(f"{name}: it ends before the program did")
    return found


def _add_step(found: Recording, event: dict[str, Any], fetches: Fetches) -> None:
    if not event["main"]:
        found.others += 1
    if not event["step"]:
        return
    found.steps.append(
        Step(
            fetches=fetches,
            values=tuple(_value(each) for each in event.get("values", ())),
            taken={op: rows_of(each) for op, each in event.get("taken", {}).items()},
            fed=_values(event.get("fed", {})),
            error=event.get("error"),
        )
    )


def _value(event: dict[str, Any]) -> Value:
    return Value(
        dtype=str(event["t"]),
        shape=tuple(map(int, event["s"])),
        digest=str(event["h"]),
        sample=tuple(map(float, event.get("v", ()))),
        moments=tuple(map(float, event.get("m", ()))),
        tags=tuple(map(str, event.get("tags", ()))),
    )


def _values(event: dict[str, Any]) -> dict[str, Value]:
    return {str(name): _value(each) for name, each in event.items()}


def types_of(arrays: Sequence[Any], by_row: bool) -> tuple[str, ...]:
    """dtype and shape of the components of one element.

    Args:
        arrays: Its components, or those of a batch.
        by_row: Whether each array holds one element a row.
    """
    found = [record_tf1.as_array(array) for array in arrays]
    if by_row and not all(array.ndim for array in found):
        return ()
    shapes = [array.shape[1:] if by_row else array.shape for array in found]
    return tuple(
        f"{record_tf1.dtype_name(array)}{list(shape)}"
        for array, shape in zip(found, shapes, strict=True)
    )


def rows_of(event: dict[str, Any]) -> Rows:
    """What `record_tf1.rows_of` gives, as `Rows`.

    >>> rows_of(record_tf1.rows_of([[b"a", b"b"], [1.5, 2.5]], True)).floats[1][0]
    (1.5, 1.5, 1.5)
    """
    return Rows(
        rows=tuple(tuple(map(str, row)) for row in event["rows"]),
        floats={
            int(place): tuple(tuple(map(float, row)) for row in rows)
            for place, rows in event["floats"].items()
        },
        types=tuple(map(str, event["types"])),
    )


def _fetches(event: dict[str, Any]) -> Fetches:
    return Fetches(
        names=tuple(map(str, event["names"])),
        types=tuple(map(str, event["types"])),
        lines=tuple(map(str, event["lines"])),
        sources=tuple(frozenset(map(str, each)) for each in event["sources"]),
        takes={
            str(op): Take(str(each["order"]), int(each["held"]), str(each["line"]))
            for op, each in event["takes"].items()
        },
        seeds={str(op): (each[0], each[1], str(each[2])) for op, each in event["seeds"].items()},
        writes={str(name): frozenset(map(str, each)) for name, each in event["writes"].items()},
    )


def _traced(event: dict[str, Any]) -> TracedOp:
    return TracedOp(
        name=str(event["name"]),
        type=str(event["type"]),
        inputs=tuple(map(str, event["inputs"])),
        line=str(event["line"]),
        outputs={int(place): _value(each) for place, each in event["outputs"].items()},
    )


def _file(event: dict[str, Any]) -> File:
    return File(
        kind=str(event["kind"]),
        rows=tuple(map(str, event.get("rows", ()))),
        values=_values(event.get("values", {})),
        error=event.get("error"),
    )
