"""What the blocks of the documents need beside `tf`, as rows; each row says why.

`REPAIRS` holds the least change to a text that is no Python 3 or leans on what is gone; `GIVEN` the
names and `FILES` the files that only the author had; `ENDS_IN_ERROR` what never worked in the
original either. A row whose old text no longer occurs, or without which the block works as well,
fails a test: the lists cannot grow stale. Blocks are named by document and running number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import pictures

SHELL = "IPython's own: a shell or magic command, and no Python"
PYTHON_2 = "Python 2"
NUMPY_1 = "gone with numpy 2 (tostring since 2.3)"
PSEUDO = "pseudo code"
INDENTATION = "the text has lost the indentation"
AUTHORS_DISK = "a path on the author's disk; the harness lays the file into the working directory"


@dataclass(frozen=True)
class Repair:
    """The least change that lets one block run.

    Attributes:
        block: the block's id, such as ``"004.2"``.
        old: text that occurs in the block exactly `times` times; all of them are replaced.
        new: what stands there instead.
        why: what is wrong with the old text.
        times: how often the old text occurs.
        fails: the id of the block that fails when this row is missing, if it is a later one.
    """

    block: str
    old: str
    new: str
    why: str
    times: int = 1
    fails: str = ""

    def apply(self, text: str) -> str:
        """Returns the repaired text.

        Raises:
            ValueError: the old text does not occur as often as the row says.
        """
        if text.count(self.old) != self.times:
            raise ValueError(
                f"{self.block}: {self.old!r} occurs {text.count(self.old)} times, and not "
                f"{self.times}: the row in tests/documents/repairs.py is stale"
            )
        return text.replace(self.old, self.new)


REPAIRS = [
    Repair("000.1", "return shape.tobytes", "    return shape.tobytes", INDENTATION),
    Repair("000.1", "feature={ )", "feature={", "a bracket that nothing opens"),
    Repair("000.2", "xrange", "range", PYTHON_2),
    Repair("000.3", "while not", "    while not", INDENTATION),
    Repair("000.3", "... do something ...", "        ...", f"{PSEUDO}, {INDENTATION}"),
    # An Ellipsis is true: the first thread that gets here asks all ten to stop.
    Repair("000.3", "if ... some condition ...", "        if ...", f"{PSEUDO}, {INDENTATION}"),
    Repair("000.3", "coord . request", "            coord . request", INDENTATION),
    Repair("000.3", "xrange", "range", PYTHON_2),
    Repair("000.3", "\nt . start", "\n    t . start", INDENTATION),
    Repair("001.17", "! ", "# ", SHELL, times=3),
    # `value` stands for any value of the fitting type: for an int in one line, for bytes in another.
    Repair("003.2", "BytesList(value=[value", "BytesList(value=[b'value'", PSEUDO),
    Repair("004.1", "%", "# %", SHELL),
    Repair(
        "004.1",
        "/home/karen/Downloads/data/ImageNet_Utils/imageNet_dataset/train/dog/",
        "",
        AUTHORS_DISK,
    ),
    Repair("004.2", "tostring", "tobytes", NUMPY_1),
    Repair("004.2", "fromstring", "frombuffer", NUMPY_1),
    Repair(
        "004.3",
        "/home/dpakhom1/tf_projects/segmentation/VOCdevkit/VOCdevkit/VOC2012/",
        "",
        AUTHORS_DISK,
        times=6,
        fails="004.4",
    ),
    Repair("004.4", "%", "# %", SHELL),
    Repair("004.4", "tostring", "tobytes", NUMPY_1, times=2),
    Repair("004.5", "fromstring", "frombuffer", NUMPY_1, times=2),
    Repair("004.7", "%", "# %", SHELL),
]


@dataclass(frozen=True)
class Given:
    """Names that a block uses and no block of its document binds.

    Attributes:
        block: the block's id.
        names: makes the names and their values; called when the block is about to run.
        why: where the author had them from.
    """

    block: str
    names: Callable[[], dict[str, Any]]
    why: str


def _imports_of_000() -> dict[str, Any]:
    from PIL import Image

    import tfqueue.v1 as tf

    return {"Image": Image, "np": np, "tf": tf}


def _imports_and_a_digit() -> dict[str, Any]:
    import tfqueue.v1 as tf

    label, image = pictures.digits()[0]
    return {"tf": tf, "label": label, "features": image.astype(np.float64)}


GIVEN = [
    Given("000.1", _imports_of_000, "imported by a cell that the text leaves out"),
    Given("003.1", _imports_and_a_digit, "the text imports nothing; a row of the author's MNIST"),
    Given("003.2", lambda: {"value": 3, "value_list": [1, 2, 3]}, "any value, any list of values"),
]


# What lies on the author's disk, by document, relative to the folder its blocks run in. That
# folder is called `notebooks`, so that 001's '../data/' is there without a repair.
FILES: dict[str, dict[str, Callable[[Path], None]]] = {
    "000": {
        "heart.csv": lambda path: path.write_text("age,chd\n52,1\n63,0\n46,1\n"),
        "friday.jpg": lambda path: pictures.write(pictures.photograph("chelsea"), path),
    },
    "001": {
        # The document shows the shape that its picture had.
        "../data/mageswaran.jpg": lambda path: pictures.write(
            pictures.photograph("astronaut", height=960, width=720), path
        ),
    },
    "004": {
        "100_1782.jpg": lambda path: pictures.write(pictures.photograph("chelsea"), path),
        # Larger than 384 one way and smaller the other, larger both ways: cropped and padded.
        **pictures.voc_pair("2007_000032", "chelsea"),
        **pictures.voc_pair("2007_000039", "coffee"),
        **pictures.voc_pair("2007_000063", "rocket"),
    },
}


@dataclass(frozen=True)
class EndsInError:
    """A block that never worked, in TensorFlow 1 either, and now has to say so.

    Attributes:
        block: the block's id.
        words: all of them stand in the error (its text or its notes).
        why: what the author had overlooked.
    """

    block: str
    words: tuple[str, ...]
    why: str


ENDS_IN_ERROR = [
    EndsInError(
        "001.11",
        ("input_producer", "start_queue_runners"),
        "it evaluates a tensor that a queue feeds, and the queue's runner was never started",
    ),
]
