"""`tf.contrib.layers`: tf_slim's layers, initializers and regularizers.

Needs the extra `slim`; without it the import says so. The feature columns are not here.
"""

from tfqueue.v1.contrib import _gone, _names

for _module in ("summaries", "optimizers", "regularizers", "initializers", "layers"):
    globals().update(_names.mirror(f"tf_slim.layers.{_module}", "tf.contrib.layers"))
globals().update(_names.mirror("tf_slim.layers", "tf.contrib.layers"))

_ROWS = {
    "RevBlock": "tf_slim.layers.rev_block_lib:RevBlock",
    "group_norm": "tf_slim.layers.normalization:group_norm",
    "instance_norm": "tf_slim.layers.normalization:instance_norm",
    "recompute_grad": "tf_slim.layers.rev_block_lib:recompute_grad",
    "rev_block": "tf_slim.layers.rev_block_lib:rev_block",
    "safe_embedding_lookup_sparse": "tf:nn.safe_embedding_lookup_sparse",
    "summaries": "tf_slim.layers.summaries",
    **{
        name: f"{__name__}.embeddings:{name}"
        for name in ("bow_encoder", "embed_sequence", "embedding_lookup_unique")
    },
}

__getattr__ = _names.getter(__name__, _ROWS, _gone.LAYERS)
__dir__ = _names.lister(__name__, _ROWS)
