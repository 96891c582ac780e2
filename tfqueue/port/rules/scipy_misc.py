"""`scipy.misc.imread` and its kin left scipy; the same on Pillow are in `tfqueue.port.images`.

https://docs.scipy.org/doc/scipy/release/1.2.0-notes.html#deprecated-features
"""

import ast

from tfqueue.port import moves
from tfqueue.port.edits import Edit

WORDS = ("scipy",)
_IMAGES = [
    "imread",
    "imsave",
    "imresize",
    "imrotate",
    "imshow",
    "toimage",
    "fromimage",
    "bytescale",
]
_SPECIAL = ["comb", "factorial", "factorial2", "logsumexp"]
_ROWS = {
    **{f"scipy.misc.{name}": f"tfqueue.port.images.{name}" for name in _IMAGES},
    **{f"scipy.misc.pilutil.{name}": f"tfqueue.port.images.{name}" for name in _IMAGES},
    **{f"scipy.ndimage.{name}": f"tfqueue.port.images.{name}" for name in ("imread",)},
    **{f"scipy.misc.{name}": f"scipy.special.{name}" for name in _SPECIAL},
    **{f"scipy.misc.{name}": f"scipy.datasets.{name}" for name in ("face", "ascent")},
}
_MESSAGE = "the image functions of scipy.misc are gone since scipy 1.3"


def find(module):
    """Finds the image functions of scipy.misc however they are imported."""
    for node in module.nodes[ast.ImportFrom]:
        if node.module == "scipy" and [a.name for a in node.names] == ["misc"]:
            name = node.names[0].asname or "misc"
            new = f"from tfqueue.port import images as {name}"
            yield module.finding(node, _MESSAGE, [module.replace(node, new)])
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.name != "scipy.misc":
                continue
            start, end = module.start(alias), module.end(alias)
            new = f"tfqueue.port.images as {alias.asname}" if alias.asname else "scipy"
            yield module.finding(alias, _MESSAGE, [Edit(start, end, new)])
    whole = any(
        target == "scipy.misc" for name, target in module.imported.items() if name != "scipy"
    )
    for found in moves.find(module, _ROWS, _MESSAGE):
        # where the module itself gets another home, its functions are found there
        start, end = found.span
        text = module.text[start:end]
        if whole and text.partition(".")[0] in module.imported and not text.startswith("scipy."):
            continue
        edits = tuple(Edit(e.start, e.end, _short(e.new)) for e in found.edits)
        needs = tuple(e.new.rpartition(".")[2] for e in edits if e.new.startswith("tfq_runtime."))
        yield module.finding_at(found, edits, needs)


def _short(text):
    """A function of ours is shorter through the runtime helpers than through an import."""
    front = "__import__('tfqueue.port.images', fromlist=["
    return "tfq_runtime." + text.rpartition(".")[2] if text.startswith(front) else text
