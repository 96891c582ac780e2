"""How an error that nobody caught is printed: the headline, the notes, the program's own frames.

Python prints one frame for each call inside TensorFlow and tfqueue, and TensorFlow adds the stack
that built the op: 50 lines around the two that matter. `lines_of` leaves the library's frames out.
Only what is printed is shorter: the exception keeps its class, traceback, notes and message.
`TFQUEUE_TRACEBACK=full` in the environment gives Python's own form back.
"""

from __future__ import annotations

import linecache
import os
import re
import sys
import textwrap
import traceback
from types import TracebackType
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import is_library_file
from tfqueue.explain.diagnosis import first_line
from tfqueue.output.printing import printable

VARIABLE = "TFQUEUE_TRACEBACK"
MOST_LINES = 15
WIDTH = 80
_NOTE = "tfqueue: "
_FRAMES = 3
_CUT = "..."
_CONVERTED = re.compile(r"\s*in user code:\n\n( +File .*\n( {8,}.*\n)*)+\n")
_CONVERTED_LINE = re.compile(r' +File "([^"]+)", line (\d+), in (\S+)  \*\n')
_CONVERTED_FILE = "__autograph_generated_file"
_OF_DOWNLOADS = ("urllib.error", "urllib3.exceptions", "requests.exceptions")


def is_wanted() -> bool:
    """Whether errors are to be printed in short at all."""
    return os.environ.get(VARIABLE) != "full"


def is_ours(error: BaseException) -> bool:
    """Whether an exception is printed in short: it came through TensorFlow's or tfqueue's code.

    So is one of a download, whose fifty lines lead through the network's libraries.

    Args:
        error: Any exception.

    Returns:
        False also for a SyntaxError, a group of exceptions, and while `TFQUEUE_TRACEBACK=full`.
    """
    if not is_wanted() or isinstance(error, SyntaxError) or hasattr(error, "exceptions"):
        return False
    if any(str(note).startswith(_NOTE) for note in getattr(error, "__notes__", ())):
        return True
    if type(error).__module__ in _OF_DOWNLOADS:
        return True
    return any(_tensorflow.is_folded_file(f.filename) for f in _stack(error))


def lines_of(error: BaseException) -> list[str]:
    """An exception in short, as a list of `MOST_LINES` lines at the most, without line breaks.

    The class and the useful line of the message come first, then the notes, the frames of the
    program itself, and how many others were left out.

    Args:
        error: Any exception.

    >>> error = RuntimeError("no")
    >>> _tensorflow.add_note(error, "tfqueue: say yes")
    >>> lines_of(error)
    ['RuntimeError: no', '  say yes']
    """
    behind = _behind(error)
    frames, folded = _frames(error, _FRAMES if behind is None else 2)
    if behind is not None:
        how, other = behind
        others, more = _frames(other, 1)
        frames += [*_wrapped(f"{how} {_headline(other)}", "", 2), *others]
        folded += more
    earlier = _count_behind(error) - 1
    hidden = [
        f"{count} {noun}{'s' if count != 1 else ''}"
        for count, noun in ((earlier, "earlier exception"), (folded, "library frame"))
        if count > 0
    ]
    if hidden:
        shows = "it" if hidden[0].startswith("1 ") and len(hidden) == 1 else "them"
        frames.append(f"({' and '.join(hidden)} not shown; {VARIABLE}=full shows {shows})")
    return headline_of(error, MOST_LINES - len(frames)) + frames


def headline_of(error: BaseException, most: int = MOST_LINES) -> list[str]:
    """The first part of `lines_of`: the class, the useful line of the message, and the notes.

    Args:
        error: Any exception.
        most: The number of lines.
    """
    lines = _wrapped(_headline(error), "", 4)
    for note in _notes(error):
        if len(lines) < most:
            lines += _wrapped(note, "  ", most - len(lines))
    return lines


_GRAPH_ONLY = (
    "a tensor has no value while the graph is built. Use tf.cond, tf.while_loop or tf.map_fn in "
    "the graph, or take the value with sess.run"
)
"""In place of what TensorFlow advises: eager execution, tf.function and AutoGraph."""


def _asks_for_a_value(error: BaseException) -> bool:
    """Whether a tensor of a graph was used as a Python value, as in `if tensor:`."""
    return type(error).__name__ == "OperatorNotAllowedInGraphError"


def _headline(error: BaseException) -> str:
    kind = type(error)
    home = kind.__module__.partition(".")[0]
    known = home in ("builtins", "tensorflow", "tfqueue")
    name = kind.__qualname__ if known else f"{kind.__module__}.{kind.__qualname__}"
    told, _ = _of_autograph(str(error), kind.__name__)
    if told is None:
        text = first_line(error) if hasattr(error, "op") else " ".join(str(error).split())
    else:
        text = told.partition("\n")[0] if hasattr(error, "op") else " ".join(told.split())
    if _asks_for_a_value(error):
        text = text.partition(". ")[0]
    return f"{name}: {text}" if text and text != kind.__name__ else name


def _of_autograph(text: str, kind: str) -> tuple[str | None, list[traceback.FrameSummary]]:
    """What an error of a function that AutoGraph had converted says, and the program's lines in front of it.

    >>> _of_autograph('in user code:\\n\\n    File "a.py", line 7, in loss  *\\n        f(x)\\n\\n    TypeError: no\\n', "TypeError")
    ('no', [<FrameSummary file a.py, line 7 in loss>])
    >>> _of_autograph("no", "TypeError")
    (None, [])
    """
    found: list[traceback.FrameSummary] = []
    told = None
    while begun := _CONVERTED.match(text):
        for path, line, name in _CONVERTED_LINE.findall(begun[0]):
            found.append(traceback.FrameSummary(path, int(line), name, lookup_line=False))
        told = text = text[begun.end() :].strip().removeprefix(f"{kind}: ")
    return told, found


def _notes(error: BaseException) -> list[str]:
    """What is known of an error, what is particular to it first.

    The first note says where in the pipeline it happened, the others why.
    """
    notes = [str(note) for note in getattr(error, "__notes__", ())]
    ours = [note.removeprefix(_NOTE) for note in notes if note.startswith(_NOTE)]
    ours = [note.replace(_here(), "") for note in ours]
    if not notes and _asks_for_a_value(error):
        return [_GRAPH_ONLY]
    return [*ours[1:], *ours[:1], *(note for note in notes if not note.startswith(_NOTE))]


def _behind(error: BaseException) -> tuple[str, BaseException] | None:
    """`(how, exception)` of what an exception came of, or None."""
    if error.__cause__ is not None:
        return "Caused by", error.__cause__
    before = error.__context__
    if before is None or error.__suppress_context__:
        return None
    # `coord.join` in a `finally` raises the same failure once more, and TensorFlow quotes the
    # error that it raises another for.
    told = str(before)
    return (
        None if told == str(error) or (told and told in str(error)) else ("While handling", before)
    )


def _count_behind(error: BaseException) -> int:
    """How many exceptions an exception came of, one after the other."""
    seen = [error]
    while (behind := _behind(seen[-1])) is not None and behind[1] not in seen:
        seen.append(behind[1])
    return len(seen) - 1


def _stack(error: BaseException) -> traceback.StackSummary:
    return traceback.StackSummary.extract(
        traceback.walk_tb(error.__traceback__), lookup_lines=False
    )


def _frames(error: BaseException, most: int) -> tuple[list[str], int]:
    """The lines for up to `most` of the program's own frames, and the number of the others."""
    stack = _stack(error)
    # What starts the program (runpy, `tfqueue run`, pytest) stands in front of its first frame.
    own = [
        frame
        for frame in stack
        if not is_library_file(frame.filename) and _CONVERTED_FILE not in frame.filename
    ]
    folded = len(stack) - len(own)
    own += _of_autograph(str(error), type(error).__name__)[1]
    lines = []
    for number, frame in enumerate(own):
        if len(own) > most and 0 < number <= len(own) - most:
            if number == 1:
                lines.append(f"  ... {len(own) - most} more of the program's frames ...")
            continue
        place = _tensorflow.cell_name(frame.filename)
        where = f'File "{_short(place)}"' if place == frame.filename else f"Cell {place}"
        lines.append(f"  {where}, line {frame.lineno}, in {frame.name}")
        code = linecache.getline(frame.filename, frame.lineno or 0).strip()
        if code:
            lines.append(f"    {_cut(code, WIDTH - 4)}")
    return lines, folded


def _here() -> str:
    try:
        return os.path.join(os.getcwd(), "")
    except OSError:  # the folder is gone
        return os.sep * 3


def _short(path: str) -> str:
    """A path below the working folder without that folder."""
    try:
        short = os.path.relpath(path)
    except (ValueError, OSError):  # another drive; the folder is gone
        return path
    return path if short.startswith(os.pardir) or path.startswith("<") else short


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - len(_CUT)] + _CUT


def _wrapped(text: str, indent: str, most: int) -> list[str]:
    lines = []
    for piece in text.splitlines():
        lines += textwrap.wrap(
            piece,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent + "  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    if len(lines) > most:
        lines = [*lines[: most - 1], _cut(lines[most - 1] + f" {_CUT}", WIDTH)]
    return [printable(line) for line in lines]


# -- printing ---------------------------------------------------------------------------------


def install() -> None:
    """Prints uncaught errors in short; what stands in `sys.excepthook` is called for all others.

    A hook that is not Python's own is called first for every error, and keeps all that it does.
    """
    earlier = sys.excepthook
    if getattr(earlier, "tfqueue_earlier", None) is not None:
        return

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        short = error is not None and is_ours(error)
        if not short or not _prints_only(earlier):
            earlier(kind, error, trace)
        if short:
            say(error)

    hook.tfqueue_earlier = earlier  # type: ignore[attr-defined]
    sys.excepthook = hook


def _prints_only(hook: Any) -> bool:
    """Whether a hook is Python's own, or the backport that makes Python 3.10 print groups."""
    home = getattr(hook, "__module__", None) or ""
    return hook is sys.__excepthook__ or home.partition(".")[0] == "exceptiongroup"


def say(error: BaseException, title: str = "") -> None:
    """Writes an exception in short to stderr, which may be missing or closed.

    Args:
        error: An exception.
        title: A line in front of it.
    """
    stream = sys.stderr
    if stream is None or getattr(stream, "closed", False):
        return
    text = "\n".join([*filter(None, [title]), *lines_of(error)]) + "\n"
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    if hasattr(stream, "flush"):  # a program's own stream may have none
        stream.flush()
