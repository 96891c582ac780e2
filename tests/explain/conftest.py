"""What holds for the tests of `tfqueue.explain`."""

import pytest

from tfqueue.explain import diagnosis


@pytest.fixture(autouse=True)
def no_broken_story():
    """A story that failed is seen by nobody; here it fails the test."""
    diagnosis.BROKEN.clear()
    yield
    assert not diagnosis.BROKEN
