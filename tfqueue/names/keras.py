"""The names and arguments of Keras 1 and 2.

`KERAS_MODULES` are the modules that Keras 1 and 2 had, `KERAS_NAMES` and `KERAS_PARTS` names in them,
`KERAS_APPLICATIONS` names below `keras.applications`, `KERAS_IMPORTED` and `KERAS_SHARED` what modules imported.
`KERAS_WORDS`, `KERAS_ORDERED` and `KERAS_STEPS` are arguments of Keras 1. `KERAS_LATER` are names that Keras 2.2 had
not, `OPTIMIZERS` and `OTHER_RATES` optimizers that have changed.
"""

from __future__ import annotations

_LAYERS = "advanced_activations convolutional convolutional_recurrent core cudnn_recurrent embeddings local merge"
_LAYERS += " noise normalization pooling recurrent wrappers"
_UTILS = "data_utils generic_utils io_utils layer_utils multi_gpu_utils np_utils test_utils training_utils vis_utils visualize_util"
KERAS_MODULES = {
    **{f"layers.{name}": "layers" for name in _LAYERS.split()},
    **{f"utils.{name}": "utils" for name in _UTILS.split()},
    "backend.tensorflow_backend": "backend",
    "backend.common": "backend",
    "engine.base_layer": "layers",
    "engine.input_layer": "layers",
    "engine.network": "models",
    "engine.saving": "models",
    "engine.sequential": "models",
    "engine.topology": "layers",
    "engine.training": "models",
    **{f"engine.training_{name}": "models" for name in ("arrays", "generator", "utils")},
    "engine": "layers",
    "legacy.layers": "layers",
    "objectives": "losses",
}
"""A module of Keras 2.2 below `keras`, which Keras 3 has not -> the one whose names they are."""

KERAS_NAMES = {
    **{
        f"constraints.{one.lower()}": f"constraints.{one}"
        for one in ("MaxNorm", "NonNeg", "UnitNorm")
    },
    **{
        f"engine.{home}{name}": new
        for home in ("", "network.", "topology.")
        for name, new in (
            ("Container", "models.Model"),
            ("Network", "models.Model"),
            ("get_source_inputs", "utils.get_source_inputs"),
        )
    },
    **{
        f"layers.Atrous{conv}": f"layers.{conv}"
        for conv in ("Conv1D", "Conv2D", "Convolution1D", "Convolution2D")
    },
    **{
        f"regularizers.{old}": f"regularizers.{new}"
        for new, olds in (
            ("L1L2", "L1L2Regularizer WeightRegularizer"),
            ("l1", "activity_l1"),
            ("l1_l2", "activity_l1l2 l1l2"),
            ("l2", "activity_l2"),
        )
        for old in olds.split()
    },
    **{f"models.{name}": f"layers.{name}" for name in ("Input", "InputLayer", "Layer")},
    "backend.Function": "backend.function",
    "backend.pack": "backend.stack",
    "backend.lesser": "backend.less",
    "backend.lesser_equal": "backend.less_equal",
    "callbacks.Progbar": "utils.Progbar",
    "engine.topology.initializers": "initializers",
    "engine.training.Progbar": "utils.Progbar",
    "engine.training.Sequence": "utils.Sequence",
    "utils.layer_from_config": "layers.deserialize",
    "utils.plot": "utils.plot_model",
    "models.get_source_inputs": "utils.get_source_inputs",
    "models.optimizer_from_config": "optimizers.deserialize",
    "models.optimizers": "optimizers",
    "optimizers.optimizer_from_config": "optimizers.deserialize",
    "initializers.one": "initializers.Ones",
    "initializers.zero": "initializers.Zeros",
    **{f"layers.{one}": "layers.Conv2DTranspose" for one in ("Deconv2D", "Deconvolution2D")},
    **{f"layers.{one}": "layers.Conv3DTranspose" for one in ("Deconv3D", "Deconvolution3D")},
    **{
        f"optimizers.{one.lower()}": f"optimizers.{one}"
        for one in ("Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "RMSprop", "SGD")
    },
}
"""A second name that Keras 2.2 had below `keras` -> the one that there is."""

_OF_BACKEND = (
    "conv3d_transpose identity is_placeholder logsumexp separable_conv1d _get_available_gpus"
)
_OF_BACKEND += " _broadcast_normalize_batch_in_training _fused_normalize_batch_in_training _regular_normalize_batch_in_training"
_OF_BACKEND += (
    " _get_current_tf_device _has_nchw_support _initialize_variables _is_current_explicit_device"
)
_OF_BACKEND += " _preprocess_conv1d_input _preprocess_conv2d_input _preprocess_conv3d_input _preprocess_padding _to_tensor"
_OF_CONVOLUTIONS = (
    "conv_input_length conv_output_length normalize_data_format normalize_padding normalize_tuple"
)
_OF_FILES = "load_weights_from_hdf5_group load_weights_from_hdf5_group_by_name"
_OF_FILES += " load_attributes_from_hdf5_group save_attributes_to_hdf5_group preprocess_weights_for_loading save_weights_to_hdf5_group"
_OF_TRAINING = "batch_shuffle check_num_samples standardize_class_weights standardize_input_data"
_OF_TRAINING += " standardize_sample_weights standardize_single_array standardize_weights"
_OF_TRAINING += (
    " check_array_lengths check_loss_and_target_compatibility standardize_sample_or_class_weights"
)
_OF_UTILS = "func_dump func_load has_arg is_all_none make_batches slice_arrays to_list"
_OWN = "backend.is_tensor backend.slice engine.training.collect_trainable_weights"
_OWN += " legacy.interfaces.generate_legacy_interface"
_OWN += " engine.training._collect_metrics engine.training.collect_metrics engine.training_utils.collect_metrics"
_OWN += " engine.training._weighted_masked_objective engine.training.weighted_objective engine.training_utils.weighted_masked_objective"
_OWN += " engine.training.slice_X engine.training_utils.iter_sequence_infinite"
_OWN += "".join(
    f" legacy.interfaces.{name}_args_preprocessor"
    for name in (
        "batchnorm conv1d conv2d conv3d convlstm2d deconv2d generator_methods recurrent separable_conv2d "
        "zeropadding2d"
    ).split()
)
_LEGACY = "add_weight conv1d conv2d conv3d dense dropout embedding generator_methods get_updates lambda merge model_constructor"
_LEGACY += " pooling1d pooling2d recurrent spatialdropout1d upsampling1d"
_LEGACY += " batchnorm convlstm2d cropping2d cropping3d deconv2d gaussiandropout gaussiannoise global_pooling input pooling3d"
_LEGACY += (
    " prelu separable_conv2d spatialdropoutNd upsampling2d upsampling3d zeropadding2d zeropadding3d"
)
_OWN += "".join(f" legacy.interfaces.legacy_{name}_support" for name in _LEGACY.split())
_OWN += "".join(
    f" layers.{name}"
    for name in "Highway MaxoutDense Merge ParametricSoftplus SReLU TimeDistributedDense".split()
)
_OWN += " engine.Merge engine.topology.Merge legacy.layers.Merge models.Merge"
_OWN += "".join(
    f" metrics.{name}"
    for name in ("fbeta_score", "fmeasure", "matthews_correlation", "precision", "recall")
)
_OWN += " utils.convert_all_kernels_in_model utils.convert_dense_weights_data_format utils.print_summary utils.conv_utils.convert_kernel utils.conv_utils.deconv_length utils.convert_kernel"
_OWN += " preprocessing.image.apply_transform preprocessing.image.list_pictures preprocessing.image.transform_matrix_offset_center utils.HDF5Matrix"
_OWN += "".join(f" utils.{name}" for name in ("categorical_probas_to_classes", "probas_to_classes"))
_OWN += " engine.base_layer._collect_input_shape engine.base_layer._collect_previous_mask"
_OWN += " backend.common._EPSILON backend.common._FLOATX layers.time_distributed_dense"
_OWN += " backend.common._UID_PREFIXES utils.test_utils.keras_test"
_OWN += " utils.accuracy utils.get_from_module utils.transpose_shape utils.test_utils.get_test_data"
_OWN += "".join(f" layers._Pooling{rank}D" for rank in (1, 2, 3))
_OWN += " layers.Recurrent layers._time_distributed_dense layers._generate_dropout_mask legacy.interfaces optimizers.Optimizer optimizers.clip_norm utils.object_list_uid utils.unpack_singleton"
KERAS_PARTS = {
    **{f"backend.{name}": "backend" for name in _OF_BACKEND.split()},
    **{
        f"engine.{home}.{name}": "saving.legacy.hdf5_format"
        for home in ("saving", "topology")
        for name in _OF_FILES.split()
    },
    **{
        f"engine.{home}{name}": "engine.training_utils_v1"
        for home in ("training_utils.", "training._", "training.")
        for name in _OF_TRAINING.split()
    },
    **{
        f"engine.{home}{name}": "utils.generic_utils"
        for home in ("training_utils.", "training._", "training.")
        for name in ("make_batches", "slice_arrays")
    },
    **{
        f"layers._GlobalPooling{rank}D": f"layers.pooling.base_global_pooling{rank}d"
        for rank in (1, 2, 3)
    },
    **{
        f"{home}.{name}": "utils.generic_utils"
        for home in ("layers", "engine.topology")
        for name in ("_is_all_none", "_to_list", "func_dump", "func_load", "has_arg", "to_list")
    },
    "layers._Conv": "layers.convolutional.base_conv",
    "layers._Merge": "layers.merging.base_merge",
    "layers._standardize_args": "layers.rnn.rnn_utils",
    **{f"utils.conv_utils.{name}": "utils.conv_utils" for name in _OF_CONVOLUTIONS.split()},
    **{f"utils.{name}": "utils.generic_utils" for name in _OF_UTILS.split()},
    "utils.count_params": "utils.layer_utils",
    **{
        f"models.{name}": "models.cloning"
        for name in ("_clone_functional_model", "_clone_sequential_model")
    },
    **{
        f"utils.{name}": "utils.data_utils"
        for name in ("_extract_archive", "_hash_file", "iter_sequence_infinite", "validate_file")
    },
    **{
        f"engine.network.{name}": "engine.functional"
        for name in ("_make_node_key", "_map_graph_network")
    },
    "engine.base_layer.Node": "engine.node",
    "engine.base_layer._to_snake_case": "utils.generic_utils",
    "initializers._compute_fans": "initializers.initializers",
    "preprocessing.image.flip_axis": "preprocessing.image",
    "preprocessing.sequence._remove_long_seq": "preprocessing.sequence",
    "utils.ask_to_proceed_with_overwrite": "utils.io_utils",
    "applications.imagenet_utils._obtain_input_shape": "applications.imagenet_utils",
    "backend.normalize_data_format": "utils.conv_utils",
    "optimizers.TFOptimizer": "optimizers.optimizer_v1",
    "utils.conv_utils": "utils",
    **dict.fromkeys(_OWN.split(), ""),
}
"""A name of Keras 2.2 that is not public in `tf.keras` -> the module below `tf_keras.src` that has it; nothing for some."""

KERAS_HELPED = (
    *("asymmetric_spatial_2d_padding", "asymmetric_temporal_padding", "get_variable_shape"),
    *("image_dim_ordering", "set_image_dim_ordering"),
)
"""Functions of `keras.backend` that are written anew (`port.libraries.keras_1`)."""

KERAS_APPLICATIONS = {
    **{
        f"{home}.{name}": f"tf_keras.src.applications.{home}.{name}"
        for home, names in (
            ("densenet", "DenseNet conv_block dense_block transition_block"),
            ("inception_resnet_v2", "conv2d_bn inception_resnet_block"),
            ("inception_v3", "conv2d_bn"),
            ("mobilenet", "_conv_block _depthwise_conv_block"),
            ("nasnet", "NASNet"),
        )
        for name in names.split()
    },
    **{
        f"{home}.{name}": f"tfqueue.port.libraries.keras_applications.{name}"
        for home, names in (("mobilenet", "relu6"), ("resnet50", "conv_block identity_block"))
        for name in names.split()
    },
    "mobilenet.DepthwiseConv2D": "keras.layers.DepthwiseConv2D",
    "mobilenetv2": "keras.applications.mobilenet_v2",
}
"""A name below `keras.applications` that is not public in `tf.keras` -> what it is."""

_PLAIN = "activations constraints initializers losses optimizers regularizers"
_STANDARD = "binascii codecs collections copy csv functools hashlib importlib inspect io json marshal multiprocessing"
_STANDARD += " os pickle queue random re shutil six string sys tarfile threading time types warnings yaml zipfile h5py"
KERAS_IMPORTED = {
    **{name: f"keras.{name}" for name in _PLAIN.split()},
    **{name: name for name in _STANDARD.split()},
    **{
        name: f"collections.{name}"
        for name in ("OrderedDict", "defaultdict", "deque", "namedtuple")
    },
    "K": "keras.backend",
    **{f"py_{name}": f"builtins.{name}" for name in ("all", "any", "slice", "sum")},
    **{
        name: f"keras.utils.{name}"
        for name in ("deserialize_keras_object", "get_custom_objects", "serialize_keras_object")
    },
    "abstractmethod": "abc.abstractmethod",
    "cbks": "keras.callbacks",
    "closing": "contextlib.closing",
    "conv_utils": "tfqueue.port.libraries.keras_parts.conv_utils",
    "initializations": "tfqueue.port.libraries.keras_initializations",
    "interfaces": "tfqueue.port.libraries.keras_parts.interfaces",
    "issparse": "scipy.sparse.issparse",
    "linalg": "scipy.linalg",
    "metrics_module": "keras.metrics",
    "mp": "multiprocessing",
    "ndi": "scipy.ndimage",
    "np": "numpy",
    "objectives": "keras.losses",
    "partial": "functools.partial",
    "pil_image": "PIL.Image",
    "python_types": "types",
    "tf": "tensorflow",
    "urlretrieve": "urllib.request.urlretrieve",
}
"""What modules of Keras 1 and 2 had besides, because they imported it, also for a star import of them -> what it is."""

_OF_LAYERS = "Activation AveragePooling2D BatchNormalization Conv2D Convolution2D Dense Dropout ELU Flatten GRU"
_OF_LAYERS += " GlobalAveragePooling2D GlobalMaxPooling2D Input Lambda Layer MaxPooling2D Permute Reshape SeparableConv2D Wrapper"
_OF_LAYERS += " ZeroPadding2D concatenate"
KERAS_SHARED = {
    **{name: f"layers.{name}" for name in _OF_LAYERS.split()},
    **{name: f"models.{name}" for name in "Model Sequential clone_model model_from_json".split()},
    **{name: "models.Model" for name in ("Container", "Network")},
    **{
        name: f"utils.{name}"
        for name in (
            "GeneratorEnqueuer OrderedEnqueuer Progbar Sequence get_file get_source_inputs to_categorical"
        ).split()
    },
}
"""Public names of Keras that other modules of it had besides, because they imported them -> where they are public."""

_SHAPES = {"border_mode": "padding", "dim_ordering": "data_format", "subsample": "strides"}
_WEIGHTS = {
    "W_constraint": "kernel_constraint",
    "b_constraint": "bias_constraint",
    "bias": "use_bias",
    "W_regularizer": "kernel_regularizer",
    "b_regularizer": "bias_regularizer",
    "init": "kernel_initializer",
    "output_dim": "units",
    "nb_filter": "filters",
}
_RECURRENT = {
    "U_regularizer": "recurrent_regularizer",
    "dropout_W": "dropout",
    "inner_init": "recurrent_initializer",
    "dropout_U": "recurrent_dropout",
    "inner_activation": "recurrent_activation",
}
_CELLS = {**_WEIGHTS, **_RECURRENT}
_DROPOUT = {"p": "rate"}
_CONV = {**_SHAPES, **_WEIGHTS, "filter_length": "kernel_size", "subsample_length": "strides"}
_OF_PICTURES = {name: new for name, new in _SHAPES.items() if name != "subsample"}
_POOLED = "AveragePooling GlobalAveragePooling GlobalMaxPooling MaxPooling AvgPool GlobalAvgPool GlobalMaxPool MaxPool _Pooling"
_OF_ATROUS = {**_CONV, "atrous_rate": "dilation_rate"}
_SEPARABLE = {
    **_SHAPES,
    **{
        name: new
        for name, new in _WEIGHTS.items()
        if new.startswith(("bias_", "use_bias", "filters"))
    },
}
_MOST = {"m": "max_value"}
_ORDERING = {"dim_ordering": "data_format"}
_RESIZED = {"X": "x", "dim_ordering": "data_format"}
_OF_ORDERING = "DirectoryIterator ImageDataGenerator NumpyArrayIterator array_to_img img_to_array preprocess_input"
_OF_ORDERING += " spatial_2d_padding spatial_3d_padding"
_POOL = {**_SHAPES, "pool_length": "pool_size", "stride": "strides"}
_ORDERED = {
    0: "GlobalAveragePooling2D GlobalAveragePooling3D GlobalMaxPooling2D GlobalMaxPooling3D",
    1: "Cropping2D Cropping3D SpatialDropout2D SpatialDropout3D UpSampling2D UpSampling3D ZeroPadding2D "
    "ZeroPadding3D array_to_img img_to_array preprocess_input",
    2: "spatial_2d_padding spatial_3d_padding",
    3: "AveragePooling2D AveragePooling3D MaxPooling2D MaxPooling3D resize_images",
    4: "conv2d conv3d pool2d pool3d resize_volumes",
    5: "separable_conv2d",
}
KERAS_ORDERED = {name: place for place, names in _ORDERED.items() for name in names.split()}
"""What takes a `dim_ordering` in Keras 1 and a `data_format` in Keras 2 at one and the same place -> that place."""
KERAS_WORDS: dict[str, dict[str, str]] = {
    **dict.fromkeys(["Dense", "Highway", "MaxoutDense", "TimeDistributedDense"], _WEIGHTS),
    **dict.fromkeys(["GRU", "LSTM", "SimpleRNN"], _CELLS),
    **dict.fromkeys(["Conv1D", "Conv2D", "Conv3D", "Deconvolution2D"], _CONV),
    **dict.fromkeys(["Convolution1D", "Convolution2D", "Convolution3D"], _CONV),
    **dict.fromkeys(["Deconv2D", "Conv2DTranspose", "Convolution2DTranspose"], _CONV),
    **dict.fromkeys(["LocallyConnected1D", "LocallyConnected2D"], _CONV),
    **{f"Atrous{conv}{rank}D": _OF_ATROUS for conv in ("Conv", "Convolution") for rank in (1, 2)},
    **{f"{one}{rank}D": _POOL for one in _POOLED.split() for rank in (1, 2, 3)},
    **{
        f"{one}{rank}D": _SHAPES
        for one in ("Cropping", "UpSampling", "ZeroPadding")
        for rank in (2, 3)
    },
    **{f"SpatialDropout{rank}D": {**_DROPOUT, **_SHAPES} for rank in (1, 2, 3)},
    **dict.fromkeys(["Dropout", "GaussianDropout"], _DROPOUT),
    **dict.fromkeys(["SeparableConv2D", "SeparableConvolution2D"], _SEPARABLE),
    "ConvLSTM2D": {**_CELLS, **_CONV},
    "UpSampling1D": {"length": "size"},
    "BatchNormalization": {"beta_init": "beta_initializer", "gamma_init": "gamma_initializer"},
    "Embedding": {
        "init": "embeddings_initializer",
        "W_constraint": "embeddings_constraint",
        "W_regularizer": "embeddings_regularizer",
    },
    "PReLU": {"init": "alpha_initializer"},
    "ReduceLROnPlateau": {"epsilon": "min_delta"},
    "Tokenizer": {"nb_words": "num_words"},
    "GaussianNoise": {"sigma": "stddev"},
    "Model": {"input": "inputs", "output": "outputs"},
    **dict.fromkeys(_OF_ORDERING.split(), _ORDERING),
    **dict.fromkeys(["MaxNorm", "max_norm", "maxnorm"], _MOST),
    **dict.fromkeys(["resize_images", "resize_volumes"], _RESIZED),
    **dict.fromkeys("conv2d conv3d pool2d pool3d separable_conv2d".split(), _OF_PICTURES),
    "_obtain_input_shape": {"include_top": "require_flatten"},
    "conv1d": {"border_mode": "padding", "stride": "strides"},
    "expand_dims": {"dim": "axis"},
    "moving_average_update": {"variable": "x"},
    "one_hot": {"nb_classes": "num_classes", "text": "input_text"},
    "random_normal": {"std": "stddev"},
    "random_uniform": {"high": "maxval", "low": "minval"},
    "text_to_word_sequence": {"text": "input_text"},
    "to_categorical": {"nb_classes": "num_classes"},
}
"""A class or function of Keras -> its arguments of Keras 1, which Keras 2.0 to 2.3 took, too -> what they are since."""

KERAS_STEPS = (
    "samples_per_epoch",
    "nb_val_samples",
    "val_samples",
    "nb_worker",
    "max_q_size",
    "pickle_safe",
)
"""Arguments of `fit_generator` and its kin up to Keras 1."""

KERAS_LATER = {
    "": "Function Initializer KerasTensor Layer Loss Metric Operation Optimizer Quantizer Regularizer RematScope StatelessScope "
    "Variable config distribution dtype_policies export mixed_precision ops quantizers random remat saving tree version",
    "callbacks": "BackupAndRestore OrbaxCheckpoint SwapEMAWeights",
    "initializers": "GlorotNormal GlorotUniform HeNormal HeUniform LecunNormal LecunUniform",
    "layers": "AbstractRNNCell AdditiveAttention Attention CategoryEncoding CenterCrop Conv1DTranspose ConvLSTM1D ConvLSTM3D "
    "DenseFeatures DepthwiseConv1D Discretization EinsumDense GroupNormalization GroupQueryAttention HashedCrossing Hashing "
    "Identity IntegerLookup JaxLayer LayerNormalization MelSpectrogram MultiHeadAttention Normalization Pipeline RandomBrightness "
    "RandomContrast RandomCrop RandomFlip RandomRotation RandomTranslation RandomZoom Rescaling Resizing RMSNormalization "
    "SpectralNormalization StringLookup TFSMLayer TextVectorization TorchModuleWrapper UnitNormalization experimental",
    "losses": "BinaryCrossentropy BinaryFocalCrossentropy CTC CategoricalCrossentropy CategoricalFocalCrossentropy CosineSimilarity "
    "Dice Hinge Huber KLDivergence LogCosh Loss MeanAbsoluteError MeanSquaredError Poisson SparseCategoricalCrossentropy Tversky",
    "metrics": "AUC Accuracy BinaryAccuracy BinaryIoU CategoricalAccuracy CosineSimilarity F1Score FalseNegatives FalsePositives "
    "IoU KLDivergence Mean MeanAbsoluteError MeanIoU MeanSquaredError Metric OneHotIoU Precision R2Score Recall "
    "RootMeanSquaredError SparseCategoricalAccuracy TopKCategoricalAccuracy TrueNegatives TruePositives",
    "optimizers": "Adafactor AdamW Ftrl Lamb Lion LossScaleOptimizer Muon experimental legacy schedules",
    "preprocessing": "image_dataset_from_directory text_dataset_from_directory timeseries_dataset_from_array",
    "utils": "FeatureSpace PyDataset audio_dataset_from_directory clear_session disable_interactive_logging image_dataset_from_directory "
    "is_keras_tensor model_to_dot pad_sequences register_keras_serializable set_random_seed split_dataset "
    "text_dataset_from_directory timeseries_dataset_from_array",
}
"""A module below `keras` -> names of today's Keras and of tf_keras 2.21 that 1.2.2, 2.0.8, 2.1.6 and 2.2.4 have not."""

OPTIMIZERS = ("Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "RMSprop", "SGD")
"""The optimizers that took other arguments in Keras 2.2 and in `tf.keras` up to 1.12."""

OTHER_RATES = ("Adadelta", "Adagrad", "Adamax", "Nadam")
"""Those that began with another rate in Keras 2.2 than in `tf.keras`."""


def home_of(name: str) -> str:
    """Where a module of Keras 1 or 2 is today.

    >>> home_of("keras"), home_of("keras.layers.core")
    ('tfqueue.v1.keras', 'tfqueue.v1.keras.layers')
    """
    inner = name.removeprefix("keras").removeprefix(".")
    if inner == "optimizers":
        return "tfqueue.v1.contrib.keras.optimizers"  # as they were in Keras 2.2
    inner = KERAS_MODULES.get(inner, inner)
    return f"tfqueue.v1.keras.{inner}" if inner else "tfqueue.v1.keras"
