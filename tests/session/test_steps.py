"""The cost of a step, and that a step which costs little means what it meant.

Costs are counted in calls of Python functions, which are the same in every run.
"""

import gc
import sys
import threading
import types
import weakref

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import _tensorflow
from tfqueue.explain import diagnosis
from tfqueue.graph.model import Pipeline
from tfqueue.session import queues, registry
from tfqueue.session import step as step_module
from tfqueue.session.accounts import Accounts

plain = _tensorflow.compat_v1()


def calls(function, times=1):
    """How many Python functions `function` calls; the fewest of several `times`."""
    counts = []

    def profile(frame, event, argument):
        counts[-1] += event == "call"

    gc.disable()  # what is collected meanwhile calls functions, too
    before = sys.getprofile()
    try:
        for _ in range(times):
            counts.append(0)
            sys.setprofile(profile)
            function()
            sys.setprofile(before)
    finally:
        sys.setprofile(before)
        gc.enable()
    return min(counts)


def steps_of(sess):
    """Name -> a step of a program in `sess`, with a queue that is full enough."""
    x = plain.placeholder(plain.float32, [None, 2], name="x")
    y = plain.reduce_sum(x * 2, name="y")
    counter = plain.Variable(1, name="counter")
    add = counter.assign_add(1)
    queue = plain.FIFOQueue(1000, [plain.int32], shapes=[[]])
    put, put_many = queue.enqueue([7]), queue.enqueue_many([list(range(500))])
    other = plain.FIFOQueue(1000, [plain.int32], shapes=[[]])
    put_others = other.enqueue_many([list(range(500))])
    take, several = queue.dequeue(), other.dequeue_many(3)
    fed = plain.placeholder(plain.int32, [])
    put_fed = queue.enqueue([fed])
    sess.run(plain.global_variables_initializer())
    sess.run([put_many, put_others])
    rows = np.ones([4, 2], np.float32)
    return {
        "tensor": lambda: sess.run(take),
        "operation": lambda: sess.run(put),
        "variable": lambda: sess.run(counter),
        "name": lambda: sess.run("counter:0"),
        "list": lambda: sess.run([take, several]),
        "tuple": lambda: sess.run((take, put)),
        "dict": lambda: sess.run({"a": take, "b": [several, add.op]}),
        "twice the same": lambda: sess.run([take, several, take]),
        "feed": lambda: sess.run(y, {x: rows}),
        "feed of lists": lambda: sess.run([y], feed_dict={x: [[1, 2], [3.5, 4]]}),
        "feed and take": lambda: sess.run([y, take], {x: rows}),
        "put what is fed": lambda: sess.run(put_fed, {fed: 5}),
        "eval": lambda: take.eval(session=sess),
    }


@pytest.fixture
def both():
    """Each step in a session of tfqueue and of plain TensorFlow."""
    sessions, steps = [], []
    for kind in (tf.Session, plain.Session):
        graph = plain.Graph()
        sessions.append(kind(graph=graph))
        with graph.as_default():
            steps.append(steps_of(sessions[-1]))
    yield steps
    for sess in sessions:
        sess.close()


def test_a_step_calls_less_python_than_plain_tensorflow_does(both):
    for name, ours in both[0].items():
        theirs = both[1][name]
        for _ in range(3):
            ours(), theirs()
        # About half. Since Python 3.12 a comprehension, of which they have more, is no call.
        assert calls(ours, 9) < 0.55 * calls(theirs, 9), name


def test_a_step_of_a_known_kind_gives_what_plain_tensorflow_gives(both):
    for name, ours in both[0].items():
        for _ in range(30):  # the slow way, both ways of the trial, and what comes after it
            assert repr(ours()) == repr(both[1][name]()), name


BAD_FEEDS = {
    "shape": np.ones([3, 3], np.float32),
    "rank": 1.0,
    "text": "seven",
    "ragged": [[1.0], [2.0, 3.0]],
    "none": None,
    "too many": [[1.0, 2.0, 3.0]],
}


@pytest.mark.parametrize("name", BAD_FEEDS)
def test_a_bad_feed_is_refused_with_the_words_of_plain_tensorflow(name):
    x = tf.placeholder(tf.float32, [None, 2])
    y = x * 2
    told = []
    with tf.Session() as ours, plain.Session() as theirs:
        for sess in (ours, theirs):
            for _ in range(3):
                sess.run(y, {x: [[1.0, 2.0]]})
            with pytest.raises((ValueError, TypeError)) as caught:
                sess.run(y, {x: BAD_FEEDS[name]})
            told.append((caught.type, str(caught.value)))
    assert told[0] == told[1]


def test_a_step_with_a_bad_feed_takes_no_element():
    queue, x = tf.FIFOQueue(9, tf.int32, [[]]), tf.placeholder(tf.float32, [])
    put, number = queue.enqueue_many([[0, 1, 2]]), queue.dequeue()
    with tf.Session() as sess:
        sess.run(put)
        assert sess.run([number, x], {x: 1.0})[0] == 0
        for bad in ([1.0, 2.0], "seven", object()):
            with pytest.raises((ValueError, TypeError)):
                sess.run([number, x], {x: bad})
        assert sess.run([number, x], {x: 1.0})[0] == 1


def test_a_whole_number_that_does_not_fit_is_refused_each_time():
    x = tf.placeholder(tf.uint8, [])
    y = x + 1
    with tf.Session() as sess:
        for _ in range(3):
            assert sess.run(y, {x: 4}) == 5
        # numpy 1 only warns of it, and warnings are errors here
        with pytest.raises((TypeError, OverflowError, DeprecationWarning)):
            sess.run(y, {x: 300})


def test_what_is_fed_may_be_fetched():
    x = tf.placeholder(tf.float32, [])
    y = x * 2
    with tf.Session() as sess:
        for _ in range(3):
            assert sess.run([x, y], {x: 3.0}) == [3.0, 6.0]


def test_a_list_that_is_changed_between_steps_is_another_step():
    fetches = [tf.constant(1)]
    with tf.Session() as sess:
        assert [sess.run(fetches) for _ in range(3)] == [[1]] * 3
        fetches[0] = tf.constant(2)
        assert sess.run(fetches) == [2]


def test_what_was_fetched_is_kept_so_that_nothing_else_gets_its_id():
    """A step is known again by the ids of what it fetches."""
    fetched = [tf.Variable(5.0, collections=[], trainable=False, use_resource=False)]
    with tf.Session() as sess:
        sess.run(fetched[0].initializer)
        for _ in range(3):
            assert sess.run(fetched) == [5.0]
        variable = weakref.ref(fetched.pop())
        gc.collect()
        assert variable() is not None


def test_an_error_of_a_known_step_names_its_op():
    divisor = tf.placeholder(tf.int32, [])
    quotient = tf.floordiv(6, divisor, name="quotient")
    with tf.Session() as sess:
        for _ in range(30):
            assert sess.run(quotient, {divisor: 2}) == 3
        with pytest.raises(tf.errors.InvalidArgumentError, match="quotient") as caught:
            sess.run(quotient, {divisor: 0})
        assert caught.value.op is quotient.op


def test_a_callable_calls_no_more_than_plain_tensorflows_run():
    value = tf.constant(3)
    with tf.Session() as sess, plain.Session() as theirs:
        call = sess.make_callable(value)
        assert [call() for _ in range(30)] == [3] * 30
        theirs.run(value)
        assert calls(call, 3) < 0.5 * calls(lambda: theirs.run(value), 3)


def test_threads_that_share_a_reader_bring_each_record_once(records):
    path = records([b"%d" % number for number in range(400)])
    names = tf.train.string_input_producer([path], num_epochs=1)
    value = tf.TFRecordReader().read(names)[1]
    batch = tf.train.batch([value], 8, num_threads=4, allow_smaller_final_batch=True)
    found = []
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found += sess.run(batch).tolist()
        coord.request_stop()
        coord.join(threads)
    assert sorted(map(int, found)) == list(range(400))


# -- what does not grow -----------------------------------------------------------------------


def test_a_graph_is_read_once_for_all_its_sessions(monkeypatch):
    number = tf.train.range_input_producer(9).dequeue()
    for _ in range(200):
        number = number + 1
    graph = tf.get_default_graph()
    read = []
    monkeypatch.setattr(
        graph, "get_operations", lambda: read.append(1) or type(graph).get_operations(graph)
    )
    for _ in range(5):
        with tf.Session() as sess:
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            sess.run(number)
            coord.request_stop()
            coord.join(threads)
    assert len(read) <= 4


def test_starting_many_runners_calls_python_in_proportion():
    def cost(count):
        with tf.Graph().as_default():
            for _ in range(count):
                queue = tf.FIFOQueue(9, tf.int32, shapes=[])
                tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1)]))
            taken = queue.dequeue()
            with tf.Session() as sess:
                return calls(lambda: tf.train.start_queue_runners(sess, start=False)) + calls(
                    lambda: sess._owner.plans.of(taken, None)
                )

    assert cost(80) < 5 * cost(20)


def test_a_feeders_element_that_is_delivered_late_is_delivered(monkeypatch):
    class Late(step_module.Step):
        """Its result is there only when the wait for it has been given up."""

        def __init__(self, *arguments):
            self.judged = threading.Event()
            super().__init__(*arguments)

        def execute(self):
            super_execute, wanted = super().execute, self._function
            if self.plan.takes:
                self._function = lambda: (wanted(), self.judged.wait(60))[0]
            super_execute()

        @property
        def cause(self):
            return self.__dict__.get("why")

        @cause.setter
        def cause(self, why):
            self.__dict__["why"] = why
            if why is not None:
                self.judged.set()

    queue = tf.FIFOQueue(9, tf.int32, shapes=[])
    put, take = queue.enqueue(7), queue.dequeue()
    with tf.Session() as sess:
        feeder = threading.Thread(target=sess.run, args=(put,))
        feeder.start()
        feeder.join()
        sess._owner.accounts = Accounts(sess._owner)  # as if it were not known of
        monkeypatch.setattr(Accounts, "_look_for", lambda *_: False)  # nor found by a look
        monkeypatch.setattr(step_module, "Step", Late)
        assert sess.run(take) == 7
        monkeypatch.undo()
        with pytest.raises(tfqueue.errors.StarvationError):
            sess.run(take)


def behind_its_first_step(sess, fetch):
    """The plan of a step: the first one, which does not look into the queue, is over."""
    plan = sess._owner.plans.of(fetch, None)[1]
    for account, _ in plan.accounts:
        account.passes = 0
    return plan


def test_a_step_whose_element_a_look_has_found_is_run_where_it_is_asked_for(monkeypatch):
    """The runner's step puts all numbers, as room comes: nobody knows yet how many it has put."""
    queue = tf.train.range_input_producer(1000, shuffle=False, capacity=8)
    number, size = queue.dequeue(), queue.size()
    monkeypatch.setattr(step_module.Steps, "submit", lambda *_: pytest.fail("handed to a thread"))
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        while sess.run(size) < 8:
            pass
        behind_its_first_step(sess, number)
        assert [sess.run(number) for _ in range(8)] == list(range(8))


class Looks:
    """What looks into a queue find, and how many there were."""

    def __init__(self, monkeypatch, size):
        self.size, self.count = size, 0
        monkeypatch.setattr(queues.Queues, "look", self._look)

    def _look(self, queue):
        self.count += 1
        return self.size, False


def test_one_look_does_for_all_that_it_finds(monkeypatch):
    number, looks = tf.FIFOQueue(9, tf.int32, [[]]).dequeue(), Looks(monkeypatch, 8)
    with tf.Session() as sess:
        accounts, plan = sess._owner.accounts, behind_its_first_step(sess, number)
        for step in range(1, 17):
            assert accounts.begin(plan)
            accounts.finished(plan, None)
            assert looks.count == (1 if step <= 8 else 2)


def test_a_queue_that_is_found_short_each_time_is_looked_into_ever_less(monkeypatch):
    many, looks = tf.FIFOQueue(9, tf.int32, [[]]).dequeue_many(9), Looks(monkeypatch, 8)
    with tf.Session() as sess:
        accounts, plan = sess._owner.accounts, behind_its_first_step(sess, many)
        looked_at = []
        for step in range(200):
            before = looks.count
            assert not accounts.begin(plan)
            accounts.finished(plan, None)
            looked_at += [step] * (looks.count - before)
    assert looked_at == [0, 2, 6, 14, 30, 62, 126, 190]


def test_a_look_finds_nothing_for_one_of_two_steps_at_once(monkeypatch):
    number, looks = tf.FIFOQueue(9, tf.int32, [[]]).dequeue(), Looks(monkeypatch, 1)
    with tf.Session() as sess:
        accounts, plan = sess._owner.accounts, behind_its_first_step(sess, number)
        assert accounts.begin(plan)
        assert not accounts.begin(plan)
    assert looks.count == 1


def test_a_step_that_is_interrupted_in_its_look_is_under_way_no_more(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    number = tf.FIFOQueue(9, tf.int32, [[]]).dequeue()
    with tf.Session() as sess:
        monkeypatch.setattr(queues.Queues, "look", interrupted)
        ((account, _),) = behind_its_first_step(sess, number).accounts
        with pytest.raises(KeyboardInterrupt):
            sess.run(number)
        assert account.under_way == 0


def test_a_look_does_not_find_what_the_queue_keeps(monkeypatch):
    number, looks = tf.RandomShuffleQueue(9, 2, tf.int32, [[]]).dequeue(), Looks(monkeypatch, 3)
    with tf.Session() as sess:
        accounts, plan = sess._owner.accounts, behind_its_first_step(sess, number)
        assert accounts.begin(plan)
        accounts.finished(plan, None)
        looks.size = 2
        assert not accounts.begin(plan)


def test_a_runner_that_nobody_registered_takes_what_steps_have_not_booked():
    queue, other = (tf.FIFOQueue(9, tf.int32, [[]]) for _ in range(2))
    put, number, moved = queue.enqueue_many([[1, 2, 3]]), queue.dequeue(), other.size()
    runner = tf.train.QueueRunner(other, [other.enqueue(queue.dequeue())])
    with tf.Session() as sess:
        sess.run(put)
        assert sess.run(number) == 1
        runner.create_threads(sess, start=True)
        while sess.run(moved) < 2:
            pass
        with pytest.raises(tfqueue.errors.StarvationError):
            sess.run(number)


def test_a_dataset_takes_what_steps_have_not_booked(monkeypatch):
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    put, number = queue.enqueue_many([[1, 2]]), queue.dequeue()
    iterator = tf.data.make_initializable_iterator(
        tf.data.Dataset.range(1).map(lambda _: queue.dequeue())
    )
    taken = iterator.get_next()
    handed_on, submit = [], step_module.Steps.submit
    monkeypatch.setattr(
        step_module.Steps, "submit", lambda *step: handed_on.append(step) or submit(*step)
    )
    with tf.Session() as sess:
        sess.run(iterator.initializer)
        sess.run(put)
        del handed_on[:]
        assert sess.run(number) == 1
        assert len(handed_on) == 1
        assert sess.run(taken) == 2


def test_a_call_apart_is_waited_for_as_long_as_asked_and_the_same_is_not_begun_meanwhile():
    going_on, steps = threading.Event(), step_module.Steps("test")
    assert steps.apart("a", lambda: 1, 60) == 1
    assert steps.apart("a", going_on.wait, 0.01) is None
    assert steps.apart("a", lambda: 2, 60) is None
    assert steps.apart("b", lambda: 3, 60) == 3
    going_on.set()
    assert steps._apart["a"].wait(60)
    assert steps.apart("a", lambda: 4, 60) == 4
    threads = steps.end()
    assert len(threads) == 2
    assert step_module.join(threads, 60) == []


def test_a_call_apart_raises_what_it_met():
    steps = step_module.Steps("test")
    with pytest.raises(ZeroDivisionError):
        steps.apart("a", lambda: 1 / 0, 60)
    assert step_module.join(steps.end(), 60) == []


def test_what_feeds_a_step_is_asked_for_again_only_where_a_runner_was_added(monkeypatch):
    number = tf.train.range_input_producer(3, shuffle=False).dequeue()
    asked = []

    def upstream(pipeline, demand, original=Pipeline.upstream):
        asked.append(demand)
        return original(pipeline, demand)

    with tf.Session() as sess:
        monkeypatch.setattr(Pipeline, "upstream", upstream)
        plan = sess._owner.plans.of(number, None)[1]
        assert [queue.name for queue in plan.upstream] == [number.op.inputs[0].op.name]
        plan.gate_open = True
        assert sess._owner.plans.of(number, None)[1] is plan
        assert (len(asked), plan.gate_open) == (1, True)
        tf.train.add_queue_runner(tf.train.QueueRunner(tf.FIFOQueue(3, tf.int32), [tf.no_op()]))
        assert sess._owner.plans.of(number, None)[1] is plan
        assert (len(asked), plan.gate_open) == (2, False)
        for taking in (number, tf.reshape(number, [1]), tf.identity(number)):
            assert sess._owner.plans.of(taking, None)[1].only_takes
        for other in (number + 1, tf.constant(1)):
            assert not sess._owner.plans.of(other, None)[1].only_takes
        nothing_in_front = sess._owner.plans.of(tf.constant(1), None)[1]
        assert (nothing_in_front.upstream, nothing_in_front.gate_open) == ([], True)


def test_whether_runners_were_started_is_asked_no_more_once_they_are():
    number = tf.train.range_input_producer(3, shuffle=False).dequeue()
    with tf.Session() as sess:
        plan = sess._owner.plans.of(number, None)[1]
        assert not plan.gate_open
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(number)
        assert plan.gate_open
        coord.request_stop()
        coord.join(threads)


def at_once(sess, queue):
    sess.run(queue.enqueue(1))
    sess.run(queue.dequeue())


def after_a_wait(sess, queue):
    put, take = queue.enqueue(1), queue.dequeue()

    def feed():
        pause = threading.Event()
        while not sess._owner.steps.under_way:
            pause.wait(0.01)
        sess.run(put)

    thread = threading.Thread(target=feed)
    thread.start()
    sess.run(take)
    thread.join()


def by_a_callable(sess, queue):
    sess.run(queue.enqueue(1))
    sess.make_callable(queue.dequeue())()


def in_parts(sess, queue):
    sess.run(queue.enqueue(1))
    take = queue.dequeue()
    sess.partial_run(sess.partial_run_setup([take], []), take)


def beside_an_enqueue(sess, queue):
    sess.run(queue.enqueue(1))
    sess.run([queue.dequeue(), queue.enqueue(2)])


@pytest.mark.parametrize(
    "take", [at_once, after_a_wait, by_a_callable, in_parts, beside_an_enqueue]
)
def test_observers_hear_of_the_first_elements_that_a_step_has_taken(take):
    heard = []
    others = dict.fromkeys(("began", "grew", "ending"), lambda owner: None)
    observer = types.SimpleNamespace(first_batch=heard.append, **others)
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    registry.add_observer(observer)
    try:
        with tf.Session() as sess:
            sess.run(queue.size())
            assert not sess._owner.has_taken
            for _ in range(2):
                take(sess, queue)
            assert heard == [sess._owner]
            assert sess._owner.has_taken
    finally:
        assert registry.remove_observer(observer)
    assert not registry.remove_observer(observer)


@pytest.mark.parametrize(
    ("capacity", "put", "closed", "is_full"),
    [
        (2, 2, False, True),
        (2, 1, False, False),
        (2, 2, True, False),
        (1, 1, False, True),
        (1, 0, False, False),
        (3, 1, True, False),
        (-1, 3, False, False),
    ],
)
def test_a_queue_is_full_where_it_is_open_and_has_no_room(capacity, put, closed, is_full):
    queue = tf.FIFOQueue(capacity, tf.int32, [[]])
    more, close = queue.enqueue_many([[7] * put]), queue.close()
    with tf.Session() as sess:
        owner = sess._owner
        known = owner.pipeline.queues[queue.name]
        sess.run(more)
        if closed:
            sess.run(close)
        assert owner.queues.is_full(known) == is_full
        assert owner.queues.look(known) == (put, closed)
    for unknown in (True, False):  # the session is gone
        assert owner.queues.is_full(known, unknown) == unknown
    assert owner.queues.look(known) is None


@pytest.mark.parametrize("ended", [False, True])
def test_what_a_session_is_at_work_in_are_ops_of_threads_that_are_alive(ended, records):
    path = records([b"1", b"2"])
    names = tf.train.string_input_producer([path], num_epochs=1 if ended else None)
    reader = tf.TFRecordReader()
    batch = tf.train.batch([reader.read(names)[1]], 2)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(batch)
        if ended:
            with pytest.raises(tf.errors.OutOfRangeError):
                sess.run(batch)
            coord.request_stop()
            coord.join(threads)
        read = [
            op.name for op in tf.get_default_graph().get_operations() if "ReaderRead" in op.type
        ]
        found = sess._owner._at_work_in({"ReaderReadV2"})
        assert found == ([] if ended else read)
        coord.request_stop()
        coord.join(threads)


@pytest.mark.parametrize("how", ["ended", "closed by the program"])
def test_the_end_of_the_data_is_no_failure_to_be_explained(how, monkeypatch):
    explained = []

    def explain(failure, original=diagnosis.explain):
        explained.append(failure)
        return original(failure)

    monkeypatch.setattr(diagnosis, "explain", explain)
    number = tf.train.range_input_producer(2, num_epochs=1, shuffle=False).dequeue()
    queue = tf.FIFOQueue(3, tf.int32, [[]])
    close, take = queue.close(), queue.dequeue()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        if how == "ended":
            tf.train.start_queue_runners(sess)
            assert [sess.run(number) for _ in range(2)] == [0, 1]
        else:
            sess.run(close)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(number if how == "ended" else take)
    assert explained == []


def test_a_step_that_ctrl_c_ends_in_the_program_s_thread_is_no_longer_booked():
    lost = []

    def interrupted():
        raise KeyboardInterrupt

    owner = types.SimpleNamespace(accounts=types.SimpleNamespace(lose=lost.append))
    with pytest.raises(KeyboardInterrupt):
        step_module._run_here(owner, "plan", interrupted, None)
    assert lost == ["plan"]
