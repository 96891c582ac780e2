"""The accelerator's control, what it says of itself, and when it leaves a pipeline alone."""

import itertools
import re
import threading
import types

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import accelerate, errors
from tfqueue._tensorflow import op_building
from tfqueue.accelerate import Strategy, chunks, mover, replay, tuner
from tfqueue.accelerate.region import examine
from tfqueue.graph import converters
from tfqueue.graph.model import Pipeline
from tfqueue.session.owner import Owner


def numbers(count=200, capacity=64, epochs=None):
    """A pipeline that can be vectorised."""
    ids = tf.train.range_input_producer(count, num_epochs=epochs, shuffle=False, name="ids")
    return tf.train.batch([ids.dequeue() * 2], 5, capacity=capacity, name="batch")


def chosen_for(runner="batch/fifo_queue"):
    """`(strategy, text)` of a runner's only op."""
    (told,) = accelerate.reports_of(tf.get_default_graph())[runner].values()
    return told


# -- control --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "environment", "expected"),
    [
        (None, None, None),
        (None, "0", False),
        (None, "32", 32),
        (None, "auto", None),
        (False, "32", False),
        (0, None, False),
        (64, "0", 64),
        (True, "0", None),
    ],
)
def test_setting(given, environment, expected, monkeypatch):
    monkeypatch.delenv("TFQUEUE_CHUNKS", raising=False)
    if environment is not None:
        monkeypatch.setenv("TFQUEUE_CHUNKS", environment)
    found = accelerate.setting_of(given)
    assert found == expected
    assert type(found) is type(expected)


def test_a_setting_that_is_none_says_so(monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", "many")
    batch = numbers()
    with pytest.raises(ValueError, match=r"TFQUEUE_CHUNKS.*'many'"), tfqueue.managed_session():
        pytest.fail(f"nothing reads {batch}")


def test_switched_off_for_old_code_by_the_environment(monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", "0")
    batch = numbers()
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(batch)
        coord.request_stop()
        coord.join(threads)
    assert chosen_for() == (Strategy.SINGLE, "switched off")


def test_old_code_is_chunked_too(monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", "8")
    batch = numbers()
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert [sess.run(batch).tolist() for _ in range(2)] == [
            [0, 2, 4, 6, 8],
            [10, 12, 14, 16, 18],
        ]
        coord.request_stop()
        coord.join(threads)
    assert chosen_for()[0] == Strategy.CHUNK


def test_a_short_input_is_never_worth_a_chunk():
    """By itself the accelerator starts only once the first batches are delivered."""
    batch = numbers(20, epochs=1)
    with tfqueue.managed_session(chunks=True) as sess:
        assert len(list(sess.batches(batch))) == 4
    assert chosen_for() == (Strategy.SINGLE, "one at a time so far")
    assert not [op for op in tf.get_default_graph().get_operations() if "tfqueue_chunks" in op.name]


def test_a_step_with_a_deadline_does_one_example(monkeypatch):
    """Cut off in the middle of a chunk, it would leave no one knows how many of its elements."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", "8")
    batch = numbers()
    config = tf.ConfigProto(operation_timeout_in_ms=100_000)
    with tf.Session(config=config) as sess:
        tf.train.start_queue_runners(sess)
        sess.run(batch)
    assert chosen_for() == (Strategy.SINGLE, "each step of the session has a deadline")


def test_of_the_threads_that_share_a_queue_one_takes_at_a_time(monkeypatch):
    """Two that ask for what is in it would get less, and keep it while they wait for the rest."""
    seen, first = [], chunks.ChunkSteps._run_first

    def watched(steps, *args):
        seen.append((steps.reading.locked(), len(steps.all)))
        return first(steps, *args)

    monkeypatch.setattr(chunks.ChunkSteps, "_run_first", watched)
    ids = tf.train.range_input_producer(50, num_epochs=2).dequeue()
    batch = tf.train.batch([ids], 5, num_threads=2, capacity=60)
    with tfqueue.managed_session(chunks=8) as sess:
        found = sorted(int(i) for ids in sess.batches(batch) for i in ids)
    assert found == sorted([*range(50)] * 2)
    assert set(seen) == {(True, 3)}


@pytest.mark.parametrize("threads", [1, 2])
def test_while_another_takes_one_by_one_a_chunk_is_one_element(threads):
    """It could take what a look has found, and the chunk would wait with what it has."""
    queue, out = (tf.FIFOQueue(3, tf.int32, [[]]) for _ in range(2))
    fill = queue.enqueue_many([[1, 2, 3]])
    put = out.enqueue(queue.dequeue() * 2)
    tf.train.add_queue_runner(tf.train.QueueRunner(out, [put] * threads))
    others = True
    with tf.Session() as sess:
        region = examine(Pipeline(tf.get_default_graph()), put, threads)
        steps = chunks.ChunkSteps(region, sess._tfqueue_handle, lambda: others)
        sess.run(fill)
        assert steps.begin(8)[1] == 1
        others = False
        assert steps.begin(8)[1] == 2


def _tuner_of(steps):
    op = tf.no_op()
    pipeline = Pipeline(tf.get_default_graph())
    made = tuner.Tuner(
        mover.RunnerTask("runner", pipeline, (op,), None, None, (), False, False, False), op
    )
    made._steps = steps
    return made


@pytest.mark.parametrize("with_position", [False, True])
def test_who_runs_the_op_itself_waits_for_a_chunk_that_is_being_read(with_position):
    reading = threading.Lock()
    position = replay.Position(lambda: False) if with_position else None
    if position is not None:
        position.reading = reading
    made = _tuner_of(types.SimpleNamespace(position=position, reading=reading))
    one, asked = object(), threading.Event()
    assert not made._others_read()

    def run():
        asked.set()
        made.runs_itself(one, True)

    thread = threading.Thread(target=run)
    with reading:
        thread.start()
        asked.wait()
        while not made._others_read():
            pass  # known before it waits, so that no chunk begins to read more than one
        assert thread.is_alive()
    thread.join()
    made.runs_itself(one, False)
    assert not made._others_read()
    assert made.share() is reading
    assert made._others_read()


def _two_runners_of_one_record(**closing):
    """`(queue, runners)`: two that are in no collection."""
    one = tf.train.range_input_producer(300, num_epochs=1, shuffle=False, name="ids").dequeue()
    queue = tf.FIFOQueue(20, [tf.int32], shapes=[[]], name="numbers")
    return queue, [tf.train.QueueRunner(queue, [queue.enqueue(one)], **closing) for _ in range(2)]


def test_what_is_built_while_another_runner_begins(monkeypatch):
    """The first has decided for chunks; nothing is known of its source any more when they are built."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", "8")
    queue, (first, second) = _two_runners_of_one_record(close_op=tf.no_op())
    taken, built = queue.dequeue(), []

    def build(*args, **named):
        built.extend(second.create_threads(sess, coord=coord, start=True))
        return chunks.ChunkSteps(*args, **named)

    monkeypatch.setattr(tuner, "ChunkSteps", build)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        threads += first.create_threads(sess, coord=coord, start=True)
        found = [int(sess.run(taken)) for _ in range(300)]
        coord.request_stop()
        coord.join([*threads, *built])
    assert built
    assert sorted(found) == list(range(300))
    told = accelerate.reports_of(tf.get_default_graph())["numbers"]
    assert set(told.values()) == {(Strategy.SINGLE, "another runner takes from its source")}


@pytest.mark.filterwarnings("ignore:QueueRunner numbers failed:tfqueue.errors.UnseenFailureWarning")
def test_a_runner_that_is_started_again_keeps_its_chunks_apart(tmp_path, monkeypatch):
    """What was read ahead of a failure is not taken for what is read afterwards."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", "8")
    path = tmp_path / "numbers.txt"
    path.write_text("".join(f"{'oops' if i == 100 else i}\n" for i in range(1000)))
    names = tf.train.string_input_producer([str(path)], num_epochs=1, name="names")
    value = tf.string_to_number(tf.TextLineReader().read(names)[1], tf.int32)
    queue = tf.FIFOQueue(20, [tf.int32], shapes=[[]], name="numbers")
    put, leave = queue.enqueue(value), tf.no_op(name="leave_open")
    runner = tf.train.QueueRunner(queue, [put], close_op=leave)
    taken, size = queue.dequeue(), queue.size()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        (first,) = runner.create_threads(sess, start=True)
        found = [int(sess.run(taken)) for _ in range(100)]
        first.join()
        (error,) = runner.exceptions_raised
        assert isinstance(error, tf.errors.InvalidArgumentError)
        (second,) = runner.create_threads(sess, start=True)
        while found[-1] < 999:
            found.append(int(sess.run(taken)))
        second.join()
        assert sess.run(size) == 0
        coord.request_stop()
        coord.join(threads)
    assert chosen_for("numbers")[0] == Strategy.CHUNK
    assert found == sorted(set(found) - {100})


# -- what it says ---------------------------------------------------------------------------------


def test_the_pipeline_says_what_is_done():
    batch = numbers()
    with tfqueue.managed_session(chunks=16) as sess:
        for _ in range(5):  # more than the sample, which moves one at a time
            sess.run(batch)
        text = str(sess.pipeline)
    assert text.splitlines() == [
        "FIFOQueue 'ids', capacity 32",
        "  filled by a runner with 1 thread, one at a time: it puts many at a time",
        "FIFOQueue 'batch/fifo_queue', capacity 64",
        "  filled by a runner with 1 thread, vectorised: chunks of up to 16 examples",
    ]
    assert str(tfqueue.pipeline(tf.get_default_graph())) == text


def test_what_was_chosen_is_what_a_runner_does():
    number = tf.train.range_input_producer(1000, shuffle=False).dequeue()
    batch = tf.train.batch([number * 2], 10, capacity=32, name="batch")
    with tfqueue.managed_session() as sess:
        expected = itertools.cycle(range(0, 2000, 2))
        [mover] = Owner.of(sess).runs[-1].movers
        while mover.grain == 1:
            assert sess.run(batch).tolist() == list(itertools.islice(expected, 10))
    assert chosen_for()[0] == Strategy.CHUNK


def test_a_pipeline_not_run_yet_says_what_can_be_done():
    numbers()
    assert "can be vectorised" in str(tfqueue.pipeline(tf.get_default_graph()))


def _python_inside():
    ids = tf.train.range_input_producer(50).dequeue()
    value = tf.py_func(lambda x: x, [ids], tf.int32, name="mine")
    value.set_shape([])
    return tf.train.batch([value], 5, name="batch")


def _fed_by_hand():
    ids = tf.train.range_input_producer(50).dequeue()
    offset = tf.placeholder_with_default(3, [], name="offset")
    return tf.train.batch([ids + offset], 5, name="batch")


def _state_inside():
    ids = tf.train.range_input_producer(50).dequeue()
    seen = tf.get_variable("seen", [], tf.int32, tf.zeros_initializer(), use_resource=True)
    with tf.control_dependencies([tf.assign_add(seen, 1)]):
        return tf.train.batch([tf.identity(ids)], 5, name="batch")


def _counter_inside():
    ids = tf.train.range_input_producer(50).dequeue()
    seen = tf.get_variable("seen", [], tf.int32, tf.zeros_initializer(), use_resource=False)
    return tf.train.batch([ids, tf.assign_add(seen, 1)], 5, name="batch")[1]


def _changed_by_the_program(use_resource):
    ids = tf.train.range_input_producer(50).dequeue()
    level = tf.get_variable(
        "level", [], tf.int32, tf.zeros_initializer(), use_resource=use_resource
    )
    batch = tf.train.batch([ids * 0 + level], 5, name="batch")
    tf.assign_add(level, 1)  # a curriculum: the training loop runs it now and then
    return batch


def _table_that_can_be_written():
    ids = tf.train.range_input_producer(50).dequeue()
    table = tf.lookup.experimental.MutableHashTable(tf.int32, tf.int32, -1, name="words")
    return tf.train.batch([table.lookup(ids)], 5, name="batch")


def _seeded_in_order():
    ids = tf.train.range_input_producer(50).dequeue()
    return tf.train.batch([ids, tf.random_uniform([], seed=4)], 5, name="batch")[0]


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        (_python_inside, "calls Python.*mine"),
        (_fed_by_hand, "placeholder 'offset'"),
        (_state_inside, "keeps a state"),
        (_counter_inside, "refers to a variable"),
        (lambda: _changed_by_the_program(True), "Assign.* may write 'level'"),
        (lambda: _changed_by_the_program(False), "Assign.* may write 'level'"),
        (_table_that_can_be_written, "'words' keeps a state"),
        (_seeded_in_order, "have seeds"),
    ],
)
def test_what_is_left_alone_says_why(build, reason):
    batch = build()
    assert re.search(reason, str(tfqueue.pipeline()))
    with tfqueue.managed_session(chunks=8) as sess:
        for _ in range(3):
            sess.run(batch)
    strategy, text = chosen_for()
    assert strategy == Strategy.SINGLE
    assert re.search(reason, text)


@pytest.mark.parametrize("use_resource", [True, False])
def test_a_variable_that_is_only_initialised_or_restored_is_read(use_resource):
    """As the mean image of a data set is, which a checkpoint brings."""
    ids = tf.train.range_input_producer(50, shuffle=False).dequeue()
    mean = tf.get_variable("mean", initializer=7, use_resource=use_resource, trainable=False)
    batch = tf.train.batch([ids - mean], 5, name="batch")
    tf.train.Saver([mean])
    tf.report_uninitialized_variables([mean])  # as each MonitoredSession does
    with tfqueue.managed_session(chunks=8) as sess:
        assert [sess.run(batch)[0] for _ in range(3)] == [-7, -2, 3]
    assert chosen_for()[0] == Strategy.CHUNK


@pytest.mark.parametrize("use_resource", [True, False])
@pytest.mark.parametrize("setting", [None, 8])
def test_a_value_that_is_loaded_is_seen_within_what_the_queue_holds(
    use_resource, setting, tmp_path
):
    path = tmp_path / "numbers"
    path.write_text("".join(f"{i}\n" for i in range(8000)))
    names = tf.train.string_input_producer([str(path)])
    number = tf.string_to_number(tf.TextLineReader().read(names)[1], tf.int32)
    shift = tf.get_variable("shift", initializer=0, use_resource=use_resource, trainable=False)
    batch = tf.train.batch([shift + number * 0], 10, capacity=32, name="batch")
    with tfqueue.managed_session(chunks=setting) as sess:
        sess.run(batch)
        while chosen_for()[0] != Strategy.CHUNK:
            sess.run(batch)
        for _ in range(30):
            sess.run(batch)
        shift.load(1, sess)
        old = 0
        while not (values := sess.run(batch)).all():
            old += int((values == 0).sum())
    # The queue's, and a chunk's that was being put or computed.
    assert old <= 32 + 32


def _two_sources():
    first, second = (tf.train.range_input_producer(50, shuffle=False).dequeue() for _ in range(2))
    return tf.train.batch([first + second], 5, name="batch")


def _ragged():
    ids = tf.train.range_input_producer(50, shuffle=False).dequeue()
    return tf.train.batch([tf.range(ids)], 5, dynamic_pad=True, name="batch")


@pytest.mark.parametrize(
    ("build", "expected"), [(_two_sources, Strategy.SINGLE), (_ragged, Strategy.LOOP)]
)
def test_what_cannot_be_vectorised_gives_the_same(build, expected):
    batch = build()
    with tfqueue.managed_session(chunks=4) as sess:
        got = [sess.run(batch).tolist() for _ in range(3)]
    with tf.Graph().as_default():
        batch = build()
        with tfqueue.managed_session(chunks=False) as sess:
            assert got == [sess.run(batch).tolist() for _ in range(3)]
    ((strategy, _),) = list(accelerate.reports_of(tf.get_default_graph()).values())[-1].values()
    assert strategy == expected


# -- the self-proof -------------------------------------------------------------------------------


@pytest.mark.parametrize("draws", [False, True])
def test_a_vectorised_form_that_differs_is_not_used(draws, monkeypatch):
    """A converter that is wrong shows on the first chunk; everything is delivered all the same.

    That another component is drawn, and differs anyhow, changes nothing.
    """
    from tensorflow.python.ops.parallel_for import pfor

    def wrong(pfor_input):
        return pfor.wrap(tf.bitcast(pfor_input.stacked_input(0), tf.uint8)[..., :1], True)

    converters.register()
    monkeypatch.setitem(pfor._pfor_converter_registry, "DecodeRaw", wrong)
    ids = tf.train.range_input_producer(40, num_epochs=1, shuffle=False).dequeue()
    raw = tf.decode_raw(tf.as_string(ids + 10), tf.uint8)
    raw.set_shape([2])
    drawn = [tf.random_uniform([]) + tf.to_float(ids)] if draws else []
    batch = tf.train.batch([ids, raw, *drawn], 1, name="batch", capacity=60)

    def one_less(pfor_input):
        text = pfor_input.stacked_input(0)
        return pfor.wrap(tf.raw_ops.DecodeRaw(bytes=text, out_type=tf.uint8) + 1, True)

    monkeypatch.setitem(pfor._pfor_converter_registry, "DecodeRaw", one_less)
    seen = []
    monkeypatch.setattr(
        "tfqueue.explain.diagnosis.warn", lambda text, category: seen.append((text, category))
    )
    with tfqueue.managed_session(chunks=8) as sess:
        got = list(sess.batches(batch))
    assert [(n[0], r[0].tolist()) for n, r, *_ in got] == [
        (i, list(str(i + 10).encode())) for i in range(40)
    ]
    ((text, category),) = seen
    assert category is errors.AcceleratorWarning
    assert "DecodeRaw" in text
    assert chosen_for()[0] == Strategy.LOOP
    assert "gave another" in chosen_for()[1]


DRAWS = {
    "uniform": lambda n: n + tf.random_uniform([2]),
    "uniform whole numbers": lambda n: n + tf.to_float(tf.random_uniform([2], 0, 9, tf.int32)),
    "normal": lambda n: n * tf.random_normal([2]),
    "truncated": lambda n: n * tf.truncated_normal([2]),
    "gamma": lambda n: n * tf.random_gamma([2], 2.0),
    "poisson": lambda n: n * tf.random_poisson(3.0, [2]),
    "multinomial": lambda n: tf.to_float(tf.multinomial(tf.stack([[n, n + 1]]) / 100, 2)[0]),
    "dropout": lambda n: tf.nn.dropout(tf.stack([n, n]), 0.5),
}


@pytest.mark.parametrize("name", DRAWS)
def test_what_depends_on_a_draw_is_compared_given_the_draw(name, monkeypatch):
    """A vectorised form that is wrong only behind a random op is not used either."""
    monkeypatch.setattr("tfqueue.graph.exactness._NOT_FOR_PFOR", frozenset())
    said = []
    monkeypatch.setattr("tfqueue.explain.diagnosis.warn", lambda text, _: said.append(text))
    for wrong in (False, True):
        with tf.Graph().as_default():
            ids = tf.train.range_input_producer(60, num_epochs=1, shuffle=False).dequeue()
            drawn = DRAWS[name](tf.to_float(ids + 1))
            # pfor's padding forgets the value.
            padded = tf.pad(drawn, [[0, 1]], constant_values=-5.0) if wrong else drawn
            batch = tf.train.batch([ids, padded], 1, name="batch", capacity=90)
            with tfqueue.managed_session(chunks=8) as sess:
                found = [values[0] for _, values in sess.batches(batch)]
            assert len(found) == 60
            assert all((values[-1] == -5) == wrong for values in found)
            strategy, text = chosen_for()
        assert bool(said) is wrong
        assert strategy == (Strategy.LOOP if wrong else Strategy.CHUNK), text
    assert "gave another" in text


# -- the pfor converters, row by row --------------------------------------------------------------

INPUTS = {
    "DecodeRaw": lambda text: tf.decode_raw(text, tf.uint8),
    "DecodePaddedRaw": lambda text: tf.raw_ops.DecodePaddedRaw(
        input_bytes=text, fixed_length=8, out_type=tf.uint8
    ),
    "StringToNumber": lambda text: tf.string_to_number(text),
    "StringToHashBucket": lambda text: tf.string_to_hash_bucket(text, 9),
    "StringToHashBucketFast": lambda text: tf.string_to_hash_bucket_fast(text, 9),
    "StringToHashBucketStrong": lambda text: tf.string_to_hash_bucket_strong(text, 9, [1, 2]),
    "StringLength": tf.strings.length,
    "StringStrip": tf.strings.strip,
    "StringLower": tf.strings.lower,
    "StringUpper": tf.strings.upper,
    "RegexReplace": lambda text: tf.raw_ops.RegexReplace(input=text, pattern="1", rewrite="x"),
    "StaticRegexReplace": lambda text: tf.strings.regex_replace(text, "1", "y"),
    "RegexFullMatch": lambda text: tf.raw_ops.RegexFullMatch(input=text, pattern="1.*"),
    "StaticRegexFullMatch": lambda text: tf.strings.regex_full_match(text, "1.*"),
    "AsString": lambda text: tf.as_string(tf.string_to_number(text), precision=2),
    "EncodeBase64": tf.io.encode_base64,
    "DecodeBase64": lambda text: tf.io.decode_base64(tf.io.encode_base64(text)),
    "DecodeCompressed": lambda text: tf.io.decode_compressed(text),
    "RGBToHSV": lambda text: tf.image.rgb_to_hsv(tf.fill([2, 2, 3], tf.string_to_number(text))),
    "HSVToRGB": lambda text: tf.image.hsv_to_rgb(
        tf.fill([2, 2, 3], tf.string_to_number(text) / 9e3)
    ),
    "Substr": lambda text: tf.substr(text, 1, 2),
}


def test_every_converter_has_its_input():
    assert set(converters.ROWS) | {"Substr"} == set(INPUTS)


@pytest.mark.parametrize("name", sorted(INPUTS))
def test_a_converter_does_what_the_op_does_one_by_one(name):
    from tensorflow.python.ops.parallel_for import control_flow_ops

    converters.register()
    assert op_building.has_converter(name)
    texts = tf.constant([f"{i}" for i in range(1000, 1030, 7)])
    one = tf.autograph.experimental.do_not_convert(lambda i: INPUTS[name](tf.gather(texts, i)))
    many = control_flow_ops.pfor(one, 5, fallback_to_while_loop=False)
    with tf.Session() as sess:
        whole = sess.run(many)
        parts = [sess.run(INPUTS[name](texts[i])) for i in range(5)]
    assert whole.tolist() == [np.asarray(part, whole.dtype).tolist() for part in parts]


def test_a_contrast_for_each_image_is_not_looped():
    from tensorflow.python.ops.parallel_for import control_flow_ops

    images = tf.constant(np.random.default_rng(0).random((4, 6, 5, 3), np.float32))
    factors = tf.constant([0.5, 1.0, 1.7, 0.0])

    def one(i):
        made = tf.image.adjust_contrast(tf.gather(images, i), tf.gather(factors, i))
        converters.attach(tf.get_default_graph().get_operations())
        return made

    one = tf.autograph.experimental.do_not_convert(one)
    many = control_flow_ops.pfor(one, 4, fallback_to_while_loop=False)
    with tf.Session() as sess:
        whole = sess.run(many)
        parts = sess.run([tf.image.adjust_contrast(images[i], factors[i]) for i in range(4)])
    np.testing.assert_allclose(whole, parts, rtol=1e-5, atol=1e-6)


# -- the user's graph -----------------------------------------------------------------------------


def test_a_graft_disturbs_nothing_of_what_the_user_builds():
    """Neither names, control dependencies nor the seeds of random ops; and not a finalised graph."""

    def build():
        tf.set_random_seed(3)
        batch = numbers()
        return batch, tf.get_default_graph()

    batch, graph = build()
    with tfqueue.managed_session(chunks=8) as sess:
        with tf.name_scope("outer"), tf.control_dependencies([tf.no_op(name="guard")]):
            for _ in range(3):  # the first examples are the sample that chunks are held to
                sess.run(batch)
            after = tf.random_shuffle([1], name="after")
        chunked = [op for op in graph.get_operations() if op.name.startswith("tfqueue_chunks/")]
        assert chunked
        assert not [op for op in chunked if any(c.name == "outer/guard" for c in op.control_inputs)]
        assert after.op.name.startswith("outer/after")
        with_chunks = after.op.get_attr("seed2")
    with tf.Graph().as_default():
        batch, _ = build()
        with tfqueue.managed_session(chunks=False) as sess:
            sess.run(batch)
            tf.no_op(name="guard")
            assert tf.random_shuffle([1]).op.get_attr("seed2") == with_chunks


def test_a_finalised_graph_is_chunked_too(monkeypatch):
    batch = numbers()
    monkeypatch.setenv("TFQUEUE_CHUNKS", "8")
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        tf.get_default_graph().finalize()
        threads = tf.train.start_queue_runners(sess, coord)
        assert [sess.run(batch)[0] for _ in range(3)] == [0, 10, 20]
        coord.request_stop()
        coord.join(threads)
        assert tf.get_default_graph().finalized
    assert chosen_for()[0] == Strategy.CHUNK


def test_the_model_does_not_see_the_accelerators_ops():
    batch = numbers()
    with tfqueue.managed_session(chunks=8) as sess:
        sess.run(batch)
        pipeline = tfqueue.pipeline(tf.get_default_graph())
        for queue in pipeline.queues.values():
            assert len(queue.enqueues) == 1
            assert pipeline.feeds_by_hand(queue) == []


def test_many_chunked_sessions_leave_no_thread():
    batch = numbers(60, epochs=1)
    before = set(threading.enumerate())
    for stop in range(12):
        with tfqueue.managed_session(chunks=7) as sess:
            for _ in range(stop):
                sess.run(batch)
    assert not set(threading.enumerate()) - before


def test_a_pipeline_is_described_queue_by_queue():
    batch = numbers()
    other = tf.FIFOQueue(-1, tf.int32, shapes=[[]], name="other")
    described = accelerate.describe(Pipeline(tf.get_default_graph())).splitlines()
    assert batch.shape == [5]
    assert described[0].endswith("'ids', capacity 32")
    assert described[1].startswith("  filled by a runner with 1 thread, ")
    at = described.index(f"FIFOQueue '{other.name}', no limit")
    assert described[at + 1] == "  filled by hand"
    with tf.Graph().as_default() as graph:
        tf.FIFOQueue(0, tf.int32, [[]], name="none")
    assert accelerate.describe(Pipeline(graph)).startswith("FIFOQueue 'none', capacity 0")
    assert accelerate.describe(Pipeline(tf.Graph())) == "no queues"
