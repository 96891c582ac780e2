"""Runs a notebook's cells, and keeps what they print and show."""

from __future__ import annotations

import ast
import contextlib
import copy
import sys
import threading
import traceback
import types
from typing import Any

from tfqueue.port.notebook import display, magics, notebook
from tfqueue.port.rules.code import Ended, Join, show_lines, trim_all


class _Output(list):
    """A cell's outputs, in the notebook's own form."""

    def stream(self, name: str, text: str) -> None:
        last = self[-1] if self else None
        if last and last["output_type"] == "stream" and last["name"] == name:
            last["text"] += text
        elif text:
            self.append({"output_type": "stream", "name": name, "text": text})


class _Tee:
    """A stream that goes on to where it went, and into the cell's outputs."""

    def __init__(self, stream, name: str, runner: _Runner):
        self._stream, self._name, self._runner = stream, name, runner

    def write(self, text: str) -> int:
        self._runner.outputs.stream(self._name, text)
        return self._stream.write(text)

    def __getattr__(self, name: str):
        return getattr(self._stream, name)


class _Runner(magics.Magics):
    """Runs cells one by one; `outputs` are those of the last one."""

    def __init__(self, held: notebook.Notebook, namespace: dict[str, Any]):
        super().__init__(held, namespace)
        self.outputs = _Output()
        self.count = 0
        # matplotlib asks to be called after each cell; figures are taken there anyway
        self.events = types.SimpleNamespace(register=lambda *_: None)
        namespace[notebook.MAGIC] = self.magic
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

    def _has_no_value(self, node: ast.expr) -> bool:
        """Whether a cell's last expression is a shell line, which shows what it prints."""
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == notebook.MAGIC
            and self.is_silent(node.args[0].value)
        )

    @staticmethod
    def _say(value: Any) -> None:
        # to the terminal alone: in the notebook it is an output of its own
        sys.__stdout__.write(f"{display.bundle(value).get('text/plain', '')}\n")

    def cell(self, cell: notebook.Cell, body: list[ast.stmt]) -> None:
        """Runs one cell. Whatever it raises passes through, when its outputs are kept."""
        self.outputs = _Output()
        self.count += 1
        name = f"{self.held.path}[{cell.number}]"
        show_lines(name, cell.source)
        last = body[-1] if body and isinstance(body[-1], ast.Expr) else None
        quiet = cell.source.rstrip().endswith(";")
        try:
            head = body[:-1] if last else body
            exec(compile(ast.Module(head, []), name, "exec"), self.namespace)
            if last:
                value = eval(compile(ast.Expression(last.value), name, "eval"), self.namespace)
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
            self.outputs.append(
                {
                    "output_type": "error",
                    "ename": type(error).__name__,
                    "evalue": str(error),
                    "traceback": traceback.format_exception(error),
                }
            )
            raise


def execute(held: notebook.Notebook, main: types.ModuleType, ended: Ended, join: Join) -> int:
    """Runs a notebook's cells in order, in the namespace of a module; see `rules.code.execute`.

    Args:
        held: The notebook; its outputs are kept in ``held.ran``.
        main: The module.
        ended: Called with the exception that ended it; gives the exit code.
        join: Called with the threads of before, to wait for the program's.

    Returns:
        The exit code.
    """
    bodies = notebook.statements(held)
    document = copy.deepcopy(held.document)
    fresh = notebook.code_cells(document)
    for cell in fresh:
        cell["outputs"] = []
        _number(cell, None)
    runner = _Runner(held, main.__dict__)
    shell = runner if "IPython" in held.source.text else None
    before = set(threading.enumerate())
    code = 0
    with (
        display.pictures(runner.picture, runner.display, shell),
        contextlib.redirect_stdout(_Tee(sys.stdout, "stdout", runner)),
        contextlib.redirect_stderr(_Tee(sys.stderr, "stderr", runner)),
    ):
        for cell, raw in zip(held.cells, fresh, strict=True):
            try:
                runner.cell(cell, bodies[cell.number])
            except BaseException as error:  # noqa: BLE001  (SystemExit and Ctrl-C end it too)
                trim_all(error)
                code = ended(error)
                break
            finally:
                _number(raw, runner.count)
                raw["outputs"] = [_lines(one) for one in runner.outputs]
        join(before)
    held.ran = document
    return code


def _number(cell: dict, count: int | None) -> None:
    key = "prompt_number" if "input" in cell else "execution_count"
    cell[key] = count


def _lines(output: dict) -> dict:
    """Texts as lists of lines, as notebooks keep them."""
    if "text" in output:
        output["text"] = output["text"].splitlines(keepends=True)
    for kind, value in output.get("data", {}).items():
        if isinstance(value, str) and kind.startswith("text/"):
            output["data"][kind] = value.splitlines(keepends=True)
    return output
