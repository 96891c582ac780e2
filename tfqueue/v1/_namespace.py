"""Cloning a namespace of TensorFlow and laying ours over it.

The way of array-api-compat: clone, then override. A clone keeps every public
name of the original, so that nothing is missing by accident; what is ours on
top is listed, and a test compares the two sets.
"""

import importlib
import types
from typing import Any

from tfqueue import _tensorflow
from tfqueue.names import gone
from tfqueue.names.sentence import GoneAttributeError

PRIVATE = frozenset(
    "__name__ __doc__ __file__ __path__ __package__ __loader__ __spec__ __builtins__ __cached__ "
    "__all__".split()
)


class Namespace(types.ModuleType):
    """A module that stands over one of TensorFlow's: ours first, TensorFlow's behind."""

    def __init__(self, name: str, original: Any) -> None:
        super().__init__(name, original.__doc__)
        self.__dict__["__original__"] = original
        self.__dict__["__deferred__"] = {}  # name -> module of ours, loaded when it is used
        self.__dict__.update(public(original))

    def __getattr__(self, name: str) -> Any:
        # Only for what the clone did not copy: modules that load themselves on first use.
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self.__dict__["__deferred__"]:
            return importlib.import_module(self.__dict__["__deferred__"][name])
        try:
            return getattr(self.__dict__["__original__"], name)
        except AttributeError:
            dotted = f"{self.__name__.partition('.v1.')[2]}.{name}"
            row = gone.BY_NAME.get(dotted) or gone.recorded(dotted)
            if row is None:
                raise
        raise GoneAttributeError(f"tf.{row.old}", row.removed, row.use)

    def __dir__(self) -> list[str]:
        own = {name for name in self.__dict__ if not name.startswith("_")}
        return sorted(own | set(lazy_names(self.__dict__["__original__"])))


def of(name: str, members: Any) -> types.ModuleType:
    """A module of some functions and classes of ours.

    Args:
        members: The functions and classes.
    """
    module = types.ModuleType(name, f"`{name.replace('tfqueue', 'tf', 1)}`.")
    vars(module).update({member.__name__: member for member in members})
    return module


def public(original: Any) -> dict[str, Any]:
    """The public names of a TensorFlow module and what they stand for.

    Args:
        original: A module of TensorFlow's API.

    Returns:
        A dict from name to object, without what would have to be loaded first.
    """
    names = {}
    for name, value in vars(original).items():
        dunder = name.startswith("__") and name.endswith("__")
        if name in PRIVATE or (name.startswith("_") and not dunder):
            continue
        if not _tensorflow.is_lazy(value):
            names[name] = value
    return names


def lazy_names(original: Any) -> Any:
    """The public names of a module that load only when they are used (`keras`)."""
    return [
        name
        for name, value in vars(original).items()
        if not name.startswith("_") and _tensorflow.is_lazy(value)
    ]


def member(root: Any, dotted: str) -> Any:
    """The object that a dotted name stands for below `root`.

    Args:
        root: A module or class.
        dotted: Such as `"train.Coordinator"`.

    Raises:
        AttributeError: If a part of the name is not there.
    """
    value = root
    for part in dotted.split("."):
        value = getattr(value, part)
    return value
