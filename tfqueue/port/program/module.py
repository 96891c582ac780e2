"""A module as the rules see it: its tree, what each dotted name stands for, and how it is changed.

Rules change the tree. `run` compiles it; only `port` turns what was changed into text (`writer`).
"""

from __future__ import annotations

import ast
import collections
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue.port.program import folders, stars
from tfqueue.port.program.era import UNKNOWN, Era
from tfqueue.port.program.python2_library import BUILTINS
from tfqueue.port.source.finding import Finding

CORE = ("tensorflow_core._api.v1", "tensorflow_core", "tensorflow._api.v1")
"""Packages that TensorFlow 1.13 to 1.15 was inside."""
GFILES = frozenset(
    f"tensorflow.{home}.{name}"
    for home in ("gfile", "python.platform.gfile")
    for name in ("GFile", "FastGFile", "Open", "_GFile")
) | {"tensorflow.io.gfile.GFile"}
"""The classes and functions that open a file of `tf.gfile`."""
# A program can spell the same name in several ways; the rules see one of them.
_SAME = ("tensorflow.compat.v1", "tfqueue.v1", *CORE)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
PLACED = (ast.expr, ast.stmt, ast.alias, ast.arg, ast.keyword, ast.excepthandler, ast.pattern)
"""The kinds of nodes that bear a line and a column."""
HELPERS = ("tfqueue.port.py2", "tfqueue.port.runtime")


def canonical(dotted: str) -> str:
    """Returns the name as TensorFlow 1 spelled it.

    >>> canonical("tfqueue.v1.train.batch"), canonical("numpy.int")
    ('tensorflow.train.batch', 'numpy.int')
    """
    for prefix in _SAME:
        if dotted == prefix or dotted.startswith(prefix + "."):
            return canonical("tensorflow" + dotted[len(prefix) :])
    return dotted


def was_ported(tree: ast.Module) -> bool:
    """Whether a module was ported by us: then it is Python 3, whatever its program is."""
    return any(isinstance(node, ast.ImportFrom) and node.module in HELPERS for node in tree.body)


def _owns_nothing(name: str) -> bool:
    return False


# What Python has one object of for all trees.
_WITHOUT_PARENT = (ast.expr_context, ast.operator, ast.unaryop)


OF_ALL = {"BaseException", "Exception"}
_OF_NAMES = {"AttributeError", "ImportError", "ModuleNotFoundError", "NameError"}


def caught(node: ast.Try) -> set[str]:
    """The names of the exceptions that a `try` catches; `BaseException` where it names none.

    >>> sorted(caught(ast.parse("try: f()\\nexcept (KeyError, a.B): pass\\nexcept: pass").body[0]))
    ['B', 'BaseException', 'KeyError']
    """
    types = [one.type for one in node.handlers if one.type]
    several = [each for one in types for each in getattr(one, "elts", [one])]
    names = {str(getattr(one, "attr", "") or getattr(one, "id", "")) for one in several}
    return names | {"BaseException" for one in node.handlers if one.type is None}


def _only_looks(statement: ast.stmt) -> bool:
    """Whether a statement imports, or reads and binds names, and calls nothing."""
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass):
        return True
    if not isinstance(statement, ast.Assign | ast.Expr):
        return False
    return not any(isinstance(one, ast.Call) for one in ast.walk(statement.value))


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
        read_only: Whether no rule is going to change it, so that nothing is kept of what stood
            there before.
        owns: Tells whether a module of a name is the program's own, see `Project.owns`.

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
        read_only: bool = False,
        owns: Callable[[str], bool] = _owns_nothing,
    ) -> None:
        self.text, self.path, self.era = text, path, era
        self.python2, self.package, self._owns = python2, package, owns
        self.tree = tree or ast.parse(text)
        self.lines = text.split("\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.before: dict[ast.AST, dict[str, Any]] = {}
        self.added: dict[str, dict[str, str]] = {}
        self.replaced: dict[ast.stmt, list[ast.stmt]] = {}
        self.changes = 0
        self.index()
        if not read_only:
            for node in self.parents:
                self._remember(node)
            self._remember(self.tree)
        self.identifiers = self._identifiers()
        self.ported = any(
            canonical(target) != target and target.startswith("tfqueue.v1")
            for target in self.imported.values()
        )

    # reading

    def _remember(self, node: ast.AST) -> None:
        self.before[node] = {
            field: list(value) if isinstance(value, list) else value
            for field, value in ast.iter_fields(node)
        }

    def index(self) -> None:
        """Reads the tree anew, after a rule has changed it."""
        self.nodes: dict[type, list[Any]] = collections.defaultdict(list)
        self.parents: dict[ast.AST, ast.AST] = {}
        queue: list[ast.AST] = [self.tree]
        for node in queue:  # it grows on the way
            self.nodes[type(node)].append(node)
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, _WITHOUT_PARENT):
                    self.parents[child] = node
                    queue.append(child)
        self.imported: dict[str, str] = {}
        self._starred: set[str] = set()  # the libraries that star imports bring
        self._imported_before: dict[ast.AST, str] = {}  # the value of `name = name.part` -> `name`
        self.bound: set[str] = set()
        self._bind()
        for name in ("references", "calls", "words", "scopes"):
            self.__dict__.pop(name, None)

    def _identifiers(self) -> frozenset[str]:
        names = {node.id for node in self.nodes[ast.Name]} | set(self.imported) | self.bound
        names |= {name for node in self.nodes[ast.Global] for name in node.names}
        return frozenset(names)

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
        self._bind_stars()
        for home, names in self.added.items():
            self.imported.update({known: f"{home}.{name}" for name, known in names.items()})
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            self.bound.update(node.name for node in self.nodes[kind])
        self.bound.update(node.arg for node in self.nodes[ast.arg])
        self.bound.update(node.name for node in self.nodes[ast.ExceptHandler] if node.name)
        stores = [n for n in self.nodes[ast.Name] if isinstance(n.ctx, ast.Store)]
        counts = collections.Counter(node.id for node in stores)
        counts.subtract(filter(None, map(_reloaded, self.nodes[ast.Assign])))
        # `slim = tf.contrib.slim` binds what an import would
        for node in self.nodes[ast.Assign]:
            target = node.targets[0]
            if len(node.targets) == 1 and isinstance(target, ast.Name) and counts[target.id] == 1:
                chain = self._chain(node.value)
                again = chain is not None and target.id == chain[0] and node in self.tree.body
                if (
                    chain
                    and chain[0] in self.imported
                    and (again or target.id not in self.imported)
                ):
                    counts[target.id] = 0
                    if again:
                        self._imported_before[node.value] = self.imported[target.id]
                    self.imported[target.id] = ".".join([self.imported[chain[0]], *chain[1:]])
        self.bound.update(name for name, count in counts.items() if count > 0)

    def _bind_stars(self) -> None:
        """Adds what star imports of the program's own modules bring of libraries."""
        nodes = [node for node in self.nodes[ast.ImportFrom] if node in self.tree.body]
        nodes = [node for node in nodes if node.names[0].name == "*"]
        added = tuple(folders.added(self)) if nodes and "sys.path" in self.text else ()
        for node in nodes:
            found = stars.libraries(self.path, node.level, node.module or "", added)
            self.imported = {**found, **self.imported}
            self._starred.update(found.values())

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
        target = self._imported_before.get(node, self.imported[chain[0]])
        if chain[0] in self.bound and self._other(node, chain[0], target):
            return None
        return canonical(".".join([target, *chain[1:]]))

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

    def mentions(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern is found in the text, or in the name of a library that a star import brings."""
        return any(pattern.search(text) for text in (self.text, *self._starred))

    # scopes

    def scope(self, node: ast.AST) -> ast.AST:
        """The function, class or module whose names a node sees first."""
        child = node
        for parent in self.ancestors(node):
            inside = isinstance(parent, (*FUNCTIONS, ast.ClassDef)) and not (
                child in getattr(parent, "decorator_list", ())
                or child in getattr(parent, "bases", ())
                or child is getattr(parent, "args", None)
            )
            if inside:
                return parent
            child = parent
        return self.tree

    @functools.cached_property
    def scopes(self) -> dict[ast.AST, dict[str, list[ast.AST]]]:
        """For each scope the names that it binds, and where."""
        found: dict[ast.AST, dict[str, list[ast.AST]]] = collections.defaultdict(dict)

        def bind(scope: ast.AST, name: str, node: ast.AST) -> None:
            found[scope].setdefault(name, []).append(node)

        for node in self.nodes[ast.Name]:
            if not isinstance(node.ctx, ast.Load):
                bind(self.scope(node), node.id, node)
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            for node in self.nodes[kind]:
                bind(self.scope(node), node.name, node)
        for node in self.nodes[ast.arg]:
            function = next(p for p in self.ancestors(node) if isinstance(p, FUNCTIONS))
            bind(function, node.arg, node)
        for node in self.nodes[ast.ExceptHandler]:
            if node.name:
                bind(self.scope(node), node.name, node)
        for node in (*self.nodes[ast.Import], *self.nodes[ast.ImportFrom]):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                bind(self.scope(node), name, node)
        for node in self.nodes[ast.Global]:
            for name in node.names:
                found[self.scope(node)].pop(name, None)
        return found

    def binder(self, node: ast.AST, name: str) -> ast.AST | None:
        """The scope in which a name that stands at a node is bound; None for a builtin."""
        scope = self.scope(node)
        first = True
        while True:
            visible = first or not isinstance(scope, ast.ClassDef)
            if visible and name in self.scopes.get(scope, ()):
                return scope
            if scope is self.tree:
                return None
            scope, first = self.scope(scope), False

    def _other(self, node: ast.AST, name: str, target: str) -> bool:
        """Whether a name that is imported somewhere is something else where a node stands."""
        scope = self.binder(node, name)
        if scope is None:
            return False
        imports = (ast.Import, ast.ImportFrom)
        places = [isinstance(place, imports) for place in self.scopes[scope][name]]
        if scope is self.tree and target.startswith(("tensorflow", "tfqueue.v1")):
            return not any(places)
        return not all(places)

    def uses(self, node: ast.AST, name: str) -> list[ast.Name]:
        """Every place where the variable that a name stands for at a node is read."""
        scope = self.binder(node, name)
        return [
            use
            for use in self.nodes[ast.Name]
            if use.id == name and isinstance(use.ctx, ast.Load) and self.binder(use, name) is scope
        ]

    def bindings(self, node: ast.AST, name: str) -> list[ast.AST]:
        """Every place where the variable that a name stands for at a node gets a value."""
        scope = self.binder(node, name)
        return [] if scope is None else self.scopes[scope][name]

    @property
    def is_old(self) -> bool:
        """Whether it is of a program that is run as one for TensorFlow 1 or Python 2, and not from any day."""
        return self.python2 or self.era.is_taken_for_1 or self.imports("tensorflow")

    def imports(self, name: str) -> bool:
        """Whether the module has ``import name`` for this very dotted name."""
        names = (name, *CORE) if name == "tensorflow" else (name,)
        return any(alias.name in names for node in self.nodes[ast.Import] for alias in node.names)

    @property
    def packages(self) -> set[str]:
        """What the module imports from, by the first part of its name: `{"numpy"}` of ``import numpy.linalg``."""
        return {target.partition(".")[0] for target in self.imported.values()}

    def has_future(self, name: str) -> bool:
        """Whether the module holds `from __future__ import` of this name."""
        return self.imported.get(name) == f"__future__.{name}"

    @property
    def has_tensorflow(self) -> bool:
        """Whether the module imports anything of TensorFlow, by whatever name."""
        homes = [alias.name for node in self.nodes[ast.Import] for alias in node.names]
        homes += [node.module or "" for node in self.nodes[ast.ImportFrom] if not node.level]
        return any(
            home.partition(".")[0] in ("tensorflow", "tensorflow_core")
            for home in (*homes, *self._starred)
        )

    def has_own(self, name: str) -> bool:
        """Whether a module of this name is the program's own, which Python would find first."""
        return self._owns(name)

    def is_builtin(self, node: ast.AST, name: str) -> bool:
        """Whether ``node`` is the name ``name`` and nothing that it can see redefines it."""
        return isinstance(node, ast.Name) and node.id == name and self.binder(node, name) is None

    def offset(self, line: int, column: int) -> int:
        """Returns the offset of ast's (1-based line, column in UTF-8 bytes)."""
        text = self.lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + column

    def start(self, node: ast.AST) -> int:
        """Offset of a node's first character in the text."""
        assert isinstance(node, PLACED)
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.AST) -> int:
        """Offset behind a node's last character in the text."""
        assert isinstance(node, PLACED)
        return self.offset(node.end_lineno or 0, node.end_col_offset or 0)

    def source(self, node: ast.AST) -> str:
        """The text of a node as it was."""
        return self.text[self.start(node) : self.end(node)]

    def _note_replaced(self, node: ast.stmt, new: list[ast.stmt]) -> None:
        for fresh in self.replaced.values():
            for at, one in enumerate(fresh):
                if one is node:  # it stands in the place of one of the user's itself
                    fresh[at : at + 1] = new
                    return
        self.replaced[node] = list(new)

    def has_its_line(self, node: ast.stmt) -> bool:
        """Whether there is nothing beside a statement but a comment."""
        before = self.lines[node.lineno - 1][: node.col_offset]
        behind = self.text[self.end(node) :].partition("\n")[0].strip()
        return not before.strip() and (not behind or behind.startswith("#"))

    @staticmethod
    def base(node: ast.expr, dotted: str, old: str) -> ast.expr:
        """The part of a reference that stands for ``old``, a dotted prefix of ``dotted``.

        Where an import bound a name below ``old``, no part of it does: it is that name.
        """
        for _ in range(dotted.count(".") - old.count(".")):
            if not isinstance(node, ast.Attribute):
                break
            node = node.value
        return node

    def below(self, node: ast.expr, dotted: str) -> ast.expr | None:
        """The part of a reference that stands for tensorflow (``tf``), or None without one.

        ``from tensorflow import concat`` binds no module of which another name could be read.
        """
        if not dotted.startswith("tensorflow."):
            return None
        while isinstance(node, ast.Attribute):
            node = node.value
            if self.dotted(node) == "tensorflow":
                return node
        return None

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def enclosing(self, node: ast.AST) -> str:
        """The name of the function that a node stands in, or ``"<module>"``."""
        for parent in self.ancestors(node):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                return parent.name
        return "<module>"

    def guarded(self, node: ast.AST) -> bool:
        """Whether a node stands in a ``try`` that asks whether an import works or a name is there.

        One that catches everything asks that of its imports, and of names where it does nothing else.
        """
        for parent in self.ancestors(node):
            if isinstance(parent, ast.Try) and parent.handlers:
                names = caught(parent)
                if names & _OF_NAMES:
                    return True
                if names & OF_ALL and (
                    isinstance(node, ast.Import | ast.ImportFrom | ast.alias)
                    or all(_only_looks(one) for one in parent.body)
                ):
                    return True
        return False

    def otherwise(self, node: ast.Import | ast.ImportFrom) -> bool:
        """Whether an import stands in a `try` that imports, or binds its names to, something else where it fails.

        >>> module = Module("try: import a\\nexcept ImportError: a = None\\ntry: import b\\nexcept ImportError: pass")
        >>> [module.otherwise(node) for node in module.nodes[ast.Import]]
        [True, False]
        """
        if not self.guarded(node):
            return False
        bound = {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        return any(
            isinstance(each, ast.Import | ast.ImportFrom)
            or (isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id in bound)
            for parent in self.ancestors(node)
            if isinstance(parent, ast.Try)
            for handler in parent.handlers
            for each in ast.walk(handler)
        )

    def probed(self, node: ast.AST) -> bool:
        """Whether a node stands in the body of a `try` that only asks whether names are there.

        One that does more went well in its day: its handler is for something else.
        """
        inner: ast.AST = node
        for parent in self.ancestors(node):
            if isinstance(parent, ast.Try):
                asked = inner in parent.body and all(map(_only_looks, parent.body))
                return asked and self.guarded(node)
            inner = parent
        return False

    # changing

    def expression(self, template: str, **parts: ast.expr) -> ast.expr:
        """A new expression: a template, in which names stand for nodes of the module.

        >>> module = Module("f(a, b)\\n")
        >>> call = module.nodes[ast.Call][0]
        >>> ast.unparse(module.expression("g(two, one)", one=call.args[0], two=call.args[1]))
        'g(b, a)'
        """
        holder = ast.parse(template, mode="eval")

        class Fill(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.expr:
                return parts.get(node.id, node)

        Fill().visit(holder)
        return holder.body

    def replace(self, node: ast.AST, new: ast.AST | list[ast.stmt] | str) -> None:
        """Puts another node, or text that is parsed, in a node's place.

        Args:
            node: An expression, an alias or a statement.
            new: What comes in its place; for a statement also several.
        """
        if isinstance(new, str):
            new = (
                ast.parse(new).body
                if isinstance(node, ast.stmt)
                else ast.parse(new, mode="eval").body
            )
        if isinstance(node, ast.stmt):
            fresh: list[ast.stmt] = new if isinstance(new, list) else [new]  # type: ignore[list-item]
            self._note_replaced(node, fresh)
            new = fresh
        parent = self.parents[node]
        for field, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, field, new)
            elif isinstance(value, list) and any(item is node for item in value):
                at = next(at for at, item in enumerate(value) if item is node)
                value[at : at + 1] = new if isinstance(new, list) else [new]
        for one in new if isinstance(new, list) else [new]:
            self.settle(one, parent, node)

    def settle(self, new: ast.AST, parent: ast.AST, place: ast.AST) -> None:
        """Gives new nodes a place in the user's file, and a parent."""
        self.changes += 1
        self.parents[new] = parent
        for inner in ast.walk(new):
            if "lineno" in inner._attributes and getattr(inner, "end_lineno", None) is None:
                ast.copy_location(inner, place)
            for child in ast.iter_child_nodes(inner):
                self.parents[child] = inner

    def attribute(self, base: ast.expr, dotted: str) -> ast.expr:
        """`base.a.b` as a node."""
        for part in dotted.split("."):
            base = ast.Attribute(base, part, ast.Load())
        return base

    def rename(self, node: ast.AST, new: str) -> None:
        """Gives an attribute, a keyword, a name or an imported name its new name."""
        field = {ast.Attribute: "attr", ast.keyword: "arg", ast.Name: "id", ast.alias: "name"}
        setattr(node, field[type(node)], new)
        self.changes += 1

    def changed(self) -> None:
        """Notes that a rule changed a node's own fields."""
        self.changes += 1

    def name_arguments(self, call: ast.Call, words: list[str]) -> None:
        """Gives a call's positional arguments their names."""
        new = [ast.keyword(word, value) for word, value in zip(words, call.args, strict=False)]
        call.keywords[:0] = new
        del call.args[:]
        for keyword in new:
            self.settle(keyword, call, keyword.value)

    def add_argument(self, call: ast.Call, word: str, value: str | ast.expr) -> None:
        """Adds an argument by keyword at a call's end."""
        node = ast.parse(value, mode="eval").body if isinstance(value, str) else value
        keyword = ast.keyword(word, node)
        call.keywords.append(keyword)
        self.settle(keyword, call, call)

    def use(self, home: str, name: str) -> ast.Name:
        """A reference to a name of another module, which is imported at the top if need be.

        Args:
            home: The dotted module.
            name: The name in it. Where the module uses it for something else, it is imported as
                ``tfq_name``; a Python 2 builtin keeps its name.
        """
        builtin = home == "tfqueue.port.py2" and name in BUILTINS
        known = name
        stars = any(a.name == "*" for node in self.nodes[ast.ImportFrom] for a in node.names)
        if not builtin and (stars or name in self.identifiers or name in BUILTINS):
            known = f"tfq_{name}"
        self.added.setdefault(home, {})[name] = known
        self.changes += 1
        return ast.Name(known, ast.Load())

    def use_module(self, home: str) -> None:
        """Imports a whole module at the top, for what its import does."""
        self.added.setdefault(home, {})
        self.changes += 1

    def call(self, name: str, *args: ast.expr, home: str = "tfqueue.port.py2") -> ast.Call:
        """A call of a helper."""
        return ast.Call(self.use(home, name), list(args), [])

    def add_imports(self) -> None:
        """Imports what `use` was asked for, behind the docstring and imports from __future__."""
        body, at = self.tree.body, 0
        for node in body:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
            if not (future or (docstring and at == 0)):
                break
            at += 1
        for home, names in sorted(self.added.items(), reverse=True):
            aliases = [
                ast.alias(name, known if known != name else None)
                for name, known in sorted(names.items())
            ]
            new = ast.ImportFrom(home, aliases, 0) if names else ast.Import([ast.alias(home)])
            place = body[at] if at < len(body) else (body[-1] if body else None)
            line = place.lineno if place is not None else 1
            body.insert(at, new)
            first = ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
            self.settle(new, self.tree, first)

    def finding(
        self,
        node: ast.AST,
        message: str,
        *,
        changed: bool = True,
        helpless: bool = False,
        told: bool = False,
    ) -> Finding:
        """A finding at a node; the engine fills in the rule's name."""
        line = getattr(node, "lineno", 1)
        column = node.col_offset if hasattr(node, "col_offset") else 0
        text = self.lines[min(line, len(self.lines)) - 1]
        column = len(text.encode()[:column].decode(errors="ignore"))
        return Finding("", line, column + 1, message, changed and not helpless, helpless, told)


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


def _reloaded(node: ast.Assign) -> str | None:
    """The name in `name = reload(name)`, which binds the same module again."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Call):
        return None
    called = getattr(value.func, "attr", getattr(value.func, "id", ""))
    same = len(value.args) == 1 and ast.unparse(value.args[0]) == target.id
    return target.id if called == "reload" and same else None
