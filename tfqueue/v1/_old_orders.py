"""Functions whose arguments changed with TensorFlow 1.0, under their old call orders.

`concat` and `split` kept their names and turned their arguments round. A call
that can only be meant in one of the two orders is taken in that order;
everything else is TensorFlow 1's own order. (Where both orders have the same kinds of arguments,
the program's release decides: see `positions`.) The summaries of up to 0.12 are here, too, which have
the tags that they are given, whatever the name scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tfqueue import _tensorflow, release
from tfqueue.v1._types import DType, Shape, Size, Tensor

_tf = _tensorflow.compat_v1()


def _is_axis(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def concat(
    values: Any = None,
    axis: Any = None,
    name: str | None = "concat",
    concat_dim: Size | None = None,
) -> Any:
    """Concatenates tensors along one dimension (`tf.concat`).

    Args:
        values: List of tensors of one rank and dtype, or a single tensor.
        axis: int, the dimension. Up to 0.12 it came first: `concat(1, [a, b])` is
            understood too, since a list cannot be an axis.
        name: Name of the op.
        concat_dim: The old keyword for `axis`.

    Returns:
        The joined tensor.

    >>> import tfqueue.v1 as tf
    >>> a, b = tf.zeros([2, 3]), tf.zeros([2, 4])
    >>> tf.concat([a, b], 1).shape.as_list(), tf.concat(1, [a, b]).shape.as_list()
    ([2, 7], [2, 7])
    """
    if _is_axis(values) and isinstance(axis, (list, tuple)):
        values, axis = axis, values
    if concat_dim is not None:
        axis = concat_dim
    return _tf.concat(values, axis, name=name)


def split(
    value: Any = None,
    num_or_size_splits: Any = None,
    axis: Any = 0,
    num: Size | None = None,
    name: str | None = "split",
    split_dim: Size | None = None,
    **old: Any,
) -> Any:
    """Splits a tensor into pieces along one dimension (`tf.split`).

    Args:
        value: The tensor. Up to 0.12 the order was `split(split_dim, num_split,
            value)`: understood where the first two are ints and the third is not.
        num_or_size_splits: int, into how many equal pieces; or a list of sizes.
        axis: int, the dimension.
        num: How many pieces where the list of sizes is a tensor of unknown length.
        name: Name of the ops.
        split_dim: The old keyword for `axis`.
        **old: The old keyword `num_split` for `num_or_size_splits`.

    Returns:
        A list of tensors.

    Raises:
        TypeError: For any other keyword.

    >>> import tfqueue.v1 as tf
    >>> x = tf.zeros([4, 6])
    >>> [t.shape.as_list() for t in tf.split(x, 2, 1)]
    [[4, 3], [4, 3]]
    >>> [t.shape.as_list() for t in tf.split(1, 2, x)]
    [[4, 3], [4, 3]]
    """
    if _is_axis(value) and _is_axis(num_or_size_splits) and not _is_axis(axis):
        value, num_or_size_splits, axis = axis, num_or_size_splits, value
    if split_dim is not None:
        axis = split_dim
    num_or_size_splits = old.pop("num_split", num_or_size_splits)
    if old:
        raise TypeError(f"split() got an unexpected keyword argument {next(iter(old))!r}")
    return _tf.split(value, num_or_size_splits, axis=axis, num=num, name=name)


def split_v(
    value: Any,
    size_splits: Any,
    split_dim: Size = 0,
    num: Size | None = None,
    name: str | None = "split_v",
) -> Any:
    """Splits a tensor into pieces of given sizes (`tf.split_v` of 0.12, now `tf.split`).

    Args:
        value: The tensor.
        size_splits: List or 1-D tensor of int, the sizes of the pieces.
        split_dim: int, the dimension.
        num: How many pieces where `size_splits` is a tensor of unknown length.
        name: Name of the op.

    Returns:
        A list of tensors.
    """
    return _tf.split(value, size_splits, axis=split_dim, num=num, name=name)


def sparse_split(
    keyword_required: Any = None,
    sp_input: Any = None,
    num_split: Any = None,
    axis: Any = None,
    name: str | None = None,
    split_dim: Size | None = None,
) -> Any:
    """Splits a `SparseTensor` into pieces along one dimension (`tf.sparse_split`).

    Args:
        keyword_required: TensorFlow 1 refused positions here. Up to 0.12 the order was
            `sparse_split(split_dim, num_split, sp_input, name)`: understood, since a number of
            pieces is no sparse tensor.
        sp_input: The `SparseTensor`.
        num_split: int, into how many pieces.
        axis: int, the dimension.
        name: Name of the ops.
        split_dim: The old keyword for `axis`.

    Returns:
        A list of `num_split` `SparseTensor`s.

    Raises:
        ValueError: For other arguments by position.

    >>> import tfqueue.v1 as tf
    >>> sparse = tf.SparseTensor([[0, 1]], [3], [2, 4])
    >>> len(tf.sparse_split(1, 2, sparse))
    2
    """
    words = {"sp_input": sp_input, "num_split": num_split, "axis": axis, "name": name}
    if (
        _is_axis(keyword_required)
        and _is_axis(sp_input)
        and isinstance(num_split, _tf.SparseTensor)
    ):
        words = {"axis": keyword_required, "num_split": sp_input, "sp_input": num_split}
        words["name"] = name if axis is None else axis
    elif keyword_required is not None and not isinstance(sp_input, _tf.SparseTensor):
        raise ValueError(
            "tf.sparse_split takes its arguments by name since TensorFlow 1.0: sp_input=..., "
            "num_split=..., axis=..."
        )
    elif keyword_required is not None:
        # sparse_split(split_dim, sp_input=sparse, num_split=2)
        words["axis"] = keyword_required
    if words["axis"] is None:
        words["axis"] = split_dim
    return _tf.sparse_split(**words)


def sparse_concat(
    axis: Any = None,
    sp_inputs: Any = None,
    name: str | None = None,
    expand_nonconcat_dim: bool = False,
    concat_dim: Size | None = None,
    expand_nonconcat_dims: Any = None,
) -> Any:
    """Concatenates `SparseTensor`s along one dimension (`tf.sparse_concat`).

    Args:
        axis: int, the dimension.
        sp_inputs: List of `SparseTensor`s of one rank and dtype.
        name: Name of the op.
        expand_nonconcat_dim: Whether the other dimensions become the largest of the inputs'.
        concat_dim: The keyword for `axis` up to 0.12.
        expand_nonconcat_dims: The newer keyword for `expand_nonconcat_dim`.

    Returns:
        A `SparseTensor`.
    """
    return _tf.sparse_concat(
        concat_dim if axis is None else axis,
        sp_inputs,
        name=name,
        expand_nonconcat_dim=expand_nonconcat_dim,
        expand_nonconcat_dims=expand_nonconcat_dims,
    )


def reverse(tensor: Tensor, axis: Any = None, name: str | None = None, dims: Any = None) -> Any:
    """Reverses a tensor along some dimensions (`tf.reverse`).

    Args:
        tensor: The tensor.
        axis: List or 1-D tensor of int, the dimensions to reverse.
        name: Name of the op.
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


def decode_csv(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    name: str | None = None,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
) -> Any:
    """Parses lines of comma-separated values (`tf.decode_csv`).

    Args:
        records: String tensor of any shape, a line each.
        record_defaults: List of tensors, one a column: `[default]`, or empty where a value must be.
        field_delim: str, what separates the columns.
        use_quote_delim: bool, whether double quotes hold a field together. Up to 0.12 the fourth
            position was the name: a str is taken for it.
        name: Name of the op.
        na_value: str, what counts as a missing value.
        select_cols: Optional list of int, the columns to parse.

    Returns:
        A list of tensors, one a column, each of the shape of `records`.

    >>> import tfqueue.v1 as tf
    >>> tf.decode_csv("1,2", [[0], [0]], ",", "fields")[1].op.name
    'fields'
    """
    if isinstance(use_quote_delim, str):
        use_quote_delim, name = True, use_quote_delim
    return _tf.decode_csv(
        records,
        record_defaults,
        field_delim,
        use_quote_delim,
        name=name,
        na_value=na_value,
        select_cols=select_cols,
    )


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
        name: Name of the op.

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
        method = 0 if method is False else method  # the default of what stood there
    return _tf.image.resize_images(images, size, method, align_corners, preserve_aspect_ratio, name)


def _is_number(value: Any) -> bool:
    return _is_axis(value) or (_tf.is_tensor(value) and value.shape.rank == 0)


class zeros_initializer(_tf.zeros_initializer, metaclass=_tensorflow.StandsFor):
    """Makes tensors of zeros (`tf.zeros_initializer`).

    Args:
        dtype: dtype of the tensors. Up to 0.12 this was a function of a shape: a list is taken for
            one, and the result is the tensor.

    >>> import tfqueue.v1 as tf
    >>> tf.zeros_initializer([2, 3]).shape.as_list()
    [2, 3]
    """

    __original__ = _tf.zeros_initializer

    def __new__(cls, *args: Any, **words: Any) -> Any:
        old = _of_shape(*args, **words)
        return super().__new__(cls) if old is None else _tf.zeros(*old)


class ones_initializer(_tf.ones_initializer, metaclass=_tensorflow.StandsFor):
    """Makes tensors of ones (`tf.ones_initializer`).

    Args:
        dtype: dtype of the tensors. Up to 0.12 this was a function of a shape, as
            `tf.zeros_initializer` was.

    >>> import tfqueue.v1 as tf
    >>> tf.ones_initializer([2, 3]).shape.as_list()
    [2, 3]
    """

    __original__ = _tf.ones_initializer

    def __new__(cls, *args: Any, **words: Any) -> Any:
        old = _of_shape(*args, **words)
        return super().__new__(cls) if old is None else _tf.ones(*old)


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
    x: Any, y: Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None
) -> Any:
    """Multiplies matrices in batches (`tf.batch_matmul`, now `tf.matmul` with other keywords).

    Args:
        x: Tensor `[..., r_x, c_x]`.
        y: Tensor `[..., r_y, c_y]`.
        adj_x: Whether to take the adjoint of `x` first.
        adj_y: Whether to take the adjoint of `y` first.
        name: Name of the op.

    Returns:
        Tensor `[..., r, c]`.
    """
    return _tf.matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, name=name)


def scalar_summary(
    tags: Any, values: Any, collections: Sequence[str] | None = None, name: str | None = None
) -> Any:
    """A summary of numbers under tags of any text (`tf.scalar_summary`, since 1.0 `tf.summary.scalar`).

    Args:
        tags: str, or a list of them.
        values: Tensor of a real dtype, of the shape of `tags`.
        collections: Graph collections to add it to; `GraphKeys.SUMMARIES` when None.
        name: Name of the op.

    Returns:
        A scalar string tensor: the serialized `Summary`.

    >>> import tfqueue.v1 as tf
    >>> with tf.name_scope("train"), tf.Session() as sess:
    ...     told = tf.Summary.FromString(sess.run(tf.scalar_summary("my loss (%)", 2.5)))
    >>> [(value.tag, value.simple_value) for value in told.value]
    [('my loss (%)', 2.5)]
    """
    with _tf.name_scope(name, "ScalarSummary", [tags, values]) as scope:
        made = _tf.raw_ops.ScalarSummary(tags=tags, values=values, name=scope)
    return _collected(made, collections)


def histogram_summary(
    tag: Any, values: Any, collections: Sequence[str] | None = None, name: str | None = None
) -> Any:
    """A summary of many numbers (`tf.histogram_summary`, since 1.0 `tf.summary.histogram`).

    Args:
        tag: str, the summary's tag.
        values: A tensor of a real dtype, any shape.
        collections: As for `scalar_summary`.
        name: Name of the op.

    Returns:
        A scalar string tensor: the serialized `Summary`.
    """
    with _tf.name_scope(name, "HistogramSummary", [tag, values]) as scope:
        made = _tf.raw_ops.HistogramSummary(tag=tag, values=values, name=scope)
    return _collected(made, collections)


def image_summary(
    tag: Any,
    tensor: Tensor,
    max_images: int = 3,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> Any:
    """A summary of images (`tf.image_summary`, since 1.0 `tf.summary.image`).

    Args:
        tag: str, the summary's tag.
        tensor: `[batch, height, width, channels]`, uint8 or float32.
        max_images: How many of the batch to keep.
        collections: As for `scalar_summary`.
        name: Name of the op.

    Returns:
        A scalar string tensor: the serialized `Summary`.
    """
    with _tf.name_scope(name, "ImageSummary", [tag, tensor]) as scope:
        made = _tf.raw_ops.ImageSummary(tag=tag, tensor=tensor, max_images=max_images, name=scope)
    return _collected(made, collections)


def audio_summary(
    tag: Any,
    tensor: Tensor,
    sample_rate: float,
    max_outputs: int = 3,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> Any:
    """A summary of sounds (`tf.audio_summary`, since 1.0 `tf.summary.audio`).

    Args:
        tag: str, the summary's tag.
        tensor: `[batch, frames]` or `[batch, frames, channels]`, float32 in -1 to 1.
        sample_rate: Frames per second (Hz).
        max_outputs: How many of the batch to keep.
        collections: As for `scalar_summary`.
        name: Name of the op.

    Returns:
        A scalar string tensor: the serialized `Summary`.
    """
    with _tf.name_scope(name, "AudioSummary", [tag, tensor]) as scope:
        made = _tf.raw_ops.AudioSummaryV2(
            tag=tag, tensor=tensor, sample_rate=sample_rate, max_outputs=max_outputs, name=scope
        )
    return _collected(made, collections)


def merge_summary(
    inputs: Sequence[Any], collections: Sequence[str] | None = None, name: str | None = None
) -> Any:
    """Several summaries as one (`tf.merge_summary`, since 1.0 `tf.summary.merge`).

    Args:
        inputs: List of scalar string tensors, serialized `Summary`s.
        collections: Graph collections to add it to; none when None.
        name: Name of the op.

    Returns:
        A scalar string tensor: the serialized `Summary`.
    """
    with _tf.name_scope(name, "MergeSummary", inputs):
        made = _tf.raw_ops.MergeSummary(inputs=inputs)
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
