"""`tf.contrib.layers`: the functions that look up embeddings."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["bow_encoder", "embed_sequence", "embedding_lookup_unique"]


def embedding_lookup_unique(
    params: Any, ids: Tensor, partition_strategy: str = "mod", name: str | None = None
) -> Any:
    """`tf.nn.embedding_lookup` that looks up each index once (`embedding_lookup_unique`).

    Args:
        params: As for `tf.nn.embedding_lookup`.
        ids: Int tensor of any shape.
        partition_strategy: As for `tf.nn.embedding_lookup`.

    Returns:
        A tensor of the shape of `ids` and that of an embedding behind it.
    """
    with _tf.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = _tf.convert_to_tensor(ids)
        unique, where = _tf.unique(_tf.reshape(ids, [-1]))
        found = _tf.nn.embedding_lookup(params, unique, partition_strategy)
        shape = _tf.concat([_tf.shape(ids), _tf.shape(found)[1:]], 0)
        result = _tf.reshape(_tf.gather(found, where), shape)
        result.set_shape(ids.shape.concatenate(found.shape[1:]))
        return result


def _embeddings(given: dict[str, Any]) -> Any:
    """The variable of the two functions below, of their arguments."""
    vocab_size, embed_dim, reuse = given["vocab_size"], given["embed_dim"], given["reuse"]
    if not (vocab_size and embed_dim) and not (reuse and vocab_size is embed_dim is None):
        raise ValueError("Must specify vocab size and embedding dimension when not reusing")
    shape = None if vocab_size is None else [vocab_size, embed_dim]
    variables = _lazy_names.slim("tf_slim.ops.variables", "tf.contrib.layers")
    return variables.model_variable(
        "embeddings",
        shape=shape,
        initializer=given["initializer"],
        regularizer=given["regularizer"],
        trainable=given["trainable"],
    )


@takes(
    "ids vocab_size=None embed_dim=None unique=False initializer=None regularizer=None "
    "trainable=True scope=None reuse=None"
)
def embed_sequence(given: dict[str, Any]) -> Any:
    """The embeddings of sequences of symbols (`tf.contrib.layers.embed_sequence`).

    Args:
        ids: int32 or int64 `[batch, length]`.
        vocab_size: int, how many symbols there are.
        embed_dim: int, the width of an embedding.
        unique: Whether to look up each symbol once.
        initializer: Initializer of the variable `embeddings`.
        regularizer: Function from the variable to a loss.
        trainable: Whether it is trained.
        scope: Variable scope, `EmbedSequence` when None.
        reuse: Whether to take the variable that is there; its sizes need not be given then.

    Returns:
        float32 `[batch, length, embed_dim]`.

    Raises:
        ValueError: If a size is missing and nothing is reused.
    """
    ids, scope = given["ids"], given["scope"]
    with _tf.variable_scope(scope, "EmbedSequence", [ids], reuse=given["reuse"]):
        look_up = embedding_lookup_unique if given["unique"] else _tf.nn.embedding_lookup
        return look_up(_embeddings(given), ids)


@takes(
    "ids vocab_size embed_dim sparse_lookup=True initializer=None regularizer=None "
    "trainable=True scope=None reuse=None"
)
def bow_encoder(given: dict[str, Any]) -> Any:
    """The mean embedding of each sequence of symbols (`tf.contrib.layers.bow_encoder`).

    Args:
        ids: int32 or int64 `[batch, length]`, or a `SparseTensor` of that shape.
        sparse_lookup: Whether zeros of a dense tensor are left out.
        scope: Variable scope, `bow_encoder` when None.
        others: As for `embed_sequence`.

    Returns:
        float32 `[batch, embed_dim]`.
    """
    ids, scope = given["ids"], given["scope"]
    with _tf.variable_scope(scope, "bow_encoder", [ids], reuse=given["reuse"]):
        embeddings = _embeddings(given)
        sparse = isinstance(ids, _tf.SparseTensor)
        if not sparse and given["sparse_lookup"]:
            ids, sparse = _tf.sparse.from_dense(ids), True
        if sparse:
            return _tf.nn.safe_embedding_lookup_sparse([embeddings], ids, combiner="mean")
        return _tf.reduce_mean(_tf.nn.embedding_lookup(embeddings, ids), axis=1)
