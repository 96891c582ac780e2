"""The room in a queue, and who waits for it."""

from __future__ import annotations

import threading

from tfqueue.accelerate.backpressure import Room


class Queue:
    """A queue that only counts."""

    def __init__(self, capacity):
        self.size, self.closed, self.looked = 0, False, threading.Event()
        self.room = Room(capacity, 0, self.look, empty=True)

    def look(self):
        self.looked.set()
        return self.size, self.closed

    def fill(self, amount):
        assert self.room.take(amount, never) == amount
        self.size += amount
        self.room.done(amount)


def never():
    return False


def in_a_thread(function, *arguments):
    found = []
    thread = threading.Thread(target=lambda: found.append(function(*arguments)))
    thread.start()
    return thread, found


def test_an_empty_queue_is_not_looked_at():
    queue = Queue(10)
    queue.fill(10)
    assert not queue.looked.is_set()


def test_what_was_promised_to_others_is_not_there():
    queue = Queue(10)
    assert queue.room.take(7, never) == 7
    assert queue.room.take(7, never) == 3
    assert queue.room.take(1, lambda: True) == 0


def test_who_waits_is_woken_by_who_takes():
    queue = Queue(4)
    queue.fill(4)
    thread, found = in_a_thread(queue.room.take, 2, never)
    queue.looked.wait(60)
    queue.size = 1
    queue.room.took(3)
    thread.join(60)
    assert found == [2]


def test_a_taker_that_says_nothing_is_found_out():
    queue = Queue(4)
    queue.fill(4)
    thread, found = in_a_thread(queue.room.take, 1, never)
    queue.looked.wait(60)
    queue.size = 3
    thread.join(60)
    assert found == [1]


def test_a_chunk_makes_do_with_less_when_no_more_comes():
    queue = Queue(100)
    queue.fill(99)
    assert queue.room.take(50, never) == 1


def test_a_closed_queue_lets_everybody_through():
    """So that the enqueue op itself raises what TensorFlow says of it."""
    queue = Queue(4)
    queue.fill(4)
    queue.closed = True
    assert queue.room.take(3, never) == 3


def test_the_end_waits_for_what_was_promised_and_promises_no_more():
    queue = Queue(4)
    assert queue.room.take(2, never) == 2
    ending, _ = in_a_thread(queue.room.end, None, never)
    while queue.room.take(1, lambda: True):
        queue.room.done(1)
    assert ending.is_alive()
    queue.room.done(2)
    ending.join(60)
    assert not ending.is_alive()


def test_the_end_does_not_wait_for_ever():
    queue = Queue(4)
    assert queue.room.take(2, never) == 2
    queue.room.end(0.01, never)


def test_the_end_does_not_wait_for_nobody():
    queue = Queue(4)
    assert queue.room.take(2, never) == 2
    queue.room.end(None, lambda: True)
