"""What is judged of queues, runners and steps, with a session that the test makes up."""

import types

import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.suite import patience
from tfqueue.graph.op_types import Demand, Queue, Take
from tfqueue.session import accounts, backpressure, failures, queues, starvation


def queue(name="q", capacity=10, least=0, shared_name=""):
    return Queue(types.SimpleNamespace(name=name), "FIFOQueue", capacity, least, shared_name)


def take(of, amount=1, conditional=False, kind="QueueDequeueV2"):
    return Take(
        types.SimpleNamespace(type=kind, name=f"take of {of.name}"), of, amount, conditional
    )


def demand(*takes, puts=(), ops=()):
    return Demand(frozenset(ops), list(takes), [(None, into) for into in puts], [], [], True)


def thread(alive=True):
    return types.SimpleNamespace(is_alive=lambda: alive)


class Run:
    """A runner that fills a queue; its one thread does what `demand` says."""

    def __init__(self, fills, demand=None, **given):
        self.queue_name, self.demand = fills.name, demand
        self.ended, self.failure, self.alive = False, None, True
        self.is_begun = self.is_working = True
        self.elements = 0
        self.up = []
        self.runner = self
        for name, value in given.items():
            setattr(self, name, value)

    def begun(self):
        return self.is_begun

    def working(self):
        return self.is_working

    def enqueued(self):
        return self.elements

    def upstream(self):
        return self.up

    def demands(self):
        return [(self.demand, None, thread(self.alive))] if self.demand is not None else []


class Known:
    """What is known of a session: `sizes` of queues, or None where they do not tell; `closed` ones."""

    def __init__(self, *runs, remote=False):
        self.runs, self.remote, self.stopping = list(runs), remote, False
        self.graph = None
        self.sizes, self.is_closed, self.fed = {}, set(), set()
        self.queues = self
        self.closing, self.also, self.registered, self.plans = set(), [], set(), []
        self.steps = types.SimpleNamespace(under_way=[], in_parts=[])
        self.pipeline = self
        self.causes, self.cancelled = {}, set()

    def look(self, of):
        size = self.sizes.get(of.name, 0)
        return None if size is None else (size, of.name in self.is_closed)

    def is_full(self, of, unknown=True):
        return queues.Queues.is_full(self, of, unknown)

    def runs_of(self, of):
        return [run for run in self.runs if run.queue_name == of.name]

    def feeders_of(self, of):
        return [thread()] if of.name in self.fed else []

    def may_close(self, of):
        return of.name in self.closing

    def also_put(self, of):
        return self.also

    def runners_of(self, of):
        return [of] if of.name in self.registered else []

    def demand_of(self, runner):
        return runner.demand


# -- whether a runner's step is known to come back -----------------------------------------------------


@pytest.fixture
def types_of_ops(monkeypatch):
    """The types of the ops of each step."""
    found = {"Add"}
    monkeypatch.setattr(starvation.statefulness, "types_within", lambda graph, ops: found)
    return found


@pytest.mark.parametrize(
    ("kinds", "comes"),
    [
        (set(), True),
        ({"Enter"}, True),
        ({"VarHandleOp"}, True),
        ({"While", "VarHandleOp"}, False),
        ({"Enter", "VariableV2"}, False),
        ({"PyFunc"}, False),
        ({"EagerPyFunc"}, False),
        ({"IteratorGetNext"}, False),
        ({"Unstage"}, False),
        ({"BarrierTakeMany"}, False),
    ],
)
def test_what_only_computes_comes_back(types_of_ops, kinds, comes):
    types_of_ops |= kinds
    assert starvation.comes_back(Known(), demand()) is comes
    assert not starvation.comes_back(Known(remote=True), demand())


def test_a_step_that_puts_comes_back_where_there_is_room(types_of_ops):
    full, own = queue("full", capacity=3), queue("own", capacity=3)
    owner = Known()
    owner.sizes = {"full": 3, "own": 3}
    assert not starvation.comes_back(owner, demand(puts=[full]))
    assert starvation.comes_back(owner, demand(puts=[own]), frozenset([own]))
    owner.sizes["full"] = 2
    assert starvation.comes_back(owner, demand(puts=[full]))
    owner.sizes["full"] = None
    assert not starvation.comes_back(owner, demand(puts=[full])), "it cannot be told"


@pytest.mark.parametrize(
    ("given", "comes"),
    [
        ({"size": 2}, True),
        ({"size": 1}, False),
        ({"size": 3, "least": 2}, False),
        ({"size": 4, "least": 2}, True),
        ({"size": 0, "closed": True}, True),
        ({"size": None}, False),
        ({"size": 5, "shared_name": "all"}, False),
        ({"size": 1, "amount": None}, True),
        ({"size": 0, "amount": None}, False),
    ],
)
def test_a_step_that_takes_comes_back_where_there_is_enough(types_of_ops, given, comes):
    of = queue("q", least=given.get("least", 0), shared_name=given.get("shared_name", ""))
    owner = Known()
    owner.sizes = {"q": given["size"]}
    owner.is_closed = {"q"} if given.get("closed") else set()
    step = demand(take(of, given.get("amount", 2)))
    assert starvation.comes_back(owner, step) is comes
    assert not starvation.comes_back(owner, step, frozenset([of])), "it waits for itself"


@pytest.mark.parametrize(
    ("runs", "comes"),
    [
        ([], False),
        ([{}], True),
        ([{"is_begun": False}], False),
        ([{"ended": True, "is_working": False}], True),
        ([{"is_working": False}], False),
        ([{"waits": True}], False),
        ([{"waits": True, "alive": False}], True),
        ([{}, {"waits": True}], False),
        ([{}, {"is_begun": False}], True),
    ],
)
def test_a_step_comes_back_where_those_that_fill_its_queue_do(types_of_ops, runs, comes):
    of, empty = queue("q"), queue("empty")
    made = [
        Run(of, demand(take(empty)) if given.pop("waits", False) else demand(puts=[of]), **given)
        for given in [dict(each) for each in runs]
    ]
    assert starvation.comes_back(Known(*made), demand(take(of))) is comes


def test_runners_that_wait_for_one_another_do_not_come_back(types_of_ops):
    one, two = queue("one"), queue("two")
    owner = Known(Run(one, demand(take(two))), Run(two, demand(take(one))))
    assert not starvation.comes_back(owner, demand(take(one)))
    owner.sizes["two"] = 1
    assert starvation.comes_back(owner, demand(take(one)))


# -- whether all that a step gets comes of some queues -----------------------------------------------


def test_elements_that_come_of_barren_queues_only(monkeypatch):
    names, examples, other = queue("names"), queue("examples"), queue("other")
    run = Run(examples, demand(take(names)))
    owner, barren = Known(run), {names}
    only = starvation._takes_only_from
    assert only(owner, demand(take(names)), barren)
    assert only(owner, demand(take(examples)), barren)
    assert only(owner, demand(take(other), take(examples)), barren), "one of them is enough"
    assert not only(owner, demand(take(other)), barren)
    assert not only(owner, demand(take(names, conditional=True)), barren)
    assert not only(owner, demand(), barren)
    owner.fed = {"examples"}
    assert not only(owner, demand(take(examples)), barren), "a thread feeds it, too"
    owner.fed = set()
    run.alive = False
    assert not only(owner, demand(take(examples)), barren), "nobody fills it"
    run.alive = True
    owner.runs.append(Run(examples, demand(take(other))))
    assert not only(owner, demand(take(examples)), barren)
    owner.runs[1].demand = demand(take(examples))  # what it puts has come of the other's
    assert only(owner, demand(take(examples)), barren)
    owner.remote = True
    assert not only(owner, demand(take(examples)), barren)
    owner.remote = False
    shared = queue("examples", shared_name="all")
    assert not only(owner, demand(take(shared)), barren)


# -- whether a queue has, or may get, an element -----------------------------------------------------


@pytest.mark.parametrize(
    ("given", "supplies"),
    [
        ({}, True),  # nobody is registered for it
        ({"registered": True}, False),
        ({"registered": True, "size": 1}, True),
        ({"registered": True, "closed": True}, True),
        ({"registered": True, "size": None}, True),
        ({"registered": True, "fed": True}, True),
        ({"registered": True, "closing": True}, True),
        ({"registered": True, "shared": True}, True),
        ({"run": {"is_begun": False}}, False),
        ({"run": {"is_begun": False}, "size": 1}, True),
        ({"run": {}}, True),
        ({"run": {"waits": True}}, False),
        ({"run": {"waits": "perhaps"}}, True),
        ({"run": {"waits": True, "ended": True}}, True),
        ({"run": {"waits": True, "failure": ValueError()}}, True),
        ({"run": {"waits": True, "elements": 1}}, True),
        ({"registered": True, "also": True}, True),
        ({"registered": True, "also": False}, False),
    ],
)
def test_whether_a_queue_can_supply_an_element(given, supplies):
    of, empty = queue("q", shared_name="all" if given.get("shared") else ""), queue("empty")
    owner = Known()
    owner.registered = {"empty"} | ({"q"} if given.get("registered") else set())
    owner.sizes = {"q": given.get("size", 0)}
    owner.is_closed = {"q"} if given.get("closed") else set()
    owner.fed = {"q"} if given.get("fed") else set()
    owner.closing = {"q"} if given.get("closing") else set()
    if "also" in given:
        owner.also = [Run(empty, is_begun=given["also"])]
    if "run" in given:
        options = dict(given["run"])
        waits = options.pop("waits", False)
        takes = [take(empty, conditional=waits == "perhaps")] if waits else []
        owner.runs = [Run(of, demand(*takes), **options)]
    assert starvation._can_supply(owner, of, set()) is supplies


def test_runners_that_were_never_started():
    mine, theirs, none = queue("mine"), queue("theirs"), queue("none")
    owner = Known(Run(mine, is_begun=False))
    owner.registered = {"theirs"}
    assert starvation._never_started(owner, [mine, theirs, none]) == [mine, theirs]
    owner.runs.append(Run(mine))
    assert starvation._never_started(owner, [mine, theirs, none]) == [theirs]


# -- what closing a queue gives -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "released"),
    [
        ({"amount": 2}, False),
        ({"amount": None}, True),
        ({"amount": 2, "kind": "QueueDequeueUpToV2"}, True),
        ({"amount": 2, "least": 3, "size": 2}, True),
        ({"amount": 2, "least": 3, "size": 3}, False),
        ({"amount": 2, "least": 3, "size": None}, False),
    ],
)
def test_closing_a_queue_may_give_a_step_what_it_waits_for(given, released):
    of, other = queue("q", least=given.get("least", 0)), queue("other", least=given.get("least", 0))
    owner = Known()
    owner.sizes = {"q": given.get("size", 0), "other": given.get("least", 0)}
    kind = given.get("kind", "QueueDequeueManyV2")
    step = types.SimpleNamespace(
        plan=types.SimpleNamespace(demand=demand(take(of, given["amount"], kind=kind)))
    )
    assert starvation._is_released_by_closing(owner, step, of) is released
    assert starvation._is_released_by_closing(owner, step, other) is False


# -- what is taken and put ---------------------------------------------------------------------------------


def test_amounts_of_several_takes_of_one_queue_add_up():
    one, two, three = queue("one"), queue("two"), queue("three")
    found = accounts.amounts_by_queue(
        demand(
            *(take(one, 3), take(one, 4)),
            *(take(two, 2), take(two, None)),
            *(take(three, None), take(three, 2)),
        )
    )
    assert found == {one: 7, two: None, three: None}
    assert accounts.amounts_by_queue(demand(take(one, 1, conditional=True))) == {one: None}
    assert accounts.amounts_by_queue(demand(take(one, 1, kind="ReaderReadV2"))) == {one: None}


# -- whether what was read in front of a failure is still taken ------------------------------------------


@pytest.fixture
def clock(monkeypatch):
    given = types.SimpleNamespace(now=100.0)
    given.monotonic = lambda: given.now
    monkeypatch.setattr(failures, "time", given)
    usual = patience.usual(failures, "_FOLLOW_SECONDS")
    monkeypatch.setattr(failures, "_FOLLOW_SECONDS", usual)
    return given


def plan(*upstream, last):
    return types.SimpleNamespace(upstream=list(upstream), last=last)


def test_a_second_is_what_a_loop_has_to_take_the_next_element(clock):
    of, other = queue("q"), queue("other")
    run = Run(of, failure=ValueError(), failed_at=100.0)
    owner = Known(Run(other), run)
    still = failures.still_delivers
    assert still(owner)
    clock.now = 100.9
    assert still(owner)
    clock.now = 101.0
    assert not still(owner)
    owner.plans = [plan(other, last=100.9)]
    assert not still(owner)
    owner.plans.append(plan(other, of, last=100.1))
    assert still(owner)
    assert not still(owner, but=owner.plans[1])
    clock.now = 101.5
    assert not still(owner)
    waits = types.SimpleNamespace(plan=plan(of, last=0.0))
    owner.steps.under_way = [waits]
    assert still(owner)
    assert not still(owner, but=waits.plan)
    failures.mark_reported(run.failure)
    assert not still(owner)


# -- whether a step that puts waits for ever ----------------------------------------------------------------


@pytest.fixture
def full(monkeypatch):
    """A full queue and a session with one step that puts an element into it."""
    of = queue("q", capacity=2)
    owner = Known()
    owner.sizes = {"q": 2}
    owner.accounts = types.SimpleNamespace(balance=lambda queue: owner.expected)
    owner.expected, owner.amounts = 2, [1]
    monkeypatch.setattr(
        backpressure,
        "puts_under_way",
        lambda owner, queue: [
            (amount, None, types.SimpleNamespace(feed_dict=None)) for amount in owner.amounts
        ],
    )
    monkeypatch.setattr(backpressure, "amount_put", lambda op, feed_dict: op)
    return owner, of


def test_a_queue_that_nobody_empties_stays_full(full):
    assert backpressure._stays_full(*full)


@pytest.mark.parametrize(
    "change",
    [
        lambda owner, of: owner.causes.update(q=ValueError()),
        lambda owner, of: owner.cancelled.add("q"),
        lambda owner, of: owner.runs.append(Run(of)),
        lambda owner, of: owner.also.append(Run(of)),
        lambda owner, of: owner.runs.append(Run(queue("behind"), up=[of])),
        lambda owner, of: owner.closing.add("q"),
        lambda owner, of: owner.sizes.update(q=None),
        lambda owner, of: owner.sizes.update(q=1),
        lambda owner, of: owner.is_closed.add("q"),
        lambda owner, of: setattr(owner, "expected", None),
        lambda owner, of: setattr(owner, "expected", 1),  # the one under way is in
        lambda owner, of: setattr(owner, "expected", 3),  # one was taken
        lambda owner, of: owner.amounts.append(None),
        lambda owner, of: setattr(of, "capacity", -1),
        lambda owner, of: owner.steps.in_parts.append(
            types.SimpleNamespace(demand=demand(take(of)))
        ),
    ],
)
def test_a_queue_that_may_get_room(full, change):
    change(*full)
    assert not backpressure._stays_full(*full)


def test_what_changes_none_of_it(full):
    owner, of = full
    owner.runs = [Run(of, is_working=False), Run(queue("behind"), up=[of], is_working=False)]
    owner.runs.append(Run(queue("beside"), up=[queue("other")]))
    owner.steps.in_parts = [None, types.SimpleNamespace(demand=demand(take(queue("other"))))]
    owner.amounts = [3, 5]
    owner.expected = 0
    assert backpressure._stays_full(owner, of)


def test_what_is_counted_meanwhile_is_no_proof(full):
    owner, of = full
    answers = iter([2, 1])
    owner.accounts.balance = lambda queue: next(answers)
    assert not backpressure._stays_full(owner, of)


# -- full queues from which nothing ever took --------------------------------------------------------------


@pytest.fixture
def filled():
    """`(owner, plan, queue)`: a full queue, and a plan that puts into it."""
    of = queue("q", capacity=2)
    owner = Known()
    owner.sizes, owner.accounts = {"q": 2}, types.SimpleNamespace(complete=True)
    owner.knows_users_of = lambda queue: True
    return owner, types.SimpleNamespace(put_queues=[of]), of


def runs_plan(of, has_run):
    return types.SimpleNamespace(demand=demand(take(of)), has_run=lambda: has_run)


def test_a_full_queue_that_nothing_has_taken_from(filled):
    owner, put, of = filled
    never = backpressure.never_drained
    assert never(owner, put) == [of]
    owner.plans = [runs_plan(of, has_run=False), runs_plan(queue("other"), has_run=True)]
    assert never(owner, put) == [of]
    owner.plans.append(runs_plan(of, has_run=True))
    assert never(owner, put) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda owner, of: setattr(owner, "remote", True),
        lambda owner, of: setattr(owner.accounts, "complete", False),
        lambda owner, of: setattr(of, "shared_name", "all"),
        lambda owner, of: setattr(owner, "knows_users_of", lambda queue: False),
        lambda owner, of: owner.sizes.update(q=1),
        lambda owner, of: owner.sizes.update(q=None),
        lambda owner, of: owner.runs.append(Run(queue("x"), demand(take(of)), is_working=False)),
    ],
)
def test_where_that_is_not_known_no_queue_is_named(filled, change):
    owner, put, of = filled
    change(owner, of)
    assert backpressure.never_drained(owner, put) == []


def test_behind_a_runner_it_is_the_queue_that_the_runner_fills(filled):
    owner, put, of = filled
    behind = queue("behind", capacity=1)
    owner.runs = [Run(behind, demand(take(of), puts=[behind]))]
    assert backpressure.never_drained(owner, put) == []
    owner.sizes["behind"] = 1
    assert backpressure.never_drained(owner, put) == [behind]
    owner.runs.append(Run(of, demand(take(behind), puts=[of])))  # in a circle nobody is named
    assert backpressure.never_drained(owner, put) == []


# -- waiting for runners that were never started -----------------------------------------------------------


@pytest.fixture
def held(monkeypatch):
    """A step that is held back: `held.acting` may start its runners, `held.until` is when one does."""
    of = queue("q")
    made = types.SimpleNamespace(now=0.0, acting=["a thread"], until=8.0, pauses=[], told=[])
    made.monotonic = lambda: made.now

    def wait(seconds):
        made.pauses.append(seconds)
        made.now += seconds

    owner = Known()
    owner.changed = types.SimpleNamespace(wait=wait)
    owner.failure = lambda **known: known
    owner.registered = {"q"}
    usual = patience.usual(starvation, "_WARN_AFTER")
    monkeypatch.setattr(starvation, "_WARN_AFTER", usual)
    monkeypatch.setattr(starvation, "time", made)
    monkeypatch.setattr(starvation, "_may_run", lambda *given: made.now >= made.until)
    monkeypatch.setattr(starvation, "_who_may_act", lambda stuck: made.acting)
    monkeypatch.setattr(starvation, "stuck_threads", set)
    monkeypatch.setattr(
        starvation.diagnosis, "warn_waiting", lambda *given: made.told.append((made.now, *given))
    )
    monkeypatch.setattr(
        starvation.diagnosis, "never_started", lambda failure, queues: ValueError(queues)
    )
    made.wait = lambda: starvation._wait_for_start(
        owner, types.SimpleNamespace(upstream=[of, queue("other")]), None
    )
    made.queue = of
    return made


def test_a_step_that_is_held_back_is_spoken_of_once_after_five_seconds(held):
    held.wait()
    ((when, _, acting),) = held.told
    assert 5.0 < when < 5.2
    assert acting == ["a thread"]
    assert set(held.pauses) == {0.05}
    assert 8.0 <= held.now < 8.1


def test_where_nobody_is_left_who_could_start_them_half_a_second_is_enough(held):
    held.acting = []
    with pytest.raises(ValueError, match="q") as caught:
        held.wait()
    assert caught.value.args == ([held.queue],)
    assert failures.was_reported(caught.value)
    assert 0.5 < held.now < 0.7
    assert held.told == []


# -- who still brings elements ----------------------------------------------------------------------------


def watch(owner, *upstream, caller="me"):
    made = object.__new__(starvation.WaitWatch)
    made._owner = owner
    made._step = types.SimpleNamespace(
        plan=types.SimpleNamespace(upstream=list(upstream)), caller=caller
    )
    return made


def test_the_shared_queue_that_others_fill():
    near, shared, far = queue("near"), queue("shared", shared_name="all"), queue("far")
    owner = Known(remote=True)
    found = watch(owner, near, shared, far)._filled_elsewhere
    assert found() is shared
    owner.runs = [Run(shared, is_working=False), Run(near)]
    assert found() is shared
    owner.runs.append(Run(shared))
    assert found() is None
    owner.runs, owner.remote = [], False
    assert found() is None
    assert watch(Known(remote=True), near, far)._filled_elsewhere() is None


def test_who_is_alive_and_fills_a_queue():
    of, other = queue("q"), queue("other")
    owner = Known()
    owner.live_feeders = lambda queue: ["me"] if queue is of else []
    live = watch(owner, of)._has_live_producer
    assert not live(), "the thread that waits is none"
    for given, lives in (
        ({}, True),
        ({"is_working": False}, False),
        ({"is_begun": False}, False),
    ):
        owner.runs = [Run(of, **given)]
        assert live() is lives
    owner.runs = [Run(other)]
    assert not live()
    owner.live_feeders = lambda queue: ["me", "you"]
    assert live()


# -- Python that may yet be called -------------------------------------------------------------------


def test_python_behind_the_take_that_waits_is_not_called(monkeypatch):
    first, second = (tf.FIFOQueue(3, tf.int32, [[]], name=name) for name in ("first", "second"))

    def called(number, name):
        return tf.py_func(lambda number: number, [number], tf.int32, name=name)

    taken = [first.dequeue(), second.dequeue()]
    made = [called(taken[0], "behind_first"), called(taken[1], "behind_second")]
    before = called(tf.constant(1), "before")
    pipeline = tfqueue.pipeline(tf.get_default_graph())
    demand = pipeline.demand([each.op for each in [*made, before]])
    owner, waits = types.SimpleNamespace(pipeline=pipeline), {"second"}
    monkeypatch.setattr(starvation, "_waits_at", lambda owner, queue, amount: queue.name in waits)
    monkeypatch.setattr(starvation, "_unfilled", lambda owner, queue, *given: unfilled)

    def may_call():
        return {op.name for op in starvation._python_of_step(owner, demand)}

    unfilled = []
    assert may_call() == {"before", "behind_first"}
    waits.add("first")
    assert may_call() == {"before"}
    unfilled = None
    assert may_call() == {"before", "behind_first", "behind_second"}, "a thread fills them"
