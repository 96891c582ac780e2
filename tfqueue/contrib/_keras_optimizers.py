"""`tf.contrib.keras.optimizers`, which kept up to 1.15 the optimizers that `tf.keras` had up to 1.12.

Each is a subclass of the one of `tf.keras`, which computes the same and is what a saved model brings back.
"""

from typing import Any

from tfqueue.names import forms
from tfqueue.names.keras import OPTIMIZERS
from tfqueue.v1 import _call_forms, _lazy_names
from tfqueue.v1.keras import _optimizers

_TODAYS = _lazy_names.resolve("tf:keras.optimizers")


class _Config(dict[str, Any]):
    """The configuration of an optimizer, which is asked for its rate by the name that this had, too."""

    def __missing__(self, key: str) -> Any:
        if key != "lr":
            raise KeyError(key)
        return self["learning_rate"]


def _config(base: Any) -> Any:
    return lambda self: _Config(base.get_config(self))


def _as_of_old(name: str) -> Any:
    base, dotted = getattr(_TODAYS, name), f"keras.optimizers.{name}"
    *older, (_, kept) = forms.old_forms()[dotted][:-1]
    rows = [*older, ("1.15", kept)]
    methods = _optimizers.begin_as_of_old(name, rows, base)
    made = type(
        name,
        (base,),
        {
            "get_config": _config(base),
            **methods,
            "__doc__": f"`tf.contrib.keras.optimizers.{name}`.",
            "__module__": __name__,
        },
    )
    _call_forms.adapt_class(dotted, made, rows)
    return made


globals().update({name: _as_of_old(name) for name in OPTIMIZERS})


def __getattr__(name: str) -> Any:
    return getattr(_TODAYS, name)


def __dir__() -> list[str]:
    return sorted(name for name in dir(_TODAYS) if not name.startswith("_"))
