"""`tf.contrib.learn`: reading in batches, running a graph a few times, data sets,
estimators.
"""

from tfqueue.v1 import _rows

_HERE = "tfqueue.contrib.learn"
_ROWS = {
    "ModeKeys": f"{_HERE}.graph_actions:ModeKeys",
    "datasets": f"{_HERE}.datasets",
    "graph_actions": f"{_HERE}.graph_actions",
    "infer": f"{_HERE}.graph_actions:infer",
    "io": f"{_HERE}.io",
    "learn_runner": f"{_HERE}.estimators",
    "monitors": f"{_HERE}.monitors",
    "preprocessing": f"{_HERE}.preprocessing",
    **{
        name: f"{_HERE}.estimators:{name}"
        for name in (
            "Estimator",
            "Experiment",
            "MetricSpec",
            "ModelFnOps",
            "NotFittedError",
            "RunConfig",
            "SKCompat",
        )
    },
    **{
        name: f"{_HERE}.canned:{name}"
        for name in (
            "DNNClassifier",
            "DNNLinearCombinedClassifier",
            "DNNLinearCombinedRegressor",
            "DNNRegressor",
            "LinearClassifier",
            "LinearRegressor",
            "PredictionKey",
            "infer_real_valued_columns_from_input",
            "infer_real_valued_columns_from_input_fn",
        )
    },
    **{
        name: f"{_HERE}.exports:{name}"
        for name in (
            "ExportStrategy",
            "InputFnOps",
            "ProblemType",
            "build_parsing_serving_input_fn",
            "make_export_strategy",
        )
    },
    "pandas_input_fn": f"{_HERE}.io:pandas_input_fn",
    "utils": f"{_HERE}.utils",
    "run_feeds": f"{_HERE}.graph_actions:run_feeds",
    "run_n": f"{_HERE}.graph_actions:run_n",
    **{
        name: f"{_HERE}.graph_io:{name}"
        for name in (
            "queue_parsed_features",
            "read_batch_examples",
            "read_batch_features",
            "read_batch_record_features",
            "read_keyed_batch_examples",
            "read_keyed_batch_examples_shared_queue",
            "read_keyed_batch_features",
            "read_keyed_batch_features_shared_queue",
        )
    },
}

__getattr__, __dir__ = _rows.attributes(__name__, _ROWS)
__all__ = sorted(_ROWS)
