"""`tf.contrib.session_bundle.gc`: which of many paths stay.

A filter is a function of a list of `Path`s that gives those that stay, in order.
"""

import os
from collections.abc import Callable, Iterable
from typing import TypeAlias

from tfqueue import _tensorflow
from tfqueue.contrib.learn.exports import Path

_tf = _tensorflow.compat_v1()

__all__ = [
    "Path",
    "get_paths",
    "largest_export_versions",
    "mod_export_version",
    "negation",
    "one_of_every_n_export_versions",
    "union",
]
Filter: TypeAlias = Callable[[list[Path]], list[Path]]


def _known(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if path.export_version is not None]


def largest_export_versions(n: int) -> Filter:
    """Keeps the `n` largest versions (`tf.contrib.session_bundle.gc.largest_export_versions`)."""

    def keep(paths: list[Path]) -> list[Path]:
        numbered = sorted(
            enumerate(_known(paths)), key=lambda each: (each[1].export_version, each[0])
        )
        return sorted(path for _, path in numbered[max(len(numbered) - n, 0) :])

    return keep


def one_of_every_n_export_versions(n: int) -> Filter:
    """Keeps the largest version of each range `(k * n, k * n + n]` (`...gc.one_of_every_n_export_versions`)."""

    def keep(paths: list[Path]) -> list[Path]:
        kept: dict[int, Path] = {}
        for path in _known(paths):
            place = (path.export_version - 1) // n if path.export_version else 0
            if place not in kept or kept[place].export_version < path.export_version:
                kept[place] = path
        return sorted(kept.values())

    return keep


def mod_export_version(n: int) -> Filter:
    """Keeps versions that `n` divides (`tf.contrib.session_bundle.gc.mod_export_version`)."""
    return lambda paths: sorted(path for path in paths if path.export_version % n == 0)


def union(lf: Filter, rf: Filter) -> Filter:
    """Keeps what either of two filters keeps (`tf.contrib.session_bundle.gc.union`)."""
    return lambda paths: sorted({*lf(paths), *rf(paths)})


def negation(f: Filter) -> Filter:
    """Keeps what a filter does not (`tf.contrib.session_bundle.gc.negation`)."""
    return lambda paths: sorted({*paths} - {*f(paths)})


def get_paths(base_dir: str, parser: Callable[[Path], Path | None]) -> list[Path]:
    """The paths in a folder (`tf.contrib.session_bundle.gc.get_paths`).

    Args:
        base_dir: The folder.
        parser: Called with each `Path`, without a version; gives it with one, or None to leave it out.
    """
    listed = [
        Path(os.path.join(base_dir, name), None) for name in _tf.gfile.ListDirectory(base_dir)
    ]
    return sorted(filter(None, map(parser, listed)))
