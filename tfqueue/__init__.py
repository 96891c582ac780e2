"""tfqueue: TensorFlow-1 queue-runner programs on today's TensorFlow.

    import tfqueue
    import tfqueue.v1 as tf                     # in place of `import tensorflow as tf`

    images, labels = inputs("train.tfrecord")   # old code, untouched
    with tfqueue.managed_session() as sess:
        for batch in sess.batches([images, labels], steps=100):
            ...

Importing this package changes no global state and loads no TensorFlow: that
happens when something first needs it. `import tfqueue.v1` is the one import
that switches the process to TensorFlow 1's graph mode.

What is where, from the command down:

* `cli` reads the command line, `commands` has a module for each command.
* `port` runs and rewrites old source, `watch` shows queues live, `recording` says whether two runs computed
  the same.
* `v1` is TensorFlow 1's `tf`, `contrib` its `tf.contrib`, `estimator` its `tf.estimator`; `release` is which one of
  TensorFlow 1 is meant.
* `session` runs the queue runners; `accelerate` makes them fast, `explain` tells what went wrong, `dataset` turns a
  pipeline into `tf.data`, `draw` draws it. All of these read the model of a pipeline in `graph`.
* `names` has what moved and what is gone, `records` reads and writes TFRecord files, `_tensorflow` is what
  is used of TensorFlow's internals, `errors` what is raised; `output` and `pages` write what commands show.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from tfqueue import errors
from tfqueue.dataset import DatasetFunction

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import ModuleType

    from tfqueue._tensorflow.mode import eager as eager
    from tfqueue.draw.pipeline import pipeline as pipeline
    from tfqueue.port.run.first_step import Reached
    from tfqueue.session import managed_session as managed_session
    from tfqueue.session.managed import ManagedSession
    from tfqueue.watch import watch as watch

    dataset: DatasetFunction
else:
    from tfqueue import dataset

__version__ = "0.1.0"

# Public name -> the module that defines it, imported when the name is first used.
_LAZY = {
    "eager": "tfqueue._tensorflow.mode",
    "managed_session": "tfqueue.session",
    "pipeline": "tfqueue.draw.pipeline",
    "watch": None,  # a package that can be called
}

__all__ = ["__version__", "dataset", "errors", *_LAZY]


class _UpperLayers:
    """What `tfqueue.dataset` needs of the layers above it; imported when it is called."""

    def session(self) -> ManagedSession:
        from tfqueue.session import managed_session

        return managed_session()

    def program(self, path: str) -> AbstractContextManager[ModuleType]:
        from tfqueue.port.run import importer

        return importer.loaded(path, importer.Options())

    def first_step(self, path: str) -> Reached:
        from tfqueue.port.run import first_step

        return first_step.first_step(path)


class _Dataset(DatasetFunction):
    """The package `tfqueue.dataset`, with the layers above it."""

    _upper = _UpperLayers()


sys.modules["tfqueue.dataset"].__class__ = _Dataset


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _LAZY[name]
    if home is None:
        return importlib.import_module(f"{__name__}.{name}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext tfqueue`: a notebook shows the pipeline's errors in short, with their picture."""
    importlib.import_module("tfqueue.draw.notebook").load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext tfqueue`: IPython shows errors in full again."""
    importlib.import_module("tfqueue.draw.notebook").unload(shell)
