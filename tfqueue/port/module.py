"""A module as the rules see it: its tree, what each dotted name stands for, and offsets."""

from __future__ import annotations

import ast
import collections
import dataclasses
import functools
import os
from collections.abc import Iterator

from tfqueue.port.edits import Edit, Finding
from tfqueue.port.era import UNKNOWN, Era

# One program can say the same name in three ways; the rules hear one of them.
_SAME = ("tensorflow.compat.v1", "tfqueue.v1")


def canonical(dotted: str) -> str:
    """Returns the name as TensorFlow 1 spelled it.

    >>> canonical("tfqueue.v1.train.batch"), canonical("numpy.int")
    ('tensorflow.train.batch', 'numpy.int')
    """
    for prefix in _SAME:
        if dotted == prefix or dotted.startswith(prefix + "."):
            return canonical("tensorflow" + dotted[len(prefix) :])
    return dotted


class Module:
    """Python 3 source, parsed once and indexed for all the rules.

    Args:
        text: The source. It must parse.
        path: The file, for rules that look at what stands beside it.
        era: What the program's names tell about its TensorFlow.
        python2: Whether the program was written for Python 2.
        package: The dotted package that the module belongs to where that is known (the importer
            knows it), ``""`` for a top-level module or a script, or None.
        tree: The parsed text, where the caller has it already.
        ported: Whether it says ``import tfqueue.v1`` as it is, and so means what tfqueue.v1 means;
            looked up when None.

    Raises:
        SyntaxError: The text is not Python 3.

    >>> module = Module("import tensorflow as tf\\nx = tf.train.batch([1], 2)\\n")
    >>> [name for _, name in module.references]
    ['tensorflow.train.batch']
    """

    def __init__(
        self,
        text: str,
        path: str = "<string>",
        *,
        era: Era = UNKNOWN,
        python2: bool = False,
        package: str | None = None,
        tree: ast.Module | None = None,
        ported: bool | None = None,
    ):
        self.text, self.path, self.era = text, path, era
        self.python2, self.package = python2, package
        self.tree = tree or ast.parse(text)
        self.lines = text.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.nodes: dict[type, list] = collections.defaultdict(list)
        self.parents: dict[ast.AST, ast.AST] = {}
        self._index()
        self.imported: dict[str, str] = {}
        self.bound: set[str] = set()
        self._bind()
        if ported is None:
            ported = "tfqueue.v1" in self.imported.values()
        self.ported = ported

    def _index(self) -> None:
        queue = collections.deque([self.tree])
        while queue:
            node = queue.popleft()
            self.nodes[type(node)].append(node)
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
                queue.append(child)

    def _bind(self) -> None:
        for node in self.nodes[ast.Import]:
            for alias in node.names:
                # `import a.b` binds `a`
                name = alias.asname or alias.name.partition(".")[0]
                self.imported.setdefault(name, alias.name if alias.asname else name)
        for node in self.nodes[ast.ImportFrom]:
            for alias in node.names:
                base = "." * node.level + (node.module or "")
                self.imported.setdefault(alias.asname or alias.name, f"{base}.{alias.name}")
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            self.bound.update(node.name for node in self.nodes[kind])
        self.bound.update(node.arg for node in self.nodes[ast.arg])
        self.bound.update(node.name for node in self.nodes[ast.ExceptHandler] if node.name)
        stores = [n for n in self.nodes[ast.Name] if isinstance(n.ctx, ast.Store)]
        counts = collections.Counter(node.id for node in stores)
        # `slim = tf.contrib.slim` is an import in all but name
        for node in self.nodes[ast.Assign]:
            target = node.targets[0]
            if len(node.targets) == 1 and isinstance(target, ast.Name) and counts[target.id] == 1:
                chain = self._chain(node.value)
                if chain and chain[0] in self.imported and target.id not in self.imported:
                    counts[target.id] = 0
                    self.imported[target.id] = ".".join([self.imported[chain[0]], *chain[1:]])
        self.bound.update(name for name, count in counts.items() if count)

    @staticmethod
    def _chain(node: ast.AST) -> list[str] | None:
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        return [node.id, *reversed(parts)]

    def dotted(self, node: ast.AST) -> str | None:
        """Returns what a name stands for (``tensorflow.train.batch``), or None."""
        chain = self._chain(node)
        if chain is None or chain[0] not in self.imported:
            return None
        if chain[0] in self.bound and not self.imported[chain[0]].startswith("tensorflow"):
            return None
        return canonical(".".join([self.imported[chain[0]], *chain[1:]]))

    @functools.cached_property
    def references(self) -> list[tuple[ast.expr, str]]:
        """Every longest dotted name that goes back to an import, with what it stands for."""
        found = []
        for kind in (ast.Attribute, ast.Name):
            for node in self.nodes[kind]:
                parent = self.parents[node]
                if isinstance(parent, ast.Attribute) or not isinstance(node.ctx, ast.Load):
                    continue
                dotted = self.dotted(node)
                if dotted:
                    found.append((node, dotted))
        return found

    @functools.cached_property
    def calls(self) -> list[tuple[ast.Call, str]]:
        """Every call of a dotted name that goes back to an import."""
        return [
            (node, dotted)
            for node in self.nodes[ast.Call]
            if (dotted := self.dotted(node.func)) is not None
        ]

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """All names and attributes that the module mentions."""
        return frozenset(node.id for node in self.nodes[ast.Name]) | frozenset(
            node.attr for node in self.nodes[ast.Attribute]
        )

    def imports(self, name: str) -> bool:
        """Whether the module has ``import name`` for this very dotted name."""
        return any(alias.name == name for node in self.nodes[ast.Import] for alias in node.names)

    def has_beside(self, name: str) -> bool:
        """Whether a module of this name stands beside this one, which Python would find first."""
        there = os.path.join(os.path.dirname(self.path), name)
        return os.path.isfile(f"{there}.py") or os.path.isfile(os.path.join(there, "__init__.py"))

    def local_name(self, dotted: str) -> str | None:
        """By what name the module knows another one that it imports, or None."""
        return next((name for name, target in self.imported.items() if target == dotted), None)

    def is_builtin(self, node: ast.AST, name: str) -> bool:
        """Whether ``node`` is the name ``name`` and nothing in the module redefines it."""
        return (
            isinstance(node, ast.Name)
            and node.id == name
            and name not in self.imported
            and name not in self.bound
        )

    def offset(self, line: int, column: int) -> int:
        """Returns the offset of ast's (1-based line, column in UTF-8 bytes)."""
        text = self.lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + column

    def start(self, node: ast.AST) -> int:
        """Offset of a node's first character."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.AST) -> int:
        """Offset behind a node's last character."""
        return self.offset(node.end_lineno, node.end_col_offset)

    def source(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.text[self.start(node) : self.end(node)]

    def replace(self, node: ast.AST, new: str) -> Edit:
        """An edit that puts ``new`` in a node's place."""
        return Edit(self.start(node), self.end(node), new)

    def insert(self, node: ast.AST, new: str) -> Edit:
        """An edit that puts ``new`` in front of a node."""
        return Edit(self.start(node), self.start(node), new)

    @staticmethod
    def is_line(node: ast.AST) -> bool:
        """Whether a node stands on one line, so that its parts can change places."""
        return node.lineno == node.end_lineno

    def parenthesised(self, node: ast.expr) -> bool:
        """Whether the owner of an attribute stands in parentheses: ``(a + b).x``."""
        return self.text[self.end(node) :].lstrip().startswith(")")

    def argument_start(self, call: ast.Call, node: ast.expr) -> int:
        """Where a call's argument begins, with the parentheses that stand around it."""
        floor = self.text.index("(", self.end(call.func)) + 1
        start = self.start(node)
        before = self.text[floor:start].rstrip()
        while before.endswith("("):
            start = floor + len(before) - 1
            before = before[:-1].rstrip()
        return start

    def prefix(self, node: ast.expr, dotted: str, old: str, new: str) -> Edit:
        """An edit that turns the part of a reference that stands for ``old`` into ``new``.

        Args:
            node: The reference.
            dotted: What it stands for, as `references` says.
            old: A dotted prefix of ``dotted``.
            new: The text to write for it.
        """
        return self.replace(self.base(node, dotted, old), new)

    @staticmethod
    def base(node: ast.expr, dotted: str, old: str) -> ast.expr:
        """The part of a reference that stands for ``old``, a dotted prefix of ``dotted``."""
        for _ in range(dotted.count(".") - old.count(".")):
            node = node.value
        return node

    def below(self, node: ast.expr, dotted: str) -> str | None:
        """The text of a reference's alias of tensorflow (``tf``), or None without one.

        ``from tensorflow import concat`` leaves nothing to hang another name on.
        """
        if not dotted.startswith("tensorflow."):
            return None
        for _ in range(dotted.count(".")):
            if not isinstance(node, ast.Attribute):
                return None
            node = node.value
        return self.source(node)

    def finding(
        self,
        node: ast.AST,
        message: str,
        edits: tuple[Edit, ...] | list[Edit] = (),
        *,
        helpless: bool = False,
        needs: tuple[str, ...] = (),
    ) -> Finding:
        """A finding at a node; the engine fills in the rule's name."""
        column = self.start(node) - self._starts[node.lineno - 1] + 1
        return Finding("", node.lineno, column, message, tuple(edits), helpless, needs)

    def finding_at(
        self, found: Finding, edits: tuple[Edit, ...], needs: tuple[str, ...] = ()
    ) -> Finding:
        """A finding at another one's place, with edits of its own."""
        return dataclasses.replace(found, edits=edits, needs=needs)

    def enclosing(self, node: ast.AST) -> str:
        """The name of the function that a node stands in, or ``"<module>"``."""
        for parent in self.ancestors(node):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                return parent.name
        return "<module>"

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def guarded(self, node: ast.AST) -> bool:
        """Whether a node stands in a ``try`` that catches a failing import or a missing name."""
        for parent in self.ancestors(node):
            if isinstance(parent, ast.Try) and parent.handlers:
                for handler in parent.handlers:
                    caught = ast.unparse(handler.type) if handler.type else "Exception"
                    if any(
                        name in caught
                        for name in ("ImportError", "NotFound", "NameError", "Attribute")
                    ) or caught in ("Exception", "BaseException"):
                        return True
        return False


def argument(call: ast.Call, position: int, *names: str) -> ast.expr | None:
    """Returns a call's argument by position or by any of its names, or None.

    >>> call = ast.parse("f(1, b=2)").body[0].value
    >>> argument(call, 0, "a").value, argument(call, 1, "b").value
    (1, 2)
    """
    for keyword in call.keywords:
        if keyword.arg in names:
            return keyword.value
    if position < len(call.args) and not any(
        isinstance(arg, ast.Starred) for arg in call.args[: position + 1]
    ):
        return call.args[position]
    return None
