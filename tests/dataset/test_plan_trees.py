"""What is asked of the tree of a plan: what it takes from, whether it ends, what its elements are."""

import dataclasses

import numpy as np
import pytest

from tfqueue.dataset import plan


def rows(epochs=1, **more):
    return plan.Rows([np.arange(5)], epochs, False, **more)


def read(up_to=None):
    return plan.Read(rows(), "TextLineReader", {}, False, up_to)


def batch(source):
    return plan.Batch(source, 2, False)


ONE = {
    "Read": lambda source: plan.Read(source, "TextLineReader", {}, False),
    "Apply": lambda source: plan.Apply(source, None),
    "Filter": plan.Filter,
    "Unbatch": plan.Unbatch,
    "Shuffle": lambda source: plan.Shuffle(source, 3, None),
    "Batch": batch,
    "Split": lambda source: plan.Split(source, [1, None], 2),
    "Sort": lambda source: plan.Sort(source, 2),
    "Bucket": lambda source: plan.Bucket(source, [2, 3], False, None),
    "Share": lambda source: plan.Share(source, 2, 0, [1, 2]),
    "Serve": lambda source: plan.Serve(source, "at"),
    "Rebatch": lambda source: plan.Rebatch(source, 2, False),
}


@pytest.mark.parametrize("name", ONE)
def test_a_node_of_one_source(name):
    source = rows()
    node = ONE[name](source)
    assert node.inputs == [source]
    assert [*plan.walk(node)] == [node, source]
    assert (plan.endless(node), plan.endless(ONE[name](rows(None)))) == (False, True)
    other = rows()
    rebuilt = plan.rebuilt(node, lambda each: other if each is source else None)
    assert (type(rebuilt), rebuilt.inputs, node.inputs) == (type(node), [other], [source])
    fields = [field.name for field in dataclasses.fields(node)]
    changed = [field for field in fields if getattr(node, field) is not getattr(rebuilt, field)]
    assert len(changed) == 1
    assert plan.of_batches(node) == (name in ("Batch", "Bucket"))
    assert plan.of_batches(ONE[name](batch(rows()))) == (name not in ("Read", "Unbatch"))


@pytest.mark.parametrize("kind", [plan.Zip, plan.Merge])
def test_a_node_of_several_sources(kind):
    one, two = rows(None), plan.Filter(rows(2))
    node = kind([one, two])
    assert node.inputs == [one, two]
    assert [*plan.walk(node)] == [node, one, two, two.source]
    assert not plan.endless(node)
    assert plan.endless(kind([one, plan.Count(None)]))
    assert [plan.of_batches(kind([one, each])) for each in (two, batch(two))] == [False, True]
    seen = []
    rebuilt = plan.rebuilt(node, lambda each: seen.append(each) or two)
    assert (seen, rebuilt.inputs) == ([one, two], [two, two])


def test_a_node_without_sources():
    for node, ends in [(rows(0), True), (rows(None), False), (plan.Count(3), True)]:
        assert (node.inputs, [*plan.walk(node)]) == ([], [node])
        assert plan.endless(node) is not ends
        assert not plan.of_batches(node)
    assert plan.endless(plan.Count(None))
    assert [plan.of_batches(read(up_to)) for up_to in (None, 1, 3)] == [False, True, True]
    assert vars(plan.Count(3)) == {"times": 3, "name": "steps"}


@pytest.mark.parametrize(
    ("shard", "count"), [(None, 5), ((1, 0), 5), ((2, 0), 3), ((2, 1), 2), ((5, 4), 1), ((9, 7), 0)]
)
def test_how_many_rows_a_share_has(shard, count):
    assert rows(shard=shard).count == count


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([[0, 1, 2]], True),
        ([np.arange(3, dtype=np.int32)], True),
        ([np.arange(30)], True),
        ([[0, 1]], False),
        ([[]], False),
        ([[1, 2, 3]], False),
        ([[0, 1, 3]], False),
        ([[0.0, 1.0, 2.0]], False),
        ([np.arange(3, dtype=np.uint8)], False),
        ([[[0, 1, 2]]], False),
        ([[[0], [1], [2]]], False),
        ([[0, 1, 2], [0, 1, 2]], False),
        ([["0", "1", "2"]], False),
    ],
)
def test_numbers_from_0_on(values, expected):
    assert plan.is_range(values) is expected


def test_nodes_are_told_apart():
    assert plan.Count(1) != plan.Count(1)
    defaults = {"seed": None, "in_order": None, "drawn": None, "shard": None, "name": "rows"}
    found = vars(plan.Rows([1], 1, False))
    assert found == {
        "values": [1],
        "epochs": 1,
        "shuffled": False,
        **defaults,
        "steady": False,
        "served": False,
    }
    assert vars(plan.Apply(None, None)) == {
        "source": None,
        "step": None,
        "vector": False,
        "size": None,
        "parallel": None,
    }
