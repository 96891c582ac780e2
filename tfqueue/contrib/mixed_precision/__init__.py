"""`tf.contrib.mixed_precision`: losses that are multiplied, so that gradients of half precision do not vanish."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Name, Op, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "ExponentialUpdateLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "LossScaleOptimizer",
]


class LossScaleManager:
    """What a loss is multiplied by (`tf.contrib.mixed_precision.LossScaleManager`)."""

    def get_loss_scale(self) -> Tensor:
        """The factor, a scalar float32 tensor."""
        raise NotImplementedError

    def update_loss_scale(self, finite_grads: Tensor) -> Op:
        """The op that changes the factor.

        Args:
            finite_grads: Scalar bool tensor, whether all gradients of the step are finite.
        """
        raise NotImplementedError


class FixedLossScaleManager(LossScaleManager):
    """Always the same factor (`tf.contrib.mixed_precision.FixedLossScaleManager`).

    Args:
        loss_scale: The factor.

    Raises:
        ValueError: If it is below 1.
    """

    def __init__(self, loss_scale: float) -> None:
        if loss_scale < 1:
            raise ValueError("loss scale must be at least 1.")
        self._loss_scale = _tf.convert_to_tensor(loss_scale, dtype=_tf.float32)

    def get_loss_scale(self) -> Tensor:
        """The factor."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Tensor) -> Op:
        """Nothing."""
        return _tf.no_op()


class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A factor that grows while gradients are finite (`...mixed_precision.ExponentialUpdateLossScaleManager`).

    Args:
        init_loss_scale: The first factor.
        incr_every_n_steps: After how many steps in a row with finite gradients it grows.
        decr_every_n_nan_or_inf: After how many others it shrinks, to 1 at least.
        incr_ratio: What it is multiplied by to grow, unless that is infinite.
        decr_ratio: What it is multiplied by to shrink.
    """

    def __init__(
        self,
        init_loss_scale: float,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int = 2,
        incr_ratio: float = 2,
        decr_ratio: float = 0.8,
    ) -> None:
        self._to_grow, self._to_shrink = incr_every_n_steps, decr_every_n_nan_or_inf
        self._growth, self._shrinkage = incr_ratio, decr_ratio
        first = _tf.convert_to_tensor(init_loss_scale, _tf.float32)
        self._loss_scale = _tf.Variable(first, name="loss_scale", trainable=False)
        self._good = _tf.Variable(0, dtype=_tf.int32, name="good_steps", trainable=False)
        self._bad = _tf.Variable(0, dtype=_tf.int32, name="bad_steps", trainable=False)

    def get_loss_scale(self) -> Tensor:
        """The factor."""
        return self._loss_scale

    def _set(self, factor: Tensor) -> Op:
        steps = [_tf.assign(each, 0) for each in (self._good, self._bad)]
        return _tf.group(_tf.assign(self._loss_scale, factor), *steps)

    def _grow(self) -> Op:
        more = self._loss_scale * self._growth
        return self._set(_tf.where(_tf.is_finite(more), more, self._loss_scale))

    def _shrink(self) -> Op:
        return self._set(_tf.maximum(1.0, self._loss_scale * self._shrinkage))

    def update_loss_scale(self, finite_grads: Tensor) -> Op:
        """The op that counts the step, and changes the factor where it is time to."""
        return _tf.cond(
            finite_grads,
            lambda: _tf.cond(
                self._good + 1 >= self._to_grow,
                self._grow,
                lambda: _tf.group(_tf.assign_add(self._good, 1)),
            ),
            lambda: _tf.cond(
                self._bad + 1 >= self._to_shrink,
                self._shrink,
                lambda: _tf.group(_tf.assign_add(self._bad, 1), _tf.assign(self._good, 0)),
            ),
        )


class LossScaleOptimizer(_tf.train.Optimizer):
    """An optimizer whose loss is multiplied, and its gradients divided (`...mixed_precision.LossScaleOptimizer`).

    A step whose gradients are not all finite changes no variable.

    Args:
        opt: The optimizer.
        loss_scale_manager: A `LossScaleManager`.
    """

    def __init__(self, opt: Any, loss_scale_manager: LossScaleManager) -> None:
        self._opt, self._manager = opt, loss_scale_manager

    def compute_gradients(
        self,
        loss: Tensor,
        var_list: list[Tensor] | None = None,
        gate_gradients: int = _tf.train.Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Tensor | None = None,
    ) -> list[tuple[Tensor, Tensor]]:
        """Pairs of gradients and variables, as of the loss itself; the arguments are those of any optimizer."""
        factor = self._manager.get_loss_scale()

        def scaled() -> Tensor:
            value = loss() if callable(loss) else loss
            return value * _tf.cast(factor, value.dtype.base_dtype)

        pairs = self._opt.compute_gradients(
            scaled if _tf.executing_eagerly() else scaled(),
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        less = _tf.reciprocal(factor)
        return [(g if g is None else g * _tf.cast(less, g.dtype.base_dtype), v) for g, v in pairs]

    def apply_gradients(
        self,
        grads_and_vars: list[tuple[Tensor, Tensor]],
        global_step: Tensor | None = None,
        name: Name = None,
    ) -> Op:
        """The op of a step, and of the change of the factor."""
        finite = _tf.reduce_all([_tf.reduce_all(_tf.is_finite(g)) for g, _ in grads_and_vars])
        step = _tf.cond(
            finite,
            lambda: _tf.group(self._opt.apply_gradients(grads_and_vars, global_step, name)),
            _tf.no_op,
        )
        return _tf.group(step, self._manager.update_loss_scale(finite))


__getattr__, __dir__ = _lazy_names.attributes(__name__, {})
