"""A step's ops as the lines of a Python function."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Array, Op, Tensor
from tfqueue.dataset import image_calls, literals, op_calls, op_statements
from tfqueue.dataset.layout import indented
from tfqueue.dataset.literals import Expression, known
from tfqueue.dataset.steps import TABLES, OldStep
from tfqueue.graph.statefulness import RANDOM

_tf = _tensorflow.compat_v1()

_SHORT = 48
"""The longest expression, in characters, that is written into the line of its only user."""
_OPERAND = 30
"""The same for an operand of an operator."""


class Body:
    """Writes ops as assignments. A short op that is used once becomes a part of its user's line.

    Args:
        given: Dict from tensor name to `Expression`.
        names: Names that are not free; it is added to.
        bound: Dict that takes what the function is given besides, by the name it gets: arrays,
            Python functions, and `Expression`s of what is made once, such as tables.
        parameter: Function from a name and an array to the name of a parameter of the program.
        origins: Dict from op name to the operation of the old graph that it stands for.
    """

    def __init__(
        self,
        given: Mapping[str, Expression],
        names: set[str],
        bound: dict[str, Any],
        parameter: Callable[[str, Any], str],
        origins: Mapping[str, Op] | None = None,
    ) -> None:
        self.expressions = dict(given)
        self.sparse: dict[tuple[str, ...], Expression] = {}
        """The expressions of sparse tensors, by the names of their three parts."""
        self.names = names
        self.bound = bound
        self.parameter = parameter
        self._told: dict[str, Array] = {}
        self._origins = dict(origins or {})
        self._lines: list[tuple[tuple[str, ...], str]] = []
        self._waits: tuple[str, ...] = ()
        self._uses: dict[str, int] = {}
        self._last_of_line: dict[tuple[str, int], Op] = {}
        self._values: dict[str, Array] = {}
        self._calls: dict[Op, image_calls.Call] = {}
        self._inside: frozenset[Op] = frozenset()

    def write(self, ops: Sequence[Op], results: Sequence[Tensor], waits: Sequence[Op] = ()) -> None:
        """Writes what `results` and `waits` need of `ops`.

        Args:
            ops: Operations, in the order they were built.
            waits: Operations that run besides.
        """
        self._inside = frozenset(ops)
        self._values = known_values(ops, self._told)
        if not self._origins:
            self._calls = image_calls.find(ops, results)
        needed, loose = self._needed(results, waits)
        for op in ops:
            where = _tensorflow.creation_line(self._origin(op)) if op in needed else None
            if where:
                self._last_of_line[where[:2]] = op
        for op in ops:
            if op in needed:
                with self._after(op):
                    self._op(op)
        if loose:
            self._wait_for(loose, results[0])

    @property
    def lines(self) -> list[str]:
        """The statements, those that wait for others in `with` blocks."""
        made: list[str] = []
        for waits, group in itertools.groupby(self._lines, key=lambda line: line[0]):
            texts = [text for _, text in group]
            if waits:
                made.append(f"with tf.control_dependencies([{', '.join(waits)}]):")
                texts = list(map(indented, texts))
            made += texts
        return made

    def line(self, text: str) -> None:
        """Adds a statement."""
        self._lines.append((self._waits, text))

    def of(self, tensor: Tensor, plain: bool = False) -> Expression:
        """The expression of a tensor; of a constant the bare value, if `plain`."""
        found = self.expressions[tensor.name]
        if plain and found.array is not None and found.array.size <= literals.MOST:
            return Expression(literals.value(found.array))
        return found

    def tensor(self, tensor: Tensor) -> str:
        """The expression of a tensor at a place where a list stands for several tensors."""
        found = self.of(tensor)
        if found.array is not None and found.startswith("["):
            return f"tf.constant({found}, {literals.dtype(found.dtype)})"
        return found

    def value(self, tensor: Tensor) -> Array | None:
        """The value of a tensor that is always the same, or None."""
        found = self._values.get(tensor.name)
        return None if found is None else literals.as_array(found)

    def operand(self, tensor: Tensor) -> str:
        """The expression of an operator's operand."""
        found = self.of(tensor)
        if found.array is not None and not found.array.ndim:
            found = self.of(tensor, plain=True)
            return f"({found})" if found.startswith("-") else found
        if found.array is not None and found.array.size <= literals.MOST:
            text = f"tf.constant({literals.value(found.array)}, {literals.dtype(found.dtype)})"
            if len(text) <= _OPERAND:
                return text
            name = self.name("constant")
            self.line(f"{name} = {text}")
            return name
        return found if found.atomic else f"({found})"

    def name(self, wanted: str) -> str:
        """A free name."""
        return literals.free(wanted, self.names)

    def let(self, op: Op, text: str) -> str:
        """Assigns to a name that says what the program, or TensorFlow, called it; the name."""
        name = self.name(self._called(op))
        self.line(f"{name} = {text}")
        return name

    def give(self, step: OldStep, names: Mapping[str, str]) -> None:
        """Notes the variables and the tables that a step uses.

        Args:
            names: Dict from names of its tensors to those of the tensors that stand for them.
        """
        for name, value in step.constants.items():
            self._told[names[name]] = value
            dtype = step.graph.get_tensor_by_name(name).dtype.base_dtype
            self.expressions[names[name]] = self._known(value, dtype)
        for op in step.ops:
            if op.type in TABLES:
                handle = op.outputs[0].name
                self.expressions[names.get(handle, handle)] = op_statements.table(self, op)

    def inner(self, given: Mapping[str, Expression]) -> Body:
        """A body for a function inside this one."""
        return Body(given, set(self.names), self.bound, self.parameter)

    def bind(self, wanted: str, what: Any) -> str:
        """The name of an argument of the function: an array, a Python function, or a table's text.

        Args:
            wanted: The name, if it is free.
            what: The array or the function; or an `Expression` that makes it once for all.
        """
        for name, there in self.bound.items():
            if there is what:
                return name
        name = self.name(literals.identifier(wanted, "values"))
        self.bound[name] = what
        return name

    def settles(self, tensor: Tensor) -> bool:
        """Whether the written call gives the tensor its static shape."""
        return tensor.op in self._calls

    # -- what is written ------------------------------------------------------------------------

    def _needed(self, results: Sequence[Tensor], waits: Sequence[Op]) -> tuple[set[Op], list[Op]]:
        """The ops to be written, and those of them whose outputs no written op uses."""
        needed: set[Op] = set()
        todo = list(results)
        for tensor in todo:
            self._count(tensor)
        barriers: set[Op] = set()
        for op in waits:
            barriers |= self._barriers(op)
        while todo or barriers:
            while todo:
                op = todo.pop().op
                if op in needed or op not in self._inside or self._is_given(op):
                    continue
                needed.add(op)
                for before in op.control_inputs:
                    barriers |= self._barriers(before)
                for tensor in self._taken(op):
                    self._count(tensor)
                    todo.append(tensor)
            # A stateful op runs where it is written. Other ops need a control dependency.
            for op in sorted(barriers - needed, key=lambda op: op.name):
                for tensor in op.outputs[:1]:
                    todo.append(tensor)
                if not op.outputs:
                    needed.add(op)
                    for tensor in self._taken(op):
                        self._count(tensor)
                        todo.append(tensor)
            barriers -= needed
            barriers -= {op for op in barriers if self._is_given(op)}
        used = {t.op for op in needed for t in self._taken(op)} | {t.op for t in results}
        return needed, [op for op in needed - used if not stateful(op)]

    def _count(self, tensor: Tensor) -> None:
        self._uses[tensor.name] = self._uses.get(tensor.name, 0) + 1

    def _is_given(self, op: Op) -> bool:
        return bool(op.outputs) and all(t.name in self.expressions for t in op.outputs)

    def _taken(self, op: Op) -> list[Tensor]:
        """The tensors that an op's text names."""
        call = self._calls.get(op)
        if call is not None:
            return [call.source]
        if op.type == "Const" or self._folded(op) is not None:
            return []
        if self._is_same(op):
            return op.inputs[:1]
        return op_statements.taken(op)

    def _barriers(self, op: Op) -> set[Op]:
        """The ops whose run a control dependency on `op` waits for."""
        found: set[Op] = set()
        seen: set[Op] = set()
        todo = [op]
        while todo:
            op = todo.pop()
            if op in seen or op not in self._inside or self._is_given(op):
                continue
            seen.add(op)
            if stateful(op):
                found.add(op)
            elif op.type in ("NoOp", "Const") or self._is_same(op) or self._folds(op):
                todo += [*op.control_inputs, *(t.op for t in op.inputs)]
            else:
                found.add(op)
        return found

    def _is_same(self, op: Op) -> bool:
        """Whether an op gives its first input unchanged."""
        return op.type in op_calls.SAME or self._is_bound(op)

    def _is_bound(self, op: Op) -> bool:
        """Whether an op puts what a uniform distribution drew between 0 and 1, where it is."""
        if op.type not in ("Add", "AddV2", "Mul"):
            return False
        number, drawn = self.value(op.inputs[1]), op.inputs[0].op
        if number is None or number.ndim or number != (op.type == "Mul"):
            return False
        return drawn.type == "RandomUniform" if op.type == "Mul" else self._is_bound(drawn)

    def _folds(self, op: Op) -> bool:
        return self._folded(op) is not None

    def _folded(self, op: Op) -> Array | None:
        """The value of an op that is a constant, or None."""
        return self._values.get(op.outputs[0].name) if len(op.outputs) == 1 else None

    @contextlib.contextmanager
    def _after(self, op: Op) -> Iterator[None]:
        """Within the block lines have control dependencies on the ops that `op` waits for."""
        waits: set[Op] = set()
        for before in op.control_inputs:
            waits |= {each for each in self._barriers(before) if stateful(each)}
        if self._folds(op) or op.type == "NoOp":
            waits = set()
        self._waits = tuple(dict.fromkeys(self._handle(each) for each in self._in_order(waits)))
        try:
            yield
        finally:
            self._waits = ()

    def _in_order(self, ops: Iterable[Op]) -> list[Op]:
        return sorted(ops, key=lambda op: op.name)

    def _handle(self, op: Op) -> Expression:
        """The name of an op that is waited for."""
        return self.expressions[op.outputs[0].name if op.outputs else f"^{op.name}"]

    def _wait_for(self, ops: Iterable[Op], result: Tensor) -> None:
        self._waits = tuple(self._handle(op) for op in self._in_order(ops))
        made = Expression(self.let(result.op, f"tf.identity({self.of(result)})"))
        self.expressions[result.name] = made
        self._waits = ()

    # -- one op -----------------------------------------------------------------------------------

    def _op(self, op: Op) -> None:
        value, call = self._folded(op), self._calls.get(op)
        if call is not None:
            if op is call.result.op:
                self.put(op, call.template.format(self.of(call.source)))
        elif value is not None:
            result = op.outputs[0]
            self.expressions[result.name] = self._known(value, result.dtype)
        elif self._is_same(op) and self._waits:
            self.put(op, f"tf.identity({self.of(op.inputs[0])})")
        elif self._is_same(op):
            self.hand_on(op)
        elif op.type in op_statements.ROWS:
            op_statements.ROWS[op.type](self, op)
        elif op.type in op_calls.OPERATORS and op_calls.is_operator(op):
            sign = op_calls.OPERATORS[op.type]
            text = f"{self.operand(op.inputs[0])} {sign} {self.operand(op.inputs[1])}"
            self.put(op, text, atomic=False)
        else:
            self.call(op)

    def hand_on(self, op: Op) -> None:
        """Notes that an op gives its first input as it is."""
        source = op.inputs[0]
        self.expressions[op.outputs[0].name] = self.expressions[source.name]
        self._uses[source.name] += self._uses.get(op.outputs[0].name, 0) - 1

    def call(self, op: Op) -> None:
        """Writes an op as the call of its function, or of its raw op."""
        row = op_calls.row(op)
        if row:
            self.put(op, self._called_with(op, row))
        else:
            self.put(op, op_calls.raw(op, self.of), places=op_calls.places(op))

    def put(
        self, op: Op, text: str, atomic: bool = True, places: Sequence[str] | None = None
    ) -> None:
        """Notes an op's text: as a part of its user's line, or as an assignment.

        Args:
            text: What makes its outputs.
            atomic: Whether an operator can stand beside it without parentheses.
            places: Where each output is found in what the text makes, such as `"[0]"`.
        """
        if places is None:
            places = [""] if len(op.outputs) == 1 else [f"[{k}]" for k in range(len(op.outputs))]
        if places == [""]:
            output = op.outputs[0]
            short = len(text) <= (_SHORT if self._is_no_operand(output) else _OPERAND)
            once = self._uses.get(output.name) == 1 and not self._waits and not stateful(op)
            if once and short and "\n" not in text:
                made = Expression(text)
                made.atomic = atomic
            else:
                made = Expression(self.let(op, text))
            self.expressions[output.name] = made
        else:
            name = self.let(op, text)
            self.expressions[f"^{op.name}"] = Expression(name)
            for output, place in zip(op.outputs, places, strict=True):
                self.expressions[output.name] = Expression(name + place)

    def _is_no_operand(self, tensor: Tensor) -> bool:
        return not any(
            user.type in op_calls.OPERATORS or user.type == "StridedSlice"
            for user in op_building.consumers(tensor)
        )

    def _known(self, value: Array, dtype: Any) -> Expression:
        array = literals.as_array(value)
        if array.size <= literals.MOST:
            return known(array, dtype)
        made = Expression(self.bind("values", array))
        made.array, made.dtype = array, dtype
        return made

    def _called_with(self, op: Op, row: op_calls.Row) -> str:
        template, defaults = row

        def fill(match: re.Match[str]) -> str:
            key, _, how = match.group(1).partition("!")
            plain = how == "c"
            if key.startswith("*"):
                inputs = list(op.inputs)[: int(key[1:])] if key[1:] else list(op.inputs)
                return "[" + ", ".join(self._beside(t, inputs) for t in inputs) + "]"
            if re.fullmatch(r"-?\d+", key):
                return self.of(op.inputs[int(key)], plain)
            return literals.attribute(op.node_def.attr[key]) or ""

        text = re.sub(r"\{([^}]*)\}", fill, template)
        extra = []
        for attribute, (keyword, default) in defaults.items():
            written = literals.attribute(op.node_def.attr[attribute])
            if written != str(default):
                extra.append(f", {keyword}={written}")
        return text[:-1] + "".join(extra) + ")"

    def _beside(self, tensor: Tensor, others: Sequence[Tensor]) -> Expression:
        """An element of a list; a constant is bare where another element says the dtype."""
        told = any(self.expressions[t.name].array is None for t in others)
        return self.of(tensor, plain=told)

    def _origin(self, op: Op) -> Op:
        """The operation of the old graph that an op was copied from."""
        name = op.name
        while name not in self._origins:
            name, _, last = name.rpartition("/")
            if not last or not name:
                return op
        return self._origins[name]

    def _called(self, op: Op) -> str:
        origin = self._origin(op)
        where = _tensorflow.creation_line(origin)
        if where and self._last_of_line.get(where[:2]) is op:
            target = re.match(r"(\w+)\s*=[^=]", where[2])
            if target and target.group(1) not in ("tf", "_"):
                return literals.identifier(target.group(1), "x")
        return literals.identifier(origin.name, literals.identifier(op.type, "x"))


def stateful(op: Op) -> bool:
    """Whether an op has a side effect, so that it runs wherever it is written."""
    if op.type in ("If", "While", "Case", "StatefulPartitionedCall"):
        return True
    return _tensorflow.is_stateful(op.type) and op.type not in op_statements.HANDLES


def known_values(ops: Sequence[Op], told: Mapping[str, Array]) -> dict[str, Array]:
    """The values of those tensors that are the same in every run.

    Args:
        ops: Operations, in the order they were built.
        told: Dict from tensor name to array, of those that are known otherwise.

    Returns:
        Dict from tensor name to array.
    """
    found, computed = dict(told), []
    for op in ops:
        if len(op.outputs) != 1 or op.outputs[0].dtype in (_tf.variant, _tf.resource):
            continue
        output = op.outputs[0]
        if output.name in found:
            continue
        inputs = all(t.name in found for t in op.inputs)
        if op.type == "Fill" and not inputs:
            continue  # its shape is what the program said it was
        value = _tf.get_static_value(output)
        if value is not None:
            found[output.name] = value
        elif op.inputs and inputs and _is_pure(op):
            computed.append(op)
            found[output.name] = None
    if computed:
        found |= _computed(computed, found)
    return found


def _is_pure(op: Op) -> bool:
    calls = op_building.functions_called(op.node_def)
    return not calls and op.type not in RANDOM and not _tensorflow.is_stateful(op.type)


def _computed(ops: Sequence[Op], known: Mapping[str, Array]) -> dict[str, Array]:
    """The values of ops whose inputs are known."""
    with _tf.Graph().as_default() as graph:
        made = {}
        for op in ops:
            for t in op.inputs:
                if t.name not in made:
                    made[t.name] = _tf.constant(known[t.name], t.dtype)
            copy = op_building.copy_op(op, op.node_def, [made[t.name] for t in op.inputs])
            made[op.outputs[0].name] = copy.outputs[0]
        wanted = [op.outputs[0].name for op in ops]
        with (
            _tensorflow.quiet_first_session(),
            contextlib.closing(_tf.Session(graph=graph)) as sess,
        ):
            return dict(zip(wanted, sess.run([made[name] for name in wanted]), strict=True))
