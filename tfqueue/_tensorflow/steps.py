"""Sessions as TensorFlow has them inside, and their steps without the Python `Session` around them."""

from __future__ import annotations

import contextlib
import functools
import math
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from tfqueue._tensorflow.loading import compat_v1
from tfqueue._tensorflow.types import Array, Graph, Op, Session, Tensor


class StandsFor(type):
    """The metaclass of a class of ours that programs take for TensorFlow's own.

    `isinstance(x, tf.Session)` is true of any session, also of those that
    TensorFlow makes itself. A class that a program derives from ours is
    checked as usual. Ours names the original in `__original__`.
    """

    def __instancecheck__(cls, instance: Any) -> bool:
        original = cls.__dict__.get("__original__")
        return isinstance(instance, original) if original else super().__instancecheck__(instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        original = cls.__dict__.get("__original__")
        return issubclass(subclass, original) if original else super().__subclasscheck__(subclass)

    @property
    def __base__(cls) -> type | None:
        """That of the original: GPflow takes for an optimizer what has `tf.train.Optimizer` here."""
        return cls.__dict__.get("__original__", super()).__base__

    @property
    def __bases__(cls) -> tuple[type, ...]:  # type: ignore[override]
        """Those of the original."""
        return cls.__dict__.get("__original__", super()).__bases__


def base_session() -> type:
    """The class whose `run` every session of TensorFlow's ends in, monitored ones too.

    It has no public name; it is what `tf.Session` is derived from.
    """
    return compat_v1().Session.__mro__[1]


class SessionHandle:
    """The C++ session behind a `tf.Session`, and its graph.

    A session of ours has one handle, which it keeps as `_tfqueue_handle`. Every thread that runs
    steps without the Python session holds the handle and not the session. The C++ session is
    deleted with the handle, so not before the last call in it has returned, however the Python session
    came to its end. If `_extend_graph` moves: see what it calls.

    A session that is not ours deletes its own C++ session. A handle of one holds it.
    """

    _of_living: ClassVar[set[SessionHandle]] = set()
    """The handles of the sessions of ours that still exist in Python. Python finalises what is in one
    cycle of garbage in any order: a session that closes itself must find its handle whole."""

    def __init__(self, sess: Any) -> None:
        self._session = sess._session
        self.graph = self._graph = sess.graph
        self._is_ours = False
        self._held = None if isinstance(type(sess), StandsFor) else sess
        if self._held is None:
            # In this order: wherever an interrupt comes, nobody deletes it twice.
            sess._tfqueue_handle = self
            self._is_ours = True
            self._of_living.add(self)

    @classmethod
    def of(cls, sess: Any) -> SessionHandle:
        """The handle of a session; of one that is not ours a new one each time."""
        return vars(sess).get("_tfqueue_handle") or cls(sess)

    def outlive_session(self) -> None:
        """The Python session is about to be deleted: what holds the handle last deletes the C++ session."""
        self._of_living.discard(self)

    def _extend_graph(self) -> None:
        compat_v1().Session._extend_graph(self)

    def __del__(self, _is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        # At the end of the process a thread may be left in it for good.
        if self._is_ours and not _is_finalizing():
            from tensorflow.python.client import pywrap_tf_session

            pywrap_tf_session.TF_DeleteSession(self._session)


class PreparedStep:
    """A step of a session without the Python `Session` around it.

    A runner's thread holds one of these instead of the session, so that a
    session nobody refers to any more can be collected and its threads ended
    (`runners_pile_up` in tests/failures), and so that a step costs less Python. It keeps the arguments
    `Session.make_callable` would use; if the wrapper functions move, use that
    and accept that a forgotten session lives as long as its threads.
    """

    def __init__(
        self,
        sess: SessionHandle | Session,
        targets: Iterable[Op],
        fetches: Iterable[Tensor] = (),
        inline: bool = False,
    ) -> None:
        """Prepares the call.

        Args:
            sess: A `tf.Session`, or the `SessionHandle` of one.
            targets: Operations to run.
            fetches: Tensors to return.
            inline: Whether the calling thread computes the step itself.
        """
        from tensorflow.python.client import pywrap_tf_session

        self._call = pywrap_tf_session.TF_SessionRun_wrapper
        self._handle = sess if isinstance(sess, SessionHandle) else SessionHandle.of(sess)
        self._session = self._handle._session
        self._targets = [op._c_op for op in targets]
        self._fetches = [tensor._as_tf_output() for tensor in fetches]
        self._options = inline_options() if inline else None
        self._error = compat_v1().errors.OpError
        self._handle._extend_graph()

    def __call__(self, feeds: Mapping[Tensor, Any] | None = None) -> Any:
        """Runs the step and returns the fetched arrays; raises `tf.errors.OpError`.

        Args:
            feeds: Optional dict of tensor to value.
        """
        try:
            return self._call(
                self._session,
                self._options,
                _fed(feeds) if feeds else {},
                self._fetches,
                self._targets,
                None,
            )
        except self._error as error:
            raise with_op(error, self._handle.graph) from None
        except UnicodeDecodeError as error:
            raise with_op(unreadable(error), self._handle.graph) from error

    def trace_next(self, tell: Callable[[bytes], None]) -> None:
        """Has the next run of the step traced. No other run costs anything for it.

        `tell` is called with a serialized `RunMetadata`, in the thread that ran the step.
        """
        from tensorflow.python.client import pywrap_tf_session

        plain = self._call
        options = compat_v1().RunOptions(
            trace_level=compat_v1().RunOptions.SOFTWARE_TRACE,
            inter_op_thread_pool=-1 if self._options is not None else 0,
        )

        def traced(session: Any, _: Any, fed: Any, fetches: Any, targets: Any, __: Any) -> Any:
            self._call = plain
            asked = pywrap_tf_session.TF_NewBufferFromString(options.SerializeToString())
            answer = pywrap_tf_session.TF_NewBuffer()
            try:
                values = plain(session, asked, fed, fetches, targets, answer)
                tell(pywrap_tf_session.TF_GetBuffer(answer))
                return values
            finally:
                pywrap_tf_session.TF_DeleteBuffer(asked)
                pywrap_tf_session.TF_DeleteBuffer(answer)

        self._call = traced


def op_seconds(answer: bytes, but: Collection[str]) -> float:
    """How long the ops of a traced step took, all together, in seconds; infinite if it tells of none.

    Args:
        answer: What `PreparedStep.trace_next` told.
        but: Names of ops that do not count.
    """
    stats = compat_v1().RunMetadata.FromString(answer).step_stats
    nodes = [node for device in stats.dev_stats for node in device.node_stats]
    if not nodes:
        return math.inf
    return 1e-6 * sum(
        max(0, node.op_end_rel_micros - node.op_start_rel_micros)
        for node in nodes
        if node.node_name not in but
    )


@functools.cache
def inline_options() -> Any:
    """Options for `TF_SessionRun`: the thread that runs the step computes it, and no pool.

    They are `RunOptions(inter_op_thread_pool=-1)` in the buffer that the C API wants. If that
    field goes, return None: steps then cost what they cost in plain TensorFlow.
    """
    from tensorflow.python.client import pywrap_tf_session

    options = compat_v1().RunOptions(inter_op_thread_pool=-1)
    return pywrap_tf_session.TF_NewBufferFromString(options.SerializeToString())


def _fed(feeds: Mapping[Tensor, Any]) -> dict[Any, Array]:
    return {
        tensor._as_tf_output(): np.asarray(value, tensor.dtype.as_numpy_dtype)
        for tensor, value in feeds.items()
    }


def unwrapped(sess: Session) -> Session:
    """The session behind a debugger's wrapper (tfdbg); `sess` itself if it is none.

    Wrappers have it as `session`. If that goes, a wrapper is taken for a session, and the
    first use of the wrapper as one says so.
    """
    while not isinstance(sess, base_session()) and hasattr(sess, "session"):
        sess = sess.session
    return sess


def leave_default(sess: Session) -> None:
    """Takes an interactive session off the stack of default sessions, and leaves it open.

    The stack is what keeps one alive that no variable refers to any more. If `_default_session`
    goes, such a session lives until it is closed.
    """
    held = getattr(sess, "_default_session", None)
    if held is not None:
        sess._default_session = contextlib.nullcontext()
        held.__exit__(None, None, None)


def have_deadlines(sess: Session) -> bool:
    """Whether every step of a session ends after some time, its `operation_timeout_in_ms`.

    Sessions keep their configuration as `_config`; if that goes, the limit counts as not set.
    """
    return getattr(getattr(sess, "_config", None), "operation_timeout_in_ms", 0) > 0


_NODE = re.compile(r"\{\{node ([^}]+)\}\}")


def with_op(error: Any, graph: Graph) -> Any:
    """An `OpError` straight from the C API, whose `op` is None, as `Session.run` would report it."""
    op = None
    named = _NODE.search(error.message)
    if named:
        with contextlib.suppress(KeyError, ValueError):
            op = graph.get_operation_by_name(named.group(1))
    made = type(error)(op.node_def if op is not None else None, op, error.message)
    return made.with_traceback(error.__traceback__)


def unreadable(error: UnicodeDecodeError) -> Any:
    """The TensorFlow error behind a message that Python cannot read.

    An op that quotes bytes of a record (`string_to_number`) fails with a message
    that may be no UTF-8. Making TensorFlow's exception of it fails in turn, and
    all that reaches Python is a `UnicodeDecodeError`, with the message but
    without the status code. No other way to that code is open, so the error is
    TensorFlow's for "not known", `tf.errors.UnknownError`.
    """
    message = error.object.decode("utf-8", "backslashreplace")
    return compat_v1().errors.UnknownError(
        None,
        None,
        f"{message}\n(The message holds bytes that are no UTF-8, written \\x.. here. TensorFlow "
        "loses the class of such an error, so it is raised as UnknownError.)",
    )
