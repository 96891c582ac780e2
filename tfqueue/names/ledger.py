"""What TensorFlow 0.12 to 1.15 had, release by release, as recorded from the wheels themselves.

`make ledger` writes three data files beside this module (see `tests/ledger`): `public.txt.xz` has of each public
name below `tf`, `tf.contrib` too, what it was and which arguments it took; `exports.txt.xz` of each module below
`tensorflow.python` and `tensorflow.contrib` which names it had; `forms.txt`, which `forms` reads, the old forms of
calls. For releases before 0.12, of which there are no wheels, `tfqueue.names.older_forms` has the arguments
(`tests/ledger/read_older.py`); `libraries.txt` has those of other libraries (`tests/port/libraries/record_arguments.py`).

The data is read when it is first asked for. Nothing here needs TensorFlow.
"""

from __future__ import annotations

import ast
import functools
import inspect
import lzma
import pathlib
from typing import Any, NamedTuple

from tfqueue.names import older_forms

_HERE = pathlib.Path(__file__).parent
_KINDS = {
    "*": inspect.Parameter.VAR_POSITIONAL,
    "**": inspect.Parameter.VAR_KEYWORD,
    "": inspect.Parameter.POSITIONAL_OR_KEYWORD,
}


class Entry(NamedTuple):
    """What a name was, from one release on."""

    release: str
    """The first recorded release of which this is true, such as `"1.4"`."""
    kind: str
    """`function`, `class`, `method`, `property`, `module`, `message` (a protocol buffer) or
    `constant`; `gone` from the release on that no longer had the name."""
    signature: str | None
    """The arguments in order, without `self`: `"x, name=None"`. A default that is no plain value is
    `...`. None where there are none to know."""


@functools.cache
def _lines(file: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """The releases that a data file is about, and its lines by their first field."""
    head, *lines = lzma.decompress((_HERE / file).read_bytes()).decode("utf-8").splitlines()
    return tuple(head.split()), {key: rest for key, _, rest in (x.partition("\t") for x in lines)}


def releases() -> tuple[str, ...]:
    """The releases that were recorded, the oldest first.

    >>> releases()
    ('0.12', '1.0', '1.1', '1.2', '1.4', '1.8', '1.10', '1.12', '1.15')
    """
    return _lines("public.txt.xz")[0]


@functools.cache
def number(release: str) -> tuple[int, ...]:
    """A release as numbers that can be compared.

    >>> number("1.10") > number("1.8")
    True
    """
    return tuple(int(part) for part in release.split("."))[:2]


def public() -> tuple[str, ...]:
    """All public names below `tf` of all releases, sorted.

    >>> {"nn.softmax", "contrib.slim.conv2d", "train.Saver.save"} <= set(public())
    True
    """
    return tuple(_lines("public.txt.xz")[1])


@functools.lru_cache(4096)
def find(name: str) -> tuple[Entry, ...]:
    """The history of a name, the oldest release first.

    Args:
        name: Dotted name below `tf`.

    Returns:
        An entry for each release that changed it; none if no release had it.

    >>> for entry in find("nn.softmax"):
    ...     print(entry.release, entry.kind, entry.signature)
    0.12 function logits, dim=-1, name=None
    1.8 function logits, axis=None, name=None, dim=None
    >>> [entry.kind for entry in find("pack")]
    ['function', 'gone']
    >>> find("nn.softmacks")
    ()
    """
    known, lines = _lines("public.txt.xz")
    entries = []
    for field in lines[name].split("\t") if name in lines else ():
        place, kind, *signature = field.split(" ", 2)
        text = "" if signature == ["()"] else signature[0] if signature else None
        entries.append(Entry(known[int(place)], "gone" if kind == "-" else kind, text))
    return tuple(entries)


def entry(name: str, release: str) -> Entry | None:
    """What a name was in one release.

    Args:
        name: Dotted name below `tf`.
        release: Such as `"1.4"`. For one that was not recorded, the newest recorded one before it
            counts; for one before 0.12, a form of `older_forms`, or else 0.12.

    Returns:
        The entry, or None if the release did not have the name.

    >>> entry("nn.softmax", "1.5").signature
    'logits, dim=-1, name=None'
    >>> entry("nn.softmax", "0.8").signature
    'logits, name=None'
    >>> entry("pack", "1.15")
    """
    asked = number(release)
    history = find(name)
    for last, text in older_forms.forms().get(name, ()):
        if asked <= number(last):
            return Entry(last, history[0].kind, text)
    asked = max(asked, number(releases()[0]))
    found = [each for each in history if number(each.release) <= asked]
    return found[-1] if found and found[-1].kind != "gone" else None


def signature(name: str, release: str) -> inspect.Signature | None:
    """The arguments of a function, class or method in one release.

    Args:
        name: Dotted name below `tf`.
        release: As for `entry`.

    Returns:
        The signature, without `self`. A default that is not known is `...`. None if the release did
        not have the name, or it takes no arguments that are known.

    >>> signature("train.Saver.restore", "1.0")
    <Signature (sess, save_path)>
    >>> signature("GraphKeys", "1.0")
    """
    found = entry(name, release)
    return None if found is None or found.signature is None else parsed(found.signature)


@functools.lru_cache(4096)
def parsed(text: str) -> inspect.Signature:
    """The signature that stands in an entry.

    >>> parsed("x, axis=None, *rest, name='sum', **more")
    <Signature (x, axis=None, *rest, name='sum', **more)>
    """
    parameters, only = [], False
    for word in text.split(", ") if text else ():
        bare = word.lstrip("*")
        stars = word[: len(word) - len(bare)]
        if not bare:
            only = True
            continue
        name, is_given, default = bare.partition("=")
        kind = inspect.Parameter.KEYWORD_ONLY if only and not stars else _KINDS[stars]
        value: Any = inspect.Parameter.empty
        if is_given:
            value = ... if default == "..." else ast.literal_eval(default)
        parameters.append(inspect.Parameter(name, kind, default=value))
        only = only or stars == "*"
    return inspect.Signature(parameters, __validate_parameters__=False)


@functools.lru_cache(1024)
def exports(module: str, release: str) -> frozenset[str]:
    """The names that a module of TensorFlow had in one release.

    Args:
        module: Its dotted name, such as `"tensorflow.python.ops.rnn_cell"`.
        release: As for `entry`.

    Returns:
        The names, also functions and classes of its own that begin with an underscore; empty if there
        was no such module.

    >>> "_linear" in exports("tensorflow.python.ops.rnn_cell", "0.12")
    True
    >>> exports("tensorflow.python.ops.rnn_cell", "1.15") >= {"LSTMCell", "MultiRNNCell"}
    True
    >>> exports("tensorflow.python.nowhere", "1.15")
    frozenset()
    """
    lines, bit = _exported(release)
    names: set[str] = set()
    for field in lines[module].split("\t")[1:] if module in lines else ():
        bits, *held = field.split(" ")
        if int(bits, 16) & bit:
            names.update(held)
    return frozenset(names)


def _exported(release: str) -> tuple[dict[str, str], int]:
    """The lines about modules, and the bit in them of a release, or of the last one recorded before it."""
    known, lines = _lines("exports.txt.xz")
    asked = max(number(release), number(known[0]))
    return lines, 1 << max(n for n, each in enumerate(known) if number(each) <= asked)


def modules(release: str) -> tuple[str, ...]:
    """The modules below `tensorflow.python` and `tensorflow.contrib` in one release.

    >>> "tensorflow.python.training.input" in modules("1.0")
    True
    """
    lines, bit = _exported(release)
    return tuple(name for name, rest in lines.items() if int(rest.split("\t")[0], 16) & bit)
