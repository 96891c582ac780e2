"""Which queue or step limits a pipeline, and why, in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tfqueue.watch.counts import Level, Place
    from tfqueue.watch.log import Sample, SessionLog
    from tfqueue.watch.shares import Shares

_OFTEN = 0.5
"""Share of the samples above which a state is taken for the usual one."""
_SELDOM = 0.2
_FULL = 0.75
"""How full a queue is of what it can hold beyond its reserve, to count as full."""
_RECENT_SECONDS = 10.0


@dataclasses.dataclass(frozen=True)
class Bottleneck:
    """What holds a pipeline back.

    Attributes:
        kind: `step`, `reading`, `parsing`, `feeding`, `balanced`, `filling`, `idle`, `failed` or
            `ended`.
        sentence: One sentence.
        queue: Name of the queue it is about, or None.
    """

    kind: str
    sentence: str
    queue: str | None = None


def is_full(place: Place, level: Level) -> bool:
    """Whether the queue is full, or nearly so: enqueue ops wait for room."""
    if place.capacity < 0 or level.size is None:
        return False
    return level.size - place.reserve >= _FULL * (place.capacity - place.reserve)


def is_starved(place: Place, level: Level) -> bool:
    """Whether a step or a runner waits for elements of the queue."""
    if level.size is None:
        return False
    if place.by_steps:
        return level.wanted > 0 and level.size <= place.reserve
    return level.size <= place.reserve


def state(log: SessionLog, place: Place) -> str:
    """Who waits at a queue, and for what, in a few words; empty where nobody waits.

    Args:
        place: The queue's `Place`.
    """
    level = log.last(place.name)
    if level is None:
        return ""
    failure = next((f for f in log.errors if f.queue == place.name), None)
    if failure is not None:
        return f"failed: {failure.kind}"
    takers = [other.short for other in log.places.values() if place.name in other.upstream]
    if place.threads and not log.working.get(place.name, True):
        return "all is read" if level.size else "at its end"
    if is_starved(place, level):
        if place.by_steps:
            return f"step waits for {level.wanted:,}"
        return f"{_and(takers)} waits" if takers else "empty"
    if is_full(place, level):
        many = "1 thread waits" if place.threads == 1 else f"{place.threads} threads wait"
        return f"full: {many}" if place.threads else "full: feeders wait"
    return ""


def bottleneck(log: SessionLog, whole: bool = False) -> Bottleneck | None:
    """What holds the pipeline of a session back.

    Args:
        whole: Whether to judge by all of the run, in place of the last seconds.

    Returns:
        A `Bottleneck`, or None where no step takes from a queue.
    """
    if log.errors and not whole:
        failure = log.errors[0]
        return Bottleneck("failed", f"{failure.kind}: {failure.text}", failure.queue)
    ends = [place for place in log.places.values() if place.by_steps]
    if not ends or not log.recent:
        return None
    now = log.recent[-1].at
    samples = log.history if whole else [s for s in log.recent if now - s.at <= _RECENT_SECONDS]
    if log.first_batch_at is not None:  # before, the queues fill up, whatever limits the pipeline
        samples = [s for s in samples if s.at >= log.first_batch_at] or samples[-1:]
    # Of several queues that steps take from, the one that is empty most often limits them.
    place = max(ends, key=lambda each: _share(samples, each, is_starved))
    starved = _share(samples, place, is_starved)
    level = log.last(place.name)
    if not whole:
        early = _early(log, place, level)
        if early is not None:
            return early
    if starved >= _OFTEN:
        shares = log.shares_of_run if whole else log.shares
        return _upstream(log, place, samples, shares)
    if starved <= _SELDOM and _share(samples, place, is_full) >= _OFTEN:
        share = _share(samples, place, is_full)
        text = f"the training step holds it back: {place.short} was full {share:.0%} of the time"
        return Bottleneck("step", text, place.name)
    if _asked(samples, place):
        text = (
            f"input and training step keep pace: {place.short} was empty {starved:.0%} of the time"
        )
        return Bottleneck("balanced", text, place.name)
    return Bottleneck("idle", f"no step takes from {place.short} just now", place.name)


def past(found: Bottleneck) -> str:
    """The sentence of a `Bottleneck` on a run that is over."""
    sentence = found.sentence.replace("holds it back", "held it back").replace(" takes ", " took ")
    return sentence.replace("keep pace", "kept pace")


def _early(log: SessionLog, place: Place, level: Level | None) -> Bottleneck | None:
    if level is None or level.size is None:
        return None
    if place.threads and not log.working.get(place.name, True):
        what = f"{level.size:,} elements are left in" if level.size else "nothing is left in"
        return Bottleneck("ended", f"all is read; {what} {place.short}", place.name)
    need = place.reserve + max(level.wanted, 1)
    if log.first_batch is None and level.wanted and level.size < need and place.reserve:
        text = f"{place.short} fills up: {level.size:,} of the {need:,} that a first batch needs"
        return Bottleneck("filling", text, place.name)
    return None


def _upstream(
    log: SessionLog,
    place: Place,
    samples: Sequence[Sample],
    shares: Mapping[str, Shares],
) -> Bottleneck:
    """The first empty queue on the way from the files to the step, and what fills it."""
    seen = {place.name}
    while True:
        sources = [log.places[name] for name in place.upstream if name in log.places]
        sources = [source for source in sources if source.name not in seen]
        dry = [s for s in sources if _share(samples, s, is_starved) >= _OFTEN]
        if not dry:
            break
        place = dry[0]
        seen.add(place.name)
    starved = _share(samples, place, is_starved)
    empty = f"{place.short} was empty {starved:.0%} of the time"
    if not place.threads:
        text = f"whoever feeds {place.short} by hand holds it back: it was empty"
        return Bottleneck("feeding", f"{text} {starved:.0%} of the time", place.name)
    threads = "its 1 thread" if place.threads == 1 else f"its {place.threads} threads"
    found = shares.get(place.name)
    if found is None or not found.work:
        kind = "reading" if place.reader else "parsing"
        what = "reading and parsing" if place.reader else f"what fills {place.short}"
        return Bottleneck(kind, f"{what} holds it back: {empty} ({threads})", place.name)
    if place.reader is None and not place.upstream and found.reading == 0 and not found.computing:
        return Bottleneck("feeding", f"what fills {place.short} holds it back: {empty}", place.name)
    if found.reading >= found.work / 2:
        part = found.reading / found.work
        reader = place.reader or "the read op"
        text = f"reading holds it back: {reader} takes {part:.0%} of the time of {threads}"
        return Bottleneck("reading", f"{text}; {empty}", place.name)
    kind, most = max(found.computing.items(), key=lambda each: each[1])
    text = f"parsing holds it back: {kind} takes {most / found.work:.0%} of the time of {threads}"
    return Bottleneck("parsing", f"{text}; {empty}", place.name)


def _share(samples: Iterable[Sample], place: Place, what: Callable[[Place, Level], bool]) -> float:
    known = [s.levels[place.name] for s in samples if place.name in s.levels]
    known = [level for level in known if level.size is not None]
    return sum(what(place, level) for level in known) / len(known) if known else 0.0


def _asked(samples: Iterable[Sample], place: Place) -> bool:
    levels = [s.levels[place.name] for s in samples if place.name in s.levels]
    if any(level.wanted for level in levels):
        return True
    taken = {level.taken for level in levels}
    gone = {
        level.put - level.size
        for level in levels
        if level.put is not None and level.size is not None
    }
    return len(taken) > 1 or len(gone) > 1


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
