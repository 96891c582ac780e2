"""What optimizers of `tf.keras` begin with: up to TensorFlow 1.13 they were others than since.

They took `lr` first, and had other rates, accumulators and another epsilon. `tf.contrib.keras` kept
those until 1.15. The optimizers of programs that `import keras` are these, too; `tfqueue.contrib._keras_optimizers` names them. The attribute `lr` is tf_keras's own.
"""

import functools
from collections.abc import Callable
from typing import Any

from tfqueue.names import forms, ledger
from tfqueue.names.libraries import OPTIMIZERS
from tfqueue.v1 import _call_forms


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


def _of_weights_first(get_updates: Callable[..., Any]) -> Callable[..., Any]:
    """`get_updates(loss, params)`, which Keras 1 called `get_updates(params, constraints, loss)`; Keras 2 took both."""

    @functools.wraps(get_updates)
    def updates(self: Any, *args: Any, **named: Any) -> Any:
        if len(args) == 3 or "constraints" in named or (len(args) == 2 and "loss" in named):
            named.update(zip(("params", "constraints", "loss"), args, strict=False))
            args = ()
            if named.pop("constraints", None):
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
    return {**forms.MEANT.get(dotted, {}), **begins}
