"""The page of a run: one file, no other needed to see it."""

import datetime
import html
import platform
import sys

from tfqueue.records import outputs
from tfqueue.watch import charts, words
from tfqueue.watch.log import rates, series
from tfqueue.watch.verdict import past, verdict

_MOST_SESSIONS = 20


class Report:
    """Writes the page at the end of a run.

    Args:
      path: The file.
      program: The program and its arguments, list of str; `sys.argv` when None.
    """

    def __init__(self, path, program=None):
        self._path = path
        self._program = program
        self._begun = datetime.datetime.now()
        # Now, not when a long run is over, is the time to say that it cannot be written.
        outputs.require_writable(path)

    def update(self, watch):
        """Nothing is written before the end."""

    def finish(self, watch):
        """Writes the page."""
        program = sys.argv if self._program is None else self._program
        text = page(watch, program, self._begun)
        outputs.write_whole(self._path, text.encode("utf-8", "backslashreplace"))


def page(watch, argv, begun):
    """The page for all that a watch has seen.

    Args:
      watch: The `Watch`.
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
        f"<header><h1>{_text(name)}</h1>",
        f'<p class="command">{_text(" ".join(argv))}</p>',
        f'<p class="facts">{" · ".join(map(_text, facts))}</p></header>',
    ]
    body += [_failure(failure, "It ended with") for failure in watch.failures]
    for each in seen[:_MOST_SESSIONS]:
        body.append(_session(each, watch, len(watch.sessions) > 1))
    if len(seen) > _MOST_SESSIONS:
        body.append(f"<p>{len(seen) - _MOST_SESSIONS} more sessions are left out.</p>")
    if not seen:
        body.append('<p class="verdict">No session with queues was seen.</p>')
    return _PAGE.format(title=_text(name), style=_STYLE, body="\n".join(body))


def _session(each, watch, several):
    log = each.log
    ended = log.ended if log.ended is not None else watch.clock()
    found = verdict(log, whole=True)
    parts = ['<section class="session">']
    if several:
        parts.append(f"<h2>Session {log.number}</h2>")
    if found is not None:
        said = past(found)
        said = said[0].upper() + said[1:]
        parts.append(f'<p class="verdict {found.kind}">{_text(said)}.</p>')
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


def _figures(log, ended):
    """The few numbers that matter most, large."""
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
    cells = "".join(f"<div><dt>{_text(k)}</dt><dd>{_text(v)}</dd></div>" for k, v in figures)
    return f'<dl class="figures">{cells}</dl>'


def _table(log):
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
        rows.append("".join(f'<td class="{style}">{_text(text)}</td>' for text, style in cells))
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


def _queue(log, place, ended):
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
        top=highest if highest > 0 else None,
        marks=marks,
        area=True,
    )
    parts = [
        f"<h3>{_text(place.short)}</h3>",
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


def _shares(shares):
    """What the threads that fill a queue spent their time on, as one bar."""
    if shares is None or not shares.work:
        return ""
    parts = [("reading", shares.reading)]
    parts += [(kind, seconds) for kind, seconds in shares.computing.most_common(5)]
    rest = shares.work - sum(seconds for _, seconds in parts)
    parts.append(("other ops", rest))
    parts = [(name, seconds / shares.work) for name, seconds in parts]
    parts = [(name, part) for name, part in parts if part >= 0.02]
    bars = "".join(
        f'<span class="part part{number}" style="flex:{part * 100:.1f}"></span>'
        for number, (_, part) in enumerate(parts)
    )
    keys = "".join(
        f'<li><span class="dot part{number}"></span>{_text(name)} {part:.0%}</li>'
        for number, (name, part) in enumerate(parts)
    )
    return (
        '<p class="caption">what its threads work on (traced steps)</p>'
        f'<div class="bar">{bars}</div><ul class="keys">{keys}</ul>'
    )


def _failure(failure, when):
    notes = "".join(f"<p>{_text(note)}</p>" for note in failure.notes)
    return (
        f'<div class="failure"><h3>{_text(when)} {_text(failure.kind)}</h3>'
        f"<pre>{_text(failure.text)}</pre>{notes}</div>"
    )


def _picture(each):
    """The pipeline as `tfqueue draw` shows it, with what was seen of each queue."""
    if each.pipeline is None:
        return ""
    from tfqueue import draw
    from tfqueue.graph.op_types import RequestedStep

    graph, leaves = each.pipeline.graph, each.leaves
    step = RequestedStep(graph, None, leaves, None, (), None) if leaves else None
    notes = {}
    for place in each.log.places.values():
        mean = _mean(each.log, place)
        if mean is not None:
            notes[place.name] = f"held {words.number(round(mean))} on average"
    shown = draw.as_html(each.pipeline, step=step, error=each.error, notes=notes)
    return f'<figure class="picture">{shown}</figure>'


def _mean(log, place):
    """How many elements a queue held on average, or None."""
    sizes = [s.levels[place.name].size for s in log.history if place.name in s.levels]
    sizes = [size for size in sizes if size is not None]
    return sum(sizes) / len(sizes) if sizes else None


def _text(text):
    return html.escape(str(text))


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: its queues</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""

_STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --text: #1f2933; --soft: #616e7c;
  --line: #e4e7eb; --card: #f7f9fb; --fill: #2b6cb0; --put: #2f855a; --taken: #c05621;
  --bad: #b42318; --badcard: #fef3f2; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14181d; --text: #e4e7eb; --soft: #9aa5b1; --line: #323f4b; --card: #1f262d;
    --fill: #63b3ed; --put: #68d391; --taken: #f6ad55; --bad: #fda29b; --badcard: #2d1a19; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 28px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 22px; margin: 36px 0 4px; }
h3 { font-size: 17px; margin: 30px 0 6px; overflow-wrap: anywhere; }
.command { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 14px;
  color: var(--soft); margin: 2px 0; overflow-wrap: anywhere; }
.facts, .caption { color: var(--soft); font-size: 14px; margin: 2px 0; }
.verdict { font-size: 20px; line-height: 1.4; font-weight: 600; margin: 22px 0 14px; }
.figures { display: flex; flex-wrap: wrap; gap: 12px; margin: 0 0 20px; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 10px 18px; }
dt { color: var(--soft); font-size: 13px; }
dd { margin: 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: left; color: var(--soft); font-weight: 500; }
th, td { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.number { font-variant-numeric: tabular-nums; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: 14px; margin-bottom: 4px; }
.picture { overflow-x: auto; margin: 20px 0; }
.picture svg { min-width: 640px; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 380px), 1fr));
  gap: 16px 28px; }
.charts svg { display: block; width: 100%; height: auto; overflow: visible; }
.charts svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.charts svg .grid { stroke: var(--line); }
.charts svg .mark { stroke: var(--soft); stroke-dasharray: 4 4; }
.charts svg polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
.charts svg .fill { stroke: var(--fill); }
.charts svg .put { stroke: var(--put); stroke-width: 6; opacity: 0.45; }
.charts svg .taken { stroke: var(--taken); }
.charts svg polygon.area { fill: var(--fill); opacity: 0.16; stroke: none; }
.key { margin-left: 10px; font-weight: 600; }
.key.put { color: var(--put); } .key.taken { color: var(--taken); }
.bar { display: flex; height: 14px; border-radius: 4px; overflow: hidden; gap: 1px;
  margin: 4px 0; }
.part { min-width: 2px; }
.keys { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 0; padding: 0;
  font-size: 14px; }
.dot { display: inline-block; width: 10px; height: 10px; border-radius: 5px; margin-right: 6px; }
.part0 { background: #2b6cb0; } .part1 { background: #dd6b20; } .part2 { background: #38a169; }
.part3 { background: #805ad5; } .part4 { background: #d69e2e; } .part5 { background: #b83280; }
.part6 { background: #a0aec0; }
.failure { background: var(--badcard); border-left: 4px solid var(--bad); border-radius: 4px;
  padding: 4px 18px 10px; margin: 18px 0; }
.failure h3 { color: var(--bad); margin-top: 10px; }
.failure p { margin: 6px 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 6px 0;
  font: 14px/1.45 ui-monospace, Menlo, Consolas, monospace; }
"""
