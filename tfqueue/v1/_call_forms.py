"""Calls as TensorFlow 0.12 to 1.15 took them, on functions whose arguments have moved since.

`names/forms.txt` has a row for each function that took its arguments in another order, or under other
names, in some release: the forms of the call that differ from today's. A function with a row is
wrapped: a call is read in the form of the release that the program is from (`tfqueue.release`; of one
that is not known, 1.15), or else in today's, or else in another one that it fits, and today's function
is called with its arguments by today's names. A call that has one meaning in all forms goes through at
once. An argument that is no more is left out where it has its default, and refused by name otherwise.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from tfqueue import _tensorflow, release
from tfqueue.names import forms as _rows
from tfqueue.names import ledger

_tf = _tensorflow.compat_v1()

_PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_CALLABLE = ("constraint", "initializer", "regularizer", "getter", "activation")
_TEXT = ("name", "scope", "container", "device", "padding", "format", "delim", "method", "key")
_AXIS = ("axis", "axes", "dim", "num", "num_or_size_splits", "num_split")
_SECOND_ERA = ValueError, TypeError


class Form(NamedTuple):
    """One way to call a function."""

    last: str
    """The last release that took it; `""` for today's."""
    signature: inspect.Signature
    names: Mapping[str, str | None]
    """Each parameter -> the one that it is today, or None if it is no more."""


class Forms:
    """The forms of one function.

    Args:
        dotted: Its name below `tf`.
        today: Its signature today, without `self`.
        old: The last release and the arguments of each other form, the oldest first.

    >>> forms = Forms("f", ledger.parsed("x, axis=None, name=None"), [("1.4", "x, name=None")])
    >>> forms.translated((1, "sum"), {})
    ((), {'x': 1, 'name': 'sum'})
    >>> forms.translated((1, 0), {})
    ((), {'x': 1, 'axis': 0})
    """

    def __init__(
        self, dotted: str, today: inspect.Signature, old: Iterable[tuple[str, str]]
    ) -> None:
        self.dotted = dotted
        self.today = Form("", today, {name: name for name in today.parameters})
        self.old = [self._form(last, ledger.parsed(text)) for last, text in old]
        self.known = frozenset(
            name
            for name, one in today.parameters.items()
            if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        )
        self.same = self._positions_in_common()

    def _form(self, last: str, signature: inspect.Signature) -> Form:
        today = self.today.signature.parameters
        own = _rows.RENAMED.get(self.dotted, {})
        names: dict[str, str | None] = {}
        for name in signature.parameters:
            new: str | None = own.get(name) or name
            if new not in today:
                new = next((one for one in _rows.PAIRS.get(name, ()) if one in today), None)
            names[name] = new
        return Form(last, signature, names)

    def _positions_in_common(self) -> int:
        """How many arguments by position mean the same in every form."""
        today = _positional(self.today.signature)
        for place, parameter in enumerate(today):
            for form in self.old:
                given = _positional(form.signature)
                if place < len(given) and form.names[given[place].name] != parameter.name:
                    return place
        return len(today)

    def _in_order(self) -> list[Form]:
        """The forms, the likelier one first: that of the program's release, then today's."""
        of_era = next((form for form in self.old if _reaches(form.last)), None)
        rest = [form for form in reversed(self.old) if form is not of_era]
        return [*([of_era] if of_era else []), self.today, *rest]

    def translated(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A call in today's words.

        Args:
            args: The arguments by position, as the program gave them.
            kwargs: Those by name.

        Returns:
            Both, for today's function. Unchanged if the call fits no form.

        Raises:
            TypeError: If the call gives a value to an argument that is no more.
            ValueError: If it gives arguments by position that TensorFlow 1 took by name alone.
        """
        for form in self._in_order():
            try:
                bound = form.signature.bind(*args, **kwargs).arguments
            except TypeError:
                continue
            if self._fits(form, bound):
                return (args, kwargs) if _is_open(form) else ((), self._call(form, bound))
        return args, kwargs

    def _fits(self, form: Form, bound: Mapping[str, Any]) -> bool:
        """Whether each value can be what its parameter stands for today."""
        today = self.today.signature.parameters
        return all(
            _can_be(today[new], value)
            for name, value in bound.items()
            for new in [form.names[name]]
            if new is not None
        )

    def _call(self, form: Form, bound: Mapping[str, Any]) -> dict[str, Any]:
        call: dict[str, Any] = {}
        for name, value in bound.items():
            parameter, new = form.signature.parameters[name], form.names[name]
            if parameter.kind is parameter.VAR_KEYWORD:
                call.update(value)
            elif new is not None:
                call[new] = value
            elif not _is_default(parameter, value):
                raise self._refusal(form, name)
        return call

    def _refusal(self, form: Form, name: str) -> Exception:
        if name == "_sentinel":
            words = ", ".join(f"{word}=..." for word in form.signature.parameters if word != name)
            return ValueError(
                f"tf.{self.dotted} takes its arguments by name since TensorFlow 1.0: {words} "
                "(by position, the logits came first up to 0.12)"
            )
        return TypeError(
            f"tf.{self.dotted} has no argument {name!r} since TensorFlow {form.last or '2.0'}: "
            f"what it did is not to be had any more; today's are {self.today.signature}"
        )


def _positional(signature: inspect.Signature) -> list[inspect.Parameter]:
    return [one for one in signature.parameters.values() if one.kind in _PLAIN]


def _is_open(form: Form) -> bool:
    """Whether a form takes any number of arguments by position, which have no names."""
    return any(one.kind is one.VAR_POSITIONAL for one in form.signature.parameters.values())


def _reaches(last: str) -> bool:
    """Whether the program can be from the release `last` at the latest."""
    major, minor = ledger.number(last)
    return release.before((major, minor + 1))


def _is_default(parameter: inspect.Parameter, value: Any) -> bool:
    if parameter.default is parameter.empty or parameter.default is ...:
        return value is None
    return value is parameter.default or (
        type(value) is type(parameter.default) and value == parameter.default
    )


def _can_be(parameter: inspect.Parameter, value: Any) -> bool:
    """Whether a value can be meant for a parameter; only what is sure speaks against it."""
    name, default = parameter.name, parameter.default
    if value is None or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return True
    if name in ("name", "scope"):
        return isinstance(value, (str, bytes)) or hasattr(value, "original_name_scope")
    if isinstance(value, str):
        required = default is parameter.empty
        return required or isinstance(default, str) or name.endswith(_TEXT) or _is_dtype(value)
    if isinstance(value, bool) and name.endswith(_CALLABLE):
        return False
    if isinstance(default, bool) and not _tf.is_tensor(value):
        return isinstance(value, (bool, int)) or getattr(value, "ndim", None) == 0
    if name in _AXIS:
        return _is_axis(value)
    if name in ("value", "values", "sp_input", "sp_inputs"):
        return not isinstance(value, int)
    return True


def _is_dtype(text: str) -> bool:
    try:
        _tf.as_dtype(text)
    except TypeError:
        return False
    return True


def _is_axis(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(isinstance(one, int) or hasattr(one, "__index__") for one in value)
    if _tf.is_tensor(value):
        rank = getattr(getattr(value, "shape", None), "rank", None)
        return bool(value.dtype.is_integer) and rank in (None, 0, 1)
    return not hasattr(value, "dtype") or value.dtype.kind in "iu"


def signature_of(function: Any) -> inspect.Signature:
    """The arguments of a function or class today, those of decorated ones too.

    Raises:
        TypeError, ValueError: If Python cannot tell them.
    """
    found = inspect.signature(_tensorflow.undecorated(function))
    return found


def adapted(dotted: str, function: Callable[..., Any]) -> Any:
    """`function`, which also takes the calls of the releases that had it.

    Args:
        dotted: Its name below `tf`.
        function: Today's.

    Returns:
        A wrapper; the function itself if it has no row.
    """
    old = _rows.old_forms().get(dotted)
    if old is None or hasattr(function, "_tfqueue_forms"):
        return function
    if inspect.isclass(function):
        _adapt_class(dotted, function, old)
        return function
    forms = Forms(dotted, signature_of(function), old)
    return _wrapped(function, forms)


def _wrapped(function: Callable[..., Any], forms: Forms) -> Callable[..., Any]:
    same, known, translated = forms.same, forms.known, forms.translated

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if len(args) > same or not kwargs.keys() <= known:
            args, kwargs = translated(args, kwargs)
        return function(*args, **kwargs)

    wrapper.__signature__ = forms.today.signature  # type: ignore[attr-defined]
    wrapper._tfqueue_forms = forms  # type: ignore[attr-defined]
    return wrapper


def _adapt_class(dotted: str, cls: type, old: list[tuple[str, str]]) -> None:
    """Lets a class be made as of old, also by the classes that a program derives from it."""
    name = "__new__" if cls.__init__ is object.__init__ else "__init__"  # type: ignore[misc]
    original = getattr(cls, name)
    if hasattr(original, "_tfqueue_forms"):
        return
    today = inspect.signature(original)
    first, *others = today.parameters.values()
    forms = Forms(dotted, today.replace(parameters=others), old)
    same, known, translated = forms.same + 1, forms.known, forms.translated

    @functools.wraps(original)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        if len(args) >= same or not kwargs.keys() <= known:
            args, kwargs = translated(args, kwargs)
        return original(self, *args, **kwargs)

    wrapper.__signature__ = today  # type: ignore[attr-defined]
    wrapper._tfqueue_forms = forms  # type: ignore[attr-defined]
    setattr(cls, name, wrapper)


def adapt_module(module: types.ModuleType, dotted: str) -> None:
    """Adapts the functions and classes in a module of ours that have rows.

    Args:
        module: The module, loaded.
        dotted: The name below `tf` that it stands for.
    """
    for name, old in _rows.below(dotted).items():
        found = vars(module).get(name)
        if callable(found) and old:
            vars(module)[name] = adapted(f"{dotted}.{name}", found)
