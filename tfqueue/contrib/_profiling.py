"""`tf.contrib.tfprof.model_analyzer`: counts of parameters and operations, by `tf.profiler`."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Graph

_tf = _tensorflow.compat_v1()
_options = _tf.profiler.ProfileOptionBuilder

__all__ = [
    "FLOAT_OPS_OPTIONS",
    "PRINT_ALL_TIMING_MEMORY",
    "TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
    "print_model_analysis",
    "write_op_log",
]

__getattr__ = _lazy_names.attributes("tfqueue.contrib.tfprof", {})[0]
write_op_log = _tf.profiler.write_op_log  # of tf.contrib.tfprof.tfprof_logger

TRAINABLE_VARS_PARAMS_STAT_OPTIONS = _options.trainable_variables_parameter()
FLOAT_OPS_OPTIONS = _options.float_operation()
PRINT_ALL_TIMING_MEMORY = _options.time_and_memory()


def print_model_analysis(
    graph: Graph,
    run_meta: Any = None,
    op_log: Any = None,
    tfprof_cmd: str = "scope",
    tfprof_options: Any = TRAINABLE_VARS_PARAMS_STAT_OPTIONS,
) -> Any:
    """Prints an analysis of a graph (`tf.contrib.tfprof.model_analyzer.print_model_analysis`).

    Args:
        run_meta: Optional `RunMetadata` of a traced step, for times and memory.
        op_log: Not used.
        tfprof_cmd: `"scope"`, `"graph"`, `"op"` or `"code"`.
        tfprof_options: Dict of options; the three above are the usual ones.

    Returns:
        A message of what was counted; its `total_parameters` is the number of parameters.
    """
    return _tf.profiler.profile(graph, run_meta, None, tfprof_cmd, dict(tfprof_options))
