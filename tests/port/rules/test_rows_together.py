"""What a rule leaves alone, and what it changes, hides nothing that stands behind it."""

import ast
import textwrap

import pytest

from tests.port.rules import rows
from tests.port.rules.test_rules import NAMES, alone

# They say a thing once a module, or ask what else the module binds and imports.
OF_A_WHOLE_MODULE = {
    *(
        "gensim-changed",
        "nibabel-changed",
        "gym-changed",
        "h5py-changed",
        "imblearn-moved",
        "keras-crossentropy",
        "keras-moved",
        "librosa-moved",
        "networkx-moved",
        "np-changed",
        "np-promotion",
        "np-scalars",
    ),
    *("pandas-changed", "scipy-moved", "sklearn-moved", "tf-texts"),
    *("pil-moved", "skimage-moved", "sklearn-moved", "std-moved", "tf-imports"),
    *(
        "tf-local-variables",
        "tf-internals",
        "tf-losses",
        "tf-version",
        "tf-release",
        "py2-division",
        "py2-names",
        "py2-threads",
    ),
}


def in_function(text):
    """A row's text as the body of a function; nothing where it can be none."""
    made = f"def program():\n{textwrap.indent(text, '    ')}"
    try:
        ast.parse(made)
    except SyntaxError:
        return ""
    return made


@pytest.mark.parametrize("rule", [name for name in NAMES if name not in OF_A_WHOLE_MODULE])
def test_all_rows_of_a_rule_in_one_program(rule):
    text = "".join(in_function(left) for name, left in rows.LEFT if name == rule)
    expected, left_alone = [], text.count("\n")
    for name, before, _ in rows.CHANGED:
        part = in_function(before) if name == rule else ""
        if part and (found := alone(rule, part).findings):
            expected += [(one.line + text.count("\n"), one.message) for one in found]
            text += part
    found = [(one.line, one.message) for one in alone(rule, text).findings]
    assert sorted(one for one in found if one[0] > left_alone) == sorted(expected)
