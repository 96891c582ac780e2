"""In pytest's report a pipeline's failure shows the test's own lines, and the headline.

An entry point of setup.py loads it in every pytest run beside which tfqueue is installed; it does
nothing before a test has used `tfqueue.v1` or a session. `-p no:tfqueue` leaves it out, and
`--full-trace` and `--tb=native` show everything.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Any, Literal

import pytest

_PRINTS = "tfqueue.explain.uncaught_errors"  # loaded by what uses a pipeline, and not from here
_STYLES: dict[str, Literal["long", "short"]] = {"auto": "long", "long": "long", "short": "short"}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, Any, None]:
    """Leaves the frames of libraries out of what is printed of a failure."""
    outcome = yield
    report = outcome.get_result()
    uncaught = sys.modules.get(_PRINTS)
    if uncaught is None or call.excinfo is None or not report.failed:
        return
    option = item.config.getoption
    style = _STYLES.get(option("tbstyle"))
    if style is None or option("fulltrace") or not uncaught.is_ours(call.excinfo.value):
        return
    lines = uncaught.headline_of(call.excinfo.value)
    printed = call.excinfo.getrepr(
        style=style,
        tbfilter=_own_frames,
        showlocals=option("showlocals"),
        funcargs=True,
        chain=False,
    )
    last: Any = printed.reprtraceback.reprentries[-1]
    code = [line for line in last.lines if not line.startswith("E ")]
    last.lines[:] = [*code, *(f"E   {line}" for line in lines)]
    if printed.reprcrash is not None:
        printed.reprcrash.message = lines[0]
    report.longrepr = printed


def _own_frames(excinfo: Any) -> Any:
    """The entries of pytest's traceback that are no library's; all of them where there is none."""
    is_library_file = sys.modules[_PRINTS].is_library_file
    own = excinfo.traceback.filter(lambda entry: not is_library_file(str(entry.path)))
    return own or excinfo.traceback
