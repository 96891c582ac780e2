"""The documents' own code blocks, executed as they stand with `tf` = `tfqueue.v1`.

Each block is a test, and the blocks of a document run in its order in one namespace. The texts are
read from where `library` says and are not part of the repository; `repairs` holds what a block
needs to run today, `output` how its output may differ, `checks` what must hold beside.
"""

from __future__ import annotations

import threading
import weakref

import pytest

from . import checks, extract, library, output, repairs
from .notebook import Notebook

DOCUMENTS = library.documents()
ABSENT = pytest.mark.skipif(not DOCUMENTS, reason=library.WHY_NOT)
EXPECTED_ERRORS = {row.block: row for row in repairs.ENDS_IN_ERROR}


def _on_one_worker(document: str) -> pytest.MarkDecorator:
    return pytest.mark.xdist_group(f"document {document}")


BLOCKS = [
    pytest.param(
        block.document, block, id=block.title, marks=[ABSENT, _on_one_worker(block.document)]
    )
    for blocks in DOCUMENTS.values()
    for block in blocks
] or [pytest.param("", None, id="absent", marks=ABSENT)]
ENDS = [pytest.param(name, id=name, marks=_on_one_worker(name)) for name in DOCUMENTS] or [
    pytest.param("", id="absent", marks=ABSENT)
]


@pytest.fixture(scope="module")
def notebook(request, tmp_path_factory):
    """The document's run: shared by its blocks, closed before the next document's begins.

    A weak reference to it: what a test is given, pytest-timeout's watching thread holds as well,
    and tfqueue does not call a session starved while a live thread can reach it. The author's
    process had no such thread.
    """
    with Notebook(DOCUMENTS[request.param], tmp_path_factory.mktemp(request.param)) as run:
        yield weakref.ref(run)


@pytest.mark.parametrize(("notebook", "block"), BLOCKS, indirect=["notebook"], scope="module")
def test_block(notebook, block, record_property):
    """The block runs, prints and shows what the document shows, and says nothing else."""
    notebook = notebook()
    record_property("document_block", block.id)
    outcome = notebook.run(block.number)
    assert not outcome.hung, f"{block.id} hung; closing its sessions gave: {outcome.error!r}"
    expected = EXPECTED_ERRORS.get(block.id)
    if expected:
        assert outcome.error is not None, f"{block.id} was to fail: {expected.why}"
        story = "\n".join([str(outcome.error), *getattr(outcome.error, "__notes__", [])])
        assert [word for word in expected.words if word not in story] == [], story
    elif outcome.error is not None:
        raise outcome.error
    printed = outcome.printed
    if block.id in output.SHOWN_OF_OTHER_CODE:
        printed = output.SHOWN_OF_OTHER_CODE[block.id](notebook.namespace, printed)
    shown, printed = output.compare(block.id, block.shown, printed)
    assert printed == shown
    assert len(outcome.pictures) == block.pictures
    if block.document == "004" and block.number == 8:
        assert set(outcome.pictures) == {(checks.SIDE, checks.SIDE)}
    assert outcome.noise == ""
    checks.after(block.id, notebook)


@pytest.mark.parametrize("notebook", ENDS, indirect=True, scope="module")
def test_no_thread_is_left(notebook):
    """After the document, its open sessions closed as its process's end would, all threads end."""
    notebook = notebook()
    notebook.run(len(notebook.blocks))
    assert notebook.close() == []
    assert not [t for t in threading.enumerate() if t.name.startswith("QueueRunnerThread")]


@ABSENT
def test_headings_that_spell_out_a_call():
    """Where a document prints a signature, it is ours: names, order and defaults."""
    import tfqueue.v1 as tf

    headings = [
        name for document in DOCUMENTS for name in extract.signatures(library.text(document))
    ]
    assert len(headings) == 2
    for heading in headings:
        assert checks.signature_accepts(tf, heading), heading
