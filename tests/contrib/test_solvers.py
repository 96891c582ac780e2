"""`tf.contrib.solvers`: its operators and the calls of 1.4. Its solvers' numbers: `test_numeric_packages`."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

solvers = tf.contrib.solvers


def run(value, feeds=None):
    with tf.Session() as sess:
        return sess.run(value, feeds)


def test_operators_and_norms():
    fed = tf.placeholder(tf.float64, [None, 2])
    made = solvers.util.create_operator(fed)
    column = tf.constant([[1.0], [2.0]], tf.float64)
    u, norm = solvers.util.l2normalize(column)
    found = [made.shape, made.apply(column), made.apply_adjoint(made.apply(column)), u, norm]
    shape, *others = run(found, {fed: [[1, 2], [3, 4], [5, 6]]})
    assert (shape.tolist(), made.dtype) == ([3, 2], tf.float64)
    expected = [[[5], [11], [17]], [[123], [156]], np.array([[1], [2]]) / np.sqrt(5), np.sqrt(5)]
    for one, other in zip(others, expected, strict=True):
        np.testing.assert_allclose(one, other)
    same = solvers.util.identity_operator(tf.zeros([2, 2]))
    assert same.shape == [2, 2]
    assert same.apply(column) is same.apply_adjoint(column) is column
    assert run(solvers.util.dot(tf.constant([1j]), tf.constant([2j]))) == 2


def test_a_bidiagonalization_begins_at_random():
    matrix = solvers.util.create_operator(tf.constant(np.sin(np.arange(6.0)).reshape(3, 2)))
    u, v, alpha, beta = solvers.lanczos.lanczos_bidiag(matrix, tf.constant(2))
    made, expected = run([solvers.lanczos.bidiag_matmul(u, alpha, beta), matrix.apply(v)])
    np.testing.assert_allclose(made, expected, atol=1e-12)


@pytest.mark.parametrize("of", [None, "1.4"])
def test_the_arguments_of_1_4(of):
    """1.4.1 gave this, with the tolerance behind the right-hand side."""
    made = np.sin(np.arange(20) ** 2 * 0.37).reshape(5, 4)
    matrix = solvers.util.create_operator(tf.constant(made.T.dot(made) + np.eye(4)))
    release.assume(of)
    try:
        more = [1e-3, 2] if of else [None, None, 1e-3, 2]
        rhs = tf.constant(np.cos(np.arange(4)))
        state = solvers.linear_equations.conjugate_gradient(matrix, rhs, *more)
    finally:
        release.assume(None)
    steps, x, *_, gamma = run(list(state))
    assert steps == 2
    expected = [float.fromhex(one) for one in OF_1_4]
    np.testing.assert_allclose([*x, gamma], expected, rtol=1e-9)


OF_1_4 = [
    "0x1.d8d68accbc414p-2",
    "0x1.fc635b08b832cp-4",
    "-0x1.7498e01e8f6abp-2",
    "-0x1.3e924156080c1p-2",
    "0x1.c0242df0969aap-8",
]


def test_its_modules():
    inside = importlib.import_module("tfqueue.v1.contrib.solvers.python.ops.least_squares")
    assert inside.cgls is solvers.least_squares.cgls
    python = importlib.import_module("tfqueue.v1.contrib.solvers.python.ops")
    assert python.util.create_operator is solvers.util.create_operator
