"""Draws the pictures of docs/how.md with tfqueue's own renderer.

python docs/house.py
"""

import pathlib

from tfqueue.draw import layout, metrics, svg
from tfqueue.draw.cards import Card, Edge, Scene, Section

PICTURES = pathlib.Path(__file__).resolve().parent / "pictures"

HOUSE = {
    "cli": ("step", "cli", ["the command tfqueue"]),
    "commands": ("step", "commands", ["run, check, port, draw, ..."]),
    "port": ("step", "port", ["old source: what it is, the", "rules, running it, notebooks"]),
    "watch": ("step", "watch", ["queues live, reports"]),
    "contrib": ("queue", "contrib", ["tf.contrib"]),
    "estimator": ("queue", "estimator", ["tf.estimator"]),
    "v1": ("queue", "v1", ["TensorFlow 1's names"]),
    "session": ("queue", "session", ["sessions, runners,", "coordinator, clusters"]),
    "accelerate": ("work", "accelerate", ["many examples a step"]),
    "explain": ("work", "explain", ["from a failure to its cause"]),
    "dataset": ("work", "dataset", ["the pipeline as tf.data"]),
    "draw": ("work", "draw", ["pictures"]),
    "graph": ("source", "graph", ["what a graph's", "pipeline is"]),
    "recording": ("source", "recording", ["what a program computed;", "compared with today"]),
    "pages": ("source", "pages", ["frame and charts of pages"]),
    "base": (
        "source",
        "records, errors",
        ["TFRecord files; classes of", "errors; names; _tensorflow"],
    ),
    "output": ("source", "output", ["safe lines, whole files,", "progress bars"]),
}
ARROWS = [
    ("cli", "commands"),
    ("commands", "port"),
    ("commands", "watch"),
    ("port", "contrib"),
    ("watch", "contrib"),
    ("contrib", "estimator"),
    ("estimator", "v1"),
    ("v1", "session"),
    *(("session", middle) for middle in ("accelerate", "explain", "dataset", "draw")),
    *((middle, "graph") for middle in ("accelerate", "explain", "dataset", "draw")),
    ("graph", "recording"),
    ("recording", "pages"),
    ("pages", "base"),
    ("base", "output"),
]

RECORD = {
    "file": ("source", "train.tfrecord", ["records"]),
    "names": ("queue", "queue of names", ["string_input_producer"]),
    "runner": ("work", "runner's thread", ["session.runner", "runs the enqueue op"]),
    "mover": ("work", "many at a time", ["accelerate: read, parse", "and enqueue in one step"]),
    "queue": ("queue", "shuffle_batch", ["TensorFlow's own queue"]),
    "step": ("step", "sess.run(batch)", ["session.step waits,", "Ctrl-C ends the wait"]),
}

FAILURE = {
    "thread": ("work", "runner's thread", ["a record cannot be parsed"]),
    "owner": ("queue", "session", ["delivers what was read", "before, ends the waits"]),
    "explain": ("work", "explain", ["finds record, key, line;", "writes the notes"]),
    "step": ("step", "sess.run(batch)", ["raises TensorFlow's", "own exception"]),
    "printed": ("source", "stderr", ["headline, notes,", "your own lines"]),
}


def chain(cards):
    """Arrows from each card to the next."""
    return list(zip(list(cards), list(cards)[1:], strict=False))


def drawn(title, cards, arrows):
    """A picture as SVG."""
    scene = Scene(
        {
            key: Card(key, kind, [Section(name, lines)])
            for key, (kind, name, lines) in cards.items()
        },
        [Edge(*pair) for pair in arrows],
        title,
        "; ".join(f"{name}: {' '.join(lines)}" for _, name, lines in cards.values()),
    )
    return svg.render(layout.lay_out(scene, metrics.PIXELS))


def pictures():
    """The pictures by their names."""
    return {
        "house.svg": drawn("The packages of tfqueue in layers", HOUSE, ARROWS),
        "record.svg": drawn("The way of one record", RECORD, chain(RECORD)),
        "failure.svg": drawn("The way of one failure", FAILURE, chain(FAILURE)),
    }


if __name__ == "__main__":
    for name, text in pictures().items():
        (PICTURES / name).write_text(text, "utf-8")
