"""Optimizers that also let the variables decay, apart from the gradients."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Name, Op, Tensor

_tf = _tensorflow.compat_v1()


class DecoupledWeightDecayExtension:
    """Put in front of an optimizer, decays variables first (`DecoupledWeightDecayExtension`).

    Args:
        weight_decay: The share of a variable that is taken off at each step, or a function that gives it.
        *args: As for the optimizer.
        **kwargs: As for the optimizer.
    """

    def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any) -> None:
        self._decayed: list[Any] = []  # none: all
        self._gradients: list[Any] = []
        self._weight_decay = weight_decay
        super().__init__(*args, **kwargs)

    def minimize(
        self,
        loss: Tensor,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = _tf.train.Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: Name = None,
        grad_loss: Tensor | None = None,
        decay_var_list: Any = None,
    ) -> Op:
        """Computes gradients and applies them, as the optimizer's `minimize` does.

        Args:
            global_step: As for the optimizer, like all up to `grad_loss`.
            var_list: As there.
            gate_gradients: As there.
            aggregation_method: As there.
            colocate_gradients_with_ops: As there.
            name: As there.
            grad_loss: As there.
            decay_var_list: Not used: TensorFlow 1.15 lost it on its way to `apply_gradients`, and all
                variables decay.
        """
        del decay_var_list
        return super().minimize(  # type: ignore[misc]
            loss,
            global_step=global_step,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            name=name,
            grad_loss=grad_loss,
        )

    def apply_gradients(
        self,
        grads_and_vars: Any,
        global_step: Any = None,
        name: Name = None,
        decay_var_list: Any = None,
    ) -> Op:
        """Applies gradients, as the optimizer's `apply_gradients` does.

        Args:
            grads_and_vars: Pairs of a gradient and its variable.
            decay_var_list: The variables that decay; all when None.
        """
        pairs = list(grads_and_vars)
        self._decayed = list(decay_var_list or [])
        self._gradients = [grad for grad, _ in pairs if grad is not None]
        return super().apply_gradients(  # type: ignore[misc]
            pairs, global_step=global_step, name=name
        )

    def _first(self, var: Any, indices: Tensor | None = None) -> Any:
        """The scope of what comes after the decay of a variable, or of some of its rows."""
        if self._decayed and not any(var is one for one in self._decayed):
            return _tf.control_dependencies([])
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        lock = self._use_locking  # type: ignore[attr-defined]
        with _tf.control_dependencies(self._gradients):  # which are of the values before the decay
            if indices is None:
                op = var.assign_sub(decay * var, lock)
            else:
                change = decay * _tf.gather(var, indices)
                op = _tf.scatter_sub(var, indices, change, use_locking=lock)
        return _tf.control_dependencies([op])

    def _apply_dense(self, grad: Tensor, var: Any) -> Op:
        with self._first(var):
            return super()._apply_dense(grad, var)  # type: ignore[misc]

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Op:
        with self._first(var):
            return super()._resource_apply_dense(grad, var)  # type: ignore[misc]

    def _apply_sparse(self, grad: Any, var: Any) -> Op:
        with self._first(var, grad.indices):
            return super()._apply_sparse(grad, var)  # type: ignore[misc]

    def _resource_apply_sparse(self, grad: Tensor, var: Any, indices: Tensor) -> Op:
        with self._first(var, indices):
            return super()._resource_apply_sparse(grad, var, indices)  # type: ignore[misc]


def extend_with_decoupled_weight_decay(base_optimizer: type) -> type:
    """Gives an optimizer weight decay (`tf.contrib.opt.extend_with_decoupled_weight_decay`).

    Args:
        base_optimizer: A class of optimizers.

    Returns:
        A class whose first argument is `weight_decay`, and the rest as before.
    """
    return type(
        "OptimizerWithDecoupledWeightDecay", (DecoupledWeightDecayExtension, base_optimizer), {}
    )


class MomentumWOptimizer(DecoupledWeightDecayExtension, _tf.train.MomentumOptimizer):
    """Momentum with weight decay (`tf.contrib.opt.MomentumWOptimizer`).

    Args:
        weight_decay: As for `DecoupledWeightDecayExtension`.
        name: Prefix of the slots' and ops' names.
        use_nesterov: Whether the momentum is Nesterov's.
    """

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "MomentumW",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(weight_decay, learning_rate, momentum, use_locking, name, use_nesterov)


class AdamWOptimizer(DecoupledWeightDecayExtension, _tf.train.AdamOptimizer):
    """Adam with weight decay (`tf.contrib.opt.AdamWOptimizer`).

    Args:
        weight_decay: As for `DecoupledWeightDecayExtension`.
        learning_rate: As for Adam, like the rest.
        beta1: As there.
        beta2: As there.
        epsilon: As there.
        use_locking: As there.
        name: As there.
    """

    __init__ = constructor(
        "weight_decay learning_rate=0.001 beta1=0.9 beta2=0.999 epsilon=1e-8 use_locking=False "
        "name='AdamW'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        super().__init__(*given.values())


class LARSOptimizer(_tf.train.MomentumOptimizer):
    """Momentum whose rate goes with each variable's norm (`tf.contrib.opt.LARSOptimizer`).

    Args:
        learning_rate: As for momentum.
        momentum: As there.
        weight_decay: The share of a variable that is added to its gradient.
        eeta: What the ratio of the two norms is multiplied with.
        epsilon: What is added to the gradient's norm.
        name: Prefix of the slots' and ops' names.
        skip_list: Parts of names: variables that have one train with the rate as it is, and do not decay.
        use_nesterov: Whether the momentum is Nesterov's.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: float = 0.9,
        weight_decay: float = 0.0001,
        eeta: float = 0.001,
        epsilon: float = 0.0,
        name: str = "LARSOptimizer",
        skip_list: Any = None,
        use_nesterov: bool = False,
    ) -> None:
        for what, value in (("momentum", momentum), ("weight_decay", weight_decay)):
            if value < 0:
                raise ValueError(f"{what} should be positive: {value}")
        super().__init__(learning_rate, momentum, name=name, use_nesterov=use_nesterov)
        self._weight_decay = weight_decay
        self._eeta = eeta
        self._epsilon = epsilon
        self._skip_list = skip_list

    def compute_lr(self, grad: Tensor, var: Any) -> tuple[Any, Tensor]:
        """The rate for a variable, and its gradient with the decay."""
        rate = self._learning_rate
        if self._skip_list is not None and any(part in var.name for part in self._skip_list):
            return rate, grad
        size, steepness = _tf.norm(var, ord=2), _tf.norm(grad, ord=2)
        ratio = self._eeta * size / (steepness + self._weight_decay * size + self._epsilon)
        both = _tf.logical_and(size > 0, steepness > 0)
        return rate * _tf.where(both, ratio, _tf.ones_like(ratio)), grad + self._weight_decay * var

    def _apply_dense(self, grad: Tensor, var: Any) -> Op:
        return _tf.raw_ops.ApplyMomentum(
            var=var._ref(), accum=self.get_slot(var, "momentum")._ref(), **self._step(grad, var)
        ).op

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Op:
        slot = self.get_slot(var, "momentum")
        return _tf.raw_ops.ResourceApplyMomentum(
            var=var.handle, accum=slot.handle, **self._step(grad, var)
        )

    def _step(self, grad: Tensor, var: Any) -> dict[str, Any]:
        """The arguments of an op: the momentum gathers gradients that are multiplied with the rate."""
        rate, grad = self.compute_lr(grad, var)
        return {
            "lr": _tf.cast(1.0, grad.dtype),
            "grad": grad * rate,
            "momentum": _tf.cast(self._momentum, grad.dtype),
            "use_nesterov": self._use_nesterov,
        }
