"""Programs that do another thing on tfqueue, each with the defect.

They are strict: one that is mended fails. Those in `HANGS` are not run: what hangs in TensorFlow
keeps threads of the process.
"""

from __future__ import annotations

HANGS = "it hangs"

KNOWN: dict[str, str] = {}
"""By program, why."""
