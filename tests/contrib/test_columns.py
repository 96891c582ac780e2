"""Feature columns and canned estimators: what the goldens of 1.15.5 do not hold (`tests/golden`)."""

import numpy as np
import pytest

import tfqueue.v1 as tf

pytestmark = pytest.mark.slow

layers, learn = tf.contrib.layers, tf.contrib.learn
X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]], np.float32)
BINARY = np.array([0, 0, 1, 1])


def ran(build):
    with tf.Graph().as_default(), tf.Session() as sess:
        made = build()
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return sess.run(made)


def test_a_dense_feature_of_one_axis_is_a_column():
    def build():
        features = {"n": tf.constant([1.0, 2.0]), "s": tf.constant(["a", "b"])}
        words = layers.sparse_column_with_keys("s", ["b", "a"])
        columns = [layers.real_valued_column("n"), layers.one_hot_column(words)]
        return layers.input_from_feature_columns(features, columns)

    assert ran(build).tolist() == [[0, 1, 1], [1, 0, 2]]


def test_the_part_of_each_column_is_told():
    parts = {}

    def build():
        features = {"n": tf.constant([1.0, 2.0]), "m": tf.constant([[3.0, 4.0], [5.0, 6.0]])}
        columns = [layers.real_valued_column("n"), layers.real_valued_column("m", 2)]
        layers.input_from_feature_columns(features, columns, cols_to_outs=parts)
        return {column.name: part for column, part in parts.items()}

    found = {name: part.tolist() for name, part in ran(build).items()}
    assert found == {"n": [[1], [2]], "m": [[3, 4], [5, 6]]}


def test_placeholders_of_features():
    """Their names, shapes and kinds are 1.15.5's."""
    import tfqueue.contrib.layers.feature_column as column

    made = [layers.real_valued_column("n", dimension=2), layers.sparse_column_with_keys("s", ["b"])]
    with tf.Graph().as_default():
        found = column.make_place_holder_tensors_for_base_features(made)
    assert (found["n"].op.name, found["n"].shape.as_list()) == ("Placeholder_n", [None, 2])
    assert (found["n"].dtype, found["s"].dtype) == (tf.float32, tf.string)
    assert isinstance(found["s"], tf.SparseTensor)
    assert found["s"].values.op.name == "Placeholder_s/values"


def test_parsed_examples_go_through_columns():
    words = layers.sparse_column_with_keys("s", ["b", "a"])
    number = layers.real_valued_column("n", default_value=7)

    def build():
        feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a", b"a"]))
        example = tf.train.Example(features=tf.train.Features(feature={"s": feature}))
        serialized = tf.constant([example.SerializeToString()])
        parsed = layers.parse_feature_columns_from_examples(serialized, [words, number])
        return layers.transform_features(parsed, [words, number])

    got = ran(build)
    assert got[words].values.tolist() == [1, 1]
    assert got[number].tolist() == [[7.0]]


def test_a_table_of_weights_begins_with_a_checkpoint(tmp_path):
    words = layers.sparse_column_with_keys("s", ["b", "a"])
    with tf.Graph().as_default(), tf.Session() as sess:
        table = tf.get_variable("table", initializer=[[1.0, 2.0], [3.0, 4.0]])
        sess.run(table.initializer)
        path = tf.train.Saver().save(sess, str(tmp_path / "model"))

    def build():
        column = layers.embedding_column(
            words, 2, ckpt_to_load_from=path, tensor_name_in_ckpt="table"
        )
        return layers.input_from_feature_columns({"s": tf.constant([["a"], ["b"]])}, [column])

    assert ran(build).tolist() == [[3, 4], [1, 2]]


def test_hashed_ids_are_those_of_1_15():
    words = layers.sparse_column_with_hash_bucket("s", 1000)
    numbers = layers.sparse_column_with_hash_bucket("i", 1000, dtype=tf.int64)
    features = {
        "s": lambda: tf.constant(["a", "b", ""]),
        "i": lambda: tf.constant([3, -1, 12], tf.int64),
    }

    def build():
        given = {name: made() for name, made in features.items()}
        return layers.transform_features(given, [words, numbers])

    got = ran(build)
    assert (got[words].indices.tolist(), got[words].values.tolist()) == (
        [[0, 0], [1, 0]],
        [939, 822],
    )
    assert (got[numbers].indices.tolist(), got[numbers].values.tolist()) == (
        [[0, 0], [2, 0]],
        [921, 888],
    )


CROSSES = [  # ids of TensorFlow 1.15.5, of a sparse feature beside a dense one
    (None, [5, 3, 5]),
    (layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY, [5, 3, 8]),
]


@pytest.mark.parametrize(("hash_key", "ids"), CROSSES)
def test_crosses_are_those_of_1_15(hash_key, ids):
    column = layers.crossed_column(
        [
            layers.sparse_column_with_hash_bucket("city", 5),
            layers.sparse_column_with_hash_bucket("words", 5),
        ],
        11,
        hash_key=hash_key,
    )

    def build():
        words = tf.SparseTensor([[0, 0], [1, 0], [2, 0]], ["c", "b", "a"], [3, 1])
        features = {"city": tf.constant([["oslo"], ["rome"], ["rome"]]), "words": words}
        return layers.transform_features(features, [column])

    assert ran(build)[column].values.tolist() == ids


def real():
    return layers.real_valued_column("n")


def words():
    return layers.sparse_column_with_keys("s", ["a"])


def dense(*columns):
    features = {"n": tf.constant([1.0]), "s": tf.constant(["a"])}
    return layers.input_from_feature_columns(features, columns)


REFUSED = {
    "takes an embedding_column or a one_hot_column": lambda: dense(words()),
    "Duplicate feature column key": lambda: dense(
        real(), layers.real_valued_column("n", normalizer=tf.square)
    ),
    "found dict": lambda: layers.check_feature_columns({}),
    "is no column of tf.contrib.layers": lambda: dense(tf.feature_column.numeric_column("n")),
    "doesn't contain key": lambda: dense(layers.real_valued_column("none")),
    "not supported in linear models": lambda: layers.weighted_sum_from_feature_columns(
        {"s": tf.constant(["a"])}, [layers.one_hot_column(words())], 1
    ),
    "no hash_keys": lambda: layers.sparse_column_with_hash_bucket("s", 2, hash_keys=[[1, 2]]),
    "dtype must be string or integer": lambda: layers.sparse_column_with_hash_bucket(
        "s", 2, dtype=tf.float32
    ),
    "bucket_size must be at least 1": lambda: layers.sparse_column_with_hash_bucket("s", 0),
    "dtype must be an integer": lambda: layers.sparse_column_with_integerized_feature(
        "s", 2, dtype=tf.string
    ),
    "vocab_size should be defined": lambda: layers.sparse_column_with_vocabulary_file("s", "f"),
    "not convertible to float": lambda: layers.weighted_sparse_column(words(), "w", tf.string),
    "instances. .column": lambda: layers.crossed_column([real(), words()], 5),
    "at least 2 elements": lambda: layers.crossed_column([words()], 5),
    "hash_bucket_size must be at least 2": lambda: layers.crossed_column([words(), words()], 1),
    "Must specify both": lambda: layers.embedding_column(words(), 2, ckpt_to_load_from="x"),
    "initializer must be callable": lambda: layers.embedding_column(words(), 2, initializer=1),
    "dimension must be an integer": lambda: layers.real_valued_column("n", 1.5),
    "dimension must be greater than 0": lambda: layers.real_valued_column("n", 0),
    "convertible to float": lambda: layers.real_valued_column("n", dtype=tf.string),
    "length of default_value": lambda: layers.real_valued_column("n", 2, [1.0]),
    "compatible with dtype": lambda: layers.real_valued_column("n", 1, 1.5, tf.int64),
    "instance of _RealValuedColumn": lambda: layers.bucketized_column(words(), [1]),
    "non-empty list": lambda: layers.bucketized_column(real(), []),
    "must be a sorted list": lambda: layers.bucketized_column(real(), [2, 1]),
    "Only dense numbers": lambda: layers.infer_real_valued_columns({"s": tf.constant(["a"])}),
    "must be defined.": lambda: learn.LinearClassifier([]),
    "dnn_hidden_units must": lambda: learn.DNNRegressor([], [real()]),
    "n_classes must be > 1": lambda: learn.LinearClassifier([real()], n_classes=1),
    "label_keys is not supported": lambda: learn.LinearClassifier([real()], label_keys=["a", "b"]),
    "must equal n_classes": lambda: learn.DNNClassifier(
        [1], [real()], n_classes=3, label_keys=["a"]
    ),
    "enable_centered_bias is not here": lambda: learn.LinearRegressor(
        [real()], enable_centered_bias=True
    ),
    "Joint weights": lambda: learn.LinearClassifier([real()], _joint_weight=True),
    "Take all of them from one": lambda: learn.LinearClassifier(
        [real(), tf.feature_column.numeric_column("n")]
    ).fit(X, BINARY, steps=1),
    "Weights w missing": lambda: learn.LinearClassifier(
        learn.infer_real_valued_columns_from_input(X), weight_column_name="w"
    ).fit(X, BINARY, steps=1),
    "Labels dtype should be integer": lambda: learn.LinearClassifier(
        learn.infer_real_valued_columns_from_input(X), n_classes=3
    ).fit(X, X[:, 0], steps=1),
    "x nor input_fn|Either x or input_fn": lambda: learn.monitors.ValidationMonitor(),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_is_refused(sentence):
    with (
        tf.Graph().as_default(),
        pytest.raises((ValueError, TypeError, NotImplementedError), match=sentence),
    ):
        REFUSED[sentence]()


def test_arrays_as_the_tutorials_give_them(tmp_path):
    columns = learn.infer_real_valued_columns_from_input(X)
    assert [(column.name, column.dimension) for column in columns] == [("", 2)]
    model = learn.SKCompat(
        learn.DNNClassifier(
            [8],
            columns,
            str(tmp_path),
            optimizer=tf.train.AdamOptimizer(0.1),
            activation_fn=tf.tanh,
            dropout=0.01,
        )
    )
    model.fit(X, BINARY, steps=100)
    assert model.score(X, BINARY)["accuracy"] == 1.0
    assert model.predict(X)["classes"].tolist() == BINARY.tolist()
    again = learn.DNNClassifier([8], columns, str(tmp_path), activation_fn=tf.tanh)
    assert list(again.predict(X)) == BINARY.tolist()
    assert again.predict_classes(X, as_iterable=False).tolist() == BINARY.tolist()
    chances = again.predict_proba(X, as_iterable=False)
    np.testing.assert_allclose(chances.sum(1), 1.0, rtol=1e-5)
    metrics = {("right", "classes"): tf.metrics.accuracy}
    assert again.evaluate(X, BINARY, metrics=metrics)["right"] == 1.0


def test_a_function_among_a_regressors_metrics_measures_its_scores(tmp_path):
    columns = learn.infer_real_valued_columns_from_input(X)
    model = learn.DNNRegressor([3], columns, str(tmp_path)).fit(X, X[:, 0], steps=2)
    metrics = {"error": tf.metrics.mean_squared_error}
    measured = model.evaluate(X, X[:, 0], metrics=metrics)
    assert measured["error"] == pytest.approx(measured["loss"])
    assert model.predict(X, as_iterable=False).shape == (4,)


def test_columns_of_tf_feature_column_are_taken_too(tmp_path):
    column = tf.feature_column.numeric_column("x", [2])
    for kind, given in (
        (learn.LinearRegressor, {}),
        (learn.DNNRegressor, {"hidden_units": [2]}),
    ):
        model = kind(feature_columns=[column], **given)
        model.fit({"x": X}, X[:, 0], steps=2)
        assert len(list(model.predict({"x": X}))) == 4


def test_a_factor_of_an_embeddings_gradient(tmp_path):
    def inputs():
        return {"s": tf.constant(["a", "a"])}, tf.constant([1.0, 2.0])

    column = layers.embedding_column(words(), 2)
    model = learn.DNNRegressor([2], [column], embedding_lr_multipliers={column: 0.0})
    name = "dnn/input_from_feature_columns/s_embedding/weights"
    before = model.fit(input_fn=inputs, steps=1).get_variable_value(name)
    assert model.fit(input_fn=inputs, steps=3).get_variable_value(name).tolist() == before.tolist()
    other = learn.DNNRegressor([2], [real()], embedding_lr_multipliers={column: 0.0})
    with pytest.raises(ValueError, match="Couldn't find a variable"):
        other.fit({"n": X[:, 0]}, X[:, 0], steps=1)


def monitored(tmp_path, monitor, steps, save_checkpoints_steps=1):
    config = learn.RunConfig(save_checkpoints_steps=save_checkpoints_steps)
    model = learn.LinearRegressor(
        learn.infer_real_valued_columns_from_input(X), str(tmp_path), config=config
    )
    model.fit(X, X[:, 0], steps=steps, monitors=[monitor])
    return model


def test_a_validation_monitor_evaluates_new_checkpoints(tmp_path):
    seen = []

    def inputs():
        seen.append(True)
        return tf.constant(X), tf.constant(X[:, 0])

    monitor = learn.monitors.ValidationMonitor(
        input_fn=inputs, eval_steps=1, every_n_steps=2, check_interval_secs=None
    )
    monitored(tmp_path, monitor, 7)
    assert len(seen) == 3  # behind steps 2, 4 and 6
    assert not monitor.early_stopped


def test_a_validation_monitor_evaluates_a_checkpoint_once(tmp_path):
    seen = []

    def inputs():
        seen.append(True)
        return tf.constant(X), tf.constant(X[:, 0])

    monitor = learn.monitors.ValidationMonitor(
        input_fn=inputs, eval_steps=1, every_n_steps=1, check_interval_secs=None
    )
    monitored(tmp_path, monitor, 4, save_checkpoints_steps=100)
    assert len(seen) == 1


def test_a_validation_monitor_does_not_look_too_often(tmp_path):
    seen = []

    def inputs():
        seen.append(True)
        return tf.constant(X), tf.constant(X[:, 0])

    monitor = learn.monitors.ValidationMonitor(
        input_fn=inputs, eval_steps=1, every_n_steps=1, check_interval_secs=10**6
    )
    monitored(tmp_path, monitor, 4)
    assert len(seen) == 1


@pytest.mark.parametrize(("less_is_better", "last"), [(False, 3), (True, 6)])
def test_a_validation_monitor_ends_the_training(tmp_path, less_is_better, last):
    monitor = learn.monitors.ValidationMonitor(
        X,
        X[:, 0],
        every_n_steps=1,
        early_stopping_rounds=2,
        early_stopping_metric_minimize=less_is_better,
        check_interval_secs=None,
    )
    model = monitored(tmp_path, monitor, 6)
    assert model.get_variable_value("global_step") == last
    assert monitor.early_stopped != less_is_better
    assert monitor.best_step == (6 if less_is_better else 1)
    assert monitor.best_metrics["loss"] == monitor.best_value


def test_what_a_monitor_stops_for_has_to_be_measured(tmp_path):
    monitor = learn.monitors.ValidationMonitor(
        X, X[:, 0], every_n_steps=1, early_stopping_rounds=2, early_stopping_metric="none"
    )
    with pytest.raises(ValueError, match="Metric none missing"):
        monitored(tmp_path, monitor, 3)
    with pytest.raises(AttributeError, match=r"monitors\.PrintTensor is gone"):
        learn.monitors.PrintTensor  # noqa: B018


def test_the_old_addresses():
    from tfqueue.v1.contrib.layers.python.layers import feature_column
    from tfqueue.v1.contrib.learn.python.learn import monitors
    from tfqueue.v1.contrib.learn.python.learn.estimators import dnn

    assert feature_column.real_valued_column is layers.real_valued_column
    assert monitors.ValidationMonitor is learn.monitors.ValidationMonitor
    assert dnn.DNNClassifier is learn.DNNClassifier


def test_columns_that_share_their_vectors():
    """The rows, the names and which ids are the same are those of 1.15.5."""
    size = layers.sparse_column_with_integerized_feature
    pairs = {
        name: tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant(ids, tf.int64), [2, 2])
        for name, ids in {"a": [0, 1, 2], "b": [2, 2, 0], "c": [1, 1, 1]}.items()
    }
    columns = layers.shared_embedding_columns([size("b", 4), size("a", 4)], 2)
    joined = layers.input_from_feature_columns(pairs, columns)
    with tf.variable_scope("again"):
        later = layers.input_from_feature_columns(pairs, columns[1:])
    (vectors,) = tf.global_variables()
    assert vectors.op.name == "input_from_feature_columns/a_shared_embedding/a_b_shared_embedding"
    with tf.Session() as sess:
        sess.run(vectors.assign(np.arange(8.0).reshape(4, 2)))
        assert sess.run(joined).tolist() == [[0, 1, 4, 5], [3, 4, 2, 3]]
        assert sess.run(later).tolist() == [[0, 1], [3, 4]]
    four = layers.shared_embedding_columns([size(name, 4) for name in "bcad"], 2)
    assert four[0].shared_embedding_name == "a_b_c_plus_1_others_shared_embedding"
    (alone,) = layers.shared_embedding_columns([size("a", 4)], 2)
    assert alone.name == "a_embedding"
    for others in ([size("a", 4), size("b", 5)], []):
        with pytest.raises(ValueError, match=r"not compatible|at least one"):
            layers.shared_embedding_columns(others, 2)
    with pytest.raises(TypeError, match="must be _SparseColumn"):
        layers.shared_embedding_columns([layers.real_valued_column("x")], 2)
