"""What an import of a name that is gone gives: it goes on, and each use is refused."""

import importlib
import sys
import types

import pytest

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneAttributeError, GoneImportError, GoneUseError
from tfqueue.v1 import _gone_imports

LITE = r"^tf\.contrib\.lite is gone since TensorFlow 2\.0: tf\.lite$"
TPU = "tf.contrib.tpu.python.tpu.keras_support.KerasTPUModel is gone since TensorFlow 2.0"


@pytest.fixture(autouse=True)
def _no_module_stays():
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if isinstance(sys.modules[name], _gone_imports.StandIn):
            del sys.modules[name]
            parent, _, last = name.rpartition(".")
            vars(sys.modules.get(parent, tf)).pop(last, None)


def _imported(line, name):
    """What a line binds, run as a module's own, without a `with` around it."""
    names = {}
    exec(compile(line, "old.py", "exec"), names)
    return names[name]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("import tfqueue.v1.contrib.lite as lite", "lite"),
        ("from tfqueue.v1.contrib import lite", "lite"),
        ("from tfqueue.v1.contrib.lite import TocoConverter", "TocoConverter"),
        ("from tfqueue.v1.contrib.lite.python.convert import toco_convert", "toco_convert"),
        ("import tfqueue.v1.contrib.lite.python.convert as convert", "convert"),
        ("def f():\n from tfqueue.v1.contrib import lite\n return lite\nfound = f()", "found"),
        ("try:\n pass\nfinally:\n pass\nfrom tfqueue.v1.contrib import lite", "lite"),
    ],
)
def test_an_import_goes_on_and_each_use_is_refused(line, name):
    found = _imported(line, name)
    assert not isinstance(tf.constant(1), found)
    assert found is not None
    assert found.__doc__ == "Stands for what is gone."
    assert not hasattr(found, "__wrapped__")
    uses = [
        lambda: found(),
        lambda: types.new_class("Mine", (found,)),
        lambda: bool(found),
        lambda: len(found),
        lambda: found[0],
        lambda: list(found),
        lambda: 1 in found,
    ]
    for use in uses:
        with pytest.raises(GoneUseError, match=LITE):
            use()
    if name == "TocoConverter":  # a class, whose methods programs wrap
        assert not isinstance(found.convert, str)
        with pytest.raises(GoneUseError, match=LITE):
            found.convert()
        found.convert = len
        assert found.convert("ab") == 2
    for other in ["CONSTANT"] + ["toco_convert"] * (name != "TocoConverter"):
        with pytest.raises(GoneAttributeError, match=LITE):
            getattr(found, other)


@pytest.mark.parametrize(
    "line",
    [
        "try:\n import tfqueue.v1.contrib.lite\nexcept ImportError:\n found = 1",
        "try:\n from tfqueue.v1.contrib import lite\nexcept ImportError:\n found = 1",
        "try:\n from tfqueue.v1.contrib.lite import python\nexcept ImportError:\n found = 1",
        "try:\n from tfqueue.v1.contrib.tpu.python.tpu.keras_support import KerasTPUModel\n"
        "except ImportError:\n found = 1",
        "def f():\n try:\n  from tfqueue.v1.contrib import lite\n except ImportError:\n"
        "  return 1\nfound = f()",
    ],
)
def test_an_import_in_a_try_is_refused(line):
    assert _imported(line, "found") == 1


def test_an_import_in_a_with_is_refused():
    with pytest.raises(GoneImportError, match=LITE):
        import tfqueue.v1.contrib.lite  # noqa: F401


def test_a_constant_is_refused_at_once():
    with pytest.raises(GoneImportError, match=LITE):
        _imported("from tfqueue.v1.contrib.lite.python import CONSTANT", "CONSTANT")


def test_all_names_of_what_is_gone_are_refused():
    with pytest.raises(GoneImportError, match=LITE):
        _imported("from tfqueue.v1.contrib.lite import *", "found")


def test_import_module_is_refused():
    with pytest.raises(GoneImportError, match=LITE):
        importlib.import_module("tfqueue.v1.contrib.lite")


def test_a_private_name_that_only_a_tpu_needs():
    line = "from tfqueue.v1.contrib.tpu.python.tpu.keras_support import KerasTPUModel"
    found = _imported(line, "KerasTPUModel")
    assert not isinstance(3, found)
    with pytest.raises(GoneUseError, match=TPU):
        found(3)
