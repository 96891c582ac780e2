"""Waiting for a step: whoever waits for it goes on when it has come to its end."""

import threading
import types

import pytest

from tfqueue.session import step as step_module
from tfqueue.session.step import Step


def test_all_who_wait_go_on():
    go = threading.Event()
    step = Step(go.wait, plan=None)
    done: list[bool] = []
    # Much longer than a test may take: only the step's end lets them go on.
    waiting = [
        threading.Thread(target=lambda: done.append(step.wait(3000)), daemon=True) for _ in range(3)
    ]
    for thread in waiting:
        thread.start()
    assert not step.wait(0.001)
    go.set()
    step.execute()
    for thread in waiting:
        thread.join()
    assert done == [True] * 3
    assert step.wait(3000)
    assert step.result() is True


@pytest.fixture
def steps():
    made = step_module.Steps("test")
    yield made
    step_module.join(made.end(), 60)


def test_who_is_held_back_is_so_within_the_block_only(steps):
    plan = object()
    with pytest.raises(ValueError, match="a"), steps.holding_back(plan):
        assert steps.held_back == [(threading.current_thread(), plan)]
        raise ValueError("a")
    assert steps.held_back == []


class Accounts:
    """Notes what it is told."""

    def __init__(self):
        self.told = []

    def failed(self, plan, error):
        self.told.append(("failed", plan, error))

    def lose(self, plan):
        self.told.append(("lose", plan))


@pytest.mark.parametrize("key", ["key", None])
@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("booked", [True, False])
def test_a_step_that_nobody_waits_for_any_more(steps, key, begun, booked):
    owner = types.SimpleNamespace(steps=steps, accounts=Accounts())
    step = Step(lambda: None, plan="plan")
    steps.under_way.add(step)
    step.cause, step.is_booked = ValueError(), booked
    if begun:
        step.execute()
    step_module._give_up(owner, key, "plan", step)
    assert (step.caller, step.cause) == (None, None)
    told = [] if begun else [("failed", "plan", None)]
    assert owner.accounts.told == told + ([("lose", "plan")] if booked or key is None else [])
    assert steps.under_way == ({step} if begun else set())
    assert steps.interrupted == ({"key": step} if begun and key else {})


def test_an_interrupted_step_is_for_the_same_one_asked_again(steps):
    step = Step(lambda: None, plan=None)
    assert steps.ask("key") is None
    steps.leave("key", step)
    assert steps.ask(None) is None
    assert steps.ask("other") is None
    step.caller = "another thread"
    assert steps.ask("key") is None
    step.caller = None
    assert steps.ask("key") is step
    assert step.caller is threading.current_thread()
    assert steps.ask("key") is step
    steps.under_way.add(step)
    steps.forget("other", step)
    assert (steps.under_way, steps.interrupted) == (set(), {"key": step})
    steps.forget("key", Step(lambda: None, plan=None))
    assert steps.interrupted == {"key": step}
    steps.forget("key", step)
    assert steps.interrupted == {}


def test_a_call_is_made_once_and_not_after_it_was_withdrawn():
    made = []
    call = step_module.Call(lambda: made.append(1))
    call.execute()
    call.execute()
    assert not call.withdraw()
    other = step_module.Call(lambda: made.append(2))
    assert other.withdraw()
    assert not other.withdraw()
    other.execute()
    assert (made, call.done(), other.done()) == ([1], True, False)


def test_after_the_end_a_call_is_made_here_and_now(steps):
    """All it can do is say so."""
    assert steps.end() == []
    where = []
    steps.submit(step_module.Call(lambda: where.append(threading.current_thread())))
    assert where == [threading.current_thread()]


def test_threads_are_used_again(steps):
    seen = set()
    for _ in range(5):
        call = step_module.Call(lambda: seen.add(threading.current_thread()))
        steps.submit(call)
        call.result()
    assert len(seen) == 1
    assert next(iter(seen)).daemon


def test_a_wait_looks_first_and_then_ever_less_often():
    pauses = []
    call = types.SimpleNamespace(wait=lambda pause: pauses.append(pause) or len(pauses) == 6)
    looks = []
    step_module.wait_for(call, lambda: looks.append(1))
    assert pauses == [0.05, 0.1, 0.2, 0.25, 0.25, 0.25]
    assert len(looks) == 6
