"""Running a step so that whoever waits for it can be interrupted, and can look around.

A blocked `Session.run` sits in C++ and neither hears Ctrl-C nor notices that
what it waits for will never come. So a step that can block is run by a thread
of the session's own, and the caller waits in Python.
"""

import queue
import threading

from tfqueue._tensorflow import compat_v1

_FIRST_LOOK = 0.05  # seconds before the wait begins to look around
_LONGEST_LOOK = 0.25  # and the longest pause between two looks


class Job:
    """One step on its way.

    Args:
      step: The callable to run, without arguments.
      plan: The `Plan` of what it takes and puts.
      has_deadline: Whether TensorFlow itself ends it after some time.
    """

    def __init__(self, step, plan, has_deadline=False):
        self.step = step
        self.plan = plan
        self.has_deadline = has_deadline
        self.caller = threading.current_thread()
        """The thread that waits for it; None once that has given up."""
        self.cause = None
        """Set by supervision when the step was ended because it could not go on."""
        self.may_be_let_go = False
        """Whether that may have given it elements that it had waited for in vain."""
        self.submitted = False
        """Whether some thread has it, so that it will be done."""
        self._result = self._error = None
        self._over = False
        self._done = threading.Lock()
        self._done.acquire()

    def execute(self):
        """Runs the step, in whichever thread this is."""
        try:
            self._result = self.step()
        except BaseException as error:  # noqa: BLE001  (handed to the caller, whatever it is)
            self._error = error
        finally:
            self.step = None
            self._over = True
            self._done.release()

    def wait(self, timeout):
        """Waits up to `timeout` seconds; whether the step is done."""
        # Ctrl-C may come between these two lines and leave the lock taken: it is not what tells.
        if not self._over and self._done.acquire(timeout=timeout):
            self._done.release()
        return self._over

    def done(self):
        """Whether the step is done."""
        return self._over

    def went_well(self):
        """Whether the step is done and has raised no error of TensorFlow's."""
        return not isinstance(self._error, compat_v1().errors.OpError)

    def result(self):
        """What the step returned; raises what it raised."""
        if self._error is not None:
            try:
                raise self._error
            finally:
                self._error = None  # no cycle through this frame's traceback
        return self._result


class StepThread(threading.Thread):
    """Runs one job after the other until it is told to end."""

    def __init__(self, name):
        # A daemon, so that a step which nothing can end (a py_func in an endless loop) does not
        # keep the process; sessions end theirs when they close.
        super().__init__(name=name, daemon=True)
        self.jobs = queue.SimpleQueue()

    def run(self):
        while (job := self.jobs.get()) is not None:
            job.execute()
            del job

    def end(self):
        """Tells the thread to end after the job it has."""
        self.jobs.put(None)


class StepThreads:
    """The step threads of one session, kept for the next step."""

    def __init__(self, owner):
        self._owner = owner
        self._idle = []
        self._all = []
        self._ended = False
        self._lock = threading.RLock()

    def submit(self, job):
        """Gives `job` to an idle thread, or to a new one.

        Args:
          job: A `Job`.

        Returns:
          The thread, to be given back; None if the session has ended, and the
          job was done here and now (all it can do is say so).
        """
        with self._lock:
            if not self._ended:
                if self._idle:
                    thread = self._idle.pop()
                else:
                    thread = StepThread(f"tfqueue-step-{self._owner}")
                    self._all.append(thread)  # first: an interrupt may come at any moment
                    thread.start()
                thread.jobs.put(job)
                job.submitted = True
                return thread
        job.execute()
        return None

    def give_back(self, thread):
        """`thread` is through with its job and may have another."""
        self._idle.append(thread)

    def end(self):
        """Tells all threads to end, for good; returns them, to be joined."""
        with self._lock:
            self._ended = True
            threads, self._all = self._all, []
            for thread in threads:
                thread.end()
        return threads

    def __iter__(self):
        with self._lock:
            return iter(list(self._all))


def wait_for(job, look):
    """Waits until `job` is done, calling `look()` now and then.

    Args:
      job: A `Job` that some thread has.
      look: Called while waiting; may raise to end the wait.
    """
    if job.wait(_FIRST_LOOK):
        return
    pause = _FIRST_LOOK
    while True:
        look()
        if job.wait(pause):
            return
        pause = min(2 * pause, _LONGEST_LOOK)
