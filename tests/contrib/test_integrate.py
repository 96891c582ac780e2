"""`tf.contrib.integrate`: what it refuses, and the calls of other releases. Its numbers: `test_numeric_packages`."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

integrate = tf.contrib.integrate
TIMES = [1.7, 1.9, 6.2, 8.6]


def shrink(y, t):
    return -y


def run(value):
    with tf.Session() as sess:
        return sess.run(value)


@pytest.mark.parametrize(
    ("error", "says", "call"),
    [
        (ValueError, "invalid method", lambda f: f.odeint(shrink, 1.0, TIMES, method="rk4")),
        (ValueError, "without spec", lambda f: f.odeint(shrink, 1.0, TIMES, options={})),
        (TypeError, "`y0` must have a floating", lambda f: f.odeint(shrink, 1, TIMES)),
        (TypeError, "`t` must have a floating", lambda f: f.odeint(shrink, 1.0, tf.range(3))),
        (
            TypeError,
            "tolerance",
            lambda f: f.odeint(shrink, 1.0, TIMES, method="dopri5", options={"tolerance": 1}),
        ),
        (ValueError, "not supported: e", lambda f: f.odeint_fixed(shrink, 1.0, TIMES, method="e")),
        (
            ValueError,
            "Dimensions must be equal",
            lambda f: f.odeint_fixed(shrink, 1.0, TIMES, [0.1, 0.1]),
        ),
        (ValueError, "must be 1D", lambda f: f.odeint_fixed(shrink, 1.0, TIMES, [[0.1] * 3])),
        (ValueError, "must be 1D", lambda f: f.odeint_fixed(shrink, 1.0, [TIMES] * 2)),
    ],
)
def test_what_is_refused(error, says, call):
    with pytest.raises(error, match=says):
        call(integrate)


@pytest.mark.parametrize(
    ("says", "call"),
    [
        ("monotonic", lambda f: f.odeint(shrink, 1.0, [1.0, 0.0])),
        ("monotonic", lambda f: f.odeint_fixed(shrink, 1.0, [1.0, 0.0])),
        (
            "max_num_steps",
            lambda f: f.odeint(
                shrink, 1.0, TIMES, method="dopri5", options={"max_num_steps": 1, "first_step": 0.1}
            ),
        ),
        ("non-finite", lambda f: f.odeint(lambda y, t: y * np.nan, np.inf, TIMES)),
        ("underflow in dt", lambda f: f.odeint(lambda y, t: y * np.nan, 1.0, TIMES)),
    ],
)
def test_what_ends_the_session(says, call):
    with pytest.raises(tf.errors.InvalidArgumentError, match=says):
        run(call(integrate))


@pytest.mark.parametrize("of", [None, "1.8"])
def test_a_method_by_position_and_times_as_they_are_up_to_1_9(of):
    """1.8.0 gave the slope the times themselves, 1.10 and later those that the steps add up to."""

    def at_a_time(y, t):
        return tf.cast(tf.equal(t, 6.2), y.dtype) * tf.ones_like(y)

    release.assume(of)
    try:
        by_place = [integrate.odeint_fixed(shrink, 1.0, TIMES, *more) for more in (["rk4"], [])]
        seen = integrate.odeint_fixed(at_a_time, 0.0, TIMES, method="rk4")
    finally:
        release.assume(None)
    one, other = run(by_place)
    assert one.tolist() == other.tolist()
    assert (run(seen)[-1] > 0) == (of == "1.8")


def test_its_modules():
    inside = importlib.import_module("tfqueue.v1.contrib.integrate.python.ops.odes")
    assert inside.odeint is integrate.odeint
    found = inside._optimal_step_size(tf.constant(1.0), tf.constant([0.0, 1.0, 1e6]))
    np.testing.assert_allclose(run(found), [10, 0.9, 0.2], rtol=1e-6)
