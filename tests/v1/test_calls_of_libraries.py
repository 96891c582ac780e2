"""TensorFlow's own calls of a class that old programs make in another form mean what they mean today."""

from __future__ import annotations

import types

import pytest

import tfqueue.v1 as tf
from tfqueue import release

# up to 1.1 the second argument was the dtype, since then it is the seed
CALL = "made = make(2.0, {second})"


def made(module: str, second: object):
    """What a module's call of `orthogonal_initializer` by position makes."""
    code = types.ModuleType(module)
    code.__dict__.update(make=tf.orthogonal_initializer, second=second)
    exec(CALL.format(second="second"), code.__dict__)
    return code.__dict__["made"]


@pytest.fixture
def of_1_0():
    """A program of TensorFlow 1.0."""
    before = release.assume("1.0")
    yield
    release.assume(before)


def test_a_program_of_1_0_gives_the_dtype_second(of_1_0):
    assert made("program", tf.float64).dtype == tf.float64


@pytest.mark.parametrize("module", ["tensorflow.python.ops.init_ops", "keras.src.layers"])
def test_a_library_gives_the_seed_second(of_1_0, module):
    assert made(module, 5).seed == 5
