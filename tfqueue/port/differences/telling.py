"""What is told of a difference, and which have been told."""

from __future__ import annotations

import contextlib
import numbers
import os
import sys
from typing import Any

from tfqueue.output.printing import printable
from tfqueue.port.code import source_lines

_told: set[tuple[str, str]] = set()


def forget() -> None:
    """Lets each difference be told again: another program begins."""
    _told.clear()


def was_told(kind: str) -> bool:
    """Whether a kind was told in the module that calls the caller."""
    return (kind, sys._getframe(2).f_code.co_filename) in _told


def tell(kind: str, now: str, other: str, python: int) -> None:
    """Tells a difference with the user's line, once for each kind in a module.

    Args:
        kind: What differs.
        now: What the program gives.
        other: What it gives under the other Python.
        python: The Python that it runs as, 2 or 3.
    """
    _say(
        kind,
        f"{now}; in Python {5 - python} {other}. Nothing proves which of them the program is for: "
        f"--python {5 - python} runs it as Python {5 - python}, --python {python} says that this is right",
    )


def tell_release(function: str, meaning: str) -> None:
    """Tells once in a module that a function keeps the meaning that Python 3.7 changed.

    Args:
        function: Such as `"re.split"`.
        meaning: What it does.
    """
    _say(
        function,
        f"{function} {meaning}, as before Python 3.7; --era 1.15 runs it as Python has it since",
    )


def tell_pickle(source: str) -> None:
    """Tells once in a program that `np.load` has read a pickle.

    Args:
        source: What it was read from.
    """
    if all(kind != "np.load" for kind, _ in _told):
        _say(
            "np.load",
            f"np.load unpickles the objects in {source}, as before numpy 1.16.3. A pickle can run code: "
            "run the program only on files that you trust",
        )


def tell_nodes(key: int) -> None:
    """Tells once in a module that `G.nodes()[key]` is what networkx 2 and 3 give.

    Args:
        key: A whole number that is the name of a node.
    """
    _say(
        "G.nodes()",
        f"G.nodes()[{key}] gives the attributes of node {key}, as since networkx 2.0; up to 1.11 it gave "
        f"the node at place {key}, which is list(G.nodes())[{key}]",
    )


def tell_columns() -> None:
    """Tells once in a module that the columns of a list of dicts are sorted."""
    _say(
        "pd.DataFrame",
        "pd.DataFrame of a list of dicts sorts its columns, as up to pandas 0.24; since 0.25, of July 2019, they stand "
        "in the order of the keys; columns=[...] says which",
    )


def tell_letters() -> None:
    """Tells once in a module that text has fewer characters than Python 2 had bytes of it."""
    _say(
        "letters",
        "what is read here holds letters other than ASCII. Each is one character; in Python 2, where text was bytes, "
        "it was two to four, and what is counted of them was more",
    )


def tell_contours() -> None:
    """Tells once in a module that `cv2.findContours(...)[1]` is what OpenCV 3 gave."""
    _say(
        "cv2.findContours",
        "cv2.findContours(...)[1] is the contours, as in OpenCV 3; in OpenCV 2 and 4 it is their hierarchy, "
        "which is [-1] in each",
    )


def tell_index_generator() -> None:
    """Tells once in a module that a part of what an `index_generator` gives is one of Keras 2.0.8's three values."""
    _say(
        "index_generator",
        "an index_generator gives three values, as up to Keras 2.0.8, of which this is one; since 2.0.9 it gave the "
        "indices alone, and this was the first",
    )


def tell_keras(program: str, *, ported: bool = False) -> None:
    """Tells that a program is taken for one for Keras 2.2 and its day, which nothing shows.

    Args:
        program: Its path.
        ported: Whether it is ported and not run.
    """
    said = (
        f"tfqueue: {program}: nothing shows which Keras this is for. It is {'ported' if ported else 'run'} as one "
        "for Keras 2.2, with the libraries of that day; --era 1.15 says that this is right. One for a later Keras "
        "is run with python"
    )
    sys.stderr.write(printable(said) + "\n")


def tell_of_line(path: str, line: int, what: str) -> None:
    """Tells something of a line of the program.

    Args:
        path: Its file.
        line: Its number, from 1.
        what: A sentence.
    """
    place = f"{os.path.relpath(path) if os.path.isabs(path) else path}:{line}"
    sys.stderr.write(printable(f"tfqueue: {place}: {what}") + "\n")


def tell_values(function: str, what: str) -> None:
    """Tells once in a module that a library's function gives other values than in the program's day.

    Args:
        function: Its dotted name.
        what: A sentence.
    """
    _say(function, f"{what}; the release of that day is needed for its own")


def _say(kind: str, what: str) -> None:
    frame = sys._getframe(3)
    files = {frame.f_code.co_filename}
    while frame.f_back is not None and not source_lines.is_shown(frame.f_code.co_filename):
        frame = frame.f_back
    name = frame.f_code.co_filename
    told = (kind, name) in _told
    _told.update((kind, file) for file in files | {name})
    if told:
        return
    tell_of_line(name, frame.f_lineno, what)


def _whole(value: Any) -> bool:
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        return isinstance(value, numbers.Integral)
    return getattr(dtype, "kind", "") in ("i", "u") or bool(getattr(dtype, "is_integer", False))


def leaves_remainder(left: Any, right: Any) -> bool:
    """Whether two sides are whole numbers that the Pythons divide to something else.

    >>> leaves_remainder(7, 2), leaves_remainder(8, 2), leaves_remainder(7.0, 2)
    (True, False, False)
    """
    if type(left) is int and type(right) is int:
        return right != 0 and left % right != 0
    if not (_whole(left) and _whole(right)):
        return False
    numpy = sys.modules.get("numpy")
    with numpy.errstate(all="ignore") if numpy is not None else contextlib.nullcontext():
        remainder = left % right
    if hasattr(remainder, "graph") or not hasattr(remainder, "dtype"):
        return hasattr(remainder, "dtype") or bool(remainder)  # a tensor's is not known yet
    return bool(remainder.any())


def tell_division(left: Any, right: Any, python: int) -> None:
    """Tells that a division of whole numbers leaves a remainder, if this one does."""
    if ("/", sys._getframe(2).f_code.co_filename) in _told or not leaves_remainder(left, right):
        return
    if type(left) is int and type(right) is int:
        results = {3: f"is {left / right}", 2: f"is {left // right}"}
        now, other = f"{left} / {right} {results[python]}", f"it {results[5 - python]}"
    else:
        shown = "a division of whole numbers"
        results = {3: "has the remainder in its result", 2: "gives whole numbers"}
        now, other = f"{shown} {results[python]}", f"it {results[5 - python]}"
    tell("/", now, other, python)
