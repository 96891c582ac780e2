"""TensorFlow's mode, 1 or 2: taken, set for a while, and given back. The one place that does so.

The mode is some flags of the process and two of the thread. `disable_v2_behavior` sets them for
good; what is here keeps what was before. If a flag moves, `tests/dataset/test_mode.py` fails: look for it in
`tensorflow.python.compat.v2_compat`.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tfqueue import _tensorflow


class Flags(NamedTuple):
    """All that `disable_v2_behavior` switches."""

    tf2: bool
    """What TensorFlow asks when it chooses between two classes of one name."""
    eager: bool
    """Whether threads start in eager mode."""
    eager_here: bool
    """Whether this thread is in it."""
    shape: bool | None
    """Whether a shape holds plain ints; None for what `tf2` says."""
    resource: bool
    """Whether variables are resources."""
    equality: bool
    """Whether `==` on tensors compares values."""
    control_flow: bool
    """Whether `tf.cond` and `tf.while_loop` are functional."""
    outermost: bool
    """Whether `tf.init_scope` leaves functions for eager mode in this thread, not for a graph: there
    a `tf.function` makes its variables."""
    numbers: Any = None
    """The numpy whose form single numbers are printed in, False for the newest; None to leave it."""


V2 = Flags(True, True, True, True, True, True, True, True, numbers=False)

TO_LIFT = Flags(False, False, False, False, True, False, True, False)
"""TensorFlow 1's mode for a graph that is to be lifted: `tf.cond` and loops are functional all the
same, since only such ones can stand in a dataset's functions, and these need resource variables."""


def _internals() -> tuple[Any, ...]:
    from tensorflow.python import tf2
    from tensorflow.python.compat import v2_compat
    from tensorflow.python.eager import context
    from tensorflow.python.framework import tensor, tensor_shape
    from tensorflow.python.ops import control_flow_util, resource_variables_toggle

    return (
        tf2,
        v2_compat._DATA_V2_CALLBACKS,
        context,
        tensor.Tensor,
        tensor_shape,
        control_flow_util,
        resource_variables_toggle,
    )


def now() -> Flags:
    """The `Flags` as they are."""
    tf2, _, context, tensor, shape, control_flow, variables = _internals()
    return Flags(
        tf2.enabled(),
        context.default_execution_mode == context.EAGER_MODE,
        context.executing_eagerly(),
        shape._TENSORSHAPE_V2_OVERRIDE,
        variables._DEFAULT_USE_RESOURCE,
        tensor._USE_EQUALITY,
        control_flow.ENABLE_CONTROL_FLOW_V2,
        _outermost(context),
        np.get_printoptions()["legacy"],
    )


def _outermost(context: Any) -> bool:
    if context.context_safe() is None:  # it will be made in the process's mode
        return context.default_execution_mode == context.EAGER_MODE
    stack = context.context().context_switches.stack
    return bool(stack) and stack[0].enter_context_fn is context.eager_mode


def _put_outermost(context: Any, wanted: bool) -> None:
    """Sets this thread's `Flags.outermost`.

    The stack that `tf.init_scope` searches notes the mode in which it was made, in each thread. A
    context made in graph mode has no eager mode at the bottom, though the process has it again.
    """
    switches = context.context().context_switches
    if wanted == _outermost(context):
        return
    if wanted:
        switches.push(False, context.eager_mode, None)
        switches.stack.insert(0, switches.stack.pop())
    else:
        del switches.stack[0]


def _start_threads_in_the_mode_of_the_process(context: Any) -> None:
    """Stacks of threads that start later note the mode of then, not that of the first stack."""
    kind = context._ContextSwitchStack
    original = kind.__init__
    if getattr(original, "_tfqueue", False):
        return

    @functools.wraps(original)
    def __init__(self: Any, eager: bool) -> None:
        original(self, context.default_execution_mode == context.EAGER_MODE)

    vars(__init__)["_tfqueue"] = True
    kind.__init__ = __init__


def put(flags: Flags) -> None:
    """Sets the `Flags`."""
    tf2, callbacks, context, tensor, shape, control_flow, variables = _internals()
    if flags.tf2 != tf2.enabled():
        (tf2.enable if flags.tf2 else tf2.disable)()
        for name in callbacks.list():
            callbacks.lookup(name)()
    context.default_execution_mode = context.EAGER_MODE if flags.eager else context.GRAPH_MODE
    _start_threads_in_the_mode_of_the_process(context)
    context.context()._thread_local_data.is_eager = flags.eager_here
    _put_outermost(context, flags.outermost)
    shape._TENSORSHAPE_V2_OVERRIDE = flags.shape
    variables._DEFAULT_USE_RESOURCE = flags.resource
    tensor._USE_EQUALITY = flags.equality
    control_flow.ENABLE_CONTROL_FLOW_V2 = flags.control_flow
    if flags.numbers not in (None, np.get_printoptions()["legacy"]):
        np.set_printoptions(legacy=flags.numbers)


lock = threading.RLock()
"""Flags are the process's: for whoever sets them for a moment and builds something meanwhile."""


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Within the block the mode may be changed; afterwards it is what it was before.

    A `tfqueue.v1` that is first imported in the block is forgotten with its switch: the next
    import of it switches the process again.
    """
    _tensorflow.compat_v1()
    before = now()
    had = "tfqueue.v1" in sys.modules
    if not had and _names is not None:
        sys.modules["tfqueue.v1"] = vars(sys.modules["tfqueue"])["v1"] = _names
    try:
        yield
    finally:
        if not had:
            _forget()
        put(before)


@contextlib.contextmanager
def being(flags: Flags) -> Iterator[None]:
    """Within the block the mode is `flags`."""
    with kept():
        put(flags)
        yield


_names: types.ModuleType | None = None
"""`tfqueue.v1` as a module of names, where its import's switch was undone."""


def _forget() -> None:
    global _names
    module = sys.modules.pop("tfqueue.v1", None)
    if module is not None:
        _names = module
        vars(sys.modules["tfqueue"]).pop("v1", None)


_before_v1: Flags | None = None
"""The flags before the last import of `tfqueue.v1` switched them."""


def take(disable: Callable[[], None]) -> None:
    """Switches the process by `disable()` for `import tfqueue.v1`, and notes what was before.

    A list of losses prints as it did, `[0.5]`, not `[np.float32(0.5)]`.
    """
    global _before_v1
    _before_v1 = now()
    disable()
    new = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
    if new and _before_v1.numbers is False:  # the program has chosen nothing else
        np.set_printoptions(legacy="1.25")


def give_back() -> bool:
    """Undoes the switch of `import tfqueue.v1`, if nothing was built in graph mode since.

    Returns whether the process is in TensorFlow 2's mode.
    """
    if now().eager_here:
        return True
    if _before_v1 is None or not _before_v1.eager or _graph_in_use():
        return False
    with lock:
        put(_before_v1)
        _forget()
    return True


def _graph_in_use() -> bool:
    from tensorflow.python.framework import ops

    stack = ops._default_graph_stack
    if stack.stack:
        return True
    graph = stack._global_default_graph
    return graph is not None and bool(graph.get_operations())


@contextlib.contextmanager
def eager() -> Iterator[None]:
    """TensorFlow 2's mode within the block, also where `import tfqueue.v1` took it away.

    At the end of the block the mode is what it was before it. So an old module can be imported in
    it without its switch to graph mode, whether it says `import tfqueue.v1` or, moved over by hand,
    `tf.disable_v2_behavior()`:

        with tfqueue.eager():
            from old_inputs import inputs        # its names, and no switch

    The mode is the process's: no other thread should be building graphs meanwhile.

    >>> import tfqueue, tensorflow
    >>> import tfqueue.v1 as tf
    >>> with tfqueue.eager():
    ...     print(tensorflow.executing_eagerly(), tensorflow.constant(2) + 1)
    True tf.Tensor(3, shape=(), dtype=int32)
    """
    _tensorflow.compat_v1()
    _, _, context, *_ = _internals()
    with being(V2):
        with context.eager_mode():
            yield
