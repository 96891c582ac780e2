"""The blocks of a document share a graph and their threads."""

from __future__ import annotations

import pytest

from tests.suite import last_line

from . import library

last_line.totals["document_block"] = sum(len(blocks) for blocks in library.documents().values())


@pytest.fixture(autouse=True)
def own_graph():
    """In place of a graph for each test: a document has one, over all its blocks."""


@pytest.fixture(autouse=True)
def nothing_left():
    """In place of a look after each test: the sessions and runners of one block feed the next.

    `test_documents.test_no_thread_is_left` looks when the document has ended.
    """
