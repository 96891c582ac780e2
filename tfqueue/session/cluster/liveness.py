"""Whether the other tasks of a cluster answer, and waiting for them.

A task that was killed needs none of this: its connection breaks, and the steps
that wait for it fail. A machine that is gone, or frozen, breaks nothing, and a
task that was never started is waited for in C++, where no Ctrl-C arrives. What
is asked is gRPC's own channel state, through `grpcio`, which TensorFlow brings.
"""

import contextlib
import contextvars
import time

from tfqueue import _tensorflow, errors
from tfqueue.explain import diagnosis, stories
from tfqueue.session import failures
from tfqueue.session.cluster import servers

_tf = _tensorflow.compat_v1()

_PROBE_SECONDS = 5.0
"""How long a task may take to answer."""
_PAUSE_SECONDS = 1.0
"""Between two questions to one task."""
_FIRST_LOOK_SECONDS = 5.0
"""How long a step waits before the tasks that it needs are asked."""
_LOOK_SECONDS = 0.05
"""Between two looks whether an answer has come."""
_GONE_SECONDS = 30.0
"""How long a task must have been silent, however often it was asked, to be taken for gone."""


_channel_asked = contextvars.ContextVar("_channel_asked")


class Probe:
    """Asks one task whether it answers.

    Args:
      address: `host:port`.
    """

    def __init__(self, address):
        import grpc

        self.began = time.monotonic()
        self._states = grpc.ChannelConnectivity
        self._state = None
        options = [("grpc.use_local_subchannel_pool", 1)]  # a connection of its own
        self._channel = grpc.insecure_channel(address, options=options)
        contextvars.copy_context().run(self._begin)

    def _begin(self):
        # gRPC's thread has a copy of this context, and so keeps the channel as long as it lives. It
        # raises if it looks at one that has gone.
        _channel_asked.set(self._channel)
        self._channel.subscribe(self._note, try_to_connect=True)

    def _note(self, state):
        self._state = state

    @property
    def answers(self):
        """True or False; None as long as it is not known."""
        if self._state is self._states.READY:
            return True
        refused = self._state in (self._states.TRANSIENT_FAILURE, self._states.SHUTDOWN)
        return False if refused or time.monotonic() - self.began > _PROBE_SECONDS else None

    def close(self):
        """Asks no more. The connection goes with this object and gRPC's thread, which ends now."""
        self._channel.unsubscribe(self._note)


class Reach:
    """Keeps asking some tasks whether they answer; never blocks.

    Args:
      cluster: The `Cluster`.
      tasks: Those to ask, by job and index. One whose address is not known is not asked.
    """

    def __init__(self, cluster, tasks):
        self._addresses = {
            task: cluster.tasks[task]
            for task in tasks
            if task in cluster.tasks and task != cluster.own
        }
        try:
            import grpc  # noqa: F401  (TensorFlow brings it; a build without it is not asked)
        except ImportError:
            self._addresses = {}
        self._probes = {}
        self._next = {}
        self.silent_since = {}
        """Task -> since when it has not answered, by `time.monotonic()`."""
        self.waiting = set(self._addresses)
        """The tasks that have not answered once."""

    def look(self):
        """Takes up what was answered, and asks again."""
        now = time.monotonic()
        for task, address in self._addresses.items():
            probe = self._probes.get(task)
            if probe is None:
                if now >= self._next.get(task, 0.0):
                    self._probes[task] = Probe(address)
                continue
            answers = probe.answers
            if answers is None:
                continue
            if answers:
                self.silent_since.pop(task, None)
                self.waiting.discard(task)
            else:
                self.silent_since.setdefault(task, probe.began)
            self._next[task] = now + _PAUSE_SECONDS
            self._probes.pop(task).close()

    def close(self):
        """Ends what is under way."""
        while self._probes:
            self._probes.popitem()[1].close()


def wait_for_tasks(owner, tasks, max_wait_secs):
    """Waits until tasks have answered once; Ctrl-C works.

    Args:
      owner: The session's `Owner`.
      tasks: The tasks.
      max_wait_secs: How long at the most.

    Raises:
      tf.errors.DeadlineExceededError: If one has not answered by then.
    """
    reach = Reach(owner.link.cluster, tasks)

    def there():
        reach.look()
        return not reach.waiting

    def say(waited):
        return stories.cluster.not_there(owner.link.cluster, sorted(reach.waiting), waited)

    with contextlib.closing(reach):
        wait_until(there, owner, say, _FIRST_LOOK_SECONDS, max_wait_secs, _LOOK_SECONDS)


def _not_there(cluster, task, seconds):
    return stories.cluster.not_there(cluster, [task], seconds)


class Lookout:
    """Looks, while one step waits, after the tasks that it needs."""

    def __init__(self, owner, plan):
        self._owner = owner
        self._plan = plan
        self._reach = None
        self._started = time.monotonic()

    def look(self):
        """One look.

        Raises:
          tf.errors.UnavailableError: If a task has been silent for too long.
        """
        owner = self._owner
        if time.monotonic() - self._started < _FIRST_LOOK_SECONDS:
            return
        if self._reach is None:
            self._reach = Reach(owner.link.cluster, servers.tasks_of(owner, self._plan))
        self._reach.look()
        for task, since in self._reach.silent_since.items():
            silent = time.monotonic() - since
            if silent > _GONE_SECONDS and owner.link.connected:
                owner.link.silent.add(task)
                text = stories.cluster.gone(owner.link.cluster, task, silent)
                raise failures.mark_reported(_tf.errors.UnavailableError(None, None, text))
            if task not in owner.warned_of and silent > _PROBE_SECONDS:
                owner.warned_of.add(task)
                story = stories.cluster.silent if owner.link.connected else _not_there
                diagnosis.warn(story(owner.link.cluster, task, silent), errors.WaitingWarning)

    def close(self):
        """Ends what is under way."""
        if self._reach is not None:
            self._reach.close()


def wait_until(there, owner, say, warn_after, max_wait_secs, pause):
    """Waits until something is there.

    Args:
      there: Function that tells whether it is.
      owner: The session's `Owner`; whoever changes something there wakes the wait.
      say: Function from the seconds waited so far to what is waited for, in words.
      warn_after: Seconds after which that is said in a `WaitingWarning`.
      max_wait_secs: How long to wait at the most.
      pause: Seconds between two looks.

    Raises:
      tf.errors.DeadlineExceededError: If it is not there by then.
    """
    started, warned = time.monotonic(), False
    while not there():
        waited = time.monotonic() - started
        if waited > max_wait_secs:
            raise _tf.errors.DeadlineExceededError(None, None, say(waited))
        if waited > warn_after and not warned:
            warned = True
            diagnosis.warn(say(waited), errors.WaitingWarning)
        with owner.changed:
            owner.changed.wait(pause)
