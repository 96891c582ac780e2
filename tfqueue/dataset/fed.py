"""`engine="session"`: a dataset that a managed session feeds, for what cannot be lifted."""

import queue
import threading

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()

_END = object()


def dataset(built):
    """A dataset whose iterators each run the old pipeline in a session of their own.

    Args:
      built: A `function.Built`.

    Returns:
      A `tf.data.Dataset`. When an iterator of it goes, its session and threads end.
    """
    import tensorflow

    signature = tensorflow.nest.map_structure(tensorflow.type_spec_from_value, built.structure)

    def elements():
        feed = _Feed(built)
        try:
            yield from feed
        finally:
            feed.end()

    return tensorflow.data.Dataset.from_generator(elements, output_signature=signature)


class _Feed:
    """A session in a thread of its own: iterators are asked by any thread, sessions are not."""

    def __init__(self, built):
        self._built = built
        self._ready = queue.Queue(maxsize=2)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tfqueue dataset", daemon=True)
        self._thread.start()

    def __iter__(self):
        while True:
            item = self._ready.get()
            if item is _END:
                return
            if isinstance(item, BaseException):
                raise item
            yield _tf.nest.map_structure(_as_element, item)

    def end(self):
        """Ends the session and its threads."""
        self._ended.set()
        while self._thread.is_alive():
            try:  # whoever waits to put finds room, and then sees that it has ended
                self._ready.get(timeout=0.05)
            except queue.Empty:
                pass
        self._thread.join()

    def _run(self):
        from tfqueue.session import managed_session

        last = _END
        try:
            with self._built.graph.as_default(), managed_session() as sess:
                for values in sess.batches(self._built.structure):
                    if self._ended.is_set():
                        break
                    self._ready.put(values)
        except Exception as error:  # noqa: BLE001  (raised by whoever iterates)
            last = error
        if not self._ended.is_set():
            self._ready.put(last)


def _as_element(value):
    if isinstance(value, _tf.SparseTensorValue):
        return _tf.SparseTensor(*value)
    return value
