"""Imports of modules of TensorFlow 1 that are no files here: `tensorflow.contrib.rnn.python.ops.x`.

Programs imported by four kinds of names that `tfqueue.v1` has no module for:

* what stands above `tfqueue.v1` and has a name below it, too: `tfqueue.v1.contrib.slim` is the module
  `tfqueue.contrib.slim` (`ALIASES`);
* a package that is gone: its uses end in its one sentence (`names.gone`, `_gone_imports`);
* a module inside a package of contrib that is here, where TensorFlow 1 kept the implementation: it
  is the module that `names.modules` has for it, or else stands for the package, whose names those were;
* a name that is a namespace: `tfqueue.v1.gfile` can be imported as it can be used.

`importlib` asks nobody by name but the finders in `sys.meta_path`, so two of ours stand there. The one
for `ALIASES` is the first, so that no file is loaded a second time under its other name. The other is
the last, and asked only when nothing else was found. Both answer for tfqueue's own names alone.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from typing import Any

from tfqueue.names import gone, ledger
from tfqueue.names.modules import MODULES
from tfqueue.names.sentence import Gone, GoneError
from tfqueue.v1 import _gone_imports, _lazy_names

_ROOT = "tfqueue.v1"
_CONTRIB = "tfqueue.contrib"
_ESTIMATOR = "tfqueue.estimator"
_PRIVATE = "it was private to TensorFlow, and is not brought back"
ALIASES = {
    f"{_ROOT}.contrib": _CONTRIB,
    f"{_ROOT}.estimator": _ESTIMATOR,
    # written pickles have the classes in these
    f"{_ROOT}.canned": f"{_ESTIMATOR}._canned",
    f"{_ROOT}.export": f"{_ESTIMATOR}._export",
    f"{_ROOT}.exporters": f"{_ESTIMATOR}._exporters",
}
"""Name below `tfqueue.v1` that a program imports -> the package or module that it is."""


class _Inside(types.ModuleType):
    """A module inside a package of contrib; its names are those of what it stands for."""

    def __init__(self, name: str, stands_for: Any) -> None:
        super().__init__(name, f"Stands for `{stands_for.__name__}`.")
        self.__dict__["_stands_for"] = stands_for

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self.__dict__["_stands_for"]
        inner = f"{self.__name__}.{name}"
        is_module = isinstance(getattr(found, name, found), types.ModuleType)  # or a function
        if (is_module and _today(inner)) or (not hasattr(found, name) and _inside(inner)[0]):
            return importlib.import_module(inner)
        try:
            return getattr(found, name)
        except GoneError as error:
            row = error.gone
        except AttributeError:
            module = "tensorflow" + self.__name__.removeprefix("tfqueue")
            if not any(name in ledger.exports(module, each) for each in ledger.releases()):
                raise
            row = Gone(f"tf{module.removeprefix('tensorflow')}.{name}", "2.0", _PRIVATE)
        return _gone_imports.refused(row, name, sys._getframe(1))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.__dict__["_stands_for"])})

    def __setattr__(self, name: str, value: Any) -> None:
        # A module below it becomes an attribute, unless that is a function (`ops.arg_scope`).
        known = getattr(self.__dict__["_stands_for"], name, value)
        if isinstance(known, types.ModuleType) or not isinstance(value, types.ModuleType):
            super().__setattr__(name, value)


def _inside(fullname: str) -> tuple[bool, bool]:
    """Whether a name can be a module inside a package of contrib, and whether a package.

    The implementation stood in `contrib.<package>.python.<folder>.<module>`, for learn and slim
    one folder deeper.
    """
    if not fullname.startswith(f"{_CONTRIB}."):
        return False, False
    inner = fullname[len(_CONTRIB) + 1 :]
    if inner in MODULES:
        return True, any(other.startswith(f"{inner}.") for other in MODULES)
    if any(other.startswith(f"{inner}.") for other in MODULES):
        return True, True
    package, *rest = inner.split(".")
    depth = 4 if package in ("learn", "slim") else 3
    plain = all(part.islower() and not part.startswith("_") for part in rest)
    known = bool(rest) and rest[0] == "python" and plain and len(rest) <= depth
    known = known and package != "keras"  # whose modules are all namespaces
    return known, known and len(rest) < depth


def _today(fullname: str) -> str | None:
    """The module that one inside a package of contrib is today, or None."""
    return MODULES.get(fullname[len(_CONTRIB) + 1 :]) if fullname.startswith(_CONTRIB) else None


def _namespace(fullname: str) -> types.ModuleType | None:
    """The namespace that a name is as an attribute, or None."""
    parent, _, name = fullname.rpartition(".")
    found = getattr(sys.modules.get(parent), name, None)
    return found if isinstance(found, types.ModuleType) else None


class _Own(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """A finder of names of ours, and their loader."""

    def spec_of(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        """The spec of a name, or None."""
        raise NotImplementedError

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Asks for the name alone."""
        return self.spec_of(fullname)


class _AliasFinder(_Own):
    def spec_of(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        name = _without_alias(fullname)
        if name is None or not (name in sys.modules or importlib.util.find_spec(name)):
            return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """The loader makes no module of its own."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Lets the name be the module that it stands for."""
        name = _without_alias(module.__name__) or module.__name__
        of_contrib = name.startswith(f"{_CONTRIB}.")  # whose names have sentences and old calls
        sys.modules[module.__name__] = (
            _lazy_names.resolve(name) if of_contrib else importlib.import_module(name)
        )


def _without_alias(fullname: str) -> str | None:
    """The name of the module that a name below one of `ALIASES` is, or None."""
    for alias, name in ALIASES.items():
        if fullname == alias or fullname.startswith(f"{alias}."):
            return name + fullname[len(alias) :]
    return None


class _Finder(_Own):
    def spec_of(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith((f"{_ROOT}.", f"{_CONTRIB}.", f"{_ESTIMATOR}.")):
            return None
        below = _lazy_names.below_tf(fullname)
        row = gone.row_of(below)
        if row is not None and not _lazy_names.goes_on_outside(below):
            found = _gone_imports.refused_module(row._replace(old=f"tf.{row.old}"), fullname)
            return importlib.machinery.ModuleSpec(fullname, self, loader_state=found)
        inside, package = _inside(fullname)
        if inside or _namespace(fullname) is not None:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=package or not inside)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        if isinstance(spec.loader_state, _gone_imports.StandIn):
            spec.loader_state.__name__ = spec.name
            return spec.loader_state
        if not _inside(spec.name)[0]:
            return _Inside(spec.name, _namespace(spec.name))  # until exec_module
        package = spec.name[len(_CONTRIB) + 1 :].partition(".")[0]
        today = _today(spec.name) or MODULES.get(package) or f"{_CONTRIB}.{package}"
        return _Inside(spec.name, _lazy_names.resolve(today))

    def exec_module(self, module: types.ModuleType) -> None:
        """Lets a namespace, and a module of `MODULES` that has none below it, be that object."""
        if isinstance(module, _gone_imports.StandIn):
            return
        name = module.__name__
        inside, package = _inside(name)
        if not inside or (_today(name) and not package):
            found = sys.modules[name] = module.__dict__["_stands_for"]
            if not inside and not hasattr(found, "__path__"):
                found.__path__ = []  # `import tensorflow.nn.rnn_cell` asks for its package's


def install() -> None:
    """Puts the finders into `sys.meta_path`, once a process."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AliasFinder())
        sys.meta_path.append(_Finder())
