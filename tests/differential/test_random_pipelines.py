"""Random pipelines give the elements that they give on plain TensorFlow. Long form: `make stress`."""

import contextlib
import dataclasses
import json

import pytest

from . import pipelines, random_pipelines
from .pipelines import Middle, Outcome, Pipeline
from .plain_pipelines import Plain

EXAMPLES = 3
"""Pipelines for each source; the same ones each time."""

PIPELINE = Pipeline(
    source="tfrecord",
    counts=(3, 0, 5),
    epochs=2,
    seed=1,
    source_capacity=2,
    at_once=0,
    before=("square",),
    middle=Middle("fifo", 2, 1),
    after=("cond",),
    batcher="dynamic_pad",
    threads=1,
    batch_size=3,
    capacity=2,
    least=0,
    smaller=True,
)


@pytest.fixture(scope="module")
def plain():
    """One process for all sources: it takes longer to start than a source takes."""
    with contextlib.closing(Plain()) as plain:
        yield plain


@pytest.mark.timeout(1800)
@pytest.mark.xdist_group("random pipelines")
@pytest.mark.parametrize("source", pipelines.SOURCES)
def test_they_give_the_same_elements(source, plain):
    random_pipelines.prove(EXAMPLES, None, (source,), plain)


def test_a_pipeline_travels_as_json():
    text = json.dumps(dataclasses.asdict(PIPELINE))
    assert Pipeline.of(json.loads(text)) == PIPELINE


def outcome(*numbers, ended="end of data", value=(1.0,), size=2):
    sizes = [len(numbers[at : at + size]) for at in range(0, len(numbers), size)]
    return Outcome(sizes, [(number, "float32[]", [*value]) for number in numbers], ended)


IN_ORDER = dataclasses.replace(
    PIPELINE, counts=(4,), epochs=1, middle=None, batcher="batch", batch_size=2
)
IN_ANY = dataclasses.replace(IN_ORDER, threads=2)

DIFFERENT = [
    # a pipeline, what it gives, what is said of it beside (0, 1, 2, 3)
    (IN_ORDER, outcome(0, 1, 3, 2), "rows"),
    (IN_ORDER, outcome(0, 1, 2), "sizes"),
    (IN_ORDER, outcome(0, 1, 2, 3, ended="stopped"), "ended"),
    (IN_ORDER, outcome(0, 1, 2, 3, value=(2.0,)), "rows"),
    (IN_ANY, outcome(0, 1, 2, 2), "more than there are"),
    (IN_ANY, outcome(0, 1, 2, 4), "more than there are"),
    (IN_ANY, outcome(0, 1, 2), "sizes"),
    (IN_ANY, outcome(0, 1, 3, 2, value=(2.0,)), "value of"),
]


@pytest.mark.parametrize(("pipeline", "found", "told"), DIFFERENT)
def test_what_differs_is_told(pipeline, found, told):
    assert told in pipelines.difference(pipeline, outcome(0, 1, 2, 3), found)


def test_what_does_not_differ_is_not():
    assert pipelines.difference(IN_ORDER, outcome(0, 1, 2, 3), outcome(0, 1, 2, 3)) is None
    assert pipelines.difference(IN_ANY, outcome(0, 1, 2, 3), outcome(3, 2, 0, 1)) is None
    padded = dataclasses.replace(IN_ANY, batcher="dynamic_pad")
    expected = outcome(0, 1, value=(1.0, 0.0))
    assert pipelines.difference(padded, expected, outcome(1, 0, value=(1.0,))) is None
