"""tfqueue.watch.bottleneck and log: what is said of a pipeline, from samples that are made up."""

import pytest

from tests.watch.watched import STARVED, log_of, spent
from tfqueue.watch.bottleneck import bottleneck, is_starved, past, state
from tfqueue.watch.counts import Level, Place
from tfqueue.watch.log import Failure, Rates, Sample, SessionLog, rates, series
from tfqueue.watch.shares import Shares

BATCH = "batch/fifo_queue"


def place_of(name=BATCH, **facts):
    given = {
        "kind": "FIFOQueue",
        "capacity": 100,
        "reserve": 0,
        "threads": 1,
        "upstream": (),
        "reader": None,
        "by_steps": True,
        **facts,
    }
    return Place(name, **given)


def log_with(places, levels, every=0.25):
    """A log of these queues at these moments: a dict of levels each."""
    log = SessionLog(1, 0.0)
    log.places = {place.name: place for place in places}
    log.first_batch, log.first_batch_at = 0.1, 0.0
    for number, each in enumerate(levels):
        log.add(Sample(number * every, each))
    return log


def mixed(starved, full, other):
    """So many samples of a queue that a step waits at, that is full, and neither."""
    levels = [Level(0, 500, wanted=1)] * starved + [Level(80, 500)] * full
    levels += [Level(40, 500 + number) for number in range(other)]
    return log_with([place_of()], [{BATCH: level} for level in levels])


# -- a queue ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("batch/fifo_queue", "batch"),
        ("a/b/random_shuffle_queue", "a/b"),
        ("batch/padding_fifo_queue", "batch"),
        ("q/priority_queue_1", "q"),
        ("fifo_queue", "fifo_queue"),
        ("scope/mine", "scope/mine"),
    ],
)
def test_a_short_name(name, short):
    assert place_of(name).short == short


@pytest.mark.parametrize(
    ("size", "wanted", "by_steps", "starved"),
    [
        (5, 1, True, True),
        (6, 1, True, False),
        (5, 0, True, False),
        (5, 0, False, True),
        (6, 0, False, False),
        (None, 1, True, False),
    ],
)
def test_what_is_starved(size, wanted, by_steps, starved):
    place = place_of(reserve=5, by_steps=by_steps)
    assert is_starved(place, Level(size, None, wanted=wanted)) is starved


def places_between():
    """A queue of names that two others read from, one of which steps take from."""
    names = place_of("names", by_steps=False)
    batch = place_of(upstream=("names",))
    return names, batch, place_of("other", upstream=("names",), by_steps=False, threads=0)


@pytest.mark.parametrize(
    ("name", "level", "working", "said"),
    [
        ("names", Level(0, 1), True, "batch and other waits"),
        (BATCH, Level(0, 1, wanted=1200), True, "step waits for 1,200"),
        (BATCH, Level(0, 1), True, ""),
        (BATCH, Level(80, 1), True, "full: 1 thread waits"),
        (BATCH, Level(40, 1), True, ""),
        (BATCH, Level(40, 1), False, "all is read"),
        (BATCH, Level(0, 1), False, "at its end"),
        ("other", Level(0, 1), True, "empty"),
        ("other", Level(80, 1), False, "full: feeders wait"),
        ("other", None, True, ""),
    ],
)
def test_who_waits(name, level, working, said):
    places = places_between()
    log = log_with(places, [{name: level} if level else {}])
    log.working = {name: working}
    assert state(log, log.places[name]) == said


def test_three_that_wait():
    places = [place_of("names", by_steps=False)]
    places += [place_of(name, upstream=("names",)) for name in ("a", "b", "c")]
    log = log_with(places, [{"names": Level(0, 1)}])
    assert state(log, places[0]) == "a, b and c waits"


def test_a_failure_of_another_queue_is_not_this_ones():
    log = log_with(places_between(), [{BATCH: Level(40, 1)}])
    log.errors.append(Failure("DataLossError", "x", (), "names", 0.0))
    assert state(log, log.places[BATCH]) == ""


# -- what holds it back ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "kind", "sentence"),
    [
        ((0, 20, 0), "step", "the training step holds it back: batch was full 100% of the time"),
        ((4, 10, 6), "step", "the training step holds it back: batch was full 50% of the time"),
        (
            (5, 10, 5),
            "balanced",
            "input and training step keep pace: batch was empty 25% of the time",
        ),
        (
            (4, 9, 7),
            "balanced",
            "input and training step keep pace: batch was empty 20% of the time",
        ),
        (
            (0, 0, 9),
            "balanced",
            "input and training step keep pace: batch was empty 0% of the time",
        ),
        ((0, 0, 1), "idle", "no step takes from batch just now"),
        (
            (10, 0, 10),
            "parsing",
            "what fills batch holds it back: batch was empty 50% of the time (its 1 thread)",
        ),
    ],
)
def test_a_step_or_its_input(counts, kind, sentence):
    found = bottleneck(mixed(*counts))
    assert (found.kind, found.sentence, found.queue) == (kind, sentence, BATCH)


def test_what_is_taken_tells_that_steps_take():
    taken = [{BATCH: Level(40, None, number)} for number in range(3)]
    assert bottleneck(log_with([place_of()], taken)).kind == "balanced"
    same = [{BATCH: Level(40, None, 7)}] * 3
    assert bottleneck(log_with([place_of()], same)).kind == "idle"
    flows = [{BATCH: Level(40 - number, 100)} for number in range(3)]
    assert bottleneck(log_with([place_of()], flows)).kind == "balanced"


def test_without_a_queue_that_steps_take_from():
    assert bottleneck(log_with([place_of(by_steps=False)], [{BATCH: Level(0, 1)}])) is None
    assert bottleneck(log_with([place_of()], [])) is None
    log = log_with([place_of()], [{}])
    assert bottleneck(log).kind == "idle"


def test_the_last_ten_seconds_count_and_of_a_whole_run_all():
    levels = [{BATCH: Level(0, 1, wanted=1)}] * 12 + [{BATCH: Level(80, 1)}] * 11
    log = log_with([place_of()], levels, every=1.0)
    assert bottleneck(log).kind == "step"
    assert bottleneck(log, whole=True).kind == "parsing"
    log.first_batch_at = 12.0
    assert bottleneck(log, whole=True).kind == "step"


def test_the_queue_that_is_empty_most_often_limits():
    places = [place_of("a"), place_of("b")]
    full, empty = Level(90, 1), Level(0, 1, wanted=1)
    log = log_with(places, [{"a": full, "b": empty}] * 4)
    assert bottleneck(log).queue == "b"


def test_an_error_comes_first_but_not_in_the_summary():
    log = mixed(0, 4, 0)
    log.errors.append(Failure("DataLossError", "corrupted", (), BATCH, 1.0))
    found = bottleneck(log)
    assert (found.kind, found.sentence) == ("failed", "DataLossError: corrupted")
    assert found.queue == BATCH
    assert bottleneck(log, whole=True).kind == "step"


@pytest.mark.parametrize(
    ("level", "working", "sentence"),
    [
        (Level(1234, 1), False, "all is read; 1,234 elements are left in batch"),
        (Level(0, 1), False, "all is read; nothing is left in batch"),
        (Level(3, 1, wanted=10), True, "batch fills up: 3 of the 60 that a first batch needs"),
    ],
)
def test_early_and_late(level, working, sentence):
    log = log_with([place_of(reserve=50)], [{BATCH: level}])
    log.first_batch = None
    log.working = {BATCH: working}
    assert bottleneck(log).sentence == sentence


@pytest.mark.parametrize(
    ("level", "first", "reserve", "threads"),
    [
        (Level(60, 1, wanted=10), None, 50, 1),
        (Level(3, 1, wanted=10), 0.5, 50, 1),
        (Level(3, 1), None, 50, 1),
        (Level(0, 1, wanted=10), None, 0, 1),
        (Level(None, 1, wanted=10), None, 50, 1),
        (Level(3, 1), 0.5, 50, 0),
    ],
)
def test_neither_early_nor_late(level, first, reserve, threads):
    log = log_with([place_of(reserve=reserve, threads=threads)], [{BATCH: level}])
    log.first_batch, log.working = first, {BATCH: threads == 1}
    assert bottleneck(log).kind not in ("ended", "filling")


def test_what_fills_the_empty_queue():
    empty = "batch was empty 100% of the time"
    of_two = log_of(STARVED, threads=2, shares=spent(5.0, Cast=5.0))
    assert bottleneck(of_two).sentence == (
        "reading holds it back: TFRecordReader takes 50% of the time of its 2 threads; " + empty
    )
    assert bottleneck(log_of(STARVED, shares=spent(5.0, Cast=5.1), reader=None)).sentence == (
        "parsing holds it back: Cast takes 50% of the time of its 1 thread; " + empty
    )
    read = bottleneck(log_of(STARVED, shares=spent(5.0), reader=None))
    assert read.sentence.startswith("reading holds it back: the read op takes 100% of the time")
    idle = bottleneck(log_of(STARVED, shares=Shares()))
    assert idle.sentence == f"reading and parsing holds it back: {empty} (its 1 thread)"
    hand = bottleneck(log_of(STARVED, threads=0))
    assert hand.sentence == (
        "whoever feeds batch by hand holds it back: it was empty 100% of the time"
    )


def test_the_summary_has_shares_of_its_own():
    log = log_of(STARVED, shares=spent(9.0, Cast=1.0))
    log.shares_of_run[BATCH] = spent(1.0, Cast=9.0)
    assert bottleneck(log).kind == "reading"
    assert bottleneck(log, whole=True).kind == "parsing"


def test_the_first_empty_queue_on_the_way_is_named():
    names, between = place_of("names", by_steps=False), place_of("between", by_steps=False)
    between = place_of("between", upstream=("names", "between"), by_steps=False)
    batch = place_of(upstream=("between", "gone"))
    dry = {"names": Level(90, 1), "between": Level(0, 1), BATCH: Level(0, 1, wanted=1)}
    assert bottleneck(log_with([names, between, batch], [dry] * 4)).queue == "between"
    dry["names"] = Level(0, 1)
    assert bottleneck(log_with([names, between, batch], [dry] * 4)).queue == "names"
    half = [dry, dry, {**dry, "names": Level(9, 1)}, {**dry, "names": Level(9, 1)}]
    found = bottleneck(log_with([names, between, batch], half))
    assert found.queue == "names"
    assert "names was empty 50% of the time" in found.sentence
    less = [dry, *half[2:], half[3]]
    assert bottleneck(log_with([names, between, batch], less)).queue == "between"


def test_the_past_of_a_sentence():
    found = bottleneck(log_of(STARVED, shares=spent(8.0, Cast=2.0)))
    assert past(found).startswith("reading held it back: TFRecordReader took 80% of the time")
    assert past(bottleneck(mixed(0, 0, 9))).startswith("input and training step kept pace: ")


# -- rates -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "totals"),
    [
        (Level(10, 50, put_grain=1), (50, 40)),
        (Level(10, 50), (50, 40)),
        (Level(10, 5, put_grain=1), (5, 0)),
        (Level(10, 50, 30, 2, 8), (40, 30)),
        (Level(10, 50, None, 2), (None, None)),
        (Level(10, None, 30), (40, 30)),
        (Level(None, 50), (None, None)),
        (None, (None, None)),
    ],
)
def test_totals(level, totals):
    assert log_with([place_of()], [{BATCH: level} if level else {}]).totals(BATCH) == totals


def test_the_last_level_is_one_whose_size_is_known():
    levels = [{BATCH: Level(3, 1)}, {BATCH: Level(None, 2)}, {"other": Level(9, 9)}]
    log = log_with([place_of()], levels)
    assert log.last(BATCH) == Level(3, 1)
    assert log.last("none") is None


def flow(counts, every=1.0, size=0, **facts):
    """Samples in which so many elements were put in."""
    return [
        Sample(number * every, {BATCH: Level(size, count, **facts)})
        for number, count in enumerate(counts)
    ]


def test_rates_of_the_last_seconds():
    log = SessionLog(1, 0.0)
    assert log.rates(BATCH) is None
    for sample in flow([10 * n if n < 10 else 100 + 2 * (n - 10) for n in range(17)]):
        log.add(sample)
    assert log.rates(BATCH) == Rates(2.0, 2.0)
    assert rates(list(log.recent), BATCH).put == pytest.approx((112 - 10) / 15)


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        ([], None),
        (flow([1]), None),
        (flow([1, 2]), None),
        (flow([1, 2, 4]), Rates(2.0, 2.0)),
        (flow([1, 2, 2, 2, 8]), Rates(2.0, 2.0)),
        (flow([0, 1, 2] + [2] * 6), Rates(0.0, 0.0)),
        (flow([0, 1, 2] + [2] * 5), Rates(1.0, 1.0)),
        (flow([0, 5, 9] + [9] * 6, put_grain=5), None),
        (flow([5, 5, 5], every=3.0), Rates(0.0, 0.0)),
        (flow([5, 5, 5], every=2.0), None),
        (flow([1, 2, 3], every=0.0), None),
        (flow([4, 3, 2]), Rates(0.0, 0.0)),
    ],
)
def test_rates_from_one_move_to_another(samples, expected):
    assert rates(samples, BATCH) == expected


def test_the_counter_of_takes_is_read_where_it_is_finer():
    samples = [
        Sample(float(n), {BATCH: Level(20 - n, 100 * (n // 3), 2 * n, 100, 2)}) for n in range(5)
    ]
    assert rates(samples, BATCH) == Rates(1.0, 2.0)
    equal = [Sample(float(n), {BATCH: Level(n, 5 * n, 4 * n, 2, 2)}) for n in range(4)]
    assert rates(equal, BATCH) == Rates(5.0, 4.0)
    unknown = [Sample(float(n), {BATCH: Level(n, 5 * n, None, 9)}) for n in range(4)]
    assert rates(unknown, BATCH) == Rates(5.0, 4.0)


def test_a_curve_of_few_points():
    log = SessionLog(1, 0.0)
    for sample in flow([2 * n for n in range(11)], size=1):
        log.add(sample)
    fill, put, taken = series(log, BATCH, parts=5)
    assert fill == [(float(n), 1) for n in range(11)]
    assert put == taken == [(2.0 + 2 * n, 2.0) for n in range(4)]
    still = SessionLog(1, 0.0)
    for sample in flow([1, 2, 2]):
        still.add(sample)
    assert series(still, BATCH)[1:] == ([], [])


def test_a_long_log_keeps_every_second_sample():
    log = SessionLog(1, 0.0)
    for number in range(2402):
        log.add(Sample(float(number), {}))
    assert len(log.history) == 1201
    assert [sample.at for sample in log.history[:3]] == [0.0, 2.0, 4.0]
    log.add(Sample(2402.0, {}))
    log.add(Sample(2403.0, {}))
    assert log.history[-1].at == 2402.0
    assert len(log.recent) == 160
