"""Runs a program with the rules applied in memory, and its own modules with it.

`running` changes `sys.modules`, `sys.path` and `sys.meta_path` for a program, and restores them.
Modules are found where Python finds them, also in folders that the program appends to `sys.path`
while it runs. A module that is installed, or in a folder that was on `sys.path` before, belongs to a
library and is imported unchanged.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import dataclasses
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tfqueue import release
from tfqueue.port.code import compilation, execution, source_lines
from tfqueue.port.differences import telling
from tfqueue.port.entrance import NOTHING, Given, Program
from tfqueue.port.program import folders
from tfqueue.port.program.project import Project
from tfqueue.port.program.written_for import WrittenFor, of_file, of_parsed
from tfqueue.port.rules import engine
from tfqueue.port.run import bytecode, file_loading, spawned
from tfqueue.port.source.files import Unreadable, install_folder, read
from tfqueue.port.source.parsing import Parsed, parse

OLD_LIBRARIES = frozenset(
    [
        *(
            "edward",
            "imgaug",
            "prettytensor",
            "sugartensor",
            "tensorbayes",
            "tensorflow_gan",
            "tflearn",
        ),
        # for Keras 1 and 2: keras-contrib, keras_squeezenet, keras_vggface, keras-utilities, recurrentshop, keras-rl, keras-vis
        *("keras_contrib", "keras_squeezenet", "keras_vggface", "kutilities"),
        *("recurrentshop", "rl", "vis"),
    ]
)
"""Installed packages that are translated without being named: no release runs on TensorFlow 2, Keras 3 or numpy 2."""
_OLD_RELEASES = {"sonnet": "python"}
"""Those of which only old releases are, by the folder that these have inside: Sonnet 2 is for TensorFlow 2."""


@dataclasses.dataclass(kw_only=True)
class Options:
    """How programs are translated as they are imported.

    Attributes:
        root: Only files below this folder are translated; all of the program's own when None.
        written_for: Which Python and which TensorFlow the program is from; found out when None.
        also: Names of installed packages that are translated, too.
        report: Called with the path and the `Translation` of each file that was translated.
        given: Which Python and which TensorFlow the user said, or None for each.
        ran: What was translated up to now, by its file.
        to_the_end: Whether the process ends with the program, whose handlers of `atexit` are still to run.
    """

    root: str | None = None
    written_for: WrittenFor | None = None
    also: frozenset[str] = frozenset()
    report: Callable[[str, engine.Translation], None] | None = None
    given: Given = NOTHING
    ran: dict[str, engine.Translation] = dataclasses.field(default_factory=dict)
    to_the_end: bool = False

    def written_for_of(self, parsed: Parsed) -> WrittenFor:
        """Which Python and TensorFlow the program is from that begins with a file."""
        if self.written_for is None:
            self.written_for = of_parsed(parsed).overridden(*self.given)
        return self.written_for

    def begin(self, program: Program) -> None:
        """Takes over the Python and TensorFlow of a program that is run now, and notes its translation."""
        self.written_for = program.translation.written_for
        self.note(program.path, program.code_file, program.translation)

    def note(self, path: str, code_file: str | None, translation: engine.Translation) -> None:
        """Notes and reports a translation that is run now.

        Args:
            path: The file, for the report.
            code_file: The file that tracebacks name for its code; None for a notebook.
            translation: What the rules made of it.
        """
        if code_file is not None:
            self.ran[code_file] = translation
        for found in translation.findings:
            if found.told:
                telling.tell_of_line(path, found.line, found.message)
        if self.report and translation.findings:
            self.report(path, translation)


class Loader(importlib.machinery.SourceFileLoader):
    """Loads one of the user's modules through the rules. Nothing is cached on disk."""

    def __init__(self, fullname: str, path: str, options: Options) -> None:
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

    def get_source(self, fullname: str) -> str:
        """Returns the module's source, rewritten; see `source_lines`."""
        if self.path not in self._options.ran:
            self.get_code(fullname)
        return "".join(linecache.getlines(self.path))


def _compiled(path: str, options: Options, package: str | None) -> types.CodeType:
    """One of the program's modules as code.

    Raises:
        Unreadable: It cannot be read, or it shows too late that the program is Python 2.
    """
    parsed = parse(read(path).text, path)
    also = _also(path, options)
    written_for = _library_written_for(path, options) if also else options.written_for_of(parsed)
    # the release is the program's, whatever a library beside it is from
    leave_out = ["tf-release"] if also else []
    translation = engine.apply(parsed, written_for, Project(path).owns, package, leave_out)
    if not also:
        _agrees(path, translation, options)
    options.note(path, path, translation)
    return compilation.compile_translation(translation, path)


def _agrees(path: str, translation: engine.Translation, options: Options) -> None:
    """A module of Python 2 that turns up while the program runs makes the rest Python 2, too.

    Raises:
        Unreadable: What ran up to here divides, or rounds, as Python 3 does.
    """
    written_for = options.written_for or translation.written_for
    if not translation.module.python2 or written_for.python2 or not written_for.guessed:
        return
    for other, one in options.ran.items():
        place = _python3_numbers(one)
        if place and not one.module.python2:
            raise Unreadable(
                path,
                f"is Python 2, which shows only now; {os.path.relpath(other)}:{place} has been run "
                "as Python 3, where it can give other numbers: run with --python 2, or 3",
            )
    options.written_for = dataclasses.replace(written_for, python2=True, proven=True)


def _python3_numbers(translation: engine.Translation) -> int:
    """A line where Python 2 could have given another number, or 0."""
    tree = translation.tree
    if translation.module.has_future("division"):
        return 0
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            return node.lineno
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "round":
            return node.lineno
    return 0


def _library_written_for(path: str, options: Options) -> WrittenFor:
    """Which Python and TensorFlow a library's file is from: without a proof, they are the program's."""
    written_for, program = of_file(path), options.written_for
    if (
        program
        and program.era.is_taken_for_1
        and not (written_for.era.shown or written_for.era.two)
    ):
        written_for = dataclasses.replace(written_for, era=program.era)
    if program and program.python2 and not program.guessed and not written_for.proven:
        return dataclasses.replace(written_for, python2=True, proven=True)
    return written_for


def _also(path: str, options: Options) -> bool:
    """Whether a file is one of a package that the user named, or of an old library."""
    path = os.path.realpath(path)
    parts = path.split(os.sep)
    if any(name in parts or f"{name}.py" in parts for name in options.also):
        return True
    folder = install_folder(path)
    inside = os.path.relpath(path, folder).split(os.sep) if folder else [""]
    return inside[0].removesuffix(".py") in OLD_LIBRARIES or _is_old_release(path, inside[0])


def _is_old_release(path: str, package: str) -> bool:
    """Whether a file is one of a package's release for TensorFlow 1, where it has others, too."""
    folder = install_folder(path) if package in _OLD_RELEASES else None
    return folder is not None and os.path.isdir(
        os.path.join(folder, package, _OLD_RELEASES[package])
    )


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the user's program, and no library."""

    def __init__(self, options: Options, folder: str | None = None) -> None:
        # Here, because on Python 3.13 `sysconfig` imports a module, which would ask this finder again.
        folders.library_folders()
        self.options = options
        root = options.root
        self._root = os.path.realpath(root) if root else None
        given = {os.path.realpath(path) for path in folders.given_folders()}
        self._given = given | ({os.path.realpath(folder)} if folder else set())
        # what Python found its libraries in before the program began
        self._known = {os.path.realpath(path or ".") for path in sys.path} - self._given
        self._judged: dict[str, bool] = {}

    def is_users(self, path: str, name: str = "") -> bool:
        """Whether a file is one of the user's program."""
        package = name.partition(".")[0]
        if name and package in self.options.also | OLD_LIBRARIES:
            return True
        if _is_old_release(path, package):
            return True
        path = os.path.abspath(path)
        if path not in self._judged:
            self._judged[path] = self._is_users(os.path.realpath(path))
        return self._judged[path]

    def _is_users(self, path: str) -> bool:
        if folders.is_library(path):
            return False
        if self._root:
            return _below(path, self._root)
        if any(_below(path, folder) for folder in self._given):
            return True
        return not any(_below(path, folder) for folder in self._known)

    def __getstate__(self) -> dict[str, Any]:
        options = dataclasses.replace(self.options, report=None, ran={})
        return {**vars(self), "options": options}

    def loader(self, name: str, path: str) -> Loader:
        """What loads a file as a module of a name, through the rules."""
        return Loader(name, path, self.options)

    def tell_release(self) -> None:
        """States to `tfqueue.release` which release the program is from, where that is known."""
        written_for = self.options.written_for
        if written_for is not None and not written_for.era.two:
            release.assume(written_for.era.high)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """Finds a module where Python would, and takes it over where it is the user's."""
        if fullname in sys.builtin_module_names:
            return None  # Python looks for no file of it
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec and isinstance(spec.loader, importlib.machinery.SourcelessFileLoader):
            users = spec.origin and self.is_users(spec.origin, fullname)
            return bytecode.of_python2(spec, str(spec.origin)) if users else None
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        if not spec.origin or not self.is_users(spec.origin, fullname):
            return None
        spec.loader = self.loader(fullname, spec.origin)
        spec.cached = None
        return spec


def _below(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def spec_of(name: str, path: str) -> importlib.machinery.ModuleSpec:
    """The spec of a module at a path, which is translated where a program is being run."""
    finder = next((one for one in sys.meta_path if isinstance(one, Finder)), None)
    translated = finder is not None and finder.is_users(path)
    loader = Loader(name, path, finder.options) if finder and translated else None
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    if spec is None:
        raise ImportError(f"{path} is no file of a module")
    return spec


def written_for_of_text() -> WrittenFor | None:
    """Which Python and TensorFlow the program that is being run is from, or None where none runs."""
    finder = next((one for one in sys.meta_path if isinstance(one, Finder)), None)
    return finder.options.written_for if finder else None


@contextlib.contextmanager
def running(
    options: Options, path: str, argv: Sequence[str], main: types.ModuleType
) -> Iterator[Finder]:
    """Everything as under ``python path argv``, and all of it undone at the end, unless the process ends there.

    Args:
        options: How modules are rewritten.
        path: The program, for ``sys.argv[0]`` and ``sys.path[0]``.
        main: What becomes ``sys.modules["__main__"]``.
    """
    folder = os.getcwd() if path in ("-", "-m") else folders.home(path)
    finder = Finder(options, folder)
    telling.forget()
    kept = sys.argv, sys.path[:], sys.modules.get("__main__"), sys.dont_write_bytecode
    sys.argv = [path, *argv]
    # the first entry is the folder of the script that Python was started with
    sys.path[:] = [folder, *(entry for entry in sys.path if entry != "")]
    sys.meta_path.insert(0, finder)
    sys.modules["__main__"] = main
    finder.tell_release()
    if options.written_for is not None and options.written_for.era.guesses_keras_2:
        telling.tell_keras(path)
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
        with (
            source_lines.users_lines(),
            file_loading.translated(finder),
            warnings.catch_warnings(),
        ):
            if not sys.warnoptions:  # as before Python 3.7
                warnings.filterwarnings("ignore", category=DeprecationWarning, module="__main__")
            yield finder
    finally:
        if not options.to_the_end:
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
    return (
        file is not None and finder.is_users(file) and getattr(module, "__name__", "") != "__main__"
    )


def main_module(path: str | None) -> types.ModuleType:
    """A fresh ``__main__`` for a program.

    Args:
        path: Its file; None for one that has none, such as a notebook or standard input.
    """
    module = types.ModuleType("__main__")
    if sys.version_info < (3, 14):
        module.__annotations__ = {}
    module.__dict__.update(__builtins__=builtins, __doc__=None)
    if path is not None:
        module.__dict__.update(__file__=os.path.abspath(path), __cached__=None)
    return module


@contextlib.contextmanager
def loaded(path: str, options: Options) -> Iterator[types.ModuleType]:
    """Imports a program as a module, through the rules; all is undone at the end of the block.

    Args:
        options: How it is rewritten.

    Yields:
        The module. Its `__name__` is that of the file, so what it does only as a program is not done.

    Raises:
        Unreadable: The program can't be read.
    """
    full = os.path.abspath(path)
    compiled = _compiled(full, options, "")
    module = types.ModuleType(os.path.splitext(os.path.basename(path))[0])
    module.__file__ = full
    with (
        running(options, path, [], sys.modules["__main__"]),
        execution.modules({module.__name__: module}),
    ):
        exec(compiled, module.__dict__)
        yield module


def run(
    program: Program,
    argv: Sequence[str],
    options: Options,
    ended: execution.Ended,
    join: execution.Join = execution.join_threads,
) -> int:
    """Runs a program as ``python argv[0] argv[1:]`` would.

    Args:
        program: What `entrance.opened` gave.
        argv: The program as the user named it, and its arguments.
        options: How its modules are translated.
        ended: See `execution.Ended`.
        join: See `execution.Join`.

    Returns:
        The exit code.
    """
    name, *rest = argv
    options.begin(program)
    main = main_module(None if name == "-" else program.code_file)
    with running(options, name, rest, main) as finder, spawned.children(finder, main):
        return program.execute(main, ended, join)


def run_module(
    name: str,
    argv: Sequence[str],
    options: Options,
    ended: execution.Ended,
    join: execution.Join = execution.join_threads,
) -> int:
    """Runs a program as ``python -m name argv`` would, through the rules.

    Raises:
        Unreadable: There is no such module.
    """
    path = module_file(name)
    if options.written_for is None:
        options.written_for = of_file(path).overridden(*options.given)
    main = main_module(path)
    with running(options, "-m", argv, main) as finder, spawned.children(finder, main):
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

        return execution.execute(start, main, ended, join)


def module_file(name: str) -> str:
    """The file that ``-m name`` runs, found without importing anything.

    Raises:
        Unreadable: There is none.
    """
    path: Sequence[str] | None = [*folders.given_folders(), *sys.path]
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
