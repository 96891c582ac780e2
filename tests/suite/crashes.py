"""A worker that dies, of a time limit or in C++, is a failed test, and the run goes on."""

from __future__ import annotations

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log):
    """The scheduler of `--dist loadgroup`, which copes with workers that die.

    The one that takes the place of another may still look for its tests: pytest-xdist 3.8 gives it work
    all the same, and ends with a KeyError that hides what has failed. And the test in which a worker
    died is given out again as a group without tests, for which a worker waits for ever.
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class Scheduling(LoadGroupScheduling):
        def remove_node(self, node):
            groups = self.assigned_work[node].values()
            left = [(tests, name) for tests in groups for name, done in tests.items() if not done]
            if left:
                tests, died = left[0]
                tests[died] = True
            else:
                died = None
            super().remove_node(node)
            return died

        def _assign_work_unit(self, node):
            while self.workqueue and all(next(iter(self.workqueue.values())).values()):
                self.workqueue.popitem(
                    last=False
                )  # a group without tests: a worker would wait for ever
            if self.workqueue:
                super()._assign_work_unit(node)

        def _reschedule(self, node):
            if node in self.registered_collections:
                super()._reschedule(node)
                # It begins with a test when it knows the next one.
                if self.workqueue and self._pending_of(self.assigned_work[node]) < 2:
                    super()._reschedule(node)

    return Scheduling(config, log)
