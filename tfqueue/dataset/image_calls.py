"""Functions of `tf.image` that build many ops, written as the call that they were.

Each opens a name scope of its own. A row says how its call is written, from what its ops show; it
gives None where they do not show it, and the ops are then written one by one.
"""

import dataclasses
import re

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()


@dataclasses.dataclass(eq=False)
class Call:
    """One call that built many ops."""

    ops: list
    source: object
    """The tensor it was given."""
    result: object
    """The tensor it gave."""
    template: str
    """Its text, with `{}` for what it was given."""


def find(ops, results):
    """The calls among `ops` that have a row.

    Args:
        ops: Operations.
        results: Tensors that are used besides.

    Returns:
        Dict from operation to its `Call`.
    """
    scopes = {}
    for op in ops:
        for match in re.finditer(r"(?:^|(?<=/))([a-z_]+?)(?:_\d+)?(?=/|$)", op.name):
            if match.group(1) in ROWS:
                scopes.setdefault((op.name[: match.end()], match.group(1)), []).append(op)
                break
    found = {}
    for (_, function), members in scopes.items():
        call = _call(function, members, set(ops), results)
        if call is not None:
            found |= dict.fromkeys(members, call)
    return found


def _call(function, members, ops, results):
    inside = set(members)
    if not any(function in (frame.name or "") for frame in members[0].traceback or []):
        return None
    sources = {t.name: t for op in members for t in op.inputs if t.op not in inside}
    sources = [t for t in sources.values() if t.op.type != "Const"]
    used = {t.name: t for op in ops - inside for t in op.inputs if t.op in inside}
    used |= {t.name: t for t in results if t.op in inside}
    if len(sources) != 1 or len(used) != 1:
        return None
    (source,), (result,) = sources, used.values()
    text = ROWS[function](members, result)
    return text and Call(members, source, result, text)


def _constant(members, ending):
    """The value of the constant in the scope whose name ends so."""
    for op in members:
        if op.type == "Const" and op.name.endswith(ending):
            return float(str(_tf.get_static_value(op.outputs[0])))
    return None


def _seeded(members):
    """Whether it draws with a seed, which is exact in the ops only."""
    random = [op for op in members if op.type.startswith("Random")]
    return any(op.get_attr("seed") or op.get_attr("seed2") for op in random)


def _crop_or_pad(members, result):
    size = result.shape.as_list()[-3:-1] if result.shape.rank in (3, 4) else [None]
    if None in size:
        return None
    return f"tf.image.resize_with_crop_or_pad({{}}, {size[0]}, {size[1]})"


def _standardization(members, result):
    return "tf.image.per_image_standardization({})"


def _random_crop(members, result):
    if _seeded(members) or not result.shape.is_fully_defined():
        return None
    return f"tf.image.random_crop({{}}, {result.shape.as_list()})"


def _flip(direction):
    def row(members, result):
        return None if _seeded(members) else f"tf.image.random_flip_{direction}({{}})"

    return row


def _brightness(members, result):
    most = _constant(members, "random_uniform/max")
    return None if most is None or _seeded(members) else f"tf.image.random_brightness({{}}, {most})"


ROWS = {
    "resize_image_with_crop_or_pad": _crop_or_pad,
    "per_image_standardization": _standardization,
    "random_crop": _random_crop,
    "random_flip_left_right": _flip("left_right"),
    "random_flip_up_down": _flip("up_down"),
}
