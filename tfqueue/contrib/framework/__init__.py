"""`tf.contrib.framework`: argument scopes, variables by name, checkpoints.

What TensorFlow has kept is TensorFlow's. The argument scopes and the functions
on variables are tf_slim's and need the extra `slim`.

`nest` is `tf.contrib.framework.nest`; `audio_ops` and `script_ops` (`py_func`) were modules below `python.ops`, and
`tensor_util` one below `python.framework`.
"""

from tfqueue.v1 import _lazy_names

_SLIM = {
    "arg_scope": "add_arg_scope arg_scope arg_scoped_arguments current_arg_scope has_arg_scope",
    "framework_ops": "get_graph_from_inputs get_name_scope",
    "variables": (
        "VariableDeviceChooser add_model_variable assert_global_step assert_or_get_global_step "
        "assign_from_checkpoint assign_from_checkpoint_fn assign_from_values "
        "assign_from_values_fn filter_variables get_local_variables get_model_variables "
        "get_trainable_variables get_unique_variable get_variable_full_name get_variables "
        "get_variables_by_name get_variables_by_suffix get_variables_to_restore global_variable "
        "local_variable model_variable variable"
    ),
}
_TENSORS = (
    "assert_scalar_int get_placeholders reduce_sum_n remove_squeezable_dimensions with_same_shape "
    "with_shape"
)
_OF_TF = {
    "debugging": (
        "assert_same_float_dtype assert_scalar is_non_decreasing is_numeric_tensor "
        "is_strictly_increasing"
    ),
    "train": (
        "create_global_step get_global_step get_or_create_global_step init_from_checkpoint "
        "list_variables load_checkpoint load_variable"
    ),
}
_OF_PYTHON = {
    "framework.ops": "prepend_name_scope strip_name_scope",
    "framework.smart_cond": "smart_case smart_cond smart_constant_value",
    "util.deprecation": "deprecated deprecated_arg_values deprecated_args",
}
_ROWS = {
    **_lazy_names.rows_of("tf_slim.ops", _SLIM),
    **_lazy_names.rows_of("tensorflow.python", _OF_PYTHON),
    **{name: f"tf:{home}.{name}" for home, names in _OF_TF.items() for name in names.split()},
    "BoundedTensorSpec": "tensorflow.python.framework.tensor_spec:BoundedTensorSpec",
    "RecordInput": "tensorflow.python.ops.data_flow_ops:RecordInput",
    "TensorSpec": "tf:TensorSpec",
    "argsort": "tf:argsort",
    "CriticalSection": "tf:CriticalSection",
    "convert_to_tensor_or_sparse_tensor": "tf:convert_to_tensor_or_sparse_tensor",
    "is_tensor": "tf:is_tensor",
    "nest": "tfqueue.contrib.framework.nest",
    **_lazy_names.rows_of(__name__, {"script_ops": "py_func", "tensor_util": _TENSORS}),
    "sort": "tf:sort",
}
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
