"""Calls as TensorFlow 0.6 to 1.15 took them, on functions whose arguments have moved since.

`names/forms.txt` has a row for each function that took its arguments in another order, or under other
names such as `keep_dims`, in some release: the forms of the call that differ from today's. A function
with a row is wrapped: a call is read in the form of the release that the program is from
(`tfqueue.release`; of one that is not known, 1.15), or else in today's, or else in another one that it
fits, and today's function is called with its arguments by today's names. A call that has one meaning in
all forms goes through at once. An argument that is no more is left out where it has its default, and
refused by name otherwise.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import types
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, NamedTuple

from tfqueue import _tensorflow, release
from tfqueue.names import forms, ledger, older_forms
from tfqueue.names.sentence import GoneArgumentError
from tfqueue.v1 import _namespace

_tf = _tensorflow.compat_v1()

_PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_CALLABLE = ("constraint", "initializer", "regularizer", "getter", "activation")
_TEXT = (
    *("name", "scope", "container", "device", "padding", "format", "delim", "method", "key"),
    *("metadata", "subset", "_dir", "token", *_CALLABLE),
)
_AXIS = ("axis", "axes", "dim", "num", "num_or_size_splits", "num_split")


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
        own = forms.RENAMED.get(dotted, {})
        self.today = Form("", today, {name: own.get(name, name) for name in today.parameters})
        self.old = [self._form(last, ledger.parsed(text)) for last, text in old]
        self.known = frozenset(
            name
            for name, one in today.parameters.items()
            if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and name not in own
        )
        self.same = self._positions_in_common()

    def _form(self, last: str, signature: inspect.Signature) -> Form:
        today = self.today.signature.parameters
        own = forms.RENAMED.get(self.dotted, {})
        names: dict[str, str | None] = {}
        for name in signature.parameters:
            new: str | None = own.get(name) or name
            if new not in today and own.get(name) != name:
                new = next((one for one in forms.PAIRS.get(name, ()) if one in today), None)
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
        of_era = next((form for form in self.old if reaches(form.last)), None)
        rest = [form for form in reversed(self.old) if form is not of_era]
        return [*([of_era] if of_era else []), self.today, *rest]

    def translated_where_it_differs(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """As `translated`; a call that means the same in all forms is not looked at further.

        What is not given is what it was in the release that the program is known to be from.
        """
        if len(args) > self.same or not kwargs.keys() <= self.known:
            args, kwargs = self.translated(args, kwargs)
        for name, (last, value) in forms.BEGAN.get(self.dotted, {}).items():
            by_position = [one.name for one in _positional(self.today.signature)[: len(args)]]
            if name not in {*kwargs, *by_position} and reaches(last):
                kwargs = {**kwargs, name: value}
        return args, kwargs

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
            GoneArgumentError: If the call gives a value to an argument that is no more.
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
        if bound.get("keyword_required") is not None:
            return False  # it takes the place of arguments by position
        return all(
            _can_be(today[new], value, "axis" in today) and _is_of_its_kind(new, value, today)
            for name, value in bound.items()
            for new in [form.names[name]]
            if new is not None and new in today
        )

    def _call(self, form: Form, bound: Mapping[str, Any]) -> dict[str, Any]:
        call: dict[str, Any] = {}
        today = self.today.signature.parameters
        for name, value in bound.items():
            parameter, new = form.signature.parameters[name], form.names[name]
            if parameter.kind is parameter.VAR_KEYWORD:
                call.update(value)
            elif new is not None:
                if new in today or not _is_default(parameter, value):
                    call[new] = value
            elif name not in forms.IGNORED and not _is_default(parameter, value):
                raise self._refusal(form, name)
        for name, value in forms.MEANT.get(self.dotted, {}).items():
            if name not in form.signature.parameters:
                call.setdefault(name, value)
        return call

    def _refusal(self, form: Form, name: str) -> Exception:
        if name == "_sentinel":
            words = ", ".join(f"{word}=..." for word in form.signature.parameters if word != name)
            return ValueError(
                f"tf.{self.dotted} takes its arguments by name since TensorFlow 1.0: {words} "
                "(by position, the logits came first up to 0.12)"
            )
        return GoneArgumentError(
            f"the argument {name!r} of tf.{self.dotted}",
            _after(form.last),
            f"its arguments are now {', '.join(self.today.signature.parameters)}",
        )


def _positional(signature: inspect.Signature) -> list[inspect.Parameter]:
    return [one for one in signature.parameters.values() if one.kind in _PLAIN]


def _is_open(form: Form) -> bool:
    """Whether a form takes any number of arguments by position, which have no names."""
    return any(one.kind is one.VAR_POSITIONAL for one in form.signature.parameters.values())


def reaches(last: str, keras: bool = False) -> bool:
    """Whether the program can be from the release `last` at the latest.

    Args:
        keras: Whether it holds for programs that import the package keras, too, whatever their release.
    """
    major, minor = ledger.number(last)
    return (keras and release.imports_keras()) or release.before((major, minor + 1))


def _after(last: str) -> str:
    """The recorded release behind `last`."""
    known = (*older_forms.RELEASES, *ledger.releases())
    later = [each for each in known if ledger.number(each) > ledger.number(last or known[-1])]
    return later[0] if later else "2.0"


def _is_default(parameter: inspect.Parameter, value: Any) -> bool:
    if parameter.default is parameter.empty or parameter.default is ...:
        return value is None
    return value is parameter.default or (
        type(value) is type(parameter.default) and value == parameter.default
    )


def _can_be(parameter: inspect.Parameter, value: Any, beside_axis: bool) -> bool:
    """Whether a value can be meant for a parameter; false only where that is sure."""
    name, default = parameter.name, parameter.default
    if name in ("momentum", "initial_accumulator_value", "epsilon", "batch_size"):
        return _can_be_amount(parameter, value)
    if value is None or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return True
    if name in ("name", "scope"):
        return isinstance(value, (str, bytes)) or hasattr(value, "original_name_scope")
    if isinstance(default, bool) and not _tf.is_tensor(value):
        return isinstance(value, (bool, int)) or getattr(value, "ndim", None) == 0
    if isinstance(value, str):
        if name == "data_format":
            return value.startswith(("N", "channels_"))
        required = default is parameter.empty
        return required or isinstance(default, str) or name.endswith(_TEXT) or _is_dtype(value)
    if isinstance(value, bool) and name.endswith(_TEXT):
        return False
    if name == "dtype" and isinstance(value, int):
        return False
    if name.endswith(_CALLABLE) and isinstance(value, (bool, int, float)):
        return False
    if name in _AXIS:
        return _is_axis(value)
    if beside_axis and name in ("value", "values", "sp_input", "sp_inputs"):
        return not isinstance(value, int)
    return True


def _is_of_its_kind(name: str, value: Any, beside: Container[str]) -> bool:
    """Whether a value can be the `labels` or the `inputs` of a loss that took them the other way round up to 0.12.

    No release took whole numbers as the inputs of a sampled loss, or a dense tensor as labels of CTC.
    """
    if name == "inputs" and "num_sampled" in beside:
        return not (hasattr(value, "dtype") and _tf.as_dtype(value.dtype).base_dtype.is_integer)
    if name == "labels" and "ctc_merge_repeated" in beside:
        return isinstance(value, _tf.SparseTensor) or not hasattr(value, "dtype")
    return True


def _can_be_amount(parameter: inspect.Parameter, value: Any) -> bool:
    """Whether a value can be one of four amounts, whose place in an order another one had."""
    if isinstance(value, bool):
        return False
    if parameter.name in ("momentum", "initial_accumulator_value"):
        # smaller ones are the epsilon of optimizers of Keras up to 1.12
        return value is not None and not (isinstance(value, float) and 0 < value < 1e-4)
    is_zero = isinstance(value, int | float) and value == 0
    return not (is_zero and parameter.name == "epsilon" and parameter.default == 1e-7)


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
    if not inspect.isclass(function):
        signature = inspect.signature(_tensorflow.undecorated(function))
        is_maker = getattr(function, "__name__", "") in ("__init__", "__new__")
    else:
        signature, is_maker = inspect.signature(getattr(function, _maker(function))), True
    rest = [*signature.parameters.values()][1 if is_maker else 0 :]
    return signature.replace(parameters=rest)


def _maker(cls: type) -> str:
    """The method that takes the arguments that an object of a class is made with."""
    return "__new__" if cls.__init__ is object.__init__ else "__init__"  # type: ignore[misc]


def adapted(dotted: str, function: Callable[..., Any]) -> Any:
    """`function`, which also takes the calls of the releases that had it.

    Args:
        dotted: Its name below `tf`.
        function: Today's.

    Returns:
        A wrapper; a class itself, and what has no row.
    """
    old = forms.old_forms().get(dotted)
    if old is None or hasattr(function, "_tfqueue_forms"):
        return function
    same = function, dotted.rpartition(".")[2], tuple(forms.RENAMED.get(dotted, ()))
    if inspect.isclass(function):
        adapt_class(dotted, function, old)
        return function
    if same in _ADAPTED:
        _ADAPTED[same]._tfqueue_forms.add(dotted, old)  # type: ignore[attr-defined]
        return _ADAPTED[same]
    known = _Known([(dotted, old)], function)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if args or kwargs:
            args, kwargs = known.forms.translated_where_it_differs(args, kwargs)
        return function(*args, **kwargs)

    if isinstance(function, functools.partial):
        wrapper.__name__ = function.func.__name__  # `tf.contrib.layers.stack` names scopes by it
    wrapper._tfqueue_forms = known  # type: ignore[attr-defined]
    with contextlib.suppress(TypeError, ValueError):  # what Python cannot tell the arguments of
        # `inspect.getfullargspec` does not look behind a wrapper; programs ask whether an argument is there
        wrapper.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    _ADAPTED[same] = wrapper
    return wrapper


_ADAPTED: dict[Any, Callable[..., Any]] = {}
"""What `adapted` gave: a function that stands in several places is one still, with the forms of all."""


class _Known:
    """The forms of one function, put together when it is first called.

    Args:
        rows: The names that it has, each with its old forms.
        function: The function or class of today.
    """

    def __init__(
        self, rows: list[tuple[str, list[tuple[str, str]]]], function: Callable[..., Any]
    ) -> None:
        self.rows = rows
        self._today = function

    def add(self, dotted: str, old: list[tuple[str, str]]) -> None:
        """Takes in the forms of one more name, whether it was called before or not."""
        if (dotted, old) not in self.rows:
            self.rows.append((dotted, old))
            vars(self).pop("forms", None)

    @functools.cached_property
    def forms(self) -> Forms:
        """The forms, under all names."""
        every = {(last, text) for _, old in self.rows for last, text in old}
        in_order = sorted(every, key=lambda form: (ledger.number(form[0]), form[1]))
        return Forms(self.rows[0][0], signature_of(self._today), in_order)


def adapt_class(dotted: str, cls: type, old: list[tuple[str, str]]) -> None:
    """Lets a class be made as of old, also by the classes that a program derives from it.

    A class may be adapted under several names; it takes the forms of all. TensorFlow, Keras and
    tfqueue make their own objects of it as today, whatever release the program is from.
    """
    name = _maker(cls)
    known = getattr(vars(cls).get(name), "_tfqueue_forms", None)
    if known is not None:
        known.add(dotted, old)
        return
    original = getattr(cls, name)
    known = _Known([(dotted, old)], original)

    @functools.wraps(original)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        if (args or kwargs) and not _is_of_today(_calling_module(cls, sys._getframe(1))):
            args, kwargs = known.forms.translated_where_it_differs(args, kwargs)
        return original(self, *args, **kwargs)

    wrapper._tfqueue_forms = known  # type: ignore[attr-defined]
    with contextlib.suppress(TypeError, ValueError):
        wrapper.__signature__ = inspect.signature(original)  # type: ignore[attr-defined]
    setattr(cls, name, wrapper if name == "__init__" else staticmethod(wrapper))


def _calling_module(cls: type, frame: types.FrameType | None) -> str:
    """The module that makes an object of a class, behind what its metaclass calls meanwhile.

    A module with a name `HANDS_ON` is passed over: it calls for the program.
    """
    module = ""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module != type(cls).__module__ and "HANDS_ON" not in frame.f_globals:
            break
        frame = frame.f_back
    return module


@functools.cache
def _is_of_today(module: str) -> bool:
    """Whether a module's calls are written for today's TensorFlow."""
    return module.partition(".")[0] in ("tensorflow", "keras", "tf_keras", "tfqueue")


def adapt_keras(owner: Any) -> None:
    """Adapts the functions and classes of tf_keras that have rows.

    Args:
        owner: What stands for `tf.keras`. A function's wrapper takes its place there.
    """
    for dotted in forms.old_forms():
        if dotted.startswith("keras."):
            home, _, name = dotted.removeprefix("keras.").rpartition(".")
            inner = _namespace.member(owner, home) if home else owner
            setattr(inner, name, adapted(dotted, getattr(inner, name)))


def adapt_module(module: types.ModuleType, dotted: str) -> None:
    """Adapts the functions and classes in a module of ours that have rows.

    Args:
        module: The module, loaded.
        dotted: The name below `tf` that it stands for.
    """
    for name in forms.below(dotted):
        found = vars(module).get(name)
        if callable(found):
            vars(module)[name] = adapted(f"{dotted}.{name}", found)
