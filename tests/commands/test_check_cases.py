"""`tfqueue check` says once what is the matter with a name."""

import json

import pytest

from tfqueue import cli


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tf.nope(1)", "tf.nope does not exist"),
        ("tf.contrib.foo.bar(2)", "tf.contrib.foo.bar does not exist"),
        ("tf.contrib.bayesflow.entropy.x(1)", "tf.contrib.bayesflow is gone"),
        ("tf.nope.more(1)", "tf.nope.more does not exist"),
    ],
)
def test_one_name(tmp_path, capsys, line, said):
    (tmp_path / "old.py").write_text(f"import tensorflow as tf\n{line}\n")
    assert cli.main(["check", "--json", str(tmp_path / "old.py")]) == 2
    (file,) = json.loads(capsys.readouterr().out)["files"]
    found = [each["message"] for each in file["findings"] if each["line"] == 2]
    assert len(found) == 1
    assert found[0].startswith(said)
