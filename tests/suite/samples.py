"""Of a long row of cases a part for CI; `make exhaustive` runs the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some(cases: Iterable[Any], every: int, first: int = 0) -> list[Any]:
    """The cases as `pytest.mark.parametrize` takes them, all but some of them marked `exhaustive`.

    Args:
      cases: Values, tuples of them where a case has several, or what `pytest.param` gives.
      every: One case in this many is run by CI.
      first: The place of the first of those.
    """
    found = []
    for place, case in enumerate(cases):
        marks = [] if place % every == first else [pytest.mark.exhaustive]
        if isinstance(case, type(pytest.param())):
            found.append(pytest.param(*case.values, id=case.id, marks=[*case.marks, *marks]))
        else:
            found.append(pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks))
    return found
