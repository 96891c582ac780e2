"""Sessions that initialise, start, supervise, stop and join."""

from tfqueue.session.api import ManagedSession, managed_session

__all__ = ["ManagedSession", "managed_session"]
