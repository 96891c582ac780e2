"""What today's `tfqueue.v1` says of names and calls. It is run as a process, which loads TensorFlow.

It reads one JSON document from stdin, ``{"names": [...], "calls": [[name, arguments], ...]}``, and
writes one to stdout: for each name that does not exist, and each call that fits no form of its
function, what is the matter.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import types
import warnings
from collections.abc import Iterable
from typing import Any

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneError
from tfqueue.port.program.tensorflow_names import Arguments
from tfqueue.v1 import _call_forms


def _step(here: Any, at: str, part: str) -> Any:
    try:
        return getattr(here, part)
    except AttributeError:
        if not isinstance(here, types.ModuleType):
            raise
        try:  # a file of old, which is only imported
            return importlib.import_module(f"tfqueue.v1{at[2:]}.{part}")
        except ImportError:
            pass
        raise


def missing(name: str) -> str | None:
    """What is the matter with a name below ``tensorflow``; None where nothing is.

    >>> missing("tensorflow.train.batches")
    'tf.train has no batches'
    >>> missing("tensorflow.train.batch")
    """
    if name.startswith("tensorflow.python."):
        return _missing_inside(name)
    here, at = tf, "tf"
    for part in name.split(".")[1:]:
        if not isinstance(here, types.ModuleType):
            return None  # what a class or a flag holds is not looked at
        try:
            here = _step(here, at, part)
        except AttributeError as error:
            return str(error) if isinstance(error, GoneError) else f"{at} has no {part}"
        except ImportError:
            return None
        at += "." + part
    return None


def _missing_inside(name: str) -> str | None:
    """As `missing`, of what is imported from below ``tensorflow.python``.

    >>> _missing_inside("tensorflow.python.ops.array_ops.no_such_name")
    'tensorflow.python.ops.array_ops has no no_such_name'
    >>> _missing_inside("tensorflow.python.ops.array_ops")
    """
    home, _, last = name.rpartition(".")
    for module in (name, home):
        try:
            found = importlib.import_module(module)
        except ImportError:
            continue
        return None if module == name or hasattr(found, last) else f"{home} has no {last}"
    return f"there is no module {home}"


def refused(name: str, arguments: Arguments) -> str | None:
    """Why a call of a function or class below ``tensorflow`` fits no form of it; None where one does.

    >>> refused("tensorflow.nn.relu", (1, ("features",)))
    "multiple values for argument 'features'"
    >>> refused("tensorflow.nn.softmax", (2, ()))
    """
    here, at = tf, "tf"
    for part in name.split(".")[1:]:
        try:
            here = _step(here, at, part)
        except (AttributeError, ImportError):
            return None  # `missing` tells it
        at += "." + part
    count, words = arguments
    found = _forms(here)
    signatures = [form.signature for form in (found.today, *found.old)] if found else []
    if found is None:
        try:
            signatures = [_call_forms.signature_of(here)]
        except (TypeError, ValueError):
            return None
    said = [_bound(signature, count, words) for signature in signatures]
    return said[0] if all(said) else None


def _forms(function: Any) -> _call_forms.Forms | None:
    makers = ("__init__", "__new__") if inspect.isclass(function) else ()
    for one in (function, *(getattr(function, maker) for maker in makers)):
        known = getattr(one, "_tfqueue_forms", None)
        if known is not None:
            return known.forms  # type: ignore[no-any-return]
    return None


def _bound(signature: inspect.Signature, count: int, words: Iterable[str]) -> str | None:
    try:
        signature.bind(*[None] * count, **dict.fromkeys(words))
    except TypeError as error:
        return str(error)
    return None


def main() -> None:
    """Answers what stdin asks."""
    warnings.simplefilter("ignore")
    asked = json.load(sys.stdin)
    names = {name: said for name in asked["names"] if (said := missing(name))}
    calls = [refused(name, arguments) for name, arguments in asked["calls"]]
    sys.stdout.write(json.dumps({"names": names, "calls": calls}) + "\n")


if __name__ == "__main__":
    main()
