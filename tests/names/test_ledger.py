"""The ledger: what it says of names whose history is known, and how it is put together."""

import inspect
import json
import pathlib
import subprocess
import sys

import pytest

from tests.ledger import make
from tfqueue.names import ledger


def test_nothing_of_tensorflow_is_needed():
    code = (
        "import sys; from tfqueue.names import ledger; ledger.find('nn.softmax');"
        "assert 'tensorflow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# name, release, its signature, each read in that release's own source
KNOWN = [
    ("concat", "0.12", "concat_dim, values, name='concat'"),
    ("concat", "1.0", "values, axis, name='concat'"),
    ("scan", "1.4", "fn, elems, initializer=None, parallel_iterations=10, back_prop=True, "
     "swap_memory=False, infer_shape=True, name=None"),
    ("train.Coordinator", "1.15", "clean_stop_exception_types=None"),
    ("train.Saver.restore", "0.12", "sess, save_path"),
    ("app.flags.DEFINE_string", "1.0", "flag_name, default_value, docstring"),
    ("contrib.layers.flatten", "1.4", "inputs, outputs_collections=None, scope=None"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "release", "signature"), KNOWN)
def test_a_signature_is_that_of_the_release(name, release, signature):
    assert ledger.entry(name, release).signature == signature
    assert str(ledger.signature(name, release)) == f"({signature})"


def test_a_history_ends_where_a_name_does():
    entries = ledger.find("all_variables")
    assert entries[0].release == "0.12"
    assert ledger.find("merge_all_summaries")[-1].kind == "gone"
    assert ledger.entry("merge_all_summaries", "1.0") is None
    assert ledger.find("Session")[0].kind == "class"
    assert ledger.find("GraphDef")[0].kind == "message"
    assert ledger.find("float32")[0].kind == "constant"
    assert ledger.find("Graph.version")[0].kind == "property"


def test_every_signature_can_be_read():
    for name in ledger.public():
        for entry in ledger.find(name):
            if entry.signature is not None:
                assert isinstance(ledger.parsed(entry.signature), inspect.Signature)


def test_a_release_between_two_counts_as_the_one_before():
    assert ledger.entry("nn.softmax", "1.3") == ledger.entry("nn.softmax", "1.2")
    assert ledger.exports("tensorflow.python.ops.math_ops", "1.5") == ledger.exports(
        "tensorflow.python.ops.math_ops", "1.4"
    )


def test_modules_come_and_go_with_the_releases():
    assert "_linear" in ledger.exports("tensorflow.python.ops.rnn_cell", "0.12")
    assert "_linear" not in ledger.exports("tensorflow.python.ops.rnn_cell", "1.15")
    assert "tensorflow.python.ops.rnn_cell_impl" not in ledger.modules("0.12")
    assert "tensorflow.python.ops.rnn_cell_impl" in ledger.modules("1.2")


def test_the_lines_hold_what_the_dumps_said():
    dumps = [
        {"names": {"f": ["function", "x"], "g": ["function", ""]}, "exports": {"m": ["a"]}},
        {"names": {"f": ["function", "x"]}, "exports": {"m": ["a", "b"], "n": []}},
        {"names": {"f": ["function", "x, y=1"], "k": ["module", None]}, "exports": {}},
    ]
    assert make.public_lines(dumps) == [
        "f\t0 function x\t2 function x, y=1",
        "g\t0 function ()\t1 -",
        "k\t2 module",
    ]
    assert make.export_lines(dumps) == ["m\t3\t2 b\t3 a", "n\t2\t2"]


def test_the_data_is_small():
    files = list(pathlib.Path(ledger.__file__).parent.glob("*.xz"))
    assert len(files) == 2
    assert sum(file.stat().st_size for file in files) < 500_000


SAMPLE = """
import functools, json, sys
sys.path.insert(0, sys.argv[1])
import record_names
def plain(x, y=None, z=(1, 2), *rest, **more): pass
def outer(*args, **kwargs): return inner(*args, **kwargs)
class Cell(object):
    def __init__(self, size, name="cell"): pass
    def call(self, x): pass
    @staticmethod
    def zero(n): pass
    @property
    def size(self): pass
Cell.__module__ = "tensorflow.here"
names = {}
record_names.record_class(Cell, "Cell", names)
print(json.dumps([record_names.signature(plain), record_names.signature(functools.partial(plain, 1)), names]))
"""


def test_the_recorder_reads_functions_and_classes():
    folder = str(pathlib.Path(make.__file__).parent)
    told = subprocess.run(
        [sys.executable, "-c", SAMPLE, folder], check=True, capture_output=True, text=True
    )
    plain, partial, names = json.loads(told.stdout)
    assert plain == "x, y=None, z=..., *rest, **more"
    assert partial == "y=None, z=..., *rest, **more"
    assert names == {
        "Cell": ["class", "size, name='cell'"],
        "Cell.call": ["method", "x"],
        "Cell.size": ["property", None],
        "Cell.zero": ["method", "n"],
    }


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("", "()"),
        ("x", "(x)"),
        ("*, x, y=1", "(*, x, y=1)"),
        ("x, *, y", "(x, *, y)"),
        ("x, *rest, y, **more", "(x, *rest, y, **more)"),
        ("x=..., y=(1, 2)", None),
    ],
)
def test_a_signature_is_read(text, bound):
    if bound is None:
        with pytest.raises(SyntaxError):  # a default with a comma is recorded as `...`
            ledger.parsed(text)
    else:
        assert str(ledger.parsed(text)) == bound


def test_a_default_that_is_not_known():
    assert ledger.parsed("x=...").parameters["x"].default is ...
    assert ledger.parsed("x=None").parameters["x"].default is None
