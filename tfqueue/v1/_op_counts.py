"""How many ops TensorFlow 1 made where TensorFlow 2 makes another number: the seeds of the random ops behind them count these.

`_tensorflow.seeds` says how. The numbers are those of 1.4 to 1.15, a few those of earlier releases. What makes another number and does not stand here
is named in docs/limits.md.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from tensorflow.python import tf2
from tensorflow.python.data.ops import dataset_ops, readers
from tensorflow.python.framework import ops, tensor_shape, tensor_util
from tensorflow.python.keras.layers import convolutional, core
from tensorflow.python.ops import (
    array_ops,
    clip_ops,
    embedding_ops,
    math_ops,
    nn_impl,
    nn_ops,
    random_ops,
    resource_variable_ops,
    standard_ops,
    tensor_array_ops,
    variables,
)
from tensorflow.python.ops.losses import losses_impl

from tfqueue import release
from tfqueue._tensorflow import seeds
from tfqueue.v1._random_ops import ours


def with_more(original: Callable[..., Any], how_many: Callable[..., int]) -> Callable[..., Any]:
    """A function that counts as so many ops more than it makes; it is asked with the arguments."""

    @ours(original)
    def function(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        seeds.more(how_many(*args, **kwargs))
        return result

    return function


def of_a_layer(call: Callable[..., Any], how_many: Callable[..., int]) -> Callable[..., Any]:
    """The same of a layer's `call`, whose arguments Keras looks at."""

    @ours(call)
    def function(self: Any, inputs: Any) -> Any:
        result = call(self, inputs)
        seeds.more(how_many(self, inputs))
        return result

    return function


def _type(result: Any) -> str:
    """The type of the op that gives a tensor; "" in eager mode, and of what is none."""
    return str(getattr(getattr(result, "op", None), "type", ""))


def convolution(layer: Any, *args: Any, **kwargs: Any) -> int:
    """The op `dilation_rate`, and up to 1.2 another one."""
    if set(layer.dilation_rate) != {1}:
        return 0
    return 2 if release.before("1.3") else 1


def transposed_convolution(layer: Any, inputs: Any, *args: Any, **kwargs: Any) -> int:
    """Each size was computed, also where it is known."""
    sizes = inputs.shape[2:] if layer.data_format == "channels_first" else inputs.shape[1:-1]
    known = sum(size is not None for size in sizes.as_list())
    return known * (7 if layer.padding == "valid" else 5) - 4 * release.before("1.13")


def transposed_convolution_of_3(layer: Any, *args: Any, **kwargs: Any) -> int:
    """`Conv3DTranspose`: what its bias is added to was made flat."""
    bias = 4 * bool(layer.use_bias)
    return bias + 4 if release.before("1.13") else bias if release.before("1.14") else 0


def flattened(layer: Any, inputs: Any, *args: Any, **kwargs: Any) -> int:
    """It was a reshape to what the shape's op says."""
    known = tensor_shape.dimension_value(inputs.shape[0]) is not None and not release.before("1.13")
    return 0 if known else 6


def _weighted_loss(original: Callable[..., Any]) -> Callable[..., Any]:
    """The mean of what has a weight was divided with more ops up to 1.12, and so is its gradient."""

    @ours(original)
    def compute_weighted_loss(losses: Any, *args: Any, **kwargs: Any) -> Any:
        with seeds.built() as made:
            result = original(losses, *args, **kwargs)
        divisions = [op for op in made if op.type == "DivNoNan"]
        means.update(divisions)
        if divisions and release.before("1.13"):
            seeds.more(12 if release.before("1.8") and not release.before("1.6") else 10)
        return result

    return compute_weighted_loss


def _tensordot(original: Callable[..., Any]) -> Callable[..., Any]:
    """It transposed and reshaped even where that changes nothing."""

    @ours(original)
    def tensordot(*args: Any, **kwargs: Any) -> Any:
        with seeds.built() as made:
            result = original(*args, **kwargs)
        types = [op.type for op in made]
        if types:  # none in eager mode
            left_out = 2 * (2 - types.count("Transpose")) + 2 * (3 - types.count("Reshape"))
            if "Prod" in types and release.before("1.12"):
                left_out += 16
            seeds.more(left_out)
        return result

    return tensordot


def _split(original: Callable[..., Any]) -> Callable[..., Any]:
    """A number of pieces was made a tensor, which nothing read."""

    @ours(original)
    def split(*args: Any, **kwargs: Any) -> Any:
        pieces = args[1] if len(args) > 1 else kwargs.get("num_or_size_splits")
        if isinstance(pieces, int) and not (tf2.enabled() or release.before("1.1")):
            ops.convert_to_tensor(pieces)
        return original(*args, **kwargs)

    return split


def _size(original: Callable[..., Any]) -> Callable[..., Any]:
    """The size of a `TensorArray` was an op of its own, also where it is known."""

    @ours(original)
    def size(self: Any, *args: Any, **kwargs: Any) -> Any:
        with seeds.standing_for(1):
            return original(self, *args, **kwargs)

    return size


def _gather(original: Callable[..., Any]) -> Callable[..., Any]:
    """Of the first axis it was one op, up to 1.7: the axis was none."""

    @ours(original)
    def gather(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        axis = args[4] if len(args) > 4 else kwargs.get("axis")
        first = axis is None or (isinstance(axis, int) and axis == 0)
        if first and release.before("1.8") and _type(result) == "GatherV2":
            seeds.more(-1)
        return result

    return gather


def _marked(indices: Any, depth: Any, *values: Any, **kwargs: Any) -> int:
    """The values of `tf.one_hot`, where they are given, were made a tensor twice."""
    on, off = (values + (None, None))[:2]
    given = (kwargs.get("on_value", on), kwargs.get("off_value", off))
    return sum(value is not None and not tensor_util.is_tf_type(value) for value in given)


def _lookup(original: Callable[..., Any]) -> Callable[..., Any]:
    """What rows are taken from: up to 1.12 each resource was read, too; nothing came behind the rows of one variable up to 1.10."""

    @ours(original)
    def _embedding_lookup_and_transform(
        params: Any, ids: Any, partition_strategy: str = "mod", *args: Any, **kwargs: Any
    ) -> Any:
        result = original(params, ids, partition_strategy, *args, **kwargs)
        several = isinstance(params, (list, tuple, variables.PartitionedVariable))
        parts = list(params) if several else [params]
        if release.before("1.11") and len(parts) == 1 and _type(result) == "Identity":
            seeds.more(-1)
        if release.before("1.13") and not release.before("1.1"):
            seeds.more(2 * sum(isinstance(part, _RESOURCE) for part in parts))
        if release.before("1.5") and len(parts) > 1 and partition_strategy == "div":
            seeds.more(5)
        return result

    return _embedding_lookup_and_transform


def sparse_lookup(original: Callable[..., Any]) -> Callable[..., Any]:
    """Of each example some rows: of a single table they were taken first, each once, and with weights each time up to 1.8."""

    @ours(original)
    def embedding_lookup_sparse(
        params: Any, sp_ids: Any, sp_weights: Any, *args: Any, **kwargs: Any
    ) -> Any:
        with seeds.built() as made:
            result = original(params, sp_ids, sp_weights, *args, **kwargs)
        types = [op.type for op in made]
        if types and sp_weights is not None:
            seeds.more(-2 if release.before("1.8") else -3 if release.before("1.9") else 0)
        elif types:
            rows = 3 if release.before("1.8") else 4 if release.before("1.11") else 5
            seeds.more(1 if "Unique" in types else rows)
        return result

    return embedding_lookup_sparse


def _safe_lookup(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str = "mean",
    *args: Any,
    **kwargs: Any,
) -> int:
    """Ids without a weight were left in up to 1.8."""
    if sparse_weights is None or combiner == "sum" or not release.before("1.9"):
        return 0
    return -15 if release.before("1.8") else -19


def _clipped(*args: Any, **kwargs: Any) -> int:
    """Its gradient was none where all is 0."""
    return -5 if release.before("1.5") else -7 if release.before("1.12") else 0


def _small(original: Callable[..., Any]) -> Callable[..., Any]:
    """What `tf.zeros` and `tf.ones` ask first: the number of elements was computed in the graph where the shape's are tensors."""

    @ours(original)
    def _constant_if_small(value: Any, shape: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(value, shape, *args, **kwargs)
        if not tf2.enabled():
            filled = release.before("1.8") and not release.before("1.6")  # from a shape and a value
            seeds.more(_of_a_product(shape) if result is None else 2 * filled)
        return result

    return _constant_if_small


def _of_a_product(shape: Any) -> int:
    """Of all sizes one behind the other, and of the comparison with 1000; none of these were there up to 1.7."""
    if not isinstance(shape, (list, tuple, tensor_shape.TensorShape)):
        return 0
    tensors = [tensor_util.is_tf_type(size) for size in shape]
    if release.before("1.8"):
        one_constant = release.before("1.6") and not any(tensors)  # however large
        return -2 if one_constant else 0
    if not any(tensors):
        return 0
    first = tensors.index(True)
    return (2 if first else 0) + sum(1 if tensor else 2 for tensor in tensors[first + 1 :]) + 2


def _dimensions(original: Callable[..., Any]) -> Callable[..., Any]:
    """Which axes a reduction without any has: those of a number were a constant, too."""

    @ours(original)
    def _ReductionDims(x: Any, axis: Any) -> Any:
        result = original(x, axis)
        if axis is None and not tf2.enabled() and tensor_util.is_tf_type(x) and x.shape.rank == 0:
            seeds.more(-3)
        return result

    return _ReductionDims


def _leaky(*args: Any, **kwargs: Any) -> int:
    """It was a product and a maximum."""
    return 2 if release.before("1.13") else 0


def _transposed(a: Any, perm: Any = None, *args: Any, **kwargs: Any) -> int:
    """The order of the axes was computed in the graph."""
    known = perm is None and getattr(getattr(a, "shape", None), "rank", None)
    return 6 if known and release.before("1.13") else 0


def _means_of_segments(*args: Any, **kwargs: Any) -> int:
    return -15 if release.before("1.9") else -13


def _dataset(original: Callable[..., Any]) -> Callable[..., Any]:
    """A dataset has an op since 1.14: before, its iterator made that, one of a single use in a function."""

    @ours(original)
    def __init__(self: Any, variant_tensor: Any) -> None:
        original(self, variant_tensor)
        if tf2.enabled() or not tensor_util.is_tf_type(variant_tensor):
            return
        kind = _type(variant_tensor)
        if not kind or _last_dataset.get(ops.get_default_graph()) == variant_tensor.op.name:
            return  # another object stands around it
        _last_dataset[ops.get_default_graph()] = variant_tensor.op.name
        seeds.more(-release.before("1.14") + _of_a_dataset(kind))

    return __init__


def _of_a_dataset(kind: str) -> int:
    """How many more arguments than today a dataset had."""
    if "BatchDataset" in kind:
        return -2 if release.before("1.5") else -1 if release.before("1.10") else 0
    if kind.startswith("ShuffleDataset"):
        return -7 if release.before("1.7") else 0
    return -1 if kind == "RangeDataset" and release.before("1.5") else 0


def _iterator(original: Callable[..., Any], more: Callable[[Any], int]) -> Callable[..., Any]:
    """What makes an iterator."""

    @ours(original)
    def make(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        seeds.more(more(self))
        return result

    return make


def _of_many_uses(dataset: Any) -> int:
    """The ops of its datasets, up to 1.13, and since then those that optimize them."""
    made = _how_many(dataset) if release.before("1.14") else 0
    return made + (0 if release.before("1.13") else 3)


def _how_many(dataset: Any) -> int:
    """How many datasets there are up to the files or tensors."""
    while isinstance(dataset, dataset_ops.DatasetV1Adapter):
        dataset = dataset._dataset
    if isinstance(dataset, _READERS):
        names_apart = isinstance(dataset, readers.TFRecordDatasetV2) and not release.before("1.7")
        return 2 if names_apart else 1
    return 1 + sum(map(_how_many, dataset._inputs()))


def normalization(fused: bool, training: bool | None, variables: int) -> int:
    """Of batch normalization.

    Args:
        fused: Whether it is the fused op.
        training: Whether it takes the batch's moments, None where a tensor says so.
        variables: How many of `gamma` and `beta` it has.

    Returns:
        How many ops more it was.
    """
    fixed = training is not None
    early = release.before("1.5")
    if fused:
        if not fixed:
            return (4 if early else 3) - variables
        return (1 if training and not early else -1) - variables
    return (-4 if fixed else 11 if early else 15) - 2 * variables


_RESOURCE = resource_variable_ops.BaseResourceVariable
_READERS = (
    readers.FixedLengthRecordDatasetV2,
    readers.TextLineDatasetV2,
    readers.TFRecordDatasetV2,
)
_last_dataset: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
"""By graph, the op of the dataset that was counted last."""
means: weakref.WeakSet[Any] = weakref.WeakSet()
"""The divisions that give the mean of a loss."""
compute_weighted_loss = _weighted_loss(losses_impl.compute_weighted_loss)
tensordot = _tensordot(math_ops.tensordot)
split = _split(array_ops.split)
gather = _gather(array_ops.gather)
one_hot = with_more(array_ops.one_hot, _marked)
clip_by_norm = with_more(clip_ops.clip_by_norm, _clipped)
safe_embedding_lookup_sparse = with_more(embedding_ops.safe_embedding_lookup_sparse, _safe_lookup)
leaky_relu = with_more(nn_ops.leaky_relu, _leaky)
transpose = with_more(array_ops.transpose, _transposed)
linspace = with_more(math_ops.linspace_nd, lambda *args, **kwargs: -67)
random_gamma = with_more(random_ops.random_gamma, lambda *args, **kwargs: -2)
unsorted_segment_mean = with_more(math_ops.unsorted_segment_mean, _means_of_segments)
unsorted_segment_sqrt_n = with_more(math_ops.unsorted_segment_sqrt_n, _means_of_segments)
weighted_moments = with_more(nn_impl.weighted_moments, lambda *args, **kwargs: 1)
FUNCTIONS = {
    "losses.compute_weighted_loss": compute_weighted_loss,
    **dict.fromkeys(("tensordot", "linalg.tensordot"), tensordot),
    "split": split,
    "gather": gather,
    "one_hot": one_hot,
    "clip_by_norm": clip_by_norm,
    "nn.safe_embedding_lookup_sparse": safe_embedding_lookup_sparse,
    "nn.leaky_relu": leaky_relu,
    "transpose": transpose,
    **dict.fromkeys(("linspace", "lin_space"), linspace),
    **dict.fromkeys(("random_gamma", "random.gamma"), random_gamma),
    **{f"{space}unsorted_segment_mean": unsorted_segment_mean for space in ("", "math.")},
    **{f"{space}unsorted_segment_sqrt_n": unsorted_segment_sqrt_n for space in ("", "math.")},
    "nn.weighted_moments": weighted_moments,
}
"""By their names below `tf`."""


def install() -> None:
    """Puts them where TensorFlow's own functions look for them."""
    losses_impl.compute_weighted_loss = compute_weighted_loss
    math_ops.tensordot = standard_ops.tensordot = tensordot
    array_ops.split = split
    array_ops.gather = gather
    array_ops.one_hot = standard_ops.one_hot = one_hot
    array_ops.transpose = transpose
    nn_ops.leaky_relu = leaky_relu
    clip_ops.clip_by_norm = clip_by_norm
    embedding_ops.safe_embedding_lookup_sparse = safe_embedding_lookup_sparse
    _RESOURCE.sparse_read = with_more(_RESOURCE.sparse_read, lambda *args, **kwargs: 1)
    array_ops._constant_if_small = _small(array_ops._constant_if_small)
    dataset_ops.DatasetV2.__init__ = _dataset(dataset_ops.DatasetV2.__init__)
    of_datasets = dataset_ops.DatasetV1
    of_datasets._make_one_shot_iterator = _iterator(
        of_datasets._make_one_shot_iterator, lambda dataset: -release.before("1.5")
    )
    of_datasets._make_initializable_iterator = _iterator(
        of_datasets._make_initializable_iterator, _of_many_uses
    )
    math_ops._ReductionDims = _dimensions(math_ops._ReductionDims)
    embedding_ops._embedding_lookup_and_transform = _lookup(
        embedding_ops._embedding_lookup_and_transform
    )
    array = tensor_array_ops._GraphTensorArray
    array.size = _size(array.size)
    for layer, how_many in (
        (convolutional.Conv, convolution),
        (convolutional.Conv2DTranspose, transposed_convolution),
        (convolutional.Conv3DTranspose, transposed_convolution_of_3),
        (core.Flatten, flattened),
    ):
        layer.call = of_a_layer(layer.call, how_many)
