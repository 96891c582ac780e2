"""What a notebook's magics, shell lines and displays do under `tfqueue run`, and what is ported."""

import importlib.util
import json
import os
import pathlib
import sys

import pytest

from tfqueue import cli
from tfqueue.port import entrance
from tfqueue.port.notebook import document, magics
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.source import files


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """Runs cells as a notebook; gives the exit code, what was printed, and each cell's outputs."""
    monkeypatch.chdir(tmp_path)

    def run(*cells):
        cells = [
            {"cell_type": "code", "source": cell, "outputs": [], "metadata": {}} for cell in cells
        ]
        document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
        pathlib.Path("nb.ipynb").write_text(json.dumps(document))
        code = cli.main(["run", "nb.ipynb", "-o", "out.ipynb"])
        ran = json.loads(pathlib.Path("out.ipynb").read_text())
        kept = [
            [
                "".join(o.get("text", o.get("data", {}).get("text/plain", "")))
                for o in cell["outputs"]
            ]
            for cell in ran["cells"]
        ]
        return code, capfd.readouterr(), kept

    return run


def test_values_in_shell_lines(run):
    code, said, kept = run(
        "here = 'x'; n = 2",
        "!echo {here} $here {n + 1} $n",
        "!echo '{y:.2f}' {} '{print $1}' ${HOME_OF_NOBODY}.",
        "for i in range(2):\n    !echo {i}",
        "name = 'deep'\n%mkdir $name\n%cd {name}\nimport os; os.path.basename(os.getcwd())",
    )
    assert code == 0, said.err
    assert kept[1:] == [["x x 3 2\n"], ["{y:.2f} {} {print $1} .\n"], ["0\n1\n"], ["'deep'"]]


@pytest.mark.parametrize(
    ("metadata", "python"),
    [
        ({"kernelspec": {"name": "python2"}}, 2),
        ({"language_info": {"version": "2.7.12"}, "kernelspec": {"name": "python3"}}, 2),
        ({"language_info": {"version": "3.6.5"}, "kernelspec": {"name": "python2"}}, 3),
        ({"kernelspec": {"name": "conda-env-tf", "language": "python"}}, None),
        ({"kernelspec": "python2", "language_info": {"version": 2}}, 2),
        ({"kernelspec": None, "language_info": {}}, None),
        (None, None),
    ],
)
def test_the_kernel_tells_the_python_where_the_cells_do_not(
    metadata, python, tmp_path, monkeypatch, capfd
):
    monkeypatch.chdir(tmp_path)
    cell = {"cell_type": "code", "source": "5 / 2, map(abs, [-1])", "outputs": [], "metadata": {}}
    made = {"cells": [cell], "nbformat": 4, "nbformat_minor": 2, "metadata": metadata}
    path = pathlib.Path("nb.ipynb")
    path.write_text(json.dumps(made))
    program = entrance.opened("nb.ipynb")
    assert program.document.python == python
    written_for = program.translation.written_for
    assert written_for.python2 == (python == 2)
    assert written_for.why == (() if python is None else ("the notebook's kernel (nb.ipynb:1)",))
    assert cli.main(["run", "nb.ipynb"]) == 0
    assert ("(2, [1])" in capfd.readouterr().out) == (python == 2)
    assert cli.main(["port", "--in-place", "nb.ipynb"]) == 0
    again = entrance.opened("nb.ipynb").translation
    assert not again.written_for.python2 or not again.changed


def test_a_shell_line_has_no_value_but_its_lines_have(run):
    code, said, kept = run(
        "!echo 1", "!!echo 2", "x = !echo 3\nx", "get_ipython().system('echo 4')"
    )
    assert code == 0, said.err
    assert kept == [["1\n"], ["2\n", "['2']"], ["3\n", "['3']"], ["4\n"]]


def test_what_a_shell_line_prints_need_not_be_text(run):
    code, said, kept = run(r"!printf '\377\n'")
    assert (code, kept) == (0, [["�\n"]]), said.err


@pytest.mark.parametrize(
    "line",
    ["%timeit -n 1 -r1 f()", "%timeit f()", "%time f()", "x = %time f()", "%%timeit -n 3\nf()"],
)
def test_what_is_timed_is_run(line, run):
    code, said, _ = run("def f():\n    print 5 / 2", line)
    assert (code, said.out) == (0, "2\n"), said.err


def test_magics_that_set_things(run):
    code, said, kept = run(
        "%env TFQUEUE_ONE=1\n%env TFQUEUE_TWO 2\n%set_env TFQUEUE_THREE = 3",
        "import os; [os.environ.pop('TFQUEUE_' + name) for name in ('ONE', 'TWO', 'THREE')]",
        "%%writefile mine.py\nimport sys; X = 1",
        "%%writefile -a mine.py\nprint sys.argv[1:], X",
        "%run -i mine.py a b",
        "get_ipython().run_cell_magic('bash', '', 'echo shell')",
        "get_ipython().run_cell_magic('time', '', 'print X')",
    )
    assert code == 0, said.err
    assert kept[1] == ["['1', '2', '3']"]
    assert kept[4:] == [["['a', 'b'] 1\n"], ["shell\n"], ["1\n"]]


@pytest.mark.parametrize("line", ["%run", "%lsmagic", "%%script perl\nprint 1", "%%sql\nselect"])
def test_what_is_left_out_is_named(line, run):
    code, said, _ = run(line)
    assert code == 0
    assert said.err.startswith(f"tfqueue: {line.partition(chr(10))[0]}: this ")
    assert said.err.count("\n") == 1


def test_the_future_may_be_imported_behind_a_magic(run):
    code, said, outputs = run(
        "%matplotlib inline\n\nfrom __future__ import division, print_function\nx = 1\nx / 2",
        "print(3 / 2, end='!')",
    )
    assert code == 0, said.err
    assert outputs == [["0.5"], ["1.5!"]]


@pytest.mark.parametrize("installed", [True, False])
def test_what_ipython_shows_is_kept(installed, run, monkeypatch):
    if not installed:
        # as if there were none: neither loaded nor to be found
        for name in [name for name in sys.modules if name.partition(".")[0] == "IPython"]:
            monkeypatch.delitem(sys.modules, name)
        found = importlib.util.find_spec
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name, *a: None if name == "IPython" else found(name)
        )
    code, said, _ = run(
        "from IPython import get_ipython\nget_ipython().run_line_magic('matplotlib', 'inline')",
        "from IPython.display import HTML, display\ndisplay(HTML('<b>bold</b>'))",
    )
    assert code == 0, said.err
    ran = json.loads(pathlib.Path("out.ipynb").read_text())
    [shown] = ran["cells"][1]["outputs"]
    assert (shown["output_type"], shown["data"]["text/html"]) == ("display_data", ["<b>bold</b>"])


def test_a_folder_that_is_missing_is_said_before_the_notebook_runs(run, capfd):
    run("open('ran', 'w').close()")
    os.unlink("ran")
    assert cli.main(["run", "nb.ipynb", "-o", "absent/out.ipynb"]) == 2
    assert capfd.readouterr().err == "tfqueue: absent/out.ipynb: no such folder\n"
    assert not os.path.exists("ran")


def test_an_expression_may_fail_in_a_shell_line():
    assert magics.expanded("{1/0} {a,b} {x!r}", {"x": 1}) == "{1/0} {a,b} {x!r}"


def test_what_is_ported_keeps_all_but_the_code_that_changes(tmp_path):
    def cell(source, kind="code", **more):
        return {"cell_type": kind, "source": source, "metadata": {}, **more}

    def text(*cells):
        document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
        return json.dumps(document, indent=1) + "\n"

    kept = {"outputs": [{"a": 1}], "execution_count": 3}
    alike = [cell("# tf.pack\n", "markdown"), cell("%%bash\necho hi\n"), cell("y = 1")]
    old = text(
        cell(["%matplotlib inline\n", "import tensorflow as tf\n", "x = tf.pack([1])"], **kept),
        *alike,
        cell("!ls -l\nprint tf.mul(x, 2), 7 / 2"),
        cell("%%time\nz = tf.pack([2])\nq = !ls"),
    )
    new = text(
        cell(
            [
                "from tfqueue.port.py2 import print_statement as print\n",
                "from tfqueue.release import assume\n",
                "%matplotlib inline\n",
                "import tfqueue.v1 as tf\n",
                "assume('0.12')\n",
                "x = tf.stack([1])",
            ],
            **kept,
        ),
        *alike,
        cell("!ls -l\nprint(tf.multiply(x, 2), 7 // 2)"),
        cell("%%time\nz = tf.stack([2])\nq = !ls"),
    )
    path = tmp_path / "nb.ipynb"
    for before, after in ((old, new), (text(*alike), text(*alike))):
        path.write_text(before)
        assert entrance.opened(str(path)).text() == after


def test_a_library_may_have_the_shell_show_its_errors(run):
    """`import tfqueue.v1` does in a shell of IPython's, which a notebook under `run` takes the place of."""
    code, _, kept = run(
        "import IPython\nshell = IPython.get_ipython()\n"
        "def show(shell, kind, error, trace, tb_offset=None):\n"
        "    error._render_traceback_ = lambda: ['short: %s' % error]\n"
        "    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)\n"
        "shell.set_custom_exc((ValueError,), show)\nprint(shell.custom_exceptions == (ValueError,))",
        "import tfqueue.v1\nraise ValueError('so')",
    )
    assert code == 1
    assert kept[0] == ["True\n"]
    error = json.loads(pathlib.Path("out.ipynb").read_text())["cells"][1]["outputs"][0]
    assert (error["ename"], error["traceback"]) == ("ValueError", ["short: so"])


def test_a_module_imports_tensorflow_where_there_is_ipython(run):
    code, said, _ = run(
        "import IPython\nimport tensorflow as tf", "print(tf.constant(1).dtype.name)"
    )
    assert (code, said.out) == (0, "int32\n"), said.err


def magics_of(**names):
    """Magics of a notebook without cells; what they show is kept in `shown`."""
    source = files.decode(b'{"cells": []}', "nb.ipynb")
    made = magics.Magics(document.read_document(source), WrittenFor(), names)
    made.shown = []
    made.show = lambda *shown: made.shown.append(shown)
    return made


@pytest.mark.parametrize(
    "command",
    ["pip install x", "conda install x", "sudo ls", "mytool install x", "apt-get \\\n-y x"],
)
def test_what_would_change_the_machine_is_named_and_not_run(command, capsys):
    assert magics_of().getoutput(command) == []
    first = command.partition("\n")[0]
    assert capsys.readouterr().err == (
        f"tfqueue: !{first}: not run: it would change this Python's packages\n"
    )


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("%timeit", None),
        ("%time 1 + 2", 3),
        ("%timeit -n 3 -r2 1 + 2", 3),
        ("%time x = 5", None),
        ("%matplotlib inline", None),
        ("%env", None),
    ],
)
def test_the_value_of_a_magic(line, value, capsys):
    made = magics_of()
    name, _, rest = line[1:].partition(" ")
    assert made.run_line_magic(name, rest) == value
    assert made.magic(line) == value
    assert made.namespace.get("x") == (5 if "x = 5" in line else None)
    named = "tfqueue: %env: this magic is left out\n" if line == "%env" else ""
    assert capsys.readouterr().err == named.replace("%env:", "%env :") + named


def test_pylab_brings_its_names(run):
    """As IPython's `%pylab` did with numpy 1, whose star left `max` and `round` alone."""
    pytest.importorskip("matplotlib")
    code, said, _ = run(
        "%pylab inline\nimport tensorflow as tf",
        "print(np.asscalar(arange(3).sum()), max(1, 2), round(2.567, 1), plt.gcf is gcf, mlab.__name__)",
    )
    assert (code, said.out) == (0, "3 2 2.6 True matplotlib.mlab\n"), said.err
    code, said, _ = run(
        "import tensorflow as tf\n%pylab --no-import-all inline",
        "print(np.float is float, 'arange' in dir(), pylab.np is np)",
    )
    assert (code, said.out) == (0, "True False True\n"), said.err
    made = magics_of()
    assert made.run_line_magic("pylab", "inline") is None
    assert made.namespace["arange"] is made.namespace["np"].arange


def test_pylab_is_ported_as_its_imports(tmp_path):
    lines = ["import tensorflow as tf", "if x:\n    %pylab\nx = np.asscalar(y)", "%pylab -x inline"]
    cells = [{"cell_type": "code", "source": line} for line in lines]
    path = tmp_path / "nb.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    ported = [cell["source"] for cell in json.loads(entrance.opened(str(path)).text())["cells"]]
    assert ported[1].startswith("if x:\n    %matplotlib\n    import numpy, matplotlib; ")
    assert ported[2].startswith("%matplotlib inline\nimport numpy, matplotlib; ")
    assert ported[2].endswith("; from tfqueue.port.libraries.numpy_star import *")


def test_folders_and_settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TFQUEUE_SET", "before")
    made = magics_of(name="deep")
    made.magic("%mkdir $name")
    assert made.magic("%cd {name}") is None
    assert made.magic("%pwd") == str(tmp_path / "deep")
    made.magic("%cd")
    assert os.getcwd() == str(tmp_path)
    made.magic("%env TFQUEUE_SET = a = b")
    assert os.environ["TFQUEUE_SET"] == "a = b"
    made.magic("%set_env TFQUEUE_SET one two")
    assert os.environ["TFQUEUE_SET"] == "one two"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("html", "text/html"), ("HTML", "text/html"), ("markdown", "text/markdown")]
    + [("svg", "image/svg+xml"), ("latex", "text/latex")],
)
def test_a_cell_of_another_language_is_shown(name, kind, capsys):
    made = magics_of()
    made.run_cell_magic(name, "", "<p>")
    assert made.shown == [(kind, "<p>")]
    assert capsys.readouterr().err == ""


def test_a_cell_of_python_that_is_none():
    with pytest.raises(SyntaxError, match="can't be parsed"):
        magics_of().magic("%time x = = 2")


@pytest.mark.parametrize("head", ["bash", "sh", "script bash", "script sh", "script bash -e"])
def test_a_cell_of_a_shell_is_run(head, capfd):
    name, _, line = head.partition(" ")
    magics_of().run_cell_magic(name, line, "echo one\necho two")
    assert capfd.readouterr() == ("one\ntwo\n", "")


@pytest.mark.parametrize("head", ["script", "script perl", "perl bash", "perl"])
def test_a_cell_of_another_program_is_left_out(head, capfd):
    name, _, line = head.partition(" ")
    magics_of().run_cell_magic(name, line, "echo one")
    assert capfd.readouterr() == ("", f"tfqueue: %%{name} {line}: this cell is left out\n")


def test_a_cell_that_was_not_run_has_no_number(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = [
        {"cell_type": "code", "source": text, "metadata": {}, "outputs": [], "execution_count": 7}
        for text in ("x = 1", "1 / 0", "x = 2")
    ]
    pathlib.Path("nb.ipynb").write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2})
    )
    assert cli.main(["run", "nb.ipynb", "-o", "out.ipynb"]) == 1
    ran = json.loads(pathlib.Path("out.ipynb").read_text())["cells"]
    assert [cell["execution_count"] for cell in ran] == [1, 2, None]
    assert [bool(cell["outputs"]) for cell in ran] == [False, True, False]


def test_global_at_the_top_of_a_cell_says_nothing(tmp_path, monkeypatch, capsys):
    """IPython compiles statement by statement, so that it is no error behind a use."""
    monkeypatch.chdir(tmp_path)
    texts = "x = 1\nprint(x)", "x += 1\nglobal x\nx += 1\nprint(x)"
    cells = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in texts]
    pathlib.Path("nb.ipynb").write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2})
    )
    assert cli.main(["run", "nb.ipynb"]) == 0
    assert capsys.readouterr().out == "1\n3\n"
