"""What a recording holds, read and checked: nothing in it is run, and no path in it is opened."""

from __future__ import annotations

import dataclasses
import gzip
import json
import math
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tfqueue.recording import record_tf1

FORMAT = 1
_LONGEST_LINE = 1 << 29  # bytes; a step of a recording with data is one line
# What few bytes may become: a recording is digests for the most part, which do not compress.
_MOST_FROM_NOTHING = 1 << 26
_MOST_FROM_ONE = 300
_OF_DAMAGE = (
    EOFError,
    gzip.BadGzipFile,
    zlib.error,
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    IndexError,
    ArithmeticError,
    RecursionError,
)


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
        moments: Of more than one float, minimum, maximum and sums of the first, second and fourth powers
            of what is finite, how many are not finite, and a sum whose weights are the places'; early
            recordings lack the last.
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
        return math.prod(self.shape)


@dataclasses.dataclass(frozen=True)
class Rows:
    """The elements that one op took in a step.

    Attributes:
        rows: For each element the digests of its components.
        floats: From a float component's number to sum, minimum and maximum of each row.
        types: dtype and shape of each component.
        places: From a float component's number to a sum whose weights are the places', and the sum of
            absolute values, of each row; early recordings lack it.
    """

    rows: tuple[tuple[str, ...], ...]
    floats: dict[int, tuple[tuple[float, ...], ...]]
    types: tuple[str, ...]
    places: dict[int, tuple[tuple[float, ...], ...]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Take:
    """An op that takes elements.

    Attributes:
        planned: What the graph leaves open: ``"shared"`` where other ops of the step take from the
            same queue, else one of `record_tf1.ORDERS`.
        held: How many elements the queues before it can hold.
        line: ``file:line`` where the program made it, or an empty string.
        is_mixed: Whether several threads put in elements, counting those that the program started
            itself; how many of these have done so by the end may be chance.
    """

    planned: str
    held: int
    line: str
    is_mixed: bool = False

    @property
    def order(self) -> str:
        """What was left open in this run: as `planned`, or ``"which"`` because of the threads."""
        return "which" if self.is_mixed and self.planned in ("in order", "any") else self.planned


class Seeds(NamedTuple):
    """The seeds of an op that draws."""

    first: int
    """The graph's seed, or TensorFlow's own where the graph has none."""
    second: int | None
    """The op's seed; None where TensorFlow derived it from the number of ops."""
    line: str
    """``file:line`` where the program made the op."""
    number: int | None
    """The op's seed, derived or not; None in older recordings."""


@dataclasses.dataclass(frozen=True)
class Fetches:
    """What the program fetches in some of its steps.

    Attributes:
        names: The names of operations and tensors.
        lines: ``file:line`` where the program made each.
        sources: What each one's value depends on: ``variable:x``, ``taken:op``, ``drawn:op``,
            ``python:op``.
        takes: The ops that take elements.
        seeds: From the name of an op that draws to its `Seeds`.
        writes: From a variable's name to what its new value depends on.
    """

    names: tuple[str, ...]
    lines: tuple[str, ...]
    sources: tuple[frozenset[str], ...]
    takes: dict[str, Take]
    seeds: dict[str, Seeds]
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
        timed: Whether time decided that it was saved, and so at which step.
        error: The name of the class of the error with which it could not be read, or None.
    """

    kind: str
    rows: tuple[str, ...]
    values: dict[str, Value]
    timed: bool
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
        by_threads: The variables that queue runners change, such as a count of epochs.
        lines: From a variable's name to ``file:line`` where the program made it.
        seeds: From the name of an op that draws to its `Seeds`.
        trace: Every op of the first initialisation and of one step, inputs first; empty where none was
            asked for.
        data_steps: For how many steps data are there whole; None for all.
        files: From a path to the file that was written.
        error: The name of the class of the exception that ended the program, or None.
        status: The exit status.
        line: ``file:line`` of the program where that exception stood, or an empty string.
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
    seeds: dict[str, Seeds] = dataclasses.field(default_factory=dict)
    lines: dict[str, str] = dataclasses.field(default_factory=dict)
    by_threads: set[str] = dataclasses.field(default_factory=set)
    trace: list[TracedOp] = dataclasses.field(default_factory=list)
    files: dict[str, File] = dataclasses.field(default_factory=dict)
    data_steps: int | None = None
    error: str | None = None
    status: int = 0
    line: str = ""


def read(path: str | os.PathLike[str]) -> Recording:
    """Reads a recording.

    Raises:
        OSError: If it cannot be opened.
        RecordingError: If it is no recording, is damaged, or is of a later format.
    """
    name = os.fspath(path)
    try:
        return _built(_events(name), name)
    except RecordingError:
        raise
    except _OF_DAMAGE:
        raise RecordingError(f"{name}: damaged, or no recording") from None


def beginning(found: Recording, steps: int) -> Recording:
    """A recording's first steps; what stands at its end is left out.

    Args:
        steps: How many steps are kept.
    """
    if len(found.steps) <= steps:
        return found
    return dataclasses.replace(
        found, steps=found.steps[:steps], final={}, files={}, error="Enough", status=0
    )


def steps_of(found: Recording, steps: int | None, replay: bool) -> int | None:
    """How many steps are compared: no more than wanted, and replayed no more than there are data for.

    Where the recorder ended the program, after so many steps as it was told, no more than these.

    Args:
        steps: How many are wanted, or None for all.
        replay: Whether its data are replayed.
    """
    kept = found.data_steps if replay else None
    ended = len(found.steps) if found.error == "Enough" else None
    return min((each for each in (steps, kept, ended) if each is not None), default=None)


def _events(name: str) -> Iterator[dict[str, Any]]:
    left = _MOST_FROM_NOTHING + _MOST_FROM_ONE * os.path.getsize(name)
    with gzip.open(name, "rb") as file:
        while line := file.readline(min(left, _LONGEST_LINE)):
            left -= len(line)
            event = json.loads(line)
            if not isinstance(event, dict):
                raise ValueError("an event is an object")
            yield event


def _built(events: Iterator[dict[str, Any]], name: str) -> Recording:
    start = next(events, {})
    if start.get("e") != "start":
        raise RecordingError(f"{name}: this is no recording")
    if start["format"] != FORMAT:
        told = str(start["format"])[:20]
        raise RecordingError(f"{name}: its format is {told!r}, this tfqueue reads {FORMAT}")
    found = _started(start)
    fetches: dict[int, Fetches] = {}
    whole = False
    for event in events:
        if event["e"] == "fetches":
            fetches[int(event["id"])] = known = _fetches(event)
            found.seeds.update(known.seeds)
            for variable, sources in known.writes.items():
                found.sources.setdefault(variable, sources)
        elif event["e"] == "run":
            _add_step(found, event, fetches[event["fetches"]])
        elif event["e"] == "end":
            found.error, found.status = _error(event), int(event["status"])
            found.line = str(event["line"])
            _free(list(map(str, event.get("free", ()))), fetches.values())
            whole = True
        else:
            _add(found, event)
    if not whole:
        raise RecordingError(f"{name}: it ends before the program did")
    return found


def _free(names: Sequence[str], fetches: Iterable[Fetches]) -> None:
    """Takes back that the order of some ops is fixed: threads that came later put in elements too."""
    for known in fetches:
        for name in known.takes.keys() & set(names):
            known.takes[name] = dataclasses.replace(known.takes[name], is_mixed=True)


def _started(event: dict[str, Any]) -> Recording:
    told = ("tensorflow", "tfqueue", "python", "numpy", "platform")
    if "generators" in event:
        _check_generators(**event["generators"])
    return Recording(
        program=str(event["program"]),
        is_module=bool(event["module"]),
        arguments=tuple(map(str, event["arguments"])),
        releases={key: str(event[key]) for key in told},
        has_data=bool(event["with_data"]),
        replayed=bool(event["replay"]),
    )


def _check_generators(*, numpy: Sequence[Any], python: Sequence[Any]) -> None:
    """Raises ValueError where a replay could not set these states."""
    name, keys, place, has_gauss, gauss = numpy
    version, state, next_gauss = python
    whole = [*keys, *state, place, has_gauss, version]
    if not (
        name == "MT19937"
        and version == 3
        and (len(keys), len(state)) == (624, 625)
        and all(type(each) is int and 0 <= each < 1 << 32 for each in whole)
        and place <= 624
        and state[-1] <= 624
        and isinstance(gauss, float)
        and isinstance(next_gauss, float | None)
    ):
        raise ValueError("no state of a generator")


def _add(found: Recording, event: dict[str, Any]) -> None:
    """Adds what an event says that is no step."""
    kind = event["e"]
    if kind == "variables":
        values = _values(event["values"])
        found.by_threads.update(map(str, event["threads"]))
        found.lines.update({str(k): str(v) for k, v in event["lines"].items()})
        for value in event.get("data", {}).values():
            _check_data(value)
        if event["when"] == "end":
            found.final.update(values)
        else:
            for variable, value in values.items():
                found.initial.setdefault(variable, value)
    elif kind == "trace":
        found.trace.extend(map(_traced, event["ops"]))
    elif kind == "file":
        found.files[str(event["path"])] = _file(event)
    elif kind == "no more data":
        found.data_steps = int(event["steps"])
    else:
        raise ValueError("an event of a later format")


def _add_step(found: Recording, event: dict[str, Any], fetches: Fetches) -> None:
    if not event["main"]:
        found.others += 1
    if not event["step"]:
        return
    step = Step(
        fetches=fetches,
        values=tuple(_value(each) for each in event.get("values", ())),
        taken={str(op): rows_of(each) for op, each in event.get("taken", {}).items()},
        fed=_values(event.get("fed", {})),
        error=_error(event),
    )
    if not step.taken.keys() <= fetches.takes.keys():
        raise ValueError("an op that takes nothing has taken an element")
    for values in event.get("data", {}).values():
        for value in values:
            _check_data(value)
    found.steps.append(step)


def _error(event: dict[str, Any]) -> str | None:
    error = event.get("error")
    return None if error is None else str(error)


def _check_data(event: dict[str, Any]) -> None:
    """Raises ValueError where a value that is kept whole is not what it says."""
    size = math.prod(_shape(event))
    if event["t"] == "string":
        right = len(event["b"]) == size and all(isinstance(item, str) for item in event["b"])
    else:
        # bfloat16 is no dtype of NumPy's own; TensorFlow brings it, which is not imported here.
        width = 2 if event["t"] == "bfloat16" else np.dtype(str(event["t"])).itemsize
        right = len(event["b"]) == -(-size * width // 3) * 4
    if not right:
        raise ValueError("the data are not of their shape")


def _shape(event: dict[str, Any]) -> tuple[int, ...]:
    shape = tuple(map(int, event["s"]))
    if len(shape) > 254 or any(not 0 <= each < 1 << 48 for each in shape):
        raise ValueError("no shape of TensorFlow's")
    return shape


def _value(event: dict[str, Any]) -> Value:
    moments = tuple(map(float, event.get("m", ())))
    if len(moments) not in (0, 6, 7):
        raise ValueError("moments are seven, in early recordings six")
    return Value(
        dtype=str(event["t"]),
        shape=_shape(event),
        digest=str(event["h"]),
        sample=tuple(map(float, event.get("v", ()))),
        moments=moments,
        tags=tuple(map(str, event.get("tags", ()))),
    )


def _values(event: dict[str, Any]) -> dict[str, Value]:
    return {str(name): _value(each) for name, each in event.items()}


def types_of(arrays: Sequence[Any], by_row: bool) -> tuple[str, ...]:
    """The dtype and the shape of the components of one element.

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

    Raises:
        ValueError: If its parts do not fit together.

    >>> rows_of(record_tf1.rows_of([[b"a", b"b"], [1.5, 2.5]], True)).floats[1][0]
    (1.5, 1.5, 1.5)
    """
    found = Rows(
        rows=tuple(tuple(map(str, row)) for row in event["rows"]),
        floats=_sums(event["floats"]),
        types=tuple(map(str, event["types"])),
        places=_sums(event.get("places", {})),
    )
    if any(len(row) != len(found.types) for row in found.rows) or any(
        len(rows) != len(found.rows) or not all(len(row) in lengths for row in rows)
        for sums, lengths in ((found.floats, (3, 4)), (found.places, (2,)))
        for rows in sums.values()
    ):
        raise ValueError("elements that do not fit together")
    return found


def _sums(event: dict[str, Any]) -> dict[int, tuple[tuple[float, ...], ...]]:
    return {
        int(place): tuple(tuple(map(float, row)) for row in rows) for place, rows in event.items()
    }


def _fetches(event: dict[str, Any]) -> Fetches:
    found = Fetches(
        names=tuple(map(str, event["names"])),
        lines=tuple(map(str, event["lines"])),
        sources=tuple(frozenset(map(str, each)) for each in event["sources"]),
        takes={
            str(op): Take(str(each["order"]), int(each["held"]), str(each["line"]))
            for op, each in event["takes"].items()
        },
        seeds={
            str(op): Seeds(int(each[0]), _seed(each[1]), str(each[2]), _seed((*each, None)[3]))
            for op, each in event["seeds"].items()
        },
        writes={str(name): frozenset(map(str, each)) for name, each in event["writes"].items()},
    )
    if not len(found.names) == len(found.lines) == len(found.sources):
        raise ValueError("fetches that do not fit together")
    return found


def _seed(found: Any) -> int | None:
    return None if found is None else int(found)


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
        timed=bool(event["timed"]),
        error=_error(event),
    )
