"""`tf.contrib.bayesflow.stochastic_graph`: one loss of a graph that samples."""

import functools
import operator
from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.bayesflow import stochastic_tensor
from tfqueue.v1._types import Name, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["surrogate_loss"]


def depending(
    losses: Sequence[Tensor], tensors: Sequence[Any] | None = None
) -> dict[Any, list[Tensor]]:
    """Each `StochasticTensor` that some loss depends on -> those losses.

    Args:
        tensors: Of which; all of the graph where there are none.
    """
    known = tensors or _tf.get_collection(stochastic_tensor.STOCHASTIC_TENSOR_COLLECTION)
    by_value = {one.value().ref(): one for one in known}
    found: dict[Any, list[Tensor]] = {}
    for loss in losses:
        open_ends, seen = [loss], {loss.ref()}
        while open_ends:
            end = open_ends.pop()
            if end.ref() in by_value:
                found.setdefault(by_value[end.ref()], []).append(loss)
            new = [each for each in end.op.inputs if each.ref() not in seen]
            seen.update(each.ref() for each in new)
            open_ends += new
    return found


def _total(terms: Sequence[Tensor]) -> Tensor:
    first = terms[0]
    if all(
        one.shape.is_fully_defined()
        and one.shape.is_compatible_with(first.shape)
        and one.dtype == first.dtype
        for one in terms
    ):
        return _tf.add_n(terms)
    return functools.reduce(operator.add, terms)


def surrogate_loss(
    sample_losses: Sequence[Tensor],
    stochastic_tensors: Sequence[Any] | None = None,
    name: Name = "SurrogateLoss",
) -> Tensor:
    """The sum of losses, and of a term for each `StochasticTensor` before them (`...stochastic_graph.surrogate_loss`).

    The gradient of the sum is that of the expected losses, also where samples have none.

    Args:
        sample_losses: List of tensors of one shape, `[batch, ...]`.
        stochastic_tensors: Those that have terms; None for all in the graph.

    Raises:
        TypeError: If it is no list of tensors.
        ValueError: If a loss is a number.
    """
    with _tf.name_scope(name, values=sample_losses):
        if not isinstance(sample_losses, (list, tuple)):
            raise TypeError("sample_losses must be a list or tuple")
        for loss in sample_losses:
            if not isinstance(loss, _tf.Tensor):
                raise TypeError(f"{loss!r} is no tensor")
            if not loss.shape.rank:
                raise ValueError(f"{loss.name} has no axis of examples")
        found = depending(sample_losses, stochastic_tensors)
        if not found:
            _tf.logging.warning("No StochasticTensor is before the losses.")
            return _tf.add_n(sample_losses)
        terms = [one.loss(_tf.stop_gradient(_total(losses))) for one, losses in found.items()]
        return _total([*sample_losses, *(term for term in terms if term is not None)])
