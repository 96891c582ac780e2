"""`tfqueue.v1._linear_algebra`: what TensorFlow 1.0.1, 1.4.1 and 1.15.5 gave, and where they ended."""

import numpy as np
import pytest

import tfqueue.v1 as tf

NAN, INF = np.nan, np.inf
CHOLESKY = "Cholesky decomposition was not successful"
SOLVE = "Input matrix is not invertible"


def run(tensor, fed=None):
    with tf.Session() as sess:
        return sess.run(tensor, fed)


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64, tf.complex64])
@pytest.mark.parametrize(
    "matrix",
    [
        [[-1, 0], [0, 1]],
        [[1, 1], [1, 1]],
        [[0, 0], [0, 0]],
        [[1, 2], [2, 1]],
        [[1, 2, NAN], [2, 1, 0], [NAN, 0, 1]],
        [[[1, 0], [0, 1]], [[1, 2], [2, 1]]],
    ],
)
def test_a_matrix_that_has_no_cholesky_decomposition(matrix, dtype):
    with pytest.raises(tf.errors.InvalidArgumentError, match=CHOLESKY):
        run(tf.cholesky(tf.constant(np.array(matrix), dtype)))


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ([[2, 1], [1, 2]], [[2**0.5, 0], [0.5**0.5, 1.5**0.5]]),
        ([[NAN, 1], [1, 2]], [[NAN, 0], [NAN, NAN]]),
        ([[1, 0], [0, NAN]], [[1, 0], [0, NAN]]),
        ([[INF, 1], [1, 2]], [[INF, 0], [0, 2**0.5]]),
        ([[1, NAN, 0], [NAN, 1, 0], [0, 0, -1]], [[1, 0, 0], [NAN, NAN, 0], [0, NAN, NAN]]),
    ],
)
@pytest.mark.parametrize("fed", [False, True])
def test_what_has_one_and_nan_that_was_there(matrix, expected, fed):
    given = tf.placeholder(tf.float32) if fed else tf.constant(matrix, tf.float32)
    found = run(tf.cholesky(given), {given: matrix} if fed else None)
    assert found == pytest.approx(np.array(expected), nan_ok=True, rel=1e-6)


def test_no_matrix_at_all():
    assert run(tf.cholesky(tf.zeros([0, 2, 2]))).shape == (0, 2, 2)
    assert run(tf.cholesky(tf.zeros([2, 0, 0]))).shape == (2, 0, 0)
    assert run(tf.matrix_triangular_solve(tf.zeros([2, 0, 0]), tf.zeros([2, 0, 1]))).size == 0


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize(
    "matrix",
    [[[1, 0], [3, 0]], [[NAN, 0], [3, 1]], [[0, 0], [3, NAN]], [[-1, 0], [2, -0.0]]],
)
def test_a_triangular_matrix_with_0_in_its_diagonal(matrix, lower):
    with pytest.raises(tf.errors.InvalidArgumentError, match=SOLVE):
        run(tf.matrix_triangular_solve(np.float32(matrix), [[1.0], [2]], lower=lower))


def test_triangular_matrices_that_can_be_solved():
    solve = tf.matrix_triangular_solve
    given = tf.placeholder(tf.float32)
    right = np.float32([[1], [2]])
    adjoint = solve(given, right, lower=True, adjoint=True)
    assert run(adjoint, {given: [[2, 1], [1, 2]]}).tolist() == [[0], [1]]
    assert run(solve(np.float32([[INF, 0], [3, 1]]), right)).tolist() == [[0], [2]]
    lower = tf.constant([[2.0, 0], [1, 3]])
    slope = tf.gradients(tf.reduce_sum(solve(lower, right)), lower)[0]
    expected = [[-0.16666666, 0], [-0.16666667, -0.16666667]]
    assert run(slope) == pytest.approx(np.array(expected), abs=1e-6)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda m: tf.linalg.cholesky(m), CHOLESKY),
        (lambda m: tf.linalg.logdet(m), CHOLESKY),
        (lambda m: tf.matrix_solve_ls(m + [[0.0, 0], [0, 3]], [[1.0], [2.0]]), CHOLESKY),
        (lambda m: tf.cholesky_solve([[1.0, 0], [2, 0]], [[1.0], [2.0]]), SOLVE),
        (
            lambda m: tf.contrib.distributions.MultivariateNormalFullCovariance(
                [0.0, 0], m
            ).sample(),
            CHOLESKY,
        ),
    ],
)
def test_functions_that_use_them(function, says):
    with pytest.raises(tf.errors.InvalidArgumentError, match=says):
        run(function(tf.constant([[1.0, 2], [2, 1]])))


def test_their_names_and_slopes():
    assert tf.cholesky([[1.0]]).name == "Cholesky:0"
    assert tf.cholesky([[1.0]], name="c").name == "c:0"
    assert tf.matrix_triangular_solve([[1.0]], [[1.0]]).name == "MatrixTriangularSolve:0"
    x = tf.constant([[2.0, 1], [1, 3]])
    slope = run(tf.gradients(tf.reduce_sum(tf.cholesky(x)), x)[0])
    expected = [[0.25583359, 0.1954395], [0.1954395, 0.31622776]]
    assert slope == pytest.approx(np.array(expected), abs=1e-6)


@pytest.mark.parametrize(
    ("first", "second", "words", "expected"),
    [
        (None, [None, 3, 4], {}, [None, None, 4]),
        ([None, 3, 4], None, {}, [None, 3, None]),
        (None, [2, None, 4, 5], {}, [2, None, None, 5]),
        ([None, 3, 4], None, {"transpose_a": True}, [None, 4, None]),
        (None, [None, 3, 4], {"transpose_b": True}, [None, None, 3]),
        (None, [None, 3, 4], {"adjoint_b": True}, [None, None, 3]),
        (None, None, {}, None),
        ([2, 5, 3], [None, 3, 4], {}, [2, 5, 4]),
    ],
)
def test_the_static_shape_of_a_product_with_an_unknown_rank(
    first, second, words, expected, written_for
):
    """Those of 1.0.1 to 1.13.2."""
    written_for("1.13")
    sides = [tf.placeholder(tf.float32, shape) for shape in (first, second)]
    for function in (tf.matmul, tf.linalg.matmul):
        shape = function(*sides, **words).shape
        assert (None if shape.rank is None else shape.as_list()) == expected


def test_a_product_with_an_unknown_rank_is_the_op_of_1_13(written_for):
    unknown, matrices = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 2, 2])
    written_for("1.13")
    product, value = tf.matmul(unknown, matrices), np.arange(8.0).reshape(2, 2, 2)
    assert (product.op.type, product.op.name) == ("BatchMatMul", "MatMul")
    np.testing.assert_array_equal(run(product, {unknown: value, matrices: value}), value @ value)
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(product, {unknown: value[None], matrices: value})
    with pytest.raises(ValueError, match="transpose"):
        tf.matmul(unknown, matrices, transpose_a=True, adjoint_a=True)
    matrix = tf.placeholder(tf.float32, [2, 2])
    product = tf.matmul(unknown, matrix, transpose_b=True)
    assert (product.op.type, product.shape.as_list()) == ("MatMul", [None, 2])
    np.testing.assert_array_equal(
        run(product, {unknown: value[0], matrix: value[1]}), value[0] @ value[1].T
    )
    assert tf.batch_matmul(unknown, matrices).shape.as_list() == [None, None, 2]


def test_batches_of_an_unknown_rank_are_broadcast_since_1_14():
    """As by 1.15.5."""
    unknown, matrices = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 2, 2])
    product, value = tf.matmul(unknown, matrices), np.arange(8.0).reshape(2, 2, 2)
    assert product.shape.rank is None
    for given in (value, value[None], value[0], value[:1]):
        found = run(product, {unknown: given, matrices: value})
        np.testing.assert_array_equal(found, given @ value)
