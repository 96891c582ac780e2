"""Where a program's modules are looked for."""

import os
import sys

import pytest

from tfqueue.port.program import folders
from tfqueue.port.program.module import Module


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sys.path.append('lib')\n", ["{here}/lib"]),
        ("sys.path.insert(0, 'lib')\n", ["{here}/lib"]),
        ("sys.path.append('/a/../lib')\n", ["/lib"]),
        ("sys.path.extend(['lib'])\n", []),
        ("sys.path.append()\n", []),
        ("sys.path.append(find())\n", []),
        ("sys.path.append(1)\n", []),
        ("sys.path.append(name)\nsys.path.append('b')\n", ["{here}/b"]),
        ("name = 'lib'\nsys.path.append(name)\n", ["{here}/lib"]),
        ("name = 'lib'\nname = 'b'\nsys.path.append(name)\n", []),
        ("a = b\nb = c\nc = d\nd = e\ne = 'lib'\nsys.path.append(a)\n", ["{here}/lib"]),
        ("a = b\nb = c\nc = d\nd = e\ne = f\nf = 'lib'\nsys.path.append(a)\n", []),
        ("a = a\nsys.path.append(a)\n", []),
        ("sys.path.append(os.path.join('a', 'b') + 'c')\n", ["{here}/a/bc"]),
        ("sys.path.append('a' * 2)\n", []),
        ("sys.path.append(os.path.dirname(__file__))\n", ["{folder}"]),
        (
            "sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))\n",
            ["{up}"],
        ),
        ("sys.path.append(os.path.join(sys.path[0], 'a'))\n", ["{folder}/a"]),
        (
            "here = os.path.split(inspect.getfile(inspect.currentframe()))[0]\n"
            "sys.path.insert(0, os.path.realpath(os.path.join(here, '..')))\n",
            ["{up}"],
        ),
        ("sys.path.append(os.path.dirname(inspect.stack()[0][1]))\n", ["{folder}"]),
        ("sys.path.append(os.path.split('a/b')[1])\n", []),
        ("parts = os.path.split('/a/b')\nsys.path.append(parts[0])\n", ["/a"]),
        ("parts = os.path.split('/a/b')\nsys.path.append(parts[1])\n", []),
        ("sys.path.append(os.getcwd())\n", ["{here}"]),
        ("sys.path.append(os.path.basename('a'))\n", []),
        ("sys.path.append(os.path.realpath('a'))\n", ["{here}/a"]),
        ("sys.path.append(os.path.normpath('a//b'))\n", ["{here}/a/b"]),
        ("sys.path.append(os.path.expanduser('~/a'))\n", ["{home}/a"]),
    ],
)
def test_folders_that_a_program_adds(text, found, tmp_path, monkeypatch):
    here, folder = tmp_path / "here", tmp_path / "up" / "folder"
    here.mkdir()
    monkeypatch.chdir(here)
    module = Module(f"import inspect, os, sys\n{text}", str(folder / "program.py"))
    known = {"here": here, "folder": folder, "up": folder.parent, "home": os.path.expanduser("~")}
    assert [*folders.added(module)] == [one.format(**known) for one in found]


def test_folders_that_are_given(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["a", "", "/b"]))
    assert folders.given_folders() == [str(tmp_path), str(tmp_path / "a"), "/b"]
    monkeypatch.delenv("PYTHONPATH")
    assert folders.given_folders() == [str(tmp_path)]


def test_libraries_and_what_is_the_users(tmp_path):
    assert folders.is_library(os.__file__)
    assert folders.is_library(pytest.__file__)
    assert folders.is_library(folders.__file__)
    assert not folders.is_library(str(tmp_path / "a.py"))
    assert not folders.is_library(os.path.join(sys.prefix, "a.py"))


def test_a_link_stands_for_the_folder_behind_it(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "p.py").write_text("")
    os.symlink(tmp_path / "a" / "p.py", tmp_path / "p.py")
    assert folders.home(str(tmp_path / "p.py")) == str(tmp_path / "a")
