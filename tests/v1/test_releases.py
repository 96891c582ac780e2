"""What depends on the release that a program was written for, and what that release let it do.

The values of 0.12 are those of TensorFlow 0.12.1, the refusals those of 1.15.5.
"""

import importlib
import logging
import sys
import warnings

import absl.flags
import numpy as np
import pytest
from tensorflow.python.framework import ops

import tfqueue
import tfqueue.v1 as tf
from tests.suite import children
from tfqueue import release
from tfqueue._tensorflow import patches
from tfqueue.names import moved
from tfqueue.v1 import _app_flags, _image_ops, rnn_cell


def value(tensor):
    with tf.Session() as sess:
        return sess.run(tensor)


@pytest.mark.parametrize("wrong", ["", "one", "1.x", (1, "b")])
def test_a_release_is_a_number(wrong):
    with pytest.raises(ValueError, match="invalid literal"):
        release.assume(wrong)
    assert not release.before("1.15")


@pytest.mark.parametrize("given", ["1.4", "1.4.1", (1, 4), "1.3"])
def test_before_compares_the_first_two_numbers(written_for, given):
    written_for(given)
    assert release.before("1.5")
    assert release.before("1.10")
    assert not release.before("1.3")


# function, its arguments by position up to 0.12, what TensorFlow 0.12.1 gave
LOGITS, LABELS = [[2.0, 0.0, 0.0]], [[1.0, 0.0, 0.0]]
SWAPPED = {
    "softmax_cross_entropy_with_logits": ([LOGITS, LABELS], [0.23954484]),
    "sigmoid_cross_entropy_with_logits": ([LOGITS, LABELS], [[0.126928, 0.6931472, 0.6931472]]),
    "sparse_softmax_cross_entropy_with_logits": ([LOGITS, [0]], [0.23954484]),
    "weighted_cross_entropy_with_logits": (
        [LOGITS, LABELS, 2.0],
        [[0.253856, 0.6931472, 0.6931472]],
    ),
}


def _tensors(arguments):
    return [tf.constant(a) for a in arguments]


@pytest.mark.parametrize("name", SWAPPED)
def test_losses_by_position_are_those_of_the_release(written_for, name):
    loss = getattr(tf.nn, name)
    arguments, expected = SWAPPED[name]
    if name != "weighted_cross_entropy_with_logits":
        with pytest.raises(ValueError, match=r"by name since TensorFlow 1\.0"):
            loss(*_tensors(arguments))
    written_for("0.12")
    np.testing.assert_allclose(value(loss(*_tensors(arguments))), expected, rtol=1e-6)


def test_the_old_keyword_of_the_sigmoid_loss():
    words = {"logits": tf.constant(LOGITS), "targets": tf.constant(LABELS)}
    loss = tf.nn.sigmoid_cross_entropy_with_logits(**words)
    np.testing.assert_allclose(value(loss), [[0.126928, 0.6931472, 0.6931472]], rtol=1e-6)


def test_ctc_loss_took_the_inputs_first(written_for):
    inputs = tf.zeros([4, 1, 3])
    labels = tf.SparseTensor([[0, 0]], [1], [1, 2])
    new = tf.nn.ctc_loss(labels, inputs, [4])
    written_for("0.12")
    old = tf.nn.ctc_loss(inputs, labels, [4])
    assert value(old) == value(new)


def test_packages_of_contrib_of_0_8():
    inputs = tf.zeros([4, 1, 3])
    labels = tf.SparseTensor([[0, 0]], [1], [1, 2])
    loss = tf.contrib.ctc.ctc_loss(inputs=inputs, labels=labels, sequence_length=[4])
    assert value(loss) == value(tf.nn.ctc_loss(labels, inputs, [4]))
    assert tf.contrib.skflow is tf.contrib.learn
    with pytest.raises(AttributeError, match=r"since TensorFlow 0.12: tf.contrib.learn.DNNClass"):
        tf.contrib.skflow.TensorFlowDNNClassifier(hidden_units=[3], n_classes=2)


def test_the_package_below_tf_has_the_modules_of_ops():
    import tensorflow.python as package
    from tensorflow.python.ops import control_flow_ops

    assert tf.python is package
    assert tf.core is importlib.import_module("tensorflow.core")
    assert tf.python.control_flow_ops is control_flow_ops
    tf.python.control_flow_ops = tf  # what made Keras 1 run on TensorFlow 0.12
    try:
        assert tf.python.control_flow_ops.cond is tf.cond
    finally:
        del tf.python.control_flow_ops
    for name in ("no_such_ops", "no_such", "_ops"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(tf.python, name)


def test_a_function_of_shapes_is_left_alone():
    @tf.RegisterShape("ExtractGlimpse")
    def shape(op):
        return [op.inputs[0].get_shape()]

    assert ops.RegisterShape is tf.RegisterShape
    assert shape.__name__ == "shape"
    with pytest.raises(TypeError, match="op_type must be a string"):
        tf.RegisterShape(shape)


MATRIX = [[1, 2], [3, 4]]


@pytest.mark.parametrize("flags", [[False, True], np.array([False, True])])
def test_reverse_takes_flags_only_of_a_program_from_before_1_0(written_for, flags):
    with pytest.raises(TypeError, match=r"a flag for each of them was the way up to 0\.12"):
        tf.reverse(tf.constant(MATRIX), flags)
    written_for("0.12")
    assert value(tf.reverse(tf.constant(MATRIX), flags)).tolist() == [[2, 1], [4, 3]]
    assert value(tf.reverse(tf.constant(MATRIX), [0])).tolist() == [[3, 4], [1, 2]]


def test_reverse_by_its_old_keyword():
    for flags in ([False, True], tf.constant([False, True])):
        assert value(tf.reverse(tf.constant(MATRIX), dims=flags)).tolist() == [[2, 1], [4, 3]]


def sparse(**words):
    words = words or {"shape": [2, 2]}
    return tf.SparseTensor(indices=[[0, 1]], values=[3], **words)


def test_sparse_tensors_under_their_old_words():
    assert sparse().dense_shape.shape.as_list() == [2]
    assert sparse(dense_shape=[2, 4]).shape.as_list() == [2, 4]
    made = tf.SparseTensorValue(indices=[[0, 1]], values=[3], shape=[2, 2])
    assert made.shape == made.dense_shape == [2, 2]
    first, second = tf.sparse_split(0, 2, sparse())
    assert value(first).dense_shape.tolist() == [1, 2]
    assert value(second).values.tolist() == []
    joined = value(tf.sparse_concat(concat_dim=0, sp_inputs=[sparse(), sparse()]))
    assert joined.indices.tolist() == [[0, 1], [2, 1]]
    assert joined.shape.tolist() == [4, 2]
    with pytest.raises(ValueError, match="Keyword arguments are required"):
        tf.sparse_split(2, 0, axis=1)
    assert len(tf.sparse_split(sp_input=sparse(), num_split=2, axis=1)) == 2
    assert len(tf.sparse_split(split_dim=1, num_split=2, sp_input=sparse())) == 2


def test_the_shape_of_a_sparse_tensor_was_a_tensor_up_to_0_12(written_for):
    assert sparse().shape.as_list() == [2, 2]
    written_for("0.12")
    assert value(sparse().shape).tolist() == [2, 2]
    # TensorFlow itself goes on
    assert value(tf.sparse_tensor_to_dense(tf.sparse_concat(0, [sparse(), sparse()]))).sum() == 6
    assert value(tf.sparse_reset_shape(sparse())).dense_shape.tolist() == [1, 2]
    # tfqueue's own code, too: the numbers are those of 0.12.1
    words = tf.contrib.layers.sparse_column_with_keys("s", ["b", "a"])
    row = tf.contrib.layers.embedding_column(words, 3, initializer=tf.ones_initializer())
    made = tf.SparseTensor([[0, 0], [1, 0]], ["a", "b"], [2, 1])
    given = tf.contrib.layers.input_from_feature_columns({"s": made}, [row])
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        assert sess.run(given).tolist() == [[1.0] * 3] * 2


def test_lists_of_tensors_under_their_old_words():
    array = tf.TensorArray(tf.int32, 3).unpack([1, 2, 3])
    assert value(array.pack()).tolist() == [1, 2, 3]
    parts = tf.split_v(tf.range(6), [2, 4])
    assert [part.tolist() for part in value(parts)] == [[0, 1], [2, 3, 4, 5]]


def test_what_one_argument_tells():
    assert tf.decode_csv("1,2", [[0], [0]], ",", "nm")[0].op.name == "nm"
    assert value(tf.decode_csv('"1,2"', [[""]], ",", True)) == [b"1,2"]
    assert value(tf.zeros_initializer([2], tf.int32)).tolist() == [0, 0]
    assert value(tf.zeros_initializer(shape=[1])).tolist() == [0.0]
    assert value(tf.ones_initializer((2, 1), dtype=tf.int64)).tolist() == [[1], [1]]
    assert value(tf.zeros_initializer([1], dtype=tf.int32)).dtype == "int32"
    assert value(tf.ones_initializer()([2])).tolist() == [1.0, 1.0]
    made = tf.zeros_initializer()
    assert isinstance(made, tf.zeros_initializer)
    assert value(made([2])).tolist() == [0.0, 0.0]
    variable = tf.get_variable("v", [2], initializer=tf.zeros_initializer)
    assert variable.shape.as_list() == [2]
    resized = tf.image.resize_images(tf.zeros([4, 4, 3]), 2, 3)
    assert resized.shape.as_list() == [2, 3, 3]
    image = tf.constant(np.arange(16).reshape(4, 4, 1))
    method = tf.image.ResizeMethod.NEAREST_NEIGHBOR
    old = tf.image.resize_images(image, 2, 3, method, True)
    new = tf.image.resize_images(image, [2, 3], method, True)
    assert value(old).tolist() == value(new).tolist()


@pytest.mark.parametrize("name", [f"image.{name}" for name in _image_ops._FLIPS.split()])
def test_an_image_of_no_known_shape_has_three_dimensions(name):
    function = getattr(tf.image, name.partition(".")[2])
    assert str(function(tf.placeholder(tf.float32)).shape) == "(?, ?, ?)"
    assert function(tf.zeros([2, 5, 5, 1])).shape.as_list() == [2, 5, 5, 1]


# as TensorFlow 0.12.1 named them
OLD_NAMES = ["fraction_of_32_full_Size", "fraction_of_32_full_EnqueueMany", "fraction_of_32_full"]


def test_the_names_of_a_range_producers_ops_are_those_of_the_release(written_for):
    def names():
        with tf.Graph().as_default() as graph:
            tf.train.range_input_producer(5)
            tf.train.slice_input_producer([tf.constant([1, 2])], name="slices", shuffle=False)
            return {op.name for op in graph.get_operations()}

    assert not {f"input_producer/fraction_of_32_full/{name}" for name in OLD_NAMES} & names()
    written_for("1.0")
    for scope in ("input_producer", "slices/input_producer"):
        assert {f"{scope}/fraction_of_32_full/{name}" for name in OLD_NAMES} <= names()


def test_slices_of_an_old_producer_are_the_same(written_for):
    written_for("1.0")
    pair = tf.train.slice_input_producer(
        [tf.constant([1, 2, 3]), tf.constant(["a", "b", "c"])], num_epochs=1, shuffle=False
    )
    with tfqueue.managed_session() as sess:
        assert [(int(n), s) for n, s in sess.batches(pair)] == [(1, b"a"), (2, b"b"), (3, b"c")]


def test_the_class_of_a_tensor():
    x = tf.constant([1.0])
    assert x.__class__ == tf.Tensor
    assert type(x) is tf.Tensor
    assert isinstance(tf.placeholder(tf.int32), tf.Tensor)
    assert not isinstance(tf.Variable(1.0), tf.Tensor)


@pytest.mark.parametrize("shape", [None, [], [None, 2], [3, 4]])
def test_a_tensors_shape_under_its_internal_name(shape):
    x = tf.placeholder(tf.float32, shape)
    assert isinstance(x._shape, tf.TensorShape)
    assert str(x._shape) == str(x.get_shape()) == str(x.shape) == str(tf.TensorShape(shape))
    if shape == [None, 2]:
        x.set_shape([5, 2])
        assert x._shape.as_list() == [5, 2]


def test_the_mode_under_its_names_of_1_4():
    from tensorflow.python.eager import context

    assert context.in_graph_mode()
    assert not context.in_eager_mode()


ROWS = [
    (module, name, found)
    for module, rows in patches.INTERNALS.items()
    for name, found in rows.items()
]


@pytest.mark.parametrize(("module", "name", "found"), ROWS)
def test_a_name_that_a_module_of_tensorflow_has_lost(module, name, found):
    original = importlib.import_module(f"tensorflow.python.{module}")
    home, _, dotted = found.rpartition(":")
    value = importlib.import_module(home) if home else tf
    for part in dotted.removeprefix("tf.").split("."):
        value = getattr(value, part)
    assert getattr(original, name) is value
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        original.no_such_name  # noqa: B018


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("gen_logging_ops", "_scalar_summary"),
        ("gen_nn_ops", "_relu_grad"),
        ("gen_array_ops", "_pad"),
    ],
)
def test_a_generated_function_under_the_name_of_up_to_1_8(module, name):
    generated = importlib.import_module(f"tensorflow.python.ops.{module}")
    assert getattr(generated, name) is getattr(generated, name[1:])
    for absent in ("_no_such_op", "__no_such__", "_"):
        assert not hasattr(generated, absent)


def test_import_star_leaves_pythons_print_alone():
    names = {}
    exec("from tfqueue.v1 import *", names)
    assert "print" not in names
    assert names["Session"] is tf.Session
    assert callable(tf.print)


def test_import_star_brings_what_is_loaded_when_it_is_used():
    """As in 0.12.1 to 1.15.5 (`contrib`), and since 1.0 and 1.2."""
    names = {}
    exec("from tfqueue.v1 import *", names)
    assert names["contrib"].layers.fully_connected is tf.contrib.layers.fully_connected
    assert (names["layers"], names["estimator"]) == (tf.layers, tf.estimator)
    assert not {"examples", "models"} & names.keys()


@pytest.fixture
def flags(written_for, monkeypatch):
    """The flags of a program from up to 1.4, which is started with some arguments."""
    own = _app_flags._Flags(_app_flags._absl.FlagValues())
    monkeypatch.setattr(_app_flags, "FLAGS", own)
    monkeypatch.setattr(sys, "argv", ["old.py", "--train", "False", "--n=3", "--of_another=1"])
    written_for("1.4")
    tf.flags.DEFINE_boolean("train", True, "argparse takes the word behind it")
    tf.flags.DEFINE_bool("batch", 128, "")
    tf.flags.DEFINE_integer(flag_name="n", default_value=5, docstring="")
    tf.flags.DEFINE_integer("w", 5e0, "")
    tf.flags.DEFINE_float("rate", 1, "")
    tf.flags.DEFINE_float("epsilon", "1e-3", "")
    tf.flags.DEFINE_string("data-dir", "here", "")
    return own


PARSED = {
    "train": False,
    "batch": 128,
    "n": 3,
    "w": 5.0,
    "rate": 1,
    "epsilon": 0.001,
    "data_dir": "here",
}


def test_flags_up_to_1_4_are_argparses(flags):
    assert {name: getattr(flags, name) for name in PARSED} == PARSED
    assert isinstance(flags.rate, int)
    assert getattr(flags, "__flags") == flags.__dict__["__flags"] == PARSED
    assert sorted(flags) == dir(flags) == sorted(PARSED)
    assert len(flags) == len(PARSED)
    with pytest.raises(AttributeError, match="nosuch"):
        flags.nosuch  # noqa: B018


def test_any_flag_could_be_set_to_anything_up_to_1_4(flags):
    flags.n = "many"
    flags.num_source = flags.batch - 1
    assert (flags.n, flags.num_source) == ("many", 127)
    assert "num_source" in flags
    assert getattr(flags, "__flags")["num_source"] == 127
    del flags.num_source
    assert "num_source" not in flags


def test_flags_by_hand_up_to_1_4(flags):
    assert flags._parse_flags() == ["--of_another=1"]
    assert getattr(flags, "__parsed") is True
    assert flags._parse_flags(["--notrain", "--n", "4"]) == []
    assert (flags.train, flags.n) == (False, 4)


def test_the_program_is_run_with_what_no_flag_takes(flags):
    with pytest.raises(SystemExit) as raised:
        tf.app.run(lambda argv: [*argv, flags.n])
    assert raised.value.code == ["old.py", "--of_another=1", 3]


@pytest.mark.parametrize(("given", "gets"), [([], ["old.py"]), (None, ["old.py"]), (["b"], ["b"])])
def test_an_empty_command_line_is_the_programs_own(monkeypatch, given, gets):
    """As TensorFlow 0.12.1 and 1.4.1 printed it; since 1.5 absl refuses an empty one."""
    monkeypatch.setattr(sys, "argv", ["old.py"])
    monkeypatch.setattr(_app_flags._absl, "FLAGS", _app_flags._absl.FlagValues())
    monkeypatch.setattr(
        _app_flags._tf.app,
        "run",
        lambda main, argv: main(_app_flags._absl.FLAGS(sys.argv if argv is None else argv)),
    )
    seen = []
    tf.app.run(seen.extend, given)
    assert seen == gets


ABSL = _app_flags._absl_logging.get_absl_handler()


@pytest.mark.parametrize("where", ["tensorflow", "mine", None])
@pytest.mark.parametrize(
    ("handler", "writes"), [(logging.StreamHandler(), True), (logging.NullHandler(), False)]
)
def test_the_root_logger_repeats_no_line_that_another_handler_has(
    monkeypatch, where, handler, writes
):
    """This holds for absl.app.run as well, which asks nothing of `tf.app`."""
    monkeypatch.setattr(logging.getLogger("tensorflow"), "handlers", [])
    monkeypatch.setattr(logging.root, "handlers", [ABSL])
    logger = logging.getLogger(where)
    monkeypatch.setattr(logger, "handlers", [*logger.handlers, handler])
    for name in ("tensorflow", "mine", "mine.below", "other"):
        record = logging.LogRecord(name, logging.INFO, "old.py", 1, "once", None, None)
        has_it = writes and (where is None or name.startswith(where))
        assert bool(ABSL.filter(record)) is not has_it


def test_a_program_that_asks_for_a_log_file_gets_it(monkeypatch, tmp_path):
    monkeypatch.setattr(logging.root, "handlers", [ABSL])
    monkeypatch.setattr(logging.root, "level", logging.WARNING)
    configure, log = logging.basicConfig, tmp_path / "a.log"

    def main(_):
        logging.basicConfig(filename=log, level=logging.INFO)
        logging.getLogger("mine").info("hello")
        logging.root.handlers.pop().close()

    monkeypatch.setattr(_app_flags._tf.app, "run", lambda main, argv: main(argv))
    tf.app.run(main)
    assert log.read_text("utf-8") == "INFO:mine:hello\n"
    assert logging.basicConfig is configure


def test_a_new_flag_can_be_set_whatever_the_release(monkeypatch):
    own = _app_flags._Flags(_app_flags._absl.FlagValues())
    monkeypatch.setattr(sys, "argv", ["old.py"])
    own.num_source = 3
    assert own.num_source == 3
    assert "num_source" in own
    del own.num_source
    with pytest.raises(AttributeError):
        own.num_source  # noqa: B018


def test_every_row_of_old_functions_is_laid_out():
    for dotted in moved.REORDERED:
        function = tf
        for part in dotted.split("."):
            function = getattr(function, part)
        assert function.__module__ == "tfqueue.v1._old_functions"


def test_a_runner_of_an_op_by_its_name():
    queue = tf.FIFOQueue(10, [tf.int32], [[]])
    put = queue.enqueue([1], name="put")
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, ["put"]))
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(queue.dequeue_many(3)).tolist() == [1, 1, 1]
        coord.request_stop()
        coord.join(threads)
    assert tf.train.QueueRunner(queue, ["put"]).enqueue_ops == [put]
    with pytest.raises(KeyError, match="nosuch"):
        tf.train.QueueRunner(queue, ["nosuch"])


def test_the_job_of_a_local_server():
    server = tf.train.Server.create_local_server()
    assert server.server_def.job_name == "local"
    with tf.Session(server.target) as sess, tf.device("/job:local/task:0"):
        assert sess.run(tf.constant(1) + 1) == 2


def test_a_flag_of_up_to_1_4_can_be_asked_for_as_one_of_later(flags):
    assert {name: flags[name].value for name in flags} == PARSED
    flags["n"].value = 4
    assert (flags.n, flags["n"].name) == (4, "n")
    with pytest.raises(KeyError):
        flags["nosuch"]


def gru(inputs=2):
    return tf.nn.rnn_cell.GRUCell(4)(tf.zeros([3, inputs]), tf.zeros([3, 4]))


def lstm_of_one_cell():
    cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.BasicLSTMCell(4), output_keep_prob=0.5)
    stacked = tf.nn.rnn_cell.MultiRNNCell([cell] * 3)
    return tf.nn.dynamic_rnn(stacked, tf.zeros([2, 5, 7]), dtype=tf.float32)


def in_a_loop():
    with tf.variable_scope("r"):
        gru()
        tf.get_variable_scope().reuse_variables()
        gru()


def twice(net):
    with tf.variable_scope("m"):
        net()
    with tf.variable_scope("m", reuse=True):
        net()


def in_both_directions():
    cell = tf.nn.rnn_cell.LSTMCell(4)
    x = tf.zeros([2, 5, 7])
    tf.nn.bidirectional_dynamic_rnn(cell, cell, x, sequence_length=[5, 5], dtype=tf.float32)


def in_scopes_of_its_own():
    cell = tf.nn.rnn_cell.GRUCell(4)
    state = cell.zero_state(2, tf.float32)
    with tf.variable_scope("decoder"):
        for step in range(3):
            if step:
                tf.get_variable_scope().reuse_variables()
            _, state = cell(tf.zeros([2, 6]), state)
    with tf.variable_scope("encoder"):
        cell(tf.zeros([2, 9]), state, "own")
        cell(tf.zeros([2, 8]), state, "other")


def in_stacked_directions():
    cell = tf.nn.rnn_cell.GRUCell(4)
    inputs = tf.unstack(tf.ones([2, 3, 3]), axis=1)
    tf.contrib.rnn.stack_bidirectional_rnn([cell] * 2, [cell] * 2, inputs, dtype=tf.float32)


GRU = [[6, 8], [8], [6, 4], [4]]
# program, shapes of the variables that TensorFlow 0.12.1 makes
CELLS_OF_0_12 = {
    "loop": (in_a_loop, GRU),
    "twice": (lambda: twice(gru), GRU),
    "stacked": (lambda: twice(lstm_of_one_cell), [[11, 16], [16], *[[8, 16], [16]] * 2]),
    "both directions": (in_both_directions, [[11, 16], [16]] * 2),
    "stacked directions": (
        in_stacked_directions,  # not in 0.12.1: TensorFlow 1.0.1 makes them
        [*[[7, 8], [8], [7, 4], [4]] * 2, *[[12, 8], [8], [12, 4], [4]] * 2],
    ),
    "scopes": (
        in_scopes_of_its_own,
        [
            *[[10, 8], [8], [10, 4], [4]],
            *[[13, 8], [8], [13, 4], [4]],
            *[[12, 8], [8], [12, 4], [4]],
        ],
    ),
}


@pytest.mark.parametrize("of", ["0.12", "1.0", "1.1"])
@pytest.mark.parametrize("name", CELLS_OF_0_12)
def test_a_cell_had_the_variables_of_the_scope_that_it_was_called_in(written_for, caplog, name, of):
    written_for(of)
    program, shapes = CELLS_OF_0_12[name]
    program()
    assert [v.shape.as_list() for v in tf.trainable_variables()] == shapes
    assert "will share weights" not in caplog.text


def test_since_1_2_a_cell_keeps_the_variables_of_its_first_call(written_for):
    written_for("1.2")
    cell = tf.nn.rnn_cell.GRUCell(4)
    for scope in ("a", "b"):
        with tf.variable_scope(scope):
            cell(tf.zeros([3, 2]), tf.zeros([3, 4]))
    assert [v.shape.as_list() for v in tf.trainable_variables()] == GRU


def _layers(cells, width=3):
    """The shapes of the variables of a network of some cells, and the network's output."""
    found, _ = tf.nn.dynamic_rnn(cells, tf.ones([2, 5, width]), dtype=tf.float32)
    return [v.shape.as_list() for v in tf.trainable_variables()], found


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("kind", ["BasicLSTMCell", "LSTMCell", "GRUCell", "BasicRNNCell"])
def test_one_cell_for_layers_of_two_widths_can_only_be_older_than_1_2(written_for, kind, wrapped):
    def network():
        cell = getattr(tf.nn.rnn_cell, kind)(4)
        cell = tf.nn.rnn_cell.DropoutWrapper(cell, 1.0) if wrapped else cell
        return _layers(tf.nn.rnn_cell.MultiRNNCell([cell] * 3))

    with tf.Graph().as_default():
        with pytest.warns(UserWarning, match=r"inputs of 3 and of 4 columns.*--era 1\.1"):
            shapes, found = network()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            assert sess.run(found).shape == (2, 5, 4)
    written_for("1.1")
    with tf.Graph().as_default():
        assert shapes == network()[0]


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("kind", ["BasicLSTMCell", "GRUCell"])
@pytest.mark.parametrize("width", [3, 8])
def test_stacked_directions_of_one_cell_are_told_by_their_widths(kind, wrapped, width):
    cell = getattr(tf.nn.rnn_cell, kind)(4)
    cell = tf.nn.rnn_cell.DropoutWrapper(cell, 1.0) if wrapped else cell
    old = width != 8  # else it fits, as TensorFlow 1.4.1 and 1.15.5 have it
    rnn_cell._tell_of_both_directions.cache_clear()
    said = r"inputs of 3 and of 8 columns.*--era 1\.1" if old else r"both directions.*--era 1\.1"
    with pytest.warns(UserWarning, match=said) as told:
        tf.contrib.rnn.stack_bidirectional_dynamic_rnn(
            [cell] * 2, [cell] * 2, tf.ones([2, 3, width]), dtype=tf.float32
        )
    kernels = [v.shape.as_list()[0] for v in tf.trainable_variables() if "kernel" in v.name]
    gates = 2 if kind == "GRUCell" else 1
    assert kernels == ([7] * 2 * gates + [12] * 2 * gates if old else [12] * gates)
    assert len(told) == 1


def test_one_cell_for_both_directions_is_told_of_once(written_for):
    rnn_cell._tell_of_both_directions.cache_clear()
    for written, variables, lines in (("1.1", 4, 0), (None, 2, 1), (None, 2, 0)):
        written_for(written)
        with tf.Graph().as_default(), warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            in_both_directions()
            made = len(tf.trainable_variables())
        assert (made, len(told)) == (variables, lines)


def test_layers_of_one_cell_hold_their_own_variables():
    cell = tf.nn.rnn_cell.GRUCell(4)
    with pytest.warns(UserWarning, match="inputs of 3 and of 4 columns"):
        _layers(tf.nn.rnn_cell.MultiRNNCell([cell] * 3))
    (layers,) = rnn_cell._copies[cell].values()
    assert [len(each.trainable_weights) for each in layers.values()] == [4, 4, 4]


def test_a_cell_that_fitted_its_first_places_is_not_parted_afterwards():
    cell = tf.nn.rnn_cell.BasicLSTMCell(4)
    state = cell.zero_state(2, tf.float32)
    for scope in ("forward", "backward"):
        with tf.variable_scope(scope):
            cell(tf.zeros([2, 3]), state)
    with tf.variable_scope("above"), pytest.raises(ValueError, match=r"run --era 1\.1"):
        cell(tf.zeros([2, 8]), state)


@pytest.mark.parametrize("name", ["BasicLSTMCell", "LSTMCell"])
def test_a_state_is_one_tensor_up_to_0_10(written_for, name):
    def state_size(**given):
        with tf.Graph().as_default():
            return getattr(tf.nn.rnn_cell, name)(3, **given).state_size

    assert state_size() == tf.nn.rnn_cell.LSTMStateTuple(3, 3)
    written_for("0.11")
    assert state_size() == (3, 3)
    written_for("0.10")
    assert state_size() == 6
    assert state_size(state_is_tuple=True) == (3, 3)
    cells = tf.nn.rnn_cell.MultiRNNCell([getattr(tf.nn.rnn_cell, name)(3) for _ in range(2)])
    assert cells.state_size == 12
    with tf.Graph().as_default():
        output, state = cells(tf.zeros([2, 3]), tf.zeros([2, 12]))
        assert (output.shape, state.shape) == ([2, 3], [2, 12])


# the expression, what TensorFlow 0.12.1 gave and what 1.15.5 gives
DIVIDED = {
    "a // b": ([-3, -3, -1, 1], [-4, -4, -2, 1]),
    "a % b": ([-1, 1, -2, 2], [1, -1, 2, 2]),
    "9 // a": ([-1, 1, -1, 1], [-2, 1, -2, 1]),
    "9 % a": ([2, 2, 3, 4], [-5, 2, -3, 4]),
    "a.__div__(b)": ([-3, -3, -1, 1], [-4, -4, -2, 1]),
    "a.__rdiv__(9)": ([-1, 1, -1, 1], [-2, 1, -2, 1]),
    "f // 2": ([-4, 3, 3], [-4, 3, 3]),
    "f % 2": ([-1.5, 1.5, 0], [0.5, 1.5, 0]),
    "9.0 % f": ([1.5, 1.5, 3], [-6, 1.5, 3]),
    "tf.div(a, b)": ([-3, -3, -1, 1], [-4, -4, -2, 1]),
    "tf.div([-7, 7], 2)": ([-3, 3], [-4, 3]),
    "tf.div(f, 2.0)": ([-3.75, 3.75, 3], [-3.75, 3.75, 3]),
    "tf.mod(a, b)": ([-1, 1, -2, 2], [1, -1, 2, 2]),
    "tf.mod(f, 2.0)": ([-1.5, 1.5, 0], [0.5, 1.5, 0]),
    "tf.floordiv(a, b)": ([-3, -3, -1, 1], [-4, -4, -2, 1]),
    "tf.floordiv(f, 2.0)": ([-4, 3, 3], [-4, 3, 3]),
    "v // 2": ([-3, 3], [-4, 3]),
    "v % 2": ([-1, 1], [1, 1]),
    "9 // v": ([-1, 1], [-2, 1]),
    "9 % v": ([2, 2], [-5, 2]),
    "u // 4": ([1, 2], [1, 2]),
    "a / b": ([-3.5, -3.5, -1.5, 5 / 3], [-3.5, -3.5, -1.5, 5 / 3]),
    "tf.truncatediv(a, b)": ([-3, -3, -1, 1], [-3, -3, -1, 1]),
    "tf.floormod(a, b)": ([1, -1, 2, 2], [1, -1, 2, 2]),
}


@pytest.mark.parametrize("expression", DIVIDED)
@pytest.mark.parametrize("resource", [False, True])
def test_division_truncates_up_to_0_12(written_for, expression, resource):
    a, b = tf.constant([-7, 7, -6, 5]), tf.constant([2, -2, 4, 3])
    f, u = tf.constant([-7.5, 7.5, 6.0]), tf.constant([7, 9], tf.uint8)
    v = tf.Variable([-7, 7], use_resource=resource)
    names = {"tf": tf, "a": a, "b": b, "f": f, "u": u, "v": v}
    for release_, expected in zip(("0.12", "1.0"), DIVIDED[expression], strict=True):
        written_for(release_)
        made = eval(expression, names)
        with tf.Session() as sess:
            sess.run(v.initializer)
            assert sess.run(made).tolist() == expected


def test_the_operators_of_libraries_mean_what_they_mean_since_1_0(written_for):
    """A function of TensorFlow's own, and one of tfqueue's, that takes a remainder."""
    written_for("0.12")
    for module in (
        "tensorflow.python.ops.x",
        "tfqueue.contrib.x",
        "tfqueue.estimator.x",
        "tf_slim.x",
    ):
        made = eval("t % 3", {"t": tf.constant(-7), "__name__": module})
        assert value(made) == 2
    for module in ("tensorflow_models.x", "tfqueue.port.py2.operators", "__main__"):
        made = eval("t % 3", {"t": tf.constant(-7), "__name__": module})
        assert value(made) == -1


# -- what TensorFlow let through, or had, up to a release ------------------------------------------


def test_a_tensor_is_true_up_to_0_7(written_for):
    with tf.Graph().as_default():
        placeholder = tf.placeholder(tf.bool)
        written_for("0.8")
        with pytest.raises(TypeError, match="as a Python `bool`"):
            bool(placeholder)
        written_for("0.7")
        assert placeholder
        assert bool(tf.constant(False))
        assert tf.zeros([3])


def test_a_variable_that_is_listed_twice_is_saved_once(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        one, two = tf.Variable(1.0, name="one"), tf.Variable(2.0, name="two")
        saver = tf.train.Saver([one, two, one])
        sess.run(tf.global_variables_initializer())
        path = saver.save(sess, str(tmp_path / "model"))
        assert [name for name, _ in tf.train.list_variables(path)] == ["one", "two"]
        with pytest.raises(ValueError, match="same name: one"):
            tf.train.Saver([one, tf.get_default_graph().get_tensor_by_name("one:0")])


@pytest.fixture
def gradients():
    """Puts back what a test does to the gradients of ops."""
    registered = ops.gradient_registry._registry
    before = dict(registered)
    yield
    registered.clear()
    registered.update(before)


def test_a_gradient_of_ones_own_for_an_op_that_has_one_only_by_now(gradients):
    def doubled(op, gradient, _):
        return 2 * gradient[:, :1, :1] * tf.ones_like(op.inputs[0])

    tf.RegisterGradient("MaxPoolWithArgmax")(doubled)
    with tf.Graph().as_default():
        x = tf.ones([1, 2, 2, 1])
        y, _ = tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        assert value(tf.gradients(y, x)[0]).ravel().tolist() == [2.0] * 4
    for again in ("MaxPoolWithArgmax", "Relu"):  # the program's own; one that 0.12 had
        with pytest.raises(KeyError, match="Registering two gradient with name"):
            tf.RegisterGradient(again)(doubled)


@pytest.mark.parametrize("kind", sorted(patches._GAINED_GRADIENTS))
@pytest.mark.skipif(
    not tf.__version__.startswith("2.21."), reason="the list is that of TensorFlow 2.21"
)
def test_an_op_that_had_no_gradient_has_one_today(kind):
    assert kind in ops.gradient_registry._registry


def test_a_summary_inside_a_loop_is_merged_and_fails_only_when_it_is_fetched():
    def body(i):
        tf.summary.scalar("inside", tf.to_float(i))
        return i + 1

    with tf.Graph().as_default(), tf.Session() as sess:
        n = tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])
        tf.summary.scalar("n", tf.to_float(n))
        merged = tf.summary.merge_all()
        assert sess.run(n) == 3
        with pytest.raises(tf.errors.InvalidArgumentError, match="different frames"):
            sess.run(merged)
        with pytest.raises(ValueError, match="is in a while loop"):
            inside = tf.get_default_graph().get_operation_by_name("while/inside").outputs[0]
            tf.identity(inside)


def test_an_op_has_its_traceback_under_its_first_name():
    with tf.Graph().as_default():
        op = tf.constant(1.0).op
    assert isinstance(op._traceback, list)
    assert any(frame[0] == __file__ for frame in op._traceback)
    op._traceback = [("file", 1, "f", {})]  # prettytensor shortens it
    assert op._traceback == [("file", 1, "f", {})]


def test_a_session_manager_says_why_the_model_is_not_ready():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.Variable(1.0, name="v")
        manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
        assert "not initialized: v" in manager._model_not_ready(sess)
        sess.run(tf.global_variables_initializer())
        assert manager._model_not_ready(sess) is None


def test_tensorflow_counts_as_built_with_cuda_where_there_is_a_gpu(monkeypatch):
    monkeypatch.setattr(tf.config, "list_physical_devices", lambda kind=None: [])
    assert tf.test.is_built_with_cuda() is False


@pytest.mark.parametrize(
    ("release_", "names"),
    [("1.1", ["biases", "weights"]), ("1.2", ["bias", "kernel"])],
)
@pytest.mark.parametrize("cell", ["BasicLSTMCell", "BasicRNNCell", "GRUCell", "LSTMCell"])
def test_the_variables_of_cells_have_other_names_in_1_0_and_1_1(written_for, cell, release_, names):
    written_for(release_)
    with tf.Graph().as_default():
        made = getattr(tf.nn.rnn_cell, cell)(2)
        made(tf.ones([1, 3]), made.zero_state(1, tf.float32))
        found = {v.op.name.rpartition("/")[2] for v in tf.trainable_variables()}
    assert sorted(found) == names


def test_private_parts_of_the_cells():
    cells = tf.nn.rnn_cell
    with tf.Graph().as_default():
        assert value(cells._zero_state_tensors([2, 1], 3, tf.float32)[0]).shape == (3, 2)
    assert cells._like_rnncell(cells.GRUCell(3))
    assert not cells._like_rnncell(tf.identity)
    with pytest.raises(AttributeError, match="no attribute '_no_such'"):
        cells._no_such  # noqa: B018


@pytest.mark.parametrize("name", ["log_dir", "v", "verbosity", "stderrthreshold"])
def test_a_program_defines_a_flag_that_absl_has_itself(name):
    flag = absl.flags.FLAGS[name]
    values = absl.flags.FLAGS
    try:
        absl.flags.DEFINE_string(name, "logs", "where to save")
        assert values[name].default == "logs"
    finally:
        delattr(values, name)
        flag.allow_override = True
        values[name] = flag


FLAGS_OF_ABSL = """
import tensorflow as tf
from absl import logging
tf.flags.DEFINE_integer("verbosity", 7, "")
tf.flags.DEFINE_string("stderrthreshold", "none", "")
tf.flags.DEFINE_string("profile_file", "p", "")
tf.flags.DEFINE_boolean("run_with_pdb", True, "")
def main(_):
    logging.set_verbosity(logging.ERROR)
    logging.warning("left out")
    logging.error("written")
    flags = tf.flags.FLAGS
    print(flags.verbosity, flags.stderrthreshold, flags.profile_file, flags.run_with_pdb, logging.get_verbosity())
tf.app.run()
"""


def test_absl_goes_on_where_a_program_has_a_flag_of_its_own(tmp_path):
    (tmp_path / "old.py").write_text(FLAGS_OF_ABSL)
    ran = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "7 none p True -2\n"), ran.stderr
    assert "written" in ran.stderr
    assert "left out" not in ran.stderr


def test_the_name_of_several_summaries_as_one():
    # the names that 0.12.1 and 1.13.2 gave
    with tf.Graph().as_default():
        one = tf.contrib.deprecated.scalar_summary("a", 1.0)
        merged = tf.contrib.deprecated.merge_summary
        names = [merged([one], name="mine").op.name, merged([one]).op.name]
    assert names == ["mine/mine", "MergeSummary/MergeSummary"]


# head, number of logits, loss of TensorFlow 1.4.1
HEADS_OF_1_4 = {
    "binary": (lambda heads: heads.binary_classification_head(), 1, 4.72753),
    "regression": (lambda heads: heads.regression_head(), 1, 8.25),
    "classes": (lambda heads: heads.multi_class_head(3), 3, 8.63841),
    "labels": (lambda heads: heads.multi_label_head(2), 2, 3.65640),
}


@pytest.mark.parametrize("name", HEADS_OF_1_4)
def test_the_loss_of_a_head_was_a_sum_before_1_8(written_for, name):
    made, width, expected = HEADS_OF_1_4[name]
    logits = tf.constant([[1.0], [2.0], [-1.0], [0.5]]) * tf.range(1.0, width + 1)
    labels = tf.constant([[1], [0], [1], [0]])
    wanted = {"regression": tf.to_float(labels), "labels": tf.concat([labels, 1 - labels], 1)}
    tf.train.get_or_create_global_step()

    def loss(release):
        written_for(release)
        head = made(tf.contrib.estimator)
        ops = {"labels": wanted.get(name, labels), "train_op_fn": lambda _: tf.no_op()}
        return value(head.create_estimator_spec({}, "train", logits, **ops).loss)

    assert loss("1.4") == pytest.approx(expected, rel=1e-5)
    assert loss(None) == pytest.approx(expected / 4, rel=1e-5)


# of a graph with the seed 7, what TensorFlow 0.12.1 gave
FIRST_VALUES = {
    "w": [-0.609384298324585, 0.07790017127990723, -0.9058966636657715, 0.35122227668762207],
    "c": [-0.6152819395065308, 0.3657601475715637, -0.28949666023254395, 0.06337505578994751],
    "v": [0.2803093194961548, 0.22406291961669922, 0.32679665088653564],
    "s": [0.13061952590942383],
}


def test_first_values_without_an_initializer_are_those_of_0_12(written_for):
    written_for("0.12")
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(7)
        shapes = {"w": [3, 4], "c": [2, 2, 3], "v": [3], "s": []}
        made = {name: tf.get_variable(name, shape) for name, shape in shapes.items()}
        number = tf.get_variable("number", [2], tf.int32, tf.zeros_initializer)
        sess.run(tf.initialize_all_variables())
        for name, expected in FIRST_VALUES.items():
            np.testing.assert_allclose(np.ravel(sess.run(made[name]))[: len(expected)], expected)
        assert sess.run(number).tolist() == [0, 0]


@pytest.mark.parametrize(("known", "bound"), [("0.12", (3 / 9) ** 0.5), ("1.0", (6 / 29) ** 0.5)])
def test_weights_of_cells_are_as_large_as_in_the_release(written_for, known, bound):
    """Up to 0.12 as the number of inputs says, since then as those of inputs and outputs."""
    written_for(known)
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(5), tf.zeros([2, 3, 4]), dtype=tf.float32)
        with tf.variable_scope("given", initializer=tf.constant_initializer(2.0)):
            tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(5), tf.zeros([2, 3, 4]), dtype=tf.float32)
        sess.run(tf.global_variables_initializer())
        kernel, *_, candidate, _ = sess.run(tf.trainable_variables())
        assert 0.9 * bound < np.abs(kernel).max() <= bound
        assert (candidate == 2.0).all()


@pytest.mark.parametrize("known", ["1.1", "1.2"])
def test_wrappers_of_cells_take_what_is_there(written_for, known):
    written_for(known)
    rnn = tf.contrib.rnn
    with tf.Graph().as_default():
        for reuse in (None, True):
            cells = [tf.nn.rnn_cell.GRUCell(5, reuse=reuse) for _ in range(2)]
            projected = rnn.OutputProjectionWrapper(cells[0], 3, reuse=reuse)
            embedded = rnn.EmbeddingWrapper(cells[1], 7, 4, reuse=reuse)
            with tf.variable_scope("projected"):
                projected(tf.zeros([2, 4]), projected.zero_state(2, tf.float32))
            with tf.variable_scope("embedded"):
                embedded(tf.zeros([2], tf.int32), embedded.zero_state(2, tf.float32))
        assert len(tf.global_variables()) == 11  # TensorFlow 1.1.0


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ("0.11", [[1.0, 3.0], [2.5, 3.5], [4.25, 4.25]]),
        ("0.12", [[1.33333337, 3.0], [2.85714293, 3.5], [4.5333333, 4.25]]),  # TensorFlow 0.12.1
        ("1.0", [[1.0, 3.0], [2.5, 3.5], [4.25, 4.25]]),
    ],
)
def test_an_average_of_a_tensor_has_no_bias_in_0_12(written_for, known, expected):
    written_for(known)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        doubled, weight = x * 2.0, tf.Variable(3.0)
        average = tf.train.ExponentialMovingAverage(0.5)
        update = average.apply([doubled, weight])
        sess.run(tf.global_variables_initializer())
        for number, row in enumerate(expected):
            sess.run(update, {x: number + 1.0})
            sess.run(weight.assign_add(1.0))
            found = sess.run([average.average(doubled), average.average(weight)])
            np.testing.assert_allclose(found, row, rtol=1e-6)


def test_an_average_without_bias_that_is_asked_for_is_as_since_1_0():
    with tf.Graph().as_default(), tf.Session() as sess:
        average = tf.train.ExponentialMovingAverage(0.5, zero_debias=True)
        five = tf.constant(5.0)
        update = average.apply([five])
        sess.run(tf.global_variables_initializer())
        sess.run(update)
        assert sess.run(average.average(five)) == 5.0
