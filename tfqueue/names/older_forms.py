"""Arguments of TensorFlow 0.6 to 0.11 in orders that a later release changed.

There are no wheels of these releases: `older_forms.txt` beside this module was read from their source
(`tests/ledger/read_older.py`). An argument that was added at the end changed no order.
"""

from __future__ import annotations

import functools
import pathlib

RELEASES = ("0.6", "0.7", "0.8", "0.9", "0.10", "0.11")
"""The releases that were read."""


def read(file: str) -> dict[str, list[tuple[str, str]]]:
    """What a file of forms beside this module says.

    Args:
        file: Its name. It has a line for each public name below `tf`, with tabs between the name and
            its forms.

    Returns:
        Dotted name -> the last release of each form, and its arguments as in an entry of the ledger;
        the oldest form first.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for line in pathlib.Path(__file__).with_name(file).read_text("utf-8").splitlines():
        dotted, *fields = line.split("\t")
        pairs = (field.partition(" ") for field in fields)
        found[dotted] = [(last, arguments) for last, _, arguments in pairs]
    return found


@functools.cache
def forms() -> dict[str, list[tuple[str, str]]]:
    """The forms that are older than 0.12, as `read` gives them.

    >>> forms()["nn.softmax"]
    [('0.10', 'logits, name=None')]
    """
    return read("older_forms.txt")
