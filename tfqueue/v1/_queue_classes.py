"""The queue classes: `FIFOQueue` documented and guarded, the others as TensorFlow has them."""

from __future__ import annotations

from collections.abc import Sequence

from tfqueue import _tensorflow
from tfqueue.v1._types import DType, Shape, Size

_tf = _tensorflow.compat_v1()

__all__ = ["FIFOQueue"]


class FIFOQueue(_tf.FIFOQueue, metaclass=_tensorflow.StandsFor):
    """A queue in the order of arrival (`tf.FIFOQueue`), a real TensorFlow queue.

    An element is a tuple of tensors. `enqueue` puts one, `enqueue_many` the
    rows of its tensors; `dequeue`, `dequeue_many(n)` and `dequeue_up_to(n)`
    take; `size()` and `close(cancel_pending_enqueues=False)` are ops too. An
    enqueue waits while the queue is full, a dequeue while it is empty.

    Args:
        capacity: int, how many elements it holds.
        dtypes: dtype, or list of dtypes, of an element's components.
        shapes: Optional list of static shapes, one for each component; needed
            for `dequeue_many`.
        names: Optional list of names; elements are dicts then.
        shared_name: Sessions of one server share the queue under this name.
        name: Name of the queue op.

    Raises:
        ValueError: If `shapes` and `dtypes` differ in number.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     queue = tf.FIFOQueue(10, [tf.int32, tf.string], shapes=[[], []])
    ...     put = queue.enqueue_many([[1, 2, 3], ["a", "b", "c"]])
    ...     pair = queue.dequeue_many(2)
    ...     with tf.Session() as sess:
    ...         sess.run(put)
    ...         print(sess.run(pair))
    [array([1, 2], dtype=int32), array([b'a', b'b'], dtype=object)]
    """

    __original__ = _tf.FIFOQueue

    def __init__(
        self,
        capacity: Size,
        dtypes: DType,
        shapes: Shape | None = None,
        names: Sequence[str] | None = None,
        shared_name: str | None = None,
        name: str | None = "fifo_queue",
    ) -> None:
        super().__init__(
            capacity, dtypes, shapes=shapes, names=names, shared_name=shared_name, name=name
        )
