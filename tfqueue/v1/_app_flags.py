"""`tf.flags` and `tf.app.flags`, as they were in the release that the program was written for.

Up to TensorFlow 1.4 they stood on argparse: a default and a value set later stayed as they were
given, any name could be set, `--train False` set a boolean to False, and names that nobody had
defined were left to the program, but for a word that one flag alone begins with. Since 1.5 they are the library absl's, where `--train False` sets
it to True and leaves `False` over. Which one it is, `tfqueue.release` says.

Programs of an unknown release get absl's, and where absl refuses what argparse took (a default of
another type, a flag defined twice or by absl itself, setting a name that nobody defined), it is let
through.
"""

from __future__ import annotations

import argparse
import collections.abc
import contextlib
import functools
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from absl import app as _absl_app
from absl import flags as _absl
from absl import logging as _absl_logging

from tfqueue import _tensorflow, release

_tf = _tensorflow.compat_v1()
_flags = _tf.flags
_LIBRARIES = ("absl.", "tensorflow.")
_NAMED = {"flag_name": "name", "default_value": "default", "docstring": "help"}
_HELP = frozenset(["?", "help", "helpfull", "helpshort", "helpxml"])


def _of_argparse() -> bool:
    """Whether the program's flags are those of TensorFlow up to 1.4."""
    return release.before("1.5")


def release_names() -> None:
    """Lets a program define flags that absl itself has, such as `log_dir` and `v`.

    Up to 1.4 TensorFlow did not load `absl.logging`, whose flags they are. The program's own takes
    its place, and absl goes on with what it had itself.
    """
    own = {}
    for name in _absl.FLAGS:
        if str(_absl.FLAGS.find_module_defining_flag(name)).startswith("absl."):
            own[name] = _absl.FLAGS[name]
            own[name].allow_override = True
    flags: Any = _FlagsOfAbsl(_absl.FLAGS, own)
    for module in (_absl_app, _absl_logging):
        vars(module)["FLAGS"] = flags
        for holder in vars(module).values():
            if isinstance(holder, _absl.FlagHolder):
                holder._flagvalues = flags


class _FlagsOfAbsl:
    """The flags as absl's own modules see them: those that they defined, whatever the program calls so."""

    def __init__(self, values: Any, own: dict[str, Any]) -> None:
        vars(self).update(_values=values, _own=own)

    def __getitem__(self, name: str) -> Any:
        return self._own[name] if name in self._own else self._values[name]

    def __getattr__(self, name: str) -> Any:
        return self._own[name].value if name in self._own else getattr(self._values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        flag = self._own.get(name)
        if flag is None or (name in self._values and self._values[name] is flag):
            setattr(self._values, name, value)
        else:
            flag.value = value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._values(*args, **kwargs)


def _is_true(text: str) -> bool:
    return text.lower() in ("true", "t", "1")


class _Parser:
    """The flags of a program written for TensorFlow up to 1.4."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.parsed = False
        self._parser = argparse.ArgumentParser(conflict_handler="resolve")

    def define(self, kind: Callable[[str], Any], name: str, default: Any, docstring: str) -> None:
        more: dict[str, Any] = {"nargs": "?", "const": True} if kind is _is_true else {}
        self._parser.add_argument(f"--{name}", default=default, help=docstring, type=kind, **more)
        if kind is _is_true:
            self._parser.add_argument(
                f"--no{name}", action="store_false", dest=name.replace("-", "_")
            )

    def parse(self, args: Sequence[str] | None = None) -> list[str]:
        """Parses the command line or `args`; returns what no flag takes."""
        known, rest = self._parser.parse_known_args(args)
        self.values.update(vars(known))
        self.parsed = True
        return rest

    def current(self) -> dict[str, Any]:
        """Name to value; the command line is parsed when they are first asked for."""
        if not self.parsed:
            self.parse()
        return self.values


def _forgiving(define: Callable[..., Any], kind: Callable[[str], Any]) -> Callable[..., Any]:
    """`define`, which lets a flag be defined again and have a default of another type."""

    @functools.wraps(define)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        named = dict(zip(("name", "default", "help"), args, strict=False))
        named.update((_NAMED.get(key, key), value) for key, value in kwargs.items())
        if _of_argparse():
            FLAGS._old.define(kind, named["name"], named["default"], named.get("help"))
            return None
        named.setdefault("allow_override", True)
        try:
            return define(**named)
        except _absl.IllegalFlagValueError:
            holder = define(**{**named, "default": None})
            flag = _absl.FLAGS[named["name"]]
            flag.default = flag.default_unparsed = flag.value = named["default"]
            return holder

    wrapper.__module__ = __name__
    return wrapper


DEFINE_bool = DEFINE_boolean = _forgiving(_flags.DEFINE_boolean, _is_true)
DEFINE_float = _forgiving(_flags.DEFINE_float, float)
DEFINE_integer = _forgiving(_flags.DEFINE_integer, int)
DEFINE_string = _forgiving(_flags.DEFINE_string, str)


class _Values(collections.abc.Mapping[str, Any]):
    """Name to value of the program's flags, which was `FLAGS.__dict__["__flags"]` up to 1.4."""

    def __init__(self, flags: Any, more: dict[str, Any]) -> None:
        self._flags = flags
        self._more = more

    def __getitem__(self, name: str) -> Any:
        return self._more[name] if name in self._more else self._flags[name].value

    def __iter__(self) -> Iterator[str]:
        return iter([*_users(self._flags), *self._more])

    def __len__(self) -> int:
        return len(_users(self._flags)) + len(self._more)

    def __repr__(self) -> str:
        return repr(dict(self))


class _Flag:
    """One flag, as `FLAGS[name]` gives it."""

    def __init__(self, name: str, parser: _Parser) -> None:
        if name not in parser.current():
            raise KeyError(name)
        self.name = name
        self._parser = parser

    @property
    def value(self) -> Any:
        """What the flag is set to."""
        return self._parser.current()[self.name]

    @value.setter
    def value(self, new: Any) -> None:
        self._parser.current()[self.name] = new


def _inner(flags: _Flags) -> dict[str, Any]:
    return object.__getattribute__(flags, "__dict__")


class _Flags:
    """The values of the flags, parsed when the first is asked for (`tf.flags.FLAGS`).

    Names that nobody defined are left to the program, as `tf.app.run` leaves them. A program from
    up to 1.4, or one that calls `_parse_flags`, which ended with that release, finds the values
    under `__flags`; any other finds absl's objects there.
    """

    def __init__(self, values: Any) -> None:
        more: dict[str, Any] = {}
        _inner(self).update(
            _values=values,
            _more=more,
            _by_hand=False,
            _old=_Parser(),
            __flags=_Values(values, more),
        )

    def __getattribute__(self, name: str) -> Any:
        if name == "__flags":
            inner = _inner(self)
            if _of_argparse():
                return inner["_old"].values
            return inner[name] if inner["_by_hand"] else getattr(inner["_values"], name)
        if name == "__dict__" and _of_argparse():
            old = _inner(self)["_old"]
            return {"__flags": old.values, "__parsed": old.parsed}
        return object.__getattribute__(self, name)

    def _parse_flags(self, args: Sequence[str] | None = None) -> list[str]:
        """Parses the command line or `args`; returns what no flag takes."""
        if _of_argparse():
            return self._old.parse(args)
        _inner(self)["_by_hand"] = True
        return self._values([sys.argv[0], *(sys.argv[1:] if args is None else args)], True)[1:]

    def __getattr__(self, name: str) -> Any:
        if _of_argparse():
            if name == "__parsed":
                return self._old.parsed
            values = self._old.current()
            if name not in values:
                raise AttributeError(name)
            return values[name]
        if name == "__parsed":
            return self._values.is_parsed()
        if name in self._more:
            return self._more[name]
        if name in self._values and not self._values.is_parsed():
            _tell_shortened(self._values, sys.argv)
            self._values(sys.argv, known_only=True)
        return getattr(self._values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if _of_argparse():
            self._old.current()[name] = value
        elif name in self._values:
            setattr(self._values, name, value)
        else:
            self._more[name] = value

    def __delattr__(self, name: str) -> None:
        if _of_argparse():
            del self._old.current()[name]
        elif name in self._more:
            del self._more[name]
        else:
            delattr(self._values, name)

    def __getitem__(self, name: str) -> Any:
        if _of_argparse():
            return _Flag(name, self._old)  # argparse's flags had no such thing: one since 1.5
        return self._values[name]

    def __setitem__(self, name: str, flag: Any) -> None:
        self._values[name] = flag

    def __contains__(self, name: object) -> bool:
        if _of_argparse():
            return name in self._old.current()
        return name in self._values or name in self._more

    def __iter__(self) -> Iterator[str]:
        return iter(self._old.current() if _of_argparse() else self._values)

    def __len__(self) -> int:
        return len(self._old.current() if _of_argparse() else self._values)

    def __dir__(self) -> list[str]:
        return sorted(self._old.current()) if _of_argparse() else dir(self._values)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._values(*args, **kwargs)


def _tell_shortened(values: Any, argv: Sequence[str]) -> None:
    """Tells of words of a command line that argparse would have taken for the start of a flag."""
    users = _users(values)
    for word in argv[1:]:
        name, _, _ = word.removeprefix("--").partition("=")
        if word == "--":
            return
        if not word.startswith("--") or name in values or name.removeprefix("no") in values:
            continue
        meant = [flag for flag in users if flag.startswith(name)]
        if len(meant) == 1:
            sys.stderr.write(
                f"tfqueue: --{name} is no flag of the program, and is left over; up to TensorFlow 1.4 it "
                f"was short for --{meant[0]}: --era 1.4 takes it so\n"
            )


def _users(values: Any) -> list[str]:
    """The names of the flags that the program has defined, and no library."""
    own = (name for name in values if name not in _HELP)
    return [n for n in own if not values.find_module_defining_flag(n, "").startswith(_LIBRARIES)]


FLAGS = _Flags(_absl.FLAGS)


_absl_handler = _absl_logging.get_absl_handler()


def _not_written_yet(record: logging.LogRecord) -> bool:
    """Whether no other handler has a log record, TensorFlow's own or the program's: it comes once."""
    logger: logging.Logger | None = logging.getLogger(record.name)
    while logger is not None:
        if any(
            h is not _absl_handler and type(h) is not logging.NullHandler for h in logger.handlers
        ):
            return False
        logger = logger.parent if logger.propagate else None
    return True


# absl.app.run, too, puts its handler on the root logger
_absl_handler.addFilter(_not_written_yet)


@contextlib.contextmanager
def _root_without_absl() -> Iterator[None]:
    """In the block, a program that asks for a log file gets it: absl's handler gives way.

    Up to 1.12 `tf.app.run` left the root logger alone. Since then absl's handler is there, and
    `logging.basicConfig` does nothing where there is one: the log file was lost without a word.
    """
    original = logging.basicConfig

    @functools.wraps(original)
    def configure(**kwargs: Any) -> None:
        logging.root.removeHandler(_absl_handler)
        original(**kwargs)

    logging.basicConfig = configure
    try:
        yield
    finally:
        logging.basicConfig = original


def run(main: Callable[..., Any] | None = None, argv: Sequence[str] | None = None) -> None:
    """Parses the flags, calls `main` with what no flag takes, and exits (`tf.app.run`).

    Args:
        main: A function of one list of str; `main` of the program when None.
        argv: The command line; `sys.argv` when None or empty, as up to 1.4.

    Raises:
        SystemExit: With what `main` returned.
    """
    if not _of_argparse():
        if not FLAGS._values.is_parsed():  # else it is told
            _tell_shortened(FLAGS._values, argv or sys.argv)
        # TensorFlow's own would look for `main` in the program, too
        with _root_without_absl():
            # an empty one, which absl refuses, was the program's own up to 1.4
            return _tf.app.run(main, argv or None)
    rest = FLAGS._parse_flags(argv[1:] if argv else None)
    sys.exit((main or sys.modules["__main__"].main)(sys.argv[:1] + rest))


NAMES = ["DEFINE_bool", "DEFINE_boolean", "DEFINE_float", "DEFINE_integer", "DEFINE_string"]
"""The functions that are laid over `tf.flags`; the object FLAGS comes to them."""
