"""Puts the parts together: call, lift, arrange, write, run."""

import numbers
import os
from typing import Any

from tfqueue.dataset import arrange, compare, fed, function, lift, program, trace
from tfqueue.dataset import service as client

_AHEAD = 8
"""How many single examples are under way at once, however few cores there are."""


def dataset(inputs, args, kwargs, *, engine="lift", service=None, shard=None, python=False):
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
    function.require_eager()
    built = function.call(inputs, args, kwargs)
    if engine == "session":
        return fed.dataset(built)
    made = planned(built, shard, service, python)[1]
    if service:
        return client.dataset(lambda: program.run(made), service)
    return program.run(made)


def source(inputs, args, kwargs, *, shard=None, python=False):
    """See `tfqueue.dataset.source`."""
    _require_shard(shard)
    return planned(function.call(inputs, args, kwargs), shard, python=python)[1]


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


def source_of_program(path, first_step):
    """The same for what the first step of a program takes from its pipeline.

    Args:
      path: The program.
      first_step: Function of the path that runs it so far; gives a `tfqueue.port.run.first_step.Reached`.

    Returns:
      A `program.Source`.
    """
    return planned(function.of_program(path, first_step))[1]


def check(inputs, args, kwargs, *, steps=100, python=False):
    """See `tfqueue.dataset.check`."""
    function.require_eager()
    built = function.call(inputs, args, kwargs)
    made, source = planned(built, python=python)
    return compare.compare(fed.elements(built), program.run(source), made, steps)


def planned(built, shard=None, service=None, python=False):
    """The arranged plan of what a function built, and the program that was written of it.

    Args:
      built: A `function.Built`.
      shard: `(n, i)` or None.
      service: A dispatcher's address or None.
      python: Whether Python functions are called.

    Returns:
      `(plan.Node, program.Source)`.
    """
    single = set()
    # Queues name themselves otherwise while the process is in eager mode.
    with built.graph.as_default():
        lifted = lift.lift(built.graph, built.flat, built.structure, shard, python)
        while True:
            arranged = arrange.arrange(lifted, single)
            if service:  # the cores are others' there
                arranged = arrange.pace(arrange.serve(arranged, service))
            else:
                arranged = arrange.pace(arranged, max(_AHEAD, os.cpu_count() or 1))
            try:
                return arranged, program.write(arranged, built.name)
            except trace.CannotVectorise as error:
                single.add(error.step)
