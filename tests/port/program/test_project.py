"""The files of a program: what they import, and which of them run."""

import os
import pathlib

import pytest

from tfqueue.port.program import project
from tfqueue.port.program.facts import Facts
from tfqueue.port.program.project import Project


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)

    def write(**files):
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


def init(folder, name):
    path = pathlib.Path(folder, name, "__init__.py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a\n", [(0, "a")]),
        ("import a.b as c, d\n", [(0, "a.b"), (0, "d")]),
        ("  import a\n", [(0, "a")]),
        ("from a import b, c as d\n", [(0, "a"), (0, "a.b"), (0, "a.c")]),
        ("from a import (b,\n  c)\n", [(0, "a"), (0, "a.b")]),
        ("from . import a\n", [(1, "a")]),
        ("from ..a.b import c\n", [(2, "a.b"), (2, "a.b.c")]),
        ("x = 1 # import a\n", []),
        ("from a import b # c, d\n", [(0, "a"), (0, "a.b")]),
        ("important = 1\n", []),
    ],
)
def test_what_a_text_imports(text, names):
    assert [*project._names(text)] == names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import side\n", ["p/q/side.py"]),
        ("import p.low\n", ["p/__init__.py", "p/low.py"]),
        ("from p import low\n", ["p/__init__.py", "p/low.py"]),
        ("from . import side\n", ["p/q/side.py"]),
        ("from .side import x\n", ["p/q/side.py"]),
        ("from .. import low\n", ["p/low.py"]),
        ("from ..low import x\n", ["p/low.py"]),
        ("from ... import top\n", ["top.py"]),
        ("from ..q import side\n", ["p/q/__init__.py", "p/q/side.py"]),
        ("import top\n", ["top.py"]),
        ("import low\n", []),
        (
            "import inspect, os, sys\n"
            "here = os.path.split(inspect.getfile(inspect.currentframe()))[0]\n"
            "sys.path.insert(0, os.path.join(here, '..'))\nimport low\n",
            ["p/low.py"],
        ),
        ("import plain.inner\n", ["plain/inner.py"]),
        ("import none\nimport os\n", []),
        ("from .low import x\n", []),
        ("from tensorflow.models.image import side\n", ["p/q/side.py"]),
        ("import p.q.main\n", ["p/__init__.py", "p/q/__init__.py"]),
    ],
)
def test_the_files_of_what_a_module_imports(text, found, place):
    root = place(top="", p__low="", p__q__side="", p__q__main=text, plain__inner="")
    init(root, "p")
    init(root, "p/q")
    files = project.imported_files(str(root / "p" / "q" / "main.py"))
    assert files == [str(root / one) for one in found]
    assert project.imported_files(str(root / "none.py")) == []


def test_all_that_are_tied_by_imports_the_given_one_first(place):
    root = place(
        main="import lib\n",
        lib="import deep\n",
        deep="",
        other="import deep\n",
        alone="",
        setup="import lib\n",
    )
    os.rename(root / "setup.py", root / "setup.x.py")
    found = Project(str(root / "lib.py"))
    assert found.files == [str(root / f"{name}.py") for name in ("lib", "deep", "main", "other")]
    assert found.program == {str(root / f"{name}.py") for name in ("lib", "deep", "main")}
    assert found.names == {"lib", "deep", "main", "other"}
    assert [found.owns(name) for name in ("deep", "alone")] == [True, False]
    absent = Project(str(root / "none.py"))
    assert [absent.owns(name) for name in ("alone", "nope")] == [True, False]


@pytest.mark.parametrize("own", [None, Facts(), Facts(folders=("FOLDER",))])
def test_a_text_in_place_of_what_the_file_holds(own, place):
    root = place(main="import a\n", a="", b="", libs__c="")
    reaches = own is not None and bool(own.folders)
    if reaches:
        own = Facts(folders=(str(root / "libs"),))
    found = Project(str(root / "main.py"), "import b, c\n", own)
    expected = ["main", "b", *(["libs/c"] if reaches else [])]
    assert found.files == [str(root / f"{name}.py") for name in expected]


def test_what_runs_whenever_the_program_does(place):
    root = place(
        main="import a\nif a.x:\n    import b\ndef f():\n    import c\n",
        a="import d\nif __name__ == '__main__':\n    import e\n",
        b="",
        c="",
        d="",
        e="",
    )
    found = Project(str(root / "main.py"))
    assert found.run == {str(root / f"{name}.py") for name in ("main", "a", "d", "e")}
    assert {os.path.basename(file) for file in found.files} == {
        f"{n}.py" for n in ("main", *"abcde")
    }


def test_a_folder_with_too_many_programs_is_not_looked_through(place, monkeypatch):
    root = place(main="import lib\n", lib="", other="import main\n")
    monkeypatch.setattr(project, "_MOST_FILES", 2)
    assert Project(str(root / "main.py")).files == [str(root / "main.py"), str(root / "lib.py")]
    monkeypatch.setattr(project, "_MOST_FILES", 3)
    assert str(root / "other.py") in Project(str(root / "main.py")).files
    monkeypatch.setattr(project, "_MOST_ENTRIES", 2)
    assert str(root / "other.py") not in Project(str(root / "main.py")).files
    monkeypatch.setattr(project, "_MOST_ENTRIES", 3)
    assert str(root / "other.py") in Project(str(root / "main.py")).files


def test_hidden_folders_and_links_to_folders_are_left_out(place, tmp_path):
    root = place(main="", inner__user="import main\n")
    (root / ".hidden").mkdir()
    (root / ".hidden" / "user.py").write_text("import main\n")
    os.symlink(root / "inner", root / "linked")
    found = Project(str(root / "main.py"))
    assert found.files == [str(root / "main.py"), str(root / "inner" / "user.py")]


def test_a_link_that_leads_to_itself_is_no_program(place):
    root = place(main="", user="import main\n")
    os.symlink("round", root / "round")
    os.symlink("round.py", root / "round.py")
    found = Project(str(root / "main.py"))
    assert found.files == [str(root / "main.py"), str(root / "user.py")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import base\n", [("import of base, a module beside it", 1)]),
        ("\nfrom base import x\n", [("import of base, a module beside it", 2)]),
        ("import above\n", []),
        ("import os\n", []),
        ("import nowhere\n", []),
        ("from __future__ import absolute_import\nimport base\n", []),
        ("from . import base\n", []),
        ("def f():\n    import base\n", []),
        ("import string\n", []),
    ],
)
def test_what_only_python_2_finds_beside_a_module(text, found, place):
    root = place(
        main="import p.net\n", above="", p__base="", p__net=text, p__above="", p__string=""
    )
    init(root, "p")
    net = str(root / "p" / "net.py")
    project = Project(str(root / "main.py"))
    assert [*project.implicit(net)] == found
    assert project.implicit(str(root / "main.py")) == ()
    assert Project(net).implicit(net) == (), "started itself it finds what stands beside it"


@pytest.mark.parametrize("net", ["import shared, base\n", "import base\n"])
def test_a_folder_whose_files_are_run_from_there_is_no_package_of_python_2(net, place):
    root = place(
        main="import shared\n", shared="", p__serve="import shared, net\n", p__net=net, p__base=""
    )
    init(root, "p")
    project = Project(str(root / "main.py"))
    assert str(root / "p" / "net.py") in project.files
    assert project.implicit(str(root / "p" / "net.py")) == ()
    assert project.implicit(str(root / "p" / "serve.py")) == ()
    (root / "other.py").write_text("import shared, p.net\n")
    project = Project(str(root / "main.py"))
    assert [what for what, _ in project.implicit(str(root / "p" / "net.py"))] == [
        "import of base, a module beside it"
    ]
