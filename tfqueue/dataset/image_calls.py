"""Calls of functions of `tf.image` that build many ops.

Each function opens a name scope of its own. A row gives the text of the call, with the arguments
that follow from its ops; or None where they do not follow. Then each op is written by itself.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Op, Tensor

_tf = _tensorflow.compat_v1()


@dataclasses.dataclass(eq=False)
class Call:
    """One call that built many ops."""

    ops: list[Op]
    source: Tensor
    """Its argument."""
    result: Tensor
    """Its result."""
    template: str
    """Its text, with `{}` for the argument."""


def find(ops: Sequence[Op], results: Sequence[Tensor]) -> dict[Op, Call]:
    """The calls among `ops` that have a row.

    Args:
        results: Tensors that are used besides.

    Returns:
        Dict from operation to its `Call`.
    """
    scopes: dict[tuple[str, str], list[Op]] = {}
    for op in ops:
        for match in re.finditer(r"(?:^|(?<=/))([a-z_]+?)(?:_\d+)?(?=/|$)", op.name):
            if match.group(1) in ROWS:
                scopes.setdefault((op.name[: match.end()], match.group(1)), []).append(op)
                break
    found: dict[Op, Call] = {}
    for (_, function), members in scopes.items():
        call = _call(function, members, set(ops), results)
        if call is not None:
            found |= dict.fromkeys(members, call)
    return found


def _call(function: str, members: list[Op], ops: set[Op], results: Sequence[Tensor]) -> Call | None:
    inside = set(members)
    # A function of the program's, or of a library, may have the name, and its scope, too.
    if not any(
        function in (frame.name or "") and _tensorflow.is_folded_file(frame.filename)
        for frame in members[0].traceback or []
    ):
        return None
    given = {t.name: t for op in members for t in op.inputs if t.op not in inside}
    sources = [t for t in given.values() if t.op.type != "Const"]
    used = {t.name: t for op in ops - inside for t in op.inputs if t.op in inside}
    used |= {t.name: t for t in results if t.op in inside}
    if len(sources) != 1 or len(used) != 1:
        return None
    (source,), (result,) = sources, used.values()
    text = ROWS[function](members, result)
    return None if text is None else Call(members, source, result, text)


def _seeded(members: list[Op]) -> bool:
    """Whether it draws with a seed. Only the single ops give the same numbers then."""
    random = [op for op in members if op.type.startswith("Random")]
    return any(op.get_attr("seed") or op.get_attr("seed2") for op in random)


def _crop_or_pad(members: list[Op], result: Tensor) -> str | None:
    size = result.shape.as_list()[-3:-1] if result.shape.rank in (3, 4) else [None]
    if None in size:
        return None
    return f"tf.image.resize_with_crop_or_pad({{}}, {size[0]}, {size[1]})"


def _standardization(members: list[Op], result: Tensor) -> str | None:
    return "tf.image.per_image_standardization({})"


def _random_crop(members: list[Op], result: Tensor) -> str | None:
    if _seeded(members) or not result.shape.is_fully_defined():
        return None
    return f"tf.image.random_crop({{}}, {result.shape.as_list()})"


Row = Callable[[list[Op], Tensor], str | None]


def _flip(direction: str) -> Row:
    def row(members: list[Op], result: Tensor) -> str | None:
        return None if _seeded(members) else f"tf.image.random_flip_{direction}({{}})"

    return row


ROWS: dict[str, Row] = {
    "resize_image_with_crop_or_pad": _crop_or_pad,
    "per_image_standardization": _standardization,
    "random_crop": _random_crop,
    "random_flip_left_right": _flip("left_right"),
    "random_flip_up_down": _flip("up_down"),
}
