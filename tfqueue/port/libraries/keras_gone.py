"""Classes and functions of Keras 1 and 2 that nothing of `tf.keras` stands for. Translated programs import them from `keras_parts`.

With it `Sequential` may begin with a `Merge`.
"""

from __future__ import annotations

import functools
import importlib
import math
import os
import re
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import tfqueue.v1 as _tf
from tfqueue.port.libraries import keras_1, keras_initializations, keras_words

_keras: Any = _tf.keras
_K: Any = _keras.backend


class TimeDistributedDense(_keras.layers.Dense):  # type: ignore[misc]
    """A `Dense` of each time, which `Dense` itself is since Keras 2."""

    def __init__(self, *args: Any, input_length: int | None = None, **words: Any) -> None:
        if "input_dim" in words:
            words["input_shape"] = (input_length, words.pop("input_dim"))
        super().__init__(*args, **words)


class Embedding(_keras.layers.Embedding):  # type: ignore[misc]
    """An `Embedding` that leaves out whole rows while it trains, of `dropout` of them."""

    def __init__(self, *args: Any, dropout: float = 0.0, **words: Any) -> None:
        super().__init__(*args, **words)
        self.dropout = dropout

    def call(self, inputs: Any) -> Any:
        """Gives the rows of the ids."""
        if not 0 < self.dropout < 1:
            return super().call(inputs)
        backend, kept = _keras.backend, 1 - self.dropout
        rows = backend.random_binomial((self.input_dim, 1), p=kept) * (1 / kept)
        table = backend.in_train_phase(self.embeddings * rows, self.embeddings)
        return backend.gather(table, backend.cast(inputs, "int32"))

    def get_config(self) -> dict[str, Any]:
        """Its arguments."""
        return {**super().get_config(), "dropout": self.dropout}


class _OfMatrices(_keras.layers.Layer):  # type: ignore[misc]
    """A layer with a kernel and a bias, of what `Dense` takes for them."""

    def __init__(
        self,
        kernel_initializer: Any = "glorot_uniform",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        use_bias: bool = True,
        input_dim: int | None = None,
        **words: Any,
    ) -> None:
        if input_dim is not None:
            words["input_shape"] = (input_dim,)
        super().__init__(**words)
        self.use_bias = use_bias
        self._is_glorot = kernel_initializer == "glorot_uniform"
        self._of_kernel = {
            "initializer": _keras.initializers.get(kernel_initializer),
            "regularizer": _keras.regularizers.get(kernel_regularizer),
            "constraint": _keras.constraints.get(kernel_constraint),
        }
        self._of_bias = {
            "regularizer": _keras.regularizers.get(bias_regularizer),
            "constraint": _keras.constraints.get(bias_constraint),
        }
        self.input_spec = _keras.layers.InputSpec(ndim=2)

    def get_config(self) -> dict[str, Any]:
        """Its arguments."""
        own = {
            f"{part}_{name}": getattr(_keras, f"{name}s").serialize(value)
            for part, of in (("kernel", self._of_kernel), ("bias", self._of_bias))
            for name, value in of.items()
        }
        return {**super().get_config(), "use_bias": self.use_bias, **own}

    def compute_output_shape(self, input_shape: Any) -> Any:
        """A row of numbers for each row."""
        return (input_shape[0], getattr(self, "output_dim", input_shape[-1]))


class Highway(_OfMatrices):
    """A share of what a dense layer gives, and for the rest the inputs (`keras.layers.Highway` of Keras 1)."""

    def __init__(self, *args: Any, activation: Any = None, **words: Any) -> None:
        super().__init__(*args, **words)
        self.activation = _keras.activations.get(activation)

    def build(self, input_shape: Any) -> None:
        """Makes the variables."""
        width = int(input_shape[-1])
        self.W = self.add_weight("W", (width, width), **self._of_kernel)
        self.W_carry = self.add_weight(
            "W_carry", (width, width), initializer=self._of_kernel["initializer"]
        )
        if self.use_bias:
            self.b = self.add_weight("b", (width,), initializer="zeros", **self._of_bias)
            self.b_carry = self.add_weight("b_carry", (width,), initializer="ones")
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Gives as many numbers as it gets."""
        share, found = _K.dot(inputs, self.W_carry), _K.dot(inputs, self.W)
        if self.use_bias:
            share, found = share + self.b_carry, found + self.b
        share = _K.sigmoid(share)
        return self.activation(found) * share + (1 - share) * inputs

    def get_config(self) -> dict[str, Any]:
        """Its arguments."""
        activation = _keras.activations.serialize(self.activation)
        return {**super().get_config(), "activation": activation}


class MaxoutDense(_OfMatrices):
    """The largest of what several dense layers give (`keras.layers.MaxoutDense` of Keras 1)."""

    def __init__(self, units: int, nb_feature: int = 4, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.output_dim, self.nb_feature = units, nb_feature

    def build(self, input_shape: Any) -> None:
        """Makes the variables."""
        shape = (self.nb_feature, int(input_shape[-1]), self.output_dim)
        of_kernel = self._of_kernel
        if self._is_glorot:
            most = math.sqrt(3 / math.sqrt(math.prod(shape)))  # what Keras 1 took of three axes
            of_kernel = {**of_kernel, "initializer": _keras.initializers.RandomUniform(-most, most)}
        self.W = self.add_weight("W", shape, **of_kernel)
        if self.use_bias:
            self.b = self.add_weight(
                "b", (shape[0], shape[2]), initializer="zeros", **self._of_bias
            )
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Gives a row of `output_dim` numbers for each row."""
        found = _tf.einsum("ni,fio->nfo", inputs, self.W)
        return _K.max(found + self.b if self.use_bias else found, axis=1)

    def get_config(self) -> dict[str, Any]:
        """Its arguments."""
        return {**super().get_config(), "units": self.output_dim, "nb_feature": self.nb_feature}


class _OfShape(_keras.layers.Layer):  # type: ignore[misc]
    """A function of each number, with variables of the shape of an example; those along `shared_axes` are one."""

    def __init__(self, shared_axes: Any = None, weights: Any = None, **words: Any) -> None:
        super().__init__(**words)
        self.supports_masking = True
        self.initial_weights = weights
        listed = isinstance(shared_axes, list | tuple)
        self.shared_axes = list(shared_axes) if listed else [shared_axes]

    def build(self, input_shape: Any) -> None:
        """Makes the variables."""
        shape = [int(size) for size in input_shape[1:]]
        for axis in self.shared_axes:
            if axis is not None:
                shape[axis - 1] = 1
        for name, init in self._first_values().items():
            first_value = keras_initializations.initializer(init)
            setattr(self, name, self.add_weight(name, shape, initializer=first_value))
        if self.initial_weights is not None:
            self.set_weights(self.initial_weights)
        self.built = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        """That of the inputs."""
        return input_shape

    def _first_values(self) -> dict[str, Any]:
        raise NotImplementedError


class ParametricSoftplus(_OfShape):
    """Softplus with a slope and a size that are learned (`keras.layers.ParametricSoftplus` of Keras 1)."""

    def __init__(
        self,
        alpha_init: float = 0.2,
        beta_init: float = 5.0,
        weights: Any = None,
        shared_axes: Any = None,
        **words: Any,
    ) -> None:
        super().__init__(shared_axes, weights, **words)
        self.alpha_init, self.beta_init = alpha_init, beta_init

    def _first_values(self) -> dict[str, Any]:
        constant = _keras.initializers.Constant
        return {"alphas": constant(self.alpha_init), "betas": constant(self.beta_init)}

    def call(self, inputs: Any) -> Any:
        """Gives as many numbers as it gets."""
        return _K.softplus(self.betas * inputs) * self.alphas

    def get_config(self) -> dict[str, Any]:
        """Its arguments."""
        own = {"alpha_init": self.alpha_init, "beta_init": self.beta_init}
        return {**super().get_config(), **own}


class SReLU(_OfShape):
    """Three straight lines whose ends and slopes are learned (`keras.layers.SReLU` of Keras 1)."""

    def __init__(
        self,
        t_left_init: Any = "zero",
        a_left_init: Any = "glorot_uniform",
        t_right_init: Any = "glorot_uniform",
        a_right_init: Any = "one",
        shared_axes: Any = None,
        **words: Any,
    ) -> None:
        super().__init__(shared_axes, **words)
        self._inits = {
            "t_left": t_left_init,
            "a_left": a_left_init,
            "t_right": t_right_init,
            "a_right": a_right_init,
        }

    def _first_values(self) -> dict[str, Any]:
        return {name: keras_initializations.get(init) for name, init in self._inits.items()}

    def call(self, inputs: Any) -> Any:
        """Gives as many numbers as it gets."""
        width = _K.abs(self.t_right)  # the right end is never left of the left one
        above = inputs - self.t_left
        left = _tf.minimum(above, 0.0) * self.a_left
        right = _tf.maximum(above - width, 0.0) * self.a_right
        return self.t_left + left + _tf.minimum(_tf.maximum(above, 0.0), width) + right

    def get_config(self) -> dict[str, Any]:
        """Its arguments."""
        return {**super().get_config(), **{f"{name}_init": of for name, of in self._inits.items()}}


class _OfEachExample(_keras.layers.BatchNormalization):  # type: ignore[misc]
    """`BatchNormalization(mode=1)` of Keras 1: the last axis of each example, by itself."""

    def call(self, inputs: Any, training: Any = None) -> Any:
        """Normalizes."""
        mean = _K.mean(inputs, axis=-1, keepdims=True)
        deviation = _K.sqrt(_K.var(inputs, axis=-1, keepdims=True) + self.epsilon)
        return self.gamma * (inputs - mean) / (deviation + self.epsilon) + self.beta


class _OfEachBatch(_keras.layers.BatchNormalization):  # type: ignore[misc]
    """`BatchNormalization(mode=2)` of Keras 1: by the numbers of a batch in predictions, too."""

    def call(self, inputs: Any, training: Any = None) -> Any:
        """Normalizes."""
        rank = len(inputs.shape)
        axis = int(self.axis[0]) % rank
        others = [one for one in range(rank) if one != axis]
        mean, variance = _tf.nn.moments(inputs, others, keepdims=True)
        shape = [1] * rank
        shape[axis] = -1
        gamma, beta = (
            None if one is None else _tf.reshape(one, shape) for one in (self.gamma, self.beta)
        )
        return _tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, self.epsilon)


MODES = {1: _OfEachExample, 2: _OfEachBatch}
"""`mode` of `BatchNormalization` in Keras 1 -> the layer; 0 is the usual one."""


class Merge:
    """Stands for ``keras.layers.Merge``: what several models or layers give, as one; `Sequential` may begin with it.

    Args:
        layers: The models or layers. None: it is called with their tensors.
        mode, concat_axis, dot_axes, output_shape, output_mask, arguments, name: As for the function `merge`; `mode` may
            be a function of the list of tensors.
    """

    def __init__(
        self,
        layers: Any = None,
        mode: Any = "sum",
        concat_axis: int = -1,
        dot_axes: Any = -1,
        output_shape: Any = None,
        output_mask: Any = None,
        arguments: Any = None,
        node_indices: Any = None,
        tensor_indices: Any = None,
        name: str | None = None,
    ) -> None:
        self._merged = functools.partial(
            keras_1.merge,
            mode=mode,
            dot_axes=dot_axes,
            concat_axis=concat_axis,
            output_shape=output_shape,
            output_mask=output_mask,
            arguments=arguments,
            name=name,
        )
        self.layers = layers
        self.output = self([one.output for one in layers]) if layers else None

    def __call__(self, inputs: Any) -> Any:
        """What is made of a list of tensors."""
        return self._merged(inputs)


_SAVED = (
    "Highway",
    "MaxoutDense",
    "ParametricSoftplus",
    "SReLU",
    "TimeDistributedDense",
    "_OfEachBatch",
    "_OfEachExample",
)
"""The classes that a saved model may name."""

keras_words.install(sys.modules[__name__])
_keras.utils.get_custom_objects().update({name: globals()[name] for name in _SAVED})


def _beginning_with_several(add: Callable[..., Any]) -> Callable[..., Any]:
    """`Sequential.add`, whose first layer may be a `Merge`."""

    @functools.wraps(add)
    def added(self: Any, layer: Any) -> None:
        if not isinstance(layer, Merge):
            add(self, layer)
            return
        if self.layers or layer.output is None:
            raise ValueError("Merge is the first layer of a Sequential, and is given the layers")
        self.outputs = [layer.output]
        self.inputs = _keras.utils.get_source_inputs(layer.output)
        self.built = self._has_explicit_input_shape = self._graph_initialized = True
        self._init_graph_network(self.inputs, self.outputs)
        self._begins_with_several = True

    return added


def _get_config(original: Callable[..., Any]) -> Callable[..., Any]:
    """The configuration of a `Sequential`, which is that of a graph where it begins with a `Merge`."""

    @functools.wraps(original)
    def get_config(self: Any) -> Any:
        if getattr(self, "_begins_with_several", False):
            graph = _functional.Functional(self.inputs, self.outputs, name=self.name)
            return graph.get_config()
        return original(self)

    return get_config


def _from_config(cls: Any, config: Any, custom_objects: Any = None) -> Any:
    """A `Sequential` of a configuration, or the model of a graph where it is one."""
    if "input_layers" in config:
        return _functional.Functional.from_config(config, custom_objects)
    return _in_a_row(cls, config, custom_objects)


_functional: Any = importlib.import_module("tf_keras.src.engine.functional")
_in_a_row = _keras.Sequential.from_config.__func__
_keras.Sequential.add = _beginning_with_several(_keras.Sequential.add)
_keras.Sequential.get_config = _get_config(_keras.Sequential.get_config)
_keras.Sequential.from_config = classmethod(_from_config)


def _counts(y_true: Any, y_pred: Any) -> tuple[Any, Any, Any]:
    """How many are found rightly, said to be there, and there."""
    pairs = y_true * y_pred, y_pred, y_true
    right, said, there = (_K.sum(_K.round(_K.clip(one, 0, 1))) for one in pairs)
    return right, said, there


def precision(y_true: Any, y_pred: Any) -> Any:
    """Stands for ``keras.metrics.precision`` of Keras 1, of a batch."""
    right, said, _ = _counts(y_true, y_pred)
    return right / (said + _K.epsilon())


def recall(y_true: Any, y_pred: Any) -> Any:
    """Stands for ``keras.metrics.recall`` of Keras 1, of a batch."""
    right, _, there = _counts(y_true, y_pred)
    return right / (there + _K.epsilon())


def fbeta_score(y_true: Any, y_pred: Any, beta: float = 1) -> Any:
    """Stands for ``keras.metrics.fbeta_score`` of Keras 1, of a batch.

    Raises:
        ValueError: `beta` is negative.
    """
    if beta < 0:
        raise ValueError(f"beta of an F score is 0 or more, not {beta}")
    first, second = precision(y_true, y_pred), recall(y_true, y_pred)
    return (1 + beta**2) * (first * second) / (beta**2 * first + second + _K.epsilon())


def fmeasure(y_true: Any, y_pred: Any) -> Any:
    """Stands for ``keras.metrics.fmeasure`` of Keras 1, of a batch."""
    return fbeta_score(y_true, y_pred)


def matthews_correlation(y_true: Any, y_pred: Any) -> Any:
    """Stands for ``keras.metrics.matthews_correlation`` of Keras 1, of a batch."""
    said, there = (_K.round(_K.clip(one, 0, 1)) for one in (y_pred, y_true))
    both, neither = _K.sum(there * said), _K.sum((1 - there) * (1 - said))
    wrong, missed = _K.sum((1 - there) * said), _K.sum(there * (1 - said))
    sides = (both + wrong) * (both + missed) * (neither + wrong) * (neither + missed)
    return (both * neither - wrong * missed) / (_K.sqrt(sides) + _K.epsilon())


def categorical_probas_to_classes(p: Any) -> Any:
    """Stands for ``keras.utils.np_utils.categorical_probas_to_classes`` of Keras 1.

    >>> categorical_probas_to_classes(np.array([[0.1, 0.9]])).tolist()
    [1]
    """
    return np.argmax(p, axis=1)


def probas_to_classes(y_pred: Any) -> Any:
    """Stands for ``keras.utils.np_utils.probas_to_classes`` of Keras 1.

    >>> probas_to_classes(np.array([[0.1], [0.9]])).tolist()
    [0, 1]
    """
    if y_pred.ndim > 1 and y_pred.shape[1] > 1:
        return categorical_probas_to_classes(y_pred)
    return (np.ravel(y_pred) > 0.5).astype(int)


def convert_kernel(kernel: Any) -> Any:
    """Stands for ``keras.utils.conv_utils.convert_kernel``: a kernel of Theano's for TensorFlow, or the other way, turned about.

    Raises:
        ValueError: It has neither three nor four nor five axes.

    >>> convert_kernel(np.arange(4.0).reshape(2, 2, 1, 1))[..., 0, 0].tolist()
    [[3.0, 2.0], [1.0, 0.0]]
    """
    if kernel.ndim not in (3, 4, 5):
        raise ValueError(f"a kernel has three to five axes, not {kernel.ndim}")
    return np.flip(kernel, tuple(range(kernel.ndim - 2))).copy()


def convert_all_kernels_in_model(model: Any) -> None:
    """Stands for ``keras.utils.layer_utils.convert_all_kernels_in_model``: turns the kernel of each convolution about."""
    layers = _keras.layers
    kinds = (layers.Conv1D, layers.Conv2D, layers.Conv3D)  # the transposed ones are among them
    kernels = [layer.kernel for layer in model.layers if isinstance(layer, kinds)]
    _K.batch_set_value([(kernel, convert_kernel(_K.get_value(kernel))) for kernel in kernels])


def convert_dense_weights_data_format(
    dense: Any,
    previous_feature_map_shape: Iterable[int],
    target_data_format: str = "channels_first",
) -> None:
    """Stands for ``keras.utils.layer_utils.convert_dense_weights_data_format``: moves the rows of a kernel.

    Args:
        dense: A layer behind a `Flatten`.
        previous_feature_map_shape: What was made flat, without the examples, in the order of `target_data_format`.
        target_data_format: Where the channels are from now on.

    Raises:
        ValueError: `target_data_format` is another word.
    """
    if target_data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"channels_first or channels_last, not {target_data_format!r}")
    kernel, bias = dense.get_weights()
    shape, first = tuple(previous_feature_map_shape), target_data_format == "channels_first"
    before = (*shape[1:], shape[0]) if first else (shape[2], *shape[:2])
    moved = np.moveaxis(kernel.reshape(*before, -1), 2 if first else 0, 0 if first else 2)
    dense.set_weights([moved.reshape(kernel.shape), bias])


def print_summary(model: Any, *args: Any, **words: Any) -> None:
    """Stands for ``keras.utils.layer_utils.print_summary``, which in Keras 1 took the layers of a model."""
    if isinstance(model, list | tuple):
        weights = [one for layer in model for one in layer.trainable_weights]
        others = [one for layer in model for one in layer.non_trainable_weights]
        words.pop("relevant_nodes", None)
        names = ("line_length", "positions")
        words.update(zip(names, args[1:], strict=False))
        args, listed = (), model
        model = types.SimpleNamespace(
            name="layers",
            layers=listed,
            trainable_weights=weights,
            non_trainable_weights=others,
            _is_graph_network=False,
        )
    of_layers: Any = importlib.import_module("tf_keras.src.utils.layer_utils")
    of_layers.print_summary(model, *args, **words)


def list_pictures(directory: str, ext: str = "jpg|jpeg|bmp|png") -> list[str]:
    """Stands for ``keras.preprocessing.image.list_pictures``: the files below a folder that end so, with a plain name."""
    named = re.compile(rf"([\w]+\.(?:{ext}))")
    return [
        os.path.join(root, name)
        for root, _, names in os.walk(directory)
        for name in names
        if named.match(name)
    ]


def apply_transform(
    x: Any,
    transform_matrix: Any,
    channel_axis: int = 0,
    fill_mode: str = "nearest",
    cval: float = 0.0,
) -> Any:
    """Stands for ``keras.preprocessing.image.apply_transform``: a picture, each channel of it moved by a matrix."""
    import scipy.ndimage

    matrix, offset = transform_matrix[:2, :2], transform_matrix[:2, 2]
    moved = [
        scipy.ndimage.affine_transform(one, matrix, offset, order=0, mode=fill_mode, cval=cval)
        for one in np.moveaxis(x, channel_axis, 0)
    ]
    return np.moveaxis(np.stack(moved), 0, channel_axis)


def transform_matrix_offset_center(matrix: Any, x: float, y: float) -> Any:
    """Stands for ``keras.preprocessing.image.transform_matrix_offset_center``: a matrix about the middle of `x` by `y` pixels.

    The middle was half a pixel further then than today.
    """
    there, back = np.eye(3), np.eye(3)
    there[:2, 2] = x / 2 + 0.5, y / 2 + 0.5
    back[:2, 2] = -there[:2, 2]
    return there @ matrix @ back


class HDF5Matrix:
    """Stands for ``keras.utils.HDF5Matrix``: a dataset of an HDF5 file, of which a model reads a batch at a time.

    Args:
        datapath: The file.
        dataset: The name of the dataset in it.
        start, end: Which rows of it these are.
        normalizer: What is made of the rows that are read.
    """

    def __init__(
        self,
        datapath: str,
        dataset: str,
        start: int = 0,
        end: int | None = None,
        normalizer: Callable[[Any], Any] | None = None,
    ) -> None:
        import h5py

        self.data = h5py.File(datapath, "r")[dataset]
        self.start = start
        self.end = self.data.shape[0] if end is None else end
        self.normalizer = normalizer
        first = self._made(self.data[0:1])
        self._row, self.dtype = first.shape[1:], first.dtype

    def _made(self, rows: Any) -> Any:
        return rows if self.normalizer is None else self.normalizer(rows)

    def __len__(self) -> int:
        return self.end - self.start

    def __getitem__(self, key: int | slice | Iterable[int]) -> Any:
        """Rows by a number, a slice or increasing numbers.

        Raises:
            IndexError: There are fewer.
        """
        rows = np.arange(*key.indices(len(self))) if isinstance(key, slice) else np.asarray(key)
        if isinstance(key, slice) and key.stop is not None and key.stop > len(self):
            raise IndexError(f"row {key.stop} of {len(self)}")
        if rows.size and rows.max() >= len(self):
            raise IndexError(f"row {rows.max()} of {len(self)}")
        if isinstance(key, slice) and key.step in (None, 1) and rows.size:
            return self._made(self.data[self.start + rows[0] : self.start + rows[-1] + 1])
        found = self.start + rows
        return self._made(self.data[found.tolist() if found.ndim else int(found)])

    @property
    def shape(self) -> tuple[int, ...]:
        """How many rows, and of which shape."""
        return (len(self), *self._row)

    @property
    def ndim(self) -> int:
        """How many axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many numbers."""
        return math.prod(self.shape)


def get_test_data(
    num_train: int = 1000,
    num_test: int = 500,
    input_shape: tuple[int, ...] = (10,),
    output_shape: tuple[int, ...] = (2,),
    classification: bool = True,
    num_classes: int = 2,
    **words: int,
) -> Any:
    """Stands for ``keras.utils.test_utils.get_test_data``: two pairs of arrays, drawn by numpy.

    Args:
        num_train, num_test: How many examples each pair has; `nb_train` and `nb_test` in Keras 1.
        input_shape: The shape of an example.
        output_shape: The shape of what belongs to one, without `classification`.
        classification: Whether that is a class, a number.
        num_classes: How many there are; `nb_class` in Keras 1.
    """
    num_train = words.pop("nb_train", num_train)
    count = num_train + words.pop("nb_test", num_test)
    num_classes = words.pop("nb_class", num_classes)
    if words:
        raise TypeError(f"get_test_data has no argument {min(words)!r}")
    y: Any
    middles: Any
    if classification:
        y = middles = np.random.randint(0, num_classes, size=(count,))
    else:
        y, middles = np.zeros((count, *output_shape)), np.random.random((count,))
    x = np.zeros((count, *input_shape))
    for number, middle in enumerate(middles):
        x[number] = np.random.normal(middle, 0.7, input_shape)
        if not classification:
            y[number] = np.random.normal(middle, 0.7, output_shape)
    return (x[:num_train], y[:num_train]), (x[num_train:], y[num_train:])
