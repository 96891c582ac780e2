"""Imports of modules of TensorFlow 1 that are no files here: `tensorflow.contrib.rnn.python.ops.x`.

Programs imported by four kinds of names that `tfqueue.v1` has no module for:

* what stands above `tfqueue.v1` and has a name below it, too: `tfqueue.v1.contrib.slim` is the module
  `tfqueue.contrib.slim` (`ALIASES`);
* a package that is gone: the import ends in its one sentence (`names.contrib`, `names.moved`);
* a module inside a package of contrib that is here, where TensorFlow 1 kept the implementation: it
  is the module that `MODULES` has for it, or else stands for the package, whose names those were;
* a name that is a namespace: `tfqueue.v1.gfile` can be imported as it can be used.

`importlib` asks nobody by name but the finders in `sys.meta_path`, so two of ours stand there. The one
for `ALIASES` is the first, so that no file is loaded a second time under its other name. The other is
the last, and asked only when nothing else was found. Both answer for tfqueue's own names alone.
"""

import dis
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types

from tfqueue.names import contrib, moved
from tfqueue.v1 import _rows

_ROOT = "tfqueue.v1"
_CONTRIB = "tfqueue.contrib"
_ESTIMATOR = "tfqueue.estimator"
ALIASES = {
    f"{_ROOT}.contrib": _CONTRIB,
    f"{_ROOT}.estimator": _ESTIMATOR,
    # written pickles have the classes in these
    f"{_ROOT}.canned": f"{_ESTIMATOR}._canned",
    f"{_ROOT}.export": f"{_ESTIMATOR}._export",
    f"{_ROOT}.exporters": f"{_ESTIMATOR}._exporters",
}
"""Name below `tfqueue.v1` that a program imports -> the package or module that it is."""
_SLIM_DATA = "data_decoder data_provider dataset tfexample_decoder"
_NETS = (
    "alexnet inception inception_v1 inception_v2 inception_v3 overfeat resnet_utils resnet_v1 "
    "resnet_v2 vgg"
)
# Folder below tf.contrib, the modules in it, and where these are today.
_TREE = [
    ("framework.python.ops", "arg_scope variables", "tf_slim.ops"),
    (
        "layers.python.layers",
        "initializers layers normalization optimizers regularizers summaries utils",
        "tf_slim.layers",
    ),
    ("learn.python.learn", "datasets graph_actions", f"{_CONTRIB}.learn"),
    ("learn.python.learn.datasets", "base mnist", f"{_CONTRIB}.learn.datasets"),
    ("learn.python.learn.learn_io", "examples_io features_io graph_io", f"{_CONTRIB}.learn"),
    ("learn.python.learn", "estimators preprocessing", f"{_CONTRIB}.learn"),
    ("slim.python.slim", "evaluation learning queues", f"{_CONTRIB}.slim"),
    ("slim.python.slim", "model_analyzer summaries", "tf_slim"),
    (
        "slim.python.slim.data",
        "dataset_data_provider parallel_reader prefetch_queue",
        f"{_CONTRIB}.slim",
    ),
    ("slim.python.slim.data", _SLIM_DATA, "tf_slim.data"),
    ("slim.python.slim.nets", _NETS, "tf_slim.nets"),
    (
        "training.python.training",
        "bucket_ops hparam resample sampling_ops sequence_queueing_state_saver",
        f"{_CONTRIB}.training",
    ),
    ("training.python.training", "evaluation training", "tf_slim.training"),
]
MODULES = {
    **{
        f"{folder}.{name}": f"{today}.{name}"
        for folder, names, today in _TREE
        for name in names.split()
    },
    **{
        f"learn.python.learn.learn_io{name}": f"{_CONTRIB}.learn.io"
        for name in ("", ".numpy_io", ".pandas_io")
    },
    "learn.python.learn.monitors": f"{_CONTRIB}.learn.monitors",
    **{
        f"layers.python.layers.{name}": f"{_CONTRIB}.layers.feature_column"
        for name in ("feature_column", "feature_column_ops")
    },
    **{
        f"learn.python.learn.estimators.{name}": f"{_CONTRIB}.learn.canned"
        for name in ("dnn", "dnn_linear_combined", "linear", "prediction_key")
    },
    "slim.python.slim.nets": f"{_CONTRIB}.slim.nets",
    **{
        f"learn.python.learn.{name}": f"{_CONTRIB}.learn.estimators"
        for name in (
            "estimators.estimator",
            "estimators.model_fn",
            "estimators.run_config",
            "experiment",
            "learn_runner",
            "metric_spec",
        )
    },
    **{
        f"learn.python.learn.preprocessing.{name}": f"{_CONTRIB}.learn.preprocessing"
        for name in ("categorical_vocabulary", "text")
    },
    **{
        f"{folder}{name}": f"{_CONTRIB}.learn.exports"
        for folder in ("learn.utils", "learn.python.learn.utils")
        for name in ("", ".input_fn_utils", ".saved_model_export_utils")
    },
    "learn.python.learn.estimators.constants": f"{_CONTRIB}.learn.exports",
    "learn.python.learn.export_strategy": f"{_CONTRIB}.learn.exports",
    **{name: "tf:keras" for name in ("keras", "keras.api.keras", "keras.python.keras")},
    **{
        name: f"{_CONTRIB}._projector"
        for name in ("tensorboard", "tensorboard.plugins", "tensorboard.plugins.projector")
    },
    **{name: f"{_CONTRIB}._compiler" for name in ("compiler", "compiler.jit")},
    "compiler.xla": "tf:xla.experimental",
    **{
        name: f"{_CONTRIB}._profiling"
        for name in (
            "tfprof",
            "tfprof.model_analyzer",
            "tfprof.tfprof_logger",
            "tfprof.python.tools.tfprof.model_analyzer",
            "tfprof.python.tools.tfprof.tfprof_logger",
        )
    },
}
"""Module below `tf.contrib`, where TensorFlow 1.15 had it -> the module that it is."""

# Modules inside packages that are here, though what they held is not.
_INSIDE = {
    "learn.python.learn.basic_session_run_hooks": "the hooks of tf.train",
    "learn.python.learn.utils.export": "export_savedmodel of the estimator",
}


class _Inside(types.ModuleType):
    """A module inside a package of contrib; its names are those of what it stands for."""

    def __init__(self, name, stands_for):
        super().__init__(name, f"Stands for `{stands_for.__name__}`.")
        self.__dict__["_stands_for"] = stands_for

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = self.__dict__["_stands_for"]
        inner = f"{self.__name__}.{name}"
        if not hasattr(found, name) and (_inside(inner)[0] or _today(inner)):
            return importlib.import_module(inner)
        try:
            return getattr(found, name)
        except AttributeError as error:
            if "is gone since" in str(error) and _is_imported(sys._getframe(1)):
                raise ImportError(str(error)) from None  # which Python gives no text of its own
            raise

    def __dir__(self):
        return sorted({*super().__dir__(), *dir(self.__dict__["_stands_for"])})

    def __setattr__(self, name, value):
        # A module below it becomes an attribute, unless that is a function (`ops.arg_scope`).
        known = getattr(self.__dict__["_stands_for"], name, value)
        if isinstance(known, types.ModuleType) or not isinstance(value, types.ModuleType):
            super().__setattr__(name, value)


def sentence(fullname: str) -> str | None:
    """What to say of a module that is gone, or None.

    Args:
      fullname: Its dotted name below `tfqueue.v1`.

    >>> sentence("tfqueue.v1.contrib.timeseries.python")[:49]
    'tf.contrib.timeseries is gone since TensorFlow 2.'
    """
    name = fullname.removeprefix("tfqueue.").removeprefix("v1.")
    if name.startswith("contrib."):
        inner = name.partition(".")[2]
        rows = {row.old: row for row in contrib.PACKAGES}
        row = rows.get(inner.partition(".")[0])
        if row is not None:
            return f"tf.contrib.{row.old} is gone since TensorFlow {row.removed}: {row.use}"
        for inside, use in _INSIDE.items():
            if inner == inside or inner.startswith(f"{inside}."):
                return f"tf.contrib.{inside} is gone since TensorFlow 2.0: {use}"
        return None
    for row in moved.GONE:
        if name == row.old or name.startswith(f"{row.old}."):
            return f"tf.{row.old} is gone since TensorFlow {row.removed}: {row.use}"
    return None


def _is_imported(frame):
    """Whether what a frame does now is `from module import name`."""
    if frame.f_globals.get("__name__") == "importlib._bootstrap":
        return True
    return frame.f_code.co_code[frame.f_lasti] == dis.opmap["IMPORT_FROM"]


def _inside(fullname):
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


def _today(fullname):
    """The module that one inside a package of contrib is today, or None."""
    return MODULES.get(fullname[len(_CONTRIB) + 1 :]) if fullname.startswith(_CONTRIB) else None


def _namespace(fullname):
    """The namespace that a name is as an attribute, or None."""
    parent, _, name = fullname.rpartition(".")
    found = getattr(sys.modules.get(parent), name, None)
    return found if isinstance(found, types.ModuleType) else None


class _AliasFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname, path=None, target=None):
        name = _without_alias(fullname)
        if name is None or not (name in sys.modules or importlib.util.find_spec(name)):
            return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        """Lets the name be the module that it stands for."""
        name = _without_alias(module.__name__)
        sys.modules[module.__name__] = importlib.import_module(name)


def _without_alias(fullname):
    """The name of the module that a name below one of `ALIASES` is, or None."""
    if not fullname.startswith(f"{_ROOT}."):
        return None
    for alias, name in ALIASES.items():
        if fullname == alias or fullname.startswith(f"{alias}."):
            return name + fullname[len(alias) :]
    return None


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith((f"{_ROOT}.", f"{_CONTRIB}.", f"{_ESTIMATOR}.")):
            return None
        said = sentence(fullname)
        if said:
            # with a name, `from package import name` would take it for its own question and go on
            raise ModuleNotFoundError(said)
        inside, package = _inside(fullname)
        if inside or _namespace(fullname) is not None:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=package or not inside)
        return None

    def create_module(self, spec):
        if not _inside(spec.name)[0]:
            return _Inside(spec.name, _namespace(spec.name))  # until exec_module
        package = spec.name[len(_CONTRIB) + 1 :].partition(".")[0]
        today = _today(spec.name) or MODULES.get(package) or f"{_CONTRIB}.{package}"
        return _Inside(spec.name, _rows.resolve(today))

    def exec_module(self, module):
        """Lets a namespace, and a module of `MODULES` that has none below it, be that object."""
        name = module.__name__
        inside, package = _inside(name)
        if not inside or (_today(name) and not package):
            sys.modules[name] = module.__dict__["_stands_for"]


def install() -> None:
    """Puts the finders into `sys.meta_path`, once a process."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AliasFinder())
        sys.meta_path.append(_Finder())
