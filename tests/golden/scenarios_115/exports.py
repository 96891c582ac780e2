"""What tf.estimator and tf.contrib.learn write as a SavedModel."""

import importlib
import os
import tempfile

ROWS = [[1.0, 2.0], [3.0, 0.5]]
TARGET = [1.0, 2.0]


def _text(value):
    return value.decode("ascii") if isinstance(value, bytes) else value


def _info(tensors, canned):
    """Name to name, type and shape of each tensor.

    Of a canned estimator what differs by the release of the ops is left out: the name of the sum of a
    linear model's columns and of a class's index, and whether the number of classes is known.
    """
    found = {}
    for key, info in tensors.items():
        name, shape = info.name.replace("V2", ""), info.tensor_shape
        shape = None if shape.unknown_rank else [d.size for d in shape.dim]
        if canned and (key == "class_ids" or "weighted_sum" in name):
            name = None
        if canned and key == "classes":
            shape = len(shape)
        found[key] = [name, int(info.dtype), shape]
    return found


def _signatures(graph, canned=False):
    """Name to method, inputs and outputs of each signature."""
    return {
        key: [
            signature.method_name,
            _info(signature.inputs, canned),
            _info(signature.outputs, canned),
        ]
        for key, signature in graph.signature_def.items()
    }


def _files(folder):
    """The paths below a folder, without the seconds that an export is named by."""
    return sorted(
        os.path.relpath(os.path.join(where, name), folder)
        for where, _, names in os.walk(folder)
        for name in names
    )


def _run(tf, kit, folder, signature, feed, tags=("serve",)):
    """What a signature of an exported model gives."""
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tf.saved_model.loader.load(session, list(tags), folder)
        told = graph.signature_def[signature]
        names = {key: info.name for key, info in told.outputs.items()}
        fed = {told.inputs[key].name: value for key, value in feed.items()}
        return kit.value(session.run(names, fed))


def _graph(tf, folder, tags=("serve",)):
    with tf.Graph().as_default(), tf.Session() as session:
        return tf.saved_model.loader.load(session, list(tags), folder)


def _example(tf, values):
    feature = tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Example(features=tf.train.Features(feature={"x": feature})).SerializeToString()


def _examples(tf):
    return [_example(tf, row) for row in ROWS]


def _inputs(tf):
    return lambda: ({"x": tf.constant(ROWS)}, tf.constant(TARGET))


def _parsing(tf):
    spec = {"x": tf.FixedLenFeature([2], tf.float32)}
    return tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)


def _model(tf, outputs=None):
    def model_fn(features, labels, mode):
        x = features["x"] if isinstance(features, dict) else features
        weight = tf.get_variable("weight", [2], initializer=tf.ones_initializer())
        y = tf.reduce_sum(x * weight, 1, name="y")
        text = tf.as_string(y, name="text")
        predictions = {"y": y, "text": text}
        if mode == tf.estimator.ModeKeys.PREDICT:
            made = outputs(predictions) if outputs else None
            return tf.estimator.EstimatorSpec(mode, predictions, export_outputs=made)
        loss = tf.reduce_mean(tf.square(y - labels), name="loss")
        step = tf.train.get_global_step()
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
        metrics = {"error": tf.metrics.mean_absolute_error(labels, y)}
        return tf.estimator.EstimatorSpec(mode, predictions, loss, train, metrics)

    return model_fn


def _trained(tf, outputs=None):
    made = tf.estimator.Estimator(_model(tf, outputs), tempfile.mkdtemp())
    made.train(_inputs(tf), steps=3)
    return made


def raw(tf, kit):
    made = _trained(tf)
    features = {"x": tf.placeholder(tf.float32, [None, 2], name="fed")}
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(features)
    base = os.path.join(tempfile.mkdtemp(), "some", "where")
    extra = os.path.join(tempfile.mkdtemp(), "words")
    with open(extra, "w") as words:
        words.write("a")
    folder = made.export_savedmodel(base, receiver, {"inner/words.txt": extra})
    graph = _graph(tf, folder)
    return {
        "type": type(folder).__name__,
        "below": os.path.dirname(_text(folder)) == base,
        "name": [len(os.path.basename(folder)), os.path.basename(folder).isdigit()],
        "left": len(os.listdir(base)),
        "files": _files(_text(folder)),
        "signatures": _signatures(graph),
        "tags": list(graph.meta_info_def.tags),
        "stripped": graph.meta_info_def.stripped_default_attrs,
        "given": _run(tf, kit, folder, "serving_default", {"x": [[1.0, 1.0], [2.0, 0.0]]}),
    }


def parsed(tf, kit):
    export = tf.estimator.export

    def outputs(predictions):
        return {
            "one": export.PredictOutput(predictions["y"]),
            "serving_default": export.PredictOutput(predictions),
            "class": export.ClassificationOutput(scores=predictions["y"]),
            "both": export.ClassificationOutput(predictions["y"], predictions["text"]),
            "number": export.RegressionOutput(predictions["y"]),
            ("a", "b"): export.PredictOutput({("c", "d"): predictions["y"]}),
        }

    made = _trained(tf, outputs)
    folder = made.export_saved_model(tempfile.mkdtemp(), _parsing(tf), as_text=True)
    graph = _graph(tf, folder)
    return {
        "files": _files(_text(folder)),
        "signatures": _signatures(graph),
        "stripped": graph.meta_info_def.stripped_default_attrs,
        "both": _run(tf, kit, folder, "both", {"inputs": _examples(tf)}),
        "number": _run(tf, kit, folder, "number", {"inputs": _examples(tf)}),
    }


def alternatives(tf, kit):
    export = tf.estimator.export
    made = _trained(tf, lambda each: {"number": export.RegressionOutput(each["y"])})

    def receiver():
        examples = tf.placeholder(tf.string, [None], name="examples")
        x = tf.parse_example(examples, {"x": tf.FixedLenFeature([2], tf.float32)})["x"]
        return export.ServingInputReceiver({"x": x}, examples, {"plain": x, "both": {"x": x}})

    def alone():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        return export.TensorServingInputReceiver(x, x)

    def predict(each):
        return {"any": export.PredictOutput(each["y"])}

    base = tempfile.mkdtemp()
    one = made.export_savedmodel(base, receiver)
    two = _trained(tf, predict).export_savedmodel(base, receiver)
    three = _trained(tf, predict).export_savedmodel(base, alone)
    folders = [_text(each) for each in (one, two, three)]
    return {
        "rising": folders == sorted(set(folders)),
        "regression": _signatures(_graph(tf, one)),
        "predict": _signatures(_graph(tf, two)),
        "tensor": _signatures(_graph(tf, three)),
        "plain": _run(tf, kit, two, "plain:any", {"input": [[1.0, 1.0]]}),
    }


def refused(tf, kit):
    export = tf.estimator.export
    base = tempfile.mkdtemp()

    def predict(each):
        return export.PredictOutput(each["y"])

    def error(outputs, receiver=None):
        receiver = receiver or _parsing(tf)
        return kit.error(_trained(tf, outputs).export_savedmodel, base, receiver)

    untrained = tf.estimator.Estimator(_model(tf), tempfile.mkdtemp())
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    words = tf.placeholder(tf.string, [None], name="words")
    return {
        "untrained": kit.error(untrained.export_savedmodel, base, _parsing(tf)),
        "no default": error(lambda each: {"a": predict(each), "b": predict(each)}),
        "no dict": error(lambda each: [predict(each)]),
        "no output": error(lambda each: {"a": each["y"]}),
        "scores": kit.error(export.ClassificationOutput, scores=words),
        "classes": kit.error(export.ClassificationOutput, classes=x),
        "nothing": kit.error(export.ClassificationOutput),
        "number": kit.error(export.RegressionOutput, words),
        "predict": kit.error(export.PredictOutput, {1: x}),
        "no tensor": kit.error(export.PredictOutput, 3),
        "features": kit.error(export.ServingInputReceiver, None, x),
        "feature": kit.error(export.ServingInputReceiver, {"x": 3}, x),
        "key": kit.error(export.ServingInputReceiver, {1.5: x}, x),
        "int key": kit.error(export.ServingInputReceiver, {1: x}, x),
        "int receiver": kit.error(export.ServingInputReceiver, x, {1: x}),
        "alternative": kit.error(export.ServingInputReceiver, x, x, [x]),
        "one tensor": kit.error(export.TensorServingInputReceiver, {"a": x}, x),
    }


def all_modes(tf, kit):
    made = _trained(tf)

    def supervised():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        labels = tf.placeholder(tf.float32, [None], name="labels")
        receivers = {"x": x, "labels": labels}
        return _supervised(tf)({"x": x}, labels, receivers)

    modes = tf.estimator.ModeKeys
    receivers = {modes.EVAL: supervised, modes.PREDICT: _parsing(tf), modes.TRAIN: supervised}
    folder = made.experimental_export_all_saved_models(tempfile.mkdtemp(), receivers)
    feed = {"x": ROWS, "labels": TARGET}
    evaluated = _run(tf, kit, folder, "eval", feed, ["eval"])
    return {
        "train": _signatures(_graph(tf, folder, ["train"])),
        "eval": _signatures(_graph(tf, folder, ["eval"])),
        "serve": _signatures(_graph(tf, folder)),
        "loss": evaluated["loss"],
        "files": _files(_text(folder)),
    }


def _supervised(tf):
    """A class that 1.15 has no public name for."""
    export = tf.estimator.export
    if hasattr(export, "SupervisedInputReceiver"):
        return export.SupervisedInputReceiver
    return importlib.import_module(
        "tensorflow_estimator.python.estimator.export.export"
    ).SupervisedInputReceiver


def predicted(tf, kit):
    """tf.contrib.predictor, of an export."""
    load = tf.contrib.predictor.from_saved_model
    text = tf.estimator.export
    made = _trained(tf, lambda each: {"y": text.PredictOutput(each["y"])})
    folder = _text(made.export_savedmodel(tempfile.mkdtemp(), _parsing(tf)))
    predictor = load(folder)
    return {
        "default": kit.value(predictor({"examples": _examples(tf)})),
        "named": kit.value(load(folder, "y")({"examples": _examples(tf)})),
        "tensors": kit.value(
            load(folder, input_names={"a": "y:0"}, output_names={"b": "text:0"})({"a": [1.5]})
        ),
        "fed": sorted(predictor.feed_tensors),
        "fetched": sorted(predictor.fetch_tensors),
        "unknown": kit.error(predictor, {"a": 1}),
        "half": kit.error(load, folder, input_names={"a": "y:0"}),
        "both": kit.error(load, folder, "y", input_names={"a": "y:0"}, output_names={"a": "y:0"}),
    }


def assets(tf, kit):
    """A table's file is exported with the model, and read when it is loaded."""
    words = os.path.join(tempfile.mkdtemp(), "words")
    with open(words, "w") as out:
        out.write("a\nb\nc\n")

    def model_fn(features, labels, mode):
        table = tf.contrib.lookup.index_table_from_file(words)
        found = table.lookup(features["word"])
        bias = tf.get_variable("bias", [], tf.int64, tf.zeros_initializer(), trainable=False)
        step = tf.assign_add(tf.train.get_global_step(), 1)
        return tf.estimator.EstimatorSpec(
            mode, {"index": found + bias}, tf.constant(0.0), tf.group(step)
        )

    made = tf.estimator.Estimator(model_fn, tempfile.mkdtemp())
    made.train(lambda: ({"word": tf.constant(["a"])}, tf.constant([1])), steps=1)
    fed = {"word": tf.placeholder(tf.string, [None], name="word")}
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(fed, 2)
    folder = made.export_savedmodel(tempfile.mkdtemp(), receiver)
    os.remove(words)
    return {
        "files": _files(_text(folder)),
        "signatures": _signatures(_graph(tf, folder)),
        "given": _run(tf, kit, folder, "serving_default", {"word": ["c", "z"]}),
    }


def _canned(tf):
    number = tf.feature_column.numeric_column("x", [2])
    estimator = tf.estimator
    return {
        "linear 2": (estimator.LinearClassifier([number]), [0, 1]),
        "linear words": (
            estimator.LinearClassifier([number], n_classes=3, label_vocabulary=["a", "b", "c"]),
            ["c", "a"],
        ),
        "linear two": (estimator.LinearRegressor([number], label_dimension=2), ROWS),
        "dnn": (estimator.DNNRegressor([3], [number]), TARGET),
        "combined 3": (
            estimator.DNNLinearCombinedClassifier(
                linear_feature_columns=[number],
                dnn_feature_columns=[number],
                dnn_hidden_units=[3],
                n_classes=3,
            ),
            [0, 2],
        ),
    }


def canned(tf, kit):
    facts = {}
    for name, (made, labels) in _canned(tf).items():
        made.train(lambda labels=labels: ({"x": tf.constant(ROWS)}, tf.constant(labels)), steps=1)
        folder = made.export_savedmodel(tempfile.mkdtemp(), _parsing(tf))
        facts[name] = _signatures(_graph(tf, folder), canned=True)
        if name.startswith("linear"):
            given = _run(tf, kit, folder, "predict", {"examples": _examples(tf)})
            facts[name + " given"] = given
    return facts


def trained_and_exported(tf, kit):
    estimator = tf.estimator
    facts = {}
    for kind in ("LatestExporter", "FinalExporter", "BestExporter"):
        for steps in (4, None):
            folder = tempfile.mkdtemp()
            made = estimator.Estimator(_model(tf), folder)
            exporter = getattr(estimator, kind)(name="out", serving_input_receiver_fn=_parsing(tf))

            def inputs():
                x = tf.train.limit_epochs(tf.constant(ROWS), num_epochs=5)
                return {"x": x}, tf.constant(TARGET)

            train = estimator.TrainSpec(inputs, max_steps=steps)
            spec = estimator.EvalSpec(_inputs(tf), steps=1, exporters=exporter)
            results, exports = estimator.train_and_evaluate(made, train, spec)
            where = os.path.join(folder, "export", "out")
            facts[f"{kind} {steps}"] = {
                "step": int(results["global_step"]),
                "loss": float(results["loss"]),
                "exports": [type(each).__name__ for each in exports],
                "written": len(os.listdir(where)) if os.path.isdir(where) else 0,
            }
    return facts


def kept(tf, kit):
    made = _trained(tf)
    folder = os.path.join(tempfile.mkdtemp(), "out")
    for name in ("1500000000", "1500000001", "1500000002", "temp-1500000003", "100", "notes"):
        os.makedirs(os.path.join(folder, name))
    latest = tf.estimator.LatestExporter("out", _parsing(tf), exports_to_keep=2)
    latest.export(made, folder, made.latest_checkpoint(), {"loss": 1.0}, False)
    best = tf.estimator.BestExporter("out", _parsing(tf), None, exports_to_keep=1)
    exported = [
        best.export(made, folder, made.latest_checkpoint(), {"loss": loss}, False) is not None
        for loss in (3.0, 4.0, 3.0, 2.0)
    ]
    left = sorted(os.listdir(folder))
    return {
        "left": [name for name in left if not name.isdigit() or len(name) < 10],
        "versions": sum(name.isdigit() and len(name) == 10 for name in left),
        "exported": exported,
        "none": kit.error(tf.estimator.LatestExporter, "a", None, exports_to_keep=0),
        "twice": kit.error(tf.estimator.EvalSpec, _inputs(tf), exporters=[latest, latest]),
        "no exporter": kit.error(tf.estimator.EvalSpec, _inputs(tf), exporters=[3]),
    }


def _contrib_model(tf, alternatives=None, alone=False):
    learn = tf.contrib.learn

    def model_fn(features, labels, mode):
        weight = tf.get_variable("weight", [2], initializer=tf.ones_initializer())
        y = tf.reduce_sum(features["x"] * weight, 1, name="y")
        loss = train = None
        if labels is not None:
            loss = tf.reduce_mean(tf.square(y - labels))
            step = tf.train.get_global_step()
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
        made = alternatives(y) if alternatives else None
        predictions = y if alone else {"y": y}
        return learn.ModelFnOps(mode, predictions, loss, train, None, made)

    return model_fn


def _serving(tf):
    utils = tf.contrib.learn.utils.input_fn_utils
    return utils.build_parsing_serving_input_fn({"x": tf.FixedLenFeature([2], tf.float32)})


def contrib(tf, kit):
    learn = tf.contrib.learn
    kinds = learn.ProblemType

    def fitted(*args):
        return learn.Estimator(_contrib_model(tf, *args), tempfile.mkdtemp()).fit(
            input_fn=_inputs(tf), steps=3
        )

    def written(made, serving=None, **how):
        folder = made.export_savedmodel(tempfile.mkdtemp(), serving or _serving(tf), **how)
        return folder, _signatures(_graph(tf, folder))

    def plain():
        x = tf.placeholder(tf.float32, [None, 2], name="fed")
        return learn.InputFnOps({"x": x}, None, {"x": x})

    raw = learn.utils.input_fn_utils.build_default_serving_input_fn(
        {"x": tf.placeholder(tf.float32, [3, 2], name="raw")}
    )

    def two(y):
        return {"a": (kinds.LINEAR_REGRESSION, {"y": y}), "b": (kinds.UNSPECIFIED, {"y": y})}

    def classes(y):
        return {None: (kinds.CLASSIFICATION, {"probabilities": y, "classes": tf.as_string(y)})}

    folder, simple = written(fitted(), plain)
    heads = fitted(two)
    return {
        "type": type(folder).__name__,
        "files": _files(_text(folder)),
        "tags": list(_graph(tf, folder).meta_info_def.tags),
        "given": _run(tf, kit, folder, "serving_default", {"x": ROWS}),
        "simple": simple,
        "raw": written(fitted(), raw)[1],
        "alone": written(fitted(None, True))[1],
        "heads": written(heads, default_output_alternative_key="a")[1],
        "classes": written(fitted(classes))[1],
        "which head": kit.error(written, heads),
        "no head": kit.error(written, fitted(), default_output_alternative_key="a"),
        "unfitted": kit.error(written, learn.Estimator(_contrib_model(tf), tempfile.mkdtemp())),
        "no function": kit.error(heads.export_savedmodel, tempfile.mkdtemp(), None),
    }


def contrib_canned(tf, kit):
    learn = tf.contrib.learn
    number = tf.contrib.layers.real_valued_column("x", 2)
    every = {
        "linear 2": (learn.LinearClassifier([number]), [0, 1]),
        "linear words": (
            learn.LinearClassifier([number], n_classes=3, label_keys=["a", "b", "c"]),
            ["c", "a"],
        ),
        "dnn 2": (learn.DNNClassifier([3], [number]), [0, 1]),
        "dnn": (learn.DNNRegressor([3], [number]), TARGET),
    }
    facts = {}
    for name, (made, labels) in every.items():
        made.fit(
            input_fn=lambda labels=labels: ({"x": tf.constant(ROWS)}, tf.constant(labels)), steps=1
        )
        spec = tf.contrib.layers.create_feature_spec_for_parsing([number])
        serving = learn.build_parsing_serving_input_fn(spec)
        folder = made.export_savedmodel(tempfile.mkdtemp(), serving)
        facts[name] = _signatures(_graph(tf, folder), canned=True)
        if name.startswith("linear"):
            inputs = {"inputs": _examples(tf)}
            facts[name + " given"] = _run(tf, kit, folder, "serving_default", inputs)
    return facts


def experiment(tf, kit):
    learn = tf.contrib.learn
    utils = learn.utils.saved_model_export_utils
    strategy = utils.make_export_strategy(_serving(tf), exports_to_keep=1)
    own = learn.ExportStrategy("own", lambda estimator, export_path: export_path)
    told = learn.ExportStrategy(
        "told",
        lambda estimator, export_path, checkpoint_path, eval_result: sorted(eval_result),
    )

    def make(output_dir):
        made = learn.Estimator(_contrib_model(tf), model_dir=output_dir)
        inputs = _inputs(tf)
        return learn.Experiment(
            made,
            inputs,
            inputs,
            train_steps=4,
            eval_steps=1,
            export_strategies=[strategy, own, told],
        )

    def core(output_dir):
        made = tf.estimator.Estimator(_model(tf), output_dir)
        parsing = utils.make_parsing_export_strategy(
            [tf.contrib.layers.real_valued_column("x", 2)], target_core=True
        )
        inputs = _inputs(tf)
        return learn.Experiment(
            made, inputs, inputs, train_steps=4, eval_steps=1, export_strategies=parsing
        )

    folder, other = tempfile.mkdtemp(), tempfile.mkdtemp()
    results, exports = learn.learn_runner.run(make, output_dir=folder)
    core_results, core_exports = learn.learn_runner.run(core, output_dir=other)
    where = os.path.join(folder, "export", "Servo")
    return {
        "results": {name: float(value) for name, value in results.items()},
        "where": [_text(os.path.dirname(exports[0])) == where, _text(exports[1])[len(folder) :]],
        "told": exports[2],
        "written": len(os.listdir(where)),
        "core": [
            int(core_results["global_step"]),
            _text(os.path.dirname(core_exports[0]))[len(other) :],
        ],
        "recent": _text(utils.get_most_recent_export(where).path) == _text(exports[0]),
    }
