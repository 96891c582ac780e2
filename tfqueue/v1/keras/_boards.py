"""What `TensorBoard`, the callback, wrote up to 1.10 and in the package keras: the names of values, and embeddings.

| | up to 1.10, and the package keras | since 1.11 |
|---|---|---|
| the name of a value | `loss`, `val_loss` | `epoch_loss`, `batch_loss` |
| `embeddings_freq` alone | the weights of the embedding layers are saved (in keras up to 2.1) | an error: `embeddings_data` is asked for |
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms, _lazy_names

_tf = _tensorflow.compat_v1()


def install() -> None:
    """Has the callback write what it did in the program's release."""
    board: Any = importlib.import_module("tf_keras.src.callbacks_v1").TensorBoard
    for name, change in (
        ("set_model", _watching_weights),
        ("on_epoch_end", _saving_weights),
        ("_write_custom_summaries", _plainly_named),
    ):
        original = getattr(board, name)
        setattr(board, name, functools.wraps(original)(change(original)))
    board._write_logs = lambda self, logs, index: board._write_custom_summaries.__wrapped__(
        self, index, logs
    )


def _is_early() -> bool:
    return _call_forms.reaches("1.10", keras=True)


def _watches(self: Any) -> bool:
    return bool(self.embeddings_freq) and self.embeddings_data is None and _is_early()


def _watching_weights(original: Callable[..., Any]) -> Callable[..., Any]:
    def set_model(self: Any, model: Any) -> None:
        original(self, model)
        if not _watches(self):
            return
        kinds = [layer.name for layer in model.layers if type(layer).__name__ == "Embedding"]
        names = self.embeddings_layer_names or kinds
        weights = {layer.name: layer.weights[0] for layer in model.layers if layer.name in names}
        files = self.embeddings_metadata or {}
        if isinstance(files, str):
            files = dict.fromkeys(weights, files)
        config = _lazy_names.resolve("tfqueue.contrib._projector:ProjectorConfig")()
        for name, variable in weights.items():
            config.embeddings.add(tensor_name=variable.name, metadata_path=files.get(name))
        self.saver = _tf.train.Saver(list(weights.values()))
        _lazy_names.resolve("tfqueue.contrib._projector:visualize_embeddings")(self.log_dir, config)

    return set_model


def _saving_weights(original: Callable[..., Any]) -> Callable[..., Any]:
    def on_epoch_end(self: Any, epoch: int, logs: Any = None) -> None:
        if not _watches(self):
            original(self, epoch, logs)
            return
        every, self.embeddings_freq = self.embeddings_freq, 0
        try:
            original(self, epoch, logs)
        finally:
            self.embeddings_freq = every
        if epoch % every == 0:
            backend: Any = importlib.import_module("tf_keras.src.backend")
            path = os.path.join(self.log_dir, "keras_embedding.ckpt")
            self.saver.save(backend.get_session(), path, epoch)

    return on_epoch_end


def _plainly_named(original: Callable[..., Any]) -> Callable[..., Any]:
    def _write_custom_summaries(self: Any, step: int, logs: Any = None) -> None:
        if logs and _is_early():  # of which each has a prefix
            logs = {name.partition("_")[2]: value for name, value in logs.items()}
        original(self, step, logs)

    return _write_custom_summaries
