"""What each kind of step demands of a session, found out once and kept."""

from tfqueue import _tensorflow
from tfqueue.explain import diagnosis, forged_length
from tfqueue.session import fetches, registry

_tf = _tensorflow.compat_v1()


class Plan:
    """What one kind of step takes, puts and reads.

    Args:
      demand: The `Demand` of its fetches.
      upstream: The queues its elements come through.
      keep: The fetched objects, so that their ids stay theirs.
    """

    def __init__(self, demand, upstream, keep):
        self.demand = demand
        self.upstream = upstream
        self.keep = keep
        self.blocks = demand.blocks
        self.takes = bool(demand.takes)
        self.remote = False
        """Whether the session is in another process."""
        self.freed_by_closing = any(
            take.amount is None or take.is_up_to or take.queue.min_after_dequeue
            for take in demand.takes
        )
        """Whether closing a queue may give the step elements that it could not have before."""
        self.put_queues = [queue for _, queue in demand.puts]
        self.gate_open = not upstream
        """Whether the runners behind the step are known to have been started."""
        self.runners_seen = -1
        self.parts = None
        """What `SplitWatch` wants to know of it, or None."""
        self.last = float("-inf")
        """When such a step was last asked for, by `time.monotonic()`."""
        self.guard = None
        """The `forged_length.Guard` of a step that reads records itself, where it needs one."""
        self.accounts = []
        """`(Account, amount)` for each queue it takes from; the amount is None if not known."""
        self.bookable = False
        """Whether the ledger can tell, before the step runs, that it need not wait."""
        self.puts = []
        """`(Account, enqueue op)` for each put."""


class Plans:
    """The plans of one session, by what is fetched and fed.

    Args:
      owner: The session's `Owner`.
    """

    def __init__(self, owner):
        self._owner = owner
        self._kept = {}

    def __iter__(self):
        return iter(list(self._kept.values()))

    def drop(self):
        """Drops all of them."""
        self._kept.clear()

    def of(self, fetched, feed_dict):
        """The key and the `Plan` for arguments of `Session.run`; `(None, None)` if unknown.

        Steps of one plan have different keys where their values are laid out differently.
        """
        owner = self._owner
        try:
            read = fetches.read(owner.graph, fetched)
            fed = fetches.fed_names(owner.graph, feed_dict)
        except (TypeError, ValueError, KeyError):
            return None, None  # `Session.run` itself says what is wrong with them
        ids = tuple(map(id, read.leaves))
        plan = self._kept.get((ids, fed))
        if plan is None:
            plan = self._kept[ids, fed] = self._made(read.leaves, fed)
            if plan.blocks:
                plan.parts = diagnosis.before_run(owner.failure(plan=plan))
            registry.tell("grew", owner)
        elif plan.runners_seen != self.runners_registered():
            # A runner registered since may feed one of its queues.
            plan.upstream = owner.pipeline.upstream(plan.demand)
            owner.ledger.prepare(plan)
            plan.runners_seen = self.runners_registered()
            plan.gate_open = not plan.upstream
        return (ids, fed, read.layout), plan

    def runners_registered(self):
        """How many runners are registered in the graph now."""
        return len(self._owner.graph.get_collection_ref(_tf.GraphKeys.QUEUE_RUNNERS))

    def _made(self, leaves, fed):
        owner = self._owner
        fed_set = set(fed)
        ops = [getattr(leaf, "op", leaf) for leaf in leaves if leaf.name not in fed_set]
        demand = owner.pipeline.demand(ops, fed)
        plan = Plan(demand, owner.pipeline.upstream(demand), leaves)
        plan.remote = owner.remote
        owner.ledger.prepare(plan)
        if demand.reads:
            plan.guard = forged_length.guard_for(owner.failure(plan=plan))
        return plan
