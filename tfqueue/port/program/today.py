"""What today's `tfqueue.v1` says of names and calls. It is run as a process, which loads TensorFlow.

It reads one JSON document from stdin, ``{"names": [...], "calls": [[name, arguments], ...]}``, and
writes one to stdout: for each name that does not exist, and each call that fits no form of its
function, what is the matter.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import types
import warnings
from collections.abc import Iterable
from typing import Any

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneError
from tfqueue.port.program.tensorflow_names import Arguments, is_scoped
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
    if name.startswith(("tensorflow.python.", "tensorflow_estimator.")):
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
    owner, here = _found(name)
    if here is None:
        return None  # `missing` tells it
    count, words = arguments
    found = _forms(here)
    signatures = [form.signature for form in (found.today, *found.old)] if found else []
    if found is None:
        try:
            signatures = [_call_forms.signature_of(here)]
            if _is_ours(here):  # it takes more than what it wraps
                signatures.append(inspect.signature(here, follow_wrapped=False))
        except (TypeError, ValueError):
            return None
    partly = is_scoped(name)
    said = [_bound(signature, count, words, partly=partly) for signature in signatures]
    if inspect.isclass(owner) and count and not inspect.isfunction(_static(owner, name)):
        # it takes no object
        said.append(_bound(signatures[0], count - 1, words, partly=partly))
    return said[0] if all(said) else None


def _found(name: str) -> tuple[Any, Any]:
    """What holds a function or a class, and itself; None for one that there is not."""
    home, parts = tf, name.split(".")[1:]
    if parts[0] == "python":
        whole = name.split(".")
        ends = range(len(whole) - 1, 1, -1)
        modules = ((end, _module(".".join(whole[:end]))) for end in ends)
        end, home = next((end, module) for end, module in modules if module is not None)
        parts = whole[end:]
    owner, here, at = None, home, "tf"
    for part in parts:
        try:
            owner, here = here, _step(here, at, part)
        except (AttributeError, ImportError):
            return None, None
        at += "." + part
    return owner, here


def _static(owner: type, name: str) -> Any:
    return inspect.getattr_static(owner, name.rpartition(".")[2])


def _is_ours(function: Any) -> bool:
    """Whether it is a wrapper of tfqueue's."""
    code = getattr(function, "__code__", None)
    folder = os.path.dirname(os.path.abspath(tf.__file__ or ""))
    inside = os.path.join(os.path.dirname(folder), "")
    return (
        code is not None
        and hasattr(function, "__wrapped__")
        and code.co_filename.startswith(inside)
    )


def _module(name: str) -> types.ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _forms(function: Any) -> _call_forms.Forms | None:
    makers = ("__init__", "__new__") if inspect.isclass(function) else ()
    for one in (function, *(getattr(function, maker) for maker in makers)):
        known = getattr(one, "_tfqueue_forms", None)
        if known is not None:
            return known.forms  # type: ignore[no-any-return]
    return None


def _bound(
    signature: inspect.Signature, count: int, words: Iterable[str], *, partly: bool
) -> str | None:
    bind = signature.bind_partial if partly else signature.bind
    try:
        bind(*[None] * count, **dict.fromkeys(words))
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
