"""Names of TensorFlow 1 and before that `tensorflow.compat.v1` no longer has, one row each.

A row says under which name the thing was known, which one it has now (a dotted
name of `tensorflow.compat.v1`, or a function of `tfqueue.v1._old_functions` where
the arguments changed too), the release that removed it, and a note where the
two are not quite the same. `tfqueue.v1` is built from these rows, the porting
rules read them, and each row is a test.
"""

from typing import NamedTuple


class Moved(NamedTuple):
    """One renamed name."""

    old: str
    """Dotted name below `tf`, as old programs write it."""
    new: str
    """Dotted name below `tensorflow.compat.v1`, or `old_functions.<function>`."""
    removed: str
    """The TensorFlow release that no longer had the old name."""
    note: str = ""


_TO_1_0 = [
    ("pack", "stack"),
    ("unpack", "unstack"),
    ("mul", "multiply"),
    ("sub", "subtract"),
    ("neg", "negative"),
    ("inv", "reciprocal"),
    ("select", "where"),
    ("listdiff", "setdiff1d"),
    ("complex_abs", "abs"),
    ("concat_v2", "concat"),
    ("batch_matmul", "old_functions.batch_matmul"),
    ("split_v", "old_functions.split_v"),
    ("batch_cholesky", "cholesky"),
    ("batch_cholesky_solve", "cholesky_solve"),
    ("batch_fft", "fft"),
    ("batch_fft2d", "fft2d"),
    ("batch_fft3d", "fft3d"),
    ("batch_ifft", "ifft"),
    ("batch_ifft2d", "ifft2d"),
    ("batch_ifft3d", "ifft3d"),
    ("batch_matrix_band_part", "matrix_band_part"),
    ("batch_matrix_determinant", "matrix_determinant"),
    ("batch_matrix_diag", "matrix_diag"),
    ("batch_matrix_diag_part", "matrix_diag_part"),
    ("batch_matrix_inverse", "matrix_inverse"),
    ("batch_matrix_set_diag", "matrix_set_diag"),
    ("batch_matrix_solve", "matrix_solve"),
    ("batch_matrix_solve_ls", "matrix_solve_ls"),
    ("batch_matrix_transpose", "matrix_transpose"),
    ("batch_matrix_triangular_solve", "matrix_triangular_solve"),
    ("batch_self_adjoint_eig", "self_adjoint_eig"),
    ("batch_self_adjoint_eigvals", "self_adjoint_eigvals"),
    ("batch_svd", "svd"),
    ("scalar_summary", "old_functions.scalar_summary"),
    ("histogram_summary", "old_functions.histogram_summary"),
    ("image_summary", "old_functions.image_summary"),
    ("audio_summary", "old_functions.audio_summary"),
    ("merge_summary", "old_functions.merge_summary"),
    ("merge_all_summaries", "old_functions.merge_all_summaries"),
    ("train.SummaryWriter", "summary.FileWriter"),
    ("summary.SummaryWriter", "summary.FileWriter"),
    ("train.SummaryWriterCache", "summary.FileWriterCache"),
    ("train.SyncReplicasOptimizerV2", "train.SyncReplicasOptimizer"),
    ("nn.deconv2d", "nn.conv2d_transpose"),
    ("image.per_image_whitening", "image.per_image_standardization"),
    ("graph_util.set_cpu0", "old_functions.set_cpu0"),
    ("nn.xw_plus_b_v1", "old_functions.xw_plus_b_v1"),
]
NN_OPS = {
    "avg_pool3d_grad": ("AvgPool3DGrad", "orig_input_shape grad ksize strides padding"),
    "bias_add_grad": ("BiasAddGrad", "out_backprop data_format=None"),
    "bias_add_v1": ("BiasAddV1", "value bias"),
    "conv3d_backprop_input_v2": (
        "Conv3DBackpropInputV2",
        "input_sizes filter out_backprop strides padding",
    ),
    "dilation2d_backprop_filter": (
        "Dilation2DBackpropFilter",
        "input filter out_backprop strides rates padding",
    ),
    "dilation2d_backprop_input": (
        "Dilation2DBackpropInput",
        "input filter out_backprop strides rates padding",
    ),
    "fused_batch_norm_grad": (
        "FusedBatchNormGrad",
        "y_backprop x scale reserve_space_1 reserve_space_2 epsilon=None data_format=None "
        "is_training=None",
    ),
    "fused_pad_conv2d": ("FusedPadConv2D", "input paddings filter mode strides padding"),
    "fused_resize_and_pad_conv2d": (
        "FusedResizeAndPadConv2D",
        "input size paddings filter mode strides padding resize_align_corners=None",
    ),
    "max_pool3d_grad": (
        "MaxPool3DGrad",
        "orig_input orig_output grad ksize strides padding",
    ),
    "quantized_relu": ("QuantizedRelu", "features min_features max_features out_type=None"),
    "quantized_relu6": ("QuantizedRelu6", "features min_features max_features out_type=None"),
}
"""Ops that `tf.nn` of 0.12 showed: name -> the op, and its arguments in order, but the last, `name=None`."""

MOVED = [
    *(Moved(old, new, "1.0") for old, new in _TO_1_0),
    *(Moved(f"nn.{name}", f"old_functions.{name}", "1.0") for name in NN_OPS),
    Moved("config.experimental_list_devices", "old_functions.experimental_list_devices", "2.1"),
    Moved("nn.rnn", "nn.static_rnn", "1.0"),
    Moved("nn.state_saving_rnn", "nn.static_state_saving_rnn", "1.0"),
    Moved("nn.bidirectional_rnn", "nn.static_bidirectional_rnn", "1.0"),
    Moved(
        "Coordinator",
        "train.Coordinator",
        "never there",
        "a slip of many lecture notes for tf.train.Coordinator",
    ),
    Moved(
        "QueueRunner",
        "train.QueueRunner",
        "never there",
        "a slip of many lecture notes for tf.train.QueueRunner",
    ),
]
"""Renamed names. The summaries take (tag, values) and become (name, tensor)."""

BY_OLD_NAME = {row.old: row for row in MOVED}

REORDERED = [
    "image.resize_images",
    "reverse",
    "ones_initializer",
    "zeros_initializer",
]
"""Names that stayed, and changed in 1.0 what their arguments are: their order, or a shape for a dtype (the
initializers). `_old_functions` takes both forms where they cannot be confused."""
