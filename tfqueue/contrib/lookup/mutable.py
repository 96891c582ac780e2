"""Tables that a program fills, with the argument `shared_name` that they took up to TensorFlow 1.12."""

from __future__ import annotations

from typing import Any

from tensorflow.python.ops import lookup_ops

from tfqueue.v1._types import DType


class MutableHashTable(lookup_ops.MutableHashTable):
    """A table that can be filled and changed while a session runs.

    Args:
        key_dtype: Type of the keys.
        value_dtype: Type of the values.
        default_value: What a key that is not there has.
        name: Name of its op.
        checkpoint: Whether it is saved to checkpoints.
        shared_name: Tables of this name share what they hold; None for a table of its own.
    """

    def __init__(
        self,
        key_dtype: DType,
        value_dtype: DType,
        default_value: Any,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
        *,
        shared_name: str | None = None,
    ) -> None:
        self._given_name = shared_name
        super().__init__(key_dtype, value_dtype, default_value, name, checkpoint)

    def _create_resource(self) -> Any:
        if self._given_name is not None:
            self._shared_name = self._given_name
        return super()._create_resource()
