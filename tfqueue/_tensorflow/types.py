"""Names of types for annotations of what TensorFlow has no types for. Nothing is imported for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar

Graph: TypeAlias = Any
"""A `tf.Graph`."""
Session: TypeAlias = Any
"""A `tf.Session`, or an object of another class that TensorFlow takes for one."""
Op: TypeAlias = Any
"""A `tf.Operation`."""
Tensor: TypeAlias = Any
"""A `tf.Tensor` of a graph."""
Saver: TypeAlias = Any
"""A `tf.train.Saver`."""
Config: TypeAlias = Any
"""A `tf.ConfigProto`, or None."""
Array: TypeAlias = Any
"""A `numpy.ndarray`, or what numpy makes one of."""
Feeds: TypeAlias = Mapping[Any, Any] | None
"""What `Session.run` takes as `feed_dict`."""
Task: TypeAlias = tuple[str, int]
"""A task of a cluster: the name of its job, and its index."""
Error = TypeVar("Error", bound=BaseException)
"""The class of an error that a function returns, be it the same or a copy."""
