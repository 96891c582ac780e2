"""Which queues of a session may still get elements, and which of its waits can still end.

All of it as things stand at one moment. Where it cannot be known, the answer is yes: a slow
program must not be taken for one that hangs.
"""


def waiting(supervision):
    """The `Job`s of the steps of a session that take, and that a thread waits for."""
    return [
        job
        for job in list(supervision.jobs)
        if job.caller is not None and job.plan.takes and not job.wait(0)
    ]


class Prospects:
    """The prospects of a session's queues.

    Args:
      supervision: The session's `Supervision`.
      own: The `Job` of the step that asks, if one is under way.
    """

    def __init__(self, supervision, own=None):
        self._supervision = supervision
        self._own = own
        self._waits = {}
        """The plans of the steps that take, by the thread that waits for them."""
        for job in waiting(supervision):
            self._waits.setdefault(job.caller, []).append(job.plan)

    def has_producer(self, queue, asked=frozenset()):
        """Whether somebody is alive who may put an element into `queue`.

        Args:
          queue: A model `Queue`.
          asked: The queues for whose sake this is asked: who waits for them fills none.
        """
        supervision = self._supervision
        if queue.shared_name:
            return True
        runs = supervision.runs_of(queue)
        if any(run.working() and run.begun() for run in runs):
            return True
        if any(run.ended for run in runs):
            return True  # it has closed the queue: TensorFlow itself ends the wait
        if queue.name in supervision.cancelled:
            return True  # so has a stop
        for job in list(supervision.jobs):
            if job is not self._own and queue in job.plan.put_queues and not job.wait(0):
                return True
        feeders = supervision.feeders_of(queue)
        asked = asked | {queue}
        if any(thread.is_alive() and self._may_feed(thread, asked) for thread in feeders):
            return True
        # An enqueue op that nobody has ever run: nobody knows who may.
        return bool(supervision.pipeline.feeds_by_hand(queue)) and not len(feeders)

    def _may_feed(self, thread, asked):
        """Whether a live thread that has fed a queue may do so again.

        One that is in a step which takes may have what it wants, and be computing. So it is out
        of the question only if what it takes is not there, and will not come.
        """
        if self._own is not None and thread is self._own.caller:
            return False
        for plan in self._waits.get(thread, ()):
            for queue in self._supervision.stocks.short_for(plan, self._supervision.plans):
                if queue in asked or not self.has_producer(queue, asked):
                    return False
        return True

    def stuck(self):
        """The threads that wait in a step of this session for what nobody will bring."""
        found = set(self._supervision.held_back)
        if self._own is not None:
            found.add(self._own.caller)
        for thread, plans in self._waits.items():
            if not all(self.has_producer(queue) for plan in plans for queue in plan.upstream):
                found.add(thread)
        return found
