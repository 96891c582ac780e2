"""The ops of a step, between the elements that it takes and those that it gives.

A step is one run of an enqueue op, or of what the old function returned. The reasons why its ops
cannot stand in a dataset are rows: a condition, and what is said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from typing import Any, NoReturn, TypeAlias

import numpy as np

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Array, Graph, Op, Tensor
from tfqueue.graph import conds, statefulness
from tfqueue.graph.op_types import LOOKUPS, VARIABLES

_tf = _tensorflow.compat_v1()

TAKES_SPARSE = "TakeManySparseFromTensorsMap"
ADDS_SPARSE = frozenset(["AddSparseToTensorsMap", "AddManySparseToTensorsMap"])
PYTHON = frozenset(["PyFunc", "PyFuncStateless", "EagerPyFunc"])
TABLES = frozenset(["HashTableV2", "AnonymousHashTable"])


Given: TypeAlias = str | tuple[str, ...]
"""The name of the tensor that is a component of an element; three names for a sparse tensor."""
Refusal: TypeAlias = tuple[str] | tuple[str, str]
"""Why an op cannot be lifted, and what else can be done."""


@dataclasses.dataclass(eq=False)
class OldStep:
    """The ops of one step of the old program.

    Attributes:
        graph: Where they stand.
        given: What the elements' components stand for: a tensor's name, or three names for a
            sparse tensor.
        ops: The ops between, in the order they were built.
        results: What it gives: tensors, or triples of tensors for sparse ones.
        structure: How the results are nested; None for a tuple of them.
        waits: Names of ops that are run besides.
        constants: Dict from tensor name to the value of a variable that nobody assigns.
        fixed: Names among `given` of strings that are all of one length.
        threads: How many of the old program's threads ran the step.
    """

    graph: Graph
    given: list[Given]
    ops: list[Op]
    results: list[Tensor | tuple[Tensor, ...]]
    structure: Any = None
    waits: list[str] = dataclasses.field(default_factory=list)
    constants: dict[str, Array] = dataclasses.field(default_factory=dict)
    fixed: frozenset[str] = frozenset()
    threads: int = 1

    @property
    def flat(self) -> list[Tensor]:
        """The results, those of a sparse tensor one by one."""
        return [t for r in self.results for t in (r if isinstance(r, tuple) else [r])]

    @property
    def plain(self) -> bool:
        """Whether it returns its elements unchanged, and runs no other op."""
        same = [_name(r) for r in self.results] == self.given
        return self.structure is None and same and not self.waits

    @property
    def draws(self) -> bool:
        """Whether a random op is among its ops."""
        return bool(statefulness.types_within(self.graph, self.ops) & statefulness.RANDOM)

    @property
    def sparse(self) -> bool:
        """Whether it takes or gives a sparse tensor."""
        return any(isinstance(part, tuple) for part in [*self.given, *self.results])

    @property
    def ordered(self) -> bool:
        """Whether examples are computed one after the other: draws with seeds, calls of Python."""
        if any(op.type in ("PyFunc", "EagerPyFunc") for op in self.ops):
            return True
        return self.threads == 1 and statefulness.seeded_within(self.graph, self.ops)

    @property
    def draws_alike(self) -> bool:
        """Whether two random ops of one type share a seed: an example gets the same from both."""
        seeds = statefulness.seeds_within(self.graph, self.ops)
        return len(set(seeds)) < len(seeds)

    @property
    def settled(self) -> bool:
        """Whether each result always has one shape."""
        return not self.sparse and all(t.shape.is_fully_defined() for t in self.flat)

    @property
    def regular(self) -> bool:
        """Whether every tensor of the step always has one shape, so that examples can be batched.

        No shape tells how many values a string decodes to. The number is known if all strings have
        one length, or if a later op fails for any other number.
        """
        callers = [op for op in self.ops if op.type not in _OF_ANY_LENGTH]
        if not self.settled or statefulness.types_within(self.graph, callers) & _OF_ANY_LENGTH:
            return False
        return all(self._of_one_shape(t) for op in self.ops for t in op.outputs)

    def _of_one_shape(self, tensor: Tensor) -> bool:
        if tensor.shape.is_fully_defined() or tensor.dtype in ("resource", "variant"):
            return True
        if tensor.op.type == "DecodeRaw" and tensor.op.inputs[0].name in self.fixed:
            return True
        if tensor.op.type in _OF_ANY_LENGTH - {"DecodeRaw"}:
            return False  # a batch would be filled up with the default
        users = [user for user in op_building.consumers(tensor) if user in set(self.ops)]
        return all(self._pins(user) for user in users)

    def _pins(self, op: Op) -> bool:
        """Whether an op fails unless its input has one shape."""
        (made,) = op.outputs[:1] or [None]
        if op.type in _KEEPS_SHAPE:
            return self._of_one_shape(made)
        return op.type in ("Reshape", "EnsureShape") and made.shape.is_fully_defined()


def _name(result: Tensor | tuple[Tensor, ...]) -> Given:
    return tuple(t.name for t in result) if isinstance(result, tuple) else result.name


def refuse(reason: str, op: Op | None, instead: str = "") -> NoReturn:
    """Raises `errors.CannotLiftError`.

    Args:
        reason: Why not, as "placeholder 'x' is fed by hand".
        op: The operation, for its line; or None.
        instead: What else can be done.
    """
    where = _tensorflow.creation_line(op) if op is not None else None
    built = f" (built at {where[0]}:{where[1]}: {where[2]})" if where else ""
    ways = f"{instead}, or " if instead else ""
    raise errors.CannotLiftError(
        f"{reason}{built}, so tf.data ops cannot do the same: {ways}"
        "feed the dataset from a session with tfqueue.dataset(..., engine='session')"
    )


def asserted(op: Op) -> tuple[Tensor, list[Tensor | Array], int] | None:
    """The assertion of an op that `tf.Assert` made: an `If` with an Assert in one branch.

    Returns:
        `(condition, data, summarize)`, the data tensors beside the `If` or arrays; or None.
    """
    if op.type not in ("If", "StatelessIf") or len(op.outputs) > 1:
        return None
    graphs = [
        op_building.function_of(op.graph, op.get_attr(name).name)
        for name in ("then_branch", "else_branch")
    ]
    if None in graphs:
        return None
    then, other = (function.graph for function in graphs)
    checks = [each for each in other.get_operations() if each.type == "Assert"]
    kinds = {each.type for graph in (then, other) for each in graph.get_operations()}
    if len(checks) != 1 or not kinds <= {"Assert", "Identity", "NoOp", "Const", "Placeholder"}:
        return None
    if any(each.type == "Assert" for each in then.get_operations()):
        return None
    outside = dict(zip((t.name for t in other.inputs), list(op.inputs)[1:], strict=True))
    data = []
    for tensor in list(checks[0].inputs)[1:]:
        while tensor.op.type == "Identity":
            tensor = tensor.op.inputs[0]
        value = _tf.get_static_value(tensor)
        data.append(outside[tensor.name] if value is None else np.asarray(value))
    return op.inputs[0], data, checks[0].get_attr("summarize")


def check(step: OldStep, python: bool = False) -> None:
    """Raises `errors.CannotLiftError` if an op of the step cannot stand in a dataset.

    Args:
        python: Whether calls of Python functions can.
    """
    for op in step.ops:
        for row in _ROWS if not (python and op.type in PYTHON) else ():
            found = row(op)
            if found:
                refuse(found[0], op, *found[1:])
    waits = [step.graph.get_operation_by_name(name) for name in step.waits]
    reason = conds.refusal(step.ops, [*step.flat, *waits])
    if reason:
        refuse(reason.removeprefix("it has "), None)


def check_value(op: Op, local: Collection[str]) -> None:
    """Raises `errors.CannotLiftError` if an op has no value before the data is read.

    Args:
        op: An operation behind a producer's rows.
        local: Names of the ops of local variables, which have their initial values.
    """
    for row in (_placeholder, _python, _variable, _table):
        found = row(op)
        if found and not (row is _variable and op.name in local):
            refuse(found[0], op, *found[1:])


# -- the rows: an operation to `(reason, what else can be done)`, or None -------------------------


def _placeholder(op: Op) -> Refusal | None:
    if op.type in ("Placeholder", "PlaceholderV2"):
        return f"placeholder {op.name!r} is fed by hand", "make it an argument of the function"
    return None


def _python(op: Op) -> Refusal | None:
    if "PyFunc" in op.type:
        return (f"{op.type} {op.name!r} calls Python", "allow it with python=True")
    return None


def _variable(op: Op) -> Refusal | None:
    if op.type in VARIABLES:
        return (f"variable {op.name!r} has a value in a session only", "make it a constant")
    return None


def _table(op: Op) -> Refusal | None:
    if op.type.startswith("Mutable") and "Table" in op.type:
        return (f"table {op.name!r} changes while it is used",)
    return None


def _state(op: Op) -> Refusal | None:
    if op.type in ADDS_SPARSE or op.type == TAKES_SPARSE:
        return (f"{op.type} {op.name!r} stores sparse tensors in a way that is not the batches'",)
    if op.type in _HARMLESS or op.type in TABLES or op.type in LOOKUPS:
        return None
    found = statefulness.stateful_within(op.graph, op.node_def)
    if found and found not in _HARMLESS:
        return (f"{found} {op.name!r} keeps a state of its own",)
    return None


# The length of their results is that of a string or a list in the example. In a batch all results
# have one length, so that shorter ones are filled up.
_OF_ANY_LENGTH = frozenset(["DecodeRaw", "ParseExampleV2", "ParseSingleExample"])
_KEEPS_SHAPE = frozenset(
    ["Identity", "Cast", "Add", "AddV2", "Sub", "Mul", "Div", "RealDiv", "Neg", "Bitcast"]
)
_HARMLESS = frozenset(["Assert", "ReadFile", "MatchingFiles", "Print", "PrintV2"])
_ROWS: list[Callable[[Op], Refusal | None]] = [_placeholder, _python, _variable, _table, _state]
