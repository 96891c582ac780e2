"""Relatives of Adam: with Nesterov's momentum, with the maximum norm, and one for sparse gradients."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._types import DType, Op, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["AdaMaxOptimizer", "LazyAdamOptimizer", "NadamOptimizer"]


class _Adam(_tf.train.AdamOptimizer):
    """What the relatives share: numbers in a variable's type, and one way for sparse gradients."""

    def _numbers(self, dtype: DType) -> list[Any]:
        """The rate, both betas, epsilon, and the powers of the betas, in one type."""
        numbers = [self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t]
        return [_tf.cast(one, dtype) for one in [*numbers, *self._powers()]]

    def _powers(self) -> list[Any]:
        return list(self._get_beta_accumulators())

    def _moments(self, var: Any) -> tuple[Any, Any]:
        return self.get_slot(var, "m"), self.get_slot(var, "v")


class NadamOptimizer(_Adam):
    """Adam with Nesterov's momentum (`tf.contrib.opt.NadamOptimizer`); arguments as for Adam."""

    def _apply_dense(self, grad: Tensor, var: Any) -> Op:
        m, v = self._moments(var)
        lr, beta1, beta2, epsilon, power1, power2 = self._numbers(var.dtype.base_dtype)
        return _tf.raw_ops.ApplyAdam(
            var=var._ref(),
            m=m._ref(),
            v=v._ref(),
            beta1_power=power1,
            beta2_power=power2,
            lr=lr,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            grad=grad,
            use_locking=self._use_locking,
            use_nesterov=True,
        ).op

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Op:
        m, v = self._moments(var)
        lr, beta1, beta2, epsilon, power1, power2 = self._numbers(grad.dtype.base_dtype)
        return _tf.raw_ops.ResourceApplyAdam(
            var=var.handle,
            m=m.handle,
            v=v.handle,
            beta1_power=power1,
            beta2_power=power2,
            lr=lr,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            grad=grad,
            use_locking=self._use_locking,
            use_nesterov=True,
        )

    def _apply_sparse_shared(self, grad: Tensor, var: Any, indices: Tensor, add: Any) -> Op:
        m, v = self._moments(var)
        lr, beta1, beta2, epsilon, power1, power2 = self._numbers(var.dtype.base_dtype)
        rate = lr * _tf.sqrt(1 - power2) / (1 - power1)
        share = grad * (1 - beta1)
        with _tf.control_dependencies([_tf.assign(m, m * beta1, use_locking=self._use_locking)]):
            first = share + beta1 * _tf.gather(add(m, indices, share), indices)
        with _tf.control_dependencies([_tf.assign(v, v * beta2, use_locking=self._use_locking)]):
            second = _tf.gather(add(v, indices, grad * grad * (1 - beta2)), indices)
        update = add(var, indices, -rate * first / (_tf.sqrt(second) + epsilon))
        return _tf.group(update, first, second)


class LazyAdamOptimizer(_Adam):
    """Adam that leaves rows without a gradient alone (`tf.contrib.opt.LazyAdamOptimizer`)."""

    def _apply_sparse(self, grad: Any, var: Any) -> Op:
        return self._lazily(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Tensor, var: Any, indices: Tensor) -> Op:
        return self._lazily(grad, var, indices)

    def _lazily(self, grad: Tensor, var: Any, indices: Tensor) -> Op:
        m, v = self._moments(var)
        lr, beta1, beta2, epsilon, power1, power2 = self._numbers(var.dtype.base_dtype)
        rate = lr * _tf.sqrt(1 - power2) / (1 - power1)
        first = beta1 * _tf.gather(m, indices) + (1 - beta1) * grad
        second = beta2 * _tf.gather(v, indices) + (1 - beta2) * _tf.square(grad)
        step = rate * first / (_tf.sqrt(second) + epsilon)
        lock = self._use_locking
        return _tf.group(
            _tf.scatter_update(m, indices, first, use_locking=lock),
            _tf.scatter_update(v, indices, second, use_locking=lock),
            _tf.scatter_sub(var, indices, step, use_locking=lock),
        )


class AdaMaxOptimizer(_Adam):
    """Adam with the maximum norm (`tf.contrib.opt.AdaMaxOptimizer`).

    Args:
        learning_rate: The rate.
        beta1: Decay of the mean of gradients.
        beta2: Decay of their greatest norm.
        epsilon: Keeps the divisor from zero.
        use_locking: Whether updates lock the variables.
        name: Prefix of the slots' and ops' names.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "AdaMax",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self) -> Any:
        return self._get_non_slot_variable("beta1_power", graph=_tf.get_default_graph())

    def _powers(self) -> list[Any]:
        return [self._get_beta_accumulators()]

    def _create_slots(self, var_list: list[Any]) -> None:
        first = min(var_list, key=lambda var: var.name)
        self._create_non_slot_variable(self._beta1, "beta1_power", first)
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _apply_dense(self, grad: Tensor, var: Any) -> Op:
        m, v = self._moments(var)
        lr, beta1, beta2, epsilon, power = self._numbers(var.dtype.base_dtype)
        return _tf.raw_ops.ApplyAdaMax(
            var=var._ref(),
            m=m._ref(),
            v=v._ref(),
            beta1_power=power,
            lr=lr,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            grad=grad,
            use_locking=self._use_locking,
        ).op

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Op:
        m, v = self._moments(var)
        lr, beta1, beta2, epsilon, power = self._numbers(grad.dtype.base_dtype)
        return _tf.raw_ops.ResourceApplyAdaMax(
            var=var.handle,
            m=m.handle,
            v=v.handle,
            beta1_power=power,
            lr=lr,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            grad=grad,
            use_locking=self._use_locking,
        )

    def _apply_sparse(self, grad: Any, var: Any) -> Op:
        return self._by_rows(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Tensor, var: Any, indices: Tensor) -> Op:
        return self._by_rows(grad, var, indices)

    def _by_rows(self, grad: Tensor, var: Any, indices: Tensor) -> Op:
        m, v = self._moments(var)
        lr, beta1, beta2, epsilon, power = self._numbers(var.dtype.base_dtype)
        first = _tf.gather(m, indices) * beta1 + grad * (1 - beta1)
        second = _tf.maximum(_tf.gather(v, indices) * beta2, _tf.abs(grad))
        step = -lr / (1 - power) * (first / (second + epsilon))
        lock = self._use_locking
        return _tf.group(
            _tf.scatter_update(m, indices, first, use_locking=lock),
            _tf.scatter_update(v, indices, second, use_locking=lock),
            _tf.scatter_add(var, indices, step, use_locking=lock),
        )

    def _finish(self, update_ops: list[Op], name_scope: str) -> Op:
        power = self._get_beta_accumulators()
        with _tf.control_dependencies(update_ops), _tf.colocate_with(power):
            next_power = power.assign(power * self._beta1_t, use_locking=self._use_locking)
        return _tf.group(*update_ops, next_power, name=name_scope)
