"""Waiting for what others do: Ctrl-C works, it is spoken of once, and it may come to an end."""

import time

from tfqueue import _tensorflow, errors
from tfqueue.explain import diagnosis

_tf = _tensorflow.compat_v1()


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
