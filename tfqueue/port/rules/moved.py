"""The tables of `tfqueue.names`, by their names below `tf`."""

from __future__ import annotations

import functools

from tfqueue.names import contrib
from tfqueue.names import moved as table


@functools.cache
def moved() -> dict[str, table.Moved]:
    """Old name below ``tf`` -> its row.

    >>> moved()["pack"].new
    'stack'
    """
    return {row.old: row for row in table.MOVED}


@functools.cache
def gone() -> dict[str, table.Gone]:
    """Name below ``tf`` that has no successor -> its row.

    >>> gone()["estimator.BaselineClassifier"].removed
    '2.16'
    """
    return {row.old: row for row in table.GONE}


@functools.cache
def contrib_gone() -> dict[str, tuple[str, str]]:
    """Name below ``tf.contrib`` that is not brought back -> (since when, what to use).

    >>> contrib_gone()["lite"]
    ('2.0', 'tf.lite')
    """
    rows = {row.old: (row.removed, row.use) for row in contrib.PACKAGES}
    for package, found in vars(contrib).items():
        if package.isupper() and package != "PACKAGES" and isinstance(found, list):
            rows.update((f"{package.lower()}.{r.old}", (r.removed, r.use)) for r in found)
    return rows
