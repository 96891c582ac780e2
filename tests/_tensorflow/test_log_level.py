"""The level of TensorFlow's C++ log, which is set for the import and no longer."""

import os
import subprocess
import sys

import pytest

from tests.suite import samples

CODE = """
import os
import tfqueue
with tfqueue.eager():  # the first that asks for TensorFlow
    pass
print(os.environ.get("TF_CPP_MIN_LOG_LEVEL"))
"""


@pytest.mark.parametrize("level", samples.some([None, "3", "0"], 2))
def test_what_the_user_has_set_stays(level):
    environment = {k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"}
    if level:
        environment["TF_CPP_MIN_LOG_LEVEL"] = level
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True
    )
    assert done.stdout.strip() == str(level), done.stderr
    if level is None:
        assert done.stderr == ""  # of a CPU, of CUDA, of absl
