"""Which release of TensorFlow 1 the running program was written for.

A few names kept their spelling and changed their meaning between two releases. `tfqueue.v1` gives
them the meaning of 1.15, the last one, unless the program is known to be older: `tfqueue run` tells
it here what `tfqueue.port.program.written_for` found in the program's source (or what `--era` says), and a ported
program says it itself, below its imports:

    from tfqueue.release import assume
    assume("0.12")

Beside the release stand two facts: whether the program imports keras (`imports_keras`), and whether it shows that
this is Keras 1 (`shows_keras_1`). Whatever depends on these asks when it is called, so there is no order of imports to
keep to: `git grep -e release.before -e reaches -e shows_keras_1 -e imports_keras` shows all of it. What arguments meant and began with stands in
`tfqueue.names.forms`, which `tfqueue.v1._call_forms` reads, and with it `tfqueue.v1.keras._optimizers`; another default that
has changed beside the function or class that has it. Imports nothing of tfqueue.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

LAST = (1, 15)
_assumed = LAST
_imports_keras = _shows_keras_1 = False


def _parsed(release: str | Iterable[Any]) -> tuple[int, int]:
    if isinstance(release, str):
        release = release.split(".")
    numbers = [int(part) for part in release][:2]
    return numbers[0], numbers[1] if len(numbers) == 2 else 0


def assume(release: str | Iterable[int] | None) -> tuple[int, int]:
    """States the newest release of TensorFlow that the program can be from.

    Args:
        release: Such as `"0.12"` or `(0, 12)`; None for not known, which means 1.15.

    Returns:
        What was assumed before, as a tuple.

    Raises:
        ValueError: If it is no release number.

    >>> before("1.0")
    False
    >>> assume("0.12")
    (1, 15)
    >>> before("1.0")
    True
    >>> assume(None)
    (0, 12)
    """
    global _assumed
    former, _assumed = _assumed, LAST if release is None else _parsed(release)
    return former


def assume_keras(imported: bool = True) -> None:
    """States that the program imports the package keras, which up to 2.2 went on doing what `tf.keras` had changed."""
    global _imports_keras
    _imports_keras = imported


def assume_keras_1(shown: bool = True) -> None:
    """States that the program shows that it was written for Keras 1."""
    global _shows_keras_1
    _shows_keras_1 = shown


def shows_keras_1() -> bool:
    """Whether the program is known to be for Keras 1."""
    return _shows_keras_1


def imports_keras() -> bool:
    """Whether the program is known to import the package keras."""
    return _imports_keras


def before(release: str | Iterable[int]) -> bool:
    """Whether the program is known to be from before a release.

    Args:
        release: Such as `"1.5"`, or a tuple.
    """
    return _assumed < _parsed(release)
