"""Static shapes that a program assigns to a tensor, where TensorFlow 1 let it, as programs do that compute the Inception score.

Up to 1.7 `tensor._shape = shape` was the shape of the tensor, and of every op that was then made on it. From 1.8
on that was refused, and `tensor.__dict__["_shape_val"] = shape` said what may be fed; ops that were built on it kept their own shape.
"""

from __future__ import annotations

import weakref
from typing import Any

from tensorflow.python.framework import tensor_shape
from tensorflow.python.ops import array_ops

from tfqueue._tensorflow.types import Graph, Tensor

_STANDING = "_tfqueue_assigned_shapes"


def install(tensor: Any) -> None:
    """Gives the class of tensors a `_shape` that is a `TensorShape` and can be assigned; TensorFlow's own is a pair."""
    raw = getattr(tensor, "_shape", None)
    if raw is None or not hasattr(tensor, "_shape_val"):
        return

    def inferred(self: Any) -> tensor_shape.TensorShape:
        sizes, unknown = raw.__get__(self)
        return tensor_shape.TensorShape(None if unknown else sizes)

    def shape(self: Any) -> Any:
        if "_shape_val" in vars(self):  # until `set_shape` forgets it
            self._shape_val = vars(self).pop("_shape_val")
        if self._shape_val is None:
            self._shape_val = inferred(self)
        return self._shape_val

    def assign(self: Any, known: Any) -> None:
        self._shape_val = tensor_shape.as_shape(known)
        _standing(self.graph).assign(self, self._shape_val, inferred(self))

    tensor.shape = property(shape, doc=tensor.shape.__doc__)
    tensor._shape = tensor.shape.setter(assign)


class _Standing:
    """What stands for tensors of a graph whose shape was assigned, in ops that are made after that."""

    def __init__(self, graph: Graph) -> None:
        self._graph = weakref.ref(graph)
        self._shapes: dict[str, tensor_shape.TensorShape] = {}
        self._tensors: dict[str, Tensor] = {}

    def assign(self, tensor: Tensor, known: Any, inferred: Any) -> None:
        """Notes a shape; one that the tensor can't have is known to itself alone."""
        self._shapes.pop(tensor.name, None)
        self._tensors.pop(tensor.name, None)
        same = known.rank == inferred.rank and (known.rank is None or list(known) == list(inferred))
        fixed = tensor.dtype._is_ref_dtype or tensor.op._get_control_flow_context() is not None
        if not same and not fixed and known.is_compatible_with(inferred):
            self._shapes[tensor.name] = known

    def create(self, op_type: str, inputs: Any, *args: Any, **words: Any) -> Any:
        """Makes an op, as the graph's own method does."""
        graph: Any = self._graph()
        standing = [self._for(graph, each) for each in inputs]
        return type(graph)._create_op_internal(graph, op_type, standing, *args, **words)

    def _for(self, graph: Graph, tensor: Tensor) -> Tensor:
        name = getattr(tensor, "name", "")
        if name not in self._shapes:
            return tensor
        if name not in self._tensors:
            self._tensors[name] = tensor  # itself, in the op that is made here
            with graph.name_scope(None), graph.control_dependencies(None):
                self._tensors[name] = array_ops.placeholder_with_default(
                    tensor, self._shapes[name], f"{tensor.op.name}_shape"
                )
        return self._tensors[name]


def _standing(graph: Any) -> _Standing:
    found: _Standing | None = getattr(graph, _STANDING, None)
    if found is None:
        found = _Standing(graph)
        setattr(graph, _STANDING, found)
        graph._create_op_internal = found.create
    return found
