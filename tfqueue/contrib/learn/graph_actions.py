"""`tf.contrib.learn.graph_actions`: running a graph a few times without writing the session."""

import itertools
from collections.abc import Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue.session.managed import managed_session
from tfqueue.v1._types import Session, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["ModeKeys", "infer", "run_feeds", "run_feeds_iter", "run_n"]


class ModeKeys:
    """What a model function is called for (`tf.contrib.learn.ModeKeys`)."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"

    @classmethod
    def validate(cls, key: str) -> None:
        """Refuses what is none of the three (`tf.contrib.learn.ModeKeys.validate`).

        Raises:
            ValueError: It is another mode.
        """
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError(f"Invalid mode {key}.")


def run_n(
    output_dict: dict[str, Tensor],
    feed_dict: Any = None,
    restore_checkpoint_path: str | None = None,
    n: int = 1,
) -> Any:
    """Runs tensors several times, with the graph's queue runners (`tf.contrib.learn.run_n`).

    Args:
        output_dict: Dict from any name to a tensor; all of one graph.
        feed_dict: What to feed in each run.
        restore_checkpoint_path: A checkpoint to restore in place of the global
            initialiser.
        n: int, how often to run.

    Returns:
        A list of `n` dicts with the names of `output_dict` and the values.

    Raises:
        ValueError: If `output_dict` is empty.
        tf.errors.OutOfRangeError: If the data ends before the last run.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     number = tf.train.range_input_producer(5, shuffle=False).dequeue()
    ...     run_n({"pair": tf.train.batch([number], 2)}, n=2)
    [{'pair': array([0, 1], dtype=int32)}, {'pair': array([2, 3], dtype=int32)}]
    """
    return run_feeds(output_dict, itertools.repeat(feed_dict, n), restore_checkpoint_path)


def run_feeds_iter(
    output_dict: dict[str, Tensor], feed_dicts: Any, restore_checkpoint_path: str | None = None
) -> Iterator[Any]:
    """Runs tensors once for each dict of feeds.

    Args:
        output_dict: As for `run_n`.
        feed_dicts: Iterable of feeds, each a dict or None.
        restore_checkpoint_path: As for `run_n`.

    Yields:
        A dict a run.

    Raises:
        ValueError: If `output_dict` or `feed_dicts` is None or empty.
        tf.errors.OutOfRangeError: If the data ends before the feeds do.
    """
    if not output_dict:
        raise ValueError(f"output_dict is invalid: {output_dict}.")
    if not feed_dicts:
        raise ValueError(f"feed_dicts is invalid: {feed_dicts}.")
    graph = next(iter(output_dict.values())).graph
    init_op = init_fn = None
    if restore_checkpoint_path:
        with graph.as_default(), _tensorflow.growable(graph):
            saver, init_op = _tf.train.Saver(), _tf.no_op(name="restored_instead")

        def init_fn(session: Session) -> None:
            saver.restore(session, restore_checkpoint_path)

    end = None
    with managed_session(graph=graph, init_op=init_op, init_fn=init_fn) as session:
        for feed_dict in feed_dicts:
            try:
                values = session.run(output_dict, feed_dict)
            except _tf.errors.OutOfRangeError as error:
                end = error  # raised below: a managed session would suppress it
                break
            yield values
    if end is not None:
        raise end


def run_feeds(
    output_dict: dict[str, Tensor], feed_dicts: Any, restore_checkpoint_path: str | None = None
) -> Any:
    """`run_feeds_iter`, as a list (`tf.contrib.learn.run_feeds`).

    Args:
        output_dict: As for `run_n`.
        feed_dicts: Iterable of feeds, each a dict or None.
        restore_checkpoint_path: As for `run_n`.

    Returns:
        A list of dicts, one a run.
    """
    return list(run_feeds_iter(output_dict, feed_dicts, restore_checkpoint_path))


def infer(
    restore_checkpoint_path: Any, output_dict: dict[str, Tensor], feed_dict: Any = None
) -> Any:
    """Restores a checkpoint and runs tensors once (`tf.contrib.learn.infer`).

    Args:
        restore_checkpoint_path: The checkpoint; None to initialise instead.
        output_dict: As for `run_n`.
        feed_dict: What to feed.

    Returns:
        A dict with the names of `output_dict` and the values.
    """
    return run_feeds(output_dict, [feed_dict], restore_checkpoint_path)[0]
