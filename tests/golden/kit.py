# ruff: noqa: UP004, UP010, UP020, UP031
"""What every golden scenario is handed: a session to run in, and values that JSON can hold.

The same source runs under TensorFlow 0.12.1 (Python 2.7), 1.15.5 (Python 3.7) and `tfqueue.v1`, so
it uses only what all three have, and imports neither TensorFlow nor a sibling by name.
"""

from __future__ import unicode_literals

import contextlib
import glob
import io
import os
import shutil
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
QUEUE_TYPES = ("FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "RandomShuffleQueue")


def load(path):
    """Runs one source file and returns its globals (all three Pythons can do this alike)."""
    with io.open(path, encoding="utf-8") as source:
        code = compile(source.read(), path, "exec", 0, True)
    names = {"__name__": str("golden_" + os.path.basename(path)[:-3]), "__file__": path}
    exec(code, names)
    return names


def discover(folder):
    """Finds the scenarios of a folder.

    Args:
        folder: Name of a folder beside this file.

    Returns:
        `{subject: [(scenario name, function), ...]}`, each list in the order of the source. Every
        public function defined in a subject's file is a scenario.
    """
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, folder, "*.py"))):
        functions = [
            (name, value)
            for name, value in load(path).items()
            if callable(value) and hasattr(value, "__code__") and not name.startswith("_")
        ]
        functions.sort(key=lambda pair: pair[1].__code__.co_firstlineno)
        found[os.path.basename(path)[:-3]] = functions
    return found


def text(value):
    """A lossless `str` of bytes: one character per byte, JSON escapes the rest."""
    return value.decode("latin-1") if isinstance(value, bytes) else value


class Run(object):
    """One session with its runners.

    Attributes:
        sess: The session, which is the default one.
        coord: The Coordinator of the runners.
        threads: The runners' threads.
        joined: After the block, the class of the error that `coord.join` raised, or None.
    """

    def __init__(self, sess, coord, threads):
        self.sess, self.coord, self.threads, self.joined = sess, coord, threads, None


class Kit(object):
    """Helpers of a scenario, bound to one TensorFlow and one folder of input files.

    Attributes:
        np: numpy.
        folder: The folder of the input files.
    """

    def __init__(self, tf, np, folder):
        self.tf, self.np, self.folder = tf, np, folder

    def file(self, name):
        """The full path of an input file."""
        return os.path.join(self.folder, name)

    def relative(self, value):
        """A file name or reader key (or a nest of them) without the folder in front of it."""
        if isinstance(value, self.np.ndarray):
            value = value.tolist()
        if isinstance(value, (list, tuple)):
            return [self.relative(item) for item in value]
        return text(value).replace(self.folder + "/", "")

    def value(self, value):
        """What a run returned, as JSON: dtypes and shapes kept, bytes one character per byte."""
        np = self.np
        if hasattr(value, "indices"):  # a SparseTensorValue
            return {"sparse": [self.value(part) for part in value]}
        if isinstance(value, dict):
            return {text(key): self.value(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(item) for item in value]
        if isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, (bytes, str)):
            kind = "string" if value.dtype.kind in "OSU" else str(value.dtype)
            return {"dtype": kind, "shape": list(value.shape), "value": self._plain(value.tolist())}
        return self._plain(value)

    def _plain(self, value):
        if isinstance(value, list):
            return [self._plain(item) for item in value]
        if isinstance(value, complex):
            return [value.real, value.imag]
        return text(value)

    def shape(self, shape):
        """A static shape: a list with None for what is not known, None if nothing is."""
        return None if shape.ndims is None else shape.as_list()

    def static(self, tensor):
        """What a program can know of a tensor (or a nest of them) before it is run."""
        if isinstance(tensor, dict):
            return {text(key): self.static(item) for key, item in tensor.items()}
        if isinstance(tensor, (list, tuple)):
            return [self.static(item) for item in tensor]
        if isinstance(tensor, self.tf.SparseTensor):
            return {"sparse": self.static([tensor.indices, tensor.values, tensor.dense_shape])}
        shape = self.shape(tensor.get_shape())
        return {"name": tensor.name, "dtype": tensor.dtype.base_dtype.name, "shape": shape}

    def graph(self):
        """What an input pipeline left in the default graph: its queues, runners and names."""
        tf = self.tf
        queues = []
        for op in tf.get_default_graph().get_operations():
            if op.type.replace("V2", "") not in QUEUE_TYPES:
                continue
            facts = {"name": op.name, "type": op.type, "capacity": int(op.get_attr("capacity"))}
            facts["dtypes"] = [tf.as_dtype(each).name for each in op.get_attr("component_types")]
            facts["shapes"] = [self.shape(tf.TensorShape(each)) for each in op.get_attr("shapes")]
            if "RandomShuffle" in op.type:
                facts["min_after_dequeue"] = int(op.get_attr("min_after_dequeue"))
            queues.append(facts)

        def names(key):
            return [item.name for item in tf.get_collection(key)]

        runners = [
            {"name": runner.name, "threads": len(runner.enqueue_ops)}
            for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
        ]
        return {
            "queues": queues,
            "runners": runners,
            "summaries": names(tf.GraphKeys.SUMMARIES),
            "local_variables": names(tf.GraphKeys.LOCAL_VARIABLES),
            "global_variables": names(tf.GraphKeys.GLOBAL_VARIABLES),
        }

    def error(self, call, *args, **kwargs):
        """The class of what a call raises, or None.

        Of a class derived from one of TensorFlow's or Python's own, the nearest such parent: that is
        what an old `except` clause can name.
        """
        try:
            call(*args, **kwargs)
        except Exception as raised:  # noqa: BLE001  (whatever it is, it is what is recorded)
            return self.name(raised)
        return None

    def name(self, raised):
        """The name under which an old program knows an exception's class."""
        for each in type(raised).__mro__:
            of_tensorflow = getattr(self.tf.errors, each.__name__, None) is each
            if of_tensorflow or each.__module__ in ("builtins", "exceptions"):
                return each.__name__
        raise AssertionError("an exception without a built-in parent: %r" % (raised,))

    @contextlib.contextmanager
    def running(self, init_local=True, coordinated=True):
        """A session on the default graph, initialised, its runners started, joined at the end.

        Args:
            init_local: Whether the local variables are initialised too.
            coordinated: Whether the runners get a Coordinator.

        Yields:
            A `Run`.
        """
        tf = self.tf
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            if init_local:
                sess.run(tf.local_variables_initializer())
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord if coordinated else None)
            run = Run(sess, coord, threads)
            try:
                yield run
            finally:
                coord.request_stop()
                if coordinated:
                    run.joined = self.error(coord.join, threads, stop_grace_period_secs=30)
        if not coordinated:  # closing the session is what ends them
            for thread in threads:
                thread.join(30)

    def drain(self, run, fetches, limit=100):
        """Runs fetches until they end.

        Returns:
            `(values, end)`: what each run returned, and the class of the error that ended it (None
            if `limit` did).
        """
        values, end = [], None
        try:
            for _ in range(limit):
                values.append(run.sess.run(fetches))
        except Exception as raised:  # noqa: BLE001  (recorded)
            end = self.name(raised)
        return values, end

    def steps(self, fetches, limit=100, **how):
        """Starts the runners, runs fetches until they end or `limit` is reached, and stops.

        Returns:
            `(values, facts)`: what each run returned, and how it ended.
        """
        with self.running(**how) as run:
            values, end = self.drain(run, fetches, limit)
        return values, {"end": end, "joined": run.joined}

    def thread(self, call):
        """Starts a thread for a call that blocks; `result()` waits for it and gives its error."""
        box = []
        worker = threading.Thread(target=lambda: box.append(self.error(call)))
        worker.daemon = True
        worker.start()

        def result():
            worker.join(60)
            return "still blocked" if worker.is_alive() else box[0]

        return result

    @contextlib.contextmanager
    def scratch(self):
        """A folder that is gone afterwards."""
        folder = tempfile.mkdtemp()
        try:
            yield folder
        finally:
            shutil.rmtree(folder)
