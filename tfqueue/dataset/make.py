"""Puts the parts together: call, lift, arrange, write, run."""

import os

from tfqueue.dataset import arrange, compare, fed, function, lift, program, trace

_AHEAD = 8
"""How many single examples are under way at once, however few cores there are."""


def dataset(inputs, args, kwargs, *, engine="lift", service=None, shard=None, python=False):
    """See `tfqueue.dataset`."""
    if engine not in ("lift", "session"):
        raise ValueError(f"engine is 'lift' or 'session', not {engine!r}")
    if engine == "session" and (service or shard):
        raise ValueError("a dataset that a session feeds runs in this process, and as a whole")
    if service and python:
        raise ValueError("Python functions run in this process, not in a service's workers")
    function.require_eager()
    built = function.call(inputs, args, kwargs)
    if engine == "session":
        return fed.dataset(built)
    return program.run(planned(built, shard, service, python)[1])


def source(inputs, args, kwargs, *, shard=None, python=False):
    """See `tfqueue.dataset.source`."""
    return planned(function.call(inputs, args, kwargs), shard, python=python)[1]


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
