"""What several tests of datasets set up."""

import pytest

import tfqueue
from tests.dataset.lifted import text_files


@pytest.fixture
def eager():
    """The process is in TensorFlow 2 mode, as that of somebody who asks for a dataset."""
    with tfqueue.eager():
        yield


@pytest.fixture
def files(tmp_path):
    """Three text files of numbers."""
    return text_files(tmp_path)
