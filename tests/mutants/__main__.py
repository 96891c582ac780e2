"""`make mutants`: names each change that no test notices, and each entry that fits no more.

    python -m tests.mutants                      # all
    python -m tests.mutants records/ "checksum"  # those whose file or guard holds one of the words

TensorFlow is imported once; each mutant's tests run in a child of that process, in a copy of the
repository.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import py_compile
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from tests.mutants import entries

KILLED, SURVIVED, STALE = "killed", "SURVIVED", "STALE"
SECONDS = 300
"""A change that makes its tests take so long is noticed, too."""
SECONDS_A_TEST = 60
"""As is one that makes a single test take so long."""


def copy_of(root: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """A copy of what git knows, and of what is new, at `folder`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (root / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)
    return folder


class Place:
    """A copy of the repository in which one mutant after the other is tried."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.child = 0

    def start(self, mutant: entries.Mutant) -> None:
        """Applies the change and starts its tests.

        Raises:
            Stale: If the entry does not fit.
        """
        self.mutant, self.began = mutant, time.monotonic()
        self.path = self.folder / mutant.file
        if not self.path.exists():
            raise entries.Stale(f"list:{mutant.number}: there is no {mutant.file}")
        self.original = self.path.read_text("utf-8")
        changed = mutant.applied(self.original)
        compile(changed, mutant.file, "exec")
        # Its bytecode is known by the text: two changes in one second are told apart.
        by_text = py_compile.PycInvalidationMode.CHECKED_HASH
        py_compile.compile(str(self.path), doraise=True, invalidation_mode=by_text)
        self.path.write_text(changed, "utf-8")
        self.log = self.folder / "mutant.log"
        self.child = os.fork()
        if not self.child:
            self._run()

    def _run(self) -> None:
        """In the child: pytest, as if from the command line."""
        os.setsid()
        output = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(self.folder)
        os.environ["PYTHONPATH"] = str(self.folder)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False
        sys.path[:] = [str(self.folder), *(p for p in sys.path if p not in ("", os.getcwd()))]
        for name in [n for n in sys.modules if n.partition(".")[0] in ("tests", "tfqueue")]:
            del sys.modules[name]
        status = 70
        try:
            import pytest

            options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
            options += ["-o", f"timeout={SECONDS_A_TEST}"]
            status = int(pytest.main([*options, *self.mutant.tests]))
        finally:
            sys.stdout.flush()
            os._exit(status)

    def ended(self) -> tuple[str, str] | None:
        """`(outcome, words)` once the tests have ended; None while they run."""
        late = time.monotonic() - self.began > SECONDS
        child, status = os.waitpid(self.child, 0 if late and self._kill() else os.WNOHANG)
        if not child:
            return None
        self._kill()  # what the tests have started
        self.child = 0
        self.path.write_text(self.original, "utf-8")
        code = os.waitstatus_to_exitcode(status)
        if late:
            return KILLED, "its tests hang"
        if code == 0:
            return SURVIVED, "its tests pass"
        if code == 1 or code < 0:
            return KILLED, ""
        lines = self.log.read_text("utf-8", "replace").splitlines()
        return STALE, f"pytest ended with {code}: {lines[-1] if lines else ''}"

    def _kill(self) -> bool:
        try:
            os.killpg(self.child, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return True


def tried(mutants, places):
    """Tries all, in as many at once as there are places; gives `(mutant, outcome, words)`."""
    waiting, idle, busy = list(mutants), list(places), []
    while waiting or busy:
        while waiting and idle:
            place, mutant = idle.pop(), waiting.pop(0)
            try:
                place.start(mutant)
            except (entries.Stale, SyntaxError) as error:
                idle.append(place)
                yield mutant, STALE, str(error)
            else:
                busy.append(place)
        for place in list(busy):
            outcome = place.ended()
            if outcome:
                busy.remove(place)
                idle.append(place)
                yield place.mutant, *outcome
        time.sleep(0.05)


def main(argv: list[str] | None = None) -> int:
    """Tries the mutants; the exit status is 1 if one survived or does not fit."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("word", nargs="*", help="part of a file's name or of a guard")
    parser.add_argument("-j", type=int, default=2, help="how many at once")
    args = parser.parse_args(argv)
    mutants = [
        mutant
        for mutant in entries.read()
        if not args.word or any(word in str(mutant) for word in args.word)
    ]
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import tensorflow.compat.v1  # noqa: F401  (for the children)

    counted = dict.fromkeys((KILLED, SURVIVED, STALE), 0)
    with tempfile.TemporaryDirectory() as folder:
        places = []
        for number in range(args.j):
            (pathlib.Path(folder) / str(number)).mkdir()
            places.append(Place(copy_of(entries.ROOT, pathlib.Path(folder) / str(number))))
        for mutant, outcome, words in tried(mutants, places):
            counted[outcome] += 1
            if outcome != KILLED or words:
                print(f"{outcome}: list:{mutant.number}: {mutant}: {words}", flush=True)
    print("mutants: " + ", ".join(f"{number} {name}" for name, number in counted.items()))
    return 1 if counted[SURVIVED] or counted[STALE] else 0


if __name__ == "__main__":
    sys.exit(main())
