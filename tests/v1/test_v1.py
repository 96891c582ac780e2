"""`tfqueue.v1`: the names, the mode, and what is laid over TensorFlow's own."""

import inspect
import json
import subprocess
import sys
import types

import numpy as np
import pytest
import tensorflow.compat.v1 as compat

import tfqueue
import tfqueue.v1 as tf
from tfqueue import accelerate
from tfqueue.accelerate import Strategy
from tfqueue.names import forms, gone, moved
from tfqueue.v1 import _namespace, _sessions

OURS = {row.old.split(".")[0] for row in moved.MOVED if "." not in row.old} | {
    *("RegisterShape", "contrib", "estimator"),
}


def public(module):
    return {name for name in dir(module) if not name.startswith("_")}


def test_every_name_of_compat_v1_is_there_and_none_by_accident():
    assert public(tf) - public(compat) == OURS
    assert public(compat) - public(tf) == set()


def test_private_names_are_not_cloned():
    module = types.ModuleType("module")
    module.name, module._private, module.__version__ = 1, 2, "3"
    module.__half, module._half__ = 4, 5
    assert _namespace.public(module) == {"name": 1, "__version__": "3"}


@pytest.mark.parametrize("name", ["train", "image", "nn", "summary", "io", "queue"])
def test_a_cloned_namespace_has_the_names_of_the_original(name):
    clone, original = getattr(tf, name), getattr(compat, name)
    extra = {row.old.split(".")[1] for row in moved.MOVED if row.old.startswith(f"{name}.")}
    assert public(clone) - public(original) == extra
    assert public(original) - public(clone) == set()


def test_all_is_what_dir_says_and_every_name_can_be_had():
    # Python's own print is left to `from tfqueue.v1 import *`
    assert sorted([*tf.__all__, "print"]) == sorted(dir(tf))
    for name in tf.__all__:
        assert getattr(tf, name) is not None or name == "newaxis", name


def test_what_is_not_ours_is_tensorflows_own_object():
    # `tf.layers` and the like load themselves; everything plain must be the same object.
    overridden = {dotted.split(".")[0] for dotted in [*tf._OVERRIDES, *tf._DEFERRED]} | OURS
    cloned = {row.old.split(".")[0] for row in moved.MOVED if "." in row.old}
    cloned |= {"logging"}  # for the name of its logger
    cloned |= {"Tensor"}  # the class of a graph's tensors
    cloned |= {name.partition(".")[0] for name in forms.old_forms() if "." in name}
    cloned |= {name.partition(".")[0] for name in tf._WITH_GONE}
    for name in public(tf) - overridden - cloned:
        assert without_old_forms(getattr(tf, name)) is getattr(compat, name), name


def without_old_forms(found):
    """The function behind the wrapper that takes old calls, if there is one.

    Not `__wrapped__`: what AutoGraph makes of a function that `Dataset.map` was given is put there.
    """
    is_wrapper = hasattr(found, "_tfqueue_forms") and not inspect.isclass(found)
    return found._tfqueue_forms._today if is_wrapper else found


@pytest.mark.parametrize("dotted", sorted(tf._OVERRIDES))
def test_an_override_is_ours_and_takes_the_arguments_of_the_original(dotted):
    ours = without_old_forms(_namespace.member(tf, dotted))
    assert ours is tf._OVERRIDES[dotted]
    if inspect.ismodule(ours):
        return
    assert ours.__module__.startswith("tfqueue."), ours.__module__
    assert ours.__doc__
    if dotted in OURS:
        return  # there is no original any more
    original = _namespace.member(compat, dotted)
    if inspect.isclass(original):
        ours, original = ours.__init__, original.__init__
    if dotted in moved.REORDERED:
        return  # they take the old order too
    assert list(inspect.signature(ours).parameters) == _parameters(original)


def _parameters(function):
    from tfqueue import _tensorflow

    return list(inspect.signature(_tensorflow.undecorated(function)).parameters)


@pytest.mark.parametrize("name", tf.train.OVERRIDDEN)
def test_what_tf_train_overrides_is_ours(name):
    ours = getattr(tf.train, name)
    module = ours.__name__ if inspect.ismodule(ours) else ours.__module__
    assert module.startswith("tfqueue.")
    assert ours is not getattr(compat.train, name)
    if inspect.isfunction(ours):
        assert list(inspect.signature(ours).parameters) == _parameters(getattr(compat.train, name))


@pytest.mark.parametrize(
    "name",
    [
        "train.string_input_producer",
        "TFRecordReader",
        "parse_single_example",
        "train.shuffle_batch",
        "FIFOQueue",
        "train.Coordinator",
    ],
)
def test_the_six_names_have_docstrings_with_an_example(name):
    ours = _namespace.member(tf, name)
    assert ours.__module__.startswith("tfqueue.")
    for part in (">>> ", "Args:", f"`tf.{name}`"):
        assert part in ours.__doc__


@pytest.mark.parametrize("row", moved.MOVED, ids=lambda row: row.old)
def test_a_moved_name_stands_for_the_new_one(row):
    assert row.removed
    old = _namespace.member(tf, row.old)
    if row.new.startswith("old_functions."):
        assert old.__module__ == "tfqueue.v1._old_functions"
    else:
        assert without_old_forms(old) is without_old_forms(_namespace.member(tf, row.new))
    with pytest.raises(AttributeError):
        _namespace.member(compat, row.old)


@pytest.mark.parametrize("row", gone.GONE, ids=lambda row: row.old)
def test_a_name_that_is_gone_says_so(row):
    with pytest.raises(AttributeError, match=f"gone since TensorFlow {row.removed}"):
        _namespace.member(tf, row.old)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        tf.no_such_name  # noqa: B018
    assert not hasattr(tf.train, "no_such_name")


def test_lazy_modules_are_loaded_when_used():
    assert tf.keras.__name__.endswith("keras")


@pytest.mark.parametrize("dotted", sorted(tf._DEFERRED))
def test_what_is_deferred_is_ours_and_is_no_new_name(dotted):
    assert _namespace.member(tf, dotted).__name__ == tf._DEFERRED[dotted]
    assert tf._DEFERRED[dotted].startswith(("tfqueue.v1.", "tfqueue.contrib", "tfqueue.estimator"))
    assert not {"models", "examples"} & set(tf.__all__)


def test_the_modes_switches_take_nothing_back():
    tf.disable_v2_behavior()
    tf.disable_eager_execution()
    tf.disable_resource_variables()
    tf.disable_control_flow_v2()
    tf.disable_v2_tensorshape()
    tf.disable_tensor_equality()
    assert not tf.executing_eagerly()
    assert tf.zeros([2, 3]).get_shape()[1].value == 3
    variable = tf.Variable(0.0)
    assert isinstance(variable, tf.Variable)
    tf.cond(tf.equal(variable, 0.0), lambda: variable + 1.0, lambda: variable + 2.0)
    types = {op.type for op in tf.get_default_graph().get_operations()}
    assert {"VariableV2", "Switch", "Merge"} <= types
    assert not types & {"VarHandleOp", "If", "StatelessIf"}


def test_an_assign_inside_a_branch_works():
    counter = tf.Variable(0, name="counter")
    step = tf.placeholder(tf.bool, [])
    out = tf.cond(step, lambda: counter.assign_add(5), lambda: counter.assign_add(1))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(out, {step: True}) == 5
        assert sess.run(out, {step: False}) == 6


def test_a_cond_in_a_pipeline_is_vectorised():
    number = tf.train.range_input_producer(60, num_epochs=1, shuffle=False).dequeue()
    even = tf.cond(tf.equal(number % 2, 0), lambda: number, lambda: -number)
    batch = tf.train.batch([even], 3)
    with tfqueue.managed_session(chunks=16) as sess:
        values = np.concatenate(list(sess.batches(batch))).tolist()
        strategies = {
            strategy
            for strategy, _ in accelerate.reports_of(sess.graph)["batch/fifo_queue"].values()
        }
    assert values == [n if n % 2 == 0 else -n for n in range(60)]
    assert strategies == {Strategy.CHUNK}


def test_a_dequeue_inside_a_branch_runs_only_when_the_branch_is_taken():
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    fill = queue.enqueue_many([[1, 2, 3]])
    take = tf.placeholder(tf.bool, [])
    out = tf.cond(take, queue.dequeue, lambda: tf.constant(-1))
    size = queue.size()
    with tf.Session() as sess:
        sess.run(fill)
        assert sess.run(out, {take: False}) == -1
        assert sess.run(size) == 3
        assert sess.run(out, {take: True}) == 1
        assert sess.run(size) == 2


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("Session", lambda: compat.Session()),
        ("InteractiveSession", lambda: compat.InteractiveSession()),
        ("FIFOQueue", lambda: compat.FIFOQueue(1, [compat.int32])),
        ("train.QueueRunner", lambda: compat.train.QueueRunner(*_queue_and_ops())),
        ("train.Coordinator", lambda: compat.train.Coordinator()),
    ],
)
def test_isinstance_and_issubclass_see_tensorflows_own(name, make):
    ours, original, made = _namespace.member(tf, name), _namespace.member(compat, name), make()
    assert type(made) is original is not ours
    assert issubclass(original, ours)
    assert isinstance(made, ours)
    derived = type("Derived", (ours,), {})
    assert not isinstance(made, derived)
    assert issubclass(derived, ours)
    assert not isinstance(object(), ours)
    if name.endswith("Session"):
        made.close()


def _queue_and_ops():
    queue = compat.FIFOQueue(1, [compat.int32])
    return queue, [queue.enqueue(1)]


def test_concat_and_split_take_both_orders():
    a, b = tf.zeros([2, 3]), tf.ones([2, 3])
    with tf.Session() as sess:
        new, old = sess.run([tf.concat([a, b], 1), tf.concat(1, [a, b])])
        np.testing.assert_array_equal(new, old)
        x = np.arange(12).reshape(2, 6)
        for parts in (
            tf.split(x, 3, 1),
            tf.split(1, 3, tf.constant(x)),
            tf.split(split_dim=1, num_split=3, value=tf.constant(x)),
        ):
            np.testing.assert_array_equal(np.hstack(sess.run(parts)), x)
    with pytest.raises(TypeError, match="unexpected keyword"):
        tf.split(value=a, num_splits=2)


def test_old_summaries_take_their_tag_first():
    for summary in (
        tf.scalar_summary("loss", tf.constant(0.5)),
        tf.histogram_summary("weights", tf.zeros([3])),
        tf.image_summary("picture", tf.zeros([1, 4, 4, 3])),
        tf.audio_summary("sound", tf.zeros([1, 100]), 8000),
    ):
        with tf.Session() as sess:
            assert tf.Summary.FromString(sess.run(summary)).value
    assert tf.merge_all_summaries() is not None


def test_isinstance_sees_the_queues_that_tensorflow_makes():
    names = tf.train.string_input_producer(["a"])
    assert isinstance(names, tf.FIFOQueue)
    assert isinstance(names, tf.QueueBase)
    assert not isinstance(tf.PaddingFIFOQueue(2, [tf.int32], [[]]), tf.FIFOQueue)
    assert issubclass(tf.FIFOQueue, tf.QueueBase)


@pytest.mark.parametrize(
    ("mine", "base"),
    [
        (tf.FIFOQueue, tf.QueueBase),
        (tf.TFRecordReader, tf.ReaderBase),
        (tf.train.Coordinator, object),
        (tf.train.QueueRunner, object),
        (tf.train.SyncReplicasOptimizer, tf.train.Optimizer),
    ],
)
def test_a_class_has_the_base_that_it_had(mine, base):
    assert mine.__base__ is base
    assert mine.__bases__ == (base,)
    derived = type("Derived", (mine,), {})
    assert derived.__base__ is mine
    assert derived.__bases__ == (mine,)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("a.tfrecord", r"one string 'a.tfrecord'; did you mean \['a.tfrecord'\]"),
        ([], "the list of files is empty"),
        (iter([]), "the list of files is empty"),
    ],
)
def test_string_input_producer_says_what_is_wrong_with_its_list(bad, says):
    with pytest.raises(ValueError, match=says):
        tf.train.string_input_producer(bad)


def test_an_empty_list_of_files_names_the_pattern(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    assert tf.gfile.Glob(f"{tmp_path}/*.txt") == [f"{tmp_path}/a.txt"]
    with pytest.raises(ValueError, match="Did the pattern it came from"):
        tf.train.string_input_producer([])
    with pytest.raises(
        ValueError, match=r"The last tf.gfile.Glob, of '.*/\*.csv', matched no file"
    ):
        tf.train.string_input_producer(tf.gfile.Glob(f"{tmp_path}/*.csv"))


def test_string_input_producer_takes_what_were_lists_in_python_2():
    for names in ({"a": 1, "b": 2}.keys(), map(str, "ab"), ("a", "b"), np.array(["a", "b"])):
        with tf.Graph().as_default():
            queue = tf.train.string_input_producer(names, num_epochs=1, shuffle=False)
            name = queue.dequeue()
            with tfqueue.managed_session() as sess:
                assert list(sess.batches(name)) == [b"a", b"b"]


def _started_by_hand(takes):
    """A step of a session whose runners the program takes from the collection, as old ones did."""
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS):
            runner.create_threads(sess, start=True)
        sess.run(takes)


def test_runners_of_the_producers_are_ours():
    names = tf.train.string_input_producer(["no/such/file"], num_epochs=1)
    line = tf.train.batch([tf.TextLineReader().read(names)[1]], 1)
    with pytest.raises(tf.errors.NotFoundError, match="no/such/file"):
        _started_by_hand(line)


def test_a_runner_of_tensorflows_own_class_becomes_ours():
    queue = compat.FIFOQueue(9, tf.float32, [[]])
    put = queue.enqueue(tf.string_to_number("two"))
    tf.train.add_queue_runner(compat.train.QueueRunner(queue, [put]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="two"):
        _started_by_hand(queue.dequeue())


def test_a_step_of_a_supervisors_session_raises_the_true_error():
    names = tf.train.string_input_producer(["no/such/file"])
    line = tf.train.batch([tf.TextLineReader().read(names)[1]], 1)
    supervisor = tf.train.Supervisor(logdir=None, summary_op=None, global_step=None)
    with supervisor.prepare_or_wait_for_session() as sess:
        with pytest.raises(tf.errors.NotFoundError, match="no/such/file"):
            sess.run(line)
        with pytest.raises(tf.errors.NotFoundError, match="no/such/file"):
            supervisor.stop()


def test_a_reader_says_that_it_reads_from_a_queue():
    with pytest.raises(TypeError, match=r"string_input_producer"):
        tf.TFRecordReader().read("a.tfrecord")


def test_parse_single_example_of_a_batch_names_parse_example():
    with pytest.raises(ValueError, match="scalar") as caught:
        tf.parse_single_example(tf.constant(["", ""]), {"x": tf.FixedLenFeature([], tf.int64)})
    assert "tf.parse_example parses a batch" in caught.value.__notes__[0]


def test_parse_single_example_says_what_features_are():
    with pytest.raises(TypeError, match="features must be a dict"):
        tf.parse_single_example("", [tf.FixedLenFeature([], tf.int64)])


def run_python(code, **kwargs):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **kwargs)


def test_importing_tfqueue_is_light_and_v1_switches_the_mode():
    done = run_python(
        "import json, os, sys\n"
        "before = dict(os.environ)\n"
        "import tfqueue, tfqueue.errors\n"
        "light = not ({'tensorflow', 'numpy'} & set(sys.modules))\n"
        "import tfqueue.v1 as tf\n"
        "later = {'tf_slim', *tf._DEFERRED.values()} & set(sys.modules)\n"
        "print(json.dumps([light, tf.executing_eagerly(), dict(os.environ) == before, list(later)]))\n"
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == [True, False, True, []]


def test_a_correct_program_prints_nothing_on_stderr(records):
    example = tf.train.Example()
    example.features.feature["x"].int64_list.value.append(3)
    path = records([example.SerializeToString()] * 40)
    done = run_python(
        f"""
import tfqueue.v1 as tf
tf.disable_v2_behavior()
names = tf.train.string_input_producer([{path!r}], num_epochs=1)
_, serialized = tf.TFRecordReader().read(names)
x = tf.parse_single_example(serialized, {{"x": tf.FixedLenFeature([], tf.int64)}})["x"]
batch = tf.train.shuffle_batch([x], 4, 100, 10)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    n = 0
    try:
        while not coord.should_stop():
            n += len(sess.run(batch))
    except tf.errors.OutOfRangeError:
        pass
    finally:
        coord.request_stop()
    coord.join(threads)
print(n)
""",
        env={
            "PATH": "/usr/bin",
            "PYTHONPATH": ":".join(filter(None, sys.path)),
            # What protobuf 4, which TensorFlow 2.16 comes with, says of itself on Python 3.12.
            "PYTHONWARNINGS": "default,ignore:Type google._upb:DeprecationWarning",
        },
    )
    assert (done.stdout, done.stderr) == ("40\n", "")


def test_numbers_print_as_in_numpy_1():
    assert repr([np.float32(0.5), np.int64(3), (np.float64(0.1),)]) == "[0.5, 3, (0.1,)]"


def test_of_a_graph_that_is_dropped_only_runners_at_work_are_told(monkeypatch):
    told = []
    runs = [
        types.SimpleNamespace(name=name, working=lambda at=at: at)
        for name, at in (("one", True), ("two", False), ("three", True))
    ]
    monkeypatch.setattr(_sessions.registry, "on", lambda graph: [types.SimpleNamespace(runs=runs)])
    monkeypatch.setattr(_sessions.diagnosis, "after_reset", told.append)
    reset = types.SimpleNamespace(
        get_default_graph=lambda: None, reset_default_graph=lambda: told.append("reset")
    )
    monkeypatch.setattr(_sessions, "_tf", reset)
    tf.reset_default_graph()
    assert told == ["reset", ["one", "three"]]
