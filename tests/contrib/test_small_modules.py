"""Modules of `tf.contrib` of a few functions: the values are those of TensorFlow 1.15.5 unless said otherwise."""

import logging
import types

import numpy as np
import pytest

import tfqueue.v1 as tf

contrib = tf.contrib
layers, learn = contrib.layers, contrib.learn


def test_a_shuffled_list_comes_in_the_order_of_its_seed():
    seek = contrib.input_pipeline.seek_next
    for epochs, expected in ((None, b"dacbdacb"), (2, b"dacbdabc")):
        with tf.Graph().as_default(), tf.Session() as sess:
            name = seek(list("abcd"), shuffle=True, seed=3, num_epochs=epochs)
            sess.run(tf.global_variables_initializer())
            assert b"".join(sess.run(name) for _ in range(8)) == expected


def test_a_counter_of_strings_goes_around():
    with tf.Graph().as_default(), tf.Session() as sess:
        counter = tf.Variable(tf.constant(-1, tf.int64))
        name = contrib.input_pipeline.obtain_next(tf.constant(["a", "b"]), counter)
        sess.run(tf.global_variables_initializer())
        assert [(sess.run(name), int(sess.run(counter))) for _ in range(3)] == [
            (b"a", 0),
            (b"b", 1),
            (b"a", 0),
        ]


def test_predictions_and_labels_keep_their_order():
    squeezed = contrib.framework.remove_squeezable_dimensions
    with tf.Graph().as_default(), tf.Session() as sess:
        for predictions, labels in (([[1], [2]], [3, 4]), ([1, 2], [[3], [4]]), ([1, 2], [3, 4])):
            found = squeezed(tf.constant(predictions), labels=tf.constant(labels))
            assert [one.tolist() for one in sess.run(found)] == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("expected", "known", "same"),
    [
        ([2, 1], [2, 1], True),
        ([1, 2], [2, 1], False),
        ([2], [2, 1], False),
        ([2, 1], None, True),
        ([2, 1], [None, 1], True),
        ([1, 2], None, False),
        ([2], None, False),
        (tf.TensorShape([2, 1]), None, True),
        ("fed [2, 1]", None, True),
        ("fed [3]", None, False),
    ],
)
def test_a_shape_that_is_asked_for_is_found_or_an_error(expected, known, same):
    """As in 1.15.5: a ValueError while the graph is built, if that can be known then."""
    framework, value = contrib.framework, np.float32([[1], [2]])
    feeds = {}
    if isinstance(expected, str):
        feeds[fed := tf.placeholder(tf.int32, [None])] = eval(expected.removeprefix("fed "))
        expected = fed
    if known == [2, 1]:
        tensor = tf.constant(value)
    else:
        feeds[tensor := tf.placeholder(tf.float32, known)] = value
    if known == [2, 1] and not same:
        with pytest.raises(ValueError, match="Invalid shape for tensor Const:0, expected"):
            framework.with_shape(expected, tensor)
        return
    checked = framework.with_shape(expected, tensor)
    with tf.Session() as sess:
        if same:
            assert sess.run(checked, feeds).tolist() == [[1], [2]]
            assert not isinstance(expected, list) or checked.shape.as_list() == expected
        else:
            with pytest.raises(tf.errors.InvalidArgumentError, match="Wrong shape for Placeholder"):
                sess.run(checked, feeds)


def test_a_shape_is_of_int32_and_may_be_that_of_another_tensor():
    framework, pair = contrib.framework, tf.constant([1, 2])
    for wrong in ([2.0], np.int64([2]), tf.constant([2], tf.int64), [None]):
        with pytest.raises(ValueError, match="Invalid dtype"):
            framework.with_shape(wrong, pair)
    assert framework.with_same_shape(tf.constant([3.0, 4.0]), pair) is pair
    with pytest.raises(ValueError, match=r"expected .2., got .1,"):
        framework.with_same_shape(pair, tf.constant([3]))
    fed = tf.placeholder(tf.int32)
    with tf.Session() as sess:
        checked = framework.with_same_shape(pair, fed)
        assert sess.run(checked, {fed: [5, 6]}).tolist() == [5, 6]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Wrong shape"):
            sess.run(checked, {fed: [5, 6, 7]})


def test_whole_numbers_sums_and_placeholders():
    framework, fed = contrib.framework, tf.placeholder(tf.float32, name="x")
    for wrong in (tf.constant([3]), tf.constant(3.0)):
        with pytest.raises(ValueError, match=r"Expected (scalar|integer)"):
            framework.assert_scalar_int(wrong)
    sums = [tf.constant(1.0), tf.constant([2.0, 3.0]), tf.constant([[1.0, 1.0]])]
    total = framework.reduce_sum_n(sums)
    assert total.op.name == "reduce_sum_n"  # as in 1.15.5
    with pytest.raises(ValueError, match="No tensors"):
        framework.reduce_sum_n([])
    assert framework.get_placeholders(tf.get_default_graph()) == [fed]
    with tf.Session() as sess:
        assert sess.run([framework.assert_scalar_int(3), total]) == [3, 8.0]
        assert sess.run(framework.reduce_sum_n(sums[1:2])) == 5.0


def test_a_parameter_of_the_programs_own_class_is_set():
    class Pair:
        def __init__(self, first):
            self.first = first

    made = contrib.training.HParams(pair=Pair(1))
    made.set_hparam("pair", Pair(2))
    assert made.pair.first == 2


def test_columns_go_into_tf_feature_column():
    """What 1.15.5 gives, and the names of its variables."""
    words = layers.sparse_column_with_hash_bucket("s", 10)
    kinds = layers.one_hot_column(layers.sparse_column_with_keys("k", ["a", "b"]))
    number = layers.real_valued_column("y", normalizer=lambda value: value * 2)
    buckets = layers.bucketized_column(layers.real_valued_column("y"), [0.0, 1.0])
    pair = layers.real_valued_column("x", dimension=2)
    crossed = layers.crossed_column([words, kinds.sparse_id_column], 7)
    with tf.Graph().as_default(), tf.Session() as sess:
        features = {
            "x": tf.constant([[1.0, 2.0], [3.0, 4.0]]),
            "s": tf.constant([["u"], ["v"]]),
            "y": tf.constant([[0.5], [2.0]]),
            "k": tf.constant([["a"], ["b"]]),
            "z": tf.constant([[1.5], [3.0]]),
        }
        core = tf.feature_column.numeric_column("z")
        dense = tf.feature_column.input_layer(features, [pair, number, buckets, kinds, core])
        tf.feature_column.linear_model(features, [pair, buckets, words, crossed])
        tf.feature_column.input_layer(features, [layers.embedding_column(words, 3)])
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        assert sess.run(dense).tolist() == [
            [1, 0, 1, 2, 1, 0, 1, 0, 1.5],
            [0, 1, 3, 4, 4, 0, 0, 1, 3],
        ]
        assert {v.op.name: v.shape.as_list() for v in tf.global_variables()} == {
            "input_layer_1/s_embedding/weights": [10, 3],
            "linear_model/bias_weights": [1],
            "linear_model/k_X_s/weights": [7, 1],
            "linear_model/s/weights": [10, 1],
            "linear_model/x/weights": [2, 1],
            "linear_model/y_bucketized/weights": [3, 1],
        }
    assert sorted(tf.feature_column.make_parse_example_spec([crossed, buckets])) == ["k", "s", "y"]


def test_an_estimator_takes_columns_of_contrib(tmp_path):
    number = layers.real_valued_column("y")

    def examples():
        return {"y": tf.constant([[0.5], [2.0]])}, tf.constant([[0], [1]])

    made = tf.estimator.DNNClassifier([4], [number], model_dir=str(tmp_path))
    made.train(examples, steps=2)
    assert made.get_variable_value("dnn/hiddenlayer_0/kernel").shape == (1, 4)


def test_a_view_of_a_graph_with_other_inputs_or_outputs():
    ge = contrib.graph_editor
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    c = tf.add(a, b, name="c")
    d = tf.multiply(a, c, name="d")
    view = ge.sgv([c.op, d.op])

    def ends(made):
        return [t.op.name for t in made.inputs], [t.op.name for t in made.outputs]

    assert ends(view) == ends(view.remap()) == ends(view.remap(None, [d])) == (["a", "b"], ["d"])
    assert ends(view.remap([1, 0])) == (["b", "a"], ["d"])
    assert ends(view.remap([b], [0, 0])) == (["b"], ["d", "d"])
    assert ends(view.remap(new_output_indices=[])) == (["a", "b"], [])
    with pytest.raises(ValueError, match="repetition"):
        view.remap_inputs([0, a])


def test_the_key_of_a_column_leaves_out_what_differs_from_run_to_run():
    words = layers.sparse_column_with_hash_bucket("w", 10)
    assert layers.real_valued_column("x", normalizer=abs).key == (
        "_RealValuedColumn(column_name=x, dimension=1, default_value=None, dtype=<dtype: 'float32'>)"
    )
    assert layers.embedding_column(words, 2).key == (
        "_EmbeddingColumn(sparse_id_column=_SparseColumnHashed(column_name='w', "
        "is_integerized=False, bucket_size=10, lookup_config=None, combiner='sum', "
        "dtype=tf.string), dimension=2, combiner=mean, ckpt_to_load_from=None, "
        "tensor_name_in_ckpt=None, shared_embedding_name=None, shared_vocab_size=None, "
        "max_norm=None, trainable=True)"
    )


SLOPES = {
    "dnn/hiddenlayer_0/biases/part_0": [0.42513516545295715, 0.2476966679096222],
    "dnn/hiddenlayer_0/weights/part_0": [
        [0.3420169949531555, 0.20278769731521606],
        [-0.10844846814870834, -0.40517833828926086],
    ],
    "dnn/logits/biases/part_0": [0.3502703309059143],
    "dnn/logits/weights/part_0": [[0.22569355368614197], [0.015760451555252075]],
    "linear//weight/part_0": [[-0.7638641595840454], [1.0671508312225342]],
    "linear/bias_weight/part_0": [-0.098918616771698],
}
LAYERS = ["dnn/dnn/hiddenlayer_0", "dnn/dnn/logits", "linear/linear"]


def trained(estimator):
    """Predictions, loss, summaries and step of one step of training, and what the variables are then."""
    features = tf.constant([[1.0, 2.0], [3.0, -4.0]])
    step = tf.train.create_global_step()
    made = estimator._ops(features, tf.constant([[1.0], [2.0]]), "train")
    summaries = [op.name for op in tf.get_default_graph().get_operations() if "Summary" in op.type]
    variables = {v.op.name: v for v in tf.trainable_variables()}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for variable in variables.values():
            shape = variable.shape.as_list()
            values = np.cos(np.arange(np.prod(shape))).reshape(shape) * 0.5
            variable.load(values.astype(np.float32), sess)
        scores, loss = sess.run([made.predictions["scores"], made.loss])
        sess.run(made.train_op)
        return scores, loss, sorted(summaries), *sess.run([step, variables])


def test_a_wide_and_deep_model_takes_one_step():
    number = layers.real_valued_column("", 2)
    scores, loss, summaries, step, variables = trained(
        learn.DNNLinearCombinedRegressor(
            linear_feature_columns=[number],
            dnn_feature_columns=[number],
            dnn_hidden_units=[2],
            linear_optimizer="SGD",
            dnn_optimizer="SGD",
        )
    )
    np.testing.assert_allclose(scores, [2.332229, 3.662364], rtol=1e-5)
    np.testing.assert_allclose(loss, 2.269144, rtol=1e-5)
    values = [
        f"{name}/{each}" for name in LAYERS for each in ("activation", "fraction_of_zero_values")
    ]
    assert summaries == values  # and of the loss, which is told where it is trained
    assert step == 2
    assert variables.keys() == SLOPES.keys()
    for name, value in SLOPES.items():
        np.testing.assert_allclose(variables[name], value, rtol=1e-4, err_msg=name)


def test_a_linear_model_takes_one_step():
    number = layers.real_valued_column("", 2)
    scores, loss, summaries, step, variables = trained(
        learn.LinearRegressor([number], optimizer="SGD")
    )
    np.testing.assert_allclose(scores, [1.5403023, 0.91939545], rtol=1e-5)
    np.testing.assert_allclose(loss, 0.72981644, rtol=1e-5)
    assert (summaries, step) == ([], 1)
    assert variables["linear//weight/part_0"].tolist() == [
        [pytest.approx(1.0403022766113281)],
        [pytest.approx(-0.8104534149169922)],
    ]
    np.testing.assert_allclose(variables["linear/bias_weight/part_0"], [0.60806048], rtol=1e-5)


def test_mnist_is_looked_for_in_the_folder_that_is_given(monkeypatch):
    module = learn.datasets.mnist
    monkeypatch.setattr(module, "read_data_sets", lambda folder: ("sets of", folder))
    assert learn.datasets.load_mnist("here") == ("sets of", "here")
    assert learn.datasets.load_mnist() == ("sets of", "MNIST-data")


@pytest.mark.parametrize("counts", [{}, {"nit": 3}, {"nit": 3, "nfev": 5}])
def test_what_scipys_method_counted_is_logged(counts, caplog):
    optimize = pytest.importorskip("scipy.optimize")
    x = tf.get_variable("x", initializer=np.float32([3, 4]))
    asked = {}

    def method(function, start, **given):
        asked.update(given, start=start, found=function(start))
        found = np.array([1.0, 2.0])
        return optimize.OptimizeResult(x=found, fun=0.5, message=b"done", **counts)

    caplog.set_level(logging.INFO, "tensorflow")
    interface = contrib.opt.ScipyOptimizerInterface(tf.reduce_sum(x * x), method=method)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        interface.minimize(sess)
        assert sess.run(x).tolist() == [1, 2]
    assert asked["found"] == 25
    assert (asked["start"].dtype, asked["start"].tolist()) == (np.float64, [3, 4])
    (said,) = [text for record in caplog.records if "terminated" in (text := record.getMessage())]
    lines = [
        "Optimization terminated with:",
        "  Message: done",
        "  Objective function value: 0.500000",
    ]
    for name, what in (("nit", "iterations"), ("nfev", "functions evaluations")):
        if name in counts:
            lines.append(f"  Number of {what}: {counts[name]}")
    assert said.splitlines() == lines


@pytest.mark.parametrize(
    ("given", "own", "expected"), [(7, 9, 7), (None, 9, 9), (None, None, None)]
)
def test_an_evaluation_in_a_session_of_the_programs_own(given, own, expected):
    """What TensorFlow 0.12.1 did; but it failed where the graph had no step."""
    pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")
    evaluation = contrib.slim.evaluation.evaluation
    seen, fed, did = tf.Variable(0), tf.placeholder(tf.int32, []), []
    if own is not None:
        tf.train.create_global_step().assign(own, name="step")
    writer = types.SimpleNamespace(
        add_summary=lambda text, step: did.append((tf.Summary.FromString(text), step)),
        flush=lambda: did.append("flush"),
    )
    summary = tf.summary.scalar("a", fed)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        if own is not None:
            sess.run("step")
        result = evaluation(
            sess,
            3,
            seen.initializer,
            None,
            seen.assign_add(fed),
            {fed: 2},
            seen + fed,
            {fed: 100},
            summary,
            {fed: 5},
            writer,
            None if given is None else tf.constant(given),
        )
        assert result == 106
        (written, at), flushed = did
        assert (written.value[0].tag, written.value[0].simple_value) == ("a", 5)
        assert (at, flushed) == (expected, "flush")
        assert evaluation(sess, 2, eval_op=seen.assign_add(1), summary_op=summary) is None
        assert sess.run(seen) == 8
    assert len(did) == 2


def test_detached_ops_wait_for_those_of_their_view_alone():
    ge = contrib.graph_editor
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    with tf.control_dependencies([a]):
        c = tf.identity(b, name="c")
    with tf.control_dependencies([c, a]):
        d = tf.identity(b, name="d")
    ge.detach_control_inputs(ge.sgv([c.op, d.op]))
    assert [names(t.op.control_inputs) for t in (c, d)] == [[], ["c"]]
    _, made = ge.detach_inputs(ge.sgv([d.op]), control_inputs=True)
    assert names(made) == names(d.op.inputs) == ["geph__b_0:0"]
    assert names(d.op.control_inputs) == []


def test_those_that_wait_for_a_view_do_so_no_longer_when_its_outputs_are_detached():
    ge = contrib.graph_editor
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    c = tf.add(a, b, name="c")
    with tf.control_dependencies([c]):
        outside, inside = tf.identity(b, name="outside"), tf.identity(a, name="inside")
    after = tf.multiply(c, b, name="after")
    view = ge.sgv([c.op, inside.op])
    _, made = ge.detach_outputs(view, ge.ControlOutputs(tf.get_default_graph()))
    assert names(made) == ["geph__c_0:0"]
    assert names(after.op.inputs) == ["geph__c_0:0", "b:0"]
    waiting = [names(t.op.control_inputs) for t in (outside, inside)]
    assert waiting == [[], ["c"]]


def names(each):
    return [one.name for one in each]


def test_batches_without_the_last_partial_one():
    whole = tf.data.Dataset.range(5).apply(contrib.data.batch_and_drop_remainder(2))
    ragged = tf.data.Dataset.range(1, 6).map(tf.range)
    padded = ragged.apply(
        contrib.data.padded_batch_and_drop_remainder(2, [None], tf.constant(-1, tf.int64))
    )
    shapes = [tf.data.get_output_shapes(made).as_list() for made in (whole, padded)]
    assert shapes == [[2], [2, None]]
    expected = [[[0, 1], [2, 3]], [[[0, -1], [0, 1]], [[0, 1, 2, -1], [0, 1, 2, 3]]]]
    for made, batches in zip((whole, padded), expected, strict=True):
        following = tf.data.make_one_shot_iterator(made).get_next()
        with tf.Session() as sess:
            assert [sess.run(following).tolist() for _ in batches] == batches
            with pytest.raises(tf.errors.OutOfRangeError):
                sess.run(following)


def test_views_without_a_graph_go_with_any():
    util = contrib.graph_editor.util
    view = contrib.graph_editor.sgv(tf.constant(1.0).op)
    util.check_graphs(types.SimpleNamespace(graph=None), view, view)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Wrong graph"):
        util.check_graphs(view, contrib.graph_editor.sgv(tf.constant(1.0).op))


def test_who_waits_for_an_op():
    first = tf.constant(1.0, name="first")
    with tf.control_dependencies([first]):
        second = tf.constant(2.0, name="second")
    found = contrib.graph_editor.util.ControlOutputs(first.graph)
    assert found.get_all() == {first.op: [second.op]}
    assert (found.get(first.op), found.get(second.op)) == ([second.op], ())


def test_images_that_are_transformed_keep_their_shape():
    for shape in ([2, 4, 5, 1], [None, 4, 5, 1], [None, None, 5, 3]):
        images = tf.placeholder(tf.float32, shape)
        moved = contrib.image.transform(images, [1, 0, 1, 0, 1, 0, 0, 0])
        assert moved.shape.as_list() == shape
    images = tf.zeros([2, 4, 5, 1])
    other = contrib.image.transform(images, [1, 0, 1, 0, 1, 0, 0, 0], output_shape=[3, 3])
    assert other.shape.as_list() == [2, 3, 3, 1]


def test_a_vocabulary_tells_words_only_if_it_was_to():
    for reverse in (False, True):
        words = learn.preprocessing.CategoricalVocabulary(support_reverse=reverse)
        assert words.get("a") == 1
        if reverse:
            assert words.reverse(1) == "a"
        else:
            with pytest.raises(ValueError, match="support_reverse"):
                words.reverse(1)


def test_a_cell_that_walks_back_is_a_layer():
    assert contrib.crf.CrfDecodeBackwardRnnCell(3).variables == []
