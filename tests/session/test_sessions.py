"""The classes of sessions: their configuration, steps in parts, and who makes them."""

import threading
import types
import warnings

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import _tensorflow, errors
from tfqueue.session import coordinator, fast_path, managed, managers
from tfqueue.session import session as sessions
from tfqueue.session.owner import Owner

plain = _tensorflow.compat_v1()


# -- configuration ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "has_gpu", "soft"),
    [("", False, True), ("", True, False), ("grpc://a:1", False, False)],
)
def test_ops_for_a_gpu_go_to_the_cpu_where_there_is_none(monkeypatch, target, has_gpu, soft):
    monkeypatch.setattr(sessions, "_has_gpu", lambda: has_gpu)
    given = tf.ConfigProto(log_device_placement=True, inter_op_parallelism_threads=3)
    made = sessions._config_for(given, None, target)
    assert (made.log_device_placement, made.inter_op_parallelism_threads) == (True, 3)
    assert made.allow_soft_placement is soft
    assert given.allow_soft_placement is False, "the program's own stays as it is"
    assert sessions._config_for(None, None, target).allow_soft_placement is soft


def test_the_layout_optimizer_is_left_out_for_a_priority_queue_alone():
    rewrites = tf.ConfigProto().graph_options.rewrite_options
    graph = tf.Graph()

    def layout(config, graph=None):
        made = sessions._config_for(config, graph, "")
        return made.graph_options.rewrite_options.layout_optimizer

    assert layout(None) == rewrites.DEFAULT
    with graph.as_default():
        tf.PriorityQueue(3, tf.int32, [[]])
    assert layout(None) == rewrites.DEFAULT
    assert layout(None, graph) == rewrites.OFF
    with graph.as_default():
        assert layout(None) == rewrites.OFF
    given = tf.ConfigProto()
    given.graph_options.rewrite_options.layout_optimizer = rewrites.ON
    assert layout(given, graph) == rewrites.ON


# -- after a fork --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "refused"),
    [
        (None, True),
        (tf.ConfigProto(), True),
        (tf.ConfigProto(use_per_session_threads=True), False),
        (tf.ConfigProto(session_inter_op_thread_pool=[{}]), False),
    ],
)
def test_a_child_makes_no_session_but_one_with_threads_of_its_own(monkeypatch, config, refused):
    monkeypatch.setattr(sessions, "_first_made_in", 1)
    if refused:
        with pytest.raises(errors.ForkedSessionError, match=r"was made before os\.fork"):
            tf.Session(config=config)
    else:
        sessions._refuse_after_fork(config)


def test_the_first_session_is_of_this_process(monkeypatch):
    monkeypatch.setattr(sessions, "_first_made_in", None)
    for _ in range(2):
        sessions._refuse_after_fork(None)


def test_a_session_of_the_parent_runs_no_step(monkeypatch):
    with tf.Session() as sess:
        with monkeypatch.context() as patch:
            patch.setattr(sess._owner, "pid", 1)
            with pytest.raises(errors.ForkedSessionError, match="this session was made before"):
                sess.run([])


# -- steps in parts --------------------------------------------------------------------------------------


def test_a_step_in_parts_is_under_way_until_its_last_part():
    taken = tf.FIFOQueue(3, tf.int32, [[]], name="mine")
    fed = tf.placeholder(tf.int32, [])
    number = taken.dequeue()
    first, second = number + 1, number + fed
    with tf.Session() as sess:
        steps = Owner.of(sess).steps
        sess.run(taken.enqueue_many([[5, 6]]))
        part = sess.partial_run_setup([first, second], [fed])
        assert len(steps.in_parts) == 1
        assert sess.partial_run(part, first) == 6
        assert len(steps.in_parts) == 1
        assert sess.partial_run(part, second, {fed: 10}) == 15
        assert not steps.in_parts, "though the last part waits for nothing"
        assert not sess._partial_runs
        assert sess.run(number) == 6


def test_a_part_is_not_booked_again(monkeypatch):
    """`begin_parts` has booked the whole step: twice, and its elements would be spoken for twice."""
    taken = tf.FIFOQueue(3, tf.int32, [[]])
    number = taken.dequeue()
    with tf.Session() as sess:
        sess.run(taken.enqueue_many([[5, 6]]))
        part = sess.partial_run_setup([number], [])
        accounts = Owner.of(sess).accounts
        monkeypatch.setattr(accounts, "begin", lambda plan: pytest.fail("booked again"))
        assert sess.partial_run(part, number) == 5


@pytest.mark.parametrize("waits", [True, False])
def test_a_part_that_fails_is_the_last(waits):
    """TensorFlow forgets the handle then."""
    queue = tf.FIFOQueue(3, tf.int32, [[]])
    fed = tf.placeholder(tf.int32, [])
    first = tf.check_numerics(1.0 / tf.cast(fed, tf.float32), "none")
    second, close = first + tf.cast(queue.dequeue(), tf.float32), queue.close()
    with tf.Session() as sess:
        steps = Owner.of(sess).steps
        sess.run(close if waits else [])
        part = sess.partial_run_setup([first, second], [fed])
        with pytest.raises(tf.errors.OutOfRangeError if waits else tf.errors.InvalidArgumentError):
            sess.partial_run(part, second if waits else first, {fed: int(waits)})
        assert not steps.in_parts
        assert not sess._partial_runs
        with pytest.raises(tf.errors.InvalidArgumentError, match="Must run 'setup'"):
            sess.partial_run(part, second)


@pytest.mark.parametrize("feeds", ["none", "one", "list", "tuple"])
def test_what_the_parts_feed_may_be_given_in_each_form(feeds):
    fed = tf.placeholder(tf.float32, [])
    given = {"none": None, "one": fed, "list": [fed], "tuple": (fed,)}[feeds]
    heard = []
    total = tf.constant(1.0) + 1.0 if feeds == "none" else fed + 1.0
    with tf.Session() as sess:
        original = sessions.PartialRun

        def made(owner, fetched, feeds):
            heard.append(list(feeds))
            return original(owner, fetched, feeds)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sessions, "PartialRun", made)
            patch.setattr(plain.Session, "partial_run_setup", lambda *args: "handle")
            sess.partial_run_setup([total], given)
    assert [[*map(id, each)] for each in heard] == [[] if feeds == "none" else [id(fed)]]


# -- callables --------------------------------------------------------------------------------------------


def test_functions_that_run_a_step():
    x = tf.placeholder(tf.float32, [])
    constant, doubled = tf.constant(3.0), x * 2.0
    with tf.Session() as sess:
        assert sess.make_callable(constant)() == 3.0
        assert sess.make_callable(doubled, [x])(4.0) == 8.0
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        with_options = sess.make_callable(constant, accept_options=True)
        assert with_options() == 3.0
        assert with_options(options=options, run_metadata=metadata) == 3.0
    assert metadata.step_stats.dev_stats


@pytest.mark.parametrize(
    ("options", "all_of_them", "has"),
    [
        (None, False, False),
        (tf.RunOptions(), False, False),
        (tf.RunOptions(timeout_in_ms=1), False, True),
        (None, True, True),
    ],
)
def test_which_steps_tensorflow_ends_itself(options, all_of_them, has):
    config = tf.ConfigProto(operation_timeout_in_ms=60_000) if all_of_them else None
    with tf.Session(config=config) as sess:
        assert sess._has_deadline(options) is has


@pytest.mark.parametrize(
    ("milliseconds", "have"), [(None, False), (0, False), (1, True), (-1, False)]
)
def test_which_sessions_end_all_their_steps(milliseconds, have):
    config = None
    if milliseconds is not None:
        config = tf.ConfigProto(operation_timeout_in_ms=milliseconds)
    with tf.Session(config=config) as sess:
        assert _tensorflow.have_deadlines(sess) is have


def test_whose_thread_is_not_to_wait_for_a_sessions_end():
    def named(name):
        return threading.Thread(name=name)

    assert sessions._cannot_wait(named("QueueRunnerThread-a"))
    assert sessions._cannot_wait(named("tfqueue-step-1"))
    assert not sessions._cannot_wait(named("my tfqueue-thread"))
    assert not sessions._cannot_wait(threading.main_thread())


# -- session managers -------------------------------------------------------------------------------------


@pytest.fixture
def waited(monkeypatch):
    """What TensorFlow's own `wait_for_session` was told and what the manager was then."""
    heard = {}

    def wait_for_session(manager, master, config=None, max_wait_secs=float("inf")):
        heard.update(
            max_wait_secs=max_wait_secs,
            recheck=manager._recovery_wait_secs,
            local_init_op=manager._local_init_op,
        )
        if heard.get("fails"):
            raise tf.errors.AbortedError(None, None, "")
        return heard.get("session")

    monkeypatch.setattr(plain.train.SessionManager, "wait_for_session", wait_for_session)
    return heard


@pytest.mark.parametrize(("given", "used"), [(30, 1.0), (0.25, 0.25)])
def test_a_worker_looks_each_second_whether_the_chief_is_done(waited, given, used):
    manager = tf.train.SessionManager(recovery_wait_secs=given)
    assert manager.wait_for_session("", max_wait_secs=7) is None
    assert (waited["recheck"], waited["max_wait_secs"]) == (used, 7)


@pytest.mark.parametrize("fails", [False, True])
def test_a_worker_runs_its_own_initialisers_and_the_manager_keeps_all(waited, monkeypatch, fails):
    local, own = tf.no_op(name="all"), tf.no_op(name="own")
    monkeypatch.setattr(managers.cluster, "own_initializers", lambda group, known: own)
    manager = tf.train.SessionManager(local_init_op=local)
    waited["fails"] = fails
    with tf.Session() as sess:
        waited["session"] = sess
        if fails:
            with pytest.raises(tf.errors.AbortedError):
                manager.wait_for_session("")
        else:
            assert manager.wait_for_session("") is sess
        assert Owner.of(sess).link.is_chief is (None if fails else False)
    assert waited["local_init_op"] is own
    assert manager._local_init_op is local


def test_the_chief_is_who_prepares_a_session():
    tf.Variable(1)
    manager = tf.train.SessionManager()
    with manager.prepare_session("", tf.global_variables_initializer()) as sess:
        assert Owner.of(sess).link.is_chief is True


def test_an_interrupted_manager_closes_only_the_session_that_it_made(monkeypatch):
    def interrupt(manager, master, **given):
        made.extend([tf.Session(), tf.Session(graph=tf.Graph())])  # the other is another thread's
        raise KeyboardInterrupt

    made = []
    monkeypatch.setattr(plain.train.SessionManager, "prepare_session", interrupt)
    with tf.Session() as before:
        with pytest.raises(KeyboardInterrupt):
            tf.train.SessionManager().prepare_session("")
        assert [sess._closed for sess in (*made, before)] == [True, False, False]
    made[1].close()


@pytest.mark.parametrize(("given", "limit"), [(None, float("inf")), (7, 7)])
def test_on_a_cluster_the_tasks_are_waited_for_first(monkeypatch, given, limit):
    asked = []
    monkeypatch.setattr(
        managers.cluster, "wait_for_tasks", lambda known, graph, changed, limit: asked.append(limit)
    )
    monkeypatch.setattr(managers.cluster, "config_for", lambda config, master, graph: "made")
    manager = tf.train.SessionManager()
    assert manager._connect("grpc://a:1", "given", given) == "made"
    assert asked == [limit]
    assert manager._connect("", "given", given) == "given"
    assert len(asked) == 1


# -- coordinators ------------------------------------------------------------------------------------------


def test_which_errors_are_a_reason_to_stop():
    ended, cancelled = (
        cls(None, None, "") for cls in (tf.errors.OutOfRangeError, tf.errors.CancelledError)
    )
    usual = tf.train.Coordinator()
    other = tf.train.Coordinator(clean_stop_exception_types=(tf.errors.CancelledError,))
    clean = coordinator.is_clean_stop
    assert [clean(usual, each) for each in (ended, cancelled)] == [True, False]
    assert [clean(other, each) for each in (ended, cancelled)] == [False, True]
    assert not clean(plain.train.Coordinator.__mro__[-1](), ended)
    assert not clean(None, ended)


@pytest.mark.parametrize(
    ("stopped", "draining", "wants"),
    [(False, False, False), (True, False, True), (True, True, False), (True, None, True)],
)
def test_whether_a_coordinator_wants_a_stop(stopped, draining, wants):
    coord = types.SimpleNamespace(should_stop=lambda: stopped)
    if draining is not None:
        coord.draining = draining
    assert coordinator.wants_stop(coord) is wants
    assert not coordinator.wants_stop(None)


def test_a_coordinator_that_is_cleared_is_as_new():
    coord = tf.train.Coordinator()
    coord.runner_failed(ValueError("a"))
    assert coord.draining
    assert str(coord.runners_failure) == "a"
    with pytest.raises(ValueError, match="a"):
        coord.raise_requested_exception()
    coord.clear_stop()
    assert (coord.draining, coord.runners_failure, coord.should_stop()) == (False, None, False)
    coord.raise_requested_exception()


def test_an_error_that_was_raised_can_be_dropped():
    coord = tf.train.Coordinator()
    try:
        raise ValueError("a")
    except ValueError as error:
        coord.request_stop(error)
    with pytest.raises(ValueError, match="a"):
        coord.raise_requested_exception()
    coord.drop_error()
    coord.raise_requested_exception()
    assert coord.should_stop()


def test_a_managed_session_leaves_its_coordinator_no_error():
    tf.train.string_input_producer(["missing.txt"]).dequeue()
    value = tf.read_file("missing.txt")
    tf.train.batch([value], 1)
    coord = tf.train.Coordinator()
    with pytest.raises(tf.errors.NotFoundError):
        with tfqueue.managed_session(coord=coord) as sess:
            coord.wait_for_stop(60)
    assert sess._owner.closed
    coord.raise_requested_exception()


@pytest.mark.parametrize(
    ("message", "same_thread", "shortened"),
    [
        ("Error reported to Coordinator: %s", True, True),
        ("Error reported to Coordinator: %s", False, False),
        ("Something else", True, False),
    ],
)
def test_the_line_that_tensorflow_logs_of_an_error(message, same_thread, shortened):
    record = types.SimpleNamespace(msg=message, thread=1, args=("x",), exc_info=("kept",))
    error = ValueError("\nfirst line\nsecond line")
    assert coordinator._in_one_line(record, error, 1 if same_thread else 2) is True
    if shortened:
        assert record.msg % record.args == "Error reported to Coordinator: ValueError: first line"
        assert record.exc_info is None
    else:
        assert (record.msg, record.args, record.exc_info) == (message, ("x",), ("kept",))


# -- what is fetched and fed ------------------------------------------------------------------------------


def test_parts_of_what_is_fetched():
    a, b, c = (tf.constant(float(k)) for k in range(3))
    graph = tf.get_default_graph()

    def leaves(fetched):
        return [
            getattr(leaf, "name", leaf) for leaf in fast_path.read_fetches(graph, fetched).leaves
        ]

    sparse = tf.SparseTensor([[0]], [1.0], [2])
    assert leaves(sparse) == [t.name for t in (sparse.indices, sparse.values, sparse.dense_shape)]
    slices = tf.IndexedSlices(a, b)
    assert leaves(slices) == [a.name, b.name]
    assert leaves(tf.IndexedSlices(a, b, c)) == [a.name, b.name, c.name]
    ragged = tf.RaggedTensor.from_row_splits([1.0, 2.0], [0, 2])
    assert leaves(ragged) == [ragged.flat_values.name, ragged.row_splits.name]
    assert leaves({"x": [a, (b, {"y": c})]}) == [a.name, b.name, c.name]
    for plain_ones in (a, [a], (a, b), {"x": a}, a.op, a.name, []):
        assert fast_path.read_fetches(graph, plain_ones).plain
    for others in (sparse, slices, ragged, types.MappingProxyType({"x": a})):
        assert not fast_path.read_fetches(graph, others).plain


def test_names_of_what_is_fed():
    a, b = tf.placeholder(tf.float32, name="a"), tf.placeholder(tf.float32, name="b")
    graph = tf.get_default_graph()
    names = fast_path.fed_names
    assert names(graph, None) == names(graph, {}) == ()
    assert names(graph, {b: 1, a: 2}) == ("a:0", "b:0")
    assert names(graph, [a, object(), b]) == ("a:0", "b:0"), "the session refuses the other"
    assert names(graph, {(b, a): 1}) == ("a:0", "b:0")


def shortcut(*shapes_and_dtypes):
    fed = [tf.placeholder(dtype, shape) for shape, dtype in shapes_and_dtypes]
    with tf.Session() as sess:
        read = fast_path.read_fetches(sess.graph, [tf.constant(1)])
        feeds = fast_path._feeds(sess.graph, fed)
        made = fast_path.Shortcut(read, feeds, None, None, False)
    return made, fed


@pytest.mark.parametrize(
    ("shape", "dtype", "value", "taken"),
    [
        ([None, 2], tf.float32, [[1, 2], [3, 4]], True),
        ([None, 2], tf.float32, [[1, 2, 3]], False),
        ([None, 2], tf.float32, [1, 2], False),
        ([None, 2], tf.float32, [[1, 2], [3]], False),
        (None, tf.float32, [[1, 2, 3]], True),
        ([], tf.float32, 3, True),
        ([], tf.float32, 3.5, True),
        ([], tf.float32, None, False),
        ([], tf.float32, range(3), False),
        ([], tf.float32, "three", False),
        ([], tf.int32, 3, True),
        ([], tf.int32, 3.5, True),
        ([], tf.uint8, 300, False),
        ([], tf.string, "text", True),
        ([], tf.string, 5, False),
        ([], tf.bool, True, True),
    ],
)
def test_which_values_are_fed_without_tensorflows_look(shape, dtype, value, taken):
    made, (tensor,) = shortcut((shape, dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy 1 warns of a number that does not fit
        found = made.fed({tensor: value})
    assert (found is not None) is taken


@pytest.mark.parametrize(
    ("dtype", "value", "gives"),  # those of TensorFlow 1.4.1 and 1.15.5
    [
        (tf.float32, [1.0, np.array([2.0]), 3.5], [1.0, 2.0, 3.5]),
        (tf.float32, [[1.0, np.array([2.0])], [np.array([3.0]), 4.0]], [[1.0, 2.0], [3.0, 4.0]]),
        (tf.float32, [np.array([[1.0]]), np.array([2.0])], [[1.0], [2.0]]),
        (tf.int32, [1, np.array([2.5])], [1, 2]),
        (tf.float32, np.array([1.0, np.array([2.0])], dtype=object), [1.0, 2.0]),
    ],
)
def test_an_array_of_one_element_is_fed_as_a_number(dtype, value, gives):
    x, one = tf.placeholder(dtype, name="x"), tf.placeholder(tf.float32)
    y = x + 0
    with tf.Session() as sess:
        for feeds in ({x: value}, {"x:0": value, one: 1.0}, {x: value, one: [2.0]}):
            assert sess.run(y, feeds).tolist() == gives


def test_arrays_of_one_element_are_numbers_for_a_queue_and_a_step_in_parts():
    x = tf.placeholder(tf.float32)
    y, queue = x * 2, tf.FIFOQueue(5, tf.float32, shapes=[])
    put, value = queue.enqueue_many([x]), [1.0, np.array([2.0])]
    with tf.Session() as sess:
        sess.run(put, {x: value})
        assert sess.run(queue.dequeue_many(2)).tolist() == [1.0, 2.0]
        assert sess.partial_run(sess.partial_run_setup([y], [x]), y, {x: value}).tolist() == [2, 4]
        with pytest.raises(TypeError, match="must be a dictionary"):
            sess.run(y, value)


@pytest.mark.parametrize(
    "value", [[np.ones(1), np.ones(2)], [1.0, [2.0]], [1.0, "a"], [1.0, np.array(["a"])]]
)
def test_what_is_no_number_is_not_fed(value):
    x = tf.placeholder(tf.float32)
    with tf.Session() as sess, pytest.raises((TypeError, ValueError)):
        sess.run(x, {x: value})


def test_what_cannot_be_fed_has_no_short_way():
    variable = tf.Variable(1.0, use_resource=True)
    graph = tf.get_default_graph()
    assert fast_path._feeds(graph, [variable]) is None
    fixed = tf.constant(1.0)
    graph.prevent_feeding(fixed)
    assert fast_path._feeds(graph, [fixed]) is None
    assert fast_path._feeds(graph, []) == {}


@pytest.mark.parametrize("gone", ["_do_call", "_as_tf_output", "_c_op"])
def test_a_step_has_no_short_way_where_a_part_of_tensorflow_has_moved(monkeypatch, gone):
    monkeypatch.setattr(
        fast_path,
        "hasattr",
        lambda owner, name: name != gone and hasattr(owner, name),
        raising=False,
    )
    fed, wanted = tf.placeholder(tf.int32, []), [tf.constant(3), tf.no_op()]
    with tf.Session() as sess:
        for feeds in (None, {fed: 3}):
            assert [sess.run(wanted, feeds) for _ in range(3)] == [[3, None]] * 3
            assert sess._fast_path.find(wanted, feeds) == (None, None)


@pytest.mark.parametrize("wrap", [lambda x: {"a": x}, lambda x: [[x]], lambda x: {"a": [x]}])
def test_steps_that_look_alike_are_told_apart(wrap):
    one, two = tf.constant(1), tf.constant(2)
    with tf.Session() as sess:
        for _ in range(4):  # known from the second time on
            assert sess.run(wrap(one)) == wrap(1)
            assert sess.run(wrap(two)) == wrap(2)
            assert sess.run({"a": one, "b": two}) == {"a": 1, "b": 2}
            assert sess.run({"b": one, "a": two}) == {"b": 1, "a": 2}


@pytest.mark.parametrize(("is_chief", "asked"), [(None, 0), (True, 1), (False, 1)])
def test_a_session_that_is_the_only_one_connects_to_all_tasks(monkeypatch, is_chief, asked):
    heard = []
    monkeypatch.setattr(managed.cluster, "config_for", lambda *given: heard.append(given))
    session = tfqueue.managed_session(is_chief=is_chief)
    assert len(heard) == asked
    assert session._is_chief is (is_chief is not False)
    session.close()
