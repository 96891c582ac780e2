"""What this package needs of the layers above it. `tfqueue/__init__.py` gives it as an argument."""

from __future__ import annotations

import types
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from tfqueue._tensorflow.types import Graph, Op
from tfqueue.graph.op_types import StepRequest


class FirstStep(Protocol):
    """How far a program came that was run up to its first step."""

    @property
    def graph(self) -> Graph:
        """The graph of its input pipeline; None if it made none."""

    @property
    def step(self) -> StepRequest | None:
        """The step that was to be run; None if the program came to its end before."""

    @property
    def error(self) -> BaseException | None:
        """What ended the program, if that was an exception of its own."""

    @property
    def assigned(self) -> frozenset[Op]:
        """The ops of the variables to which it gave another value than their initialisers do."""


class Programs(Protocol):
    """Loads old programs."""

    def program(self, path: str) -> AbstractContextManager[types.ModuleType]:
        """An old program as a module, within the block."""

    def first_step(self, path: str) -> FirstStep:
        """Runs an old program up to its first step."""


class Batches(Protocol):
    """A session that gives the elements of its pipeline."""

    def batches(self, fetches: Any, /) -> Iterable[Any]:
        """The values of `fetches` until the data ends."""


class Sessions(Protocol):
    """Makes a session, for `engine="session"` and `check`."""

    def __call__(self) -> AbstractContextManager[Batches]:
        """A managed session on the default graph. What it starts ends with the block."""


class UpperLayers(Programs, Protocol):
    """All of it."""

    @property
    def session(self) -> Sessions:
        """Makes managed sessions."""
