"""The lines that tfqueue.explain.uncaught_errors makes of an exception, and how a message is read."""

import io
import linecache
import sys
import types

import pytest

import tfqueue.v1 as tf
from tfqueue import _tensorflow, errors
from tfqueue.explain import diagnosis, uncaught_errors
from tfqueue.explain.failure import Failure
from tfqueue.explain.stories.rows import Row
from tfqueue.explain.uncaught_errors import headline_of, lines_of
from tfqueue.graph.model import Pipeline
from tfqueue.graph.tasks import Cluster


def raised(source, name="/elsewhere/program.py"):
    """What a program of this text raises, with the frames of that program alone."""
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    with pytest.raises(Exception) as caught:
        exec(compile(source, name, "exec"), {"tf": tf, "_add": _tensorflow.add_note})
    return caught.value.with_traceback(caught.value.__traceback__.tb_next)


CALLS = "def f(n):\n    if n: f(n - 1)\n    else: raise ValueError('no')\nf({})\n"


def frame(line, name, code):
    return [f'  File "/elsewhere/program.py", line {line}, in {name}', f"    {code}"]


FIRST, INNER = frame(4, "<module>", "f({})"), frame(2, "f", "if n: f(n - 1)")
LAST = frame(3, "f", "else: raise ValueError('no')")


@pytest.mark.parametrize(
    ("depth", "between"),
    [
        (0, []),
        (1, INNER),
        (2, ["  ... 1 more of the program's frames ...", *INNER]),
        (5, ["  ... 4 more of the program's frames ...", *INNER]),
    ],
)
def test_the_first_frame_and_the_last_two(depth, between):
    first = [line.replace("{}", str(depth)) for line in FIRST]
    assert lines_of(raised(CALLS.format(depth))) == ["ValueError: no", *first, *between, *LAST]


BEHIND = """
def f(n):
    if n: f(n - 1)
    else: raise ValueError('no')
try:
    f(3)
except ValueError as error:
    raise KeyError('k'){}
"""


@pytest.mark.parametrize(
    ("tail", "how"),
    [(" from error", "Caused by ValueError: no"), ("", "While handling ValueError: no")],
)
def test_what_an_error_came_of(tail, how):
    assert lines_of(raised(BEHIND.format(tail))) == [
        "KeyError: 'k'",
        *frame(8, "<module>", f"raise KeyError('k'){tail}"),
        how,
        *frame(6, "<module>", "f(3)"),
        "  ... 4 more of the program's frames ...",
    ]


def test_an_error_from_none_stands_alone():
    lines = lines_of(raised(BEHIND.format(" from None")))
    assert len(lines) == 3


@pytest.mark.parametrize("message", ["'no'", "'it says: no'"])
def test_an_error_that_repeats_another_is_told_once(message):
    error = raised(f"try:\n    raise ValueError('no')\nfinally:\n    raise KeyError({message})\n")
    assert len(lines_of(error)) == 3


def test_the_frames_of_an_error_with_another_are_two():
    error = raised(
        "def f(n):\n    if n: f(n - 1)\n    else: raise ValueError('no') from KeyError('k')\nf(2)\n"
    )
    assert lines_of(error)[1:] == [
        *frame(4, "<module>", "f(2)"),
        "  ... 2 more of the program's frames ...",
        *frame(3, "f", "else: raise ValueError('no') from KeyError('k')"),
        "Caused by KeyError: 'k'",
    ]


CHAIN = "e = RuntimeError('0')\nfor n in range(1, {}):\n    new = RuntimeError(str(n))\n    new.__cause__, e = e, new\nraise e\n"


@pytest.mark.parametrize(
    ("count", "tail"),
    [
        (2, []),
        (3, ["(1 earlier exception not shown; TFQUEUE_TRACEBACK=full shows it)"]),
        (4, ["(2 earlier exceptions not shown; TFQUEUE_TRACEBACK=full shows them)"]),
    ],
)
def test_earlier_errors_are_counted(count, tail):
    lines = lines_of(raised(CHAIN.format(count)))
    assert lines[:3] == [f"RuntimeError: {count - 1}", *frame(5, "<module>", "raise e")]
    assert lines[3:] == [f"Caused by RuntimeError: {count - 2}", *tail]


def test_errors_that_came_of_each_other_end():
    error = raised(
        "a, b = KeyError('a'), KeyError('b')\na.__cause__, b.__cause__ = b, a\nraise a\n"
    )
    assert lines_of(error)[-1] == "Caused by KeyError: 'b'"


def test_library_frames_are_counted():
    def told(error):
        return lines_of(error)[-1]

    error = raised("tf.constant([1, 2, 3], shape=[2]).get_shape() + tf.add('a', 1)\n")
    assert told(error).endswith(" library frames not shown; TFQUEUE_TRACEBACK=full shows them)")
    assert not [line for line in lines_of(error) if "site-packages" in line]


@pytest.mark.parametrize(
    ("error", "headline"),
    [
        (ValueError("a\n  b\tc"), "ValueError: a b c"),
        (ValueError(), "ValueError"),
        (ValueError("ValueError"), "ValueError"),
        (errors.StarvationError("empty"), "StarvationError: empty"),
        (tf.errors.NotFoundError(None, None, "gone"), "NotFoundError: gone"),
        (type("Own", (ValueError,), {"__module__": "a.b"})("x"), "a.b.Own: x"),
        (type("Own", (ValueError,), {"__module__": "tfqueue.b"})("x"), "Own: x"),
        (
            type("OperatorNotAllowedInGraphError", (TypeError,), {"__module__": "tfqueue"})(
                "Using it is bad. Use eager."
            ),
            "OperatorNotAllowedInGraphError: Using it is bad",
        ),
    ],
)
def test_the_headline(error, headline):
    assert headline_of(error)[0] == headline


def noted(*notes):
    error = ValueError("no")
    for note in notes:
        _tensorflow.add_note(error, note)
    return headline_of(error)[1:]


def test_where_it_happened_comes_behind_why(monkeypatch):
    assert noted("tfqueue: where", "tfqueue: why", "plain", "tfqueue: more") == [
        "  why",
        "  more",
        "  where",
        "  plain",
    ]
    monkeypatch.chdir("/usr")
    assert noted("tfqueue: in /usr/lib/x and /usr") == ["  in lib/x and /usr"]


def test_a_tensor_as_a_value_has_a_note_of_ours_unless_it_has_one():
    kind = type("OperatorNotAllowedInGraphError", (TypeError,), {})
    assert headline_of(kind("x"))[1].startswith("  a tensor has no value while the graph is built.")
    error = kind("x")
    _tensorflow.add_note(error, "mine")
    assert headline_of(error)[1:] == ["  mine"]


def test_long_texts_are_wrapped_and_cut():
    words = "word " * 100
    lines = headline_of(ValueError(words))
    assert len(lines) == 4
    assert max(map(len, lines)) <= 80
    assert lines[1].startswith("  word")
    assert lines[-1].endswith("...")
    error = ValueError("no")
    for _ in range(3):
        _tensorflow.add_note(error, words)
    assert len(headline_of(error)) == uncaught_errors.MOST_LINES
    assert len(headline_of(error, 4)) == 4
    assert len(headline_of(ValueError("no"), 1)) == 1
    assert [len(line) for line in headline_of(ValueError("x" * 200))] == [11, 202]


def test_what_a_terminal_obeys_is_escaped():
    assert headline_of(ValueError("a\x1b[31m"))[0] == r"ValueError: a\x1b[31m"


@pytest.mark.parametrize(
    ("text", "room", "expected"), [("abcdef", 6, "abcdef"), ("abcdefg", 6, "abc...")]
)
def test_a_text_that_is_cut(text, room, expected):
    assert uncaught_errors._cut(text, room) == expected


def test_names_of_files(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert uncaught_errors._short(str(tmp_path / "a" / "b.py")) == "a/b.py"
    outside = str(tmp_path.parent / "b.py")
    assert uncaught_errors._short(outside) == outside
    assert uncaught_errors._short("<string>") == "<string>"
    long = raised(f"raise ValueError({'1 + ' * 40}1)\n")
    assert len(lines_of(long)[-1]) == 80
    assert lines_of(long)[-1].endswith("...")


# -- which errors are ours -------------------------------------------------------------------------


def test_which_errors_are_printed_in_short():
    plain, ours = ValueError("no"), ValueError("no")
    _tensorflow.add_note(plain, "note")
    _tensorflow.add_note(ours, "tfqueue: note")
    assert [uncaught_errors.is_ours(error) for error in (plain, ours)] == [False, True]
    syntax, group = SyntaxError("no"), ValueError("no")
    group.exceptions = ()
    for error in (syntax, group):
        _tensorflow.add_note(error, "tfqueue: note")
        assert not uncaught_errors.is_ours(error)
    assert uncaught_errors.is_ours(raised("tf.add('a', 1)\n"))


def test_what_is_written():
    class Stream(io.StringIO):
        encoding = "ascii"

    stream, stderr = Stream(), sys.stderr
    sys.stderr = stream
    try:
        uncaught_errors.say(ValueError("ä"), "title")
        uncaught_errors.say(ValueError("b"))
    finally:
        sys.stderr = stderr
    assert stream.getvalue() == "title\nValueError: \\xe4\nValueError: b\n"


def test_a_stream_may_have_nothing_but_write(monkeypatch):
    said = []
    monkeypatch.setattr(sys, "stderr", types.SimpleNamespace(write=said.append))
    uncaught_errors.say(ValueError("b"))
    assert said == ["ValueError: b\n"]


@pytest.mark.parametrize("earlier", [sys.__excepthook__, None])
def test_which_hook_is_called(earlier, monkeypatch, capsys):
    called = []
    monkeypatch.setattr(sys, "excepthook", earlier or (lambda *given: called.append(given[1])))
    uncaught_errors.install()
    hook, plain, ours = sys.excepthook, ValueError("plain"), ValueError("ours")
    _tensorflow.add_note(ours, "tfqueue: note")
    for error in (plain, ours):
        hook(type(error), error, None)
    printed = capsys.readouterr().err
    if earlier is None:
        assert called == [plain, ours]
        assert printed == "ValueError: ours\n  note\n"
    else:
        assert printed == "ValueError: plain\nValueError: ours\n  note\n"


# -- how a message is read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("plain", "plain"),
        ("\n  Graph execution error:\n\nDetected at node 'x'\nNode: 'x'\nthe text", "the text"),
        ("File a\nthe text", "the text"),
        ("2 root error(s) found.\n  (0) OUT_OF_RANGE: the end\n (1) X: y", "the end"),
        ("(12) INVALID_ARGUMENT: bad\t [[{{node read}}]]", "bad"),
        ("Graph execution error:", "Graph execution error:"),
        ("", "ValueError"),
    ],
)
def test_the_useful_line_of_a_message(message, line):
    assert diagnosis.first_line(ValueError(message)) == line


def failure(error=None, **facts):
    return Failure(Pipeline.of(tf.get_default_graph()), Cluster({}, None), error=error, **facts)


def test_an_error_is_explained_once():
    names = tf.train.string_input_producer(["a"], shuffle=False)
    tf.TextLineReader().read(names)
    (queue, *_) = Pipeline.of(tf.get_default_graph()).queues.values()
    error = tf.errors.InternalError(None, queue.op, "no")
    assert diagnosis.explain(failure(error, queue=queue)) is error
    (note,) = error.__notes__
    assert note.startswith("tfqueue: op 'input_producer' was built at ")
    assert error.tfqueue_queues == ("input_producer",)
    assert diagnosis.explain(failure(error, queue=queue)) is error
    assert len(error.__notes__) == 1
    with pytest.raises(TypeError, match="has nothing to explain"):
        diagnosis.explain(failure())


@pytest.mark.parametrize(
    ("kind", "renamed"), [("ReadVariableOp", True), ("VarHandleOp", False), (None, False)]
)
def test_a_resource_without_a_value_has_the_class_of_old(kind, renamed):
    tf.get_variable("v", initializer=1.0, use_resource=True).read_value()
    ops = [op for op in tf.get_default_graph().get_operations() if op.type == kind]
    op = ops[0] if ops else None
    error = tf.errors.NotFoundError(None, op, "no")
    expected = tf.errors.FailedPreconditionError if renamed else tf.errors.NotFoundError
    found = diagnosis.explain(failure(error))
    assert type(found) is expected
    # Python 3.10 has no notes: they stand behind the message
    assert (found.op, found.message.partition("\n")[0]) == (op, "no")
    other = tf.errors.InternalError(None, op, "no")
    assert diagnosis.explain(failure(other)) is other


def test_a_row_that_fails_hides_nothing():
    def broken(case):
        raise KeyError("x")

    good = Row(("good",), lambda case: True, lambda case: "a\nb")
    rows = [Row(("bad",), broken, str), Row(("silent",), lambda case: True, lambda case: ""), good]
    assert [*diagnosis._told(rows, None)] == [(good, "a\\nb")]
    assert [type(error) for error in diagnosis.BROKEN] == [KeyError]
    diagnosis.BROKEN.clear()


def test_errors_of_queues_that_wait():
    queue = tf.FIFOQueue(3, tf.int32, [[]], name="q")
    queue.dequeue()
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1)]))
    (found,) = Pipeline.of(tf.get_default_graph()).queues.values()
    cause = KeyError("k")
    starved = diagnosis.starved(failure(queue=found, feeder_error=cause))
    assert (starved.tfqueue_told, starved.tfqueue_queues) == (True, ("q",))
    assert starved.__cause__ is cause
    assert starved.runner_missing
    by_hand = diagnosis.starved(failure(queue=found, fed_by_hand=frozenset({"q"})))
    assert not by_hand.runner_missing
    full = diagnosis.no_room(failure(queue=found))
    assert (full.tfqueue_told, full.tfqueue_queues, full.__cause__) == (True, ("q",), None)
    late = diagnosis.never_started(failure(), [found])
    assert (late.tfqueue_told, late.runner_missing) == (False, True)
    again = diagnosis.reopened("q", True)
    assert isinstance(again, tf.errors.CancelledError)
    assert again.tfqueue_told
    assert "closed by the stop" in str(again)


@pytest.mark.parametrize(
    ("stopped", "says"), [(True, "closed by a stop"), (False, "the data has ended")]
)
def test_the_end_of_a_queue(stopped, says):
    op = tf.FIFOQueue(3, tf.int32, [[]]).dequeue().op
    end, other = (tf.errors.OutOfRangeError(None, each, "end") for each in (op, op.inputs[0].op))
    for error in (end, other, ValueError()):
        diagnosis.note_end(error, stopped)
    assert says in end.__notes__[0]
    assert not hasattr(other, "__notes__")


def test_a_queue_of_names_whose_files_hold_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").touch()
    (tmp_path / "full").write_text("x\n")

    def holds_none(names, reader=True, more=False, **facts):
        with tf.Graph().as_default():
            made = tf.train.string_input_producer(names, shuffle=False)
            if reader:
                tf.TextLineReader().read(made)
            if more:
                made.enqueue("other")
            (queue,) = Pipeline.of(tf.get_default_graph()).queues.values()
            assert diagnosis.names_per_epoch(failure(queue=queue)) == len(names)
            return diagnosis.is_without_records(failure(queue=queue, **facts))

    assert holds_none(["empty"]) is True
    assert holds_none(["empty", "full"]) is False
    assert holds_none(["empty"], remote=True) is False
    assert holds_none(["empty"], reader=False) is False
    assert holds_none(["empty"], more=True) is False


def test_a_warning_is_given_once_for_a_session_and_of_a_closing_one_kept():
    queue = tf.FIFOQueue(3, tf.int32, [[]], name="q")
    pair = [queue.dequeue(), queue.dequeue()]
    demand = Pipeline.of(tf.get_default_graph()).demand([each.op for each in pair])
    step = failure(demand=demand, fetched=tuple(pair))
    with pytest.warns(errors.TwoDequeuesWarning) as caught:
        assert diagnosis.before_run(step) is None
    assert caught[0].filename == __file__
    assert diagnosis.before_run(step) is None  # a warning would be an error
    one = Pipeline.of(tf.get_default_graph()).demand([pair[0].op])
    parts = diagnosis.before_run(failure(demand=one, fetched=(pair[0],)))
    assert parts[1] == {pair[0]}
    with pytest.warns(errors.SplitExampleWarning):
        diagnosis.split_example(failure(demand=one), parts[0])
    assert diagnosis.at_close(failure()) == []
    with pytest.warns(errors.OldSessionWarning):
        diagnosis.after_reset(["a"])
    diagnosis.after_reset([])


def test_a_runner_s_own_ops_are_looked_at_before_it_starts():
    queue = tf.FIFOQueue(3, tf.int32, [[]], name="q")
    put = tf.FIFOQueue(3, tf.int32, [[]]).enqueue(queue.dequeue() + queue.dequeue())
    target = tf.FIFOQueue(3, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(target, [put]))
    with pytest.warns(errors.TwoDequeuesWarning):
        diagnosis.before_start(failure())
    with pytest.warns(errors.OldSessionWarning):
        diagnosis.before_start(failure(older=("a",), said={("two_dequeues",)}))
