"""Programs that do another thing on tfqueue, each with the defect. They are strict: a mended one fails."""

from __future__ import annotations

EVERY = ("default", "0", "32")

KNOWN: dict[str, tuple[tuple[str, ...], str]] = {}
"""By program: with which settings of the chunks, and why."""
