"""Functions whose arguments changed with TensorFlow 1.0, under their old call orders; initializers that were functions of a shape.

A name that only became another one, as `tf.pack` did, is a row of `tfqueue.names.moved`. Where only the
order or the name of an argument changed, `_call_forms` does it. The summaries of up to 0.12 are here,
too, which have the tags that they are given, whatever the name scope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from tensorflow.python.eager import context

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import op_edits
from tfqueue.explain import diagnosis
from tfqueue.names import moved
from tfqueue.v1 import _linear_algebra
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import DType, Shape, Size, Tensor

_tf = _tensorflow.compat_v1()
T = TypeVar("T")


def split_v(
    value: Tensor,
    size_splits: Any,
    split_dim: Size = 0,
    num: Size | None = None,
    name: str | None = "split_v",
) -> Any:
    """Splits a tensor into pieces of given sizes (`tf.split_v` of 0.12, now `tf.split`).

    Args:
        size_splits: List or 1-D tensor of int, the sizes of the pieces.
        split_dim: int, the dimension.
        num: How many pieces where `size_splits` is a tensor of unknown length.

    Returns:
        A list of tensors.
    """
    return _tf.split(value, size_splits, axis=split_dim, num=num, name=name)


def reverse(tensor: Tensor, axis: Any = None, name: str | None = None, dims: Any = None) -> Any:
    """Reverses a tensor along some dimensions (`tf.reverse`).

    Args:
        axis: List or 1-D tensor of int, the dimensions to reverse.
        dims: The keyword up to 0.12: for each dimension, whether to reverse it. A program that is
            known to be from then may give these by position, too.

    Returns:
        The tensor, reversed.

    Raises:
        TypeError: If `axis` holds flags and the program is not known to be so old. TensorFlow 1 took
            `[False, True]` for the dimensions 0 and 1.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.reverse([[1, 2], [3, 4]], dims=[False, True])).tolist())
    [[2, 1], [4, 3]]
    """
    if dims is None and _are_flags(axis):
        if not release.before("1.0"):
            raise TypeError(
                f"tf.reverse takes the dimensions to reverse, not {axis!r}: a flag for each of them "
                "was the way up to 0.12. Write the dimensions, or dims= for flags"
            )
        dims = axis
    if dims is not None:
        flags = dims if _tf.is_tensor(dims) else np.asarray(dims, bool)
        axis = _tf.reshape(_tf.where(flags), [-1]) if _tf.is_tensor(dims) else np.flatnonzero(flags)
    return _tf.reverse(tensor, axis, name=name)


def _are_flags(value: Any) -> bool:
    if hasattr(value, "dtype"):
        return value.dtype in (_tf.bool, np.bool_)
    return isinstance(value, (list, tuple)) and any(isinstance(one, bool) for one in value)


def resize_images(
    images: Tensor,
    size: Any,
    method: Any = 0,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Any:
    """Resizes images (`tf.image.resize_images`).

    Args:
        images: `[batch, height, width, channels]` or `[height, width, channels]`.
        size: `[new_height, new_width]`. Up to 0.10 they were two arguments, and the method and
            `align_corners` came behind them: two numbers are understood.
        method: One of `tf.image.ResizeMethod`.
        align_corners: Whether the centres of the corner pixels stay where they are.
        preserve_aspect_ratio: Whether the image may become smaller than `size` to keep its ratio.

    Returns:
        Tensor of the rank of `images`, float32 unless nothing had to be done or the method keeps the
        dtype.

    Raises:
        ValueError: If `images` or `size` has another shape.

    >>> import tfqueue.v1 as tf
    >>> tf.image.resize_images(tf.zeros([9, 9, 3]), 4, 5).shape.as_list()
    [4, 5, 3]
    """
    if _is_number(size) and _is_number(method):
        size, method, align_corners = [size, method], align_corners, preserve_aspect_ratio
        preserve_aspect_ratio = False
    return _tf.image.resize_images(images, size, method, align_corners, preserve_aspect_ratio, name)


def cond(
    pred: Tensor,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """The outcome of one of two functions (`tf.cond`).

    Up to 1.1 any two sequences of the same length were branches of each other, and a list came back.
    From 1.2 on a list and a tuple were an error, so that a program that has both is from before.

    Args:
        pred: Scalar bool tensor.
        true_fn: Called for what is given where `pred` is true.
        false_fn: Called for what is given where it is false.
        strict: Whether a list of one tensor stays a list.
        name: Name of the operation.
        fn1: Stands for `true_fn` up to 1.1.
        fn2: Stands for `false_fn` up to 1.1.

    Returns:
        A tensor, or tensors in the structure of the branches.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     one, two = tf.constant(1), tf.constant(2)
    ...     sess.run(tf.cond(one < two, lambda: [one, two], lambda: (two, one)))
    [1, 2]
    """
    branches = _Branches(strict)
    true_fn, false_fn, fn1, fn2 = map(branches.of, (true_fn, false_fn, fn1, fn2))
    found = _tf.cond(pred, true_fn, false_fn, strict=strict, name=name, fn1=fn1, fn2=fn2)
    return branches.joined(found)


def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """The outcome of the first function whose condition is true (`tf.case`), whose branches are those of `cond`.

    Args:
        pred_fn_pairs: Dict or list of pairs: a scalar bool tensor, and a function.
        default: Called where none is true.
        exclusive: Whether more than one that is true is an error.
        strict: Whether a list of one tensor stays a list.
        name: Name of the operation.

    Returns:
        A tensor, or tensors in the structure of the branches.
    """
    branches = _Branches(strict)
    if isinstance(pred_fn_pairs, dict):
        pred_fn_pairs = {pred: branches.of(one) for pred, one in pred_fn_pairs.items()}
    elif isinstance(pred_fn_pairs, (list, tuple)):
        pred_fn_pairs = [
            (pair[0], branches.of(pair[1])) if isinstance(pair, tuple) and len(pair) == 2 else pair
            for pair in pred_fn_pairs
        ]
    found = _tf.case(pred_fn_pairs, branches.of(default), exclusive, strict, name)
    return branches.joined(found)


class _Branches:
    """Functions of which one counts: up to 1.1 sequences of one length, whatever their kinds."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._kinds: list[type] = []

    def of(self, function: Any) -> Any:
        """The function, whose list or tuple is made the first one's kind."""
        if self._strict or not callable(function):
            return function

        def called() -> Any:
            result = function()
            if not isinstance(result, (list, tuple)):
                return result
            old = release.before("1.2") or type(result) is list
            self._kinds.append(list if old else type(result))
            return self._kinds[0](result) if set(self._kinds) <= {list, tuple} else result

        return called

    def joined(self, found: Any) -> Any:
        """What came back, as up to 1.1 where the kinds are two."""
        return list(found) if {*self._kinds} == {list, tuple} and type(found) is tuple else found


def _is_number(value: Any) -> bool:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return whole or (_tf.is_tensor(value) and value.shape.rank == 0)


class _OfShape:
    """An initializer that was a function of a shape up to 0.12."""

    _function: Callable[..., Any]

    def __new__(cls, *args: Any, **words: Any) -> Any:
        old = _of_shape(*args, **words)
        return super().__new__(cls) if old is None else cls._function(*old)


class zeros_initializer(_OfShape, _tf.zeros_initializer, metaclass=_tensorflow.StandsFor):
    """Makes tensors of zeros (`tf.zeros_initializer`).

    Args:
        dtype: dtype of the tensors. Up to 0.12 this was a function of a shape: a list is taken for
            one, and the result is the tensor.

    >>> import tfqueue.v1 as tf
    >>> tf.zeros_initializer([2, 3]).shape.as_list()
    [2, 3]
    """

    __original__, _function = _tf.zeros_initializer, staticmethod(_tf.zeros)


class ones_initializer(_OfShape, _tf.ones_initializer, metaclass=_tensorflow.StandsFor):
    """Makes tensors of ones (`tf.ones_initializer`).

    Args:
        dtype: dtype of the tensors. Up to 0.12 this was a function of a shape, as
            `tf.zeros_initializer` was.

    >>> import tfqueue.v1 as tf
    >>> tf.ones_initializer([2, 3]).shape.as_list()
    [2, 3]
    """

    __original__, _function = _tf.ones_initializer, staticmethod(_tf.ones)


def _of_shape(
    *args: Any, shape: Shape | None = None, dtype: DType | None = None, **_words: Any
) -> tuple[Any, Any] | None:
    """The shape and the dtype that an initializer is called with up to 0.12, or None."""
    if shape is None and args and isinstance(args[0], (list, tuple, _tf.TensorShape)):
        shape, args = args[0], args[1:]
    if shape is None:
        return None
    return shape, dtype or (args[0] if args else _tf.float32)


def batch_matmul(
    x: Tensor, y: Tensor, adj_x: bool = False, adj_y: bool = False, name: str | None = None
) -> Any:
    """Multiplies matrices in batches (`tf.batch_matmul`, now `tf.matmul` with other keywords).

    Args:
        x: Tensor `[..., r_x, c_x]`.
        y: Tensor `[..., r_y, c_y]`.
        adj_x: Whether to take the adjoint of `x` first.
        adj_y: Whether to take the adjoint of `y` first.

    Returns:
        Tensor `[..., r, c]`.
    """
    return _linear_algebra.matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, name=name)


def _summary(
    kind: str, collections: Sequence[str] | None, name: str | None, **inputs: Any
) -> Tensor:
    """The op of a summary whose first two inputs name it and are its values, in the collections."""
    op = getattr(_tf.raw_ops, kind)
    with _tf.name_scope(name, kind.removesuffix("V2"), [*inputs.values()][:2]) as scope:
        made = op(**inputs, name=scope)
    return _collected(made, collections)


@takes("tags values collections=None name=None")
def scalar_summary(given: dict[str, Any]) -> Any:
    """A summary of numbers under tags of any text (`tf.scalar_summary`, since 1.0 `tf.summary.scalar`).

    Args:
        tags: str, or a list of them.
        values: Tensor of a real dtype, of the shape of `tags`.
        collections: Graph collections to add it to; `GraphKeys.SUMMARIES` when None.

    Returns:
        A scalar string tensor: the serialized `Summary`.

    >>> import tfqueue.v1 as tf
    >>> with tf.name_scope("train"), tf.Session() as sess:
    ...     told = tf.Summary.FromString(sess.run(tf.scalar_summary("my loss (%)", 2.5)))
    >>> [(value.tag, value.simple_value) for value in told.value]
    [('my loss (%)', 2.5)]
    """
    return _summary("ScalarSummary", **given)


@takes("tag values collections=None name=None")
def histogram_summary(given: dict[str, Any]) -> Any:
    """A summary of many numbers (`tf.histogram_summary`, since 1.0 `tf.summary.histogram`).

    Args:
        tag: str, the summary's tag.
        values: A tensor of a real dtype, any shape.
        others: As for `scalar_summary`.
    """
    return _summary("HistogramSummary", **given)


@takes("tag tensor max_images=3 collections=None name=None")
def image_summary(given: dict[str, Any]) -> Any:
    """A summary of images (`tf.image_summary`, since 1.0 `tf.summary.image`).

    Args:
        tag: str, the summary's tag.
        tensor: `[batch, height, width, channels]`, uint8 or float32.
        max_images: How many of the batch to keep.
        others: As for `scalar_summary`.
    """
    return _summary("ImageSummary", **given)


@takes("tag tensor sample_rate max_outputs=3 collections=None name=None")
def audio_summary(given: dict[str, Any]) -> Any:
    """A summary of sounds (`tf.audio_summary`, since 1.0 `tf.summary.audio`).

    Args:
        tag: str, the summary's tag.
        tensor: `[batch, frames]` or `[batch, frames, channels]`, float32 in -1 to 1.
        sample_rate: Frames per second (Hz).
        max_outputs: How many of the batch to keep.
        others: As for `scalar_summary`.
    """
    return _summary("AudioSummaryV2", **given)


def merge_summary(
    inputs: Sequence[Any], collections: Sequence[str] | None = None, name: str | None = None
) -> Any:
    """Several summaries as one (`tf.merge_summary`, since 1.0 `tf.summary.merge`).

    Args:
        inputs: List of scalar string tensors, serialized `Summary`s.
        collections: Graph collections to add it to; none when None.

    Returns:
        A scalar string tensor: the serialized `Summary`.
    """
    with _tf.name_scope(name, "MergeSummary", inputs):
        made = _tf.raw_ops.MergeSummary(inputs=inputs, name=name)
    return _collected(made, collections or [])


def merge_all_summaries(key: str = _tf.GraphKeys.SUMMARIES) -> Any:
    """All summaries of a graph as one (`tf.merge_all_summaries`, since 1.0 `tf.summary.merge_all`).

    Args:
        key: The graph collection that they are in.

    Returns:
        A scalar string tensor: the serialized `Summary`; None where there are none.
    """
    found = _tf.get_collection(key)
    return merge_summary(found) if found else None


def _collected(made: Tensor, collections: Iterable[str] | None) -> Tensor:
    keys = [_tf.GraphKeys.SUMMARIES] if collections is None else collections
    _tf.add_to_collections(keys, made)
    return made


def experimental_list_devices() -> list[str]:
    """The names of all devices of this process (`tf.config.experimental_list_devices`, 1.14 to 2.0).

    >>> experimental_list_devices()[0]
    '/job:localhost/replica:0/task:0/device:CPU:0'
    """
    context.ensure_initialized()
    names: list[str] = context.context().devices()
    return names


def add_check_numerics_ops() -> Any:
    """An op that checks each tensor of floats for NaN and infinity (`tf.add_check_numerics_ops`).

    Up to 1.3 the graph could have a `tf.cond`: most checks behind an op of a branch that is not taken are not done. A
    step that ran the op ended in an error where the graph had a `tf.while_loop`; here what is in a loop is left out.

    Returns:
        An operation.

    Raises:
        ValueError: If an op stands in a condition or a loop, and the program can be from behind 1.3.
    """
    outputs = [each for op in _tf.get_default_graph().get_operations() for each in op.outputs]
    outputs = [each for each in outputs if each.dtype in (_tf.float16, _tf.float32, _tf.float64)]
    if not any(op_edits.is_in_control_flow(each.op) for each in outputs):
        return _tf.add_check_numerics_ops()
    if not release.before("1.4"):
        raise ValueError(
            "add_check_numerics_ops takes no graph with tf.cond or tf.while_loop; "
            "up to 1.3 it did, as with --era 1.3"
        )
    diagnosis.warn(
        "add_check_numerics_ops leaves out what is in tf.while_loop, and may leave out what is behind an op of a "
        "branch of tf.cond that is not taken, as up to 1.3",
        UserWarning,
    )
    last: list[Any] = []
    for each in outputs:
        if not op_edits.stays_in_loop(each.op):
            with _tf.control_dependencies(last):
                last = [_tf.check_numerics(each, f"{each.op.name}:{each.value_index}")]
    return _tf.group(*last)


def set_cpu0(device_string: str) -> str:
    """A device's text with the first CPU as the device (`tf.graph_util.set_cpu0`, up to 0.12).

    >>> set_cpu0("/job:worker/task:3/gpu:1")
    '/job:worker/task:3/device:CPU:0'
    """
    device = _tf.DeviceSpec.from_string(device_string)
    text: str = device.replace(device_type="CPU", device_index=0).to_string()
    return text


def xw_plus_b_v1(x: Tensor, weights: Tensor, biases: Tensor, name: str | None = None) -> Any:
    """`tf.nn.xw_plus_b` with the bias of `tf.nn.bias_add_v1` (up to 0.12).

    Args:
        x: Tensor `[batch, inputs]`.
        weights: Tensor `[inputs, outputs]`.
        biases: Tensor `[outputs]`.

    Returns:
        Tensor `[batch, outputs]`.
    """
    with _tf.name_scope(name, "xw_plus_b_v1", [x, weights, biases]) as scope:
        return _tf.raw_ops.BiasAddV1(value=_tf.matmul(x, weights), bias=biases, name=scope)


def _nn_op(name: str, op: str, parameters: str) -> Callable[..., Any]:
    function = getattr(_tf.raw_ops, op)

    @takes(f"{parameters} name=None")
    def made(given: dict[str, Any]) -> Any:
        return function(**given)

    made.__module__, made.__name__, made.__qualname__ = __name__, name, name
    made.__doc__ = f"The op `{op}` (`tf.nn.{name}` up to 0.12).\n"
    return made


globals().update({name: _nn_op(name, *row) for name, row in moved.NN_OPS.items()})


class RegisterShape:
    """Decorates the function that told the shapes of an op's outputs (`tf.RegisterShape`, up to 0.12).

    Nothing asks the function: since 1.0 an op tells its shapes where it is registered itself.

    Args:
        op_type: The op's type.
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self.op_type = op_type

    def __call__(self, function: T) -> T:
        """Gives the function back."""
        return function


class name_scope(_tf.name_scope):
    """A context manager that puts the ops that are made in it below a name (`tf.name_scope`).

    Up to 1.7 `tf.name_scope("loss", [x])` was let through: the second argument was looked at only
    where there was no name. Later releases took none but a text there.

    Args:
        name: The name, or None.
        default_name: The name where `name` is None.
        values: The tensors that the ops take, whose graph is the one.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.constant(1.0)
    ...     with tf.name_scope("loss", [x]):
    ...         print((x + 1).op.name)
    loss/add
    """

    def __init__(self, name: Any, default_name: Any = None, values: Any = None) -> None:
        if name is not None and not isinstance(default_name, str):
            default_name = None
        super().__init__(name, default_name, values)
