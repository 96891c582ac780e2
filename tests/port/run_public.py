"""Runs public programs of TensorFlow 1 before and after: `python tests/port/run_public.py FOLDER`.

FOLDER holds the repositories, as `owner+name/path`; nothing is fetched here and nothing of them is
part of this project. `public_programs.py` and `later_programs.py` say which ones, with which
arguments and which data each is given (`public_data.py`, made here, small). Up to four ways are
tried, each in a fresh folder:

* compat: `import tensorflow` becomes `import tensorflow.compat.v1` in TensorFlow 1 behaviour;
* upgrade: TensorFlow's own tf_upgrade_v2 (`--upgrade`);
* tfqueue: `tfqueue run`, the program as it is;
* port: what `tfqueue port` writes of it, as plain Python (`--ways port`; no notebooks).

A program has reached its data when a step whose fetch depends on a queue or a reader has come back,
seen from outside: by a watch on TensorFlow's `Session.run`. From then on it is given some seconds
more. One that raises what PUBLIC_PROGRAMS.md calls its sentence is counted on its own. TensorFlow is
imported once and every program runs in a fork.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import re
import runpy
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", MPLBACKEND="agg", CUDA_VISIBLE_DEVICES="")
HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import later_programs  # noqa: E402
import public_data  # noqa: E402
import public_programs  # noqa: E402

SENTENCE = re.compile(r"is gone since|can't be parsed, neither|the program downloads")
ERROR = re.compile(r"[\w.]*(Error|Exception|Exit)\b|tfqueue: |\S+: error:")


def watch(after):
    """Writes `@@REACHED` once a step has brought data; ends the process some seconds later."""
    from tensorflow.python.client import session
    from tensorflow.python.util import nest

    known, run = {}, session.BaseSession.run

    def fed_by_a_queue(op):
        todo, seen = [op], set()
        while todo:
            one = todo.pop()
            if one.name in seen:
                continue
            seen.add(one.name)
            if one.type.startswith(("QueueDequeue", "ReaderRead")):
                return True
            todo += [i.op for i in one.inputs] + list(one.control_inputs)
        return False

    def reached(graph, fetches):
        for fetch in nest.flatten(fetches):
            try:
                element = graph.as_graph_element(fetch)
            except (TypeError, ValueError, KeyError):
                continue
            op = getattr(element, "op", element)
            if "Enqueue" not in op.type and known.setdefault(op.name, fed_by_a_queue(op)):
                return True
        return False

    def watched(self, fetches, *args, **kwargs):
        result = run(self, fetches, *args, **kwargs)
        if session.BaseSession.run is watched and reached(self.graph, fetches):
            session.BaseSession.run = run
            os.write(2, b"\n@@REACHED\n")
            threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
        return result

    session.BaseSession.run = watched


def run_compat(path, args):
    """The least that a hand does: another import, and the mode."""
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    text = pathlib.Path(path).read_text("utf-8")
    if path.endswith(".ipynb"):
        text = _cells(text)
    text = re.sub(
        r"^import tensorflow as tf", "import tensorflow.compat.v1 as tf", text, flags=re.M
    )
    _main(path, args, text)


def run_upgrade(path, args):
    """What TensorFlow's own tool makes of it."""
    from tensorflow.tools.compatibility import ast_edits, tf_upgrade_v2

    copy = os.path.abspath("upgraded.py")
    source = pathlib.Path(path)
    if path.endswith(".ipynb"):
        source = pathlib.Path("cells.py")
        source.write_text(_cells(pathlib.Path(path).read_text("utf-8")))
    with contextlib.redirect_stdout(io.StringIO()):
        upgrade = ast_edits.ASTCodeUpgrader(tf_upgrade_v2.TFAPIChangeSpec())
        upgrade.process_file(str(source), copy)
    if not os.path.getsize(copy):
        raise SystemExit("tf_upgrade_v2 wrote an empty file")
    _main(path, args, pathlib.Path(copy).read_text("utf-8"))


def run_tfqueue(path, args):
    """The program as it is."""
    from tfqueue import cli

    raise SystemExit(cli.main(["run", path, *args]))


def run_port(path, args):
    """What `tfqueue port` writes of the program and the modules beside it, run without any rule."""
    from tfqueue import cli

    folder = tempfile.mkdtemp(prefix="ported")
    sources = [str(each) for each in pathlib.Path(path).parent.rglob("*.py")]
    with contextlib.redirect_stdout(io.StringIO()):
        for source in sources:
            target = os.path.join(folder, os.path.relpath(source, os.path.dirname(path)))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            cli.main(["port", source, "--output", target])
    sys.argv = [path, *args]
    sys.path[0] = folder
    runpy.run_path(os.path.join(folder, os.path.basename(path)), run_name="__main__")


def _cells(text):
    notebook = json.loads(text)
    cells = notebook.get("cells") or notebook["worksheets"][0]["cells"]
    code = (c.get("source", c.get("input", "")) for c in cells if c["cell_type"] == "code")
    return "\n".join("".join(source) for source in code)


def _main(path, args, text):
    sys.argv = [path, *args]
    sys.path[0] = os.path.dirname(path)
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False, encoding="utf-8") as file:
        file.write(text)
    runpy.run_path(file.name, run_name="__main__")


WAYS = {"compat": run_compat, "upgrade": run_upgrade, "tfqueue": run_tfqueue, "port": run_port}


def child(way, path, args, folder, output, after):
    """One attempt; never returns."""
    os.setsid()
    os.chdir(folder)
    target = os.open(output, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, source in ((0, nothing), (1, target), (2, target)):
        os.dup2(source, number)
    code = 1
    try:
        watch(after)
        WAYS[way](path, args)
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
        if isinstance(error.code, str):
            sys.stderr.write(error.code + "\n")
    except BaseException:  # noqa: BLE001  (whatever a program ends with)
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.write(2, b"\n@@END %d\n" % code)
        os._exit(0)


def attempt(way, program, seconds, after):
    """Runs one program one way; returns what became of it and its last words."""
    path, data, args = program
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name) / "a" / "b" / "c"
        folder.mkdir(parents=True)
        _bring_along(path.parent, folder)
        public_data.make(data, folder)
        output = pathlib.Path(name) / "out.txt"
        sys.stdout.flush()
        pid = os.fork()
        if not pid:
            child(way, str(path), args, folder, output, after)
        end = time.monotonic() + seconds
        while time.monotonic() < end and not os.waitpid(pid, os.WNOHANG)[0]:
            time.sleep(0.05)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)
        text = output.read_text("utf-8", "replace") if output.exists() else ""
    code = re.search(r"@@END (\d+)", text)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("@@")]
    said = [line for line in lines if ERROR.match(line)] or lines or [""]
    if "@@REACHED" in text:
        return "reached", said[-1] if code and code[1] != "0" else ""
    if any(SENTENCE.search(line) for line in said):
        return "sentence", next(line for line in said if SENTENCE.search(line))
    return ("timed out" if code is None else f"exit {code[1]}"), said[-1]


def _bring_along(source, folder):
    """What lies beside the program and is no program: its own small data."""
    for entry in source.iterdir():
        if entry.suffix not in (".py", ".ipynb", ".pyc") and not entry.name.startswith("."):
            if entry.is_dir():
                skip = shutil.ignore_patterns("*.py", "*.ipynb")
                shutil.copytree(entry, folder / entry.name, ignore=skip, dirs_exist_ok=True)
            else:
                shutil.copy(entry, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--upgrade", action="store_true", help="try tf_upgrade_v2, too")
    parser.add_argument("--later", action="store_true", help="the programs of the later list")
    parser.add_argument("--only", default="", help="programs whose path holds this")
    parser.add_argument("--ways", nargs="+", choices=WAYS, help="these alone")
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--after", type=float, default=3, help="seconds more, once it has data")
    parser.add_argument("--json", type=pathlib.Path, help="write the results here, too")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    import tensorflow  # noqa: F401  (once, for all the forks)

    ways = args.ways or ["compat", *(["upgrade"] if args.upgrade else []), "tfqueue"]
    results, absent = [], 0
    programs = (later_programs if args.later else public_programs).PROGRAMS
    for name, data, arguments in programs:
        path = (args.folder / name).resolve()
        if args.only not in name:
            continue
        if not path.exists():
            absent += 1
            continue
        for way in ways:
            if way == "port" and path.suffix != ".py":
                continue
            became, words = attempt(way, (path, data, arguments), args.seconds, args.after)
            results.append({"program": name, "way": way, "became": became, "words": words})
            print(f"{became:9} {way:8} {name}  [{words[:160]}]", flush=True)
            if args.json:
                args.json.write_text(json.dumps(results, indent=1, ensure_ascii=False))
    for way in ways:
        mine = [result["became"] for result in results if result["way"] == way]
        counts = {kind: mine.count(kind) for kind in sorted(set(mine))}
        print(f"{way}: {len(mine)} programs ({absent} not in the folder): {counts}")


if __name__ == "__main__":
    main()
