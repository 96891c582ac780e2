"""`tf.contrib.graph_editor`: walks through a graph, views of parts of it, copies, other inputs.

What a walk finds comes wave by wave, and in a wave in the order in which the graph has it; up to
1.15 that order was the one of a set.

`select` finds ops and tensors, `subgraph` has the views, `transform` copies, `reroute` gives other inputs,
`edit` takes parts off and joins them, `util` has the lists and placeholders of all of these.
"""

from tfqueue.v1 import _lazy_names

_HERE = "tfqueue.contrib.graph_editor"
_NAMES = {
    "edit": (
        "bypass connect detach detach_control_inputs detach_control_outputs detach_inputs "
        "detach_outputs"
    ),
    "reroute": (
        "add_control_inputs remove_control_inputs reroute_inputs reroute_ios reroute_outputs "
        "reroute_ts swap_inputs swap_ios swap_outputs swap_ts"
    ),
    "select": (
        "can_be_regex check_cios compute_boundary_ts filter_ops filter_ops_from_regex filter_ts "
        "filter_ts_from_regex get_backward_walk_ops get_forward_walk_ops get_name_scope_ops "
        "get_ops_ios get_walks_intersection_ops get_walks_union_ops get_within_boundary_ops "
        "make_regex select_ops select_ops_and_ts select_ts"
    ),
    "subgraph": "SubGraphView make_view make_view_from_scope",
    "transform": (
        "Transformer TransformerInfo assign_renamed_collections_handler copy copy_op_handler "
        "copy_with_input_replacements graph_replace keep_t_if_possible_handler "
        "replace_t_with_placeholder_handler transform_op_if_inside_handler"
    ),
    "util": (
        "ControlOutputs get_consuming_ops get_generating_ops get_tensors make_list_of_op "
        "make_list_of_t make_placeholder_from_dtype_and_shape make_placeholder_from_tensor "
        "placeholder_name"
    ),
}
_ROWS = {
    **{module: f"{_HERE}.{module}" for module in _NAMES},
    **_lazy_names.rows_of(_HERE, _NAMES),
    "ops": f"{_HERE}.select:select_ops",
    "ph": f"{_HERE}.util:make_placeholder_from_dtype_and_shape",
    "reroute_a2b": f"{_HERE}.reroute:reroute_ios",
    "reroute_a2b_inputs": f"{_HERE}.reroute:reroute_inputs",
    "reroute_a2b_outputs": f"{_HERE}.reroute:reroute_outputs",
    "reroute_a2b_ts": f"{_HERE}.reroute:reroute_ts",
    "sgv": f"{_HERE}.subgraph:make_view",
    "sgv_scope": f"{_HERE}.subgraph:make_view_from_scope",
    "swap": f"{_HERE}.reroute:swap_ios",
    "ts": f"{_HERE}.select:select_ts",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
