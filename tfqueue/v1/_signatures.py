"""Signatures as rows: for functions and classes that share most of their parameters with others.

Old names and orders of arguments (`keep_dims`) are read in `_call_forms`.
"""

from __future__ import annotations

import ast
import collections
import functools
import inspect
from collections.abc import Callable
from typing import Any

_KIND = inspect.Parameter.POSITIONAL_OR_KEYWORD


def signature_of(parameters: str, **objects: Any) -> inspect.Signature:
    """The signature that a row describes.

    Args:
        parameters: As they stand in TensorFlow's signature, without commas; defaults are literals
            without spaces. `**name` stands for any others, in a dict.
        objects: Defaults that are no literals, by parameter; the row has a name in their place.

    >>> signature_of("feature_columns model_dir=None n_classes=2 **others")
    <Signature (feature_columns, model_dir=None, n_classes=2, **others)>
    """
    listed = []
    for parameter in parameters.split():
        if parameter.startswith("**"):
            listed.append(inspect.Parameter(parameter[2:], inspect.Parameter.VAR_KEYWORD))
            continue
        name, given, text = parameter.partition("=")
        default = inspect.Parameter.empty
        if given:
            default = objects[name] if name in objects else ast.literal_eval(text)
        listed.append(inspect.Parameter(name, _KIND, default=default))
    return inspect.Signature(listed)


def takes(
    parameters: str, of_the_release: Callable[[], dict[str, Any]] = dict, **objects: Any
) -> Callable[[Callable[[dict[str, Any]], Any]], Callable[..., Any]]:
    """Gives a function of a dict the parameters of a row.

    Args:
        parameters: As for `signature_of`.
        of_the_release: Called at each call: defaults that are those of the program's release.
        objects: As for `signature_of`.

    Returns:
        A decorator. What it decorates gets all arguments by their names.

    >>> @takes("first second=2")
    ... def total(given):
    ...     return given["first"] + given["second"]
    >>> total(1), total(1, second=5)
    (3, 6)
    """
    signature = signature_of(parameters, **objects)

    def decorator(function: Callable[[dict[str, Any]], Any]) -> Callable[..., Any]:
        @functools.wraps(function, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            given = {**of_the_release(), **bound.arguments}
            bound.apply_defaults()
            return function({**bound.arguments, **given})

        del vars(wrapper)["__wrapped__"]  # its one parameter is not what a caller gives
        vars(wrapper)["__signature__"] = signature
        return wrapper

    return decorator


def constructor(parameters: str, **objects: Any) -> Callable[..., None]:
    """An `__init__` whose parameters are a row.

    Args:
        parameters: As for `signature_of`.
        objects: As there.

    Returns:
        A method that gives a dict of all arguments to the method `_init_with`.
    """
    signature = signature_of(f"self {parameters}", **objects)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        del given["self"]
        self._init_with(given)

    vars(__init__)["__signature__"] = signature
    return __init__


def record(name: str, parameters: str, fields: str | None = None) -> Any:
    """A named tuple to derive from, whose parameters are a row.

    Args:
        parameters: As for `signature_of`.
        fields: Names of the parameters, in the tuple's order; that of the parameters when None.

    Returns:
        A class. It gives a dict of all arguments to the method `_checked` of the derived one, which
        returns the values.

    >>> class Span(record("Span", "begin end=None")):
    ...     @classmethod
    ...     def _checked(cls, given):
    ...         return given if given["end"] else {**given, "end": given["begin"] + 1}
    >>> Span(3), Span(begin=3, end=5)
    (Span(begin=3, end=4), Span(begin=3, end=5))
    """
    signature = signature_of(parameters)
    plain: Any = collections.namedtuple(name, fields or list(signature.parameters))  # type: ignore[misc]

    class Record(plain):
        __slots__ = ()

        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            values = cls._checked(dict(bound.arguments))
            return super().__new__(cls, **values)

        @classmethod
        def _checked(cls, given: dict[str, Any]) -> dict[str, Any]:
            """The values of the fields, of the arguments."""
            return given

    vars(Record.__new__)["__signature__"] = signature_of(f"cls {parameters}")
    return Record
