"""`engine="session"`: a dataset whose elements come out of a managed session."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue.dataset.old_inputs import InputGraph
from tfqueue.dataset.upper_layers import Sessions

_tf = _tensorflow.compat_v1()

_END = object()


def dataset(built: InputGraph, session: Sessions) -> Any:
    """A dataset whose iterators each run the old pipeline in a session of their own.

    What a session raises is raised by the iterator, as it is. TensorFlow itself makes an
    `UnknownError` of it where the dataset is a part of another one, with the same text.

    Args:
        built: The graph of the old inputs.
        session: Makes a managed session.

    Returns:
        A `tf.data.Dataset`. When an iterator of it goes, its session and threads end.
    """
    import tensorflow

    raised: list[BaseException] = []

    def generate() -> Iterator[Any]:
        try:
            yield from elements(built, session)
        except _tf.errors.OpError as error:
            raised[:] = [error]
            notes = getattr(error, "__notes__", ())
            raise RuntimeError("\n".join([f"{type(error).__name__}: {error}", *notes])) from error

    signature = _tf.nest.map_structure(tensorflow.type_spec_from_value, built.structure)
    made = tensorflow.data.Dataset.from_generator(generate, output_signature=signature)
    made.__class__ = _raising(type(made), raised)
    return made


def _raising(kind: type[Any], raised: list[BaseException]) -> type[Any]:
    """A class of datasets whose iterators raise what the session did."""

    class FedDataset(kind):
        def __iter__(self) -> Any:
            iterator = super().__iter__()
            iterator.__class__ = _raising_iterator(type(iterator), raised)
            return iterator

    return FedDataset


def _raising_iterator(kind: type[Any], raised: list[BaseException]) -> type[Any]:
    class FedIterator(kind):
        def __next__(self) -> Any:
            try:
                return super().__next__()
            except _tf.errors.UnknownError:
                if raised:
                    raise raised.pop() from None
                raise

    return FedIterator


def elements(built: InputGraph, session: Sessions) -> Iterator[Any]:
    """Yields the elements that the old pipeline's queues give.

    They are arrays, `SparseTensorValue`s and ragged tensors.

    Args:
        built: The graph of the old inputs.
        session: Makes a managed session.
    """
    feed = _Feed(built, session)
    try:
        yield from feed
    finally:
        feed.end()


class _Feed:
    """A session in a thread of its own, since any thread may ask an iterator for elements."""

    def __init__(self, built: InputGraph, session: Sessions) -> None:
        self._built = built
        self._session = session
        self._ready: queue.Queue[Any] = queue.Queue(maxsize=2)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tfqueue dataset", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Any]:
        while True:
            item = self._ready.get()
            if item is _END:
                return
            if isinstance(item, BaseException):
                raise item
            yield _tf.nest.map_structure(_as_element, item)

    def end(self) -> None:
        """Ends the session and its threads."""
        self._ended.set()
        while self._thread.is_alive():
            with contextlib.suppress(queue.Empty):
                # makes room, so that the thread goes on and sees that it has ended
                self._ready.get(timeout=0.05)
        self._thread.join()

    def _run(self) -> None:
        last: object = _END
        try:
            with self._built.graph.as_default(), self._session() as sess:
                nothing = _tf.no_op()  # which gives None
                fetches = _tf.nest.map_structure(
                    lambda leaf: nothing if leaf is None else leaf, self._built.structure
                )
                for values in sess.batches(fetches):
                    if self._ended.is_set():
                        break
                    self._ready.put(values)
        except Exception as error:  # noqa: BLE001  (raised by whoever iterates)
            last = error
        if not self._ended.is_set():
            self._ready.put(last)


def _as_element(value: Any) -> Any:
    if isinstance(value, _tf.ragged.RaggedTensorValue):
        splits = value.nested_row_splits
        return _tf.RaggedTensor.from_nested_row_splits(value.flat_values, splits)
    return value
