"""How `tfqueue records` shows what it found: for people, and as JSON."""

from __future__ import annotations

import base64
import heapq
import math
from typing import Any

import numpy as np

from tfqueue.output.printing import short
from tfqueue.records.framing import Report
from tfqueue.records.schemas import FeatureSchema, Schema, looks_like

_MOST = 1000  # keys of a record or a schema that are shown
_KEY = 100  # characters of a key that are shown


def plural(count: int, noun: str) -> str:
    """Such as `1 record`, `2,000 records`.

    >>> plural(2000, "record")
    '2,000 records'
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def size(count: int) -> str:
    """Bytes, for people.

    >>> size(999), size(2_500_000)
    ('999 B', '2.5 MB')
    """
    value, unit = float(count), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if value < 1000 or unit == "TB":
            break
        value /= 1000
    return f"{value:.0f} B" if unit == "B" else f"{value:.1f} {unit}"


def jsonable(value: Any) -> Any:
    """A decoded value for JSON: text as a string, other bytes as `{"base64": ...}`."""
    if isinstance(value, bytes):
        if looks_like(value) == "text":
            try:
                return value.decode("utf-8")
            except UnicodeDecodeError:  # only its beginning was looked at
                pass
        return {"base64": base64.b64encode(value).decode("ascii")}
    if isinstance(value, np.ndarray):
        if np.isfinite(value).all():
            return value.tolist()
        # JSON has no NaN and no infinity.
        return [item if math.isfinite(item) else str(item) for item in value.tolist()]
    if isinstance(value, dict):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    return value


def _octets(value: bytes) -> str:
    look = looks_like(value)
    if look == "text":
        text = value[:400].decode("utf-8", "replace")
        return repr(text if len(value) <= 60 else text[:57] + "...")
    return f"<{size(len(value))}{'' if look == 'raw' else ', ' + look}>"


def _values(values: Any) -> str:
    if isinstance(values, np.ndarray):
        shown = [
            f"{item:.6g}" if isinstance(item, float) else str(item) for item in values[:8].tolist()
        ]
    else:
        shown = [_octets(item) for item in values[:4]]
    if len(values) == 1:
        return shown[0]
    more = len(values) - len(shown)
    tail = f", ... ({more:,} more)" if more else ""
    return f"[{', '.join(shown)}{tail}]"


def record(item: Any) -> list[str]:
    """Lines that show one record, as `head` returns it."""
    if isinstance(item, bytes):
        return [f"  {_octets(item)}  (no Example)"]
    context, lists = item if isinstance(item, tuple) else (item, {})
    shown = [(key, values, False) for key, values in sorted(context.items(), key=_by_key)]
    shown += [(key, steps, True) for key, steps in sorted(lists.items(), key=_by_key)]
    more, shown = len(shown) - _MOST, shown[:_MOST]
    width = max((len(short(key, _KEY)) for key, *_ in shown), default=0)
    lines = []
    for key, values, many in shown:
        start = f"  {short(key, _KEY):{width}}"
        if not many:
            lines.append(f"{start}  {_values(values)}")
            continue
        lines.append(f"{start}  {plural(len(values), 'step')}")
        lines += [f"  {'':{width}}    {_values(step)}" for step in values[:3]]
        if len(values) > 3:
            lines.append(f"  {'':{width}}    ... ({len(values) - 3:,} more)")
    return lines if more <= 0 else [*lines, f"  ... ({plural(more, 'more key')})"]


def _by_key(pair: tuple[str, Any]) -> str:
    return pair[0]


def _span(span: tuple[int, int] | None) -> str:
    if span is None:
        return "-"
    return f"{span[0]:,}" if span[0] == span[1] else f"{span[0]:,}..{span[1]:,}"


def schema(found: Schema) -> list[str]:
    """Lines that show a schema: what was found, then what to paste."""
    parts = [
        plural(number, noun)
        for number, noun in (
            (found.examples, "Example"),
            (found.sequences, "SequenceExample"),
            (found.others, "other record"),
        )
        if number
    ]
    lines = [", ".join(parts) or "no record"]
    if found.records < found.read:
        lines[0] += f" looked at, of {plural(found.read, 'record')}; --all looks at every one"
    count = len(found.features) + len(found.feature_lists)
    if not count:
        return lines
    rows = [("key", "kind", "values", "bytes each", "steps", "in", "looks like")]
    for entry in _first(found):
        rows.append(
            (
                short(entry.key, _KEY),
                entry.kind,
                _span(entry.lengths),
                _span(entry.sizes),
                _span(entry.steps),
                _percent(found.share(entry)),
                ", ".join(sorted(entry.looks)),
            )
        )
    kept = [
        column
        for column in zip(*rows, strict=True)
        if any(cell not in ("-", "") for cell in column[1:])
    ]
    widths = [max(map(len, column)) for column in kept]
    lines.append("")
    for row in zip(*kept, strict=True):
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
    if count > _MOST:
        lines.append(f"... ({plural(count - _MOST, 'more key')}; --json lists all)")
    return [*lines, "", *found.code(most=_MOST).splitlines()]


def _first(found: Schema) -> list[FeatureSchema]:
    """What is shown of a schema's keys: the features by key, then the feature lists."""
    shown: list[FeatureSchema] = []
    for entries in (found.features, found.feature_lists):
        keys = heapq.nsmallest(_MOST - len(shown), entries)
        shown += [entries[key] for key in keys]
    return shown


def _percent(share: float) -> str:
    # Never 100 % for a key that a record lacks, never 0 % for one that is there.
    return "100%" if share == 1 else f"{min(max(share * 100, 0.01), 99.99):.4g}%"


def report(found: Report) -> str:
    """The line that shows a file's verification."""
    if found.good:
        kind = f", {found.compression}" if found.compression else ""
        return f"{found.path}: good, {plural(found.records, 'record')}, {size(found.bytes)}{kind}"
    line = (
        f"{found.path}: DAMAGED at byte {found.first_bad}, "
        f"after {plural(found.records, 'good record')}: {found.reason}"
    )
    if found.trailing_bytes is None:
        return line
    return f"{line} ({plural(found.trailing_bytes, 'byte')} from there to the end)"
