"""The tables of names: each name once, each row's sentence, and the errors that say it."""

import copy
import pickle
import subprocess
import sys

import pytest

from tfqueue.names import gone, gone_contrib, ledger, modules, moved
from tfqueue.names.sentence import (
    Gone,
    GoneArgumentError,
    GoneAttributeError,
    GoneError,
    GoneImportError,
)


@pytest.mark.parametrize(
    ("error", "caught_as"),
    [
        (GoneAttributeError, AttributeError),
        (GoneImportError, ModuleNotFoundError),
        (GoneImportError, ImportError),
        (GoneArgumentError, TypeError),
        (GoneArgumentError, NotImplementedError),
    ],
)
def test_the_error_is_caught_as_what_the_program_expects(error, caught_as):
    with pytest.raises(caught_as) as raised:
        raise error("tf.contrib.lite", "2.0", "tf.lite")
    assert isinstance(raised.value, GoneError)
    assert raised.value.gone == Gone("tf.contrib.lite", "2.0", "tf.lite")
    assert str(raised.value) == "tf.contrib.lite is gone since TensorFlow 2.0: tf.lite"


@pytest.mark.parametrize("error", [GoneAttributeError, GoneImportError, GoneArgumentError])
def test_the_error_survives_a_pickle_and_a_copy(error):
    one = error("tf.x", "1.0", "tf.y")
    for other in (pickle.loads(pickle.dumps(one)), copy.copy(one)):
        assert type(other) is error
        assert (other.gone, str(other)) == (one.gone, str(one))


def test_another_package_is_named_with_its_release():
    error = GoneError("google.protobuf.pyext", "protobuf 4", "protoc, run again")
    assert str(error) == "google.protobuf.pyext is gone since protobuf 4: protoc, run again"


def test_no_name_has_two_rows():
    rows = [*gone.GONE, *gone.KERAS, *gone_contrib.PACKAGES, *modules.GONE]
    rows += [row for table in gone_contrib.TABLES.values() for row in table]
    assert len(gone.BY_NAME) == len(rows)
    assert len(moved.BY_OLD_NAME) == len(moved.MOVED)


def test_no_name_is_said_to_be_gone_before_a_release_that_had_it():
    def number(release):
        return tuple(map(int, release.split(".")))

    wrong = {
        name: row.removed
        for name, row in gone.BY_NAME.items()
        for release in ledger.releases()
        if row.removed[0].isdigit()
        and number(release) >= number(row.removed)
        and ledger.entry(name.removeprefix("tf."), release) is not None
    }
    assert not wrong


def test_no_name_has_moved_and_is_gone():
    assert not set(moved.BY_OLD_NAME) & set(gone.BY_NAME)


@pytest.mark.parametrize("name", gone.BY_NAME)
def test_what_stands_below_a_name_that_is_gone_is_gone(name):
    assert gone.row_of(f"{name}.x.y") is gone.row_of(name) is gone.BY_NAME[name]
    assert gone.row_of(f"{name}x") is not gone.BY_NAME[name]


def test_the_tables_load_no_tensorflow():
    code = (
        "import sys; from tfqueue.names import gone, gone_contrib, modules, moved, sentence; "
        "print(sorted({'tensorflow', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
