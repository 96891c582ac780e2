"""A step's ops as the lines of a Python function."""

import re

import numpy as np

from tfqueue import _tensorflow
from tfqueue.dataset.written import composed, known, literals, spelling, structured
from tfqueue.dataset.written.expression import Expression, constant

_tf = _tensorflow.compat_v1()

_SHORT = 48
"""Up to how many characters what is used once is written where it is used."""


class Body:
    """Writes ops as assignments, what is used once and short as a part of its user's line.

    Args:
      given: Dict from tensor name to `Expression`.
      taken: Names that are not free.
      parameters: Dict that takes large constants, by the name they get.
      tables: Dict that takes the text of tables, by the name they get.
    """

    def __init__(self, given, taken, parameters, tables):
        self.lines = []
        self.expressions = dict(given)
        self.sparse = {}
        self.names = taken
        self.parameters = parameters
        self.tables = tables
        self._uses = {}
        self._last_of_line = {}
        self._values = {}
        self._calls = {}

    def write(self, ops, results):
        """Writes what `results` need of `ops`.

        Args:
          ops: Operations, in the order they were built.
          results: Tensors.
        """
        self._values = known.values(ops)
        self._calls = composed.find(ops, results)
        needed = self._needed(set(ops), results)
        for op in ops:
            if op in needed:
                where = _tensorflow.creation_line(op)
                if where:
                    self._last_of_line[where[:2]] = op
        for op in ops:
            if op in needed:
                self._op(op)

    def of(self, tensor, plain=False):
        """The expression of a tensor; of a constant the bare value, if `plain`."""
        found = self.expressions[tensor.name]
        if plain and found.array is not None:
            return Expression(literals.value(found.array))
        return found

    def operand(self, tensor):
        """The expression of an operator's operand."""
        found = self.expressions[tensor.name]
        if found.array is not None and not found.array.ndim:
            found = self.of(tensor, plain=True)
        if found.array is not None:
            return f"tf.constant({literals.value(found.array)}, {literals.dtype(found.dtype)})"
        return found if found.atomic else f"({found})"

    def name(self, wanted):
        """A free name."""
        return literals.free(wanted, self.names)

    def let(self, op, text):
        """Assigns to a name that says what the program, or TensorFlow, called it; the name."""
        name = self.name(self._called(op))
        self.lines.append(f"{name} = {text}")
        return name

    def inner(self, given):
        """A body for a function inside this one."""
        return Body(self.expressions | given, set(self.names), self.parameters, self.tables)

    def outside(self, wanted, text):
        """The name of what is made once, before the function is called."""
        name = self.name(wanted)
        self.tables[name] = text
        return name

    def settles(self, tensor):
        """Whether what is written for a tensor says its shape by itself."""
        return tensor.op in self._calls

    # -- one op -----------------------------------------------------------------------------------

    def _needed(self, ops, results):
        needed, todo = set(), list(results)
        while todo:
            tensor = todo.pop()
            self._uses[tensor.name] = self._uses.get(tensor.name, 0) + 1
            if tensor.name in self.expressions or tensor.op in needed or tensor.op not in ops:
                continue
            needed.add(tensor.op)
            call = self._calls.get(tensor.op)
            if call is not None:
                todo.append(call.source)
                continue
            if tensor.op.type == "Const" or self._folded(tensor.op) is not None:
                continue
            todo += [tensor.op.inputs[0]] if tensor.op.type in spelling.SAME else tensor.op.inputs
        return needed

    def _folded(self, op):
        """The value of an op that is a constant, or None."""
        return self._values.get(op.outputs[0].name) if len(op.outputs) == 1 else None

    def _op(self, op):
        value, call = self._folded(op), self._calls.get(op)
        if call is not None:
            if op is call.result.op:
                self.put(op, call.template.format(self.of(call.source)))
        elif value is not None:
            self._constant(op, value)
        elif op.type in spelling.SAME:
            source = op.inputs[0]
            self.expressions[op.outputs[0].name] = self.expressions[source.name]
            self._uses[source.name] += self._uses.get(op.outputs[0].name, 0) - 1
        elif op.type in structured.ROWS:
            structured.ROWS[op.type](self, op)
        elif op.type in spelling.OPERATORS and len(op.inputs) == 2:
            sign = spelling.OPERATORS[op.type]
            text = f"{self.operand(op.inputs[0])} {sign} {self.operand(op.inputs[1])}"
            self.put(op, text, atomic=False)
        else:
            row = spelling.row(op)
            self.put(op, self._called_with(op, row) if row else spelling.raw(op, self.of))

    def put(self, op, text, atomic=True):
        """Notes an op's text: as a part of its user's line, or as an assignment."""
        if len(op.outputs) == 1:
            output = op.outputs[0].name
            if self._uses.get(output) == 1 and len(text) <= _SHORT and "\n" not in text:
                made = Expression(text)
                made.atomic = atomic
            else:
                made = Expression(self.let(op, text))
            self.expressions[output] = made
        elif op.outputs:
            name = self.let(op, text)
            for k, output in enumerate(op.outputs):
                self.expressions[output.name] = Expression(f"{name}[{k}]")

    def _constant(self, op, value):
        output = op.outputs[0]
        if np.asarray(value).size > literals.MOST:
            name = self.parameter("values", np.asarray(value))
            self.expressions[output.name] = Expression(
                f"tf.constant({name}, {literals.dtype(output.dtype)})"
            )
        else:
            self.expressions[output.name] = constant(value, output.dtype)

    def parameter(self, wanted, array):
        """The name of a parameter that stands for an array too large to be written."""
        for name, there in self.parameters.items():
            if there is array:
                return name
        name = self.name(literals.identifier(wanted, "values"))
        self.parameters[name] = array
        return name

    def _called_with(self, op, row):
        template, defaults = row

        def fill(match):
            key, _, how = match.group(1).partition("!")
            plain = how == "c"
            if key.startswith("*"):
                inputs = list(op.inputs)[: int(key[1:])] if key[1:] else list(op.inputs)
                texts = []
                for t in inputs:
                    found = self.expressions[t.name]
                    same = found.array is not None and len(inputs) > 1
                    texts.append(found if not same else self._beside(t, inputs))
                return "[" + ", ".join(texts) + "]"
            if re.fullmatch(r"-?\d+", key):
                return self.of(op.inputs[int(key)], plain)
            return literals.attribute(op.node_def.attr[key])

        text = re.sub(r"\{([^}]*)\}", fill, template)
        extra = []
        for attribute, (keyword, default) in defaults.items():
            written = literals.attribute(op.node_def.attr[attribute])
            if written != str(default):
                extra.append(f", {keyword}={written}")
        return text[:-1] + "".join(extra) + ")"

    def _beside(self, tensor, others):
        """A constant in a list: bare, where another element says the dtype."""
        told = any(self.expressions[t.name].array is None for t in others)
        return self.of(tensor, plain=told)

    def _called(self, op):
        where = _tensorflow.creation_line(op)
        if where and self._last_of_line.get(where[:2]) is op:
            target = re.match(r"(\w+)\s*=[^=]", where[2])
            if target and target.group(1) not in ("tf", "_"):
                return target.group(1)
        return literals.identifier(op.name, literals.identifier(op.type, "x"))
