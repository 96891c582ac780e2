"""TensorFlow 1's conds (Switch, Merge) as functional ones, in a copy of the per-example ops.

pfor cannot convert `Switch` and `Merge`; it can convert the `StatelessIf` that
`tf.cond` is built as inside a function. So a cond of the old kind is built anew,
branch by branch, from what TensorFlow noted when the program said `tf.cond`:
each op in a branch has a context that names the condition and the side. The
user's graph is left as it is.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.graph import traversal

_tf = _tensorflow.compat_v1()

SWITCHES = frozenset(["Switch", "RefSwitch"])
MERGES = frozenset(["Merge", "RefMerge"])
_LOOPS = frozenset(["Enter", "Exit", "NextIteration", "LoopCond"])


Copied: TypeAlias = tuple[Op, list[Tensor]]
"""The copy of an op, and its outputs."""
Scope: TypeAlias = "collections.ChainMap[str, Copied]"
Copy: TypeAlias = Callable[[Op, list[Tensor]], Op]
"""Makes the copy of an op from its inputs."""


def needed(ops: Iterable[Op]) -> bool:
    """Whether there is a cond of the old kind among `ops`."""
    return any(op.type in SWITCHES or op.type in MERGES for op in ops)


def refusal(ops: Sequence[Op], wanted: Iterable[Any]) -> str | None:
    """Why the old control flow among `ops` cannot be lifted, or None if it can.

    Args:
        ops: Operations of the user's graph.
        wanted: The tensors and operations that are computed of them.
    """
    for each in wanted:
        op = traversal.as_op(each)
        if op_building.cond_context(op) is not None:
            return f"it uses {each.name!r}, which only one side of a tf.cond gives"
        if op.type in MERGES and each is not op and each.value_index:
            return f"it asks which side of a tf.cond was taken: {each.name!r}"
    for op in ops:
        before = [*(() if op.type in MERGES else op.inputs), *op.control_inputs]
        for each in before:
            if not _is_there(traversal.as_op(each), op):
                return f"{op.name!r} uses {each.name!r}, which only one side of a tf.cond gives"
        if op.type in MERGES and op_building.consumers(op.outputs[1]):
            return f"it asks which side of a tf.cond was taken: {op.outputs[1].name!r}"
        if op.type.removeprefix("Ref") in _LOOPS:
            return f"it has a loop of the old kind: {op.type} {op.name!r}"
        if op.type in MERGES and _branches(op) is None:
            return f"it has a Merge {op.name!r} that no tf.cond of this process made"
        if op.type in SWITCHES and op_building.cond_context(op) is None:
            # The pivot's own switch stands outside the branch it opens.
            if any(
                op_building.cond_context(c) is None
                for t in op.outputs
                for c in op_building.consumers(t)
            ):
                return f"it has a Switch {op.name!r} that no tf.cond of this process made"
    return None


def _is_there(before: Op, op: Op) -> bool:
    """Whether wherever `op` is run `before` is: it stands in no branch, or in one around `op`."""
    there, here = op_building.cond_context(before), op_building.cond_context(op)
    while here is not None and here is not there:
        here = here.outer_context
    return here is there


def bring(
    ops: Sequence[Op], given: Mapping[str, Tensor], wanted: Iterable[str], copy: Copy
) -> dict[str, Any]:
    """Builds copies of `ops` in the current graph, a function's, with their conds lifted.

    Args:
        ops: Operations of the user's graph, for which `refusal` is None.
        given: Dict from tensor name to the tensor that takes its place here.
        wanted: Names of tensors and operations of `ops`.
        copy: Function from an op and its inputs here to its copy.

    Returns:
        Dict from the names of what is wanted to the copies.
    """
    copier = _Copier(ops, given, copy)
    copier.enter(None, copier.outer)
    by_name = {op.name: op for op in ops}
    found = {}
    for name in wanted:
        op_name, _, index = name.partition(":")
        copy_of_op, outputs = copier.copied(by_name[op_name], copier.outer)
        found[name] = outputs[int(index)] if index else copy_of_op
    return found


def _branches(merge: Op) -> list[Any] | None:
    """The contexts of a Merge's two sides, `(false, true)`, or None."""
    if len(merge.inputs) != 2:
        return None
    contexts = [op_building.cond_context(t.op) for t in merge.inputs]
    if None in contexts or contexts[0].pred is not contexts[1].pred:
        return None
    return contexts if (contexts[0].branch, contexts[1].branch) == (0, 1) else None


class _Copier:
    """Copies ops: each once, in the branch in which it stands, and shared by all that use it there.

    An op that stands in no branch is never copied into one: two conds that use one random number
    use the same.

    A `scope` is a `ChainMap` from the names of ops to their copies, `(op, outputs)`: those of the
    innermost branch, then those around it.
    """

    def __init__(self, ops: Iterable[Op], given: Mapping[str, Tensor], copy: Copy) -> None:
        self._ops = set(ops)
        self._by_branch = collections.defaultdict(list)
        for op in ops:
            self._by_branch[op_building.cond_context(op)].append(op)
        self._given = given
        self._copy_one = copy
        self.outer: Scope = collections.ChainMap()

    def enter(self, branch: Any, scope: Scope) -> None:
        """Copies the ops that stand in a branch itself, before anything in branches within it.

        Args:
            branch: The branch's context; None for what stands in none.
            scope: The branch's own.
        """
        for op in self._by_branch[branch]:
            if op.type not in SWITCHES:
                self.copied(op, scope)

    def tensor(self, tensor: Tensor, scope: Scope) -> Tensor:
        """The copy of a tensor."""
        if tensor.name in self._given:
            return self._given[tensor.name]
        return self.copied(tensor.op, scope)[1][tensor.value_index]

    def copied(self, op: Op, scope: Scope) -> Copied:
        """The copy of an op, `(op, outputs)`, which is made now if `scope` has none."""
        if op.name not in scope:
            if op.type in MERGES:
                self._cond(op, scope)
            elif op.type in SWITCHES:
                # Inside the branch of a functional cond, what a switch lets in is simply there.
                there = self.tensor(op.inputs[0], scope)
                scope[op.name] = there.op, [there, there]
            else:
                copy = self._copy(op, scope)
                scope[op.name] = copy, copy.outputs
        return scope[op.name]

    def _copy(self, op: Op, scope: Scope) -> Op:
        inputs = [self.tensor(t, scope) for t in op.inputs]
        branch = op_building.cond_context(op)
        pivot = branch.pivot.op if branch is not None else None  # says that the branch was taken
        waits = [
            self.copied(control, scope)[0]
            for control in op.control_inputs
            if control in self._ops and control is not pivot
        ]
        with _tf.control_dependencies(waits):
            return self._copy_one(op, inputs)

    def _cond(self, merge: Op, scope: Scope) -> None:
        contexts = _branches(merge)
        assert contexts is not None, "`refusal` has looked"
        # One tf.cond may give several values: one Merge each, all of the same two branches.
        merges = sorted(
            (op for op in self._ops if op.type in MERGES and _branches(op) == contexts),
            key=lambda op: op.name,
        )

        def side(k: int) -> Callable[[], list[Tensor]]:
            def build() -> list[Tensor]:
                inner = scope.new_child()
                self.enter(contexts[k], inner)
                return [_tf.identity(self.tensor(m.inputs[k], inner)) for m in merges]

            return build

        pred = self.tensor(contexts[0].pred, scope)
        values = op_building.functional_cond(pred, side(1), side(0))
        for m, value in zip(merges, values, strict=True):
            scope[m.name] = value.op, [value]  # which side it was is refused, see `refusal`
