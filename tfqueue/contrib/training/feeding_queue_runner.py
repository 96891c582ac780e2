"""`tf.contrib.training.FeedingQueueRunner`: threads that feed what functions of the program give."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.session.owner import Owner
from tfqueue.session.runner import QueueRunner
from tfqueue.v1._signatures import constructor

_tf = _tensorflow.compat_v1()
_Feed = Callable[[], dict[Any, Any]]


class FeedingQueueRunner(QueueRunner):
    """A `QueueRunner` whose threads run each enqueue op with what a function gives to feed.

    Args:
        queue: A queue.
        enqueue_ops: List of ops that enqueue, one thread each.
        close_op: Op that closes the queue and leaves pending enqueues alone.
        cancel_op: Op that closes the queue and cancels pending enqueues.
        feed_fns: A function for each op, called before each of its runs, that gives a `feed_dict`; None where
            nothing is fed.
        queue_closed_exception_types: As of `tf.train.QueueRunner`.

    Raises:
        ValueError: If there is another number of functions than of ops.

    >>> import contextlib
    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    ...     number = tf.placeholder(tf.int32, [])
    ...     feed = [{number: 3}, {number: 4}]
    ...     runner = tf.contrib.training.FeedingQueueRunner(
    ...         queue, [queue.enqueue(number)], feed_fns=[lambda: feed.pop(0)]
    ...     )
    ...     tf.train.add_queue_runner(runner)
    ...     two = queue.dequeue_many(2)
    ...     with tf.Session() as sess:
    ...         threads = tf.train.start_queue_runners(sess, coord := tf.train.Coordinator())
    ...         print(sess.run(two))
    ...         with contextlib.suppress(IndexError):
    ...             coord.join(threads)
    [3 4]
    """

    __init__ = constructor(
        "queue=None enqueue_ops=None close_op=None cancel_op=None feed_fns=None "
        "queue_closed_exception_types=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        ops, feed_fns = given["enqueue_ops"] or (), given.pop("feed_fns")
        if feed_fns is not None and len(feed_fns) != len(ops):
            raise ValueError(
                f"FeedingQueueRunner has {len(ops)} enqueue_ops and {len(feed_fns)} feed_fns: each op "
                "needs a function, or None"
            )
        super().__init__(**given)
        self._feeds = [None] * len(ops) if feed_fns is None else list(feed_fns)
        self._at_work: dict[Any, int] = {}
        self._counting = threading.Lock()

    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """Makes the threads that feed and run the enqueue ops, as `QueueRunner.create_threads` does."""
        with self._counting:
            if self._at_work.get(sess):
                return []
            self._at_work[sess] = len(self.enqueue_ops)
            self._exceptions_raised = []
        threads = [
            threading.Thread(target=self._work, args=(sess, op, feed, coord))
            for op, feed in zip(self.enqueue_ops, self._feeds, strict=True)
        ]
        if coord is not None:
            threads.append(threading.Thread(target=self._close_at_stop, args=(sess, coord)))
        for thread in threads:
            thread.daemon = daemon
            if coord is not None:
                coord.register_thread(thread)
            if start:
                thread.start()
        return threads

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Is refused: no protocol buffer holds a function."""
        raise NotImplementedError("a FeedingQueueRunner can't be exported: it holds functions")

    def _work(self, sess: Any, op: Any, feed: _Feed | None, coord: Any) -> None:
        try:
            while coord is None or not coord.should_stop():
                sess.run(op, None if feed is None else feed())
        except (_tf.errors.OutOfRangeError, _tf.errors.CancelledError):
            self._end(sess, closes=True)
            return
        except Exception as error:
            self._end(sess)
            if not isinstance(error, StopIteration):  # an iterator's end is the end of the data
                Owner.of(sess).queues.failed(self.name, error)
            if coord is None:
                self._exceptions_raised.append(error)
                raise
            coord.request_stop(error)
            return
        self._end(sess)

    def _end(self, sess: Any, closes: bool = False) -> None:
        with self._counting:
            self._at_work[sess] -= 1
            last = not self._at_work[sess]
        if closes and last:
            self._run_quietly(sess, self.close_op)

    def _close_at_stop(self, sess: Any, coord: Any) -> None:
        coord.wait_for_stop()
        self._run_quietly(sess, self.cancel_op)

    @staticmethod
    def _run_quietly(sess: Any, op: Any) -> None:
        try:
            sess.run(op)
        except (_tf.errors.OpError, RuntimeError):
            pass  # the queue is closed, or the session
