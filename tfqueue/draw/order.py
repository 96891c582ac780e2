"""Which card stands in which column, and in which order there: a layered drawing of the arrows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence


@dataclasses.dataclass
class Graph:
    """A part of the scene whose cards hang together."""

    keys: list[str]
    """Its cards, in the order they were built."""
    edges: list[int]
    """Numbers of its edges in the scene."""


def components(cards: Iterable[str], edges: Sequence[tuple[str, str]]) -> list[Graph]:
    """The parts of a scene that no arrow ties together.

    Args:
        cards: The keys of the cards, in order.
        edges: `(source, target)` pairs.

    Returns:
        A list of `Graph`s.
    """
    home = {key: key for key in cards}

    def root(key: str) -> str:
        while home[key] != key:
            home[key] = home[home[key]]
            key = home[key]
        return key

    for source, target in edges:
        home[root(source)] = root(target)
    found: dict[str, Graph] = {}
    for key in cards:
        found.setdefault(root(key), Graph([], [])).keys.append(key)
    for number, (source, _) in enumerate(edges):
        found[root(source)].edges.append(number)
    return list(found.values())


def columns(
    keys: Sequence[str], edges: Sequence[tuple[str, str]]
) -> tuple[dict[str, int], set[tuple[str, str]]]:
    """The column of each card, counted from 0, and the edges that lead back.

    Args:
        keys: The cards.
        edges: `(source, target)` pairs.

    Returns:
        A dict of column by card, and the set of the pairs that close a circle.
    """
    after: dict[str, list[str]] = {key: [] for key in keys}
    for source, target in edges:
        after[source].append(target)
    state: dict[str, str] = {}
    back: set[tuple[str, str]] = set()
    done: list[str] = []

    def visit(first: str) -> None:
        state[first] = "open"
        todo = [(first, iter(after[first]))]
        while todo:
            key, rest = todo[-1]
            for target in rest:
                if state.get(target) == "open":
                    back.add((key, target))
                elif target not in state:
                    state[target] = "open"
                    todo.append((target, iter(after[target])))
                    break
            else:
                state[key] = "done"
                done.append(key)
                todo.pop()

    entered = {target for _, target in edges}
    for key in [key for key in keys if key not in entered] + list(keys):
        if key not in state:
            visit(key)
    place = dict.fromkeys(keys, 0)
    for key in reversed(done):
        for target in after[key]:
            if (key, target) not in back:
                place[target] = max(place[target], place[key] + 1)
    # A source stands right before what it feeds.
    for key in keys:
        forward = [place[t] for t in after[key] if (key, t) not in back]
        if key not in entered and forward:
            place[key] = min(forward) - 1
    return place, back


def arrange(
    keys: Sequence[str], place: Mapping[str, int], links: Sequence[tuple[str, str]], sweeps: int = 6
) -> list[list[str]]:
    """The keys of each column, ordered so that few arrows cross.

    Args:
        keys: All keys, dummies of long arrows too, in a sensible first order.
        place: Column by key.
        links: `(source, target)` pairs of keys in neighbouring columns.

    Returns:
        A list of lists of keys.
    """
    rows: list[list[str]] = [[] for _ in range(max(place.values(), default=-1) + 1)]
    for key in keys:
        rows[place[key]].append(key)
    before: dict[str, list[str]] = {}
    after: dict[str, list[str]] = {}
    for source, target in links:
        before.setdefault(target, []).append(source)
        after.setdefault(source, []).append(target)
    for sweep in range(sweeps):
        forward = sweep % 2 == 0
        near = before if forward else after
        todo = rows[1:] if forward else rows[-2::-1]
        for row in todo:
            index = {key: at for one in rows for at, key in enumerate(one)}
            row.sort(key=lambda key: _mean([index[k] for k in near.get(key, [])], index[key]))
    return rows


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def settle(wanted: Sequence[float], room: Sequence[float]) -> list[float]:
    """Places near `wanted`, in that order, and `room` apart: the least squares.

    Args:
        wanted: Where each would like to have its centre.
        room: The distance that the centres of each neighbouring pair must keep.

    Returns:
        A list of centres.

    >>> settle([0, 0, 10], [4, 4])
    [-2.0, 2.0, 10.0]
    """
    offsets = [0.0]
    for distance in room:
        offsets.append(offsets[-1] + distance)
    blocks: list[tuple[float, int]] = []  # (sum, count) of what has come to stand together
    for want, offset in zip(wanted, offsets, strict=True):
        blocks.append((want - offset, 1))
        while len(blocks) > 1 and _average(blocks[-2]) >= _average(blocks[-1]):
            total, count = blocks.pop()
            blocks[-1] = blocks[-1][0] + total, blocks[-1][1] + count
    placed = []
    for block in blocks:
        placed += [_average(block)] * block[1]
    return [start + offset for start, offset in zip(placed, offsets, strict=True)]


def _average(block: tuple[float, int]) -> float:
    return block[0] / block[1]
