"""`tf.contrib.summary`: summaries that a step writes itself, all still in TensorFlow."""

from tfqueue.v1 import _lazy_names

_HOME = "tensorflow.python.ops.summary_ops_v2"
_NAMES = (
    "SummaryWriter always_record_summaries audio create_file_writer create_summary_file_writer "
    "eval_dir flush generic graph histogram image import_event initialize never_record_summaries "
    "record_summaries_every_n_global_steps scalar should_record_summaries "
    "summary_writer_initializer_op"
)
_ROWS = {
    **{name: f"{_HOME}:{name}" for name in _NAMES.split()},
    "all_summary_ops": f"{_HOME}:all_v2_summary_ops",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
