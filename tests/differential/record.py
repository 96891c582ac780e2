"""Runs all programs on plain TensorFlow and writes what they did to `golden/`.

python -m tests.differential.record              # all, each twice: both must agree
python -m tests.differential.record values. state.a_local_variable   # what begins like this
python -m tests.differential.record --show NAME  # prints what the program does, writes nothing
"""

from __future__ import annotations

import collections
import json
import os
import pathlib
import shutil
import sys
import tempfile
import threading

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

_PATIENCE = 40


def plain():
    """TensorFlow as it is, in TensorFlow 1's mode."""
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.FATAL)
    return tf


def once(tf, program) -> list[str]:
    """What a program did; it has a thread of its own, as nothing can interrupt it."""
    from . import kit

    folder, found = tempfile.mkdtemp(), []
    thread = threading.Thread(
        target=lambda: found.append(kit.perform(tf, program, pathlib.Path(folder))), daemon=True
    )
    thread.start()
    thread.join(_PATIENCE)
    shutil.rmtree(folder, ignore_errors=True)
    return found[0] if found else ["HANGS"]


def main(arguments: list[str]) -> int:
    """Records; the exit status is 1 if a program hangs or does another thing the second time."""
    from . import kit, programs  # noqa: F401

    tf = plain()
    if arguments[:1] == ["--show"]:
        for name in arguments[1:]:
            print("\n".join(once(tf, kit.PROGRAMS[name])))
        return 0
    twice = arguments[:1] == ["--twice"]
    del arguments[: int(twice)]
    found, bad = kit.golden(), []
    for name, program in kit.PROGRAMS.items():
        if arguments and not name.startswith(tuple(arguments)):
            continue
        first = once(tf, program)
        second = once(tf, program) if twice else first
        if first == ["HANGS"] or not kit.same(program, first, second):
            bad.append(name)
            print(f"{name}: {'hangs' if first == ['HANGS'] else 'not the same twice'}", flush=True)
        found[name] = kit.condensed(program, first)
        if first == ["HANGS"]:
            write(found)  # what hangs may disturb the rest
    write(found)
    print(f"{len(found)} programs, {len(bad)} not usable")
    return 1 if bad else 0


def write(found: dict[str, list[str]]) -> None:
    """Writes the goldens, a file for each module of programs."""
    from . import kit

    by_module = collections.defaultdict(dict)
    for name in kit.PROGRAMS:
        if name in found:
            by_module[name.partition(".")[0]][name] = found[name]
    kit.GOLDEN.mkdir(exist_ok=True)
    for module, outcomes in by_module.items():
        text = json.dumps(outcomes, indent=0, ensure_ascii=False)
        (kit.GOLDEN / f"{module}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)  # a program that hangs has left its threads
