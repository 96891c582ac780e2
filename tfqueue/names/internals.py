"""Names that modules of `tensorflow.python` had and have lost: where they are today."""

from __future__ import annotations

from tfqueue.names.modules import homes

MOVED = homes("""
framework.ops: IndexedSlicesValue convert_n_to_tensor_or_indexed_slices | framework.indexed_slices
framework.ops: convert_to_tensor_or_indexed_slices | framework.indexed_slices
framework.ops: internal_convert_n_to_tensor_or_indexed_slices | framework.indexed_slices
framework.ops: internal_convert_to_tensor_or_indexed_slices | framework.indexed_slices
framework.ops: _default_session_stack default_session | framework.stack
framework.ops: _eval_using_default_session _override_helper | framework.tensor
framework.ops: convert_to_tensor_v2 | framework.tensor_conversion
layers.base: Input InputLayer | keras.engine.input_layer
layers.base: _add_elements_to_collection | keras.legacy_tf_layers.base
ops.control_flow_ops: _UnpackIfSingleton cond_for_tf_v2 | ops.cond
ops.control_flow_ops: _case_create_default_action case_v2 | ops.control_flow_case
ops.control_flow_ops: MaybeCreateControlFlowState | ops.control_flow_state
ops.control_flow_ops: IsLoopExit IsLoopSwitch IsSwitch | ops.control_flow_util
ops.control_flow_ops: while_loop_v2 | ops.while_loop
ops.data_flow_ops: initialize_all_tables | ops.lookup_ops
ops.gradients_impl: _AggregatedGrads _AsList _DefaultGradYs | ops.gradients_util
ops.gradients_impl: _GetGrad _GetGrads _LogOpGradients _MaybeCompile | ops.gradients_util
ops.gradients_impl: _MultiDeviceAddN _PendingCount _SetGrad _StopOps _SymGrad | ops.gradients_util
ops.gradients_impl: _UpdatePendingAndEnqueueReady _VerifyGeneratedGradients | ops.gradients_util
ops.gradients_impl: _maybe_colocate_with | ops.gradients_util
ops.math_ops: _sparse_dense_truediv | framework.sparse_tensor
ops.nn: _compute_sampled_logits _sum_rows | ops.nn_impl
ops.variables: RefVariable | ops.ref_variable
pywrap_tensorflow: EventsWriter | client._pywrap_events_writer
training.saver: _GetCheckpointFilename | checkpoint.checkpoint_management
""")
"""Names of `tensorflow.python`, private ones too, and the modules that have them today.

They are what a comparison of 0.12, 1.4 and 1.15 with today found at exactly one other place.
"""
PUBLIC = {
    "framework.ops": {
        name: name
        for name in (
            "IndexedSlices",
            "RegisterShape",
            "Tensor",
            "register_tensor_conversion_function",
        )
    },
    "ops.array_ops": {name: name for name in ("stack", "unstack")},
    "ops.control_flow_ops": {
        name: name for name in ("cond", "case", "while_loop", "Assert", "switch_case")
    },
    "ops.gradients_impl": {"AggregationMethod": "AggregationMethod"},
    "ops.random_ops": {"random_crop": "random_crop"},
    "platform.tf_logging": {"_get_logger": "get_logger"},
    "pywrap_tensorflow": {"NewCheckpointReader": "train.NewCheckpointReader"},
}
"""Module below `tensorflow.python` -> its public names, and what they are below `tf`."""
