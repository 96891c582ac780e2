"""How `tfqueue records` shows what it found: for people, and as JSON."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from tfqueue.records.describe import FeatureSchema, Schema, looks_like
from tfqueue.records.framing import Report


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
        # JSON has no NaN and no infinity.
        return [item if np.isfinite(item) else str(item) for item in value.tolist()]
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


def printable(key: str) -> str:
    """A key as one line shows it.

    >>> printable("größe"), printable("a\\nb")
    ('größe', 'a\\\\nb')
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in key
    )


def record(item: Any) -> list[str]:
    """Lines that show one record, as `head` returns it."""
    if isinstance(item, bytes):
        return [f"  {_octets(item)}  (no Example)"]
    context, lists = item if isinstance(item, tuple) else (item, {})
    width = max((len(printable(key)) for key in (*context, *lists)), default=0)
    lines = [
        f"  {printable(key):{width}}  {_values(values)}" for key, values in sorted(context.items())
    ]
    for key, steps in sorted(lists.items()):
        lines.append(f"  {printable(key):{width}}  {plural(len(steps), 'step')}")
        lines += [f"  {'':{width}}    {_values(step)}" for step in steps[:3]]
        if len(steps) > 3:
            lines.append(f"  {'':{width}}    ... ({len(steps) - 3:,} more)")
    return lines


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
    entries: list[FeatureSchema] = [*found.features.values(), *found.feature_lists.values()]
    if not entries:
        return lines
    rows = [("key", "kind", "values", "bytes each", "steps", "in", "looks like")]
    for entry in sorted(entries, key=lambda entry: (entry.steps is not None, entry.key)):
        rows.append(
            (
                printable(entry.key),
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
    return [*lines, "", *found.code().splitlines()]


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
