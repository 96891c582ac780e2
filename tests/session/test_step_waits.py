"""Waiting for a step: whoever waits for it goes on when it has come to its end."""

import threading

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
