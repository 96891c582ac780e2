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
Name: TypeAlias = str | None
"""The name of ops, or None for the usual one."""
Scope: TypeAlias = Any
"""A `tf.VariableScope`, or its name."""
Initializer: TypeAlias = Any
"""An initializer of variables, or None for the scope's."""
Hook: TypeAlias = Any
"""A `tf.train.SessionRunHook`."""
Column: TypeAlias = Any
"""A column of `tf.feature_column` or of `tf.contrib.layers`."""
State: TypeAlias = Any
"""The state of a cell or of a decoder: a tensor, or a nest of tensors."""
Cell: TypeAlias = Any
"""A cell of `tf.nn.rnn_cell`."""
DType: TypeAlias = Any
"""A `tf.DType`, or what `tf.as_dtype` takes."""
Shape: TypeAlias = Any
"""A `tf.TensorShape`, or what it is made of."""
Size: TypeAlias = Any
"""A whole number: an int, or a scalar integer tensor."""
Flag: TypeAlias = Any
"""A bool, or a scalar bool tensor."""
FileName: TypeAlias = Any
"""A file's or folder's name, as str, bytes or `os.PathLike`."""
FileNames: TypeAlias = Any
"""A file's name or pattern, or a list of them, or a string tensor."""
Graph: TypeAlias = Any
"""A `tf.Graph`."""
Session: TypeAlias = Any
"""A `tf.Session`, or one of its kind."""
Estimator: TypeAlias = Any
"""An estimator of `tf.estimator` or of `tf.contrib.learn`."""
Config: TypeAlias = Any
"""A `tf.ConfigProto`."""
Feeds: TypeAlias = dict[Any, Any]
"""What `Session.run` takes as `feed_dict`."""
Projection: TypeAlias = tuple[Tensor, Tensor]
"""Weights and biases of a layer."""
Writer: TypeAlias = Any
"""A `tf.summary.FileWriter`."""
Scaffold: TypeAlias = Any
"""A `tf.train.Scaffold`."""
Saver: TypeAlias = Any
"""A `tf.train.Saver`."""
