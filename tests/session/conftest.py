"""What several tests of sessions set up."""

import threading

import pytest

from tfqueue.session import starvation


@pytest.fixture
def looks(monkeypatch):
    """Set once the main thread's steps have looked around often enough to prove what there is to prove."""
    looked = threading.Event()
    looked.first, looked.count = threading.Event(), 0

    def look(watch, original=starvation.WaitWatch.look):
        original(watch)
        if threading.current_thread() is threading.main_thread():
            looked.first.set()
            looked.count += 1
            if looked.count >= 8:
                looked.set()

    monkeypatch.setattr(starvation.WaitWatch, "look", look)
    return looked
