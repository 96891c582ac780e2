"""Each rule changes what it should, and nothing else."""

import ast
import importlib
import re
import runpy
import sys

import pytest

from tests.port.rules import rows, rows_python2
from tfqueue.port import rules
from tfqueue.port.program import era
from tfqueue.port.program.module import Module
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine, siblings
from tfqueue.port.rules.tensorflow import internals

NAMES = [rule.name for rule in rules.all_rules()]


def alone(rule, text, path="program.py"):
    """What one rule makes of a text, all others left out."""
    return engine.translate(text, path, leave_out=[name for name in NAMES if name != rule])


def _id(value):
    return re.sub(r"\W+", "-", value)[:40] if isinstance(value, str) else None


@pytest.mark.parametrize(("before", "after"), rows_python2.SYNTAX, ids=_id)
def test_syntax(before, after):
    result = engine.translate(before, written_for=WrittenFor(python2=True), leave_out=NAMES)
    ast.parse(result.text)
    assert after is None or result.text == after
    assert result.findings


@pytest.mark.parametrize(("rule", "before", "after"), rows.CHANGED, ids=_id)
def test_changes(rule, before, after):
    result = alone(rule, before)
    assert result.text == after
    assert rule in {finding.rule for finding in result.findings}
    again = alone(rule, after)
    assert again.text == after, "a second time changes nothing"


@pytest.mark.parametrize(("rule", "text"), rows.LEFT, ids=_id)
def test_leaves_alone(rule, text):
    result = alone(rule, text)
    assert result.text == text
    assert [finding for finding in result.findings if finding.changed or finding.helpless] == []


@pytest.mark.parametrize(("text", "sentence"), rows.HELPLESS, ids=_id)
def test_says_what_cannot_be_helped(text, sentence):
    result = engine.translate(text, "program.py")
    said = [finding for finding in result.findings if finding.helpless]
    assert len(said) == 1
    assert sentence in said[0].message
    assert result.code == 2
    assert "\n" not in said[0].message


@pytest.mark.parametrize(
    ("made", "layers", "lines"),
    [
        ("cell = tf.contrib.rnn.BasicLSTMCell(4)", "[cell] * 2", [3]),
        ("cell = tf.contrib.rnn.GRUCell(4)", "2 * [cell]", [3]),
        ("cell = tf.contrib.rnn.GRUCell(4)", "[cell for _ in range(2)]", [3]),
        ("cell = tf.contrib.rnn.GRUCell(4)", "[cell, cell]", []),
        ("cell = tf.constant(4)", "[cell] * 2", []),
        ("cell = net.GRUCell(4)", "[cell] * 2", []),
        ("cell = tf.contrib.rnn.GRUCell(4)", "[cell for cell in cells]", []),
        ("cell = tf.pack(tf.nn.rnn_cell.GRUCell(4))", "[cell] * 2", []),
        ("cell = tf.contrib.rnn.GRUCell(4)", "tf.nn.bidirectional_dynamic_rnn(cell, cell, y)", [3]),
        (
            "cell = tf.contrib.rnn.GRUCell(4)",
            "tf.nn.static_bidirectional_rnn(cell_bw=cell, cell_fw=cell)",
            [3],
        ),
        ("cell = tf.contrib.rnn.GRUCell(4)", "tf.nn.bidirectional_dynamic_rnn(cell, other, y)", []),
        (
            "cell = tf.contrib.rnn.GRUCell(4)",
            "tf.nn.bidirectional_dynamic_rnn(cell, cell_bw=f(), y=1)",
            [],
        ),
    ],
)
def test_check_says_what_one_cell_for_several_layers_means(made, layers, lines):
    text = f"import tensorflow as tf\n{made}\nx = f({layers})\n"
    result = alone("tf-shared-cells", text)
    assert [finding.line for finding in result.findings] == lines
    # of both directions the call itself warns when it runs
    told = [finding.told for finding in result.findings]
    assert told == ["several layers" in finding.message for finding in result.findings]
    assert result.text == text
    for release in ("1.1", "1.4"):
        known = engine.translate(text, written_for=WrittenFor(era=era.parse(release)))
        assert not [one for one in known.findings if one.rule == "tf-shared-cells"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "[v for v in vs if 'Bias' not in v.name]\n'Matrix:0' in v.op.name",
            {2: "0.12", 3: "0.12"},
        ),
        ("any(x in v.name for x in y)\nv.name.endswith('/Bias:0')", {3: "0.12"}),
        ("import re\nre.search('Linear/Matrix', v.name)", {3: "0.12"}),
        ("v.name.split('/')[-1] in ['Bias:0', 'b:0']", {2: "0.12"}),
        ("c = tf.contrib.rnn.GRUCell(2)\n'biases' in v.name", {3: "1.1"}),
        ("tf.nn.dynamic_rnn(c, x)\nv.name.find('weights') > 0", {3: "1.1"}),
        # nothing of cells; names that the program gives; those of layers; another word
        ("'biases' in v.name", {}),
        ("b = tf.get_variable('Bias', [2])\n'Bias' in v.name", {}),
        ("c = tf.contrib.rnn.GRUCell(2)\ntf.contrib.layers.linear(x, 2)\n'biases' in v.name", {}),
        ("'Bias' in v.name or 'bias' in v.name", {}),
        ("'Biased' in v.name, 'PriorMatrix' in v.name, 'Bias' in text", {}),
    ],
)
def test_check_says_what_variables_of_cells_were_called(text, lines):
    text = f"import tensorflow as tf\n{text}\n"
    result = alone("tf-cell-variables", text)
    assert {finding.line: finding.message.split()[3] for finding in result.findings} == lines
    assert [finding.told for finding in result.findings] == [True, False][: len(lines)]
    assert result.text == text
    for release in ("0.12", "1.4"):
        known = engine.translate(text, written_for=WrittenFor(era=era.parse(release)))
        assert not [one for one in known.findings if one.rule == "tf-cell-variables"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = [i for i in [k for k in y]]\nz = k\n", ["k"]),
        ("x = list(k for i in [k for k in y])\n", ["k"]),
        ("class A(object):\n    x = [k for k in y]\n    z = k\n", ["k"]),
        ("x = [i for i in [k for k in y]]\nk = 1\nz = k\n", []),
        ("x = list(i for i in [k for k in y])\n", []),
        ("class A(object):\n    x = [k for k in y]\n", []),
    ],
)
def test_what_a_comprehension_leaves_is_told_where_it_cannot_be_kept(text, told):
    """Python 3 allows no `:=` in a class, nor in an iterable of a comprehension."""
    result = alone("py2-scopes", f"u = xrange\n{text}")
    assert result.text == f"u = xrange\n{text}"
    assert [one.message.split()[3] for one in result.findings if one.told] == told


@pytest.mark.parametrize(
    ("given", "told"), [("0.12", "0.12"), ("1.14", "1.14"), ("1.15", None), ("1.x", None)]
)
def test_a_program_tells_its_release_where_that_is_known_to_be_older(given, told):
    known = WrittenFor(era=era.parse(given))
    found = engine.translate("import tensorflow as tf\nf(tf)\n", written_for=known).text
    assert ("assume" in found) == (told is not None)
    assert f"assume('{told}')" in found or told is None


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_has_rows(name):
    changed = {rule for rule, *_ in rows.CHANGED}
    left = {rule for rule, *_ in rows.LEFT}
    # the one is tested with files beside the program, the others change nothing
    assert name in changed or name in ("py2-relative", "tf-cell-variables", "tf-shared-cells")
    assert name in left


def test_what_left_tensorflow_python_is_where_its_row_says():
    rows = [
        *internals._GONE.values(),
        *(n for r in internals._ROWS.values() for n in r.values()),
    ]
    for whole in sorted(set(rows)):
        found = {}
        exec(internals._home(whole).format("found"), found)
        assert found["found"] is not None, whole


@pytest.mark.parametrize("rule", rules.all_rules(), ids=lambda rule: rule.name)
def test_every_rule_says_what_it_is_about(rule):
    first, blank, address = sys.modules[rule.find.__module__].__doc__.strip().split("\n")
    assert first.endswith((".", "..."))
    assert blank == ""
    assert re.match(r"https://\S+$", address)


@pytest.mark.parametrize(("rule", "before", "after"), rows.CHANGED, ids=_id)
def test_all_rules_together_give_the_text_of_what_is_run(rule, before, after):
    result = engine.translate(before, "program.py")
    assert ast.dump(ast.parse(result.text)) == ast.dump(result.tree)
    assert engine.translate(result.text, "program.py").text == result.text


def test_relative_imports_inside_a_package(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    for name in ("__init__", "data", "main"):
        (package / f"{name}.py").write_text("")
    (package / "folder").mkdir()
    (package / "folder" / "inner.py").write_text("")
    path = str(package / "main.py")
    others = "import json\nimport folder.inner\n"  # to Python 2 a folder alone was no package
    text = f"import data\nfrom data import x\n{others}"
    expected = f"from . import data\nfrom .data import x\n{others}"

    def ported(text, package, python2=True):
        return engine.translate(
            text, path, written_for=WrittenFor(python2=python2), package=package
        ).text

    assert ported(text, "package") == expected
    assert ported(text, "package", python2=False) == text, "its imports are absolute"
    assert ported(text, "") == text, "started as a script"
    future = "from __future__ import absolute_import\n" + text
    assert ported(future, "package") == future


@pytest.fixture
def in_package(tmp_path):
    """Writes a module of a package as it is ported, where nothing says how it will be imported."""
    folder = tmp_path / "a_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "a_sibling.py").write_text("f = 3.5\n")

    def port(text, name="a_program"):
        path = folder / f"{name}.py"
        path.write_text(text)
        once = engine.translate(text, str(path)).text
        assert engine.translate(once, str(path)).text == once
        path.write_text(once)
        return path, once

    return port


@pytest.mark.parametrize(
    "text",
    [
        "from a_sibling import f\nprint f\n",
        "import os, a_sibling  # both\nf = a_sibling.f; print f\n",
        "def g():\n\timport a_sibling as a\n\treturn a.f\nf = g()\nprint f\n",
        "try:\n    import cPickle, a_sibling\nexcept ImportError: pass\nf = a_sibling.f\nprint f\n",
    ],
)
def test_a_ported_module_finds_its_siblings_however_it_is_imported(text, in_package, monkeypatch):
    """As a part of its package, as a program, and from its own folder."""
    path, _ = in_package(text)
    monkeypatch.syspath_prepend(str(path.parents[1]))
    before = set(sys.modules)
    found = [importlib.import_module("a_package.a_program").f]
    monkeypatch.syspath_prepend(str(path.parent))
    found += [importlib.import_module("a_program").f, runpy.run_path(str(path))["f"]]
    for name in set(sys.modules) - before:
        if name.startswith("a_"):
            del sys.modules[name]
    assert found == [3.5] * 3


def test_an_import_that_shares_its_line_is_of_the_package(in_package):
    """Unless a program is started in the folder: there is no room for both."""
    text = "x = 1; import a_sibling; print x\n"
    assert "x = 1; from . import a_sibling; print(x)\n" in in_package(text)[1]
    in_package("if __name__ == '__main__': print 1\n", "another")
    siblings._holds_script.cache_clear()
    assert "x = 1; import a_sibling; print(x)\n" in in_package(text)[1]


def test_tutorials_that_left_the_wheel_are_found_beside_the_program(tmp_path):
    (tmp_path / "cifar10.py").write_text("")
    text = "from tensorflow.models.image.cifar10 import cifar10\n"
    assert engine.translate(text, str(tmp_path / "train.py")).text == "import cifar10\n"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("from tensorflow.models.rnn.translate import data_utils\n", "from . import data_utils"),
        ("from tensorflow.models.rnn.translate.data_utils import f\n", "from .data_utils import f"),
    ],
)
def test_tutorials_that_left_the_wheel_are_found_in_the_package(text, made, tmp_path):
    for name in ("__init__", "data_utils"):
        (tmp_path / f"{name}.py").write_text("")
    future, path = "from __future__ import absolute_import\n", str(tmp_path / "model.py")
    assert engine.translate(future + text, path, package="a.lib").text == f"{future}{made}\n"
    script = engine.translate(future + text, path, package="").text
    assert script == future + made.replace("from . ", "").replace("from .", "from ") + "\n"


@pytest.mark.parametrize(
    ("beside", "initialises"),
    [
        ("import tensorflow as tf\n", False),
        ("f = tf.train.match_filenames_once('*')\n", True),
        ("q = tf.train.range_input_producer(9, num_epochs=2)\n", True),
        ("q = f(num_epochs=2)\ns.run(tf.local_variables_initializer())\n", False),
    ],
)
def test_local_variables_of_a_module_beside_the_program(beside, initialises, tmp_path):
    (tmp_path / "inputs.py").write_text(beside)
    text = "import tensorflow as tf\nimport inputs\ns.run(tf.initialize_all_variables())\n"
    (tmp_path / "program.py").write_text(text)
    done = alone("tf-local-variables", text, str(tmp_path / "program.py")).text
    both = "tf.group(tf.initialize_all_variables(), tf.local_variables_initializer())"
    assert done == (text.replace("tf.initialize_all_variables()", both) if initialises else text)


def test_findings_stand_at_the_users_place():
    text = "print 1\nx = {'é': 1}; y = unicode(2)\nif 1:\n    raise E, 'm'\n"
    places = [(f.rule, f.line, f.col) for f in engine.translate(text).findings]
    assert places == [
        ("py2-names", 1, 1),
        ("py2-print", 1, 1),
        ("py2-names", 2, 19),
        ("py2-raise", 4, 5),
    ]


def test_mixed_tabs_and_spaces():
    text = "if 1:\n\tx = 1\n        y = 'a\tb'\nprint x\n"
    result = engine.translate(text)
    expected = "if 1:\n        x = 1\n        y = 'a\tb'\nprint(x)\n"
    assert result.text == rows_python2.PRINT + expected


def test_a_ported_program_imports_the_helpers_it_calls():
    text = '"""Doc."""\nfrom __future__ import print_function\nb = i.tostring()\n'
    assert engine.translate(text).text == (
        '"""Doc."""\nfrom __future__ import print_function\n'
        "from tfqueue.port.runtime import tobytes\nb = tobytes(i)\n"
    )


def test_a_program_without_any_of_it_is_not_touched():
    text = "def f( a ):  # odd\n\treturn a   \n"
    result = engine.translate(text)
    assert result.text == text
    assert (result.code, result.findings) == (0, [])


def test_a_module_that_moved_below_tensorflow_python_is_said_to_be_there():
    text = "from tensorflow.python import math_ops, array_ops\n"
    (said,) = alone("tf-internals", text).findings
    assert said.message.endswith("math_ops: it is tensorflow.python.ops.math_ops now")


def test_a_module_of_the_program_that_is_called_like_one_of_tensorflows_is_left():
    own = Module("import rnn_cell as cells, array_ops as ops\nx = cells.LSTM(ops.y)\n")
    assert list(internals.find(own)) == []
    assert [type(node) for node in own.tree.body] == [ast.Import, ast.Assign]
    assert not list(internals._as_from(own))


@pytest.mark.parametrize("name", ["next", "__div__", "__nonzero__"])
def test_a_class_is_told_with_the_method_that_changed(name):
    text = f"class A(object):\n    def other(self): pass\n    def {name}(self, *x): pass\nxrange\n"
    (found,) = alone("py2-classes", text).findings
    assert found.message == f"a class with {name}: it gets today's methods, too"


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("concat(v, axis=1)", False),
        ("concat(axis=1, values=v)", False),
        ("split(v, num_or_size_splits=2)", False),
        ("concat(values=v)", False),
        ("concat([a], d)", False),
        ("split(v, 2)", False),
        ("split(v, 2, 1)", False),
        ("concat(d, v)", True),
        ("split(d, n, v)", True),
    ],
)
def test_that_nothing_tells_the_order_is_said_only_where_it_is_so(call, told):
    found = alone("tf-concat-split", f"import tensorflow as tf\nx = tf.{call}\n")
    assert [finding.changed for finding in found.findings] == [False] * told
    assert not told or "nothing tells whether the axis comes first" in found.findings[0].message
