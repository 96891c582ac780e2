"""Find the code blocks of a document, and what the document shows as their output.

Two kinds of text come in. A *markdown* document fences its code with ```` ```python ````; the
output follows it, indented by four spaces, and a picture is a ``![png](...)`` line. A *flattened*
notebook has lost its fences: a cell begins at ``In [7]:`` and nothing says where it ends, so that
code, pasted output and prose have to be told apart by what they are. Nothing here knows a
particular document; `test_extract.py` holds it to texts of our own.
"""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import dataclass
from pathlib import Path

PROMPT = re.compile(r"In \[(\d+|None| )\]:\s*$")
FENCE_OPENS = re.compile(r" {0,3}```(\w*)\s*$")
FENCE_CLOSES = re.compile(r" {0,3}```\s*$")
PICTURE = re.compile(r"!\[png\]\(.*\)\s*$")


@dataclass(frozen=True)
class Block:
    """One code block of a document.

    Attributes:
        document: the number that the document's file name begins with, such as ``"004"``.
        number: its place among the blocks of that document, from 1.
        text: the code as it stands, without blank lines around it.
        shown: the output that the document shows behind it, without blank lines around it.
        pictures: how many pictures the document shows behind it.
        kind: ``"fence"``, ``"cell"`` or ``"snippet"`` (code standing in the prose).
    """

    document: str
    number: int
    text: str
    shown: str
    pictures: int
    kind: str

    @property
    def id(self) -> str:
        """Document and running number, such as ``"004.2"``: what the rows of `repairs` name."""
        return f"{self.document}.{self.number}"

    @property
    def first_line(self) -> str:
        """The first line, or ``(empty)``; it makes the test's name readable."""
        return self.text.split("\n", 1)[0].strip() or "(empty)"

    @property
    def title(self) -> str:
        """The name of the block's test: its id and as much of its first line as fits."""
        return f"{self.id} {self.first_line[:48]}"


def read(path: Path) -> list[Block]:
    """Returns the blocks of the document at `path`, in its order.

    Args:
        path: a file whose name begins with the document's number and an underscore.
    """
    return blocks(path.name.split("_")[0], path.read_text(encoding="utf-8"))


def blocks(document: str, text: str) -> list[Block]:
    """Returns the blocks of a document's `text`; a text with any prompt is a flattened notebook."""
    lines = text.split("\n")
    found = _flattened(lines) if any(map(PROMPT.match, lines)) else _fenced(lines)
    return [
        Block(document, number, _trim(code), _trim(shown), pictures, kind)
        for number, (code, shown, pictures, kind) in enumerate(found, start=1)
    ]


def signatures(text: str) -> list[str]:
    """Returns the markdown headings that spell out a call: ``tf.name(a, b=None)``.

    >>> signatures("## tf.f\\n### tf.f(a, b=None)\\nA call of tf.f(a) in the prose.")
    ['tf.f(a, b=None)']
    """
    return re.findall(r"^#+ (tf\.[\w.]+\(.*\))\s*$", text, flags=re.MULTILINE)


def _trim(lines: list[str]) -> str:
    """Joins lines without the blank ones at both ends; the indentation of the first one stays."""
    return re.sub(r"\A(?:[ \t]*\n)+|\s+\Z", "", "\n".join(lines))


def _fenced(lines):
    """Yields (code, shown, pictures, kind) of each ```` ```python ```` fence.

    A fence of another kind, or of none, is a drawing and no code. What is shown ends at the first
    line that is neither blank, nor indented, nor a picture: prose, or the next fence.
    """
    at = 0
    while at < len(lines):
        opened = FENCE_OPENS.match(lines[at])
        at += 1
        if not opened:
            continue
        start = at
        while not FENCE_CLOSES.match(lines[at]):
            at += 1
        code, at = lines[start:at], at + 1
        if opened[1] != "python":
            continue
        shown, pictures = [], 0
        while at < len(lines):
            if PICTURE.match(lines[at]):
                pictures += 1
            elif lines[at].startswith("    ") or not lines[at].strip():
                shown.append(lines[at][4:])
            else:
                break
            at += 1
        # A blank line inside the output is the notebook's space between two outputs.
        yield code, [line for line in shown if line.strip()], pictures, "fence"


def _flattened(lines):
    """Yields (code, shown, pictures, kind) of each cell and of each snippet in the prose.

    A cell's code runs up to the first paragraph that cannot be code. What follows is its output;
    but a cell that was never run, ``In [None]``, has none, and prose follows instead.
    """
    prompts = [at for at, line in enumerate(lines) if PROMPT.match(line)] + [len(lines)]
    yield from _snippets(_paragraphs(lines[: prompts[0]]))
    for at, following in itertools.pairwise(prompts):
        paragraphs = _paragraphs(lines[at + 1 : following])
        end = 0
        while end < len(paragraphs) and _is_code(paragraphs[end][0]):
            end += 1
        code, rest = _together(paragraphs[:end]), paragraphs[end:]
        if PROMPT.match(lines[at])[1].isdigit():
            yield code, _together(rest), 0, "cell"
        else:
            yield code, [], 0, "cell"
            yield from _snippets(rest)


def _snippets(paragraphs):
    """Yields the code that stands in the prose; paragraphs of it in a row are one snippet.

    The paragraph counts when its first line names something or assigns, and up to its last such
    line: a name with its explanation below is the name.
    """
    code = []
    for paragraph in [*paragraphs, [""]]:
        taken = 0
        while taken < len(paragraph) and _names_or_assigns(paragraph[taken]):
            taken += 1
        if taken:
            code += [*paragraph[:taken], ""]
        elif code:
            yield code, [], 0, "snippet"
            code = []


def _paragraphs(lines: list[str]) -> list[list[str]]:
    """Splits at the blank lines.

    >>> _paragraphs(["", "a", "b", "", "c"])
    [['a', 'b'], ['c']]
    """
    paragraphs, fresh = [], True
    for line in lines:
        if not line.strip():
            fresh = True
            continue
        if fresh:
            paragraphs.append([])
        paragraphs[-1].append(line)
        fresh = False
    return paragraphs


def _together(paragraphs: list[list[str]]) -> list[str]:
    return [line for paragraph in paragraphs for line in [*paragraph, ""]]


def _is_code(line: str) -> bool:
    """Whether a paragraph that begins with `line` can be a cell's code and is no output.

    An output is a display (a dict, numpy's ``array(``) on its own, is indented, or is no Python.
    A line that only wants its continuation (an open bracket, a ``def``) is code.

    >>> [_is_code(line) for line in ("x = f([", "def f():", "# why", "a line of prose")]
    [True, True, True, False]
    >>> [_is_code(line) for line in ("array([1, 2,", "{'a': 1}", "  from .x import y")]
    [False, False, False]
    >>> [_is_code(line) for line in ("Note:", "features {", "can't")]
    [False, False, False]
    """
    if line.startswith((" ", "{", "[", "array(")):
        return False
    try:
        ast.parse(line + _closers(line) + (" pass" if line.endswith(":") else ""))
    except SyntaxError:
        return False
    return True


def _closers(line: str) -> str:
    """Returns what closes the brackets that `line` leaves open.

    >>> _closers("f([a(')')], {")
    '})'
    """
    pairs, waiting = {"(": ")", "[": "]", "{": "}"}, []
    for character in re.sub(r"'[^']*'|\"[^\"]*\"|#.*", "", line):
        if character in pairs:
            waiting.append(pairs[character])
        elif waiting and character == waiting[-1]:
            waiting.pop()
    return "".join(reversed(waiting))


def _names_or_assigns(line: str) -> bool:
    """Whether a line of prose is code after all.

    >>> [_names_or_assigns(line) for line in ("tf . Reader", "q = f([1])", "Encode", "A line", "")]
    [True, True, False, False, False]
    """
    try:
        body = ast.parse(line).body
    except SyntaxError:
        return False
    return len(body) == 1 and (
        isinstance(body[0], ast.Assign)
        or (isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Attribute))
    )
