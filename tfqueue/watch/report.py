"""The HTML page of a run, in one file."""

from __future__ import annotations

import datetime
import heapq
import os
import platform
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfqueue.output import files
from tfqueue.pages import charts, frame, words
from tfqueue.watch.bottleneck import bottleneck, past
from tfqueue.watch.log import rates, series

if TYPE_CHECKING:
    from tfqueue.watch.counts import Place
    from tfqueue.watch.log import Failure, SessionLog
    from tfqueue.watch.shares import Shares
    from tfqueue.watch.watcher import Watch, WatchedSession

_MOST_SESSIONS = 20


class Report:
    """Writes the page at the end of a run.

    Args:
        path: The file.
        program: The program and its arguments, list of str; `sys.argv` when None.
    """

    def __init__(self, path: str | os.PathLike[str], program: Sequence[str] | None = None) -> None:
        self._path = path
        self._program = program
        self._begun = datetime.datetime.now()
        # If it cannot be written, that is said before the run and not after it.
        files.require_writable(path)

    def update(self, watch: Watch) -> None:
        """Nothing is written before the end."""

    def finish(self, watch: Watch) -> None:
        """Writes the page."""
        program = sys.argv if self._program is None else self._program
        text = page(watch, program, self._begun)
        files.write_whole(self._path, text.encode("utf-8", "backslashreplace"))


def page(watch: Watch, argv: Sequence[str], begun: datetime.datetime) -> str:
    """The page of a watch.

    Args:
        argv: The program and its arguments.
        begun: When it began, a `datetime`.

    Returns:
        HTML, as str.
    """
    seen = [each for each in watch.sessions if each.log.places and each.log.history]
    name = argv[0].rpartition("/")[2] if argv and argv[0] else "a program"
    tensorflow = sys.modules.get("tensorflow")
    facts = [
        begun.strftime("%Y-%m-%d %H:%M"),
        words.duration(watch.clock()),
        f"TensorFlow {tensorflow.__version__}" if tensorflow is not None else "no TensorFlow",
        f"Python {platform.python_version()}",
    ]
    if watch.broken is not None:
        facts.append(f"the watch failed: {type(watch.broken).__name__}: {watch.broken}")
    body = [
        f"<header><h1>{frame.text(name)}</h1>",
        f'<p class="command">{frame.text(" ".join(argv))}</p>',
        f'<p class="facts">{" · ".join(map(frame.text, facts))}</p></header>',
    ]
    body += [_failure(failure, "It ended with") for failure in watch.failures]
    for each in seen[:_MOST_SESSIONS]:
        body.append(_session(each, watch, len(watch.sessions) > 1))
    if len(seen) > _MOST_SESSIONS:
        body.append(f"<p>{len(seen) - _MOST_SESSIONS} more sessions are left out.</p>")
    if not seen:
        body.append('<p class="verdict">No session with queues was seen.</p>')
    return frame.page(f"{name}: its queues", body)


def _session(each: WatchedSession, watch: Watch, several: bool) -> str:
    log = each.log
    ended = log.ended if log.ended is not None else watch.clock()
    found = bottleneck(log, whole=True)
    parts = ['<section class="session">']
    if several:
        parts.append(f"<h2>Session {log.number}</h2>")
    if found is not None:
        said = past(found)
        said = said[0].upper() + said[1:]
        parts.append(f'<p class="verdict {found.kind}">{frame.text(said)}.</p>')
    parts.append(_figures(log, ended))
    told = {(failure.kind, failure.text) for failure in watch.failures}
    for failure in log.errors:
        if (failure.kind, failure.text) not in told:
            told.add((failure.kind, failure.text))
            parts.append(_failure(failure, f"After {words.duration(failure.at - log.began)}:"))
    parts.append(_picture(each))
    parts.append(_table(log))
    for place in log.places.values():
        parts.append(_queue(log, place, ended))
    return "\n".join([*parts, "</section>"])


def _figures(log: SessionLog, ended: float) -> str:
    """The most important numbers, in large type."""
    figures = [("ran for", words.duration(ended - log.began))]
    if log.first_batch is not None:
        figures.append(("first batch after", words.duration(log.first_batch)))
    for place in log.places.values():
        _, taken = log.totals(place.name)
        if place.by_steps and taken is not None:
            figures.append((f"taken from {place.short}", f"{taken:,}"))
            mean = rates(log.history, place.name)
            if mean is not None:
                figures.append(("on average", words.rate(mean.taken)))
            break
    cells = "".join(
        f"<div><dt>{frame.text(k)}</dt><dd>{frame.text(v)}</dd></div>" for k, v in figures
    )
    return f'<dl class="figures">{cells}</dl>'


def _table(log: SessionLog) -> str:
    rows = []
    for place in log.places.values():
        put, taken = log.totals(place.name)
        mean = _mean(log, place)
        by = (
            f"{place.threads} thread{'s' if place.threads != 1 else ''}"
            if place.threads
            else "hand"
        )
        cells = [
            (place.name, ""),
            (place.kind, ""),
            (by, ""),
            (f"{place.capacity:,}" if place.capacity >= 0 else "no limit", "number"),
            (f"{place.reserve:,}" if place.reserve else "", "number"),
            (words.number(round(mean, 1)) if mean is not None else "", "number"),
            (f"{put:,}" if put is not None else "", "number"),
            (f"{taken:,}" if taken is not None else "", "number"),
        ]
        rows.append(
            "".join(f'<td class="{style}">{frame.text(text)}</td>' for text, style in cells)
        )
    head = "".join(
        f"<th>{name}</th>"
        for name in (
            "queue",
            "kind",
            "filled by",
            "capacity",
            "kept back",
            "mean fill",
            "in",
            "out",
        )
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def _queue(log: SessionLog, place: Place, ended: float) -> str:
    began = log.began
    seconds = (0.0, ended - began)
    fill, put, taken = (
        [(at - began, value) for at, value in points] for points in series(log, place.name)
    )
    marks = [("capacity", place.capacity)] if place.capacity > 0 else []
    if place.reserve:
        marks.append(("min_after_dequeue", place.reserve))
    highest = max([place.capacity, *(size for _, size in fill)])
    shown = charts.chart(
        f"elements in {place.name}",
        [("elements", "fill", fill)],
        seconds,
        top=highest,
        marks=marks,
        area=True,
    )
    parts = [
        f"<h3>{frame.text(place.short)}</h3>",
        '<div class="charts">',
        f"<figure><figcaption>elements in the queue</figcaption>{shown}</figure>",
    ]
    if put:
        lines = [("in", "put", put), ("out", "taken", taken)]
        flow = charts.chart(f"elements a second, {place.name}", lines, seconds)
        key = '<span class="key put">in</span> <span class="key taken">out</span>'
        parts.append(f"<figure><figcaption>elements a second {key}</figcaption>{flow}</figure>")
    parts.append("</div>")
    parts.append(_shares(log.shares_of_run.get(place.name)))
    return "\n".join(parts)


def _shares(shares: Shares | None) -> str:
    """What the threads that fill a queue spent their time on, as one bar."""
    if shares is None or not shares.work:
        return ""
    parts = [("reading", shares.reading)]
    parts += [
        (kind, seconds)
        for kind, seconds in heapq.nlargest(5, shares.computing.items(), key=lambda each: each[1])
    ]
    rest = shares.work - sum(seconds for _, seconds in parts)
    parts.append(("other ops", rest))
    parts = [(name, seconds / shares.work) for name, seconds in parts]
    parts = [(name, part) for name, part in parts if part >= 0.02]
    bars = "".join(
        f'<span class="part part{number}" style="flex:{part * 100:.1f}"></span>'
        for number, (_, part) in enumerate(parts)
    )
    keys = "".join(
        f'<li><span class="dot part{number}"></span>{frame.text(name)} {part:.0%}</li>'
        for number, (name, part) in enumerate(parts)
    )
    return (
        '<p class="caption">what its threads work on (traced steps)</p>'
        f'<div class="bar">{bars}</div><ul class="keys">{keys}</ul>'
    )


def _failure(failure: Failure, when: str) -> str:
    notes = "".join(f"<p>{frame.text(note)}</p>" for note in failure.notes)
    return (
        f'<div class="failure"><h3>{frame.text(when)} {frame.text(failure.kind)}</h3>'
        f"<pre>{frame.text(failure.text)}</pre>{notes}</div>"
    )


def _picture(each: WatchedSession) -> str:
    """The pipeline as `tfqueue draw` shows it, with what was seen of each queue."""
    if each.pipeline is None:
        return ""
    from tfqueue import draw
    from tfqueue.graph.op_types import StepRequest

    graph, leaves = each.pipeline.graph, each.leaves
    step = StepRequest(graph, None, leaves, None, (), None) if leaves else None
    notes = {}
    for place in each.log.places.values():
        mean = _mean(each.log, place)
        if mean is not None:
            notes[place.name] = f"held {words.number(round(mean))} on average"
    shown = draw.as_html(each.pipeline, step=step, error=each.error, notes=notes)
    return f'<figure class="picture">{shown}</figure>'


def _mean(log: SessionLog, place: Place) -> float | None:
    """How many elements a queue held on average, or None."""
    found = [s.levels[place.name].size for s in log.history if place.name in s.levels]
    sizes = [size for size in found if size is not None]
    return sum(sizes) / len(sizes) if sizes else None
