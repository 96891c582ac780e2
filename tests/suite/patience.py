"""Times after which tfqueue gives up or speaks up, made so long that no busy machine reaches them.

A test of such a time sets it by itself.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import types

LIMITS = {
    ("tfqueue.explain.suspects", "BUDGET"): math.inf,
    ("tfqueue.records.endings", "SECONDS"): math.inf,
    ("tfqueue.session.failures", "_FOLLOW_SECONDS"): 60.0,
    ("tfqueue.session.starvation", "_WARN_AFTER"): 120.0,
    ("tfqueue.watch.watcher", "_WAIT_SECONDS"): 60.0,
}

USUAL: dict[tuple[str, str], float] = {}
"""The times that a user meets."""


def apply() -> None:
    """Sets the limits for the process; `test_suite.py` looks whether all of them still exist."""
    for (module, name), value in LIMITS.items():
        with contextlib.suppress(ImportError):
            found = importlib.import_module(module)
            USUAL.setdefault((module, name), getattr(found, name))
            setattr(found, name, value)


def usual(module: types.ModuleType, name: str) -> float:
    """The time that a user meets, for a test with a clock of its own."""
    return USUAL[module.__name__, name]
