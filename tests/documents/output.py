"""How far the printed output may differ from what a document shows, as rows; each row says why.

A row changes both texts, the shown and the printed one, before they are compared. A row without
which the two would be equal fails the block's test.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


def sort_features(text: str) -> str:
    """Sorts the features of a printed Example.

    >>> print(sort_features("features {\\n  feature {\\n    b\\n  }\\n  feature {\\n    a\\n  }\\n}"))
    features {
      feature {
        a
      }
      feature {
        b
      }
    }
    """
    feature = re.compile(r"^  feature \{\n.*?^  \}\n", re.MULTILINE | re.DOTALL)
    in_order = iter(sorted(feature.findall(text)))
    return feature.sub(lambda _: next(in_order), text)


def shortest_floats(text: str) -> str:
    """Writes each float as the shortest text that is the same float32.

    >>> shortest_floats("value: 9.699999809265137, value: 9.0")
    'value: 9.7, value: 9'
    """
    return re.sub(r"\d+\.\d+", lambda found: f"{np.float32(found[0]).item():.7g}", text)


def _without(pattern: str, instead: str = "") -> Callable[[str], str]:
    return lambda text: re.sub(pattern, instead, text, flags=re.MULTILINE)


@dataclass(frozen=True)
class Difference:
    """One way in which the output of one block differs from the shown one.

    Attributes:
        block: the block's id.
        change: applied to both texts.
        why: why they differ, and why that is no fault.
        by_chance: they may as well be equal, by chance.
    """

    block: str
    change: Callable[[str], str]
    why: str
    by_chance: bool = False


DIFFERENCES = [
    Difference("001.8", _without(r"[^\s']*/tmp\w{8}", "/tmp/NAME"), "a temporary file's name"),
    Difference("001.17", _without(r"(?s).*"), "the shell commands are not run, so say nothing"),
    Difference("002.1", _without(r"^ +from \._conv.*"), "a warning of the author's h5py"),
    Difference("002.3", sort_features, "protobuf prints a map in any order", by_chance=True),
    Difference("002.3", shortest_floats, "protobuf prints the shortest float since 3.8"),
    Difference(
        "002.5",
        _without(r"^(Instructions for updating:|To construct input pipelines).*\n"),
        "TensorFlow 1's warnings about queues, which tfqueue does not repeat",
    ),
    Difference("002.5", _without(", dtype=int64"), "on the author's Windows an int is 32 bits"),
    Difference(
        "004.1",
        _without(r"(?<=AxesImage).* at 0x\w+", " at ADDRESS"),
        "an address in memory, and IPython leaves out the word `object`",
    ),
    Difference(
        "004.8", _without(r"^(current batch|batch \d)$", "batch"), "the code says `batch {i}`"
    ),
]


def python_2_string(namespace: dict[str, Any], printed: str) -> str:
    """Returns what 000's third numpy cell would have shown when it was run.

    Its last line was `c` then, under Python 2, whose bytes had no prefix and whose numpy broke the
    line; the text shows today's code with yesterday's output.
    """
    array = namespace["c"]
    assert printed == f"{array!s}\n{namespace['a'].reshape(-1)!r}"
    return repr(array).replace("array(b'", "array('").replace("', dtype", "',\n      dtype")


# Blocks whose shown output is of another state of the code: what is compared instead.
SHOWN_OF_OTHER_CODE = {"000.8": python_2_string}


def compare(block: str, shown: str, printed: str) -> tuple[str, str]:
    """Returns the shown and the printed text, each with the block's differences taken out.

    Raises:
        AssertionError: one of the block's rows is not needed for the two to be equal.
    """
    rows = [row for row in DIFFERENCES if row.block == block]
    result = _changed(rows, shown), _changed(rows, printed)
    for row in rows:
        others = [other for other in rows if other is not row]
        needed = _changed(others, shown) != _changed(others, printed)
        assert needed or row.by_chance, f"not needed: {row.why}"
    return result


def _changed(rows: list[Difference], text: str) -> str:
    for row in rows:
        text = row.change(text)
    return text.strip("\n")
