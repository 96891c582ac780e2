"""TensorFlow 1's names on today's TensorFlow: `import tfqueue.v1 as tf`.

A clone of `tensorflow.compat.v1` with tfqueue's own on top: the queue-runner
input pipeline (producers, readers, batching, queues, `QueueRunner`,
`Coordinator`), sessions that are supervised, and the names that were removed
since (`tfqueue.names.moved`).

**Importing this module switches the process to TensorFlow 1's graph mode**, as
`tf.disable_v2_behavior()` does: no eager execution, `Dimension` objects in
shapes, reference variables, `tf.cond` and `tf.while_loop` as Switch and Merge.
That is all of TensorFlow 1's mode, not a part of it: control flow v2 with
resource variables was tried, since pfor can vectorise only the new `tf.cond`,
and changed what some programs mean (`var.is_initialized`, `maybe_batch` of
sparse tensors, names inside branches, the class of the error of an epoch
counter that was not initialised; 37 of TensorFlow 1.15's own tests). The
accelerator makes the new kind out of the old in its own copy of the
pipeline (`tfqueue.graph.conds`), so a `tf.cond` in a pipeline is
vectorised all the same, and an assign inside a branch works.

Where to look: a name that is another one today, such as `tf.pack`: `tfqueue.names.moved`; a call with its
arguments in an old order or under old names: `_call_forms`, and `_old_functions` where a function of our
own is needed; an import of a module of TensorFlow 1: `_old_imports`; a name below `tf.contrib`, also one
that is gone: `_lazy_names`, and what an import of that gives: `_gone_imports`. `_namespace` clones a module and lays ours over it, `_signatures` writes functions
that share most of their parameters, `_types` names types for annotations.

* `train`, `layers`, `keras`, `python_io` and `rnn_cell` are `tf.train` and so on; `examples` and `models`
  what those folders of TensorFlow held. What `train` consists of, beside this package: `_readers`,
  `_queue_classes`, `_supervisor`, `_sync_replicas`, `_sessions`, `_parsing`.
* Functions that TensorFlow changed: `_app_flags`, `_file_patterns` (`tf.gfile.Glob`), `_image_ops`,
  `_linear_algebra`, `_old_arithmetic`, `_old_numbers`, `_op_counts`, `_function_op_counts`, `_gradient_op_counts`, `_column_op_counts` and `_image_op_counts` (for seeds), `_python_functions` (`tf.py_func`), `_random_ops`, `_samplers`, `_mode` (switches that are set
  already).
* Layers and cells: `_layer_base`, which they share, `_batch_norm`, `_cudnn_networks`, `_rnn_loops` (`tf.nn.dynamic_rnn` and its kin), and `_cell_names`, what
  variables of cells were called up to 1.1.

The import also stops TensorFlow's deprecation lines for this process, and numbers in
lists print as before numpy 2 (`[0.5]`), unless `numpy.set_printoptions` was
told otherwise. Calls such as
`tf.disable_v2_behavior()` or `tf.disable_eager_execution()` in half-ported
programs are accepted and change nothing: the mode is set already.
"""

import importlib as _importlib
import logging as _logging
import sys as _sys
from typing import Any as _Any

from tfqueue import _tensorflow
from tfqueue import release as _release
from tfqueue._tensorflow import mode as _process_mode
from tfqueue.explain import uncaught_errors as _uncaught

_tf = _tensorflow.compat_v1()
_tensorflow.silence_deprecations()
_tensorflow.find_devices_quietly()
_process_mode.take(_tf.disable_v2_behavior)
_uncaught.install()
if "IPython" in _sys.modules:
    from tfqueue.draw import notebook as _notebook

    _notebook.load_where_running()

from tfqueue._tensorflow import patches as _patches  # noqa: E402  (loads TensorFlow)
from tfqueue.names import forms as _forms  # noqa: E402
from tfqueue.names import gone as _gone  # noqa: E402
from tfqueue.names import moved as _moved  # noqa: E402
from tfqueue.names.sentence import GoneAttributeError as _GoneAttributeError  # noqa: E402
from tfqueue.v1 import (  # noqa: E402  (the mode is set first)
    _app_flags,
    _call_forms,
    _column_op_counts,
    _file_patterns,
    _function_op_counts,
    _gradient_op_counts,
    _image_op_counts,
    _image_ops,
    _layer_base,
    _linear_algebra,
    _mode,
    _namespace,
    _old_arithmetic,
    _old_functions,
    _old_numbers,
    _op_counts,
    _parsing,
    _python_functions,
    _queue_classes,
    _random_ops,
    _readers,
    _rnn_loops,
    _samplers,
    _sessions,
)
from tfqueue.v1 import python_io as _python_io  # noqa: E402
from tfqueue.v1 import train as _train  # noqa: E402  (`train` itself is cloned below)

globals().update(_namespace.public(_tf))

__version__ = _tf.__version__
_LAZY = _namespace.lazy_names(_tf)

_FLAGS = ("flags", "app.flags")
# One line per name of ours: where it is found below `tf`, and what it stands for.
_OVERRIDES = {
    "train": _train,
    **{name: getattr(_mode, name) for name in _mode.__all__ if name != "is_built_with_cuda"},
    **{name: getattr(_sessions, name) for name in _sessions.__all__},
    **{name: getattr(_queue_classes, name) for name in _queue_classes.__all__},
    **{f"queue.{name}": getattr(_queue_classes, name) for name in _queue_classes.__all__},
    **{name: getattr(_readers, name) for name in _readers.__all__},
    **{name: getattr(_parsing, name) for name in _parsing.__all__},
    **{name: getattr(_python_functions, name) for name in _python_functions.__all__},
    **{
        f"{space}.tf_record_iterator": _python_io.tf_record_iterator
        for space in ("python_io", "io")
    },
    **{
        f"{space}.{name}": getattr(_app_flags, name)
        for space in _FLAGS
        for name in _app_flags.NAMES
    },
    "app.run": _app_flags.run,
    "test.is_built_with_cuda": _mode.is_built_with_cuda,
    "distribute.Server": _train.Server,
    "feature_column.linear_model": _layer_base.linear_model,
    "gfile.Glob": _file_patterns.Glob,
    "io.gfile.glob": _file_patterns.glob,
    **{f"io.{name}": getattr(_parsing, name) for name in _parsing.__all__ if name != "decode_raw"},
    **{name: getattr(_old_functions, name.rpartition(".")[2]) for name in _moved.REORDERED},
    "add_check_numerics_ops": _old_functions.add_check_numerics_ops,
    "case": _old_functions.case,
    "cond": _old_functions.cond,
    "name_scope": _old_functions.name_scope,
    "RegisterShape": _old_functions.RegisterShape,
    "div": _old_arithmetic.div,
    "floordiv": _old_arithmetic.floordiv,
    "mod": _old_arithmetic.mod,
    "angle": _old_arithmetic.angle,
    "math.angle": _old_arithmetic.angle,
    "truncatediv": _old_arithmetic.truncatediv,
    **_image_op_counts.FUNCTIONS,
    **_image_ops.FUNCTIONS,
    **_linear_algebra.FUNCTIONS,
    **_function_op_counts.FUNCTIONS,
    **_op_counts.FUNCTIONS,
    **_old_numbers.FUNCTIONS,  # some of those that count, made dense first
    **_random_ops.FUNCTIONS,
    **_rnn_loops.FUNCTIONS,
    **_samplers.FUNCTIONS,
}

# Ours as well, and loaded only when used: `tf.layers`, `import tfqueue.v1.contrib.slim`.
_DEFERRED = {
    "contrib": "tfqueue.contrib",
    "estimator": "tfqueue.estimator",
    "examples": "tfqueue.v1.examples",
    "keras": "tfqueue.v1.keras",
    "layers": "tfqueue.v1.layers",
    "models": "tfqueue.v1.models",
    "nn.rnn_cell": "tfqueue.v1.rnn_cell",
    "nn.seq2seq": "tfqueue.contrib.legacy_seq2seq",
}
# Namespaces that are cloned only so that what they have lost ends in a sentence.
_WITH_GONE = (
    *("data.experimental", "distributions", "graph_util", "lite.experimental", "raw_ops"),
    "tpu.experimental",
)
_LATER = (*(f"{name}." for name in _DEFERRED),)  # their own modules adapt what is in them


def _lay(dotted: str, value: _Any) -> None:
    """Puts `value` at a dotted name below this module, cloning the namespaces on the way."""
    path, _, last = dotted.rpartition(".")
    _inside(path)[last] = value


def _inside(dotted: str) -> dict[str, _Any]:
    """The names of a namespace below this module, cloned like those on the way to it."""
    path = dotted.split(".") if dotted else []
    target = globals()
    for depth, part in enumerate(path, 1):
        inner = target.get(part)
        original = _namespace.member(_tf, ".".join(path[:depth]))
        if inner is None or inner is original:
            inner = _namespace.Namespace(f"{__name__}.{'.'.join(path[:depth])}", original)
            target[part] = inner
        target = inner.__dict__
    return target


def _lay_all() -> None:
    for dotted, value in _OVERRIDES.items():
        _lay(dotted, value)
    for space in _FLAGS:
        _lay(f"{space}.FLAGS", _app_flags.FLAGS)
    _lay("Tensor", _patches.tensor_class())  # programs ask `type(x) is tf.Tensor`
    # programs set its level; up to 1.13 the module's own name for it
    _lay("logging._logger", _logging.getLogger("tensorflow"))
    here = _This()
    for row in _moved.MOVED:
        module, _, name = row.new.partition(".")
        if module == "old_functions":
            _lay(row.old, getattr(_old_functions, name))
        else:
            _lay(row.old, _namespace.member(here, row.new))
    for dotted, module in _DEFERRED.items():
        path, _, name = dotted.rpartition(".")
        if path:
            _namespace.member(here, path).__deferred__[name] = module
    for space in _WITH_GONE:
        _inside(space)
    for dotted in _forms.old_forms():
        if not dotted.startswith(_LATER):
            found = _namespace.member(here, dotted)
            adapted = _call_forms.adapted(dotted, found)
            if adapted is not found:
                _lay(dotted, adapted)


class _This:
    """This module while it is being built: ours first, TensorFlow's behind."""

    def __getattr__(self, name: str) -> _Any:
        return globals()[name] if name in globals() else getattr(_tf, name)


_lay_all()

from tfqueue.v1 import _old_imports  # noqa: E402  (asks for what was laid out above)

_old_imports.install()
_patches.install(_sys.modules[__name__])
_old_arithmetic.install()
_old_numbers.install()
_op_counts.install()
_column_op_counts.install()
_function_op_counts.install()
_gradient_op_counts.install()
_image_op_counts.install()
_random_ops.install()
_linear_algebra.install()
_app_flags.release_names()


def __getattr__(name: str) -> _Any:
    if name in _DEFERRED:
        return _importlib.import_module(_DEFERRED[name])
    if name in _LAZY:
        return getattr(_tf, name)
    if name in ("core", "python"):  # they are in sight where a program imports a module below them
        return _importlib.import_module(f"tensorflow.{name}")
    if name in ("ops", "tensor_util") and _release.before("0.8"):  # up to 0.6
        return _importlib.import_module(f"tensorflow.python.framework.{name}")
    if name == "pywrap_tensorflow":  # up to 1.15
        return _importlib.import_module("tensorflow.python.pywrap_tensorflow")
    row = _gone.BY_NAME.get(name) or (None if name.startswith("_") else _gone.recorded(name))
    if row is not None:
        raise _GoneAttributeError(f"tf.{name}", row.removed, row.use)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = sorted(
    name
    for name in {*globals(), *_LAZY, "contrib", "estimator", "layers"}
    # `from tfqueue.v1 import *` leaves Python's print alone, as before TensorFlow 1.12
    # pytest adds "@py_builtins" to the modules of a package that has a plugin for it.
    if name.isidentifier() and not name.startswith("_") and name != "print"
)


def __dir__() -> list[str]:
    return [*__all__, "print"]
