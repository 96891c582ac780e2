"""The changes that are drawn, the probes that tell which tests reach them, and what becomes of each."""

import json
import os
import pathlib
import subprocess
import sys
import textwrap
import types

import pytest

from tests.mutants import __main__ as runner
from tests.mutants import changes, draw, reached
from tests.mutants.places import ROOT

OFFERED = [
    # a line, the lines that it may become
    ("x = a < b", ["x = a <= b"]),
    ("x = a == b", ["x = a != b"]),
    ("x = a not  in b", ["x = a in b"]),
    ("x = a is not b", ["x = a is b"]),
    ("x = a is b", ["x = a is not b"]),
    ("x = a < b < c", ["x = a <= b < c", "x = a < b <= c"]),
    ("x = a and b or c", ["x = a or b or c", "x = a and b and c"]),
    ("x = not a", ["x = (a)"]),
    ("x = b if a else c", ["x = b if not (a) else c"]),
    ("x = [a for a in b if a]", ["x = [a for a in b if True]"]),
    ("x = 7", ["x = 8"]),
    ("x = 0.5", ["x = 1.5"]),
    ("x = True", ["x = False"]),
    ("x = a + b", ["x = a - b"]),
    ("x = a * (b)", ["x = a / (b)"]),
    ("x = a // b", ["x = a / b"]),
    ("x += a", ["x -= a"]),
    ("f(a)", ["pass"]),
    ("x = min(a, b)", ["x = max(a, b)"]),
    ("x = 'é' + f(1)", ["x = 'é' + f(2)"]),
    ("if a: b = c", ["if not (a): b = c", "if True: b = c", "if False: b = c"]),
    ("while a: b = c", ["while not (a): b = c"]),
    ("def f(): return a", ["def f(): return None"]),
    ("def f() -> bool: return a", ["def f() -> bool: return not (a)"]),
    ("def f() -> bool: return False", ["def f() -> bool: return True"]),
    (
        "def f():\n # type: () -> bool\n return a",
        ["def f():\n # type: () -> bool\n return not (a)"],
    ),
    (
        "def f() -> int:\n def g() -> bool: h\n return a",
        ["def f() -> int:\n def g() -> bool: h\n return None"],
    ),
    ("x = zip(a, b, strict=False)", ["x = zip(a, b, strict=True)"]),
    ("def f(): raise a", ["def f(): pass"]),
    ("while True: break", ["while True: pass", "while True: continue", "while False: break"]),
    ("while True: continue", ["while True: pass", "while True: break", "while False: continue"]),
]


@pytest.mark.parametrize(("line", "expected"), OFFERED)
def test_a_line_offers_its_changes(line, expected):
    source = line.encode()
    found = [change.applied(source).decode() for change in changes.of("m.py", source)]
    assert sorted(found) == sorted(expected)


NO_TEST_CAN_NOTICE = [
    '"""Text with 1 < 2."""',
    "x: 'Literal[1]' = a",
    "def f(x: g(1)) -> g(2): pass",
    "@cache(maxsize=4)\ndef f(): pass",
    "assert a < 1, f(2)",
    "x = zip(a, b, strict=True)",
    "class C:\n    def __repr__(self): return f(1)",
    "__all__ = [1]",
    "if TYPE_CHECKING:\n    f(a)",
    "x = f'{a + 1:3d}'",
    "def f(): return None",
    "def f(): raise NotImplementedError(a)",
    "match a:\n    case 1: b = c",
]


@pytest.mark.parametrize("source", NO_TEST_CAN_NOTICE)
def test_what_no_test_can_notice_offers_none(source):
    assert changes.of("m.py", source.encode()) == []


def test_a_condition_on_the_platform_is_left_alone_but_not_what_it_guards():
    source = b"if sys.platform == 'win32':\n    f(a)\n"
    assert [change.line for change in changes.of("m.py", source)] == [2]


def test_a_change_is_told_as_a_diff():
    source = b"a = b\nif a:\n    c = 1\n"
    (change,) = [found for found in changes.of("m.py", source) if found.new == "False"]
    assert change.diff(source).splitlines() == [
        *("--- m.py", "+++ m.py", "@@ -2 +2 @@", "-if a:", "+if False:")
    ]


def test_the_same_seed_draws_the_same_changes_each_of_its_own_line():
    sources = {"a.py": b"x = 1 + 2\n" * 50, "b.py": b"y = f(3)\n" * 50}
    found = draw.drawn(sources, 20, seed=5)
    assert draw.drawn(sources, 20, seed=5) == found
    assert draw.drawn(sources, 20, seed=6) != found
    assert len({(change.file, change.line) for change in found}) == 20
    assert len(draw.drawn(sources, 1000, seed=5)) == 100


@pytest.mark.exhaustive
def test_changes_of_the_package_can_be_compiled_with_and_without_probes():
    sources = draw.modules(ROOT)
    assert {name.split("/")[0] for name in sources} == {"tfqueue"}
    for change in draw.drawn(sources, 8, seed=1):
        compile(change.applied(sources[change.file]), change.file, "exec")
        every = [*enumerate(changes.of(change.file, sources[change.file]))]
        compile(reached.with_probes(sources[change.file], every), change.file, "exec")


def test_whoever_calls_a_function_reaches_its_defaults(tmp_path, monkeypatch):
    source = textwrap.dedent("""\
        def f(x=1, *, y=2 + 3):
            \'\'\'It has
            a docstring.\'\'\'
            if x:
                return y

        def g(x=4): return f(x)

        def h(x=5):
            if x:
                return x
        """)
    found = changes.of("probed.py", source.encode())
    probed = reached.with_probes(source.encode(), enumerate(found)).decode()
    assert len(probed.splitlines()) == len(source.splitlines())
    told = []
    probe = types.SimpleNamespace(reached=told.append)
    monkeypatch.setitem(sys.modules, reached.MODULE, probe)
    names: dict = {}
    exec(probed, names)
    of_defaults = {one.line for one in map(found.__getitem__, told)}
    assert of_defaults == {1, 7, 9}, "as the module is imported"
    told.clear()
    assert names["g"]() == 5
    words = {source.encode()[one.start : one.end].decode() for one in map(found.__getitem__, told)}
    assert {"1", "2", "3", "4", "+"} <= words
    assert "5" not in words


def test_a_probe_tells_of_what_is_reached_and_changes_nothing(tmp_path, monkeypatch):
    source = textwrap.dedent("""\
        def f(x):
            if x > 1 and x < 5:
                return (x + 1) * 2
            g()
            return [y for y in range(x) if y]

        def g():
            raise ValueError(0)
        """)
    found = changes.of("probed.py", source.encode())
    (tmp_path / "probed.py").write_text(source)
    (tmp_path / "tfqueue").mkdir()
    (tmp_path / "tfqueue" / "__init__.py").touch()
    reached.put_probes(tmp_path, found)
    probed = (tmp_path / "probed.py").read_text()
    assert len(probed.splitlines()) == len(source.splitlines())
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, reached.MODULE, raising=False)

    names: dict = {}
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "a.py::test_a (call)")
    exec(probed, names)
    assert names["f"](3) == 8
    monkeypatch.delenv("PYTEST_CURRENT_TEST")  # as in a process with an environment of its own
    reached.say_test(tmp_path, "a.py::test_b")
    with pytest.raises(ValueError, match="0"):
        names["f"](1)
    told = reached.read(tmp_path)

    lines = {}
    for number, tests in told.items():
        lines.setdefault(found[number].line, set()).update(tests)
    a, b = "a.py::test_a", "a.py::test_b"
    assert lines == {2: {a, b}, 3: {a}, 4: {b}, 8: {b}}
    assert reached.read(tmp_path) == {}

    # It is there before the importer of programs, which would translate it.
    loaded = "import sys, tfqueue; print(sys.modules['mutant_probe'].__file__)"
    done = subprocess.run(
        [sys.executable, "-c", loaded], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.strip() == str(tmp_path / "mutant_probe.py"), done.stderr


def test_what_is_made_as_a_module_of_the_package_is_imported_is_of_all_tests(tmp_path, monkeypatch):
    source = "LIMIT = 5\n\ndef f(x=7):\n    return x < LIMIT\n"
    found = changes.of("tfqueue/made.py", source.encode())
    (tmp_path / "tfqueue").mkdir()
    (tmp_path / "tfqueue" / "__init__.py").touch()
    (tmp_path / "tfqueue" / "made.py").write_text(source)
    reached.put_probes(tmp_path, found)
    done = subprocess.run(
        [sys.executable, "-c", "from tfqueue import made; made.f()"],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_CURRENT_TEST": "a.py::test_a (call)"},
    )
    assert done.returncode == 0
    told = reached.read(tmp_path)
    lines = {found[number].line: tests for number, tests in told.items()}
    assert lines == {1: ["", "a.py::test_a"], 3: ["", "a.py::test_a"], 4: ["a.py::test_a"]}


@pytest.fixture
def repository(tmp_path):
    """A repository with a package of one module and its tests."""

    def write(name, text):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text))

    write(
        "tfqueue/core/code.py",
        """\
        import os


        def bound(x):
            return x < 5


        def unseen(x):
            return x


        def unreached(x):
            return x


        def equal(x):
            return abs(x)


        def ends(numbers):
            while numbers:
                del numbers[0]


        def crashes(x):
            x = x or os.abort()


        LIMIT = 10
        """,
    )
    write(
        "tests/core/test_code.py",
        """\
        import subprocess, sys
        from tfqueue.core import code

        def test_bound():
            program = "from tfqueue.core import code; assert not code.bound(5)"
            subprocess.run([sys.executable, "-c", program], check=True)

        def test_others():
            code.unseen(1), code.equal(1), code.ends([]), code.crashes(1)

        def test_limit():
            assert code.LIMIT == 10

        def test_that_fails():
            assert code.unseen(1) == 2
        """,
    )
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    reason = "nobody uses what it gives"
    same = [
        {"change": ["-return abs(x)", "+return None"], "reason": reason},
        {"change": ["-return x", "+return None"], "in": "bound", "reason": "It is another's."},
    ]
    (tmp_path / "equivalent.json").write_text(json.dumps(same))
    return tmp_path


def made(repository, tests=()) -> tuple[dict, str]:
    """What a run with all changes finds, by function, and what it prints."""
    # In a process of its own: this one has threads, and the runner forks.
    code = """
        import argparse, pathlib, sys
        from tests.mutants import __main__ as runner
        root = pathlib.Path(sys.argv[1])
        runner.SECONDS_MORE = 5
        runner.EQUIVALENTS = root / "equivalent.json"
        args = argparse.Namespace(count=99, seed=3, only="", limit=60, rounds=3)
        args.tests = sys.argv[2:]
        run = runner.Run(root, root / "out", args)
        runner.carry_out(run, 2)
        print(run.totals()[0])
        """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(repository), *tests],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (results,) = repository.glob("out/*/results.jsonl")
    rows = runner.lines_of(results)
    lines = (repository / "tfqueue/core/code.py").read_text().splitlines()
    return {lines[row["line"] - 1].strip(): row for row in rows}, done.stdout


def test_what_becomes_of_each(repository):
    rows, printed = made(repository)
    assert {line: row["outcome"] for line, row in rows.items()} == {
        "return x < 5": "killed",
        "return x": "SURVIVED",
        "return abs(x)": "SURVIVED",
        "while numbers:": "killed",
        "del numbers[0]": "SURVIVED",
        "x = x or os.abort()": "killed",
        "LIMIT = 10": "killed",
    }
    assert rows["return x < 5"]["words"] == "tests/core/test_code.py::test_bound"
    assert "fails without a change, left out: tests/core/test_code.py::test_that_fails" in printed
    assert "SURVIVED: tfqueue/core/code.py:13: return None (no test reaches it)" in printed
    assert "-    return x\n+    return None" in printed
    assert "abs" not in printed, "it has a reason"
    assert "| all                            |      4 |        3 |               1 |" in printed


def test_it_goes_on_where_it_was_and_tries_survivors_with_new_tests(repository):
    made(repository)
    (results,) = repository.glob("out/*/results.jsonl")
    text = results.read_text()
    results.write_text(text[:-20])  # interrupted as it wrote

    (repository / "tests/core/test_more.py").write_text(
        "from tfqueue.core import code\n\ndef test_unreached():\n    assert code.unreached(1) == 1\n"
    )
    rows, _ = made(repository)
    again = results.read_text()[len(text) - 20 :].splitlines()[1:]
    assert len(again) == 2, "the one that was cut off, and what the new test reaches"
    assert rows["return x"]["outcome"] == "killed"


def test_survivors_are_tried_with_given_files_of_tests_alone(repository):
    made(repository)
    (results,) = repository.glob("out/*/results.jsonl")
    before = len(results.read_text().splitlines())
    file = "tests/core/test_more.py"
    (repository / file).write_text(
        "from tfqueue.core import code\n\ndef test_unreached():\n    assert code.unreached(1) == 1\n"
    )
    rows, _ = made(repository, tests=[file])
    assert len(results.read_text().splitlines()) == before + 1
    assert rows["return x"]["words"] == f"{file}::test_unreached"


def test_a_file_of_tests_is_looked_at_again_if_a_program_beside_it_is_another(repository):
    made(repository)
    (observed,) = repository.glob("out/*/observed.jsonl")
    before = len([*runner.lines_of(observed)])
    (repository / "tests/core/programs").mkdir()
    (repository / "tests/core/programs/a.py").write_text("print(1)\n")
    made(repository)
    assert len([*runner.lines_of(observed)]) == before + 1


def test_nearest_first_and_no_longer_than_the_limit(tmp_path):
    uses = "from tfqueue.core import code"
    for name, text in [("core/test_code.py", ""), ("test_far.py", ""), ("test_uses.py", uses)]:
        path = tmp_path / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (change,) = changes.of("tfqueue/core/code.py", b"x = 1")

    def observed(file, reached, **seconds):
        ids = {f"tests/{file}::{name}": taken for name, taken in seconds.items()}
        named = [f"tests/{file}::{name}" if name else "" for name in reached]
        return draw.Observed(f"tests/{file}", False, "", ids, {0: named})

    files = [
        observed("test_far.py", ["quick", "slow"], quick=0.1, slow=50),
        observed("core/test_code.py", ["a", "b"], a=3, b=2, unreached=1),
        observed("test_uses.py", [""], c=1),
    ]
    found = draw.nearest(0, change, files, tmp_path, limit=20)
    assert [*found] == [
        *("tests/core/test_code.py::b", "tests/core/test_code.py::a"),
        *("tests/test_far.py::quick", "tests/test_uses.py::c"),
    ]
    assert draw.nearest(1, change, files, tmp_path, limit=20) == {}
    names = [tests.file for tests in files]
    for name in ("core/test_odd_code.py", "other/test_code.py", "test_odd_code.py"):
        (tmp_path / "tests" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "tests" / name).write_text("")
    odd = ["tests/core/test_odd_code.py", "tests/other/test_code.py", "tests/test_odd_code.py"]
    assert [draw.nearness(tmp_path, name, change.file) for name in odd] == [3, 0, 2]
    assert draw.near(tmp_path, names, change.file, most=True) == names[1:]
    assert draw.near(tmp_path, names, "tfqueue/core/__init__.py", most=True) == names[2:]
    assert draw.near(tmp_path, names, "tfqueue/core/__init__.py", most=False) == names[1:]
    assert draw.near(tmp_path, names, "tfqueue/core/other.py", most=True) == names[1:2]


def test_near_are_programs_beside_a_file_of_tests_that_use_the_public_name_of_contrib(tmp_path):
    for name, text in [
        ("golden/test_golden.py", ""),
        ("golden/scenarios/crf.py", "tf.contrib.crf.viterbi_decode(scores, parameters)"),
        ("other/test_other.py", ""),
        ("other/inner/test_inner.py", "tf.contrib.crf"),
    ]:
        path = tmp_path / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    files = [f"tests/{name}" for name in ("golden/test_golden.py", "other/test_other.py")]
    for module in ("tfqueue/contrib/crf/__init__.py", "tfqueue/contrib/crf/decoding.py"):
        assert draw.near(tmp_path, files, module, most=True) == files[:1]
    assert draw.near(tmp_path, files, "tfqueue/contrib/rnn/__init__.py", most=False) == []


def test_reasons_name_a_change_each():
    rows = json.loads((pathlib.Path(__file__).parent / "equivalent.json").read_text("utf-8"))
    sources = draw.modules(ROOT)
    for row in rows:
        assert row.keys() - {"in"} == {"change", "reason"}
        assert {line[0] for line in row["change"]} == {"-", "+"}, row
        assert row["reason"].endswith("."), row
        removed = [line[1:] for line in row["change"] if line[0] == "-"]
        assert any(
            runner.equivalent(change, source) == row["reason"]
            for name, source in sources.items()
            if removed[0] in source.decode()
            for change in changes.of(name, source)
            if source.splitlines()[change.line - 1].decode().strip() in removed
        ), row
