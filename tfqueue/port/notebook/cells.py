"""Runs a notebook's cells, and keeps what they print and show."""

from __future__ import annotations

import ast
import contextlib
import copy
import json
import linecache
import os
import sys
import threading
import traceback
import types
from collections.abc import Callable, Sequence
from typing import Any

from tfqueue.port.notebook import display, magics, notebook
from tfqueue.port.run import importer
from tfqueue.port.source.files import Source, Unreadable, lines_of, read, write


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
        linecache.cache[name] = (
            len(cell.source),
            None,
            lines_of(cell.source),
            name,
        )
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
            importer.trim_all(error)
            self.outputs.append(
                {
                    "output_type": "error",
                    "ename": type(error).__name__,
                    "evalue": str(error),
                    "traceback": traceback.format_exception(error),
                }
            )
            raise


def run(
    path: str,
    args: Sequence[str],
    options: importer.Options,
    ended: Callable[[BaseException], int],
    output: str | None,
    join: Callable[[set[threading.Thread]], None] = importer.join_threads,
) -> int:
    """Runs a notebook's cells in order, in one namespace.

    Args:
        path: The notebook.
        args: What follows it on the command line, for ``sys.argv``.
        options: How modules are rewritten.
        ended: Called with the exception that ended it; says the exit code.
        output: Where to write the notebook with its new outputs, or None.
        join: Called with the threads of before, to wait for the program's.

    Returns:
        The exit code.

    Raises:
        Unreadable: The notebook can't be read, or the new one can't be written.
    """
    if output and not os.path.isdir(os.path.dirname(os.path.abspath(output))):
        raise Unreadable(output, "no such folder")
    source = read(path)
    held = notebook.translate(source.text, path, given=options.given)
    options.verdict = held.translation.verdict
    if options.report and held.translation.findings:
        options.report(path, held.translation)
    bodies = notebook.statements(held)
    document = copy.deepcopy(held.document)
    fresh = notebook._code_cells(document)
    for cell in fresh:
        cell["outputs"] = []
        _number(cell, None)
    main = importer.main_module(path)
    del main.__dict__["__file__"]
    runner = _Runner(held, main.__dict__)
    before = set(threading.enumerate())
    code = 0
    with (
        importer.running(options, path, args, main),
        display.pictures(
            runner.picture, runner.display, runner if "IPython" in source.text else None
        ),
        contextlib.redirect_stdout(_Tee(sys.stdout, "stdout", runner)),
        contextlib.redirect_stderr(_Tee(sys.stderr, "stderr", runner)),
    ):
        for cell, raw in zip(held.cells, fresh, strict=True):
            try:
                runner.cell(cell, bodies[cell.number])
            except BaseException as error:  # noqa: BLE001  (SystemExit and Ctrl-C end it too)
                importer.trim_all(error)
                code = ended(error)
                break
            finally:
                _number(raw, runner.count)
                raw["outputs"] = [_lines(one) for one in runner.outputs]
        join(before)
    if output:
        text = json.dumps(document, indent=held.indent, ensure_ascii=False) + "\n"
        write(Source(output, text), text)
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
