"""Iterators of pictures of a program's own, on those of Keras up to 2.0.8. Translated programs call these."""

from __future__ import annotations

from typing import Any

from tfqueue.port.differences import telling


def stepping(cls: Any) -> Any:
    """Stands before a class of iterators that says itself what is next: no item has a place of its own.

    Since Keras 2.0.9 they are sequences, whose items are asked for by number, in an order drawn anew.
    """

    def __getitem__(self: Any, _place: int) -> Any:
        return next(self)

    def on_epoch_end(self: Any) -> None:
        """The order is drawn when an epoch begins."""

    if hasattr(cls, "_get_batches_of_transformed_samples"):
        cls.__getitem__, cls.on_epoch_end = __getitem__, on_epoch_end
    return cls


def three_for_a_part(iterator: Any, found: Any) -> Any:
    """The same, where one of them is taken: of batches of one example that could be the example itself, which is told."""
    if iterator.batch_size == 1 and not isinstance(found, tuple):
        telling.tell_index_generator()
    return three(iterator, found)


def three(iterator: Any, found: Any) -> Any:
    """What an iterator's `index_generator` gave up to Keras 2.0.8.

    Args:
        iterator: The iterator.
        found: Which examples are next, as today's gives them; three values are taken as they are.

    Returns:
        Which examples are next, where in the epoch the first of them is, and how many they are.
    """
    if isinstance(found, tuple):
        return found
    if iterator.batch_index:
        return found, (iterator.batch_index - 1) * iterator.batch_size, len(found)
    return found, max(iterator.n - len(found), 0), len(found)
