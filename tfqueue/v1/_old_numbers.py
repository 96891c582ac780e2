"""What gave other numbers in TensorFlow 1, from the same arguments.

What gave them in early releases alone gives them where the program is known to be from then (`tfqueue.release`).
"""

from __future__ import annotations

import collections
import copy
import functools
import operator
import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from tensorflow.python import tf2
from tensorflow.python.ops import embedding_ops, gen_image_ops, gen_math_ops, variables

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import seeds
from tfqueue.explain import diagnosis
from tfqueue.v1 import _call_forms, _function_op_counts, _image_op_counts, _op_counts
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()
_PARTS = variables.PartitionedVariable
_PROXIMAL = _tf.train.ProximalGradientDescentOptimizer, _tf.train.ProximalAdagradOptimizer
_APPLY = "_apply_dense", "_apply_sparse"
_EMBEDDING_LOOKUP_SPARSE = _op_counts.sparse_lookup(_tf.nn.embedding_lookup_sparse)


def mean_pairwise_squared_error(
    labels: Tensor,
    predictions: Tensor,
    weights: Any = 1.0,
    scope: Any = None,
    loss_collection: str | None = "losses",
) -> Any:
    """How far the differences between the elements of an example are off (`tf.losses.mean_pairwise_squared_error`).

    Args:
        labels: A tensor of `[batch, d1, ...]`.
        predictions: A tensor of the same shape.
        weights: A number, or a tensor of `[batch, 1, ...]`.
        loss_collection: The collection that the loss is added to.

    Returns:
        A scalar. The sum over the pairs of an example is divided by how many there are; up to 1.5, by
        half the square of the number of elements.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.losses.mean_pairwise_squared_error([[0., 0.]], [[1., 3.]])))
    4.0
    """
    function = _tf.losses.mean_pairwise_squared_error
    if not _call_forms.reaches("1.5"):
        return function(labels, predictions, weights, scope, loss_collection)
    loss = function(labels, predictions, weights, scope, None)
    shape = _tf.shape(predictions)
    count = _tf.cast(_tf.reduce_prod(shape[1:]), loss.dtype)
    loss *= (count - 1) / count
    if loss_collection:
        _tf.add_to_collection(loss_collection, loss)
    return loss


@takes(
    "labels predictions num_classes weights=None metrics_collections=None updates_collections=None "
    "name=None"
)
def mean_iou(given: dict[str, Any]) -> Any:
    """How well the classes' areas lie on each other, on average (`tf.metrics.mean_iou`).

    Args:
        labels: int32 or int64, any shape, of classes.
        predictions: A tensor of the same shape.
        num_classes: How many classes there are.
        weights: How much each element counts.
        metrics_collections, updates_collections: Names of collections that the two are added to.

    Returns:
        A scalar and an op that counts a batch in. Up to 1.4 a class that nothing is of counts as 0; since then it is left
        out.

    >>> import tfqueue.v1 as tf
    >>> classes = tf.constant([0, 0])
    >>> mean, update = tf.metrics.mean_iou(classes, classes, 2)
    >>> with tf.Session() as sess:
    ...     sess.run(tf.local_variables_initializer())
    ...     _ = sess.run(update)
    ...     print(sess.run(mean))
    1.0
    """
    function = _tf.metrics.mean_iou
    if not _call_forms.reaches("1.4"):
        found = function(**given)
        seeds.more(1)  # the choice of a division
        return found
    collections = given.pop("metrics_collections")
    mean, update = function(**given)
    counts = _tf.get_collection(_tf.GraphKeys.METRIC_VARIABLES)[-1]
    seen = _tf.reduce_sum(counts, 0) + _tf.reduce_sum(counts, 1) > 0
    mean *= _tf.reduce_mean(_tf.cast(seen, mean.dtype))
    if collections:
        _tf.add_to_collections(collections, mean)
    return mean, update


def ctc_beam_search_decoder(
    inputs: Tensor,
    sequence_length: Tensor,
    beam_width: int = 100,
    top_paths: int = 1,
    merge_repeated: bool = True,
) -> Any:
    """The likeliest sequences of labels (`tf.nn.ctc_beam_search_decoder`).

    Args:
        inputs: A tensor of float32, `[max_time, batch, num_classes]`, the logits.
        sequence_length: int32, `[batch]`.
        top_paths: How many sequences to give for each.

    Returns:
        A list of `tf.SparseTensor`s and their scores, `[batch, top_paths]`: the logarithm of what each
        is worth. Up to 1.10 a step was divided by that of its largest logit, and not by that of all.

    >>> import tfqueue.v1 as tf
    >>> found = tf.nn.ctc_beam_search_decoder([[[2., 0., 1.]]], [1])
    >>> with tf.Session() as sess:
    ...     print(sess.run(found[0][0]).values.tolist())
    [0]
    """
    decoded, scores = _tf.nn.ctc_beam_search_decoder(
        inputs, sequence_length, beam_width, top_paths, merge_repeated
    )
    if _call_forms.reaches("1.10"):
        rest = _tf.reduce_logsumexp(inputs, 2) - _tf.reduce_max(inputs, 2)
        counted = _tf.sequence_mask(sequence_length, _tf.shape(inputs)[0], rest.dtype)
        scores += _tf.reduce_sum(rest * _tf.transpose(counted), 0)[:, None]
    return decoded, scores


def einsum(equation: str, *inputs: Tensor, **kwargs: Any) -> Any:
    """Products and sums of tensors by the names of their axes (`tf.einsum`).

    Args:
        equation: Such as `"ij,jk->ik"`. One tensor may have an axis twice: the sum is that of its diagonal. Up to
            1.12 it was that of all, in 1.13 an error, and then what reads the same from both ends without
            `->` was the trace of the last two axes.
        inputs: The tensors.
        kwargs: `name`, and `optimize` since 1.15.

    >>> import tfqueue.v1 as tf
    >>> product = tf.einsum("ij,jk->ik", tf.constant([[1, 2]]), tf.constant([[3], [4]]))
    >>> with tf.Session() as sess:
    ...     print(sess.run(product))
    [[11]]
    """
    axes, arrow, output = equation.replace(" ", "").partition("->")
    counts = collections.Counter(axes)
    if len(inputs) == 1 and max(counts.values(), default=1) > 1:
        if _call_forms.reaches("1.12"):
            if not arrow:
                output = "".join(sorted(axis for axis, count in counts.items() if count == 1))
            unused = iter(sorted({*string.ascii_letters} - {*axes}))
            axes = "".join(axis if counts[axis] == 1 else next(unused) for axis in axes)
            equation = f"{axes}->{output}"
        elif not arrow and axes == axes[::-1] and max(counts.values()) == 2:
            return _tf.linalg.trace(*inputs, name=kwargs.get("name"))
    return _function_op_counts.einsum(equation, *inputs, **kwargs)


def embedding_lookup_sparse(
    params: Any,
    sp_ids: Any,
    sp_weights: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    combiner: str | None = None,
    max_norm: float | None = None,
    allow_fast_lookup: bool = False,
) -> Any:
    """Sums, or means, of the rows of a table that are named for each example (`tf.nn.embedding_lookup_sparse`).

    Args:
        params: The table, or a list of its parts. Sums of float16 and bfloat16 are float32, as since 1.11; up to 1.10
            they were of the table's own dtype.
        sp_ids: A `tf.SparseTensor` of int32 or int64, `[examples, any]`.
        sp_weights: One of floats, like it; None for 1.
        combiner: `"mean"` (the default), `"sum"` or `"sqrtn"`.
        allow_fast_lookup: Of TensorFlow 2.

    Returns:
        A tensor of `[examples, ...]`.
    """
    first = next(iter(params)) if isinstance(params, (list, tuple, _PARTS)) else params
    dtype = _tf.as_dtype(getattr(first, "dtype", _tf.float32)).base_dtype
    if dtype in (_tf.float16, _tf.bfloat16) and not _call_forms.reaches("1.10"):
        ids, places = _tf.unique(sp_ids.values)
        rows = _tf.nn.embedding_lookup(params, ids, partition_strategy, max_norm=max_norm)
        params, max_norm, allow_fast_lookup = _tf.cast(rows, _tf.float32), None, True
        sp_ids = _tf.SparseTensor(sp_ids.indices, places, sp_ids.dense_shape)
    return _EMBEDDING_LOOKUP_SPARSE(
        *(params, sp_ids, sp_weights, partition_strategy, name, combiner, max_norm),
        allow_fast_lookup,
    )


def central_crop(image: Tensor, central_fraction: Any) -> Tensor:
    """The middle of an image (`tf.image.central_crop`).

    Args:
        image: `[height, width, channels]`, and since 1.11 batches of such.
        central_fraction: How much of the height and of the width to keep, above 0 and up to 1. Up to 1.3 what goes at
            each side was one of a whole number of parts of it: 2 of 6 rows are what `0.4` keeps, and since then 4.

    Returns:
        A tensor of the rank of `image`.

    >>> import tfqueue.v1 as tf
    >>> tf.image.central_crop(tf.zeros([6, 6, 3]), 0.4).shape.as_list()
    [4, 4, 3]
    """
    image = _tf.convert_to_tensor(image)
    known = image.shape.rank in (None, 3) and not _tf.is_tensor(central_fraction)
    if not (_call_forms.reaches("1.3") and known and 0 < central_fraction < 1):
        return _image_op_counts.FUNCTIONS["image.central_crop"](image, central_fraction)
    parts = int(1 / ((1 - central_fraction) / 2.0))
    made = 32 if image.shape[:2].is_fully_defined() else 40
    with seeds.standing_for(made if _call_forms.reaches("1.1") else made + 1):
        size = _tf.shape(image)[:2]
        begin = size // parts
        cut = _tf.slice(image, _tf.concat([begin, [0]], 0), _tf.concat([size - 2 * begin, [-1]], 0))
    cut.set_shape([None, None, image.shape[2] if image.shape.rank else None])
    return cut


def _rounded_down(original: Callable[..., Any]) -> Callable[..., Any]:
    """The pixels that `resize_nearest_neighbor` takes with `align_corners`: up to 1.1 those before, not the nearest."""

    def places(size: Tensor, wanted: Tensor) -> Tensor:
        last, last_wanted = (_tf.cast(each - 1, _tf.float32) for each in (size, wanted))
        scale = _tf.where(wanted > 1, last, _tf.cast(size, _tf.float32)) / _tf.maximum(
            last_wanted, 1.0
        )
        found = _tf.cast(_tf.floor(_tf.cast(_tf.range(wanted), _tf.float32) * scale), _tf.int32)
        return _tf.minimum(found, size - 1)

    @functools.wraps(original)
    def resize_nearest_neighbor(
        images: Any,
        size: Any,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
    ) -> Any:
        if not (align_corners and release.before("1.2")) or half_pixel_centers:
            return original(images, size, align_corners, half_pixel_centers, name)
        images, size = _tf.convert_to_tensor(images), _tf.convert_to_tensor(size)
        with (
            seeds.standing_for(1),
            _tf.name_scope(name, "ResizeNearestNeighbor", [images]) as scope,
        ):
            rows, columns = (places(_tf.shape(images)[axis + 1], size[axis]) for axis in range(2))
            taken = _tf.gather(_tf.gather(images, rows, axis=1), columns, axis=2, name=scope)
        return taken

    return resize_nearest_neighbor


def _overflowing(original: Callable[..., Any]) -> Callable[..., Any]:
    """The op of `tf.reduce_mean`: the sum of whole numbers of up to 32 bits, and how many they are, are of their dtype.

    So it was in all releases of TensorFlow 1: the mean of 200 and 100 is 22 in uint8, where 256 is 0.
    """

    @functools.wraps(original)
    def mean(input: Any, axis: Any, keep_dims: bool = False, name: str | None = None) -> Tensor:
        if tf2.enabled() or not _are_small_and_whole(input):
            return original(input, axis, keep_dims, name)
        with _tf.name_scope(name, "Mean") as scope:
            numbers = _tf.convert_to_tensor(input, name="input")
            axis = _tf.convert_to_tensor(axis, name="reduction_indices")
            with seeds.standing_for(1), _tf.name_scope("overflowing"):
                total = gen_math_ops._sum(numbers, axis, keep_dims)
                count = _tf.maximum(_tf.size(numbers) // _tf.maximum(_tf.size(total), 1), 1)
                return _tf.raw_ops.Div(x=total, y=_tf.cast(count, numbers.dtype), name=scope)

    return mean


def _are_small_and_whole(numbers: Any) -> bool:
    each = _tf.nest.flatten(numbers)
    dtypes = (_tf.as_dtype(one.dtype) for one in each if hasattr(one, "dtype"))
    known = next(dtypes, None)
    if known is not None:
        return known.is_integer and not known.is_quantized and known.size < 8
    return bool(each) and all(type(one) is int for one in each)


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> Any:
    """Makes tensors smaller by one factor, so that the norm of all of them is not above a limit (`tf.clip_by_global_norm`).

    Args:
        t_list: The tensors; `tf.IndexedSlices` and None may be among them.
        clip_norm: The limit.
        use_norm: The norm, where it is known.
        name: Name of the ops.

    Returns:
        A list like `t_list`, and the norm. Of a norm that is infinite all is NaN; up to 1.10 what is finite is 0 then. In 1.11
        to 1.13 the step fails.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     clipped, norm = sess.run(tf.clip_by_global_norm([tf.constant([3.0, 4.0])], 2.5))
    >>> clipped[0].tolist(), norm.tolist()
    ([1.5, 2.0], 5.0)
    """
    if not release.before("1.14") or not isinstance(t_list, (list, tuple)):
        seeds.more(1)
        return _tf.clip_by_global_norm(t_list, clip_norm, use_norm, name)
    if use_norm is None:
        use_norm = _tf.linalg.global_norm(t_list, name)
    if not release.before("1.11"):
        with seeds.standing_for(0):
            use_norm = _tf.verify_tensor_all_finite(use_norm, "Found Inf or NaN global norm.")
        return _tf.clip_by_global_norm(t_list, clip_norm, use_norm, name)
    with _tf.name_scope(name, "clip_by_global_norm", [*t_list, clip_norm]) as scope:
        one = _tf.constant(1.0, _tf.convert_to_tensor(use_norm).dtype)
        factor = clip_norm * _tf.minimum(1.0 / use_norm, one / clip_norm)

        def clipped(number: int, each: Any) -> Any:
            if each is None:
                return None
            if not isinstance(each, _tf.IndexedSlices):
                return _tf.identity(each * factor, name=f"{scope}_{number}")
            values = _tf.identity(each.values * factor, name=f"{scope}_{number}")
            return _tf.IndexedSlices(values, each.indices, each.dense_shape)

        return [clipped(*each) for each in enumerate(t_list)], use_norm


def _without_signs(original: Callable[..., Any]) -> Callable[..., Any]:
    """How a proximal optimizer applies a gradient: up to 1.0 the values lost their sign where there is an L1 penalty."""

    @functools.wraps(original)
    def apply(self: Any, grad: Any, var: Any) -> Any:
        done, penalty = original(self, grad, var), self._l1_regularization_strength
        rows = isinstance(grad, _tf.IndexedSlices)
        kept = rows and var.shape[1:].num_elements() == 1
        if kept or not release.before("1.1") or (penalty == 0 and not _tf.is_tensor(penalty)):
            return done
        with _tf.control_dependencies([done]):
            now = _tf.gather(var, grad.indices) if rows else var.read_value()
            now = _tf.where_v2(_tf.cast(penalty, now.dtype) > 0, _tf.abs(now), now)
            return _tf.scatter_update(var, grad.indices, now) if rows else _tf.assign(var, now).op

    return apply


def _of_each(original: Callable[..., Any]) -> Callable[..., Any]:
    """The mode of a Dirichlet distribution: up to 1.14 that of each of a batch, up to 1.0 of each element."""

    @functools.wraps(original)
    def _mode(self: Any) -> Tensor:
        if not (self.allow_nan_stats and release.before("1.15")):
            return original(self)
        above = self.concentration - 1.0
        shown = self.concentration > 1.0
        if not release.before("1.1"):
            shown = _tf.reduce_all(shown, -1, keepdims=True)
        found = above / _tf.reduce_sum(above, -1, keepdims=True)
        return _tf.where_v2(shown, found, _tf.constant(np.nan, found.dtype))

    return _mode


def split(
    input: Any = None,
    sep: str | None = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> Any:
    """Pieces of strings (`tf.strings.split`).

    Args:
        input: A tensor of strings.
        sep: What stands between the pieces; any white space when None.
        maxsplit: How often to split at most, -1 for everywhere.
        result_type: `"SparseTensor"` or `"RaggedTensor"`; of one string alone the latter gives a tensor.
        source: Stands for `input` up to 1.13.

    Returns:
        The pieces of each string in a row of its own.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.strings.split("a b", result_type="RaggedTensor")))
    [b'a' b'b']
    """
    found = _tf.strings.split(input, sep, maxsplit, result_type, source, name)
    one = _tf.convert_to_tensor(source if input is None else input).shape.rank == 0
    return found.values if one and isinstance(found, _tf.RaggedTensor) else found


def piecewise_constant(
    x: Tensor, boundaries: Sequence[Any], values: Sequence[Any], name: str | None = None
) -> Any:
    """A value for each interval of steps (`tf.train.piecewise_constant`).

    Up to 1.4 there could be more or fewer values than intervals: behind the last boundary came the last value, and
    between two boundaries the first where there was no other.

    Args:
        x: Scalar tensor, a step most often.
        boundaries: Where an interval ends, numbers or tensors of the type of `x`.
        values: Numbers or tensors, one more than boundaries.

    Returns:
        A scalar tensor, or for an eager `x` a function that gives it.

    Raises:
        ValueError: If there are more or fewer values, and the program can be from behind 1.4.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.train.piecewise_constant(7, [2, 5], [1.0, 0.5, 0.1])))
    0.1
    """
    count, many = len(boundaries), len(values)
    if many != count + 1:
        if not _call_forms.reaches("1.4"):
            raise ValueError(
                f"piecewise_constant has {count} boundaries and {many} values, and takes one value more than "
                "boundaries; up to 1.4 it took any, as with --era 1.4"
            )
        inner = (values[at] if at < many - 1 else values[0] for at in range(1, count))
        values = [values[0], *inner, values[-1]]
    return _tf.train.piecewise_constant(x, boundaries, values, name)


def _of_each_index(original: Callable[..., Any]) -> Callable[..., Any]:
    """How an optimizer applies the gradient of a gathered row: up to 0.12, of each time it was gathered."""

    @functools.wraps(original)
    def _apply_sparse_duplicate_indices(self: Any, grad: Any, var: Any) -> Any:
        if release.before("1.0"):
            return self._apply_sparse(grad, var)
        return original(self, grad, var)

    return _apply_sparse_duplicate_indices


_CUT = 0.87962566103423978
"""The standard deviation of a normal distribution that is cut off at two of its own."""


def _not_made_up_for(original: Callable[..., Any]) -> Callable[..., Any]:
    """Initial values of a truncated normal distribution: up to 1.9 nothing made up for what is cut off."""

    @functools.wraps(original)
    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.distribution in ("normal", "truncated_normal") and _call_forms.reaches("1.9"):
            self = copy.copy(self)
            self.scale *= _CUT**2
        return original(self, *args, **kwargs)

    return __call__


def install() -> None:
    """Has classes and generated ops of TensorFlow do so, once a process."""
    rows: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
        (_tf.train.Optimizer, "_apply_sparse_duplicate_indices", _of_each_index),
        (_tf.variance_scaling_initializer, "__call__", _not_made_up_for),
        *((owner, name, _without_signs) for owner in _PROXIMAL for name in _APPLY),
        (_tf.distributions.Dirichlet, "_mode", _of_each),
        (gen_image_ops, "resize_nearest_neighbor", _rounded_down),
        (gen_math_ops, "mean", _overflowing),
    )
    for owner, name, wrap in rows:
        original = getattr(owner, name)
        if not hasattr(original, "_of_early_releases"):
            function = wrap(original)
            vars(function)["_of_early_releases"] = True
            setattr(owner, name, function)
    embedding_ops.embedding_lookup_sparse = (
        embedding_lookup_sparse  # `safe_embedding_lookup_sparse` calls it
    )


@functools.wraps(_tf.nn.max_pool_with_argmax)
def max_pool_with_argmax(*args: Any, **kwargs: Any) -> Any:
    """`tf.nn.max_pool_with_argmax`: what up to 1.12 depended on the device is told."""
    pooled = _tf.nn.max_pool_with_argmax(*args, **kwargs)
    batch = _tf.dimension_value(pooled[0].shape[0])
    if release.before("1.13") and batch != 1 and "include_batch_in_index" not in kwargs:
        diagnosis.warn(
            "the indices of max_pool_with_argmax are those within each image, as on a GPU up to 1.12 "
            "and everywhere since; on a CPU they went through the whole batch up to 1.12, which "
            "include_batch_in_index=True gives",
            UserWarning,
        )
    return pooled


max_pool_with_argmax.__module__ = __name__


def _made_dense(original: Callable[..., Any], last: str | None) -> Callable[..., Any]:
    """A function that makes `tf.IndexedSlices`, such as the gradient of rows that were gathered, a tensor first.

    A row that was gathered twice stands in them twice: what is not linear, and an optimizer that leaves other rows
    alone, give other numbers for these than for a tensor.

    Args:
        original: The function of TensorFlow.
        last: The last release that did so; None for all of TensorFlow 1.
    """

    @functools.wraps(original)
    def function(*args: Any, **kwargs: Any) -> Any:
        if last is None or _call_forms.reaches(last):
            args = tuple(map(_dense, args))
            kwargs = {name: _dense(value) for name, value in kwargs.items()}
        return original(*args, **kwargs)

    function.__module__ = __name__
    return function


def _dense(value: Any) -> Any:
    return _tf.convert_to_tensor(value) if isinstance(value, _tf.IndexedSlices) else value


_MADE_DENSE = {
    "identity": None,
    "stop_gradient": None,
    **dict.fromkeys(("clip_by_norm", "clip_by_value"), "1.12"),
    **dict.fromkeys(("cast", "dtypes.cast", "to_float", "to_double"), "1.10"),
}
"""The last release in which a function gave a tensor for `tf.IndexedSlices`; None: each."""

_COUNTING = {**_op_counts.FUNCTIONS, **_function_op_counts.FUNCTIONS}
FUNCTIONS = {
    **{
        name: _made_dense(_COUNTING.get(name) or operator.attrgetter(name)(_tf), last)
        for name, last in _MADE_DENSE.items()
    },
    "clip_by_global_norm": clip_by_global_norm,
    "image.central_crop": central_crop,
    "losses.mean_pairwise_squared_error": mean_pairwise_squared_error,
    "metrics.mean_iou": mean_iou,
    "nn.ctc_beam_search_decoder": ctc_beam_search_decoder,
    "nn.embedding_lookup_sparse": embedding_lookup_sparse,
    "nn.max_pool_with_argmax": max_pool_with_argmax,
    "strings.split": split,
    "train.piecewise_constant": piecewise_constant,
    **dict.fromkeys(("einsum", "linalg.einsum"), einsum),
}
"""By their names below `tf`."""
