"""What optimizers of `tf.keras` begin with: up to TensorFlow 1.13 they were others than since.

They took `lr` first, and had other rates, accumulators and another epsilon. `tf.contrib.keras` kept
those until 1.15. `clipnorm` was the norm of all gradients together up to 1.9 and in the package keras, and is since that
of each; gradients are clipped where they are made, first by their norm. The optimizers of programs that `import keras` are these, too; `tfqueue.contrib._keras_optimizers` names them. The attribute `lr` is tf_keras's own.
"""

import functools
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.names import forms, ledger
from tfqueue.names.keras import OPTIMIZERS
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()
_EPSILON_OF_KERAS_1 = 1e-8


def install(optimizers: Any) -> None:
    """Has the optimizers begin as in the release that the program is from.

    Args:
        optimizers: The module of Keras 2's optimizers.
    """
    for name in OPTIMIZERS:
        rows = forms.old_forms()[f"keras.optimizers.{name}"]
        for method, function in begin_as_of_old(name, rows, getattr(optimizers, name)).items():
            setattr(getattr(optimizers, name), method, function)
    base = optimizers.Optimizer
    base.get_updates = _of_weights_first(base.get_updates)
    base.get_gradients = _clipped(base.get_gradients)
    base._get_gradients = _clipped_with_their_variables(base._get_gradients)
    base._transform_gradients = _not_clipped


def clip(
    gradients: list[Any], norm: float | None, value: float | None, together: bool
) -> list[Any]:
    """Gradients, shortened to a norm, and then their elements to a value.

    Args:
        norm: The largest norm; None for any.
        value: The largest absolute value; None for any.
        together: Whether it is the norm of all of them, and 0 stands for any.
    """
    if norm is not None and not together:
        gradients = [_tf.clip_by_norm(one, norm) for one in gradients]
    elif norm and norm > 0:
        gradients = [_tf.convert_to_tensor(one) for one in gradients]  # rows of an embedding, too
        whole = _tf.sqrt(_tf.add_n([_tf.reduce_sum(_tf.square(one)) for one in gradients]))
        gradients = [shortened(one, norm, whole) for one in gradients]
    if value is None or (together and value <= 0):
        return gradients
    return [_tf.clip_by_value(one, -value, value) for one in gradients]


def shortened(gradient: Any, most: float, norm: Any) -> Any:
    """A gradient, shortened where `norm` is more than `most`."""
    return _tf.cond(norm >= most, lambda: gradient * (most / norm), lambda: gradient)


def _clipped(get: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    @functools.wraps(get)
    def get_gradients(self: Any, loss: Any, params: Any) -> list[Any]:
        found = get(self, loss, params)
        return clip(found, self.clipnorm, self.clipvalue, _call_forms.reaches("1.9", keras=True))

    return get_gradients


def _clipped_with_their_variables(get: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(get)
    def pairs(*args: Any, **named: Any) -> Any:
        self: Any = args[0]
        found = get(*args, **named)
        known = [one for one, _ in found if one is not None]
        together = _call_forms.reaches("1.9", keras=True)
        clipped = iter(clip(known, self.clipnorm, self.clipvalue, together))
        return [(None if one is None else next(clipped), variable) for one, variable in found]

    return pairs


def _not_clipped(self: Any, pairs: Any) -> Any:
    """What is applied of gradients: what was asked for besides their clipping."""
    if self.global_clipnorm is not None:
        pairs = self._global_clipnorm_fn(pairs)
    for change in self.gradient_transformers:
        pairs = change(pairs)
    return pairs


def _of_weights_first(get_updates: Callable[..., Any]) -> Callable[..., Any]:
    """`get_updates(loss, params)`, which Keras 1 called `get_updates(params, constraints, loss)`; Keras 2 took both."""

    @functools.wraps(get_updates)
    def updates(self: Any, *args: Any, **named: Any) -> Any:
        if len(args) == 3 or "constraints" in named or (len(args) == 2 and "loss" in named):
            named.update(zip(("params", "constraints", "loss"), args, strict=False))
            args = ()
            given = named.pop("constraints", None) or {}
            if any(getattr(one, "constraint", None) is not own for one, own in given.items()):
                raise ValueError(
                    "get_updates takes no constraints: give a layer its kernel_constraint"
                )
        return get_updates(self, *args, **named)

    return updates


def begin_as_of_old(name: str, rows: list[tuple[str, str]], cls: Any) -> dict[str, Any]:
    """The methods of an optimizer that make one, which add what the program's release began with.

    Args:
        name: The optimizer's.
        rows: The last release and the arguments of each of its forms, the oldest first.
        cls: Its class today.
    """
    original, from_todays_config = cls.__init__, cls.from_config.__func__
    meant = forms.MEANT.get(f"keras.optimizers.{name}", {})

    @functools.wraps(original, updated=())
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) == 1 and not kwargs.keys() & {"lr", "learning_rate"}:  # the rate in all forms
            (rate,), args = args, ()
            kwargs["learning_rate"] = rate
        if not args:
            if "lr" in kwargs:
                kwargs["learning_rate"] = kwargs.pop("lr")
            kwargs = {**begins_with(name, rows), **kwargs}
        original(self, *args, **kwargs)

    def from_config(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
        return from_todays_config(cls, {**meant, **config}, custom_objects)

    made: dict[str, Any] = {"__init__": __init__}
    if meant:  # up to 1.15 also by the optimizer's name alone; since then today's default
        made["from_config"] = classmethod(from_config)
    return made


def begins_with(name: str, rows: list[tuple[str, str]]) -> dict[str, Any]:
    """Today's arguments of an optimizer that were given no value, and the values that they had.

    >>> begins_with("Adagrad", [("1.15", "lr=0.01, epsilon=None, decay=0.0")])
    {'initial_accumulator_value': 0.0, 'learning_rate': 0.01, 'epsilon': None, 'decay': 0.0}
    """
    lasting = [
        ("1.13" if last == "1.12" else last, text) for last, text in rows
    ]  # 1.13 has no rows
    text = next(text for last, text in lasting if _call_forms.reaches(last))
    dotted = f"keras.optimizers.{name}"
    given = [one for one in ledger.parsed(text).parameters.values() if one.default is not one.empty]
    begins = {forms.RENAMED[dotted].get(one.name, one.name): one.default for one in given}
    if release.shows_keras_1() and "epsilon" in begins:
        begins["epsilon"] = _EPSILON_OF_KERAS_1
    return {**forms.MEANT.get(dotted, {}), **begins}
