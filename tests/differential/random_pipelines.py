"""Random pipelines as a strategy of hypothesis, and the property that they have."""

from __future__ import annotations

import collections
import os
import pathlib
import tempfile
import warnings

import hypothesis
import pytest
from hypothesis import strategies

import tfqueue.v1 as tf
from tfqueue import errors

from . import kit, pipelines
from .pipelines import Middle, Pipeline
from .plain_pipelines import Hang, Plain

PATIENCE = 120
"""Seconds after which a pipeline is said to hang; one takes a tenth of a second."""

counted: collections.Counter[str] = collections.Counter()
"""How many pipelines were run, how many lifted, and how many hang in the original."""

_FEW = strategies.integers(1, 4)


@strategies.composite
def every(draw: strategies.DrawFn, sources: tuple[str, ...] = pipelines.SOURCES) -> Pipeline:
    """Any pipeline that is a correct program."""
    source = draw(strategies.sampled_from(sources))
    if source in pipelines.ONE_A_FILE:
        counts = [1] * draw(strategies.integers(1, 7))
    elif source in pipelines.READERS:
        counts = draw(strategies.lists(strategies.integers(0, 9), min_size=1, max_size=4))
    else:
        counts = [draw(strategies.integers(1, 20))]
    at_once = draw(strategies.sampled_from([0, 0, 0, 2, 5])) if source in pipelines.READERS else 0
    ops = strategies.lists(
        strategies.sampled_from(pipelines.ELEMENTWISE if at_once else pipelines.OPS), max_size=2
    )
    batchers = [kind for kind in pipelines.BATCHERS if not (at_once and kind == "dynamic_pad")]
    kinds = strategies.sampled_from(["fifo", "padding", "random"])
    middle = strategies.builds(Middle, kinds, strategies.integers(1, 8), strategies.integers(1, 3))
    capacity = draw(strategies.one_of(strategies.integers(1, 6), strategies.just(32)))
    pipeline = Pipeline(
        source=source,
        counts=tuple(counts),
        epochs=draw(strategies.sampled_from([1, 1, 2, 3, None])),
        seed=draw(strategies.sampled_from([None, None, 7])),
        source_capacity=draw(strategies.sampled_from([1, 2, 32])),
        at_once=at_once,
        before=tuple(draw(ops)),
        middle=draw(strategies.one_of(strategies.none(), middle)),
        after=tuple(draw(ops)),
        batcher=draw(strategies.sampled_from(batchers)),
        threads=draw(strategies.sampled_from([1, 1, 1, 2, 3])),
        batch_size=draw(strategies.one_of(_FEW, strategies.integers(5, 12))),
        capacity=capacity,
        least=draw(strategies.integers(0, min(capacity - 1, 4))),
        smaller=draw(strategies.booleans()),
    )
    # Without end there has to be something to read, and an order that tells how far it is.
    if pipeline.epochs is None:
        hypothesis.assume(pipeline.ordered and pipeline.numbers)
    return pipeline


def holds(plain: Plain, pipeline: Pipeline, chunks: int) -> None:
    """Fails if a pipeline gives something else than in the original.

    Args:
      plain: The original.
      pipeline: The pipeline.
      chunks: How many examples go through a step of the accelerated session; a session that takes
        one at a time runs it, too, and it is lifted, where that can be done.
    """
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pipelines.write(pipeline, pathlib.Path(folder))
        try:
            expected = plain.run(pipeline, folder)
        except Hang:
            counted["hang in the original"] += 1
            hypothesis.reject()
        counted["run"] += 1
        with pytest.MonkeyPatch.context() as patch:
            for number in (chunks, 0):
                patch.setitem(os.environ, "TFQUEUE_CHUNKS", str(number))
                with kit.ends(PATIENCE):
                    actual = pipelines.run(tf, pipeline, folder)
                told = pipelines.difference(pipeline, expected, actual)
                assert told is None, f"TFQUEUE_CHUNKS={number}: {told}"
        try:
            with kit.ends(PATIENCE):
                actual = pipelines.run_lifted(tf, pipeline, folder)
        except errors.CannotLiftError:
            return
        counted["lifted"] += 1
        told = pipelines.difference(pipeline, expected, actual)
        assert told is None, f"lifted: {told}"


def prove(
    examples: int,
    seed: int | None,
    sources: tuple[str, ...] = pipelines.SOURCES,
    plain: Plain | None = None,
) -> None:
    """Tries so many pipelines; where one differs, raises with the smallest that does.

    Args:
      examples: How many.
      seed: Which ones; None for the same ones each time.
      sources: What they read with.
      plain: The process that runs them with TensorFlow as it is; one of its own when None.
    """
    own = plain or Plain()
    counted.clear()

    @hypothesis.settings(
        max_examples=examples,
        derandomize=seed is None,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
        suppress_health_check=[*hypothesis.HealthCheck],
        print_blob=False,
    )
    @hypothesis.given(every(sources), strategies.sampled_from([2, 3, 32]))
    def has_the_same_elements(pipeline: Pipeline, chunks: int) -> None:
        holds(own, pipeline, chunks)

    try:
        if seed is not None:
            hypothesis.seed(seed)(has_the_same_elements)()
        else:
            has_the_same_elements()
    finally:
        if plain is None:
            own.close()
