"""Runs a program with the rules applied in memory, and its own modules with it.

The only place that touches `sys.modules` and `sys.meta_path`; `running` undoes both. Libraries are
imported as ever: only files below the root, outside of `site-packages`, are rewritten.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import importlib.abc
import importlib.machinery
import linecache
import os
import sys
import sysconfig
import threading
import types
from collections.abc import Callable, Iterator, Sequence

from tfqueue.port import engine, era
from tfqueue.port.source import SKIPPED, Unreadable, lines_of, read

_HERE = os.path.dirname(os.path.abspath(__file__))
# Our machinery and the import system's: no lines of the user's
_INNER = (_HERE, "<frozen importlib", os.path.join(os.path.dirname(_HERE), "cli.py"))


@dataclasses.dataclass(kw_only=True)
class Options:
    """How programs are rewritten as they are imported.

    Attributes:
        root: Only files below this folder are rewritten.
        era: The era that the user set, or None.
        python2: Whether the program turned out to be Python 2; its modules are, too.
        report: Called with the path and the `Translation` of each file that was rewritten.
    """

    root: str
    era: era.Era | None = None
    python2: bool = False
    report: Callable[[str, engine.Translation], None] | None = None


def compile_translation(translation: engine.Translation, path: str) -> types.CodeType:
    """Compiles a program so that its tracebacks show the lines of the user's file.

    Args:
        translation: What `engine.translate` returned.
        path: The file name to put in the code.

    >>> code = compile_translation(engine.translate("print 1, 2\\n"), "old.py")
    >>> code.co_filename
    'old.py'
    """
    tree = engine.parse(translation.text)
    if translation.changed:
        restore_lines(tree, translation)
    if translation.needs:
        _add_import(tree)
    return compile(tree, path, "exec", dont_inherit=True)


def restore_lines(tree: ast.Module, translation: engine.Translation) -> None:
    """Gives every node the line numbers of the user's file."""
    lines = translation.lines
    now = translation.text.split("\n")
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


def _add_import(tree: ast.Module) -> None:
    at = 0
    for node in tree.body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (docstring or future):
            break
        at += 1
    [statement] = ast.parse(engine.RUNTIME).body
    if at < len(tree.body):
        for node in ast.walk(statement):
            ast.copy_location(node, tree.body[at])
    tree.body.insert(at, statement)


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


def _compiled(path: str, options: Options, package: str) -> types.CodeType:
    source = read(path)
    translation = engine.translate(
        source.text,
        path,
        given_era=options.era,
        package=package,
        part_of_python2=options.python2,
    )
    options.python2 = options.python2 or translation.python2
    if options.report and translation.findings:
        options.report(path, translation)
    lines = lines_of(translation.original)
    # An entry without a time is never checked against the file, so tracebacks show what ran even
    # where linecache could not decode it.
    linecache.cache[path] = (len(translation.original), None, lines, path)
    return compile_translation(translation, path)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the user's program, and no library."""

    def __init__(self, options: Options):
        self._options = options
        self._root = os.path.realpath(options.root)
        # the standard library and this very package can stand below the root
        self._libraries = [
            os.path.realpath(path)
            for path in {*sysconfig.get_paths().values(), os.path.dirname(_HERE)}
            if os.path.isabs(path)
        ]

    def is_users(self, path: str) -> bool:
        """Whether a file is one of the user's program."""
        path = os.path.realpath(path)
        if not path.startswith(os.path.join(self._root, "")):
            return False
        if SKIPPED.intersection(path.split(os.sep)):
            return False
        return not any(
            path.startswith(os.path.join(library, "")) and not self._root.startswith(library)
            for library in self._libraries
        )

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target=None):
        """Finds a module where Python would, and takes it over where it is the user's."""
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if not spec.origin or not self.is_users(spec.origin):
            return None
        spec.loader = Loader(fullname, spec.origin, self._options)
        spec.cached = None
        return spec


def home(path: str) -> str:
    """The folder that a program's modules are looked for in: its own, behind any link to it."""
    return os.path.dirname(os.path.realpath(path))


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
    finder = Finder(options)
    kept = sys.argv, sys.path[:], sys.modules.get("__main__"), sys.dont_write_bytecode
    sys.argv = [path, *argv]
    folder = home(path)
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
        __file__=os.path.abspath(path), __builtins__=__builtins__, __cached__=None, __doc__=None
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
        path: The program.
        argv: Its arguments.
        options: How it is rewritten.
        ended: Called with the exception that ended it, while all is still in place; says the
            exit code.
        join: Called with the threads of before, to wait for the program's.

    Returns:
        The exit code.

    Raises:
        Unreadable: The program can't be read.
    """
    full = os.path.abspath(path)
    code = _compiled(full, options, "")
    main = main_module(path)
    before = set(threading.enumerate())
    with running(options, path, argv, main):
        try:
            exec(code, main.__dict__)
            result = 0
        except BaseException as error:  # noqa: BLE001  (SystemExit and Ctrl-C end a program too)
            trim_all(error)
            result = ended(error)
        join(before)
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
