"""Sessions over random pipelines, each with a random fault, each accounted for to the element."""

import collections
import contextlib
import faulthandler
import os
import signal
import sys
import tempfile
import threading
import time
from unittest import mock

import tfqueue
import tfqueue.v1 as tf
from tests.stress import pipelines

FAULTS = (
    *("none", "none", "missing file", "truncated file", "corrupt byte", "bad record"),
    *("exception in the body", "stop", "interrupt", "closed session", "dead feeder"),
)
STOPS = ("exception in the body", "stop", "interrupt")
"""Faults after which the session is still open, and what is in its queues can be counted."""
CHUNKS = ("auto", "auto", "0", "2", "5")
"""Settings of the accelerator: small pipelines end before it would set in by itself."""
HANG_SECONDS = 60


class Wrong(AssertionError):
    """A session did not end as it should have."""


class Stop(Exception):
    """The exception that the body of a session raises."""


def run(seed, report):
    """Runs one session; raises `Wrong` where it did not end as it must.

    Args:
      seed: int, which one.
      report: A `collections.Counter` for the table.
    """
    rng = pipelines.rng_of(seed)
    faulthandler.dump_traceback_later(HANG_SECONDS, exit=True, file=sys.__stderr__)
    try:
        with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
            _session(seed, rng, folder, report)
    finally:
        faulthandler.cancel_dump_traceback_later()


def _session(seed, rng, folder, report):
    fault = rng.choice(FAULTS)
    if fault == "dead feeder":
        report[fault] += 1
        _dead_feeder(rng)
        return
    plan = pipelines.make(rng, folder)
    expected, in_front = _break(rng, plan, fault)
    if fault in ("exception in the body", "stop", "interrupt", "closed session"):
        steps = rng.randint(0, 6)
    else:
        steps = None if plan.epochs is not None or expected else rng.randint(1, 20)
    report[fault] += 1
    style, chunks = rng.choice((_managed, _textbook, _bare)), rng.choice(CHUNKS)
    before = threading.active_count()
    seen, error, account = [], None, Account()
    try:
        with mock.patch.dict(os.environ, TFQUEUE_CHUNKS=chunks):
            style(plan, seen, steps, fault, account)
    except (tf.errors.OpError, tfqueue.errors.TFQueueError, Stop, KeyboardInterrupt) as caught:
        error = caught
    _wait_for_threads(before)
    what = f"seed {seed}: {plan}, {fault}, {style.__name__}, chunks {chunks}"
    left = threading.active_count() - before
    if left:
        raise Wrong(f"{what}: {left} threads left: {threading.enumerate()}")
    _check_error(what, fault, expected, error, plan, steps, seen)
    _check_elements(what, plan, seen, expected, error, in_front, steps)
    if account.settled:
        _check_account(what, plan, seen, account)
        report["(of these, counted after the stop)"] += 1


def _wait_for_threads(before):
    # A session made in a `try` is gone now; its threads are ending or have ended.
    for thread in threading.enumerate():
        if threading.active_count() > before and thread is not threading.current_thread():
            thread.join(5)


# -- the faults ---------------------------------------------------------------------------------


def _break(rng, plan, fault):
    """Damages the plan's files.

    Returns:
      `(expected, in_front)`: the class of the error, or None; how many elements of the
      first epoch stand in front of the damage.
    """
    kinds = ("tfrecord", "text", "fixed", "whole")
    if plan.reader not in kinds:
        return None, None
    index = rng.randrange(len(plan.files))
    path = plan.files[index]
    in_front = sum(plan.of_file[:index])
    if fault == "missing file":
        os.remove(path)
        return tf.errors.NotFoundError, in_front
    if fault == "bad record":
        record = rng.randrange(plan.of_file[index])
        payloads = [b"%06d" % n for n in plan.numbers[in_front : in_front + plan.of_file[index]]]
        payloads[record] = b"no num"
        pipelines.write(plan.reader, path, payloads)
        plan.bad = path
        return tf.errors.InvalidArgumentError, in_front + record
    if plan.reader != "tfrecord" or fault not in ("truncated file", "corrupt byte"):
        return None, None
    with open(path, "rb") as file:
        data = bytearray(file.read())
    framed = len(data) // plan.of_file[index]
    record = rng.randrange(plan.of_file[index])
    if fault == "truncated file":
        # Inside the payload or its checksum: TensorFlow takes a cut in a header for the end.
        cut = record * framed + rng.randrange(12, framed)
        del data[cut:]
    else:
        data[record * framed + rng.randrange(framed)] ^= 1 << rng.randrange(8)
    with open(path, "wb") as file:
        file.write(data)
    plan.bad = path
    return tf.errors.DataLossError, in_front + record


def _check_error(what, fault, expected, error, plan, steps, seen):
    if fault == "exception in the body":
        wanted = Stop if steps is not None else None
    elif fault == "interrupt":
        wanted = KeyboardInterrupt
    else:
        wanted = expected
    early = steps is not None and wanted in (Stop, KeyboardInterrupt)
    if wanted is None:
        if error is not None:
            raise Wrong(f"{what}: ended with {error!r}") from error
    elif error is None:
        if not early or len(seen) < _whole(plan):
            raise Wrong(f"{what}: should have ended with {wanted.__name__}")
    elif not isinstance(error, wanted):
        raise Wrong(f"{what}: ended with {error!r}, not {wanted.__name__}") from error
    if plan.bad and expected and isinstance(error, expected):
        told = str(error) + "\n".join(getattr(error, "__notes__", []))
        if plan.bad not in told:
            raise Wrong(f"{what}: the error does not name {plan.bad}: {told}")


def _whole(plan):
    return len(plan.numbers) * (plan.epochs or 0)


def _check_elements(what, plan, seen, expected, error, in_front, steps):
    counts = collections.Counter(seen)
    if plan.epochs is not None and any(n > plan.epochs for n in counts.values()):
        raise Wrong(f"{what}: doubled elements {counts.most_common(3)}")
    if not set(counts) <= set(plan.numbers):
        raise Wrong(f"{what}: elements that were never there: {set(counts) - set(plan.numbers)}")
    if plan.ordered:
        stream = plan.numbers * (plan.epochs or 1 + len(seen) // len(plan.numbers))
        if seen != stream[: len(seen)]:
            raise Wrong(f"{what}: not in order: {seen}")
    ended = error is None and steps is None
    if ended and counts != collections.Counter(plan.numbers * plan.epochs):
        raise Wrong(f"{what}: {len(seen)} elements of {_whole(plan)}: lost or doubled")
    failed = expected is not None and isinstance(error, expected)
    if failed and plan.threads == 1:
        # What stands in front of the failure is delivered, all of it: smaller last batches are
        # allowed in these pipelines.
        if sorted(seen) != sorted(plan.numbers[:in_front]):
            raise Wrong(f"{what}: {sorted(seen)} delivered, {in_front} stood in front of it")


class Account:
    """What a stopped session still held, and how much had been read."""

    def __init__(self):
        self.settled, self.rest, self.read = False, [], None

    def settle(self, sess, batch, reader):
        """Takes what is in the queues of a session whose runners have been stopped."""
        produced = None if reader is None else reader.num_records_produced()
        with contextlib.suppress(tf.errors.OutOfRangeError):
            while True:
                self.rest += sess.run(batch).tolist()
        self.read = None if produced is None else int(sess.run(produced))
        self.settled = True


def _check_account(what, plan, seen, account):
    """Delivered, and still in the queue: what one thread has read, without a hole.

    What was read and is in no queue when the session stops is dropped.
    """
    found = seen + account.rest
    read = len(found) if account.read is None else account.read
    stream = plan.numbers * (1 + max(read, len(found)) // len(plan.numbers))
    if account.read is not None and collections.Counter(found) - collections.Counter(stream[:read]):
        raise Wrong(f"{what}: {read} read, and doubled among {sorted(found)}")
    front = collections.Counter(stream[: len(found)])
    if plan.threads == 1 and collections.Counter(found) != front:
        raise Wrong(f"{what}: lost or doubled, there is a hole in {sorted(found)}")
    if plan.ordered and found != stream[: len(found)]:
        raise Wrong(f"{what}: not in order: {found}")


# -- three ways to write the same program -------------------------------------------------------


def _body(sess, batch, seen, step, steps, fault):
    """One step of the loop; whether to go on."""
    if step == steps:
        if fault == "exception in the body":
            raise Stop
        if fault == "interrupt":
            signal.raise_signal(signal.SIGINT)
        if fault == "closed session":
            sess.close()
        return False
    seen += sess.run(batch).tolist()
    return True


def _managed(plan, seen, steps, fault, account):
    batch, reader, _ = pipelines.build(plan)
    with tfqueue.managed_session() as sess:
        step = 0
        try:
            while not sess.should_stop() and _body(sess, batch, seen, step, steps, fault):
                step += 1
        finally:
            if fault in STOPS:
                sess.coord.request_stop()
                sess.coord.join()
                account.settle(sess, batch, reader)


def _textbook(plan, seen, steps, fault, account):
    batch, reader, _ = pipelines.build(plan)
    with tf.Session() as sess:
        sess.run(tf.group(tf.global_variables_initializer(), tf.local_variables_initializer()))
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        step = 0
        try:
            while not coord.should_stop() and _body(sess, batch, seen, step, steps, fault):
                step += 1
        except tf.errors.OutOfRangeError:
            pass
        finally:
            coord.request_stop()
            if fault in STOPS:
                coord.join(threads)
                account.settle(sess, batch, reader)
        coord.join(threads)


def _bare(plan, seen, steps, fault, account):
    """No coordinator at all: nothing but the session's end stops its runners."""
    batch, _, _ = pipelines.build(plan)
    with tf.Session() as sess:
        sess.run(tf.group(tf.global_variables_initializer(), tf.local_variables_initializer()))
        tf.train.start_queue_runners(sess)
        step = 0
        with contextlib.suppress(tf.errors.OutOfRangeError):
            while _body(sess, batch, seen, step, steps, fault):
                step += 1


def _dead_feeder(rng):
    """A thread that feeds by hand and dies: what it put is delivered, then the wait ends."""
    queue = tf.FIFOQueue(100, tf.int32, shapes=[[]])
    value = tf.placeholder(tf.int32, [])
    put, take = queue.enqueue(value), queue.dequeue()
    count = rng.randint(0, 8)
    managed = rng.random() < 0.5
    session = tfqueue.managed_session if managed else tf.Session
    seen = []

    def feed(sess):
        for number in range(count):
            sess.run(put, {value: number})

    before = threading.active_count()
    try:
        with session() as sess:
            thread = threading.Thread(target=feed, args=(sess,))
            if not count:
                sess.run(put, {value: 0})
            thread.start()
            while True:
                seen.append(int(sess.run(take)))
    except tfqueue.errors.StarvationError:
        pass
    thread.join()
    if seen != list(range(count or 1)):
        raise Wrong(f"dead feeder: {count} put, {seen} delivered")
    if threading.active_count() != before:
        raise Wrong(f"dead feeder: threads left: {threading.enumerate()}")


def run_all(seeds, progress=None):
    """Runs a session for each seed.

    Args:
      seeds: Iterable of int.
      progress: Called with the number done so far.

    Returns:
      `(report, wrong)`: a Counter of faults, a list of `Wrong`.
    """
    report, wrong = collections.Counter(), []
    started = time.monotonic()
    for done, seed in enumerate(seeds, 1):
        try:
            run(seed, report)
        except Wrong as error:
            wrong.append(error)
        if progress is not None:
            progress(done, time.monotonic() - started)
    return report, wrong
