"""PUBLIC_PROGRAMS.md counts what its rows say, in words that it explains."""

import collections
import dataclasses
import pathlib
import re
import textwrap

import pytest

from tests.port import later_programs, public_programs

HERE = pathlib.Path(__file__).parent
TEXT = (HERE / "PUBLIC_PROGRAMS.md").read_text(encoding="utf-8")
OUTCOMES = ("compat.v1", "tf_upgrade_v2", "tfqueue run", "port, then python", "at first", "now")
WORDS = (
    *("yes", "trains", "builds", "tests pass", "slow", "option", "sentence", "own fault"),
    *("needs", "no", "past it", "the same", "told", "not tried", "-"),
)
COLUMNS = {
    "Run": ("written for", "data", "needs", "compat.v1", "tf_upgrade_v2", "tfqueue run"),
    "Research repositories": ("written for", "tfqueue run", "port, then python"),
    "Research programs, three ways": ("compat.v1", "tfqueue run", "port, then python"),
    "Run later": ("data", "compat.v1", "tfqueue run"),
}
"""Columns of a table behind the repository and the path, where they are not `at first` and `now`."""


@dataclasses.dataclass(frozen=True)
class Table:
    """A table of programs: its section, the text in front of it, its columns and its rows."""

    section: str
    text: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def repositories(self) -> set[str]:
        return {row[0] for row in self.rows}

    def outcomes(self, column: str) -> list[str]:
        """The word of each row's cell in this column, in the order of the rows; empty for an empty cell."""
        return [word_of(row[self.columns.index(column)]) for row in self.rows]

    def counts(self) -> str:
        """The line that stands in front of the table."""
        told = [f"Rows: {len(self.rows)}, of {len(self.repositories)} repositories."]
        for column in self.columns:
            if column in OUTCOMES:
                told.append(f"*{column}*: {counted(self.outcomes(column))}.")
        return " ".join(told)

    def now(self) -> list[str]:
        """What `tfqueue run` gives by now, a word for each row."""
        if "tfqueue run" in self.columns:
            return self.outcomes("tfqueue run")
        pairs = zip(self.outcomes("at first"), self.outcomes("now"), strict=True)
        return [first if now in ("", "the same") else now for first, now in pairs]


def word_of(cell: str) -> str:
    """The word of WORDS that a cell begins with; `? cell` if there is none."""
    if cell in ("", "-"):
        return cell
    found = (word for word in WORDS if re.match(rf"{re.escape(word)}(?!\w)", cell))
    return next(found, f"? {cell}")


def counted(outcomes: list[str]) -> str:
    """How often each outcome occurs, in the order of WORDS; empty cells last."""
    counts = collections.Counter(outcomes)
    told = [f"{word} {counts[word]}" for word in WORDS if counts[word]]
    return ", ".join(told + ([f"as at first {counts['']}"] if counts[""] else []))


def cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip()[1:-1].split("|"))


def tables_of(text: str) -> list[Table]:
    """The tables of a page, but for those of *Words* and *Translated and compiled*."""
    found = []
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        title, body = section.split("\n", 1)
        parts = re.split(r"((?:^\|.*\n?)+)", body, flags=re.M)
        for words, table in zip(parts[::2], parts[1::2], strict=False):
            head, _, *rows = map(cells, table.strip().split("\n"))
            if head[:2] == ("repository", "path"):
                found.append(Table(title, " ".join(words.split()), head, tuple(rows)))
    return found


TABLES = tables_of(TEXT)
HEAD = " ".join(TEXT.split("## ", 1)[0].split())
each_table = pytest.mark.parametrize(
    "table", TABLES, ids=[f"{number} {table.section[:40]}" for number, table in enumerate(TABLES)]
)


def in_two_tables() -> list[str]:
    counts = collections.Counter(name for table in TABLES for name in table.repositories)
    return sorted((name for name, count in counts.items() if count > 1), key=str.lower)


def total() -> str:
    rows = [word for table in TABLES for word in table.now()]
    repositories = {name for table in TABLES for name in table.repositories}
    return (
        f"The {len(TABLES)} tables have {len(rows)} rows of {len(repositories)} repositories. "
        f"What `tfqueue run` is known to give by now: {counted(rows)}."
    )


def test_the_page_has_its_tables():
    assert len(TABLES) >= 22
    assert {*COLUMNS} <= {table.section for table in TABLES}


@each_table
def test_rows_have_their_columns_and_stand_there_once(table):
    assert table.columns == (
        "repository",
        "path",
        *COLUMNS.get(table.section, ("at first", "now")),
    )
    assert {len(row) for row in table.rows} == {len(table.columns)}
    programs = collections.Counter(row[:2] for row in table.rows)
    assert [program for program, count in programs.items() if count > 1] == []
    names = [
        name for name in table.repositories if not re.fullmatch(r"[\w.-]+/[\w.-]+( [\w.]+)?", name)
    ]
    assert names == []


@each_table
def test_an_outcome_begins_with_a_word_of_the_list(table):
    for column in {*table.columns} & {*OUTCOMES}:
        odd = {word for word in table.outcomes(column) if word[:1] == "?"}
        assert odd == set(), column
        assert column == "now" or "" not in table.outcomes(column)


@each_table
def test_the_counts_in_front_of_a_table_are_those_of_its_rows(table):
    assert table.counts() in table.text, f"it should say: {table.counts()}"


@each_table
def test_further_repositories_are_new_and_as_many_as_the_title_says(table):
    many = re.search(r"(\d+) further repositories", table.section)
    if many:
        assert len(table.repositories) == int(many[1])
        before = TABLES[: TABLES.index(table)]
        assert (
            table.repositories & {name for other in before for name in other.repositories} == set()
        )


def test_who_stands_in_two_tables_is_named():
    (named,) = re.findall(r"more than one table[^:]*: ([^:]*)\.(?: |$)", HEAD)
    assert re.findall(r"`([^`]+)`", named) == in_two_tables()
    lower = collections.Counter(
        name.lower() for name in {name for table in TABLES for name in table.repositories}
    )
    assert [name for name, count in lower.items() if count > 1] == [], "spelt in two ways"


def test_the_words_are_explained():
    (section,) = re.findall(r"^## Words\n(.*?)^## ", TEXT, flags=re.M | re.S)
    rows = [cells(line) for line in section.split("\n") if line.startswith("| *")]
    assert [row[0].strip("*") for row in rows] == list(WORDS)
    used = {w for t in TABLES for c in {*t.columns} & {*OUTCOMES} for w in t.outcomes(c)}
    assert set(WORDS) <= used, "a word that no row has"


def test_the_totals_are_those_of_the_rows():
    assert total() in HEAD, f"it should say: {total()}"
    three = [t for t in TABLES if t.section == "Research programs, three ways"]
    rows = [row for table in three for row in table.rows]
    tried = [row for row in rows if "-" not in row[2:]]
    (first, many, repositories) = (
        three[0].text,
        len({row[0] for row in rows}),
        len({row[0] for row in tried}),
    )
    assert (
        f"In these {len(three)} tables are {len(rows)} programs of {many} repositories; {len(tried)} "
        f"of {repositories} were tried all three ways."
    ) in first


@pytest.mark.parametrize(
    ("section", "programs"),
    [("Run", public_programs.PROGRAMS), ("Run later", later_programs.PROGRAMS)],
)
def test_the_rows_of_run_are_what_is_run_again(section, programs):
    (table,) = (table for table in TABLES if table.section == section)
    run = {path.replace("+", "/", 1) for path, *_ in programs}
    assert {f"{row[0]}/{row[1]}" for row in table.rows} == run


def test_a_wrong_row_is_seen():
    page = textwrap.dedent("""\
        ## Some

        Rows: 2, of 2 repositories. *at first*: yes 1, no 1. *now*: trains 1, as at first 1.

        | repository | path | at first | now |
        |---|---|---|---|
        | a/b | x.py | yes | |
        | c/d | y.py | no: its reason | trains |
        """)
    (table,) = tables_of(page)
    assert table.counts() in table.text
    assert table.now() == ["yes", "trains"]
    (wrong,) = tables_of(page.replace("| yes |", "| nobody |"))
    assert wrong.counts() not in wrong.text
    assert wrong.outcomes("at first") == ["? nobody", "no"]
