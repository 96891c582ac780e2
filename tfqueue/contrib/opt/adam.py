"""Relatives of Adam: with Nesterov's momentum, with the maximum norm, and one for sparse gradients."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import DType, Op, Tensor

_tf = _tensorflow.compat_v1()


class _Adam(_tf.train.AdamOptimizer):
    """What the relatives share: numbers in a variable's type."""

    def _numbers(self, dtype: DType) -> list[Any]:
        """The rate, both betas, epsilon, and the powers of the betas, in one type."""
        numbers = [self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t]
        return [_tf.cast(one, dtype) for one in [*numbers, *self._powers()]]

    def _powers(self) -> list[Any]:
        return list(self._get_beta_accumulators())

    def _moments(self, var: Any) -> tuple[Any, Any]:
        return self.get_slot(var, "m"), self.get_slot(var, "v")


class _Fused(_Adam):
    """One op of TensorFlow updates a variable by a dense gradient."""

    _op: str
    _options: dict[str, Any] = {}

    def _apply_dense(self, grad: Tensor, var: Any) -> Op:
        numbers = self._numbers(var.dtype.base_dtype)
        return self._update(self._op, grad, [each._ref() for each in self._all(var)], numbers).op

    def _resource_apply_dense(self, grad: Tensor, var: Any) -> Op:
        numbers = self._numbers(grad.dtype.base_dtype)
        handles = [each.handle for each in self._all(var)]
        return self._update(f"Resource{self._op}", grad, handles, numbers)

    def _all(self, var: Any) -> list[Any]:
        return [var, *self._moments(var)]

    def _update(self, op: str, grad: Tensor, variables: list[Any], numbers: list[Any]) -> Any:
        names = "lr", "beta1", "beta2", "epsilon", "beta1_power", "beta2_power"
        given = dict(zip(names, numbers, strict=False))  # AdaMax has one power
        given.update(zip(("var", "m", "v"), variables, strict=True))
        locked = self._use_locking
        return getattr(_tf.raw_ops, op)(grad=grad, use_locking=locked, **given, **self._options)


class _ByRows(_Adam):
    """Where a gradient is sparse, only its rows of a variable are updated."""

    def _apply_sparse(self, grad: Any, var: Any) -> Op:
        return self._by_rows(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Tensor, var: Any, indices: Tensor) -> Op:
        return self._by_rows(grad, var, indices)

    def _by_rows(self, grad: Tensor, var: Any, indices: Tensor) -> Op:
        raise NotImplementedError

    def _rows_updated(
        self, var: Any, indices: Tensor, moments: tuple[Tensor, Tensor], move: Any, step: Tensor
    ) -> Op:
        """The op that gives rows their new moments, and moves them by a step."""
        lock = self._use_locking
        slots = zip(self._moments(var), moments, strict=True)
        return _tf.group(
            *(_tf.scatter_update(slot, indices, new, use_locking=lock) for slot, new in slots),
            move(var, indices, step, use_locking=lock),
        )


class NadamOptimizer(_Fused):
    """Adam with Nesterov's momentum (`tf.contrib.opt.NadamOptimizer`); arguments as for Adam."""

    _op = "ApplyAdam"
    _options = {"use_nesterov": True}

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


class LazyAdamOptimizer(_ByRows):
    """Adam that leaves rows without a gradient alone (`tf.contrib.opt.LazyAdamOptimizer`)."""

    def _by_rows(self, grad: Tensor, var: Any, indices: Tensor) -> Op:
        m, v = self._moments(var)
        lr, beta1, beta2, epsilon, power1, power2 = self._numbers(var.dtype.base_dtype)
        rate = lr * _tf.sqrt(1 - power2) / (1 - power1)
        first = beta1 * _tf.gather(m, indices) + (1 - beta1) * grad
        second = beta2 * _tf.gather(v, indices) + (1 - beta2) * _tf.square(grad)
        step = rate * first / (_tf.sqrt(second) + epsilon)
        return self._rows_updated(var, indices, (first, second), _tf.scatter_sub, step)


class AdaMaxOptimizer(_Fused, _ByRows):
    """Adam with the maximum norm (`tf.contrib.opt.AdaMaxOptimizer`).

    Args:
        beta1: Decay of the mean of gradients.
        beta2: Decay of their greatest norm.
        epsilon: Keeps the divisor from zero.
        name: Prefix of the slots' and ops' names.
    """

    _op = "ApplyAdaMax"
    __init__ = constructor(
        "learning_rate=0.001 beta1=0.9 beta2=0.999 epsilon=1e-8 use_locking=False name='AdaMax'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        super().__init__(**given)

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

    def _by_rows(self, grad: Tensor, var: Any, indices: Tensor) -> Op:
        m, v = self._moments(var)
        lr, beta1, beta2, epsilon, power = self._numbers(var.dtype.base_dtype)
        first = _tf.gather(m, indices) * beta1 + grad * (1 - beta1)
        second = _tf.maximum(_tf.gather(v, indices) * beta2, _tf.abs(grad))
        step = -lr / (1 - power) * (first / (second + epsilon))
        return self._rows_updated(var, indices, (first, second), _tf.scatter_add, step)

    def _finish(self, update_ops: list[Op], name_scope: str) -> Op:
        power = self._get_beta_accumulators()
        with _tf.control_dependencies(update_ops), _tf.colocate_with(power):
            next_power = power.assign(power * self._beta1_t, use_locking=self._use_locking)
        return _tf.group(*update_ops, next_power, name=name_scope)
