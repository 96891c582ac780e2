"""The corpus: importing it fills `kit.PROGRAMS`."""

from . import (  # noqa: F401
    attacks,
    batching,
    control_flow,
    failing,
    late,
    managed,
    queues,
    randomness,
    sessions,
    sources,
    state,
    training,
    values,
)
