"""`tf.contrib` as a whole, and its small packages: rnn, seq2seq, data, lookup, staging, util.

`names_115.json` holds the public names of TensorFlow 1.15.5's packages,
as its own `dir` gave them. Numbers and lists here were printed by it, too.
`names_before.json` holds the further names that the packages of the
wheels 0.12.1, 1.0, 1.1, 1.2.1, 1.4, 1.8 and 1.12 bind, read from their source.
"""

import importlib
import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.names import gone_contrib as gone
from tfqueue.names.sentence import GoneError

pytestmark = pytest.mark.slow


def listed(name):
    text = pathlib.Path(__file__).with_name(name).read_text("utf-8")
    return {package: names.split() for package, names in json.loads(text).items()}


NAMES = listed("names_115.json")
BEFORE = listed("names_before.json")
contrib = tf.contrib
NEEDS_SLIM = ("framework", "layers", "losses", "metrics", "slim", "training")
REASON = "needs tf_slim: pip install 'tfqueue[slim]'"


@pytest.mark.parametrize("package", sorted({*NAMES, *BEFORE}))
def test_every_public_name_of_0_12_to_1_15_is_there_or_says_what_to_use(package):
    if package in NEEDS_SLIM:
        pytest.importorskip("tf_slim", reason=REASON)
    owner = importlib.import_module(f"tfqueue.v1.contrib.{package}".rstrip("."))
    silent = []
    for name in NAMES.get(package, []) + BEFORE.get(package, []):
        try:
            getattr(owner, name)
        except AttributeError as error:
            if not isinstance(error, GoneError):
                silent.append(name)
    assert silent == []


TABLES = {"": gone.PACKAGES, **gone.TABLES}


@pytest.mark.parametrize("package", TABLES)
def test_a_row_is_one_sentence_about_what_is_really_gone(package):
    if package in NEEDS_SLIM:
        pytest.importorskip("tf_slim", reason=REASON)
    owner = importlib.import_module(f"tfqueue.v1.contrib.{package}".rstrip("."))
    names = [row.old for row in TABLES[package]]
    assert len(names) == len(set(names))
    for row in TABLES[package]:
        with pytest.raises(AttributeError) as raised:
            getattr(owner, row.old)
        assert str(raised.value).endswith(
            f"{row.old} is gone since TensorFlow {row.removed}: {row.use}"
        )
        assert row.use
        assert "\n" not in row.use


@pytest.mark.parametrize("package", contrib.PARTS)
def test_every_name_of_a_package_can_be_had(package):
    if package in NEEDS_SLIM:
        pytest.importorskip("tf_slim", reason=REASON)
    owner = importlib.import_module(f"tfqueue.v1.contrib.{package}")
    names = {*vars(owner).get("_ROWS", ()), *(name for name in dir(owner) if name[0] != "_")}
    assert names
    for name in names:
        assert getattr(owner, name) is not None
        assert name in dir(owner)


def wave():
    return tf.constant(np.sin(np.arange(30)).reshape(2, 5, 3).astype(np.float32))


def dynamic(cell):
    return lambda x: tf.nn.dynamic_rnn(cell(), x, dtype=tf.float32)[0]


rnn = contrib.rnn
# what to build, the variable scope of its variables, the sum of the outputs and of each gradient
CELLS = {
    "LSTMBlockCell": (
        dynamic(lambda: rnn.LSTMBlockCell(4)),
        "m/rnn/lstm_cell/",
        [0.3871, 5.767, 24.6038],
    ),
    "GRUBlockCellV2": (
        dynamic(lambda: rnn.GRUBlockCellV2(4)),
        "m/rnn/gru_cell/",
        [0.0293, -2.197, -0.0544, 0.4748, 24.7363],
    ),
    "InputProjectionWrapper": (
        dynamic(lambda: rnn.InputProjectionWrapper(rnn.BasicRNNCell(4), 2)),
        "m/rnn/input_projection_wrapper/",
        [0.1136, 1.1336, 11.5699, 1.4725, 57.8493],
    ),
    "OutputProjectionWrapper": (
        dynamic(lambda: rnn.OutputProjectionWrapper(rnn.BasicLSTMCell(4), 2, activation=tf.tanh)),
        "m/rnn/output_projection_wrapper/",
        [0.0774, 1.1531, 4.9204, 0.7739, 19.9983],
    ),
    "LayerNormBasicLSTMCell": (
        dynamic(lambda: rnn.LayerNormBasicLSTMCell(4, layer_norm=False)),
        "m/rnn/layer_norm_basic_lstm_cell/",
        [3.2173, 10.8621, 31.779],
    ),
    "stack_bidirectional_dynamic_rnn": (
        lambda x: rnn.stack_bidirectional_dynamic_rnn(
            [rnn.GRUCell(3)], [rnn.GRUCell(3)], x, dtype=tf.float32
        )[0],
        "m/stack_bidirectional_rnn/cell_0/bidirectional_rnn/",
        None,
    ),
    "stack_bidirectional_rnn": (
        lambda x: rnn.stack_bidirectional_rnn(
            [rnn.GRUCell(3), rnn.GRUCell(2)],
            [rnn.GRUCell(3), rnn.GRUCell(2)],
            tf.unstack(x, axis=1),
            dtype=tf.float32,
        )[0][-1],
        "m/stack_bidirectional_rnn/cell_",
        [
            *(0.0136, -0.0785, -0.0036, 0.0254, 0.973, -0.0369, -0.0073, 0.1174, 0.6171),
            *(-0.0021, -0.004, 0.0544, 3.4114, -0.0005, -0.006, 0.0814, 1.0697),
        ],
    ),
    "basic_rnn_seq2seq": (
        lambda x: contrib.legacy_seq2seq.basic_rnn_seq2seq(
            tf.unstack(x, axis=1), tf.unstack(x, axis=1)[:2], rnn.BasicRNNCell(4)
        )[0][-1],
        "m/basic_rnn_seq2seq/",
        [-0.2578, 0.4847, 2.0521, -0.1972, 11.1001],
    ),
    "tied_rnn_seq2seq": (
        lambda x: contrib.legacy_seq2seq.tied_rnn_seq2seq(
            tf.unstack(x, axis=1), tf.unstack(x, axis=1)[:2], rnn.BasicRNNCell(4)
        )[0][-1],
        "m/combined_tied_rnn_seq2seq/tied_rnn_seq2seq/",
        [-0.2578, 0.2875, 13.1523],
    ),
    "rnn_decoder": (
        lambda x: tf.nn.seq2seq.rnn_decoder(
            tf.unstack(x, axis=1),
            tf.zeros([2, 3]),
            rnn.BasicRNNCell(3),
            loop_function=lambda last, number: last * 2,
        )[0][-1],
        "m/rnn_decoder/",
        [0.2157, 10.243, 23.9352],
    ),
    "EmbeddingWrapper": (
        lambda x: tf.nn.static_rnn(
            rnn.EmbeddingWrapper(rnn.BasicRNNCell(4), 7, 3),
            [tf.constant([1, 2]), tf.constant([3, 4])],
            dtype=tf.float32,
        )[0][-1],
        "m/rnn/embedding_wrapper/",
        [0.3358, 3.3532, 4.3112, 11.1774],
    ),
}


@pytest.mark.parametrize("name", CELLS)
def test_recurrent_parts_have_the_names_and_numbers_of_tensorflow_1(name):
    build, scope, expected = CELLS[name]
    with tf.variable_scope("m", initializer=tf.constant_initializer(0.1)):
        outputs = build(wave())
    variables = tf.trainable_variables()
    assert all(variable.op.name.startswith(scope) for variable in variables)
    found = [tf.reduce_sum(outputs)]
    found += [tf.reduce_sum(g) for g in tf.gradients(found[0], variables)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = sess.run(found)
    if expected is None:
        assert np.isfinite(values).all()
    else:
        np.testing.assert_allclose(values, expected, atol=2e-4)


def test_a_normalized_lstm_normalizes():
    cell = rnn.LayerNormBasicLSTMCell(6, norm_gain=2.0, norm_shift=0.5)
    _, (kept, _) = cell(tf.random_normal([4, 3], seed=1), cell.zero_state(4, tf.float32))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = sess.run(kept)
    np.testing.assert_allclose(values.mean(1), 0.5, atol=1e-4)
    np.testing.assert_allclose(values.std(1), 2.0, atol=1e-2)


def run(tensor):
    with tf.Session() as sess:
        return sess.run(tensor)


def test_losses_of_lists_of_steps():
    seq2seq = contrib.legacy_seq2seq
    assert seq2seq is tf.nn.seq2seq
    logits = tf.unstack(wave(), axis=1)
    targets = [tf.constant([step % 3, (step + 1) % 3]) for step in range(5)]
    weights = [tf.constant([1.0, 0.5 if step < 3 else 0.0]) for step in range(5)]
    found = [
        seq2seq.sequence_loss(logits, targets, weights),
        seq2seq.sequence_loss(
            logits, targets, weights, average_across_timesteps=False, average_across_batch=False
        ),
        tf.reduce_sum(seq2seq.sequence_loss_by_example(logits, targets, weights) * [1.0, 2.0]),
    ]
    np.testing.assert_allclose(run(found), [0.9515, 6.7314, 2.6984], atol=1e-4)
    with pytest.raises(ValueError, match="must be the same 5, 4, 5"):
        seq2seq.sequence_loss(logits, targets, weights[1:])


@pytest.mark.parametrize("loss", [None, "doubled"])
@pytest.mark.parametrize("per_example", [False, True])
def test_a_model_with_buckets(per_example, loss):
    def model(encoded, decoded):
        cell = tf.nn.rnn_cell.GRUCell(3)
        return contrib.legacy_seq2seq.embedding_rnn_seq2seq(encoded, decoded, cell, 3, 2, 4)

    def doubled(labels, logits):
        return 2 * tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)

    outputs, losses = contrib.legacy_seq2seq.model_with_buckets(
        [tf.constant([step % 3, (step + 1) % 3]) for step in range(4)],
        [tf.constant([step % 2, 1]) for step in range(5)],
        [tf.constant([1, step % 2]) for step in range(5)],
        [tf.constant([1.0, 0.5 * (step % 2)]) for step in range(5)],
        [(2, 3), (4, 5)],
        model,
        doubled if loss else None,
        per_example,
    )
    assert [len(steps) for steps in outputs] == [3, 5]
    variables = tf.trainable_variables()
    assert len(variables) == 12
    with tf.Session() as sess:
        for number, variable in enumerate(variables):
            values = np.sin(np.arange(variable.shape.num_elements()) + number)
            variable.load(values.reshape(variable.shape.as_list()), sess)
        found = sess.run(losses)
    expected = PER_EXAMPLE if per_example else AVERAGE
    np.testing.assert_allclose(found, np.multiply(expected, 2 if loss else 1), atol=1e-4)
    with pytest.raises(ValueError, match="Length of targets"):
        contrib.legacy_seq2seq.model_with_buckets(
            [0, 0], [0, 0, 0], [0], [1, 1, 1], [(2, 3)], model
        )


# 1.15.5: the losses of the two buckets
AVERAGE = [0.60012, 0.58268]
PER_EXAMPLE = [[0.67479, 0.52545], [0.63737, 0.52799]]


AVERAGED = [
    ({}, 1.5695),
    ({"average_across_timesteps": False}, [1.9171, 1.6907, 0.6923, 0, 0]),
    ({"average_across_batch": False}, [1.3009, 2.1067]),
    (
        {
            "average_across_timesteps": False,
            "average_across_batch": False,
            "sum_over_batch": True,
            "sum_over_timesteps": True,
        },
        1.4125,
    ),
    (
        {
            "average_across_batch": False,
            "average_across_timesteps": False,
            "sum_over_timesteps": True,
        },
        [1.3009, 1.58],
    ),
]


@pytest.mark.parametrize(("arguments", "expected"), AVERAGED)
def test_the_loss_of_whole_sequences(arguments, expected):
    targets = tf.constant(np.arange(10).reshape(2, 5) % 3)
    weights = tf.constant([[1, 1, 1, 0, 0], [1, 0.5, 0, 0, 0]])
    loss = contrib.seq2seq.sequence_loss(wave(), targets, weights, **arguments)
    np.testing.assert_allclose(run(loss), expected, atol=1e-4)
    with pytest.raises(ValueError, match="cannot both be True"):
        contrib.seq2seq.sequence_loss(wave(), targets, weights, sum_over_batch=True)


def elements(dataset):
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as sess, pytest.raises(tf.errors.OutOfRangeError):
        while True:
            found.append(sess.run(element).tolist())
    return found


DATASETS = [
    (lambda d, c: d.range(7).apply(c.batch_and_drop_remainder(3)), [[0, 1, 2], [3, 4, 5]]),
    (
        lambda d, c: d.range(7).apply(c.sliding_window_batch(3, window_shift=2)),
        [[0, 1, 2], [2, 3, 4], [4, 5, 6]],
    ),
    (
        lambda d, c: d.range(7).apply(c.sliding_window_batch(3, stride=1, window_stride=2)),
        [[0, 2, 4], [1, 3, 5], [2, 4, 6]],
    ),
    (
        lambda d, c: d.range(7).apply(c.map_and_batch(lambda x: x * 2, 3)),
        [[0, 2, 4], [6, 8, 10], [12]],
    ),
    (
        lambda d, c: (
            d.range(1, 5)
            .map(lambda x: tf.fill([x], x))
            .apply(c.padded_batch_and_drop_remainder(3, [None]))
        ),
        [[[1, 0, 0], [2, 2, 0], [3, 3, 3]]],
    ),
    (lambda d, c: d.range(6).batch(4).apply(c.unbatch()), [0, 1, 2, 3, 4, 5]),
    (
        lambda d, c: d.range(8).apply(
            c.group_by_window(lambda x: x % 2, lambda key, part: part.batch(4), 4)
        ),
        [[0, 2, 4, 6], [1, 3, 5, 7]],
    ),
    (
        lambda d, c: d.range(4).batch(2).apply(c.assert_element_shape(tf.TensorShape([2]))),
        [[0, 1], [2, 3]],
    ),
]


@pytest.mark.parametrize(("build", "expected"), DATASETS)
def test_a_transformation_of_datasets(build, expected):
    assert elements(build(tf.data.Dataset, contrib.data)) == expected


def test_datasets_interleaved_in_any_order_and_shapes_checked():
    mixed = tf.data.Dataset.range(3).apply(
        contrib.data.sloppy_interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), 2)
    )
    assert sorted(elements(mixed)) == [0, 0, 1, 1, 2, 2]
    wrong = tf.data.Dataset.range(3).batch(2)
    wrong = wrong.apply(contrib.data.assert_element_shape(tf.TensorShape([2])))
    element = tf.data.make_one_shot_iterator(wrong).get_next()
    with tf.Session() as sess:
        assert sess.run(element).tolist() == [0, 1]
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(element)


def test_tables_of_one_name_hold_the_same():
    """`shared_name` was an argument up to TensorFlow 1.12; its meaning is that of 1.4.1."""
    kinds = {"key_dtype": tf.string, "value_dtype": tf.int64, "default_value": 0}
    one, other = (
        contrib.lookup.MutableHashTable(**kinds, shared_name="words", name=name) for name in "ab"
    )
    alone = contrib.lookup.MutableHashTable(tf.string, tf.int64, 0, "c")
    filled = one.insert(tf.constant(["x"]), tf.constant([5], tf.int64))
    with tf.Session() as sess:
        sess.run(filled)
        found = [table.lookup(tf.constant(["x", "y"])) for table in (one, other, alone)]
        assert [value.tolist() for value in sess.run(found)] == [[5, 0], [5, 0], [0, 0]]


def test_tables_are_made_by_the_arguments_of_their_release():
    """A metaclass stands between the call and the table; 1.4.1 names the op and shares it like this."""
    release.assume("1.4")
    try:
        table = contrib.lookup.MutableHashTable(tf.string, tf.int64, 0, "words", "table")
    finally:
        release.assume(None)
    handle = table.resource_handle.op
    assert (handle.name, handle.get_attr("shared_name")) == ("table", b"words")


@pytest.mark.parametrize(
    ("key_dtype", "empty", "keys", "asked", "expected"),
    [  # the values of 1.12.3
        (tf.int64, 0, [11, 12, -5], [11, 12, 15, -5], [0, 1, -1, 2]),
        (tf.int64, -(2**63), [11, 12, 0], [11, 0], [0, 2]),
        (tf.int64, np.array([0, 0]), [[1, 2], [3, 4], [5, 6]], [[1, 2], [9, 9]], [0, -1]),
        (tf.string, "", ["a", "b", "c"], ["b", "z"], [1, -1]),
    ],
)
def test_a_dense_table_needs_no_key_for_what_is_deleted(key_dtype, empty, keys, asked, expected):
    """It had none up to 1.12, where the fifth argument was how many keys there is room for."""
    release.assume("1.12")
    try:
        with tf.Graph().as_default(), tf.Session() as sess:
            make = contrib.lookup.MutableDenseHashTable
            table = make(key_dtype, tf.int64, -1, empty, 16, "words", name="table")
            other = make(key_dtype, tf.int64, -1, empty, 16, shared_name="words")
            alone = make(key_dtype, tf.int64, -1, empty)
            assert table.resource_handle.op.name == "table"
            assert len(tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)) == 3
            sess.run(table.insert(tf.constant(keys, key_dtype), tf.constant([0, 1, 2], tf.int64)))
            asked = tf.constant(asked, key_dtype)
            assert sess.run(table.lookup(asked)).tolist() == expected
            assert sess.run(other.lookup(asked)).tolist() == expected
            assert sess.run([table.size(), other.size(), alone.size()]) == [3, 3, 0]
            with pytest.raises(tf.errors.InvalidArgumentError, match="empty_key"):
                sess.run(table.lookup(tf.constant(empty, key_dtype, shape=asked.shape)))
    finally:
        release.assume(None)


def test_a_dense_table_takes_the_key_for_what_is_deleted():
    make = contrib.lookup.MutableDenseHashTable
    with tf.Graph().as_default(), tf.Session() as sess:
        table = make(tf.int64, tf.int64, -1, 0, deleted_key=7)
        with pytest.raises(tf.errors.InvalidArgumentError, match="deleted_key"):
            sess.run(table.lookup(tf.constant([7], tf.int64)))
        with pytest.raises(ValueError, match="deleted_key="):
            make(tf.int64, tf.int64, -1, tf.placeholder(tf.int64, []))


def test_words_are_looked_up_at_once():
    lookup, words = contrib.lookup, tf.constant(["emerson", "lake", "palmer"])
    found = [
        lookup.string_to_index(tf.constant(["lake", "x"]), mapping=words, default_value=7),
        lookup.index_to_string(tf.constant([2, 9], tf.int64), mapping=words),
        lookup.HashTable(
            lookup.KeyValueTensorInitializer(words, tf.range(3, dtype=tf.int64)), -1, "mine", "t"
        ).lookup(tf.constant(["palmer", "?"])),
    ]
    assert tf.get_default_graph().get_operation_by_name("t").get_attr("shared_name") == b"mine"
    with tf.Session() as sess:
        sess.run(tf.tables_initializer())
        got = [value.tolist() for value in sess.run(found)]
    assert got == [[1, 7], [b"palmer", b"UNK"], [2, -1]]  # as 1.0.1 and 1.15.5 print them
    for function in (lookup.string_to_index, lookup.index_to_string):
        with pytest.raises(ValueError, match="mapping must be specified"):
            function(tf.constant(["a"]), None)


def test_a_table_is_filled_by_its_init(tmp_path):
    words = tmp_path / "words"
    words.write_text("a\nb\n")
    lookup, pairs = contrib.lookup, tf.constant(["a", "b"])
    tables = [
        lookup.HashTable(
            lookup.KeyValueTensorInitializer(pairs, tf.constant([0, 1], tf.int64)), -1
        ),
        lookup.index_table_from_tensor(pairs),
        lookup.index_table_from_file(str(words)),
        lookup.index_table_from_file(str(words), num_oov_buckets=1),
    ]
    found = [table.lookup(tf.constant(["b"])) for table in tables]
    with tf.Session() as sess:
        for table, value in zip(tables, found, strict=True):
            table.init.run()
            assert sess.run(value).tolist() == [1]


def test_tables_staging_and_constants():
    table = contrib.lookup.index_table_from_tensor(tf.constant(["a", "b"]), num_oov_buckets=1)
    pairs = contrib.lookup.KeyValueTensorInitializer(["x"], [5])
    hashed = contrib.lookup.HashTable(pairs, -1)
    found = [
        table.lookup(tf.constant(["b", "zz", "a"])),
        hashed.lookup(tf.constant(["x", "y"])),
    ]
    area = contrib.staging.StagingArea([tf.int32])
    put, get = area.put([tf.constant(3)]), area.get()
    with tf.Session() as sess:
        sess.run(tf.tables_initializer())
        assert [value.tolist() for value in sess.run(found)] == [[1, 2, 0], [5, -1]]
        sess.run(put)
        assert sess.run(get) == [3]
    assert contrib.util.constant_value(tf.constant(4)) == 4


def test_a_private_part_of_the_decoders_is_had_from_the_modules_inside():
    for name in ("decoder", "helper"):
        inner = importlib.import_module(f"tfqueue.v1.contrib.seq2seq.python.ops.{name}")
        turned = inner._transpose_batch_time(tf.zeros([2, 3, 4]))
        assert turned.shape.as_list() == [3, 2, 4]
