"""tf.contrib.layers' feature columns, and the canned estimators of tf.contrib.learn and tf.estimator."""

import os
import tempfile

AGE = [[20.0], [35.5], [41.0], [41.0], [64.0], [17.0]]
PAIR = [[1, 7], [5, 3], [2, 2], [9, 0], [4, 6], [0, 8]]
WORDS = [["a", "b"], ["c", ""], ["b", "b"], ["", ""], ["d", "a"], ["unseen", "c"]]
CITY = [["rome"], ["oslo"], ["rome"], ["bonn"], ["oslo"], [""]]
ORDERED = [["a", "c"], ["b", ""], ["a", "b"], ["c", ""], ["a", ""], ["b", "c"]]
NUMBERS = [[3, 14], [5, -1], [25, 3], [1, 1], [-1, 0], [7, 8]]
WEIGHTS = [[1.0], [2.0], [0.5], [1.0], [0.0], [3.0]]
BINARY = [[0], [1], [1], [0], [1], [0]]
THREE = [[0], [2], [1], [1], [2], [0]]
TARGET = [[1.5], [2.0], [-1.0], [0.5], [3.0], [2.5]]
TWO_TARGETS = [[1.5, 0.0], [2.0, 1.0], [-1.0, 2.0], [0.5, 0.5], [3.0, 1.0], [2.5, 4.0]]


def _sparse(tf, rows, empty):
    """What `tf.parse_example` gives for a VarLenFeature."""
    found = [(i, j) for i, row in enumerate(rows) for j, each in enumerate(row) if each != empty]
    return tf.SparseTensor(
        indices=[list(each) for each in found],
        values=[rows[i][j] for i, j in found],
        dense_shape=[len(rows), len(rows[0])],
    )


def _features(tf):
    numbers = _sparse(tf, NUMBERS, -1)
    return {
        "age": tf.constant(AGE),
        "pair": tf.constant(PAIR),
        "words": _sparse(tf, WORDS, ""),
        "city": tf.constant(CITY),
        "numbers": tf.SparseTensor(
            numbers.indices, tf.cast(numbers.values, tf.int64), numbers.dense_shape
        ),
        "word_weights": tf.SparseTensor(
            _sparse(tf, WORDS, "").indices,
            tf.constant([0.5, 2.0, 1.5, 1.0, 3.0, 0.25, -1.0, 4.0, 2.0]),
            [6, 2],
        ),
        "ordered": _sparse(tf, ORDERED, ""),
        "ordered_weights": tf.SparseTensor(
            _sparse(tf, ORDERED, "").indices,
            tf.constant([0.5, 2.0, 1.5, 1.0, 3.0, 0.25, 1.0, 4.0, 2.0]),
            [6, 2],
        ),
        "weights": tf.constant(WEIGHTS),
    }


def _ramp(tf):
    """An initializer whose values tell the rows apart."""

    def initializer(shape, dtype=None, partition_info=None):
        count = 1
        for size in shape:
            count *= int(size)
        return tf.reshape(tf.range(count, dtype=tf.float32) / 7.0, [int(size) for size in shape])

    return initializer


def _columns(tf, files=None):
    """Every kind of column, by a name."""
    layers = tf.contrib.layers
    folder = tempfile.mkdtemp()
    vocabulary = os.path.join(folder, "words")
    with open(vocabulary, "w") as out:
        out.write("b\nc\nd\na\n")
    real = layers.real_valued_column("age")
    pair = layers.real_valued_column("pair", dimension=2, dtype=tf.int64)
    words = layers.sparse_column_with_keys("words", ["a", "b", "c", "d"])
    mean = layers.sparse_column_with_keys("words", ["a", "b", "c", "d"], combiner="mean")
    hashed = layers.sparse_column_with_hash_bucket("words", 7, combiner="sqrtn")
    city = layers.sparse_column_with_hash_bucket("city", 5)
    numbers = layers.sparse_column_with_integerized_feature("numbers", 6)
    number_hash = layers.sparse_column_with_hash_bucket("numbers", 9, dtype=tf.int64)
    age = layers.bucketized_column(real, [18, 25, 25, 41, 60])
    pairs = layers.bucketized_column(pair, [2, 5])
    weighted = layers.weighted_sparse_column(words, "word_weights")
    file = layers.sparse_column_with_vocabulary_file("words", vocabulary, 2, 3)
    crossed = layers.crossed_column([words, city], 11)
    return {
        "real": real,
        "normalized": layers.real_valued_column("age", normalizer=lambda x: (x - 40) / 10),
        "pair": pair,
        "keys": words,
        "keys mean": mean,
        "keys default": layers.sparse_column_with_keys("words", ["c", "a"], default_value=1),
        "integer keys": layers.sparse_column_with_keys("numbers", [3, 1, 8], dtype=tf.int64),
        "hashed": hashed,
        "dense strings": city,
        "integerized": numbers,
        "integers hashed": number_hash,
        "file": file,
        "bucketized": age,
        "bucketized pair": pairs,
        "weighted": weighted,
        "crossed": crossed,
        "crossed with key": layers.crossed_column(
            [words, city], 11, hash_key=layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
        ),
        "crossed integers": layers.crossed_column([age, pairs], 13, combiner="mean"),
        "crossed mixed": layers.crossed_column([age, numbers, words], 50),
        "crossed of crossed": layers.crossed_column([crossed, age], 17),
        "one hot": layers.one_hot_column(words),
        "one hot file": layers.one_hot_column(file),
        "one hot weighted": layers.one_hot_column(
            layers.weighted_sparse_column(
                layers.sparse_column_with_keys("ordered", ["a", "b", "c"]), "ordered_weights"
            )
        ),
        "embedding": layers.embedding_column(words, 2, initializer=_ramp(tf)),
        "embedding sqrtn": layers.embedding_column(
            hashed, 2, combiner="sqrtn", initializer=_ramp(tf)
        ),
        "embedding weighted": layers.embedding_column(
            weighted, 3, combiner="sum", initializer=_ramp(tf)
        ),
        "embedding crossed": layers.embedding_column(crossed, 2, initializer=_ramp(tf)),
        "embedding norm": layers.embedding_column(words, 2, initializer=_ramp(tf), max_norm=0.5),
    }


def each_column(tf, kit):
    """The width, and the dense and the linear values of each column."""
    layers = tf.contrib.layers
    facts = {}
    names = sorted(_columns(tf))
    for name in names:
        fact = {}
        for kind in ("dense", "linear"):
            with tf.Graph().as_default():
                tf.contrib.framework.get_or_create_global_step()
                column = _columns(tf)[name]
                fact["name"] = column.name
                fact["spec"] = sorted(
                    (key, type(value).__name__, value.dtype.name)
                    for key, value in layers.create_feature_spec_for_parsing([column]).items()
                )
                try:
                    if kind == "dense":
                        made = layers.input_from_feature_columns(_features(tf), [column])
                    else:
                        made, _, _ = layers.weighted_sum_from_feature_columns(
                            _features(tf), [column], 2
                        )
                except (ValueError, NotImplementedError):
                    fact[kind] = "refused"
                    continue
                fact[kind + " variables"] = sorted(
                    (v.op.name, v.shape.as_list()) for v in tf.global_variables()[1:]
                )
                with tf.Session() as sess:
                    sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
                    if kind == "linear":
                        for variable in tf.global_variables()[1:]:
                            count = 1
                            for size in variable.shape.as_list():
                                count *= size
                            value = tf.reshape(tf.range(count, dtype=tf.float32), variable.shape)
                            sess.run(tf.assign(variable, value + 1))
                    fact[kind] = sess.run(made).tolist()
        facts[name] = fact
    return facts


def together(tf, kit):
    """The order of columns side by side."""
    layers = tf.contrib.layers
    every = _columns(tf)
    dense = ["real", "pair", "one hot", "embedding", "embedding sqrtn", "one hot file"]
    with tf.Graph().as_default():
        made = layers.input_from_feature_columns(
            _features(tf), [_columns(tf)[name] for name in sorted(dense)]
        )
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
            facts = {"dense": sess.run(made).tolist()}
        facts["variables"] = [v.op.name for v in tf.global_variables()]
    facts["inferred"] = [
        (c.column_name, c.dimension, c.dtype.name)
        for c in sorted(
            layers.infer_real_valued_columns(
                {"x": tf.zeros([3, 2, 2]), "n": tf.zeros([3], tf.int32)}
            )
        )
    ]
    assert len(every) > len(dense)
    return facts


def _plain(value):
    if hasattr(value, "decode"):
        return value.decode()
    if hasattr(value, "tolist"):
        value = value.tolist()
        return [_plain(each) for each in value] if isinstance(value, list) else _plain(value)
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _variables(made):
    return {name: made.get_variable_value(name).tolist() for name in made.get_variable_names()}


_KEPT = ("global_step", "learning_rate", "beta1_power", "beta2_power")
_POSITIVE = ("Adagrad", "ProximalAdagrad", "Ftrl", "Adam_1", "moving_variance")


def _start(tf, kit):
    """A hook that gives each variable a value that does not depend on a random number."""

    class Start(tf.train.SessionRunHook):
        def begin(self):
            self.assigned = []
            for variable in tf.global_variables():
                name = variable.op.name.replace("/part_0", "")
                shape = variable.shape.as_list()
                last = name.split("/")[-1]
                if last not in _KEPT:
                    wave = kit.np.arange(kit.np.prod(shape), dtype=kit.np.float32) + len(name)
                    wave = 0.5 * kit.np.sin(wave).reshape(shape)
                    wave = 0.05 + abs(wave) if last in _POSITIVE else wave
                    self.assigned.append(tf.assign(variable, wave))

        def after_create_session(self, session, coord):
            session.run(self.assigned)

    return Start()


def _wide(tf):
    every = _columns(tf)
    return [every[each] for each in ("bucketized", "keys mean", "crossed", "real", "weighted")]


def _deep(tf):
    layers = tf.contrib.layers
    every = _columns(tf)
    return [
        every["real"],
        every["one hot"],
        layers.embedding_column(every["dense strings"], 2),
    ]


def _learners(tf):
    """The canned estimators of tf.contrib.learn: how to make one, its labels, what is predicted."""
    learn = tf.contrib.learn
    classes = ["classes", "probabilities"]
    return {
        "linear": (lambda: learn.LinearClassifier(_wide(tf)), BINARY, classes),
        "linear three": (
            lambda: learn.LinearClassifier(
                _wide(tf),
                n_classes=3,
                gradient_clip_norm=0.1,
                weight_column_name="weights",
                optimizer=tf.train.AdamOptimizer(0.1),
            ),
            THREE,
            classes,
        ),
        "linear regressor": (
            lambda: learn.LinearRegressor(
                _wide(tf), label_dimension=2, weight_column_name="weights"
            ),
            TWO_TARGETS,
            ["scores"],
        ),
        "dnn": (
            lambda: learn.DNNClassifier(
                [4],
                _deep(tf),
                activation_fn=tf.tanh,
                optimizer=tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.001),
                weight_column_name="weights",
            ),
            BINARY,
            classes + ["logistic", "logits"],
        ),
        "dnn regressor": (
            lambda: learn.DNNRegressor([4, 3], _deep(tf), gradient_clip_norm=0.5),
            TARGET,
            ["scores"],
        ),
        "combined": (
            lambda: learn.DNNLinearCombinedClassifier(
                n_classes=3,
                label_keys=["x", "y", "z"],
                linear_feature_columns=_wide(tf),
                dnn_feature_columns=_deep(tf),
                dnn_hidden_units=[4, 3],
            ),
            [["x"], ["z"], ["y"], ["y"], ["z"], ["x"]],
            classes,
        ),
        "combined regressor": (
            lambda: learn.DNNLinearCombinedRegressor(
                linear_feature_columns=_wide(tf),
                dnn_feature_columns=_deep(tf),
                dnn_hidden_units=[4],
                linear_optimizer=tf.train.FtrlOptimizer(0.1, l2_regularization_strength=0.5),
                dnn_optimizer="Adam",
                fix_global_step_increment_bug=True,
            ),
            TARGET,
            ["scores"],
        ),
    }


def _columns_of_1_4(tf):
    """The same kind of data with the columns of tf.feature_column."""
    fc = tf.feature_column
    age = fc.numeric_column("age")
    words = fc.categorical_column_with_vocabulary_list("words", ["a", "b", "c", "d"])
    city = fc.categorical_column_with_hash_bucket("city", 5)
    ages = fc.bucketized_column(age, [18, 25, 41, 60])
    wide = [ages, words, fc.crossed_column(["words", ages], 11)]
    deep = [age, fc.indicator_column(words), fc.embedding_column(city, 2)]
    return wide, deep


def _estimators(tf):
    """The canned estimators of tf.estimator: how to make one, and its labels."""
    estimator = tf.estimator
    wide, deep = _columns_of_1_4(tf)
    return {
        "linear": (
            lambda: estimator.LinearClassifier(
                wide, label_vocabulary=["no", "yes"], sparse_combiner="mean"
            ),
            [["no"], ["yes"], ["yes"], ["no"], ["yes"], ["no"]],
        ),
        "linear three": (
            lambda: estimator.LinearClassifier(
                wide, n_classes=3, weight_column="weights", optimizer="Adam"
            ),
            THREE,
        ),
        "linear regressor": (
            lambda: estimator.LinearRegressor(
                wide,
                label_dimension=2,
                weight_column="weights",
                loss_reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE,
            ),
            TWO_TARGETS,
        ),
        "dnn": (
            lambda: estimator.DNNClassifier(
                [4, 3], deep, n_classes=3, label_vocabulary=["x", "y", "z"]
            ),
            [["x"], ["z"], ["y"], ["y"], ["z"], ["x"]],
        ),
        "dnn regressor": (
            lambda: estimator.DNNRegressor(
                [4], deep, activation_fn=tf.tanh, batch_norm=True, optimizer="SGD"
            ),
            TARGET,
        ),
        "combined": (
            lambda: estimator.DNNLinearCombinedClassifier(
                linear_feature_columns=wide,
                dnn_feature_columns=deep,
                dnn_hidden_units=[4, 3],
                weight_column="weights",
            ),
            BINARY,
        ),
        "combined regressor": (
            lambda: estimator.DNNLinearCombinedRegressor(
                linear_feature_columns=wide,
                dnn_feature_columns=deep,
                dnn_hidden_units=[4],
                linear_optimizer=tf.train.FtrlOptimizer(0.1),
            ),
            TARGET,
        ),
    }


def _learnt(tf, kit, kind):
    """Variables after some steps, what is measured, and what is predicted."""
    facts = {}
    for name, (make, labels, outputs) in sorted(_learners(tf).items()):
        if not name.startswith(kind):
            continue
        made = make()

        def input_fn(labels=labels):
            return _features(tf), tf.constant(labels)

        # An odd number: both models count a step, and a hook may read it before or behind either.
        made.fit(input_fn=input_fn, steps=3, monitors=[_start(tf, kit)])
        measured = made.evaluate(input_fn=input_fn, steps=2)
        rows = made.predict(input_fn=lambda: _features(tf), outputs=outputs)
        facts[name] = {
            "variables": _variables(made),
            "measured": {key: float(value) for key, value in measured.items()},
            "predicted": [{key: _plain(value) for key, value in row.items()} for row in rows],
        }
    return facts


def learn_linear(tf, kit):
    return _learnt(tf, kit, "linear")


def learn_dnn(tf, kit):
    return _learnt(tf, kit, "dnn")


def learn_combined(tf, kit):
    return _learnt(tf, kit, "combined")


def _estimated(tf, kit, kind):
    """The same of `tf.estimator`."""
    facts = {}
    for name, (make, labels) in sorted(_estimators(tf).items()):
        if not name.startswith(kind):
            continue
        made = make()

        def input_fn(labels=labels):
            given = _features(tf)
            given["words"] = tf.constant(WORDS)
            return given, tf.constant(labels)

        made.train(input_fn, hooks=[_start(tf, kit)], steps=4)
        measured = made.evaluate(input_fn, steps=2)
        rows = []
        for row in made.predict(input_fn):
            rows.append({key: _plain(value) for key, value in row.items()})
            if len(rows) == 6:
                break
        facts[name] = {
            "variables": _variables(made),
            "measured": {key: float(value) for key, value in measured.items()},
            "predicted": rows,
        }
    return facts


def estimator_linear(tf, kit):
    return _estimated(tf, kit, "linear")


def estimator_dnn(tf, kit):
    return _estimated(tf, kit, "dnn")


def estimator_combined(tf, kit):
    return _estimated(tf, kit, "combined")


def names_of_slots(tf, kit):
    """What Adam keeps stands in a checkpoint under the names of scopes."""
    learn = tf.contrib.learn
    number = tf.contrib.layers.real_valued_column("x", 2)

    def inputs():
        return {"x": tf.constant([[1.0, 2.0], [3.0, 4.0]])}, tf.constant([0, 1])

    def adam():
        return tf.train.AdamOptimizer(0.1)

    made = {
        "dnn": learn.DNNClassifier([3], [number], optimizer=adam()),
        "linear": learn.LinearClassifier([number], optimizer=adam()),
        "combined": learn.DNNLinearCombinedClassifier(
            linear_feature_columns=[number],
            linear_optimizer=adam(),
            dnn_feature_columns=[number],
            dnn_optimizer=adam(),
            dnn_hidden_units=[3],
        ),
        "core": tf.estimator.DNNClassifier(
            [3], [tf.feature_column.numeric_column("x", [2])], optimizer=adam()
        ),
    }
    facts = {}
    for name, each in made.items():
        if name == "core":
            each.train(inputs, steps=1)
        else:
            each.fit(input_fn=inputs, steps=1)
        facts[name] = sorted(each.get_variable_names())
    return facts
