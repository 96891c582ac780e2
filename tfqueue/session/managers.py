"""`SessionManager`: how `Supervisor` and `MonitoredSession` make the session of a chief or of a worker."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow.types import Config, Op, Saver
from tfqueue.session import cluster, registry, wakeups
from tfqueue.session.owner import Owner

_tf = _tensorflow.compat_v1()

_RECHECK_SECONDS = 1.0
"""Between two looks whether the chief has initialised the model."""


class SessionManager(_tf.train.SessionManager, metaclass=_tensorflow.StandsFor):
    """Makes sessions whose graph is initialised (`tf.train.SessionManager`).

    Arguments are those of `tf.compat.v1.train.SessionManager`. On a cluster three things differ. A task
    that is not there is named, by a warning and then by an error, and Ctrl-C ends the wait for it. A
    session connects to the tasks that its graph names, unless `config` has `device_filters`. And a
    session that waits for the chief leaves to it what is shared: local variables on another task, such
    as the counter of a shared queue's epochs, and the runner that fills such a queue.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     answer = tf.Variable(42)
    ...     manager = tf.train.SessionManager()
    ...     with manager.prepare_session("", tf.global_variables_initializer()) as sess:
    ...         print(sess.run(answer))
    42
    """

    __original__ = _tf.train.SessionManager
    _local_init_op: Any  # TensorFlow's, as the next
    _recovery_wait_secs: float

    def _model_not_ready(self: Any, sess: Any) -> str | None:
        """Why the model is not ready, or None: from 0.9 to 0.12 `_model_ready` was asked like this."""
        ready, message = self._model_ready(sess)
        return None if ready else message

    def prepare_session(
        self,
        master: str,
        init_op: Op | None = None,
        saver: Saver | None = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Config = None,
        init_feed_dict: dict[Any, Any] | None = None,
        init_fn: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Makes a session and initialises or restores what it needs, as the chief does.

        Args:
            master: The target, such as `server.target`.
            init_op: Initialises the model where it is not restored.
            saver: A `Saver` to restore with.
            checkpoint_dir: Where the checkpoint is.
            checkpoint_filename_with_path: The checkpoint itself.
            wait_for_checkpoint: Whether to wait until there is one.
            max_wait_secs: Seconds to wait for the other tasks, and for a checkpoint.
            config: A `ConfigProto`.
            init_feed_dict: What to feed `init_op`.
            init_fn: Called with the session after `init_op`.

        Raises:
            tf.errors.DeadlineExceededError: If a task that the graph names has not answered by then.
            RuntimeError: If the model is not ready then.

        Returns:
            The session.
        """
        config = self._connect(master, config, max_wait_secs)
        with self._closing_if_it_fails():
            sess = super().prepare_session(
                master,
                init_op=init_op,
                saver=saver,
                checkpoint_dir=checkpoint_dir,
                checkpoint_filename_with_path=checkpoint_filename_with_path,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=init_feed_dict,
                init_fn=init_fn,
            )
        Owner.of(sess).link.take_role(True)
        return sess

    def wait_for_session(
        self, master: str, config: Config = None, max_wait_secs: float | None = float("inf")
    ) -> Any:
        """Makes a session once the chief has initialised the model.

        Args:
            master: The target, such as `server.target`.
            config: A `ConfigProto`.
            max_wait_secs: Seconds to wait for the other tasks, and for the chief; None for no limit.

        Raises:
            tf.errors.DeadlineExceededError: If that time is over.

        Returns:
            The session.
        """
        config = self._connect(master, config, max_wait_secs)
        own = cluster.own_initializers(self._local_init_op, cluster.cluster_behind(master))
        before, self._local_init_op = self._local_init_op, own
        # TensorFlow's own 30 s is longer than the chief may need for all of the data.
        self._recovery_wait_secs = min(self._recovery_wait_secs, _RECHECK_SECONDS)
        try:
            with self._closing_if_it_fails():
                sess = super().wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        finally:
            self._local_init_op = before
        if sess is not None:
            Owner.of(sess).link.take_role(False)
        return sess

    @contextlib.contextmanager
    def _closing_if_it_fails(self) -> Iterator[None]:
        """Closes the sessions that the block makes and does not return, Ctrl-C having come between."""
        before = set(registry.everywhere())
        try:
            yield
        except BaseException:
            for owner in set(registry.everywhere()) - before:
                sess = owner.session() if owner.graph is self._graph else None
                if sess is not None:
                    with contextlib.suppress(_tf.errors.OpError, errors.ThreadsStillRunning):
                        sess.close()
            raise

    def _connect(self, master: str, config: Config, max_wait_secs: float | None) -> Any:
        """Waits for the tasks that the graph names; returns the `ConfigProto` for its session."""
        if not master:
            return config
        limit = float("inf") if max_wait_secs is None else max_wait_secs
        behind = cluster.cluster_behind(master)
        cluster.wait_for_tasks(behind, self._graph, wakeups.Changes(), limit)
        return cluster.config_for(config, master, self._graph)
