"""The first op of a traced step whose inputs agree and whose output does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tfqueue.recording.outcome import Difference
from tfqueue.recording.recording import Recording, TracedOp
from tfqueue.recording.tolerances import difference, rounded

FIRST_VALUE = "the first value of "
"""What a difference of a variable's initial value begins with."""
# Their values tell nothing of their inputs' values.
_OF_SHAPES = frozenset(["Shape", "ShapeN", "Rank", "Size", "ZerosLike", "OnesLike"])


class Search:
    """Looks for it in the traces of two recordings.

    Args:
        old: What the original did.
        new: What is done today.
        renamed: From old names of variables to today's.
        free: Sources that differ by nature, and why.
        rtol: How far floats may be apart.
    """

    def __init__(
        self,
        old: Recording,
        new: Recording,
        renamed: Mapping[str, str],
        free: Mapping[str, str],
        rtol: float,
    ) -> None:
        self._old, self._new = old, new
        self._renamed, self._free, self._rtol = renamed, free, rtol

    def before(self, differences: Sequence[Difference]) -> Difference | None:
        """The first op that differs, before what differs.

        Ops that lead to no fetch that differs are passed over: gradients and constants are built
        in other ways from release to release.
        """
        return self._first_op(self._before_differing(differences)) or self._first_op(
            {op.name for op in self._new.trace if not op.name.startswith("gradients")}
        )

    def _first_op(self, wanted: set[str]) -> Difference | None:
        """The first of some ops whose inputs agree and whose output does not."""
        old = {self._today(op.name): op for op in self._old.trace}
        values = {rounded(value) for op in self._old.trace for value in op.outputs.values()}
        traced = {op.name for op in self._new.trace}
        agreed: set[str] = set()
        for op in self._new.trace:
            if op.name not in wanted:
                continue
            before = old.get(op.name)
            if before is None:  # an op of another name agrees where its values are known
                agrees = not op.inputs or all(rounded(v) in values for v in op.outputs.values())
            else:
                agrees = self._op_agrees(before, op)
            if agrees:
                agreed.update(f"{op.name}:{place}" for place in op.outputs)
            elif all(name in agreed or self._is_given(name, traced) for name in op.inputs):
                if before is not None:
                    found = self._about(before, op)
                elif self._comes_right(op, old):
                    found = None  # TensorFlow builds this in another way today
                else:
                    found = Difference(f"op {op.name}", "missing", f"a {op.type}", line=op.line)
                if found is not None:
                    return found
        return None

    def _today(self, name: str) -> str:
        """The name of an op or a tensor, where a variable is called otherwise today that variable's."""
        op, colon, place = name.partition(":")
        variable, slash, rest = op.rpartition("/")
        if op in self._renamed:
            return self._renamed[op] + colon + place
        return self._renamed.get(variable, variable) + slash + rest + colon + place

    def _is_given(self, name: str, traced: set[str]) -> bool:
        """Whether a tensor is no traced op's, and no variable's that differs by nature."""
        op = name.partition(":")[0]
        variable = op.removesuffix("/read").partition("/ReadVariableOp")[0]
        return op not in traced and f"variable:{variable}" not in self._free

    def _comes_right(self, op: TracedOp, old: Mapping[str, TracedOp]) -> bool:
        """Whether all that comes of an op which only the new program has agrees again."""
        behind = {op.name}
        for each in self._new.trace:
            if each.type in _OF_SHAPES or behind.isdisjoint(
                name.partition(":")[0] for name in each.inputs
            ):
                continue
            if each.name not in old:
                behind.add(each.name)
            elif not self._op_agrees(old[each.name], each):
                return False
        return True

    def _before_differing(self, differences: Sequence[Difference]) -> set[str]:
        """The names of the traced ops that lead to the first fetch that differs, or of all."""
        ops = {op.name: op for op in self._new.trace}
        told = [each.what.partition(":")[0] for each in differences]
        ends = [name for name in told if name in ops][:1] or list(ops)
        if told[0].startswith(FIRST_VALUE):
            ends = list(ops)  # the initialisation stands before all
        found: set[str] = set()
        while ends:
            name = ends.pop()
            if name in ops and name not in found:
                found.add(name)
                ends.extend(tensor.partition(":")[0] for tensor in ops[name].inputs)
        return found

    def _op_agrees(self, old: TracedOp, new: TracedOp) -> bool:
        return old.type == new.type and all(
            place in new.outputs and difference(value, new.outputs[place], self._rtol) is None
            for place, value in old.outputs.items()
        )

    def _about(self, old: TracedOp, new: TracedOp) -> Difference | None:
        names = [f"{kind}:{new.name}" for kind in ("drawn", "taken", "python")]
        variable = f"variable:{new.name.removesuffix('/read')}"
        if any(name in self._free for name in [*names, variable]) or self._is_source(new):
            return None
        if old.type != new.type:
            return Difference(f"op {new.name}", f"a {old.type}", f"a {new.type}", line=new.line)
        inputs = tuple(map(self._today, old.inputs))
        if inputs != new.inputs:
            given = ", ".join(inputs), ", ".join(new.inputs)
            return Difference(
                f"op {new.name}", f"given ({given[0]})", f"given ({given[1]})", line=new.line
            )
        for place, value in old.outputs.items():
            if place in new.outputs:
                told = difference(value, new.outputs[place], self._rtol)
                if told is not None:
                    return Difference(f"op {new.name}", *told, line=new.line)
        return None

    def _is_source(self, op: TracedOp) -> bool:
        return not op.inputs and op.type not in ("Const", "Placeholder")
