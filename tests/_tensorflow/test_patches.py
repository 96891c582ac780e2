"""What is laid over TensorFlow's own functions for programs of its first years."""

import functools
import importlib
import json
import os
import sys
import threading
import types
import warnings

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import _tensorflow, release
from tfqueue._tensorflow import lines, mode, op_building, patches


def momentum(weight):
    return tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(weight * weight))


def weight():
    return tf.get_variable("w", [2], initializer=tf.constant_initializer(1.0))


def test_slots_are_made_where_variables_are_reused():
    with tf.variable_scope("a"):
        found = weight()
        tf.get_variable_scope().reuse_variables()
        step = momentum(found)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        assert np.allclose(sess.run(found), 0.8)


def test_a_scope_that_is_entered_again_has_slots_of_its_own():
    with tf.variable_scope("a"):
        found = weight()
    for _ in range(3):
        with tf.variable_scope("opt"):
            momentum(found)
    assert len({each.op.name for each in tf.global_variables()}) == 4


def test_a_global_step_may_have_one_element():
    steps = [tf.Variable(value, trainable=False) for value in (3, [4])]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert [tf.train.global_step(sess, step) for step in steps] == [3, 4]


def test_a_list_of_variables_to_save_may_name_one_twice(tmp_path):
    variable = tf.Variable(1.0, name="v")
    saver = tf.train.Saver([variable, variable])
    with tf.Session() as sess:
        sess.run(variable.initializer)
        path = saver.save(sess, str(tmp_path / "model"))
    assert [name for name, _ in tf.train.list_variables(path)] == ["v"]


@pytest.mark.parametrize(("era", "is_true"), [("0.7", True), ("1.4", False)])
def test_a_tensor_is_true_up_to_0_7(monkeypatch, era, is_true):
    monkeypatch.setattr(release, "before", lambda other: era == "0.7")
    if is_true:
        assert bool(tf.constant(0))
    else:
        with pytest.raises(TypeError):
            bool(tf.constant(0))


@pytest.mark.parametrize("use_resource", [False, True])
def test_a_meta_graph_takes_a_variable_whose_name_stands_for_trainable(use_resource):
    """As in 0.12.1 and 1.8.0; 1.12.3 and 1.15.5 leave all variables out of the meta graph, with a warning."""
    with tf.Graph().as_default():
        tf.Variable(tf.zeros([2]), "first", use_resource=use_resource)
        tf.Variable([1.0], "", name="second", use_resource=use_resource)
        tf.get_variable("third", [2], trainable=np.bool_(True), use_resource=use_resource)
        assert [each.op.name for each in tf.trainable_variables()] == ["Variable", "third"]
        assert [each.trainable for each in tf.global_variables()] == [True, False, True]
        assert all(each.to_proto().variable_name for each in tf.global_variables())
        kept = tf.train.export_meta_graph().collection_def
        counts = {key: len(kept[key].bytes_list.value) for key in kept}
        assert counts == {"variables": 3, "trainable_variables": 2}


def test_a_tensor_has_no_length():
    tensor = tf.constant([1, 2])  # `hasattr` is False up to 1.14
    assert not hasattr(tensor, "__len__")
    with pytest.raises(TypeError, match="len is not well defined"):
        len(tensor)


def test_a_variable_of_a_graph_is_true():
    variable = tf.get_variable("of_zeros", initializer=tf.zeros([2]), use_resource=True)
    assert bool(variable)  # of 1.10.1 and earlier


@pytest.mark.parametrize("size", [4.0, "4", 4])
def test_a_size_may_be_a_whole_float_or_its_text(size):
    assert tf.Dimension(size).value == 4
    with pytest.raises((TypeError, ValueError)):
        tf.Dimension(4.5)


def test_a_finalised_graph_says_which_op_was_to_be_made_where():
    graph = tf.get_default_graph()
    for _ in range(2):
        with tf.Session():
            pass
    assert isinstance(graph._check_not_finalized, functools.partial)
    graph.finalize()
    with pytest.raises(RuntimeError, match="finalized") as caught:
        tf.constant(1, name="late")
    (note,) = caught.value.__notes__
    assert note.startswith(f"tfqueue: Const op 'late' would be made at {__file__}:")
    assert 'tf.constant(1, name="late")' in note


def test_generated_functions_have_their_names_with_an_underscore():
    from tensorflow.python.ops import gen_math_ops

    assert gen_math_ops._mat_mul is gen_math_ops.mat_mul
    for name in ("__mat_mul", "_no_such_op", "no_such_op"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            getattr(gen_math_ops, name)


def test_shapes_of_one_rank():
    from tensorflow.python.framework import tensor_shape

    shapes = tensor_shape.scalar(), tensor_shape.vector(3), tensor_shape.matrix(2, None)
    assert [shape.as_list() for shape in shapes] == [[], [3], [2, None]]


def test_which_mode_a_program_of_1_6_is_in():
    assert patches.in_graph_mode()
    with tf.Graph().as_default():
        assert patches.in_graph_mode()


def test_the_loop_under_its_name_of_0_8():
    from tensorflow.python.ops import control_flow_ops

    def loop(*more, **words):
        return control_flow_ops.While(
            lambda i, _: i < 3, lambda i, x: (i + 1, 2 * x), [0, 1], *more, **words
        )

    with tf.Graph().as_default(), tf.Session() as sess:
        made = (
            loop(1, False),
            loop(parallel_iterations=2),
            loop(10, True, True, "seven"),
            loop(10, True, "six"),
        )
        assert [tuple(map(int, two)) for two in sess.run(made)] == [(3, 8)] * 4
        frames = {
            op.get_attr("frame_name").decode(): op
            for op in tf.get_default_graph().get_operations()
            if op.type == "Enter"
        }
    assert {name.split("/")[0] for name in frames} == {"while", "while_1", "seven", "six"}
    assert frames["while/while_context"].get_attr("parallel_iterations") == 1


def test_an_op_has_its_inputs_and_outputs_under_their_private_names():
    with tf.Graph().as_default() as graph:
        one, two = tf.constant(1.0), tf.constant(2.0)
        parts = tf.unstack(tf.stack([one, two]))
    assert parts[0].op._outputs == (parts[0], parts[1])
    assert one.op._inputs == ()
    assert parts[0].op._inputs[0].op._inputs == (one, two)
    assert one.op._graph is graph
    for name in (
        "_inputs",
        "_outputs",
    ):  # up to 1.4 this changed the graph; it must not pass in silence
        with pytest.raises(AttributeError):
            setattr(parts[0].op, name, [one])


@pytest.mark.parametrize("use_resource", [False, True])
def test_a_variable_has_its_value_under_its_name_of_1_12(use_resource):
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", initializer=3.0, use_resource=use_resource)
        sess.run(tf.global_variables_initializer())
        assert sess.run(v._AsTensor()) == 3.0


def test_shapes_by_their_old_name():
    known, unknown = tf.placeholder(tf.float32, [2, None]), tf.placeholder(tf.float32)
    for tensor, sizes in ((known, [2, None]), (unknown, None)):
        for _ in range(2):
            shape = tensor._shape
            assert isinstance(shape, tf.TensorShape)
            assert (shape.as_list() if shape.rank is not None else None) == sizes
    known.set_shape([2, 3])
    assert known._shape.as_list() == [2, 3]
    known._shape = tf.TensorShape([2, None])  # as 1.4.1 does
    assert known.get_shape().as_list() == known.shape.as_list() == [2, None]
    with pytest.raises(AttributeError):
        known.shape = [2, None]


def test_readers_stand_beside_their_queues_under_a_gpus_device():
    with tf.device("/gpu:0"):
        names_of_files = tf.FIFOQueue(3, tf.string, [[]])
        reader = tf.TextLineReader()
        key, _ = reader.read(names_of_files)
        other = tf.constant(1)
    assert "CPU" in reader.reader_ref.op.device.upper()
    assert "CPU" in key.op.device.upper()
    assert "GPU" in other.op.device.upper()
    with tf.device("/job:ps/task:0"):
        assert tf.TextLineReader().reader_ref.op.device == "/job:ps/task:0"


# -- locks and buffers --------------------------------------------------------------------------------


def child_finds(ask):
    """What a forked child finds; it does nothing else."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that are not there in a child
        child = os.fork()
    if not child:
        os._exit(7 if ask() else 3)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_a_child_can_build_though_the_parent_was_building():
    with op_building._grafting:
        assert child_finds(lambda: op_building._grafting.acquire(blocking=False))


def test_what_is_handed_to_c_is_freed(monkeypatch):
    from tensorflow.python.client import pywrap_tf_session as c_api

    made, freed = [], []
    make, free = c_api.TF_NewBufferFromString, c_api.TF_DeleteBuffer

    def make_and_note(text):
        buffer = make(text)
        if sys._getframe(1).f_code.co_filename == op_building.__file__:
            made.append(buffer)
        return buffer

    def note_and_free(buffer):
        freed.extend(each for each in made if each is buffer)
        free(buffer)

    monkeypatch.setattr(c_api, "TF_NewBufferFromString", make_and_note)
    monkeypatch.setattr(c_api, "TF_DeleteBuffer", note_and_free)
    with tf.Graph().as_default() as built:
        five = tf.constant(5, name="five")
    graph = tf.get_default_graph()
    op_building.graft(graph, op_building.unique_prefix(graph), built, {}, [five.name])
    assert len(made) == len(freed) == 1


def test_steps_without_a_pool_are_asked_for_with_a_buffer():
    assert _tensorflow.inline_options() is not None
    assert _tensorflow.inline_options() is _tensorflow.inline_options()


@pytest.mark.parametrize("free", [True, False])
def test_the_frames_of_threads_are_told_though_a_fork_has_kept_the_lock(monkeypatch, free):
    asked = []

    class Lock:
        def acquire(self, timeout):
            asked.append(timeout)
            return free

        def release(self):
            asked.append("released")

    monkeypatch.setattr(lines, "_frames_lock", Lock())
    assert threading.get_ident() in lines.frames_of_threads()
    assert asked == ([0.1, "released"] if free else [0.1])


def test_the_ops_that_use_a_tensor_also_while_another_thread_builds(monkeypatch):
    from tensorflow.python.ops import array_ops

    two = array_ops.unstack(tf.constant([1.0, 2.0]))
    user, both = tf.sqrt(two[1]).op, tf.add(two[0], two[1]).op
    assert op_building.consumers(two[1]) == [user, both]

    def unknown(tensor):
        raise SystemError

    monkeypatch.setattr(type(two[1]), "consumers", unknown)
    assert op_building.consumers(two[1]) == [user, both]
    assert op_building.consumers(two[0]) == [both]


def test_every_variable_is_one():
    kinds = [
        tf.get_variable("a", [2], use_resource=True),
        tf.get_variable("b", [2]),
        tf.Variable(1.0, use_resource=True),
    ]
    assert all(isinstance(one, tf.Variable) for one in kinds)
    assert not isinstance(kinds[0] + 1, tf.Variable)


def test_a_variable_may_begin_with_another():
    """Which has no value yet where all initializers are run in one step."""
    first = tf.get_variable("first", initializer=tf.random_normal([3]), use_resource=True)
    second = tf.get_variable("second", initializer=first * 2, use_resource=True)
    third = tf.Variable(first.initialized_value() + 1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        a, b, c = sess.run([first, second, third])
        assert (b.tolist(), c.tolist()) == ((a * 2).tolist(), (a + 1).tolist())
        sess.run(first.assign([1.0, 2.0, 3.0]))
        sess.run([second.initializer, third.initializer])
        assert sess.run([second, third])[0].tolist() == [2.0, 4.0, 6.0]


def test_private_attributes_by_their_old_names(tmp_path):
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.minimize(tf.square(tf.Variable(2.0)))
    powers = optimizer._beta1_power, optimizer._beta2_power
    assert [power.op.name for power in powers] == ["beta1_power", "beta2_power"]
    optimizer._beta1_power = None  # as derived classes do
    assert optimizer._beta1_power is None

    outer = tf.train.Checkpoint()
    inner = tf.train.Checkpoint()
    assert outer._track_checkpointable(inner, name="inner") is inner

    writer = importlib.import_module("tensorflow.python.pywrap_tensorflow").EventsWriter(
        os.fsencode(tmp_path / "events")
    )
    writer.WriteEvent(tf.Event(step=3))
    writer.Close()
    (path,) = tmp_path.iterdir()
    assert [event.step for event in tf.train.summary_iterator(str(path))] == [0, 3]


# -- modes ----------------------------------------------------------------------------------------------


def test_threads_that_start_later_are_in_the_mode_of_the_process():
    def outermost():
        found = []
        thread = threading.Thread(target=lambda: found.append(mode.now()))
        thread.start()
        thread.join()
        return found[0].outermost, found[0].eager_here

    with mode.being(mode.V2):
        assert outermost() == (True, True)
    assert outermost() == (False, False)


def test_arguments_that_a_branch_uses():
    given = [tf.placeholder(tf.float32, [], name=name) for name in "abc"]
    op_building.functional_cond(
        tf.placeholder(tf.bool, []), lambda: [given[0] + 1.0], lambda: [given[2] * given[1]]
    )
    graph = tf.get_default_graph()
    (call,) = (op for op in graph.get_operations() if "If" in op.type)
    taken = [t.op.name for t in list(call.inputs)[1:]]
    for branch, used in (("then_branch", ["a"]), ("else_branch", ["b", "c"])):
        positions = op_building.used_arguments(graph, call.get_attr(branch).name)
        assert sorted(taken[each] for each in positions) == used
    assert op_building.used_arguments(graph, "no such function") == []


def test_a_device_is_changed_in_place_below_framework_too():
    """What 1.15.5 printed."""
    device = importlib.import_module("tensorflow.python.framework.device")
    assert device.DeviceSpec is tf.DeviceSpec
    spec = device.DeviceSpec.from_string("/job:ps/task:1/gpu:0")
    spec.merge_from(device.DeviceSpec.from_string("/job:w/cpu:2"))
    assert spec.to_string() == "/job:w/task:1/device:CPU:2"
    spec.job, spec.task = "b", 3
    assert device.canonical_name(spec) == "/job:b/task:3/device:CPU:2"

    def setter(op):
        chosen = device.DeviceSpec.from_string("/gpu:1")
        chosen.merge_from(device.DeviceSpec.from_string(op.device or ""))
        return chosen.to_string()

    with tf.Graph().as_default(), tf.device(setter):
        made = [tf.constant(1.0)]
        with tf.device("/cpu:0"):
            made += [tf.constant(1.0)]
        with tf.device(device.merge_device("/job:x")):
            made += [tf.constant(1.0)]
    assert [op.device for op in made] == ["/device:GPU:1", "/device:CPU:0", "/job:x/device:GPU:1"]


@pytest.mark.parametrize("kind", ["indicator", "embedding", "linear"])
@pytest.mark.parametrize("ids", [[0, 5], [0, -1]])
def test_an_id_outside_the_range_of_its_column_is_an_error_without_a_default(kind, ids):
    # as in 1.4.1 and 1.15.5
    def found(values, **given):
        column = tf.feature_column.categorical_column_with_identity("a", 3, **given)
        fed = tf.placeholder(tf.int64, [2])
        features = {"a": tf.SparseTensor([[0, 0], [1, 0]], fed, [2, 2])}
        if kind == "linear":
            made = tf.feature_column.linear_model(features, [column])
        elif kind == "indicator":
            dense = tf.feature_column.indicator_column(column)
            made = tf.feature_column.input_layer(features, [dense])
        else:
            ones = tf.ones_initializer()
            dense = tf.feature_column.embedding_column(column, 2, initializer=ones)
            made = tf.feature_column.input_layer(features, [dense])
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return sess.run(made, {fed: values}).tolist()

    expected = {
        "indicator": [[1, 0, 0], [0, 1, 0]],
        "embedding": [[1, 1], [1, 1]],
        "linear": [[0], [0]],
    }[kind]
    assert found([0, 1]) == expected
    assert found(ids, default_value=1) == expected
    says = "exceeds number of buckets" if ids[1] > 0 else "is negative"
    with pytest.raises(tf.errors.InvalidArgumentError, match=says):
        found(ids)


def test_a_module_without_what_it_does_not_document_keeps_what_its_translation_imported(
    monkeypatch,
):
    from tensorflow.python.util.all_util import remove_undocumented

    from tfqueue.port.py2 import keys

    module = types.ModuleType("tfq_documented", "TensorFlow 2.16 reads this.")
    vars(module).update(keys=keys, json=json, kept=1, dropped=2)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    remove_undocumented(module.__name__, ["kept"])
    assert {name for name in vars(module) if name[0] != "_"} == {"keys", "kept"}


def test_a_regularizer_is_called_once_and_its_loss_is_a_tensor():
    """One that adds the loss to a collection of the program's own; names and sums are those of 1.4.1 and 1.15.5."""
    called = []

    def regularizer(variable):
        called.append(variable.name)
        loss = tf.nn.l2_loss(variable) * 0.1
        tf.add_to_collection("own", loss)
        return loss

    ones = tf.ones_initializer()
    with tf.Graph().as_default() as graph:
        for reuse in (False, True):
            with tf.variable_scope("a", reuse=reuse, regularizer=regularizer):
                tf.get_variable("a", [3], initializer=ones)
        dense = dict(kernel_regularizer=regularizer, kernel_initializer=ones)
        tf.layers.dense(tf.ones([2, 3]), 4, **dense)
        count = len(graph.get_operations())
        losses = graph.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
        total = tf.add_n(losses)
        assert len(graph.get_operations()) == count + 1
        own = tf.add_n(graph.get_collection("own"))
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            np.testing.assert_allclose(sess.run([total, own]), [0.75, 0.75], rtol=1e-6)
    assert called == ["a/a:0", "dense/kernel:0"]
    assert all(type(loss) is tf.Tensor for loss in losses)
    assert [loss.name for loss in losses] == [
        f"{name}/Regularizer/mul:0" for name in ("a/a", "dense/kernel")
    ]


@pytest.mark.parametrize(
    ("name", "value", "of_gradient"),
    [
        ("reduce_sum", 57, 66),
        ("reduce_mean", 9.5, 11),
        ("reduce_max", 12, 16),
        ("reduce_min", 7, 6),
    ],
)
def test_axes_of_int64_have_a_gradient_where_the_shape_is_not_known(name, value, of_gradient):
    """What 1.15.5 gave for `np.arange(1, 3)`."""
    x = tf.placeholder(tf.float32, [None, None, 3])
    reduced = getattr(tf, name)(x, np.arange(1, 3))
    gradient = tf.gradients(reduced, x)[0]
    with tf.Session() as sess:
        given = sess.run([reduced, gradient], {x: np.arange(12.0).reshape(2, 2, 3) + 1})
    found = [float((one * np.arange(one.size).reshape(one.shape)).sum()) for one in given]
    assert found == pytest.approx([value, of_gradient])
