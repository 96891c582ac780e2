"""Pictures read back, and checked: nothing lies where it must not."""

import io
import itertools
import re
import xml.etree.ElementTree as ET

from tfqueue import draw
from tfqueue.draw import metrics

SVG = "{http://www.w3.org/2000/svg}"


def rectangle(element):
    return tuple(float(element.get(name)) for name in ("x", "y", "width", "height"))


def text_box(element):
    """The rectangle of a text, as wide as the widest common sans serif makes it."""
    style = element.get("class").split()[0].removeprefix("tfq-")
    words = "".join(element.itertext()).removeprefix(
        "".join(t.text for t in element.findall(f"{SVG}title"))
    )
    style = style if style in metrics.PIXELS.sizes else "line"
    width, size = metrics.PIXELS.width(words, style), metrics.PIXELS.sizes[style]
    x = float(element.get("x"))
    x -= {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor")]
    return words, (x, float(element.get("y")) - 0.78 * size, width, size)


def inside(one, other, slack=0.6):
    x, y, width, height = one
    a, b, c, d = other
    return (
        x >= a - slack
        and y >= b - slack
        and x + width <= a + c + slack
        and y + height <= b + d + slack
    )


def overlap(one, other, slack=0.5):
    x, y, width, height = one
    a, b, c, d = other
    across = min(x + width, a + c) - max(x, a)
    down = min(y + height, b + d) - max(y, b)
    return across > slack and down > slack


def numbers(path):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]


def on_edge(point, box, slack=0.6):
    x, y, width, height = box
    near = (
        x - slack <= point[0] <= x + width + slack and y - slack <= point[1] <= y + height + slack
    )
    within = x + slack < point[0] < x + width - slack and y + slack < point[1] < y + height - slack
    return near and not within


def read_back(svg):
    """Checks an SVG's geometry; returns its words and its arrows as pairs of boxes' keys."""
    root = ET.fromstring(svg)
    page = (0, 0, float(root.get("width")), float(root.get("height")))
    assert root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    boxes, labels = {}, []
    for card in root.iter(f"{SVG}g"):
        if card.get("class") != "tfq-card":
            continue
        box = rectangle(card.find(f"{SVG}rect"))
        assert card.get("data-key") not in boxes
        boxes[card.get("data-key")] = box
        for element in card.iter(f"{SVG}text"):
            words, place = text_box(element)
            assert inside(place, box), f"{words!r} leaves its box"
            labels.append((words, place))
        for element in card.iter(f"{SVG}rect"):
            assert inside(rectangle(element), box)
    arrows = []
    for edge in root.iter(f"{SVG}g"):
        if edge.get("class") != "tfq-edge":
            continue
        ends = edge.get("data-source"), edge.get("data-target")
        path = next(p for p in edge.iter(f"{SVG}path") if "tfq-arrow" in p.get("class"))
        points = numbers(path.get("d"))
        assert on_edge(points[:2], boxes[ends[0]]), f"no start at a box: {ends}"
        assert on_edge(points[-2:], boxes[ends[1]]), f"no end at a box: {ends}"
        bends = list(zip(points[::2], points[1::2], strict=True))
        for x, y in bends:
            assert inside((x, y, 0, 0), page)
        for (x, y), (a, b) in itertools.pairwise(bends):
            line = min(x, a) - 1, min(y, b) - 1, abs(x - a) + 2, abs(y - b) + 2
            for key, box in boxes.items():
                assert key in ends or not overlap(line, box, 1.5), f"{ends} goes through {key}"
        for element in edge.iter(f"{SVG}text"):
            words, place = text_box(element)
            labels.append((words, place))
            for key, box in boxes.items():
                assert not overlap(place, box), f"{words!r} lies on {key}"
        arrows.append(ends)
    for message in root.iter(f"{SVG}g"):
        if message.get("class") == "tfq-message":
            frame = rectangle(message.find(f"{SVG}rect"))
            for element in message.iter(f"{SVG}text"):
                words, place = text_box(element)
                assert inside(place, frame), f"{words!r} leaves the message"
                labels.append((words, place))
            boxes_of = list(boxes.values())
            assert not any(overlap(frame, box) for box in boxes_of)
    for entry in root.iter(f"{SVG}g"):
        if entry.get("class") == "tfq-legend":
            words, place = text_box(entry.find(f"{SVG}text"))
            assert not any(overlap(place, box) for box in boxes.values())
            labels.append((words, place))
    for words, place in labels:
        assert inside(place, page), f"{words!r} leaves the page"
    for number, (words, place) in enumerate(labels):
        for other, there in labels[:number]:
            assert not overlap(place, there), f"{words!r} lies over {other!r}"
    keys = list(boxes)
    for number, key in enumerate(keys):
        for other in keys[:number]:
            assert not overlap(boxes[key], boxes[other]), f"{key} lies over {other}"
    return [words for words, _ in labels], arrows


def check_text(drawn, columns=80):
    lines = drawn.splitlines()
    assert max(sum(map(metrics.cells, line)) for line in lines) <= columns
    assert all(line == line.rstrip() for line in lines)


def check_png(data, page_size, scale):
    from PIL import Image

    image = Image.open(io.BytesIO(data)).convert("RGB")
    assert image.size == tuple(round(side * scale) for side in page_size)
    colours = image.getcolors(1 << 20)
    assert len(colours) > 20  # smooth lines and several kinds of boxes
    most = max(count for count, _ in colours)
    assert most < 0.95 * image.size[0] * image.size[1]


def check_all(pipeline, **about):
    """Draws in every way and reads it back; returns the words and arrows of the SVG."""
    read_back(draw.as_svg(pipeline, opened=True, **about))
    for encoding in ("utf-8", "ascii"):
        check_text(draw.as_text(pipeline, encoding=encoding, **about))
    draw.as_text(pipeline, encoding="ascii", opened=True, **about).encode("ascii")
    return read_back(draw.as_svg(pipeline, **about))
