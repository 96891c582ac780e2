"""The programs that the cluster tests run in processes of their own.

Each is a function of the cluster's addresses and one end of a pipe. A worker
takes orders from the pipe, so that the test decides what happens when: `take`
so many batches, take the `rest`, `leave`. Whatever ends it, it tells.
"""

import threading
import warnings


def parameter_server(spec, pipe):
    """Serves until it is killed; tells that it does, or why it cannot."""
    import tfqueue.v1 as tf

    try:
        server = tf.train.Server(spec, job_name="ps", task_index=0)
    except tf.errors.UnknownError as error:  # what gRPC says of a port that is taken
        pipe.send(error.message)
        return
    pipe.send("up")
    server.join()


def tell_the_end(pipe, run, speaks=False):
    """Calls `run`; sends what ended it, what was warned of, and which threads are left.

    Args:
      pipe: The worker's end.
      run: A function; a dict that it returns is sent along.
      speaks: Whether `warned` is sent at each warning.
    """
    also = None
    error = None
    said = []

    def hear(message, *where):
        said.append(str(message))
        if speaks:
            pipe.send("warned")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = hear
        try:
            also = run()
        except BaseException as ended_by:  # noqa: BLE001  (Ctrl-C too: it is told to the test)
            error = ended_by
    for thread in threading.enumerate():
        # gRPC's own, named after its wrapper: it looks up every fifth of a second whether it is asked
        if thread.name.endswith("(_run)"):
            thread.join(60)
    pipe.send(
        {
            **(also or {}),
            "error": type(error).__name__ if error is not None else None,
            "text": str(error),
            "notes": "\n".join(getattr(error, "__notes__", [])),
            "warnings": said,
            "threads": [
                thread.name
                for thread in threading.enumerate()
                if thread is not threading.main_thread()
            ],
        }
    )


def worker_graph(tf, spec, task, files, epochs, reader_at="/job:ps/task:0"):
    """The graph of every worker: a queue of files that they share, and a step to count.

    Nothing is read ahead but one line, so that a worker holds one file at a time.
    """
    setter = tf.train.replica_device_setter(
        cluster=tf.train.ClusterSpec(spec), worker_device=f"/job:worker/task:{task}"
    )
    with tf.device(setter):
        step = tf.train.get_or_create_global_step()
        with tf.device("/job:ps/task:0"):
            names = tf.train.string_input_producer(
                files, num_epochs=epochs, shuffle=False, shared_name="files"
            )
        with tf.device(reader_at):
            key, _ = tf.TextLineReader().read(names)
        keys = tf.train.batch([key], batch_size=1, capacity=1)
        return keys, step.assign_add(1)


def obey(pipe, take):
    """Does what the pipe says until it says `leave`.

    Args:
      pipe: The worker's end.
      take: A generator of keys.
    """
    taken = []
    while (order := pipe.recv()) != "leave":
        for key in take:
            taken.append(key)
            if len(taken) == order:
                break
        pipe.send(taken)
        taken = []


def look_often():
    """Takes a task for gone that has been silent for a moment."""
    from tfqueue.session import cluster, reachability

    cluster._FIRST_LOOK_SECONDS, reachability.PROBE_SECONDS = 0.2, 0.5
    reachability.PAUSE_SECONDS, reachability.GONE_SECONDS = 0.1, 1.5


def worker(
    spec,
    task,
    pipe,
    files,
    epochs=1,
    chief=None,
    reader_at="/job:ps/task:0",
    speaks=False,
    fast=False,
):
    """Reads lines of the shared files in a managed session."""
    import tfqueue
    import tfqueue.v1 as tf
    from tfqueue.session import cluster

    cluster._WARN_AFTER = 0.1
    if fast:
        look_often()

    def run():
        server = tf.train.Server(spec, job_name="worker", task_index=task)
        keys, count = worker_graph(tf, spec, task, files, epochs, reader_at)
        chief_here = task == 0 if chief is None else chief
        pipe.send("built")
        with tfqueue.managed_session(server, is_chief=chief_here) as sess:
            pipe.send("in")
            obey(pipe, (k[0].decode() for k, _ in sess.batches([keys, count])))
            return {"started": [run.name for run in sess._owner.runs]}

    tell_the_end(pipe, run, speaks)


def waiter(spec, task, pipe, fast=False):
    """Waits in a queue of the parameter server that nobody fills."""
    import tfqueue
    import tfqueue.v1 as tf

    if fast:
        look_often()

    def run():
        server = tf.train.Server(spec, job_name="worker", task_index=task)
        with tf.device("/job:ps/task:0"):
            queue = tf.FIFOQueue(3, tf.int32, shapes=[[]], shared_name="never filled")
            size, number = queue.size(), queue.dequeue()
        with tfqueue.managed_session(server, is_chief=True) as sess:
            sess.run(size)
            threading.Thread(target=tell_when_waiting, args=(sess, pipe)).start()
            sess.run(number)

    tell_the_end(pipe, run)


def tell_when_waiting(sess, pipe):
    """Says so when a step of the session has begun to wait."""
    pause = threading.Event()
    while not sess._owner.steps.under_way:
        pause.wait(0.01)
    pipe.send("waits")


def monitored(spec, task, pipe, files):
    """Reads lines of files of its own in a `MonitoredTrainingSession`."""
    import tfqueue.v1 as tf

    def run():
        server = tf.train.Server(spec, job_name="worker", task_index=task)
        setter = tf.train.replica_device_setter(
            cluster=tf.train.ClusterSpec(spec), worker_device=f"/job:worker/task:{task}"
        )
        with tf.device(setter):
            step = tf.train.get_or_create_global_step()
            key, _ = tf.TextLineReader().read(tf.train.string_input_producer(files, shuffle=False))
            keys = tf.train.batch([key], batch_size=1, capacity=1)
            count = step.assign_add(1)
        config = tf.ConfigProto(device_filters=["/job:ps", f"/job:worker/task:{task}"])
        with tf.train.MonitoredTrainingSession(server.target, True, config=config) as sess:
            pipe.send("in")

            def take():
                while not sess.should_stop():
                    yield sess.run([keys, count])[0][0].decode()

            obey(pipe, take())

    tell_the_end(pipe, run)


def synchronous(spec, task, pipe, steps):
    """Trains with a `SyncReplicasOptimizer` under a `Supervisor`, as books showed it."""
    import tfqueue.v1 as tf

    def run():
        server = tf.train.Server(spec, job_name="worker", task_index=task)
        is_chief = task == 0
        setter = tf.train.replica_device_setter(
            cluster=tf.train.ClusterSpec(spec), worker_device=f"/job:worker/task:{task}"
        )
        with tf.device(setter):
            step = tf.Variable([0], trainable=False, name="global_step")  # of shape [1], as in 0.x
            weight = tf.Variable(4.0)
            optimizer = tf.train.SyncReplicasOptimizer(
                tf.train.GradientDescentOptimizer(0.1),
                replicas_to_aggregate=2,
                total_num_replicas=2,
                replica_id=task,
            )
            scalar = tf.Variable(0, trainable=False, name="step_of_tokens")
            train = optimizer.minimize(tf.square(weight), global_step=scalar)
            bump = step.assign_add([1])
            runner = optimizer.get_chief_queue_runner()
            tokens = optimizer.get_init_tokens_op()
        supervisor = tf.train.Supervisor(
            is_chief=is_chief,
            logdir=None,
            global_step=step,
            local_init_op=optimizer.chief_init_op if is_chief else optimizer.local_step_init_op,
            ready_for_local_init_op=optimizer.ready_for_local_init_op,
            recovery_wait_secs=0.1,
        )
        sess = supervisor.prepare_or_wait_for_session(server.target)
        if is_chief:
            supervisor.start_queue_runners(sess, [runner])
            sess.run(tokens)
        done = 0
        try:
            while not (is_chief and done >= steps and pipe.poll()):
                sess.run([train, bump])
                done += 1
                if done == steps:
                    pipe.send((float(sess.run(weight)), tf.train.global_step(sess, step)))
        except tf.errors.OutOfRangeError:
            assert not is_chief  # the chief has left, and closed the queue of tokens
        sess.close()  # before `stop`, which would wait for a runner that waits for gradients
        supervisor.stop()

    tell_the_end(pipe, run)


if __name__ == "__node__":
    globals()[ROLE](*GIVEN, **OPTIONS)  # noqa: F821  (set by whoever runs this file)
