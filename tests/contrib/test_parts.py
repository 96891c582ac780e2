"""The small parts of `tf.contrib`: embeddings of layers, the projector, tfprof, linalg, old modules."""

import importlib
import re

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.suite import children
from tfqueue import release

contrib = tf.contrib


def value(fetches):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(fetches)


@pytest.fixture
def of_release(request):
    former = release.assume(request.param)
    yield request.param
    release.assume(former)


@pytest.fixture
def slim():
    pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")


@pytest.mark.parametrize("unique", [False, True])
def test_sequences_are_embedded(slim, unique):
    embed = contrib.layers.embed_sequence
    table = np.arange(8, dtype=np.float32).reshape(4, 2)
    start = tf.constant_initializer(table)
    ids = tf.constant([[1, 3, 1], [0, 0, 2]])
    made = embed(ids, vocab_size=4, embed_dim=2, unique=unique, initializer=start, scope="e")
    again = embed(ids, unique=unique, scope="e", reuse=True)
    assert made.shape.as_list() == [2, 3, 2]
    assert [v.name for v in tf.trainable_variables()] == ["e/embeddings:0"]
    for got in value([made, again]):
        assert got.tolist() == table[[[1, 3, 1], [0, 0, 2]]].tolist()
    with pytest.raises(ValueError, match="Must specify vocab size"):
        embed(ids)
    slope = tf.gradients(tf.reduce_sum(made), tf.trainable_variables())[0]
    assert value(tf.convert_to_tensor(slope)).tolist() == [[2, 2], [2, 2], [1, 1], [1, 1]]


def test_a_bag_of_words_leaves_zeros_out_where_it_is_sparse(slim):
    start = tf.constant_initializer(np.arange(4, dtype=np.float32).reshape(4, 1))
    ids = tf.constant([[1, 3, 0], [2, 0, 0]])

    def encode(given, **how):
        return contrib.layers.bow_encoder(given, 4, 1, initializer=start, **how)

    sparse, dense = encode(ids), encode(ids, sparse_lookup=False)
    from_sparse = encode(tf.sparse.from_dense(ids))
    got = [each.tolist() for each in value([sparse, dense, from_sparse])]
    assert got[0] == got[2] == [[2.0], [2.0]]
    names = [variable.name.partition("/")[0] for variable in tf.trainable_variables()]
    assert names == ["bow_encoder", "bow_encoder_1", "bow_encoder_2"]  # so 1.15.5 has it
    np.testing.assert_allclose(got[1], [[4 / 3], [2 / 3]], rtol=1e-6)


def test_the_projectors_file(tmp_path):
    from tfqueue.v1.contrib.tensorboard.plugins import projector

    assert contrib.tensorboard.plugins.projector is projector
    config = projector.ProjectorConfig(model_checkpoint_path="model.ckpt")
    embedding = config.embeddings.add(tensor_name="words", metadata_path="words.tsv")
    embedding.sprite.image_path = "s.png"
    embedding.sprite.single_image_dim.extend([28, 28])
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        projector.visualize_embeddings(writer, config)
    text = (tmp_path / "projector_config.pbtxt").read_text()
    assert text == (
        'model_checkpoint_path: "model.ckpt"\nembeddings {\n  tensor_name: "words"\n'
        '  metadata_path: "words.tsv"\n  sprite {\n    image_path: "s.png"\n'
        "    single_image_dim: 28\n    single_image_dim: 28\n  }\n}\n"
    )
    projector.visualize_embeddings(tmp_path, projector.ProjectorConfig())
    assert (tmp_path / "projector_config.pbtxt").read_text() == ""
    with pytest.raises(ValueError, match="must have a logdir"):
        projector.visualize_embeddings("", config)


def test_parameters_are_counted_and_printed(capfd):
    from tfqueue.v1.contrib.tfprof.python.tools.tfprof import model_analyzer

    tf.get_variable("w", [3, 4])
    tf.get_variable("fixed", [5], trainable=False)
    assert contrib.tfprof.model_analyzer is model_analyzer
    assert contrib.tfprof.tfprof_logger.write_op_log is tf.profiler.write_op_log
    found = model_analyzer.print_model_analysis(tf.get_default_graph())
    assert found.total_parameters == 12
    assert "w (3x4, 12/12 params)" in capfd.readouterr().out


MATRIX = [[2.0, 0.0], [1.0, 4.0]]
OPERATORS = {
    "LinearOperatorDiag": (lambda made: made([2.0, 4.0]), [[2, 0], [0, 4]]),
    "LinearOperatorFullMatrix": (lambda made: made(MATRIX), MATRIX),
    "LinearOperatorIdentity": (lambda made: made(2), [[1, 0], [0, 1]]),
    "LinearOperatorMatrix": (lambda made: made(MATRIX), MATRIX),
    "LinearOperatorScaledIdentity": (lambda made: made(2, 3.0), [[3, 0], [0, 3]]),
    "LinearOperatorTriL": (lambda made: made([[2.0, 9.0], [1.0, 4.0]]), MATRIX),
    "LinearOperatorUDVHUpdate": (
        lambda made: made(contrib.linalg.LinearOperatorDiag([1.0, 3.0]), [[1.0], [1.0]]),
        [[2, 1], [1, 4]],
    ),
    "LinearOperatorComposition": (
        lambda made: made([contrib.linalg.LinearOperatorTriL(MATRIX)] * 2),
        [[4, 0], [6, 16]],
    ),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_has_its_methods_of_1_0(name):
    build, matrix = OPERATORS[name]
    operator = build(getattr(contrib.linalg, name))
    matrix = np.array(matrix)
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    applied, adjoint, solved, determinant, added, dense = value(
        [
            *(operator.apply(x), operator.apply(x, adjoint=True), operator.solve(x)),
            *(operator.determinant(), operator.add_to_tensor(tf.ones([2, 2])), operator.to_dense()),
        ]
    )
    given = value(x)
    np.testing.assert_allclose(dense, matrix)
    np.testing.assert_allclose(applied, matrix @ given)
    np.testing.assert_allclose(adjoint, matrix.T @ given)
    np.testing.assert_allclose(matrix @ solved, given, rtol=1e-5)
    np.testing.assert_allclose(determinant, np.linalg.det(matrix), rtol=1e-5)
    np.testing.assert_allclose(added, matrix + 1)


def test_an_operator_of_linalg_is_one_of_contribs():
    of_today = tf.linalg.LinearOperatorDiag([1.0])
    made = contrib.linalg.LinearOperatorDiag([1.0])
    assert isinstance(of_today, contrib.linalg.LinearOperatorDiag)
    assert isinstance(made, tf.linalg.LinearOperatorDiag)
    assert isinstance(made, contrib.linalg.LinearOperator)
    assert not isinstance(made, contrib.linalg.LinearOperatorTriL)
    assert not hasattr(of_today, "apply")


@pytest.mark.parametrize("epochs", [None, 2])
def test_a_shared_list_gives_each_name_once_whoever_asks(epochs):
    """Two servers with one parameter server would be two sessions on one variable, as here."""
    server = tf.train.Server.create_local_server()
    name = contrib.input_pipeline.seek_next(["a", "b", "c"], num_epochs=epochs)
    with tf.Session(server.target) as first, tf.Session(server.target) as second:
        first.run(tf.global_variables_initializer())
        got = [sess.run(name) for _ in range(3) for sess in (first, second)]
        assert got == [b"a", b"b", b"c"] * 2
        if epochs:
            with pytest.raises(tf.errors.OutOfRangeError):
                second.run(name)
        else:
            assert first.run(name) == b"a"


def test_a_shuffled_list_is_whole_in_each_epoch():
    name = contrib.input_pipeline.seek_next(list("abcd"), shuffle=True, seed=3, num_epochs=2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        got = [sess.run(name) for _ in range(8)]
    assert sorted(got[:4]) == sorted(got[4:]) == [b"a", b"b", b"c", b"d"]
    assert sorted(v.op.name for v in tf.global_variables()) == [
        "obtain_next/obtain_next_counter",
        "obtain_next/obtain_next_expanded_list",
        "obtain_next/obtain_next_filename_counter",
    ]


def test_modules_that_slim_imported(slim):
    made = contrib.slim.init_ops.zeros_initializer()
    assert value(made([2])).tolist() == [0, 0]
    assert contrib.slim.math_ops.reduce_sum is not None


def test_contrib_keras_is_keras():
    from tfqueue.v1.contrib.keras import layers
    from tfqueue.v1.contrib.keras.python.keras.layers import Dense

    assert layers.Dense is Dense is tf.keras.layers.Dense


def test_renormalization_goes_without_the_fused_op():
    """TensorFlow 1.4 and 1.15 add last, whatever `fused` says."""
    made = tf.layers.batch_normalization(
        tf.zeros([2, 2, 2, 3]), training=True, renorm=True, fused=True
    )
    assert made.op.type == "AddV2"


def test_slim_renorm(slim):
    """TensorFlow 1.15.5 gives this shape; `fused` is on there unless a program says otherwise."""
    made = contrib.slim.batch_norm(tf.ones([2, 8, 1, 4]), is_training=True, renorm=True)
    assert made.shape == (2, 8, 1, 4)


def test_what_a_scope_gives_to_convolution_reaches_conv2d(slim):
    """Up to 1.8 they were one function; the names are those of TensorFlow 1.4.1."""
    x = tf.ones([1, 4, 4, 3])
    with contrib.slim.arg_scope([contrib.slim.convolution], activation_fn=tf.nn.relu, scope="a"):
        with contrib.slim.arg_scope([contrib.slim.conv2d], activation_fn=tf.nn.elu):
            made = [
                contrib.slim.conv2d(x, 2, 3),
                contrib.slim.conv2d(x, 2, [3, 3], 2, "SAME", scope="b"),
                tf.contrib.layers.convolution2d(x, 2, 3, activation_fn=tf.nn.relu, scope="c"),
            ]
    assert [one.op.name for one in made] == ["a/Elu", "b/Elu", "c/Relu"]
    assert contrib.slim.conv2d(x, 2, 3).op.name == "Conv/Relu"


def test_name_scope_with_tensors_in_the_second_place():
    """Up to 1.7 what stood there was not looked at where there is a name; the names are 1.4.1's."""
    x = tf.constant(1.0)
    with tf.name_scope("n", [x]) as first, tf.name_scope("n", values=[x]) as second:
        assert (first, second) == ("n/", "n/n/")
    with tf.name_scope(None, "d", [x]) as third:
        assert third == "d/"
    with pytest.raises(TypeError):
        tf.name_scope(None, [x])


# Packages that have a release for TensorFlow 2.21, or need none of a certain release.
RUN_HERE = {
    *("google-cloud-bigquery", "google-cloud-bigtable", "keras-tuner", "lmdb", "ydf"),
    *("tensorflow-constrained-optimization", "tensorflow-model-optimization"),
    *("tensorflow-datasets", "tensorflow-gan", "tensorflow-probability", "tensorflow-text"),
}


def test_no_sentence_names_a_package_that_does_not_run_here():
    """tensorflow-io is for 2.16 alone; addons and -compression are for none."""
    from tfqueue.names import gone

    said = " ".join(row.use for row in gone.BY_NAME.values())
    assert set(re.findall(r"package ([\w-]+)", said)) <= RUN_HERE
    assert not re.search("addons|tensorflow-(io|compression|decision)", said)


def test_the_cells_stand_in_the_dictionary_of_their_package():
    rnn = contrib.rnn
    found = {name for name, value in vars(rnn).items() if isinstance(value, type)}
    assert {"BasicLSTMCell", "GRUCell", "NASCell", "LayerNormBasicLSTMCell"} <= found


def test_modules_of_1_0_are_attributes_of_the_cells_package():
    assert contrib.rnn.core_rnn_cell.DropoutWrapper is contrib.rnn.DropoutWrapper
    assert contrib.rnn.rnn_cell.LSTMStateTuple is contrib.rnn.LSTMStateTuple


def test_nest_has_its_names_of_then_and_of_today():
    nest = contrib.framework.nest
    assert [nest.is_sequence(value) for value in ([1], {"a": 1}, 1, "a")] == [
        True,
        True,
        False,
        False,
    ]
    assert nest.flatten([1, (2, 3)]) == [1, 2, 3]
    assert nest.map_structure(abs, [-1, -2]) == [1, 2]


def test_jit_scope_of_the_compiler():
    from tfqueue.v1.contrib.compiler import jit

    assert contrib.compiler.jit is jit
    with jit.experimental_jit_scope():
        inside = tf.constant([1.0]) * 2
    with contrib.compiler.jit.experimental_jit_scope(compile_ops=False):
        outside = tf.constant([1.0]) * 2
    assert [each.op.get_attr("_XlaCompile") for each in (inside, outside)] == [True, False]


def test_the_functions_of_nn():
    nn = contrib.nn
    logits = tf.constant([[1.0, 2, -1], [0.5, 0, 3]])
    labels = tf.constant([[0.0, 1, 0], [0.2, 0.3, 0.5]])
    x = tf.constant([[-3.0, -0.1, 0.2, 8.0], [1.0, 2.0, 0.0, -1.0]])
    fetches = [
        nn.deprecated_flipped_softmax_cross_entropy_with_logits(logits, labels),
        nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(logits, [1, 2]),
        nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(logits, labels),
        nn.alpha_dropout(x, 0.6, seed=3),
        nn.alpha_dropout(x, tf.constant(0.5), noise_shape=[2, 1], seed=4),
    ]
    wanted = [  # TensorFlow 1.15.5 printed these and the next test's
        [0.349012, 1.523873],
        [0.349012, 0.123873],
        [[1.313262, 0.126928, 0.313262], [0.874077, 0.693147, 1.548587]],
        [[-0.910642, -0.910642, 0.779751, -0.910642], [1.470377, -0.910642, -0.910642, -0.910642]],
        [[-1.880021, 0.690553, 0.956475, 7.870433], [-0.779194] * 4],
    ]
    for got, expected in zip(value(fetches), wanted, strict=True):
        np.testing.assert_allclose(got, expected, rtol=2e-6)
    assert nn.alpha_dropout(x, 1.0) is x
    assert fetches[3].op.name == "alpha_dropout/add_2"
    with pytest.raises(ValueError, match=r"at most 1; got 1\.5"):
        nn.alpha_dropout(x, 1.5)


def test_the_scaled_softplus_and_its_slopes():
    x = tf.constant([[-3.0, -0.1, 0.2, 8.0], [1.0, 2.0, 0.0, -1.0]])
    alpha, clip = tf.constant(0.7), tf.constant(2.5)
    one, two = (contrib.nn.scaled_softplus(x, alpha, *more) for more in ([], [clip]))
    slopes = tf.gradients(one, [x, alpha]) + tf.gradients(two, [x, alpha, clip])
    slope = [[0.013577, 0.464346, 0.570947, 0.999989], [0.806679, 0.945687, 0.5, 0.193321]]
    wanted = [
        [[0.009569, 0.436987, 0.592322, 8.000008], [1.150381, 2.039091, 0.485203, 0.150381]],
        [[0.009569, 0.436987, 0.592322, 2.5], [1.150381, 2.039091, 0.485203, 0.150381]],
        *(slope, 3.331819, [[*slope[0][:3], 0], slope[1]], 3.331684, 1.0),
    ]
    for got, expected in zip(value([one, two, *slopes]), wanted, strict=True):
        np.testing.assert_allclose(got, expected, rtol=3e-5)
    rows = tf.constant([[1.0], [0.1]])
    wide = contrib.nn.scaled_softplus(x, rows, clip) * x
    got = value(tf.gradients(wide, [rows, clip]))
    np.testing.assert_allclose(got[0], [[-0.50415], [0]], atol=1e-5)
    assert got[1] == 8.0


@pytest.mark.parametrize(
    ("kind", "factor", "tags", "score"),
    [  # as TensorFlow 1.15.5 printed them: each step is rounded to the scores' own type
        ("f4", 1, [2, 0, 0, 0, 0, 0], 10.866042137145996),
        ("f8", 1, [2, 0, 0, 0, 0, 0], 10.866042320234058),
        ("f2", 1, [2, 0, 0, 0, 0, 0], 10.8671875),
        ("i4", 10, [2, 2, 2, 1, 1, 2], 41),
    ],
)
def test_the_best_path_has_the_scores_type(kind, factor, tags, score):
    potentials = np.random.RandomState(0).rand(6, 3).astype("f4") * factor
    transitions = np.random.RandomState(1).randn(3, 3)
    path, best = contrib.crf.viterbi_decode(potentials.astype(kind), transitions)
    assert (path, best, best.dtype) == (tags, score, kind)
    assert [one.dtype for one in path] == [np.int32] * 5 + [np.int64]


@pytest.mark.parametrize("of_release", ["1.8", "1.9"], indirect=True)
def test_a_sequence_of_no_length_counted_as_one_step_up_to_1_8(of_release):
    """The values are those of 1.8.0 and 1.9.0."""
    draw = np.random.RandomState(14)
    potentials, tags = draw.randn(3, 7, 4).astype("f4"), np.arange(21, dtype="i4").reshape(3, 7) % 4
    transitions = np.random.RandomState(8).randn(4, 4).astype("f4")
    norm = contrib.crf.crf_log_norm(potentials, [7, 3, 0], transitions)
    likelihood, _ = contrib.crf.crf_log_likelihood(potentials, tags, [7, 3, 0], transitions)
    last = 2.9037 if of_release == "1.8" else 0.0
    found = value([norm, likelihood])
    assert found[0] == pytest.approx([20.7891, 4.6965, last], abs=1e-4)
    assert found[1] == pytest.approx([-9.6660, -5.4160, -last], abs=1e-4)


@pytest.mark.parametrize("of_release", ["0.12", "1.0"], indirect=True)
def test_a_confusion_matrix_has_a_row_for_each_prediction_up_to_0_12(of_release):
    function, first, second = contrib.metrics.confusion_matrix, [0, 3, 2, 2], [0, 1, 2, 3]
    rows = [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 0]]
    named = function(predictions=first, labels=second)
    assert value(function(first, second)).tolist() == rows
    assert value(named).tolist() == (rows if of_release == "0.12" else np.transpose(rows).tolist())


@pytest.mark.parametrize("of_release", ["1.1", "1.2"], indirect=True)
def test_two_cells_had_one_tensor_for_a_state_up_to_1_1(of_release):
    cell = contrib.rnn.CoupledInputForgetGateLSTMCell(3)
    attending = contrib.rnn.AttentionCellWrapper(tf.nn.rnn_cell.GRUCell(3), 2)
    expected = (6, 12) if of_release == "1.1" else ((3, 3), (3, 3, 6))
    assert (cell.state_size, attending.state_size) == expected
    assert contrib.rnn.CoupledInputForgetGateLSTMCell(3, state_is_tuple=True).state_size == (3, 3)


@pytest.mark.parametrize("of_release", ["1.3", "1.4"], indirect=True)
def test_batch_normalization_of_slim_is_not_fused_up_to_1_3(slim, of_release):
    batch_norm, scope = contrib.slim.batch_norm, contrib.slim.arg_scope
    x = np.random.RandomState(0).randn(4, 5).astype("f")

    def kept():
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(updates)
            return [sess.run(v)[0] for v in tf.global_variables() if "variance" in v.name]

    batch_norm(x, decay=0.9)
    batch_norm(x, decay=0.9, fused=True)
    with scope([batch_norm], fused=True):
        batch_norm(x, decay=0.9)
    contrib.layers.batch_norm(x, decay=0.9, fused=False)
    fused, plain = 1.0266, 0.9950
    first = plain if of_release == "1.3" else fused
    assert kept() == pytest.approx([first, fused, fused, plain], abs=1e-4)


def test_a_python_function_takes_tensors_by_name_and_gives_a_structure():
    """What it gives is what 1.15.5 gave."""
    py_func = contrib.framework.py_func
    x = tf.constant([1.0, 2.0])

    def two(a, scale=1.0):
        return {"a": a * scale, "b": (np.int64(len(a)),)}

    types, shapes = {"a": tf.float32, "b": (tf.int64,)}, {"a": [2], "b": ([],)}
    made = py_func(two, [x], {"scale": x}, types, shapes, name="two")
    assert (made["a"].name, made["a"].shape, made["b"][0].shape) == ("two:0", (2,), ())
    got = value(made)
    assert (got["a"].tolist(), got["b"]) == ([1.0, 4.0], (2,))
    asked = py_func(np.sinh, (x,), output_types=lambda v: v.dtype, output_shapes=lambda v: v.shape)
    assert asked.shape == (2,)
    assert value(asked).tolist() == np.sinh(np.float32([1.0, 2.0])).tolist()
    with pytest.raises(TypeError, match="args must be a list"):
        py_func(np.sinh, x, output_types=tf.float32)
    wrong = py_func(lambda: np.float32(1), output_types=[tf.float32])
    with pytest.raises(tf.errors.InvalidArgumentError, match="must also be a sequence"):
        value(wrong)


def test_a_cell_of_a_program_may_have_a_method_that_builds():
    class Mine(contrib.rnn.LayerNormBasicLSTMCell):
        def _build(self, inputs, state):
            return super().call(inputs, state)

    assert Mine(3, norm_gain=2.0).output_size == 3


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "from tfqueue.v1.contrib.opt.python.training.agn_optimizer import AGNOptimizer",
            "tf.contrib.opt.AGNOptimizer is gone since TensorFlow 2.0: an optimizer of tf.train",
        ),
        (
            "from tfqueue.v1.contrib.image.python.ops.sparse_image_warp import sparse_image_warp",
            "tf.contrib.image.sparse_image_warp is gone since TensorFlow 2.0: scipy.interpolate",
        ),
    ],
)
def test_an_import_out_of_an_inner_module_says_what_to_use(line, said):
    with pytest.raises(ImportError) as caught:
        exec(f"try:\n {line}\nfinally:\n pass", {})
    assert str(caught.value).startswith(said)


def test_an_attribute_of_an_inner_module_is_asked_for_without_an_import():
    inner = importlib.import_module("tfqueue.v1.contrib.image.python.ops.image_ops")
    assert not hasattr(inner, "bipartite_match")
    with pytest.raises(AttributeError, match="bipartite_match is gone since TensorFlow 2"):
        _ = inner.bipartite_match


def test_distances_are_computed_by_the_module_inside():
    pytest.importorskip("tf_slim")
    inner = importlib.import_module(
        "tfqueue.v1.contrib.losses.python.metric_learning.metric_loss_ops"
    )
    with tf.Graph().as_default(), tf.Session() as sess:
        points = tf.constant([[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]])
        # printed by TensorFlow 1.15.5
        expected = [[0.0, 5.0, 3.0], [5.0, 0.0, 4.0], [3.0, 4.0, 0.0]]
        np.testing.assert_allclose(sess.run(inner.pairwise_distance(points)), expected, 1e-6)


OLD_CALL = """
import tfqueue.v1 as tf
from tfqueue.v1.contrib.learn.python.learn.estimators import dnn
from tfqueue.v1.contrib.training.python.training.resample import weighted_resample

values, rate = weighted_resample([[1.0]], tf.constant([1.0]), 1.0, None, 0.999, 10, 3)
print(rate.dtype.name)
print(*(name for name, _ in dnn.DNNClassifier.__init__._tfqueue_forms.rows))
"""


def test_a_function_takes_old_calls_where_its_package_was_never_looked_at():
    """Up to 0.12 `weighted_resample` took `warmup` in front of the seed."""
    done = children.run(["-c", OLD_CALL])
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["float32", "contrib.learn.DNNClassifier"]


@pytest.mark.filterwarnings("ignore:`layer:UserWarning")  # in tf_slim
def test_the_gradients_of_divisive_normalization(slim):
    images = tf.constant(np.random.RandomState(0).randn(1, 2, 2, 3).astype(np.float32))
    normal = tf.contrib.layers.gdn(images)
    loss = tf.reduce_sum(tf.square(normal) * [1.0, 2.0, 3.0])
    beta, gamma = tf.trainable_variables()
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = sess.run(tf.gradients(loss, beta)[0])
        for _ in range(3):
            sess.run(step)
        trained = sess.run([loss, gamma])
    np.testing.assert_allclose(found, [-9.9158, -8.4631, -18.2710], rtol=1e-4)
    np.testing.assert_allclose(trained[0], 2.6394, rtol=1e-4)
    np.testing.assert_allclose(trained[1], np.diag([1.5563, 1.3268, 1.2637]), atol=1e-3)
