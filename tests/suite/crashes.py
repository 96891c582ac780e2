"""A worker that dies, of a time limit or in C++, is a failed test, and the run goes on."""

from __future__ import annotations

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log):
    """The scheduler of `--dist loadgroup`, which copes with workers that die.

    The one that takes the place of another may still look for its tests: pytest-xdist 3.8 gives it work
    all the same, and ends with a KeyError that hides what has failed. And it gives the test in which a
    worker died to the next one, which dies as well.
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class Scheduling(LoadGroupScheduling):
        def remove_node(self, node):
            groups = self.assigned_work[node]
            left = [(tests, name) for tests in groups.values() for name in tests if not tests[name]]
            if left:
                tests, died = left[0]
                tests[died] = True
            # A group without a test is not given out again: a worker would wait for ever.
            self.assigned_work[node] = {
                name: tests for name, tests in groups.items() if not all(tests.values())
            }
            super().remove_node(node)
            return died if left else None

        def _reschedule(self, node):
            if node in self.registered_collections:
                super()._reschedule(node)
                # It begins with a test when it knows the next one.
                if self.workqueue and self._pending_of(self.assigned_work[node]) < 2:
                    super()._reschedule(node)

    return Scheduling(config, log)
