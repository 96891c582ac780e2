"""The processes of the clusters in `clusters`: a parameter server, and workers that share its queues.

A worker sends each record's key as soon as it has it, so that nothing is forgotten when it is killed.
"""

import importlib
import multiprocessing.connection
import threading
import warnings
from types import ModuleType
from typing import Any

PS = "/job:ps/task:0"


def parameter_server(
    spec: dict[str, list[str]], pipe: multiprocessing.connection.Connection
) -> None:
    """Serves until it is killed; says that it does, or why it cannot."""
    import tfqueue.v1 as tf

    try:
        server = tf.train.Server(spec, job_name="ps", task_index=0)
    except tf.errors.UnknownError as error:  # the port is taken
        pipe.send(error.message)
        return
    pipe.send("up")
    server.join()


def worker(
    spec: dict[str, list[str]],
    pipe: multiprocessing.connection.Connection,
    task: int,
    sharing: str,
    session: str,
    files: list[str],
    library: str = "tfqueue.v1",
    **options: Any,
) -> None:
    """Takes records to their end and sends their keys; then says what ended it.

    Args:
      spec: The addresses of the cluster, by job.
      pipe: Where it is said: `"in"` once the session is made, lists of keys, and a dict.
      task: Which worker it is; 0 is the chief.
      sharing: A key of `SHARINGS`.
      session: A key of `SESSIONS`.
      files: Text files.
      library: The module whose names the program uses.
      **options: `max_wait_secs`, for the session.
    """
    tf = importlib.import_module(library)
    ended: BaseException | None = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            server = tf.train.Server(spec, job_name="worker", task_index=task)
            setter = tf.train.replica_device_setter(
                cluster=tf.train.ClusterSpec(spec), worker_device=f"/job:worker/task:{task}"
            )
            with tf.device(setter):
                tf.train.get_or_create_global_step()
                keys = SHARINGS[sharing](tf, files, task, len(spec["worker"]))
            SESSIONS[session](tf, server, task == 0, keys, pipe, **options)
        except BaseException as error:  # noqa: BLE001  (Ctrl-C too: it is told)
            ended = error
    for thread in threading.enumerate():
        if thread.name.endswith("(_run)"):  # gRPC's, which ends within a fifth of a second
            thread.join(60)
    pipe.send(
        {
            "error": type(ended).__name__ if ended is not None else None,
            "text": "\n".join([str(ended), *getattr(ended, "__notes__", [])]),
            "warnings": [str(each.message) for each in caught],
            "threads": [t.name for t in threading.enumerate() if t is not threading.main_thread()],
        }
    )


# -- what is shared ------------------------------------------------------------------------------


def _records(tf: ModuleType, files: list[str], shared: str | None) -> Any:
    names = tf.train.string_input_producer(files, num_epochs=1, shuffle=False, shared_name=shared)
    return tf.TextLineReader().read(names)[0]


def _names(tf: ModuleType, files: list[str], task: int, workers: int) -> Any:
    with tf.device(PS):
        key = _records(tf, files, "names")
    return tf.train.batch([key], 4, capacity=8, allow_smaller_final_batch=True)


def _batch(tf: ModuleType, files: list[str], task: int, workers: int) -> Any:
    with tf.device(PS):
        key = _records(tf, files, "names")
        return tf.train.batch(
            [key], 4, capacity=8, allow_smaller_final_batch=True, shared_name="batch"
        )


def _shuffle_batch(tf: ModuleType, files: list[str], task: int, workers: int) -> Any:
    with tf.device(PS):
        key = _records(tf, files, "names")
        return tf.train.shuffle_batch(
            [key], 4, 30, 10, num_threads=2, allow_smaller_final_batch=True, shared_name="shuffled"
        )


def _batch_join(tf: ModuleType, files: list[str], task: int, workers: int) -> Any:
    with tf.device(PS):
        names = tf.train.string_input_producer(
            files, num_epochs=1, shuffle=False, shared_name="names"
        )
        keys = [[tf.TextLineReader().read(names)[0]] for _ in range(2)]
        return tf.train.batch_join(
            keys, 4, capacity=8, allow_smaller_final_batch=True, shared_name="joined"
        )


def _own_files(tf: ModuleType, files: list[str], task: int, workers: int) -> Any:
    with tf.device(f"/job:worker/task:{task}"):
        key = _records(tf, files[task::workers], None)
    with tf.device(PS):
        return tf.train.batch(
            [key], 4, capacity=8, allow_smaller_final_batch=True, shared_name="together"
        )


def _fifo(tf: ModuleType, files: list[str], task: int, workers: int) -> Any:
    with tf.device(PS):
        key = _records(tf, files, "names")
        queue = tf.FIFOQueue(8, tf.string, shapes=[[]], shared_name="by hand")
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(key)] * 2))
        return queue.dequeue_up_to(4)


SHARINGS = {
    "names": _names,
    "batch": _batch,
    "shuffle_batch": _shuffle_batch,
    "batch_join": _batch_join,
    "fifo": _fifo,
    "own files": _own_files,
}
"""What the workers share, and a function that builds it and returns a batch of keys."""


# -- the sessions --------------------------------------------------------------------------------


def _told(pipe: multiprocessing.connection.Connection, keys: Any) -> None:
    pipe.send([key.decode() for key in keys])


def _managed(
    tf: ModuleType, server: Any, is_chief: bool, keys: Any, pipe: Any, **options: Any
) -> None:
    import tfqueue

    with tfqueue.managed_session(server, is_chief=is_chief, **options) as sess:
        pipe.send("in")
        for batch in sess.batches(keys):
            _told(pipe, batch)


def _monitored(
    tf: ModuleType, server: Any, is_chief: bool, keys: Any, pipe: Any, **options: Any
) -> None:
    # For a chief TensorFlow takes no limit, and waits for two hours.
    is_chief = is_chief and "max_wait_secs" not in options
    with tf.train.MonitoredTrainingSession(server.target, is_chief, **options) as sess:
        pipe.send("in")
        while not sess.should_stop():
            _told(pipe, sess.run(keys))


def _supervisor(
    tf: ModuleType, server: Any, is_chief: bool, keys: Any, pipe: Any, **options: Any
) -> None:
    supervisor = tf.train.Supervisor(is_chief=is_chief, logdir=None)
    sess = supervisor.prepare_or_wait_for_session(server.target, **options)
    pipe.send("in")
    try:
        while not supervisor.should_stop():
            _told(pipe, sess.run(keys))
    except tf.errors.OutOfRangeError:
        pass
    finally:
        supervisor.stop()
        sess.close()


SESSIONS = {"managed": _managed, "monitored": _monitored, "supervisor": _supervisor}
"""The session classes, and a function that takes batches to their end."""


if __name__ == "__node__":
    globals()[ROLE](*GIVEN, **OPTIONS)  # noqa: F821  (set by whoever runs this file)
