"""Modules inside the packages of `tf.contrib`, where TensorFlow 1 kept the implementation."""

from tfqueue.names.sentence import Gone


def homes(table: str) -> dict[str, str]:
    """Name -> where it is today.

    Args:
        table: Lines of names, all of one folder where that is named first, and of where they are today:
            `*` stands for the name.

    >>> homes("a.b: c d | e.*")
    {'a.b.c': 'e.c', 'a.b.d': 'e.d'}
    """
    found = {}
    for line in table.strip().splitlines():
        old, today = line.split(" | ")
        folder, _, names = old.rpartition(": ")
        for name in names.split():
            found[f"{folder}.{name}" if folder else name] = today.replace("*", name)
    return found


MODULES = homes("""
bayesflow.python.ops: entropy monte_carlo stochastic_graph stochastic_tensor | tfqueue.contrib.bayesflow.*
bayesflow.python.ops: stochastic_gradient_estimators variational_inference | tfqueue.contrib.bayesflow.*
bayesflow.python.ops: entropy_impl | tfqueue.contrib.bayesflow.entropy
bayesflow.python.ops: monte_carlo_impl | tfqueue.contrib.bayesflow.monte_carlo
bayesflow.python.ops: stochastic_graph_impl | tfqueue.contrib.bayesflow.stochastic_graph
bayesflow.python.ops: stochastic_tensor_impl | tfqueue.contrib.bayesflow.stochastic_tensor
bayesflow.python.ops: variational_inference_impl | tfqueue.contrib.bayesflow.variational_inference
framework.python.ops: arg_scope variables | tf_slim.ops.*
framework.python.ops: audio_ops | tfqueue.contrib.framework.audio_ops
gan | tfqueue.contrib._gan
gan.python: estimator eval features losses namedtuples train | tensorflow_gan.python.*
gan.python.eval.python: classifier_metrics_impl | tensorflow_gan.python.eval.classifier_metrics
gan.python.eval.python: eval_utils_impl | tensorflow_gan.python.eval.eval_utils
gan.python.eval.python: summaries_impl | tensorflow_gan.python.eval.summaries
gan.python.losses.python: losses_impl losses_wargs | tensorflow_gan.python.losses.*
gan.python.losses.python: tuple_losses_impl | tensorflow_gan.python.losses.tuple_losses
layers.python.layers: initializers layers normalization optimizers | tf_slim.layers.*
layers.python.layers: regularizers summaries utils | tf_slim.layers.*
layers.python.ops: bucketization_op | tf_slim.layers.*
layers.python.layers: feature_column feature_column_ops | tfqueue.contrib.layers.feature_column
learn.python.learn: datasets graph_actions estimators preprocessing | tfqueue.contrib.learn.*
learn.python.learn: export_strategy | tfqueue.contrib.learn.exports
learn.python.learn: experiment learn_runner metric_spec | tfqueue.contrib.learn.estimators
learn.python.learn: learn_io learn_io.numpy_io learn_io.pandas_io | tfqueue.contrib.learn.io
learn.python.learn: monitors | tfqueue.contrib.learn.monitors
learn.python.learn: basic_session_run_hooks monitored_session session_run_hook | tf:train
learn.python.learn.dataframe.queues: feeding_queue_runner | tfqueue.contrib.training.*
learn.python.learn.datasets: base mnist | tfqueue.contrib.learn.datasets.*
learn.python.learn.estimators: constants | tfqueue.contrib.learn.exports
learn.python.learn.estimators: dnn dnn_linear_combined | tfqueue.contrib.learn.dnn_linear_combined
learn.python.learn.estimators: kmeans | tfqueue.contrib.learn.kmeans
learn.python.learn.estimators: linear prediction_key | tfqueue.contrib.learn.dnn_linear_combined
learn.python.learn.estimators: estimator model_fn run_config | tfqueue.contrib.learn.estimators
learn.python.learn.learn_io: examples_io features_io graph_io | tfqueue.contrib.learn.*
learn.python.learn.preprocessing: categorical_vocabulary text | tfqueue.contrib.learn.preprocessing
learn: python.learn.utils utils | tfqueue.contrib.learn.exports
learn.python.learn.utils: input_fn_utils saved_model_export_utils | tfqueue.contrib.learn.exports
learn.utils: input_fn_utils saved_model_export_utils | tfqueue.contrib.learn.exports
losses.python: metric_learning | tf_slim.losses.*
losses.python.metric_learning: metric_loss_ops | tf_slim.losses.metric_learning
model_pruning.python: layers pruning | tfqueue.contrib.model_pruning.*
model_pruning.python.layers: layers | tfqueue.contrib.model_pruning.layers
predictor: predictor predictor_factories saved_model_predictor | tfqueue.contrib.predictor
saved_model.python.saved_model: reader | tensorflow.python.tools.saved_model_utils
slim.python.slim: evaluation learning queues nets | tfqueue.contrib.slim.*
slim.python.slim: model_analyzer summaries | tf_slim.*
slim.python.slim.data: dataset_data_provider parallel_reader prefetch_queue | tfqueue.contrib.slim.*
slim.python.slim.data: data_decoder data_provider dataset tfexample_decoder | tf_slim.data.*
slim.python.slim.nets: alexnet inception inception_v1 inception_v2 inception_v3 | tf_slim.nets.*
slim.python.slim.nets: overfeat resnet_utils resnet_v1 resnet_v2 vgg | tf_slim.nets.*
optimizer_v2: adadelta adagrad adam gradient_descent momentum | tfqueue.contrib.optimizer_v2
optimizer_v2: optimizer_v2 optimizer_v2_symbols rmsprop | tfqueue.contrib.optimizer_v2
summary: gen_summary_ops | tensorflow.python.ops.gen_summary_ops
summary: summary summary_ops | tfqueue.contrib.summary
solvers.python.ops: lanczos least_squares linear_equations util | tfqueue.contrib.solvers.*
training.python.training: bucket_ops device_setter feeding_queue_runner hparam | tfqueue.contrib.training.*
training.python.training: resample sampling_ops | tfqueue.contrib.training.*
training.python.training: sequence_queueing_state_saver | tfqueue.contrib.training.*
training.python.training: evaluation training | tf_slim.training.*
tpu.python.tpu: bfloat16 tpu_function tpu_optimizer | tensorflow.python.tpu.*
keras keras.api.keras keras.python.keras | tf:keras
keras.optimizers keras.api.keras.optimizers keras.python.keras.optimizers | tfqueue.contrib._keras_optimizers
tensorboard tensorboard.plugins tensorboard.plugins.projector | tfqueue.contrib._projector
tensorboard.plugins.projector: projector_config_pb2 | tfqueue.contrib._projector
compiler compiler.jit compiler.xla | tfqueue.contrib._compiler
tfprof tfprof.model_analyzer tfprof.tfprof_logger | tfqueue.contrib._profiling
tfprof.python.tools.tfprof: model_analyzer tfprof_logger | tfqueue.contrib._profiling
""")
"""Module below `tf.contrib`, where TensorFlow 1.15 had it -> the module that it is."""

IMPORTED = homes("""
common_shapes constant_op device dtypes errors ops | tensorflow.python.framework.*
sparse_tensor tensor_shape | tensorflow.python.framework.*
array_ops check_ops clip_ops control_flow_ops data_flow_ops | tensorflow.python.ops.*
gen_data_flow_ops init_ops linalg_ops math_ops nn_ops parsing_ops | tensorflow.python.ops.*
functional_ops io_ops random_ops resource_variable_ops | tensorflow.python.ops.*
special_math_ops string_ops | tensorflow.python.ops.*
tensor_array_ops variable_scope | tensorflow.python.ops.*
resource_loader | tensorflow.python.platform.*
moving_averages | tensorflow.python.training.*
decorator_utils deprecation | tensorflow.python.util.*
coordinator queue_runner tf_input train | tf:train
gfile logging nn summary | tf:*
nest | tfqueue.contrib.framework.nest
optimizer_ | tensorflow.python.training.optimizer
tf_dtypes | tensorflow.python.framework.dtypes
input_pipeline_ops | tfqueue.contrib.input_pipeline
sparse_tensor_py | tensorflow.python.framework.sparse_tensor
vars_ | tensorflow.python.ops.variables
vs | tensorflow.python.ops.variable_scope
""")
"""Modules that a package of `tf.contrib` imported for itself, and where they are today (see `v1._lazy_names.resolve`)."""

GONE = [
    Gone("learn.python.learn.utils.export", "2.0", "export_savedmodel of the estimator"),
]
"""Modules inside packages that are here, though what they held is not; names below `tf.contrib`."""
