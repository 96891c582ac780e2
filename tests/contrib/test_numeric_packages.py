"""Small packages of `tf.contrib` that compute give what they gave in TensorFlow 1.15.5, ndlstm in 1.4.1.

Variables and ops have the names of the original, and sums are made in its order; what is left is how one
processor rounds.
"""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import numeric_packages

FOLDER = pathlib.Path(__file__).parent
RECORDED = json.loads((FOLDER / "numeric_packages_115.json").read_text())
RECORDED |= json.loads((FOLDER / "numeric_packages_141.json").read_text())


@pytest.mark.parametrize(
    ("package", "name"),
    [(package, name) for package, cases in numeric_packages.CASES.items() for name in cases],
)
def test_gives_what_it_gave(package, name):
    if package == "grid_rnn":
        pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")
    found, expected = numeric_packages.run(tf, package, name), RECORDED[package][name]
    for what in ("variables", "names", "shapes"):
        assert found[what] == expected[what]
    for what in ("values", "gradients"):
        assert len(found[what]) == len(expected[what])
        for one, other in zip(found[what], expected[what], strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=3e-6)
