"""The page of a comparison: both runs' scalars as curves, elements as counts, what differs."""

from __future__ import annotations

import collections
import math
import os
from collections.abc import Sequence

from tfqueue.pages import charts, frame, words
from tfqueue.recording import comparison
from tfqueue.recording.outcome import Outcome
from tfqueue.recording.recording import Recording

_MOST_CURVES = 24
_MOST_ROWS = 200


def page(name: str, old: Recording, new: Recording, outcome: Outcome) -> str:
    """The page.

    Args:
        name: What the recording is called.
        new: What was recorded today.
        outcome: What the comparison found.

    Returns:
        HTML.
    """
    word = "The same" if outcome.same else "Different"
    style = "" if outcome.same else " bad"
    body = [
        f"<header><h1>{frame.text(os.path.basename(name))}</h1>",
        f'<p class="command">{frame.text(" ".join([old.program, *old.arguments]))}</p></header>',
        f'<p class="verdict{style}">{word}.</p>',
        _figures(outcome),
        _releases(old, new),
        _differences(outcome),
        _curves(old, new),
        _elements(old, new),
        _fetches(old, outcome),
        _not_compared(outcome),
    ]
    return frame.page(f"{os.path.basename(name)}: is it still the same?", body)


def _figures(outcome: Outcome) -> str:
    cells = [(kind, f"{count:,}") for kind, count in outcome.compared.items()]
    if outcome.largest.ulp:
        cells.append(("largest difference", f"{outcome.largest.ulp:,.0f} ulp"))
    shown = "".join(
        f"<div><dt>{frame.text(kind)}</dt><dd>{count}</dd></div>" for kind, count in cells
    )
    return f'<p>Compared, and the same:</p><dl class="figures">{shown}</dl>' if cells else ""


def _releases(old: Recording, new: Recording) -> str:
    head = "<tr><th></th><th>recorded</th><th>today</th></tr>"
    rows = [
        (key, old.releases[key] or "-", new.releases[key] or "-")
        for key in old.releases
        if old.releases[key] or new.releases[key]
    ]
    rows.append(("ended", _end(old), _end(new)))
    rows.append(("steps", f"{len(old.steps):,}", f"{len(new.steps):,}"))
    return _table(head, rows)


def _end(of: Recording) -> str:
    return f"{of.error or 'well'}, exit status {of.status}"


def _differences(outcome: Outcome) -> str:
    if outcome.same:
        return ""
    parts = []
    if outcome.first_op is not None:
        op = outcome.first_op
        line = f" at {op.line}" if op.line else ""
        about = f"{op.what}\nis  {op.new}\nwas {op.old}"
        parts.append(
            f'<div class="failure"><h3>The first op that differs{frame.text(line)}</h3>'
            f"<pre>{frame.text(about)}</pre></div>"
        )
    head = "<tr><th>step</th><th>what</th><th>line</th><th>was</th><th>is</th></tr>"
    rows = [
        ("" if each.step is None else str(each.step), each.what, each.line, each.old, each.new)
        for each in outcome.differences[:_MOST_ROWS]
    ]
    return "\n".join([*parts, "<h2>What differs</h2>", _table(head, rows, "wide words")])


def _curves(old: Recording, new: Recording) -> str:
    """Two curves for each scalar that steps fetched."""
    recorded, today = _scalars(old), _scalars(new)
    curves = [name for name, points in recorded.items() if len(points) > 1]
    others = {}  # by the recorded name, today's
    names = list(recorded), list(today)
    for before, after in comparison.pairs(*names):
        others[names[0][before]] = today[names[1][after]]
    figures = []
    for name in curves[:_MOST_CURVES]:
        lines = [
            ("today", "taken", others.get(name, [])),
            ("recorded", "fill", recorded[name]),
        ]
        values = [value for _, _, points in lines for _, value in points]
        last = max(at for _, _, points in lines for at, _ in points)
        shown = charts.chart(
            f"{name} by step",
            lines,
            (0, last),
            bottom=_bottom(values),
            label=_short,
            level=_short,
        )
        figures.append(f"<figure><figcaption>{frame.text(name)}</figcaption>{shown}</figure>")
    if not figures:
        return ""
    key = '<span class="key fill">recorded</span> <span class="key taken">today</span>'
    left = len(curves) - _MOST_CURVES
    more = f"<p>{left} more are not shown.</p>" if left > 0 else ""
    return f'<h2>Scalars by step {key}</h2><div class="charts">{"".join(figures)}</div>{more}'


def _bottom(values: Sequence[float]) -> float:
    """Where the axis begins: at nothing, unless that would lay the curves flat.

    >>> _bottom([0.5, 2.0]), _bottom([-1.0, 1.0]), round(_bottom([1.08, 1.1]), 3)
    (0.0, -1.0, 1.079)
    """
    low, high = min(values), max(values)
    if low < high < 2 * low or low < high <= low / 2:
        return low - (high - low) / 20
    return min(0.0, low)


def _short(value: float) -> str:
    return f"{value:g}"


def _scalars(of: Recording) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = collections.defaultdict(list)
    for number, step in enumerate(of.steps):
        for place, value in zip(step.fetches.tensors, step.values, strict=False):
            if value.size == 1 and value.sample and math.isfinite(value.sample[0]):
                found[step.fetches.names[place]].append((float(number), value.sample[0]))
    return found


def _elements(old: Recording, new: Recording) -> str:
    """How many elements each op gave, and how many of them are missing, new or doubled."""
    rows = []
    counts = [_counts(old), _counts(new)]
    today = comparison.same_takes(old.steps, new.steps)
    counts[1] = {today.get(name, name): found for name, found in counts[1].items()}
    nothing: collections.Counter[tuple[str, ...]] = collections.Counter()
    for name in sorted(counts[0].keys() | counts[1].keys()):
        one, other = (found.get(name, nothing) for found in counts)
        row = (
            name,
            f"{one.total():,}",
            f"{other.total():,}",
            f"{len(one):,}",
            f"{len(other):,}",
            f"{len(one.keys() - other.keys()):,}",
            f"{len(other.keys() - one.keys()):,}",
            _often(one),
            _often(other),
        )
        rows.append(row)
    if not rows:
        return ""
    head = (
        "<tr><th>taken by</th><th>recorded</th><th>today</th><th>different ones</th>"
        "<th>today</th><th>only recorded</th><th>only today</th><th>each so often</th>"
        "<th>today</th></tr>"
    )
    return f"<h2>Elements</h2>{_table(head, rows)}"


def _counts(of: Recording) -> dict[str, collections.Counter[tuple[str, ...]]]:
    found: dict[str, collections.Counter[tuple[str, ...]]] = {}
    for step in of.steps:
        for name, rows in step.taken.items():
            found.setdefault(name, collections.Counter()).update(rows.rows)
    return found


def _often(counts: collections.Counter[tuple[str, ...]]) -> str:
    if not counts:
        return "-"
    least, most = min(counts.values()), max(counts.values())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _fetches(old: Recording, outcome: Outcome) -> str:
    """The largest difference of each fetch that counts as the same."""
    if not outcome.by_fetch:
        return ""
    lines = {
        name: line
        for step in old.steps
        for name, line in zip(step.fetches.names, step.fetches.lines, strict=True)
    }
    rows = [
        (
            name,
            lines.get(name, ""),
            words.number(found.ulp),
            "" if found.step is None else str(found.step),
        )
        for name, found in sorted(outcome.by_fetch.items(), key=lambda each: -each[1].ulp)
    ]
    head = "<tr><th>what</th><th>line</th><th>largest difference, ulp</th><th>at step</th></tr>"
    return f"<h2>Differences that count as the same</h2>{_table(head, rows[:_MOST_ROWS])}"


def _not_compared(outcome: Outcome) -> str:
    if not outcome.not_compared:
        return ""
    rows = [(f"{count:,}", reason) for reason, count in outcome.not_compared.most_common()]
    head = "<tr><th>count</th><th>what and why</th></tr>"
    return f"<h2>Not compared</h2>{_table(head, rows)}"


def _table(head: str, rows: Sequence[tuple[str, ...]], style: str = "wide") -> str:
    body = "".join(
        "<tr>" + "".join(f'<td class="number">{frame.text(cell)}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f'<div class="{style}"><table>{head}{body}</table></div>'
