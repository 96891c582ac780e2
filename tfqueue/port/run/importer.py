"""Runs a program with the rules applied in memory, and its own modules with it.

The only place that touches `sys.modules` and `sys.meta_path`; `running` undoes both. Modules are
found where Python finds them, also in folders that the program appends to `sys.path` while it
runs. What is installed, or stood on `sys.path` before, is a library and imported as ever.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import dataclasses
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence

from tfqueue import release
from tfqueue.port.program import era
from tfqueue.port.program import verdict as program
from tfqueue.port.rules import engine
from tfqueue.port.source.files import Source, Unreadable, decode, lines_of, read

_PORT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Our machinery and the import system's: no lines of the user's
_INNER = (
    _PORT,
    os.path.join(os.path.dirname(_PORT), "commands", ""),
    "<frozen importlib",
    "<frozen runpy",
    os.path.join(os.path.dirname(_PORT), "cli.py"),
)


@dataclasses.dataclass(kw_only=True)
class Options:
    """How programs are translated as they are imported.

    Attributes:
        root: Only files below this folder are translated; all of the program's own when None.
        verdict: Which Python and which TensorFlow the program is from; found out when None.
        also: Names of installed packages that are translated, too.
        report: Called with the path and the `Translation` of each file that was translated.
        given: Which Python and which TensorFlow the user said, or None for each.
        ran: What was translated up to now, by its file.
    """

    root: str | None = None
    verdict: program.Verdict | None = None
    also: frozenset[str] = frozenset()
    report: Callable[[str, engine.Translation], None] | None = None
    given: tuple[int | None, era.Era | None] = (None, None)
    ran: dict[str, engine.Translation] = dataclasses.field(default_factory=dict)

    def verdict_of(self, path: str, text: str | None = None) -> program.Verdict:
        """The verdict over the program that begins with a file."""
        if self.verdict is None:
            found = program.of_text(text, path) if text is not None else program.of_file(path)
            self.verdict = found.overridden(*self.given)
        return self.verdict


def compile_translation(translation: engine.Translation, path: str) -> types.CodeType:
    """Compiles a program so that its tracebacks show the lines of the user's file.

    Args:
        translation: What `engine.translate` returned.
        path: The file name to put in the code.

    >>> code = compile_translation(engine.translate("print 1, 2\\n"), "old.py")
    >>> code.co_filename
    'old.py'
    """
    return compile(placed(translation), path, "exec", dont_inherit=True)


def placed(translation: engine.Translation) -> ast.Module:
    """The tree of a program, with the line numbers of the user's file."""
    tree = translation.tree
    if translation.module.text != translation.original:
        tree = copy.deepcopy(tree)
        restore_lines(tree, translation)
    return tree


class _Inline(ast.NodeTransformer):
    """Puts what a module would import into its expressions: code without a module's top."""

    def __init__(self, added: dict[str, dict[str, str]]):
        self._homes = {
            known: (home, name) for home, names in added.items() for name, known in names.items()
        }

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._homes or not isinstance(node.ctx, ast.Load):
            return node
        home, name = self._homes[node.id]
        text = f"__import__({home!r}, fromlist=[{name!r}]).{name}"
        new = ast.parse(text, mode="eval").body
        for inner in ast.walk(new):
            ast.copy_location(inner, node)
        return new


def compile_python2(
    text: str, path: str, mode: str, *, true_division: bool = False
) -> types.CodeType:
    """Compiles text of Python 2 for `eval` and `exec`, which binds no other names than its own.

    >>> eval(compile_python2("7 / 2", "<string>", "eval"))
    3
    """
    verdict = program.Verdict(python2=True)
    if true_division:
        between = "; " if mode == "eval" else "\n"
        text = f"from __future__ import division{between}{text}"
    try:
        translation = engine.translate(text, path, verdict=verdict)
    except Unreadable as error:
        raise SyntaxError(error.reason, (path, error.line or None, None, None)) from None
    tree = placed(translation)
    added = translation.module.added
    tree.body = [
        node
        for node in tree.body
        if not (
            isinstance(node, ast.ImportFrom)
            and (node.module in added or (true_division and node.module == "__future__"))
        )
    ]
    tree = _Inline(added).visit(tree)
    if mode == "eval":
        if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
            raise SyntaxError("invalid syntax", (path, 1, 1, text))
        return compile(ast.Expression(tree.body[0].value), path, "eval", dont_inherit=True)
    return compile(tree, path, "exec", dont_inherit=True)


def restore_lines(tree: ast.Module, translation: engine.Translation) -> None:
    """Gives every node the line numbers of the user's file."""
    lines = translation.lines
    now = translation.module.lines
    before = translation.original.split("\n")

    def old(number: int) -> int:
        return lines[min(number, len(lines)) - 1]

    same = [
        number <= len(now)
        and old(number) <= len(before)
        and now[number - 1] == before[old(number) - 1]
        for number in range(1, len(now) + 1)
    ]
    for node in ast.walk(tree):
        if not hasattr(node, "lineno"):
            continue
        first, last = node.lineno, node.end_lineno
        node.lineno, node.end_lineno = old(first), max(old(last), old(first))
        # Columns would point into a line that the user does not see: the whole line instead,
        # for which Python draws no carets.
        if not same[first - 1]:
            line = _line(before, node.lineno)
            node.col_offset = len(line) - len(line.lstrip())
        if not same[last - 1]:
            node.end_col_offset = len(_line(before, node.end_lineno).rstrip().encode())
        if node.lineno == node.end_lineno and node.end_col_offset < node.col_offset:
            node.end_col_offset = node.col_offset


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if number <= len(lines) else ""


class Loader(importlib.machinery.SourceFileLoader):
    """Loads one of the user's modules through the rules. Nothing is cached on disk."""

    def __init__(self, fullname: str, path: str, options: Options):
        super().__init__(fullname, path)
        self._options = options

    def get_code(self, fullname: str) -> types.CodeType:
        """Returns the module's code, rewritten."""
        package = fullname.rpartition(".")[0]
        if self.is_package(fullname):
            package = fullname
        try:
            return _compiled(self.path, self._options, package)
        except Unreadable as error:
            raise SyntaxError(error.reason, (self.path, error.line or None, None, None)) from None


def _compiled(
    path: str, options: Options, package: str | None, held: Source | None = None
) -> types.CodeType:
    source = held or read(path)
    also = _also(path, options)
    verdict = program.of_file(path) if also else options.verdict_of(path, source.text)
    translation = engine.translate(source.text, path, verdict=verdict, package=package)
    if not also:
        _agrees(path, translation, options)
    options.ran[path] = translation
    if options.report and translation.findings:
        options.report(path, translation)
    lines = lines_of(translation.original)
    # An entry without a time is never checked against the file, so tracebacks show what ran even
    # where linecache could not decode it.
    linecache.cache[path] = (len(translation.original), None, lines, path)
    return compile_translation(translation, path)


def _agrees(path: str, translation: engine.Translation, options: Options) -> None:
    """A module of Python 2 that turns up while the program runs makes the rest Python 2, too.

    Raises:
        Unreadable: What ran up to here divides, or rounds, as Python 3 does.
    """
    verdict = options.verdict
    if not translation.module.python2 or verdict.python2 or verdict.given:
        return
    for other, one in options.ran.items():
        place = _python3_numbers(one)
        if place and not one.module.python2:
            raise Unreadable(
                path,
                f"is Python 2, which shows only now; {os.path.relpath(other)}:{place} has been run "
                "as Python 3, where it can give other numbers: run with --python 2, or 3",
            )
    options.verdict = dataclasses.replace(verdict, python2=True)


def _python3_numbers(translation: engine.Translation) -> int:
    """A line where Python 2 could have given another number, or 0."""
    tree = translation.tree
    if "division" in translation.module.imported:
        return 0
    for node in ast.walk(tree):
        if isinstance(getattr(node, "op", None), ast.Div):
            return node.lineno
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "round":
            return node.lineno
    return 0


def _also(path: str, options: Options) -> bool:
    """Whether a file is one of a package that the user named."""
    parts = os.path.realpath(path).split(os.sep)
    return any(name in parts or f"{name}.py" in parts for name in options.also)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the user's program, and no library."""

    def __init__(self, options: Options, folder: str | None = None):
        # Now: on Python 3.13 `sysconfig` itself imports a module, and this finder would ask it again.
        program.library_folders()
        self.options = options
        root = options.root
        self._root = os.path.realpath(root) if root else None
        given = {os.path.realpath(path) for path in program.given_folders()}
        self._given = given | ({os.path.realpath(folder)} if folder else set())
        # what Python found its libraries in before the program began
        self._known = {os.path.realpath(path or ".") for path in sys.path} - self._given

    def is_users(self, path: str, name: str = "") -> bool:
        """Whether a file is one of the user's program."""
        path = os.path.realpath(path)
        if name and name.partition(".")[0] in self.options.also:
            return True
        if program.is_library(path):
            return False
        if self._root:
            return _below(path, self._root)
        if any(_below(path, folder) for folder in self._given):
            return True
        return not any(_below(path, folder) for folder in self._known)

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target=None):
        """Finds a module where Python would, and takes it over where it is the user's."""
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if not spec.origin or not self.is_users(spec.origin, fullname):
            return None
        spec.loader = Loader(fullname, spec.origin, self.options)
        spec.cached = None
        return spec


def _below(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def spec_of(name: str, path: str) -> importlib.machinery.ModuleSpec:
    """The spec of a module at a path, which is translated where a program is being run."""
    finder = next((one for one in sys.meta_path if isinstance(one, Finder)), None)
    if finder is None or not finder.is_users(path):
        return importlib.util.spec_from_file_location(name, path)
    loader = Loader(name, path, finder.options)
    return importlib.util.spec_from_file_location(name, path, loader=loader)


home = program.home


@contextlib.contextmanager
def running(
    options: Options, path: str, argv: Sequence[str], main: types.ModuleType
) -> Iterator[Finder]:
    """Everything as under ``python path argv``, and all of it undone at the end.

    Args:
        options: How modules are rewritten.
        path: The program, for ``sys.argv[0]`` and ``sys.path[0]``.
        argv: Its arguments.
        main: What becomes ``sys.modules["__main__"]``.
    """
    folder = os.getcwd() if path in ("-", "-m") else home(path)
    finder = Finder(options, folder)
    kept = sys.argv, sys.path[:], sys.modules.get("__main__"), sys.dont_write_bytecode
    sys.argv = [path, *argv]
    # the first entry is the folder of the script that Python was started with
    sys.path[:] = [folder, *(entry for entry in sys.path if entry != "")]
    sys.meta_path.insert(0, finder)
    sys.modules["__main__"] = main
    # a module of the same name that somebody imported before is not the user's
    names = {entry.rpartition(".py")[0] or entry for entry in os.listdir(folder)}
    hidden = {
        name: module
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in names and _foreign(module, finder)
    }
    for name in hidden:
        del sys.modules[name]
    try:
        yield finder
    finally:
        sys.meta_path.remove(finder)
        for name, module in list(sys.modules.items()):
            loader = getattr(getattr(module, "__spec__", None), "loader", None)
            if isinstance(loader, Loader):
                del sys.modules[name]
        sys.modules.update(hidden)
        sys.argv, sys.path[:], former, sys.dont_write_bytecode = kept
        release.assume(None)
        if former is not None:
            sys.modules["__main__"] = former


def _foreign(module: types.ModuleType, finder: Finder) -> bool:
    file = getattr(module, "__file__", None)
    return bool(file) and finder.is_users(file) and getattr(module, "__name__", "") != "__main__"


def main_module(path: str) -> types.ModuleType:
    """A fresh ``__main__`` for a program."""
    module = types.ModuleType("__main__")
    if sys.version_info < (3, 14):
        module.__annotations__ = {}
    module.__dict__.update(
        __file__=os.path.abspath(path), __builtins__=builtins, __cached__=None, __doc__=None
    )
    return module


def join_threads(before: set[threading.Thread]) -> None:
    """Waits for the program's threads, as Python does before it ends.

    They may still import modules of the program, so this comes before all is undone.
    """
    for thread in threading.enumerate():
        if thread not in before and not thread.daemon:
            thread.join()


@contextlib.contextmanager
def loaded(path: str, options: Options) -> Iterator[types.ModuleType]:
    """Imports a program as a module, through the rules; all is undone at the end of the block.

    Args:
        path: The program.
        options: How it is rewritten.

    Yields:
        The module. Its `__name__` is that of the file, so what it does only as a program is not done.

    Raises:
        Unreadable: The program can't be read.
    """
    full = os.path.abspath(path)
    code = _compiled(full, options, "")
    module = types.ModuleType(os.path.splitext(os.path.basename(path))[0])
    module.__file__ = full
    with running(options, path, [], sys.modules["__main__"]), modules({module.__name__: module}):
        exec(code, module.__dict__)
        yield module


def run_script(
    path: str,
    argv: Sequence[str],
    options: Options,
    ended: Callable[[BaseException], int],
    join: Callable[[set[threading.Thread]], None] = join_threads,
) -> int:
    """Runs a program as ``python path argv`` would, through the rules.

    Args:
        path: The program; ``-`` for standard input.
        argv: Its arguments.
        options: How it is translated.
        ended: Called with the exception that ended it, while all is still in place; says the
            exit code.
        join: Called with the threads of before, to wait for the program's.

    Returns:
        The exit code.

    Raises:
        Unreadable: The program can't be read.
    """
    if path == "-":
        held = decode(sys.stdin.buffer.read(), "<stdin>")
        code = _compiled("<stdin>", options, "", held)
        main = main_module("<stdin>")
        del main.__dict__["__file__"], main.__dict__["__cached__"]
    else:
        code = _compiled(os.path.abspath(path), options, "")
        main = main_module(path)
    with running(options, path, argv, main):
        return _execute(code, main, ended, join)


def run_module(
    name: str,
    argv: Sequence[str],
    options: Options,
    ended: Callable[[BaseException], int],
    join: Callable[[set[threading.Thread]], None] = join_threads,
) -> int:
    """Runs a program as ``python -m name argv`` would, through the rules.

    Raises:
        Unreadable: There is no such module.
    """
    path = module_file(name)
    options.verdict_of(path)
    main = main_module(path)
    with running(options, "-m", argv, main):
        sys.argv[0] = path

        def start() -> types.CodeType:
            package = name
            if not path.endswith(os.path.join("", "__main__.py")):
                package = name.rpartition(".")[0]
            if package:
                importlib.import_module(package)
            inside = f"{package}.__main__" if path.endswith("__main__.py") else name
            loader = Loader(inside, path, options)
            main.__spec__ = importlib.util.spec_from_file_location(inside, path, loader=loader)
            main.__package__, main.__loader__ = package, loader
            return _compiled(path, options, package)

        return _execute(start, main, ended, join)


def module_file(name: str) -> str:
    """The file that ``-m name`` runs, found without importing anything.

    Raises:
        Unreadable: There is none.
    """
    path: Sequence[str] | None = [*program.given_folders(), *sys.path]
    spec = None
    for part in name.split("."):
        spec = importlib.machinery.PathFinder.find_spec(part, path)
        if spec is None:
            raise Unreadable(name, "no module of this name")
        path = list(spec.submodule_search_locations or ())
    if path:
        spec = importlib.machinery.PathFinder.find_spec("__main__", path)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        raise Unreadable(name, "is a package without a __main__, or no module in Python")
    return spec.origin


def _execute(code, main: types.ModuleType, ended, join) -> int:
    before = set(threading.enumerate())
    try:
        exec(code() if callable(code) else code, main.__dict__)
        result = 0
    except BaseException as error:  # noqa: BLE001  (SystemExit and Ctrl-C end a program too)
        trim_all(error)
        result = ended(error)
    join(before)
    if lines := sys.modules.get("tfqueue.port.py2.files"):
        lines.flush_lines()
    return result


def trim(trace: types.TracebackType | None) -> types.TracebackType | None:
    """Returns a traceback without the frames of this package's machinery.

    What is left is what ``python old.py`` would have shown.
    """
    kept = []
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_INNER):
            kept.append(trace)
        trace = trace.tb_next
    result = None
    for one in reversed(kept):
        result = types.TracebackType(result, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return result


def trim_all(error: BaseException) -> None:
    """Trims the traceback of an exception and of those that led to it."""
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = trim(one.__traceback__)
        todo += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]


@contextlib.contextmanager
def modules(names: dict[str, types.ModuleType]) -> Iterator[None]:
    """Puts modules into `sys.modules`, and takes them out at the end."""
    kept = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        yield
    finally:
        for name, former in kept.items():
            if former is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = former
