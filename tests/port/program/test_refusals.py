"""What can't be helped: the exit code, the words, and the names that are added to what rules have found."""

import pytest

from tfqueue.port.program import refusals, tensorflow_names
from tfqueue.port.source.finding import Finding


def finding(message="tf.contrib.lite is gone", helpless=True):
    return Finding("tf-gone", 3, 0, message, helpless=helpless)


@pytest.mark.parametrize(
    ("helpless", "changed", "code"),
    [
        ([], False, 0),
        ([], True, 1),
        ([False], True, 1),
        ([False, True], True, 2),
        ([True], False, 2),
    ],
)
def test_the_exit_code(helpless, changed, code):
    assert refusals.code([finding(helpless=each) for each in helpless], changed) == code


def test_what_stands_behind_a_message():
    assert refusals.sign(True, True) == " (can't be helped)"
    assert refusals.sign(False, True) == ""


@pytest.mark.parametrize(
    ("error", "helpless", "expected"),
    [
        (AttributeError("module has no attribute 'lite'"), True, True),
        (ImportError("no lite"), True, True),
        (TypeError("lite() takes no x"), True, True),
        (AttributeError("module has no attribute 'lite'"), False, False),
        (AttributeError("module has no attribute 'slim'"), True, False),
        (ValueError("lite"), True, False),
    ],
)
def test_an_error_that_a_finding_foretold(error, helpless, expected):
    assert refusals.foretold(finding(helpless=helpless), error) is expected


def test_names_that_no_rule_has_named(monkeypatch):
    asked = [
        ("a.py", line, 4, name)
        for line, name in [
            (1, "tensorflow.train.batches"),
            (2, "tensorflow.contrib.lite"),
            (2, "tensorflow.contrib.lite.Interpreter"),
            (2, "tensorflow.contrib.lites"),
            (3, "tensorflow.contrib.lite"),
            (4, "tensorflow.python.ops.none"),
            (5, "tensorflow.train.batch"),
        ]
    ]
    call = ("a.py", 6, 0, "tensorflow.train.batch", (9, ()))
    fits = ("a.py", 7, 0, "tensorflow.train.batch", (1, ()))
    found = [
        ("a.py", 2, 0, "tf-gone", "tf.contrib.lite is gone", True),
        ("a.py", 3, 0, "tf-moved", "tf.contrib.lite is another name", False),
    ]

    def missing(names, calls):
        assert (set(names), calls) == ({name for *_, name in asked}, [call, fits])
        return {name: "no" for name in names if name != "tensorflow.train.batch"}, {
            call: "too many"
        }

    monkeypatch.setattr(tensorflow_names, "missing", missing)
    rows, none = refusals.of_names([(asked, [call, fits], found), ([], [], [])])
    assert none == []
    assert rows == [
        ("a.py", 1, 4, "tf-names", "tf.train.batches does not exist: no", True),
        ("a.py", 2, 4, "tf-names", "tf.contrib.lites does not exist: no", True),
        ("a.py", 3, 4, "tf-names", "tf.contrib.lite does not exist: no", True),
        ("a.py", 4, 4, "tf-names", "tensorflow.python.ops.none does not exist: no", True),
        ("a.py", 6, 0, "tf-forms", "tf.train.batch takes no such call: too many", True),
    ]
