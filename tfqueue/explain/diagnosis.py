"""From a failure or a stall to its cause and its fix, by rows.

`explain` adds the pipeline's story to TensorFlow's own exception, as notes;
`starved` and its like make the errors that TensorFlow has no class for; the
others speak of silent damage. What is said stands in the rows of
`tfqueue.explain.stories`: a condition, and the text.

A story never stands in the way of what it tells of: an error inside a row is
logged (logger `tfqueue`, at DEBUG) and kept in `BROKEN`, and the row is left out.
"""

import collections
import dataclasses
import linecache
import logging
import re
import sys
import warnings

from tfqueue import _tensorflow, errors
from tfqueue.explain import damage, empty_files, stories
from tfqueue.explain.case import Case
from tfqueue.records.printing import printable

_log = logging.getLogger("tfqueue")

BROKEN = collections.deque(maxlen=20)
"""The last errors inside rows, which nobody else sees. The tests want it empty."""


def _told(rows, case):
    """Yields `(row, text)` of the rows that apply to `case` and have something to say."""
    for row in rows:
        try:
            text = row.say(case) if row.when(case) else ""
        except Exception as error:  # noqa: BLE001  (kept: a story must not hide what it tells of)
            BROKEN.append(error)
            _log.debug("the story of row %s failed", row.failures, exc_info=True)
            continue
        if text:
            yield row, printable(text)  # the name of a file or a key may hold anything


def explain(failure):
    """Adds to an error what the pipeline knows of it.

    Args:
      failure: The `Failure`, with its error.

    Returns:
      The error itself, or the same thing under the class that TensorFlow 1 gave it.
    """
    if getattr(failure.error, "tfqueue_told", False):
        return failure.error
    error = _as_in_tf1(failure.error)
    case = Case(dataclasses.replace(failure, error=error))
    for _, text in _told(stories.FAILURES, case):
        _tensorflow.add_note(error, f"tfqueue: {text}")
    error.tfqueue_told = True
    if case.queue is not None:
        error.tfqueue_queues = (case.queue.name,)  # for `tfqueue.draw`
    return error


def _as_in_tf1(error):
    tf = _tensorflow.compat_v1()
    op = getattr(error, "op", None)
    reads = ("ResourceCountUpTo", "ReadVariableOp", "AssignAddVariableOp")
    if isinstance(error, tf.errors.NotFoundError) and op is not None and op.type in reads:
        # An epoch counter that was never initialised. Resource variables, which `tfqueue.v1`
        # has for the sake of `tf.cond`, say NotFound where TF1's said FailedPrecondition.
        made = tf.errors.FailedPreconditionError(error.node_def, op, error.message)
        return made.with_traceback(error.__traceback__)
    return error


def first_line(error):
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


def warn(message, category):
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
    # A notebook's reader knows the cell by its number, and not by the name it was compiled under.
    linecache.cache[cell] = linecache.cache.get(frame.f_code.co_filename, (0, None, [], cell))
    about = frame.f_globals.setdefault("__warningregistry__", {})
    warnings.warn_explicit(
        message, category, cell, frame.f_lineno, frame.f_globals.get("__name__"), about
    )


def starved(failure):
    """The error for a queue that nobody can feed any more.

    Args:
      failure: The `Failure`, with the queue and what the step that waits demands.

    Returns:
      A `StarvationError`, with the dead feeder's own exception as its cause
      where that was seen.
    """
    case = Case(failure)
    unknown = f"{case.label(case.queue)} can get no more elements"
    text = next((text for _, text in _told(stories.STALLS, case)), unknown)
    return _starvation(text, case.queue, failure.feeder_error)


def no_room(failure):
    """The `StarvationError` for a full queue, `failure`'s, from which nobody can take any more."""
    return _starvation(stories.stalls.no_room(Case(failure)), failure.queue)


def _starvation(text, queue, cause=None):
    error = errors.StarvationError(text)
    error.__cause__ = cause
    error.tfqueue_told = True
    error.tfqueue_queues = (queue.name,)
    return error


def never_started(failure, queues):
    """The `StarvationError` for queues whose registered runners were never started."""
    error = errors.StarvationError(stories.stalls.never_started(Case(failure), queues))
    error.tfqueue_queues = tuple(queue.name for queue in queues)
    return error


def warn_waiting(failure, acting):
    """Says once what a step waits for that something unknown may yet bring.

    Args:
      failure: The `Failure`, with what the step demands.
      acting: The names of the threads that may bring it.
    """
    warn(stories.stalls.waiting(Case(failure), acting), errors.WaitingWarning)


def warn_full(failure, acting):
    """Says once that a step waits for room in a queue, `failure`'s, from which nothing ever took.

    Args:
      failure: The `Failure`.
      acting: The names of the threads that may take from it.
    """
    warn(stories.stalls.waiting_for_room(Case(failure), acting), errors.WaitingWarning)


def warn_left_to_chief(failure):
    """Says once that a step waits for a shared queue which another process is to fill."""
    warn(stories.cluster.left_to_chief(Case(failure), failure.queue), errors.WaitingWarning)


def names_per_epoch(failure):
    """How many names a producer's queue gets in one epoch, or None if it is no such queue."""
    return Case(failure).names_per_epoch()


def is_without_records(failure):
    """Whether, as its files are now, nothing can come of the names that a queue gets.

    Returns:
      True or False; False also where it cannot be told.
    """
    case = Case(failure)
    names, takes = case.names_of(case.queue), case.queue.takes
    if failure.remote or case.queue.shared_name or len(case.pipeline.enqueues_of(case.queue)) != 1:
        return False  # the files are elsewhere, or others put names of theirs
    if not names or not takes:
        return False
    readers = {case.pipeline.reader_of(take.op) if take.is_read else None for take in takes}
    return None not in readers and all(empty_files.hold_none(each, names) for each in readers)


def no_records(failure, count):
    """What to say of a whole epoch of files without a record."""
    return stories.stalls.no_records(Case(failure), count)


def reopened(queue_name, stopped):
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


def before_start(failure):
    """Looks at a pipeline whose runners are about to be started; warns of silent damage."""
    _warn_of(stories.AT_START, Case(failure))
    pipeline = failure.pipeline
    for runner in pipeline.runners:
        for op in dict.fromkeys(runner.queue_runner.enqueue_ops):
            demand = pipeline.demand([getattr(op, "op", op)])
            _warn_of(stories.AT_PLAN, Case(dataclasses.replace(failure, demand=demand)))


def after_reset(names):
    """Warns of runners, by their names, whose graph is no longer the default one."""
    if names:
        warn(stories.damage.left_running(names), errors.OldSessionWarning)


def before_run(failure):
    """Looks at a step that is run for the first time; warns of silent damage.

    Args:
      failure: The `Failure`, with what the step demands and fetches.

    Returns:
      What `SplitWatch.ran` wants to know of the step, or None.
    """
    _warn_of(stories.AT_PLAN, Case(failure))
    try:
        return damage.parts(failure.demand, failure.fetched, failure.pipeline)
    except Exception as error:  # noqa: BLE001  (kept, as for rows)
        BROKEN.append(error)
        return None


def split_example(failure, take):
    """Warns that parts of one example came from two runs, unless there is only one example.

    Returns:
      True: there is no more to watch for.
    """
    row = stories.Row(
        ("split_example",),
        lambda case: not stories.damage.only_one_example(case),
        lambda case: stories.damage.split_example(case, take),
        errors.SplitExampleWarning,
    )
    _warn_of([row], Case(failure))
    return True


def note_end(error, stopped):
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


def at_end(failure):
    """Looks at a pipeline whose data came to its end; warns of silent damage."""
    _warn_of(stories.AT_END, Case(failure))


def at_close(failure):
    """Looks at a pipeline whose session is about to be closed.

    Returns:
      A list of `(text, category)` to warn of once it is closed.
    """
    rows = [row for row in stories.AT_CLOSE if row.failures not in failure.said]
    return [(text, row.category) for row, text in _told(rows, Case(failure))]


def _warn_of(rows, case):
    said = case.failure.said
    for row, text in _told([row for row in rows if row.failures not in said], case):
        if row.failures not in said:
            said.add(row.failures)
            warn(text, row.category)
