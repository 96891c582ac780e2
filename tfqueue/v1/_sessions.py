"""The session classes, supervised (see `tfqueue.session`), and the end of a graph."""

from __future__ import annotations

from tfqueue import _tensorflow
from tfqueue._tensorflow import patches
from tfqueue.explain import diagnosis
from tfqueue.session import registry
from tfqueue.session.managers import SessionManager
from tfqueue.session.session import InteractiveSession, Session

_tf = _tensorflow.compat_v1()

patches.managers_make(Session, SessionManager)

__all__ = ["InteractiveSession", "Session", "reset_default_graph"]


def reset_default_graph() -> None:
    """Makes a new, empty default graph (`tf.reset_default_graph`).

    Sessions on the old graph, and their runners, live on: a warning says so
    where there are any.

    Raises:
        AssertionError: Inside `with graph.as_default():`.
    """
    graph = _tf.get_default_graph()
    _tf.reset_default_graph()
    running = [run.name for each in registry.on(graph) for run in each.runs if run.working()]
    diagnosis.after_reset(running)
