"""What models of `tf.estimator` and `tf.contrib.learn` are made of, and what they export."""

import pytest

import tfqueue.v1 as tf
from tfqueue.estimator import _export, _models

export = tf.estimator.export


# -- the parts of a model --------------------------------------------------------------------------


def test_a_model_of_one_part():
    given = {"feature_columns": ["a"], "optimizer": "o", "sparse_combiner": "mean"}
    linear = _models.Model.of(given)
    assert (linear.linear_columns, linear.linear_optimizer) == (("a",), "o")
    assert (linear.linear_sparse_combiner, linear.dnn_columns) == ("mean", ())
    assert (linear.dnn_optimizer, linear.dnn_hidden_units, linear.dnn_dropout) == (None,) * 3
    words = {"hidden_units": [3], "activation_fn": "relu", "dropout": 0.5}
    network = _models.Model.of({**given, **words})
    assert (network.dnn_columns, network.dnn_optimizer, network.linear_columns) == (("a",), "o", ())
    assert network.linear_sparse_combiner == "sum"
    assert (network.dnn_hidden_units, network.dnn_dropout) == ([3], 0.5)
    assert network.dnn_activation_fn is tf.nn.relu
    assert _models.Model.of({**given, "hidden_units": [3]}).dnn_activation_fn is None
    own = _models.Model.of({**given, "hidden_units": [3], "activation_fn": tf.tanh})
    assert own.dnn_activation_fn is tf.tanh


def test_a_model_of_both_parts():
    given = {
        "linear_feature_columns": ["a"],
        "linear_optimizer": "o",
        "dnn_feature_columns": ["b", "c"],
        "dnn_optimizer": "p",
        "dnn_hidden_units": [2],
        "dnn_activation_fn": "relu",
    }
    both = _models.Model.of(given)
    assert (both.linear_columns, both.linear_optimizer) == (("a",), "o")
    assert (both.dnn_columns, both.dnn_optimizer, both.dnn_hidden_units) == (("b", "c"), "p", [2])
    with pytest.raises(ValueError, match="hidden_units must be defined"):
        _models.Model.of({**given, "dnn_hidden_units": []})
    with pytest.raises(ValueError, match="Either linear_feature_columns or"):
        _models.Model.of({"linear_feature_columns": [], "dnn_feature_columns": None})
    assert not _models.Model.of({"linear_feature_columns": ["a"]}).dnn_columns


def test_a_network_is_its_layers():
    model = _models.Model.of(
        {"hidden_units": [4, 3], "feature_columns": ["a"], "activation_fn": tf.tanh}
    )
    seen = []

    def layer(scope):
        part = scope.partitioner(tf.TensorShape([1 << 20]), tf.float32)
        assert list(part) == [1]
        seen.append(scope.name)
        return tf.ones([2, 5])

    def dense(tensor, units, activation, scope):
        seen.append((tensor.shape.as_list(), units, activation, scope.name))
        return tf.ones([2, units])

    def between(tensor, index):
        seen.append(index)
        return tensor * 1.0

    logits = model.network(7, layer, dense, between)
    assert logits.shape.as_list() == [2, 7]
    assert seen == [
        "input_from_feature_columns",
        ([2, 5], 4, tf.tanh, "hiddenlayer_0"),
        0,
        ([2, 4], 3, tf.tanh, "hiddenlayer_1"),
        1,
        ([2, 3], 7, None, "logits"),
    ]
    with tf.Session() as sess:
        merged = tf.Summary.FromString(sess.run(tf.summary.merge_all()))
    assert sorted(each.tag for each in merged.value) == sorted(
        f"{name}/{kind}"
        for name in ("hiddenlayer_0", "hiddenlayer_1", "logits")
        for kind in ("activation", "fraction_of_zero_values")
    )


def test_an_optimizer_is_had_in_three_ways():
    classes = {"SGD": lambda learning_rate: ("made", learning_rate)}
    assert _models.optimizer_of("SGD", 0.3, classes) == ("made", 0.3)
    assert _models.optimizer_of(lambda: "own", 0.3, classes) == "own"
    assert _models.optimizer_of(7, 0.3, classes) == 7
    with pytest.raises(ValueError, match=r"Unsupported optimizer name: Adam. .*\['SGD'\]"):
        _models.optimizer_of("Adam", 0.3, classes)


def test_a_step_is_counted_behind_its_ops():
    step = tf.get_variable("step", initializer=5)
    other = tf.get_variable("other", initializer=0)
    counted = _models.counted(step, [tf.assign(other, step * 2).op])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(counted)
        assert sess.run([step, other]) == [6, 10]


# -- what is exported ------------------------------------------------------------------------------


@pytest.fixture
def tensors():
    kinds = {"text": tf.string, "number": tf.float32, "whole": tf.int64}
    return {name: tf.placeholder(kind, [None], name) for name, kind in kinds.items()}


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda t: export.ServingInputReceiver(None, t["text"]), "features must be defined"),
        (lambda t: export.ServingInputReceiver(t["text"], None), "receiver_tensors must be"),
        (
            lambda t: export.ServingInputReceiver({1.5: t["text"]}, t),
            "keys must be strings or ints",
        ),
        (lambda t: export.ServingInputReceiver(t, {1: t["text"]}), "keys must be strings: 1"),
        (lambda t: export.ServingInputReceiver({"a": 3}, t), "feature a must be a Tensor or"),
        (lambda t: export.ServingInputReceiver(t, t, [t]), "alternatives must be a dict"),
        (lambda t: export.ServingInputReceiver(t, t, {"a": 3}), "alternative input must be"),
        (lambda t: _export.SupervisedInputReceiver(t, None, t), "labels must be defined"),
        (lambda t: _export.SupervisedInputReceiver(3, t, t), "feature feature must be"),
        (lambda t: export.PredictOutput({3: t["text"]}), "key must be a string; got 3"),
        (lambda t: export.PredictOutput({"a": 3}), "value must be a Tensor; got 3"),
        (lambda t: export.ClassificationOutput(), "At least one of scores and classes"),
        (lambda t: export.ClassificationOutput(t["whole"]), "scores must be a float32"),
        (lambda t: export.ClassificationOutput(3), "scores must be a float32"),
        (lambda t: export.ClassificationOutput(None, t["number"]), "classes must be a string"),
        (lambda t: export.ClassificationOutput(None, "a"), "classes must be a string"),
        (lambda t: export.RegressionOutput(t["whole"]), "value must be a float32"),
        (lambda t: export.RegressionOutput(3), "value must be a float32"),
    ],
)
def test_what_cannot_be_exported(made, says, tensors):
    with pytest.raises(ValueError, match=says):
        made(tensors)


def test_receivers(tensors):
    text, number = tensors["text"], tensors["number"]
    plain = export.ServingInputReceiver(number, text)
    assert plain == ({"feature": number}, {"input": text}, None)
    named = export.ServingInputReceiver({1: number}, {"a": text}, {"more": number})
    assert named == ({1: number}, {"a": text}, {"more": {"input": number}})
    single = export.TensorServingInputReceiver(number, text)
    assert single == (number, {"input": text}, None)
    supervised = _export.SupervisedInputReceiver(number, {2: number}, text)
    assert supervised == (number, {2: number}, {"input": text})


@pytest.mark.parametrize("size", [None, 4])
def test_features_that_are_fed_as_they_are(size):
    given = {"x": tf.ones([5, 2, 3], name="first"), "y": tf.constant([1], tf.int64, name="second")}
    received = export.build_raw_serving_input_receiver_fn(given, size)()
    x, y = received.features["x"], received.features["y"]
    assert (x.shape.as_list(), y.shape.as_list()) == ([size, 2, 3], [size])
    assert (x.dtype, y.dtype, x.op.type) == (tf.float32, tf.int64, "Placeholder")
    assert [each.op.name for each in (x, y)] == ["first_1", "second_1"]
    assert received.receiver_tensors == received.features


@pytest.mark.parametrize("size", [None, 4])
def test_features_that_are_parsed(size):
    spec = {"x": tf.FixedLenFeature([2], tf.float32)}
    received = export.build_parsing_serving_input_receiver_fn(spec, size)()
    assert received.features["x"].shape.as_list() == [size, 2]
    (examples,) = received.receiver_tensors.values()
    assert (list(received.receiver_tensors), examples.op.name) == (
        ["examples"],
        "input_example_tensor",
    )
    assert (examples.dtype, examples.shape.as_list()) == (tf.string, [size])


def told(signatures):
    return {
        key: (one.method_name.rpartition("/")[2], sorted(one.inputs), sorted(one.outputs))
        for key, one in signatures.items()
    }


def test_the_signatures_of_outputs(tensors):
    outputs = {
        "predict": export.PredictOutput({("a", "b"): tensors["number"], "c": tensors["whole"]}),
        None: export.PredictOutput(tensors["number"]),
        "class": export.ClassificationOutput(tensors["number"], tensors["text"]),
        "number": export.RegressionOutput(tensors["number"]),
    }
    found = told(_export.signatures({"x": tensors["text"]}, outputs, {"two": tensors}))
    assert found == {
        "predict": ("predict", ["x"], ["a/b", "c"]),
        "None": ("predict", ["x"], ["output"]),
        "class": ("classify", ["inputs"], ["classes", "scores"]),
        "number": ("regress", ["inputs"], ["outputs"]),
        "two:predict": ("predict", ["number", "text", "whole"], ["a/b", "c"]),
        "two:None": ("predict", ["number", "text", "whole"], ["output"]),
    }
    numbers = told(_export.signatures({"x": tensors["number"]}, outputs, {None: tensors}))
    assert sorted(numbers) == ["None", "None:None", "None:predict", "predict"]


def test_a_model_that_is_exported_to_train(tensors):
    metric = tensors["number"], tensors["whole"]
    update = tf.no_op()
    kind = _export.EvalOutput
    made = kind(tensors["number"], {"predictions/a": tensors["whole"]}, {("m", "n"): metric})
    assert sorted(made.outputs) == [
        "loss",
        "metrics/m/n/update_op",
        "metrics/m/n/value",
        "predictions/a",
    ]
    train = _export.TrainOutput(None, tensors["text"], {"m": (tensors["number"], update)})
    assert sorted(train.outputs) == ["metrics/m/update_op", "metrics/m/value", "predictions"]
    wrapped = train.outputs["metrics/m/update_op"]
    assert wrapped.op.control_inputs == [update]
    assert wrapped.shape.as_list() == [0]
    fed = {"x": tensors["number"]}
    names = {"train": ("training", ["x"], sorted(train.outputs))}
    assert told(_export.signatures(fed, {"train": train})) == names
    assert told(_export.signatures(fed, {"eval": made}))["eval"][0] == "eval"


def spec(mode, outputs=None):
    number = tf.constant(1.0)
    given = {"loss": number, "train_op": tf.no_op()} if mode != "infer" else {}
    made = tf.estimator.EstimatorSpec(mode, number, **given)
    return made._replace(export_outputs=outputs)


def test_which_outputs_a_model_has():
    assert list(_export.outputs_of(spec("train"))) == ["train"]
    assert type(_export.outputs_of(spec("eval"))["eval"]) is _export.EvalOutput
    (plain,) = _export.outputs_of(spec("infer")).items()
    assert plain[0] == "serving_default"
    assert list(plain[1].outputs) == ["output"]
    one, other = (export.PredictOutput(tf.constant(1.0)) for _ in range(2))
    alone = _export.outputs_of(spec("infer", {"a": one}))
    assert alone == {"serving_default": one, "a": one}
    both = {"a": one, "serving_default": other}
    assert _export.outputs_of(spec("infer", both)) == both
    with pytest.raises(ValueError, match="none of them is specified as the default"):
        _export.outputs_of(spec("infer", {"a": one, "b": other}))
    for wrong in ([one], {"a": one, "b": 3}):
        with pytest.raises(TypeError, match="xport_outputs must be"):
            _export.outputs_of(spec("infer", wrong))


class Builder:
    """In place of a `tf.saved_model.Builder`."""

    def __init__(self, folder):
        self.folder = folder

    def save(self, as_text):
        tf.gfile.MakeDirs(self.folder)
        with tf.gfile.GFile(f"{self.folder}/model", "w") as file:
            file.write(str(as_text))


def test_an_export_appears_when_it_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(tf.saved_model, "Builder", Builder)
    monkeypatch.setattr(_export._tf.saved_model, "Builder", Builder)
    monkeypatch.setattr(_export.time, "time", lambda: 1234567890.5)
    (tmp_path / "words").write_text("a")
    base, filled = tmp_path / "base", []
    given = {"inner/words": str(tmp_path / "words")}
    folders = [_export.write(base, filled.append, given, True) for _ in range(2)]
    assert folders == [bytes(base / name) for name in ("1234567890", "1234567891")]
    assert (base / "1234567891" / "model").read_text() == "True"
    assert (base / "1234567890" / "assets.extra" / "inner" / "words").read_text() == "a"
    assert filled[0].folder == str(base / "temp-1234567890")

    def breaks(builder):
        builder.save(False)
        raise KeyError("no")

    with pytest.raises(KeyError):
        _export.write(base, breaks)
    for name in ("123456789", "12345678901", "123456789x"):
        (base / name).mkdir()
    assert _export.versions(base) == [1234567890, 1234567891]
    assert not list(base.glob("temp*"))
    _export.keep(base, None)
    _export.keep(base, 1)
    assert _export.versions(bytes(base)) == [1234567891]
    assert _export.versions(tmp_path / "none") == []
