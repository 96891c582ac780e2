"""What arguments of `tf.estimator` are when they are left out, as the ledger has it of TensorFlow 1."""

import types

import pytest

from tests.ledger.defaults import differing
from tfqueue.estimator import _models


def test_of_all_functions_and_classes():
    assert differing("estimator.") == []


@pytest.mark.parametrize(("columns", "rate"), [(1, 0.2), (25, 0.2), (100, 0.1), (400, 0.05)])
def test_the_rate_of_a_linear_model_is_smaller_with_many_columns(columns, rate):
    model = types.SimpleNamespace(linear_columns=[None] * columns)
    assert _models.Model.linear_rate(model) == pytest.approx(rate)
