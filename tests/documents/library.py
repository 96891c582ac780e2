"""Where the documents lie, and their blocks. Their texts are no part of this repository."""

from __future__ import annotations

import functools
import os
from pathlib import Path

from . import extract
from .extract import Block

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("TFQUEUE_DOCUMENTS", REPOSITORY.parent / "shared" / "documents"))
WHY_NOT = f"no documents in {FOLDER}; TFQUEUE_DOCUMENTS names another folder"


@functools.cache
def documents() -> dict[str, list[Block]]:
    """Returns the blocks of each document by its number; empty where the folder is not there."""
    return {path.name.split("_")[0]: extract.read(path) for path in sorted(FOLDER.glob("*.txt"))}


def block(block_id: str) -> Block:
    """Returns the block with this id, such as ``"004.2"``."""
    document, number = block_id.split(".")
    return documents()[document][int(number) - 1]


def text(document: str) -> str:
    """Returns the whole text of a document."""
    return next(FOLDER.glob(f"{document}_*.txt")).read_text(encoding="utf-8")
