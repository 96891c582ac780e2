"""Names of types for annotations of what TensorFlow has no types for."""

from typing import Any, TypeAlias

Tensor: TypeAlias = Any
"""A `tf.Tensor`, or what `tf.convert_to_tensor` takes."""
Tensors: TypeAlias = Tensor | dict[str, Tensor]
"""A tensor, or a dict of them by name: features, labels, predictions."""
Features: TypeAlias = Tensors
Arrays: TypeAlias = Any
"""A numpy array, or a dict of them by name: one row an example."""
Metric: TypeAlias = tuple[Tensor, Tensor]
"""The value of a metric, and the op that updates it."""
Op: TypeAlias = Any
"""A `tf.Operation`."""
Scope: TypeAlias = Any
"""A `tf.VariableScope`, or its name."""
Initializer: TypeAlias = Any
"""An initializer of variables, or None for the scope's."""
Hook: TypeAlias = Any
"""A `tf.train.SessionRunHook`."""
Column: TypeAlias = Any
"""A column of `tf.feature_column` or of `tf.contrib.layers`."""
