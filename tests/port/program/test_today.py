"""What today's `tfqueue.v1` answers when it is asked for names and calls."""

import io
import json

import pytest

from tfqueue.port.program import today


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tensorflow.nn.relu", None),
        ("tensorflow.nope", "tf has no nope"),
        ("tensorflow.nn.nope.more", "tf.nn has no nope"),
        ("tensorflow.Session.nope", None),
        ("tensorflow.train.batch.nope", None),
        ("tensorflow.contrib.slim", None),
        ("tensorflow.python.ops.array_ops.nope", "tensorflow.python.ops.array_ops has no nope"),
        ("tensorflow.python.ops.array_ops.concat", None),
        ("tensorflow.python.nope.more", "there is no module tensorflow.python.nope"),
    ],
)
def test_what_is_missing(name, said):
    assert today.missing(name) == said


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("nn.relu", (1, ()), None),
        ("nn.relu", (0, ("nope",)), "missing a required argument: 'features'"),
        ("nn.relu", (1, ("nope",)), "got an unexpected keyword argument 'nope'"),
        ("nn.relu", (9, ()), "too many positional arguments"),
        ("train.Saver", (0, ("nope",)), "got an unexpected keyword argument 'nope'"),
        ("concat", (0, ("concat_dim", "values")), None),
        ("concat", (0, ("values", "axis")), None),
        ("concat", (0, ("nope",)), "missing a required argument: 'values'"),
        ("nope", (9, ()), None),
        ("float32", (9, ()), None),
    ],
)
def test_which_calls_fit_no_form(name, arguments, said):
    assert today.refused(f"tensorflow.{name}", arguments) == said


def test_the_process_answers_with_what_is_the_matter(monkeypatch, capsys):
    question = {
        "names": ["tensorflow.nope", "tensorflow.nn"],
        "calls": [["tensorflow.nn.relu", [9, []]], ["tensorflow.nn.relu", [1, []]]],
    }
    monkeypatch.setattr(today.sys, "stdin", io.StringIO(json.dumps(question)))
    today.main()
    assert json.loads(capsys.readouterr().out) == {
        "names": {"tensorflow.nope": "tf has no nope"},
        "calls": ["too many positional arguments", None],
    }
