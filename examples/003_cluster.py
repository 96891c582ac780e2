"""Document 003 on more than one machine: two workers train one model and share one queue of files.

One process is the parameter server: it holds the variables and the queue of file names. Two are
workers: each builds the same graph, reads the files that it gets out of that queue, and applies its
gradients to the variables. All are started here, on this machine; on three machines each would be
started by hand, with its --job and --task and the same --hosts.

Started again on servers that still run, the chief would find the queue closed, its one epoch being over:
it would call `tf.Session.reset(server.target)` first.

What to look at: the queue and its reader stand on the parameter server, and the workers find the
queue by its `shared_name`; worker 0 is the chief, which initialises and fills it. Each file is read
by one worker only, each digit once. In the picture, who read which file, and the loss of both.
"""

import collections
import contextlib
import importlib
import json
import random
import socket
import subprocess
import sys

import numpy as np
from _common import options, pyplot, save

import tfqueue

OPTIONS = {"job": "", "task": 0, "hosts": ""}

if __name__ == "__main__":
    options(__doc__, **OPTIONS)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

digits = importlib.import_module("003_digits")

WORKERS = 2
FILES = 12
PER_FILE = 100
BATCH = 20


def model(cluster, task, paths):
    """The graph that every worker builds.

    Returns:
      Tensors: reader keys, string [BATCH]; the loss, float32 []; and the operation that trains. Then
      `logits`, a function of pictures.
    """
    worker = f"/job:worker/task:{task}"
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device=worker)):
        weights = tf.Variable(tf.zeros([digits.PIXELS, 10]))
        biases = tf.Variable(tf.zeros([10]))
        global_step = tf.train.get_or_create_global_step()

        with tf.device("/job:ps/task:0"):
            filename_queue = tf.train.string_input_producer(
                paths, num_epochs=1, shared_name="digits"
            )
            key, record = tf.TFRecordReader().read(filename_queue)
        features = {
            "label": tf.FixedLenFeature([], tf.int64),
            "image": tf.FixedLenFeature([digits.PIXELS], tf.int64),
        }
        example = tf.parse_single_example(record, features)
        keys, labels, images = tf.train.shuffle_batch(
            [key, example["label"], example["image"]], BATCH, capacity=100, min_after_dequeue=50
        )

        def logits(pictures):
            return tf.matmul(tf.cast(pictures, tf.float32) / 255.0, weights) + biases

        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits(images))
        )
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=global_step)
    return keys, loss, train, logits


def meeting(task):
    """Queues for the workers to wait for each other, so that none has read it all before."""
    with tf.device("/job:ps/task:0"):
        queues = [tf.FIFOQueue(WORKERS, tf.bool, [[]], shared_name=f"w{n}") for n in range(WORKERS)]
    arrive = [queue.enqueue(True) for n, queue in enumerate(queues) if n != task]
    return arrive, queues[task].dequeue_many(WORKERS - 1)


def work(server, cluster, task, out):
    """What a worker does; leaves what it read and its losses in a file."""
    paths = sorted(map(str, out.glob("003_cluster_*.tfrecord")))
    keys, loss, train, logits = model(cluster, task, paths)
    arrive, others = meeting(task)
    held_out, pictures = digits.draw(200, seed=1)
    guess = tf.argmax(logits(pictures), 1)

    read, losses = [], []
    with tfqueue.managed_session(server, is_chief=task == 0) as sess:
        sess.run(arrive)
        sess.run(others)
        for batch, value, _ in sess.batches([keys, loss, train]):
            read += [key.decode() for key in batch]
            losses.append(float(value))
        accuracy = float(np.mean(sess.run(guess) == held_out))
    result = {"read": read, "losses": losses, "accuracy": accuracy}
    (out / f"003_cluster_worker_{task}.json").write_text(json.dumps(result))


def run_task(chosen):
    """What one process of the cluster does."""
    hosts = chosen.hosts.split(",")
    cluster = tf.train.ClusterSpec({"ps": hosts[:1], "worker": hosts[1:]})
    server = tf.train.Server(cluster, job_name=chosen.job, task_index=chosen.task)
    if chosen.job == "ps":
        server.join()
    work(server, cluster, chosen.task, chosen.out)


def free_hosts(count):
    """Addresses on this machine that nobody listens at, with ports that no client is given."""
    hosts = []
    for port in random.sample(range(20000, 32000), 1000):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            hosts.append(f"127.0.0.1:{port}")
        if len(hosts) == count:
            return hosts
    raise RuntimeError("no free port")


def run_cluster(out):
    """Starts all processes, waits for the workers, and ends what is left."""
    hosts = ",".join(free_hosts(1 + WORKERS))

    def start(job, task):
        command = [sys.executable, __file__, "--out", out, "--hosts", hosts]
        return subprocess.Popen([*command, "--job", job, "--task", str(task)])

    processes = [start("ps", 0), *(start("worker", task) for task in range(WORKERS))]
    try:
        for worker in processes[1:]:
            if worker.wait(timeout=120):
                raise RuntimeError(f"a worker ended with {worker.returncode}")
    finally:
        for process in processes:  # the parameter server never ends by itself
            process.kill()
            process.wait()


def main(argv=None):
    chosen = options(__doc__, argv, **OPTIONS)
    if chosen.job:
        run_task(chosen)
        return 0

    labels, pictures = digits.draw(FILES * PER_FILE, seed=0)
    paths = [chosen.out / f"003_cluster_{n:02}.tfrecord" for n in range(FILES)]
    for n, path in enumerate(paths):
        part = slice(n * PER_FILE, (n + 1) * PER_FILE)
        digits.write(labels[part], pictures[part], str(path))
    run_cluster(chosen.out)

    results = [
        json.loads((chosen.out / f"003_cluster_worker_{task}.json").read_text())
        for task in range(WORKERS)
    ]
    every = collections.Counter(key for result in results for key in result["read"])
    of_files = [{key.rpartition(":")[0] for key in result["read"]} for result in results]
    for task, (result, files) in enumerate(zip(results, of_files, strict=True)):
        print(f"worker {task}: {len(result['read'])} digits of {len(files)} files")
    print(f"each file was read by one worker: {sum(map(len, of_files)) == FILES}")
    print(f"no digit was read twice: {set(every.values()) == {1}}")
    print(f"accuracy of the model that both trained: {max(r['accuracy'] for r in results):.2f}")

    plt = pyplot(chosen.show)
    figure, (above, below) = plt.subplots(2, 1, figsize=(8, 6), layout="constrained")
    for task, (result, files) in enumerate(zip(results, of_files, strict=True)):
        owned = [n for n, path in enumerate(paths) if str(path) in files]
        above.bar(owned, 1, label=f"worker {task}", width=0.9)
        below.plot(result["losses"], label=f"worker {task}")
    above.set_title("who read which file")
    above.set_xticks(range(FILES), [path.stem[-2:] for path in paths])
    above.set_yticks([])
    below.set_title("loss, step by step of each worker")
    for axes in (above, below):
        axes.legend(loc="upper right")
    save(figure, chosen.out / "003_cluster.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
