"""What becomes of a plan that is made faster, paced, or given to a tf.data service."""

import numpy as np
import pytest

from tfqueue.dataset import plan, rewrites
from tfqueue.errors import CannotLiftError


class Step:
    """What a rewrite asks of a step."""

    def __init__(self, **given):
        vars(self).update(given)


def step(**given):
    """What is asked of a step's ops; a step that can be run on batches, where nothing is said."""
    whole = {"plain": False, "given": ["x"], "regular": True, "draws": False, "settled": False}
    return Step(**{**whole, "ordered": False, "draws_alike": False, **given})


STEP = step()


def rows(epochs=1, shuffled=False, seed=None, count=4, **more):
    return plan.Rows([np.arange(count)], epochs, shuffled, seed, **more)


def read(kind="TextLineReader", up_to=None, names=None):
    return plan.Read(rows() if names is None else names, kind, {}, False, up_to)


def shuffle(source, buffer=3, seed=5, **more):
    return plan.Shuffle(source, buffer, seed, **more)


def apply(source, made=STEP, **more):
    return plan.Apply(source, made, **more)


def batch(source, size=2, smaller=False, padded=None):
    return plan.Batch(source, size, smaller, padded)


def said(node):
    """A plan in words: each node with what it takes from."""
    inner = ", ".join(map(said, node.inputs))
    name = type(node).__name__.lower()
    more = {
        plan.Apply: lambda: f"{' vector' * node.vector}{f' of {node.size}' if node.size else ''}",
        plan.Batch: lambda: f" {node.size}{' or less' * node.smaller}",
        plan.Rebatch: lambda: f" {node.size}{' or less' * node.smaller}",
        plan.Shuffle: lambda: f" {node.buffer} {node.seed}",
        plan.Serve: lambda: f" {node.address}",
        plan.Rows: lambda: " served" * node.served,
    }.get(type(node), str)()
    return f"{name}{more}({inner})"


TWICE = step(draws=True)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        # records are shuffled before a step
        (shuffle(apply(rows())), "apply(shuffle 3 5(rows()))"),
        (shuffle(apply(apply(rows(), TWICE))), "apply(apply(shuffle 3 5(rows())))"),
        (shuffle(read()), "shuffle 3 5(read(rows()))"),
        (shuffle(read("WholeFileReader")), "read(shuffle 3 5(rows()))"),
        (shuffle(apply(read("IdentityReader"))), "apply(read(shuffle 3 5(rows())))"),
        (shuffle(rows()), "shuffle 3 5(rows())"),
        # a step is run on batches
        (batch(apply(rows())), "apply vector of 2(batch 2(rows()))"),
        (batch(apply(rows()), smaller=True), "apply vector(batch 2 or less(rows()))"),
        (batch(apply(rows()), padded=[[None]]), "batch 2(apply(rows()))"),
        (batch(shuffle(apply(rows()))), "apply vector of 2(batch 2(shuffle 3 5(rows())))"),
        (batch(apply(rows(), vector=True)), "batch 2(apply vector(rows()))"),
        *(
            (batch(apply(rows(), made)), "batch 2(apply(rows()))")
            for made in (step(regular=False), TWICE)
        ),
        # where all elements have one shape
        (batch(apply(read())), "apply vector of 2(batch 2(read(rows())))"),
        (batch(apply(read(up_to=3))), "batch 2(apply(read(rows())))"),
        (
            batch(apply(plan.Zip([rows(), read()]))),
            "apply vector of 2(batch 2(zip(rows(), read(rows()))))",
        ),
        (
            batch(apply(plan.Zip([rows(), read(up_to=3)]))),
            "batch 2(apply(zip(rows(), read(rows()))))",
        ),
        (
            batch(apply(plan.Merge([rows(), read(up_to=3)]))),
            "batch 2(apply(merge(rows(), read(rows()))))",
        ),
        (batch(apply(plan.Share(rows(), 2, 0))), "apply vector of 2(batch 2(share(rows())))"),
        (batch(apply(plan.Filter(rows()))), "batch 2(apply(filter(rows())))"),
        (
            batch(apply(apply(rows(), step(draws=True, settled=True)))),
            "apply vector of 2(batch 2(apply(rows())))",
        ),
        (batch(apply(apply(rows(), TWICE))), "batch 2(apply(apply(rows())))"),
        # a step that does nothing
        (apply(rows(), step(plain=True)), "rows()"),
        (batch(apply(rows(), step(plain=True))), "batch 2(rows())"),
        # the rows of one tensor
        (apply(plan.Unbatch(read())), "unbatch(apply vector(read(rows())))"),
        (apply(plan.Unbatch(read(up_to=3))), "unbatch(apply vector(read(rows())))"),
        (apply(plan.Unbatch(read()), step(given=[])), "apply(unbatch(read(rows())))"),
        (apply(plan.Unbatch(read()), TWICE), "apply(unbatch(read(rows())))"),
        (
            apply(plan.Filter(apply(plan.Unbatch(rows())))),
            "apply(filter(unbatch(apply vector(rows()))))",
        ),
    ],
)
def test_a_plan_is_arranged(node, expected):
    before = said(node)
    assert said(rewrites.arrange(node)) == expected
    assert said(node) == before, "the plan itself stays"


def test_steps_that_are_not_run_on_batches():
    node = batch(apply(rows()))
    for without in (None, [STEP]):
        assert said(rewrites.arrange(node, without)) == "batch 2(apply(rows()))"
    assert said(rewrites.arrange(node, [TWICE])) == "apply vector of 2(batch 2(rows()))"
    unbatched = apply(plan.Unbatch(rows()))
    assert said(rewrites.arrange(unbatched, None)) == "apply(unbatch(rows()))"
    shuffled = shuffle(apply(rows()))
    assert said(rewrites.arrange(shuffled, None)) == "apply(shuffle 3 5(rows()))"


ORDERED, ALIKE = step(ordered=True), step(ordered=True, draws_alike=True)


@pytest.mark.parametrize(
    ("node", "parallel"),
    [
        (apply(rows()), [7]),
        (apply(batch(rows())), [None]),
        (apply(read(up_to=2)), [None]),
        (apply(rows(), ORDERED), [1]),
        (apply(batch(rows()), ORDERED), [1]),
        (apply(shuffle(rows()), ORDERED), [7]),
        (apply(batch(shuffle(rows())), ORDERED), [None]),
        (apply(shuffle(rows()), ALIKE), [1]),
        (apply(rows(), step(draws_alike=True)), [7]),
        (plan.Zip([apply(batch(apply(rows(), ORDERED))), apply(rows())]), [None, 1, 7]),
    ],
)
def test_how_many_are_computed_at_once(node, parallel):
    for ahead in (7, None):
        paced = rewrites.pace(plan.rebuilt(node, lambda source: source), ahead)
        found = [each.parallel for each in plan.walk(paced) if isinstance(each, plan.Apply)]
        assert found == [ahead if number == 7 else number for number in parallel]


def endless(**given):
    return rows(None, True, **given)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (rows(), "serve at(rows served())"),
        (apply(rows()), "serve at(apply(rows served()))"),
        (batch(endless()), "serve at(batch 2(rows served()))"),
        (batch(rows()), "rebatch 2(serve at(batch 2 or less(rows served())))"),
        (
            apply(batch(rows(), 3, True), vector=True, size=3),
            "rebatch 3 or less(serve at(apply vector(batch 3 or less(rows served()))))",
        ),
        (
            apply(batch(rows())),
            "apply(rebatch 2(serve at(batch 2 or less(rows served()))))",
        ),
        (batch(rows(), padded=[[None]]), "batch 2(serve at(rows served()))"),
        (
            batch(batch(rows(), 3), 2),
            "batch 2(rebatch 3(serve at(batch 3 or less(rows served()))))",
        ),
        (plan.Sort(apply(rows()), 1), "sort(serve at(apply(rows served())))"),
        (plan.Bucket(rows(), [2], False, None), "bucket(serve at(rows served()))"),
        (
            plan.Split(shuffle(rows(), seed=None, buffer=2), [None, None], 1),
            "split(serve at(shuffle 2 None(rows served())))",
        ),
        (plan.Zip([endless(), endless()]), "serve at(zip(rows served(), rows served()))"),
        (apply(shuffle(rows(), 2), ORDERED), "serve at(apply(shuffle 2 5(rows served())))"),
        (apply(endless(), ORDERED), "serve at(apply(rows served()))"),
        # rows are in a shuffled order before they are given out
        (shuffle(rows(), 4), "serve at(rows served())"),
        (shuffle(rows(), 3), "serve at(shuffle 3 5(rows served()))"),
        (shuffle(rows(shuffled=True), 1), "serve at(rows served())"),
    ],
)
def test_a_plan_is_served(node, expected):
    assert said(rewrites.serve(node, "at")) == expected


def test_seeds_of_rows_that_are_served(monkeypatch):
    drawn = []
    monkeypatch.setattr(rewrites.secrets, "randbelow", lambda most: drawn.append(most) or 77)

    def served(node):
        found = rewrites.serve(node, "at").source
        return found.seed, found.shuffled, found.in_order

    assert served(rows(seed=3)) == (3, False, None)
    assert served(rows(seed=0)) == (0, False, None)
    assert drawn == []
    assert served(rows()) == (77, False, None)
    assert served(shuffle(rows(seed=3, in_order=[1]), 4)) == (5, True, None)
    assert served(shuffle(rows(seed=3), 4, None)) == (77, True, None)
    assert drawn == [1 << 31] * 2


@pytest.mark.parametrize(
    ("node", "says"),
    [
        (plan.Share(rows(), 2, 0), "a queue has several consumers, and each would have a job"),
        *(
            (plan.Zip([endless(), other]), "elements of several queues are taken together")
            for other in (rows(), endless(seed=1), rows(1, True), rows(None))
        ),
        *(
            (
                plan.Split(source, [None], 1),
                "a step takes at several places what follows each other",
            )
            for source in (rows(), shuffle(rows()), rows(1, True, 3))
        ),
        *(
            (batch(apply(source, ORDERED)), "numbers are drawn with a seed for examples in order")
            for source in (rows(), rows(1, True, 3))
        ),
    ],
)
def test_what_several_workers_cannot_do(node, says):
    with pytest.raises(CannotLiftError, match=f"^{says}"):
        rewrites.serve(node, "at")
