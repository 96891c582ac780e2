"""Whatever TensorFlow may take away, a runner goes on with one example a step, and says so once."""

import itertools
import threading

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import _tensorflow, accelerate
from tfqueue._tensorflow import op_building
from tfqueue.accelerate import Strategy, tuner

CALLS = [
    "pfor_module",
    "vectorize",
    "has_converter",
    "new_graph",
    "functional_cond",
    "copy_op",
    "graft",
]


def with_a_cond():
    number = tf.train.range_input_producer(40, num_epochs=1, shuffle=False).dequeue()
    even = tf.cond(tf.equal(number % 2, 0), lambda: number, lambda: -number)
    return tf.train.batch([even], 1, capacity=50, name="last")


def ragged():
    number = tf.train.range_input_producer(40, num_epochs=1, shuffle=False).dequeue()
    return tf.reduce_sum(tf.train.batch([tf.range(number)], 1, dynamic_pad=True, name="last"))


def ragged_by_a_cond():
    number = tf.train.range_input_producer(40, num_epochs=1, shuffle=False).dequeue()
    part = tf.cond(tf.equal(number % 2, 0), lambda: tf.range(number), lambda: tf.range(3))
    return tf.train.batch([part], 1, dynamic_pad=True, name="last")


def run(build):
    with tf.Graph().as_default() as graph:
        batch = build()
        with tfqueue.managed_session(chunks=8) as sess:
            got = [part.tolist() for part in sess.batches(batch)]
    ((strategy, text),) = list(accelerate.reports_of(graph).values())[-1].values()
    return got, strategy, text


def take_away(monkeypatch, name):
    original, taken = getattr(op_building, name), []

    def gone(*arguments, **named):
        # What a session needs to end itself is not the accelerator's.
        if name == "graft" and not arguments[1].startswith(_tensorflow.CHUNK_SCOPE):
            return original(*arguments, **named)
        taken.append(name)
        raise AttributeError(f"module 'tensorflow' has no attribute {name!r}")

    monkeypatch.setattr(op_building, name, gone)
    return taken


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_is_gone(name, monkeypatch):
    expected, strategy, _ = run(with_a_cond)
    assert strategy == Strategy.CHUNK
    taken = take_away(monkeypatch, name)
    found, strategy, text = run(with_a_cond)
    assert taken
    assert found == expected
    assert strategy != Strategy.CHUNK
    assert "TensorFlow cannot" in text or "building it failed" in text


@pytest.mark.parametrize("name", ["graft", "dataflow_loop"])
def test_a_loop_that_cannot_be_built(name, monkeypatch):
    expected, strategy, _ = run(ragged)
    assert strategy == Strategy.LOOP
    taken = take_away(monkeypatch, name)
    found, strategy, text = run(ragged)
    assert taken
    assert (found, strategy) == (expected, Strategy.SINGLE)
    assert "TensorFlow cannot loop over it" in text


def test_conds_of_which_nothing_is_known(monkeypatch):
    """Where an op no longer tells in which branch it stands, an old cond is left alone."""
    monkeypatch.setattr(op_building, "cond_context", lambda op: None)
    found, strategy, _ = run(with_a_cond)
    assert found == [[n if n % 2 == 0 else -n] for n in range(40)]
    assert strategy != Strategy.CHUNK


def test_a_second_session_on_a_graph_adds_no_ops(monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", "8")
    # A loop has two forms, and what an example costs in a session says which one it runs.
    monkeypatch.setattr(tuner, "_LIGHT", 0.0)
    for build in (with_a_cond, ragged):
        with tf.Graph().as_default() as graph:
            batch, counts = build(), []
            initial = tf.group(tf.local_variables_initializer(), tf.global_variables_initializer())
            for _ in range(3):
                with tf.Session() as sess:
                    sess.run(initial)
                    coord = tf.train.Coordinator()
                    threads = tf.train.start_queue_runners(sess, coord)
                    for _ in range(20):
                        sess.run(batch)
                    coord.request_stop()
                    coord.join(threads)
                names = [op.name for op in graph.get_operations()]
                counts.append(sum(name.startswith(_tensorflow.CHUNK_SCOPE) for name in names))
            assert counts[0] > 0
            assert counts[0] == counts[1] == counts[2]


def chosen_from(constant):
    """A row and a sum for each number; the constant is looked at, sliced, put and used in a cond."""
    number = tf.train.range_input_producer(40, num_epochs=1, shuffle=False).dequeue()
    kept = tf.constant(constant)
    row = tf.gather(kept, number)
    total = tf.cond(tf.equal(number % 2, 0), lambda: _whole(kept), lambda: kept[7, 1])
    return row, total, kept


def _whole(kept):
    return kept[1, 7] if kept.dtype == tf.string else tf.reduce_sum(kept)


def as_a_chunk(row, total, kept):
    return tf.train.batch([row, total, kept], 1, capacity=50, name="last")


def side_by_side(row, total, kept):
    row = tf.reshape(tf.boolean_mask(row, row > 0), [-1])  # of no settled length
    return tf.train.batch([row, total, kept], 1, capacity=50, dynamic_pad=True, name="last")


def bytes_of_nodes(graph):
    """Bytes of all ops of a graph, and of the functions they call; `as_graph_def` leaves ours out."""
    nodes = [op.node_def for op in graph.get_operations()]
    called = {name for node in nodes for name in op_building.functions_called(node)}
    bodies = [_tensorflow.function_graph_def(graph, name) for name in called]
    return sum(part.ByteSize() for part in nodes + bodies)


LARGE = np.arange(1, 40_001, dtype=np.float32).reshape(40, 1000)


@pytest.mark.parametrize(
    ("build", "put", "strategy"),
    [
        (lambda: chosen_from(LARGE), as_a_chunk, Strategy.CHUNK),
        (lambda: chosen_from(LARGE), side_by_side, Strategy.LOOP),
        (lambda: chosen_from(np.full([40, 20], "x" * 200)), as_a_chunk, Strategy.CHUNK),
    ],
    ids=["numbers", "numbers side by side", "strings"],
)
def test_the_graph_gets_no_copy_of_a_large_constant(build, put, strategy):
    got = []
    for chunks in (0, 8):
        with tf.Graph().as_default() as graph:
            batch = put(*build())
            before = bytes_of_nodes(graph)
            with tfqueue.managed_session(chunks=chunks) as sess:
                got.append([[part.tolist() for part in parts] for parts in sess.batches(batch)])
            assert bytes_of_nodes(graph) < before + LARGE.nbytes
    assert list(accelerate.reports_of(graph).values())[-1].popitem()[1][0] == strategy
    assert got[0] == got[1]
    assert len(got[0]) == 40


@pytest.mark.parametrize("build", [with_a_cond, ragged])
def test_the_graph_gets_what_a_step_needs_and_no_more(build):
    with tf.Graph().as_default() as graph:
        batch = build()
        with tfqueue.managed_session(chunks=8) as sess:
            assert len(list(sess.batches(batch))) == 40
        ops = [o for o in graph.get_operations() if o.name.startswith(_tensorflow.CHUNK_SCOPE)]
    given = {op.name.rpartition("/")[2] for op in ops if op.type == "Placeholder"}
    assert ops
    assert given <= {"size", "key", "take"} or all(name.startswith("given") for name in given)
    constants = [op for op in ops if op.type == "Const" and not op.control_inputs]
    assert all(op.outputs[0].consumers() for op in constants)
    # Of several runners each has its own step, and what stands on another device is another's.
    values = [(o.name.split("/")[1], o.device, str(o.node_def.attr["value"])) for o in constants]
    assert len(set(values)) == len(values)


@pytest.mark.parametrize("build", [with_a_cond, ragged])
def test_what_a_program_puts_on_a_device_stays_there(build):
    """As all that reads, on the CPU, beside a GPU that trains; what is kept is kept on the CPU."""
    with tf.Graph().as_default() as graph:
        with tf.device("/cpu:1"):
            batch = build()
        config = tf.ConfigProto(device_count={"CPU": 2})
        with tfqueue.managed_session(chunks=8, config=config) as sess:
            assert len(list(sess.batches(batch))) == 40
        added = [o for o in graph.get_operations() if o.name.startswith(_tensorflow.CHUNK_SCOPE)]
    assert added
    elsewhere = {op.type for op in added if op.device != "/device:CPU:1"}
    assert elsewhere <= {"Const", "Range", "MapStage", "MapPeek", "MapUnstage", "NoOp"}


def written(graph):
    """What others get of a graph, but for what a `Saver` adds."""
    definition = graph.as_graph_def(add_shapes=True)
    nodes = {node.name: node for node in definition.node if not node.name.startswith("save/")}
    return nodes, {function.signature.name: function for function in definition.library.function}


@pytest.mark.parametrize("build", [with_a_cond, ragged_by_a_cond])
def test_a_graph_that_was_run_is_saved_and_read_as_it_was_built(build, tmp_path, monkeypatch):
    """And saved again, by another process, which counts its ops from the start."""
    with tf.Graph().as_default() as graph:
        name = build().name
        tf.get_variable("variable", initializer=3)
        tf.train.Saver()
        tf.global_variables_initializer(), tf.local_variables_initializer()
        built = written(graph)
        tf.train.export_meta_graph(str(tmp_path / "model-0.meta"))
    delivered = []
    for count in range(3):
        monkeypatch.setattr(op_building, "_numbers", itertools.count())
        with tf.Graph().as_default() as graph:
            saver = tf.train.import_meta_graph(str(tmp_path / f"model-{count}.meta"))
            with tf.Session() as sess, monkeypatch.context() as patch:
                patch.setenv("TFQUEUE_CHUNKS", "8")
                sess.run(["init", "init_1"])
                coord = tf.train.Coordinator()
                threads = tf.train.start_queue_runners(sess, coord)
                delivered.append([sess.run(name).tolist() for _ in range(40)])
                with pytest.raises(tf.errors.OutOfRangeError):
                    sess.run(name)
                saver.save(sess, str(tmp_path / "model"), count + 1)
                coord.request_stop()
                coord.join(threads)
            tf.summary.FileWriter(str(tmp_path), graph).close()
            assert any(o.name.startswith(_tensorflow.CHUNK_SCOPE) for o in graph.get_operations())
            assert written(graph) == built
    assert delivered[0] == delivered[1] == delivered[2]


def test_a_graph_is_not_written_while_ops_of_ours_come_in(monkeypatch):
    """Who writes it holds its lock, and would find ops that Python does not know yet."""
    original, free = op_building._leave_out, []

    def look(lock):
        free.append(lock.acquire(blocking=False))
        if free[-1]:
            lock.release()

    def leave_out(graph, functions):
        original(graph, functions)
        other = threading.Thread(target=look, args=(graph._lock,))
        other.start()
        other.join()

    monkeypatch.setattr(op_building, "_leave_out", leave_out)
    with tf.Graph().as_default():
        batch = with_a_cond()
        with tfqueue.managed_session(chunks=8) as sess:
            assert len(list(sess.batches(batch))) == 40
    assert free
    assert not any(free)


def test_a_name_that_a_graph_has_already_is_not_given_again(monkeypatch):
    with tf.Graph().as_default() as graph:
        monkeypatch.setattr(op_building, "_numbers", itertools.count())
        for number in range(2):
            tf.no_op(name=f"{op_building.CHUNK_SCOPE}{number}/step")
        assert op_building.unique_prefix(graph) == f"{op_building.CHUNK_SCOPE}2"


def test_ops_of_ours_that_a_graph_brings_along_are_none_of_the_programs(monkeypatch):
    """As of a graph that was copied op by op, or written without leaving them out."""
    with tf.Graph().as_default() as graph:
        number = tf.train.range_input_producer(40, num_epochs=1, shuffle=False).dequeue()
        batch = tf.train.batch([number * 2], 1, capacity=50, name="last")
        with tfqueue.managed_session(chunks=8) as sess:
            expected = [part.tolist() for part in sess.batches(batch)]
        whole = type(graph)._as_graph_def(graph)[0]
        runners = [runner.to_proto() for runner in graph.get_collection("queue_runners")]
        epochs = [variable.to_proto() for variable in graph.get_collection("local_variables")]
    monkeypatch.setattr(op_building, "_numbers", itertools.count())
    for scope in ("", "copy"):
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(whole, name=scope)
            front = f"{scope}/" if scope else ""
            for proto in epochs:
                tf.add_to_collection("local_variables", tf.Variable.from_proto(proto, scope))
            for proto in runners:
                tf.train.add_queue_runner(tf.train.QueueRunner.from_proto(proto, scope))
            with tfqueue.managed_session(chunks=8) as sess:
                again = sess.batches(graph.get_tensor_by_name(front + batch.name))
                assert [part.tolist() for part in again] == expected
            strategy, text = list(accelerate.reports_of(graph).values())[-1].popitem()[1]
            assert strategy != Strategy.SINGLE, text
