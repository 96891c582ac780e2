"""Chooses how the threads of a runner move their elements."""

import os

from tfqueue.accelerate import chunk_pump, report, tuner
from tfqueue.accelerate.mover import StepMover

_DEFAULT = "auto"
"""What `TFQUEUE_CHUNKS` is taken for where it is not set."""


def setting_of(value):
    """How chunks are set.

    Args:
      value: What `managed_session(chunks=...)` was given; None for what the environment's
        `TFQUEUE_CHUNKS` says.

    Returns:
      False for one example a step, an int for chunks of that size, None to find out what is best.

    Raises:
      ValueError: If it is neither a number nor a switch.
    """
    if value is None:
        value = os.environ.get("TFQUEUE_CHUNKS", "") or _DEFAULT
    if value is True or value == "auto":
        return None
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = -1
    if number < 0:
        raise ValueError(
            f"chunks (or TFQUEUE_CHUNKS) is the number of examples in a step, 0 for one at a "
            f"time, or 'auto'; got {value!r}"
        )
    return number or False


def movers_for(task):
    """The movers of a runner's threads.

    Args:
      task: A `RunnerTask`.

    Returns:
      A list of `Mover`s, one for each of `task.ops`.
    """
    shared, movers = {}, []
    for op in task.ops:
        reason = _left_alone(task, op)
        if reason is not None:
            report.note(task.pipeline.graph, task.name, op, "examples", reason)
            movers.append(StepMover(op, task.handle))
            continue
        if op not in shared:
            shared[op] = tuner.Op(task, op)
        movers.append(chunk_pump.ChunkMover(shared[op], lead=shared[op].new()))
    return movers


def _left_alone(task, op):
    """Why an op is run as it is, or None if it may be accelerated."""
    if task.guarded:
        return "a file has a header that must not be read"
    if task.setting is False:
        return "switched off"
    if task.remote:
        # What a chunk takes at once, another process may be waiting for; and each of its ops would
        # have to be placed anew on the cluster's devices.
        return "the session runs on a server, whose queues other processes may share"
    if op.type.startswith("QueueEnqueueMany"):
        return "it puts many at a time"
    if op.type != "QueueEnqueueV2":
        return f"its op is {op.type}"
    return None
