"""What `tf.estimator.Estimator` hands to the program's functions, and what it takes from them."""

import functools

import pytest

import tfqueue.v1 as tf

estimator = tf.estimator
early = tf.estimator.experimental


def test_seconds_or_steps_between_checkpoints():
    plain = estimator.RunConfig()
    assert (plain.save_checkpoints_steps, plain.save_checkpoints_secs) == (None, 600)
    assert (plain.save_summary_steps, plain.log_step_count_steps) == (100, 100)
    assert (plain.keep_checkpoint_max, plain.keep_checkpoint_every_n_hours) == (5, 10000)
    assert plain.session_config.allow_soft_placement
    assert (plain.num_worker_replicas, plain.task_type, plain.model_dir) == (1, "worker", None)
    steps = estimator.RunConfig(save_checkpoints_steps=7)
    assert (steps.save_checkpoints_steps, steps.save_checkpoints_secs) == (7, None)
    seconds = estimator.RunConfig(save_checkpoints_secs=7)
    assert (seconds.save_checkpoints_steps, seconds.save_checkpoints_secs) == (None, 7)
    with pytest.raises(ValueError, match="cannot be both set"):
        estimator.RunConfig(save_checkpoints_steps=7, save_checkpoints_secs=7)
    own = tf.ConfigProto(log_device_placement=True)
    assert estimator.RunConfig(session_config=own).session_config is own


def noted(*names, **given):
    """An estimator whose model takes arguments of these names and gives them back."""
    scope = {}
    exec(f"def model_fn({', '.join(names)}): return dict(locals())", scope)
    return estimator.Estimator(scope["model_fn"], "somewhere", **given)


def test_a_model_is_given_what_it_takes():
    made = noted("features", "labels", "mode", "params", "config", params={"a": [1]})
    config = estimator.RunConfig(tf_random_seed=3)
    found = made.model_fn("f", "l", "train", config)
    assert found == {
        "features": "f",
        "labels": "l",
        "mode": "train",
        "params": {"a": [1]},
        "config": config,
    }
    own = made.model_fn("f", None, "infer")
    assert (own["config"].model_dir, own["labels"]) == ("somewhere", None)
    assert noted("features").model_fn("f", None, "infer") == {"features": "f"}
    more = noted("features", "*", "scale=2", "**more").model_fn("f", None, "infer")
    assert more == {"features": "f", "scale": 2, "more": {}}
    with pytest.raises(ValueError, match="does not take labels, but input_fn returns labels"):
        noted("features").model_fn("f", "l", "train")


def test_parameters_are_copied():
    params = {"a": [1]}
    made = noted("features", "params", params=params)
    params["a"].append(2)
    assert made.params == {"a": [1]}
    assert noted("features").params == {}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ("f", ("f", None)),
        (("f", "l"), ("f", "l")),
        (["f", "l"], ("f", "l")),
        ({"x": 1}, ({"x": 1}, None)),
    ],
)
def test_what_an_input_function_returns(found, expected):
    assert noted("features")._read(lambda: found, "train", []) == expected


def test_an_input_function_is_given_what_it_takes():
    made = noted("features", "params", params={"a": 1})
    found, _ = made._read(lambda params, mode: [{"p": params, "m": mode}, None], "eval", [])
    assert found == {"p": {"a": 1}, "m": "eval"}
    found, _ = made._read(lambda config: (config.model_dir, None), "eval", [])
    assert found == "somewhere"
    for wrong in (("f",), ["f", "l", "m"]):
        with pytest.raises(ValueError, match="as a len 2 tuple"):
            made._read(lambda wrong=wrong: wrong, "train", [])


def test_a_dataset_is_iterated_once_the_session_is_there():
    hooks = []
    dataset = tf.data.Dataset.from_tensors((3, 4))
    features, labels = noted("features")._read(lambda: dataset, "train", hooks)
    with tf.Session() as sess:
        with pytest.raises(tf.errors.FailedPreconditionError):
            sess.run(features)
        hooks[0].after_create_session(sess, None)
        assert sess.run([features, labels]) == [3, 4]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"mode": "train"}, "Missing train_op"),
        ({"mode": "eval"}, "Missing loss"),
        ({"mode": "infer"}, "Missing predictions"),
    ],
)
def test_what_a_mode_needs(given, says):
    with pytest.raises(ValueError, match=says):
        estimator.EstimatorSpec(**given)


def test_a_spec_has_a_scalar_and_tuples():
    loss = tf.constant([2.0])
    hook = tf.train.SessionRunHook()
    spec = estimator.EstimatorSpec("eval", loss=loss, evaluation_hooks=[hook])
    assert spec.loss.shape.as_list() == []
    assert (spec.predictions, spec.eval_metric_ops) == ({}, {})
    assert (spec.evaluation_hooks, spec.training_hooks) == ((hook,), ())
    with pytest.raises(ValueError, match="should return an EstimatorSpec"):
        noted("features")._ops("f", None, "train")


def test_what_a_partial_gives_stays_as_it_is():
    def model_fn(features, params):
        return params

    model = functools.partial(model_fn, params="own")
    made = estimator.Estimator(model, "somewhere")
    assert made.model_fn("f", None, "infer") == "own"
    for given in (
        model,
        functools.update_wrapper(model, model_fn),
        functools.wraps(model)(lambda **more: model(**more)),
    ):
        with pytest.raises(ValueError, match="does not take params"):
            estimator.Estimator(given, "somewhere", params={"a": 2})

    def input_fn(mode, params):
        return mode, params

    made = estimator.Estimator(model_fn, "somewhere", params={"a": 2})
    assert made._read(functools.partial(input_fn, mode="own"), "train", []) == ("own", {"a": 2})
    assert made._read(functools.partial(input_fn, params="own"), "train", []) == ("train", "own")


@pytest.mark.parametrize(
    ("given", "combined"), [({}, [[3.0]]), ({"sparse_combiner": "mean"}, [[1.5]])]
)
def test_the_logits_of_a_linear_model(given, combined):
    column = tf.feature_column.categorical_column_with_identity("ids", 4)
    logits = tf.contrib.estimator.linear_logit_fn_builder(1, [column], **given)
    found = logits({"ids": tf.constant([[1, 2]], tf.int64)})
    weights = next(each for each in tf.trainable_variables() if "weights" in each.name)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(weights.assign([[0.0], [1.0], [2.0], [9.0]]))
        assert sess.run(found).tolist() == combined


def test_the_logits_of_a_network():
    column = tf.feature_column.numeric_column("x")
    build = tf.contrib.estimator.dnn_logit_fn_builder
    logits = build(1, [2], [column], tf.nn.relu, None, None, False)
    found = logits({"x": tf.constant([[2.0], [-3.0]])}, "eval")
    values = [[[1.0, -1.0]], [0.0, 1.0], [[3.0], [5.0]], [7.0]]
    with tf.Session() as sess:
        sess.run([tf.assign(*each) for each in zip(tf.trainable_variables(), values, strict=True)])
        # relu(2, -1) and relu(-3, 4), times 3 and 5, and 7
        assert sess.run(found).tolist() == [[13.0], [27.0]]


def test_the_number_of_logits_of_a_network_is_an_int():
    column = tf.feature_column.numeric_column("x")
    with pytest.raises(ValueError, match=r"units must be an int\. .*<class 'float'>"):
        tf.contrib.estimator.dnn_logit_fn_builder(1.0, [2], [column], tf.nn.relu, None, None, False)


@pytest.mark.parametrize("both", [False, True])
def test_each_part_is_minimized_with_its_own_variables(both):
    from tfqueue.estimator import _canned, _models

    step = tf.train.get_or_create_global_step()
    values = []
    for scope in ("linear", "dnn"):
        with tf.variable_scope(scope):
            values.append(tf.get_variable("v", initializer=1.0))
    given = {"linear_feature_columns": ["a"]}
    given |= {"dnn_feature_columns": ["b"], "dnn_hidden_units": [1]} if both else {}
    training = _canned._Training(_models.Model.of(given))
    training.add("SGD", 0.1, "linear")
    if both:
        training.add(tf.train.GradientDescentOptimizer(0.2), 9.0, "dnn")
    train = training.op(values[0] + 2.0 * values[1])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        linear, dnn, count = sess.run([*values, step])
    assert linear == pytest.approx(0.9)
    assert dnn == pytest.approx(0.6 if both else 0.8)
    assert count == 1


@pytest.mark.parametrize(
    ("calls", "request_at"), [([False, False, True], 3), ([True], 1), ([False] * 5, None)]
)
def test_a_chief_asks_at_each_step_and_says_so_to_the_others(calls, request_at):
    """As 1.15.5: the variable is set before the session stops."""
    answers, stops = iter(calls), []
    step = tf.train.create_global_step()
    chief = early.make_early_stopping_hook(noted("features"), lambda: next(answers), None, 1)
    with tf.train.SingularMonitoredSession([chief]) as sess:
        [stop] = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, "signal_early_stopping/STOP")
        assert (stop.dtype.base_dtype, stop.shape.as_list()) == (tf.bool, [])
        assert stop not in tf.trainable_variables()
        for number in range(1, len(calls) + 1):
            step.load(number, sess.raw_session())
            sess.run(step)
            stops.append((sess.should_stop(), bool(sess.raw_session().run(stop))))
    wanted = [number == request_at for number in range(1, len(calls) + 1)]
    assert stops == [(each, each) for each in wanted]


def test_a_worker_stops_once_the_chief_has_said_so():
    made = noted("features")
    made.config.is_chief = False
    worker = early.make_early_stopping_hook(made, lambda: 1 / 0)
    number = tf.constant(3)
    with tf.train.SingularMonitoredSession([worker]) as sess:
        assert (sess.run(number), sess.should_stop()) == (3, False)
        [stop] = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, "signal_early_stopping/STOP")
        stop.load(True, sess.raw_session())
        assert (sess.run(number), sess.should_stop()) == (3, True)


def test_a_training_has_steps_or_a_last_step():
    made = noted("features")
    with pytest.raises(ValueError, match=r"^Can not provide both steps and max_steps\.$"):
        made.train(lambda: 1 / 0, steps=1, max_steps=1)
    for given in ({"steps": 1}, {"max_steps": 1}, {}):
        with pytest.raises(ZeroDivisionError):  # the input function is called
            made.train(lambda: 1 / 0, **given)
