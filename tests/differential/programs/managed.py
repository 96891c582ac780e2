"""Coordinators, hooks, monitored sessions and supervisors."""

import threading

from ..kit import program


@program
def monitored(tf, s):
    batch = tf.train.batch([s.number(150)], 8)
    tf.train.get_or_create_global_step()
    with tf.train.MonitoredTrainingSession() as sess:
        while not sess.should_stop():
            s.see(sess.run(batch))
    s.see("after")


@program
def monitored_until_a_step(tf, s):
    batch = tf.train.batch([s.number(150, None)], 8)
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    hooks = [tf.train.StopAtStepHook(last_step=13)]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
        while not sess.should_stop():
            s.see(sess.run([batch, step]))


@program
def monitored_for_some_steps(tf, s):
    batch = tf.train.batch([s.number(150, None)], 8)
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    hooks = [tf.train.StopAtStepHook(num_steps=5)]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as sess:
        while not sess.should_stop():
            s.see(sess.run([batch, step]))


def _hook(tf, s, fetches):
    class Hook(tf.train.SessionRunHook):
        def begin(self):
            s.see("begin")

        def after_create_session(self, session, coord):
            s.see("created", coord.should_stop())

        def before_run(self, context):
            return tf.train.SessionRunArgs(fetches)

        def after_run(self, context, values):
            s.see(values.results)

        def end(self, session):
            s.see("end")

    return Hook()


@program
def a_hook_that_fetches_the_batch_too(tf, s):
    batch = tf.train.batch([s.number(100)], 8)
    tf.train.get_or_create_global_step()
    with tf.train.MonitoredTrainingSession(
        hooks=[_hook(tf, s, {"sum": tf.reduce_sum(batch)})]
    ) as sess:
        while not sess.should_stop():
            s.see(sess.run(batch))


@program
def two_hooks(tf, s):
    batch = tf.train.batch([s.number(100)], 8)
    other = tf.train.batch([s.number(100) * 2], 3)
    hooks = [_hook(tf, s, [batch[0]]), _hook(tf, s, other)]
    with tf.train.SingularMonitoredSession(hooks=hooks) as sess:
        while not sess.should_stop():
            s.see(sess.run(batch))


@program
def a_hook_that_feeds(tf, s):
    given = tf.placeholder_with_default(0, [])
    batch = tf.train.batch([s.number(100)], 8) * given
    numbers = iter(range(1, 99))
    hook = tf.train.FeedFnHook(lambda: {given: next(numbers)})
    with tf.train.SingularMonitoredSession(hooks=[hook]) as sess:
        while not sess.should_stop():
            s.see(sess.run(batch))


@program
def a_hook_that_stops(tf, s):
    batch = tf.train.batch([s.number(100, None)], 8)

    class Stop(tf.train.SessionRunHook):
        done = 0

        def after_run(self, context, values):
            self.done += 1
            if self.done == 7:
                context.request_stop()

    with tf.train.SingularMonitoredSession(hooks=[Stop()]) as sess:
        while not sess.should_stop():
            s.see(sess.run(batch))


@program
def a_loss_that_is_no_number(tf, s):
    batch = tf.cast(tf.train.batch([s.number(100)], 8), tf.float32)
    loss = tf.reduce_sum(tf.log(50 - batch))
    for fails in (True, False):
        hook = tf.train.NanTensorHook(loss, fail_on_nan_loss=fails)
        try:
            with tf.train.SingularMonitoredSession(hooks=[hook]) as sess:
                while not sess.should_stop():
                    s.see(sess.run(batch))
        except Exception as error:  # noqa: BLE001
            s.see(type(error).__name__)


@program
def final_ops(tf, s):
    batch = tf.train.batch([s.number(100)], 8)
    total = tf.get_variable("t", initializer=0, trainable=False)
    add = tf.assign_add(total, tf.reduce_sum(batch))
    hook = tf.train.FinalOpsHook(total)
    with tf.train.SingularMonitoredSession(hooks=[hook]) as sess:
        while not sess.should_stop():
            sess.run(add)
    s.see(hook.final_ops_values)


@program
def an_error_of_the_loop(tf, s):
    batch = tf.train.batch([s.number(100, None)], 8)
    try:
        with tf.train.SingularMonitoredSession() as sess:
            s.see(sess.run(batch))
            raise LookupError
    except LookupError:
        s.see("raised")
    s.see(sess.should_stop())


@program
def an_error_of_the_step(tf, s):
    batch = tf.train.batch([s.number(100)], 8)
    with tf.control_dependencies([tf.assert_less(batch, 30)]):
        checked = tf.identity(batch)
    with tf.train.SingularMonitoredSession() as sess:
        while not sess.should_stop():
            s.see(sess.run(checked))


@program
def a_scaffold(tf, s):
    batch = tf.train.batch([s.number(100)], 8)
    value = tf.get_variable("v", initializer=1)
    given = tf.placeholder(tf.int32, [])
    scaffold = tf.train.Scaffold(
        init_op=tf.group(tf.global_variables_initializer(), tf.assign(value, given)),
        init_feed_dict={given: 4},
        local_init_op=tf.local_variables_initializer(),
        init_fn=lambda scaffold, sess: s.see("init"),
    )
    with tf.train.MonitoredTrainingSession(scaffold=scaffold) as sess:
        while not sess.should_stop():
            s.see(sess.run(batch * value))


@program
def a_checkpoint_that_is_resumed(tf, s):
    batch = tf.train.batch([s.number(400)], 8)
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    for last in (4, 9):
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=str(s.folder / "saved"),
            hooks=[tf.train.StopAtStepHook(last_step=last)],
            save_summaries_steps=None,
            save_summaries_secs=None,
            log_step_count_steps=None,
        ) as sess:
            while not sess.should_stop():
                s.see(sess.run([batch, step]))
    tf.summary.FileWriterCache.clear()  # it has a thread


@program
def supervised(tf, s):
    batch = tf.train.batch([s.number(100)], 8)
    supervisor = tf.train.Supervisor(logdir=None, summary_op=None, global_step=None)
    with supervisor.managed_session() as sess:
        while not supervisor.should_stop():
            s.see(sess.run(batch))
    s.see("after", supervisor.should_stop())


@program
def supervised_for_some_steps(tf, s):
    batch = tf.train.batch([s.number(100, None)], 8)
    supervisor = tf.train.Supervisor(logdir=None, summary_op=None, global_step=None)
    with supervisor.managed_session() as sess:
        for _ in range(20):
            s.see(sess.run(batch))
        supervisor.request_stop()
        s.see(supervisor.should_stop())


@program
def supervised_by_hand(tf, s):
    batch = tf.train.batch([s.number(100, None)], 8)
    supervisor = tf.train.Supervisor(logdir=None, summary_op=None, global_step=None)
    sess = supervisor.prepare_or_wait_for_session()
    threads = supervisor.start_queue_runners(sess)
    for _ in range(20):
        s.see(sess.run(batch))
    supervisor.stop(threads)
    sess.close()


@program
def supervised_and_resumed(tf, s):
    batch = tf.train.batch([s.number(400)], 8)
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    for last in (3, 6):
        supervisor = tf.train.Supervisor(
            logdir=str(s.folder / "log"), summary_op=None, save_model_secs=0
        )
        with supervisor.managed_session() as sess:
            while True:
                found = sess.run([batch, step])
                s.see(found)
                if found[1] == last:
                    supervisor.saver.save(sess, supervisor.save_path, global_step=last)
                    break
            supervisor.request_stop()


@program
def supervised_with_an_error(tf, s):
    batch = tf.train.batch([s.number(100, None)], 8)
    supervisor = tf.train.Supervisor(logdir=None, summary_op=None, global_step=None)
    with supervisor.managed_session() as sess:
        s.see(sess.run(batch))
        raise LookupError


# -- coordinators ---------------------------------------------------------------------------------


@program
def a_coordinator_alone(tf, s):
    coord = tf.train.Coordinator()
    s.see(coord.should_stop(), coord.joined)
    coord.request_stop()
    s.see(coord.should_stop(), coord.wait_for_stop(0))
    coord.join([])
    s.see(coord.joined)
    coord.clear_stop()
    s.see(coord.should_stop(), coord.joined)


@program
def errors_that_are_a_clean_stop(tf, s):
    for error in (
        tf.errors.OutOfRangeError(None, None, "end"),
        LookupError("mine"),
        ValueError("not mine"),
    ):
        coord = tf.train.Coordinator(
            clean_stop_exception_types=(tf.errors.OutOfRangeError, LookupError)
        )
        with coord.stop_on_exception():
            raise error
        s.see(coord.should_stop())
        s.attempt(coord.join, [])


@program
def threads_of_a_coordinator(tf, s):
    coord = tf.train.Coordinator()
    started = threading.Barrier(3)

    def work():
        started.wait()
        with coord.stop_on_exception():
            coord.wait_for_stop()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        coord.register_thread(thread)
        thread.start()
    started.wait()
    coord.request_stop()
    s.attempt(coord.join)
    s.see([thread.is_alive() for thread in threads])


@program
def a_looper_thread(tf, s):
    coord = tf.train.Coordinator()
    rounds = []

    def work():
        rounds.append(len(rounds))
        if len(rounds) == 5:
            coord.request_stop()

    looper = tf.train.LooperThread(coord, None, work)
    looper.start()
    s.attempt(coord.join, [looper])
    s.see(rounds)


@program
def a_feeding_thread_that_fails(tf, s):
    queue = tf.FIFOQueue(20, tf.int32, [[]])
    put, take = queue.enqueue(1), queue.dequeue_many(3)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()

        def feed():
            with coord.stop_on_exception():
                for _ in range(3):
                    sess.run(put)
                raise LookupError("mine")

        thread = threading.Thread(target=feed)
        thread.start()
        s.see(sess.run(take))
        coord.wait_for_stop()
        s.attempt(coord.join, [thread])


@program
def asked_before_each_step(tf, s):
    batch = tf.train.batch([s.number(100)], 8)
    with tf.Session() as sess:
        s.initialise(sess)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        done = 0
        try:
            while True:
                s.see(sess.run(batch))
                done += 1
        except tf.errors.OutOfRangeError as error:
            coord.request_stop(error)
        s.see(done, coord.should_stop())
        s.attempt(coord.join, threads)


@program
def joined_twice(tf, s):
    batch = tf.train.batch([s.number(100, None)], 8)
    with s.started() as sess:
        s.see(sess.run(batch))
    coord = tf.train.Coordinator()
    coord.request_stop()
    s.attempt(coord.join, [])
    s.attempt(coord.join, [])


@program
def runners_that_are_not_started_yet(tf, s):
    batch = tf.train.batch([s.number(100)], 8)
    with tf.Session() as sess:
        s.initialise(sess)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord, start=False)
        s.see([thread.is_alive() for thread in threads], {t.daemon for t in threads})
        for thread in threads:
            thread.start()
        s.see(sess.run(batch))
        coord.request_stop()
        coord.join(threads)


@program
def runners_of_a_collection(tf, s):
    first = tf.train.batch([s.number(100)], 8)
    queue = tf.FIFOQueue(200, tf.int32, [[]])
    tf.train.add_queue_runner(
        tf.train.QueueRunner(queue, [queue.enqueue(tf.reduce_sum(first))]), "mine"
    )
    with tf.Session() as sess:
        s.initialise(sess)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        threads += tf.train.start_queue_runners(sess, coord, collection="mine")
        s.see(sess.run(queue.dequeue_many(12)))
        s.attempt(sess.run, queue.dequeue())
        coord.request_stop()
        coord.join(threads)
