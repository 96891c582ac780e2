"""`tf.contrib.learn`: reading in batches, running a graph a few times, data sets, estimators.

* `estimators`, `dnn_linear_combined` (the canned ones) and `kmeans`: models; `monitors` watch their training,
  `exports` write them.
* `io` and what it is made of: `graph_io`, `examples_io`, `features_io`: batches of files in one call.
* `graph_actions` runs a graph a few times, `preprocessing` makes numbers of words, `datasets` are small ones.
"""

from tfqueue.v1 import _lazy_names

_HERE = "tfqueue.contrib.learn"
_BY_MODULE = {
    "dnn_linear_combined": (
        "DNNClassifier DNNLinearCombinedClassifier DNNLinearCombinedRegressor DNNRegressor "
        "LinearClassifier LinearRegressor PredictionKey infer_real_valued_columns_from_input "
        "infer_real_valued_columns_from_input_fn"
    ),
    "estimators": "Estimator Experiment MetricSpec ModelFnOps NotFittedError RunConfig SKCompat",
    "exports": (
        "ExportStrategy InputFnOps ProblemType build_parsing_serving_input_fn make_export_strategy"
    ),
    "graph_actions": "ModeKeys infer run_feeds run_n",
    "graph_io": (
        "queue_parsed_features read_batch_examples read_batch_features read_batch_record_features "
        "read_keyed_batch_examples read_keyed_batch_examples_shared_queue "
        "read_keyed_batch_features read_keyed_batch_features_shared_queue"
    ),
    "io": "pandas_input_fn",
    "kmeans": "KMeansClustering",
}
_MODULES = "datasets estimators graph_actions io monitors preprocessing utils"
_ROWS = {
    **_lazy_names.rows_of(_HERE, _BY_MODULE),
    **{name: f"{_HERE}.{name}" for name in _MODULES.split()},
    "learn_runner": f"{_HERE}.estimators",
}
__all__ = sorted(_ROWS)

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
