"""Compares the ledger with `tfqueue.v1`: which old names are there, which old calls mean the same."""

from __future__ import annotations

import functools
import importlib
import inspect
import types
from typing import Any

import tfqueue.v1 as tf
from tfqueue import errors, release
from tfqueue.names import forms, moved
from tfqueue.names.sentence import GoneError
from tfqueue.v1 import _call_forms

CALLS = ("function", "class", "method")


def place_of(name: str) -> str:
    """In which part of the table a name counts.

    >>> [place_of(name) for name in ("nn.softmax", "keras.layers.Dense", "contrib.slim")]
    ['tf', 'tf.keras', 'tf.contrib']
    """
    if name.startswith(("keras.", "contrib.keras.")):
        return "tf.keras"
    return "tf.contrib" if name.startswith("contrib.") else "tf"


@functools.cache
def look_up(name: str) -> Any:
    """What a name below `tf` is today, or the exception that asking for it ends in."""
    if not name:
        return tf
    parent, _, last = name.rpartition(".")
    owner = look_up(parent)
    if isinstance(owner, Exception):
        return owner
    try:
        return getattr(owner, last)
    except GoneError as error:
        return error
    except (AttributeError, ImportError, errors.MissingExtraError) as error:
        if not isinstance(owner, types.ModuleType):
            return error
        try:
            return importlib.import_module(f"tfqueue.v1.{name}")
        except ImportError as other:
            return other if isinstance(other, GoneError) else error


def is_sentence(found: Exception) -> bool:
    """Whether an exception says what to use, in tfqueue's words."""
    return isinstance(found, (GoneError, errors.MissingExtraError))


def forms_of(found: Any) -> _call_forms.Forms | None:
    """What translates the old calls of a function or class, if anything does."""
    for one in (found, getattr(found, "__init__", None), getattr(found, "__new__", None)):
        known = getattr(one, "_tfqueue_forms", None)
        if known is not None and (one is found or inspect.isclass(found)):
            return known.forms
    return None


def today_of(name: str, found: Any) -> inspect.Signature | None:
    """The arguments of a function, class or method today, without `self`."""
    try:
        signature = _call_forms.signature_of(found)
    except (TypeError, ValueError):
        return None
    kinds = {one.kind for one in signature.parameters.values()}
    if kinds and kinds <= {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}:
        return None
    parent, _, last = name.rpartition(".")
    owner = look_up(parent)
    if inspect.isclass(owner) and inspect.isfunction(found):
        if not isinstance(inspect.getattr_static(owner, last), staticmethod):
            signature = signature.replace(parameters=[*signature.parameters.values()][1:])
    return signature


def sample(old: inspect.Parameter, new: inspect.Parameter | None) -> Any:
    """A value for an old argument, of a kind that today's takes, that is not its default."""
    name = new.name if new is not None else old.name
    if new is not None and isinstance(new.default, bool):
        return not new.default
    if old.name == "_sentinel" or new is None:
        return None if old.default in (old.empty, ...) else old.default
    if name == "data_format":
        return "NHWC"
    if name in ("name", "scope") or isinstance(new.default, str):
        return f"<{name}>"
    return 7 if name in (*_call_forms._AXIS, "seed") else [old.name]


def today_name(dotted: str, old: str, today: inspect.Signature) -> str | None:
    """Which argument an old one is today, or None."""
    if dotted.startswith("contrib.keras."):
        dotted = dotted.removeprefix("contrib.")
    names = [forms.RENAMED.get(dotted, {}).get(old, old), *forms.PAIRS.get(old, ())]
    return next((name for name in names if name in today.parameters), None)


Call = tuple[tuple[Any, ...], dict[str, Any]]


def both_calls(
    dotted: str, old: inspect.Signature, today: inspect.Signature
) -> tuple[list[Call], dict[str, Any]]:
    """A call with every argument by position, and one with every argument by its name.

    Returns:
        The two calls, and what today's arguments have to get.
    """
    args, named, expected = [], {}, {}
    for one in old.parameters.values():
        if one.kind not in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            continue
        new = today_name(dotted, one.name, today)
        value = sample(one, None if new is None else today.parameters[new])
        if one.kind is one.POSITIONAL_OR_KEYWORD:
            args.append(value)
        if new is not None or one.default is one.empty:
            named[one.name] = value
        if new is not None:
            expected[new] = value
    only = {
        k: v for k, v in named.items() if old.parameters[k].kind is inspect.Parameter.KEYWORD_ONLY
    }
    return [(tuple(args), only), ((), named)], expected


def state_of_calls(name: str, old: inspect.Signature, when: str) -> list[tuple[str, str]]:
    """For a call by position and one by name: `works`, `refused`, `neither` or `unknown`, and why."""
    if name in moved.REORDERED:
        return [("works", "its own code takes both orders")] * 2
    found = look_up(name)
    today = today_of(name, found)
    known = forms_of(found)
    if known is not None:
        today = known.today.signature
    if today is None:
        return [("unknown", "Python cannot tell its arguments")] * 2
    calls, expected = both_calls(name, old, today)
    lost = [
        one.name
        for one in old.parameters.values()
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        and today_name(name, one.name, today) is None
        and one.name not in ("_sentinel", *forms.IGNORED)
    ]
    release.assume(when)
    try:
        strict = known is None and place_of(name) == "tf.keras"
        states = [_state_of_call(known, today, *call, expected, strict=strict) for call in calls]
    finally:
        release.assume(None)
    if lost and known is not None:
        return [
            ("refused" if state == "works" else state, f"{lost[0]} {why}") for state, why in states
        ]
    return states


def _state_of_call(
    known: _call_forms.Forms | None,
    today: inspect.Signature,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    expected: dict[str, Any],
    *,
    strict: bool = False,
) -> tuple[str, str]:
    """`works`, `refused` or `neither`, and why; with `strict`, nothing else may arrive either."""
    by_name = kwargs.keys()
    if known is not None:
        try:
            args, kwargs = known.translated_where_it_differs(args, kwargs)
        except (TypeError, ValueError) as error:
            return "refused", str(error)
    try:
        bound = today.bind(*args, **kwargs)
    except TypeError as error:
        # Python names the argument that the call lacks.
        return "refused" if "missing" in str(error) else "neither", str(error)
    got: dict[str, Any] = {}
    for key, value in bound.arguments.items():
        kind = today.parameters[key].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            got.update(value)
        elif kind is inspect.Parameter.VAR_POSITIONAL and value:
            return "works", "any number by position"
        else:
            got[key] = value
    stray = [key for key in got.keys() - by_name - expected.keys() if key in today.parameters]
    if stray and strict:  # an argument that is no more, by position
        return "neither", f"{stray[0]} gets {got[stray[0]]!r}"
    wrong = [key for key, value in expected.items() if key in today.parameters]
    wrong = [key for key in wrong if got.get(key) != expected[key] and _is_plain(today, key)]
    if wrong:
        return "neither", f"{wrong[0]} gets {got.get(wrong[0])!r}"
    return "works", ""


def _is_plain(today: inspect.Signature, name: str) -> bool:
    kind = today.parameters[name].kind
    return kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
