"""The harness itself, on documents of our own: it must neither hide nor invent anything."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

from . import extract, notebook
from .notebook import Notebook


@pytest.fixture
def run(tmp_path):
    """Runs a made-up notebook of these cells; returns its last cell's outcome."""
    opened = []

    def run(*cells):
        text = "".join(f"```python\n{cell}\n```\n" for cell in cells)
        opened.append(Notebook(extract.blocks("900", text), tmp_path))
        return opened[0].run(len(cells))

    yield run
    for made in opened:
        made.close()


def test_cells_share_a_namespace_and_show_their_last_value(run):
    """What is printed comes first, as in a notebook, and None is not shown."""
    assert run("a = 1", "print(a)\na\na + 1").printed == "1\n2"


def test_none_is_not_shown(run):
    """As a notebook does."""
    assert run("[].append(1)").printed == ""


def test_tensorflow_is_tfqueue_in_a_block_only(run):
    """`import tensorflow` is rerouted for the block's code; the process sees TensorFlow."""
    import tfqueue.v1

    before = sys.modules["tensorflow"]
    outcome = run(
        "import tensorflow as tf\ndef f():\n  import tensorflow\n  return tensorflow\nf()"
    )
    assert outcome.printed == repr(tfqueue.v1)
    assert sys.modules["tensorflow"] is before


def test_nothing_stays_changed(tmp_path):
    """Folder, temporary folder, environment, warnings and `show` are as they were."""
    from matplotlib import pyplot

    def state():
        show, filters = pyplot.show, warnings.filters[:]
        return Path.cwd(), tempfile.gettempdir(), dict(os.environ), filters, show

    before = state()
    code = (
        "import os, tempfile, warnings\nos.environ['TFQUEUE_TEST_900'] = '1'\n"
        "warnings.simplefilter('ignore')\ntempfile.gettempdir()"
    )
    with Notebook(extract.blocks("900", f"```python\n{code}\n```"), tmp_path) as made:
        assert made.run(1).printed == repr(str(tmp_path / "notebooks"))
        assert Path.cwd() == tmp_path / "notebooks"
        # A later block may rely on what an earlier one set.
        assert os.environ["TFQUEUE_TEST_900"] == "1"
    assert state() == before


def test_pictures_are_counted_as_a_notebook_shows_them(run):
    """Each figure at `show`, and what is open at the cell's end."""
    draw = "import numpy as np\nfrom matplotlib import pyplot as plt\nplt.imshow(np.eye(2))\n"
    assert run(draw + "plt.show()\nplt.imshow(np.eye(3));None").pictures == [(2, 2), (3, 3)]


def test_noise_is_heard(run):
    """From Python, from below Python and from TensorFlow's logger."""
    outcome = run(
        "import logging, os, sys\n"
        "print('python', file=sys.stderr)\n"
        "os.write(2, b'below')\n"
        "logging.getLogger('tensorflow').critical('logged');None"
    )
    assert [word for word in ("python", "below", "logged") if word not in outcome.noise] == []


def test_an_error_is_kept_for_the_test(run):
    """And a warning is one."""
    assert isinstance(run("1 / 0").error, ZeroDivisionError)


def test_a_warning_is_an_error(run):
    """A document's block may not warn either."""
    assert isinstance(run("import warnings\nwarnings.warn('w')").error, UserWarning)


def test_a_hang_is_ended_and_called_one(run, monkeypatch):
    """The guard closes the sessions, which is what ends a blocked run."""
    monkeypatch.setattr(notebook, "HANGS_AFTER", 0)
    outcome = run(
        "import threading\n"
        "class Session:\n"
        "    graph, closed = None, threading.Event()\n"
        "    def run(self):\n"
        "        self.closed.wait()\n"
        "        raise RuntimeError('cancelled')\n"
        "    def close(self):\n"
        "        self.closed.set()\n"
        "sess = Session()",
        "sess.run()",
    )
    assert outcome.hung
    assert str(outcome.error) == "cancelled"


def test_a_thread_that_lives_on_is_returned(tmp_path, monkeypatch):
    """By `close`, which the documents' tests compare with nothing."""
    monkeypatch.setattr(notebook, "ENDS_WITHIN", 0)
    code = "import threading\nstop = threading.Event()\nthreading.Thread(target=stop.wait).start()"
    made = Notebook(extract.blocks("900", f"```python\n{code}\n```"), tmp_path)
    assert made.run(1).error is None
    (thread,) = made.close()
    made.namespace["stop"].set()
    thread.join()
    assert thread not in threading.enumerate()


def test_documents_do_not_overlap(tmp_path):
    """They share TensorFlow's default graph, so a second run may not begin inside the first."""
    blocks = extract.blocks("900", "```python\n```")
    with Notebook(blocks, tmp_path), pytest.raises(AssertionError, match="one default graph"):
        Notebook(blocks, tmp_path)


def test_crop_or_pad():
    """The check of 004 crops and pads as TensorFlow does: odd surplus on the far side."""
    import tfqueue.v1 as tf

    from . import checks

    image = np.arange(5 * 391 * 3, dtype=np.uint8).reshape(5, 391, 3)
    with tf.Graph().as_default(), tf.Session() as sess:
        same = sess.run(tf.image.resize_image_with_crop_or_pad(image, checks.SIDE, checks.SIDE))
    np.testing.assert_array_equal(checks._crop_or_pad(image), same)
