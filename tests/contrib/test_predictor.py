"""`tf.contrib.predictor`: which signature is taken, and what is refused; all as in 1.15.5."""

import pytest

import tfqueue.v1 as tf

load = tf.contrib.predictor.from_saved_model


@pytest.fixture
def folder(tmp_path):
    """A model that doubles, with the default signature and with one that triples."""
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None], name="x")
        doubled = tf.multiply(x, tf.get_variable("two", initializer=2.0), name="doubled")
        tripled = tf.multiply(x, 3.0, name="tripled")
        makes = tf.saved_model.signature_def_utils.predict_signature_def
        builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "model"))
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            builder.add_meta_graph_and_variables(
                sess,
                ["serve", "small"],
                {
                    "serving_default": makes({"x": x}, {"y": doubled}),
                    "three": makes({"x": x}, {"z": tripled}),
                },
            )
        builder.save()
    return str(tmp_path / "model")


def test_which_signature_is_taken(folder):
    tags = "serve,small"
    graph = tf.Graph()
    predictor = load(folder, tags=tags, graph=graph)
    assert predictor.graph is graph is predictor.session.graph
    assert predictor({"x": [1.0, 2.0]})["y"].tolist() == [2.0, 4.0]
    assert load(folder, "three", tags=tags)({"x": [1.0]})["z"].tolist() == [3.0]
    makes = tf.saved_model.signature_def_utils.predict_signature_def
    given = makes(
        {"in": graph.get_tensor_by_name("x:0")}, {"out": graph.get_tensor_by_name("tripled:0")}
    )
    assert load(folder, signature_def=given, tags=tags)({"in": [1.0]})["out"].tolist() == [3.0]
    names = {"input_names": {"a": "x:0"}, "output_names": {"b": "tripled:0"}}
    predictor = load(folder, tags=tags, **names)
    assert predictor({"a": [2.0]})["b"].tolist() == [6.0]
    with pytest.raises(
        ValueError, match=r"unexpected keys in input_dict: \{'x'\}\nexpected: \{'a'\}"
    ):
        predictor({"x": [2.0]})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"input_names": {"x": "x:0"}}, "must both be specified or both be unspecified"),
        ({"output_names": {"y": "y:0"}}, "must both be specified or both be unspecified"),
        ({"signature_def_key": "a", "signature_def": 1}, "at most one of signature_def_key"),
        (
            {"signature_def_key": "a", "input_names": {}, "output_names": {}},
            "at most one of signature_def_key",
        ),
        ({"signature_def": 1, "input_names": {}, "output_names": {}}, "at most one of"),
    ],
)
def test_what_is_given_in_half_or_twice_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        load("nowhere", **given)
