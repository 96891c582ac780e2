"""`tf.contrib.mixed_precision`, `checkpoint`, `copy_graph` and `autograph` give what they gave in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneError

pytestmark = pytest.mark.slow
contrib = tf.contrib
mixed = contrib.mixed_precision
NAN, INF = np.nan, np.inf
# what each step is fed; the variable, the factor and the global step behind it
GROWING = [
    (0.5, [0.75, 1.5], 8, 1),
    (0.1, [0.517500043, 1.035000086], 32, 2),
    (0.1, [0.303075075, 0.60615015], 32, 3),
    (NAN, [0.303075075, 0.60615015], 32, 3),
    (0.1, [0.107061848, 0.214123696], 32, 4),
    (INF, [0.107061848, 0.214123696], 8, 4),
    (0.1, [-0.070420668, -0.140841335], 8, 5),
    (INF, [-0.070420668, -0.140841335], 8, 5),
    (INF, [-0.070420668, -0.140841335], 2, 5),
    (NAN, [-0.070420668, -0.140841335], 2, 5),
    (NAN, [-0.070420668, -0.140841335], 1, 5),
]
FIXED = [
    (0.5, [0.75, 1.5], 128, 1),
    (INF, [0.75, 1.5], 128, 1),
    (0.25, [0.478125006, 0.956250012], 128, 2),
]


@pytest.mark.parametrize(
    ("make", "steps"),
    [
        (lambda: mixed.ExponentialUpdateLossScaleManager(8.0, 2, 2, 4, 0.25), GROWING),
        (lambda: mixed.FixedLossScaleManager(128.0), FIXED),
    ],
)
def test_a_loss_is_scaled_as_in_1_15(make, steps):
    with tf.Graph().as_default(), tf.Session() as sess:
        manager, x = make(), tf.placeholder(tf.float32)
        step = tf.train.create_global_step()
        v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3.0, name="w")
        loss = tf.reduce_sum(tf.square(v * x)) + w * w
        optimizer = mixed.LossScaleOptimizer(tf.train.MomentumOptimizer(0.5, 0.9), manager)
        pairs = optimizer.compute_gradients(loss, [v, w])
        train = optimizer.apply_gradients(pairs, step)
        names = [each.op.name for each in tf.global_variables()]
        sess.run(tf.global_variables_initializer())
        assert sess.run(pairs[0][0], {x: 0.5}).tolist() == [0.5, 1]
        for fed, value, factor, count in steps:
            sess.run(train, {x: fed})
            found = sess.run([v, manager.get_loss_scale(), step])
            np.testing.assert_allclose(found[0], value, rtol=1e-6)
            assert found[1:] == [factor, count]
    own = ["loss_scale", "good_steps", "bad_steps"] if steps is GROWING else []
    assert names == [*own, "global_step", "v", "w", "v/Momentum", "w/Momentum"]


def test_a_factor_does_not_become_infinite():
    with tf.Graph().as_default(), tf.Session() as sess:
        manager = mixed.ExponentialUpdateLossScaleManager(1e38, 1, incr_ratio=10)
        update = manager.update_loss_scale(tf.constant(True))
        sess.run(tf.global_variables_initializer())
        sess.run(update)
        assert sess.run(manager.get_loss_scale()) == np.float32(1e38)
    with pytest.raises(ValueError, match="at least 1"):
        mixed.FixedLossScaleManager(0.5)


def test_the_variables_of_a_step_have_the_names_of_1_15():
    with tf.Graph().as_default():
        v = tf.Variable(2.0)
        manager = mixed.ExponentialUpdateLossScaleManager(8, 2)
        mixed.LossScaleOptimizer(tf.train.AdamOptimizer(0.1), manager).minimize(v * v)
        assert [each.op.name for each in tf.global_variables()[4:]] == [
            *("cond/beta1_power", "cond/beta2_power", "Variable/Adam", "Variable/Adam_1")
        ]


def test_a_checkpoint_has_the_keys_of_1_15(tmp_path):
    checkpoint = contrib.checkpoint
    with tf.Graph().as_default(), tf.Session() as sess:

        class Model(checkpoint.Checkpointable):
            def __init__(self):
                self.t = checkpoint.UniqueNameTracker()
                for name in ("x", "x", "y", "x_1"):
                    assert self.t.track(tf.Variable(1.0), name) is not None
                self.l = checkpoint.List([tf.Variable(5.0)])
                self.m = checkpoint.Mapping(q=tf.Variable(6.0))
                self.n = checkpoint.NoDependency(tf.Variable(7.0))
                self.p = [tf.Variable(8.0)]

        model = Model()
        sess.run(tf.global_variables_initializer())
        saved = tf.train.Checkpoint(m=model)
        sess.run(saved.save_counter.initializer)
        path = saved.save(str(tmp_path / "ck"), session=sess)
        with pytest.raises(ValueError, match="can't be saved"):
            model.t.track(3, "three")
    keys = [
        name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE")
        for name, _ in tf.train.list_variables(path)
    ]
    assert sorted(keys) == [
        *("_CHECKPOINTABLE_OBJECT_GRAPH", "m/l/0", "m/m/q", "m/p/0"),
        *("m/t/x", "m/t/x_1", "m/t/x_1_1", "m/t/y", "save_counter"),
    ]
    assert len(checkpoint.list_objects(model)) == 12
    assert len(checkpoint.object_metadata(path).nodes) == 14
    assert isinstance(checkpoint.object_metadata(path), checkpoint.CheckpointableObjectGraph)
    with pytest.raises(GoneError, match="train"):
        _ = checkpoint.NumpyState


def test_ops_and_variables_are_copied_as_in_1_15():
    copies = contrib.copy_graph
    graph = tf.Graph()
    with tf.Graph().as_default():
        with tf.variable_scope("s"):
            w = tf.get_variable("w", initializer=[[2.0], [3.0]])
            x = tf.placeholder(tf.float32, [None, 2], name="x")
        tf.add_to_collection("mine", w)
        with tf.control_dependencies([tf.no_op(name="first")]):
            y = tf.nn.relu(tf.matmul(x, w) + tf.constant(1.0, name="one"), name="y")
        tf.add_to_collection("ys", y)
        z = tf.add_n(tf.split(y, [1], axis=1, name="parts"), name="z")
        copied = copies.copy_variable_to_graph(w, graph, "n")
        last = copies.copy_op_to_graph(z, graph, [copied], "n")
    assert copies.copy_op_to_graph(y.op, graph, [copied], "n") is copies.get_copied_op(
        y.op, graph, "n"
    )
    with pytest.raises(TypeError, match="no op"):
        copies.copy_op_to_graph("y", graph, [])
    with pytest.raises(TypeError, match="no variable"):
        copies.copy_variable_to_graph(y, graph)
    assert sorted(op.name.removeprefix("n/") for op in graph.get_operations()) == [
        *("Const", "MatMul", "add", "first", "one", "parts", "parts/split_dim"),
        *("s/w", "s/w/Assign", "s/w/initial_value", "s/w/read", "s/x", "y", "z"),
    ]
    assert [op.name for op in copies.get_copied_op(y.op, graph, "n").inputs[0].op.inputs] == [
        *("n/MatMul:0", "n/one:0")
    ]
    assert len(graph.get_collection("n/ys")) == len(graph.get_collection("n/mine")) == 1
    with tf.Session(graph=graph) as sess:
        sess.run(copied.initializer)
        assert sess.run(last, {"n/s/x:0": [[1.0, 1.0], [-5.0, 0.0]]}).tolist() == [[6], [0]]


def test_python_becomes_ops():
    auto = contrib.autograph

    def total(x):
        s = 0
        while x > 0:
            if x % 2 < 1:
                s += x
            x -= 1
        return s

    @auto.convert(recursive=True)
    def without_three(x):
        t = tf.constant(0)
        for i in tf.range(x):
            if tf.equal(i, 3):
                continue
            t += i
        return t

    with tf.Graph().as_default(), tf.Session() as sess:
        made = auto.to_graph(total)(tf.constant(9)), without_three(tf.constant(7))
        assert sess.run(made) == (20, 18)
    with pytest.raises(GoneError, match="to_graph"):
        _ = auto.RunMode
