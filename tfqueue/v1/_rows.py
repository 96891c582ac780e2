"""How the packages below `tf.contrib` find their names: rows, resolved when a name is first used.

A row says where a name of TensorFlow 1.15's contrib is to be had today. What is
not brought back is a row too, a `moved.Gone`, and ends in its one sentence.
"""

import functools
import importlib
import inspect
import sys
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, errors
from tfqueue.names import contrib as _gone
from tfqueue.session import runner
from tfqueue.v1 import _namespace

SLIM_HINT = "comes from the package tf_slim, which is not installed: pip install 'tfqueue[slim]'"


def resolve(target: Any) -> Any:
    """The object that a row points to.

    Args:
      target: `"module:dotted.name"`, or `"module"` for the module itself. The
        module `tf` is `tfqueue.v1`; modules of `tf_slim` need the extra `slim`.

    Raises:
      MissingExtraError: If it takes tf_slim and that is not installed.

    >>> resolve("tf:train.get_global_step").__name__
    'get_global_step'
    """
    module, _, dotted = target.partition(":")
    if module == "tf":
        found = importlib.import_module("tfqueue.v1")
    elif module.partition(".")[0] == "tf_slim":
        found = slim(module)
    else:
        found = importlib.import_module(module)
    return _namespace.resolve(found, dotted) if dotted else found


def slim(module: str = "tf_slim", what: Any = None) -> Any:
    """A module of tf_slim, mended (see `_slim_mended`).

    Args:
      module: Its dotted name.
      what: The name the program used, for the error.

    Raises:
      MissingExtraError: If tf_slim is not installed.
    """
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "tf_slim":
            raise
        what = what or f"tf.contrib ({module})"
        raise errors.MissingExtraError(f"{what} {SLIM_HINT}") from error
    importlib.import_module("tfqueue.contrib._slim_mended").mend()
    return found


def mirror(module: Any, what: Any) -> Any:
    """The public names of a module of tf_slim.

    Args:
      module: Its dotted name.
      what: The name the program used, for the error.

    Returns:
      A dict from name to object, without what the module has only imported for itself.
    """
    found = slim(module, what)
    listed = getattr(found, "__all__", None)
    names = {
        name: value
        for name, value in _namespace.public(found).items()
        if not inspect.ismodule(value) or value.__name__.startswith("tf_slim")
    }
    return {name: names[name] for name in listed if name in names} if listed else names


def adopting(function: Callable[..., Any]) -> Any:
    """`function` of tf_slim; the queue runners it registers become ours.

    Args:
      function: A function, or a method as it stands in its class.
    """

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        finally:
            runner.adopt_all(_tensorflow.compat_v1().get_default_graph())

    return wrapper


def getter(module: Any, rows: Any, gone: Any = (), parts: Any = (), behind: Any = None) -> Any:
    """A module's `__getattr__`.

    Args:
      module: The module's name, below `tfqueue.v1`.
      rows: Dict from name to where it is (see `resolve`).
      gone: Iterable of `moved.Gone`, their `old` the bare name.
      parts: Names of modules below it that are loaded when used.
      behind: Name of a module of tf_slim that has all other names.

    Returns:
      The function.
    """
    gone = {row.old: row for row in gone}
    if module != "tfqueue.contrib":
        gone = {row.old: row for row in _gone.IMPORTED} | gone
    old = module.replace("tfqueue.v1", "tf", 1).replace("tfqueue", "tf", 1)

    def __getattr__(name):
        if name in parts:
            return importlib.import_module(f"{module}.{name}")
        if name in rows:
            found = sys.modules[module].__dict__[name] = resolve(rows[name])
            return found
        if name in gone and not (behind and hasattr(slim(behind, f"{old}.{name}"), name)):
            row = gone[name]
            sentence = f"{old}.{name} is gone since TensorFlow {row.removed}: {row.use}"
            # `from package import name` turns an AttributeError into a text of Python's own, and
            # asks by way of importlib; an ImportError keeps the sentence.
            importing = sys._getframe(1).f_globals.get("__name__") == "importlib._bootstrap"
            raise (ImportError if importing else AttributeError)(sentence)
        if behind and not name.startswith("_"):
            found = slim(behind, f"{old}.{name}")
            if hasattr(found, name):
                return getattr(found, name)
        if name == "python" and module.startswith("tfqueue.contrib."):
            return importlib.import_module(f"{module}.python")  # see `tfqueue.v1._old_imports`
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return __getattr__


def lister(module: Any, rows: Any, parts: Any = ()) -> Any:
    """A module's `__dir__`: its own public names, its rows and its parts.

    Args:
      module: The module's name.
      rows: As for `getter`.
      parts: As for `getter`.
    """

    def __dir__():
        own = {name for name in vars(sys.modules[module]) if not name.startswith("_")}
        return sorted(own | set(rows) | set(parts))

    return __dir__
