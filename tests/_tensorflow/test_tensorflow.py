"""The internals of TensorFlow that `tfqueue._tensorflow` reaches into: are they still there?

When one of these fails after an upgrade, the comment at the function it names
says what to do.
"""

import gc
import os
import subprocess
import sys

import pytest
from tensorflow.python.client import pywrap_tf_session as c_api
from tensorflow.python.keras.utils import version_utils

import tfqueue.v1 as tf
from tfqueue import _tensorflow
from tfqueue._tensorflow import mode, op_building, patches


def test_deprecation_lines_are_off(caplog):
    from tensorflow.python.util import deprecation

    assert deprecation._PRINT_DEPRECATION_WARNINGS is False
    tf.train.string_input_producer(["a"])
    assert caplog.text == ""


def test_a_note_is_printed_on_python_310_too(monkeypatch):
    """Which has no notes, and whose `str` of an error of TensorFlow is all that is printed."""
    monkeypatch.setattr(sys, "version_info", (3, 10))
    error = tf.errors.NotFoundError(None, None, "no file")
    other = KeyError("x")
    for each in (error, other):
        for text in ("one", "two"):
            _tensorflow.add_note(each, text)
        assert each.__notes__ == ["one", "two"]
    assert str(error) == "no file\none\ntwo"
    assert str(other) == "'x'"


def test_raw_step_runs_fetches_and_feeds():
    x = tf.placeholder(tf.float32, [None])
    counter = tf.Variable(0)
    add = counter.assign_add(1)
    with tf.Session() as sess:
        sess.run(counter.initializer)
        step = _tensorflow.PreparedStep(sess, [add.op], [x * 2])
        assert step({x: [1.0, 2.0]})[0].tolist() == [2.0, 4.0]
        assert sess.run(counter) == 1


def test_a_raw_steps_error_names_its_op():
    queue = tf.FIFOQueue(1, tf.int32, name="one")
    close, take = queue.close(), queue.dequeue(name="take")
    with tf.Session() as sess:
        sess.run(close)
        with pytest.raises(tf.errors.OutOfRangeError) as caught:
            _tensorflow.PreparedStep(sess, [take.op])()
    assert caught.value.op is take.op


def test_a_finalised_graph_can_grow_for_us_and_is_final_again():
    graph = tf.get_default_graph()
    graph.finalize()
    with _tensorflow.growable(graph):
        tf.constant(1)
    assert graph.finalized
    with pytest.raises(RuntimeError, match="finalized"):
        tf.constant(1)


def test_what_tensorflow_allocates_to_add_ops_is_freed(monkeypatch):
    made, freed = [], []

    def watch(name, note):
        original = getattr(c_api, name)
        monkeypatch.setattr(c_api, name, lambda *args: note(args, original(*args)))

    def note_made(args, result):
        made.append(result)
        return result

    for kind in ("NewImportGraphDefOptions", "NewBufferFromString"):
        watch(f"TF_{kind}", note_made)
    watch("TF_GraphImportGraphDefWithResults", note_made)
    for kind in ("ImportGraphDefOptions", "Buffer", "ImportGraphDefResults"):
        watch(f"TF_Delete{kind}", lambda args, _: freed.append(args[0]))
    with op_building.new_graph().as_default() as built:
        tf.constant(7, name="seven")
    graph = tf.get_default_graph()
    op_building.graft(graph, op_building.unique_prefix(graph), built, {}, ["seven:0"])
    assert len(made) == 3
    assert {id(one) for one in made} <= {id(one) for one in freed}


def test_a_branchs_function_can_be_read():
    queue = tf.FIFOQueue(1, tf.int32)
    out = op_building.functional_cond(
        tf.placeholder(tf.bool, []), queue.dequeue, lambda: tf.constant(1)
    )
    op = next(op for op in tf.get_default_graph().get_operations() if op.type == "If")
    definition = _tensorflow.function_graph_def(
        tf.get_default_graph(), op.get_attr("then_branch").name
    )
    assert "QueueDequeueV2" in {node.op for node in definition.node_def}
    assert _tensorflow.function_graph_def(tf.get_default_graph(), "no such function") is None
    assert out is not None


def test_the_users_line_is_found():
    x = tf.constant(1)
    file, line, code = _tensorflow.creation_line(x.op)
    assert os.path.samefile(file, __file__)
    assert code == "x = tf.constant(1)"
    assert line > 0


def test_what_python_has_not_written_yet_is_held_back_too(capfd, monkeypatch):
    with open(2, "w", closefd=False) as buffered:
        monkeypatch.setattr(sys, "stderr", buffered)
        with _tensorflow.quiet_stderr():
            print("I0000 00:00:1795198558.722752    2134 port.cc:153] oneDNN custom", file=buffered)
            print("a complaint", file=buffered)
        os.write(2, b"behind it\n")
        monkeypatch.undo()
    assert capfd.readouterr().err == "a complaint\nbehind it\n"


def test_known_noise_is_dropped_and_the_rest_passed_on(capfd):
    with _tensorflow.quiet_stderr():
        os.write(2, b"I0000 00:00:1795198558.722752    2134 port.cc:153] oneDNN custom\n")
        os.write(2, b"E0000 00:00:1795198562.116930    2134 cuda_platform.cc:52] failed call\n")
        os.write(2, b"a real complaint\n")
    assert capfd.readouterr().err == "a real complaint\n"


def test_the_first_look_for_devices_is_quiet(capfd, monkeypatch):
    from tensorflow.python.eager import context

    look = context.Context._initialize_physical_devices

    def noisy(self):
        os.write(2, b"E0000 00:00:1795198562.116930    2134 cuda_platform.cc:52] failed call\n")
        self._physical_devices = []

    assert callable(look.__wrapped__)
    monkeypatch.setattr(context.Context, "_initialize_physical_devices", noisy)
    _tensorflow.find_devices_quietly()
    fresh = context.Context()
    assert fresh._physical_devices is None
    fresh._initialize_physical_devices()
    assert fresh._physical_devices == []
    assert capfd.readouterr().err == ""


def test_keras_is_lazy_and_modules_are_not():
    import tensorflow.compat.v1 as compat

    assert _tensorflow.is_lazy(vars(compat)["keras"])
    assert not _tensorflow.is_lazy(vars(compat)["train"])


def test_notes_are_kept():
    error = ValueError("x")
    _tensorflow.add_note(error, "and why")
    assert error.__notes__ == ["and why"]


def test_what_is_the_users_and_what_a_librarys():
    assert _tensorflow.is_library_file(tf.__file__)
    assert _tensorflow.is_library_file(os.__file__)
    assert _tensorflow.is_library_file(pytest.__file__)
    assert not _tensorflow.is_library_file(__file__)
    assert not _tensorflow.is_library_file("<ipython-input-1>")


def test_a_random_op_is_seeded_by_the_number_of_ops_before_it_as_in_tensorflow_1():
    """The seeds are those that 1.15.5 wrote for this graph."""
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        tf.get_variable("w", [3, 4])
        tf.Variable(tf.truncated_normal([4]))
        with tf.name_scope("tfqueue_control/"):
            tf.constant(1.0)
        tf.random_normal([2])
        tf.random_normal([2], seed=9)
    random = {"RandomUniform", "TruncatedNormal", "RandomStandardNormal"}
    assert [op.get_attr("seed2") for op in graph.get_operations() if op.type in random] == [
        3,
        13,
        22,
        9,
    ]


def test_in_tensorflow_2s_mode_seeds_are_its_own():
    with mode.being(mode.V2), tf.Graph().as_default() as graph:
        graph.seed = 1
        for _ in range(2):
            tf.random_uniform([])
    ops = [op for op in graph.get_operations() if op.type == "RandomUniform"]
    assert [op.get_attr("seed2") for op in ops] == [0, 1]


def test_a_python_function_of_the_graph_is_seen_on_the_stack():
    def called():
        frame, codes = sys._getframe(), []
        while frame is not None:
            codes.append(frame.f_code)
            frame = frame.f_back
        return _tensorflow.python_function_code() in codes

    with tf.Session() as sess:
        assert sess.run(tf.py_func(called, [], tf.bool))
    assert not called()


_COLLECTED_MEANWHILE = """
import gc, threading
from tfqueue import _tensorflow

def deep(n, event):
    return deep(n - 1, event) if n else event.wait()

for more in range(1, 100):
    event = threading.Event()
    threads = [threading.Thread(target=deep, args=(20, event)) for _ in range(4)]
    for thread in threads:
        thread.start()
    gc.disable()
    local = threading.local()
    local.itself = [local]
    del local
    gc.set_threshold(gc.get_count()[0] + more)
    gc.enable()
    assert threads[0].ident in _tensorflow.frames_of_threads()
    gc.set_threshold(700)
    event.set()
    for thread in threads:
        thread.join()
"""


def test_threads_are_looked_at_while_garbage_waits_to_be_collected():
    """Python 3.11 waits for itself where a `threading.local` is among it."""
    command = [sys.executable, "-c", _COLLECTED_MEANWHILE]
    subprocess.run(command, check=True, timeout=240)


@pytest.mark.parametrize("collects", [True, False])
def test_a_look_at_threads_leaves_garbage_collection_as_it_was(collects, monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "_current_frames", lambda: seen.append(gc.isenabled()) or {})
    try:
        if not collects:
            gc.disable()
        assert _tensorflow.frames_of_threads() == {}
        assert gc.isenabled() == collects
    finally:
        gc.enable()
    assert seen == [False]


def test_what_counts_calls_may_be_an_int32_tensor():
    two = tf.constant(2)
    data = tf.data.Dataset.range(3).map(lambda x: x + 1, num_parallel_calls=two)
    data = data.map(lambda x: x + 1, two)
    data = data.interleave(tf.data.Dataset.from_tensors, 2, num_parallel_calls=two)
    following = data.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        assert [sess.run(following) for _ in range(3)] == [2, 3, 4]


def test_map_fn_calls_the_function_that_it_is_given():
    files = []

    def twice(x):
        files.append(sys._getframe().f_code.co_filename)
        return x * 2

    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.map_fn(twice, tf.constant([1, 2]))).tolist() == [2, 4]
    assert files == [__file__]


def test_a_dimension_may_be_text():
    """An option of argparse without a type: 1.15.5 takes it."""
    assert str(tf.placeholder(tf.float32, ["4", None]).shape) == "(4, ?)"
    assert tf.Dimension(b"7") == 7
    with pytest.raises(ValueError, match="invalid literal"):
        tf.Dimension("x")
    assert (tf.TensorShape([1]) == "x") is False
    assert tf.TensorShape([1]) != "x"


def test_what_was_put_in_place_once_is_put_in_place_no_more():
    before = [getattr(owner, name) for owner, name, _ in patches._WRAPPED]
    patches.install(tf)
    assert [getattr(owner, name) for owner, name, _ in patches._WRAPPED] == before


def made_in_each_mode(swap_class):
    """Names of the classes of a layer's class, as it is made in graph mode, eager mode and graph mode."""

    class Layer:
        pass

    class LayerOfGraphs(Layer):
        pass

    class Mixed:
        pass

    class Dense(Mixed, Layer):
        pass

    class Mine(Dense):
        pass

    found = []
    for use_v2 in (False, True, False):
        assert swap_class(Mine, Layer, LayerOfGraphs, use_v2) is Mine
        found.append([kind.__name__ for kind in Mine.__mro__])
    assert swap_class(Layer, Layer, LayerOfGraphs, False) is LayerOfGraphs
    assert swap_class(LayerOfGraphs, Layer, LayerOfGraphs, True) is Layer
    return found


def test_a_layers_classes_are_chosen_as_tensorflow_chooses_them():
    ours = version_utils.swap_class
    original = ours.__wrapped__
    expected = made_in_each_mode(original)
    assert made_in_each_mode(ours) == expected
    assert expected[0] != expected[1]


def test_a_layers_classes_are_not_assigned_again():
    made = tf.layers.Dense(1), tf.keras.layers.Dense(1)
    for layer in made:
        kinds = [kind for kind in type(layer).__mro__ if kind is not object]
        bases = [kind.__bases__ for kind in kinds]
        type(layer)(1)
        assert all(kind.__bases__ is known for kind, known in zip(kinds, bases, strict=True))
