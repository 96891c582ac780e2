"""How a runner's op is run: a chunk of examples a call, where that is worth it and sound.

It begins with the enqueue op itself, so that the first batch is there as soon
as ever. Once that is delivered, a sample of examples is kept as they pass, and a
thread beside the runner builds the vectorised step and computes the sample with
it. If it agrees and is faster, all threads of the op go over to it. Where that
cannot be, records are read many at a time and fed to the op one by one; where that
cannot be either, the op may be looped in the graph (`chunks.Loop`). What gains by
none of these stays as it was, and the runner has hardly been held up.
"""

import threading

from tfqueue import _tensorflow, accelerate
from tfqueue.accelerate import movers, warm_up
from tfqueue.accelerate.trial import costs
from tfqueue.explain import diagnosis

_tf = _tensorflow.compat_v1()

_LARGEST = 1024
_LARGEST_FED = 256
"""As `_LARGEST`, where a chunk's records are fed one by one: a stop waits for all of them."""
_STEP_SECONDS = 0.004
"""How long a step should take at the most: a stop waits for it, and so may a batch."""
_CHUNK_BYTES = 4 << 20
_LARGE = 64 << 10
"""Bytes of an example above which chunks were never faster: copying is all, and the loop does less."""
_DEAR = 0.6e-3
"""Seconds an example may take before the time that Python takes no longer matters."""
_CHEAP = 50e-6
"""Seconds an example, one by one, below which a loop was never faster: 20 to 56 microseconds for 16."""
_CLEARLY = 2
"""How many times slower a chunk must be, computed on the side, not to be tried in earnest. The runner
works meanwhile, and on a busy machine the measure errs."""
_KEPT = {"vector": 1.02, "fed": 0.6, "loop": 1.02}
"""How many times faster a way must be to be kept. On a busy machine a strict measure errs often,
and to withdraw in error costs far more than to stay. A step that reads takes 14 microseconds as long as
the system has its thread and the reader's on one core, and 85 to 105 once it has not, which may
happen at any time and last; a step that is fed takes 20. So what is fed stays unless it is worse than
that against the best that was seen of the other."""
_PATIENCE = 60
"""Calls after which a step that never ran unhindered is kept without a verdict."""
_STEPS = {
    "vector": "chunks of up to {} examples",
    "fed": "up to {} records at a time",
    "loop": "loops in the graph of up to {} examples",
}


class Op(warm_up.Opening):
    """What the threads that run one enqueue op of a runner have in common.

    Args:
      task: The `RunnerTask`.
      op: The operation.
    """

    def __init__(self, task, op):
        super().__init__(task, op)
        self.handle = task.handle
        self.way = "examples"
        self.size = self.first_chunk()
        self.reads = {}
        """By what each thread's pump reads: a `Source`, or None for the op itself."""
        self.tried = threading.Event()
        """Set once it is known how the op is run."""
        self._failures = 0
        self.region = self.fed = self.vector = self.loop = None
        self.builder = None
        self._abandoned = False
        self.why = None
        self.tell("examples", "one at a time so far")

    # -- the trial ---------------------------------------------------------------------------

    def try_ways(self, pump, room):
        """Looks for the fastest sound way, in the thread of `pump`, which goes on as it did.

        Args:
          pump: The `ChunkPump`.
          room: For how many examples there is room in the queue.
        """
        cost = self.cost
        if self.setting is None and cost is not None and cost > _DEAR:
            self.settle(
                "examples", f"an example takes {cost * 1e3:.2f} ms, and Python is little of it"
            )
            return
        threads = len(self.task.ops)
        self.region = accelerate.examine(self.task.pipeline, self.op, threads)
        if self._room() < 2:
            self.settle("examples", "its queue is too small for a chunk")
            return
        self.why = self._closed_to_vector()
        if self.why is not None:
            self._aside(self._find_fed)
            return
        sample = pump.sample(self.region, min(self.first_chunk(), room, self._largest()))
        self._aside(lambda: self._find_vector(sample))

    def _aside(self, find):
        """Runs `find` beside the runner, which goes on meanwhile; at once if a size is set."""
        if self.setting is not None:
            find()  # a fixed size is a promise
            return

        def work():
            try:
                find()
            except (_tf.errors.OpError, RuntimeError) as error:
                # The session is being closed; or it cannot be used as it seemed.
                self.settle("examples", f"building it failed: {diagnosis.first_line(error)}")

        # A daemon: the runner's threads wait for it, and they are what the process may wait for.
        builder = threading.Thread(
            target=work, name=f"{threading.current_thread().name}-builder", daemon=True
        )
        with self.lock:  # a sibling that ends joins it, and must not before it is started
            builder.start()
            self.builder = builder

    def end(self):
        """Waits until nothing is built any more; every thread of the op calls it last."""
        self._abandoned = True
        with self.lock:
            builder = self.builder
        if builder is not None:
            builder.join()

    def _room(self):
        """The largest chunk that the queue can take without holding up a batch."""
        queue = self.region.target
        if queue is None or queue.capacity < 0:
            return _LARGEST
        return max(1, (queue.capacity - queue.min_after_dequeue) // 2)

    def _largest(self):
        return max(1, min(_LARGEST, self._room(), _CHUNK_BYTES // max(1, self._bytes_each())))

    def _bytes_each(self):
        return sum(t.dtype.size * (t.shape.num_elements() or 1) for t in self.region.components)

    def _closed_to_vector(self):
        reason = self.region.refusals.get("vector")
        if reason is None and self.setting is None:
            if self._largest() < warm_up.FEWEST or self._bytes_each() > _LARGE:
                return "its examples are too large for a chunk"
        return reason

    def _find_vector(self, sample):
        """Builds the vectorised way and holds it to the sample; else looks for the other."""
        try:
            self.vector = self._made(movers.VectorWay)
        except accelerate.CannotBuild as error:
            self.why = f"TensorFlow cannot vectorise it: {error}"
        else:
            if self._abandoned:
                return
            self.why = self.vector.differs(self.task.name, sample) or self._clearly_slower()
        if self.why is not None:
            self._find_fed()
            return
        self.largest = self._largest() if self.setting is None else self.setting
        self.size = min(self.size, self.largest)
        self._go("vector", f"chunks of up to {self.largest} examples")

    def _clearly_slower(self):
        if self.setting is not None or self.cost is None:
            return None
        each = float("inf")
        for _ in range(8):
            each = min(each, self.vector.timed(min(64, self._largest())))
            if each <= _CLEARLY * self.cost:
                return None
        return f"vectorised, {costs(each)} instead of {costs(self.cost)}"

    def _made(self, way):
        """A `FedWay` or `VectorWay`; raises `CannotBuild`."""
        return way(self.region, self.handle, self._others_read)

    def _others_read(self, source):
        """Whether a thread may read between two chunks that `source` reads."""
        return any(read is not source for read in list(self.reads.values()))

    def _find_fed(self):
        """Takes the way that reads many records and feeds one by one; else looks for the other."""
        if self._abandoned:
            return
        if "fed" in self.region.refusals:
            self._find_loop()
            return
        try:
            self.fed = self._made(movers.FedWay)
        except accelerate.CannotBuild:
            self._find_loop()
            return
        self.largest = min(_LARGEST_FED, self._room()) if self.setting is None else self.setting
        self.size = min(warm_up.FIRST, self.largest) if self.setting is None else self.setting
        self._go("fed", f"up to {self.largest} records at a time, not vectorised: {self.why}")

    def _find_loop(self):
        if self._abandoned:
            return
        reason = self.region.refusals.get("loop")
        if reason is not None:
            both = f"{self.why}; not looped: {reason}" if self.why != reason else reason
            self.settle("examples", both)
            return
        cost = self.cost
        if self.setting is None and cost is not None and cost < _CHEAP:
            self.settle("examples", f"{costs(cost)} one by one; not vectorised: {self.why}")
            return
        try:
            self.loop = movers.LoopWay(self.region, self.handle)
        except accelerate.CannotBuild as error:
            self.settle("examples", f"TensorFlow cannot loop it: {error}")
            return
        self.largest = min(64, self._room()) if self.setting is None else self.setting
        self.size = min(warm_up.FIRST, self.largest) if self.setting is None else self.setting
        self._go("loop", f"loops in the graph, not vectorised: {self.why}")

    def _go(self, way, text):
        self.tell(way, text)
        self.way = way  # last: from here on all threads of the op take it

    def _in_steps(self):
        return _STEPS[self.way].format(self.largest)

    def looped(self):
        """How many examples all threads have moved by the loop."""
        return 0 if self.loop is None else self.loop.count()

    # -- keeping an eye on it ----------------------------------------------------------------

    def unhindered(self, amount):
        """Whether the queue has room for all of a step, so that its time can be judged."""
        queue = self.region.target
        if queue is None or queue.capacity < 0:
            return True
        return queue.capacity - int(getattr(self, self.way).level()[0]) >= amount

    def ran(self, amount, seconds, trial):
        """Learns from a step: its size, and whether it is worth it.

        Args:
          amount: How many examples it moved.
          seconds: How long it took.
          trial: The `Trial` of the thread.
        """
        if self.setting is not None:
            self.settled = True
            return
        if seconds < _STEP_SECONDS / 2 and amount == self.size:
            self.size = min(2 * self.size, self.largest)
        elif seconds > 2 * _STEP_SECONDS and trial.steps > 3:
            self.size = max(warm_up.FIRST // 2, self.size // 2)
        if self.settled:
            return
        gain = trial.gain()
        if gain is not None and gain < _KEPT[self.way]:
            self._withdraw(f"in {self._in_steps()}, {trial.told()}")
        elif gain is not None:
            self.settled = True
            why = f"; not vectorised: {self.why}" if self.way != "vector" else ""
            self.tell(self.way, f"{self._in_steps()}, {trial.told()}{why}")
        elif trial.steps > _PATIENCE:
            self.settled = True  # the queue was always full: the program is slower than either way

    def read(self, amount):
        """Learns how many bytes were read at a time: they wait in memory."""
        if self.setting is None and amount > _CHUNK_BYTES:
            self.largest = self.size = max(1, self.size // 2)

    def _withdraw(self, reason):
        """The way did not prove itself: the next one is looked for, one example at a time meanwhile."""
        failed, self.way = self.way, "examples"
        self.why = reason if failed == "vector" else f"{self.why}; {reason}"
        if failed == "loop":
            self.settle("examples", reason)
        else:
            self.settled = False
            self._aside(self._find_fed if failed == "vector" else self._find_loop)

    def vector_failed(self, error):
        """A chunk failed whose examples all pass one by one: sizes differ, or worse."""
        with self.lock:
            self._failures += 1
            last = self._failures == 2 and self.way == "vector"
        if last:
            self._withdraw(f"it cannot be computed at once: {diagnosis.first_line(error)}")

    def settle(self, way, reason):
        """The way is `way` for good."""
        self.way, self.settled = way, True
        self.tell(way, reason)

    def tell(self, way, text):
        accelerate.note(self.op.graph, self.task.name, self.op, way, text)
