"""`tfqueue.v1._old_numbers`: values of TensorFlow 1.4.1, 1.8.0, 1.11.0 and 1.15.5, of the same arguments."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release


@pytest.fixture(params=["1.4", "1.5", "1.6", "1.10", "1.11", "1.12", None])
def era(request):
    """The release that the program is known to be from."""
    former = release.assume(request.param)
    yield tuple(map(int, (request.param or "1.15").split(".")))
    release.assume(former)


def test_the_pairs_of_an_example_are_counted_twice_up_to_1_5(era):
    draw = np.random.RandomState(0)
    labels, predictions, fed = (draw.rand(*s).astype("f") for s in [(4, 2, 3), (4, 2, 3), (3, 4)])
    weights = np.float32([1, 0, 2, 1]).reshape(4, 1, 1)
    given = tf.placeholder(tf.float32, [None, None])
    losses = [
        tf.losses.mean_pairwise_squared_error(labels, predictions),
        tf.losses.mean_pairwise_squared_error(labels, predictions, weights=weights),
        tf.losses.mean_pairwise_squared_error(given * 2, given, weights=3.0),
        tf.losses.get_total_loss(),
        tf.losses.mean_pairwise_squared_error(np.float32([1, 2, 5]), np.float32([2, 2, 2])),
        tf.losses.mean_pairwise_squared_error(labels, predictions, loss_collection=None),
    ]
    old = era <= (1, 5)
    expected = [0.96714, 1.16869, 1.01207] if old else [1.16057, 1.40243, 1.34942]
    with tf.Session() as sess:
        found = sess.run(losses, {given: fed})
    assert found[:3] == pytest.approx(expected, abs=2e-5)
    assert found[3:] == pytest.approx([sum(expected), 0, expected[0]], abs=2e-5)
    assert len(tf.get_collection("losses")) == 4


@pytest.mark.parametrize("streaming", [False, True])
def test_a_class_that_nothing_is_of_counts_as_0_up_to_1_4(era, streaming):
    predictions, labels = tf.constant([0, 0, 2, 2]), tf.constant([0, 2, 2, 2])
    if streaming:
        function, given = tf.contrib.metrics.streaming_mean_iou, (predictions, labels)
    else:
        function, given = tf.metrics.mean_iou, (labels, predictions)
    found = [
        function(*given, 4, metrics_collections=["m"]),
        function(*given, 4, weights=tf.constant([1.0, 1, 1, 0]), name="other"),
    ]
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        sess.run([update for _, update in found])
        sess.run([update for _, update in found])
        means = sess.run([mean for mean, _ in found])
    expected = [0.291667, 0.25] if era <= (1, 4) else [0.583333, 0.5]
    assert means == pytest.approx(expected, abs=1e-5)
    assert tf.get_collection("m") == [found[0][0]]


def test_scores_of_ctc_are_beside_the_largest_logit_up_to_1_10(era):
    logits = np.random.RandomState(0).randn(6, 2, 4).astype("f")
    decoded, scores = tf.nn.ctc_beam_search_decoder(logits, [6, 4], top_paths=2)
    with tf.Session() as sess:
        paths, found = sess.run([decoded, scores])
    assert [path.values.tolist() for path in paths] == [[0, 0, 2, 1], [2, 0, 0, 1]]
    if era <= (1, 10):
        expected = [[0.73920, 0.52653], [1.17412, 1.01350]]
    else:
        expected = [[-2.08225, -2.29492], [-1.99058, -2.15121]]
    assert found == pytest.approx(np.array(expected), abs=2e-5)


def test_one_tensor_that_has_an_axis_twice(era):
    def found(equation, *shape):
        with tf.Session() as sess:
            values = tf.reshape(tf.range(1.0 * np.prod(shape)), shape)
            return sess.run(tf.einsum(equation, values)).tolist()

    assert found("ij->ji", 2, 2) == [[0, 2], [1, 3]]
    if era <= (1, 12):
        assert [found(text, 2, 2) for text in ("ii", "ii->")] == [6, 6]
        assert [found(text, 3, 2, 2) for text in ("bii", "bii -> b")] == [[6, 22, 38]] * 2
        assert found("ibi", 2, 3, 2) == [14, 22, 30]
        assert found("iijk->kj", 2, 2, 2, 3) == [[36, 48], [40, 52], [44, 56]]
        assert found("ijji", 2, 3, 3, 2) == 630
        assert found("aaa", 2, 2, 2) == 28
        with pytest.raises(ValueError):
            found("ii->i", 2, 2)
        return
    assert found("ii", 2, 2) == 3
    assert found("ibi", 2, 3, 2) == [3, 15]
    assert found("ijji", 2, 3, 3, 2) == [[3, 15, 27], [39, 51, 63]]
    assert found("ii->", 2, 2) == 3  # an error in 1.15, as all others


@pytest.mark.parametrize("kind", ["tensor", "parts", "variable"])
def test_sums_of_rows_of_float16_are_float32_since_1_11(era, kind):
    rows = tf.constant(np.arange(12).reshape(4, 3) / 7, tf.float16)
    table = {"tensor": rows, "parts": [rows[::2], rows[1::2]], "variable": rows}[kind]
    if kind == "variable":
        table = tf.get_variable(f"rows_{era[1]}", initializer=rows)
    at = [[0, 0], [0, 1], [1, 0]]
    ids = tf.SparseTensor(at, tf.constant([1, 2, 1], tf.int64), [2, 2])
    weights = tf.SparseTensor(at, [0.3, 0.7, 0.2], [2, 2])
    cases = [(one, given) for one in ("sum", "mean", "sqrtn") for given in (None, weights)]
    sums = [tf.nn.embedding_lookup_sparse(table, ids, w, combiner=c) for c, w in cases]
    if era <= (1, 10):
        assert {one.dtype for one in sums} == {tf.float16}
        return
    assert {one.dtype for one in sums} == {tf.float32}
    gradients = [tf.gradients(one * one, rows if kind == "parts" else table)[0] for one in sums]
    assert kind == "parts" or all(isinstance(one, tf.IndexedSlices) for one in gradients)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found, slopes = sess.run([sums, [tf.convert_to_tensor(one) for one in gradients]])
    expected = [
        [1.285400390625, 1.5712890625, 1.85693359375],
        [0.7283935546875, 0.871386706829071, 1.0141112804412842],
        [0.6427001953125, 0.78564453125, 0.928466796875],
        [0.7283935546875, 0.871386706829071, 1.0141112804412842],
        [0.9089153409004211, 1.1110692024230957, 1.313050389289856],
        [0.9564275741577148, 1.1441868543624878, 1.33159339427948],
    ]
    assert np.stack(found)[:, 0] == pytest.approx(np.array(expected), rel=3e-7)  # not 2 ** -11
    assert [one[1].tolist() for one in slopes[:3]] == [
        [3.427734375, 4.28515625, 5.140625],
        [0.47119140625, 0.56884765625, 0.66552734375],
        [1.5, 1.927734375, 2.357421875],
    ]


def test_the_pieces_of_one_string_are_a_tensor():
    with tf.Session() as sess:
        for given in ("1 2 3", tf.constant("1 2 3")):
            found = tf.strings.split(given, result_type="RaggedTensor")
            assert sess.run(found).tolist() == [b"1", b"2", b"3"]
            assert isinstance(tf.strings.split(given), tf.SparseTensor)
        found = tf.strings.split(source="1,2", sep=",", maxsplit=1, result_type="RaggedTensor")
        assert sess.run(found).tolist() == [b"1", b"2"]
        found = tf.strings.split(["1 2 3"], result_type="RaggedTensor")
        assert sess.run(found).to_list() == [[b"1", b"2", b"3"]]


FIRST = {  # the first number behind three steps, up to 0.12 and since
    "Adadelta": ((), 1.7641, 1.7641),
    "Adagrad": ((0.1,), 1.4147, 1.5406),
    "Adam": ((0.1,), 1.3414, 1.4648),
    "Ftrl": ((0.1,), 1.2676, 1.4645),
    "GradientDescent": ((0.1,), 0.3810, 0.3810),
    "Momentum": ((0.1, 0.9), -1.7607, -0.9526),
    "ProximalAdagrad": ((0.1,), 1.4147, 1.5406),
    "RMSProp": ((0.1,), 0.8399, 1.1166),
}


@pytest.mark.parametrize("name", FIRST)
@pytest.mark.parametrize("known", ["0.12", "1.0"])
def test_a_row_that_is_gathered_twice_is_changed_twice_up_to_0_12(name, known):
    release.assume(known)
    arguments, old, new = FIRST[name]
    v = tf.Variable(np.random.RandomState(0).randn(2, 5).astype("f"))
    loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(v, [0, 0, 1])))
    step = getattr(tf.train, f"{name}Optimizer")(*arguments).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(step)
        assert sess.run(v)[0, 0] == pytest.approx(old if known == "0.12" else new, abs=1e-4)


@pytest.mark.parametrize("known", ["1.9", "1.10"])
def test_nothing_made_up_for_what_a_normal_distribution_lost_up_to_1_9(known):
    release.assume(known)
    made = [
        tf.glorot_normal_initializer(seed=3),
        tf.variance_scaling_initializer(seed=3),
        tf.variance_scaling_initializer(2.0, "fan_out", "normal", seed=3),
        tf.variance_scaling_initializer(distribution="uniform", seed=3),
    ]
    with tf.Session() as sess:
        found = [value[0, 0] for value in sess.run([one([3, 4]) for one in made])]
    if known == "1.9":
        expected = [0.5675, 0.6130, 0.7507, -0.2261]
    else:
        expected = [0.6451, 0.6968, 0.8534, -0.2261]
    assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("known", ["1.3", "1.4"])
def test_batch_normalization_is_not_fused_up_to_1_3(known):
    release.assume(known)
    images = np.random.RandomState(0).randn(2, 4, 4, 3).astype("f")
    tf.layers.batch_normalization(images, training=True)
    updates, variables = tf.get_collection(tf.GraphKeys.UPDATE_OPS), tf.global_variables()
    first, variance = ("beta", 1.00207) if known == "1.3" else ("gamma", 1.00246)
    assert variables[0].op.name == f"batch_normalization/{first}"
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(updates)
        assert sess.run(variables[3])[0] == pytest.approx(variance, abs=5e-6)


@pytest.mark.parametrize(
    ("of", "batch", "given", "told"),
    [
        ("1.12", 2, {}, True),
        ("1.12", None, {}, True),
        ("1.12", 1, {}, False),
        ("1.12", 2, {"include_batch_in_index": True}, False),
        ("1.13", 2, {}, False),
    ],
)
def test_where_indices_of_a_maximum_went_through_the_batch(of, batch, given, told, recwarn):
    former = release.assume(of)
    try:
        with tf.Graph().as_default():
            images = tf.placeholder(tf.float32, [batch, 4, 4, 1])
            where = tf.nn.max_pool_with_argmax(images, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", **given)[
                1
            ]
            with tf.Session() as sess:
                fed = np.arange(16.0 * (batch or 2)).reshape(-1, 4, 4, 1)
                found = sess.run(where, {images: fed})
    finally:
        release.assume(former)
    assert ["include_batch_in_index=True" in str(each.message) for each in recwarn] == [True] * told
    assert found.max() == (31 if given else 15)


# the rows and columns that 1.3 kept of [7, 10], [10, 13] and [101, 104]
KEPT = {
    0.3: [[1, 0], [0, 1], [1, 0]],
    0.4: [[3, 4], [4, 5], [35, 36]],
    0.7: [[5, 8], [8, 9], [69, 70]],
    0.875: [[7, 10], [10, 13], [89, 92]],
    0.9: [[7, 10], [10, 13], [91, 94]],
}


@pytest.mark.parametrize("fraction", KEPT)
def test_the_middle_of_an_image_is_that_of_1_3(fraction):
    with tf.Session() as sess:
        for known in ("0.12", "1.3"):
            release.assume(known)
            fed = tf.placeholder(tf.uint8, [None, None, 2])
            cut = tf.image.central_crop(fed, fraction)
            assert cut.shape.as_list() == [None, None, 2]
            found = [
                sess.run(cut, {fed: np.zeros([size, size + 3, 2], "u1")}).shape[:2]
                for size in (7, 10, 101)
            ]
            assert [[*each] for each in found] == KEPT[fraction]


def test_the_middle_of_an_image_is_todays_since_1_4_and_where_all_is_kept():
    image = tf.zeros([6, 6, 3])
    for known, fraction, size in (("1.4", 0.4, 4), ("1.3", 0.4, 2), ("1.3", 1.0, 6)):
        release.assume(known)
        with tf.Session() as sess:
            assert sess.run(tf.image.central_crop(image, fraction)).shape == (size, size, 3)
    with pytest.raises(ValueError, match="central_fraction"):
        tf.image.central_crop(image, 1.5)


# of images of [6, 7] whose pixels are counted from 42: what 1.1 took, and how often each was taken
TAKEN = {
    (4, 5): [[0, 1, 3, 4, 6], [7, 8, 10, 11, 13], [21, 22, 24, 25, 27], [35, 36, 38, 39, 41]],
    (1, 1): [[0]],
    (3, 1): [[0], [14], [35]],
}


@pytest.mark.parametrize("size", TAKEN)
def test_the_nearest_pixel_was_the_one_before_up_to_1_1(size):
    release.assume("1.1")
    images = np.arange(2 * 6 * 7, dtype="f").reshape(2, 6, 7, 1)
    given = tf.constant(images)
    made = tf.image.resize_nearest_neighbor(given, size, align_corners=True)
    whole = tf.image.resize_images(
        images.astype("u1"), size, tf.image.ResizeMethod.NEAREST_NEIGHBOR, align_corners=True
    )
    (gradient,) = tf.gradients(made, given)
    with tf.Session() as sess:
        found, also, counts = sess.run([made, whole, gradient])
    assert (found[1, :, :, 0] - 42).tolist() == TAKEN[size]
    assert also.dtype == np.uint8
    assert np.array_equal(also, found)
    assert np.flatnonzero(counts[0]).tolist() == sorted({*np.ravel(TAKEN[size]).tolist()})


@pytest.mark.parametrize(("known", "aligned"), [("1.1", False), ("1.2", True)])
def test_the_nearest_pixel_is_todays_since_1_2_and_without_aligned_corners(known, aligned):
    release.assume(known)
    images = np.arange(6, dtype="f").reshape(1, 1, 6, 1)
    made = tf.image.resize_nearest_neighbor(images, [1, 4], align_corners=aligned)
    with tf.Session() as sess:
        expected = [0, 2, 3, 5] if aligned else [0, 1, 3, 4]
        assert sess.run(made).ravel().tolist() == expected


@pytest.mark.parametrize(("known", "seeds"), [("1.1", [39, 9]), ("1.2", [40, 9])])
def test_they_count_for_the_seeds_as_many_ops_as_then(known, seeds):
    release.assume(known)
    found = []
    for build in (
        lambda: tf.image.central_crop(tf.placeholder(tf.float32, [6, 6, 3]), 0.4),
        lambda: tf.image.resize_nearest_neighbor(
            tf.placeholder(tf.float32, [1, 6, 6, 3]), [4, 4], align_corners=True
        ),
    ):
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(1)
            tf.random_uniform([])
            build()
            tf.random_uniform([])
            drawn = [op for op in graph.get_operations() if op.type == "RandomUniform"]
            first, last = (op.get_attr("seed2") for op in drawn)
            found.append(last - first - 1)  # but for the placeholder
    assert found == seeds
