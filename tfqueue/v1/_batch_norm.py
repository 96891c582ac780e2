"""`tf.layers.BatchNormalization`, which TensorFlow itself no longer has.

Written on `tf.nn`'s ops. Variables, their names, the moving averages and where
their updates go (`tf.GraphKeys.UPDATE_OPS`) are those of TensorFlow 1.15; the
tests compare the numbers.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tensorflow.python.keras.legacy_tf_layers import base

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import seeds
from tfqueue.names.sentence import GoneArgumentError
from tfqueue.v1 import _call_forms, _layer_base, _op_counts
from tfqueue.v1._types import Flag, Initializer, Op, Shape, Tensor

_tf = _tensorflow.compat_v1()

_ZEROS, _ONES = _tf.zeros_initializer(), _tf.ones_initializer()
_OF_RENORM_UP_TO_1_14 = (
    *("renorm_mean", "renorm_mean_weight"),
    *("renorm_stddev", "renorm_stddev_weight"),
)
"""Variables of renormalization: averages that begin with 0, and how much of them is of batches yet."""


Layer: Any = _layer_base.subclass(base.Layer, "base class tf.layers.", "tfqueue.v1.layers")


def _refuse(**given: Any) -> None:
    """Refuses the arguments that are not brought back."""
    for what, value in given.items():
        if value:
            raise GoneArgumentError(
                f"tf.layers.BatchNormalization({what}=...)",
                "2.16",
                "use it without, or tf_keras.layers.BatchNormalization",
            )


class BatchNormalization(Layer):
    """Brings each channel to a mean of 0 and a variance of 1, then scales and shifts it.

    When training, mean and variance are those of the batch, and the moving
    averages follow them: their update ops are in `tf.GraphKeys.UPDATE_OPS`, and
    have to be run. Otherwise the moving averages are used.

    Args:
        axis: int or list of int, the axis of the channels.
        momentum: float, how much of the moving averages an update keeps.
        epsilon: float, added to the variance.
        center: Whether to shift, by the variable `beta`.
        scale: Whether to scale, by the variable `gamma`.
        beta_initializer: Initializer of `beta`.
        gamma_initializer: Initializer of `gamma`.
        moving_mean_initializer: Initializer of `moving_mean`.
        moving_variance_initializer: Initializer of `moving_variance`.
        beta_regularizer: Function from `beta` to a loss.
        gamma_regularizer: Function from `gamma` to a loss.
        beta_constraint: Function applied to `beta` after an update.
        gamma_constraint: Function applied to `gamma` after an update.
        renorm: Whether to correct the batch's mean and variance towards averages of their own while
            training (batch renormalization). Up to 1.14 these began with the first batch.
        renorm_clipping: Dict of float: `rmin` and `rmax` limit the correction of the deviation, `dmax`
            that of the mean.
        renorm_momentum: float, how much of these averages an update keeps.
        fused: False to do without the fused op, which is used for images
            otherwise, but not with `renorm`. With it the moving variance is the unbiased one.
        trainable: Whether `beta` and `gamma` are trained and the averages follow.
        virtual_batch_size: Not brought back.
        adjustment: Not brought back.

    Raises:
        NotImplementedError: For what is not brought back.
        ValueError: If `axis` is not an axis of the inputs, or for another key in `renorm_clipping`.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.layers.batch_normalization(tf.zeros([8, 3]), training=True)
    ...     print([v.name for v in tf.trainable_variables()])
    ...     print(len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)))
    ['batch_normalization/gamma:0', 'batch_normalization/beta:0']
    2
    """

    def __init__(
        self,
        axis: int | Sequence[int] = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Initializer = _ZEROS,
        gamma_initializer: Initializer = _ONES,
        moving_mean_initializer: Initializer = _ZEROS,
        moving_variance_initializer: Initializer = _ONES,
        beta_regularizer: Callable[..., Any] | None = None,
        gamma_regularizer: Callable[..., Any] | None = None,
        beta_constraint: Callable[..., Any] | None = None,
        gamma_constraint: Callable[..., Any] | None = None,
        renorm: bool = False,
        renorm_clipping: Any = None,
        renorm_momentum: float = 0.99,
        fused: Any = None,
        trainable: bool = True,
        virtual_batch_size: int | None = None,
        adjustment: Any = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, trainable=trainable, **kwargs)
        _refuse(virtual_batch_size=virtual_batch_size, adjustment=adjustment)
        self.axis: Any = axis  # a list when it is built
        self.momentum, self.epsilon = momentum, epsilon
        self.center, self.scale, self.fused = center, scale, fused
        self.renorm, self.renorm_momentum = renorm, renorm_momentum
        self.renorm_clipping = dict(renorm_clipping or {}) if renorm else {}
        if set(self.renorm_clipping) - {"rmin", "rmax", "dmax"}:
            raise ValueError(
                f"renorm_clipping {renorm_clipping} contains keys not in ('rmax', 'rmin', 'dmax')"
            )
        self._made_of = {
            "gamma": (gamma_initializer, gamma_regularizer, gamma_constraint, True),
            "beta": (beta_initializer, beta_regularizer, beta_constraint, True),
            "moving_mean": (moving_mean_initializer, None, None, False),
            "moving_variance": (moving_variance_initializer, None, None, False),
        }
        if _call_forms.reaches("1.3"):
            self.fused = bool(fused)  # None, as today, would be where there is an op for it
            self._made_of = {"beta": self._made_of["beta"], **self._made_of}  # made first then
        self._renorm_by_weight = release.before("1.15")
        if renorm:
            self.fused = False  # there is no fused op for it, whatever was asked for

            def deviation(*args: Any, **kwargs: Any) -> Tensor:
                return _tf.sqrt(moving_variance_initializer(*args, **kwargs))

            if self._renorm_by_weight:
                made = dict.fromkeys(_OF_RENORM_UP_TO_1_14, _ZEROS)
            else:
                made = {"moving_stddev": deviation, "renorm_mean": moving_mean_initializer}
                made["renorm_stddev"] = deviation
            self._made_of.update((name, (made[name], None, None, False)) for name in made)

    def build(self, input_shape: Shape) -> None:
        """Makes the variables.

        Args:
            input_shape: `TensorShape` of the inputs, its rank known.
        """
        shape = _tf.TensorShape(input_shape)
        if shape.ndims is None:
            raise ValueError("Input has undefined rank")
        rank = shape.ndims
        axes = [self.axis] if isinstance(self.axis, int) else list(self.axis)
        if any(not -rank <= axis < rank for axis in axes) or len(axes) != len(set(axes)):
            raise ValueError(f"Invalid axis: {self.axis} for inputs of rank {rank}")
        self.axis = axes = [axis % rank for axis in axes]
        sizes = shape.as_list()
        channels = [sizes[axis] for axis in axes]
        if None in channels:
            raise ValueError(f"Input has undefined `axis` dimension. Input shape: {shape}")
        if self.fused is not False:
            self.fused = rank == 4 and axes in ([1], [3])
        # One entry a channel where there is one axis; else a shape that broadcasts by itself.
        if len(axes) == 1:
            entries = channels
        else:
            entries = [sizes[axis] if axis in axes else 1 for axis in range(rank)]
        self._spread = [sizes[axis] if axis in axes else 1 for axis in range(rank)]
        self._reduced = [axis for axis in range(rank) if axis not in axes]
        half = self.dtype in ("float16", "bfloat16")
        for name, (initializer, regularizer, constraint, trained) in self._made_of.items():
            wanted = {"gamma": self.scale, "beta": self.center}.get(name, True)
            variable = None
            if wanted:
                variable = self.add_weight(
                    name,
                    [] if name.endswith("_weight") else entries,
                    dtype=_tf.float32 if half else self.dtype,
                    initializer=initializer,
                    regularizer=regularizer,
                    constraint=constraint,
                    trainable=trained,
                )
            setattr(self, name, variable)
        self.built = True

    def add_weight(self, name: str, *args: Any, **words: Any) -> Any:
        """Makes a variable. What follows the batches stays whole under a scope with a partitioner.

        Args:
            name: Name of the variable.
            *args: Further arguments of `tf.layers.Layer.add_weight`.
            **words: Arguments by name.
        """
        scope = self._scope
        follows = name in self._made_of and name not in ("gamma", "beta")
        if scope is None or not follows:
            return super().add_weight(name, *args, **words)
        partitioner = scope.partitioner
        scope.set_partitioner(None)
        try:
            return super().add_weight(name, *args, **words)
        finally:
            scope.set_partitioner(partitioner)

    @_tf.autograph.experimental.do_not_convert  # there is nothing in it for AutoGraph, which takes its time
    def call(self, inputs: Tensor, training: Flag = False) -> Any:
        """Normalizes `inputs`.

        Args:
            inputs: Float tensor.
            training: Whether to use, and follow, the batch; bool or bool tensor.

        Returns:
            A tensor like `inputs`.
        """
        fixed = training if not _tf.is_tensor(training) else _tf.get_static_value(training)
        if fixed is None and not _tf.is_tensor(training):
            fixed = False
        if fixed is not None:
            fixed = bool(fixed)
        else:
            training = _tf.cast(training, _tf.bool)
        if self.renorm:
            return self._renorm_call(inputs, training, fixed)
        work = self._fused_call if self.fused else self._plain_call
        outputs, mean, variance = work(inputs, training, fixed)
        outputs.set_shape(inputs.shape)
        if fixed is not False:
            for variable, value in ((self.moving_mean, mean), (self.moving_variance, variance)):
                self.add_update(self._follow(variable, value, training, fixed))
        variables = bool(self.center) + bool(self.scale)
        seeds.more(_op_counts.normalization(bool(self.fused), fixed, variables))
        return outputs

    def compute_output_shape(self, input_shape: Shape) -> Any:
        """The shape of the outputs: that of the inputs."""
        return input_shape

    def _follow(
        self,
        variable: Any,
        value: Tensor,
        training: Tensor | bool,
        fixed: bool | None,
        momentum: Any = None,
    ) -> Op:
        """The op that moves an average towards the value of the batch."""
        with _tf.name_scope("AssignMovingAvg"):
            rate = _tf.cast(1.0 - (self.momentum if momentum is None else momentum), variable.dtype)
            if fixed is None:
                rate = rate * _tf.cast(training, variable.dtype)
            step = (variable - _tf.cast(value, variable.dtype)) * rate
            return _tf.assign_sub(variable, step)

    def _choose(
        self,
        training: Tensor | bool,
        fixed: bool | None,
        when_training: Callable[[], Any],
        otherwise: Callable[[], Any],
    ) -> Any:
        if fixed is None:
            return _tf.cond(training, when_training, otherwise)
        return when_training() if fixed else otherwise()

    def _fused_call(
        self, inputs: Tensor, training: Tensor | bool, fixed: bool | None
    ) -> tuple[Tensor, ...]:
        ones, zeros = _tf.ones_like(self.moving_mean), _tf.zeros_like(self.moving_mean)
        gamma = ones if self.gamma is None else self.gamma
        beta = zeros if self.beta is None else self.beta
        common = {
            "epsilon": self.epsilon,
            "data_format": "NCHW" if self.axis == [1] else "NHWC",
        }

        def batch() -> Any:
            return _tf.nn.fused_batch_norm(inputs, gamma, beta, is_training=True, **common)

        def averages() -> tuple[Tensor, ...]:
            outputs = _tf.nn.fused_batch_norm(
                inputs,
                gamma,
                beta,
                mean=self.moving_mean,
                variance=self.moving_variance,
                is_training=False,
                **common,
            )[0]
            return (
                outputs,
                _tf.convert_to_tensor(self.moving_mean),
                _tf.convert_to_tensor(self.moving_variance),
            )

        return self._choose(training, fixed, lambda: tuple(batch()), averages)

    def _moments(self, inputs: Tensor, training: Tensor | bool, fixed: bool | None) -> Any:
        """Mean and variance: those of the batch, or the averages."""

        def batch() -> tuple[Tensor, ...]:
            moments = _tf.nn.moments(inputs, self._reduced, keep_dims=len(self.axis) > 1)
            return tuple(_tf.cast(moment, self.moving_mean.dtype) for moment in moments)

        def averages() -> tuple[Tensor, Tensor]:
            return (
                _tf.convert_to_tensor(self.moving_mean),
                _tf.convert_to_tensor(self.moving_variance),
            )

        return self._choose(training, fixed, batch, averages)

    def _normalized(
        self,
        inputs: Tensor,
        mean: Tensor,
        variance: Tensor,
        beta: Tensor | None,
        gamma: Tensor | None,
    ) -> Tensor:
        spread = [
            None if tensor is None else _tf.cast(_tf.reshape(tensor, self._spread), inputs.dtype)
            for tensor in (mean, variance, beta, gamma)
        ]
        return _tf.nn.batch_normalization(inputs, *spread, self.epsilon)

    def _plain_call(
        self, inputs: Tensor, training: Tensor | bool, fixed: bool | None
    ) -> tuple[Tensor, ...]:
        mean, variance = self._moments(inputs, training, fixed)
        return self._normalized(inputs, mean, variance, self.beta, self.gamma), mean, variance

    def _renorm_call(self, inputs: Tensor, training: Tensor | bool, fixed: bool | None) -> Tensor:
        """Batch renormalization: `x * r + d`, no gradients through the corrections `r` and `d`."""
        mean, variance = self._moments(inputs, training, fixed)
        beta, gamma = self.beta, self.gamma
        if fixed is not False:
            r, d, mean_now, stddev_now = self._corrections(mean, variance, training, fixed)
            gamma_before = r if gamma is None else gamma * r
            shift = d if self.gamma is None else d * self.gamma
            beta = shift if beta is None else beta + shift
            gamma = gamma_before
            if self._renorm_by_weight:
                self._follow_by_weight(mean_now, stddev_now, training, fixed)
            else:
                self._follow_all(mean, variance, mean_now, stddev_now, training, fixed)
        outputs = self._normalized(inputs, mean, variance, beta, gamma)
        outputs.set_shape(inputs.shape)
        return outputs

    def _corrections(
        self, mean: Tensor, variance: Tensor, training: Tensor | bool, fixed: bool | None
    ) -> tuple[Tensor, ...]:
        """`r` and `d`, and mean and deviation, which come only after these were computed."""
        stddev = _tf.sqrt(variance + self.epsilon)
        if self._renorm_by_weight:  # what is of no batch yet is of this one
            usual = self.renorm_stddev + (1.0 - self.renorm_stddev_weight) * stddev
            center = self.renorm_mean + (1.0 - self.renorm_mean_weight) * mean
        else:  # the averages may still be near zero early on
            usual = _tf.maximum(self.renorm_stddev, self.epsilon**0.5)
            center = self.renorm_mean
        r, d = stddev / usual, (mean - center) / usual
        with _tf.control_dependencies([r, d]):
            mean, stddev = _tf.identity(mean), _tf.identity(stddev)
        rmin, rmax, dmax = (self.renorm_clipping.get(key) for key in ("rmin", "rmax", "dmax"))
        r = r if rmin is None else _tf.maximum(r, rmin)
        r = r if rmax is None else _tf.minimum(r, rmax)
        d = d if dmax is None else _tf.minimum(_tf.maximum(d, -dmax), dmax)
        if fixed is None:
            r = _tf.cond(training, lambda: r, lambda: _tf.ones_like(r))
            d = _tf.cond(training, lambda: d, lambda: _tf.zeros_like(d))
        return _tf.stop_gradient(r), _tf.stop_gradient(d), mean, stddev

    def _follow_by_weight(
        self, mean: Tensor, stddev: Tensor, training: Tensor | bool, fixed: bool | None
    ) -> None:
        """Adds the updates of up to 1.14: the averages for inference follow those of renormalization."""

        def average(variable: Any, weight: Any, value: Tensor) -> Tensor:
            slow = (training, fixed, self.renorm_momentum)
            with _tf.control_dependencies([value]):
                return self._follow(variable, value, *slow) / self._follow(weight, 1.0, *slow)

        mean = average(self.renorm_mean, self.renorm_mean_weight, mean)
        stddev = average(self.renorm_stddev, self.renorm_stddev_weight, stddev)
        squared = stddev * stddev - self.epsilon
        for variable, value in ((self.moving_mean, mean), (self.moving_variance, squared)):
            if fixed is None:  # no number comes of 0 / 0 before the first batch
                value = _tf.where_v2(training, value, variable)
            self.add_update(self._follow(variable, value, training, fixed))

    def _follow_all(
        self,
        mean: Tensor,
        variance: Tensor,
        mean_now: Tensor,
        stddev_now: Tensor,
        training: Tensor | bool,
        fixed: bool | None,
    ) -> None:
        """Adds the updates: the averages of renormalization first, then those for inference."""
        slow: dict[str, Any] = {
            "training": training,
            "fixed": fixed,
            "momentum": self.renorm_momentum,
        }
        first = [
            self._follow(self.renorm_mean, mean_now, **slow),
            self._follow(self.renorm_stddev, stddev_now, **slow),
        ]
        with _tf.control_dependencies(first):
            mean, variance = _tf.identity(mean), _tf.identity(variance)
        self.add_update(self._follow(self.moving_mean, mean, training, fixed))
        stddev = _tf.sqrt(variance + self.epsilon)
        moved = self._follow(self.moving_stddev, stddev, training, fixed)
        squared = _tf.nn.relu(moved * moved - self.epsilon)
        if fixed is None:
            squared = _tf.cond(training, lambda: squared, self.moving_variance.read_value)
        self.add_update(_tf.assign(self.moving_variance, squared))


def function_signature() -> inspect.Signature:
    """The signature of `tf.layers.batch_normalization`: the layer's, the inputs and how it is called."""
    of_layer = inspect.signature(BatchNormalization.__init__).parameters
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    of_call = {
        name: inspect.Parameter(name, kind, default=default)
        for name, default in (("training", False), ("reuse", None))
    }
    first = [name for name in of_layer if name not in ("self", "kwargs")]
    last = first[first.index("renorm") :]
    order = [*first[: -len(last)], "training", "trainable", "name", "reuse", *last]
    known = {**of_layer, **of_call}
    return inspect.Signature(
        [inspect.Parameter("inputs", kind), *(known[name] for name in dict.fromkeys(order))]
    )
