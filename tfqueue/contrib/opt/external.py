"""Optimizers outside of TensorFlow that take a loss and its gradients as functions: those of scipy."""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue.v1._types import Feeds, Session, Tensor

_tf = _tensorflow.compat_v1()


class ExternalOptimizerInterface:
    """The base of optimizers outside of TensorFlow (`tf.contrib.opt.ExternalOptimizerInterface`).

    Args:
        loss: Scalar tensor to make small.
        var_list: Variables to change; the trainable ones when None.
        equalities: Scalar tensors to hold at zero.
        inequalities: Scalar tensors to hold at zero or above.
        var_to_bounds: From a variable to its lower and upper bound.
        **optimizer_kwargs: What a derived class makes of them.
    """

    def __init__(
        self,
        loss: Tensor,
        var_list: Sequence[Any] | None = None,
        equalities: Sequence[Tensor] | None = None,
        inequalities: Sequence[Tensor] | None = None,
        var_to_bounds: dict[Any, tuple[Any, Any]] | None = None,
        **optimizer_kwargs: Any,
    ) -> None:
        self._loss = loss
        self._equalities = equalities or []
        self._inequalities = inequalities or []
        self._vars = _tf.trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = None if var_to_bounds is None else self._bounds(var_to_bounds)
        self._update_placeholders = [_tf.placeholder(var.dtype) for var in self._vars]
        self._var_updates = [
            var.assign(_tf.reshape(value, _shape(var)))
            for var, value in zip(self._vars, self._update_placeholders, strict=True)
        ]
        self.optimizer_kwargs = optimizer_kwargs
        self._packed_var = self._pack(self._vars)
        self._packed_loss_grad = self._gradient(loss)
        self._packed_equality_grads = [self._gradient(one) for one in self._equalities]
        self._packed_inequality_grads = [self._gradient(one) for one in self._inequalities]
        ends = [0, *itertools.accumulate(math.prod(_shape(var)) for var in self._vars)]
        self._packing_slices = [slice(*pair) for pair in itertools.pairwise(ends)]

    def _bounds(self, given: dict[Any, tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        pairs: list[tuple[Any, Any]] = []
        for var in self._vars:
            low, high = given.get(var, (-np.inf, np.inf))
            sides = (np.broadcast_to(side, _shape(var)).flat for side in (low, high))
            pairs += zip(*sides, strict=True)
        return pairs

    def _gradient(self, tensor: Tensor) -> Any:
        found = zip(_tf.gradients(tensor, self._vars), self._vars, strict=True)
        return self._pack([_tf.zeros_like(var) if grad is None else grad for grad, var in found])

    @classmethod
    def _pack(cls, tensors: Sequence[Tensor]) -> Any:
        if not tensors:
            return None
        flat = [_tf.reshape(tensor, [-1]) for tensor in tensors]
        return flat[0] if len(flat) == 1 else _tf.concat(flat, 0)

    def minimize(
        self,
        session: Session | None = None,
        feed_dict: Feeds | None = None,
        fetches: Sequence[Any] | None = None,
        step_callback: Callable[[Any], Any] | None = None,
        loss_callback: Callable[..., Any] | None = None,
        **run_kwargs: Any,
    ) -> None:
        """Makes the loss small, and sets the variables at the end.

        Args:
            session: The session; the default one when None.
            feed_dict: What is fed when the loss is computed.
            fetches: What is computed beside it, for `loss_callback`.
            step_callback: Called at each step with all variables as one vector.
            loss_callback: Called with the values of `fetches` whenever the loss was computed.
            **run_kwargs: For the `run` that sets the variables.
        """
        session = session or _tf.get_default_session()
        feeds, beside = feed_dict or {}, list(fetches or [])

        def function(tensors: Any, callback: Callable[..., Any] | None = None) -> Any:
            return self._make_eval_func(tensors, session, feeds, beside, callback)

        found = self._minimize(
            initial_val=session.run(self._packed_var),
            loss_grad_func=function(
                [self._loss, self._packed_loss_grad], loss_callback or (lambda *_: None)
            ),
            equality_funcs=[function(one) for one in self._equalities],
            equality_grad_funcs=[function(one) for one in self._packed_equality_grads],
            inequality_funcs=[function(one) for one in self._inequalities],
            inequality_grad_funcs=[function(one) for one in self._packed_inequality_grads],
            packed_bounds=self._packed_bounds,
            step_callback=step_callback or (lambda _: None),
            optimizer_kwargs=self.optimizer_kwargs,
        )
        values = [found[part] for part in self._packing_slices]
        feeds = dict(zip(self._update_placeholders, values, strict=True))
        session.run(self._var_updates, feed_dict=feeds, **run_kwargs)

    def _minimize(self, **given: Any) -> Any:
        raise NotImplementedError(
            "To use ExternalOptimizerInterface, subclass from it and implement _minimize()"
        )

    def _make_eval_func(
        self,
        tensors: Any,
        session: Session,
        feed_dict: Feeds,
        fetches: list[Any],
        callback: Callable[..., Any] | None = None,
    ) -> Callable[[Any], list[Any]]:
        """A function from all variables as one vector to the values of tensors."""
        wanted = tensors if isinstance(tensors, list) else [tensors]

        def function(x: Any) -> list[Any]:
            parts = zip(self._vars, self._packing_slices, strict=True)
            feeds = {var: x[part].reshape(_shape(var)) for var, part in parts}
            values = session.run(wanted + fetches, feed_dict={**feeds, **feed_dict})
            if callable(callback):
                callback(*values[len(wanted) :])
            return list(values[: len(wanted)])

        return function


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """The optimizers of `scipy.optimize.minimize` (`tf.contrib.opt.ScipyOptimizerInterface`).

    `method` names one, L-BFGS-B when left out; `options` and further arguments are scipy's.
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(  # type: ignore[override]
        self,
        initial_val: Any,
        loss_grad_func: Callable[[Any], list[Any]],
        equality_funcs: list[Any],
        equality_grad_funcs: list[Any],
        inequality_funcs: list[Any],
        inequality_grad_funcs: list[Any],
        packed_bounds: list[tuple[Any, Any]] | None,
        step_callback: Callable[[Any], Any],
        optimizer_kwargs: dict[str, Any],
    ) -> Any:
        from scipy import optimize

        def loss_and_gradient(x: Any) -> tuple[Any, Any]:
            loss, gradient = loss_grad_func(x)
            return loss, gradient.astype("float64")

        kinds = [
            ("eq", equality_funcs, equality_grad_funcs),
            ("ineq", inequality_funcs, inequality_grad_funcs),
        ]
        own = {
            "jac": True,
            "callback": step_callback,
            "constraints": [
                {"type": kind, "fun": function, "jac": gradient}
                for kind, functions, gradients in kinds
                for function, gradient in zip(functions, gradients, strict=True)
            ],
            "bounds": packed_bounds,
        }
        given = {"method": self._DEFAULT_METHOD, **optimizer_kwargs}
        for name in own.keys() & given.keys():
            if name == "bounds":
                raise ValueError("Bounds must be set using the var_to_bounds argument")
            raise ValueError(
                f"Optimizer keyword arg '{name}' is set automatically and cannot be injected manually"
            )
        # scipy took steps in float64 whatever the variables were; today's keeps float32
        start = np.asarray(initial_val, np.float64)
        result = optimize.minimize(loss_and_gradient, start, **own, **given)
        lines = ["Optimization terminated with:", f"  Message: {_text(result.message)}"]
        lines.append(f"  Objective function value: {float(result.fun):f}")
        for name, what in (("nit", "iterations"), ("nfev", "functions evaluations")):
            if hasattr(result, name):
                lines.append(f"  Number of {what}: {getattr(result, name)}")
        _tf.logging.info("%s", "\n".join(lines))
        return result["x"]


def _text(message: Any) -> str:
    return message.decode() if isinstance(message, bytes) else str(message)


def _shape(var: Any) -> tuple[int, ...]:
    return tuple(var.get_shape().as_list())
