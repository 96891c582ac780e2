"""Ops made inside the training loop: every step then makes the graph, and the next step, slower."""

from tfqueue import _tensorflow, errors
from tfqueue.pipeline import diagnosis

_RUNS_IN_A_ROW = 10
"""How many runs in a row must each have found new ops before it is said."""


class GrowthWatch:
    """Notices when every run of a session finds a larger graph than the one before.

    Args:
      graph: The session's graph.
    """

    def __init__(self, graph):
        self._graph = graph
        self._version = graph.version
        self._grown = 0
        self._said = False

    def after_run(self):
        """Called once for each run; warns once."""
        version = self._graph.version
        if version == self._version:
            self._grown = 0
            return
        before, self._version = self._version, version
        self._grown += 1
        if self._grown >= _RUNS_IN_A_ROW and not self._said:
            self._said = True
            new = self._graph.get_operations()[before:]
            lines = {}
            for op in new:
                where = _tensorflow.creation_line(op)
                if where is not None:
                    lines.setdefault(where, op)
            if not lines:
                return  # TensorFlow or a library made them, and the user cannot help it
            places = "; ".join(
                f"{op.type} {op.name!r} at {file}:{line}: {code}"
                for (file, line, code), op in list(lines.items())[:3]
            )
            diagnosis.warn(
                f"the graph grew in each of the last {_RUNS_IN_A_ROW} runs (by {len(new)} ops in "
                f"the last): ops are created inside the loop, and every step gets slower. Build "
                f"them once, before it: {places}. graph.finalize() finds the place.",
                errors.GrowingGraphWarning,
            )
