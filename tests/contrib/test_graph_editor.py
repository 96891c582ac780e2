"""`tf.contrib.graph_editor`; `graph_editor_115.json` is what TensorFlow 1.15.5 gave for the same cases."""

import importlib
import json
import pathlib
import sys

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import graph_editor_cases as cases
from tfqueue.graph import model

GIVEN = json.loads(pathlib.Path(__file__).with_name("graph_editor_115.json").read_text("utf-8"))
ge = tf.contrib.graph_editor


@pytest.mark.parametrize("case", cases.CASES, ids=lambda case: case.__name__)
def test_it_is_what_tensorflow_1_gave(case):
    with tf.Graph().as_default():
        found = json.loads(json.dumps(case(tf, ge)))
    assert found == GIVEN[case.__name__]


def test_a_walk_goes_wave_by_wave_in_the_order_of_the_graph():
    x = tf.constant(1.0, name="x")
    low = [tf.identity(x, name=f"low{i}") for i in range(20)]
    total = tf.add_n(low, name="total")
    names = [op.name for op in ge.get_forward_walk_ops([x])]
    assert names == [f"low{i}" for i in range(20)] + ["total"]
    assert [op.name for op in ge.get_backward_walk_ops(total)] == ["total", *names[:-1], "x"]


def recomputed_gradients(y, xs, checkpoints):
    """Gradients for which what lies between checkpoints is computed anew, as in the papers' programs."""
    forward = ge.get_forward_walk_ops([x.op for x in xs], inclusive=True)
    slope, slopes = None, [None] * len(xs)
    ends = [*checkpoints, y]
    for number in reversed(range(len(ends))):
        end, before = ends[number], ends[number - 1 : number] if number else []
        part = ge.get_backward_walk_ops(
            [end.op], inclusive=True, within_ops=forward, stop_at_ts=before
        )
        part = [op for op in part if op not in [x.op for x in xs]]
        _, info = ge.copy_with_input_replacements(ge.sgv(part), {})
        kept = [tf.stop_gradient(t) for t in before]
        ge.reroute_ts(kept, before, can_modify=list(info._transformed_ops.values()))
        for origin, op in info._transformed_ops.items():
            op._set_device(origin.node_def.device)
            if slope is not None and not op.control_inputs:
                ge.add_control_inputs(op, [slope.op])
        found = tf.gradients(info.transformed(end), kept + xs, grad_ys=slope)
        slope = found[0] if kept else None
        for place, each in enumerate(found[len(kept) :]):
            if each is not None:
                old = slopes[place]
                slopes[place] = each if old is None else old + each
    return slopes


@pytest.mark.parametrize("resource", [False, True])
def test_gradients_with_what_is_between_computed_anew_are_the_plain_ones(resource):
    x = tf.constant(np.sin(np.arange(12.0)).reshape(4, 3).astype(np.float32))
    kept, h = [], x
    for layer in range(6):
        with tf.variable_scope(f"layer{layer}", use_resource=resource):
            start = tf.random_uniform_initializer(-1, 1, seed=layer)
            w = tf.get_variable("w", [3, 3], initializer=start)
            h = tf.nn.tanh(tf.matmul(h, w) + tf.get_variable("b", [3], initializer=start))
        if layer in (1, 3):
            kept.append(h)
    y = tf.reduce_sum(h * h)
    xs = tf.trainable_variables()
    starts = [v.handle if resource else v for v in xs]
    found = recomputed_gradients(y, starts, kept)
    assert "layer4/Tanh_1" in [op.name for op in y.graph.get_operations()]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        plain, anew = sess.run([tf.gradients(y, xs), found])
    for one, other in zip(plain, anew, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_modules_are_imported_by_their_old_names():
    for name in ("edit", "reroute", "select", "subgraph", "transform", "util"):
        module = importlib.import_module(f"tfqueue.v1.contrib.graph_editor.{name}")
        assert getattr(ge, name) is module is sys.modules[f"tfqueue.contrib.graph_editor.{name}"]


def test_the_queue_of_an_op_is_not_changed_afterwards():
    one, other = (tf.FIFOQueue(1, tf.float32, shapes=[[]]) for _ in range(2))
    one.enqueue(1.0)
    with pytest.raises(NotImplementedError, match="build the op with the other one"):
        ge.swap_ts([one.queue_ref], [other.queue_ref])


def test_a_pipeline_that_is_rerouted_reads_what_it_has_now():
    old, new = tf.constant([1.0, 2.0]), tf.constant([5.0, 6.0])
    one = tf.train.slice_input_producer([old], shuffle=False, num_epochs=1)[0]
    batch = tf.train.batch([one * 10.0], 2)
    ge.reroute_ts(new, old)
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(batch).tolist() == [50.0, 60.0]
        coord.request_stop()
        coord.join(threads)


def test_what_an_op_takes_is_looked_at_again_after_a_change():
    queues = [tf.FIFOQueue(1, tf.float32, shapes=[[]], name=name) for name in ("one", "two")]
    taken, other = (queue.dequeue() for queue in queues)
    loss = tf.square(taken)
    pipeline = model.Pipeline(tf.get_default_graph())

    def takes():
        return [take.queue.op.name for take in pipeline.demand([loss.op]).takes]

    assert takes() == ["one"]
    ge.reroute_ts(other, taken)
    assert takes() == ["two"]
    ge.add_control_inputs(loss.op, taken.op)
    assert sorted(takes()) == ["one", "two"]
    ge.remove_control_inputs(loss.op, taken.op)
    assert takes() == ["two"]
