"""What would be done again for every test, and is not needed for any."""

from __future__ import annotations

import gc
import os

import pytest


def no_onednn() -> None:
    """Switches off oneDNN in this process, unless the environment says otherwise.

    For each op of each graph of each session its pass looks through all kernels that there are,
    which is a fifth of the suite's time. TensorFlow 1 computed without it. Processes that
    `children.py` starts have it, as a user has.
    """
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


def no_garbage_yet() -> None:
    """Switches the garbage collector off until the tests are collected: what is imported stays."""
    gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Takes what is imported and collected out of the garbage collector's sight.

    It is there until the end, and would be looked through each time.
    """
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
