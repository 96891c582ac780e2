"""Puts the parts together: call, lift, arrange, build."""

import importlib
import os

from tfqueue import _tensorflow
from tfqueue._tensorflow import mode
from tfqueue.dataset import arrange, build, fed, function, functions, lift

_AHEAD = 8
"""How many single examples are under way at once, however few cores there are."""


def dataset(inputs, args, kwargs, *, engine, service, shard):
    """See `tfqueue.dataset`."""
    if engine not in ("lift", "session"):
        raise ValueError(f"engine is 'lift' or 'session', not {engine!r}")
    if engine == "session" and (service or shard):
        raise ValueError("a dataset that a session feeds runs in this process, and as a whole")
    function.require_eager()
    built = function.call(inputs, args, kwargs)
    if engine == "session":
        return fed.dataset(built)
    return planned(built, shard, service)[1].prefetch(_tensorflow.datasets().AUTOTUNE)


def source(inputs, args, kwargs, shard=None):
    """See `tfqueue.dataset.source`."""
    built = function.call(inputs, args, kwargs)
    return _written(built, function.name_of(inputs), shard)


def source_of_program(path, first_step):
    """The same for what the first step of a program takes from its pipeline.

    Args:
      path: The program.
      first_step: Function of the path that runs it so far; gives a `tfqueue.port.until.Reached`.

    Returns:
      A `written.Source`.
    """
    with mode.kept():
        importlib.import_module("tfqueue.v1")
        mode.put(mode.TO_LIFT)
        reached = first_step(path)
        with reached.graph.as_default():
            structure = function.taken_by(reached.graph, reached.step)
        built = function.Built.of(reached.graph, structure, os.path.basename(path))
        return _written(built, os.path.basename(path))


def _written(built, name, shard=None):
    from tfqueue.dataset import written

    with built.graph.as_default():
        plan = lift.lift(built.graph, built.flat, built.structure, shard)
        return written.write(arrange.pace(arrange.arrange(plan, None)), name)


def planned(built, shard=None, service=None):
    """The arranged plan of what a function built, and its dataset.

    Args:
      built: A `function.Built`.
      shard: `(n, i)` or None.
      service: A dispatcher's address or None.
    """
    # Queues name themselves otherwise while the process is in eager mode.
    with built.graph.as_default():
        plan = lift.lift(built.graph, built.flat, built.structure, shard)
    single = set()
    while True:
        arranged = arrange.arrange(plan, single)
        if service:  # the cores are others' there
            arranged = arrange.pace(arrange.serve(arranged, service))
        else:
            arranged = arrange.pace(arranged, max(_AHEAD, os.cpu_count() or 1))
        try:
            return arranged, build.build(arranged)
        except functions.CannotVectorise as error:
            single.add(error.step)
