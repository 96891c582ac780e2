"""Runs a notebook's cells, and keeps what they print and show."""

from __future__ import annotations

import ast
import contextlib
import copy
import sys
import threading
import traceback
import types
from collections.abc import Callable
from typing import Any, TextIO

from tfqueue.port.code import source_lines
from tfqueue.port.code.compilation import compiled
from tfqueue.port.code.execution import Ended, Join, trim_all
from tfqueue.port.notebook import display, magics
from tfqueue.port.notebook.document import MAGIC, Cell, Document, code_cells
from tfqueue.port.program.written_for import WrittenFor


class _Output(list[dict[str, Any]]):
    """A cell's outputs, in the notebook's own form."""

    def stream(self, name: str, text: str) -> None:
        last = self[-1] if self else None
        if last and last["output_type"] == "stream" and last["name"] == name:
            last["text"] += text
        elif text:
            self.append({"output_type": "stream", "name": name, "text": text})


class _Tee:
    """A stream that goes on to where it went, and into the cell's outputs."""

    def __init__(self, stream: TextIO, name: str, runner: Runner) -> None:
        self._stream, self._name, self._runner = stream, name, runner

    def write(self, text: str) -> int:
        self._runner.outputs.stream(self._name, text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Runner(magics.Magics):
    """Runs cells one by one; `outputs` are those of the last one."""

    def __init__(
        self, document: Document, written_for: WrittenFor, namespace: dict[str, Any]
    ) -> None:
        super().__init__(document, written_for, namespace)
        self.outputs = _Output()
        self.count = 0
        self.user_ns = namespace
        self.custom_exceptions: tuple[type[BaseException], ...] = ()
        self._handler: Callable[..., Any] | None = None
        # matplotlib asks to be called after each cell; figures are taken there anyway
        self.events = types.SimpleNamespace(register=lambda *_: None)
        namespace[MAGIC] = self.magic
        namespace["display"] = self.display
        namespace["get_ipython"] = lambda: self

    def show(self, kind: str, body: str) -> None:
        """Shows text of a MIME type."""
        self.outputs.append({"output_type": "display_data", "data": {kind: body}, "metadata": {}})

    def display(self, *objects: Any, **_: Any) -> None:
        """Shows objects, as `IPython.display.display` does."""
        for value in objects:
            self.outputs.append(
                {"output_type": "display_data", "data": display.bundle(value), "metadata": {}}
            )
            self._say(value)

    def picture(self, data: str, text: str) -> None:
        """Keeps a figure's picture (base64 PNG)."""
        self.outputs.append(
            {
                "output_type": "display_data",
                "data": {"image/png": data, "text/plain": text},
                "metadata": {},
            }
        )

    def set_custom_exc(
        self, classes: tuple[type[BaseException], ...], handler: Callable[..., Any] | None
    ) -> None:
        """Has a function show the errors of some classes, as IPython's shell does."""
        self.custom_exceptions, self._handler = classes, handler

    def showtraceback(self, found: tuple[Any, BaseException, Any], **_: Any) -> None:
        """Keeps an error: with the lines that it has for itself, or with its traceback."""
        _, error, _ = found
        own = getattr(error, "_render_traceback_", None)
        self.outputs.append(
            {
                "output_type": "error",
                "ename": type(error).__name__,
                "evalue": str(error),
                "traceback": list(own()) if own else traceback.format_exception(error),
            }
        )

    def _failed(self, error: BaseException) -> None:
        trace = error.__traceback__
        if self._handler is not None and isinstance(error, self.custom_exceptions):
            self._handler(self, type(error), error, trace, tb_offset=None)
        else:
            self.showtraceback((type(error), error, trace))

    def _has_no_value(self, node: ast.expr) -> bool:
        """Whether a cell's last expression is a shell line, which shows what it prints."""
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == MAGIC
            and isinstance(node.args[0], ast.Constant)
            and self.is_silent(int(str(node.args[0].value)))
        )

    @staticmethod
    def _say(value: Any) -> None:
        # to the terminal alone: in the notebook it is an output of its own
        if sys.__stdout__ is not None:
            sys.__stdout__.write(f"{display.bundle(value).get('text/plain', '')}\n")

    def cell(self, cell: Cell, body: list[ast.stmt]) -> None:
        """Runs one cell. Whatever it raises passes through, when its outputs are kept."""
        self.outputs = _Output()
        self.count += 1
        name = f"{self.document.source.path}[{cell.number}]"
        source_lines.show(name, cell.source, ast.Module(body, []))
        # IPython compiles statement by statement, so that imports of the future may stand anywhere, and `global` says nothing
        body = [node for node in body if not isinstance(node, ast.Global)]
        body.sort(key=lambda node: not _is_of_the_future(node))
        last = body[-1] if body and isinstance(body[-1], ast.Expr) else None
        quiet = cell.source.rstrip().endswith(";")
        try:
            head = body[:-1] if last else body
            exec(compiled(ast.Module(head, []), name, "exec"), self.namespace)
            if last:
                value = eval(compiled(ast.Expression(last.value), name, "eval"), self.namespace)
                if value is not None and not (quiet or self._has_no_value(last.value)):
                    self.namespace["_"] = value
                    self.outputs.append(
                        {
                            "output_type": "execute_result",
                            "execution_count": self.count,
                            "data": display.bundle(value),
                            "metadata": {},
                        }
                    )
                    self._say(value)
            display.flush()
        except BaseException as error:
            trim_all(error)
            self._failed(error)
            raise

    def run(
        self, bodies: dict[int, list[ast.stmt]], ended: Ended, join: Join
    ) -> tuple[int, dict[str, Any]]:
        """Runs the notebook's cells in order.

        Args:
            bodies: The statements of each cell, by its number.
            ended: Called with the exception that ended it; gives the exit code.
            join: Called with the threads of before, to wait for the program's.

        Returns:
            The exit code, and the notebook's JSON with its new outputs.
        """
        document = copy.deepcopy(self.document.json)
        fresh = code_cells(document)
        for cell in fresh:
            cell["outputs"] = []
            _number(cell, None)
        shell = self if "IPython" in self.document.source.text else None
        before = set(threading.enumerate())
        code = 0
        with (
            display.pictures(self.picture, self.display, shell),
            contextlib.redirect_stdout(_Tee(sys.stdout, "stdout", self)),
            contextlib.redirect_stderr(_Tee(sys.stderr, "stderr", self)),
        ):
            for one, raw in zip(self.document.cells, fresh, strict=True):
                try:
                    self.cell(one, bodies[one.number])
                except BaseException as error:  # noqa: BLE001  (SystemExit and Ctrl-C end it too)
                    trim_all(error)
                    code = ended(error)
                    break
                finally:
                    _number(raw, self.count)
                    raw["outputs"] = [_lines(output) for output in self.outputs]
            join(before)
        return code, document


def _is_of_the_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _number(cell: dict[str, Any], count: int | None) -> None:
    key = "prompt_number" if "input" in cell else "execution_count"
    cell[key] = count


def _lines(output: dict[str, Any]) -> dict[str, Any]:
    """Texts as lists of lines, as notebooks keep them."""
    if "text" in output:
        output["text"] = output["text"].splitlines(keepends=True)
    for kind, value in output.get("data", {}).items():
        if isinstance(value, str) and kind.startswith("text/"):
            output["data"][kind] = value.splitlines(keepends=True)
    return output
