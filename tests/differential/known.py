"""Programs that do another thing on tfqueue, each with the defect.

They are strict: one that is mended fails. Those in `HANGS` are not run: what hangs in TensorFlow
keeps threads of the process.
"""

from __future__ import annotations

EVERY = ("default", "0", "32")

HANGS = "what a branch needs from outside is not copied into the step of a chunk: it hangs"

KNOWN: dict[str, tuple[tuple[str, ...], str]] = {
    "control_flow.cond_with_a_resource_variable": (("32",), HANGS),
    "control_flow.cond_with_a_table": (("32",), HANGS),
}
"""By program: with which settings of the chunks, and why."""
