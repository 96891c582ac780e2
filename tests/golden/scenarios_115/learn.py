"""tf.contrib.learn: words to numbers, and an estimator of a model function."""

import os
import tempfile

DOCUMENTS = [
    "The quick brown fox, it's quick",
    "the fox of the XMLParser don't stop",
    "",
    "a-b c_d E5 Brown brown the the",
]


def vocabulary(tf, kit):
    preprocessing = tf.contrib.learn.preprocessing
    facts = {}
    for frequency in (0, 1):
        processor = preprocessing.VocabularyProcessor(5, min_frequency=frequency)
        ids = [each.tolist() for each in processor.fit_transform(DOCUMENTS)]
        path = os.path.join(tempfile.mkdtemp(), "vocabulary")
        processor.save(path)
        again = preprocessing.VocabularyProcessor.restore(path)
        facts[str(frequency)] = {
            "ids": ids,
            "size": len(processor.vocabulary_),
            "words": list(processor.reverse(ids)),
            "later": [each.tolist() for each in again.transform(["the unseen fox"])],
        }
    facts["tokens"] = list(preprocessing.tokenizer(DOCUMENTS))
    return facts


def _model(tf, seen):
    def model_fn(features, labels, mode, params):
        seen.append(mode)
        weight = tf.get_variable("weight", [2], initializer=tf.zeros_initializer())
        predicted = tf.reduce_sum(tf.cast(features["x"], tf.float32) * weight, 1)
        loss = train_op = None
        if labels is not None:
            loss = tf.reduce_mean(tf.square(predicted - tf.cast(labels, tf.float32)))
        if mode == tf.contrib.learn.ModeKeys.TRAIN:
            step = tf.train.get_global_step()
            train_op = tf.train.GradientDescentOptimizer(params["rate"]).minimize(loss, step)
        return tf.contrib.learn.ModelFnOps(
            mode, {"y": predicted, "twice": 2 * predicted}, loss, train_op
        )

    return model_fn


def estimator(tf, kit):
    learn = tf.contrib.learn
    seen = []
    made = learn.Estimator(
        _model(tf, seen),
        model_dir=tempfile.mkdtemp(),
        params={"rate": 0.1},
        config=learn.RunConfig(save_checkpoints_steps=2),
    )

    def train():
        return {"x": tf.constant([[1.0, 2.0], [3.0, 0.5]])}, tf.constant([1.0, 2.0])

    def once():
        x = tf.train.limit_epochs(tf.constant([[1.0, 1.0], [2.0, 2.0]]), num_epochs=2)
        return {"x": x}, tf.reduce_sum(x, 1)

    facts = {"unfitted": kit.error(lambda: list(made.predict(input_fn=once)))}
    made.fit(input_fn=train, steps=3)
    made.fit(input_fn=train, max_steps=5)
    made.fit(input_fn=train, max_steps=4)
    metrics = {
        "error": learn.MetricSpec(
            metric_fn=tf.contrib.metrics.streaming_mean_absolute_error, prediction_key="y"
        )
    }
    facts["evaluated"] = {
        name: float(value) for name, value in made.evaluate(input_fn=once, metrics=metrics).items()
    }
    facts["one step"] = {
        name: float(value) for name, value in made.evaluate(input_fn=train, steps=1).items()
    }
    facts["predicted"] = [
        {name: float(value) for name, value in each.items()} for each in made.predict(input_fn=once)
    ]
    facts["some"] = [sorted(each) for each in made.predict(input_fn=once, outputs=["y"])]
    facts["variables"] = sorted(made.get_variable_names())
    facts["weight"] = kit.value(made.get_variable_value("weight"))
    facts["modes"] = [str(mode) for mode in seen]
    return facts


def experiment(tf, kit):
    learn = tf.contrib.learn
    seen = []

    def inputs():
        return {"x": tf.constant([[1.0, 2.0], [3.0, 0.5]])}, tf.constant([1.0, 2.0])

    def make(output_dir):
        made = learn.Estimator(_model(tf, seen), model_dir=output_dir, params={"rate": 0.1})
        return learn.Experiment(made, inputs, inputs, train_steps=4, eval_steps=1)

    ran = learn.learn_runner.run(make, output_dir=tempfile.mkdtemp(), schedule="train_and_evaluate")
    return {
        "evaluated": {name: float(value) for name, value in ran[0].items()},
        "exports": ran[1],
        "modes": sorted(set(str(mode) for mode in seen)),
    }
