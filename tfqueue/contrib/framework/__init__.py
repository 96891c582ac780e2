"""`tf.contrib.framework`: argument scopes, variables by name, checkpoints.

What TensorFlow has kept is TensorFlow's. The argument scopes and the functions
on variables are tf_slim's and need the extra `slim`.

`nest` is `tf.contrib.framework.nest`; `audio_ops` and `script_ops` (`py_func`) were modules below `python.ops`, and
`tensor_util` one below `python.framework`.
"""

from tfqueue.v1 import _lazy_names

_SLIM = {
    "tf_slim.ops.arg_scope": (
        "add_arg_scope arg_scope arg_scoped_arguments current_arg_scope has_arg_scope"
    ),
    "tf_slim.ops.framework_ops": "get_graph_from_inputs get_name_scope",
    "tf_slim.ops.variables": (
        "VariableDeviceChooser add_model_variable assert_global_step assert_or_get_global_step "
        "assign_from_checkpoint assign_from_checkpoint_fn assign_from_values "
        "assign_from_values_fn filter_variables get_local_variables get_model_variables "
        "get_trainable_variables get_unique_variable get_variable_full_name get_variables "
        "get_variables_by_name get_variables_by_suffix get_variables_to_restore global_variable "
        "local_variable model_variable variable"
    ),
}
_ROWS = {
    **{name: f"{module}:{name}" for module, names in _SLIM.items() for name in names.split()},
    "BoundedTensorSpec": "tensorflow.python.framework.tensor_spec:BoundedTensorSpec",
    "RecordInput": "tensorflow.python.ops.data_flow_ops:RecordInput",
    "TensorSpec": "tf:TensorSpec",
    "argsort": "tf:argsort",
    "assert_same_float_dtype": "tf:debugging.assert_same_float_dtype",
    "CriticalSection": "tf:CriticalSection",
    "assert_scalar": "tf:debugging.assert_scalar",
    "convert_to_tensor_or_sparse_tensor": "tf:convert_to_tensor_or_sparse_tensor",
    "create_global_step": "tf:train.create_global_step",
    "deprecated": "tensorflow.python.util.deprecation:deprecated",
    "deprecated_arg_values": "tensorflow.python.util.deprecation:deprecated_arg_values",
    "deprecated_args": "tensorflow.python.util.deprecation:deprecated_args",
    "get_global_step": "tf:train.get_global_step",
    "get_or_create_global_step": "tf:train.get_or_create_global_step",
    "init_from_checkpoint": "tf:train.init_from_checkpoint",
    "is_non_decreasing": "tf:debugging.is_non_decreasing",
    "is_numeric_tensor": "tf:debugging.is_numeric_tensor",
    "is_strictly_increasing": "tf:debugging.is_strictly_increasing",
    "is_tensor": "tf:is_tensor",
    "list_variables": "tf:train.list_variables",
    "load_checkpoint": "tf:train.load_checkpoint",
    "load_variable": "tf:train.load_variable",
    "nest": "tfqueue.contrib.framework.nest",
    "prepend_name_scope": "tensorflow.python.framework.ops:prepend_name_scope",
    "py_func": "tfqueue.contrib.framework.script_ops:py_func",
    **{
        name: f"{__name__}.tensor_util:{name}"
        for name in (
            "assert_scalar_int",
            "get_placeholders",
            "reduce_sum_n",
            "remove_squeezable_dimensions",
            "with_same_shape",
            "with_shape",
        )
    },
    "smart_case": "tensorflow.python.framework.smart_cond:smart_case",
    "smart_cond": "tensorflow.python.framework.smart_cond:smart_cond",
    "smart_constant_value": "tensorflow.python.framework.smart_cond:smart_constant_value",
    "sort": "tf:sort",
    "strip_name_scope": "tensorflow.python.framework.ops:strip_name_scope",
}
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
