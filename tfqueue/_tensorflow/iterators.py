"""Steps of `tf.data` iterators that another thread takes, and that can be cancelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def eager() -> bool:
    """Whether this thread computes at once: neither in a graph nor in a `tf.function`."""
    from tensorflow.python.eager import context

    return bool(context.executing_eagerly())


def in_eager_mode(call: Callable[[], Any]) -> Any:
    """Calls a function in eager mode, whatever mode threads start in."""
    from tensorflow.python.eager import context

    with context.eager_mode():
        return call()


class CancellableIterator:
    """The elements of an iterator, which any thread may take, and another one cancel.

    Attributes:
        take: Gives the next element. Raises `OutOfRangeError` at the end of the data, and
            `CancelledError` once `cancel` was called.
        cancel: Ends a `take` that is waiting, in milliseconds, and all that follow.
    """

    take: Callable[[], Any]
    cancel: Callable[[], None]

    def __init__(self, iterator: Any) -> None:
        """The iterator's resource is kept, but not the object: that may be collected.

        Args:
            iterator: An iterator of eager mode, as `iter(dataset)` gives it.
        """
        import tensorflow
        from tensorflow.python.data.ops import iterator_ops
        from tensorflow.python.eager import cancellation

        same = iterator_ops.OwnedIterator(
            components=[iterator._iterator_resource], element_spec=iterator.element_spec
        )
        manager = cancellation.CancellationManager()
        # Only functions can be cancelled, not single ops. Each iterator has its own, already traced:
        # TensorFlow warns of a function that is traced in five of its calls.
        function = tensorflow.function(lambda each: each.get_next(), autograph=False)
        step = function.get_concrete_function(same)

        def take() -> Any:
            with cancellation.CancellationManagerContext(manager):
                return step(same)

        self.take = take
        self.cancel = manager.start_cancel
