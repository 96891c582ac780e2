"""Warns of a training loop that adds ops to the graph in every step, which makes each step slower."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow.types import Graph, Op
from tfqueue.explain import diagnosis

_RUNS_IN_A_ROW = 10
"""How many runs in a row must each have found new ops of one line before it is said."""
_LOOKED_AT = 50
"""New ops whose lines are looked up after one run; a loop's ops are few."""
_ASSIGNS = ("Assign", "AssignVariableOp")


Place: TypeAlias = tuple[str, int, str]
"""A file, the number of a line in it, and the line."""


class GrowthWatch:
    """Notices when every run of a session finds ops that the same line has made anew.

    A program that builds and runs, piece by piece, on lines of its own does no
    harm; nor does a loop that assigns to one variable after the other.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._version = graph.version
        self._seen: dict[Place, int] = {}
        """Runs in a row that found new ops of a line, by line."""
        self._assigned: set[str] = set()
        self._said = False

    def look(self) -> None:
        """One look, before each run of a session; warns once."""
        version = self._graph.version
        if version == self._version:
            if self._seen:
                self._seen = {}
            return
        before, self._version = self._version, version
        if self._said:
            return
        new = self._graph.get_operations()[before:]
        if self._loads_variables(new):
            return
        lines = {}
        for op in new[:_LOOKED_AT]:
            where = _tensorflow.creation_line(op)
            if where is not None:
                lines[where] = op  # the line's last op: the ones before it may be constants
        # Ops without a line of the program were built by TensorFlow or a library: no warning.
        self._seen = {where: self._seen.get(where, 0) + 1 for where in lines}
        often = [w for w, count in self._seen.items() if count >= _RUNS_IN_A_ROW]
        if often:
            self._said = True
            self._warn(len(new), [(where, lines[where]) for where in often])

    def _loads_variables(self, new: Sequence[Op]) -> bool:
        """Whether the new ops assign to variables that no loop has assigned to before."""
        targets = {op.inputs[0].op.name for op in new if op.type in _ASSIGNS}
        first = bool(targets) and not targets & self._assigned
        self._assigned |= targets
        return first

    def _warn(self, count: int, found: Sequence[tuple[Place, Op]]) -> None:
        places = "; ".join(
            f"{op.type} {op.name!r} at {file}:{line}: {code}"
            for (file, line, code), op in found[:3]
        )
        diagnosis.warn(
            f"the graph grew in each of the last {_RUNS_IN_A_ROW} runs (by {count} ops in the "
            f"last): ops are created inside the loop, and every step gets slower. Build them once, "
            f"before it: {places}. graph.finalize() finds the place.",
            errors.GrowingGraphWarning,
        )
