"""Runs public programs of TensorFlow 1 before and after: `python tests/port/run_public.py FOLDER`.

FOLDER holds the repositories, as `owner+name/path`; nothing is fetched here and nothing of them is
part of this project. PROGRAMS says which ones, and which data each is given (made here, small).
For each program three ways are tried, in a fresh folder and process each:

* compat: `import tensorflow` becomes `import tensorflow.compat.v1` in TensorFlow 1 behaviour;
* upgrade: TensorFlow's own tf_upgrade_v2 (`--upgrade`; about 12 s a file);
* tfqueue: `tfqueue run`, the program as it is.

A program has reached its data when it ends with exit code 0, or prints what its row waits for.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

CAICLOUD = "caicloud+tensorflow-tutorial/Deep_Learning_with_TensorFlow"
UVE = "uve+tensorflow"
CHIP = "chiphuyen+stanford-tensorflow-tutorials/2017/examples"
TESTS = r"^OK"
STEP = r"step \d+, loss|step 0:|Step \d+: loss|Num examples"

# (path below the folder, arguments, data, what it prints when it has reached its data)
PROGRAMS = [
    *[
        (f"{CAICLOUD}/{release}/Chapter07/{name}.ipynb", [], data, None)
        for release in ("0.12.0", "1.0.0", "1.4.0")
        for name, data in (
            ("1. TFRecord样例程序", "idx:../../datasets/MNIST_data folder:Records"),
            ("3. 队列操作", ""),
            ("4. 多线程队列操作", ""),
            ("5. 输入文件队列", "folder:Records"),
        )
    ],
    (f"{CHIP}/05_csv_reader.py", [], "heart", None),
    (f"{CHIP}/07_basic_filters.py", [], "photo", None),
    (f"{CHIP}/09_queue_example.py", [], "", None),
    (f"{CHIP}/09_tfrecord_example.py", [], "photo", None),
    ("hewu2008+tensorflow-tutorial/tutorial2/chapter07/multi_queue.py", [], "", None),
    *[
        (f"{UVE}/{release}/tensorflow/models/image/cifar10/{name}.py", args, data, prints)
        for release in ("0.6.0", "v0.8.0", "v0.12.0")
        for name, args, data, prints in (
            ("cifar10_input_test", [], "", TESTS),
            ("cifar10_train", ["--data_dir=.", "--train_dir=t", "--max_steps=2"], "cifar", STEP),
        )
    ],
    (f"{UVE}/v0.12.0/tensorflow/models/rnn/ptb/reader_test.py", [], "", TESTS),
    *[
        (
            f"{UVE}/{release}/tensorflow/examples/how_tos/reading_data/{name}.py",
            ["--train_dir=.", *flags],
            data,
            STEP,
        )
        for release in ("0.6.0", "v0.8.0", "v0.12.0", "v1.0.0", "v1.4.0")
        for name, flags, data in (
            ("fully_connected_preloaded", ["--num_epochs=1"], "idx:."),
            ("fully_connected_preloaded_var", ["--num_epochs=1"], "idx:."),
            ("fully_connected_reader", ["--num_epochs=1", "--batch_size=10"], "mnist_records"),
        )
    ],
]

_COMPAT = """\
import re, sys, tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
path, sys.argv = sys.argv[1], sys.argv[1:]
sys.path[0] = path.rpartition("/")[0]
text = open(path, encoding="utf-8").read()
if path.endswith(".ipynb"):
    import json
    cells = json.loads(text)["cells"]
    text = "\\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
text = re.sub(r"^import tensorflow as tf", "import tensorflow.compat.v1 as tf", text, flags=re.M)
exec(compile(text, path, "exec"), {"__name__": "__main__", "__file__": path})
"""
_RECORDS = """\
import numpy, tensorflow.compat.v1 as tf
for name in ("train", "validation"):
    with tf.python_io.TFRecordWriter(name + ".tfrecords") as writer:
        for i in range(30):
            image = numpy.full(784, i, numpy.uint8).tobytes()
            f = tf.train.Feature
            writer.write(tf.train.Example(features=tf.train.Features(feature={
                "image_raw": f(bytes_list=tf.train.BytesList(value=[image])),
                "label": f(int64_list=tf.train.Int64List(value=[i % 10])),
            })).SerializeToString())
"""


def make_data(kind, folder):
    """Makes what a program reads, small and by rule.

    `kind` may name several, and each may carry a path behind a colon.
    """
    import numpy as np

    for more in kind.split()[1:]:
        make_data(more, folder)
    kind, _, where = kind.split()[0].partition(":") if kind else ("", "", "")
    target = folder / where
    target.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    if kind == "heart":
        row = "160,12,5.73,23.11,Present,49,25.3,97.2,52,1\n"
        (folder / "data").mkdir()
        (folder / "data" / "heart.csv").write_text("header\n" + row * 100)
    elif kind == "photo":
        from PIL import Image

        (folder / "data").mkdir()
        picture = Image.fromarray(rng.integers(0, 255, (64, 64, 3), np.uint8))
        picture.save(folder / "data" / "friday.jpg")
    elif kind == "cifar":
        # the archive is there, so that nothing is fetched; what is in it, too
        (folder / "cifar-10-batches-bin").mkdir()
        for name in [*(f"data_batch_{n}" for n in range(1, 6)), "test_batch"]:
            data = rng.integers(0, 9, (5000, 3073), np.uint8).tobytes()
            (folder / "cifar-10-batches-bin" / f"{name}.bin").write_bytes(data)
        with tarfile.open(folder / "cifar-10-binary.tar.gz", "w:gz") as tar:
            tar.add(folder / "cifar-10-batches-bin" / "test_batch.bin", "cifar-10-batches-bin/x")
    elif kind == "idx":
        import gzip
        import struct

        for name, count in (("train", 6000), ("t10k", 100)):
            images = struct.pack(">4i", 2051, count, 28, 28) + bytes(count * 784)
            labels = struct.pack(">2i", 2049, count) + bytes(i % 10 for i in range(count))
            for part, data in (("images-idx3", images), ("labels-idx1", labels)):
                (target / f"{name}-{part}-ubyte.gz").write_bytes(gzip.compress(data, 1))
    elif kind == "mnist_records":
        subprocess.run(
            [sys.executable, "-c", _RECORDS],
            cwd=folder,
            check=True,
            env=_quiet(),
            capture_output=True,
        )


def _quiet():
    root = pathlib.Path(__file__).parents[2]
    return {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(root), "MPLBACKEND": "agg"}


def _command(way, program, args, folder):
    if way == "tfqueue":
        return [sys.executable, "-m", "tfqueue", "run", str(program), *args]
    if way == "compat":
        return [sys.executable, "-c", _COMPAT, str(program), *args]
    copy = folder / "upgraded" / program.name
    shutil.copytree(program.parent, copy.parent, ignore=shutil.ignore_patterns("*.jpg", "*.png"))
    tool = pathlib.Path(sys.executable).parent / "tf_upgrade_v2"
    names = ["--infile", str(program), "--outfile", str(copy)]
    subprocess.run([tool, *names], cwd=folder, capture_output=True, env=_quiet(), check=False)
    return [sys.executable, str(copy), *args]


def attempt(way, program, args, data, prints, seconds):
    """Runs one program one way; returns (reached its data, its last words)."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "a" / "b" / "c"
        folder.mkdir(parents=True)
        make_data(data, folder)
        command = _command(way, program, args, folder)
        done = None
        with open(folder / "out.txt", "w+", encoding="utf-8") as out:
            try:
                done = subprocess.run(
                    command,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    env=_quiet(),
                    timeout=seconds,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                pass
            out.seek(0)
            text = out.read()
        reached = done is not None and done.returncode == 0
        if prints:
            reached = bool(re.search(prints, text, re.MULTILINE)) and (reached or done is None)
        words = text.strip().splitlines()[-1:] or [""]
        return reached, "timed out" if done is None else f"{done.returncode}: {words[0][:110]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--upgrade", action="store_true", help="try tf_upgrade_v2, too")
    parser.add_argument("--only", default="", help="programs whose path holds this")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--json", type=pathlib.Path, help="write the results here, too")
    args = parser.parse_args()
    ways = ["compat", *(["upgrade"] if args.upgrade else []), "tfqueue"]
    counts, results, absent = dict.fromkeys(ways, 0), [], 0
    for path, arguments, data, prints in PROGRAMS:
        program = (args.folder / path).resolve()
        if args.only not in path:
            continue
        if not program.exists():
            absent += 1
            continue
        for way in ways:
            reached, words = attempt(way, program, arguments, data, prints, args.seconds)
            counts[way] += reached
            results.append({"program": path, "way": way, "reached": reached, "words": words})
            print(f"{'ok  ' if reached else 'FAIL'} {way:8} {path}  [{words}]", flush=True)
    total = len(results) // len(ways)
    print(f"{total} programs ({absent} not in the folder): {counts}")
    if args.json:
        args.json.write_text(json.dumps(results, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
