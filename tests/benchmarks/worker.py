"""One contestant of the bench. Runs under Python 3.7, too.

    python worker.py <contestant>

It imports its TensorFlow once and then reads lines of JSON, `[pipeline, folder, seconds, slices,
cores]`; with `cores` 0 it is measured on all that there are, else bound to so many.
Each is measured in a process of its own, forked here, and answered by a line of JSON: a dict, or a
text that says what failed.

With more slices than one the process stops itself before each (`null` is printed, and it goes on
when a line comes): so two contestants are measured in turns, on the same machine at the same time,
and none of them works ahead meanwhile.
"""

import json
import os
import resource
import signal
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pipelines

WARM_UP = 1.5  # seconds that are not counted: caches fill
LONGEST_WARM_UP = 15  # until it has had so much of the processor, and the accelerator has decided


def queues(tf, build, data, seconds, slices):
    """A training loop as the tutorials had it, around nothing."""
    fetches = build(tf, data)
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        began = time.time()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(fetches)
        first = time.time() - began
        measured = measure(
            lambda: len(sess.run(fetches)[0]), seconds, slices, lambda: "so far" not in how(tf)
        )
        began = time.time()
        coord.request_stop()
        coord.join(threads)
        stop = time.time() - began
        told = how(tf)
    return measured, first, stop, told


def how(tf):
    """What the accelerator says it does."""
    if not tf.__name__.startswith("tfqueue"):
        return ""
    from tfqueue import accelerate

    reports = accelerate.reports_of(tf.get_default_graph())
    lines = [text for ops in reports.values() for _, text in list(ops.values())[:1]]
    return lines[-1] if lines else ""


def eager(tf, build, data, seconds, slices):
    """The same loop over a tf.data dataset."""
    dataset = build(tf, data)
    began = time.time()
    batches = iter(dataset)
    next(batches)
    first = time.time() - began

    def step():
        batch = next(batches)
        parts = batch if isinstance(batch, tuple) else (batch,)
        return len(next(part.numpy() for part in parts))

    # The iterator's end is not waited for: TensorFlow takes up to ten seconds for it.
    return measure(step, seconds, slices), first, None, ""


def measure(step, seconds, slices, decided=lambda: True):
    """For each slice examples a second, and a second of CPU time; and the switches of all.

    Switches are those of threads that wait for another, for each 1,000 examples.
    """
    began, computing = time.time(), time.process_time()
    while time.time() - began < WARM_UP or (
        (time.process_time() - computing < WARM_UP or not decided())
        and time.time() - began < LONGEST_WARM_UP
    ):
        step()
    found = [measure_slice(step, seconds / slices, slices > 1) for _ in range(slices)]
    examples = sum(each[2] for each in found)
    switches = sum(each[3] for each in found)
    return [each[:2] for each in found], 1000.0 * switches / max(examples, 1)


def waits():
    """How often a thread of this process has given up its core to wait."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def measure_slice(step, seconds, stops):
    if stops:
        os.kill(os.getpid(), signal.SIGSTOP)
    began, computing, before, examples = time.time(), time.process_time(), waits(), 0
    while time.time() - began < seconds:
        examples += step()
    by_time = examples / (time.time() - began)
    by_cpu = examples / (time.process_time() - computing)
    return by_time, by_cpu, examples, waits() - before


def load_plain():
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    return on_queues(tf)


def load_old():
    import tensorflow as tf

    return on_queues(tf)


def load_tfqueue():
    import tfqueue.v1 as tf

    return on_queues(tf)


def on_queues(tf):
    tf.logging.set_verbosity(tf.logging.ERROR)
    return lambda name, *rest: queues(tf, pipelines.find(name), *rest)


def load_by_hand():
    import handwritten
    import tensorflow as tf

    return lambda name, *rest: eager(tf, getattr(handwritten, name), *rest)


def load_lifted():
    return on_lifted(lambda tfqueue, inputs: tfqueue.dataset(inputs))


def load_written():
    """The written program by itself, as a porter would have it."""

    def written(tfqueue, inputs):
        text, module = tfqueue.dataset.source(inputs), {}
        exec(text, module)
        return module["dataset"](**text.arrays)

    return on_lifted(written)


def on_lifted(make):
    import tfqueue

    with tfqueue.eager():
        import tensorflow as tf

        import tfqueue.v1 as v1

    def run(name, *rest):
        def lifted(_, data):
            return make(tfqueue, lambda: pipelines.find(name)(v1, data))

        return eager(tf, lifted, *rest)

    return run


# Contestant: function that imports what it needs and gives `run(pipeline, folder, seconds, slices)`.
LOADERS = {
    "compat.v1": load_plain,
    "tfqueue, no chunks": load_tfqueue,
    "tfqueue": load_tfqueue,
    "tf.data": load_by_hand,
    "tfqueue.dataset": load_lifted,
    "written program": load_written,
    "TF 1.15.5": load_old,
}


def answer(run, name, data, seconds, slices, cores=0):
    """What is printed for one measurement."""
    if cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])
    try:
        (rates, switches), first, stop, told = run(name, data, seconds, slices)
    except Exception as error:  # noqa: BLE001  (whatever it is, the bench goes on and says so)
        return f"{type(error).__name__}: {str(error)[:500]}"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    rate = sum(rate for rate, _ in rates) / len(rates)
    found = {"rate": rate, "slices": rates, "first": first, "stop": stop}
    return dict(found, peak=peak, how=told, switches=switches)


def waited(child):
    """The status of a process that has ended, or stopped itself."""
    return os.waitpid(child, os.WUNTRACED)[1]


def main(contestant):
    run = LOADERS[contestant]()
    for line in iter(sys.stdin.readline, ""):
        child = os.fork()
        if not child:
            print(json.dumps(answer(run, *json.loads(line))), flush=True)
            os._exit(0)
        status = waited(child)
        while os.WIFSTOPPED(status):
            asked = ""
            try:
                print("null", flush=True)
                asked = sys.stdin.readline()
            finally:  # a stopped process whose bench is gone would stay for ever
                os.kill(child, signal.SIGCONT if asked else signal.SIGKILL)
            status = waited(child)
        if status:
            print(json.dumps(f"the process ended with status {status}"), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
