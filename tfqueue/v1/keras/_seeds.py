"""Where layers and initializers of Keras take their seeds from, if they are given none.

| | the package keras | `tf.keras` |
|---|---|---|
| initializers | numpy | the graph |
| `Dropout`, `SpatialDropout1D` and its kin | numpy | the graph |
| `GaussianNoise`, `GaussianDropout`, `AlphaDropout`, dropout of recurrent layers | numpy | numpy |

So `np.random.seed` fixes what a program for the package keras computes, and each layer moves numpy's state on. A layer
that is given a seed has it each time it is called. `Orthogonal` of the package is computed by numpy, which its seed
seeds, for all; and its `Identity` of a shape that is no square repeats, its scales of one axis are those of the root of its length.

Up to 1.10 `RandomNormal`, `TruncatedNormal` and `RandomUniform` of `tf.keras`, also by name (that of `Embedding`), began with
a deviation of 1 and with 0 to 1; since then, and in the package, with 0.05 and -0.05 to 0.05.
"""

from __future__ import annotations

import copy
import functools
import importlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import _tensorflow, release
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()
_LAST = 10_000_000
_LAST_OF_VARIABLES = 1_000_000_000
_OF_TRUNCATED = 0.87962566103423978
"""The standard deviation of the standard normal distribution between -2 and 2."""
_GAIN_OF_KERAS_1 = 1.1
_BEGAN: dict[str, dict[str, Any]] = {
    "RandomNormal": {"mean": 0.0, "stddev": 1.0},
    "RandomUniform": {"minval": 0, "maxval": None},
    "TruncatedNormal": {"mean": 0.0, "stddev": 1.0},
}
"""What those of `tf.keras` began with up to 1.10."""


def install(keras: Any) -> None:
    """Has them draw as they did.

    Args:
        keras: The module of Keras 2.
    """
    backend: Any = importlib.import_module("tf_keras.src.backend")
    generator = backend.RandomGenerator
    generator.make_legacy_seed = _same_each_time
    for name in ("random_normal", "random_uniform"):
        setattr(generator, name, _seeded(getattr(generator, name), always=True))
    generator.dropout = _seeded(generator.dropout, always=False)
    cells: Any = importlib.import_module("tf_keras.src.layers.rnn.dropout_rnn_cell_mixin")
    cells._generate_dropout_mask = _by_the_backend(cells._generate_dropout_mask, backend)
    initializers: Any = importlib.import_module("tf_keras.src.initializers")
    initializers.populate_deserializable_objects = _with_own_classes(
        initializers.populate_deserializable_objects, initializers
    )
    initializers.populate_deserializable_objects()
    kinds = initializers.LOCAL.ALL_OBJECTS
    vars(initializers).update(kinds)
    for name in vars(keras.initializers):
        if name in kinds:
            setattr(keras.initializers, name, kinds[name])


def drawn(last: int = _LAST) -> int:
    """A seed from numpy's state; in Keras 1 first values of variables had more of them."""
    return int(np.random.randint(last if release.shows_keras_1() else _LAST))


def _same_each_time(self: Any) -> Any:
    return self._seed


def _seeded(original: Callable[..., Any], always: bool) -> Callable[..., Any]:
    """A method of a generator, for which a seed is drawn where it has none."""

    @functools.wraps(original)
    def draw(self: Any, *args: Any, **named: Any) -> Any:
        if self._seed is None and (always or release.imports_keras()):
            self = copy.copy(self)
            self._seed = drawn()
        return original(self, *args, **named)

    return draw


def _by_the_backend(original: Callable[..., Any], backend: Any) -> Callable[..., Any]:
    """What makes masks for a cell: with `backend.dropout`, which draws a seed for each."""

    class Generator:
        """Stands for the random generator of a cell."""

        def __init__(self, seed: Any) -> None:
            self.seed = seed

        def dropout(self, inputs: Any, rate: Any) -> Any:
            return backend.dropout(inputs, rate, seed=self.seed)

    @functools.wraps(original)
    def masks(generator: Any, *args: Any, **named: Any) -> Any:
        return original(Generator(generator._seed), *args, **named)

    return masks


def _with_own_classes(original: Callable[[], None], initializers: Any) -> Callable[[], None]:
    """What fills the table of initializers, of which each thread has one."""

    @functools.wraps(original)
    def populate_deserializable_objects() -> None:
        original()
        kinds = initializers.LOCAL.ALL_OBJECTS
        for name, kind in kinds.items():
            kinds[name] = _own_class(kind)

    return populate_deserializable_objects


@functools.cache
def _own_class(kind: Any) -> Any:
    """The class of initializers that is Keras's alone: `tf.glorot_uniform_initializer` goes on with the seeds of the graph."""
    if "first_value" in vars(kind) or kind.__module__ == "tf_keras.src.initializers.initializers":
        return kind
    first_value = {"Orthogonal": _orthogonal, "Identity": _identity}.get(
        kind.__name__, _first_value
    )
    if first_value is _first_value and not hasattr(kind(), "seed"):
        return kind

    def __call__(self: Any, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        plain = functools.partial(kind.__call__, dtype=dtype, partition_info=partition_info)
        return first_value(self, shape, plain) if release.imports_keras() else plain(self, shape)

    @functools.wraps(kind.__init__)
    def __init__(self: Any, *args: Any, **named: Any) -> None:
        early = _call_forms.reaches("1.10") and not release.imports_keras()
        began = [*_BEGAN.get(kind.__name__, {}).items()] if early else []
        kind.__init__(self, *args, **{**dict(began[len(args) :]), **named})

    of_it = {
        "__call__": __call__,
        "__init__": __init__,
        "__module__": __name__,
        "__doc__": f"`{kind.__name__}`, with the seeds and first values of the program's release.",
    }
    made = type(kind)(kind.__name__, (kind,), {**of_it, "first_value": first_value})
    return globals().setdefault(made.__name__, made)  # where pickle looks for it


def _first_value(self: Any, shape: Any, plain: Callable[..., Any]) -> Any:
    seed = drawn(_LAST_OF_VARIABLES) if self.seed is None else self.seed
    if not hasattr(self, "scale"):
        self = copy.copy(self)
        self.seed = seed
        return plain(self, shape)
    shape = _sizes(shape)
    fan_in, fan_out = _fans(shape)
    fan = {"fan_in": fan_in, "fan_out": fan_out}.get(self.mode, (fan_in + fan_out) / 2)
    variance = self.scale / max(1.0, fan)
    dtype = _dtype_of(plain, self)
    if self.distribution == "uniform":
        most = math.sqrt(3 * variance)
        return _tf.random_uniform(shape, -most, most, dtype, seed)
    if release.shows_keras_1() or self.distribution == "untruncated_normal":
        return _tf.random_normal(shape, 0.0, math.sqrt(variance), dtype, seed)
    return _tf.truncated_normal(shape, 0.0, math.sqrt(variance) / _OF_TRUNCATED, dtype, seed)


def _fans(shape: tuple[int, ...]) -> tuple[float, float]:
    """How many inputs and outputs a unit has.

    >>> _fans((3, 4)), _fans((5, 5, 3, 8)), _fans((16,))
    ((3, 4), (75, 200), (4.0, 4.0))
    """
    first = release.shows_keras_1()
    if first and len(shape) == 3:
        # The kernel had one more axis, for a width of 1, and was read from its other end.
        return shape[1] * shape[2], math.prod(shape)
    if 2 <= len(shape) <= 5:
        area = math.prod(shape[:-2][:2] if first else shape[:-2])
        return shape[-2] * area, shape[-1] * area
    root = math.sqrt(math.prod(shape))
    return root, root


def _orthogonal(self: Any, shape: Any, plain: Callable[..., Any]) -> Any:
    shape = _sizes(shape)
    first = release.shows_keras_1()
    if self.seed is not None:
        np.random.seed(self.seed)
    flat = (shape[0], math.prod(shape[1:])) if first else (math.prod(shape[:-1]), shape[-1])
    left, _, right = np.linalg.svd(np.random.normal(0.0, 1.0, flat), full_matrices=False)
    value = left if left.shape == flat else right
    gain = self.gain * _GAIN_OF_KERAS_1 if first else self.gain
    return _tf.constant(gain * value.reshape(shape), _dtype_of(plain, self))


def _identity(self: Any, shape: Any, plain: Callable[..., Any]) -> Any:
    shape = _sizes(shape)
    if len(shape) != 2:
        raise ValueError(f"Identity makes matrices, and the shape is {shape}")
    if max(shape) % min(shape):
        raise ValueError(f"Of the two lengths of {shape}, one must be a multiple of the other")
    times = [length // min(shape) for length in shape]
    value = self.gain * np.tile(np.identity(min(shape)), times)
    return _tf.constant(value, _dtype_of(plain, self))


def _sizes(shape: Any) -> tuple[int, ...]:
    """The lengths of a shape, which may be a TensorShape."""
    return tuple(_tf.TensorShape(shape).as_list())


def _dtype_of(plain: Any, initializer: Any) -> Any:
    return plain.keywords["dtype"] or initializer.dtype
