"""What tfqueue uses of TensorFlow's internals; and TensorFlow, imported without its start-up lines.

What is used here TensorFlow does not promise to keep; a comment says what to do if it moves, where that is
not plain; `tests/_tensorflow/test_tensorflow.py` fails when one does. Classes that are derived from
TensorFlow's own (a session, a coordinator) use private names where they stand.

* `loading` imports TensorFlow, `mode` sets its mode, `patches` changes what it does, `seeds` its seeds,
  `assigned_shapes` the shapes that a program assigns to tensors, `gradients` the gradients of ops in early releases.
* `one_element` makes numbers of arrays of one element, as numpy did: it uses nothing of TensorFlow's.
* `steps` and `iterators` run sessions and iterators; `op_building` and `op_edits` build and change graphs.
* `lines` says which line of the program built an op; `scope_collection` has an old collection; `types` are
  names for annotations.
"""

from __future__ import annotations

from tfqueue._tensorflow.lines import (
    add_note,
    cell_name,
    creation_line,
    frames_of_threads,
    is_folded_file,
    is_library_file,
    without_frames,
)
from tfqueue._tensorflow.loading import (
    compat_v1,
    find_devices_quietly,
    is_lazy,
    look_up_ops_and_arrays,
    quiet_first_session,
    quiet_stderr,
    silence_deprecations,
)
from tfqueue._tensorflow.op_building import (
    CHUNK_SCOPE,
    function_graph_def,
    growable,
    is_stateful,
    python_function_code,
    step_read_first,
    undecorated,
    used_arguments,
)
from tfqueue._tensorflow.steps import (
    PreparedStep,
    SessionHandle,
    StandsFor,
    base_session,
    have_deadlines,
    inline_options,
    leave_default,
    op_seconds,
    unreadable,
    unwrapped,
    with_op,
)

__all__ = [
    "CHUNK_SCOPE",
    "PreparedStep",
    "SessionHandle",
    "StandsFor",
    "add_note",
    "base_session",
    "cell_name",
    "compat_v1",
    "creation_line",
    "find_devices_quietly",
    "frames_of_threads",
    "function_graph_def",
    "growable",
    "have_deadlines",
    "inline_options",
    "is_folded_file",
    "is_lazy",
    "is_library_file",
    "is_stateful",
    "leave_default",
    "look_up_ops_and_arrays",
    "op_seconds",
    "python_function_code",
    "quiet_first_session",
    "quiet_stderr",
    "silence_deprecations",
    "step_read_first",
    "undecorated",
    "unreadable",
    "unwrapped",
    "used_arguments",
    "with_op",
    "without_frames",
]
