"""Where the lines of a chart have their numbers."""

from xml.etree import ElementTree

import pytest

from tfqueue.pages import charts


@pytest.mark.parametrize(
    ("low", "high", "most", "found"),
    [
        (0, 10, 5, [0, 2, 4, 6, 8, 10]),
        (0, 1, 4, [0, 0.5, 1]),
        (0.1, 0.5, 4, [0.1, 0.2, 0.3, 0.4, 0.5]),
        (-3, 3, 3, [-2, 0, 2]),
        (5, 5, 4, [5]),
        (0, 60_000, 6, [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]),
        (1, 9, 4, [2, 4, 6, 8]),
    ],
)
def test_ticks_are_round_and_inside(low, high, most, found):
    assert charts._ticks(low, high, most) == found


@pytest.mark.parametrize(
    ("value", "said"), [(0, "0 s"), (2.5, "2.5 s"), (59, "59 s"), (60, "1:00")]
)
def test_seconds_and_minutes(value, said):
    assert charts._seconds(value) == said


def test_a_value_has_its_place():
    place = charts._scale(2, 4, 100, 50)
    assert [place(value) for value in (2, 3, 4)] == [100, 75, 50]


def elements(svg, tag):
    return [
        {**one.attrib, "text": "".join(one.itertext())}
        for one in ElementTree.fromstring(svg).iter(tag)
    ]


def test_a_chart_has_its_lines_levels_and_marks():
    svg = charts.chart(
        "a < b",
        [("one", "put", [(0, 0), (2, 10)]), ("none", "taken", []), ("two", "taken", [(0, 5)])],
        (0, 2),
        marks=[("most", 10)],
        area=True,
    )
    root = ElementTree.fromstring(svg)
    assert root.attrib == {"viewBox": "0 0 480 190", "role": "img", "aria-label": "a < b"}
    assert [(one["class"], one["points"], one["text"]) for one in elements(svg, "polyline")] == [
        ("put", "52.0,164.0 468.0,20.0", "one"),
        ("taken", "52.0,92.0", "two"),
    ]
    assert [(one["class"], one["points"]) for one in elements(svg, "polygon")] == [
        ("put area", "52.0,164.0 52.0,164.0 468.0,20.0 468.0,164.0")
    ]
    marks = [one for one in elements(svg, "line") if one["class"] == "mark"]
    assert [(one["x1"], one["y1"], one["x2"], one["y2"]) for one in marks] == [
        ("52.0", "20.0", "468.0", "20.0")
    ]
    assert [
        (one["x"], one["y"], one["text-anchor"], one["text"]) for one in elements(svg, "text")
    ] == [
        ("46.0", "168.0", "end", "0"),
        ("46.0", "96.0", "end", "5"),
        ("46.0", "24.0", "end", "10"),
        ("52.0", "182.0", "middle", "0 s"),
        ("156.0", "182.0", "middle", "0.5 s"),
        ("260.0", "182.0", "middle", "1 s"),
        ("364.0", "182.0", "middle", "1.5 s"),
        ("468.0", "182.0", "middle", "2 s"),
        ("464.0", "16.0", "end", "most"),
    ]


def test_a_chart_has_the_axes_that_it_is_told():
    svg = charts.chart(
        "t", [("one", "fill", [(5, 1), (6, 3)])], (5, 6), top=4, bottom=-4, label=str, level=repr
    )
    assert elements(svg, "polygon") == []
    assert [one["points"] for one in elements(svg, "polyline")] == ["52.0,74.0 468.0,38.0"]
    said = [one["text"] for one in elements(svg, "text")]
    assert said == ["-4", "-2", "0", "2", "4", "5", "5.2", "5.4", "5.6", "5.8", "6"]


@pytest.mark.parametrize("lines", [[], [("one", "fill", [(3, 0.0)])]])
def test_a_chart_in_which_nothing_happens_has_levels_that_can_be_read(lines):
    svg = charts.chart("t", lines, (3, 3))
    said = [one["text"] for one in elements(svg, "text") if one["text-anchor"] == "end"]
    assert said == ["0", "0.5", "1"]


def test_a_chart_has_at_most_six_numbers_below_it():
    svg = charts.chart("t", [("one", "put", [(0, 1)])], (0, 7), label=str)
    said = [one["text"] for one in elements(svg, "text") if one["text-anchor"] == "middle"]
    assert said == ["0", "2", "4", "6"]
