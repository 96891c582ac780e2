"""`tf.contrib.saved_model`: what is written in SavedModels. Its `reader` is TensorFlow's own."""

from typing import Any

from tfqueue.v1 import _lazy_names

__all__ = ["get_signature_def_by_key"]
__getattr__, __dir__ = _lazy_names.attributes(__name__, {})


def get_signature_def_by_key(meta_graph_def: Any, signature_def_key: str) -> Any:
    """A signature of a graph, a `SignatureDef` (`tf.contrib.saved_model.get_signature_def_by_key`).

    Args:
        meta_graph_def: A `MetaGraphDef`.
        signature_def_key: The signature's name.

    Raises:
        ValueError: If it has none of that name.
    """
    if signature_def_key not in meta_graph_def.signature_def:
        raise ValueError(f"No SignatureDef with key {signature_def_key!r} found in MetaGraphDef.")
    return meta_graph_def.signature_def[signature_def_key]
