"""`tf.contrib.tensorboard.plugins.projector`: what TensorBoard is to show of embeddings.

The package tensorboard is not needed to write it. Its messages are made at run time, in a descriptor
pool of their own, so that tensorboard may be imported in the same process.
"""

import os
from typing import Any

from google.protobuf import text_format

from tfqueue import _tensorflow
from tfqueue.records import messages

_tf = _tensorflow.compat_v1()

__all__ = ["EmbeddingInfo", "ProjectorConfig", "SpriteMetadata", "visualize_embeddings"]

_MESSAGES = {
    "SpriteMetadata": ("image_path string", "single_image_dim *uint32"),
    "EmbeddingInfo": (
        "tensor_name string",
        "metadata_path string",
        "bookmarks_path string",
        "tensor_shape *uint32",
        "sprite SpriteMetadata",
        "tensor_path string",
    ),
    "ProjectorConfig": (
        "model_checkpoint_path string",
        "embeddings *EmbeddingInfo",
        "model_checkpoint_dir string",
    ),
}
_FILE = "projector_config.pbtxt"
"""The name that TensorBoard looks for in the folder of the summaries."""


SpriteMetadata, EmbeddingInfo, ProjectorConfig = messages.classes(
    "tfqueue.projector", _MESSAGES
).values()


def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes the configuration beside a writer's summaries (`projector.visualize_embeddings`).

    Args:
        summary_writer: A `tf.summary.FileWriter`, or the folder of the summaries.

    Raises:
        ValueError: If the writer knows no folder.
    """
    folder = summary_writer
    if not isinstance(folder, (str, os.PathLike)):
        folder = summary_writer.get_logdir()
    if not folder:
        raise ValueError("Summary writer must have a logdir")
    with _tf.gfile.GFile(os.path.join(os.fspath(folder), _FILE), "w") as out:
        out.write(text_format.MessageToString(config))
