"""What a tuner asks before it chooses, and what it does where it cannot build; all of it made up."""

import threading
import types

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue._tensorflow import op_building
from tfqueue.accelerate import Strategy, build, tuner
from tfqueue.accelerate import region as regions


class Tuner(tuner.Tuner):
    """A tuner that notes what it would build."""

    def __init__(self, setting):
        self.task, self.op, self.setting = (
            types.SimpleNamespace(pipeline=None, ops=[None]),
            None,
            setting,
        )
        self.chosen, self._lock, self._builder = threading.Event(), threading.Lock(), None
        self.done, self.large = [], None

    def stay(self, text):
        self.done.append(text)

    def _too_large(self, region):
        return self.large

    def _chunk(self, region, sample):
        self.done.append(("chunk", sample))

    def _helpers_may_loop(self, region):
        return self.listed

    def _loop(self, region, reason, sample):
        self.done.append(("loop", reason))


class Mover:
    def __init__(self, error=None, cost=0.5):
        self.asked, self.error, self.cost = [], error, cost

    def sample(self, region, many, fetches):
        if self.error is not None:
            raise self.error
        self.asked.append((many, fetches))
        return ["sample"], self.cost


def chosen(setting, refusals, monkeypatch, large=None, cores=2, mover=None, listed=False):
    region = types.SimpleNamespace(
        refusals=refusals, source=types.SimpleNamespace(outputs=[1]), components=[2], draws=[3]
    )
    monkeypatch.setattr(tuner, "examine", lambda *asked: region)
    monkeypatch.setattr(tuner, "cores", lambda: cores)
    made, mover = Tuner(setting), mover or Mover()
    made.large, made.listed = large, listed
    made.choose(mover)
    if made._builder is not None:
        made._builder.join()
    return made, mover.asked


CHUNK, BOTH = {Strategy.CHUNK: "no"}, {Strategy.CHUNK: "no", Strategy.LOOP: "no"}


@pytest.mark.parametrize(
    ("setting", "refusals", "large", "cores", "asked", "done"),
    [
        (None, {}, None, 2, [(16, [1, 2, 3])], ("chunk", ["sample"])),
        (None, {}, None, 1, [(16, [1, 2, 3])], ("chunk", ["sample"])),
        (64, {}, None, 2, [(16, [1, 2, 3])], ("chunk", ["sample"])),
        (8, {}, None, 2, [(8, [1, 2, 3])], ("chunk", ["sample"])),
        (None, CHUNK, None, 2, [(16, [])], ("loop", "no")),
        (None, CHUNK, None, 1, [], ("loop", "no")),
        (None, BOTH, None, 2, [], ("loop", "no")),
        (64, CHUNK, None, 2, [(2, [])], ("loop", "no")),
        (64, BOTH, None, 2, [], ("loop", "no")),
        (None, {}, "large", 2, [(16, [])], ("loop", "large")),
        (None, CHUNK, "large", 2, [(16, [])], ("loop", "no")),
    ],
)
def test_how_many_examples_are_measured(setting, refusals, large, cores, asked, done, monkeypatch):
    made, found = chosen(setting, refusals, monkeypatch, large, cores)
    assert (found, made.done) == (asked, [done])
    assert made.chosen.is_set()
    assert (made._builder is None) is (setting is not None), "a size is a promise: built at once"
    assert made._builder is None or made._builder.daemon, "a process does not wait for it"
    assert not asked or made._cost == 0.5


@pytest.mark.parametrize("large", [None, "large"])
@pytest.mark.parametrize(("setting", "many"), [(None, 16), (64, 2)])
@pytest.mark.parametrize("cost", [0.0, 0.5])
def test_what_helpers_may_loop_is_looked_at_if_it_is_cheap(cost, setting, many, large, monkeypatch):
    """TensorFlow prepares a step for that, in the runner's way: not where it would be for nothing."""
    mover = Mover(cost=cost)
    made, found = chosen(setting, CHUNK, monkeypatch, large, mover=mover, listed=True)
    assert found == [(many, []), (many, [1, 2])][: 1 + (cost == 0.0)]
    assert (made.done, made._cost) == ([("loop", "no")], cost)


def test_an_error_of_the_measured_examples_is_the_runners(monkeypatch):
    error, made = tf.errors.DataLossError(None, None, ""), []
    monkeypatch.setattr(tuner.Tuner, "_beside", lambda *asked: made.append(asked))
    with pytest.raises(tf.errors.DataLossError):
        chosen(None, {}, monkeypatch, mover=Mover(error))
    assert made == []


def test_what_cannot_be_examined_stays(monkeypatch):
    made = Tuner(None)
    monkeypatch.setattr(tuner, "examine", lambda *asked: 1 / 0)
    made.choose(Mover())
    assert made.done == ["it cannot be examined: ZeroDivisionError: division by zero"]
    assert made.chosen.is_set()


@pytest.mark.parametrize("setting", [None, 8])
def test_what_cannot_be_built_stays(setting):
    made = Tuner(setting)
    made._beside(lambda: 1 / 0)
    if made._builder is not None:
        made._builder.join()
    assert made.done == ["building it failed: division by zero"]
    assert made.chosen.is_set()


def test_where_the_system_gives_no_thread_it_stays(monkeypatch):
    class Thread(threading.Thread):
        def start(self):
            raise RuntimeError("can't start new thread")

    made = Tuner(None)
    monkeypatch.setattr(tuner.threading, "Thread", Thread)
    made._beside(lambda: made.done.append("built"))
    assert (made.done, made._builder) == (["can't start new thread"], None)
    assert made.chosen.is_set()


@pytest.mark.parametrize(
    ("seeds", "expected"),
    [
        ((0, 0), 0),
        ((5, 0), 1_000_003),
        ((0, 5), 1_000_008),
        ((7, 5), 1_000_008),
        ((7, 2**31 - 2), 1_000_002),
    ],
)
def test_the_copy_of_a_draw_has_seeds_of_its_own(seeds, expected):
    draw = tf.raw_ops.RandomUniform(shape=[2], dtype=tf.float32, seed=seeds[0], seed2=seeds[1]).op
    node = build._node(draw)
    assert (node.attr["seed"].i, node.attr["seed2"].i) == (seeds[0], expected)
    assert draw.get_attr("seed2") == seeds[1]


def test_what_draws_nothing_keeps_its_attributes():
    queue = tf.RandomShuffleQueue(9, 2, tf.int32, seed=3).queue_ref.op
    assert build._node(queue) == queue.node_def


def test_a_function_of_another_process_is_not_built_in():
    with tf.Graph().as_default() as elsewhere:
        tf.function(tf.exp)(tf.placeholder(tf.float32, [], name="x"))
        definition = elsewhere.as_graph_def()
    tf.import_graph_def(definition, name="")
    (call,) = (op for op in tf.get_default_graph().get_operations() if op.type.endswith("Call"))
    with pytest.raises(build.CannotBuild, match="was not built in this process"):
        build._node(call)
    assert op_building.functions_called(call.node_def)


def test_the_enqueue_op_is_not_inside_its_region():
    number = tf.train.range_input_producer(9).dequeue()
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    put = queue.enqueue(number * 2 + 1)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    region = regions.examine(regions.Pipeline(tf.get_default_graph()), put)
    kinds = [op.type for op in region.inside]
    assert sorted(kinds) == sorted(["Mul", "AddV2", "Const", "Const"])
    assert [op.type for op in region.sources] == ["QueueDequeueV2"]
    assert [t.op for t in region.captured] == [queue.queue_ref.op]


@pytest.mark.parametrize(("wide", "most"), [(1, 2048), (1 << 14, 48), (1 << 15, 24)])
def test_the_widest_tensor_of_an_example_bounds_a_chunk(wide, most):
    """3 MB of floats in one tensor at the most, also where an element of the queue is small."""
    (number,) = tf.train.slice_input_producer([tf.range(4.0)], shuffle=False)
    batch = tf.train.batch([tf.reduce_max(tf.ones([wide]) * number)], 4)
    with tfqueue.managed_session() as sess:
        for _ in range(50_000):
            assert sess.run(batch).tolist() == [0, 1, 2, 3]
            if f"chunks of up to {most} examples" in str(tfqueue.pipeline()):
                return
    pytest.fail("it is not the bound")
