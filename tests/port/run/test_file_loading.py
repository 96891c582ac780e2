"""Files of a program that it loads by their path, and text that it runs."""

import importlib.machinery
import runpy
import textwrap

import pytest

from tfqueue import cli

# what only the rules make run: a module that is gone, `print` and division in Python 2
OLD = "import imp\nfrom tensorflow.python.ops import rnn_cell\ncell = rnn_cell.BasicLSTMCell\nsize = 3\n"
WAYS = {
    "run_path": "config = runpy.run_path('configs/old.py', init_globals={'tf': tf})\n",
    "run_path_named": """
        config = runpy.run_path('configs/old.py', run_name='settings')
        assert config['__name__'] == 'settings' and 'settings' not in sys.modules
        """,
    "spec": """
        import importlib.util
        spec = importlib.util.spec_from_file_location('settings', 'configs/old.py')
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        config = vars(module)
        """,
    "loader": """
        from importlib.machinery import SourceFileLoader
        loader = SourceFileLoader('settings', 'configs/old.py')
        module = types.ModuleType(loader.name)
        loader.exec_module(module)
        config = vars(module)
        """,
    "load_source": "import imp\nconfig = vars(imp.load_source('settings', 'configs/old.py'))\n",
    "exec": "config = {}\nexec(pathlib.Path('configs/old.py').read_text(), config)\n",
    "exec_bytes": "config = {}\nexec(pathlib.Path('configs/old.py').read_bytes(), config)\n",
    "exec_compiled": """
        config = {}
        with open('configs/old.py') as f:
            exec(compile(f.read(), 'configs/old.py', 'exec'), config)
        """,
    "exec_in_function": """
        def read():
            names = {}
            text = pathlib.Path('configs/old.py').read_text()
            exec(text, names)
            return names
        config = read()
        """,
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with an old file that a program loads."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "old.py").write_text(OLD)
    return tmp_path


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_is_loaded_by_its_path_is_translated(way, place, capsys):
    program = "import pathlib, runpy, sys, types\nimport tensorflow as tf\n" + textwrap.dedent(
        WAYS[way]
    )
    program += "print(config['size'], config['cell'] is tf.nn.rnn_cell.BasicLSTMCell)\n"
    (place / "program.py").write_text(program)
    native = importlib.machinery.SourceFileLoader.get_code, runpy.run_path
    assert cli.main(["run", "program.py"]) == 0
    assert capsys.readouterr().out == "3 True\n"
    assert (importlib.machinery.SourceFileLoader.get_code, runpy.run_path) == native


def test_files_of_python_2_that_are_loaded_by_their_path(place, capsys):
    (place / "configs" / "old.py").write_text("print 'read', 7 / 2\nsize = 7 / 2\n")
    (place / "program.py").write_text(
        "import imp, runpy\nfrom importlib import import_module\nprint 'begin'\n"
        "print runpy.run_path('configs/old.py')['size']\n"
        "print imp.load_source('settings', 'configs/old.py').size\n"
    )
    assert cli.main(["run", "program.py"]) == 0
    assert capsys.readouterr().out.split("\n")[:-1] == ["begin", "read 3", "3", "read 3", "3"]


def test_what_is_run_by_its_path_is_run_as_python_runs_it(place, capsys):
    (place / "configs" / "new.py").write_text(
        "import sys\nprint(__name__, __file__, sys.argv[0], given, '__main__' in sys.modules)\n"
    )
    program = "import runpy\nrunpy.run_path('configs/new.py', {'given': 1})\n"
    (place / "program.py").write_text(program)
    runpy.run_path("program.py")
    expected = capsys.readouterr().out
    assert cli.main(["run", "program.py"]) == 0
    assert capsys.readouterr().out == expected


def test_an_error_in_text_that_is_run_is_the_programs(place, capsys):
    (place / "program.py").write_text(
        "import tensorflow as tf\ntry:\n    text = 'a b'\n    exec(text)\n"
        "except SyntaxError as error:\n    print(type(error).__name__)\n"
    )
    assert cli.main(["run", "program.py"]) == 0
    assert capsys.readouterr().out == "SyntaxError\n"


def test_a_library_is_loaded_as_it_is(place, capsys):
    (place / "program.py").write_text(
        "import importlib.util, keyword\n"
        "spec = importlib.util.spec_from_file_location('other', keyword.__file__)\n"
        "module = importlib.util.module_from_spec(spec)\nspec.loader.exec_module(module)\n"
        "print(module.iskeyword('a'))\n"
    )
    assert cli.main(["run", "program.py"]) == 0
    assert capsys.readouterr().out == "False\n"


def test_what_autograph_writes_is_no_file_of_the_program(place, capsys):
    (place / "program.py").write_text(
        "import tensorflow as tf\n"
        "def halves(x):\n    return x / 2 if x > 1 else x\n"
        "with tf.Session() as sess:\n"
        "    print(sess.run(tf.autograph.to_graph(halves)(tf.constant(3.))))\n"
        "x = tf.ones([2, 8, 1, 4])\n"
        "print(tf.contrib.slim.batch_norm(x, is_training=True, renorm=True).shape)\n"
    )
    assert cli.main(["run", "program.py"]) == 0
    assert capsys.readouterr().out == "1.5\n(2, 8, 1, 4)\n"
