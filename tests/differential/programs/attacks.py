"""Formulas chosen to go wrong if many examples are computed at once: axes, shapes, state, bounds.

Each mixes what belongs to an example with what all share, or has a result whose shape depends on the
example.
"""

from ..kit import program


def _attack(name, compute, size=8, close=False, **options):
    """A program that batches what `compute` makes of the numbers 0 to 199."""

    def run(tf, s):
        found = compute(tf, s.number())
        s.run(tf.train.batch(list(found) if isinstance(found, tuple) else [found], size, **options))

    run.__name__ = name
    program(run, close=close)


def _matrix(tf, n, rows=3, columns=4, dtype=None):
    """A matrix of whole numbers that differs from example to example."""
    cells = (n + tf.reshape(tf.range(rows * columns), [rows, columns])) * 7 % 11
    return cells if dtype is None else tf.cast(cells, dtype)


def _image(tf, n, dtype=None):
    cells = _matrix(tf, n, 6, 12)
    return tf.cast(tf.reshape(cells, [6, 4, 3]), dtype or tf.float32)


# Axes, counted from either end.
_attack("sum_over_the_last_axis", lambda tf, n: tf.reduce_sum(_matrix(tf, n), -1, keepdims=True))
_attack("sum_over_all_axes", lambda tf, n: tf.reduce_sum(_matrix(tf, n)))
_attack("sum_over_no_axis", lambda tf, n: tf.reduce_sum(_matrix(tf, n), []))
_attack("largest_of_ties", lambda tf, n: tf.argmax(_matrix(tf, n) // 4, 0))
_attack("cumulated_backwards", lambda tf, n: tf.cumsum(_matrix(tf, n), -1, reverse=True))
_attack(
    "axis_of_the_example", lambda tf, n: tf.reduce_max(_matrix(tf, n, 3, 3), n % 2), shapes=[[3]]
)
_attack("reversed_axis_of_the_example", lambda tf, n: tf.reverse(_matrix(tf, n), [n % 2]))
_attack(
    "joined_at_an_axis_of_the_example",
    lambda tf, n: tf.reshape(
        tf.concat([_matrix(tf, n, 2, 2), _matrix(tf, n + 1, 2, 2)], n % 2), [8]
    ),
)
_attack("rolled_by_the_example", lambda tf, n: tf.roll(_matrix(tf, n), n % 3, 0))
_attack(
    "softmax_over_rows",
    lambda tf, n: tf.nn.softmax(_matrix(tf, n, 3, 4, tf.float32), 0),
    close=True,
)
_attack(
    "transposed_by_an_order_of_the_example",
    lambda tf, n: tf.transpose(_matrix(tf, n, 3, 3), [n % 2, 1 - n % 2]),
    shapes=[[3, 3]],
)
_attack(
    "norm_of_rows",
    lambda tf, n: tf.nn.l2_normalize(1.0 + _matrix(tf, n, 3, 4, tf.float32), 1),
    close=True,
)
_attack(
    "products_of_all_pairs",
    lambda tf, n: tf.tensordot(_matrix(tf, n, 2, 3), _matrix(tf, n, 3, 2), 1),
)
_attack(
    "matrices_of_a_stack",
    lambda tf, n: tf.matmul(
        tf.stack([_matrix(tf, n, 2, 2), _matrix(tf, 5, 2, 2)]),
        tf.stack([_matrix(tf, n, 2, 2)] * 2),
        transpose_b=True,
    ),
)
_attack(
    "broadcast_from_the_left",
    lambda tf, n: tf.reshape(tf.range(3), [3, 1]) * tf.stack([n, n + 1, n + 2]),
)
_attack("row_of_a_shared_table_as_wide_as_a_chunk", lambda tf, n: tf.range(32) + n)

# Shapes that the example decides.
_attack("as_many_as_the_number", lambda tf, n: tf.range(n % 9), dynamic_pad=True)
_attack("tiled_as_often_as_the_number", lambda tf, n: tf.tile([n, -n], [n % 5]), dynamic_pad=True)
_attack(
    "cut_where_the_number_says",
    lambda tf, n: tf.slice(tf.range(20), [n % 7], [n % 5]),
    dynamic_pad=True,
)
_attack(
    "strided_by_the_number",
    lambda tf, n: tf.range(30)[n % 4 : 25 : n % 3 + 1],
    shapes=[[None]],
    dynamic_pad=True,
)
_attack("row_from_the_end", lambda tf, n: _matrix(tf, n)[-1 - n % 3, ..., tf.newaxis])
_attack("padded_by_the_number", lambda tf, n: tf.pad([n, n], [[n % 3, n % 2]]), dynamic_pad=True)
_attack(
    "rows_that_a_mask_keeps",
    lambda tf, n: tf.boolean_mask(_matrix(tf, n), tf.range(3) <= n % 3),
    shapes=[[None, 4]],
    dynamic_pad=True,
)
_attack(
    "parted_by_value",
    lambda tf, n: tuple(tf.dynamic_partition(tf.range(8) + n, tf.range(8) % (n % 3 + 1) % 2, 2)),
    dynamic_pad=True,
)
_attack(
    "stitched_again",
    lambda tf, n: tf.dynamic_stitch([[0, 2], [1, 3]], [[n, n + 2], [n + 1, n + 3]]),
)
_attack("spaced_evenly", lambda tf, n: tf.linspace(0.0, tf.cast(n, tf.float32), 5), close=True)
_attack("filled_as_the_number_says", lambda tf, n: tf.fill([n % 3, 2], n), dynamic_pad=True)
_attack(
    "values_that_differ",
    lambda tf, n: tuple(tf.unique_with_counts(_matrix(tf, n, 1, 9)[0] % 4)[0::2]),
    dynamic_pad=True,
)
_attack("positions_in_a_sorted_row", lambda tf, n: tf.searchsorted(tf.range(0, 200, 9), [n, 2 * n]))
_attack("grid", lambda tf, n: tuple(tf.meshgrid(tf.range(2) + n, tf.range(3) * n)))
_attack("shape_as_a_value", lambda tf, n: tf.cast(tf.shape(tf.zeros([n % 4, 3])), tf.int64) * 10)

# Segments, histograms, sparse values.
_attack(
    "sums_of_segments",
    lambda tf, n: tf.segment_sum(tf.range(6) + n, [0, 0, 1, 1, 1, 2]),
    shapes=[[3]],
)
_attack(
    "sums_of_segments_without_order",
    lambda tf, n: tf.unsorted_segment_sum(tf.range(4) + n, tf.stack([n % 3, 0, 2, n % 2]), 3),
)
_attack(
    "scattered_twice_to_one_place",
    lambda tf, n: tf.scatter_nd([[n % 4], [1], [1]], tf.stack([n, 2, 3]), [4]),
)
_attack(
    "counted_values",
    lambda tf, n: tf.bincount(_matrix(tf, n, 1, 9)[0] % 5, minlength=5, maxlength=5),
    shapes=[[5]],
)
_attack(
    "histogram",
    lambda tf, n: tf.histogram_fixed_width(_matrix(tf, n, 3, 4, tf.float32), [0.0, 11.0], 4),
)
_attack(
    "sparse_times_dense",
    lambda tf, n: tf.sparse_tensor_dense_matmul(
        tf.SparseTensor([[0, 1], [1, 0]], tf.cast(tf.stack([n, 2]), tf.float32), [2, 3]),
        _matrix(tf, n, 3, 2, tf.float32),
    ),
)
_attack(
    "distance_of_words",
    lambda tf, n: tf.edit_distance(
        tf.string_split([tf.as_string(n)], ""), tf.string_split([tf.as_string(n * 3)], "")
    ),
    shapes=[[1]],
)

# Pictures, one at a time by their ops' own shapes.
_attack("turned_by_quarters", lambda tf, n: tf.image.rot90(_image(tf, n)[:4], n % 4))
_attack(
    "boxes_of_the_example",
    lambda tf, n: tf.image.crop_and_resize(
        _image(tf, n)[tf.newaxis],
        [[0.0, 0.0, 1.0, tf.cast(n % 5 + 1, tf.float32) / 5]],
        [0],
        [3, 3],
    )[0],
    close=True,
)
_attack(
    "hue_of_the_example",
    lambda tf, n: tf.image.adjust_hue(_image(tf, n) / 11, tf.cast(n % 9, tf.float32) / 9 - 0.4),
    close=True,
)
_attack(
    "patches",
    lambda tf, n: tf.extract_image_patches(
        _image(tf, n)[tf.newaxis], [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"
    )[0],
)
_attack(
    "convolved_with_the_example_itself",
    lambda tf, n: tf.nn.conv2d(
        _image(tf, n)[tf.newaxis],
        tf.reshape(_image(tf, n)[:2, :2], [2, 2, 3, 1]),
        [1, 2, 2, 1],
        "SAME",
    )[0],
)
_attack("depths_to_blocks", lambda tf, n: tf.space_to_depth(_image(tf, n)[tf.newaxis, :4], 2)[0])
_attack("neighbours_in_depth", lambda tf, n: tf.nn.lrn(_image(tf, n)[tf.newaxis], 1)[0], close=True)

# Bounds of numbers.
_attack(
    "whole_numbers_that_run_over",
    lambda tf, n: ((n + 2147483600) * 3, tf.cast(n, tf.uint8) * tf.constant(77, tf.uint8)),
)
_attack(
    "shifted", lambda tf, n: (tf.bitwise.left_shift(n, n % 5), tf.bitwise.right_shift(-n, n % 5))
)
_attack(
    "remainders_of_negatives",
    lambda tf, n: (
        (n - 100) // (n % 7 - 8),
        tf.floormod(n - 100, n % 7 - 8),
        tf.truncatemod(n - 100, 7),
    ),
)
_attack(
    "halves_rounded",
    lambda tf, n: (
        tf.round(tf.cast(n, tf.float32) / 2 - 30.5),
        tf.cast(tf.cast(n, tf.float32) / 4 - 20, tf.int32),
    ),
)
_attack(
    "no_numbers_among_numbers",
    lambda tf, n: tf.reduce_max(
        tf.cast(tf.stack([n, n % 3]), tf.float32) / tf.cast(n % 3, tf.float32)
    ),
)
_attack(
    "long_numbers_as_floats",
    lambda tf, n: tf.bitcast(tf.cast(tf.cast(n, tf.int64) * 123456789123, tf.float32), tf.int32),
)
_attack("bits_as_another_type", lambda tf, n: tf.bitcast(tf.stack([n, -n]), tf.float32))
_attack(
    "quantized",
    lambda tf, n: tf.fake_quant_with_min_max_args(tf.cast(n, tf.float32) / 9, -3.0, 12.0),
    close=True,
)

# Matrices and signals.
_attack(
    "inverted",
    lambda tf, n: tf.matrix_inverse(
        _matrix(tf, n, 3, 3, tf.float64) + 20.0 * tf.eye(3, dtype=tf.float64)
    ),
    close=True,
)
_attack(
    "factors",
    lambda tf, n: tf.cholesky(
        tf.matmul(
            _matrix(tf, n, 3, 3, tf.float64), _matrix(tf, n, 3, 3, tf.float64), transpose_b=True
        )
        + 9.0 * tf.eye(3, dtype=tf.float64)
    ),
    close=True,
)
_attack(
    "diagonals",
    lambda tf, n: (
        tf.matrix_diag_part(_matrix(tf, n, 3, 4)),
        tf.matrix_band_part(_matrix(tf, n, 3, 3), 0, 1),
    ),
)
_attack(
    "frequencies",
    lambda tf, n: tf.abs(tf.spectral.rfft(_matrix(tf, n, 1, 8, tf.float32)[0])),
    close=True,
)


def _slope(tf, n):
    """A gradient made while the graph is, one for each example."""
    x = tf.cast(n, tf.float32)
    (slope,) = tf.gradients(tf.square(x) * 3.0 + x, [x])
    return slope


_attack("slope_at_the_example", _slope)


# What one example leaves, the next one sees.


def _largest_so_far(tf, n):
    largest = tf.get_variable("largest", initializer=-1, trainable=False)
    with tf.control_dependencies([tf.assign(largest, tf.maximum(largest, n * 7 % 101))]):
        return n, largest + 0


def _taken_from_a_table_that_grows(tf, n):
    table = tf.get_variable("table", initializer=[0] * 10, trainable=False)
    before = tf.gather(table, n % 10)
    with tf.control_dependencies([before]):
        after = tf.scatter_update(table, [(n + 3) % 10], [n])
    with tf.control_dependencies([after]):
        return before + 0, n


def _draws_counted_by_python(tf, n):
    seen = []

    def count(number):
        seen.append(number)
        return [len(seen), sum(seen[-3:])]

    found = tf.py_func(count, [tf.cast(n, tf.int64)], [tf.int64, tf.int64])
    for each in found:
        each.set_shape([])
    return tuple(found)


def _a_queue_as_a_memory(tf, n):
    memory = tf.FIFOQueue(300, [tf.int32], [[]])
    with tf.control_dependencies([memory.enqueue([n * 2])]):
        taken = memory.dequeue()
    with tf.control_dependencies([taken]):
        return taken + 0, memory.size()


def _every_third_changes_it(tf, n):
    scale = tf.get_variable("scale", initializer=1, trainable=False)
    changed = tf.cond(
        tf.equal(n % 3, 0), lambda: tf.assign_add(scale, n) + 0, lambda: tf.identity(scale + 0)
    )
    return n, changed


_attack("largest_so_far", _largest_so_far)
_attack("taken_from_a_table_that_grows", _taken_from_a_table_that_grows)
_attack("counted_by_python", _draws_counted_by_python)
_attack("a_queue_as_a_memory", _a_queue_as_a_memory)
_attack("every_third_changes_it", _every_third_changes_it)
