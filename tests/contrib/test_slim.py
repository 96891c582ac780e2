"""`tf.contrib.slim`, `layers`, `framework`, `losses`, `metrics`: tf_slim on today's TensorFlow."""

import ast
import contextlib
import importlib
import pathlib
import sys
import types

import numpy as np
import pytest
import tensorflow

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.contrib import _slim_patches
from tfqueue.names import gone_contrib as gone
from tfqueue.names import modules
from tfqueue.v1 import _lazy_names, _namespace

tf_slim = pytest.importorskip(
    "tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'", exc_type=ImportError
)
slim = importlib.import_module("tfqueue.v1.contrib.slim")
MODULES = sorted(
    path.relative_to(pathlib.Path(tf_slim.__file__).parent.parent)
    for path in pathlib.Path(tf_slim.__file__).parent.rglob("*.py")
    if not path.name.endswith(("_test.py", "__init__.py", "test_utils.py"))
)


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_every_name_that_tf_slim_takes_from_tensorflow_is_there(path):
    name = ".".join(path.with_suffix("").parts)
    module = _lazy_names.slim(name)
    source = pathlib.Path(module.__file__).read_text("utf-8")
    missing = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        owner = getattr(module, node.value.id, None)
        if isinstance(owner, type(sys)) and not hasattr(owner, node.attr):
            missing.append(f"{node.lineno}: {node.value.id}.{node.attr}")
    assert missing == []


def test_all_three_ways_to_say_slim():
    from tfqueue.v1.contrib import slim as one

    assert one is tf.contrib.slim is slim
    assert slim.nets.vgg.__name__ == "tf_slim.nets.vgg"


@pytest.mark.parametrize(
    "address",
    [
        "slim.python.slim.learning:train",
        "slim.python.slim.queues:QueueRunners",
        "slim.python.slim.evaluation:evaluate_once",
        "slim.python.slim.data.tfexample_decoder:TFExampleDecoder",
        "slim.python.slim.data.dataset_data_provider:DatasetDataProvider",
        "slim.python.slim.data.prefetch_queue:prefetch_queue",
        "slim.python.slim.data.parallel_reader:parallel_read",
        "slim.python.slim.nets:resnet_v1",
        "slim.python.slim:learning",
        "slim.nets:inception",
        "layers.python.layers:conv2d",
        "layers.python.layers.initializers:xavier_initializer",
        "layers.python.layers.regularizers:l2_regularizer",
        "layers.python.layers.layers:batch_norm",
        "layers.python.layers.utils:collect_named_outputs",
        "framework.python.ops:arg_scope",
        "framework.python.ops:add_arg_scope",
        "framework.python.ops.variables:get_or_create_global_step",
        "losses:softmax_cross_entropy",
        "losses.metric_learning:triplet_semihard_loss",
        "metrics:streaming_accuracy",
        "metrics:set_intersection",
        "layers:optimize_loss",
        "layers:variance_scaling_initializer",
        "layers:summarize_activation",
        "layers:group_norm",
        "slim:tfexample_decoder",
        "slim:parallel_reader",
        "slim:model_analyzer",
        "slim:l2_regularizer",
        "slim:get_or_create_global_step",
        "framework:nest",
        "framework:get_name_scope",
        "framework:smart_cond",
    ],
)
def test_an_old_address(address):
    package, _, name = address.partition(":")
    try:
        module = importlib.import_module(f"tfqueue.v1.contrib.{package}")
    except ModuleNotFoundError:
        parent, _, last = package.rpartition(".")
        module = getattr(importlib.import_module(f"tfqueue.v1.contrib.{parent}"), last)
    assert getattr(module, name) is not None


def test_without_tf_slim_the_error_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "tf_slim"]:
        monkeypatch.setitem(sys.modules, name, None)
    for name in [name for name in sys.modules if "contrib.layers" in name]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(errors.MissingExtraError, match=r"pip install 'tfqueue\[slim\]'"):
        importlib.import_module("tfqueue.v1.contrib.layers")
    with pytest.raises(ImportError, match=r"tf\.contrib\.metrics\.streaming_mean"):
        tf.contrib.metrics.streaming_mean  # noqa: B018
    assert tf.contrib.framework.get_or_create_global_step() is not None  # needs no tf_slim


@pytest.mark.parametrize("row", gone.PACKAGES, ids=lambda row: row.old)
def test_a_package_that_is_gone_says_so(row):
    with pytest.raises(AttributeError, match=rf"tf\.contrib\.{row.old} is gone since"):
        getattr(tf.contrib, row.old)
    with pytest.raises(ImportError) as raised:
        exec(f"try:\n from tfqueue.v1.contrib import {row.old}\nfinally:\n pass")
    assert row.use in str(raised.value)
    assert row.old not in tf.contrib.PARTS


@pytest.mark.parametrize("row", gone.TABLES["layers"], ids=lambda row: row.old)
def test_a_name_of_layers_that_is_gone_says_so(row):
    with pytest.raises(AttributeError, match=rf"tf\.contrib\.layers\.{row.old} is gone since"):
        getattr(tf.contrib.layers, row.old)


@pytest.fixture
def dataset(records):
    """A slim `Dataset` of 60 examples: three bright places, three classes."""
    rng = np.random.default_rng(0)
    payloads = []
    for number in range(60):
        label = number % 3
        image = rng.integers(0, 60, (6, 6, 1))
        image[:, 2 * label : 2 * label + 2] += 150
        example = tf.train.Example()
        feature = example.features.feature
        feature["image/raw"].bytes_list.value.append(image.astype(np.uint8).tobytes())
        feature["image/class/label"].int64_list.value.append(label)
        feature["number"].int64_list.value.append(number)
        payloads.append(example.SerializeToString())
    path = records(payloads, "train-0.tfrecord")
    keys = {
        "image/raw": tf.FixedLenFeature([], tf.string),
        "image/class/label": tf.FixedLenFeature([], tf.int64),
        "number": tf.FixedLenFeature([], tf.int64),
    }
    items = {
        "raw": slim.tfexample_decoder.Tensor("image/raw"),
        "label": slim.tfexample_decoder.Tensor("image/class/label"),
        "number": slim.tfexample_decoder.Tensor("number"),
    }
    return slim.dataset.Dataset(
        data_sources=path,
        reader=tf.TFRecordReader,
        decoder=slim.tfexample_decoder.TFExampleDecoder(keys, items),
        num_samples=60,
        items_to_descriptions={},
    )


def test_a_data_provider_gives_every_example_once_an_epoch(dataset):
    provider = slim.dataset_data_provider.DatasetDataProvider(
        dataset, num_epochs=1, shuffle=False, common_queue_capacity=20, common_queue_min=5
    )
    number, label = provider.get(["number", "label"])
    runners = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    assert runners
    assert all(type(runner) is tf.train.QueueRunner for runner in runners)
    with tfqueue.managed_session() as sess:
        pairs = [tuple(map(int, pair)) for pair in sess.batches([number, label])]
    assert sorted(pairs) == [(n, n % 3) for n in range(60)]


def test_queue_runners_for_a_block_and_the_true_cause_of_a_failure(dataset, records):
    number = tf.train.range_input_producer(3, shuffle=False).dequeue()
    with tf.Session() as sess, slim.queues.QueueRunners(sess):
        assert [sess.run(number) for _ in range(4)] == [0, 1, 2, 0]
        with pytest.raises(slim.queues.NestedQueueRunnerError), slim.queues.QueueRunners(sess):
            pass
    missing = tf.train.string_input_producer(["no/such/file"])
    _, record = tf.TFRecordReader().read(missing)
    batch = tf.train.batch([record], 2)
    with (
        tf.Session() as sess,
        pytest.raises(tf.errors.NotFoundError, match="no/such/file"),
        slim.queues.QueueRunners(sess),
    ):
        sess.run(batch)


def batches(dataset):
    provider = slim.dataset_data_provider.DatasetDataProvider(
        dataset, common_queue_capacity=60, common_queue_min=20
    )
    raw, label = provider.get(["raw", "label"])
    image = tf.cast(tf.reshape(tf.decode_raw(raw, tf.uint8), [6, 6, 1]), tf.float32) / 255
    images, labels = tf.train.batch([image, label], 15, capacity=60)
    queue = slim.prefetch_queue.prefetch_queue([images, labels], capacity=2)
    return queue.dequeue()


def network(images, training):
    with (
        slim.arg_scope([slim.conv2d], weights_regularizer=slim.l2_regularizer(1e-4)),
        slim.arg_scope([slim.batch_norm], is_training=training, decay=0.9),
    ):
        net = slim.conv2d(images, 8, [3, 3], normalizer_fn=slim.batch_norm)
        net = slim.max_pool2d(net, [2, 2])
        net = slim.dropout(slim.flatten(net), 0.9, is_training=training)
        return slim.fully_connected(net, 3, activation_fn=None)


def test_slims_own_loop_trains_a_little_network_from_the_queues(dataset, tmp_path):
    tf.set_random_seed(1)
    images, labels = batches(dataset)
    logits = network(images, training=True)
    slim.losses.sparse_softmax_cross_entropy(logits, labels)
    total = slim.losses.get_total_loss()
    step = slim.learning.create_train_op(total, tf.train.AdamOptimizer(0.02))
    names = {variable.op.name for variable in slim.get_model_variables()}
    assert {"Conv/weights", "Conv/BatchNorm/moving_mean", "fully_connected/biases"} <= names
    losses = []

    def noted(sess, op, global_step, kwargs):
        loss, stop = slim.learning.train_step(sess, op, global_step, kwargs)
        losses.append(loss)
        return loss, stop

    slim.learning.train(
        step,
        str(tmp_path),
        train_step_fn=noted,
        number_of_steps=40,
        log_every_n_steps=1000,
        save_summaries_secs=None,
    )
    assert len(losses) == 40
    assert np.mean(losses[-5:]) < np.mean(losses[:3]) / 3
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-40")


def test_slims_own_loop_supervises_the_queues_of_a_graph_that_is_given_by_position():
    with tf.Graph().as_default() as graph:
        queue = tf.FIFOQueue(9, tf.float32, shapes=[[]])
        plain = tensorflow.compat.v1.train.QueueRunner(queue, [queue.enqueue(3.0)])
        tensorflow.compat.v1.train.add_queue_runner(plain)
        loss = tf.get_variable("w", initializer=1.0) * queue.dequeue()
        step = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1))
    taken = []

    def noted(sess, *_):
        taken.append(sess.run(loss.op.inputs[1]))
        return taken[-1], len(taken) == 3

    assert slim.learning.train(step, None, noted, {}, 100, graph) == 3
    assert taken == [3, 3, 3]
    [runner] = graph.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    assert type(runner) is tf.train.QueueRunner


@pytest.mark.parametrize("how", ["constant", "placeholder"])
def test_batch_norm_follows_its_batches(how):
    x = tf.constant(np.random.default_rng(0).normal(3, 2, (16, 4)).astype(np.float32))
    training = tf.placeholder(tf.bool, []) if how == "placeholder" else True
    feed = {training: True} if how == "placeholder" else {}
    y = slim.batch_norm(x, is_training=training, decay=0.0, updates_collections=None, scale=True)
    [mean] = [v for v in tf.global_variables() if v.op.name == "BatchNorm/moving_mean"]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert abs(sess.run(y, feed).mean()) < 1e-3
        np.testing.assert_allclose(sess.run(mean), sess.run(x).mean(0), rtol=1e-3)


def test_streaming_metrics_take_predictions_first():
    accuracy, update = tf.contrib.metrics.streaming_accuracy(
        tf.constant([0, 1, 2, 2]), tf.constant([0, 1, 1, 2])
    )
    precision, follow = tf.contrib.metrics.streaming_precision(
        tf.constant([1, 1, 0, 1]), tf.constant([1, 0, 0, 1])
    )
    iou, third = tf.contrib.metrics.streaming_mean_iou(
        tf.constant([0, 1, 1]), tf.constant([0, 1, 0]), 2
    )
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        sess.run([update, follow, third])
        assert sess.run([accuracy, precision, iou]) == pytest.approx([0.75, 2 / 3, 0.5])


def test_optimize_loss_and_regularizers():
    tf.train.get_or_create_global_step()
    weight = tf.get_variable(
        "w",
        [4],
        initializer=tf.ones_initializer(),
        regularizer=tf.contrib.layers.l2_regularizer(1.0),
    )
    [penalty] = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    step = tf.contrib.layers.optimize_loss(
        penalty + 0 * tf.reduce_sum(weight),
        tf.train.get_global_step(),
        0.5,
        "SGD",
        clip_gradients=1.0,
    )
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        before = sess.run(penalty)
        for _ in range(5):
            sess.run(step)
        assert before == pytest.approx(2.0)
        assert sess.run(penalty) < 0.5
        assert sess.run(tf.train.get_global_step()) == 5


@pytest.mark.parametrize("space", ["contrib.layers", "contrib.slim"])
def test_conv2d_takes_any_rank_as_up_to_1_8(space):
    layers = _namespace.member(tf, space)
    with tf.Graph().as_default():
        line = layers.conv2d(tf.zeros([2, 7, 3]), num_outputs=4, kernel_size=3)
        plane = layers.conv2d(tf.zeros([2, 7, 7, 3]), 4, 3)
        cube = layers.conv2d(tf.zeros([2, 5, 5, 5, 3]), 4, 3)
        with (
            layers.arg_scope([layers.conv2d], activation_fn=None)
            if "slim" in space
            else (contextlib.nullcontext())
        ):
            scoped = layers.conv2d(tf.zeros([2, 7, 3]), 4, 3)
        assert [x.shape.as_list() for x in (line, plane, cube)] == [
            [2, 7, 4],
            [2, 7, 7, 4],
            [2, 5, 5, 5, 4],
        ]
        assert ("Relu" in scoped.op.type) is ("slim" not in space)
        assert tf.trainable_variables()[0].op.name == "Conv/weights"


def test_an_argument_by_position_goes_before_that_of_convolutions_scope():
    layers = tf.contrib.layers
    with tf.contrib.slim.arg_scope([layers.convolution], kernel_size=5, num_outputs=7, stride=2):
        made = layers.conv2d(tf.zeros([1, 8, 8, 1]), 4, 3)
    weights, _ = tf.trainable_variables()
    assert (made.shape.as_list(), weights.shape.as_list()) == ([1, 4, 4, 4], [3, 3, 1, 4])


# -- residual networks with the arguments of up to 1.1 ---------------------------------------------


def units_seen(blocks, output_stride):
    """The result's size, and what each unit was called with."""
    utils = importlib.import_module("tfqueue.v1.contrib.slim.python.slim.nets.resnet_utils")
    seen = []

    def unit(inputs, depth, depth_bottleneck, stride, rate=1):
        seen.append((depth, depth_bottleneck, stride, rate))
        return slim.avg_pool2d(inputs, [1, 1], stride=stride)

    with tf.Graph().as_default():
        made = [utils.Block(scope, unit, units) for scope, units in blocks]
        net = utils.stack_blocks_dense(tf.ones([1, 8, 8, 3]), made, output_stride)
    return int(net.shape[1]), seen


# what TensorFlow 0.12.1 gave
@pytest.mark.parametrize(
    ("output_stride", "size", "last"), [(None, 2, (128, 32, 2, 1)), (2, 4, (128, 32, 1, 1))]
)
def test_the_units_of_a_block_are_tuples(output_stride, size, last):
    tuples = [("a", [(64, 16, 1), (64, 16, 2)]), ("b", [(128, 32, 2)])]
    words = ("depth", "depth_bottleneck", "stride")
    dicts = [(scope, [dict(zip(words, u, strict=True)) for u in units]) for scope, units in tuples]
    expected = size, [(64, 16, 1, 1), (64, 16, 2, 1), last]
    assert units_seen(tuples, output_stride) == units_seen(dicts, output_stride) == expected


@pytest.mark.parametrize("network", ["resnet_v1", "resnet_v2"])
@pytest.mark.slow
@pytest.mark.parametrize("given", [((True,), {}), ((), {"is_training": False})])
def test_the_scope_tells_a_network_whether_it_is_trained(network, given):
    args, kwargs = given
    nets = importlib.import_module(f"tfqueue.v1.contrib.slim.python.slim.nets.{network}")
    with tf.Graph().as_default() as graph:
        with slim.arg_scope(nets.resnet_arg_scope(*args, **kwargs)):
            # the third was global_pool
            net, _ = getattr(nets, f"{network}_50")(tf.ones([1, 32, 32, 3]), 3, False)
        updates = len(graph.get_collection(tf.GraphKeys.UPDATE_OPS))
        assert net.shape.as_list() == [1, 1, 1, 3]
        modes = {op.get_attr("is_training") for op in graph.get_operations() if "FusedB" in op.type}
    assert modes == {args == (True,)}
    assert bool(updates) == (args == (True,))


def test_a_network_that_is_told_itself_is_as_before():
    nets = importlib.import_module("tfqueue.v1.contrib.slim.python.slim.nets.resnet_v1")
    for is_training in (True, False):
        with tf.Graph().as_default() as graph, slim.arg_scope(nets.resnet_arg_scope(1e-4)):
            net, _ = nets.resnet_v1_50(tf.ones([1, 32, 32, 3]), 3, is_training, False)
            assert net.shape.as_list() == [1, 1, 1, 3]
            assert bool(graph.get_collection(tf.GraphKeys.UPDATE_OPS)) == is_training


@pytest.mark.parametrize(("name", "home"), sorted(modules.IMPORTED.items()))
def test_a_module_that_slim_imported_for_itself(name, home):
    assert getattr(slim, name) is not None
    assert getattr(tf.contrib.rnn, name) is _lazy_names.resolve(home)


def test_sizes_are_whole_numbers_of_numpy_too():
    # TensorFlow 1.15.0 under Python 2.7, where `np.int64` is an `int`
    with tf.Graph().as_default():
        net = slim.conv2d(tf.zeros([2, 8, 8, 3]), np.int64(4), np.int64(3), stride=np.int64(2))
        net = slim.max_pool2d(net, np.int64(2))
        net = slim.fully_connected(slim.flatten(net), np.int64(5))
        assert net.get_shape().as_list() == [2, 5]
        with pytest.raises(ValueError, match="num_outputs"):
            slim.fully_connected(net, 5.0)
        net = tf.layers.conv2d(
            tf.zeros([2, 8, 8, 3]), np.int64(4), np.int64(3), strides=np.int64(2)
        )
        assert net.get_shape().as_list() == [2, 3, 3, 4]


def test_an_evaluation_of_0_12_runs_its_op_once_unless_it_is_told():
    pytest.importorskip("tf_slim")
    count = tf.Variable(0)
    with tf.Session() as sess:
        sess.run(count.initializer)
        evaluation = tf.contrib.slim.evaluation.evaluation
        assert evaluation(sess, eval_op=count.assign_add(1), final_op=count) == 1
        assert evaluation(sess, 3, eval_op=count.assign_add(1), final_op=count) == 4


def test_scores_of_clusters_are_those_of_scikit_learn_up_to_0_21(monkeypatch):
    learning = importlib.import_module("tf_slim.losses.metric_learning")

    def score(labels, predictions, *, average_method="arithmetic"):
        return average_method

    scores = types.SimpleNamespace(
        __name__="sklearn.metrics",
        __doc__=None,
        adjusted_mutual_info_score=score,
        adjusted_rand_score=len,
        normalized_mutual_info_score=score,
    )
    monkeypatch.setattr(learning, "metrics", scores, raising=False)
    for _ in range(2):
        _slim_patches.install()
    assert learning.metrics.normalized_mutual_info_score([0], [0]) == "geometric"
    assert learning.metrics.adjusted_mutual_info_score([0], [0]) == "max"
    assert learning.metrics.adjusted_rand_score is len


def test_a_stack_of_relu_or_linear_names_its_scopes_as_fully_connected():
    layers = tf.contrib.layers
    layers.stack(tf.zeros([2, 3]), layers.relu, [2, 2])
    layers.stack(tf.zeros([2, 3]), layers.linear, [2], scope="own")
    names = [variable.op.name for variable in tf.global_variables()]
    assert names[::2] == [  # as 1.15.5 prints them
        "Stack/fully_connected_1/weights",
        "Stack/fully_connected_2/weights",
        "own/own_1/weights",
    ]
