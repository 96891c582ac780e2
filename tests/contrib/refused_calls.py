"""Calls of `tf.contrib` and `tf.estimator` that TensorFlow 1.15.5 refuses, for any TensorFlow.

Each function takes a `tf` and makes one wrong call. Beside it stands what 1.15.5 raises: the class, and
words of the message that both have.
"""

CALLS = {}
"""By name: the function, the name of the class, the words."""


def call(error, words=""):
    """Takes a function into the table."""

    def take(function):
        CALLS[function.__name__] = function, error, words
        return function

    return take


def two_graphs(tf):
    """A tensor in each of two graphs."""
    found = []
    for _ in range(2):
        with tf.Graph().as_default():
            found.append(tf.constant(1.0))
    return found


# -- graph_editor ------------------------------------------------------------------------------------


@call("ValueError")
def views_of_two_graphs(tf):
    ge = tf.contrib.graph_editor
    one, other = two_graphs(tf)
    ge.swap_inputs(ge.sgv(one.op), ge.sgv(other.op))


@call("TypeError", "is not iterable")
def a_number_for_ops(tf):
    tf.contrib.graph_editor.util.get_unique_graph(7)


@call("ValueError")
def ops_of_two_graphs(tf):
    tf.contrib.graph_editor.util.get_unique_graph(two_graphs(tf))


@call("TypeError")
def a_view_of_no_graph(tf):
    tf.contrib.graph_editor.make_view_from_scope("scope", 7)


@call("ValueError", "is already a control_input of")
def a_control_input_twice(tf):
    first, second = tf.no_op(), tf.no_op()
    for _ in range(2):
        tf.contrib.graph_editor.add_control_inputs(second, [first])


@call("ValueError", "is not a control_input of")
def a_control_input_that_is_none(tf):
    tf.contrib.graph_editor.remove_control_inputs(tf.no_op(), [tf.no_op()])


@call("ValueError")
def control_outputs_twice(tf):
    ge = tf.contrib.graph_editor
    op = tf.no_op()
    ios = ge.ControlOutputs(tf.get_default_graph())
    ge.get_walks_union_ops([op], [op], control_outputs=ios, control_ios=ios)


# -- training ----------------------------------------------------------------------------------------


def hparams(tf):
    return tf.contrib.training.HParams(a=1, b=2.0, c="x", d=True, e=[1, 2])


@call("ValueError")
def a_list_for_a_place_of_a_list(tf):
    hparams(tf).parse("e[0]=[1,2]")


@call("ValueError", "Multiple assignments to variable")
def a_place_of_a_list_twice(tf):
    hparams(tf).parse("e[0]=1,e[0]=2")


@call("ValueError", "Multiple assignments to variable")
def a_place_of_what_is_set(tf):
    hparams(tf).parse("e=[1,2],e[0]=2")


@call("ValueError", "Multiple assignments to variable")
def a_parameter_twice(tf):
    hparams(tf).parse("a=1,a=2")


@call("ValueError", "Unknown hyperparameter type for")
def an_unknown_parameter(tf):
    hparams(tf).parse("z=1")


@call("ValueError", "Malformed hyperparameter value")
def no_assignment(tf):
    hparams(tf).parse("a")


@call("ValueError", "Could not parse hparam")
def text_for_a_number(tf):
    hparams(tf).parse("a=x")


@call("ValueError", "Could not cast hparam")
def a_float_for_a_whole_number(tf):
    hparams(tf).set_hparam("a", 1.5)


@call("ValueError", "Could not cast hparam")
def a_bool_for_a_number(tf):
    hparams(tf).set_hparam("b", True)


@call("ValueError", "Could not cast hparam")
def a_number_for_a_bool(tf):
    hparams(tf).set_hparam("d", 1)


@call("ValueError", "Could not cast hparam")
def a_number_for_text(tf):
    hparams(tf).set_hparam("c", 1)


@call("ValueError", "Could not cast hparam")
def text_for_a_float(tf):
    hparams(tf).set_hparam("b", "x")


@call("ValueError", "multi-valued")
def one_value_for_several(tf):
    hparams(tf).set_hparam("e", 3)


@call("ValueError", "single-valued")
def several_values_for_one(tf):
    hparams(tf).set_hparam("a", [3, 4])


@call("ValueError", "name is reserved")
def a_reserved_name(tf):
    hparams(tf).add_hparam("parse", 1)


@call("ValueError", "cannot be empty")
def an_empty_list(tf):
    hparams(tf).add_hparam("f", [])


@call("KeyError")
def an_unknown_name(tf):
    hparams(tf).set_hparam("z", 1)


@call("ValueError")
def a_default_of_another_type(tf):
    hparams(tf).get("a", "x")


@call("ValueError")
def a_default_that_is_no_list(tf):
    hparams(tf).get("e", 1)


# -- layers ------------------------------------------------------------------------------------------


@call("ValueError")
def a_bucket_size_of_nothing(tf):
    tf.contrib.layers.sparse_column_with_hash_bucket("a", 0)


@call("ValueError")
def a_column_that_is_no_number(tf):
    tf.contrib.layers.real_valued_column("a", dtype=tf.string)


@call("TypeError")
def a_dimension_that_is_no_number(tf):
    tf.contrib.layers.real_valued_column("a", dimension="x")


@call("ValueError")
def a_dimension_below_one(tf):
    tf.contrib.layers.real_valued_column("a", dimension=0)


@call("ValueError")
def boundaries_out_of_order(tf):
    layers = tf.contrib.layers
    layers.bucketized_column(layers.real_valued_column("a"), [3.0, 1.0])


@call("ValueError")
def no_boundaries(tf):
    layers = tf.contrib.layers
    layers.bucketized_column(layers.real_valued_column("a"), [])


@call("TypeError")
def buckets_of_what_is_no_number(tf):
    layers = tf.contrib.layers
    layers.bucketized_column(layers.sparse_column_with_hash_bucket("a", 3), [1.0])


@call("ValueError")
def a_cross_of_one(tf):
    layers = tf.contrib.layers
    layers.crossed_column([layers.sparse_column_with_hash_bucket("a", 3)], 5)


@call("TypeError")
def a_cross_of_real_values(tf):
    layers = tf.contrib.layers
    layers.crossed_column([layers.real_valued_column("a"), layers.real_valued_column("b")], 5)


@call("ValueError")
def an_embedding_without_a_combiner_of_a_known_name(tf):
    layers = tf.contrib.layers
    column = layers.sparse_column_with_hash_bucket("a", 3)
    embedding = layers.embedding_column(column, 2, combiner="product")
    text = tf.SparseTensor([[0, 0]], ["x"], [1, 1])
    layers.input_from_feature_columns({"a": text}, [embedding])


@call("ValueError")
def keys_without_a_name(tf):
    tf.contrib.layers.sparse_column_with_keys("a", [1.5], dtype=tf.float32)


# -- learn -------------------------------------------------------------------------------------------


@call("ValueError")
def feeds_that_are_no_dict(tf):
    x = tf.placeholder(tf.float32)
    tf.contrib.learn.run_feeds({"x": x}, feed_dicts=None, restore_checkpoint_path=None)


@call("ValueError", "Must specify an output directory")
def a_run_without_a_directory(tf):
    tf.contrib.learn.learn_runner.run(lambda output_dir: None, "")


# -- estimator ---------------------------------------------------------------------------------------


@call("ValueError", "x cannot be an empty dict")
def no_features(tf):
    import numpy as np

    tf.estimator.inputs.numpy_input_fn({}, np.ones([2]), shuffle=False)()


@call("ValueError")
def features_of_two_lengths(tf):
    import numpy as np

    given = {"a": np.ones([2]), "b": np.ones([3])}
    tf.estimator.inputs.numpy_input_fn(given, shuffle=False)()


@call("ValueError", "compare_fn")
def no_comparison_of_exports(tf):
    tf.estimator.BestExporter(serving_input_receiver_fn=lambda: None, compare_fn=None)


@call("ValueError", "exports_to_keep")
def no_export_kept(tf):
    tf.estimator.LatestExporter("a", lambda: None, exports_to_keep=0)


@call("TypeError")
def an_exporter_that_is_none(tf):
    tf.estimator.EvalSpec(lambda: None, exporters=7)


@call("ValueError", "unique")
def two_exporters_of_a_name(tf):
    tf.estimator.EvalSpec(
        lambda: None, exporters=[tf.estimator.LatestExporter("a", lambda: None)] * 2
    )


def heads(*rows):
    """Takes wrong heads into the table."""
    for name, error, words, kind, args, more in rows:

        def function(tf, kind=kind, args=args, more=more):
            getattr(tf.contrib.estimator, kind)(*args, **more)

        CALLS[name] = function, error, words


MANY, BINARY, LABELS = "multi_class_head", "binary_classification_head", "multi_label_head"
NUMBER = "regression_head"
heads(
    ("two_classes_of_many", "ValueError", "n_classes must be", MANY, [2], {}),
    ("a_loss_that_is_none", "TypeError", "", MANY, [3], {"loss_fn": 7}),
    ("a_loss_of_no_labels", "ValueError", "", MANY, [3], {"loss_fn": lambda logits: 1}),
    ("a_loss_of_more", "ValueError", "", MANY, [3], {"loss_fn": lambda labels, logits, z: 1}),
    ("an_unknown_reduction", "ValueError", "loss_reduction", MANY, [3], {"loss_reduction": "x"}),
    ("names_that_are_no_list", "ValueError", "label_vocabulary", MANY, [3], {"label_vocabulary": "a"}),
    ("too_few_names", "ValueError", "label_vocabulary", LABELS, [3], {"label_vocabulary": ["a"]}),
    ("one_class_of_labels", "ValueError", "n_classes must be > 1", LABELS, [1], {}),
    ("a_threshold_of_one", "ValueError", "thresholds", LABELS, [3], {"thresholds": [1.0]}),
    ("a_threshold_of_zero", "ValueError", "thresholds", BINARY, [], {"thresholds": [0]}),
    ("no_dimension", "ValueError", "label_dimension", NUMBER, [], {"label_dimension": 0}),
    ("a_number_reduced", "ValueError", "loss_reduction", NUMBER, [], {"loss_reduction": "x"}),
)  # fmt: skip
