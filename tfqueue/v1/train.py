"""`tf.train`: producers, batching, `QueueRunner`, `Coordinator`, and all that TensorFlow has there.

The producers and the batching functions build TensorFlow's own queues and ops,
so that names, shapes and order are those of TensorFlow 1. What they register
is a `QueueRunner` of ours, and what they refuse they refuse with the fix.

`Saver` is TensorFlow's own. A checkpoint of an old program loads because variables are named as in its release,
each where it is made: in `rnn_cell`, `_batch_norm`, `keras._layer_names`, and `contrib`.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import patches
from tfqueue.graph import shapes
from tfqueue.names import moved
from tfqueue.session import cluster, coordinator, managers
from tfqueue.session import runner as runners
from tfqueue.v1 import _file_patterns, _namespace, _supervisor, _sync_replicas
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Session, Shape, Size, Tensor

__path__: list[str] = []  # no files below: `_old_imports` finds `tf.train.queue_runner`

_tf = _tensorflow.compat_v1()
_train = _tf.train

globals().update(_namespace.public(_train))  # first: everything below lies on top of it

Coordinator = coordinator.Coordinator
QueueRunner = runners.QueueRunner
Server = cluster.Server
SessionManager = managers.SessionManager
Supervisor = _supervisor.Supervisor
SyncReplicasOptimizer = _sync_replicas.SyncReplicasOptimizer
start_queue_runners = runners.start_queue_runners


@contextlib.contextmanager
def _building(tensors: Any = ()) -> Iterator[None]:
    """Around a call of TensorFlow's: takes over its runners, adds the fix to its errors.

    Args:
        tensors: What is to be batched.
    """
    try:
        yield
    except ValueError as error:
        text = str(error)
        if "must be fully defined" in text:
            _tensorflow.add_note(
                error,
                "tfqueue: a batch needs tensors of one known shape. Give the tensor its shape "
                "(x.set_shape([...]), tf.image.resize_images, "
                "tf.image.resize_image_with_crop_or_pad) or, where sizes really differ, say "
                "batch(..., dynamic_pad=True). " + "; ".join(shapes.unknown(tensors)),
            )
        raise
    runners.adopt_all(_tf.get_default_graph())


def _names(value: Any, function: str) -> Any:
    """`value` as `string_input_producer` takes it, or the error that says what is wrong."""
    if isinstance(value, (str, bytes)):
        raise ValueError(
            f"{function}: string_tensor must be a list of names, got one string {value!r}; "
            f"did you mean [{value!r}]?"
        )
    of_python = isinstance(value, np.ndarray) or not hasattr(value, "dtype")
    if not isinstance(value, (list, tuple)) and hasattr(value, "__iter__") and of_python:
        value = list(value)  # Python 2's map() and dict.keys() were lists
    refers = isinstance(value, _tf.Variable) and value.dtype != value.dtype.base_dtype
    if not refers and not isinstance(value, (list, tuple, _tf.Tensor)):
        # A resource variable: TensorFlow's function asks for its truth value, which it has none of.
        value = _tf.convert_to_tensor(value)
    if isinstance(value, (list, tuple)) and not value:
        pattern = _file_patterns.matched_nothing()
        raise ValueError(
            f"{function}: the list of files is empty. "
            + (
                f"The last tf.gfile.Glob, of {pattern!r}, matched no file"
                if pattern is not None
                else "Did the pattern it came from (tf.gfile.Glob, glob.glob) match nothing?"
            )
        )
    return value


def string_input_producer(
    string_tensor: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: Size = 32,
    shared_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> Any:
    """A queue of names, file names most of the time (`tf.train.string_input_producer`).

    Adds a `QueueRunner` for it to the graph's `QUEUE_RUNNERS`.

    Args:
        string_tensor: The names: a list of str, or a string tensor of shape `[n]`.
        num_epochs: int, how often to go through them before the queue ends with
            `OutOfRangeError`; None for no end. Makes a local variable `epochs`,
            which `tf.local_variables_initializer()` sets.
        shuffle: Whether to shuffle the names anew in each epoch.
        seed: int, for the shuffling.
        capacity: int, how many names the queue holds.
        shared_name: Sessions of one server share the queue under this name.
        name: Name of the queue.
        cancel_op: Op that cancels the queue, in place of the usual one.

    Returns:
        The queue, a `FIFOQueue` of scalar strings.

    Raises:
        ValueError: If there are no names, or a single string is given.

    >>> import tfqueue, tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     names = tf.train.string_input_producer(["a", "b"], num_epochs=2, shuffle=False)
    ...     name = names.dequeue()
    ...     with tfqueue.managed_session() as sess:
    ...         print(list(sess.batches(name)))
    [b'a', b'b', b'a', b'b']
    """
    string_tensor = _names(string_tensor, "string_input_producer")
    with _building():
        return _train.string_input_producer(
            string_tensor,
            num_epochs=num_epochs,
            shuffle=shuffle,
            seed=seed,
            capacity=capacity,
            shared_name=shared_name,
            name=name,
            cancel_op=cancel_op,
        )


def shuffle_batch(
    tensors: Any,
    batch_size: Size,
    capacity: Size,
    min_after_dequeue: Size,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Shape | None = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of randomly mixed examples (`tf.train.shuffle_batch`).

    Batches are drawn from a `RandomShuffleQueue`. Adds its `QueueRunner` to `QUEUE_RUNNERS`.

    Args:
        tensors: List or dict of tensors: one example, each of a fully known shape.
        batch_size: int, or a scalar int32 tensor.
        capacity: int, how many examples the queue holds.
        min_after_dequeue: Size, how many stay in it after a draw, for the mixing.
        num_threads: How many threads put examples into it.
        seed: int, for the mixing.
        enqueue_many: Whether `tensors` hold many examples, one a row.
        shapes: Shapes of an example's tensors, where they are not known.
        allow_smaller_final_batch: Whether the last batch may be smaller. If not,
            what does not fill a batch at the end is dropped.
        shared_name: Sessions of one server share the queue under this name.
        name: Name of the ops.

    Returns:
        Tensors `[batch_size, ...]` in the structure of `tensors`; a list of one
        becomes that one.

    Raises:
        ValueError: If a shape is not known, or `capacity <= min_after_dequeue`.

    >>> import tfqueue, tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     number = tf.train.range_input_producer(6, num_epochs=1).dequeue()
    ...     pair = tf.train.shuffle_batch([number], 3, capacity=10, min_after_dequeue=4)
    ...     with tfqueue.managed_session() as sess:
    ...         print(sorted(n for batch in sess.batches(pair) for n in batch.tolist()))
    [0, 1, 2, 3, 4, 5]
    """
    with _building(tensors):
        return _train.shuffle_batch(
            tensors,
            batch_size,
            capacity,
            min_after_dequeue,
            num_threads=num_threads,
            seed=seed,
            enqueue_many=enqueue_many,
            shapes=shapes,
            allow_smaller_final_batch=allow_smaller_final_batch,
            shared_name=shared_name,
            name=name,
        )


def batch(
    tensors: Any,
    batch_size: Size,
    num_threads: int = 1,
    capacity: Size = 32,
    enqueue_many: bool = False,
    shapes: Shape | None = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of examples in their order (`tf.train.batch`).

    Args:
        tensors: List or dict of tensors: one example.
        batch_size: int, or a scalar int32 tensor.
        num_threads: How many threads put examples into the queue; with more than
            one the order is not defined.
        capacity: int, how many examples the queue holds.
        enqueue_many: Whether `tensors` hold many examples, one a row.
        shapes: Shapes of an example's tensors, where they are not known.
        dynamic_pad: Whether dimensions of unknown size are padded, with zeros or
            empty strings, to the largest of the batch.
        allow_smaller_final_batch: Whether the last batch may be smaller. If not,
            what does not fill a batch at the end is dropped.
        shared_name: Sessions of one server share the queue under this name.
        name: Name of the ops.

    Returns:
        Tensors `[batch_size, ...]` in the structure of `tensors`.

    Raises:
        ValueError: If a shape is not known.
    """
    with _building(tensors):
        return _train.batch(
            tensors,
            batch_size,
            num_threads=num_threads,
            capacity=capacity,
            enqueue_many=enqueue_many,
            shapes=shapes,
            dynamic_pad=dynamic_pad,
            allow_smaller_final_batch=allow_smaller_final_batch,
            shared_name=shared_name,
            name=name,
        )


def _not_empty(tensors: Any) -> None:
    """Refuses lists that are seen to be empty: their producer would look for a slice for ever."""
    for tensor in tensors if isinstance(tensors, (list, tuple)) else ():
        shape = getattr(tensor, "shape", None)
        if shape is None and isinstance(tensor, (list, tuple)):
            shape = [len(tensor)]
        if shape and shape[0] == 0:
            raise ValueError(
                "slice_input_producer: the lists are empty, there is no slice to be had. Did the "
                "folder or pattern they came from hold nothing?"
            )


def _taken_over(
    name: str, summary: str, up_to_1_0: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """TensorFlow's function `tf.train.<name>`, whose runners become ours.

    Args:
        summary: One line on what it gives.
        up_to_1_0: What a program from before 1.1 gets, whose ops had other names.
    """
    function = getattr(_train, name)
    inner = _tensorflow.undecorated(function)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if name == "slice_input_producer":
            _not_empty(args[0] if args else kwargs.get("tensor_list", ()))
        with _building([*args[:1], *kwargs.values()]):
            if up_to_1_0 is not None and release.before("1.1"):
                return up_to_1_0(*args, **kwargs)
            return function(*args, **kwargs)

    wrapper.__name__ = wrapper.__qualname__ = name
    wrapper.__module__ = __name__
    vars(wrapper)["__signature__"] = inspect.signature(inner)
    wrapper.__doc__ = (
        f"{summary} (`tf.train.{name}`).\n\n"
        f"Arguments and results are those of `tf.compat.v1.train.{name}`; the queue runner it\n"
        "registers is a supervised one.\n"
    )
    return wrapper


input_producer = _taken_over("input_producer", "A queue of the rows of a tensor")


_PRODUCER = "num_epochs=None shuffle=True seed=None capacity=32 shared_name=None name=None"


@takes(f"limit {_PRODUCER}")
def _range_up_to_1_0(given: dict[str, Any]) -> Any:
    """The producer up to 1.0, where the queue and its summary had each other's names.

    Programs fetch `input_producer/fraction_of_32_full/fraction_of_32_full_Size:0`.
    """
    limit = given.pop("limit")
    with _tf.name_scope(given.pop("name"), "input_producer", [limit]) as scope:
        return _train.input_producer(
            _tf.range(limit),
            [],
            summary_name=scope.rstrip("/"),
            name=f"fraction_of_{given['capacity']}_full",
            **given,
        )


@takes(f"tensor_list {_PRODUCER}")
def _slices_up_to_1_0(given: dict[str, Any]) -> list[Tensor]:
    tensor_list = given.pop("tensor_list")
    with _tf.name_scope(given.pop("name"), "input_producer", tensor_list):
        tensors = [_tf.convert_to_tensor_or_indexed_slices(tensor) for tensor in tensor_list]
        queue = _range_up_to_1_0(_tf.shape(tensors[0])[0], **given)
        index = queue.dequeue()
        return [_tf.gather(tensor, index) for tensor in tensors]


range_input_producer = _taken_over(
    "range_input_producer", "A queue of the numbers 0 to limit - 1", _range_up_to_1_0
)
slice_input_producer = _taken_over(
    "slice_input_producer", "One slice of each tensor in a list", _slices_up_to_1_0
)
batch_join = _taken_over("batch_join", "Batches from several lists of tensors, a thread each")
shuffle_batch_join = _taken_over(
    "shuffle_batch_join", "Mixed batches from several lists of tensors, a thread each"
)
maybe_batch = _taken_over("maybe_batch", "Batches of the examples that `keep_input` lets through")
maybe_batch_join = _taken_over("maybe_batch_join", "`batch_join` of what `keep_input` lets through")
maybe_shuffle_batch = _taken_over(
    "maybe_shuffle_batch", "Mixed batches of the examples that `keep_input` lets through"
)
maybe_shuffle_batch_join = _taken_over(
    "maybe_shuffle_batch_join", "`shuffle_batch_join` of what `keep_input` lets through"
)


def add_queue_runner(qr: Any, collection: str = _tf.GraphKeys.QUEUE_RUNNERS) -> None:
    """Registers a runner with the default graph (`tf.train.add_queue_runner`).

    Args:
        qr: A `QueueRunner`.
        collection: The graph collection to register it in.
    """
    if isinstance(qr, _train.QueueRunner):
        qr = QueueRunner.adopt(qr)
    _tf.add_to_collection(collection, qr)


def global_step(sess: Session, global_step_tensor: Any) -> int:
    """The value of the global step (`tf.train.global_step`).

    Args:
        global_step_tensor: The variable or tensor, of shape `[]` or `[1]`.

    Returns:
        int.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     step = tf.Variable([3], trainable=False)
    ...     sess.run(step.initializer)
    ...     print(tf.train.global_step(sess, step))
    3
    """
    return patches.global_step(sess, global_step_tensor)


queue_runner = _namespace.Namespace(f"{__name__}.queue_runner", _train.queue_runner)
vars(queue_runner).update(
    QueueRunner=QueueRunner,
    add_queue_runner=add_queue_runner,
    start_queue_runners=start_queue_runners,
)

OVERRIDDEN = (
    "Coordinator QueueRunner Server SessionManager Supervisor SyncReplicasOptimizer "
    "add_queue_runner batch batch_join global_step input_producer maybe_batch maybe_batch_join "
    "maybe_shuffle_batch maybe_shuffle_batch_join queue_runner range_input_producer shuffle_batch "
    "shuffle_batch_join slice_input_producer start_queue_runners string_input_producer"
).split()
"""What is ours here; the rest is TensorFlow's own."""

__all__ = sorted({*_namespace.public(_train), *OVERRIDDEN})


def __dir__() -> list[str]:
    return [*__all__, *(r.old[6:] for r in moved.MOVED if r.old.startswith("train."))]


if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """What is not here is TensorFlow's, which has no types."""
