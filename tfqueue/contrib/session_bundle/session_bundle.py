"""`tf.contrib.session_bundle.session_bundle`: loads what `exporter` wrote."""

import os
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.session_bundle import constants, manifest_pb2
from tfqueue.v1._types import Config, Session

_tf = _tensorflow.compat_v1()

__all__ = ["load_session_bundle_from_path", "maybe_session_bundle_dir"]


def maybe_session_bundle_dir(export_dir: str) -> bool:
    """Whether a folder has a bundle (`tf.contrib.session_bundle.session_bundle.maybe_session_bundle_dir`)."""
    found: bool = _tf.gfile.Exists(os.path.join(export_dir, constants.META_GRAPH_DEF_FILENAME))
    return found


def _restored(export_dir: str) -> str | None:
    """What a saver restores of a bundle: files of one kind or another, or none."""

    def files(pattern: str) -> Any:
        return _tf.gfile.Glob(os.path.join(export_dir, pattern))

    if files(constants.VARIABLES_INDEX_FILENAME_V2):
        found = files(constants.VARIABLES_FILENAME_PATTERN_V2)
        return constants.VARIABLES_FILENAME if found else None
    for pattern in (constants.VARIABLES_FILENAME, constants.VARIABLES_FILENAME_PATTERN):
        if files(pattern):
            return pattern
    return None


def _one(meta_graph: Any, key: str, kind: str) -> Any:
    """The one value of a collection, or None."""
    if key not in meta_graph.collection_def:
        return None
    values = getattr(meta_graph.collection_def[key], kind).value
    if len(values) != 1:
        raise RuntimeError(f"The collection {key} of the bundle has {len(values)} values, not one.")
    return values[0]


def load_session_bundle_from_path(
    export_dir: str, target: str = "", config: Config | None = None, meta_graph_def: Any = None
) -> tuple[Session, Any]:
    """Loads a bundle, into a new default graph (`...session_bundle.load_session_bundle_from_path`).

    Args:
        export_dir: Its folder.
        target: As for `tf.Session`.
        config: As for `tf.Session`.
        meta_graph_def: A `MetaGraphDef`, in place of the bundle's.

    Returns:
        A session with the values, and the `MetaGraphDef`.

    Raises:
        RuntimeError: If the folder has no bundle, or it has several graphs or ops to begin with.
    """
    if not meta_graph_def:
        if not maybe_session_bundle_dir(export_dir):
            file = os.path.join(export_dir, constants.META_GRAPH_DEF_FILENAME)
            raise RuntimeError(f"The bundle has no graph: {file} is missing.")
        meta_graph_def = _tf.MetaGraphDef()
        file = os.path.join(export_dir, constants.META_GRAPH_DEF_FILENAME)
        with _tf.gfile.Open(file, "rb") as written:
            meta_graph_def.ParseFromString(written.read())
    packed = _one(meta_graph_def, constants.GRAPH_KEY, "any_list")
    if packed is not None:
        packed.Unpack(meta_graph_def.graph_def)
    _tf.reset_default_graph()
    session = _tf.Session(target, graph=None, config=config)
    saver = _tf.train.import_meta_graph(meta_graph_def)
    restored = _restored(export_dir)
    if restored is not None:
        saver.restore(session, os.path.join(export_dir, restored))
    if _one(meta_graph_def, constants.INIT_OP_KEY, "node_list") is not None:
        assets = {}
        for each in meta_graph_def.collection_def[constants.ASSETS_KEY].any_list.value:
            asset = manifest_pb2.AssetFile()
            each.Unpack(asset)
            assets[asset.tensor_binding.tensor_name] = os.path.join(
                export_dir, constants.ASSETS_DIRECTORY, asset.filename
            )
        session.run([_tf.get_collection(constants.INIT_OP_KEY)[0]], assets)
    return session, meta_graph_def
