"""An optimizer that also keeps moving averages, and a saver that stores them in place of the variables."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._types import Name, Op, Size

_tf = _tensorflow.compat_v1()


class MovingAverageOptimizer(_tf.train.Optimizer):
    """Keeps averages of what an optimizer trains (`tf.contrib.opt.MovingAverageOptimizer`).

    Args:
        average_decay: Decay of the averages.
        num_updates: As for `tf.train.ExponentialMovingAverage`.
        sequential_update: Whether an average is updated after its variable, and not beside it.
    """

    def __init__(
        self,
        opt: Any,
        average_decay: float = 0.9999,
        num_updates: Size | None = None,
        sequential_update: bool = True,
    ) -> None:
        self._optimizer = opt
        self._ema = _tf.train.ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._other: dict[str, str] | None = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """As the optimizer does."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: Name = None
    ) -> Op:
        """Applies gradients and updates the averages.

        Args:
            grads_and_vars: Pairs of a gradient and its variable.
        """
        pairs = list(grads_and_vars)
        train = self._optimizer.apply_gradients(pairs, global_step=global_step, name=name)
        trained = [var for grad, var in pairs if grad is not None]
        with _tf.control_dependencies([train] if self._sequential_update else []):
            averaged = self._ema.apply(trained)
        self._other = {}
        for var in trained:
            average = self._ema.average(var)
            self._other[var.op.name] = average.op.name
            self._other[average.op.name] = var.op.name
        return _tf.group(train, averaged, name="train_with_avg")

    def swapping_saver(
        self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any
    ) -> Any:
        """A saver that stores each average under its variable's name, and the other way round.

        Args:
            var_list: As for `tf.train.Saver`.
            name: As there.
            **kwargs: As there.

        Raises:
            RuntimeError: If no gradients were applied yet.
            ValueError: If an average or its variable is not among the variables.
        """
        if self._other is None:
            raise RuntimeError(
                "Must call apply_gradients or minimize before creating the swapping_saver"
            )
        listed = _tf.global_variables() if var_list is None else var_list
        if not isinstance(listed, dict):
            listed = {var.op.name: var for var in listed}
        known = {
            key if not isinstance(value, list) else part.op.name: part
            for key, value in listed.items()
            for part in (value if isinstance(value, list) else [value])
        }
        swapped = {
            key: [self._swapped(known, part.op.name, part) for part in value]
            if isinstance(value, list)
            else self._swapped(known, key, value)
            for key, value in listed.items()
        }
        return _tf.train.Saver(swapped, name=name, **kwargs)

    def _swapped(self, known: dict[str, Any], name: str, var: Any) -> Any:
        other = (self._other or {}).get(name)
        if other is None:
            return var
        if other not in known:
            raise ValueError(f"Variable to swap {other} is not part of variables to save")
        return known[other]
