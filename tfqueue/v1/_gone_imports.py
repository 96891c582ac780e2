"""What an `import` of a name that is gone gives: a stand-in that refuses each use by the name's sentence.

Programs import at their head what only some of their ways use: a model for TPUs, a converter for another
runtime. TensorFlow 1 had the name, so the import goes on, and the sentence comes where the program uses
it. An import within a `try` is refused itself, for its `except` knows a way without the name; and so is
a constant, which could be compared and passed on before anything is called.
"""

import dis
import re
import sys
import types
from typing import Any, NoReturn

from tfqueue.names.sentence import (
    Gone,
    GoneAttributeError,
    GoneImportError,
    GoneUseError,
)

_FINDING = re.compile(
    r"(importlib|_frozen_importlib\w*)(\..*)?|tfqueue\.v1\.(_lazy_names|_old_imports)"
)
"""Modules whose frames are between an import statement and the finder."""


class StandIn(types.ModuleType):
    """What stands for a module, class or function that is gone. Nothing is an instance of it.

    Args:
        row: The row of the name or of a module above it, with its whole dotted name in `old`.
        name: The last part of the name.

    >>> stand_in = StandIn(Gone("tf.contrib.lite", "2.0", "tf.lite"), "lite")
    >>> isinstance(3, stand_in)
    False
    >>> stand_in.toco_convert
    Traceback (most recent call last):
    tfqueue.names.sentence.GoneAttributeError: tf.contrib.lite is gone since TensorFlow 2.0: tf.lite
    """

    __path__: list[str] = []  # `import a.gone.b` asks for it

    def __init__(self, row: Gone, name: str) -> None:
        super().__init__(row.old, "Stands for what is gone.")
        self.__dict__.update(_row=row, _name=name)

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":  # `import *` asks for it, and would go on without it
            raise GoneImportError(*self.__dict__["_row"])
        if name.startswith("__"):
            raise AttributeError(name)
        if self._name[:1].isupper() and not name.isupper():  # a method of a class
            return StandIn(self.__dict__["_row"], name)
        return refused(self.__dict__["_row"], name, sys._getframe(1))

    def __instancecheck__(self, instance: object) -> bool:
        return False

    def __subclasscheck__(self, subclass: object) -> bool:
        return False

    def _use(self, *args: object, **kwargs: object) -> NoReturn:
        raise GoneUseError(*self.__dict__["_row"])

    __call__ = __mro_entries__ = __bool__ = __iter__ = __len__ = __getitem__ = __contains__ = _use


def refused(row: Gone, name: str, asking: types.FrameType) -> StandIn:
    """Refuses a name that is gone, or gives what stands for it in an import.

    Args:
        row: The row of the name or of a module above it, with its whole dotted name in `old`.
        name: The last part of the name.
        asking: The frame that asks for the name.

    Returns:
        A `StandIn`, if it is an import that no `try` and no `with` surround.

    Raises:
        GoneImportError: In any other import, and of a constant.
        GoneAttributeError: If it is no import.
    """
    if not is_imported(asking):
        raise GoneAttributeError(*row)
    return _imported(row, name, asking)


def refused_module(row: Gone, fullname: str) -> StandIn:
    """The same for a module that a finder of `sys.meta_path` is asked for by its full name.

    Raises:
        GoneImportError: Unless an import statement asks, which no `try` and no `with` surround.
    """
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and _FINDING.fullmatch(str(frame.f_globals.get("__name__"))):
        frame = frame.f_back
    if frame is None or not (_does(frame, "IMPORT_NAME") or is_imported(frame)):
        raise GoneImportError(*row)
    return _imported(row, fullname.rpartition(".")[2], frame)


def _imported(row: Gone, name: str, frame: types.FrameType) -> StandIn:
    if name.isupper() or is_guarded(frame):
        raise GoneImportError(*row)
    return StandIn(row, name)


def is_imported(frame: types.FrameType) -> bool:
    """Whether what a frame does now is `from module import name`."""
    return _does(frame, "IMPORT_FROM")


def is_guarded(frame: types.FrameType) -> bool:
    """Whether a `try` or a `with` surrounds, in its function, what a frame does now."""
    at = frame.f_lasti
    if sys.version_info >= (3, 11):
        entries = dis.Bytecode(frame.f_code).exception_entries
        return any(entry.start <= at < entry.end for entry in entries)
    return any(
        step.opname in ("SETUP_FINALLY", "SETUP_WITH") and step.offset < at < step.argval
        for step in dis.get_instructions(frame.f_code)
    )


def _does(frame: types.FrameType, op: str) -> bool:
    return frame.f_code.co_code[frame.f_lasti] == dis.opmap[op]
