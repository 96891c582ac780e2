"""Every example runs, prints what its document prints, and leaves nothing behind.

The examples are found by their names (`NNN_what_it_is.py`, NNN the document's number) and run in
this process, each on a graph of its own. A row of SAYS says what an example must print, as regular
expressions.
"""

import contextlib
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import threading
import types

import pytest

import tfqueue
from tests.suite import children

pytestmark = pytest.mark.slow

FOLDER = pathlib.Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("[0-9][0-9][0-9]_*.py"))
DOCUMENTS = ["000", "001", "002", "003", "004"]

# Options that make a run smaller; none changes what is shown.
SMALLER = {
    "003_data_service": ["--examples", "600", "--steps", "20"],
    "003_digits": ["--examples", "2500", "--steps", "250"],
    "003_keras": ["--examples", "2500", "--steps", "250"],
}

# Those that are programs of TensorFlow 2; here they find a process in graph mode.
MODERN = {"003_data_service", "003_keras"}

# Lines that must come in this order.
SAYS = {
    "000_byte_string": [
        r"array\(\[\[\d+, \d+, \d+\],",
        r"48 bytes: b'.*\\x00'",
        r"dtype \|S48",
        r"kept 41",
        r"array\(\[\d+, \d+, \d+, \d+, \d+, \d+\]\)",
        r"reshaped, equal: True",
        r"in the graph: \[\d+ \d+ \d+ \d+ \d+ \d+\]",
    ],
    "000_fifo_queue": [
        r"100 samples of shape \(4,\)",
        r"that was put in: True",
        r"threads left over: 0",
    ],
    "000_image_roundtrip": [
        r"b'astronaut' \[512 512   3\] True",
        r"b'cat' \[300 451   3\] True",
        r"b'coffee' \[400 600   3\] True",
        r"b'rocket' \[427 640   3\] True",
        r"end of the data after 4 photographs",
    ],
    "000_own_reader": [
        r"000_cat\.gif, \(6, 200, 200, 3\)",
        r"000_coffee\.gif, \(4, 200, 200, 3\)",
        r"2 records produced",
        r"000_crops_1\.npz:face, \(200, 180, 3\)",
        r"000_crops_2\.npz:coins, \(150, 384, 3\)",
        r"as it was written, in order: True",
    ],
    "000_plain_threads": [
        r"10 threads, alive after join: 0",
        r"cut out at (\(\d+, \d+\)), found at \1",
        r"says stop: True",
    ],
    "000_readers": [
        r"TextLineReader",
        r"000_coins_1\.csv: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17$",
        r"000_coins_2\.csv: 2 3 4 5 6 7 8 9$",
        r"24 coins",
        r"FixedLengthRecordReader",
        r"000_tiles\.bin: 0 1 2 3$",
        r"labels \[0, 1, 2, 3\]",
        r"WholeFileReader",
        r"000_rocket\.jpg$",
        r"shapes \[\(512, 512, 3\), \(300, 451, 3\), \(400, 600, 3\), \(427, 640, 3\)\]",
        r"TFRecordReader",
        r"000_tiles\.tfrecord: 0 \d+ \d+ \d+$",
        r"labels \[0, 1, 2, 3\]",
        r"hold the same: True",
    ],
    "001_labelled_image": [r"^1$", r"^\[300 451   3\]$"],
    "001_sequences": [
        r"^\{'labels': array\(\[1, 1, 1\]\), 'tokens': array\(\[0, 2, 4\]\)\}$",
        r"^Wrote to .*001_sequences\.tfrecord$",
        r"24 sequences of (\d+) to (?!\1 )\d+ steps",
        r"as they were written: True",
        r"batch \(8, (\d+)\), lengths \[.*\b\1\b.*\], padding [1-9]",
        r"batch \(8, (\d+)\), lengths \[.*\b\1\b.*\]",
        r"batch \(8, (\d+)\), lengths \[.*\b\1\b.*\]",
    ],
    "002_customer": [
        r"^\{'Age': 34, 'Photo': \['astronaut', 'coffee'\]",
        r"^features \{$",
        r"^Photo: SparseTensorValue\(indices=array\(\[\[0\],$",
        r"values=array\(\[b'astronaut', b'coffee'\], dtype=object\), dense_shape=array\(\[2\]\)\)$",
        r"^Photo Marks: SparseTensorValue\(indices=array\(\[\[0\],$",
        r"values=array\(\[9\.5, 8\.7\], dtype=float32\), dense_shape=array\(\[2\]\)\)$",
        r"^Age: 34$",
        r"^Purchase Price: 9\.9",
        r"^Suggestion: b'rocket'$",
        r"^Suggestion Purchased: 1\.0$",
        r"age 34: 2 photographs",
        r"age 61: 3 photographs",
        r"age 19: 0 photographs",
        r"ages \[34 61 19\], photographs \[3 3\]",
        r"^\[\[0, 0\], \[0, 1\], \[1, 0\], \[1, 1\], \[1, 2\]\]$",
    ],
    "003_cluster": [
        r"^worker 0: [1-9]\d* digits of [1-9]\d* files$",
        r"^worker 1: [1-9]\d* digits of [1-9]\d* files$",
        r"read by one worker: True",
        r"no digit was read twice: True",
        r"both trained: 0\.[3-9]",
    ],
    "003_digits": [
        *(rf"example {k}: label \d, 784 pixels, as written: True" for k in range(5)),
        r"images \(128, 784\), labels \(128,\)",
        r"step 0: loss 2\.303",
        r"held-out accuracy: 0\.[6-9]\d+ on 625 digits",
    ],
    "003_data_service": [
        r"a dispatcher and 2 workers",
        r"600 examples came, 600 different",
        r"each as it was written, once: True",
        r"trained for 20 steps: loss \d",
    ],
    "003_keras": [
        r"eager: True",
        r"images: float32 \(128, 784\)",
        r"labels: int32 \(128,\)",
        r"after 250 steps: loss [01]\.",
        r"held-out accuracy: 0\.[6-9]\d+ on 625 digits",
        r"Written out:",
        r"records = tf\.data\.TFRecordDataset\(file\)\.repeat\(\)",
    ],
    "004_segmentation_pairs": [
        *[r"^True$"] * 13,
        *[r"^\(384, 384, 3\)$", r"^batch 0$"],
        *[r"^\(384, 384, 3\)$", r"^batch 1$"],
        *[r"^\(384, 384, 3\)$", r"^batch 2$"],
        r"30 batches in 10 epochs",
        r"^astronaut 10, cat 10, coffee 10, rocket 10, coins 10, motorcycle 10$",
    ],
}


def by_worker(path):
    """A parameter; what other tests look at too is run by the same worker as they are."""
    groups = {"003_keras": "003_digits", "003_cluster": "children"}
    group = groups.get(path.stem, path.stem)
    return pytest.param(path, marks=pytest.mark.xdist_group(group), id=path.stem)


every_example = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


@pytest.fixture
def load(monkeypatch):
    """Imports an example anew; its folder is importable, as it is when the example is run."""

    def load(path):
        monkeypatch.syspath_prepend(str(FOLDER))
        spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def assert_in_order(patterns, lines):
    rest = iter(lines)
    for pattern in patterns:
        assert any(re.search(pattern, line) for line in rest), f"missing or out of order: {pattern}"


def test_each_document_has_an_example():
    assert sorted({path.name[:3] for path in EXAMPLES}) == DOCUMENTS


def test_each_row_has_an_example():
    names = {path.stem for path in EXAMPLES}
    assert set(SAYS) == names
    assert set(SMALLER) <= names


@pytest.fixture(scope="module")
def done():
    """What examples have printed, and where they have written, by their names."""
    return {}


@pytest.fixture
def popen():
    """In the place of `subprocess.Popen([sys.executable, ...])`: a child of `tests.suite.children`."""
    with contextlib.ExitStack() as ended:
        yield lambda command: ended.enter_context(children.started(command[1:]))


@pytest.fixture
def run(load, done, tmp_path_factory, capfd, popen):
    """Runs an example, once for all tests; gives stdout, stderr and the folder of its pictures."""

    def run(name):
        if name not in done:
            folder = tmp_path_factory.mktemp(name)
            module = load(FOLDER / f"{name}.py")
            if name == "003_cluster":
                module.subprocess = types.SimpleNamespace(Popen=popen)
            before = set(threading.enumerate())
            capfd.readouterr()  # what the first import of TensorFlow may have said
            with tfqueue.eager() if name in MODERN else contextlib.nullcontext():
                assert module.main(["--out", str(folder), *SMALLER.get(name, [])]) == 0
            done[name] = *capfd.readouterr(), folder
            left = set(threading.enumerate()) - before
            # (a thread of TensorFlow's own pool that once ran Python is no thread of ours)
            assert not {thread for thread in left if not isinstance(thread, threading._DummyThread)}
        return done[name]

    return run


@pytest.mark.parametrize("path", [by_worker(path) for path in EXAMPLES])
def test_runs(path, run):
    out, err, folder = run(path.stem)
    assert err == ""
    lines = out.splitlines()
    assert_in_order(SAYS[path.stem], lines)
    pictures = [line.removeprefix("picture: ") for line in lines if line.startswith("picture: ")]
    assert pictures
    for picture in pictures:
        assert pathlib.Path(picture).parent == folder
        assert is_a_picture(picture)


@pytest.mark.xdist_group("003_digits")
def test_the_lifted_inputs_teach_keras_as_much_as_the_queues_the_old_graph(run):
    accuracies = {}
    for name in ("003_digits", "003_keras"):
        found = re.search(r"held-out accuracy: (\S+) on 625 digits", run(name)[0])
        accuracies[name] = float(found[1])
    assert min(accuracies.values()) > 0.75  # 0.80 to 0.82 in eight runs
    assert abs(accuracies["003_digits"] - accuracies["003_keras"]) < 0.04


def is_a_picture(path):
    """True if the file is an image of some size in which not everything is of one colour."""
    from PIL import Image

    with Image.open(path) as image:
        low, high = image.convert("L").getextrema()
        return image.width >= 300 and image.height >= 250 and high - low > 50


@every_example
def test_help_is_the_docstring(path, load, capsys):
    with pytest.raises(SystemExit) as end:
        load(path).main(["--help"])
    assert end.value.code == 0
    out = capsys.readouterr().out
    assert f"Document {path.name[:3]}" in out
    assert "--out DIR" in out
    assert "--show" in out


@pytest.mark.xdist_group("004_segmentation_pairs")
def test_segmentation_pairs_writes_the_pictures_it_shows(run):
    _, _, folder = run("004_segmentation_pairs")
    names = {
        f"004_batch_{b}_{k}_{what}.png"
        for b in range(3)
        for k in range(2)
        for what in ("image", "mask")
    }
    assert {picture.name for picture in folder.glob("*.png")} == {"overview.png", *names}


def test_as_a_user_runs_it(tmp_path):
    """In a process of its own, in another folder, with nothing set up: nothing on stderr."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TF_")}
    environment["PYTHONPATH"] = str(FOLDER.parent)
    done = subprocess.run(
        [sys.executable, str(FOLDER / "000_image_roundtrip.py")],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert_in_order(SAYS["000_image_roundtrip"], done.stdout.splitlines())
    assert is_a_picture(tmp_path / "out" / "examples" / "000_image_roundtrip.png")


def test_help_and_a_wrong_option_load_no_tensorflow(tmp_path):
    code = f"""
import contextlib, io, runpy, sys
sys.path.insert(0, {str(FOLDER)!r})
for path in {[str(path) for path in EXAMPLES]!r}:
    for option, code in (("--help", 0), ("--bogus", 2)):
        sys.argv[:] = [path, option]
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                runpy.run_path(path, run_name="__main__")
        except SystemExit as ended:
            assert ended.code == code, (path, option, ended.code)
        else:
            raise AssertionError((path, option))
        assert said.getvalue().startswith("usage: "), path
        assert "tensorflow" not in sys.modules, path
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []
