"""What to do about fetches and feeds that `Session.run` refuses before it runs anything."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Graph

_CLOSED = (
    "the session was closed before this step, at the end of its `with` block or by close(). Run "
    "all steps inside the block"
)


def note(error: BaseException, graph: Graph, fetches: Any, feed_dict: Any, closed: bool) -> None:
    """Adds the fix to the error that refused a step, where it is known.

    Args:
        error: What `Session.run` raised.
        graph: The session's graph.
        fetches: What was to be fetched.
        feed_dict: What was to be fed.
        closed: Whether the session was closed.
    """
    text: str | None
    if closed:
        text = _CLOSED
    elif feed_dict is not None and not isinstance(feed_dict, Mapping):
        text = (
            f"the second argument of run is feed_dict, and a {type(feed_dict).__name__} is given "
            "there. Several fetches are one list: sess.run([image, label])"
        )
    else:
        text = next(_refusals(graph, fetches, "fetches"), None)
    if text:
        _tensorflow.add_note(error, f"tfqueue: {text}")


def _refusals(graph: Graph, fetch: Any, place: str) -> Iterator[str]:
    """Yields what is wrong with each fetch of a nest."""
    if isinstance(fetch, dict):
        for key, part in fetch.items():
            yield from _refusals(graph, part, f"{place}[{key!r}]")
    elif isinstance(fetch, (list, tuple)):
        for number, part in enumerate(fetch):
            yield from _refusals(graph, part, f"{place}[{number}]")
    elif fetch is None:
        yield f"{place} is None, as is the result of print() and of a function without `return`"
    elif isinstance(fetch, str):
        name, colon, index = fetch.partition(":")
        names = [op.name for op in graph.get_operations()]
        if name not in names and (close := difflib.get_close_matches(name, names, 1, 0.7)):
            yield f"did you mean {close[0] + colon + index!r}?"
    elif getattr(fetch, "graph", graph) is not graph:
        yield (
            f"{place} is {fetch.name!r} of another graph than the session's. Make the session with "
            "tf.Session(graph=...), or inside `with graph.as_default()`"
        )
