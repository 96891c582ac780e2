"""Since Python 3.7 `re.split`, `re.sub` and their kin take matches of nothing otherwise.

https://docs.python.org/3/whatsnew/3.7.html#changes-in-the-python-api
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.program.patterns import PATTERNS, matches_only_nothing, may_match_nothing
from tfqueue.port.source.finding import Finding

WORDS = ("re",)


def find(module: Module) -> Iterator[Finding]:
    """Finds patterns that may match nothing, in programs for TensorFlow 1 that can be older than 3.7."""
    if module.python2 or module.era.low >= (1, 13):
        return  # Python 2's functions are `tfqueue.port.py2.regex`; 1.13 was the first for 3.7
    if not module.is_old:
        return
    for call, dotted in module.calls:
        home, _, name = dotted.rpartition(".")
        if home != "re" or name not in PATTERNS:
            continue
        pattern = next(
            iter([*call.args, *(word.value for word in call.keywords if word.arg == "pattern")]),
            None,
        )
        if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str | bytes):
            continue
        if name in ("split", "compile") and matches_only_nothing(pattern.value):
            continue  # up to 3.6 that was an error: the program is from later
        if may_match_nothing(pattern.value):
            yield module.finding(
                call, f"re.{name} takes matches of nothing otherwise since Python 3.7"
            )
            module.replace(call.func, module.use("tfqueue.port.libraries.re_matches", f"re_{name}"))
