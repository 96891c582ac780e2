"""The one place that reaches into TensorFlow's internals, and that imports it quietly.

Everything here is a thing TensorFlow does not promise to keep. Each stands
once, with a comment on what to do if it moves; `tests/_tensorflow/test_tensorflow.py`
fails loudly when one does.
"""

from tfqueue._tensorflow.graphs import (
    CHUNK_SCOPE,
    function_graph_def,
    growable,
    is_stateful,
    python_function_code,
    signature,
    undecorated,
    used_arguments,
)
from tfqueue._tensorflow.lines import (
    add_note,
    cell_name,
    creation_line,
    is_folded_file,
    is_library_file,
    without_frames,
)
from tfqueue._tensorflow.loading import (
    compat_v1,
    datasets,
    executing_eagerly_outside_functions,
    find_devices_quietly,
    is_lazy,
    quiet_first_session,
    quiet_stderr,
    silence_deprecations,
    tables,
)
from tfqueue._tensorflow.mended import (
    StandsFor,
    base_session,
    global_steps_of_one_element,
    managers_make,
    seeds_as_in_tf1,
    tell_who_builds,
)
from tfqueue._tensorflow.steps import (
    RawStep,
    SessionHandle,
    inline_options,
    leave_default,
    operation_timeout,
    unreadable,
    unwrapped,
    with_op,
)

__all__ = [
    "CHUNK_SCOPE",
    "RawStep",
    "SessionHandle",
    "StandsFor",
    "add_note",
    "base_session",
    "cell_name",
    "compat_v1",
    "creation_line",
    "datasets",
    "executing_eagerly_outside_functions",
    "find_devices_quietly",
    "function_graph_def",
    "global_steps_of_one_element",
    "growable",
    "inline_options",
    "is_folded_file",
    "is_lazy",
    "is_library_file",
    "is_stateful",
    "leave_default",
    "managers_make",
    "operation_timeout",
    "python_function_code",
    "quiet_first_session",
    "quiet_stderr",
    "seeds_as_in_tf1",
    "signature",
    "silence_deprecations",
    "tables",
    "tell_who_builds",
    "undecorated",
    "unreadable",
    "unwrapped",
    "used_arguments",
    "with_op",
    "without_frames",
]
