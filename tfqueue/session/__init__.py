"""Sessions that start their queue runners, end every wait, raise the true error, and join every thread."""

from tfqueue.session.api import ManagedSession, managed_session

__all__ = ["ManagedSession", "managed_session"]
