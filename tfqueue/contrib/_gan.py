"""`tf.contrib.gan`: the package tensorflow-gan, where it is installed.

`tfqueue run` translates that package as part of the program. Without that it finds no
`tf.estimator`; then, and where it is not installed, the sentence for `tf.contrib.gan` says what to do.
"""

import importlib
import types
from typing import Any

from tfqueue.names import gone
from tfqueue.names.sentence import GoneAttributeError


def _package() -> types.ModuleType:
    try:
        return importlib.import_module("tensorflow_gan")
    except (AttributeError, ModuleNotFoundError) as error:
        row = gone.BY_NAME["contrib.gan"]
        raise GoneAttributeError(f"tf.{row.old}", row.removed, row.use) from error


def __getattr__(name: str) -> Any:
    if name == "python":
        return importlib.import_module("tfqueue.contrib.gan.python")  # `tfqueue.v1._old_imports`
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_package(), name)


def __dir__() -> list[str]:
    try:
        names = dir(_package())
    except GoneAttributeError:
        return []
    return [name for name in names if not name.startswith("_")]
