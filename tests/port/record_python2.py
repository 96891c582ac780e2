"""Records what Python 2.7 does with the programs of `python2/`: `make golden-python2`.

    python tests/port/record_python2.py ~/.pyenv/versions/2.7.18/bin/python

Runs under Python 3, which starts the Python 2 that it is given once for each file of programs; there
each program gets a process, an empty folder and `__main__` of its own.
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent / "python2"
_RUN = r"""
import json, os, shutil, sys, tempfile
results = {}
for name, text in json.load(open(sys.argv[1])):
    name, text = name.encode("utf-8"), text.encode("utf-8")
    folder = tempfile.mkdtemp()
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        os.dup2(write, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.chdir(folder)
        open("program.py", "w").write("# -*- coding: utf-8 -*-\n" + text)
        os.execv(sys.executable, [sys.executable, "-R" if False else "-B", "program.py"])
    os.close(write)
    out = os.fdopen(read).read()
    _, status = os.waitpid(child, 0)
    shutil.rmtree(folder)
    results[name] = [os.WEXITSTATUS(status), out.decode("utf-8", "replace")]
print json.dumps(results)
"""


def programs(path: pathlib.Path) -> list[tuple[str, str]]:
    """The programs of a file: (name, text)."""
    parts = path.read_text("utf-8").split("#: ")[1:]
    return [(name, text) for name, _, text in (part.partition("\n") for part in parts)]


def main(python2: str) -> None:
    """Writes the goldens beside the programs."""
    for path in sorted(HERE.glob("*.txt")):
        listed = programs(path)
        assert len({name for name, _ in listed}) == len(listed), path
        held = path.with_suffix(".todo")
        held.write_text(json.dumps(listed))
        done = subprocess.run(
            [python2, "-c", _RUN, str(held)], capture_output=True, text=True, check=True
        )
        held.unlink()
        golden = json.loads(done.stdout)
        lines = [f"{json.dumps(name)}: {json.dumps(golden[name])}" for name, _ in listed]
        path.with_suffix(".json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
        sys.stdout.write(f"{path.name}: {len(listed)} programs\n")


if __name__ == "__main__":
    main(sys.argv[1])
