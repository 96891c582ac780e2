"""What is gone and not brought back: each use ends in one sentence that says what to use.

https://www.tensorflow.org/guide/migrate
"""

import ast

from tfqueue.port.moved import gone

WORDS = ("tensorflow", "tfqueue", "protobuf", "descriptor")
# dotted name: (the release without it, what to use)
_ROWS = {
    "tensorflow.contrib.timeseries": ("2.0", "read the series with tf.train.batch or tf.data"),
    "tensorflow.contrib.tfprof": ("2.0", "tf.profiler, or the TensorBoard profiler"),
    "tensorflow.contrib.learn.Estimator": ("2.0", "tfqueue.managed_session, or Keras"),
    "tensorflow.contrib.learn.Experiment": ("2.0", "tfqueue.managed_session, or Keras"),
    "tensorflow.contrib.learn.SKCompat": ("2.0", "tfqueue.managed_session, or Keras"),
    "tensorflow.contrib.learn.DNNClassifier": ("2.0", "a model in tfqueue.v1, or Keras"),
    "tensorflow.contrib.learn.LinearClassifier": ("2.0", "a model in tfqueue.v1, or Keras"),
    "tensorflow.contrib.learn.LinearRegressor": ("2.0", "a model in tfqueue.v1, or Keras"),
    "tensorflow.contrib.learn.DNNRegressor": ("2.0", "a model in tfqueue.v1, or Keras"),
    "tensorflow.contrib.learn.learn_runner": ("2.0", "tfqueue.managed_session, or Keras"),
    "tensorflow.contrib.estimator": ("2.0", "tfqueue.managed_session, or Keras"),
    "tensorflow.contrib.tpu": ("2.0", "tf.distribute"),
    "tensorflow.contrib.tensorrt": ("2.0", "tensorflow.python.compiler.tensorrt"),
    "tensorflow.contrib.lite": ("2.0", "tf.lite"),
    "tensorflow.contrib.distribute": ("2.0", "tf.distribute"),
    "tensorflow.contrib.eager": ("2.0", "TensorFlow 2 itself"),
    "tensorflow.contrib.gan": ("2.0", "the package tensorflow-gan"),
    "tensorflow.contrib.ffmpeg": ("2.0", "the package tensorflow-io"),
    "tensorflow.contrib.quantize": ("2.0", "the package tensorflow-model-optimization"),
    "tensorflow.contrib.tensor_forest": ("2.0", "the package tensorflow-decision-forests"),
    "tensorflow.contrib.factorization": ("2.0", "scikit-learn"),
    "tensorflow.contrib.crf": ("2.0", "the package tensorflow-addons"),
    "tensorflow.contrib.keras": ("1.4", "tf.keras"),
    "tensorflow.LMDBReader": ("2.4", "write the records to a TFRecord file: tfqueue records"),
    "tensorflow.tfprof": ("1.5", "tf.profiler"),
    "tensorflow.python.pywrap_tensorflow_internal": ("2.2", "the public names"),
    "tensorflow.tensorboard": ("1.4", "the package tensorboard"),
    "google.protobuf.pyext": ("protobuf 4", "protoc, run again"),
}


def _match(dotted, table):
    name = dotted
    while name:
        if name in table:
            return name
        name = name.rpartition(".")[0]
    return None


def _table():
    rows = {
        f"tensorflow.{row.old}": (row.removed, row.use)
        for row in gone().values()
        # a row that points to contrib of ours is no loss
        if "tfqueue.v1.contrib" not in row.use
    }
    return {**rows, **_ROWS}


def find(module):
    """Finds uses of what is gone, each name once a line."""
    table = _table()
    places = list(module.references)
    for node in module.nodes[ast.ImportFrom]:
        if not node.level and node.module:
            places += [(a, _imported(f"{node.module}.{a.name}")) for a in node.names]
    for node in module.nodes[ast.Import]:
        places += [(alias, _imported(alias.name)) for alias in node.names]
    said = set()
    for node, dotted in sorted(places, key=lambda place: place[0].lineno):
        name = _match(dotted, table)
        if name is None or (name, node.lineno) in said or module.guarded(node):
            continue
        said.add((name, node.lineno))
        since, use = table[name]
        short = name.replace("tensorflow.", "tf.", 1)
        release = since if since.startswith("protobuf") else f"TensorFlow {since}"
        yield module.finding(
            node, f"{short} is gone since {release}; instead: {use}", helpless=True
        )
    yield from _generated(module)


def _imported(name):
    return name.replace("tfqueue.v1", "tensorflow", 1) if name.startswith("tfqueue.v1") else name


def _generated(module):
    """Files that an old protoc wrote: today's protobuf refuses to load them."""
    if not module.path.endswith("_pb2.py"):
        return
    for call, dotted in module.calls:
        if dotted == "google.protobuf.descriptor.FieldDescriptor":
            message = "written by protoc before 3.20; protobuf 4 refuses it: run protoc again"
            yield module.finding(call, message, helpless=True)
            return
