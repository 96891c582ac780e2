"""seaborn: what has to be named since 0.12, and names that are gone.

https://seaborn.pydata.org/whatsnew/v0.12.0.html
"""

from __future__ import annotations

from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import call_forms, moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("seaborn",)
_ROWS = {
    "seaborn.factorplot": "seaborn.catplot",
    "seaborn.lvplot": "seaborn.boxenplot",
    "seaborn.apionly": "seaborn",
}
_SIZED = "size>height"
_CALL_FORMS = {
    "FacetGrid": f"{_SIZED} dropna=True",
    "JointGrid": f"{_SIZED} dropna=True",
    "PairGrid": f"{_SIZED} dropna=True",
    "catplot": _SIZED,
    "jointplot": f"{_SIZED} dropna=True stat_func-",
    "lmplot": _SIZED,
    "pairplot": f"{_SIZED} dropna=True",
}


def find(module: Module) -> Iterator[Finding]:
    """Finds positional arguments, old arguments and old names."""
    for call, dotted in module.calls:
        words = {keyword.arg for keyword in call.keywords}
        if dotted == "seaborn.factorplot" and not words & {"kind", None}:
            yield module.finding(call, "factorplot drew points where nothing was said")
            module.add_argument(call, "kind", "'point'")
    yield from call_forms.find(
        module, call_forms.Forms("seaborn", "seaborn", _ROWS, _CALL_FORMS, {})
    )
    yield from moved_names.find(module, _ROWS)
