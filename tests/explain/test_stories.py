"""The rows of tfqueue.explain.stories: when each applies, and what it says, without a session."""

import types

import pytest

import tfqueue.v1 as tf
from tfqueue.explain.case import Case
from tfqueue.explain.failure import Failure, RunnerFacts
from tfqueue.explain.stories import cluster, files, parsing, places, silent, stalls, starting
from tfqueue.explain.stories import python as functions
from tfqueue.explain.stories.rows import Row, counted, listed, sure
from tfqueue.graph.model import Pipeline
from tfqueue.graph.tasks import Cluster
from tfqueue.records import encode, encode_sequence

CLUSTER = Cluster({("ps", 0): "a:1", ("worker", 0): "b:2"}, ("worker", 0))


def pipeline():
    """The model of the default graph."""
    return Pipeline.of(tf.get_default_graph())


def case_of(queue=None, **facts):
    """A case of the default graph; without a queue and a runner unless they are given."""
    given = {"cluster": Cluster({}, None), "queue": queue, **facts}
    return Case(Failure(pipeline(), **given))


def runner(queue, elements=3, **facts):
    """A runner of a queue that has put so many elements in."""
    given = {"working": False, "ended": False, "closed": False, **facts}
    runs = pipeline().runners_of(queue)
    ops = tuple(runs[0].queue_runner.enqueue_ops) if runs else ()
    return RunnerFacts(f"runner of {queue.name}", queue.name, ops, elements, **given)


def queues():
    return list(pipeline().queues.values())


def error_of(kind, op=None, message="no"):
    return kind(op.node_def if op is not None else None, op, message)


def op_of(kind):
    """The one op of a type in the default graph."""
    (op,) = [op for op in tf.get_default_graph().get_operations() if op.type == kind]
    return op


def says(rows, case):
    """What the rows that apply say."""
    return [row.say(case) for row in rows if row.when(case)]


# -- what rows are made of -------------------------------------------------------------------------


def test_words_of_rows():
    assert [counted(n, "file") for n in (0, 1, 2, 1234)] == [
        "0 files",
        "1 file",
        "2 files",
        "1,234 files",
    ]
    assert listed(["a", "b", "c"]) == "a, b, c"
    assert listed(iter("abcd")) == "a, b, c, ... (4 in all)"
    assert listed("abc", 2) == "a, b, ... (3 in all)"
    assert sure(0) == 0
    for wrong in (lambda: sure(None), lambda: Row(("x",), bool, str).warning_class):
        with pytest.raises(LookupError, match="the row does not apply"):
            wrong()
    with pytest.raises(LookupError, match="no queue is in question"):
        _ = case_of().known_queue


# -- where it happened -----------------------------------------------------------------------------


def test_a_place_is_told_by_all_that_is_known():
    names = tf.train.string_input_producer(["a", "b"], shuffle=False)
    _, record = tf.TextLineReader(name="reader").read(names, name="read")
    tf.train.batch([record], 2)
    first, batch = queues()
    assert says(places.FAILURES, case_of()) == [""]
    told = places._place(case_of(run=runner(batch, 1)))
    assert told == (
        "QueueRunner 'runner of batch/fifo_queue' failed while it filled FIFOQueue "
        "'batch/fifo_queue', 1 element were put in before; it reads with TextLineReader 'reader' "
        "(op read); its files: a, b"
    )
    known = places._place(case_of(run=runner(batch, 2), record=(b"a:7", b"text")))
    assert "2 elements were put in before" in known
    assert known.endswith("; the record is a:7")
    op = op_of("ReaderReadV2")
    told = places._place(case_of(error=error_of(tf.errors.DataLossError, op)))
    assert told.startswith("op 'read' was built at ")
    assert "test_stories.py" in told
    assert first.name == "input_producer"


# -- waits -----------------------------------------------------------------------------------------


@pytest.fixture
def queue():
    """The queue of the default graph, a shuffling one that is fed by hand."""
    made = tf.RandomShuffleQueue(20, 5, tf.int32, [[]], name="q")
    made.enqueue(1)
    made.dequeue_many(8, name="take")
    (queue,) = queues()
    return queue


LABEL = "RandomShuffleQueue 'q'"
HELD = (
    "min_after_dequeue=5, only 1 element in it (an open shuffle queue keeps that many back; "
    "closing it gives them out)"
)


def test_a_queue_whose_feeders_are_gone(queue):
    demand = pipeline().demand([op_of("QueueDequeueManyV2")])
    facts = {"size": lambda queue: 1, "demand": demand, "fed_by_hand": frozenset({"q"})}
    (told, *_) = says(stalls.STALLS, case_of(queue, **facts))
    assert told == (
        f"{LABEL} can get no more elements: every thread that ever enqueued into it has ended or "
        f"is the one that waits, no producer is alive; {HELD}, 8 are wanted at once"
    )
    (told, *_) = says(stalls.STALLS, case_of(queue, **facts, feeder_error=KeyError("k")))
    assert told.endswith(". Its feeding thread died of KeyError: 'k'")


def test_a_queue_that_nothing_fills(queue):
    assert says(stalls.STALLS, case_of(queue, size=lambda queue: 1)) == [
        f"{LABEL} can get no more elements: nothing that enqueues into it runs in this process; {HELD}"
    ]
    (told,) = says(stalls.STALLS, case_of(queue))
    assert told.endswith("; it holds too few elements")
    with tf.Graph().as_default():
        tf.FIFOQueue(9, tf.int32, [[]], name="bare").dequeue()
        (bare,) = queues()
        assert says(stalls.STALLS, case_of(bare)) == [
            "FIFOQueue 'bare' is empty and the graph has no op that puts into it"
        ]


def test_a_queue_whose_runner_was_stopped(queue):
    plain = case_of(queue, size=lambda queue: 2, runners=(runner(queue),))
    assert says(stalls.STALLS, plain)[0] == (
        f"{LABEL} can get no more elements: its QueueRunner was stopped; {HELD}"
    ).replace("1 element in", "2 elements in")


@pytest.fixture
def producers():
    """Two queues with a runner, and one more runner of the first."""
    first = tf.train.range_input_producer(3, name="first")
    tf.train.range_input_producer(3, name="second")
    tf.train.add_queue_runner(tf.train.QueueRunner(first, [first.enqueue(1)]))
    return queues()


START = "call tf.train.start_queue_runners(sess, coord)"


def test_runners_that_were_never_started(producers):
    first, second = producers
    case = case_of(first)
    assert says(stalls.STALLS[2:3], case) == [
        f"first is empty and none of its 2 QueueRunners was started; {START} before the first run"
    ]
    assert stalls.never_started(case, [second]) == (
        f"second is empty and its QueueRunner was not started; {START} before the first run"
    )
    others = case_of(first, runners=(runner(second),))
    late = "registered after start_queue_runners() was called: " + START
    told = stalls.never_started(others, [first])
    assert f"was started. 1 runner was {late} again" in told
    both = case_of(first, runners=(RunnerFacts("r", "other", (), 1, True, False, False),))
    assert f". 2 runners were {late} again" in stalls.never_started(both, [first, second])
    made = (
        "second is empty and the threads of its QueueRunner were made but not started: say "
        "create_threads(..., start=True), or start() each of them"
    )
    assert stalls.never_started(others, [second]) == made
    mixed = stalls.never_started(others, [second, first])
    assert mixed.startswith(f"{made}; first is empty and none of its 2 QueueRunners was started. ")


@pytest.mark.parametrize(
    ("acting", "who"),
    [
        ([], "a later thread"),
        (["a"], "thread a of this program"),
        (list("abcde"), "threads a, b, c, d, e of this program"),
        (list("abcdef"), "threads a, b, c, d, e, ... (6 in all) of this program"),
    ],
)
def test_a_wait_that_may_end(acting, who, queue):
    demand = pipeline().demand([op_of("QueueDequeueManyV2")])
    told = stalls.waiting(case_of(queue, demand=demand), acting)
    assert told == (
        f"still waiting for elements of {LABEL}; no live producer in this process is known. If "
        f"{who}, or another process, feeds it, all is well, and the step goes on waiting"
    )
    assert stalls.waiting_for_room(case_of(queue), acting) == (
        f"still waiting for room in {LABEL}, which holds 20 elements; nothing has taken from it "
        f"yet. If {who} takes from it, all is well, and the step goes on waiting"
    )


def test_a_full_queue_that_nobody_empties():
    made = tf.FIFOQueue(1, tf.int32, [[]], name="q")
    put = made.enqueue(1)
    behind = tf.FIFOQueue(5, tf.int32, [[]], name="behind")
    (first, _) = queues()
    full = "there is no room in FIFOQueue 'q', which holds 1 element, and nothing is left"
    told = stalls.no_room(case_of(first))
    assert told.startswith(full)
    assert told.endswith("Take from it in another thread meanwhile, or give it a larger capacity")
    tf.train.add_queue_runner(tf.train.QueueRunner(behind, [behind.enqueue(made.dequeue())]))
    told = stalls.no_room(case_of(first))
    assert told.startswith(full)
    assert told.endswith(
        f"QueueRunner 'behind' takes from it and was not started, so {START} before"
    )
    started = RunnerFacts("behind", "behind", (), 0, True, False, False)
    assert "Take from it in another" in stalls.no_room(case_of(first, runners=(started,)))
    assert put.type == "QueueEnqueueV2"


@pytest.mark.parametrize(
    ("sizes", "record_bytes", "why"),
    [
        ([0], None, ", of 0 bytes"),
        ([0, 0], None, ", of 0 bytes"),
        ([0, 3], None, ""),
        ([3], 4, ", of 3 bytes, and record_bytes is 4"),
        ([3, 1], 1234, ", of 3 bytes at most, and record_bytes is 1,234"),
        ([4], 4, ""),
        ([1], 4, ", of 1 byte, and record_bytes is 4"),
    ],
)
def test_files_without_a_record(sizes, record_bytes, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [f"f{number}" for number in range(len(sizes))]
    for name, size in zip(names, sizes, strict=True):
        (tmp_path / name).write_bytes(bytes(size))
    made = tf.train.string_input_producer(names, shuffle=False)
    reader = tf.FixedLengthRecordReader(record_bytes) if record_bytes else tf.TextLineReader()
    reader.read(made)
    (queue,) = queues()
    told = stalls.no_records(case_of(queue), len(names))
    many = f"{len(names)} file{'s' * (len(names) > 1)}"
    assert told == (
        f"no record in any of {many}: {', '.join(names)}{why}. 'input_producer' gives their names "
        "again and again, and nothing will ever come of it"
    )
    assert stalls._too_small(case_of(queue), ["none"]) == ""


# -- clusters --------------------------------------------------------------------------------------


@pytest.fixture
def shared():
    """A shared queue on a ps, which a runner of this graph fills."""
    with tf.device("/job:ps/task:0"):
        made = tf.FIFOQueue(9, tf.string, [[]], shared_name="all", name="q")
    tf.train.add_queue_runner(tf.train.QueueRunner(made, [made.enqueue("a")]))
    (queue,) = queues()
    return queue


def remote(queue=None, error=None, **facts):
    return case_of(queue, remote=True, cluster=CLUSTER, error=error, **facts)


PS = "/job:ps/task:0 at a:1"


@pytest.mark.parametrize(
    ("kind", "message", "told"),
    [
        (tf.errors.UnavailableError, "from remote target /job:ps/replica:0/task:0: no", True),
        (tf.errors.UnavailableError, "/job:worker/task:0 cannot reach /job:ps/task:0", True),
        (
            tf.errors.UnavailableError,
            "/job:other/task:1: from remote target /job:ps/replica:0/task:0: no",
            True,
        ),
        (tf.errors.UnavailableError, "/job:worker/task:0 only", False),
        (tf.errors.InternalError, "/job:ps/task:0", False),
    ],
)
def test_a_task_that_is_lost(kind, message, told, shared):
    rows = cluster.FAILURES[:1]
    found = says(rows, remote(error=error_of(kind, message=message)))
    assert bool(found) == told
    if told:
        (text,) = found
        assert text.startswith(f"{PS} is lost: its process has ended")
        assert "gone with it (FIFOQueue 'q' among it). Start it again" in text
    assert not says(rows, case_of(error=error_of(kind, message=message)))


def test_a_task_that_came_again(shared):
    aborted = error_of(tf.errors.AbortedError, message="/job:ps/task:0 was restarted")
    (text,) = says(cluster.FAILURES[:1], remote(error=aborted))
    assert text == (
        f"{PS} was restarted after this session was made: what it held is gone (FIFOQueue 'q' among "
        "it). Make a new session, and initialise or restore it"
    )
    elsewhere = error_of(tf.errors.AbortedError, message="/job:ps/task:1 was restarted")
    (text,) = says(cluster.FAILURES[:1], remote(error=elsewhere))
    assert text.startswith("/job:ps/task:1 was restarted after")
    assert "what it held is gone. Make" in text


@pytest.mark.parametrize("shared_name", [None, "all"])
def test_a_reader_on_another_task(shared_name):
    with tf.device("/job:ps/task:0"):
        names = tf.FIFOQueue(9, tf.string, [[]], shared_name=shared_name, name="q")
    with tf.device("/job:worker/task:0"):
        reader = tf.TextLineReader(name="reader")
        for number in range(2):
            reader.read(names, name=f"read{number}")
    invalid = error_of(tf.errors.InvalidArgumentError)
    (text,) = says(cluster.FAILURES[1:2], remote(error=invalid))
    as_named = ", shared as 'all'" if shared_name else ""
    assert text.startswith(
        "TextLineReader 'reader' is on /job:worker/task:0 and reads its names from FIFOQueue 'q' "
        f"on /job:ps/task:0{as_named}, which this TensorFlow refuses"
    )
    assert 'Build the reader inside `with tf.device("/job:ps/task:0"):`' in text
    assert "; it was built at " in text
    assert text.count("is on") == 1
    other = error_of(tf.errors.UnavailableError)
    assert not says(cluster.FAILURES[1:2], remote(error=other))
    assert not says(cluster.FAILURES[1:2], case_of(error=invalid))


def test_a_reader_on_another_task_behind_other_steps_of_its_queue():
    with tf.device("/job:ps/task:0"):
        names = tf.FIFOQueue(9, tf.string, [[]], name="q")
        names.dequeue()
        tf.TextLineReader(name="near").read(names)
    with tf.device("/job:worker/task:0"):
        first = tf.TextLineReader(name="first")
        for _ in range(2):
            first.read(names)
        tf.TextLineReader(name="second").read(names)
    (text,) = says(cluster.FAILURES[1:2], remote(error=error_of(tf.errors.InvalidArgumentError)))
    told = [part.partition(" is on ")[0] for part in text.split("; ") if " is on " in part]
    assert told == ["TextLineReader 'first'", "TextLineReader 'second'"]


@pytest.mark.parametrize("devices", [("/job:ps/task:0",) * 2, ("/job:ps/task:0", None)])
def test_a_reader_beside_its_queue(devices):
    with tf.device(devices[0]):
        names = tf.FIFOQueue(9, tf.string, [[]], name="q")
    with tf.device(devices[1]):
        tf.TextLineReader().read(names)
    invalid = error_of(tf.errors.InvalidArgumentError)
    assert not says(cluster.FAILURES[1:2], remote(error=invalid))


def test_a_shared_queue_that_another_process_closed(shared):
    rows, cancelled = cluster.FAILURES[2:], error_of(tf.errors.CancelledError)
    run = runner(shared)
    (text,) = says(rows, remote(error=cancelled, run=run))
    assert text.startswith("FIFOQueue 'q' is shared as 'all', and another process has closed it")
    others = [
        remote(error=cancelled),
        remote(error=cancelled, run=run, cancelled=frozenset({"q"})),
        remote(error=error_of(tf.errors.InternalError), run=run),
        case_of(error=cancelled, run=run),
    ]
    assert not any(says(rows, other) for other in others)


def test_waits_for_a_cluster(shared):
    tasks, two = [("ps", 0)], [("ps", 0), ("worker", 1)]
    assert cluster.not_there(CLUSTER, two, 12.4).startswith(
        f"no answer yet, after 12 s, from {PS}, /job:worker/task:1: a session needs every task"
    )
    assert cluster.silent(CLUSTER, ("ps", 0), 9.6).startswith(
        f"a step waits, and {PS} has not answered for 10 s: its machine is frozen or cut off"
    )
    assert cluster.gone(CLUSTER, ("ps", 0), 60).startswith(
        f"{PS} has not answered for 60 s, and the step waits for it"
    )
    named = "FIFOQueue 'q', shared as 'all'"
    assert cluster.nobody_fills(CLUSTER, tasks, shared) == (
        f"a step waits for elements of {named}, and {PS}, which filled it, has not answered for a "
        "while: its process has ended, or the network to it is broken. Nobody else fills the queue"
    )
    assert cluster.closed_before(shared).startswith(f"{named}, was closed before this chief came")
    assert cluster.producer_gone(CLUSTER, ("ps", 0), shared).startswith(
        f"{PS} filled {named}, and does not answer any more"
    )
    failed = (CLUSTER, ("ps", 0), shared, tf.errors.DataLossError)
    told = f"filled {named}, and failed with DataLossError: this is the end of what the others"
    assert cluster.producer_failed(*failed).startswith(f"{PS} {told}")
    assert cluster.producer_failed(failed[0], None, *failed[2:]).startswith(
        f"another process {told}"
    )
    assert cluster.no_chief(["v", "w"], 31.2).startswith(
        "still waiting, after 31 s, for the chief to initialise v, w: is the process"
    )
    assert cluster.left_to_chief(remote(shared)).startswith(
        f"still waiting for elements of {named} on {PS}; no runner of this process fills it"
    )
    with tf.Graph().as_default():
        tf.FIFOQueue(9, tf.string, [[]], shared_name="all", name="q")
        (here,) = queues()
        assert "shared as 'all'; no runner" in cluster.left_to_chief(remote(here))


# -- the start and Python functions ----------------------------------------------------------------


def test_a_variable_without_a_value():
    local = tf.Variable(1, name="mine", collections=[tf.GraphKeys.LOCAL_VARIABLES])
    other = tf.Variable(1, name="other")
    tf.train.range_input_producer(3)
    (queue,) = queues()
    rows, kind = starting.FAILURES[:1], tf.errors.FailedPreconditionError
    (told,) = says(rows, case_of(error=error_of(kind, local.op), run=runner(queue)))
    assert told == (
        "QueueRunner 'runner of input_producer' needs variable 'mine' which has no value yet: run "
        "tf.local_variables_initializer() before start_queue_runners()"
    )
    reads = tf.identity(other.value()).op.inputs[0].op
    (told,) = says(rows, case_of(error=error_of(kind, reads)))
    assert told == (
        "the step needs variable 'other' which has no value yet: run "
        "tf.global_variables_initializer() before it"
    )
    assert not says(rows, case_of(error=error_of(kind, queue.op)))
    assert not says(rows, case_of(error=error_of(kind)))
    assert not says(rows, case_of(error=error_of(tf.errors.InternalError, local.op)))


def test_the_files_of_a_pattern_without_a_value():
    tf.train.string_input_producer(tf.train.match_filenames_once("*.csv"))
    variable = tf.local_variables()[0]
    error = error_of(tf.errors.FailedPreconditionError, variable.op)
    (told,) = says(starting.FAILURES[:1], case_of(error=error))
    assert told.startswith(
        "the step needs the file list of match_filenames_once('*.csv'), variable"
    )
    assert "run tf.local_variables_initializer() before it" in told


def test_a_runner_of_a_queue_that_was_closed():
    tf.train.range_input_producer(3)
    (queue,) = queues()
    cancelled = error_of(tf.errors.CancelledError)
    run, rows = runner(queue), starting.FAILURES[1:2]
    ended, stopped = runner(queue, ended=True, closed=True), runner(queue, closed=True)
    (told,) = says(rows, case_of(error=cancelled, run=run, runners=(run, ended)))
    assert told.startswith("input_producer was closed at the end of its epochs and cannot be")
    (told,) = says(rows, case_of(error=cancelled, run=run, runners=(run, stopped)))
    assert told.startswith("input_producer was closed by the stop that was asked for earlier")
    elsewhere = RunnerFacts("r", "other", (), 1, False, True, True)
    for facts in (
        {"run": run, "runners": (run, runner(queue))},
        {"run": run, "runners": (run, elsewhere)},
        {"run": stopped, "runners": (stopped,)},
        {"runners": (run, ended)},
        {"run": run, "runners": (run, ended), "error": error_of(tf.errors.InternalError)},
    ):
        assert not says(rows, case_of(**{"error": cancelled, **facts}))


def test_a_placeholder_of_a_runner():
    fed = tf.placeholder(tf.float32, name="fed")
    tf.train.range_input_producer(3)
    (queue,) = queues()
    error = error_of(tf.errors.InvalidArgumentError, fed.op)
    (told,) = says(starting.FAILURES[2:], case_of(error=error, run=runner(queue)))
    assert told.startswith("QueueRunner 'runner of input_producer' needs placeholder 'fed', which")
    assert says(starting.FAILURES[2:], case_of(error=error)) == [""]
    assert not says(starting.FAILURES[2:], case_of(error=error_of(tf.errors.InternalError)))


def test_what_a_python_function_returned():
    out = tf.py_func(lambda: 1, [], tf.float32)
    rows = functions.FAILURES[1:]
    message = "0-th value returned by pyfunc_0 is int64, but expects float"
    error = error_of(tf.errors.InvalidArgumentError, out.op, message)
    assert says(rows, case_of(error=error)) == [
        "the Python function returned a int64 and was declared to return a float32. Convert what "
        "it returns, or declare Tout=tf.int64"
    ]
    assert says(rows, case_of(error=error_of(tf.errors.InvalidArgumentError, out.op))) == [""]
    assert not says(rows, case_of(error=error_of(tf.errors.InvalidArgumentError, None, message)))


# -- files -----------------------------------------------------------------------------------------


def test_the_record_files_are_those_behind_the_step():
    reads = []
    for name in "ab":
        names = tf.train.string_input_producer([name])
        reads.append(tf.TFRecordReader().read(names, name=f"read_{name}")[1])
    facts = {"runners": [runner(queue) for queue in queues()]}
    steps = [([], {"a": "", "b": ""}), (reads, {"a": "", "b": ""}), (reads[1:], {"b": ""})]
    for step, expected in steps:
        demand = pipeline().demand([read.op for read in step])
        assert case_of(demand=demand, **facts).record_files == expected


def test_a_file_that_is_missing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.csv").write_text("1\n")
    names = tf.train.string_input_producer(["trian.csv", "nothing/like/it"], shuffle=False)
    tf.TextLineReader().read(names, name="read")
    op = op_of("ReaderReadV2")
    demand = pipeline().demand([op])

    def told(message, **facts):
        error = error_of(tf.errors.NotFoundError, op, message)
        (text,) = says(files.FAILURES[1:2], case_of(error=error, **facts))
        return text

    relative = " (names are relative to the folder the program runs in)"
    assert told("zzz; No such file or directory") == f"there is no file 'zzz'{relative}"
    assert told("/zzz; No such file or directory", demand=demand) == (
        "there is no file '/zzz', which read op read was to read"
    )
    close = told("trian.csv; No such file or directory")
    assert "train.csv" in close
    assert relative not in close
    assert told("gone", demand=demand).startswith("there is no file 'trian.csv, nothing/like/it'")
    assert told("*.csv; No such file or directory") == (
        "'*.csv' is a pattern, and string_input_producer takes names. "
        "tf.train.match_filenames_once('*.csv') finds the 1 file that it matches"
    )
    other = error_of(tf.errors.NotFoundError)
    assert not says(files.FAILURES[1:2], case_of(error=other))


def test_files_that_end_inside_their_header(tmp_path):
    paths = []
    for name, size in (("a", 3), ("b", 8), ("c", 1), ("d", 4)):
        (tmp_path / name).write_bytes(bytes(size))
        paths.append(str(tmp_path / name))
    names = tf.train.string_input_producer(paths, shuffle=False)
    _, value = tf.FixedLengthRecordReader(2, header_bytes=4).read(names)
    tf.train.batch([value], 2)
    batch = queues()[1]
    error = error_of(tf.errors.DataLossError, op_of("ReaderReadV2"))
    (told,) = says(files.FAILURES[3:4], case_of(error=error, run=runner(batch, 1)))
    assert told == (
        f"{paths[0]} has 3 bytes, and header_bytes is 4. {paths[2]} are too short too. 1 example in "
        "front of it went into 'batch/fifo_queue'"
    )


@pytest.mark.parametrize(("names", "where"), [(["a"], "a"), (["a", "b"], "one of a, b")])
def test_a_damaged_file_that_nobody_can_tell(names, where):
    made = tf.train.string_input_producer(names, shuffle=False)
    tf.TFRecordReader().read(made)
    op = op_of("ReaderReadV2")
    demand = pipeline().demand([op])
    error = error_of(tf.errors.DataLossError, op)
    assert says(files.FAILURES[3:4], case_of(error=error, demand=demand)) == [
        f"the damaged file is {where}. `tfqueue records verify` shows what is left of a file, "
        "`salvage` saves it"
    ]


def read_from(paths, error, compression="", shuffle=False):
    """A case of a reader of TFRecord files that failed."""
    made = tf.train.string_input_producer(paths, shuffle=shuffle)
    options = tf.python_io.TFRecordOptions(compression) if compression else None
    tf.TFRecordReader(options=options).read(made)
    op = op_of("ReaderReadV2")
    facts = {"error": error_of(tf.errors.DataLossError, op, error)}
    return case_of(demand=pipeline().demand([op]), **facts)


KINDS = [
    (b"\x1f\x8b\x08" + bytes(9), "a gzip file", "TFRecordCompressionType.GZIP)"),
    (b"\x89PNG\r\n\x1a\n", "a PNG", "tf.WholeFileReader and tf.image.decode_image read image"),
    (b"\xff\xd8\xff" + bytes(9), "a JPEG", "tf.WholeFileReader and tf.image"),
    (b"GIF89a" + bytes(9), "a GIF", "tf.WholeFileReader and tf.image"),
    (b"words and words", "text", "). tf.TextLineReader reads text"),
    (b"%PDF" + bytes(9), "a PDF", "(it begins like a PDF)"),
]


@pytest.mark.parametrize(("data", "kind", "fix"), KINDS)
def test_a_file_of_another_kind(data, kind, fix, tmp_path):
    path = str(tmp_path / "file")
    (tmp_path / "file").write_bytes(data)
    case = read_from([path], "corrupted record at 0")
    (told,) = says(files.FAILURES[3:], case)
    assert told.startswith(f"{path} is not a TFRecord file (it begins like {kind})")
    assert fix in told
    assert (". " in told) == (kind != "a PDF")


def test_damage_that_is_not_at_a_file_s_beginning(tmp_path):
    path = str(tmp_path / "file")
    (tmp_path / "file").write_bytes(b"words and words")
    (told,) = says(files.FAILURES[3:], read_from([path], "corrupted record at 20"))
    assert told.startswith(f"the damaged file is {path}")


@pytest.mark.parametrize(
    ("compression", "shuffle", "names", "found"),
    [
        ("", False, ["good", "words"], True),
        ("", True, ["good", "words"], True),
        ("", False, ["words", "more"], True),
        ("", True, ["words", "more"], False),
        ("", True, ["gone", "words"], True),
        ("GZIP", False, ["words"], False),
        ("", False, ["good"], False),
    ],
)
def test_which_file_is_of_another_kind(compression, shuffle, names, found, records, tmp_path):
    paths = {name: str(tmp_path / name) for name in ("words", "more", "gone")}
    paths["good"] = records([b"x"])
    for name in ("words", "more"):
        (tmp_path / name).write_text("words and words")
    given = [paths[name] for name in names]
    case = read_from(given, "corrupted record at 0", compression, shuffle)
    assert (files._other_kind(case) is not None) == found
    if found:
        assert files._other_kind(case) == (paths["words"], "text")


@pytest.mark.parametrize(
    ("at", "offset", "message", "reason"),
    [
        (12 + 20, 20, "record at 32", "data"),
        (20, 20, "record at 20", "length"),
    ],
)
def test_the_place_of_damage(at, offset, message, reason, records):
    path = records([b"good", b"evil", b"more"])
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(b"\xff")
    found = files._damage(read_from([path], f"corrupted {message}"))
    assert found is not None
    assert (found[0], found[1].offset) == (path, offset)
    (told,) = says(files.FAILURES[3:4], read_again(path, message))
    assert f", in the record at byte {offset}. `tfqueue records verify` shows" in told
    assert reason in told


def read_again(path, message):
    with tf.Graph().as_default():
        return read_from([path], f"corrupted {message}")


def test_damage_is_found_behind_files_that_cannot_be_read(records, tmp_path):
    bad = records([b"good", b"evil"])
    with open(bad, "r+b") as file:
        file.seek(12 + 20)
        file.write(b"\xff")
    gone = str(tmp_path / "gone")
    case = read_from([gone, str(tmp_path), bad], "corrupted record at 32")
    path, damage = files._damage(case)
    assert (path, damage.kind, damage.offset) == (bad, "data-crc", 20)
    with tf.Graph().as_default():
        assert files._damage(read_from([gone], "corrupted record at 32")) is None


def test_damage_whose_place_is_not_told(records):
    assert files._damage(read_from([records([b"x"])], "corrupted")) is None
    with tf.Graph().as_default():
        assert files._damage(read_from([records([b"x"])], "record at 0")) is None


def test_the_shapes_that_a_queue_has():
    queue = tf.FIFOQueue(9, [tf.int32] * 2, [[], [2]], name="q")
    free = tf.PaddingFIFOQueue(9, [tf.int32], [[None, 3]], name="free")
    bare = tf.FIFOQueue(9, [tf.int32], name="bare")
    puts = [
        queue.enqueue([1, [1, 2]]),
        queue.enqueue_many([[1], [[1, 2]]]),
        free.enqueue([[[1, 2, 3]]]),
        free.enqueue_many([[[[1, 2, 3]]]]),
        bare.enqueue([1]),
    ]
    case = case_of(demand=pipeline().demand(puts[:-1]))
    assert [case.component_shapes(put) for put in puts] == [
        [[], [2]],
        [[None], [None, 2]],
        [[None, 3]],
        [[None, None, 3]],
        [],
    ]


# -- damage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([], ""),
        (["a"], "1 runner of an older session is still alive (a) and go on reading. "),
        (["a", "b"], "2 runners of an older session are still alive (a, b) and go on reading. "),
    ],
)
def test_runners_of_an_older_session(names, told):
    assert silent.left_running(names).startswith(told)
    assert bool(silent.left_running(names)) == bool(names)


def dropped(left, amount=4, total=6, many=1, **facts):
    """What is said of so many elements that are left in a queue."""
    numbers = tf.train.range_input_producer(3)
    tf.train.batch([numbers.dequeue()], amount, many, name="rows")
    queue = queues()[1]
    take = queue.takes[0].op
    runs = tuple(runner(queue, each, ended=True) for each in total) if total else ()
    given = {
        "demand": pipeline().demand([take]),
        "size": lambda queue: left,
        "runners": runs,
        **facts,
    }
    return says(silent.AT_END[:1], case_of(**given))


def test_a_batch_that_was_dropped():
    end = "by rows (batch_size 4): the last batch did not fill. allow_smaller_final_batch=True keeps them"
    assert dropped(3, total=[4, 3]) == [f"3 of 7 examples were dropped {end}"]


@pytest.mark.parametrize(
    ("left", "facts"),
    [
        (0, {}),
        (4, {}),
        (3, {"total": None}),
        (3, {"cancelled": frozenset({"rows/fifo_queue"})}),
        (3, {"stopping": True}),
        (1, {"amount": 1}),
    ],
)
def test_nothing_was_dropped(left, facts):
    assert dropped(left, **{"total": [7], **facts}) == []


def test_one_element_that_was_dropped():
    (told,) = dropped(1, total=[5])
    assert told.startswith("1 of 5 examples was dropped by rows")


# -- what a record holds ---------------------------------------------------------------------------


def parsed(data, spec, sequence=False):
    """What is said of a record that a parsing op of these features cannot take."""
    names = tf.train.string_input_producer(["a"], shuffle=False)
    _, record = tf.TFRecordReader().read(names)
    if sequence:
        tf.parse_single_sequence_example(record, spec)
    else:
        tf.parse_single_example(record, spec)
    kind = "ParseSequenceExampleV2" if sequence else "ParseExampleV2"
    op = op_of(kind)
    case = case_of(error=error_of(tf.errors.InvalidArgumentError, op), record=(b"a:0", data))
    return parsing._parse(case)


FIXED, VAR = tf.FixedLenFeature, tf.VarLenFeature


@pytest.mark.parametrize(
    ("record", "spec", "told"),
    [
        (
            {"label": 1, "image": b"xy"},
            {"labels": FIXED([], tf.int64)},
            "key 'labels' (int64) is wanted and is not there (did you mean 'label'?); it has 'image' "
            "(bytes, 1 value of 2 bytes), 'label' (int64, 1 value)",
        ),
        (
            {"x": [1.0, 2.0]},
            {"label": FIXED([], tf.int64)},
            "key 'label' (int64) is wanted and is not there; it has 'x' (float, 2 values)",
        ),
        (
            {"x": [1.0, 2.0]},
            {"label": FIXED([], tf.int64, 7), "more": VAR(tf.int64)},
            "it has 'x' (float, 2 values)",
        ),
        (
            {"x": 1, "y": 2, "z": [b"a", b"b"]},
            {"x": FIXED([], tf.float32), "y": VAR(tf.string), "z": FIXED([2], tf.string)},
            "key 'x' is wanted as float32 and is int64; key 'y' is wanted as string and is int64; "
            "it has 'x' (int64, 1 value), 'y' (int64, 1 value), 'z' (bytes, 2 values)",
        ),
        (
            {"x": [1, 2, 3]},
            {"x": FIXED([2], tf.int64)},
            "key 'x' is wanted with shape [2], 2 values, and has 3 values (VarLenFeature takes any "
            "number); it has 'x' (int64, 3 values)",
        ),
        ({}, {"x": FIXED([], tf.int64)}, "key 'x' (int64) is wanted and is not there; it is empty"),
    ],
)
def test_an_example_without_what_is_wanted(record, spec, told):
    assert parsed(encode(record), spec) == f"record a:0: {told}"


def test_a_record_that_is_no_example():
    spec = {"x": FIXED([], tf.int64)}
    assert parsed(b"\xff" * 30, spec).startswith(
        r"record a:0 is no tf.train.Example: 30 bytes, b'\xff\xff"
    )


def test_a_sequence_without_what_is_wanted():
    data = encode_sequence({"id": 1}, {"words": [[1, 2], [3]], "none": []})
    told = parsed(data, {"size": FIXED([], tf.int64)}, sequence=True)
    assert told == (
        "record a:0: key 'size' (int64) is wanted and is not there; it has 'id' (int64, 1 value), "
        "'none' (list of empty, 0 steps), 'words' (list of int64, 2 steps)"
    )


def test_an_example_beside_the_bad_one(records):
    path = records([encode({"x": 1})])
    names = tf.train.string_input_producer([path], shuffle=False)
    tf.parse_single_example(tf.TFRecordReader().read(names)[1], {"y": FIXED([], tf.int64)})
    op = op_of("ParseExampleV2")
    demand = pipeline().demand([op])
    case = case_of(error=error_of(tf.errors.InvalidArgumentError, op), demand=demand)
    case.record = None
    (told,) = says(parsing.FAILURES[:1], case)
    assert told.startswith(f"record {path}:0, for one,: key 'y' (int64) is wanted")


@pytest.mark.parametrize(
    ("shape", "size"),
    [(None, None), ([], 1), ([2, 3], 6), ([None, 3], None), ([0], 0)],
)
def test_how_many_values_a_shape_has(shape, size):
    assert parsing._size(shape) == size


def misfit(message, known=None):
    """A case of an enqueue op of two components that could not put one."""
    queue = tf.FIFOQueue(9, [tf.int32, tf.float32], [[], [2, 3]], name="q")
    raw = tf.decode_raw(tf.placeholder(tf.string, []), tf.float32, name="raw")
    put = queue.enqueue([1, tf.reshape(raw, [-1, 3], name="rows")])
    error = error_of(tf.errors.InvalidArgumentError, put, message)
    case = case_of(queues()[0], error=error)
    case.record = known and (known, b"")
    return case


SHAPES = "Shape mismatch in tuple component 1. Expected [{}], got [{}]"


def test_a_component_of_another_shape():
    (told,) = says(parsing.FAILURES[1:2], misfit(SHAPES.format("2,3", "4,3"), b"a:7"))
    assert told.startswith(
        "component 1 of FIFOQueue 'q' has the shape [2, 3]; this example's tensor 'rows:0', built at "
    )
    assert told.endswith("has [4, 3]. It is a:7")
    (told,) = says(parsing.FAILURES[1:2], misfit(SHAPES.format("?,3", "")))
    assert "has the shape [None, 3]" in told
    assert told.endswith(" has []")
    assert not says(parsing.FAILURES[1:2], misfit("Shape mismatch"))


@pytest.mark.parametrize(
    ("wanted", "actual", "counts"),
    [
        ("2,3", "4,3", True),
        ("2,3", "8,3", True),
        ("8,3", "2,3", True),
        ("2,3", "3,3", False),
        ("2,3", "0,3", False),
        ("0,3", "2,3", False),
        ("?,3", "2,3", False),
    ],
)
def test_whether_the_bytes_hint_at_a_dtype(wanted, actual, counts):
    assert parsing._counts(misfit(SHAPES.format(wanted, actual))) == counts


@pytest.mark.parametrize(
    ("wanted", "actual", "told"),
    [
        (
            "2,3",
            "4,3",
            "48 bytes = 6 float64 or int64, 12 float32 or int32, 24 int16 or uint16, 48 uint8; "
            "decode_raw takes them for float32, and [2, 3] has 6 values: was it written with another "
            "dtype (float64 or int64)?",
        ),
        (
            "16,3",
            "4,3",
            "48 bytes = 6 float64 or int64, 12 float32 or int32, 24 int16 or uint16, 48 uint8; "
            "decode_raw takes them for float32, and [16, 3] has 48 values: was it written with "
            "another dtype (uint8)?",
        ),
        (
            "1,3",
            "1,1",
            "4 bytes = 1 float32 or int32, 2 int16 or uint16, 4 uint8; decode_raw takes them for "
            "float32, and [1, 3] has 3 values: is it of another size, or was it written with another "
            "dtype?",
        ),
        ("1,3", "?,1", ""),
    ],
)
def test_what_the_bytes_may_be(wanted, actual, told):
    assert parsing._arithmetic(misfit(SHAPES.format(wanted, actual))) == told


def test_bytes_that_are_reshaped_or_decoded():
    raw = tf.decode_raw(tf.placeholder(tf.string, []), tf.int16)
    rows = tf.reshape(raw, [2, 2]).op
    message = "Input to reshape is a tensor with 2 values, but the requested shape has 4"
    case = case_of(error=error_of(tf.errors.InvalidArgumentError, rows, message))
    case.record = None
    (told,) = says(parsing.FAILURES[2:3], case)
    assert told == (
        "4 bytes = 1 float32 or int32, 2 int16 or uint16, 4 uint8; decode_raw takes them for int16, "
        "and [[2, 2]] has 4 values: was it written with another dtype (uint8)?"
    ).replace("[[2, 2]]", "[2, 2]")
    message = "Input to DecodeRaw has length 3 that is not a multiple of 2, the size of int16"
    case = case_of(error=error_of(tf.errors.InvalidArgumentError, raw.op, message))
    case.record = None
    assert says(parsing.FAILURES[2:3], case) == [
        "3 bytes = 3 uint8; decode_raw takes them for int16: was it written with another dtype?"
    ]
    plain = tf.reshape(tf.zeros([2]), tf.placeholder(tf.int32, [2])).op
    assert not says(
        parsing.FAILURES[2:3], case_of(error=error_of(tf.errors.InvalidArgumentError, plain))
    )


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (
            (b"a.csv:7", b"1,2"),
            "line 7 of a.csv is '1,2', 2 fields; record_defaults has 3 columns",
        ),
        (
            (b"a.csv:7", b"x" * 99),
            f"line 7 of a.csv is {'x' * 80!r}, 1 field; record_defaults has 3 columns",
        ),
        (None, ""),
    ],
)
def test_a_line_with_other_fields(record, told):
    for delimiter in ",;":
        columns = tf.decode_csv(tf.placeholder(tf.string, []), [[1]] * 3, field_delim=delimiter)
        case = case_of(error=error_of(tf.errors.InvalidArgumentError, columns[0].op))
        case.record = record and (record[0], record[1].replace(b",", delimiter.encode()))
        assert says(parsing.FAILURES[4:5], case) == [told.replace("1,2", f"1{delimiter}2")]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "0 bytes, beginning with b'', which is nothing"),
        (b"some words", "10 bytes, beginning with b'some words', which is text"),
        (b"\xff\xd8\xff\xe0", r"4 bytes, beginning with b'\xff\xd8\xff\xe0', which is JPEG"),
        (b"\xff" * 99, f"99 bytes, beginning with {bytes([255] * 12)!r}, no image that is known"),
        (None, None),
    ],
)
def test_an_image_that_cannot_be_decoded(data, told):
    image = tf.image.decode_png(tf.placeholder(tf.string, []))
    case = case_of(error=error_of(tf.errors.InvalidArgumentError, image.op))
    case.record = (b"a:1", b"")
    case.replay = types.SimpleNamespace(values=lambda *_: None if data is None else [data])
    expected = f"the image of a:1 cannot be decoded: {told}" if told else ""
    assert says(parsing.FAILURES[5:], case) == [expected]
