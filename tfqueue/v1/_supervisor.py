"""`tf.train.Supervisor`, with our sessions."""

from typing import Any

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()


class Supervisor(_tf.train.Supervisor):
    """TensorFlow's supervisor of a training, whose session is supervised (`tf.train.Supervisor`).

    Arguments are those of `tf.compat.v1.train.Supervisor`. A step of the session that
    `prepare_or_wait_for_session` returns raises the true error of a queue runner that failed, where
    TensorFlow's raised `OutOfRangeError`. A second `stop` does not warn of the summary file that the
    first one has closed. On a cluster a worker leaves to the chief what is shared, as `SessionManager` does.
    """

    _summaries_closed = False

    def prepare_or_wait_for_session(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the session ready, or waits for the chief to do so; returns it."""
        self._summaries_closed = False
        return super().prepare_or_wait_for_session(*args, **kwargs)

    PrepareSession = prepare_or_wait_for_session

    def stop(
        self,
        threads: Any = None,
        close_summary_writer: bool = True,
        ignore_live_threads: bool = False,
    ) -> None:
        """Stops the threads and waits for them, as `managed_session` does at its end.

        Args:
            threads: What to wait for besides the supervisor's own services.
            close_summary_writer: Whether to note the stop in the summary file, and to close it.
            ignore_live_threads: Whether a thread that does not end is no error.

        Raises:
            RuntimeError: If a thread does not end.
            Exception: What a thread has reported.
        """
        closing = close_summary_writer and not self._summaries_closed
        self._summaries_closed |= close_summary_writer
        super().stop(threads, closing, ignore_live_threads)

    Stop = stop
