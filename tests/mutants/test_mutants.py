"""The list of mutants fits the code, and the runner tells what becomes of each."""

import subprocess
import sys

import pytest

from tests.mutants import __main__ as runner
from tests.mutants import entries

MUTANTS = entries.read()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.number}-{mutant.file}")
def test_an_entry_fits_the_code(mutant):
    text = (entries.ROOT / mutant.file).read_text("utf-8")
    compile(mutant.applied(text), mutant.file, "exec")
    assert mutant.new != mutant.old
    for test in mutant.tests:
        path, _, name = test.partition("::")
        assert (entries.ROOT / path).exists(), test
        if name:
            function = name.partition("[")[0]
            assert f"def {function}(" in (entries.ROOT / path).read_text("utf-8"), test


def test_there_are_enough():
    assert len(MUTANTS) >= 150
    each = {(mutant.file, mutant.old, mutant.new, mutant.tests) for mutant in MUTANTS}
    assert len(each) == len(MUTANTS)


LIST = """
# all that can become of one

code.py: the bound
- x < 5
+ x < 50
test_code.py::test_bound

code.py: nobody looks
- return 7
+ return 8
test_code.py

code.py: not there any more
- return 9
+ return 8
test_code.py

code.py: its test is gone
- return 7
+ return 8
test_code.py::test_gone
"""


def test_what_becomes_of_each(tmp_path):
    (tmp_path / "list").write_text(LIST)
    (tmp_path / "code.py").write_text(
        "def small(x):\n    return x < 5\n\n\ndef seven():\n    return 7\n"
    )
    (tmp_path / "test_code.py").write_text(
        "import code_under_test as code\n\n\ndef test_bound():\n    assert not code.small(7)\n\n\n"
        "def test_other():\n    code.seven()\n"
    )
    (tmp_path / "code.py").rename(tmp_path / "code_under_test.py")
    (tmp_path / "list").write_text(LIST.replace("\ncode.py", "\ncode_under_test.py"))
    # In a process of its own: this one has threads, and the runner forks.
    code = (
        "import pathlib, sys\n"
        "from tests.mutants import __main__ as runner, entries\n"
        "place = runner.Place(pathlib.Path(sys.argv[1]))\n"
        "for mutant, told, _ in runner.tried(entries.read(place.folder / 'list'), [place]):\n"
        "    print(mutant.guard, told, sep='=')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=entries.ROOT,
        capture_output=True,
        text=True,
    )
    found = dict(line.split("=") for line in done.stdout.splitlines())
    assert found == {
        "the bound": runner.KILLED,
        "nobody looks": runner.SURVIVED,
        "not there any more": runner.STALE,
        "its test is gone": runner.STALE,
    }


def test_an_entry_of_another_form_is_refused(tmp_path):
    (tmp_path / "list").write_text("code.py: a guard\n- old\ntest_code.py\n")
    with pytest.raises(ValueError, match="list:1: not `file: guard`"):
        entries.read(tmp_path / "list")
