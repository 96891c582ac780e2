"""The accounts of a session's queues: a real graph, and a session that the test makes up."""

import types

import pytest

import tfqueue.v1 as tf
from tfqueue.graph.model import Pipeline
from tfqueue.session.accounts import Accounts, amount_put, amount_taken
from tfqueue.session.step import Plan, Step


class Known:
    """A session: its `sizes` by queue, its runners' movers and who feeds by hand."""

    def __init__(self):
        self.pipeline = Pipeline.of(tf.get_default_graph())
        self.remote, self.runs, self.sizes, self.looks, self.fed = False, [], {}, 0, []
        self.queues = self
        self.accounts = Accounts(self)

    def look(self, queue):
        self.looks += 1
        size = self.sizes.get(queue.name, 0)
        return None if size is None else (size, False)

    def runs_of(self, queue):
        return [run for run in self.runs if run.fills == queue.name]

    def feeders_of(self, queue):
        return self.fed

    def plan(self, *fetched, fed=()):
        """A plan for a step, known to the accounts."""
        ops = [getattr(each, "op", each) for each in fetched]
        made = Plan(self.pipeline.demand(ops, fed), fetched, fed)
        self.accounts.prepare(made)
        for account, _ in made.accounts:
            account.passes = 0  # as if the queue's first step were over
        return made


class Runner:
    """A runner that fills a queue, or takes from one; each mover has moved so many elements."""

    def __init__(self, known, queue, op, *movers):
        self.fills, self.movers = queue.queue_ref.op.name, list(movers)
        self.taken = known.pipeline.demand([op])

    def demands(self):
        return [(self.taken, mover, None) for mover in self.movers]


def mover(elements=0, certain=0, grain=1, per_call=1):
    return types.SimpleNamespace(elements=elements, certain=certain, grain=grain, per_call=per_call)


@pytest.fixture
def queue():
    return tf.FIFOQueue(100, tf.int32, [[]], name="q")


@pytest.fixture
def known(queue):
    return Known()


def account(known, queue):
    return known.accounts.of(known.pipeline.queues[queue.queue_ref.op.name])


def state(known, queue):
    found = account(known, queue)
    return found.put, found.put_known, found.balance, found.exact, found.under_way


# -- which plans can be booked -------------------------------------------------------------------------


def shared(queue):
    return tf.FIFOQueue(3, tf.int32, [[]], shared_name="all").dequeue()


def unknown_amount(queue):
    return queue.dequeue_many(tf.placeholder(tf.int32, []))


def of_a_runner(queue):
    other = tf.FIFOQueue(3, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(other, [other.enqueue(queue.dequeue())]))
    return queue.dequeue()


def of_a_stack(queue):
    tf.stack([queue.queue_ref])
    return queue.dequeue()


@pytest.mark.parametrize(
    ("build", "bookable"),
    [
        (lambda queue: queue.dequeue(), True),
        (lambda queue: queue.dequeue_many(3), True),
        (lambda queue: tf.constant(1), False),
        (lambda queue: queue.enqueue(1), False),
        (shared, False),
        (unknown_amount, False),
        (of_a_runner, False),
        (of_a_stack, False),
    ],
)
def test_which_plans_can_be_booked(queue, build, bookable):
    fetched = build(queue)
    known = Known()
    plan = known.plan(fetched)
    assert plan.bookable is bookable
    assert all(each.bookable is bookable for each, _ in plan.accounts)
    known.remote = True
    assert known.plan(fetched).bookable is False


# -- whether a step need not wait ---------------------------------------------------------------------


def test_what_is_known_to_be_there_is_taken_without_a_look(known, queue):
    put, take = known.plan(queue.enqueue_many([[1, 2, 3]])), known.plan(queue.dequeue_many(2))
    accounts = known.accounts
    assert accounts.begin(put) is False
    assert state(known, queue) == (0, True, 0, True, 1)
    accounts.finished(put, None)
    assert state(known, queue) == (3, True, 3, True, 0)
    assert accounts.begin(take) is True
    assert known.looks == 0
    accounts.finished(take, None)
    assert state(known, queue) == (3, True, 1, True, 0)
    known.sizes["q"] = 1
    assert accounts.begin(take) is False
    assert known.looks == 1


def test_a_look_tells_of_elements_that_nobody_has_counted(known, queue):
    take = known.plan(queue.dequeue_many(2))
    known.sizes["q"] = 5
    for _ in range(2):
        assert known.accounts.begin(take)
        known.accounts.finished(take, None)
    assert known.looks == 1, "three were left behind the first step"
    assert known.accounts.begin(take) is True
    assert known.looks == 2


def test_the_first_step_that_is_short_passes_without_a_look(known, queue):
    demand = known.pipeline.demand([queue.dequeue().op], ())
    take = Plan(demand, (), ())
    known.accounts.prepare(take)
    known.sizes["q"] = 5
    for expected, looks in ((False, 0), (True, 1)):
        assert known.accounts.begin(take) is expected
        assert known.looks == looks
        known.accounts.finished(take, None)


def test_after_looks_that_find_too_little_more_and_more_steps_pass_without_one(known, queue):
    take = known.plan(queue.dequeue())
    looked = []
    for number in range(200):
        before = known.looks
        assert known.accounts.begin(take) is False
        known.accounts.finished(take, None)
        if known.looks > before:
            looked.append(number)
    # Each pause is twice the last and one more step, and 63 steps at the most.
    assert looked == [0, 2, 6, 14, 30, 62, 126, 190]
    known.sizes["q"] = 1000
    for _ in range(64):
        known.accounts.begin(take)
        known.accounts.finished(take, None)
    assert known.accounts.begin(take) is True


def test_a_look_that_finds_just_enough(known, queue):
    known.sizes["q"] = 2
    assert known.accounts.begin(known.plan(queue.dequeue_many(2))) is True


@pytest.mark.parametrize("size", [None, 0, 1])
def test_a_look_that_tells_nothing_or_too_little(known, queue, size):
    known.sizes["q"] = size
    assert known.accounts.begin(known.plan(queue.dequeue_many(2))) is False


def test_two_steps_under_way_do_not_look(known, queue):
    take = known.plan(queue.dequeue())
    known.sizes["q"] = 5
    known.accounts.begin(take)
    assert known.looks == 1
    account(known, queue).left = -1
    assert known.accounts.begin(take) is False
    assert known.looks == 1


def test_what_stays_in_a_shuffling_queue_is_not_there():
    queue = tf.RandomShuffleQueue(9, 3, tf.int32, [[]], name="q")
    known = Known()
    put, take = known.plan(queue.enqueue_many([[1] * 4])), known.plan(queue.dequeue())
    known.accounts.begin(put)
    known.accounts.finished(put, None)
    known.sizes["q"] = 4
    assert known.accounts.begin(take) is True
    known.accounts.finished(take, None)
    known.sizes["q"] = 3
    assert known.accounts.begin(take) is False


def test_what_movers_have_put_for_certain_is_there(known, queue):
    known.runs = [Runner(known, queue, queue.enqueue(1), mover(certain=1), mover(certain=1))]
    assert known.accounts.begin(known.plan(queue.dequeue_many(2))) is True
    assert known.looks == 0


def test_where_not_all_who_take_book_nothing_is_known_to_be_there(known, queue):
    take = known.plan(queue.dequeue())
    known.sizes["q"] = 5
    account(known, queue).bookable = False
    assert known.accounts.begin(take) is False
    account(known, queue).bookable = True
    known.accounts.complete = False
    assert known.accounts.begin(take) is False
    assert known.looks == 0


def test_an_interrupted_look_is_a_step_that_is_not_run(known, queue):
    def interrupt(queue):
        raise KeyboardInterrupt

    known.look = interrupt
    with pytest.raises(KeyboardInterrupt):
        known.accounts.begin(known.plan(queue.dequeue()))
    assert state(known, queue) == (0, True, 0, True, 0)


# -- steps that fail -------------------------------------------------------------------------------------


def error(cls):
    return cls(None, None, "")


@pytest.mark.parametrize(
    ("met", "puts", "takes"),
    [
        (None, True, True),
        (ValueError(), True, True),
        (error(tf.errors.InvalidArgumentError), True, False),
        (error(tf.errors.CancelledError), False, False),
        (error(tf.errors.DeadlineExceededError), False, False),
    ],
    ids=["not begun", "refused", "failed", "cancelled", "too late"],
)
def test_what_a_failed_step_leaves_known(known, queue, met, puts, takes):
    """Of a single put, a failure says that nothing was put; of a take, what was taken is not known."""
    put = known.plan(queue.enqueue(1))
    known.accounts.begin(put)
    known.accounts.failed(put, met)
    assert state(known, queue) == (0, puts, 0, puts, 0)
    other = tf.FIFOQueue(9, tf.int32, [[]], name="other")
    take = known.plan(other.dequeue())
    known.accounts.begin(take)
    known.accounts.failed(take, met)
    assert state(known, other) == (0, True, 0, takes, 0)


def test_of_two_puts_one_may_have_been_done(known, queue):
    plan = known.plan(queue.enqueue(1), queue.enqueue(2))
    known.accounts.begin(plan)
    known.accounts.failed(plan, error(tf.errors.InvalidArgumentError))
    assert state(known, queue) == (0, False, 0, False, 0)


def test_a_put_beside_which_something_is_fetched_may_have_been_done(known, queue):
    plan = known.plan(queue.enqueue(1), tf.constant(1))
    known.accounts.begin(plan)
    known.accounts.failed(plan, error(tf.errors.InvalidArgumentError))
    assert state(known, queue) == (0, False, 0, False, 0)


def test_rows_that_are_fed_are_counted(known, queue):
    rows = tf.placeholder(tf.int32, [None])
    put = known.plan(queue.enqueue_many([rows]), fed=[rows.name])
    for feeds in ({rows: [1, 2, 3]}, {rows.name: [1, 2, 3]}):
        known.accounts.begin(put)
        known.accounts.finished(put, feeds)
    assert state(known, queue) == (6, True, 6, True, 0)
    known.accounts.begin(put)
    known.accounts.finished(put, None)
    assert state(known, queue) == (6, False, 6, False, 0)


def test_a_take_of_an_unknown_amount_makes_the_balance_inexact(known, queue):
    take = known.plan(queue.dequeue_many(tf.placeholder(tf.int32, [])))
    known.accounts.begin(take)
    known.accounts.finished(take, None)
    assert state(known, queue) == (0, True, 0, False, 0)


def test_a_step_is_booked_once(known, queue):
    put, take = known.plan(queue.enqueue(1)), known.plan(queue.dequeue())
    for met in (None, error(tf.errors.CancelledError)):
        for plan in (put, take):
            step = Step(lambda: None, plan)
            step.error = met
            known.accounts.begin(plan)
            known.accounts.book_end(step)
            known.accounts.book_end(step)
    assert state(known, queue) == (1, False, 0, False, 0)


def test_what_is_lost_is_not_known(known, queue):
    known.accounts.lose(known.plan(queue.enqueue(1)))
    assert state(known, queue) == (0, False, 0, False, 0)
    other = tf.FIFOQueue(9, tf.int32, [[]], name="other")
    known.accounts.lose(known.plan(other.dequeue()))
    assert state(known, other) == (0, True, 0, False, 0)


@pytest.mark.parametrize(
    ("raised", "complete"),
    [(None, False), (TypeError, True), (ValueError, True), (KeyError, True), (RuntimeError, False)],
)
def test_after_a_step_without_a_plan_nobody_knows_who_took_what(known, raised, complete):
    def step():
        if raised is not None:
            raise raised
        return 5

    if raised is None:
        assert known.accounts.run_unplanned(step) == 5
    else:
        with pytest.raises(raised):
            known.accounts.run_unplanned(step)
    assert known.accounts.complete is complete


# -- what can be asked -----------------------------------------------------------------------------------


def balance(known, queue):
    return known.accounts.balance(known.pipeline.queues[queue.queue_ref.op.name])


def test_the_balance_counts_what_runners_put_and_take(known, queue):
    put = known.plan(queue.enqueue_many([[1] * 10]))
    known.accounts.begin(put)
    known.accounts.finished(put, None)
    known.runs = [Runner(known, queue, queue.enqueue(1), mover(elements=4))]
    assert balance(known, queue) == 14
    other = tf.FIFOQueue(9, tf.int32, [[]])
    three = queue.dequeue_many(3)
    known.runs.append(
        Runner(known, other, other.enqueue_many([three]), mover(elements=6, per_call=3))
    )
    assert balance(known, queue) == 14 - 3 * 2


@pytest.mark.parametrize(
    "change",
    [
        lambda known, queue: setattr(known.accounts, "complete", False),
        lambda known, queue: setattr(account(known, queue), "exact", False),
        lambda known, queue: setattr(account(known, queue).queue, "shared_name", "all"),
        lambda known, queue: tf.stack([queue.queue_ref]),
        lambda known, queue: known.runs.append(
            Runner(known, queue, queue.enqueue(1), mover(grain=None))
        ),
        lambda known, queue: known.runs.append(
            Runner(known, tf.FIFOQueue(1, tf.int32), queue.dequeue().op, mover(per_call=0))
        ),
        lambda known, queue: known.runs.append(
            Runner(known, tf.FIFOQueue(1, tf.int32), unknown_amount(queue).op, mover())
        ),
    ],
    ids=["unplanned", "inexact", "shared", "stacked", "no grain", "no call", "no amount"],
)
def test_where_the_balance_is_not_known(known, queue, change):
    assert balance(known, queue) == 0
    change(known, queue)
    assert balance(known, queue) is None


def test_how_many_were_put_by_hand(known, queue):
    model = known.pipeline.queues["q"]
    assert known.accounts.put_by_hand(model) is None
    put = known.plan(queue.enqueue_many([[1, 2]]))
    known.accounts.begin(put)
    known.accounts.finished(put, None)
    assert known.accounts.put_by_hand(model) == 2
    known.accounts.lose(put)
    assert known.accounts.put_by_hand(model) is None


def test_how_many_were_taken_and_the_most_at_a_time(known, queue):
    model, taken = known.pipeline.queues["q"], known.accounts.taken_by_steps
    put, one, three = (
        known.plan(each) for each in (queue.enqueue(1), queue.dequeue(), queue.dequeue_many(3))
    )
    assert taken(model, [put]) is None
    assert taken(model, [put, one, three]) == (0, 3)
    known.accounts.begin(one)
    known.accounts.begin(three)
    assert taken(model, [three, one]) == (4, 3)
    assert taken(model, [one, known.plan(unknown_amount(queue))]) is None
    of_another = known.plan(tf.FIFOQueue(9, tf.int32).dequeue_many(5))
    assert taken(model, [one, of_another]) == (4, 1)
    assert taken(model, [of_another]) is None


def test_a_balance_becomes_exact_again_where_nothing_is_under_way(known, queue):
    take = known.plan(queue.dequeue())
    known.accounts.lose(take)
    known.sizes["q"], known.fed = 7, [object()]
    known.accounts.begin(take)
    known.looks = 0
    known.accounts.settle(take)
    assert state(known, queue) == (0, True, 7, True, 1)
    known.sizes["q"] = 3
    known.accounts.settle(take)
    assert (state(known, queue)[2], known.looks) == (7, 1), "it is exact"


@pytest.mark.parametrize(
    "change",
    [
        lambda known, queue: setattr(known, "fed", []),
        lambda known, queue: setattr(account(known, queue), "under_way", 2),
        lambda known, queue: known.sizes.update(q=None),
        lambda known, queue: known.runs.append(Runner(known, queue, queue.enqueue(1), mover())),
        lambda known, queue: known.runs.append(
            Runner(known, tf.FIFOQueue(1, tf.int32), queue.dequeue().op, mover())
        ),
    ],
    ids=["not fed", "another step", "no answer", "filled", "taken"],
)
def test_where_a_balance_stays_inexact(known, queue, change):
    take = known.plan(queue.dequeue())
    known.accounts.lose(take)
    known.sizes["q"], known.fed = 7, [object()]
    known.accounts.begin(take)
    change(known, queue)
    known.accounts.settle(take)
    assert account(known, queue).exact is False


def test_each_balance_of_a_step_is_settled_by_itself(known):
    queues = [tf.FIFOQueue(9, tf.int32, [[]], name=name) for name in "abcde"]
    take = known.plan(*[queue.dequeue() for queue in queues])
    take.accounts.sort(key=lambda row: row[0].queue.name)
    known.accounts.lose(take)
    known.sizes, known.fed = {"b": 4, "c": None, "e": 5}, [object()]
    known.accounts.begin(take)
    account(known, queues[0]).exact = True
    known.runs = [Runner(known, queues[3], queues[3].enqueue(1), mover())]
    known.accounts.settle(take)
    exact = [account(known, queue).exact for queue in queues]
    assert exact == [True, True, False, False, True]
    assert [account(known, queues[place]).balance for place in (1, 4)] == [4, 5]


# -- amounts -----------------------------------------------------------------------------------------------


def test_how_many_elements_a_step_takes_that_is_fed_the_number(queue):
    number = tf.placeholder(tf.int32, [])
    usual = tf.placeholder_with_default(4, [])
    other = tf.placeholder_with_default(number, [])
    for amount in (number, usual, other):
        queue.dequeue_many(amount)
    queue.dequeue_many(2)
    fed, given, behind, fixed = Pipeline.of(tf.get_default_graph()).queues["q"].takes
    assert amount_taken(fixed, {number: 9}) == 2
    assert amount_taken(fed, None) is None
    assert amount_taken(fed, {number: 3}) == 3
    assert amount_taken(fed, {"Placeholder:0": "3"}) == 3
    assert amount_taken(fed, {number: "three"}) is None
    assert amount_taken(fed, {number: None}) is None
    assert amount_taken(given, {number: 3}) == 4
    assert amount_taken(given, {usual: 6}) == 6
    assert amount_taken(behind, {}) is None


def test_how_many_elements_an_enqueue_op_puts_that_is_fed(queue):
    rows, one = tf.placeholder(tf.int32), tf.placeholder(tf.int32, [])
    many, single = queue.enqueue_many([rows]), queue.enqueue(one)
    assert amount_put(many, {rows: [[1], [2]]}) == 2
    assert amount_put(many, {rows: 3}) is None
    assert amount_put(many, {one: [1, 2]}) is None
    assert amount_put(single, {one: 5}) == 1
