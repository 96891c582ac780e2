"""What stands above this package and is handed over to it, by `tfqueue/__init__.py`."""

import dataclasses
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Handed:
    """Functions that give what another layer has, each imported only when it is asked for.

    Attributes:
        session: Gives `tfqueue.managed_session`, for `engine="session"` and `check`.
        program: Called with the path of an old program; a context manager that gives it as a
            module.
        first_step: Called with the path of an old program, runs it up to its first step; gives a
            `tfqueue.port.run.first_step.Reached`.
    """

    session: Callable
    program: Callable
    first_step: Callable


_handed: list[Handed] = []


def over(handed):
    """Hands over a `Handed`."""
    _handed[:] = [handed]


def session():
    """`tfqueue.managed_session`."""
    return _handed[0].session()


def program(path):
    """An old program as a module, in a context manager."""
    return _handed[0].program(path)


def first_step(path):
    """How far an old program came, run up to its first step."""
    return _handed[0].first_step(path)
