"""Makes `originals/` anew: the programs of this folder, recorded by the original releases.

Run by `make golden-recordings`. Needs Python 2.7, 3.6 and 3.7 (under pyenv, or on the PATH); installs the
releases into `.golden/` once.
"""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "golden"))

import make  # noqa: E402  (it stands beside the other goldens)

RECORDER = ROOT / "tfqueue" / "recording" / "record_tf1.py"
OLD = ["numpy<1.17", "protobuf<3.18", "absl-py<1", "grpcio<1.42", "markdown<3.4", "werkzeug<1.1"]


def install_141(folder: pathlib.Path) -> None:
    """Makes a virtual environment with TensorFlow 1.4.1."""
    make.run(make.find_python("3.6", "3.6.15"), "-m", "venv", folder)
    pip = (folder / "bin" / "python", "-m", "pip", "install", "-q")
    make.run(*pip, "pip==21.3.1")
    make.run(*pip, "tensorflow==1.4.1", *OLD)


def install_115_py27(folder: pathlib.Path) -> None:
    """Puts TensorFlow 1.15.0, the last for Python 2.7 on the index, into a plain folder."""
    pip = (make.find_python("2.7", "2.7.18"), "-m", "pip", "install", "-q", "--target", folder)
    packages = ("numpy<1.17", "protobuf==3.17.3", "mock", "six", "wheel", "absl-py<1")
    make.run(*pip, "--only-binary", "grpcio", "tensorflow==1.15.0", *packages)
    (folder / "google" / "__init__.py").touch()


def without_places(path: pathlib.Path) -> None:
    """Takes the folders of the machine that recorded out of a recording's first line."""
    with gzip.open(path, "rb") as file:
        first, *others = file.readlines()
    start = json.loads(first)
    start["program"] = os.path.basename(start["program"])
    start["folder"] = "/old"
    start["arguments"] = [a if not os.path.isabs(a) else "/old/files" for a in start["arguments"]]
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        file.write(json.dumps(start, sort_keys=True).encode() + b"\n")
        file.writelines(others)


def record(python: list[object], name: str, program: str, *options: str, **more: str) -> None:
    """Records one program under one release."""
    with tempfile.TemporaryDirectory() as folder:
        output = HERE / "originals" / f"{name}.recording"
        words = [*options, "-o", output, HERE / "programs" / program, folder]
        make.run(*python, RECORDER, *words, **more)
    without_places(output)
    print(f"{output.relative_to(ROOT)}: {output.stat().st_size:,} bytes")


def main() -> None:
    """Installs the releases that are missing, and records."""
    make.HOME.mkdir(exist_ok=True)
    tf115, tf012 = make.HOME / "tf115", make.HOME / "tf012"
    tf141, tf115_py27 = make.HOME / "tf141", make.HOME / "tf115_py27"
    make.installed(tf115, "1.15.5", make.install_115)
    make.installed(tf012, "0.12.1", make.install_012)
    make.installed(tf141, "1.4.1", install_141)
    make.installed(tf115_py27, "1.15.0", install_115_py27)
    python2 = [make.find_python("2.7", "2.7.18")]
    record([tf115 / "bin/python"], "115_py37", "training.py", "--first-step")
    record([tf115 / "bin/python"], "doors_115_py37", "doors.py")
    record([tf115 / "bin/python"], "seeds_115_py37", "seeds.py")
    record([tf141 / "bin/python"], "141_py36", "training.py", "--first-step")
    path = os.fspath(tf115_py27)
    record(python2, "115_py27", "training.py", "--first-step", PYTHONPATH=path)
    path = os.fspath(tf012)
    record(python2, "012_py27", "early.py", "--with-data", "--first-step", PYTHONPATH=path)


if __name__ == "__main__":
    main()
