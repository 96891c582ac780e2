"""Processes that `multiprocessing` starts run the translated program, however they are started."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import multiprocessing
import helper

def half(x):
    print 'in', __name__ in ('__main__', '__mp_main__')
    return x / 2, helper.half(x)

if __name__ == '__main__':
    pool = multiprocessing.get_context({method!r}).Pool(1)
    print pool.map(half, [1, 3])
    pool.close()
    pool.join()
"""
HELPER = "def half(x): return x / 2, str is bytes or isinstance(u'', unicode)\n"


def written(folder, method):
    folder.mkdir(exist_ok=True)
    (folder / "old.py").write_text(PROGRAM.format(method=method))
    (folder / "helper.py").write_text(HELPER)


def printed(folder, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "tfqueue", "run", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


EXPECTED = ["in True", "in True", "[(0, (0, True)), (1, (1, True))]"]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_pool_computes_as_python_2_did(method, tmp_path):
    written(tmp_path, method)
    assert printed(tmp_path, "old.py") == EXPECTED


def test_a_pool_of_a_module_computes_as_python_2_did(tmp_path):
    written(tmp_path / "package", "spawn")
    (tmp_path / "package" / "__init__.py").touch()
    assert printed(tmp_path, "-m", "package.old") == EXPECTED


def test_a_pool_has_the_verdict_of_the_command(tmp_path):
    """Nothing in these modules proves a Python, so that the user says it."""
    (tmp_path / "old.py").write_text(
        "import multiprocessing, sys\n"
        "import helper\n"
        "def half(x): return x / 2, helper.half(x)\n"
        "def is_old(release): return sys.modules['tfqueue.release'].before(release)\n"
        "if __name__ == '__main__':\n"
        "    pool = multiprocessing.get_context('spawn').Pool(1)\n"
        "    print(pool.map(half, [1, 3]))\n"
        "    print(pool.map(is_old, ['1.3', '1.5']))\n"
        "    pool.close()\n"
        "    pool.join()\n"
    )
    (tmp_path / "helper.py").write_text("def half(x): return x / 2\n")
    two, three = ["--python", "2", "--era", "1.4"], ["--python", "3"]
    assert printed(tmp_path, *two, "old.py") == ["[(0, 0), (1, 1)]", "[False, True]"]
    assert printed(tmp_path, *three, "old.py") == ["[(0.5, 0.5), (1.5, 1.5)]", "[False, False]"]


def test_a_process_has_the_old_names_of_tensorflow(tmp_path):
    (tmp_path / "old.py").write_text(
        "import multiprocessing\n"
        "import tensorflow as tf\n"
        "def shape(): print(tf.pack([1, 2]).get_shape())\n"
        "if __name__ == '__main__':\n"
        "    process = multiprocessing.get_context('spawn').Process(target=shape)\n"
        "    process.start()\n"
        "    process.join()\n"
        "    print(process.exitcode)\n"
    )
    assert printed(tmp_path, "old.py") == ["(2,)", "0"]


def test_a_notebooks_processes_import_no_main(tmp_path):
    """As in Jupyter: a function of the notebook itself is not found there, one of a module is."""
    cell = (
        "import helper, multiprocessing\n"
        "pool = multiprocessing.get_context('spawn').Pool(1)\n"
        "print pool.map(helper.half, [1, 3])\n"
        "pool.close()\n"
        "pool.join()\n"
    )
    written(tmp_path, "spawn")
    document = {
        "cells": [
            {
                "cell_type": "code",
                "metadata": {},
                "source": cell,
                "outputs": [],
                "execution_count": None,
            }
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    (tmp_path / "notes.ipynb").write_text(json.dumps(document))
    assert printed(tmp_path, "notes.ipynb")[-1] == "[(0, True), (1, True)]"
