"""Sessions that start their queue runners, end every wait, raise the true error, and join every thread.

Names that recur: `owner` is a session's `Owner`, `plan` the `Plan` of a kind of step, `run` the
`RunnerRun` of a runner that was started in the session.

Steps of the program:

* how `sess.run` reaches its step, and which sessions do so: `session`; the managed one: `managed`;
* how a step that was run before is run again with less Python: `fast_path`;
* what a step takes and puts, and how the program waits for it, so that Ctrl-C ends the wait: `step`;
* whether a wait can ever end: `starvation`, and for room in a queue: `backpressure`; which threads of
  the program might end it: `other_threads`.

Ctrl-C:

* it ends the wait of a step at once, and the step goes on in its thread: `step`;
* then the end of the session waits for its threads, for two minutes at the most. A warning says so where it
  waits for a `StagingArea` or for files that are read, and `ThreadsStillRunning` which threads are left:
  `owner` (`Owner.shut_down`);
* under `tfqueue run` a second one ends the process, and a line on stderr says so where the first one
  comes into a step that cannot be cancelled: `tfqueue.port.run.interrupts`;
* how waits and locks stay whole when it interrupts them: `wakeups`.

Queues and runners:

* what was put and taken: `accounts`; why a queue was closed is found out in `closed_queues`, noted in `queues` and
  said by `tfqueue.explain.diagnosis`;
* what a runner's thread does: `runner`, and its mover: `runner_movers`; how many examples a step of it
  moves, a chunk's size: `tfqueue.accelerate`, there `chunk_size`;
* where a runner's failure becomes an error of the main thread: `failures`.

Threads. Of this folder and of `accelerate` these, and who joins them:

* a runner's threads, and those of `step.Steps`: `Owner.shut_down` when the session ends;
  `Coordinator.join` (`coordinator`) when the program joins, or `managed` at the end of a `managed_session()`; where
  the coordinator is TensorFlow's own, `runner._join_or_unblock`;
* a thread that closes a session while a step does not return, `tfqueue-close`: `Owner.shut_down`;
* the helpers of a runner's thread, and the one that builds its chunk: the runner's thread, in
  `accelerate.chunks` (`PrefetchMover.close`) and `accelerate.tuner` (`Tuner.close`);
* not joined: `tfqueue-server`, in which `cluster` waits in `Server.join`, which nothing can end, left when
  Ctrl-C ends the wait for it; and two that end by themselves, `tfqueue-interrupt-again` of `wakeups` and
  `tfqueue-delete`, the close of a session that Python collects where none may wait for it (`session`).

Processes:

* which sessions there are, who observes them, and their end when the process ends: `registry`;
* sessions on a cluster: `cluster`; the chief's and the workers' sessions of TensorFlow's own classes:
  `managers`; whether a task answers: `reachability`; who fills a queue that processes share: `shared_queues`.
"""

from __future__ import annotations

from tfqueue.session.managed import ManagedSession, managed_session

__all__ = ["ManagedSession", "managed_session"]
