"""How much room a queue has: a runner's thread reads only what it can put.

TensorFlow 1's runner read an example first and then waited, with the example
in hand, until the queue had room for it. A stop threw it away: an element that
was read, that nobody got, and that was in no queue. So here the room comes
first. What a thread has read is then put without a wait, and a stop finds no
thread with something in its hands.

Who takes from the queue says so (`took`, `wanting`), so that nobody polls it; for
a taker that tfqueue does not know, the queue is looked at now and then.
"""

import contextlib
import functools
import threading
import time

_SETTLES = 0.002
"""Seconds for which little room is left as it is: to go after each single one costs too much."""
_MANY = 64
"""Room for so many is worth going for at once."""
_SHORTEST, _SHORT, _LONGEST = 0.0002, 0.001, 0.05
"""Seconds between two looks: while a step waits for elements, at first, and at the most."""


class Room:
    """The room in one queue of one session, shared by all threads that fill it.

    Args:
      capacity: How many elements the queue can hold.
      reserve: How many it keeps back: a `RandomShuffleQueue`'s `min_after_dequeue`.
      look: Function that returns `(size, closed)` of the queue.
      empty: Whether it is empty for sure at the moment.
    """

    def __init__(self, capacity, reserve, look, empty):
        self._capacity = capacity
        self._enough = max(1, min(_MANY, (capacity - reserve) // 2))
        self._taken = 0
        self._look = look
        self._free = capacity if empty else 0
        self._promised = 0
        self._changed = threading.Condition(threading.Lock())
        self._wanting = 0
        self._over = False
        self.waiting = 0
        """How many threads wait for room; who takes need not say so when there are none."""

    def take(self, most, ends):
        """Waits for room.

        Args:
          most: For how many elements at the most.
          ends: Function that tells whether the wait is to end without any.

        Returns:
          For how many there is room, `most` at the most; none of them will wait in the
          queue's enqueue op. 0 if the wait was ended.
        """
        with self._changed:
            if self._free >= most and not self._over:
                return self._promise(most)
            self.waiting += 1
            try:
                return self._wait(most, ends)
            finally:
                self.waiting -= 1

    def done(self, promised):
        """The elements that room was promised for are put, or will not come."""
        with self._changed:
            self._promised -= promised
            if self.waiting or not self._promised:
                self._changed.notify_all()

    def wake(self):
        """The stop was asked for: whoever waits looks whether he is to end."""
        with self._changed:
            self._changed.notify_all()

    def took(self, amount):
        """Somebody took elements from the queue.

        Args:
          amount: How many; None if that is not known.
        """
        self._taken += self._enough if amount is None else amount
        if self._taken >= self._enough:
            self.wake()

    @contextlib.contextmanager
    def wanting(self):
        """Within the block a step waits for elements, or is about to."""
        with self._changed:
            self._wanting += 1
            if self.waiting:
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._wanting -= 1

    def end(self, seconds, nobody):
        """The queue is about to be closed: promises no more, and waits for what it promised.

        Args:
          seconds: How long at the most; None for as long as it takes.
          nobody: Function that tells whether there is nobody left to put it.
        """
        with self._changed:
            self._over = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._promised or nobody(), seconds)

    def _promise(self, amount):
        self._free -= amount
        self._promised += amount
        return amount

    def _wait(self, most, ends):
        pause, settled, told = _SHORT, None, True
        while True:
            if self._over and ends():
                return 0
            size, closed = self._look()
            if closed:
                self._free = most  # nothing waits in a closed queue: the op itself says so
                return self._promise(most)
            if self._over:
                self._changed.wait(_SHORT)
                continue
            self._free = self._capacity - size - self._promised
            # More than was said: one of those who take does not say so.
            told = told or self._free > self._taken
            self._taken = self._free
            now = time.monotonic()
            if self._free > 0:
                if settled is None:
                    settled = now + (_SHORTEST if self._wanting else _SETTLES)
                if self._free >= self._enough or now >= settled:
                    return self._promise(min(self._free, most))
            if ends():
                return 0
            if self._wanting:
                told = self._changed.wait(_SHORTEST)
                continue
            pause = _SHORT if told else min(2 * pause, _LONGEST)
            told = self._changed.wait(_SETTLES if self._free > 0 else pause)


def put_one(room, step, ends):
    """Runs a step that puts one element, once there is room for it.

    Args:
      room: The `Room`, or None where there is none to wait for.
      step: Callable without arguments.
      ends: Function that tells whether the wait for room is to end.

    Returns:
      Whether it was run; else the wait ended, with nothing in hand.
    """
    if room is None:
        step()
        return True
    if not room.take(1, ends):
        return False
    try:
        step()
    finally:
        room.done(1)
    return True


class Rooms:
    """The rooms in a session's queues.

    Args:
      supervision: The session's `Supervision`.
    """

    def __init__(self, supervision):
        self._supervision = supervision
        self._found = {}

    def get(self, queue_name):
        """The `Room` of a queue that a runner fills element by element, else None."""
        return self._found.get(queue_name)

    def of_op(self, queue_name, operation):
        """The `Room` that an enqueue op's elements need.

        Args:
          queue_name: The name of the queue that a runner fills.
          operation: The operation that it runs.

        Returns:
          A `Room`, or None where it is not known how much is put, or who else does.
        """
        supervision = self._supervision
        queue = supervision.pipeline.queues.get(queue_name)
        ours = hasattr(supervision.session(), "end_at_exit")  # else its steps do not come by here
        if not ours or supervision.remote or queue is None or queue.shared_name:
            return None
        single = operation.type in ("QueueEnqueue", "QueueEnqueueV2") and queue.capacity > 0
        if not single or [q for _, q in supervision.pipeline.demand([operation]).puts] != [queue]:
            return None
        with supervision.changed:
            if queue_name not in self._found:
                empty = not supervision.runs_of(queue) and not supervision.feeders_of(queue)
                look = functools.partial(supervision.controls.look, queue)
                room = Room(queue.capacity, queue.min_after_dequeue, look, empty)
                self._found[queue_name] = room
            return self._found[queue_name]

    def took(self, demand):
        """A step of this session has taken what it demands: there may be room for more."""
        if not self._found:
            return
        for take in demand.takes:
            room = self._found.get(take.queue.name)
            if room is not None and room.waiting:
                room.took(take.amount)

    @contextlib.contextmanager
    def wanting(self, demand):
        """Within the block a step waits for what it demands."""
        with contextlib.ExitStack() as waits:
            for name in {take.queue.name for take in demand.takes} if self._found else ():
                if name in self._found:
                    waits.enter_context(self._found[name].wanting())
            yield
