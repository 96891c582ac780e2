"""What `tfqueue.port.libraries.imblearn_samplers` gives back to imbalanced-learn, on stand-ins for its classes.

imbalanced-learn 0.3.3 and 0.4.3 gave the same samples for the same calls where nothing is told here: SMOTE of three
classes has those of 0.4.3, and of 0.3.3 where the strategy is a dictionary or classes are met in their order.
"""

import sys
import types

import numpy as np
import pytest

from tfqueue.port.differences import telling
from tfqueue.port.libraries import imblearn_samplers


@pytest.fixture
def sampler(monkeypatch):
    class SamplerMixin:
        _sampling_type = "over-sampling"

        def __init__(self, strategy="auto"):
            self.sampling_strategy = strategy

        def fit_resample(self, data, labels):
            self.given = data, labels
            self.sampling_strategy_ = {1: 2, 2: 3, 3: 0}
            return self.given

    class Pipeline:
        def fit_resample(self, data, labels):
            return data, labels

    home = types.ModuleType("imblearn")
    home.base = types.ModuleType("imblearn.base")
    home.base.SamplerMixin = SamplerMixin
    home.pipeline = types.SimpleNamespace(Pipeline=Pipeline)
    monkeypatch.setitem(sys.modules, "imblearn", home)
    monkeypatch.setitem(sys.modules, "imblearn.base", home.base)
    imblearn_samplers.install()
    telling.forget()
    return SamplerMixin


class Table:
    """A table of pandas, as far as is asked here."""

    def __array__(self, dtype=None, copy=None):
        return np.ones([3, 2])


def test_tables_become_arrays(sampler, capsys):
    data, labels = sampler().fit_sample(Table(), [1, 2, 0])
    assert (type(data), type(labels)) == (np.ndarray, np.ndarray)
    sparse = types.SimpleNamespace(tocsr=None)
    assert sampler().fit_sample(sparse, [1, 2, 0])[0] is sparse
    assert sys.modules["imblearn"].pipeline.Pipeline().fit_sample([[1]], [0]) == (1, 0)
    assert capsys.readouterr().err == ""


def test_another_order_of_classes_is_told_once(sampler, capsys):
    for _ in range(2):
        sampler().fit_sample([[1]], [3, 2, 0, 1])
    (line,) = capsys.readouterr().err.splitlines()
    assert (
        "makes samples of 1 first, as imbalanced-learn since 0.4: up to 0.3 those of 2 came" in line
    )


@pytest.mark.parametrize(
    "change", [{"_sampling_type": "under-sampling"}, {"sampling_strategy": {1: 2}}]
)
def test_what_has_no_other_order_is_not_told(sampler, capsys, change):
    made = sampler()
    vars(made).update(change)
    made.fit_sample([[1]], [2, 0, 1])
    assert capsys.readouterr().err == ""


def test_an_older_one_is_left_alone(sampler):
    sampler.fit_sample = "its own"
    imblearn_samplers.install()
    assert sampler.fit_sample == "its own"
