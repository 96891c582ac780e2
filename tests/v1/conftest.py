"""What holds for the tests of `tfqueue.v1`: the program is of no known release, unless a test says of which."""

import pytest

import tfqueue.v1 as tf
from tfqueue import release


@pytest.fixture(autouse=True)
def of_no_known_release():
    release.assume_keras(False)  # what a test of another folder imported may have said so
    yield
    release.assume(None)


@pytest.fixture
def written_for():
    """Sets the release of the program, until the end of the test."""
    return release.assume


@pytest.fixture
def no_session_of_keras():
    yield
    tf.keras.backend.set_session(None)
