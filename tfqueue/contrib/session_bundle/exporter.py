"""`tf.contrib.session_bundle.exporter`: writes a model for serving, as before there were SavedModels."""

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf import any_pb2

from tfqueue import _tensorflow
from tfqueue.contrib.session_bundle import constants, gc, manifest_pb2
from tfqueue.v1._types import FileName, Op, Saver, Session, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "Exporter",
    "classification_signature",
    "generic_signature",
    "gfile_copy_callback",
    "regression_signature",
]


def gfile_copy_callback(
    files_to_copy: Mapping[FileName, FileName], export_dir_path: FileName
) -> None:
    """Copies files into a folder (`tf.contrib.session_bundle.exporter.gfile_copy_callback`).

    Args:
        files_to_copy: Dict from a file to its name in the folder. One that is there is written over.
        export_dir_path: The folder, made where it is not there.
    """
    folder = os.fsencode(export_dir_path)
    _tf.gfile.MakeDirs(folder)
    for source, name in files_to_copy.items():
        _tf.gfile.Copy(source, os.path.join(folder, os.fsencode(name)), overwrite=True)


def regression_signature(input_tensor: Tensor, output_tensor: Tensor) -> Any:
    """The signature of a regression, a `Signature` (`tf.contrib.session_bundle.exporter.regression_signature`)."""
    made = manifest_pb2.Signature()
    made.regression_signature.input.tensor_name = input_tensor.name
    made.regression_signature.output.tensor_name = output_tensor.name
    return made


def classification_signature(
    input_tensor: Tensor, classes_tensor: Tensor | None = None, scores_tensor: Tensor | None = None
) -> Any:
    """The signature of a classification, a `Signature` (`...exporter.classification_signature`)."""
    made = manifest_pb2.Signature()
    made.classification_signature.input.tensor_name = input_tensor.name
    for name, tensor in (("classes", classes_tensor), ("scores", scores_tensor)):
        if tensor is not None:
            getattr(made.classification_signature, name).tensor_name = tensor.name
    return made


def generic_signature(name_tensor_map: Mapping[str, Tensor]) -> Any:
    """A signature of tensors by name, a `Signature` (`tf.contrib.session_bundle.exporter.generic_signature`)."""
    made = manifest_pb2.Signature()
    for name, tensor in name_tensor_map.items():
        made.generic_signature.map[name].tensor_name = tensor.name
    return made


def _add(key: str, message: Any) -> None:
    packed = any_pb2.Any()
    packed.Pack(message)
    _tf.add_to_collection(key, packed)


def _file_of(tensor: Tensor) -> bytes:
    """The file that a constant names."""
    if (
        not isinstance(tensor, _tf.Tensor)
        or tensor.op.type != "Const"
        or tensor.dtype != _tf.string
    ):
        raise TypeError(f"{tensor} is no constant of a file's name")
    names = tensor.op.get_attr("value").string_val
    if len(names) != 1:
        raise TypeError(f"{tensor} is not one file's name")
    name: bytes = names[0]
    return name


class Exporter:
    """Writes a model for serving (`tf.contrib.session_bundle.exporter.Exporter`).

    Args:
        saver: A `tf.train.Saver`.
    """

    def __init__(self, saver: Saver) -> None:
        written = saver.as_saver_def()
        written.ClearField("max_to_keep")
        self._saver = _tf.train.Saver(saver_def=written)
        self._has_init = False
        self._assets_to_copy: dict[bytes, bytes] = {}

    def init(
        self,
        graph_def: Any = None,
        init_op: Op | None = None,
        clear_devices: bool = False,
        default_graph_signature: Any = None,
        named_graph_signatures: Mapping[str, Any] | None = None,
        assets_collection: list[Tensor] | None = None,
        assets_callback: Callable[..., Any] | None = gfile_copy_callback,
    ) -> None:
        """Says what is written, in collections of the graph.

        Args:
            graph_def: The graph for serving; the default one if None.
            init_op: What is run when the bundle is loaded.
            clear_devices: Whether the ops have no devices.
            default_graph_signature: A `Signature`.
            named_graph_signatures: Dict of such by name.
            assets_collection: List of constants with names of files, which are written, too.
            assets_callback: Copies them: a function of a dict and of a folder.

        Raises:
            RuntimeError: If it is called again.
            TypeError: If `init_op` is no op, or an asset no constant.
            ValueError: If an asset has no name.
        """
        assets = [(_file_of(each), each) for each in assets_collection or ()]
        for file, tensor in assets:
            if not file:
                raise ValueError(f"{tensor} names no file")
            self._assets_to_copy[file] = os.path.basename(file)
        if self._has_init:
            raise RuntimeError("init should be called only once")
        self._has_init = True
        if graph_def or clear_devices:
            graph = _tf.GraphDef()
            graph.CopyFrom(graph_def or _tf.get_default_graph().as_graph_def())
            for node in graph.node if clear_devices else ():
                node.device = ""
            _add(constants.GRAPH_KEY, graph)
        if init_op is not None:
            if not isinstance(init_op, _tf.Operation):
                raise TypeError(f"init_op is no op: {init_op}")
            _tf.add_to_collection(constants.INIT_OP_KEY, init_op)
        signatures = manifest_pb2.Signatures()
        if default_graph_signature:
            signatures.default_signature.CopyFrom(default_graph_signature)
        for name, signature in (named_graph_signatures or {}).items():
            signatures.named_signatures[name].CopyFrom(signature)
        _add(constants.SIGNATURES_KEY, signatures)
        for file, tensor in assets:
            asset = manifest_pb2.AssetFile(filename=os.path.basename(file).decode())
            asset.tensor_binding.tensor_name = tensor.name
            _add(constants.ASSETS_KEY, asset)
        self._assets_callback = assets_callback

    def export(
        self,
        export_dir_base: str,
        global_step_tensor: Tensor,
        sess: Session = None,
        exports_to_keep: gc.Filter | None = None,
    ) -> bytes:
        """Writes the bundle into a folder named by the step, of eight digits.

        Args:
            export_dir_base: The folder of all bundles.
            global_step_tensor: The step, or the name of its tensor.
            sess: The session with the values.
            exports_to_keep: A filter of `gc`; the bundles that it does not keep are removed. All are kept if None.

        Returns:
            The folder's name.

        Raises:
            RuntimeError: If `init` was not called, or the folder is there.
        """
        if not self._has_init:
            raise RuntimeError("init must be called first")
        base = export_dir_base.removesuffix("/")
        step = _tf.train.global_step(sess, global_step_tensor)
        folder = os.path.join(base, constants.VERSION_FORMAT_SPECIFIER % step)
        if _tf.gfile.Exists(folder):
            raise RuntimeError(f"The folder {folder} is there, and is not written over.")
        made = f"{folder}-tmp"
        _tf.gfile.MakeDirs(made)
        file = os.path.join(made, constants.EXPORT_BASE_NAME)
        self._saver.save(sess, file, meta_graph_suffix=constants.EXPORT_SUFFIX_NAME)
        if self._assets_callback and self._assets_to_copy:
            assets = os.fsencode(os.path.join(made, constants.ASSETS_DIRECTORY))
            _tf.gfile.MakeDirs(assets)
            self._assets_callback(self._assets_to_copy, assets)
        _tf.gfile.Rename(made, folder)
        if exports_to_keep:
            for path in gc.negation(exports_to_keep)(gc.get_paths(base, _versions_in(base))):
                _tf.gfile.DeleteRecursively(path.path)
        return os.fsencode(folder)


def _versions_in(base: str) -> Callable[[gc.Path], gc.Path | None]:
    def parser(path: gc.Path) -> gc.Path | None:
        found = re.fullmatch(r"\d{8}", os.path.basename(path.path.rstrip("/")))
        return path._replace(export_version=int(found[0])) if found else None

    return parser
