"""How the packages below `tf.contrib` find their names: rows, resolved when a name is first used.

A row says where a name of TensorFlow 1.15's contrib is today. Of a name that is not brought
back `attributes` says the row in `tfqueue.names.gone` or `gone_contrib`, or else `missing` makes one; `_gone_imports` raises it.
Nothing imports `tfqueue.contrib`: `resolve` loads what a row names, and the patches of tf_slim too.
"""

import functools
import importlib
import importlib.machinery
import importlib.util
import inspect
import re
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tfqueue import _tensorflow, errors
from tfqueue.names import gone, gone_contrib, modules
from tfqueue.session import runner
from tfqueue.v1 import _call_forms, _gone_imports, _namespace

T = TypeVar("T")
SLIM_HINT = "comes from the package tf_slim, which is not installed: pip install 'tfqueue[slim]'"


def resolve(target: str) -> Any:
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
        # A module of another kind looks for its names itself (`_old_imports`).
        if type(found) is types.ModuleType and found.__name__.startswith("tfqueue."):
            if "__getattr__" not in vars(found):
                vars(found)["__getattr__"] = attributes(found.__name__, {})[0]
            if found.__name__.startswith("tfqueue.contrib."):
                _adapt(found.__name__)  # what stands below its call of `attributes`, too
    return _namespace.member(found, dotted) if dotted else found


def slim(module: str = "tf_slim", what: str | None = None) -> Any:
    """A module of tf_slim, patched (see `_slim_patches`).

    Args:
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
    resolve("tfqueue.contrib._slim_patches:install")()  # by name, as all of contrib is found
    if "__getattr__" not in vars(found):
        vars(found)["__getattr__"] = attributes(module, {})[0]
    return found


def goes_on_outside(dotted: str) -> bool:
    """Whether a name is of a package of `tf.contrib` that is installed as a package of its own.

    Args:
        dotted: The name below `tf`.

    >>> goes_on_outside("contrib.slim.conv2d")
    False
    """
    contrib, _, rest = dotted.partition(".")
    outside = gone_contrib.OUTSIDE.get(rest.partition(".")[0])
    return contrib == "contrib" and outside is not None and bool(importlib.util.find_spec(outside))


def mirror(module: str, what: str) -> dict[str, Any]:
    """The public names of a module of tf_slim.

    Args:
        what: The name the program used, for the error.

    Returns:
        A dict from name to object, without what the module has only imported for itself.
    """
    found = slim(module, what)
    listed = getattr(found, "__all__", None)
    names = {}
    for name, value in _namespace.public(found).items():
        if inspect.ismodule(value):
            if value.__name__.startswith("tf_slim"):
                names[name] = slim(value.__name__)
        elif name != "__getattr__":
            names[name] = value
    return {name: names[name] for name in listed if name in names} if listed else names


def adopting(function: Callable[..., T]) -> Callable[..., T]:
    """`function` of tf_slim; the queue runners it registers become ours.

    Args:
        function: A function, or a method as it stands in its class.
    """

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> T:
        try:
            return function(*args, **kwargs)
        finally:
            runner.adopt_all(_tensorflow.compat_v1().get_default_graph())

    return wrapper


def below_tf(module: str) -> str:
    """The dotted name below `tf` that a module of ours stands for.

    >>> below_tf("tfqueue.contrib.rnn"), below_tf("tfqueue.v1.keras")
    ('contrib.rnn', 'keras')
    >>> below_tf("tfqueue.contrib.keras.utils")  # what 1.4 has as tf.keras.utils, too
    'keras.utils'
    """
    name = module.removeprefix("tfqueue.").removeprefix("v1.")
    if name.startswith("contrib.keras"):
        name = name.removeprefix("contrib.")
    return "nn.rnn_cell" if name == "rnn_cell" else name


def _names(module: str) -> list[str]:
    """The dotted names below `tf` that a module stands for, with those of its old places."""
    below = below_tf(module).removeprefix("tfqueue")
    today = modules.MODULES.get(below.removeprefix("contrib."), module)
    places = [place for place, other in modules.MODULES.items() if other == today]
    places += [f"{place.split('.')[0]}.{place.split('.')[-1]}" for place in places]
    if below == "contrib.legacy_seq2seq":
        return [below, "nn.seq2seq"]
    return [below, *(f"contrib.{place}" for place in places)]


def _submodule(module: str, name: str) -> types.ModuleType | None:
    """A module of a package, loaded, if the package of TensorFlow 1 had loaded one of this name."""
    path = vars(sys.modules[module]).get("__path__") if module in sys.modules else None
    if not path or not any(gone.recorded(f"{place}.{name}") for place in _names(module)):
        return None
    full = f"{module}.{name}"
    found = importlib.machinery.PathFinder.find_spec(full, path)
    return resolve(full) if found else None


def missing(module: str, name: str, asking: types.FrameType) -> Any:
    """Refuses a name that a module does not have, or gives what stands for it in an import.

    Args:
        name: The name in it.
        asking: The frame that asks, which may be an import.

    Raises:
        AttributeError: If no release of TensorFlow 1 had it; else see `_gone_imports.refused`.

    >>> missing("tfqueue.contrib.learn", "dataframe", sys._getframe())
    Traceback (most recent call last):
    tfqueue.names.sentence.GoneAttributeError: tf.contrib.learn.dataframe is gone since TensorFlow 1.0: nothing here stands for it
    """
    rows = [gone.recorded(f"{place}.{name}") for place in _names(module) if name[0] != "_"]
    row = next(filter(None, rows), None)
    if row is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return _gone_imports.refused(row._replace(old=f"tf.{row.old}"), name, asking)


def rows_of(home: str, names: Mapping[str, str]) -> dict[str, str]:
    """Rows of names that stand in the modules of one package.

    Args:
        home: The package's dotted name.
        names: Dict from module to its names, with spaces between.

    >>> rows_of("tfqueue.contrib.opt", {"adam": "AdaMaxOptimizer"})
    {'AdaMaxOptimizer': 'tfqueue.contrib.opt.adam:AdaMaxOptimizer'}
    """
    return {
        name: f"{home}.{module}:{name}"
        for module, listed in names.items()
        for name in listed.split()
    }


def _adapt(module: str) -> None:
    """Has the functions of a loaded module take the calls of their old places (see `_call_forms`).

    A program may take a name from the module that makes it and never look at the package that shows it.
    """
    package = re.findall(r"^contrib\.\w+(?=\.)", below_tf(module))
    for place in [*_names(module), *package]:
        _call_forms.adapt_module(sys.modules[module], place)


def attributes(
    module: str, rows: Mapping[str, str], behind: str | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A module's `__getattr__` and `__dir__`.

    Args:
        rows: Dict from name to where it is (see `resolve`).
        behind: Name of a module that has all other names, if tf_slim is installed.

    Returns:
        The two functions. What is in `names.gone` ends in its sentence.
    """
    below = below_tf(module)
    in_contrib = any(place.startswith("contrib.") for place in _names(module))
    if module in sys.modules:
        _adapt(module)

    def __getattr__(name: str) -> Any:
        if name in rows:
            found = resolve(rows[name])
            for place in _names(module):
                found = _call_forms.adapted(f"{place}.{name}", found)
            vars(sys.modules[module])[name] = found
            return found
        dotted = f"tf.{below}.{name}"
        row = gone.BY_NAME.get(f"{below}.{name}")
        if row is None and in_contrib:
            row = gone_contrib.IMPORTED.get(name)
        if row is not None and not (behind and hasattr(slim(behind, dotted), name)):
            return _gone_imports.refused(row._replace(old=dotted), name, sys._getframe(1))
        if behind and not name.startswith("_"):
            found = slim(behind, dotted)
            if hasattr(found, name):
                return _call_forms.adapted(f"{below}.{name}", getattr(found, name))
        own = f"{below.removeprefix('contrib.')}.{name}" in modules.MODULES
        if name in modules.IMPORTED and in_contrib and not own:
            return resolve(modules.IMPORTED[name])
        if name == "python" and below.startswith("contrib."):
            return importlib.import_module(f"{module}.python")  # see `tfqueue.v1._old_imports`
        submodule = None if name.startswith("_") else _submodule(module, name)
        if submodule is not None:
            return submodule
        return missing(module, name, sys._getframe(1))

    def __dir__() -> list[str]:
        own = vars(sys.modules[module])
        listed = own.get("__all__") or [name for name in own if not name.startswith("_")]
        return sorted({*listed, *rows})

    return __getattr__, __dir__
