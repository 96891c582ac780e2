"""From a failure or a stall to its cause and its fix, by rows.

`explain` adds the pipeline's story to TensorFlow's own exception, as notes;
`starved`, `no_room`, `never_started` and `reopened` make errors of their own; `note_end`
adds to the end of the data whether a stop was its reason; others warn, of silent damage or
of a wait that lasts. The rows of `tfqueue.explain.stories` hold a
condition and a text each.

An error inside a row never hides the failure that the row explains: it is logged
(logger `tfqueue`, at DEBUG) and kept in `BROKEN`, and the row is left out.
"""

from __future__ import annotations

import collections
import dataclasses
import linecache
import logging
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tfqueue import _tensorflow, errors
from tfqueue.explain import empty_files, silent_damage, stories
from tfqueue.explain.case import Case
from tfqueue.explain.failure import Failure
from tfqueue.explain.stories.rows import Row
from tfqueue.graph.op_types import Queue, Take
from tfqueue.output.printing import printable

_log = logging.getLogger("tfqueue")

BROKEN: collections.deque[BaseException] = collections.deque(maxlen=20)
"""The last errors inside rows. The tests check that there are none."""


def _told(rows: Iterable[Row], case: Case) -> Iterator[tuple[Row, str]]:
    """Yields `(row, text)` of the rows that apply to `case` and have something to say."""
    for row in rows:
        try:
            text = row.say(case) if row.when(case) else ""
        except Exception as error:  # noqa: BLE001  (kept: an error in a row must not hide the failure)
            BROKEN.append(error)
            _log.debug("the story of row %s failed", row.failures, exc_info=True)
            continue
        if text:
            yield row, printable(text)  # the name of a file or a key may hold anything


def explain(failure: Failure) -> BaseException:
    """Adds to an error what the pipeline has noted of it.

    Args:
        failure: The `Failure`, with its error.

    Returns:
        The error itself, or the same thing under the class that TensorFlow 1 gave it.
    """
    error = failure.error
    if error is None:
        raise TypeError("a failure without an error has nothing to explain")
    if getattr(error, "tfqueue_told", False):
        return error
    error = _as_in_tf1(error)
    case = Case(dataclasses.replace(failure, error=error))
    for _, text in _told(stories.FAILURES, case):
        _tensorflow.add_note(error, f"tfqueue: {text}")
    error.tfqueue_told = True
    if case.queue is not None:
        error.tfqueue_queues = (case.queue.name,)  # for `tfqueue.draw`
    return error


def _as_in_tf1(error: Any) -> Any:
    tf = _tensorflow.compat_v1()
    op = getattr(error, "op", None)
    reads = ("ResourceCountUpTo", "ReadVariableOp", "AssignAddVariableOp")
    if isinstance(error, tf.errors.NotFoundError) and op is not None and op.type in reads:
        # An epoch counter that was never initialised. Where the program asks for resource variables
        # (`use_resource=True`), TensorFlow raises NotFoundError, and FailedPreconditionError for
        # reference variables.
        renamed = tf.errors.FailedPreconditionError(error.node_def, op, error.message)
        return renamed.with_traceback(error.__traceback__)
    return error


def first_line(error: BaseException) -> str:
    """The useful line of an error's message: TensorFlow puts others in front of it."""
    text = getattr(error, "message", None) or str(error)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if line.startswith(("Graph execution error", "Detected at node", "Node:", "File ")):
            continue
        if re.match(r"\d+ root error\(s\) found", line):
            continue  # each of them follows, as `(0) OUT_OF_RANGE: ...`
        line = re.sub(r"^\(\d+\) [A-Za-z_ ]+: ", "", line)
        return re.sub(r"\s*\[\[\{\{node [^}]*\}\}\]\]", "", line)
    return lines[0] if lines else type(error).__name__


def warn(message: str, category: type[Warning]) -> None:
    """Warns at the user's line: the innermost frame outside TensorFlow and tfqueue.

    Args:
        message: The text.
        category: A class of `tfqueue.errors`.
    """
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _tensorflow.is_library_file(frame.f_code.co_filename):
        frame, level = frame.f_back, level + 1
    if _tensorflow.is_library_file(frame.f_code.co_filename):
        level = 2  # a thread of ours: there is no line of the user's
    cell = _tensorflow.cell_name(frame.f_code.co_filename)
    if cell == frame.f_code.co_filename:
        warnings.warn(message, category, stacklevel=level)
        return
    # A notebook shows the number of a cell, and not the name that it was compiled under.
    linecache.cache[cell] = linecache.cache.get(frame.f_code.co_filename, (0, None, [], cell))
    about = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(
        message, category, cell, frame.f_lineno, frame.f_globals.get("__name__"), about
    )


def starved(failure: Failure) -> errors.StarvationError:
    """The error for a queue that nobody can feed any more.

    Args:
        failure: The `Failure`, with the queue and what the step that waits demands.

    Returns:
        A `StarvationError`, with the dead feeder's own exception as its cause
        where that was seen.
    """
    case = Case(failure)
    for row, text in _told(stories.STALLS, case):
        error = _starvation(text, [case.known_queue], failure.feeder_error)
        error.runner_missing = "runners_never_started" in row.failures
        return error
    unknown = f"{case.label(case.known_queue)} can get no more elements"
    return _starvation(unknown, [case.known_queue], failure.feeder_error)


def no_room(failure: Failure) -> errors.StarvationError:
    """The `StarvationError` for a full queue, `failure`'s, from which nobody can take any more."""
    case = Case(failure)
    return _starvation(stories.stalls.no_room(case), [case.known_queue])


def _starvation(
    text: str, queues: Sequence[Queue], cause: BaseException | None = None
) -> errors.StarvationError:
    error = errors.StarvationError(text)
    error.__cause__ = cause
    error.tfqueue_told = True
    error.tfqueue_queues = tuple(queue.name for queue in queues)
    return error


def never_started(failure: Failure, queues: Sequence[Queue]) -> errors.StarvationError:
    """The `StarvationError` for queues whose registered runners were never started."""
    error = _starvation(stories.stalls.never_started(Case(failure), queues), queues)
    error.runner_missing = True
    error.tfqueue_told = False  # where the step stands is still to be told
    return error


def warn_waiting(failure: Failure, acting: Sequence[str]) -> None:
    """Warns once that a step waits for elements, where it is not known who may bring them.

    Args:
        failure: The `Failure`, with what the step demands.
        acting: The names of the threads that may bring it.
    """
    warn(stories.stalls.waiting(Case(failure), acting), errors.WaitingWarning)


def warn_full(failure: Failure, acting: Sequence[str]) -> None:
    """Says once that a step waits for room in a queue, `failure`'s, from which nothing ever took.

    Args:
        acting: The names of the threads that may take from it.
    """
    warn(stories.stalls.waiting_for_room(Case(failure), acting), errors.WaitingWarning)


def warn_left_to_chief(failure: Failure) -> None:
    """Says once that a step waits for a shared queue which another process is to fill."""
    warn(stories.cluster.left_to_chief(Case(failure)), errors.WaitingWarning)


def names_per_epoch(failure: Failure) -> int | None:
    """How many names a producer's queue gets in one epoch, or None if it is no such queue."""
    return Case(failure).names_per_epoch()


def is_without_records(failure: Failure) -> bool:
    """Whether, as its files are now, nothing can come of the names that a queue gets.

    Returns:
        True or False; False also where it cannot be told.
    """
    case = Case(failure)
    queue = case.known_queue
    names = case.names_of(queue)
    if failure.remote or queue.shared_name or len(case.pipeline.enqueues_of(queue)) != 1:
        return False  # the files are elsewhere, or others put names of theirs
    if not names or not queue.takes:
        return False
    readers = {case.pipeline.reader_of(take.op) if take.is_read else None for take in queue.takes}
    return all(each is not None and empty_files.hold_none(each, names) for each in readers)


def no_records(failure: Failure, count: int) -> str:
    """What to say of a whole epoch of files without a record."""
    return stories.stalls.no_records(Case(failure), count)


def reopened(queue_name: str, stopped: bool) -> BaseException:
    """The error for a runner that is started on a queue which it has closed before.

    Args:
        queue_name: The queue's name.
        stopped: Whether a stop closed it, and not the end of its input.
    """
    tf = _tensorflow.compat_v1()
    error = tf.errors.CancelledError(
        None, None, stories.starting.reopened_text(queue_name, stopped)
    )
    error.tfqueue_told = True
    return error


def before_start(failure: Failure) -> None:
    """Looks at a pipeline whose runners are about to be started; warns of silent damage."""
    _warn_of(stories.AT_START, Case(failure))
    pipeline = failure.pipeline
    for runner in pipeline.runners:
        for op in dict.fromkeys(runner.queue_runner.enqueue_ops):
            demand = pipeline.demand([getattr(op, "op", op)])
            _warn_of(stories.AT_PLAN, Case(dataclasses.replace(failure, demand=demand)))


def after_reset(names: Sequence[str]) -> None:
    """Warns of runners, by their names, whose graph is no longer the default one."""
    if names:
        warn(stories.silent.left_running(names), errors.OldSessionWarning)


def before_run(failure: Failure) -> silent_damage.Parts | None:
    """Looks at a step that is run for the first time; warns of silent damage.

    Args:
        failure: The `Failure`, with what the step demands and fetches.

    Returns:
        What `SplitWatch.ran` takes: the parts that the step fetches, or None.
    """
    case = Case(failure)
    _warn_of(stories.AT_PLAN, case)
    try:
        return silent_damage.parts(case.demand, failure.fetched, failure.pipeline)
    except Exception as error:  # noqa: BLE001  (kept, as for rows)
        BROKEN.append(error)
        return None


def split_example(failure: Failure, take: Take) -> None:
    """Warns that parts of one example came from two runs, unless there is only one example."""
    row = stories.Row(
        ("split_example",),
        lambda case: not stories.silent.only_one_example(case),
        lambda case: stories.silent.split_example(case, take),
        errors.SplitExampleWarning,
    )
    _warn_of([row], Case(failure))


def note_end(error: BaseException, stopped: bool) -> None:
    """Says on the `OutOfRangeError` of a dequeue what it means and what ends the loop.

    Args:
        error: What TensorFlow ended the step with.
        stopped: Whether a stop closed the queue, and not the end of its input.
    """
    op = getattr(error, "op", None)
    if op is None or not op.type.startswith("QueueDequeue"):
        return
    if stopped:
        text = "the queue was closed by a stop: coord.should_stop() is True before the next step"
    else:
        text = (
            "the data has ended. `except tf.errors.OutOfRangeError` around the loop ends it there; "
            "sess.batches() of a tfqueue.managed_session() ends by itself"
        )
    _tensorflow.add_note(error, f"tfqueue: {text}")


def at_end(failure: Failure) -> None:
    """Looks at a pipeline whose data came to its end; warns of silent damage."""
    _warn_of(stories.AT_END, Case(failure))


def at_close(failure: Failure) -> list[tuple[str, type[Warning]]]:
    """Looks at a pipeline whose session is about to be closed.

    Returns:
        A list of `(text, category)` to warn of once it is closed.
    """
    rows = [row for row in stories.AT_CLOSE if row.failures not in failure.said]
    return [(text, row.warning_class) for row, text in _told(rows, Case(failure))]


def _warn_of(rows: Iterable[Row], case: Case) -> None:
    said = case.failure.said
    for row, text in _told([row for row in rows if row.failures not in said], case):
        if row.failures not in said:
            said.add(row.failures)
            warn(text, row.warning_class)
