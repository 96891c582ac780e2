"""`tf.contrib.layers`' feature columns: what a model takes from a dict of features, and how.

A column is a tuple that names its features; `input_from_feature_columns` makes the dense input of a
network from columns, and `weighted_sum_from_feature_columns` a linear model. The names of the
classes and of their fields are TensorFlow 1's, because columns stand side by side in the order of
their `repr`, which a checkpoint's weights rely on.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from tensorflow.python.feature_column import feature_column as _core

from tfqueue import _tensorflow
from tfqueue.contrib import lookup as _lookup
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Column, DType, Initializer, Scope, Tensor, Tensors

_tf = _tensorflow.compat_v1()

__all__ = [
    "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY",
    "bucketized_column",
    "check_feature_columns",
    "create_feature_spec_for_parsing",
    "crossed_column",
    "embedding_column",
    "infer_real_valued_columns",
    "input_from_feature_columns",
    "make_place_holder_tensors_for_base_features",
    "one_hot_column",
    "parse_feature_columns_from_examples",
    "real_valued_column",
    "shared_embedding_columns",
    "sparse_column_with_hash_bucket",
    "sparse_column_with_integerized_feature",
    "sparse_column_with_keys",
    "sparse_column_with_vocabulary_file",
    "transform_features",
    "weighted_sparse_column",
    "weighted_sum_from_feature_columns",
]

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = 0xDECAFCAFFE


class FeatureColumn(_core._FeatureColumn):
    """The base of all columns of `tf.contrib.layers`, which `tf.feature_column` and `tf.estimator` take, too.

    Attributes:
        name: The name of its variables' scope.
        config: Dict from feature name to what `tf.parse_example` needs to parse it.
        key: What columns are ordered by, and what tells them apart.
    """

    name: Any
    config: Any
    key = property(lambda self: repr(self))
    _parse_example_spec = property(lambda self: self.config)

    def _transform_feature(self, inputs: Any) -> Any:
        return self._transformed(inputs)

    def _transformed(self, features: _Features) -> Any:
        """What the column makes of its features, computed once for all that use it."""
        raise NotImplementedError

    def _dense(self, features: _Features, trainable: bool, collections: Any) -> Tensor:
        raise ValueError(
            f"Error creating input layer for column: {self.name}. A network takes an "
            "embedding_column or a one_hot_column of it."
        )

    def _ids(self, features: _Features) -> tuple[Any, Any]:
        """The ids, sparse, and their weights or None, for a linear model."""
        raise ValueError(f"Column {self.name} is not supported in linear models.")

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Tensor]) -> None:
        """Puts what the column makes of its features into the dict, under the column itself."""
        columns_to_tensors[self] = self._transformed(_Features(columns_to_tensors))


class _Dense(FeatureColumn, _core._DenseColumn):
    """What the columns that a network takes have in common."""

    def _get_dense_tensor(
        self, inputs: Any, weight_collections: Any = None, trainable: bool = True
    ) -> Tensor:
        return self._dense(inputs, trainable, weight_collections)


class _Categorical(FeatureColumn, _core._CategoricalColumn):
    """What the columns of ids have in common."""

    _num_buckets = property(lambda self: self.length)

    def _get_sparse_tensors(
        self, inputs: Any, weight_collections: Any = None, trainable: bool = True
    ) -> Any:
        return _core._CategoricalColumn.IdWeightPair(*self._ids(inputs))


class _Features:
    """A dict of features, and of what columns made of them."""

    def __init__(self, tensors: dict[Any, Tensor]) -> None:
        self._tensors = tensors

    def get(self, key: Any) -> Any:
        if key not in self._tensors:
            if isinstance(key, str):
                raise ValueError(f"features dictionary doesn't contain key ({key})")
            self._tensors[key] = key._transformed(self)
        return self._tensors[key]


def _flat(tensor: Tensor) -> Any:
    """A tensor, dense or sparse, with one row an example."""
    if isinstance(tensor, _tf.SparseTensor):
        if tensor.shape.ndims not in (None, 2):
            first = tensor.dense_shape[:1]
            return _tf.sparse_reshape(tensor, _tf.concat([first, [-1]], 0))
        return tensor
    if tensor.shape.ndims == 1:
        return tensor[:, None]
    if tensor.shape.ndims == 2:
        return tensor
    width: int | None = 1
    for size in tensor.shape.as_list()[1:]:
        width = width * size if size is not None and width is not None else None
    flat = _tf.reshape(tensor, [_tf.shape(tensor)[0], -1 if width is None else width])
    flat.set_shape([tensor.shape[0], width])
    return flat


def _sparse(tensor: Tensor, absent: Any) -> Any:
    """A dense feature as a sparse one, without the values that mean that there is none."""
    if isinstance(tensor, _tf.SparseTensor):
        return tensor
    tensor = _flat(_tf.convert_to_tensor(tensor))
    indices = _tf.where(_tf.not_equal(tensor, _tf.constant(absent, tensor.dtype)))
    shape = _tf.shape(tensor, out_type=_tf.int64)
    return _tf.SparseTensor(indices, _tf.gather_nd(tensor, indices), shape)


def _with_values(sparse: Any, values: Tensor) -> Any:
    return _tf.SparseTensor(sparse.indices, values, sparse.dense_shape)


_SparseIdLookupConfig = collections.namedtuple(
    "_SparseIdLookupConfig",
    "vocabulary_file keys num_oov_buckets vocab_size default_value",
    defaults=(None, None, 0, None, -1),
)
_SparseFields: Any = collections.namedtuple(
    "_SparseFields", "column_name is_integerized bucket_size lookup_config combiner dtype"
)


class _Sparse(_Categorical):
    """What the columns of one feature's ids have in common; each says how a value becomes an id."""

    column_name: str
    bucket_size: int | None
    lookup_config: Any

    name = property(lambda self: self.column_name)
    config = property(lambda self: {self.column_name: _tf.VarLenFeature(self.dtype)})

    @property
    def length(self) -> int:
        if self.bucket_size is not None:
            return self.bucket_size
        return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets

    def _transformed(self, features: _Features) -> Any:
        given = features.get(self.column_name)
        return self._looked_up(_sparse(given, "" if given.dtype == _tf.string else -1))

    def _looked_up(self, sparse: Any) -> Any:
        raise NotImplementedError

    def _ids(self, features: _Features) -> tuple[Any, Any]:
        return features.get(self), None


class _SparseColumnIntegerized(_Sparse, _SparseFields):
    __slots__ = ()

    def _looked_up(self, sparse: Any) -> Any:
        return _with_values(sparse, _tf.floormod(sparse.values, self.bucket_size))


class _SparseColumnHashed(_Sparse, _SparseFields):
    __slots__ = ()

    def _looked_up(self, sparse: Any) -> Any:
        values = sparse.values
        strings = _tf.as_string(values) if self.dtype.is_integer else values
        return _with_values(sparse, _tf.string_to_hash_bucket_fast(strings, self.bucket_size))


class _SparseColumnKeys(_Sparse, _SparseFields):
    __slots__ = ()

    def _looked_up(self, sparse: Any) -> Any:
        table = _lookup.index_table_from_tensor(
            self.lookup_config.keys,
            default_value=self.lookup_config.default_value,
            dtype=self.dtype,
        )
        return table.lookup(sparse)


class _SparseColumnVocabulary(_Sparse, _SparseFields):
    __slots__ = ()

    def _looked_up(self, sparse: Any) -> Any:
        if self.dtype.is_integer:
            sparse = _with_values(sparse, _tf.as_string(sparse.values))
        config = self.lookup_config
        table = _lookup.index_table_from_file(
            config.vocabulary_file,
            num_oov_buckets=config.num_oov_buckets,
            vocab_size=config.vocab_size,
            default_value=config.default_value,
        )
        return table.lookup(sparse)


class _WeightedSparseColumn(
    _Categorical,
    collections.namedtuple("_WeightedSparseColumn", "sparse_id_column weight_column_name dtype"),
):
    __slots__ = ()
    length = property(lambda self: self.sparse_id_column.length)
    combiner = property(lambda self: self.sparse_id_column.combiner)

    @property
    def name(self) -> str:
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def config(self) -> dict[str, Any]:
        weights = {self.weight_column_name: _tf.VarLenFeature(self.dtype)}
        return {**self.sparse_id_column.config, **weights}

    def _transformed(self, features: _Features) -> Any:
        weights = _sparse(features.get(self.weight_column_name), 0)
        if not self.dtype.is_floating:
            weights = _tf.cast(weights, _tf.float32)
        return features.get(self.sparse_id_column), weights

    def _ids(self, features: _Features) -> tuple[Any, Any]:
        return features.get(self)


class _CrossedColumn(
    _Categorical,
    collections.namedtuple(
        "_CrossedColumn",
        "columns hash_bucket_size hash_key combiner ckpt_to_load_from tensor_name_in_ckpt",
    ),
):
    __slots__ = ()
    length = property(lambda self: self.hash_bucket_size)
    name = property(lambda self: "_X_".join(sorted(each.name for each in self.columns)))

    @property
    def config(self) -> dict[str, Any]:
        return {name: spec for each in self.columns for name, spec in each.config.items()}

    def _leaves(self) -> Iterator[Any]:
        for column in self.columns:
            yield from column._leaves() if isinstance(column, _CrossedColumn) else [column]

    def _transformed(self, features: _Features) -> Any:
        given = [
            features.get(leaf.name) if isinstance(leaf, _Sparse) else leaf._ids(features)[0]
            for leaf in self._leaves()
        ]
        # TensorFlow 1's op took all sparse features before all dense ones.
        given.sort(key=lambda each: not isinstance(each, _tf.SparseTensor))
        given = [each if each.dtype == _tf.string else _tf.cast(each, _tf.int64) for each in given]
        if self.hash_key:
            return _tf.sparse.cross_hashed(given, self.hash_bucket_size, self.hash_key)
        return _crossed([_all_of(each) for each in given], self.hash_bucket_size)

    def _ids(self, features: _Features) -> tuple[Any, Any]:
        return features.get(self), None


def _all_of(tensor: Tensor) -> Any:
    """The values of a feature as sparse 64-bit numbers: integers as they are, strings as fingerprints."""
    if not isinstance(tensor, _tf.SparseTensor):
        tensor = _flat(tensor)
        indices = _tf.where(_tf.ones_like(tensor, _tf.bool))
        shape = _tf.shape(tensor, out_type=_tf.int64)
        tensor = _tf.SparseTensor(indices, _tf.reshape(tensor, [-1]), shape)
    if tensor.dtype != _tf.string:
        return tensor
    # The op gives a remainder only. That of 2^62 is the lower bits; that of 5 tells the two others.
    low = _tf.string_to_hash_bucket_fast(tensor.values, 2**62)
    rest = _tf.string_to_hash_bucket_fast(tensor.values, 5) - low % 5
    high = _tf.floormod(rest * 4, 5)
    return _with_values(tensor, _tf.bitwise.left_shift(high, _tf.constant(62, _tf.int64)) + low)


def _crossed(columns: list[Any], buckets: int) -> Any:
    """The cross of columns of 64-bit values, hashed as TensorFlow 1 did it without a key.

    The hash of a product takes its values one after the other; numbers are signed and overflow.
    """
    shift = _tf.bitwise.left_shift, _tf.bitwise.right_shift
    ten, four = _tf.constant(10, _tf.int64), _tf.constant(4, _tf.int64)
    batch = columns[0].dense_shape[0]
    row = _tf.range(batch)
    hashed = _tf.fill([batch], _tf.constant(SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY, _tf.int64))
    for column in columns:
        lengths = _tf.math.unsorted_segment_sum(
            _tf.ones_like(column.indices[:, 0]), column.indices[:, 0], batch
        )
        first = _tf.cumsum(lengths, exclusive=True)
        times = _tf.gather(lengths, row)
        before = _tf.cumsum(times, exclusive=True)
        place = _tf.range(_tf.reduce_sum(times)) - _tf.repeat(before, times)
        hashed, row = _tf.repeat(hashed, times), _tf.repeat(row, times)
        value = _tf.gather(column.values, _tf.gather(first, row) + place)
        mixed = value + _tf.constant(0x9E3779B97F4A7800 - 2**64, _tf.int64)
        mixed += shift[0](hashed, ten) + shift[1](hashed, four)
        hashed = _tf.bitwise.bitwise_xor(hashed, mixed)
    # The remainder is that of the unsigned number.
    top = _tf.where(hashed < 0, _tf.ones_like(hashed), _tf.zeros_like(hashed))
    low = _tf.bitwise.bitwise_and(hashed, _tf.constant(2**63 - 1, _tf.int64))
    ids = (low % buckets + top * (2**63 % buckets)) % buckets
    lengths = _tf.math.unsorted_segment_sum(_tf.ones_like(row), row, batch)
    place = _tf.range(_tf.size(row, out_type=_tf.int64))
    place -= _tf.gather(_tf.cumsum(lengths, exclusive=True), row)
    width = _tf.maximum(_tf.reduce_max(_tf.concat([lengths, [0]], 0)), 0)
    return _tf.SparseTensor(_tf.stack([row, place], 1), ids, _tf.stack([batch, width]))


class _OneHotColumn(_Dense, collections.namedtuple("_OneHotColumn", "sparse_id_column")):
    __slots__ = ()
    _variable_shape = property(lambda self: _tf.TensorShape([self.length]))
    name = property(lambda self: f"{self.sparse_id_column.name}_one_hot")
    config = property(lambda self: self.sparse_id_column.config)
    length = property(lambda self: self.sparse_id_column.length)

    def _transformed(self, features: _Features) -> Any:
        return features.get(self.sparse_id_column)

    def _dense(self, features: _Features, trainable: bool, collections: Any) -> Tensor:
        ids, weights = self.sparse_id_column._ids(features)
        hot = _tf.one_hot(_tf.sparse_tensor_to_dense(_flat(ids), default_value=-1), self.length)
        if weights is not None:
            hot *= _tf.sparse_tensor_to_dense(_flat(weights))[:, :, None]
        return _tf.reduce_sum(hot, 1)


class _EmbeddingColumn(
    _Dense,
    collections.namedtuple(
        "_EmbeddingColumn",
        "sparse_id_column dimension combiner initializer ckpt_to_load_from tensor_name_in_ckpt "
        "shared_embedding_name shared_vocab_size max_norm trainable",
    ),
):
    __slots__ = ()
    name = property(
        lambda self: (
            f"{self.sparse_id_column.name}"
            f"{'' if self.shared_vocab_size is None else '_shared'}_embedding"
        )
    )
    config = property(lambda self: self.sparse_id_column.config)
    length = property(lambda self: self.sparse_id_column.length)
    key = property(lambda self: _without(self, "initializer"))
    _variable_shape = property(lambda self: _tf.TensorShape([self.dimension]))

    def _transformed(self, features: _Features) -> Any:
        return features.get(self.sparse_id_column)

    def _dense(self, features: _Features, trainable: bool, collections: Any) -> Tensor:
        table = self._table(trainable and self.trainable, collections)
        ids, weights = self.sparse_id_column._ids(features)
        return _looked_up(table, ids, weights, self.combiner, self.max_norm)

    def _table(self, trainable: bool, collections: Any) -> Any:
        """The vectors; those of columns that share them are the first that the graph has of the name."""
        shared = None if self.shared_vocab_size is None else self.shared_embedding_name
        if shared and (found := _tf.get_collection(shared)):
            return found[0]
        shape = [self.length, self.dimension]
        table = _variable(shared or "weights", shape, self.initializer, trainable, collections)
        if shared:
            _tf.add_to_collection(shared, table)
        _restored(self, table)
        return table


class _RealValuedColumn(
    _Dense,
    collections.namedtuple(
        "_RealValuedColumn", "column_name dimension default_value dtype normalizer"
    ),
):
    __slots__ = ()
    name = property(lambda self: self.column_name)
    key = property(lambda self: _without(self, "normalizer"))
    _variable_shape = property(lambda self: _tf.TensorShape([self.dimension]))

    @property
    def config(self) -> dict[str, Any]:
        default = self.default_value
        spec = _tf.FixedLenFeature(
            [self.dimension], self.dtype, default if default is None else list(default)
        )
        return {self.column_name: spec}

    def _transformed(self, features: _Features) -> Any:
        value = features.get(self.column_name)
        return _tf.cast(self.normalizer(value) if self.normalizer else value, _tf.float32)

    def _dense(self, features: _Features, trainable: bool, collections: Any) -> Tensor:
        return _flat(features.get(self))


class _BucketizedColumn(
    _Dense, _Categorical, collections.namedtuple("_BucketizedColumn", "source_column boundaries")
):
    __slots__ = ()
    combiner = "sum"
    name = property(lambda self: f"{self.source_column.name}_bucketized")
    _variable_shape = property(lambda self: _tf.TensorShape([self.length]))
    config = property(lambda self: self.source_column.config)

    @property
    def length(self) -> int:
        return (len(self.boundaries) + 1) * self.source_column.dimension

    def _transformed(self, features: _Features) -> Any:
        return _tf.raw_ops.Bucketize(
            input=features.get(self.source_column), boundaries=list(self.boundaries)
        )

    def _dense(self, features: _Features, trainable: bool, collections: Any) -> Tensor:
        hot = _tf.one_hot(features.get(self), len(self.boundaries) + 1)
        return _tf.reshape(hot, [-1, self.length])

    def _ids(self, features: _Features) -> tuple[Any, Any]:
        dimension = self.source_column.dimension
        buckets = _tf.reshape(_tf.cast(features.get(self), _tf.int64), [-1, dimension])
        ids = buckets + (len(self.boundaries) + 1) * _tf.range(dimension, dtype=_tf.int64)
        shape = _tf.shape(ids, out_type=_tf.int64)
        indices = _tf.where(_tf.ones_like(ids, _tf.bool))
        return _tf.SparseTensor(indices, _tf.reshape(ids, [-1]), shape), None


def _without(column: Column, field: str) -> str:
    """The `repr` of a column without a field whose own differs from run to run."""
    fields = [f"{name}={value}" for name, value in column._asdict().items() if name != field]
    return f"{type(column).__name__}({', '.join(fields)})"


def _variable(
    name: str, shape: Sequence[int], initializer: Initializer, trainable: bool, collections: Any
) -> Any:
    keys = {_tf.GraphKeys.GLOBAL_VARIABLES, _tf.GraphKeys.MODEL_VARIABLES, *(collections or ())}
    return _tf.get_variable(
        name, shape, _tf.float32, initializer, trainable=trainable, collections=sorted(keys)
    )


def _restored(column: Column, variable: Any) -> None:
    if column.ckpt_to_load_from is not None:
        _tf.train.init_from_checkpoint(
            column.ckpt_to_load_from, {column.tensor_name_in_ckpt: variable}
        )


def _looked_up(
    table: Any, ids: Tensor, weights: Tensor, combiner: str, max_norm: float | None = None
) -> Tensor:
    return _tf.nn.safe_embedding_lookup_sparse(
        table,
        _flat(ids),
        None if weights is None else _flat(weights),
        combiner=combiner,
        max_norm=max_norm,
    )


def _columns(feature_columns: Iterable[Any]) -> list[Any]:
    """The columns, each once, in the order in which they stand side by side."""
    check_feature_columns(feature_columns)
    return sorted(set(feature_columns), key=lambda column: column.key)


def check_feature_columns(feature_columns: Iterable[Any]) -> None:
    """Checks that columns can stand side by side.

    Raises:
        ValueError: If they are a dict, or two of them are the same.
        TypeError: If one is no column of `tf.contrib.layers`.
    """
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    seen = set()
    for column in feature_columns:
        if not isinstance(column, FeatureColumn):
            raise TypeError(
                f"{column!r} is no column of tf.contrib.layers. A column of tf.feature_column goes "
                "into tf.feature_column.input_layer or linear_model, not beside one of these."
            )
        if column.key in seen:
            raise ValueError(
                f"Duplicate feature column key found for column: {column.name}. This usually "
                "means that the column is almost identical to another column, and one must be "
                "discarded."
            )
        seen.add(column.key)


def sparse_column_with_integerized_feature(
    column_name: str, bucket_size: int, combiner: str | None = "sum", dtype: DType = _tf.int64
) -> Any:
    """A column of ids that the feature holds, modulo `bucket_size`.

    Args:
        bucket_size: int, how many ids there are.
        combiner: How a linear model adds up the ids of an example: `"sum"`, `"mean"` or `"sqrtn"`.
        dtype: Type of the feature, an integer.

    Raises:
        ValueError: If `dtype` is no integer, or there is no bucket.
    """
    dtype = _tf.as_dtype(dtype)
    if not dtype.is_integer:
        raise ValueError(f"dtype must be an integer. column_name: {column_name}, dtype: {dtype}.")
    _require_buckets(bucket_size, column_name)
    return _SparseColumnIntegerized(column_name, True, bucket_size, None, combiner or "sum", dtype)


def sparse_column_with_hash_bucket(
    column_name: str,
    hash_bucket_size: int,
    combiner: str | None = "sum",
    dtype: DType = _tf.string,
    hash_keys: Any = None,
) -> Any:
    """A column of the hashes of a feature's values.

    Args:
        hash_bucket_size: int, how many ids there are.
        combiner: As for `sparse_column_with_integerized_feature`.
        dtype: Type of the feature, a string or an integer.
        hash_keys: Has to be None.

    Raises:
        ValueError: If the type is another, or there is no bucket.
        NotImplementedError: If there are hash keys.
    """
    if hash_keys is not None:
        raise NotImplementedError("sparse_column_with_hash_bucket takes no hash_keys here.")
    dtype = _string_or_integer(dtype, column_name)
    _require_buckets(hash_bucket_size, column_name)
    return _SparseColumnHashed(column_name, False, hash_bucket_size, None, combiner or "sum", dtype)


def sparse_column_with_keys(
    column_name: str,
    keys: Iterable[Any],
    default_value: int = -1,
    combiner: str | None = "sum",
    dtype: DType = _tf.string,
) -> Any:
    """A column of the places of a feature's values in a list.

    Args:
        keys: The list.
        default_value: int, the id of what is not in the list; -1 leaves it out.
        combiner: As for `sparse_column_with_integerized_feature`.
        dtype: Type of the feature, a string or an integer.
    """
    dtype = _string_or_integer(dtype, column_name)
    keys = tuple(keys)
    config = _SparseIdLookupConfig(keys=keys, vocab_size=len(keys), default_value=default_value)
    return _SparseColumnKeys(column_name, False, None, config, combiner or "sum", dtype)


def sparse_column_with_vocabulary_file(
    column_name: str,
    vocabulary_file: str,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    combiner: str | None = "sum",
    dtype: DType = _tf.string,
) -> Any:
    """A column of the lines of a file that hold a feature's values.

    Args:
        vocabulary_file: Path of the file, one value a line.
        num_oov_buckets: int, how many more ids there are for what is not in it.
        vocab_size: int, how many of its lines count; has to be given.
        default_value: int, the id of what is not in it, where there are no such buckets.
        others: As for `sparse_column_with_keys`.

    Raises:
        ValueError: If there is no `vocab_size`.
    """
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined. column_name: {column_name}")
    dtype = _string_or_integer(dtype, column_name)
    config = _SparseIdLookupConfig(
        vocabulary_file, None, num_oov_buckets, vocab_size, default_value
    )
    return _SparseColumnVocabulary(column_name, False, None, config, combiner or "sum", dtype)


def _require_buckets(size: Any, column_name: str) -> None:
    if size < 1:
        raise ValueError(
            f"bucket_size must be at least 1. bucket_size: {size}, column_name: {column_name}"
        )


def _string_or_integer(dtype: DType, column_name: str) -> Any:
    dtype = _tf.as_dtype(dtype)
    if dtype != _tf.string and not dtype.is_integer:
        raise ValueError(
            f"dtype must be string or integer. dtype: {dtype}, column_name: {column_name}"
        )
    return dtype


def weighted_sparse_column(
    sparse_id_column: Column, weight_column_name: str, dtype: DType = _tf.float32
) -> Any:
    """A column of ids, each with a weight.

    Args:
        weight_column_name: Name of the feature that has a weight for each id.
        dtype: Type of that feature, a number.

    Raises:
        ValueError: If `dtype` is no number.
    """
    dtype = _tf.as_dtype(dtype)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype}")
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


@takes(
    "columns hash_bucket_size combiner='sum' ckpt_to_load_from=None tensor_name_in_ckpt=None "
    "hash_key=None"
)
def crossed_column(given: dict[str, Any]) -> Any:
    """A column of the hashes of each combination of the values of other columns.

    Args:
        columns: Columns of ids, bucketized or crossed columns, two at least.
        hash_bucket_size: int, how many ids there are.
        combiner: As for `sparse_column_with_integerized_feature`.
        ckpt_to_load_from: A checkpoint that a linear model's weights begin with.
        tensor_name_in_ckpt: Their name there.
        hash_key: int that the hash begins with; None hashes as TensorFlow did without one.

    Raises:
        TypeError: If a column cannot be crossed.
        ValueError: If there are fewer than two columns, or fewer than two buckets.
    """
    columns = tuple(sorted(given["columns"], key=lambda column: column.name))
    for column in columns:
        if not isinstance(column, _Sparse | _CrossedColumn | _BucketizedColumn):
            raise TypeError(
                "columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn "
                f"instances. (column {column} is a {type(column).__name__})"
            )
    if len(columns) < 2:
        raise ValueError(f"columns must contain at least 2 elements. columns: {columns}")
    if given["hash_bucket_size"] < 2:
        raise ValueError(
            f"hash_bucket_size must be at least 2. hash_bucket_size: {given['hash_bucket_size']}"
        )
    _both_or_none(given)
    return _CrossedColumn(**{**given, "columns": columns, "combiner": given["combiner"] or "sum"})


def _both_or_none(given: dict[str, Any]) -> None:
    if (given["ckpt_to_load_from"] is None) != (given["tensor_name_in_ckpt"] is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )


def one_hot_column(sparse_id_column: Column) -> Any:
    """A column of ids as a row of counts, for a network."""
    return _OneHotColumn(sparse_id_column)


@takes(
    "sparse_id_column dimension combiner='mean' initializer=None ckpt_to_load_from=None "
    "tensor_name_in_ckpt=None max_norm=None trainable=True"
)
def embedding_column(given: dict[str, Any]) -> Any:
    """A column of ids as a learnt vector, for a network.

    Args:
        dimension: int, length of the vector.
        combiner: How the vectors of an example are added up: `"mean"`, `"sqrtn"` or `"sum"`.
        initializer: Of the vectors; a truncated normal of 1/sqrt(number of ids) when None.
        ckpt_to_load_from: A checkpoint that the vectors begin with.
        tensor_name_in_ckpt: Their name there.
        max_norm: float, how long a vector may be.

    Raises:
        ValueError: If `initializer` is no function.
    """
    return _embedding(given, None, None)


def _embedding(given: dict[str, Any], name: str | None, vocabulary: int | None) -> Any:
    """An embedding column; of a name and a number of ids if its vectors are also those of others."""
    column, initializer = given["sparse_id_column"], given["initializer"]
    if initializer is not None and not callable(initializer):
        raise ValueError(
            f"initializer must be callable if specified. Embedding of column_name: {column.name}"
        )
    _both_or_none(given)
    given["combiner"] = given["combiner"] or "mean"
    if initializer is None:
        deviation = 1 / math.sqrt(column.length)
        given["initializer"] = _tf.truncated_normal_initializer(stddev=deviation)
    return _EmbeddingColumn(**given, shared_embedding_name=name, shared_vocab_size=vocabulary)


@takes(
    "sparse_id_columns dimension combiner='mean' shared_embedding_name=None initializer=None "
    "ckpt_to_load_from=None tensor_name_in_ckpt=None max_norm=None trainable=True"
)
def shared_embedding_columns(given: dict[str, Any]) -> Any:
    """Columns of ids as vectors that they share (`tf.contrib.layers.shared_embedding_columns`).

    Args:
        sparse_id_columns: A list of columns of the same ids, weighted or not.
        shared_embedding_name: Name of the vectors' variable; made of the columns' names when None.
        dimension: As for `embedding_column`, like all others.

    Returns:
        A tuple of columns in the order given; a list of one if there is one, which shares nothing.

    Raises:
        TypeError: If one is no column of ids.
        ValueError: If there is none, or two have not the same ids.
    """
    columns, name = given.pop("sparse_id_columns"), given.pop("shared_embedding_name")
    for column in columns:
        if not isinstance(column, _Sparse | _WeightedSparseColumn):
            raise TypeError(
                "Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, "
                f"but {column} is not."
            )
    if not columns:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    if len(columns) == 1:
        return [_embedding({**given, "sparse_id_column": columns[0]}, name, None)]
    kinds = {_ids_of(getattr(column, "sparse_id_column", column)) for column in columns}
    if len(kinds) > 1:
        raise ValueError("The input sparse id columns are not compatible.")
    if not name:
        names = sorted(column.name for column in columns)
        more = f"_plus_{len(names) - 3}_others" if len(names) > 3 else ""
        name = f"{'_'.join(names[:3])}{more}_shared_embedding"
    return tuple(
        _embedding({**given, "sparse_id_column": column}, name, columns[0].length)
        for column in columns
    )


def _ids_of(column: Any) -> tuple[Any, ...]:
    """What two columns have in common that give the same ids to the same values."""
    return type(column), column.bucket_size, repr(column.lookup_config), column.dtype.is_integer


def real_valued_column(
    column_name: str,
    dimension: int = 1,
    default_value: Any = None,
    dtype: DType = _tf.float32,
    normalizer: Callable[..., Any] | None = None,
) -> Any:
    """A column of numbers.

    Args:
        dimension: int, how many numbers an example has.
        default_value: A number, or a list of them, for an example that has none.
        normalizer: Function of the feature's tensor, called before anything else.

    Raises:
        TypeError: If `dimension` is no int, or the default value is of another type.
        ValueError: If `dimension` is below 1, or there are more or fewer default values.
    """
    dtype = _tf.as_dtype(dtype)
    if not isinstance(dimension, int):
        raise TypeError(
            f"dimension must be an integer. dimension: {dimension}, column_name: {column_name}"
        )
    if dimension < 1:
        raise ValueError(
            f"dimension must be greater than 0. dimension: {dimension}, column_name: {column_name}"
        )
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(
            f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}"
        )
    if default_value is not None:
        values = default_value if isinstance(default_value, list) else [default_value] * dimension
        if len(values) != dimension:
            raise ValueError(
                "The length of default_value must be equal to dimension. default_value: "
                f"{default_value}, dimension: {dimension}, column_name: {column_name}"
            )
        if not all(isinstance(each, int if dtype.is_integer else int | float) for each in values):
            raise TypeError(
                "default_value must be compatible with dtype. default_value: "
                f"{default_value}, dtype: {dtype}, column_name: {column_name}"
            )
        default_value = tuple(values if dtype.is_integer else map(float, values))
    return _RealValuedColumn(column_name, dimension, default_value, dtype, normalizer)


def bucketized_column(source_column: Any, boundaries: Any) -> Any:
    """A column of the intervals in which another column's numbers lie.

    Args:
        source_column: A `real_valued_column`.
        boundaries: Sorted list of numbers; the lower end of an interval belongs to it.

    Raises:
        TypeError: If the column is of another kind.
        ValueError: If the boundaries are not sorted, or there is none.
    """
    if not isinstance(source_column, _RealValuedColumn):
        raise TypeError(
            "source_column must be an instance of _RealValuedColumn. "
            f"source_column: {source_column}"
        )
    if not isinstance(boundaries, list | tuple) or not boundaries:
        raise ValueError(f"boundaries must be a non-empty list or tuple. boundaries: {boundaries}")
    if list(boundaries) != sorted(boundaries):
        raise ValueError(f"boundaries must be a sorted list. boundaries: {boundaries}")
    return _BucketizedColumn(source_column, tuple(dict.fromkeys(boundaries)))


def create_feature_spec_for_parsing(feature_columns: Iterable[Column]) -> dict[str, Any]:
    """What `tf.parse_example` needs to parse the features of some columns.

    Args:
        feature_columns: Iterable of columns, or a dict of them.

    Returns:
        Dict from feature name to `tf.VarLenFeature` or `tf.FixedLenFeature`.
    """
    if isinstance(feature_columns, dict):
        feature_columns = feature_columns.values()
    return {name: spec for column in feature_columns for name, spec in column.config.items()}


def make_place_holder_tensors_for_base_features(
    feature_columns: Iterable[Column],
) -> dict[str, Any]:
    """A placeholder for each feature of some columns, by the feature's name."""
    return {
        name: _tf.sparse_placeholder(spec.dtype, name=f"Placeholder_{name}")
        if isinstance(spec, _tf.VarLenFeature)
        else _tf.placeholder(spec.dtype, (None, spec.shape[0]), name=f"Placeholder_{name}")
        for name, spec in create_feature_spec_for_parsing(feature_columns).items()
    }


def parse_feature_columns_from_examples(
    serialized: Tensor,
    feature_columns: Iterable[Column],
    name: Any = None,
    example_names: Tensor | None = None,
) -> dict[Any, Any]:
    """Parses the features of some columns.

    Args:
        serialized: Vector of serialized `tf.train.Example`.
        example_names: Vector of strings, for messages.

    Returns:
        Dict from feature name to tensor; each column is in it too, with what it made of them.
    """
    columns = _columns(feature_columns)
    spec = create_feature_spec_for_parsing(columns)
    tensors = _tf.parse_example(serialized, spec, name=name, example_names=example_names)
    for column in columns:
        _Features(tensors).get(column)
    return tensors


def transform_features(features: Tensors, feature_columns: Iterable[Column]) -> dict[Any, Any]:
    """What columns make of features.

    Args:
        features: Dict from name to tensor.

    Returns:
        Dict from column to tensor.
    """
    cache = _Features(dict(features))
    return {column: cache.get(column) for column in _columns(feature_columns)}


def input_from_feature_columns(
    columns_to_tensors: dict[str, Tensor],
    feature_columns: Iterable[Column],
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Scope | None = None,
    cols_to_outs: dict[Any, Any] | None = None,
) -> Any:
    """The dense input of a network: columns side by side.

    Args:
        columns_to_tensors: Dict from name to tensor.
        weight_collections: Collections that the variables go into.
        trainable: Whether they are learnt.
        scope: Name, or variable scope.
        cols_to_outs: Dict that gets each column's part.

    Returns:
        A float tensor of shape (batch, sum of the columns' widths).

    Raises:
        ValueError: If a column needs an embedding or one-hot column around it.
    """
    cache = _Features(dict(columns_to_tensors))
    parts = []
    with _tf.variable_scope(scope, default_name="input_from_feature_columns"):
        for column in _columns(feature_columns):
            with _tf.variable_scope(None, default_name=column.name):
                parts.append(column._dense(cache, trainable, weight_collections))
            if cols_to_outs is not None:
                cols_to_outs[column] = parts[-1]
        return _tf.concat(parts, 1)


def weighted_sum_from_feature_columns(
    columns_to_tensors: dict[str, Tensor],
    feature_columns: Iterable[Column],
    num_outputs: int,
    weight_collections: Any = None,
    trainable: bool = True,
    scope: Scope | None = None,
) -> tuple[Any, dict[str, Any], Any]:
    """A linear model of columns; its weights begin as zero.

    Args:
        columns_to_tensors: Dict from name to tensor.
        num_outputs: int, how many sums.
        weight_collections: Collections that the variables go into.
        trainable: Whether they are learnt.
        scope: Name, or variable scope.

    Returns:
        The sums, of shape (batch, num_outputs); dict from column to list of its variables; the bias.

    Raises:
        ValueError: If a column is not for linear models.
    """
    cache = _Features(dict(columns_to_tensors))
    zeros = _tf.zeros_initializer()
    sums, variables = [], {}
    with _tf.variable_scope(scope, default_name="weighted_sum_from_feature_columns"):
        for column in _columns(feature_columns):
            with _tf.variable_scope(None, default_name=column.name):
                if isinstance(column, _RealValuedColumn):
                    value = _flat(cache.get(column))
                    shape = [value.shape.as_list()[1], num_outputs]
                    weight = _variable("weight", shape, zeros, trainable, weight_collections)
                    made = _tf.matmul(value, weight)
                else:
                    ids, weights = column._ids(cache)
                    shape = [column.length, num_outputs]
                    weight = _variable("weights", shape, zeros, trainable, weight_collections)
                    made = _looked_up(weight, ids, weights, column.combiner)
            if isinstance(column, _CrossedColumn):
                _restored(column, weight)
            sums.append(_tf.reshape(made, [-1, num_outputs]))
            variables[column] = [weight] if isinstance(weight, _tf.Variable) else list(weight)
        bias = _variable("bias_weight", [num_outputs], zeros, trainable, weight_collections)
        return _tf.nn.bias_add(_tf.add_n(sums), bias), variables, bias


def infer_real_valued_columns(features: Tensors) -> list[Any]:
    """A `real_valued_column` for each feature.

    Args:
        features: Dict from name to tensor, or one tensor.

    Raises:
        ValueError: If a feature is sparse, or no number.
    """
    features = features if isinstance(features, dict) else {"": features}
    columns = []
    for name, tensor in features.items():
        if isinstance(tensor, _tf.SparseTensor) or not (
            tensor.dtype.is_integer or tensor.dtype.is_floating
        ):
            raise ValueError(
                "Only dense numbers are supported for auto detection. Please define a "
                f"corresponding FeatureColumn for tensor {name} {tensor}."
            )
        dimension = math.prod(tensor.shape.as_list()[1:])
        columns.append(real_valued_column(name, dimension=dimension, dtype=tensor.dtype))
    return columns
