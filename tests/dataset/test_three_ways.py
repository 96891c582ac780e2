"""Input functions of as many kinds: queues, lift and written program give the same elements."""

import pytest

from tests.dataset import inputs
from tests.dataset.lifted import three_ways

# What does not fill the last batch is dropped, as the functions say.
pytestmark = [
    pytest.mark.filterwarnings("ignore::tfqueue.errors.DroppedElementsWarning"),
    pytest.mark.filterwarnings("ignore::tfqueue.errors.WaitingWarning"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("inputs")
    inputs.write(made)
    return made


@pytest.mark.parametrize("name", inputs.FUNCTIONS)
def test_give_the_same(name, folder):
    python = name in inputs.PYTHON
    for found in three_ways(inputs.FUNCTIONS[name], folder, python=python):
        assert found.steps or found.error
        assert (found.how == "by dtype and shape") == (name in inputs.LOOSE)


def test_they_are_of_many_kinds():
    assert len(inputs.FUNCTIONS) >= 80
