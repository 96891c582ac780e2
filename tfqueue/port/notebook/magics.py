"""Magics and shell lines of a notebook: those that its programs need. Others are named on stderr."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
import warnings
from typing import Any
from unittest import mock

from tfqueue.port.code import compilation
from tfqueue.port.notebook.document import (
    PYTHON_CELLS,
    Document,
    brings_names,
    pylab_imports,
)
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine
from tfqueue.port.source.files import Unreadable, read

# Shell commands that would change the machine instead of showing something: named, not run.
_INSTALLERS = ("pip", "pip3", "conda", "apt", "apt-get", "sudo", "easy_install")
_QUIET = frozenset(
    ["matplotlib", "load_ext", "autoreload", "reload_ext", "config", "autosave", "pdb"]
)
_TIMERS = ("time", "timeit")
_TIMER_OPTIONS = re.compile(r"(?:-(?:[nrp] ?\d+|[tcqov]+)\s+)*")
_SHELLS = ("bash", "sh")
_SHOWN = {
    **{name: f"text/{name}" for name in ("html", "latex", "markdown")},
    "svg": "image/svg+xml",
}
_EXPANDED = re.compile(r"\{([^{}]+)\}|\$([A-Za-z_]\w*)")


def expanded(line: str, names: dict[str, Any]) -> str:
    """Puts values into a shell line or a magic, as IPython does; what has none stays.

    >>> expanded("cp {name}.txt $folder $HOME {print $1} {}", {"name": "a", "folder": "/tmp"})
    'cp a.txt /tmp $HOME {print $1} {}'
    """

    def value(match: re.Match[str]) -> str:
        if match[2]:
            return str(names[match[2]]) if match[2] in names else match[0]
        try:
            with warnings.catch_warnings():
                # of Python, on what is the shell's
                warnings.simplefilter("ignore")
                return str(eval(match[1], names))
        except Exception:  # noqa: BLE001  (IPython's rule: what is no expression is the shell's)
            return str(match[0])

    return _EXPANDED.sub(value, line)


def name_left_out(what: str, why: str) -> None:
    """Names a line that is not run."""
    sys.stderr.write(f"tfqueue: {what.partition(chr(10))[0]}: {why}\n")


class Magics:
    """What `get_ipython()` gives to a notebook.

    Attributes:
        document: The notebook's file.
        written_for: Which Python and which TensorFlow the notebook is from.
        namespace: Its names.
    """

    def __init__(
        self, document: Document, written_for: WrittenFor, namespace: dict[str, Any]
    ) -> None:
        self.document, self.written_for, self.namespace = document, written_for, namespace

    def show(self, kind: str, body: str) -> None:
        """Shows text of a MIME type; a subclass that keeps outputs overrides it."""

    # what programs ask of get_ipython()
    def run_line_magic(self, name: str, line: str) -> Any:
        """Runs `%name line`."""
        return self._line(f"%{name} {line}")

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        """Runs `%%name line` over a cell."""
        self._cell_magic(f"%%{name} {line}\n{cell}")
        if name in PYTHON_CELLS:
            self._python(cell)

    def system(self, command: str) -> None:
        """Runs a shell line, as `!command` does, which has no value of its own."""
        self.getoutput(command)

    def getoutput(self, command: str) -> list[str]:
        """Runs a shell line and returns the lines that it prints, as `x = !command` does."""
        command = expanded(command, self.namespace)
        words = command.replace("\\\n", " ").split()
        if words and (words[0] in _INSTALLERS or words[1:2] == ["install"]):
            name_left_out(f"!{command}", "not run: it would change this Python's packages")
            return []
        done = subprocess.run(
            command,
            shell=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        sys.stdout.write(done.stdout)
        return done.stdout.splitlines()

    def magic(self, number: int | str) -> Any:
        """A magic or a shell line that was put aside; or, as in IPython, the text of one."""
        if isinstance(number, str):
            return self._line(f"%{number.lstrip('%')}")
        text = self.document.magics[number]
        if text.startswith("%%"):
            return self._cell_magic(text)
        if brings_names(text):
            return None  # its imports stand behind it
        if text.startswith(("!", "%", "?")) or text.rstrip().endswith("?"):
            return self._line(text)
        exec(compile(text, f"{self.document.source.path}[cell]", "exec"), self.namespace)
        return None

    def is_silent(self, number: int) -> bool:
        """Whether a line that was put aside has no value of its own: `!ls`, but not `!!ls`."""
        text = self.document.magics[number]
        return text.startswith("!") and not text.startswith("!!")

    def _line(self, text: str) -> Any:
        if text.startswith("!"):
            return self.getoutput(text.lstrip("!"))
        name, _, rest = text.lstrip("%").partition(" ")
        rest = rest.strip()
        if name in _TIMERS:
            # one run is enough to know what it does
            options = _TIMER_OPTIONS.match(rest)
            statement = rest[options.end() if options else 0 :]
            return self._python(statement) if statement else None
        rest = expanded(rest, self.namespace)
        if name == "cd":
            os.chdir(os.path.expanduser(rest or "~"))
        elif name == "pwd":
            return os.getcwd()
        elif name == "run" and rest:
            self._run([word for word in shlex.split(rest) if word not in ("-i", "-t")])
        elif name in ("ls", "cat", "mkdir", "rm", "cp", "mv"):
            self.system(f"{name} {rest}")
        elif name in ("env", "set_env") and re.search(r"[=\s]", rest):
            key, value = re.split(r"\s*=\s*|\s+", rest, maxsplit=1)
            os.environ[key] = value
        elif name == "pylab":
            self._python(pylab_imports(text))
        elif name not in _QUIET:
            name_left_out(text, "this magic is left out")
        return None

    def _run(self, words: list[str]) -> None:
        text = read(words[0]).text
        translation = engine.translate(text, words[0], written_for=self.written_for)
        with mock.patch.object(sys, "argv", words):
            exec(compilation.compile_translation(translation, words[0]), self.namespace)

    def _python(self, text: str) -> Any:
        written_for = self.written_for
        try:
            translation = engine.translate(text, written_for=written_for)
        except Unreadable as error:
            raise SyntaxError(error.reason) from None
        tree = compilation.placed(translation)
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr):
            tree.body.pop()
        exec(compile(tree, "<magic>", "exec"), self.namespace)
        if isinstance(last, ast.Expr):
            return eval(compile(ast.Expression(last.value), "<magic>", "eval"), self.namespace)
        return None

    def _cell_magic(self, text: str) -> None:
        head, _, body = text.partition("\n")
        words = head[2:].split()
        name = words[0] if words else ""
        if name in _SHELLS or (name == "script" and words[1:] and words[1] in _SHELLS):
            self.system(body)
        elif name in ("writefile", "file") and len(words) > 1:
            mode = "a" if "-a" in words else "w"
            with open(expanded(words[-1], self.namespace), mode, encoding="utf-8") as file:
                file.write(body if body.endswith("\n") else f"{body}\n")
        elif name.lower() in _SHOWN:
            self.show(_SHOWN[name.lower()], body)
        elif name not in PYTHON_CELLS:
            name_left_out(head, "this cell is left out")
