"""The lists of `repairs`, `output` and `checks` hold what is needed and nothing else."""

from __future__ import annotations

import ast
import types

import pytest

from . import checks, library, output, repairs
from .notebook import Notebook

DOCUMENTS = library.documents()
pytestmark = pytest.mark.skipif(not DOCUMENTS, reason=library.WHY_NOT)

IDS = {block.id for blocks in DOCUMENTS.values() for block in blocks}


def test_the_documents_have_the_blocks_that_they_had():
    """An extractor that finds less would make every other test here pass with less."""
    counts = {document: len(blocks) for document, blocks in DOCUMENTS.items()}
    assert counts == {"000": 9, "001": 18, "002": 5, "003": 6, "004": 8}
    assert sum(block.pictures for blocks in DOCUMENTS.values() for block in blocks) == 14


@pytest.mark.parametrize(
    "named",
    [
        {row.block for row in repairs.REPAIRS},
        {row.block for row in repairs.GIVEN},
        {row.block for row in repairs.ENDS_IN_ERROR},
        {row.block for row in output.DIFFERENCES},
        set(output.SHOWN_OF_OTHER_CODE),
        checks.names(),
    ],
    ids=["repairs", "given", "ends in error", "differences", "other code", "checks"],
)
def test_rows_name_blocks(named):
    """No row is for a block that is not there."""
    assert named - IDS == set()


@pytest.mark.parametrize(
    "row", repairs.REPAIRS, ids=[f"{row.block} {row.old.strip()[:20]}" for row in repairs.REPAIRS]
)
def test_repair_is_needed(row, tmp_path):
    """Without the row, and with all the others, the block fails."""
    block = library.block(row.block)
    others = [other for other in repairs.REPAIRS if other is not row]
    text = block.text
    for other in others:
        if other.block == block.id:
            text = other.apply(text)
    assert row.apply(text) != text
    try:
        ast.parse(text)
    except SyntaxError:
        return
    failing = library.block(row.fails or row.block)
    with Notebook(DOCUMENTS[block.document], tmp_path, others) as notebook:
        before = [notebook.run(number).error for number in range(1, failing.number)]
        assert not any(before)
        assert notebook.run(failing.number).error


@pytest.mark.parametrize("row", repairs.GIVEN, ids=[row.block for row in repairs.GIVEN])
def test_given_name_is_needed(row, tmp_path):
    """The block uses each name that it is given, and nothing before it or in it binds the name."""
    block = library.block(row.block)
    with Notebook(DOCUMENTS[block.document], tmp_path) as notebook:
        if block.number > 1:
            notebook.run(block.number - 1)
        code = compile(notebook.repaired(block), block.id, "exec")
        for name in row.names():
            assert name not in notebook.namespace
            assert name in _names_loaded(code)
            assert name not in _names_bound(code)


def test_repair_whose_text_is_gone_says_so():
    """A row that no longer fits its block is an error that names the row."""
    with pytest.raises(ValueError, match=r"004\.2: 'tostring' occurs 0 times"):
        repairs.Repair("004.2", "tostring", "tobytes", "").apply("a.tobytes()")


def _names_loaded(code: types.CodeType) -> set[str]:
    """Returns the global names that `code` and the functions in it use."""
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*map(_names_loaded, inner))


def _names_bound(code: types.CodeType) -> set[str]:
    """Returns the names that the module-level statements of `code` bind."""
    import dis

    return {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_NAME"}
