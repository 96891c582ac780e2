"""Writes `docs/names.md`: how many names and calls of each release work here.

python -m tests.ledger.table
"""

from __future__ import annotations

import pathlib
import sys
import warnings
from collections import Counter
from typing import NamedTuple

from tests.ledger import measure
from tfqueue.names import ledger

OUT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "names.md"
PLACES = {
    "tf": "`tf`, outside `tf.keras` and `tf.contrib`",
    "tf.keras": "`tf.keras` and `tf.contrib.keras`",
    "tf.contrib": "`tf.contrib`, outside `tf.contrib.keras`",
}
STATES = ("works", "refused", "neither")


class Finding(NamedTuple):
    """What became of one name or call form."""

    release: str
    place: str
    what: str  # name, call or member
    state: str
    name: str
    why: str


def findings(release: str) -> list[Finding]:
    """What became of every name of a release, and of the two call forms of those that are called."""
    found = []
    for name in ledger.public():
        entry = ledger.entry(name, release)
        if entry is None:
            continue
        value, place = measure.look_up(name), measure.place_of(name)
        what = "member" if entry.kind in ("method", "property") else "name"
        if isinstance(value, Exception):
            state = "refused" if measure.is_sentence(value) else "neither"
            found.append(Finding(release, place, what, state, name, str(value)))
            continue
        found.append(Finding(release, place, what, "works", name, ""))
        if entry.kind in ("function", "class") and entry.signature is not None:
            old = ledger.parsed(entry.signature)
            for state, why in measure.state_of_calls(name, old, release):
                found.append(Finding(release, place, "call", state, name, why))
    return found


def counted(release: str) -> Counter[tuple[str, str, str]]:
    """How many findings of each place, kind and state a release has."""
    return Counter((row.place, row.what, row.state) for row in findings(release))


def _cells(count: Counter[tuple[str, str, str]], place: str, what: str) -> list[str]:
    numbers = [count[place, what, state] for state in STATES]
    total = sum(numbers)
    part = f"{100 * numbers[0] / total:.1f} %" if total else ""
    return [f"{total:,}" if total else "", part, *(f"{n:,}" if total else "" for n in numbers[1:])]


def table(place: str, what: str, counts: dict[str, Counter[tuple[str, str, str]]]) -> list[str]:
    """The lines of one table."""
    lines = [
        "| TensorFlow | in all | work | refused by a sentence | neither |",
        "|---|--:|--:|--:|--:|",
    ]
    for release, count in counts.items():
        lines.append(f"| {release} | " + " | ".join(_cells(count, place, what)) + " |")
    return lines


def page() -> str:
    """The whole page."""
    counts = {release: counted(release) for release in ledger.releases()}
    text = [HEAD]
    for place, title in PLACES.items():
        text += [f"## {title}", "", "Names:", "", *table(place, "name", counts), ""]
        text += ["Calls, two of each function and class:", "", *table(place, "call", counts), ""]
    return "\n".join(text)


HEAD = """# Names and calls

<!-- Written by `make names` from the ledger: do not edit. -->
TensorFlow's names and their arguments changed from release to release. What each release had is recorded from its wheel
(`make ledger`, `tfqueue.names.ledger`), and these tables are counted from that record: how much of it works in `tfqueue.v1`.
Of 0.6 to 0.11 there are no wheels: what their source says of orders of arguments (`tfqueue.names.older_forms`) binds calls, and is not
counted here.

- A *name* is a module, function, class or constant. It works if it can be had. It is refused by a sentence if asking for it
  ends in an error that says since when it is gone and, where there is something, what to use. An import statement that no
  `try` surrounds goes on, and the error comes where the program uses the name.
- A *call* is a function or a class called with all its arguments by position, or with all of them by their old names. It
  works if every argument arrives where it belongs. It is refused if an argument is gone: it may be left out, or have its
  default, and any other value ends in an error that names it. A call in an order of which there are two is read as in the
  release that the program is from (`--era`), in 1.15's order where that is not known.
- Methods are not counted, nor are private names. What an argument does is not shown here, only that it arrives.
- `tf.keras` is the package tf_keras (the extra `keras`): its calls are translated like all others, and its optimizers begin
  as in the release that the program is from. Where that is not installed, it is Keras 3, whose calls are its own.
"""


def main() -> None:
    """Writes the page; with an argument, what does not work goes to that file, too."""
    warnings.simplefilter("ignore")
    OUT.write_text(page(), "utf-8")
    if len(sys.argv) > 1:
        rows = [row for each in ledger.releases() for row in findings(each) if row.state != "works"]
        pathlib.Path(sys.argv[1]).write_text("\n".join("\t".join(row) for row in rows), "utf-8")


if __name__ == "__main__":
    main()
