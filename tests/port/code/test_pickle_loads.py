"""Which calls of a program load pickles for it, and which stay as they are."""

import ast

import pytest

from tfqueue.port.code import pickle_loads
from tfqueue.port.rules import engine

IMPORTS = "import numpy as np\nimport tensorflow as tf\n"
LOAD = pickle_loads._FUNCTION


@pytest.mark.parametrize(
    ("text", "run"),
    [
        (
            "x = len(np.load(p))\nprint(x)\n",
            f"x = len({LOAD}(p, allow_pickle=True))\nprint(x)",
        ),
        (
            "x = np.load(np.str_(p), 'r')\ny = np.load(q, allow_pickle=False)\nz = open(p)\n",
            f"x = {LOAD}(np.str_(p), 'r', allow_pickle=True)\n"
            "y = np.load(q, allow_pickle=False)\nz = open(p)",
        ),
        ("x = np.load(p, allow_pickle=True)\nprint(x)\n", None),
        ("x = open(p)\n", None),
    ],
)
def test_only_what_the_rule_changed_is_watched(text, run):
    tree = engine.translate(IMPORTS + text).tree
    before = ast.unparse(tree)
    found = pickle_loads.watched(tree)
    assert ast.unparse(tree) == before
    assert (found is tree) == (run is None)
    if run is not None:
        assert ast.unparse(found).partition(" as tf\n")[2] == run
