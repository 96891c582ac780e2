"""The session classes, supervised (see `tfqueue.session`)."""

from tfqueue.session.sessions import InteractiveSession, Session

__all__ = ["InteractiveSession", "Session"]
