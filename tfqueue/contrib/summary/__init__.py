"""`tf.contrib.summary`: summaries that a step writes itself, all still in TensorFlow."""

from typing import Any

from tensorflow.python.ops import summary_ops_v2

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names

_tf = _tensorflow.compat_v1()

_HOME = "tensorflow.python.ops.summary_ops_v2"
_NAMES = (
    "SummaryWriter always_record_summaries audio create_file_writer create_summary_file_writer "
    "eval_dir generic graph histogram image import_event initialize never_record_summaries "
    "record_summaries_every_n_global_steps scalar should_record_summaries "
    "summary_writer_initializer_op"
)


def flush(writer: Any = None, name: str | None = None) -> Any:
    """Writes what a writer holds back (`tf.contrib.summary.flush`).

    Args:
        writer: A `SummaryWriter`, or its resource, as an op that opens it has it; the one in use if None.
        name: Name of the operation.

    Returns:
        The operation; None where there is no writer.
    """
    if _tf.is_tensor(writer):
        return _tf.raw_ops.FlushSummaryWriter(writer=writer, name=name)
    return summary_ops_v2.flush(writer, name)


_ROWS = {
    **{name: f"{_HOME}:{name}" for name in _NAMES.split()},
    "all_summary_ops": f"{_HOME}:all_v2_summary_ops",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
