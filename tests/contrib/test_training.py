"""`tf.contrib.training`: buckets, sampling by class, sequences in pieces.

Where a comment says so, what is expected was printed by TensorFlow 1.15.5 for
the same calls.
"""

import itertools
import threading

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.names import gone_contrib as gone

pytestmark = pytest.mark.slow

training = tf.contrib.training


def numbers(count, epochs=1):
    return tf.train.range_input_producer(count, num_epochs=epochs, shuffle=False).dequeue()


def all_batches(fetches):
    with tfqueue.managed_session() as sess:
        return list(sess.batches(fetches))


# 1.15.5: lengths and numbers of each batch, sorted
BY_LENGTH = [
    ([1, 2, 1], [0, 1, 7]),
    ([2, 1, 2], [8, 14, 15]),
    ([3, 4, 3], [2, 3, 9]),
    ([4, 3, 4], [10, 16, 17]),
    ([5, 6], [18, 19]),
    ([5, 6, 7], [4, 5, 6]),
    ([5, 6, 7], [11, 12, 13]),
]


def test_buckets_by_length_as_in_tensorflow_1():
    n = numbers(20)
    length = n % 7 + 1
    lengths, (sequences, number) = training.bucket_by_sequence_length(
        length,
        [tf.ones([length], tf.int32) * n, n],
        3,
        [3, 5],
        dynamic_pad=True,
        allow_smaller_final_batch=True,
    )
    assert sequences.shape.as_list() == [None, None]
    got = all_batches([lengths, sequences, number])
    assert sorted((a.tolist(), c.tolist()) for a, _, c in got) == BY_LENGTH
    for sizes, padded, each in got:
        expected = [[x] * n + [0] * (max(sizes) - n) for x, n in zip(each, sizes, strict=True)]
        assert padded.tolist() == expected


def test_buckets_of_several_sizes_and_keep_input_as_in_tensorflow_1():
    n = numbers(20)
    which, batch = training.bucket({"n": n}, n % 3, [2, 3, 4], 3, keep_input=n > 3)
    got = sorted((int(w), b["n"].tolist()) for w, b in all_batches([which, batch]))
    assert got == [
        (0, [6, 9]),
        (0, [12, 15]),
        (1, [4, 7, 10]),
        (1, [13, 16, 19]),
        (2, [5, 8, 11, 14]),
    ]  # 1.15.5


def test_a_bucket_of_one_size_has_a_known_shape_and_several_threads_lose_nothing():
    n = numbers(40)
    _, batch = training.bucket([n, n * n], n % 2, 4, 2, num_threads=3)
    assert [tensor.shape.as_list() for tensor in batch] == [[4], [4]]
    got = all_batches(batch)
    assert sorted(itertools.chain(*(x.tolist() for x, _ in got))) == list(range(40))
    assert all(((x - x[0]) % 2 == 0).all() and (y == x * x).all() for x, y in got)


def test_a_failure_behind_a_bucket_is_its_true_cause():
    n = numbers(20)
    with tf.control_dependencies([tf.assert_less(n, 10, message="ten is too much")]):
        n = tf.identity(n)
    _, batch = training.bucket([n], n % 2, 2, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="ten is too much"):
        all_batches(batch)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda n: training.bucket([n], 0, [1], 2), ValueError, "must have exactly num_buckets"),
        (
            lambda n: training.bucket([n], 0, 1, 2, bucket_capacities=[3]),
            ValueError,
            "must have exactly num_buckets",
        ),
        (lambda n: training.bucket([], 0, 1, 2), ValueError, "at least one tensor"),
        (lambda n: training.bucket([tf.ones([n])], 0, 1, 2), ValueError, "dynamic_pad=True"),
        (
            lambda n: training.bucket_by_sequence_length(n, [n], 2, []),
            ValueError,
            "must not be empty",
        ),
        (
            lambda n: training.bucket_by_sequence_length(n, [n], 2, [3, 3]),
            ValueError,
            "increasing",
        ),
        (
            lambda n: training.bucket_by_sequence_length(n, [n], 2, [3.5]),
            TypeError,
            "must be integers",
        ),
        (
            lambda n: training.bucket_by_sequence_length(n, [n], 2, 3),
            TypeError,
            "must be a list",
        ),
    ],
)
def test_what_a_bucket_refuses(call, error, says):
    with pytest.raises(error, match=says):
        call(numbers(4))


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("many", [True, False])
def test_stratified_sample_brings_the_wanted_proportions(known, many):
    tf.set_random_seed(4)
    n = tf.train.range_input_producer(100, seed=3, capacity=200)
    n = n.dequeue_many(10) if many else n.dequeue()
    label = tf.cast(n % 10 < 1, tf.int32)  # one in ten
    [value], labels = training.stratified_sample(
        [n],
        label,
        [0.5, 0.5],
        20,
        init_probs=[0.9, 0.1] if known else None,
        enqueue_many=many,
        threads_per_queue=1,
    )
    with tfqueue.managed_session() as sess:
        got = list(sess.batches([value, labels], steps=60))
    assert all(((v % 10 < 1) == x).all() for v, x in got)
    share = np.mean([x.mean() for _, x in got[30:]])
    assert 0.4 < share < 0.6  # a tenth of the data, half of the batches; 600 draws


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"target_probs": [0.5, 0.2]}, "Condition x < y"),
        ({"target_probs": [0.5, 0.5], "init_probs": [1.0, 0.0]}, "zero initial probability"),
        ({"target_probs": [1.0]}, "Condition x < y"),
    ],
)
def test_stratified_sample_checks_as_it_runs(arguments, says):
    n = numbers(20)
    arguments = {"init_probs": arguments["target_probs"], **arguments}
    [value], _ = training.stratified_sample([n], n % 2, batch_size=2, **arguments)
    with pytest.raises(tf.errors.InvalidArgumentError, match=says):
        all_batches(value)


def test_stratified_sample_checks_as_it_is_built():
    with pytest.raises(ValueError, match="same length"):
        training.stratified_sample([tf.zeros([])], 1, [1.0], 2, init_probs=[0.5, 0.5])
    with pytest.raises(TypeError, match="labels must be integers"):
        training.stratified_sample([tf.zeros([])], 1.0, [1.0], 2, init_probs=[1.0])


@pytest.mark.parametrize("many", [True, False])
def test_rejection_sample_keeps_what_it_is_told(many):
    n = tf.train.range_input_producer(12, num_epochs=1, shuffle=False)
    n = n.dequeue_many(4) if many else n.dequeue()
    [even] = training.rejection_sample(
        [n],
        lambda example: tf.cast(example[0] % 2, tf.float32),
        3,
        enqueue_many=many,
        runtime_checks=True,
    )
    assert [batch.tolist() for batch in all_batches(even)] == [[1, 3, 5], [7, 9, 11]]


def test_rejection_sample_checks_probabilities_where_asked():
    [value] = training.rejection_sample(
        [numbers(4)], lambda example: tf.cast(example[0], tf.float32) + 1.5, 2, runtime_checks=True
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="x <= y"):
        all_batches(value)


def test_rejection_sample_checks_no_probability_unless_asked():
    [value] = training.rejection_sample([numbers(4)], lambda _: tf.constant(1.5), 2)
    assert [batch.tolist() for batch in all_batches(value)] == [[0, 1], [2, 3]]


def test_resampling_at_a_rate_and_by_weight():
    rows = tf.range(4)
    [same, double] = training.resample_at_rate([rows, rows * 2], [0.0, 1.0, 3.0, 0.5], seed=1)
    results, rates = training.weighted_resample([rows], tf.constant([0.0, 1.0, 2.0, 1.0]), 2.0)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        counts, weighted = np.zeros(4), np.zeros(4)
        for _ in range(300):
            a, b, [c], rate = sess.run([same, double, results, rates])
            assert (b == a * 2).all()
            counts += np.bincount(a, minlength=4)
            weighted += np.bincount(c, minlength=4)
            assert set(np.round(rate, 3)) <= {2.0, 4.0}  # overall rate x weight / mean weight of 1
    np.testing.assert_allclose(counts / 300, [0, 1, 3, 0.5], atol=0.35)
    np.testing.assert_allclose(weighted / 300, [0, 2, 4, 2], atol=0.4)


def pieces(**arguments):
    n = numbers(3)
    x = tf.cast(tf.range(n * 2 + 3), tf.float32)[:, tf.newaxis]
    given = {
        "input_key": tf.as_string(n),
        "input_sequences": {"x": x},
        "input_context": {"c": n},
        "input_length": None,
        "initial_states": {"h": tf.zeros([])},
        "num_unroll": 2,
        "batch_size": 2,
        "num_threads": 1,
        "capacity": 10,
    }
    return training.batch_sequences_with_states(**{**given, **arguments})


# 1.15.5: key, next key, length, total length, context, x, state of each batch
PIECES = [
    ("0/2:0 0/3:1", "1/2:0 1/3:1", [2, 2], [3, 5], [0, 1], [[0, 1], [0, 1]], [0, 0]),
    ("1/2:0 1/3:1", "STOP:0 2/3:1", [1, 2], [3, 5], [0, 1], [[2, 0], [2, 3]], [1, 1]),
    ("2/3:1 0/4:2", "STOP:1 1/4:2", [1, 2], [5, 7], [1, 2], [[4, 0], [0, 1]], [2, 0]),
    ("1/4:2", "2/4:2", [2], [7], [2], [[2, 3]], [1]),
    ("2/4:2", "3/4:2", [2], [7], [2], [[4, 5]], [2]),
    ("3/4:2", "STOP:2", [1], [7], [2], [[6, 0]], [3]),
]


def test_a_sequence_of_one_step_is_one_piece():
    from tfqueue.contrib.training import sequence_queueing_state_saver as saver

    length = tf.placeholder(tf.int64)
    checked = saver._is_multiple(length, 1)
    with tf.Session() as sess:
        sess.run(checked, {length: 1})
        with pytest.raises(tf.errors.InvalidArgumentError, match="0"):
            sess.run(checked, {length: 0})


def all_pieces(fetches):
    """Every batch, once all sequences are in: which of them make a batch is defined only then."""
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for thread in tf.train.start_queue_runners(sess):
            thread.join()
        got = []
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                got.append(sess.run(fetches))
    return got


def short(keys):
    return " ".join(key.decode().replace("0000", "").replace("_of_", "/") for key in keys)


def test_sequences_come_in_pieces_with_their_state_as_in_tensorflow_1():
    batch = pieces()
    save = batch.save_state("h", batch.state("h") + 1)
    with tf.control_dependencies([save]):
        fetches = [
            tf.identity(tensor)
            for tensor in (
                batch.key,
                batch.next_key,
                batch.length,
                batch.total_length,
                batch.context["c"],
                batch.sequences["x"],
                batch.state("h"),
            )
        ]
    got = [
        (short(a), short(b), c.tolist(), d.tolist(), e.tolist(), f[..., 0].tolist(), g.tolist())
        for a, b, c, d, e, f, g in all_pieces(fetches)
    ]
    assert got == PIECES


# 1.15.5: the sparse sequence and the sparse context (indices, values, dense shape) of each batch
SPARSE_PIECES = {
    True: [
        (
            [[[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]], [0, 10, 1, 11], [2, 2, 4]],
            [[[0, 1], [0, 2], [1, 1], [1, 2]], [0, 7, 1, 7], [2, 4]],
        ),
        (
            [[[0, 0, 2], [1, 0, 0], [1, 1, 1]], [21, 2, 12], [2, 2, 5]],
            [[[0, 1], [0, 2], [1, 1], [1, 2]], [1, 7, 2, 7], [2, 5]],
        ),
        (
            [[[0, 0, 2], [0, 1, 3]], [22, 32], [2, 2, 5]],  # one row of two, and says two
            [[[0, 1], [0, 2]], [2, 7], [2, 5]],
        ),
    ],
    False: [
        (
            [[[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]], [0, 10, 1, 11], [2, 2, 5]],
            [[[0, 1], [0, 2], [1, 1], [1, 2]], [0, 7, 1, 7], [2, 4]],
        ),
        (
            [[[0, 0, 2], [0, 1, 3], [1, 0, 0], [1, 1, 1]], [21, 31, 2, 12], [2, 2, 7]],
            [[[0, 1], [0, 2], [1, 1], [1, 2]], [1, 7, 2, 7], [2, 5]],
        ),
        (
            [[[0, 0, 2], [0, 1, 3]], [22, 32], [2, 2, 7]],
            [[[0, 1], [0, 2]], [2, 7], [2, 5]],
        ),
        (
            [[[0, 0, 4], [0, 1, 5]], [42, 52], [2, 2, 7]],
            [[[0, 1], [0, 2]], [2, 7], [2, 5]],
        ),
    ],
}


@pytest.mark.parametrize("pad", [True, False])
@pytest.mark.parametrize("dense_too", [True, False])
def test_sparse_sequences_come_in_pieces_as_in_tensorflow_1(pad, dense_too):
    n = numbers(3)
    rows = n + 2 if pad else 2 * (n + 1)
    square = tf.sparse.from_dense(tf.linalg.diag(tf.range(rows) * 10 + n + 1))
    wide = tf.cast(tf.stack([rows, rows + 1]), tf.int64)
    sequences = {"s": tf.SparseTensor(square.indices, square.values - 1, wide)}
    if dense_too:
        sequences["x"] = tf.zeros([rows, 1])
    context = tf.SparseTensor([[1], [2]], tf.stack([n, 7]), [tf.cast(n, tf.int64) + 3])
    batch = pieces(
        input_key=tf.as_string(n),
        input_sequences=sequences,
        input_context={"c": context},
        input_length=None if pad else rows,
        pad=pad,
    )
    save = batch.save_state("h", batch.state("h") + 1)
    got = [
        tuple([v.indices.tolist(), v.values.tolist(), v.dense_shape.tolist()] for v in (s, c))
        for s, c, _ in all_pieces([batch.sequences["s"], batch.context["c"], save])
    ]
    assert got == SPARSE_PIECES[pad]


def test_a_recurrent_network_keeps_its_state_from_piece_to_piece():
    batch = pieces(initial_states={"sum": tf.zeros([1])})

    class Sum(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 1

        def __call__(self, inputs, state, scope=None):
            return state + inputs, state + inputs

    steps = tf.unstack(batch.sequences["x"], axis=1)
    outputs, _ = tf.nn.static_state_saving_rnn(Sum(), steps, batch, "sum")
    last = batch.sequence + 1 >= batch.sequence_count
    totals = {}
    for keys, ends, values in all_pieces([batch.context["c"], last, outputs[-1]]):
        totals |= {int(k): float(v[0]) for k, e, v in zip(keys, ends, values, strict=True) if e}
    assert totals == {0: 3.0, 1: 10.0, 2: 21.0}  # 0 + 1 + ... + (2n + 2)


@pytest.mark.parametrize("by_length", [False, True])
def test_sparse_tensors_go_through_buckets(by_length):
    number = tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()
    ones = tf.sparse.from_dense(tf.ones([number + 1], tf.int32))
    if by_length:
        which, batch = training.bucket_by_sequence_length(
            number, {"s": ones, "n": number}, 2, [2, 4], capacity=8
        )
    else:
        which, batch = training.bucket({"s": ones, "n": number}, number // 2, 2, 3, capacity=8)
    assert isinstance(batch["s"], tf.SparseTensor)
    assert batch["s"].shape.rank == 2
    with tfqueue.managed_session() as sess:
        got = sorted(
            (values["n"].tolist(), values["s"].dense_shape.tolist())
            for _, values in sess.batches([which, batch])
        )
    assert got == [([0, 1], [2, 2]), ([2, 3], [2, 4]), ([4, 5], [2, 6])]


def test_a_single_sparse_tensor_goes_through_a_bucket():
    number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    _, batch = training.bucket([tf.sparse.from_dense([number, 7])], 0, 2, 1)
    with tfqueue.managed_session() as sess:
        got = [(b.indices.tolist(), b.values.tolist()) for b in sess.batches(batch)]
    assert got == [
        ([[0, 1], [1, 0], [1, 1]], [7, 1, 7]),
        ([[0, 0], [0, 1], [1, 0], [1, 1]], [2, 7, 3, 7]),
    ]


def saver_of_one():
    key = tf.as_string(tf.random_uniform([], 0, 10**8, dtype=tf.int32))
    sequence = tf.random_uniform([6, 2])
    return training.SequenceQueueingStateSaver(
        1, 3, 6, key, {"x": sequence, "y": sequence}, {"c": tf.zeros([2])}, {"s": tf.zeros([])}
    )


def test_the_prefetch_op_may_be_first_asked_for_by_many_threads(monkeypatch):
    saver = saver_of_one()
    made = []
    original = saver._make_prefetch
    monkeypatch.setattr(saver, "_make_prefetch", lambda: made.append(original()) or made[-1])
    errors = []

    def put():
        try:
            sess.run(saver.prefetch_op)
        except tf.errors.OpError as error:
            errors.append(error)

    with tf.Session() as sess:
        threads = [threading.Thread(target=put) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []
    assert len(made) == 1


@pytest.mark.parametrize("shape", [[1, 1], [], [2, 2]])
def test_a_state_of_another_rank_is_refused(shape):
    batch = saver_of_one().next_batch
    with pytest.raises(ValueError, match="Shape check failed"):
        batch.save_state("s", tf.zeros(shape))


def test_a_state_of_another_size_is_refused_when_it_runs():
    saver = saver_of_one()
    value = tf.placeholder(tf.float32)
    save = saver.next_batch.save_state("s", value)
    with tf.Session() as sess:
        sess.run(saver.prefetch_op)
        with pytest.raises(tf.errors.InvalidArgumentError, match="convert_s"):
            sess.run(save, {value: [5.0, 7.0]})


def test_more_in_a_batch_than_under_way_is_refused_when_it_runs():
    with pytest.raises(tf.errors.InvalidArgumentError, match="capacity needs to be >="):
        pieces(batch_size=tf.constant(4), capacity=2)
    batch = pieces(batch_size=tf.placeholder_with_default(4, []), capacity=2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="capacity needs to be >="):
        with tfqueue.managed_session() as sess:
            sess.run(batch.key)


@pytest.mark.parametrize("managed", [True, False])
def test_what_makes_a_sequence_fail_is_raised_at_the_step(managed):
    def fail(number):
        raise TypeError("no sequence")

    number = tf.train.range_input_producer(3).dequeue()
    (x,) = tf.py_func(fail, [number], [tf.float32])
    x.set_shape([4, 1])
    batch = pieces(input_sequences={"x": x})
    with pytest.raises(tf.errors.OpError, match="no sequence"):
        if managed:
            with tfqueue.managed_session() as sess:
                sess.run(batch.key)
        else:
            with tf.Session() as sess:
                sess.run(tf.local_variables_initializer())
                tf.train.start_queue_runners(sess, tf.train.Coordinator())
                sess.run(batch.key)


def test_what_batch_sequences_with_states_refuses():
    with pytest.raises(ValueError, match="may not be empty"):
        pieces(initial_states={})
    with pytest.raises(ValueError, match="may not have a colon"):
        pieces(initial_states={"a:b": tf.zeros([])})
    with pytest.raises(TypeError, match="must be a string"):
        pieces(initial_states={1: tf.zeros([])})
    with pytest.raises(ValueError, match="capacity 1 needs to be >= batch_size 2"):
        pieces(capacity=1)
    with pytest.raises(ValueError, match="the shape of 'c' is not known"):
        pieces(input_context={"c": tf.zeros([numbers(2)])})
    with pytest.raises(tf.errors.InvalidArgumentError, match="but saw value: 3"):
        pieces(input_sequences={"x": tf.zeros([3, 1])}, input_length=3, pad=False)
    with pytest.raises(KeyError, match="state was not declared: other"):
        pieces().save_state("other", tf.zeros([2]))


def test_a_sequence_that_does_not_fit_the_pieces_is_named():
    for length, claimed, says in (
        (3, 1, "should be a multiple of: 2, but saw value: 3"),
        (0, 0, "should be a multiple of: 2, but saw value: 0"),
        (4, 5, "input_length is more than there is"),
    ):
        saver = training.SequenceQueueingStateSaver(
            1,
            2,
            claimed,
            "key",
            {"x": tf.placeholder_with_default(np.zeros([length, 1], np.float32), [None, 1])},
            {},
            {"h": tf.zeros([])},
        )
        with (
            tf.Session() as sess,
            pytest.raises(tf.errors.InvalidArgumentError, match=says),
        ):
            sess.run(saver.prefetch_op)


@pytest.mark.parametrize("row", gone.TABLES["training"], ids=lambda row: row.old)
def test_a_name_of_training_that_is_gone_says_so(row):
    with pytest.raises(AttributeError, match=rf"tf\.contrib\.training\.{row.old} is gone since"):
        getattr(training, row.old)


def test_the_old_addresses():
    from tfqueue.v1.contrib.training.python.training import bucket_ops, hparam, sampling_ops

    assert bucket_ops.bucket is training.bucket
    assert hparam.HParams is training.HParams
    assert sampling_ops.stratified_sample is training.stratified_sample


def _fed(feeds, close_twice=False):
    """A runner with a function that gives numbers and raises at their end, as `next` does."""
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    number = tf.placeholder(tf.int32, [])
    given = ({number: value} for value in feeds)
    ops = [queue.enqueue(number)] * (2 if close_twice else 1)
    runner = training.FeedingQueueRunner(queue, ops, feed_fns=[given.__next__] * len(ops))
    tf.train.add_queue_runner(runner)
    return queue, runner


def test_a_feeding_runner_feeds_until_its_function_raises():
    # 1.15.5: the same elements; join raises what the function raised
    with tf.Graph().as_default(), tf.Session() as sess:
        queue, runner = _fed(range(3))
        taken = queue.dequeue_many(3)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert runner.create_threads(sess, coord) == [] or not threads[0].is_alive()
        assert sess.run(taken).tolist() == [0, 1, 2]
        with pytest.raises(StopIteration):
            coord.join(threads)


def test_what_a_feeding_function_fails_with_is_no_end_of_the_data():
    """1.15.5 has it as the end of the data in the step, and as what it is in `join`."""

    def given():
        yield from range(3)
        raise OSError("the disk is gone")

    with tf.Graph().as_default(), tf.Session() as sess:
        queue, _ = _fed(given())
        taken = queue.dequeue_many(3)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(taken).tolist() == [0, 1, 2]
        for take in (taken, queue.dequeue()):
            with pytest.raises(OSError, match="the disk is gone"):
                sess.run(take)
        with pytest.raises(OSError, match="the disk is gone"):
            coord.join(threads)


def test_a_feeding_runner_ends_when_it_is_asked_to():
    with tf.Graph().as_default(), tf.Session() as sess:
        queue, _ = _fed(itertools.count())
        taken = queue.dequeue()
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert [sess.run(taken) for _ in range(50)] == list(range(50))
        coord.request_stop()
        coord.join(threads)
        assert not any(thread.is_alive() for thread in threads)


def test_a_feeding_runner_without_a_coordinator_keeps_what_was_raised(monkeypatch):
    # 1.15.5: the same; starting anew forgets it
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with tf.Graph().as_default(), tf.Session() as sess:
        queue, runner = _fed([1, 2])
        for thread in (threads := runner.create_threads(sess, start=True)):
            thread.join()
        assert [type(error) for error in runner.exceptions_raised] == [StopIteration]
        assert (len(threads), sess.run(queue.size())) == (1, 2)
        assert [thread.daemon for thread in runner.create_threads(sess)] == [False]
        assert runner.exceptions_raised == []


def test_the_last_thread_of_a_feeding_runner_closes_the_queue():
    # 1.15.5: the same
    with tf.Graph().as_default(), tf.Session() as sess:
        queue, number = tf.FIFOQueue(10, tf.int32, shapes=[[]]), tf.placeholder(tf.int32, [])
        left = [3]

        def first():
            raise tf.errors.OutOfRangeError(None, None, "end")

        def second():
            threads[0].join()
            return {number: left.pop()} if left else first()

        runner = training.FeedingQueueRunner(
            queue, [queue.enqueue(number)] * 2, feed_fns=[first, second]
        )
        coord = tf.train.Coordinator()
        threads = runner.create_threads(sess, coord)
        for thread in threads:
            thread.start()
        for thread in threads[:2]:
            thread.join()
        assert len(threads) == 3
        assert sess.run([queue.size(), queue.is_closed()]) == [1, True]
        assert not coord.should_stop()
        assert sess.run(queue.dequeue()) == 3
        coord.request_stop()
        coord.join(threads)


def test_what_a_feeding_runner_refuses():
    with tf.Graph().as_default():
        queue, runner = _fed([])
        with pytest.raises(NotImplementedError, match="holds functions"):
            runner.to_proto()
        with pytest.raises(ValueError, match="1 enqueue_ops and 2 feed_fns"):
            training.FeedingQueueRunner(queue, runner.enqueue_ops, feed_fns=[None, None])


def test_the_address_of_0_12_of_the_feeding_runner():
    from tfqueue.v1.contrib.learn.python.learn.dataframe.queues import feeding_queue_runner as old
    from tfqueue.v1.contrib.training.python.training import feeding_queue_runner as new

    assert old.FeedingQueueRunner is new.FeedingQueueRunner is training.FeedingQueueRunner


# 1.15.5: the tasks of VARIABLES, resource variables and the others
VARIABLES = [
    ([10, 4], "float32"), ([3], "float64"), ([], "float32"),
    ([50], "int32"), ([2, 2], "float32"), ([7], "float32"),
]  # fmt: skip
TASKS = {
    ("greedy", False): [0, 1, 2, 2, 1, 1],
    ("greedy", True): [0, 1, 2, 0, 1, 2],
    ("random", False): [2, 2, 0, 2, 1, 0],
    ("random", True): [2, 2, 0, 2, 1, 0],
    ("random of 4", False): [1, 3, 1, 2, 2, 3],
}


@pytest.mark.parametrize(("kind", "resource"), TASKS)
def test_which_task_holds_a_variable(kind, resource):
    strategy = {
        "greedy": training.GreedyLoadBalancingStrategy(3, training.byte_size_load_fn),
        "random": training.RandomStrategy(3),
        "random of 4": training.RandomStrategy(4, seed=5),
    }[kind]
    setter = tf.train.replica_device_setter(ps_tasks=4 if "4" in kind else 3, ps_strategy=strategy)
    with tf.Graph().as_default(), tf.device(setter), tf.variable_scope("v", use_resource=resource):
        made = [
            tf.get_variable(f"a{i}", shape, dtype=tf.as_dtype(dtype))
            for i, (shape, dtype) in enumerate(VARIABLES)
        ]
    assert [v.device for v in made] == [f"/job:ps/task:{n}" for n in TASKS[kind, resource]]


def test_the_bytes_of_an_op():
    with tf.Graph().as_default():
        assert training.byte_size_load_fn(tf.placeholder(tf.float32, [3, 4]).op) == 48
        unknown = tf.placeholder(tf.float32, [None, 2]).op
        for op, says in [
            (tf.no_op(), "single output"),
            (tf.split(tf.zeros([3, 4]), 3)[0].op, "single output"),
            (unknown, "not fully defined"),
        ]:
            with pytest.raises(ValueError, match=says):
                training.byte_size_load_fn(op)
