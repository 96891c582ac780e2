"""Variables of cells, layers, optimizers and metrics have the names that they had in the program's release.

Checkpoints hold variables by these names, and programs look for them: `"Bias" in variable.name`. Under a seed of the
graph random ops begin as they began in 1.8 and 1.15; of others see docs/limits.md.
"""

import json
import pathlib

import pytest

import tfqueue.v1 as tf
from tests.contrib import variable_names
from tfqueue import release

RECORDED = json.loads(pathlib.Path(__file__).with_name("variable_names.json").read_text())
OTHER_NAMES = {
    # a local variable, of which the same is computed
    *((of, "metrics.mean_per_class_accuracy") for of in ("1.1.0", "1.4.1")),
}
OTHER_SEEDS = {
    *((of, "batch_normalization, renorm") for of in ("1.8.0", "1.15.5")),
    ("1.8.0", "contrib group_norm"),
}


@pytest.fixture
def of(request):
    former = release.assume(request.param.rpartition(".")[0])
    yield request.param
    release.assume(former)


@pytest.mark.filterwarnings("ignore:one GRUCell for both directions")
@pytest.mark.parametrize("of", RECORDED, indirect=True)
@pytest.mark.parametrize("group", variable_names.GROUPS)
def test_names_and_seeds_are_those_of_the_release(of, group):
    if group == "layers":
        pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")
    expected = RECORDED[of][group]
    parts = tuple(map(int, of.split(".")[:2]))
    found = variable_names.found(tf, parts, group)
    assert None not in {case: found[case] for case in expected}.values()
    other = {case for case in expected if found[case][0] != expected[case][0]}
    assert {(of, case) for case in other} == {
        row for row in OTHER_NAMES if row[0] == of and row[1] in expected
    }
    if parts >= (1, 8) and group != "optimizers and metrics":  # gradients count otherwise
        other = {case for case in expected if found[case][1] != expected[case][1]}
        assert {(of, case) for case in other} == {
            row for row in OTHER_SEEDS if row[0] == of and row[1] in expected
        }
