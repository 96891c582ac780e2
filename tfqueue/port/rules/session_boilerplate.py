"""`tfqueue port --managed`: session, coordinator and runners become one managed session.

Only where it can be shown to be that and nothing more: a `with` block over a session that begins
with initialisers, a coordinator and `start_queue_runners`, ends with `request_stop` and `join`,
and uses the coordinator for nothing else than `should_stop()`. Everything else stays as it is.
"""

from __future__ import annotations

import ast
import re

from tfqueue.port.program.module import Module
from tfqueue.port.source.parsing import tree_of

_INITIALIZERS = frozenset(
    f"tensorflow.{name}"
    for name in (
        "global_variables_initializer",
        "initialize_all_variables",
        "local_variables_initializer",
        "initialize_local_variables",
        "tables_initializer",
        "initialize_all_tables",
    )
)


_NO_BLOCK = "it is not the only item of a `with ... as name:` statement"
_LINES = "one of its lines holds more than one statement, or a string of several lines"


class _Block:
    """One `with tf.Session(...) as sess:` block, and what of it goes."""

    def __init__(self, module: Module, node: ast.With) -> None:
        self.module, self.node = module, node
        self.session = ""
        self.coord: str | None = None
        self.threads: str | None = None
        self.initialized = False
        self.gone: list[ast.stmt] = []
        self.body: list[ast.stmt] = []
        self.dedented: ast.Try | None = None

    def matches(self) -> bool:
        """Whether the block is the boilerplate and nothing more."""
        return self.objection() is None

    def objection(self) -> str | None:
        """Why the block is not the boilerplate and nothing more, or None."""
        node = self.node
        if len(node.items) != 1 or not isinstance(node.items[0].context_expr, ast.Call):
            return _NO_BLOCK
        item = node.items[0]
        if self.module.dotted(_func(item)) != "tensorflow.Session":
            return _NO_BLOCK
        if not isinstance(item.optional_vars, ast.Name):
            return _NO_BLOCK
        self.session = item.optional_vars.id
        rest = self._prologue(list(node.body))
        if self.threads is None or not self.initialized:
            line = rest[0].lineno if rest else node.lineno
            return (
                "it does not begin with the initializers, a Coordinator and start_queue_runners "
                f"alone: line {line} is something else"
            )
        if not self._epilogue(rest):
            return "it does not end with request_stop() and join() of its Coordinator"
        if not self._nothing_else():
            return "its Coordinator or threads are used for more than should_stop()"
        return None

    def _prologue(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        while statements and self._starts(statements[0]):
            self.gone.append(statements.pop(0))
        return statements

    def _starts(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Expr) and self._runs_initializer(statement.value):
            self.initialized = True
            # after the runners it would have been too late for their variables
            return self.threads is None
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
            # `tf.train.start_queue_runners(...)` whose threads nobody keeps
            return (
                isinstance(statement, ast.Expr)
                and self.coord is not None
                and self._starts_runners(statement.value)
            )
        target, call = statement.targets[0], statement.value
        if len(statement.targets) != 1 or not isinstance(target, ast.Name):
            return False
        if self.module.dotted(call.func) == "tensorflow.train.Coordinator":
            if self.coord is not None or call.args or call.keywords:
                return False
            self.coord = target.id
            return True
        return self._starts_runners(call, target.id)

    def _starts_runners(self, call: ast.expr, name: str = "") -> bool:
        if not isinstance(call, ast.Call) or self.threads is not None:
            return False
        if self.module.dotted(call.func) != "tensorflow.train.start_queue_runners":
            return False
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        words = {keyword.arg for keyword in call.keywords} - {"sess", "coord"}
        names = {self.session, self.coord}
        used = [arg.id for arg in given if isinstance(arg, ast.Name) and arg.id in names]
        if words or len(used) != len(given):
            return False
        if self.coord not in used:
            return False
        self.threads = name
        return True

    def _runs_initializer(self, call: ast.expr) -> bool:
        """`sess.run(init)`, `sess.run([a, b])`, `init.run()`."""
        if not isinstance(call, ast.Call) or call.keywords:
            return False
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "run":
            return False
        if not call.args:
            return self._is_initializer(func.value)
        on_session = isinstance(func.value, ast.Name) and func.value.id == self.session
        return on_session and len(call.args) == 1 and self._is_initializer(call.args[0])

    def _is_initializer(self, node: ast.expr) -> bool:
        if isinstance(node, ast.List | ast.Tuple):
            return bool(node.elts) and all(map(self._is_initializer, node.elts))
        if isinstance(node, ast.Name):
            values = [
                assign.value
                for assign in self.module.nodes[ast.Assign]
                for target in assign.targets
                if isinstance(target, ast.Name) and target.id == node.id
            ]
            return len(values) == 1 and self._is_initializer(values[0])
        if not isinstance(node, ast.Call):
            return False
        name = self.module.dotted(node.func)
        if name == "tensorflow.group":
            return (
                bool(node.args) and not node.keywords and all(map(self._is_initializer, node.args))
            )
        return name in _INITIALIZERS and not node.args and not node.keywords

    def _is_call(self, statement: ast.stmt, method: str, *arguments: str | None) -> bool:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or call.keywords:
            return False
        given = [arg.id if isinstance(arg, ast.Name) else "?" for arg in call.args]
        return self.module.source(call.func) == f"{self.coord}.{method}" and given == [
            argument for argument in arguments if argument
        ]

    def _stops(self, statement: ast.stmt) -> bool:
        return self._is_call(statement, "request_stop")

    def _joins(self, statement: ast.stmt) -> bool:
        return self._is_call(statement, "join", self.threads) or self._is_call(statement, "join")

    def _epilogue(self, rest: list[ast.stmt]) -> bool:
        joined = stopped = False
        while rest and (self._joins(rest[-1]) or self._stops(rest[-1])):
            joined = joined or self._joins(rest[-1])
            stopped = stopped or self._stops(rest[-1])
            self.gone.append(rest.pop())
        if not stopped:
            if not rest or not isinstance(rest[-1], ast.Try) or not rest[-1].finalbody:
                return False
            last = rest[-1]
            for statement in last.finalbody:
                if not (self._joins(statement) or self._stops(statement)):
                    return False
                joined = joined or self._joins(statement)
                stopped = stopped or self._stops(statement)
            self.dedented = last
        self.body = rest
        # the block does something, and both ends are there
        return joined and stopped and bool(rest)

    def _nothing_else(self) -> bool:
        """Whether coordinator and threads are used for nothing that would be missed."""
        gone = {id(inner) for statement in self.gone for inner in ast.walk(statement)}
        if self.dedented:
            gone |= {id(i) for s in self.dedented.finalbody for i in ast.walk(s)}
        for name in self.module.nodes[ast.Name]:
            if name.id not in (self.coord, self.threads) or id(name) in gone:
                continue
            if not self._inside(name) and self._belongs_elsewhere(name):
                continue
            parent = self.module.parents[name]
            call = self.module.parents.get(parent)
            asked = (
                name.id == self.coord
                and isinstance(parent, ast.Attribute)
                and parent.attr == "should_stop"
                and isinstance(call, ast.Call)
                and self._inside(name)
            )
            if not asked:
                return False
        return True

    def _belongs_elsewhere(self, name: ast.Name) -> bool:
        """Whether a name outside the block is another function's, or another session's own."""
        if self._function(name) is not self._function(self.node):
            return name.id in {
                n.id
                for n in ast.walk(self._function(name))
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
        return isinstance(name.ctx, ast.Store) or any(
            isinstance(inner, ast.Name)
            and inner.id == name.id
            and isinstance(inner.ctx, ast.Store)
            and inner.lineno < name.lineno
            for parent in self.module.ancestors(name)
            if isinstance(parent, ast.With)
            for inner in ast.walk(parent)
        )

    def _function(self, node: ast.AST) -> ast.AST:
        functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
        for parent in self.module.ancestors(node):
            if isinstance(parent, functions):
                return parent
        return self.module.tree

    def _inside(self, node: ast.AST) -> bool:
        return any(parent is self.node for parent in self.module.ancestors(node))


def _func(item: ast.withitem) -> ast.expr:
    """What the item of a `with` calls."""
    made = item.context_expr
    return made.func if isinstance(made, ast.Call) else made


def _last(statement: ast.stmt) -> int:
    """The last line of a statement."""
    return statement.end_lineno or statement.lineno


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _rewrite(module: Module, block: _Block) -> str | None:
    """The text with one block rewritten; None where its lines can't be taken apart."""
    lines = list(module.lines)
    drop: set[int] = set()
    for statement in block.gone:
        numbers = range(statement.lineno, _last(statement) + 1)
        if not _alone(module, statement):
            return None
        drop.update(numbers)
    last = block.dedented
    if last is not None:
        first = last.finalbody[0].lineno
        finally_line = next(
            (n for n in range(first, last.lineno, -1) if lines[n - 1].strip() == "finally:"), None
        )
        if finally_line is None:
            return None
        drop.update(range(finally_line, _last(last) + 1))
        if not last.handlers and not last.orelse:
            if lines[last.lineno - 1].strip() != "try:" or _has_long_string(last.body):
                return None
            drop.add(last.lineno)
            width = _indent(lines[last.body[0].lineno - 1]) - _indent(lines[last.lineno - 1])
            for number in range(last.lineno + 1, finally_line):
                line = lines[number - 1]
                lines[number - 1] = line[min(width, _indent(line)) :]
    head, item = block.node.lineno, block.node.items[0]
    func = _func(item)
    if item.context_expr.lineno != head or func.end_lineno != head:
        return None
    lines[head - 1] = lines[head - 1].replace(
        f"{module.source(func)}(", "tfqueue.managed_session(", 1
    )
    inside = range(block.node.body[0].lineno, _last(block.node) + 1)
    for number in inside:
        asked = rf"\b{re.escape(str(block.coord))}\.should_stop\b"
        lines[number - 1] = re.sub(asked, f"{block.session}.should_stop", lines[number - 1])
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in drop)


def _alone(module: Module, statement: ast.stmt) -> bool:
    """Whether nothing else stands on a statement's lines."""
    before = module.lines[statement.lineno - 1].encode()[: statement.col_offset]
    after = module.lines[_last(statement) - 1].encode()[statement.end_col_offset :]
    return not before.strip() and (not after.strip() or after.strip().startswith(b"#"))


def _has_long_string(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(node, ast.Constant | ast.JoinedStr) and node.lineno != node.end_lineno
        for statement in body
        for node in ast.walk(statement)
    )


def manage(text: str, path: str = "<string>") -> str:
    """Returns a ported program with its boilerplate turned into managed sessions.

    Args:
        text: Python 3 source that imports `tfqueue.v1`.

    >>> print(manage('''import tfqueue.v1 as tf
    ... with tf.Session() as sess:
    ...     sess.run(tf.global_variables_initializer())
    ...     coord = tf.train.Coordinator()
    ...     threads = tf.train.start_queue_runners(sess=sess, coord=coord)
    ...     print(sess.run(x))
    ...     coord.request_stop()
    ...     coord.join(threads)
    ... '''), end="")
    import tfqueue
    import tfqueue.v1 as tf
    with tfqueue.managed_session() as sess:
        print(sess.run(x))
    """
    changed = False
    while True:
        module = Module(text, path, tree=tree_of(text))
        for node in module.nodes[ast.With]:
            block = _Block(module, node)
            new = _rewrite(module, block) if block.matches() else None
            if new is not None:
                text, changed = new, True
                break
        else:
            break
    if changed and not module.imports("tfqueue"):
        first = next(
            (n for n in module.nodes[ast.Import] if any("tfqueue" in a.name for a in n.names)), None
        )
        lines = text.split("\n")
        at = first.lineno - 1 if first and first.col_offset == 0 else 0
        lines.insert(at, "import tfqueue")
        text = "\n".join(lines)
    return text


def left_alone(text: str, path: str = "<string>") -> list[tuple[int, str]]:
    """The sessions that `manage` leaves as they are: the line of each, and why.

    Args:
        text: What `manage` returned.

    >>> left_alone("import tfqueue.v1 as tf\\nsess = tf.Session()\\n")
    [(2, 'it is not the only item of a `with ... as name:` statement')]
    """
    module = Module(text, path, tree=tree_of(text))
    found = []
    for call in module.nodes[ast.Call]:
        if module.dotted(call.func) == "tensorflow.Session":
            block = next(
                (n for n in module.ancestors(call) if isinstance(n, ast.With) and _opens(n, call)),
                None,
            )
            why = _NO_BLOCK if block is None else _Block(module, block).objection()
            found.append((call.lineno, why or _LINES))
    return sorted(found)


def _opens(node: ast.With, call: ast.Call) -> bool:
    return any(item.context_expr is call for item in node.items)
