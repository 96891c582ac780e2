"""The packages of `tf.contrib` that are not brought back, and names of those that are: a row each.

The names are those of the 1.15 wheel and of the earlier ones, from 0.12 on, where it had dropped
them. `tfqueue.v1._lazy_names.attributes` raises the error of a row.
"""

from tfqueue.names.sentence import Gone


def rows_from(text: str) -> list[Gone]:
    """The rows of a table: names up to a `|`, what to use for them, the release without them if not 2.0.

    >>> rows_from("a b | tf.c | 1.4")[1]
    Gone(old='b', removed='1.4', use='tf.c')
    """
    rows: list[Gone] = []
    names: list[str] = []
    for line in text.splitlines():
        more, *said = line.split("|")
        names += more.split()
        if said:
            use, removed = (part.strip() for part in (*said, " 2.0")[:2])
            rows += [Gone(name, removed, use) for name in names]
            names = []
    return rows


PACKAGES = rows_from("""
    all_reduce mpi mpi_collectives nccl verbs | tf.distribute
    batching | TensorFlow Serving, which batches requests
    bigtable | the package google-cloud-bigtable, in a tf.py_func
    boosted_trees decision_trees tensor_forest | the package ydf
    cloud | the package google-cloud-bigquery, in a tf.py_func
    coder | an entropy coder in a tf.py_func
    constrained_optimization | the package tensorflow-constrained-optimization
    imperative | TensorFlow 2 itself
    nearest_neighbor | scikit-learn
    feature_column | tf.feature_column
    ffmpeg | ffmpeg itself, in a tf.py_func
    fused_conv | tf.nn.conv2d, tf.nn.bias_add and an activation, which the runtime fuses
    gan | the package tensorflow-gan, which `tfqueue run` takes for it (pip install tensorflow-gan tensorflow-hub)
    hadoop | a client of Hadoop, in a tf.py_func
    hooks | tf.train.ProfilerHook
    ignite | a client of Ignite, in a tf.py_func
    kafka | a client of Kafka, in a tf.py_func
    kfac | the optimizers of tf.train, or those of Keras
    kinesis | a client of Kinesis, in a tf.py_func
    labeled_tensor | xarray
    libsvm | sklearn.datasets.load_svmlight_file
    linear_optimizer | tf.train.FtrlOptimizer
    lite remote_fused_graph | tf.lite
    meta_graph_transform | tf.graph_util
    quantize | the package tensorflow-model-optimization
    proto | tf.io.decode_proto
    quantization | tf.quantization
    rate | the difference of two values, the last one kept in a variable
    receptive_field | the arithmetic of kernel sizes and strides
    recurrent | tf.nn.dynamic_rnn
    reduce_slice_ops | tf.math.segment_sum
    rpc | gRPC itself
    specs | layers of tf.layers
    stat_summarizer | tf.profiler
    tensorrt | tensorflow.python.compiler.tensorrt
    testing | tf.test
    text | the package tensorflow-text
    timeseries | read the series with tf.train.batch or tf.data, and model it in tfqueue.v1
""")
"""Their `old` is the name below `tf.contrib`."""

OUTSIDE = {"gan": "tensorflow_gan"}
"""Of those, the packages that go on outside TensorFlow -> the module, which stands for them where it is installed."""

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

_TABLES = {
    "autograph": """
        RunMode AutographParseError GraphConstructionError TfRuntimeError improved_errors tensor_list
        | convert, to_graph and AutoGraphError | 1.15
        converted_call | convert
    """,
    "bayesflow": """
        csiszar_divergence halton_sequence hmc layers metropolis_hastings optimizers
        stochastic_variables | the package tensorflow-probability | 1.8
        custom_grad | tf.custom_gradient | 1.8
    """,
    "checkpoint": """
        NumpyState dot_graph_from_checkpoint split_dependency | tf.train.Checkpoint and tf.train.list_variables
    """,
    "cudnn_rnn": """
        CudnnParamsFormatConverterGRU CudnnParamsFormatConverterLSTM CudnnParamsFormatConverterRelu
        CudnnParamsFormatConverterTanh | the variables of a cell
        ops | the cells of tf.contrib.cudnn_rnn | 1.0
    """,
    "data": """
        CheckpointInputPipelineHook | tf.data.experimental.make_saveable_from_iterator
        LMDBDataset | the package lmdb, in a tf.py_func | 2.4
        StatsAggregator latency_stats set_stats_aggregator | tf.profiler | 2.4
        read_batch_features | make_batched_features_dataset
        reduce_dataset | Dataset.reduce
    """,
    "distribute": """
        Monitor Step StandardInputStep StandardSingleLossStep | tf.train.MonitoredSession and a step of its own
        MultiWorkerAllReduce run_standard_tensorflow_server | tf.train.Server, and the same program on each machine
        TowerContext | get_tower_context
        TPUStrategy initialize_tpu_system | tf.distribute.TPUStrategy, where there is a TPU
    """,
    "distributions": """
        Gaussian | tf.contrib.distributions.Normal | 0.9
        Autoregressive BatchReshape BernoulliWithSigmoidP BernoulliWithSigmoidProbs
        BetaWithSoftplusAB
        ConditionalDistribution ConditionalTransformedDistribution
        ExpRelaxedOneHotCategorical ExponentialWithSoftplusLam
        GammaWithSoftplusAlphaBeta InverseGammaWithSoftplusAlphaBeta MultivariateNormalCholesky
        MultivariateNormalDiagPlusVDVT MultivariateNormalDiagWithSoftplusStDev
        MultivariateNormalFull NormalWithSoftplusSigma StudentTWithAbsDfSoftplusSigma
        InverseGammaWithSoftplusConcentrationRate Kumaraswamy
        MultivariateNormalDiagPlusLowRank
        PoissonLogNormalQuadratureCompound QuantizedDistribution SeedStream
        SinhArcsinh TransformedDistribution VectorDeterministic
        VectorDiffeomixture VectorExponentialDiag VectorLaplaceDiag VectorSinhArcsinhDiag
        WishartCholesky WishartFull assign_log_moving_mean_exp assign_moving_mean_variance
        auto_correlation bijectors estimator_head_distribution_regression matrix_diag_transform
        moving_mean_variance normal_conjugates_known_sigma_posterior
        normal_conjugates_known_sigma_predictive normal_conjugates_known_scale_posterior
        normal_conjugates_known_scale_predictive
        quadrature_scheme_lognormal_gauss_hermite quadrature_scheme_lognormal_quantiles
        quadrature_scheme_softmaxnormal_gauss_hermite quadrature_scheme_softmaxnormal_quantiles
        | the package tensorflow-probability
    """,
    "eager": """
        CheckpointableSaver Saver get_optimizer_variables restore_variables_on_create
        | tf.train.Checkpoint, or tf.train.Saver
        Network Sequential restore_network_checkpoint save_network_checkpoint
        | tf.keras.Model and its save_weights
        SummaryWriter | tf.summary.FileWriter
        list_devices | tf.config.list_logical_devices
        ExecutionCallback add_execution_callback clear_execution_callbacks errstate inf_callback
        inf_nan_callback nan_callback seterr | tf.debugging.enable_check_numerics
        async_clear_error async_wait execution_mode set_execution_mode
        | tf.config.experimental.set_synchronous_execution
        connect_to_remote_host enable_remote_eager_execution set_server_def
        | tf.config.experimental_connect_to_cluster
        run | the call of main itself, behind tf.enable_eager_execution
        run_all_tests_in_graph_and_eager_modes run_test_in_graph_and_eager_modes | tf.test
    """,
    "estimator": """
        DNNClassifierWithLayerAnnotations DNNRegressorWithLayerAnnotations InMemoryEvaluatorHook
        RNNClassifier RNNEstimator SavedModelEstimator TowerOptimizer
        boosted_trees_classifier_train_in_memory boosted_trees_regressor_train_in_memory
        build_raw_supervised_input_receiver_fn build_supervised_input_receiver_fn_from_input_fn
        export_all_saved_models export_saved_model_for_mode make_stop_at_checkpoint_step_hook
        replicate_model_fn
        | tf.estimator.Estimator with a model function
    """,
    "factorization": """
        GMM GmmAlgorithm gmm WALSMatrixFactorization WALSModel | scikit-learn
    """,
    "framework": """
        load_and_remap_matrix_initializer load_embedding_initializer
        load_linear_multiclass_bias_initializer load_variable_slot_initializer
        | tf.train.init_from_checkpoint
        convolutional_delta_orthogonal convolutional_orthogonal_1d convolutional_orthogonal_2d
        convolutional_orthogonal_3d | tf.orthogonal_initializer
        print_op | tf.Print | 1.0
        fuse_op | tf.graph_util
        zero_initializer | tf.zeros_initializer
        ops | tf.contrib.framework itself
    """,
    "graph_editor": """
        OpMatcher match matcher op_type | filter_ops, with a function of the op | 1.1
        reroute_b2a | reroute_ios, the two exchanged | 1.0
        reroute_b2a_inputs | reroute_inputs, the two exchanged | 1.0
        reroute_b2a_outputs | reroute_outputs, the two exchanged | 1.0
        reroute_b2a_ts | reroute_ts, the two exchanged | 1.0
        transform_op_in_place | copy_with_input_replacements, and reroute_ts | 1.0
    """,
    "image": """
        bipartite_match | scipy.optimize.linear_sum_assignment in a tf.py_func
        connected_components | scipy.ndimage.label in a tf.py_func
        interpolate_spline | scipy.interpolate in a tf.py_func
        single_image_random_dot_stereograms | numpy
        sparse_image_warp | scipy.interpolate and scipy.ndimage
    """,
    "kernel_methods": """
        KernelLinearClassifier | tf.contrib.learn.LinearClassifier, with what RandomFourierFeatureMapper.map gives
    """,
    "layers": """
        DataFrameColumn ProblemType binary_svm_target get_default_binary_metrics_for_eval
        hashed_embedding_column joint_weighted_sum_from_feature_columns multi_class_target
        parse_feature_columns_from_sequence_examples regression_target scattered_embedding_column
        sequence_input_from_feature_columns
        | tf.feature_column, or tf.parse_example
        hashed_embedding_lookup hashed_embedding_lookup_sparse scattered_embedding_lookup
        scattered_embedding_lookup_sparse
        | tf.string_to_hash_bucket_fast and tf.nn.embedding_lookup
        InputLayer | tf.keras.layers.InputLayer
        legacy_convolution2d | tf.contrib.layers.conv2d | 0.12
        embedding_lookup_sparse_with_distributed_aggregation | tf.nn.embedding_lookup_sparse
        sparse_feature_cross | tf.sparse.cross
    """,
    "learn": """
        TensorFlowDNNClassifier | tf.contrib.learn.DNNClassifier | 0.12
        TensorFlowDNNRegressor | tf.contrib.learn.DNNRegressor | 0.12
        TensorFlowLinearClassifier | tf.contrib.learn.LinearClassifier | 0.12
        TensorFlowLinearRegressor | tf.contrib.learn.LinearRegressor | 0.12
        TensorFlowClassifier TensorFlowEstimator TensorFlowRNNClassifier TensorFlowRNNRegressor
        TensorFlowRegressor | tf.contrib.learn.Estimator with a model function | 0.12
        BaseEstimator DNNEstimator DNNLinearCombinedEstimator DynamicRnnEstimator Evaluable Head
        LinearEstimator LogisticRegressor NanLossDuringTrainingError SVM
        StateSavingRnnEstimator Classifier ClusterConfig Environment MetricKey TensorForestEstimator
        TensorForestLossHook TaskType Trainable basic_session_run_hooks binary_svm_head evaluate head
        models multi_class_head multi_head multi_label_head no_op_train_fn poisson_regression_head
        regression_head train | train with tfqueue.managed_session, or Keras
        BooleanMask DataFrame Difference HAS_DASK HAS_PANDAS HashFast NumpySource PandasSource
        PredefinedSeries ReaderSource Series Sum TensorFlowDataFrame TensorFlowTransform Transform
        TransformedSeries extract_dask_data extract_dask_labels extract_pandas_data
        extract_pandas_labels extract_pandas_matrix | numpy and pandas themselves
        ops | tf.nn
    """,
    "legacy_seq2seq": """
        one2many_rnn_seq2seq | embedding_rnn_decoder, once for each decoder
    """,
    "linalg": """
        add_operators | LinearOperatorFullMatrix of the sum of their to_dense() | 1.9
    """,
    "lookup": """
        BaseSaverBuilder | tf.train.Saver | 1.0
    """,
    "model_pruning": """
        MaskedBasicLSTMCell MaskedLSTMCell | apply_mask, in a cell of your own
        train | tf.train.MonitoredTrainingSession, with conditional_mask_update_op of Pruning
        graph_def_from_checkpoint strip_pruning_vars_fn | tf.graph_util.convert_variables_to_constants
    """,
    "nn": """
        rank_sampled_softmax_loss sampled_sparse_softmax_loss | tf.nn.sampled_softmax_loss
    """,
    "opt": """
        AGNCustomGetter AGNOptimizer AdamGSOptimizer AddSignOptimizer DropStaleGradientOptimizer
        ElasticAverageCustomGetter ElasticAverageOptimizer GGTOptimizer
        LazyAdamGSOptimizer ModelAverageCustomGetter ModelAverageOptimizer MultitaskOptimizerWrapper
        PowerSignOptimizer RegAdagradOptimizer ShampooOptimizer VariableClippingOptimizer
        clip_gradients_by_global_norm
        | an optimizer of tf.train, or one of tf.contrib.opt that is there
    """,
    "optimizer_v2": """
        OptimizerV2 | tf.train.Optimizer
    """,
    "predictor": """
        contrib_estimator_predictor core_estimator_predictor from_contrib_estimator from_estimator
        | the estimator's predict, or from_saved_model of its export
    """,
    "rnn": """
        LSTMFusedCell | tf.contrib.rnn.LSTMBlockCell | 0.12
    """,
    "saved_model": """
        load_keras_model save_keras_model | tf.keras.models.load_model and model.save
    """,
    "seq2seq": """
        DynamicAttentionWrapper | AttentionWrapper, with attention_layer_size | 1.2
        DynamicAttentionWrapperState | AttentionWrapperState | 1.2
    """,
    "session_bundle": """
        bundle_shim | tf.saved_model
    """,
    "summary": """
        create_db_writer | create_file_writer, and TensorBoard
    """,
    "tfprof": """
        ProfileContext | tf.profiler.Profiler
    """,
    "tpu": """
        outside_all_rewrites | the function itself, with use_tpu=False
        InfeedQueue infeed_dequeue infeed_dequeue_tuple infeed_enqueue infeed_enqueue_tuple
        outfeed_dequeue outfeed_dequeue_tuple outfeed_enqueue outfeed_enqueue_tuple
        | the input_fn of the estimator
        DeviceAssignment TPUDistributionStrategy Topology device_assignment keras_to_tpu_model
        | tf.distribute.TPUStrategy, where there is a TPU
        repeat while_loop | tf.while_loop
        TPUInMemoryEvalHook | tf.estimator.train_and_evaluate
        export_estimator_savedmodel | export_savedmodel of the estimator
        profiler | tf.profiler
    """,
    "training": """
        FailureTolerator | try and except around the step | 1.3
        Feeder | tf.train.QueueRunner and tf.py_func | 1.1
        HParamDef | HParams.to_json and HParams.parse_json
        Tuner | the package keras-tuner
        enqueue_in_queue_dataset prepend_from_queue_and_padded_batch_dataset
        | tf.data.Dataset.padded_batch
    """,
    "util": """
        loader | tf.load_op_library
        ops_used_by_graph_def | the graph's nodes, graph_def.node
        stripped_op_list_for_graph | tf.saved_model
    """,
    "graph_editor.util": """
        find_corresponding find_corresponding_elem
        | graph.get_tensor_by_name and graph.get_operation_by_name
    """,
    "learn.datasets": """
        load_iris | sklearn.datasets.load_iris
        load_boston | sklearn.datasets.fetch_openml('boston')
        load_dataset make_dataset synthetic | sklearn.datasets
        text_datasets | the package tensorflow-datasets
    """,
    "learn.monitors": """
        BaseMonitor CaptureVariable CheckpointSaver EveryN ExportMonitor GraphDump LoggingTrainable
        NanLoss PrintTensor StepCounter StopAtStep SummarySaver get_default_monitors
        replace_monitors_with_hooks | a hook of tf.train
    """,
}
TABLES = {package: rows_from(text) for package, text in _TABLES.items()}
"""Package below `tf.contrib` -> what is gone of it; `old` is the name below the package."""
# slim had all that those two had, but for one name
TABLES["slim"] = [row for row in TABLES["framework"] if row.old != "ops"] + TABLES["layers"]
