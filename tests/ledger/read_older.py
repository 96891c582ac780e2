"""Writes `tfqueue/names/older_forms.txt`: the arguments that TensorFlow 0.6 to 0.11 took in another order.

There are no wheels of these releases. So their source is read, which is not run: the definitions of
functions and classes, and the registrations of the ops that had no Python of their own. What the source
of 0.12 says in the same way is held to the ledger; names for which it says something else are left out.

    python -m tests.ledger.read_older CLONE

CLONE is a clone of TensorFlow's repository with its tags. Not part of `make ledger`: it is 1 GB.
"""

from __future__ import annotations

import argparse
import ast
import collections
import functools
import keyword
import pathlib
import re
import subprocess
from collections.abc import Iterator

from tfqueue.names import ledger, older_forms

OUT = pathlib.Path(older_forms.__file__).with_name("older_forms.txt")
TAGS = dict(
    zip(
        older_forms.RELEASES,
        ("v0.6.0", "v0.7.1", "v0.8.0", "v0.9.0", "v0.10.0", "v0.11.0"),
        strict=True,
    )
)
REFERENCE = "0.12.1"
FOLDERS = ("tensorflow/python", "tensorflow/contrib", "tensorflow/core/ops")
PLAIN = (type(None), bool, int, float, str)
_TEXT = r'"(?:[^"\\]|\\.)*"'


class Source:
    """The source of one release.

    Args:
        clone: The folder of the clone.
        tag: The release's tag.
    """

    def __init__(self, clone: pathlib.Path, tag: str) -> None:
        self._clone = clone
        self._tag = tag
        paths = self._git("ls-tree", "-r", "--name-only", tag, *FOLDERS).splitlines()
        self._modules = [path for path in paths if path.endswith(".py") and "test" not in path]
        self._registered = [path for path in paths if path.endswith("_ops.cc")]
        lists = [path for path in paths if path.endswith(("BUILD", "hidden_ops.txt"))]
        self._hidden = frozenset(re.findall(r"\w+", " ".join(map(self._read, lists))))
        self.places: dict[str, list[str]] = collections.defaultdict(list)
        """The names of functions and classes -> the modules that define them."""
        for path in self._modules:
            for name in self.definitions(path):
                self.places[name].append(path)

    def _git(self, *args: str) -> str:
        command = ("git", "-C", str(self._clone), *args)
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def _read(self, path: str) -> str:
        return self._git("show", f"{self._tag}:{path}")

    @functools.cache  # noqa: B019  (there are seven)
    def definitions(self, path: str) -> dict[str, str]:
        """The functions and classes of a module -> their arguments."""
        if path not in self._modules:
            return {}
        try:
            module = ast.parse(self._read(path))
        except SyntaxError:
            return {}  # written for Python 2 alone
        found = {}
        for node in _statements(module.body):
            if isinstance(node, ast.FunctionDef):
                found[node.name] = arguments(node)
            for each in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                    found[node.name] = ", ".join(arguments(each).split(", ")[1:])
        return found

    @functools.cached_property
    def ops(self) -> dict[str, str]:
        """The ops without Python of their own, as functions -> their arguments."""
        found = {}
        for path in self._registered:
            parts = self._read(path).split("REGISTER_OP(")[1:]
            for name, body in (part.split(")", 1) for part in parts):
                body = body.split(".Doc(")[0]
                # Without an input it has them from a macro.
                if ".Input(" in body and name.strip('"') not in self._hidden:
                    found[_as_function(name.strip('"'))] = _op_arguments(body)
        return found


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, also those below an `if` or a `try`."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _statements([*node.body, *node.orelse])


def arguments(function: ast.FunctionDef) -> str:
    """What a function takes, as in an entry of the ledger."""
    names = [each.arg for each in function.args.args]
    defaults = [f"={_value(node)}" for node in function.args.defaults]
    equal = [""] * (len(names) - len(defaults)) + defaults
    words = [name + default for name, default in zip(names, equal, strict=True)]
    if function.args.vararg:
        words.append(f"*{function.args.vararg.arg}")
    if function.args.kwarg:
        words.append(f"**{function.args.kwarg.arg}")
    return ", ".join(words)


def _value(node: ast.expr) -> str:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return "..."
    return repr(value) if isinstance(value, PLAIN) else "..."


def _as_function(op: str) -> str:
    split = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", op)
    return re.sub(r"([a-z\d])([A-Z])", r"\1_\2", split).lower()


def _op_arguments(body: str) -> str:
    """What the generated function of an op takes: inputs, then attributes that nothing tells."""
    inputs, told, wanted, optional = [], set(), [], []
    for kind, literals in re.findall(rf"\.(Input|Attr)\(\s*((?:{_TEXT}\s*)+)", body):
        text = "".join(part[1:-1] for part in re.findall(_TEXT, literals)).replace('\\"', '"')
        name, _, rest = (part.strip() for part in text.partition(":"))
        default = re.search(r"(?<![<>])=\s*(.+)$", rest)
        if kind == "Input":
            inputs.append(f"{name}_" if keyword.iskeyword(name) else name)
            told.update(re.findall(r"\w+", rest))
        elif default:
            plain = default[1].strip("'\"")
            plain = {"true": "True", "false": "False"}.get(plain, plain)
            is_number = re.fullmatch(r"-?[\d.]+|True|False", plain)
            is_text = default[1] != plain and not is_number
            optional.append((name, repr(plain) if is_text else plain if is_number else "..."))
        else:
            wanted.append(name)
    words = [*inputs, *(name for name in wanted if name not in told)]
    words += [f"{name}={value}" for name, value in optional if name not in told]
    return ", ".join([*words, "name=None"])


def names_of(text: str) -> list[str]:
    """The names of the arguments of an entry."""
    return [word.partition("=")[0] for word in text.split(", ")] if text else []


def without_defaults(text: str) -> str:
    """An entry in which no default has a value: constants have one in the ledger, not in the source."""
    return re.sub(r"=[^,]*", "=", text)


def find(source: Source, paths: list[str], name: str) -> str | None:
    """What a function or class took in one release, or None if it did not have it."""
    last = name.rpartition(".")[2]
    # Modules were split since, and merged, in their folder.
    folders = {path.rpartition("/")[0] for path in paths}
    near = [each for each in source.places.get(last, []) if each.rpartition("/")[0] in folders]
    for path in [*paths, *near]:
        if last in source.definitions(path):
            return source.definitions(path)[last]
    return None if name.startswith("contrib.") else source.ops.get(last)


def rows_of(name: str, signature: str, reference: Source, others: dict[str, Source]) -> list[str]:
    """The fields of a name's line: the last release of each form that a later one orders otherwise."""
    last = name.rpartition(".")[2]
    wanted = without_defaults(signature)
    paths = [
        path
        for path in reference.places.get(last, [])
        if without_defaults(reference.definitions(path)[last]) == wanted
        and ("contrib/" in path) == name.startswith("contrib.")
    ]
    if not paths and without_defaults(reference.ops.get(last, "-")) != wanted:
        return []
    found: list[tuple[str, str]] = []
    for release, source in others.items():
        text = find(source, paths, name)
        if text is None or names_of(signature)[: len(names_of(text))] == names_of(text):
            continue
        if found and found[-1][1] == text:
            found.pop()
        found.append((release, text))
    return [f"{release} {text}" for release, text in found]


def main() -> None:
    """Reads all releases, and writes the file."""
    parser = argparse.ArgumentParser(prog="python -m tests.ledger.read_older")
    parser.add_argument("clone", type=pathlib.Path)
    clone = parser.parse_args().clone
    reference = Source(clone, REFERENCE)
    others = {release: Source(clone, tag) for release, tag in TAGS.items()}
    lines = []
    for name in ledger.public():
        entry = next((each for each in ledger.find(name) if each.release == "0.12"), None)
        if entry is not None and entry.kind in ("function", "class") and entry.signature:
            fields = rows_of(name, entry.signature, reference, others)
            lines += ["\t".join([name, *fields])] if fields else []
    OUT.write_text("\n".join([*lines, ""]), "utf-8")
    print(f"{OUT.name}: {len(lines)} lines, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
