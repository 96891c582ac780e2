"""`tf.contrib.learn`'s exports: signatures as TensorFlow 1.15.5 has them, strategies, and what they call."""

import types

import pytest

import tfqueue.v1 as tf
from tfqueue.contrib.learn import exports

learn = tf.contrib.learn
Kind = exports.ProblemType


@pytest.fixture
def tensors():
    """What a model is fed and gives, by name."""
    shapes = {"text": tf.string, "other": tf.float32, "s": tf.string, "f": tf.float32}
    shapes |= {"g": tf.float32, "i": tf.int64}
    return {name: tf.placeholder(dtype, [None], name) for name, dtype in shapes.items()}


def told(signature):
    """The last part of a signature's method, and its inputs and outputs by the name of their op."""
    return (
        signature.method_name.rpartition("/")[2],
        *(
            {key: info.name.partition(":")[0] for key, info in part.items()}
            for part in (signature.inputs, signature.outputs)
        ),
    )


ONE, TWO, FED = {"x": "text"}, {"x": "text", "y": "other"}, {"inputs": "text"}


@pytest.mark.parametrize(
    ("inputs", "kind", "outputs", "expected"),
    [
        (ONE, 1, {"classes": "s", "probabilities": "f"}, {"classes": "s", "scores": "f"}),
        (ONE, 1, {"classes": "s", "scores": "f", "probabilities": "g"}, "classes=s scores=f"),
        (ONE, 1, {"classes": "i", "probabilities": "f"}, {"scores": "f"}),
        (ONE, 1, {"classes": "i", "more": "f"}, None),
        (ONE, 1, {"classes": "s", "more": "f"}, {"classes": "s"}),
        (ONE, 3, {"any": "f"}, {"scores": "f"}),
        (ONE, 3, {"any": "s"}, {"classes": "s"}),
        (ONE, 1, {"any": "f", "more": "g"}, None),
        (ONE, 2, {"any": "f"}, {"outputs": "f"}),
        (ONE, 2, {"any": "f", "more": "g"}, None),
        (ONE, 0, {"classes": "s", "scores": "f"}, None),
        (TWO, 1, {"classes": "s", "scores": "f"}, None),
        (TWO, 2, {"any": "f"}, None),
    ],
)
def test_the_signature_of_a_head(inputs, kind, outputs, expected, tensors):
    given = [{key: tensors[name] for key, name in part.items()} for part in (inputs, outputs)]
    signature = exports._signature(given[0], kind, given[1])
    if expected is None:
        assert told(signature) == ("predict", inputs, outputs)
        return
    if isinstance(expected, str):
        expected = dict(each.split("=") for each in expected.split())
    assert told(signature) == ("regress" if kind == 2 else "classify", FED, expected)


def test_a_class_that_is_a_number_is_no_score(tensors):
    with pytest.raises(ValueError, match="scores must be a float"):
        exports._signature({"x": tensors["text"]}, 3, {"classes": tensors["i"]})


def of_heads(tensors, heads, default, predictions="f", inputs=("text",)):
    """`signatures` of a model with so many heads: name -> kind, and what they give."""
    made = heads and {
        name: (kind, {key: tensors[value] for key, value in outputs.items()})
        for name, (kind, outputs) in heads.items()
    }
    received = learn.InputFnOps({}, None, {name: tensors[name] for name in inputs})
    given = tensors[predictions] if isinstance(predictions, str) else {"p": tensors["g"]}
    ops = types.SimpleNamespace(output_alternatives=made, predictions=given)
    found = exports.signatures(received, ops, default)
    return {key.partition(":")[2] or key: told(one)[::2] for key, one in found.items()}


HEADS = {"a": (2, {"o": "f"}), "b": (1, {"scores": "g"})}
NUMBER, CLASS = ("regress", {"outputs": "f"}), ("classify", {"scores": "g"})
PLAIN, NAMED = ("predict", {"output": "f"}), ("predict", {"p": "g"})
OWN = "default_output_alternative"


@pytest.mark.parametrize(
    ("heads", "default", "more", "expected"),
    [
        (None, None, {}, {OWN: PLAIN, "serving_default": PLAIN}),
        ({}, None, {"predictions": {}}, {OWN: NAMED, "serving_default": NAMED}),
        ({"a": HEADS["a"]}, None, {}, {"a": NUMBER, "serving_default": NUMBER}),
        ({"a": HEADS["a"]}, "a", {}, {"a": NUMBER, "serving_default": NUMBER}),
        ({None: HEADS["a"]}, None, {}, {"None": NUMBER, "serving_default": NUMBER}),
        (HEADS, "b", {}, {"a": NUMBER, "b": CLASS, "serving_default": CLASS}),
    ],
)
def test_the_signatures_of_a_model(heads, default, more, expected, tensors):
    assert of_heads(tensors, heads, default, **more) == expected


@pytest.mark.parametrize(
    ("heads", "default", "inputs", "says"),
    [
        (None, "a", ("text",), r"not a. Available output_alternatives are: \[\]"),
        (HEADS, None, ("text",), r"not None. Available output_alternatives are: \['a', 'b'\]"),
        (HEADS, "c", ("text",), "not c"),
        (HEADS, "b", (), "input_alternative must be provided"),
    ],
)
def test_a_model_without_a_default_is_refused(heads, default, inputs, says, tensors):
    with pytest.raises(ValueError, match=says):
        of_heads(tensors, heads, default, inputs=inputs)


def test_the_kinds_of_models_are_numbered_as_they_were():
    names = ("UNSPECIFIED", "CLASSIFICATION", "LINEAR_REGRESSION", "LOGISTIC_REGRESSION")
    assert [getattr(learn.ProblemType, name) for name in names] == [0, 1, 2, 3]


@pytest.mark.parametrize("size", [None, 3])
def test_a_serving_input_function_parses_or_takes_features_as_they_are(size):
    utils = learn.utils.input_fn_utils
    parse = utils.build_parsing_serving_input_fn({"x": tf.FixedLenFeature([2], tf.float32)}, size)
    received = parse()
    assert (received.labels, list(received.features)) == (None, ["x"])
    assert received.features["x"].shape.as_list() == [size, 2]
    (examples,) = received.default_inputs.values()
    assert (list(received.default_inputs), examples.dtype) == (["examples"], tf.string)
    assert examples.shape.as_list() == [size]
    taken = utils.build_default_serving_input_fn({"x": tf.ones([5, 2])}, size)()
    assert taken.labels is None
    assert taken.features["x"].shape.as_list() == [size, 2]
    assert taken.default_inputs["x"] is taken.features["x"]


def calls(*names):
    """A function of an estimator, a folder and these; it gives the rest back."""
    text = ", ".join(("estimator", "folder", *names))
    scope = {}
    exec(f"def export({text}): return dict(locals())", scope)
    return scope["export"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), {}),
        (("checkpoint_path",), {"checkpoint_path": "c"}),
        (("strip_default_attrs",), {"strip_default_attrs": True}),
        (("checkpoint_path", "eval_result"), {"checkpoint_path": "c", "eval_result": {"loss": 1}}),
    ],
)
def test_a_strategy_gives_its_function_what_it_takes(names, expected):
    strategy = learn.ExportStrategy("name", calls(*names), True)
    found = strategy.export("estimator", "folder", "c", {"loss": 1})
    assert found == {"estimator": "estimator", "folder": "folder", **expected}


def test_a_strategy_without_a_checkpoint_takes_no_result():
    assert learn.ExportStrategy("name", calls()).strip_default_attrs is None
    with pytest.raises(ValueError, match="must also take checkpoint_path"):
        learn.ExportStrategy("name", calls("eval_result")).export("estimator", "folder")


class Exporting:
    """An estimator that notes how it is to export, and writes an empty folder."""

    def __init__(self):
        self.given = []

    def export_savedmodel(self, base, serving, **given):
        self.given.append((serving, given))
        folder = base / str(1_000_000_000 + len(self.given))
        folder.mkdir(parents=True)
        return folder


class Core(Exporting):
    """The same of `tf.estimator`."""

    export_saved_model = None


PLAIN_EXPORT = {
    "default_output_alternative_key": None,
    "assets_extra": None,
    "as_text": False,
    "checkpoint_path": None,
    "strip_default_attrs": False,
}


@pytest.mark.parametrize(
    ("keep", "kept"), [({}, 5), ({"exports_to_keep": 2}, 2), ({"exports_to_keep": None}, 7)]
)
def test_a_strategy_keeps_the_last_exports(keep, kept, tmp_path):
    strategy = learn.make_export_strategy("serving", **keep)
    assert (strategy.name, strategy.strip_default_attrs) == ("Servo", None)
    model = Exporting()
    folders = [strategy.export(model, tmp_path) for _ in range(7)]
    left = sorted(int(path.name[-1]) for path in tmp_path.iterdir())
    assert left == [1, 2, 3, 4, 5, 6, 7][-kept:]
    assert folders[-1].name == "1000000007"
    assert model.given == [("serving", PLAIN_EXPORT)] * 7


def test_a_strategy_hands_on_what_it_was_given(tmp_path):
    given = learn.make_export_strategy("serving", "head", {"a": "b"}, True, 1, True)
    model = Exporting()
    given.export(model, tmp_path, "checkpoint")
    values = ("head", {"a": "b"}, True, "checkpoint", True)
    assert model.given == [("serving", dict(zip(PLAIN_EXPORT, values, strict=True)))]
    with pytest.raises(ValueError, match=r"not supported in core Estimator. Given: head"):
        given.export(Core(), tmp_path / "core")
    core = Core()
    learn.make_export_strategy("serving").export(core, tmp_path / "core")
    assert "default_output_alternative_key" not in core.given[0][1]


@pytest.mark.parametrize("target_core", [False, True])
def test_a_strategy_that_parses_columns(target_core, tmp_path):
    column = tf.contrib.layers.real_valued_column("x", 3)
    given = {} if not target_core else {"target_core": True}
    strategy = learn.utils.make_parsing_export_strategy([column], exports_to_keep=1, **given)
    model = Core() if target_core else Exporting()
    for _ in range(2):
        strategy.export(model, tmp_path)
    assert [path.name[-2:] for path in tmp_path.iterdir()] == ["02"]
    serving, more = model.given[0]
    assert more["as_text"] is False
    received = serving()
    assert received.features["x"].shape.as_list() == [None, 3]
    kind = tf.estimator.export.ServingInputReceiver if target_core else learn.InputFnOps
    assert isinstance(received, kind)


def test_the_last_export(tmp_path):
    last = learn.utils.saved_model_export_utils.get_most_recent_export
    assert last(tmp_path) is None
    for name in ("9", "1234567890", "1234567891", "temp-1234567892"):
        (tmp_path / name).mkdir()
    assert last(tmp_path) == (str(tmp_path / "1234567891"), 1234567891)
    assert last(bytes(tmp_path)).path == str(tmp_path / "1234567891")
