"""The documents run otherwise than as they stand: as was meant, and as programs of their own."""

from __future__ import annotations

import contextlib
import os

import pytest

from tests.suite import children
from tfqueue import errors

from . import library, pictures, repairs
from .notebook import Notebook

# What protobuf 4, which TensorFlow 2.16 comes with, says of itself on Python 3.12 is not ours.
WARNINGS = "default,ignore:Type google._upb:DeprecationWarning"

DOCUMENTS = library.documents()
pytestmark = pytest.mark.skipif(not DOCUMENTS, reason=library.WHY_NOT)


@pytest.mark.parametrize("kept", [False, True], ids=["file deleted", "file kept"])
def test_001_as_it_was_meant(kept, tmp_path):
    """001.11 with the runners started: the deleted file is named; kept, it gives its sequence."""
    meant = [
        repairs.Repair(
            "001.11",
            "sess.run(context_parsed)",
            "threads = tf.train.start_queue_runners(sess=sess)\nsess.run(context_parsed)",
            "the author forgot it",
        ),
        repairs.Repair("001.7", "NamedTemporaryFile()", "NamedTemporaryFile(delete=False)", "same"),
    ]
    rows = [*repairs.REPAIRS, *meant[: 2 if kept else 1]]
    # The two fetches are runs of their own, and the author is told.
    torn = errors.SplitExampleWarning
    told = pytest.warns(torn, match="two runs fetched parts") if kept else contextlib.nullcontext()
    with Notebook(DOCUMENTS["001"], tmp_path, rows, expects=[torn]) as run, told:
        outcome = run.run(11)
        assert not outcome.hung
        if kept:
            assert outcome.error is None
            # The first record's context, then the second's sequence. One thread enqueues one file name, so their order is the file's.
            assert outcome.printed == "{'labels': array([1, 0, 0]), 'tokens': array([4, 5, 1])}"
        else:
            assert isinstance(outcome.error, run.tf.errors.NotFoundError)
            assert run.namespace["filename"] in str(outcome.error)
        assert run.close() == []


@pytest.mark.xdist_group("children")
@pytest.mark.parametrize("document", ["002", "003"])
def test_program_ends_by_itself(document, tmp_path):
    """These two leave sessions open and runners running: the process ends all the same, quietly.

    Nothing is joined or closed here, which in the other tests the harness does.
    """
    with Notebook(DOCUMENTS[document], tmp_path) as notebook:
        code = [notebook.repaired(block) for block in notebook.blocks]
    if document == "003":
        # Its first two blocks are snippets about names that the text does not bind.
        code = ["import tensorflow as tf", *code[2:]]
        pictures.write_digits(notebook.folder / "mnist.tfrecords")
    program = "\n".join(code).replace("import tensorflow as tf", "import tfqueue.v1 as tf")
    script = notebook.folder / "program.py"
    script.write_text(program, encoding="utf-8")
    ended = children.run(
        [script],
        cwd=notebook.folder,
        env={
            **os.environ,
            "PYTHONPATH": str(library.REPOSITORY),
            "PYTHONWARNINGS": WARNINGS,
        },
    )
    assert (ended.returncode, ended.stderr) == (0, "")
