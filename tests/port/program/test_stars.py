"""What a program's own module brings by a star import."""

import os

import pytest

from tfqueue.port.program import stars
from tfqueue.port.rules import engine


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**files):
    for name, text in files.items():
        path = name.replace("__", "/") + ".py"
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w") as file:
            file.write(text)


def translated(text):
    with open("main.py", "w") as file:
        file.write(text)
    return engine.translate(text, "main.py").text


def test_the_libraries_of_a_star_import():
    write(
        helper="import numpy as np, os.path\nfrom deeper import *\nimport sys as _sys\n"
        "def f():\n    import re\n",
        deeper="import tensorflow as tf\nfrom helper import *\n",
    )
    brought = {"np": "numpy", "os": "os", "tf": "tensorflow"}
    assert stars.libraries("main.py", 0, "helper") == brought
    write(pack__part="import numpy\n", pack__main="")
    assert stars.libraries("pack/main.py", 1, "part") == {"numpy": "numpy"}
    assert stars.libraries("main.py", 0, "pack.part") == {"numpy": "numpy"}
    assert stars.libraries("main.py", 0, "json") == {}, "not the program's own"
    write(chosen="import numpy as np\n__all__ = ['x']\n")
    assert stars.libraries("main.py", 0, "chosen") == {}


def test_names_that_it_takes_from_a_library():
    write(
        helper="from __future__ import division\nfrom numpy import mat as m, float\nimport os\nimport sys\n"
        "from deeper import thing\nfrom math import pi, e\nimport re\nimport json\n"
        "try:\n    import os\nexcept ImportError:\n    pass\nfor pi in (3, 4):\n    pass\ndef sys():\n    global e\n"
        "class C:\n    re = 1\n",
        deeper="import numpy as thing\n",
    )
    brought = {"m": "numpy.mat", "float": "numpy.float", "re": "re", "json": "json"}
    assert stars.libraries("main.py", 0, "helper") == brought


def test_rules_see_a_name_that_it_takes_from_a_library():
    write(helper="from tensorflow import concat\nfrom numpy import histogram as h\n")
    old = "from helper import *\nx = concat(0, [y, z])\na = h(x, normed=True)\n"
    new = "from helper import *\nx = concat(axis=0, values=[y, z])\na = h(x, density=True)\n"
    assert translated(old) == new


def test_what_python_2_had_is_not_replaced_by_a_star_import():
    write(tools="import codecs, sys\nx = codecs.open(p)\n", other="def codecs(): pass\n")
    again = "from tfqueue.port.py2.modules import codecs"
    main = "import codecs\nfrom {} import *\nout = codecs.getwriter('utf-8')(out)\nprint 1\n"
    new = translated(main.format("tools"))
    assert f"from tools import *; {again}\n" in new
    assert new.count(again) == 2
    assert translated(new) == new
    assert translated(main.format("other")).count(again) == 1
    alone = translated("from tools import *\nout = codecs.getwriter('utf-8')(out)\nprint 1\n")
    assert f"from tools import *; {again}\n" in alone
    later = translated("from tools import *\nimport codecs\nout = codecs.getwriter(f)\nprint 1\n")
    assert later.count(again) == 1


@pytest.mark.parametrize(
    "adding",
    [
        "sys.path.append('other')",
        "sys.path.insert(0, 'other')",
        "sys.path.append(os.path.join(os.path.dirname(__file__), 'other'))",
    ],
)
def test_a_module_in_a_folder_that_the_program_adds(adding):
    write(other__helper="from further import *\n", other__further="import numpy as np\n")
    old = f"import os, sys\n{adding}\nfrom helper import *\nx = np.mat([1])\n"
    assert translated(old) == old.replace("np.mat(", "np.asmatrix(")


def test_a_folder_that_is_not_added_is_not_looked_into():
    write(other__helper="import numpy as np\n")
    old = "import sys\nprint(sys.path)\nfrom helper import *\nx = np.mat([1])\n"
    assert translated(old) == old


def test_a_module_for_python_2_brings_what_it_imports():
    write(helper="import numpy as np\nprint 'hello'\n")
    assert stars.libraries("main.py", 0, "helper") == {"np": "numpy"}


def test_a_file_that_is_no_text_brings_nothing():
    with open("torn.py", "wb") as file:
        file.write(b"# coding: utf-8\nimport numpy as np \xff\n")
    assert stars.libraries("main.py", 0, "torn") == {}


def test_rules_see_what_a_star_import_brings():
    write(helper="import numpy as np\nimport tensorflow as tf\n")
    old = "from helper import *\nx = np.mat([np.float(1)])\ny = tf.concat(0, [x, x])\n"
    new = (
        "from helper import *\nx = np.asmatrix([float(1)])\ny = tf.concat(axis=0, values=[x, x])\n"
    )
    assert translated(old) == new


def test_a_name_of_the_module_itself_comes_first():
    write(helper="import numpy as np\n")
    for own in ("import jax.numpy as np\n", "np = thing()\n", "def np():\n    pass\n"):
        old = f"from helper import *\n{own}x = np.mat([1])\n"
        assert translated(old) == old
    inside = "def f():\n    from helper import *\nx = np.mat([1])\n"
    assert translated(inside) == inside
