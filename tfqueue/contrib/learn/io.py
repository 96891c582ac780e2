"""`tf.contrib.learn.io`: the readers of `graph_io`, and input functions of arrays and frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfqueue import estimator as _estimator
from tfqueue.contrib.learn import graph_io
from tfqueue.contrib.learn.graph_io import (
    queue_parsed_features,
    read_batch_examples,
    read_batch_features,
    read_batch_record_features,
    read_keyed_batch_examples,
    read_keyed_batch_examples_shared_queue,
    read_keyed_batch_features,
    read_keyed_batch_features_shared_queue,
)

__all__ = [
    "graph_io",
    "numpy_input_fn",
    "pandas_input_fn",
    "queue_parsed_features",
    "read_batch_examples",
    "read_batch_features",
    "read_batch_record_features",
    "read_keyed_batch_examples",
    "read_keyed_batch_examples_shared_queue",
    "read_keyed_batch_features",
    "read_keyed_batch_features_shared_queue",
]


def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """`tf.estimator.inputs.numpy_input_fn`, which shuffles unless it is told not to.

    Args:
      x: Array, or dict of arrays, one row an example.
      y: Array or dict of arrays of labels, or None.
      batch_size: int.
      num_epochs: int, or None for no end.
      shuffle: Whether to shuffle.
      queue_capacity: int, of the queue.
      num_threads: Not used.

    Raises:
      ValueError: If there is no feature, or lengths differ.
    """
    return _estimator.numpy_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads
    )


def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    """`tf.estimator.inputs.pandas_input_fn`, which shuffles unless it is told not to.

    Args:
      x: A `DataFrame`.
      y: A `Series`, or None.
      batch_size: As for `numpy_input_fn`, and so are the others.
      num_epochs: As there.
      shuffle: As there.
      queue_capacity: As there.
      num_threads: Not used.
      target_column: Not used.
    """
    return _estimator.pandas_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column
    )
