"""Runs the mistakes in this folder and writes what they print: `docs/mistakes.md`.

Each program is run as a script, in a folder with a few small files.
"""

import argparse
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent
PAGE = FOLDER.parents[1] / "docs" / "mistakes.md"
ORDER = [
    "missing_file",
    "not_a_tfrecord",
    "damaged_file",
    "wrong_key",
    "wrong_dtype",
    "wrong_decode",
    "unknown_shape",
    "short_row",
    "runners_not_started",
    "not_initialised",
    "python_error",
    "dead_feeder",
]
INTRODUCTION = """\
# Twelve mistakes, and what they print

Each program below makes one mistake that everybody makes once. What follows it is all that it prints:
the class and message of the error, what tfqueue found out about it, and the lines of the program
itself. The frames inside TensorFlow and tfqueue are left out; `TFQUEUE_TRACEBACK=full` in the
environment shows them. The exception object is the one that TensorFlow raised, with its traceback.

The programs are in `examples/mistakes`. They read a few small files, which `transcripts.py` there makes:
`python examples/mistakes/transcripts.py wrong_key` runs one and shows what it prints. Without a name it runs all and writes
this page.
"""


def prepare(folder):
    """Writes the files that the programs read."""
    from tfqueue import records

    draw = random.Random(3)
    examples = [{"image_raw": draw.randbytes(16), "label": n} for n in range(20)]
    records.write(folder / "train-0.tfrecord", examples)
    whole = bytearray((folder / "train-0.tfrecord").read_bytes())
    whole[len(whole) // 2] ^= 1
    (folder / "damaged.tfrecord").write_bytes(whole)
    (folder / "rows.csv").write_text("1,2\n3,4\n5\n")
    for name in ("cat.png", "dog.png"):
        (folder / name).write_bytes(png(draw.randbytes(3)))


def png(colour):
    """A picture of one pixel."""

    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" + colour)
    start = b"\x89PNG\r\n\x1a\n"
    return start + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def printed(name, folder):
    """What the program `name` writes to stderr, run as a script in `folder`."""
    program = pathlib.Path(folder) / f"{name}.py"
    program.write_text((FOLDER / program.name).read_text("utf-8"), "utf-8")
    environment = {k: v for k, v in os.environ.items() if k != "TFQUEUE_TRACEBACK"}
    done = subprocess.run(
        [sys.executable, program.name],
        cwd=folder,
        env={**environment, "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stderr.replace(f"{folder}{os.sep}", "")


def section(name, transcript):
    """One mistake of the page."""
    text = (FOLDER / f"{name}.py").read_text("utf-8")
    doc, _, program = text.partition('"""\n\n')
    title = doc.removeprefix('"""').rstrip(".")
    return f"\n## {title}\n\n```python\n{program.strip()}\n```\n\n```text\n{transcript.rstrip()}\n```\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "mistake",
        nargs="*",
        help=f"printed on the terminal, instead of the page: {', '.join(ORDER)}",
    )
    chosen = parser.parse_args().mistake
    if unknown := set(chosen) - set(ORDER):
        parser.error(f"no mistake is called {min(unknown)!r}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        prepare(folder)
        found = {each: printed(each, folder) for each in chosen or ORDER}
    if chosen:
        print("\n".join(found.values()))
        return
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(INTRODUCTION + "".join(section(*pair) for pair in found.items()), "utf-8")


if __name__ == "__main__":
    main()
