"""`make matrix`: the tests on the ends of the range of versions that setup.py allows.

Each pair of a TensorFlow and a Python gets an environment of its own under
`.matrix/`, made when it is first wanted and again when setup.py changes. What
its tests printed stands beside it; the table at the end says how each went.

Before them the wheel in `dist/` is tried on each Python: installed alone in a new
environment, with `tests/smoke.py`.

    make matrix                               # the wheel, and the four ends
    make matrix ARGS=wheel                    # the wheel only; wheel/3.13 is one Python's
    make matrix ARGS="2.16.1/3.10 2.21.0/3.13"  # these pairs
    make matrix ARGS="3.13 -- tests/v1"  # all pairs with 3.13; pytest gets the rest
"""

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOME = ROOT / ".matrix"


LIBRARIES = ("pandas", "scikit-learn")
"""What old programs use and tfqueue adapts; the tests of that are skipped where one is missing."""


class Pair(NamedTuple):
    """One environment."""

    tensorflow: str
    python: str
    usual: bool
    """Whether it is tested when nothing is selected."""

    @property
    def folder(self):
        return HOME / f"tf{self.tensorflow}-py{self.python}"

    def __str__(self):
        return f"{self.tensorflow}/{self.python}"


PAIRS = (
    Pair("2.16.1", "3.10", True),
    Pair("2.16.1", "3.12", True),
    Pair("2.18.1", "3.11", False),
    Pair("2.20.0", "3.13", False),
    Pair("2.21.0", "3.10", True),
    Pair("2.21.0", "3.11", False),
    Pair("2.21.0", "3.12", False),
    Pair("2.21.0", "3.13", True),
)
"""The oldest TensorFlow has wheels for Python up to 3.12, the first with 3.13 is 2.20."""


class Wheel(NamedTuple):
    """The wheel on one Python."""

    python: str

    @property
    def folder(self):
        return HOME / f"wheel-py{self.python}"

    def __str__(self):
        return f"wheel/{self.python}"


WHEELS = tuple(Wheel(python) for python in sorted({pair.python for pair in PAIRS}))


class Outcome(NamedTuple):
    """What came of one environment."""

    pair: Pair | Wheel
    text: str
    good: bool


def interpreter(version):
    """The path of a Python of this version, from PATH or from pyenv; None if there is none."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
    found = sorted(pyenv.glob(f"versions/{version}.*/bin/python"))
    for path in [shutil.which(f"python{version}"), *map(str, reversed(found))]:
        # pyenv's own commands on PATH exist also for versions that are not switched on
        if path and _answer(path, "print('%d.%d' % __import__('sys').version_info[:2])") == version:
            return path
    return None


def _answer(python, code):
    done = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return done.stdout.strip()


def prepare(pair, log):
    """Makes the environment of `pair`, unless it is there already.

    Args:
      pair: A `Pair`.
      log: An open file for what pip says.

    Returns:
      The path of its Python.

    Raises:
      LookupError: If this machine has no such Python.
      subprocess.CalledProcessError: If something cannot be installed.
    """
    python = pair.folder / "bin" / "python"
    stamp = pair.folder / "ready"
    wanted = hashlib.sha256((ROOT / "setup.py").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    base = interpreter(pair.python)
    if base is None:
        raise LookupError(f"there is no Python {pair.python} on PATH or in pyenv")
    shutil.rmtree(pair.folder, ignore_errors=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    for command in (
        [base, "-m", "venv", pair.folder],
        [*pip, f"tensorflow=={pair.tensorflow}", "-e", ".[test]", *LIBRARIES],
    ):
        subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, check=True)
    stamp.write_text(wanted)
    return python


def test(pair, arguments):
    """Runs the tests in the environment of `pair`; returns an `Outcome`."""
    HOME.mkdir(exist_ok=True)
    path = HOME / f"{pair.folder.name}.log"
    began = time.monotonic()
    with path.open("w") as log:
        try:
            python = prepare(pair, log)
        except LookupError as error:
            return Outcome(pair, str(error), False)
        except subprocess.CalledProcessError:
            return Outcome(pair, f"could not be installed, see {path.relative_to(ROOT)}", False)
        log.flush()
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        # The commands that tests start must be those of the environment.
        places = os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
        environment = {**os.environ, "PATH": places, "TF_CPP_MIN_LOG_LEVEL": "2"}
        done = subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, env=environment)
    minutes = (time.monotonic() - began) / 60
    counted = re.findall(r"^(?:=+ )?(.*\b\d+ \w+.*) in [\d.]+s", path.read_text(), re.MULTILINE)
    said = counted[-1] if counted else f"no result, see {path.relative_to(ROOT)}"
    return Outcome(pair, f"{said} ({minutes:.0f} min)", done.returncode == 0)


def smoke(wheel):
    """Installs the wheel in a new environment and runs the smoke test; returns an `Outcome`."""
    shutil.rmtree(wheel.folder, ignore_errors=True)
    wheel.folder.mkdir(parents=True)
    path = HOME / f"{wheel.folder.name}.log"
    base, built = interpreter(wheel.python), sorted((ROOT / "dist").glob("*.whl"))
    if base is None or len(built) != 1:
        what = f"no Python {wheel.python}" if built else "no wheel in dist/: make package"
        return Outcome(wheel, f"there is {what}", False)
    python = wheel.folder / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    with path.open("w") as log:
        for command in (
            [base, "-m", "venv", wheel.folder],
            [*pip, "install", "--quiet", "--no-compile", *built],
            [*pip, "check"],
            [python, "-I", "-W", "error::DeprecationWarning:tfqueue", ROOT / "tests" / "smoke.py"],
        ):
            # In a folder of its own, so that nothing but the wheel can be imported.
            done = subprocess.run(
                command,
                cwd=wheel.folder,
                stdout=log,
                stderr=log,
                env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "2"},
            )
            if done.returncode:
                return Outcome(wheel, f"failed, see {path.relative_to(ROOT)}", False)
    return Outcome(wheel, path.read_text().splitlines()[-1], True)


def selected(words):
    """The pairs that `words` (such as `wheel`, `2.21.0`, `3.13`, `2.21.0/3.13`) mean.

    Raises:
      ValueError: If a word means none.
    """
    if not words:
        return [*WHEELS, *(pair for pair in PAIRS if pair.usual)]
    found = []
    for word in words:
        matching = [w for w in WHEELS if word in (str(w), "wheel")]
        matching += [p for p in PAIRS if word in (str(p), p.tensorflow, p.python)]
        if not matching:
            raise ValueError(f"{word}: there are {', '.join(map(str, WHEELS + PAIRS))}")
        found += [pair for pair in matching if pair not in found]
    return found


def main(argv=None):
    """Tests the selected pairs, one after the other; returns the exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    rest = argv[argv.index("--") + 1 :] if "--" in argv else []
    parser = argparse.ArgumentParser(prog="matrix", description=__doc__.splitlines()[0])
    parser.add_argument("pair", nargs="*", help="TENSORFLOW/PYTHON, or one of the two")
    args = parser.parse_args(argv[: len(argv) - len(rest)])
    try:
        pairs = selected(args.pair)
    except ValueError as error:
        parser.error(str(error))
    outcomes = []
    for pair in pairs:
        print(f"matrix: {pair} ...", flush=True)
        outcomes.append(smoke(pair) if isinstance(pair, Wheel) else test(pair, rest))
    width = max(len(str(outcome.pair)) for outcome in outcomes)
    print(f"\n{'TF/Python':<{width}}  tests")
    for outcome in outcomes:
        print(f"{outcome.pair!s:<{width}}  {'ok  ' if outcome.good else 'FAIL'}  {outcome.text}")
    return 0 if all(outcome.good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
