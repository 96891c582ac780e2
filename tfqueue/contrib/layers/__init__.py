"""`tf.contrib.layers`: tf_slim's layers, initializers and regularizers.

Needs the extra `slim`; without it the import says so.

`embeddings` looks them up; `feature_column` has feature columns, and what a model takes from them.
"""

from tfqueue.v1 import _lazy_names

for _module in ("summaries", "optimizers", "regularizers", "initializers", "layers"):
    globals().update(_lazy_names.mirror(f"tf_slim.layers.{_module}", "tf.contrib.layers"))
globals().update(_lazy_names.mirror("tf_slim.layers", "tf.contrib.layers"))

_EMBEDDINGS = "bow_encoder embed_sequence embedding_lookup_unique"
_COLUMNS = """
SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY bucketized_column check_feature_columns
create_feature_spec_for_parsing crossed_column embedding_column infer_real_valued_columns
input_from_feature_columns make_place_holder_tensors_for_base_features one_hot_column
parse_feature_columns_from_examples real_valued_column shared_embedding_columns
sparse_column_with_hash_bucket
sparse_column_with_integerized_feature sparse_column_with_keys sparse_column_with_vocabulary_file
transform_features weighted_sparse_column weighted_sum_from_feature_columns
"""
_ROWS = {
    "RevBlock": "tf_slim.layers.rev_block_lib:RevBlock",
    "group_norm": "tf_slim.layers.normalization:group_norm",
    "instance_norm": "tf_slim.layers.normalization:instance_norm",
    "recompute_grad": "tf_slim.layers.rev_block_lib:recompute_grad",
    "rev_block": "tf_slim.layers.rev_block_lib:rev_block",
    "safe_embedding_lookup_sparse": "tf:nn.safe_embedding_lookup_sparse",
    "summaries": "tf_slim.layers.summaries",
    **_lazy_names.rows_of(__name__, {"embeddings": _EMBEDDINGS, "feature_column": _COLUMNS}),
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
