"""Run the blocks of one document, in order, in one namespace and one folder, as its author did.

Nothing of the process stays changed: folder, environment, warnings, matplotlib's `show` and the
default graph are as before when a block, or at the latest the document, has ended; `sys.modules`
is never touched.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import linecache
import logging
import os
import tempfile
import threading
import warnings
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from tfqueue.session import other_threads

from . import repairs
from .extract import Block

# Documents that are no notebook: the value of a block's last line is not shown.
NO_NOTEBOOK = {"003"}

# Seconds after which a block counts as hanging. Its sessions are closed then, which ends every
# blocked run with a CancelledError, so that a hang fails one test and not the whole suite.
HANGS_AFTER = 60

# Seconds for a thread to end once nothing holds it any more.
ENDS_WITHIN = 30


@dataclass
class Outcome:
    """What running one block did.

    Attributes:
        printed: what it printed and, in a notebook, the repr of its last line's value.
        pictures: height and width of each picture that was shown.
        noise: what went to stderr or was logged as a warning or worse.
        error: the exception that ended it.
        hung: it was stopped by closing its sessions.
    """

    printed: str = ""
    pictures: list[tuple[int, int]] = field(default_factory=list)
    noise: str = ""
    error: Exception | None = None
    hung: bool = False


class Notebook:
    """One document's run. Use it as a context manager, or call `close`.

    Args:
        blocks: the document's blocks.
        folder: an empty folder of its own.
        rows: the repairs; those of other documents are ignored.
        expects: classes of warnings that do not end a block.
    """

    _open = threading.Lock()

    def __init__(
        self,
        blocks: list[Block],
        folder: Path,
        rows: Iterable[repairs.Repair] = repairs.REPAIRS,
        expects: Iterable[type[Warning]] = (),
    ) -> None:
        import tfqueue.v1 as tf

        assert self._open.acquire(blocking=False), "two documents share one default graph"
        self.tf = tf
        self.blocks = blocks
        self.outcomes: list[Outcome] = []
        self.sessions: list[weakref.ref] = []
        self.folder = folder / "notebooks"
        self.namespace: dict[str, Any] = {
            "__name__": "__main__",
            "__builtins__": {**vars(builtins), "__import__": self._import},
        }
        self._rows = list(rows)
        self.expects = tuple(expects)
        self._environment = dict(os.environ)
        self._threads = set(threading.enumerate())
        self.folder.mkdir()
        # For as long as the document's runners live: they open their files whenever they like.
        self._inside = inside(self.folder)
        self._inside.__enter__()
        for name, write in repairs.FILES.get(blocks[0].document, {}).items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path)
        tf.reset_default_graph()

    def __enter__(self) -> Notebook:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _import(self, name: str, *rest: Any, **named: Any) -> Any:
        """`import tensorflow` in a block is `import tfqueue.v1`; there only."""
        return self.tf if name == "tensorflow" else builtins.__import__(name, *rest, **named)

    def repaired(self, block: Block) -> str:
        """Returns the text of `block` with the rows applied, in their order."""
        text = block.text
        for row in self._rows:
            if row.block == block.id:
                text = row.apply(text)
        return text

    def run(self, number: int) -> Outcome:
        """Runs the blocks up to `number`, those that have not been run yet; returns its outcome."""
        for block in self.blocks[len(self.outcomes) : number]:
            self.outcomes.append(self._execute(block))
            self._collect_sessions()
        return self.outcomes[number - 1]

    def close(self) -> list[threading.Thread]:
        """Does what the end of the author's process did; returns the threads that live on."""
        if self.tf is None:
            return []
        self._collect_sessions()
        for session in reversed(self.live_sessions()):
            session.close()
        # pytest-timeout has a thread of its own for each test.
        started = [
            thread
            for thread in threading.enumerate()
            if thread not in self._threads and not thread.name.startswith("pytest_timeout")
        ]
        for thread in started:
            thread.join(ENDS_WITHIN)
        self._inside.__exit__(None, None, None)
        self.tf.reset_default_graph()
        os.environ.clear()
        os.environ.update(self._environment)
        self.tf = None
        self._open.release()
        return [thread for thread in started if thread.is_alive()]

    def _collect_sessions(self) -> None:
        """Notes the sessions that the namespace holds now: a later block may rebind the name.

        By weak references: one that nobody refers to any more ends, as in the author's notebook.
        """
        known = self.live_sessions()
        for value in list(self.namespace.values()):
            is_session = all(hasattr(value, name) for name in ("run", "close", "graph"))
            is_known = any(value is one for one in known)
            if is_session and not is_known and not isinstance(value, type):
                self.sessions.append(weakref.ref(value))

    def live_sessions(self) -> list[Any]:
        """The sessions that the document has made and that still exist, oldest first."""
        return [session for reference in self.sessions if (session := reference()) is not None]

    def _execute(self, block: Block) -> Outcome:
        for row in repairs.GIVEN:
            if row.block == block.id:
                self.namespace.update(row.names())
        outcome = Outcome()
        printed = io.StringIO()
        with (
            self._surroundings(outcome),
            contextlib.redirect_stdout(printed),
            # A thread of the program's own might feed a queue; the guard's does not.
            mock.patch.dict(other_threads.HARMLESS, {__name__: "the guard"}),
        ):
            # By a weak reference: tfqueue waits on while a live thread can reach the session, for
            # that thread might start the runners; this one will not.
            guard = threading.Timer(HANGS_AFTER, _end_hang, [weakref.ref(self), outcome])
            guard.start()
            try:
                value = self._value(block)
                if value is not None:
                    print(repr(value))
            except Exception as error:  # noqa: BLE001  the block's own; its test judges it
                outcome.error = error
            finally:
                guard.cancel()
                guard.join()
        outcome.printed = printed.getvalue().strip("\n")
        return outcome

    def _value(self, block: Block) -> Any:
        """Runs a block as a notebook does; returns the value of its last line."""
        text = self.repaired(block)
        name = f"<document {block.id}>"
        # A traceback then shows the document's lines.
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        tree = ast.parse(text, name)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr) and block.kind != "snippet":
            last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, name, "exec"), self.namespace)
        if last is None:
            return None
        value = eval(compile(last, name, "eval"), self.namespace)
        return None if block.document in NO_NOTEBOOK else value

    @contextlib.contextmanager
    def _surroundings(self, outcome: Outcome) -> Iterator[None]:
        """A notebook's pictures, strict warnings, and an ear on stderr."""
        with (
            _pictures(outcome),
            _temporary_files_in(self.folder),
            _noise(outcome),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("error")
            for category in self.expects:
                warnings.simplefilter("always", category)
            # scikit-image gives up showing pictures; the documents' authors could not know.
            warnings.filterwarnings("ignore", r"`(imshow|show)` is deprecated", FutureWarning)
            yield


def _end_hang(reference: weakref.ref[Notebook], outcome: Outcome) -> None:
    """Closes a notebook's sessions: what ends a run that waits for ever."""
    notebook = reference()
    outcome.hung = True
    notebook._collect_sessions()
    for session in notebook.live_sessions():
        session.close()


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """`contextlib.chdir`, which Python 3.10 has not."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    before = tempfile.tempdir
    tempfile.tempdir = str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


@contextlib.contextmanager
def _pictures(outcome: Outcome) -> Iterator[None]:
    """`show`, and the end of the cell, note the open figures and close them, as a notebook does."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    def show(*_args: Any, **_named: Any) -> None:
        for number in pyplot.get_fignums():
            images = [image for axes in pyplot.figure(number).axes for image in axes.images]
            outcome.pictures += [image.get_array().shape[:2] for image in images]
        pyplot.close("all")

    shown, pyplot.show = pyplot.show, show
    try:
        yield
        show()
    finally:
        pyplot.show = shown
        pyplot.close("all")


@contextlib.contextmanager
def _noise(outcome: Outcome) -> Iterator[None]:
    """Collects what Python, TensorFlow's C++ and TensorFlow's loggers say on stderr."""
    logged = io.StringIO()
    ear = logging.StreamHandler(logged)
    ear.setLevel(logging.WARNING)
    loggers = [logging.getLogger(name) for name in (None, "absl", "tensorflow")]
    with tempfile.TemporaryFile("w+") as file:
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        for logger in loggers:
            logger.addHandler(ear)
        try:
            with contextlib.redirect_stderr(open(2, "w", buffering=1, closefd=False)):
                yield
        finally:
            for logger in loggers:
                logger.removeHandler(ear)
            os.dup2(before, 2)
            os.close(before)
            file.seek(0)
            outcome.noise = (file.read() + logged.getvalue()).strip()
