"""Sessions that start their queue runners, end every wait, raise the true error, and join every thread.

Everywhere in here `owner` is a session's `Owner`, `plan` the `Plan` of a kind of step, `run` a
`RunnerRun`. Where to look for

* what a step of the program takes and puts, and how it is waited for: `step`;
* why a queue was closed, and what went in and out: `queues`;
* where a runner's failure becomes an error of the main thread: `failures`;
* whether a wait can ever end: `starvation`;
* who joins a thread: `owner` when the session ends, `coordinator` when a program joins;
* what a runner's thread does: `runner`, and how many examples a step moves: `tfqueue.accelerate`.
"""

from __future__ import annotations

from tfqueue.session.managed import ManagedSession, managed_session

__all__ = ["ManagedSession", "managed_session"]
