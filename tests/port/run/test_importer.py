"""What finds a program's modules, one question at a time."""

import ast
import os
import sys
import types

import pytest

from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine
from tfqueue.port.run import importer
from tfqueue.port.source.files import Unreadable


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return tmp_path


def test_a_file_that_is_no_module(place):
    with pytest.raises(ImportError, match=r"a\.unknown is no file of a module"):
        importer.spec_of("a", str(place / "a.unknown"))
    spec = importer.spec_of("a", str(place / "a.py"))
    assert (spec.name, type(spec.loader).__name__) == ("a", "SourceFileLoader")


def test_a_librarys_module_is_as_it_is_while_a_program_runs(place):
    main = types.ModuleType("__main__")
    with importer.running(importer.Options(), str(place / "old.py"), [], main):
        loaders = [importer.spec_of("a", path).loader for path in (ast.__file__, "a.py")]
    assert [isinstance(loader, importer.Loader) for loader in loaders] == [False, True]


def test_what_is_the_users(place, monkeypatch):
    (place / "here").mkdir()
    options = importer.Options(also=frozenset(["pytest"]))
    finder = importer.Finder(options, str(place / "here"))
    assert finder.is_users(str(place / "here" / "a.py"))
    assert finder.is_users(str(place / "a.py"))
    assert finder.is_users("/somewhere/else/a.py")
    assert not finder.is_users(os.__file__)
    assert not finder.is_users(ast.__file__, "ast")
    assert finder.is_users(pytest.__file__, "pytest")
    assert finder.is_users(pytest.__file__, "pytest.inner")
    libraries = place.parent / "libraries"
    monkeypatch.setattr(sys, "path", [*sys.path, str(libraries)])
    finder = importer.Finder(importer.Options(), str(place / "here"))
    assert finder.is_users(str(place / "here" / "a.py"))
    assert not finder.is_users(str(libraries / "a.py"))
    assert finder.is_users("/somewhere/else/a.py")
    below = importer.Finder(importer.Options(root=str(place / "here")))
    assert below.is_users(str(place / "here" / "a.py"))
    assert not below.is_users(str(place / "a.py"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\ny = 7 / 2\n", 2),
        ("x = 1\nx /= 2\n", 2),
        ("x = round(2.5)\n", 1),
        ("from __future__ import division\nx = 7 / 2\nround(2.5)\n", 0),
        ("x = 7 // 2\nf(2.5)\n", 0),
        ("a.round(2)\n", 0),
    ],
)
def test_where_python_2_could_have_given_another_number(text, line):
    translation = engine.translate(text, "a.py", written_for=WrittenFor())
    assert importer._python3_numbers(translation) == line


def agrees(written_for, ran, python2=True):
    """What a program is written for after a module of Python 2 turns up behind others that ran."""
    options = importer.Options(written_for=written_for)
    for name, text, python in ran:
        options.ran[name] = engine.translate(text, name, written_for=WrittenFor(python2=python))
    module = engine.translate("print 1\n", "new.py", written_for=WrittenFor(python2=python2))
    importer._agrees("new.py", module, options)
    return options.written_for


def test_a_module_of_python_2_that_turns_up_makes_the_rest_python_2():
    found = agrees(WrittenFor(), [("a.py", "x = 1\n", False)])
    assert (found.python2, found.proven) == (True, True)
    for settled in (WrittenFor(given=True), WrittenFor(proven=True), WrittenFor(python2=True)):
        assert agrees(settled, [("a.py", "x = 7 / 2\n", False)]) == settled
    assert agrees(WrittenFor(), [("a.py", "x = y / 2\n", True)]).python2
    with pytest.raises(
        Unreadable, match=r"is Python 2, which shows only now; .*a\.py:1 has been run"
    ):
        agrees(WrittenFor(), [("b.py", "x = 1\n", False), ("a.py", "x = 7 / 2\n", False)])


def test_the_file_of_a_module(place, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(place)])
    (place / "one.py").write_text("")
    for name in ("pack", "pack/sub", "bare"):
        (place / name).mkdir()
    for name in ("pack/__init__", "pack/__main__", "pack/sub/__init__", "pack/sub/deep"):
        (place / f"{name}.py").write_text("")
    assert importer.module_file("one") == str(place / "one.py")
    assert importer.module_file("pack") == str(place / "pack" / "__main__.py")
    assert importer.module_file("pack.sub.deep") == str(place / "pack" / "sub" / "deep.py")
    for name, said in (("none", "no module"), ("pack.none", "no module"), ("one.x", "no module")):
        with pytest.raises(Unreadable, match=said):
            importer.module_file(name)
    for name in ("pack.sub", "bare"):
        with pytest.raises(Unreadable, match="is a package without a __main__"):
            importer.module_file(name)


def test_the_main_module(place):
    program = importer.main_module("a.py")
    assert program.__name__ == "__main__"
    assert program.__file__ == str(place / "a.py")
    assert program.__doc__ is None
    assert program.__cached__ is None
    assert program.__builtins__ is importer.builtins
    assert not hasattr(importer.main_module(None), "__file__")


def test_a_program_as_a_module_and_all_is_undone(place):
    (place / "helper.py").write_text("half = 7 / 2\n")
    (place / "old.py").write_text(
        "import sys, helper\nx = helper.half, sys.argv, __name__\nprint 1\n"
    )
    before = dict(sys.modules), [*sys.path], [*sys.argv], [*sys.meta_path], sys.dont_write_bytecode
    with importer.loaded("old.py", importer.Options()) as module:
        assert module.x == (3, ["old.py"], "old")
        assert sys.path[0] == str(place)
        assert sys.modules["old"] is module
        assert "helper" in sys.modules
    after = dict(sys.modules), [*sys.path], [*sys.argv], [*sys.meta_path], sys.dont_write_bytecode
    assert "helper" not in sys.modules
    assert after[1:] == before[1:]
    assert not (place / "__pycache__").exists()


def test_a_module_that_cannot_be_parsed_is_a_syntax_error(place):
    (place / "bad.py").write_text("x = (\n")
    (place / "old.py").write_text("import bad\n")
    with pytest.raises(SyntaxError) as caught:
        with importer.loaded("old.py", importer.Options()):
            pass
    assert caught.value.filename == str(place / "bad.py")


@pytest.mark.parametrize(
    ("path", "also"),
    [
        ("named/a.py", True),
        ("named/inner/a.py", True),
        ("single.py", True),
        ("other/a.py", False),
        ("other.py", False),
        ("site-packages/old_other/a.py", False),
        ("site-packages/tf_slim_not/a.py", False),
    ],
)
def test_what_the_user_named_is_translated_too(place, path, also):
    options = importer.Options(also=frozenset(["named", "single"]))
    assert importer._also(str(place / path), options) is also
    assert importer._also(str(place / path), importer.Options()) is False


def test_an_old_library_is_translated_where_it_is_installed(place):
    name = min(importer.OLD_LIBRARIES)
    options = importer.Options()
    assert importer._also(str(place / "site-packages" / name / "a.py"), options)
    assert importer._also(str(place / "site-packages" / f"{name}.py"), options)
    assert not importer._also(str(place / name / "a.py"), options)


def test_a_release_for_tensorflow_1_is_translated_where_it_is_installed(place):
    options, package = importer.Options(), place / "site-packages" / "sonnet"
    (package / "src").mkdir(parents=True)
    assert not importer._also(str(package / "src" / "linear.py"), options)
    (package / "python").mkdir()
    assert importer._also(str(package / "__init__.py"), options)
    assert importer._also(str(package / "python" / "sonnet" / "a.py"), options)
    assert importer.Finder(options).is_users(str(package / "__init__.py"), "sonnet")
    assert not importer._also(str(place / "sonnet" / "python" / "a.py"), options)


def test_a_module_of_the_programs_folder_that_was_imported_before_is_put_aside(place, monkeypatch):
    (place / "twin.py").write_text("number = 2\n")
    (place / "other.py").write_text("number = 2\n")
    (place / "old.py").write_text("import twin, other\nnumbers = twin.number, other.number\n")
    of_folder, of_nowhere = types.ModuleType("twin"), types.ModuleType("other")
    of_folder.__file__ = str(place / "twin.py")
    for module in (of_folder, of_nowhere):
        module.number = 1
        monkeypatch.setitem(sys.modules, module.__name__, module)
    with importer.loaded("old.py", importer.Options()) as program:
        assert program.numbers == (2, 1)
    assert (sys.modules["twin"], sys.modules["other"]) == (of_folder, of_nowhere)
