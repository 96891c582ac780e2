"""The packages of `tf.contrib` that are not brought back, and names of those that are: a row each.

The names are those of the 1.15 wheel and of the earlier ones, from 0.12 on, where it had dropped
them.
"""

from tfqueue.names.sentence import Gone

_ADVICE = {
    "all_reduce": "tf.distribute",
    "autograph": "tf.autograph",
    "batching": "TensorFlow Serving, which batches requests",
    "bayesflow": "the package tensorflow-probability",
    "bigtable": "the package google-cloud-bigtable, in a tf.py_func",
    "boosted_trees": "the package ydf",
    "checkpoint": "tf.train.Checkpoint",
    "cloud": "the package google-cloud-bigquery, in a tf.py_func",
    "cluster_resolver": "tf.distribute.cluster_resolver",
    "coder": "an entropy coder in a tf.py_func",
    "constrained_optimization": "the package tensorflow-constrained-optimization",
    "copy_graph": "tf.import_graph_def",
    "decision_trees": "the package ydf",
    "distribute": "tf.distribute",
    "eager": "TensorFlow 2 itself",
    "factorization": "scikit-learn",
    "feature_column": "tf.feature_column",
    "ffmpeg": "ffmpeg itself, in a tf.py_func",
    "fused_conv": "tf.nn.conv2d, tf.nn.bias_add and an activation, which the runtime fuses",
    "gan": "two optimizers of tf.train, each with its var_list",
    "grid_rnn": "tf.contrib.rnn",
    "hadoop": "a client of Hadoop, in a tf.py_func",
    "hooks": "tf.train.ProfilerHook",
    "ignite": "a client of Ignite, in a tf.py_func",
    "imperative": "TensorFlow 2 itself",
    "integrate": "scipy.integrate, or the package tensorflow-probability",
    "kafka": "a client of Kafka, in a tf.py_func",
    "kernel_methods": "scikit-learn",
    "kfac": "the optimizers of tf.train, or those of Keras",
    "kinesis": "a client of Kinesis, in a tf.py_func",
    "labeled_tensor": "xarray",
    "libsvm": "sklearn.datasets.load_svmlight_file",
    "linear_optimizer": "tf.train.FtrlOptimizer",
    "lite": "tf.lite",
    "memory_stats": "tf.config.experimental.get_memory_info",
    "meta_graph_transform": "tf.graph_util",
    "mixed_precision": "tf.keras.mixed_precision",
    "model_pruning": "the package tensorflow-model-optimization",
    "mpi": "tf.distribute",
    "mpi_collectives": "tf.distribute",
    "nccl": "tf.distribute",
    "ndlstm": "tf.contrib.rnn",
    "nearest_neighbor": "scikit-learn",
    "optimizer_v2": "the optimizers of tf.train, or those of Keras",
    "periodic_resample": "tf.reshape and tf.transpose",
    "proto": "tf.io.decode_proto",
    "quantization": "tf.quantization",
    "quantize": "the package tensorflow-model-optimization",
    "rate": "the difference of two values, the last one kept in a variable",
    "receptive_field": "the arithmetic of kernel sizes and strides",
    "recurrent": "tf.nn.dynamic_rnn",
    "reduce_slice_ops": "tf.math.segment_sum",
    "remote_fused_graph": "tf.lite",
    "resampler": "tf.gather_nd and weights of one's own",
    "rpc": "gRPC itself",
    "saved_model": "tf.saved_model",
    "session_bundle": "tf.saved_model",
    "solvers": "tf.linalg.experimental.conjugate_gradient",
    "specs": "layers of tf.layers",
    "stat_summarizer": "tf.profiler",
    "stateless": "tf.random.stateless_uniform and its like",
    "tensor_forest": "the package ydf",
    "tensorrt": "tensorflow.python.compiler.tensorrt",
    "testing": "tf.test",
    "text": "the package tensorflow-text",
    "timeseries": "read the series with tf.train.batch or tf.data, and model it in tfqueue.v1",
    "verbs": "tf.distribute",
}

PACKAGES = [Gone(name, "2.0", use) for name, use in _ADVICE.items()]
"""Their `old` is the name below `tf.contrib`."""

_IMPORTED = """
bijector categorical checkpoint_utils contrib_framework contrib_lookup_ops contrib_sparse_ops
contrib_tensor_util contrib_variables deprecated deprecated_arg_values distribution
distribution_util distributions embedding_ops experimental failure_tolerator fc fc_core
fused_rnn_cell gamma gen_bucketization_op gen_sparse_feature_cross_op kullback_leibler layers loader lookup loss
loss_ops losses metric_ops metrics_lib operator_pd_cholesky operator_pd_full parameter predictor
predictor_factories python_input saved_model_predictor rnn sparse_feature_cross_op
sparse_ops special_math tensor_util variables
"""
IMPORTED = {
    name: Gone(name, "2.0", "a module that it imported for itself; import that by its own name")
    for name in _IMPORTED.split()
}
"""Modules that a package imported for itself and that programs could take from there, mostly up
to 1.0; those that stand nowhere today."""

_HOMES = {
    "framework": "common_shapes constant_op device dtypes errors ops sparse_tensor tensor_shape",
    "ops": "array_ops check_ops clip_ops control_flow_ops data_flow_ops "
    "gen_data_flow_ops init_ops linalg_ops math_ops nn_ops parsing_ops random_ops "
    "resource_variable_ops special_math_ops string_ops tensor_array_ops "
    "variable_scope",
    "platform": "resource_loader",
    "training": "moving_averages",
    "util": "decorator_utils deprecation",
}
TODAY = {
    **{
        name: f"tensorflow.python.{home}.{name}"
        for home, names in _HOMES.items()
        for name in names.split()
    },
    "coordinator": "tf:train",
    "logging": "tf:logging",
    "nest": "tfqueue.contrib.framework.nest",
    "nn": "tf:nn",
    "optimizer_": "tensorflow.python.training.optimizer",
    "queue_runner": "tf:train",
    "sparse_tensor_py": "tensorflow.python.framework.sparse_tensor",
    "summary": "tf:summary",
    "train": "tf:train",
    "vars_": "tensorflow.python.ops.variables",
    "vs": "tensorflow.python.ops.variable_scope",
}
"""Modules that a package imported for itself, and where they are today (see `v1._rows.resolve`)."""


_TRAIN = "train with tfqueue.managed_session, or Keras"
_ESTIMATORS = (
    "BaseEstimator DNNEstimator DNNLinearCombinedEstimator DynamicRnnEstimator Evaluable "
    "Head KMeansClustering LinearEstimator "
    "LogisticRegressor NanLossDuringTrainingError "
    "SVM StateSavingRnnEstimator "
    "Classifier ClusterConfig Environment MetricKey TensorForestEstimator TensorForestLossHook "
    "TaskType TensorFlowDNNClassifier TensorFlowDNNRegressor TensorFlowEstimator "
    "TensorFlowLinearClassifier TensorFlowLinearRegressor TensorFlowRNNClassifier Trainable "
    "basic_session_run_hooks "
    "binary_svm_head evaluate head "
    "models multi_class_head multi_head multi_label_head "
    "no_op_train_fn poisson_regression_head regression_head train"
)
_FRAMES = (
    "BooleanMask DataFrame Difference HAS_DASK HAS_PANDAS HashFast NumpySource PandasSource "
    "PredefinedSeries ReaderSource Series Sum TensorFlowDataFrame TensorFlowTransform Transform "
    "TransformedSeries "
    "extract_dask_data extract_dask_labels extract_pandas_data extract_pandas_labels "
    "extract_pandas_matrix"
)
_LEARN = [
    *(Gone(name, "2.0", _TRAIN) for name in _ESTIMATORS.split()),
    *(Gone(name, "2.0", "numpy and pandas themselves") for name in _FRAMES.split()),
    Gone("ops", "2.0", "tf.nn"),
]

_COLUMNS = (
    "DataFrameColumn ProblemType binary_svm_target get_default_binary_metrics_for_eval "
    "hashed_embedding_column joint_weighted_sum_from_feature_columns multi_class_target "
    "parse_feature_columns_from_sequence_examples regression_target scattered_embedding_column "
    "sequence_input_from_feature_columns shared_embedding_columns"
)
_LAYERS = [
    *(Gone(name, "2.0", "tf.feature_column, or tf.parse_example") for name in _COLUMNS.split()),
    *(
        Gone(name, "1.0", "tf.string_to_hash_bucket_fast and tf.nn.embedding_lookup")
        for name in (
            *("hashed_embedding_lookup", "hashed_embedding_lookup_sparse"),
            *("scattered_embedding_lookup", "scattered_embedding_lookup_sparse"),
        )
    ),
    Gone("InputLayer", "2.0", "tf.keras.layers.InputLayer"),
    Gone(
        "embedding_lookup_sparse_with_distributed_aggregation",
        "2.0",
        "tf.nn.embedding_lookup_sparse",
    ),
    Gone("sparse_feature_cross", "1.0", "tf.sparse.cross"),
]

_IMAGE = [
    Gone("bipartite_match", "2.0", "scipy.optimize.linear_sum_assignment in a tf.py_func"),
    Gone("connected_components", "2.0", "scipy.ndimage.label in a tf.py_func"),
    Gone("dense_image_warp", "2.0", "tf.gather_nd, or scipy.ndimage.map_coordinates"),
    Gone("interpolate_spline", "2.0", "scipy.interpolate in a tf.py_func"),
    Gone("single_image_random_dot_stereograms", "2.0", "numpy"),
    Gone("sparse_image_warp", "2.0", "scipy.interpolate and scipy.ndimage"),
]

_TRAINING = [
    Gone("FailureTolerator", "1.0", "try and except around the step"),
    Gone("Feeder", "1.1", "tf.train.QueueRunner and tf.py_func"),
    Gone("GreedyLoadBalancingStrategy", "2.0", "tf.train.replica_device_setter"),
    Gone("HParamDef", "2.0", "HParams.to_json and HParams.parse_json"),
    Gone("RandomStrategy", "2.0", "tf.train.replica_device_setter"),
    Gone("Tuner", "2.0", "the package keras-tuner"),
    Gone("byte_size_load_fn", "2.0", "tf.train.replica_device_setter"),
    Gone("enqueue_in_queue_dataset", "2.0", "tf.data.Dataset.padded_batch"),
    Gone("prepend_from_queue_and_padded_batch_dataset", "2.0", "tf.data.Dataset.padded_batch"),
]

_NN = [
    Gone("rank_sampled_softmax_loss", "2.0", "tf.nn.sampled_softmax_loss"),
    Gone("sampled_sparse_softmax_loss", "2.0", "tf.nn.sampled_softmax_loss"),
]

_CELLS = (
    "BidirectionalGridLSTMCell CompiledWrapper CoupledInputForgetGateLSTMCell GLSTMCell "
    "GRUBlockCell GridLSTMCell IndRNNCell IndyGRUCell IndyLSTMCell IntersectionRNNCell SRUCell "
    "TimeFreqLSTMCell"
)
_RNN = [
    Gone(name, "2.0", "a cell of tf.nn.rnn_cell, or one of your own") for name in _CELLS.split()
]

_CUDNN = {
    "LSTM": "CudnnCompatibleLSTMCell",
    "GRU": "CudnnCompatibleGRUCell",
    "RNNRelu": "tf.nn.rnn_cell.BasicRNNCell with tf.nn.relu",
    "RNNTanh": "tf.nn.rnn_cell.BasicRNNCell",
}
_CUDNN_RNN = [
    *(
        Gone(f"Cudnn{kind}", "2.0", f"{cell} in tf.nn.dynamic_rnn, which needs no GPU")
        for kind, cell in _CUDNN.items()
    ),
    *(
        Gone(f"Cudnn{kind}Saveable", "2.0", "tf.train.Saver, and the variables of a cell")
        for kind in _CUDNN
    ),
    *(
        Gone(f"CudnnParamsFormatConverter{kind}", "2.0", "the variables of a cell")
        for kind in ("GRU", "LSTM", "Relu", "Tanh")
    ),
    Gone("ops", "1.0", "the cells of tf.contrib.cudnn_rnn"),
]

_OPTIMIZERS = (
    "AGNCustomGetter AGNOptimizer AdamGSOptimizer AddSignOptimizer DropStaleGradientOptimizer "
    "ElasticAverageCustomGetter ElasticAverageOptimizer GGTOptimizer LARSOptimizer "
    "LazyAdamGSOptimizer ModelAverageCustomGetter ModelAverageOptimizer "
    "MultitaskOptimizerWrapper PowerSignOptimizer RegAdagradOptimizer ShampooOptimizer "
    "VariableClippingOptimizer clip_gradients_by_global_norm"
)
_OPT = [
    Gone(name, "2.0", "an optimizer of tf.train, or one of tf.contrib.opt that is there")
    for name in _OPTIMIZERS.split()
]

_SEQ2SEQ = [
    Gone("DynamicAttentionWrapper", "1.2", "AttentionWrapper, with attention_layer_size"),
    Gone("DynamicAttentionWrapperState", "1.2", "AttentionWrapperState"),
]

_LEGACY_SEQ2SEQ = [
    Gone("one2many_rnn_seq2seq", "2.0", "embedding_rnn_decoder, once for each decoder"),
]

_DATA = [
    Gone("CheckpointInputPipelineHook", "2.0", "tf.data.experimental.make_saveable_from_iterator"),
    Gone("LMDBDataset", "2.4", "the package lmdb, in a tf.py_func"),
    Gone("StatsAggregator", "2.4", "tf.profiler"),
    Gone("latency_stats", "2.4", "tf.profiler"),
    Gone("read_batch_features", "2.0", "make_batched_features_dataset"),
    Gone("reduce_dataset", "2.0", "Dataset.reduce"),
    Gone("set_stats_aggregator", "2.4", "tf.profiler"),
]

_LOOKUP = [
    Gone("BaseSaverBuilder", "1.0", "tf.train.Saver"),
    Gone("index_to_string", "1.0", "tf.contrib.lookup.index_to_string_table_from_tensor"),
    Gone("string_to_index", "1.0", "tf.contrib.lookup.index_table_from_tensor"),
]

_UTIL = [
    Gone("loader", "2.0", "tf.load_op_library"),
    Gone("ops_used_by_graph_def", "2.0", "the graph's nodes, graph_def.node"),
    Gone("stripped_op_list_for_graph", "2.0", "tf.saved_model"),
]

_FEEDS = (
    "InfeedQueue infeed_dequeue infeed_dequeue_tuple infeed_enqueue infeed_enqueue_tuple "
    "outfeed_dequeue outfeed_dequeue_tuple outfeed_enqueue outfeed_enqueue_tuple"
)
_TPUS = (
    "DeviceAssignment TPUDistributionStrategy Topology device_assignment initialize_system "
    "keras_to_tpu_model shutdown_system"
)
_ON_TPUS = (
    "CrossShardOptimizer batch_parallel core cross_replica_sum outside_all_rewrites "
    "outside_compilation replicate rewrite shard"
)
_TPU = [
    *(
        Gone(name, "2.0", "the optimizer or the function itself, with use_tpu=False")
        for name in _ON_TPUS.split()
    ),
    *(Gone(name, "2.0", "the input_fn of the estimator") for name in _FEEDS.split()),
    *(
        Gone(name, "2.0", "tf.distribute.TPUStrategy, where there is a TPU")
        for name in _TPUS.split()
    ),
    *(Gone(name, "2.0", "tf.while_loop") for name in ("repeat", "while_loop")),
    Gone("AsyncCheckpointSaverHook", "2.0", "tf.train.CheckpointSaverHook"),
    Gone("TPUInMemoryEvalHook", "2.0", "tf.estimator.train_and_evaluate"),
    Gone("bfloat16_scope", "2.0", "tf.cast to tf.bfloat16"),
    Gone("export_estimator_savedmodel", "2.0", "export_savedmodel of the estimator"),
    Gone("profiler", "2.0", "tf.profiler"),
]

_PREDICTOR = [
    Gone(name, "2.0", "the estimator's predict, or from_saved_model of its export")
    for name in (
        *("contrib_estimator_predictor", "core_estimator_predictor"),
        *("from_contrib_estimator", "from_estimator"),
    )
]

_LOADERS = (
    "load_and_remap_matrix_initializer load_embedding_initializer "
    "load_linear_multiclass_bias_initializer load_variable_slot_initializer"
)
_ORTHOGONAL = (
    "convolutional_delta_orthogonal convolutional_orthogonal_1d convolutional_orthogonal_2d "
    "convolutional_orthogonal_3d"
)
_FRAMEWORK = [
    *(Gone(name, "2.0", "tf.train.init_from_checkpoint") for name in _LOADERS.split()),
    *(Gone(name, "2.0", "tf.orthogonal_initializer") for name in _ORTHOGONAL.split()),
    Gone("print_op", "1.0", "tf.Print"),
    Gone("assert_scalar_int", "2.0", "tf.debugging.assert_scalar and tf.debugging.assert_integer"),
    Gone("fuse_op", "2.0", "tf.graph_util"),
    Gone("get_placeholders", "2.0", "graph.get_operations(), of type Placeholder"),
    Gone("reduce_sum_n", "2.0", "tf.add_n of tf.reduce_sum"),
    Gone("with_same_shape", "2.0", "tf.ensure_shape"),
    Gone("with_shape", "2.0", "tf.ensure_shape"),
    Gone("zero_initializer", "2.0", "tf.zeros_initializer"),
]

_FAMILIES = (
    "Autoregressive BatchReshape BernoulliWithSigmoidP BernoulliWithSigmoidProbs "
    "BetaWithSoftplusAB BetaWithSoftplusConcentration Binomial Cauchy Chi2 "
    "Chi2WithAbsDf ConditionalDistribution ConditionalTransformedDistribution Deterministic "
    "ExpRelaxedOneHotCategorical ExponentialWithSoftplusLam ExponentialWithSoftplusRate "
    "GammaWithSoftplusAlphaBeta InverseGammaWithSoftplusAlphaBeta MultivariateNormalCholesky "
    "MultivariateNormalDiagPlusVDVT MultivariateNormalDiagWithSoftplusStDev "
    "MultivariateNormalFull NormalWithSoftplusSigma StudentTWithAbsDfSoftplusSigma "
    "GammaWithSoftplusConcentrationRate Geometric HalfNormal Independent InverseGamma "
    "InverseGammaWithSoftplusConcentrationRate Kumaraswamy LaplaceWithSoftplusScale Logistic "
    "Mixture MultivariateNormalDiagPlusLowRank "
    "NegativeBinomial NormalWithSoftplusScale "
    "Poisson PoissonLogNormalQuadratureCompound QuantizedDistribution RelaxedBernoulli "
    "SeedStream SinhArcsinh StudentTWithAbsDfSoftplusScale "
    "TransformedDistribution VectorDeterministic VectorDiffeomixture VectorExponentialDiag "
    "VectorLaplaceDiag VectorSinhArcsinhDiag WishartCholesky WishartFull "
    "assign_log_moving_mean_exp assign_moving_mean_variance auto_correlation bijectors "
    "estimator_head_distribution_regression matrix_diag_transform moving_mean_variance "
    "normal_conjugates_known_sigma_posterior normal_conjugates_known_sigma_predictive "
    "normal_conjugates_known_scale_posterior normal_conjugates_known_scale_predictive "
    "percentile quadrature_scheme_lognormal_gauss_hermite "
    "quadrature_scheme_lognormal_quantiles quadrature_scheme_softmaxnormal_gauss_hermite "
    "quadrature_scheme_softmaxnormal_quantiles"
)
_DISTRIBUTIONS = [
    Gone(name, "2.0", "the package tensorflow-probability") for name in _FAMILIES.split()
]

_OF_ESTIMATORS = (
    "DNNClassifierWithLayerAnnotations DNNRegressorWithLayerAnnotations InMemoryEvaluatorHook "
    "RNNClassifier RNNEstimator SavedModelEstimator TowerOptimizer boosted_trees_classifier_train_in_memory "
    "boosted_trees_regressor_train_in_memory build_raw_supervised_input_receiver_fn "
    "build_supervised_input_receiver_fn_from_input_fn export_all_saved_models "
    "export_saved_model_for_mode make_early_stopping_hook make_stop_at_checkpoint_step_hook "
    "multi_head read_eval_metrics replicate_model_fn stop_if_higher_hook stop_if_lower_hook "
    "stop_if_no_decrease_hook stop_if_no_increase_hook"
)
_ESTIMATOR = [
    Gone(name, "2.0", "tf.estimator.Estimator with a model function")
    for name in _OF_ESTIMATORS.split()
]

_LINALG = [Gone("add_operators", "1.9", "LinearOperatorFullMatrix of the sum of their to_dense()")]

_GRAPH_EDITOR = [
    *(
        Gone(name, "1.0", "filter_ops, with a function of the op")
        for name in ("OpMatcher", "match", "matcher", "op_type")
    ),
    *(
        Gone(f"reroute_b2a{what}", "1.0", f"reroute{what or '_ios'}, the two exchanged")
        for what in ("", "_inputs", "_outputs", "_ts")
    ),
    Gone("transform_op_in_place", "1.0", "copy_with_input_replacements, and reroute_ts"),
]
_CORRESPONDING = [
    Gone(name, "2.0", "graph.get_tensor_by_name and graph.get_operation_by_name")
    for name in ("find_corresponding", "find_corresponding_elem")
]

_TFPROF = [Gone("ProfileContext", "2.0", "tf.profiler.Profiler")]
_MONITORS = (
    "BaseMonitor CaptureVariable CheckpointSaver EveryN ExportMonitor GraphDump LoggingTrainable "
    "NanLoss PrintTensor StepCounter StopAtStep SummarySaver get_default_monitors "
    "replace_monitors_with_hooks"
)
_DATASETS = [
    Gone("load_iris", "2.0", "sklearn.datasets.load_iris"),
    Gone("load_boston", "2.0", "sklearn.datasets.fetch_openml('boston')"),
    Gone("load_dataset", "2.0", "sklearn.datasets"),
    Gone("make_dataset", "2.0", "sklearn.datasets"),
    Gone("synthetic", "2.0", "sklearn.datasets"),
    Gone("text_datasets", "2.0", "the package tensorflow-datasets"),
]
TABLES = {
    "cudnn_rnn": _CUDNN_RNN,
    "data": _DATA,
    "distributions": _DISTRIBUTIONS,
    "estimator": _ESTIMATOR,
    "framework": [*_FRAMEWORK, Gone("ops", "2.0", "tf.contrib.framework itself")],
    "graph_editor": _GRAPH_EDITOR,
    "image": _IMAGE,
    "layers": _LAYERS,
    "learn": _LEARN,
    "legacy_seq2seq": _LEGACY_SEQ2SEQ,
    "linalg": _LINALG,
    "lookup": _LOOKUP,
    "nn": _NN,
    "opt": _OPT,
    "predictor": _PREDICTOR,
    "rnn": _RNN,
    "seq2seq": _SEQ2SEQ,
    "summary": [Gone("create_db_writer", "2.0", "create_file_writer, and TensorBoard")],
    "tfprof": _TFPROF,
    "tpu": _TPU,
    "training": _TRAINING,
    "util": _UTIL,
    "graph_editor.util": _CORRESPONDING,
    "learn.datasets": _DATASETS,
    "learn.monitors": [Gone(name, "2.0", "a hook of tf.train") for name in _MONITORS.split()],
    "slim": [*_FRAMEWORK, *_LAYERS],  # which had all that those two had
}
"""Package below `tf.contrib` -> what is gone of it; `old` is the name below the package."""
