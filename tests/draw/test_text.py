"""A picture in characters, of a page and a scene made by hand."""

import pytest

from tfqueue.draw import text
from tfqueue.draw.cards import Card, Edge, Scene, Section
from tfqueue.draw.page import Arrow, Box, Page, Part, Text


def line(x, y, words):
    return Text(x, y, len(words), 1, words, "line", words)


def part(y, *texts, **given):
    whole = {"hint": "", "bad": "", "strip": None, "folded": False, **given}
    return Part(1, y, 8, 1, [*texts], **whole)


def box(kind, *parts, x=0, y=0, width=10, height=3):
    return Box("key", kind, x, y, width, height, 1, [*parts])


def drawn(width, height, boxes=(), arrows=(), frame=None, message=(), encoding="utf-8"):
    page = Page(width, height, [*boxes], [*arrows], [*message], frame, "title", "told", "failed")
    return text.render(page, encoding).splitlines()


def arrow(*points, texts=()):
    return Arrow("a", "b", [*points], [*texts], None, 0, False, "", "")


def test_boxes():
    queue = box("queue", part(1, line(2, 1, "one")), part(3, line(2, 3, "two")), height=5)
    assert drawn(10, 5, [queue]) == [
        "╔════════╗",
        "║ one    ║",
        "╟────────╢",
        "║ two    ║",
        "╚════════╝",
    ]
    work = box("work", part(1, line(3, 1, "x"), folded=True), part(3, bad="waits"), height=5)
    assert drawn(10, 5, [work]) == [
        "┌────────┐",
        "│▸ x     │",
        "├────────┤",
        "│…       │",
        "└────────┘",
    ]
    assert drawn(10, 3, [box("step", part(1, bad="failed"))])[1] == "│✗       │"


@pytest.mark.parametrize(
    ("share", "places"), [(0, "░░░░░░"), (0.5, "███░░░"), (0.6, "████░░"), (1, "██████")]
)
def test_the_places_of_a_queue(share, places):
    queue = box("queue", part(1, strip=(2, 1, 6, 1, share)))
    assert drawn(10, 3, [queue])[1] == f"║ {places} ║"


def test_arrows():
    assert drawn(3, 4, arrows=[arrow((1, 0), (1, 4))]) == [" │", " │", " │", " ▼"]
    assert drawn(3, 4, arrows=[arrow((1, 3), (1, -1))]) == [" ▲", " │", " │", " │"]
    assert drawn(5, 1, arrows=[arrow((0, 0), (5, 0))]) == ["────▶"]
    assert drawn(5, 1, arrows=[arrow((4, 0), (-1, 0))]) == ["◀────"]
    bent = arrow((0, 0), (0, 1), (4, 1), (4, 4))
    assert drawn(5, 4, arrows=[bent]) == ["│", "└───┐", "    │", "    ▼"]
    back = arrow((4, 3), (4, 1), (0, 1), (0, 4))
    assert drawn(5, 4, arrows=[back]) == ["", "┌───┐", "│   │", "▼   │"]


def test_arrows_that_meet():
    down = arrow((2, 0), (2, 4))
    assert drawn(5, 4, arrows=[down, arrow((2, 1), (5, 1))])[1] == "  ├─▶"
    assert drawn(5, 4, arrows=[down, arrow((2, 1), (-1, 1))])[1] == "◀─┤"
    assert drawn(5, 4, arrows=[down, arrow((0, 1), (5, 1))])[1] == "──┼─▶"
    right = arrow((0, 1), (5, 1))
    assert drawn(5, 4, arrows=[right, arrow((2, 1), (2, 4))])[1] == "──┬─▶"
    assert drawn(5, 4, arrows=[right, arrow((2, 1), (2, -1))])[1] == "──┴─▶"
    # a head stays one where another arrow passes
    assert drawn(5, 4, arrows=[down, arrow((0, 3), (5, 3))])[3] == "──▼─▶"


def test_an_arrow_turns_right_below_its_box():
    first = box("work", width=4, height=1)
    turned = arrow((1, 1), (6, 1), (6, 3))
    assert drawn(8, 3, [first], [turned])[1] == " └────┐"
    assert drawn(8, 3, [], [turned])[1] == " ─────┐"
    for other in (
        box("work", x=2, width=4, height=1),
        box("work", width=1, height=1),
        box("work", width=4, height=2),
    ):
        assert drawn(8, 3, [other], [turned])[1].lstrip("└┘")[:1] != "└"


def test_words_lie_on_all_else():
    words = arrow((1, 0), (1, 3), texts=[line(0, 1, "abc")])
    assert drawn(3, 3, arrows=[words]) == [" │", "abc", " ▼"]
    framed = drawn(7, 3, frame=(0, 0, 7, 3), message=[line(2, 1, "bad")])
    assert framed == ["╔═════╗", "║ bad ║", "╚═════╝"]


def test_what_does_not_fit_is_left_out():
    assert drawn(4, 1, message=[line(2, 0, "abc")], frame=(0, 0, 0, 0))[0].endswith("ab")
    wide = [line(0, 1, "\u961f\u961fa\u0301")]
    assert drawn(5, 2, message=wide, frame=(0, 0, 0, 0))[1] == "\u961f\u961fa\u0301"
    assert drawn(3, 2, message=wide, frame=(0, 0, 0, 0))[1] == "\u961f"


@pytest.mark.parametrize("encoding", ["ascii", "no-such-encoding"])
def test_plain_characters(encoding):
    queue = box("queue", part(1, line(3, 1, "\u961f"), folded=True, bad=""), height=3)
    strip = box("work", part(4, strip=(2, 4, 6, 1, 0.5)), y=3, height=3)
    found = drawn(13, 6, [queue, strip], [arrow((12, 0), (12, 6))], encoding=encoding)
    assert found == [
        "+--------+  |",
        "|> ?    |  |",
        "+--------+  |",
        "+--------+  |",
        "| ###... |  |",
        "+--------+  v",
    ]


SCENE = Scene(
    {
        "a": Card("a", "queue", [Section("Names", ["of files", "more"]), Section("second")]),
        "b": Card("b", "step", [Section("Step", ["first line", "other"])]),
        "c": Card("c", "work", [Section("Alone")]),
    },
    [
        Edge("a", "b", label="x", strategy="in calls"),
        Edge("b", "c"),
        Edge("a", "c", strategy="alone"),
    ],
    "title",
    "described",
)
LINES = [
    "- Names, of files, more; second",
    "    > x, in calls > Step first line",
    "    > alone > Alone",
    "- Step, first line, other",
    "    > Alone",
    "- Alone",
]


def test_a_scene_as_a_list():
    assert text.outline(SCENE, 80).splitlines() == LINES
    assert text.outline(SCENE, 80).endswith("Alone\n")
    assert text.outline(SCENE, 35).splitlines() == LINES
    assert text.outline(SCENE, 34).splitlines()[1] == "    > x, in calls > Step first li…"
    assert text.outline(SCENE, 34, "ascii").splitlines()[1] == "    > x, in calls > Step first li~"
    assert text.outline(SCENE, 34, "none").splitlines()[1] == "    > x, in calls > Step first li~"
