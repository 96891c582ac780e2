"""Runs each row's program on plain TensorFlow and writes what came of it to `plain.json`.

    python -m tests.failures.plain            # all
    python -m tests.failures.plain missing_file dead_feeder     # these rows

A row that is not fine today must fail there: else its test would not make the failure. Each program
runs in a process of its own, forked from one that has TensorFlow imported; one that hangs is killed.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import importlib
import inspect
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import types
import warnings

PLAIN = pathlib.Path(__file__).with_name("plain.json")
_PATIENCE = 12
"""Seconds after which a program hangs; one that does not takes one or two."""
_AT_ONCE = 5
"""Programs at a time; many of them only wait."""


def name_of(row, way: str) -> str:
    """What a case is called in the file: the row, its program, how it runs, and its source's hash."""
    return f"{row.name} {row.program.__name__} {way} {_hash(inspect.getsource(row.program))}"


def name_of_process(process) -> str:
    """The same for a row with a process of its own."""
    return f"{process.name} process {_hash(process.program)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def recorded() -> dict[str, list[str]]:
    """By case, what was not as the row says; nothing, if plain TensorFlow did it all."""
    return json.loads(PLAIN.read_text("utf-8"))


def _use(original: str) -> None:
    """Puts plain TensorFlow in the place of `tfqueue.v1`."""
    tf = importlib.import_module(original)
    if original != "tensorflow":
        tf.disable_v2_behavior()
    import tfqueue

    sys.modules["tfqueue.v1"] = tfqueue.v1 = tf
    # What the tests ask of tfqueue's insides; nothing of it is used by the programs.
    sys.modules["tfqueue.session.session"] = types.ModuleType("tfqueue.session.session")


def _row_in_child(number: int, way: str) -> list[str]:
    from .kit import Stage
    from .rows import rows

    row = rows()[number]
    raised = value = None
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stage = Stage(pathlib.Path(folder), way)
        try:
            value = row.program(stage)
        except Exception as error:  # noqa: BLE001
            raised = error
        return row.problems(stage, raised, value, [])


def _in_children(jobs) -> dict[str, list[str]]:
    """What each function returns in a forked process of its own; that it hangs, if it does.

    Args:
        jobs: `(name, function, arguments)` of each.
    """
    waiting, running, found = list(jobs), {}, {}
    while waiting or running:
        while waiting and len(running) < _AT_ONCE:
            name, function, arguments = waiting.pop(0)
            reading, writing = os.pipe()
            child = os.fork()
            if not child:
                _report(writing, function, arguments)
            os.close(writing)
            running[child] = name, reading, time.monotonic() + _PATIENCE
        for child, (name, reading, until) in list(running.items()):
            late = time.monotonic() > until
            if late:
                os.kill(child, signal.SIGKILL)
            if os.waitpid(child, 0 if late else os.WNOHANG)[0]:
                del running[child]
                with os.fdopen(reading) as file:
                    text = file.read()
                found[name] = ["it hangs"] if late else json.loads(text or '["it died"]')
        time.sleep(0.05)
    return found


def _report(writing: int, function, arguments) -> None:
    """In the child: calls the function, and ends."""
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    found = ["it died"]
    try:
        found = function(*arguments)
    except BaseException as error:  # noqa: BLE001
        found = [f"it could not be run: {error!r}"]
    finally:
        os.write(writing, json.dumps(found)[:60000].encode())
        os._exit(0)


def _process(process, path: str) -> list[str]:
    """What is not as a process's row says."""
    from .processes import BEGINNING

    beginning = BEGINNING.replace(
        "import tfqueue, tfqueue.v1 as tf",
        "import tfqueue, tensorflow.compat.v1 as tf; tf.disable_v2_behavior()",
    )
    program = subprocess.Popen(
        [sys.executable, "-c", beginning + process.program, path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"},
    )
    printed = ""
    try:
        if process.interrupt:
            printed = program.stdout.readline()
            program.send_signal(signal.SIGINT)
        rest, said = program.communicate(timeout=10 * _PATIENCE)
    except subprocess.TimeoutExpired:
        return ["it hangs"]
    finally:
        program.kill()
    return process.problems(printed + rest, program.returncode, said)


def main() -> int:
    """Writes the file; the exit status is 1 if a row that is not fine today holds."""
    wanted = sys.argv[1:]
    before = recorded() if wanted else {}
    found = {name: told for name, told in before.items() if name.split()[0] not in wanted}
    for original in ("tensorflow.compat.v1", "tensorflow"):
        found |= _in_child_of(original)
    from .kit import Stage
    from .processes import PROCESSES

    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as pool,
    ):
        path = Stage(pathlib.Path(folder), "plain").numbers()
        chosen = [process for process in PROCESSES if not wanted or process.name in wanted]
        outcomes = pool.map(lambda process: _process(process, path), chosen)
        found |= zip(map(name_of_process, chosen), outcomes, strict=True)
    PLAIN.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", "utf-8")
    for name, problems in found.items():
        print(f"{name}: {problems or 'HOLDS'}")
    return 0


def _in_child_of(original: str) -> dict[str, list[str]]:
    """All rows of this original, from a process that has it imported."""
    if os.environ.get("ROWS_OF") != original:
        environment = {**os.environ, "ROWS_OF": original, "TF_CPP_MIN_LOG_LEVEL": "3"}
        done = subprocess.run(
            [sys.executable, "-m", "tests.failures.plain", *sys.argv[1:]],
            env=environment,
            stdout=subprocess.PIPE,
            check=True,
        )
        return json.loads(done.stdout.splitlines()[-1])
    _use(original)
    from .rows import rows

    return _in_children(
        (name_of(row, way), _row_in_child, (number, way))
        for number, row in enumerate(rows())
        for way in row.ways
        if way != "managed" and row.original == original
        if not sys.argv[1:] or row.name in sys.argv[1:]
    )


if __name__ == "__main__":
    if "ROWS_OF" in os.environ:
        print(json.dumps(_in_child_of(os.environ["ROWS_OF"])))
        sys.exit(0)
    sys.exit(main())
