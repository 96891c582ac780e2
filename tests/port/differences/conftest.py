"""What holds for the tests of `tfqueue.port.differences`: nothing was told before a test."""

import pytest

from tfqueue.port.differences import telling


@pytest.fixture(autouse=True)
def nothing_told():
    telling.forget()
    yield
    telling.forget()
