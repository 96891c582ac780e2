"""The forms of old calls that differ from today's, and what arguments that were renamed are today.

`forms.txt` beside this module is made from the ledger by `make ledger`: a line for each public function
and class, with its dotted name and, for each form, the last release that took it and its arguments.
"""

from __future__ import annotations

import functools
import pathlib

PAIRS: dict[str, tuple[str, ...]] = {
    "dim": ("axis",),
    "dimension": ("axis",),
    "concat_dim": ("axis",),
    "split_dim": ("axis",),
    "reduction_indices": ("axis",),
    "keep_dims": ("keepdims",),
    "flag_name": ("name",),
    "default_value": ("default",),
    "docstring": ("help",),
    "filter": ("filters",),
}
"""Arguments that got a new name in many functions: the old name -> the new ones."""

RENAMED: dict[str, dict[str, str]] = {}
"""Those of one function: its dotted name -> the old names -> the new ones."""


@functools.cache
def old_forms() -> dict[str, list[tuple[str, str]]]:
    """Dotted name -> the last release and the arguments of each old form, the oldest first.

    >>> old_forms()["scan"][-1][1].endswith("infer_shape=True, name=None")
    True
    """
    text = pathlib.Path(__file__).with_name("forms.txt").read_text("utf-8")
    found = {}
    for line in text.splitlines():
        dotted, *forms = line.split("\t")
        found[dotted] = [tuple(form.split(" ", 1)) for form in forms]
    return found  # type: ignore[return-value]


@functools.cache
def _by_place() -> dict[str, dict[str, list[tuple[str, str]]]]:
    places: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for dotted, old in old_forms().items():
        place, _, name = dotted.rpartition(".")
        places.setdefault(place, {})[name] = old
    return places


def below(place: str) -> dict[str, list[tuple[str, str]]]:
    """The rows of one namespace: the bare name -> its forms.

    >>> sorted(below("io"))
    ['decode_raw']
    """
    return _by_place().get(place, {})
