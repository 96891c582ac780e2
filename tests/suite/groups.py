"""Tests of one `xdist_group` run on one worker, one after the other."""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Puts the group's name behind the node id, where pytest-xdist's scheduler looks for it.

    pytest-xdist 3.8 does so as well, in an attribute that pytest 9.2 no longer has.
    """
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        names = sorted({mark.args[0] for mark in item.iter_markers("xdist_group")})
        behind = f"@{'_'.join(names)}"
        if names and not item.nodeid.endswith(behind):
            item._id = type(item._id).parse(item.nodeid + behind)  # type: ignore[attr-defined]
