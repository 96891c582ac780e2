# ruff: noqa: BLE001, UP031
"""QueueRunner and Coordinator: threads, how they end, and which error comes out where."""

import sys
import threading


def _counter(tf, capacity=4, last=9, **how):
    """A queue fed 1, 2, ... by one runner until the variable reaches `last`."""
    queue = tf.FIFOQueue(capacity, [tf.int32], [[]], name="numbers")
    variable = tf.Variable(0, trainable=False, name="count", use_resource=False)
    enqueue = queue.enqueue([variable.count_up_to(last)], name="put")
    return queue, tf.train.QueueRunner(queue, [enqueue], **how)


def _ran(tf, kit, queue, runner, coord=None, **how):
    take = queue.dequeue()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        threads = runner.create_threads(sess, coord, start=True, **how)
        facts = {
            "threads": [thread.name for thread in threads],
            "daemons": [thread.daemon for thread in threads],
        }
        values = []

        def drain():
            while True:
                values.append(int(sess.run(take)))

        facts["end"] = kit.error(drain)
        facts["values"] = values
        if coord:
            facts["has a cause"] = kit.error(coord.raise_requested_exception)
            coord.request_stop()
            facts["joined"] = kit.error(coord.join, threads, stop_grace_period_secs=30)
        for thread in threads:
            thread.join(30)
        facts["alive"] = [thread.is_alive() for thread in threads]
        facts["exceptions raised"] = [kit.name(each) for each in runner.exceptions_raised]
    return facts


def runner_without_a_coordinator(tf, kit):
    return _ran(tf, kit, *_counter(tf))


def runner_with_a_coordinator(tf, kit):
    queue, runner = _counter(tf)
    return _ran(tf, kit, queue, runner, tf.train.Coordinator(), daemon=True)


def runner_that_takes_another_error_for_the_end(tf, kit):
    queue = tf.FIFOQueue(4, [tf.int32], [[]])
    put = queue.enqueue([tf.cast(tf.decode_csv("x", [[0]])[0], tf.int32)])
    runner = tf.train.QueueRunner(
        queue,
        [put],
        queue_closed_exception_types=(tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError),
    )
    return _ran(tf, kit, queue, runner, tf.train.Coordinator())


def runner_whose_enqueue_fails(tf, kit):
    queue = tf.FIFOQueue(4, [tf.int32], [[]])
    runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.decode_csv("x", [[0]]))])
    return _ran(tf, kit, queue, runner, tf.train.Coordinator())


def runner_of_four_threads(tf, kit):
    queue = tf.FIFOQueue(20, [tf.int32], [[]])
    variable = tf.Variable(0, trainable=False, use_resource=False)
    put = queue.enqueue([variable.count_up_to(10)])
    runner = tf.train.QueueRunner(queue, [put] * 4)
    facts = _ran(tf, kit, queue, runner, tf.train.Coordinator())
    facts["values"].sort()
    return facts


def what_a_runner_says_of_itself(tf, kit):
    queue, runner = _counter(tf)
    return {
        "name": runner.name,
        "queue": runner.queue is queue,
        "enqueue_ops": [op.name for op in runner.enqueue_ops],
        "close_op": runner.close_op.name,
        "cancel_op": runner.cancel_op.name,
        "types": [each.__name__ for each in runner.queue_closed_exception_types],
        "exceptions_raised": runner.exceptions_raised,
    }


def runner_to_proto_and_back(tf, kit):
    queue, runner = _counter(
        tf, queue_closed_exception_types=(tf.errors.OutOfRangeError, tf.errors.CancelledError)
    )
    proto = runner.to_proto()
    again = tf.train.QueueRunner.from_proto(proto)
    with tf.name_scope("other"):
        scoped = runner.to_proto(export_scope="numbers")
    facts = _ran(tf, kit, queue, again, tf.train.Coordinator())
    facts["proto"] = str(proto)
    facts["by keyword"] = tf.train.QueueRunner(queue_runner_def=proto).name
    facts["of another scope"] = scoped is None
    return facts


def runner_by_import_of_a_meta_graph(tf, kit):
    with tf.Graph().as_default():
        tf.train.batch([tf.train.range_input_producer(4, 1, shuffle=False).dequeue()], 2)
        exported = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(exported)
        values, facts = kit.steps("batch:0")
        facts.update(values=kit.value(values), graph=kit.graph())
    return facts


def runner_building_errors(tf, kit):
    queue, runner = _counter(tf)
    put = runner.enqueue_ops
    make = tf.train.QueueRunner
    return {
        "no enqueue_ops": kit.error(make, queue),
        "empty enqueue_ops": kit.error(make, queue, []),
        "no queue": kit.error(make, None, put),
        "types not a tuple": kit.error(
            make, queue, put, queue_closed_exception_types=tf.errors.OutOfRangeError
        ),
        "empty types": kit.error(make, queue, put, queue_closed_exception_types=()),
        "proto and queue": kit.error(make, queue, put, queue_runner_def=runner.to_proto()),
        "session None and none by default": kit.error(tf.train.start_queue_runners),
        "session of another kind": kit.error(tf.train.start_queue_runners, "session"),
    }


def runner_started_twice(tf, kit):
    _, runner = _counter(tf, capacity=2, last=1000)
    coord = tf.train.Coordinator()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        first = runner.create_threads(sess, coord, start=True)
        second = runner.create_threads(sess, coord, start=True)
        coord.request_stop()
        coord.join(first, stop_grace_period_secs=30)
    return {"first": len(first), "second": len(second)}


def runners_started_by_collection(tf, kit):
    _, runner = _counter(tf)
    _, more = _counter(tf)
    tf.train.add_queue_runner(runner)
    tf.train.add_queue_runner(more, collection="others")
    coord = tf.train.Coordinator()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        started = tf.train.start_queue_runners(coord=coord, collection="others", start=False)
        facts = {"not started": [thread.is_alive() for thread in started]}
        facts["names"] = sorted(thread.name for thread in started)
        threads = tf.train.start_queue_runners(coord=coord)
        facts["default collection"] = sorted(thread.name for thread in threads)
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=30)
    facts["of nothing"] = tf.train.start_queue_runners(tf.Session(), collection="none")
    return facts


def stop_while_the_queue_is_full(tf, kit):
    queue, runner = _counter(tf, capacity=1, last=100000)
    coord = tf.train.Coordinator()
    size = queue.size()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        threads = runner.create_threads(sess, coord, start=True)
        while int(sess.run(size)) < 1:
            pass
        coord.request_stop()
        joined = kit.error(coord.join, threads, stop_grace_period_secs=30)
        return {"joined": joined, "then": kit.error(sess.run, queue.enqueue([1]))}


def _thread(call):
    thread = threading.Thread(target=call)
    thread.daemon = True
    thread.start()
    return thread


def coordinator_states(tf, kit):
    coord = tf.train.Coordinator()
    facts = {"before": coord.should_stop(), "wait": coord.wait_for_stop(0.0)}
    coord.request_stop()
    facts.update(after=coord.should_stop(), joined=coord.joined, waited=coord.wait_for_stop())
    coord.join([])
    facts["joined after"] = coord.joined
    coord.clear_stop()
    facts["cleared"] = [coord.should_stop(), coord.joined]
    return facts


def _stopped_by(tf, kit, *reasons, **how):
    """The class join raises after request_stop with each of the reasons."""
    coord = tf.train.Coordinator(**how)
    requested = [kit.error(coord.request_stop, reason) for reason in reasons]
    return {
        "requested": requested,
        "joined": kit.error(coord.join, []),
        "stop": coord.should_stop(),
    }


def _exc_info(error):
    try:
        raise error
    except Exception:
        return sys.exc_info()


def coordinator_reasons(tf, kit):
    end = tf.errors.OutOfRangeError(None, None, "end")
    bad = tf.errors.InvalidArgumentError(None, None, "bad")
    return {
        "none": _stopped_by(tf, kit, None),
        "end": _stopped_by(tf, kit, end),
        "end as exc_info": _stopped_by(tf, kit, _exc_info(end)),
        "bad": _stopped_by(tf, kit, bad),
        "bad as exc_info": _stopped_by(tf, kit, _exc_info(bad)),
        "of Python": _stopped_by(tf, kit, KeyError("x")),
        "StopIteration": _stopped_by(tf, kit, StopIteration()),
        "the first counts": _stopped_by(tf, kit, ValueError(), bad),
        "end, then bad": _stopped_by(tf, kit, end, bad),
        "none, then bad": _stopped_by(tf, kit, None, bad),
        "cancelled": _stopped_by(tf, kit, tf.errors.CancelledError(None, None, "")),
        "a word": _stopped_by(tf, kit, "stop"),
        "tuple of two": _stopped_by(tf, kit, (ValueError, ValueError())),
        "clean by type": _stopped_by(
            tf, kit, KeyError("x"), clean_stop_exception_types=(KeyError,)
        ),
        "end is not clean by type": _stopped_by(
            tf, kit, end, clean_stop_exception_types=(KeyError,)
        ),
        "no clean types": _stopped_by(tf, kit, end, clean_stop_exception_types=()),
    }


def coordinator_reasons_from_inside_a_handler(tf, kit):
    """What an `except Exception as error: coord.request_stop(error)` in a thread does."""
    facts = {}
    for name, error, how in (
        ("end", tf.errors.OutOfRangeError(None, None, "end"), {}),
        ("bad", tf.errors.InvalidArgumentError(None, None, "bad"), {}),
        ("cancelled", tf.errors.CancelledError(None, None, ""), {}),
        ("of Python", KeyError("x"), {}),
        ("clean by type", KeyError("x"), {"clean_stop_exception_types": (KeyError,)}),
        (
            "end is not clean by type",
            tf.errors.OutOfRangeError(None, None, "end"),
            {"clean_stop_exception_types": (KeyError,)},
        ),
    ):
        coord = tf.train.Coordinator(**how)
        try:
            raise error
        except Exception as raised:
            requested = kit.error(coord.request_stop, raised)
        facts[name] = {"requested": requested, "joined": kit.error(coord.join, [])}
    return facts


def coordinator_raise_requested_exception(tf, kit):
    coord = tf.train.Coordinator()
    requested = kit.error(coord.request_stop, KeyError("x"))
    facts = {"requested": requested, "raised": kit.error(coord.raise_requested_exception)}
    facts["of none"] = kit.error(tf.train.Coordinator().raise_requested_exception)
    return facts


def coordinator_joined_then_asked(tf, kit):
    coord = tf.train.Coordinator()
    coord.request_stop()
    coord.join([])
    return {"after joining": kit.error(coord.request_stop, ValueError("late"))}


def coordinator_stop_on_exception(tf, kit):
    facts = {}
    for name, error in (
        ("nothing", None),
        ("of Python", ValueError("x")),
        ("end", tf.errors.OutOfRangeError(None, None, "end")),
    ):
        coord = tf.train.Coordinator()

        def body(coord=coord, error=error):
            with coord.stop_on_exception():
                if error is not None:
                    raise error

        inside = kit.error(body)
        stop = coord.should_stop()
        coord.request_stop()
        facts[name] = {"inside": inside, "stop": stop, "joined": kit.error(coord.join, [])}
    return facts


def coordinator_waits_for_ten_threads(tf, kit):
    coord = tf.train.Coordinator()
    seen = []

    def loop(number):
        while not coord.should_stop():
            if number == 7:
                coord.request_stop()
        seen.append(number)

    threads = [_thread(lambda number=number: loop(number)) for number in range(10)]
    coord.join(threads)
    return {"seen": sorted(seen), "alive": any(thread.is_alive() for thread in threads)}


def coordinator_joins_what_was_registered(tf, kit):
    coord = tf.train.Coordinator()
    thread = _thread(lambda: coord.wait_for_stop())
    coord.register_thread(thread)
    coord.request_stop()
    coord.join()
    return {"alive": thread.is_alive()}


def coordinator_grace_period(tf, kit):
    facts = {}
    for ignore in (False, True):
        coord = tf.train.Coordinator()
        release = threading.Event()
        thread = _thread(release.wait)
        coord.request_stop()
        facts["ignore_live_threads=%s" % ignore] = kit.error(
            coord.join, [thread], stop_grace_period_secs=0.02, ignore_live_threads=ignore
        )
        release.set()
        thread.join(30)
    return facts


def looper_thread(tf, kit):
    coord = tf.train.Coordinator()
    ticks = []

    def tick(word):
        ticks.append(word)
        if len(ticks) == 3:
            coord.request_stop()

    thread = tf.train.LooperThread.loop(coord, None, tick, args=("x",))
    coord.join([thread])
    return {"ticks": ticks, "daemon": thread.daemon}


def textbook_loop(tf, kit):
    number = tf.train.range_input_producer(7, 1, shuffle=False).dequeue()
    batch = tf.train.batch([number], 2)
    said, values = [], []
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        try:
            while not coord.should_stop():
                values.append(sess.run(batch).tolist())
        except tf.errors.OutOfRangeError:
            said.append("done")
        finally:
            coord.request_stop()
        coord.join(threads)
    return {"said": said, "values": values, "alive": any(t.is_alive() for t in threads)}


def textbook_loop_left_early(tf, kit):
    number = tf.train.range_input_producer(7, shuffle=False).dequeue()
    batch = tf.train.shuffle_batch([number], 2, 20, 5, num_threads=4)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        size = sess.run(batch).shape
        coord.request_stop()
        joined = kit.error(coord.join, threads)
    return {
        "size": list(size),
        "threads": sorted(thread.name for thread in threads),
        "joined": joined,
        "alive": any(t.is_alive() for t in threads),
    }


def monitored_session_ends_by_itself(tf, kit):
    number = tf.train.range_input_producer(5, 1, shuffle=False).dequeue()
    batch = tf.train.batch([number], 2)
    tf.train.get_or_create_global_step()
    values = []
    with tf.train.MonitoredTrainingSession() as sess:
        while not sess.should_stop():
            values.append(sess.run(batch).tolist())
    return {"values": values}


def supervisor_ends_by_itself(tf, kit):
    number = tf.train.range_input_producer(5, 1, shuffle=False).dequeue()
    batch = tf.train.batch([number], 2)
    values = []
    supervisor = tf.train.Supervisor(logdir=None, summary_op=None)
    with supervisor.managed_session() as sess:
        while not supervisor.should_stop():
            values.append(sess.run(batch).tolist())
    return {"values": values}
