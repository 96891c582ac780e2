"""The conversion of an old input function: it is called, lifted, written as a program, and run."""

from __future__ import annotations

import numbers
import os
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfqueue import errors
from tfqueue.dataset import (
    element_comparison,
    known_values,
    lift,
    old_inputs,
    plan,
    program,
    rewrites,
    session_feed,
    step_ops,
    steps,
)
from tfqueue.dataset import service as client
from tfqueue.dataset.upper_layers import FirstStep, Programs, UpperLayers
from tfqueue.records import endings

_AHEAD = 8
"""How many single examples are under way at once, however few cores there are."""
_COMPRESSION = {
    "TFRecordReader": ("compression_type", True),
    "FixedLengthRecordReader": ("encoding", False),
}
"""The attribute of a reader that names the compression, and whether its files hold TFRecord records."""


def dataset(
    inputs: Callable[..., Any] | str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    upper: UpperLayers,
    *,
    engine: str = "lift",
    service: str | None = None,
    shard: tuple[int, int] | None = None,
    python: bool = False,
) -> Any:
    """See `tfqueue.dataset`."""
    if engine not in ("lift", "session"):
        raise ValueError(f"engine is 'lift' or 'session', not {engine!r}")
    if engine == "session" and (service or shard):
        raise ValueError("a dataset that a session feeds runs in this process, and as a whole")
    _require_shard(shard)
    if service and python:
        raise ValueError("Python functions run in this process, not in a service's workers")
    if service:
        client.place(service)
    old_inputs.require_eager()
    built = old_inputs.build(inputs, args, kwargs, upper)
    if engine == "session":
        return session_feed.dataset(built, upper.session)
    arranged, made = planned(built, shard, service, python)
    _tell_of_cut_files(arranged)
    if service:
        return client.dataset(lambda: program.run(made), service)
    return program.run(made)


def source(
    inputs: Callable[..., Any] | str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    programs: Programs,
    *,
    shard: tuple[int, int] | None = None,
    python: bool = False,
) -> program.Source:
    """See `tfqueue.dataset.source`."""
    _require_shard(shard)
    arranged, made = planned(old_inputs.build(inputs, args, kwargs, programs), shard, python=python)
    _tell_of_cut_files(arranged)
    return made


def _tell_of_cut_files(arranged: plan.Node) -> None:
    """Warns of files at whose cut the dataset will end in silence, at the line of the user's call."""
    files = [
        (os.fsdecode(name), read.options[attribute].decode(), framed)
        for read in plan.walk(arranged)
        if isinstance(read, plan.Read)
        for attribute, framed in [_COMPRESSION.get(read.kind, ("", False))]
        if attribute
        for name in known_values.names(read.names)
    ]
    found = endings.cut_files(dict.fromkeys(files), time.monotonic() + endings.SECONDS)
    if found:
        text = endings.cut_text(found)
        warnings.warn(text, errors.TruncatedFileWarning, stacklevel=4)


def _require_shard(shard: Any) -> None:
    """Raises ValueError unless a shard is None or `(n, i)`, two whole numbers with 0 <= i < n."""
    if shard is None:
        return
    parts = shard if isinstance(shard, (tuple, list)) else ()
    whole = all(isinstance(p, numbers.Integral) and not isinstance(p, bool) for p in parts)
    if len(parts) == 2 and whole and 0 <= parts[1] < parts[0]:
        return
    raise ValueError(
        "shard is (n, i), the i-th of n parts of the files or rows, with two whole numbers and "
        f"0 <= i < n, such as (3, 0), not {shard!r}"
    )


def source_of_program(path: str, first_step: Callable[[str], FirstStep]) -> program.Source:
    """The `tf.data` source for what the first step of a program takes from its pipeline.

    Args:
        path: The program.
        first_step: Runs it so far.

    Returns:
        A `program.Source`.
    """
    arranged, made = planned(old_inputs.of_program(path, first_step))
    _tell_of_cut_files(arranged)
    return made


def check(
    inputs: Callable[..., Any] | str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    upper: UpperLayers,
    *,
    steps: int = 100,
    python: bool = False,
) -> element_comparison.Comparison:
    """See `tfqueue.dataset.check`."""
    old_inputs.require_eager()
    built = old_inputs.build(inputs, args, kwargs, upper)
    made, source = planned(built, python=python)
    return element_comparison.compare(
        session_feed.elements(built, upper.session), program.run(source), made, steps
    )


def planned(
    built: old_inputs.InputGraph,
    shard: tuple[int, int] | None = None,
    service: str | None = None,
    python: bool = False,
) -> tuple[plan.Node, program.Source]:
    """The arranged plan of what a function built, and the program that was written of it.

    Args:
        shard: `(n, i)` or None.
        service: A dispatcher's address or None.
        python: Whether Python functions are called.

    Returns:
        `(plan.Node, program.Source)`.
    """
    single: set[steps.OldStep] = set()
    # In eager mode a queue's name is another one, so the graph is made the default.
    with built.graph.as_default():
        lifted = lift.lift(built.graph, built.flat, built.structure, shard, python)
        while True:
            arranged = rewrites.arrange(lifted, single)
            if service:  # the workers' cores are not this process's
                arranged = rewrites.pace(rewrites.serve(arranged, service))
            else:
                arranged = rewrites.pace(arranged, max(_AHEAD, os.cpu_count() or 1))
            try:
                return arranged, program.write(arranged, built.name)
            except step_ops.CannotVectorise as error:
                single.add(error.step)
