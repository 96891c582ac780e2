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
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tfqueue import errors
from tfqueue.dataset import handed

if TYPE_CHECKING:
    from tfqueue._tensorflow.mode import eager as eager
    from tfqueue.dataset import Callable as _Dataset
    from tfqueue.draw.pipeline import pipeline as pipeline
    from tfqueue.session import managed_session as managed_session
    from tfqueue.watch import watch as watch

    dataset: _Dataset
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


def _session() -> Any:
    from tfqueue.session import managed_session

    return managed_session


def _program(path: str) -> Any:
    from tfqueue.port.run import importer

    return importer.loaded(path, importer.Options())


def _first_step(path: str) -> Any:
    from tfqueue.port.run import first_step

    return first_step.first_step(path)


# `dataset` stands below sessions and the loader of old programs, and is given both from here.
handed.over(handed.Handed(session=_session, program=_program, first_step=_first_step))


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
