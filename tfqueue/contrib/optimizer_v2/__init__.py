"""`tf.contrib.optimizer_v2`: the optimizers of `tf.train` with arguments of their own, and an RMSProp that begins otherwise.

A rate, a decay and the like may be a number, a tensor, or a function that gives one, which is called where
the gradients are applied.
"""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.names.sentence import GoneArgumentError
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Name, Op, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "AdadeltaOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "RMSPropOptimizer",
]

# its modules, whose names are the package's
_MODULES = "adadelta adagrad adam gradient_descent momentum optimizer_v2_symbols rmsprop"
__getattr__, __dir__ = _lazy_names.attributes(__name__, dict.fromkeys(_MODULES.split(), __name__))


class _Minimizing(_tf.train.Optimizer):
    """`minimize` and `compute_gradients` with the arguments of `tf.contrib.optimizer_v2`."""

    def minimize(
        self,
        loss: Tensor,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = 1,
        aggregation_method: int | None = None,
        name: Name = None,
        grad_loss: Tensor | None = None,
        stop_gradients: Any = None,
        scale_loss_by_num_replicas: bool | None = None,
        **others: Any,
    ) -> Op:
        """The op of one step.

        Args:
            loss: The scalar to minimize.
            global_step: A variable that counts the steps.
            var_list: The variables to change; None for all that are trainable.
            gate_gradients: One of `GATE_NONE`, `GATE_OP` and `GATE_GRAPH`.
            aggregation_method: How gradients are added up.
            grad_loss: The gradient of the loss itself.
            stop_gradients: Refused.
            scale_loss_by_num_replicas: Whether the loss is that of one replica of several; here is one.

        Raises:
            GoneArgumentError: If `stop_gradients` is given.
        """
        found = self.compute_gradients(
            loss,
            var_list,
            gate_gradients,
            aggregation_method,
            grad_loss,
            stop_gradients,
            scale_loss_by_num_replicas,
            **others,
        )
        if not any(gradient is not None for gradient, _ in found):
            raise ValueError(f"no variable has a gradient: {[str(v) for _, v in found]} and {loss}")
        return self.apply_gradients(found, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss: Tensor,
        var_list: Any = None,
        gate_gradients: int = 1,
        aggregation_method: int | None = None,
        grad_loss: Tensor | None = None,
        stop_gradients: Any = None,
        scale_loss_by_num_replicas: bool | None = None,
        colocate_gradients_with_ops: bool = False,
        scale_loss_by_num_towers: bool | None = None,
    ) -> Any:
        """Pairs of a gradient and its variable; for the arguments see `minimize`.

        Args:
            colocate_gradients_with_ops: An argument up to 1.12, as is `scale_loss_by_num_towers`.
        """
        if stop_gradients is not None:
            raise GoneArgumentError(
                "stop_gradients of an optimizer of tf.contrib.optimizer_v2",
                "2.0",
                "tf.stop_gradient",
            )
        return super().compute_gradients(
            loss,
            var_list,
            gate_gradients,
            aggregation_method,
            colocate_gradients_with_ops,
            grad_loss,
        )


class GradientDescentOptimizer(_Minimizing, _tf.train.GradientDescentOptimizer):
    """`tf.train.GradientDescentOptimizer` (`tf.contrib.optimizer_v2.GradientDescentOptimizer`)."""


class MomentumOptimizer(_Minimizing, _tf.train.MomentumOptimizer):
    """`tf.train.MomentumOptimizer` (`tf.contrib.optimizer_v2.MomentumOptimizer`)."""


class AdamOptimizer(_Minimizing, _tf.train.AdamOptimizer):
    """`tf.train.AdamOptimizer` (`tf.contrib.optimizer_v2.AdamOptimizer`)."""


class AdagradOptimizer(_Minimizing, _tf.train.AdagradOptimizer):
    """`tf.train.AdagradOptimizer` (`tf.contrib.optimizer_v2.AdagradOptimizer`)."""


class AdadeltaOptimizer(_Minimizing, _tf.train.AdadeltaOptimizer):
    """`tf.train.AdadeltaOptimizer` (`tf.contrib.optimizer_v2.AdadeltaOptimizer`)."""


class RMSPropOptimizer(_Minimizing, _tf.train.RMSPropOptimizer):
    """RMSProp whose mean of squares begins with `epsilon` (`tf.contrib.optimizer_v2.RMSPropOptimizer`).

    That of `tf.train` begins with one, and adds `epsilon` to the mean in each step.
    """

    def _create_slots(self, var_list: Any) -> None:
        for v in var_list:
            dtype = v.dtype.base_dtype
            epsilon = _tf.convert_to_tensor(self._call_if_callable(self._epsilon), name="epsilon")
            first = _tf.cast(epsilon, dtype) * _tf.ones_like(v)
            name = self._name
            self._get_or_make_slot_with_initializer(v, first, v.shape, dtype, "rms", name)
            if self._centered:
                self._zeros_slot(v, "mg", name)
            self._zeros_slot(v, "momentum", name)

    def _prepare(self) -> None:
        super()._prepare()
        self._epsilon_tensor = _tf.constant(0.0, name="epsilon")
