"""Functions whose arguments changed with TensorFlow 1.0, under their old call orders.

`concat` and `split` kept their names and turned their arguments round. A call
that can only be meant in one of the two orders is taken in that order;
everything else is TensorFlow 1's own order.
"""

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()


def _is_axis(value):
    return isinstance(value, int) and not isinstance(value, bool)


def concat(values=None, axis=None, name="concat", concat_dim=None):
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
    value=None, num_or_size_splits=None, axis=0, num=None, name="split", split_dim=None, **old
):
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


def batch_matmul(x, y, adj_x=False, adj_y=False, name=None):
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


def scalar_summary(tags, values, collections=None, name=None):
    """A summary of one number (`tf.scalar_summary`, now `tf.summary.scalar`).

    Args:
      tags: str, the summary's tag.
      values: A scalar tensor of a real dtype.
      collections: Graph collections to add it to; `GraphKeys.SUMMARIES` when None.
      name: Kept for old calls; the new op is named after its tag.

    Returns:
      A scalar string tensor: the serialized `Summary`.
    """
    return _tf.summary.scalar(_as_name(tags), values, collections=collections)


def histogram_summary(tag, values, collections=None, name=None):
    """A summary of many numbers (`tf.histogram_summary`, now `tf.summary.histogram`).

    Args:
      tag: str, the summary's tag.
      values: A tensor of a real dtype, any shape.
      collections: As for `scalar_summary`.
      name: Kept for old calls; the new op is named after its tag.

    Returns:
      A scalar string tensor: the serialized `Summary`.
    """
    return _tf.summary.histogram(_as_name(tag), values, collections=collections)


def image_summary(tag, tensor, max_images=3, collections=None, name=None):
    """A summary of images (`tf.image_summary`, now `tf.summary.image`).

    Args:
      tag: str, the summary's tag.
      tensor: `[batch, height, width, channels]`, uint8 or float32.
      max_images: How many of the batch to keep.
      collections: As for `scalar_summary`.
      name: Kept for old calls; the new op is named after its tag.

    Returns:
      A scalar string tensor: the serialized `Summary`.
    """
    return _tf.summary.image(_as_name(tag), tensor, max_outputs=max_images, collections=collections)


def audio_summary(tag, tensor, sample_rate, max_outputs=3, collections=None, name=None):
    """A summary of sounds (`tf.audio_summary`, now `tf.summary.audio`).

    Args:
      tag: str, the summary's tag.
      tensor: `[batch, frames]` or `[batch, frames, channels]`, float32 in -1 to 1.
      sample_rate: Frames per second (Hz).
      max_outputs: How many of the batch to keep.
      collections: As for `scalar_summary`.
      name: Kept for old calls; the new op is named after its tag.

    Returns:
      A scalar string tensor: the serialized `Summary`.
    """
    return _tf.summary.audio(
        _as_name(tag), tensor, sample_rate, max_outputs=max_outputs, collections=collections
    )


def _as_name(tag):
    # Old tags were free text; op names are not, and the new functions name the op by the tag.
    return tag if isinstance(tag, str) else str(tag)
