"""Modules inside the packages of `tf.contrib`, where TensorFlow 1 kept the implementation."""

from tfqueue.names.sentence import Gone

_CONTRIB = "tfqueue.contrib"
_SLIM_DATA = "data_decoder data_provider dataset tfexample_decoder"
_NETS = (
    "alexnet inception inception_v1 inception_v2 inception_v3 overfeat resnet_utils resnet_v1 "
    "resnet_v2 vgg"
)
# Folder below tf.contrib, the modules in it, and where these are today.
_TREE = [
    ("framework.python.ops", "arg_scope variables", "tf_slim.ops"),
    (
        "layers.python.layers",
        "initializers layers normalization optimizers regularizers summaries utils",
        "tf_slim.layers",
    ),
    ("learn.python.learn", "datasets graph_actions", f"{_CONTRIB}.learn"),
    ("learn.python.learn.datasets", "base mnist", f"{_CONTRIB}.learn.datasets"),
    ("learn.python.learn.learn_io", "examples_io features_io graph_io", f"{_CONTRIB}.learn"),
    ("learn.python.learn", "estimators preprocessing", f"{_CONTRIB}.learn"),
    ("slim.python.slim", "evaluation learning queues", f"{_CONTRIB}.slim"),
    ("slim.python.slim", "model_analyzer summaries", "tf_slim"),
    (
        "slim.python.slim.data",
        "dataset_data_provider parallel_reader prefetch_queue",
        f"{_CONTRIB}.slim",
    ),
    ("slim.python.slim.data", _SLIM_DATA, "tf_slim.data"),
    ("slim.python.slim.nets", _NETS, "tf_slim.nets"),
    (
        "training.python.training",
        "bucket_ops feeding_queue_runner hparam resample sampling_ops sequence_queueing_state_saver",
        f"{_CONTRIB}.training",
    ),
    ("training.python.training", "evaluation training", "tf_slim.training"),
]
MODULES = {
    **{
        f"{folder}.{name}": f"{today}.{name}"
        for folder, names, today in _TREE
        for name in names.split()
    },
    **{
        f"learn.python.learn.learn_io{name}": f"{_CONTRIB}.learn.io"
        for name in ("", ".numpy_io", ".pandas_io")
    },
    "learn.python.learn.monitors": f"{_CONTRIB}.learn.monitors",
    **{
        f"layers.python.layers.{name}": f"{_CONTRIB}.layers.feature_column"
        for name in ("feature_column", "feature_column_ops")
    },
    **{
        f"learn.python.learn.estimators.{name}": f"{_CONTRIB}.learn.dnn_linear_combined"
        for name in ("dnn", "dnn_linear_combined", "linear", "prediction_key")
    },
    "slim.python.slim.nets": f"{_CONTRIB}.slim.nets",
    **{
        f"learn.python.learn.{name}": f"{_CONTRIB}.learn.estimators"
        for name in (
            "estimators.estimator",
            "estimators.model_fn",
            "estimators.run_config",
            "experiment",
            "learn_runner",
            "metric_spec",
        )
    },
    **{
        f"learn.python.learn.preprocessing.{name}": f"{_CONTRIB}.learn.preprocessing"
        for name in ("categorical_vocabulary", "text")
    },
    **{
        f"{folder}{name}": f"{_CONTRIB}.learn.exports"
        for folder in ("learn.utils", "learn.python.learn.utils")
        for name in ("", ".input_fn_utils", ".saved_model_export_utils")
    },
    "learn.python.learn.dataframe.queues.feeding_queue_runner": (
        f"{_CONTRIB}.training.feeding_queue_runner"
    ),
    "learn.python.learn.estimators.constants": f"{_CONTRIB}.learn.exports",
    "learn.python.learn.export_strategy": f"{_CONTRIB}.learn.exports",
    **{name: "tf:keras" for name in ("keras", "keras.api.keras", "keras.python.keras")},
    **{
        name: f"{_CONTRIB}._projector"
        for name in ("tensorboard", "tensorboard.plugins", "tensorboard.plugins.projector")
    },
    **{name: f"{_CONTRIB}._compiler" for name in ("compiler", "compiler.jit")},
    "compiler.xla": "tf:xla.experimental",
    **{
        f"learn.python.learn.{name}": "tf:train"
        for name in ("basic_session_run_hooks", "monitored_session", "session_run_hook")
    },
    **{
        name: f"{_CONTRIB}._profiling"
        for name in (
            "tfprof",
            "tfprof.model_analyzer",
            "tfprof.tfprof_logger",
            "tfprof.python.tools.tfprof.model_analyzer",
            "tfprof.python.tools.tfprof.tfprof_logger",
        )
    },
}
"""Module below `tf.contrib`, where TensorFlow 1.15 had it -> the module that it is."""

GONE = [
    Gone("learn.python.learn.utils.export", "2.0", "export_savedmodel of the estimator"),
]
"""Modules inside packages that are here, though what they held is not; names below `tf.contrib`."""
