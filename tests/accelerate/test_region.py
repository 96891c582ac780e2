"""What a vectorised step may hold: every row of its refusals, each with programs that it refuses."""

import functools
import re

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import accelerate
from tfqueue.accelerate import Strategy
from tfqueue.accelerate import region as regions

COUNT = 60


def number():
    return tf.train.range_input_producer(COUNT, num_epochs=2, shuffle=False).dequeue()


def line(**more):
    names = tf.train.string_input_producer(["none"])
    return getattr(tf, more.pop("kind", "TextLineReader"))(**more).read(names)[1]


def resource(start=0, name="seen"):
    return tf.get_variable(name, initializer=start, use_resource=True, trainable=False)


def old(start=0, name="seen"):
    return tf.get_variable(name, initializer=start, use_resource=False, trainable=False)


def table():
    keys, values = tf.constant([0, 1, 2], tf.int32), tf.constant([10, 11, 12], tf.int32)
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1)


def held(tensor, shape=()):
    tensor.set_shape(shape)
    return tensor


# -- builders: each gives the components of an element ---------------------------------------------


def fed_by_hand():
    return [number() + tf.placeholder_with_default(3, [], name="offset")]


def python():
    return [held(tf.py_func(lambda x: x, [number()], tf.int32, name="mine"))]


def python_in_a_function():
    call = tf.function(lambda x: tf.numpy_function(np.negative, [x], tf.int32, stateful=False))
    return [held(call(number()))]


def two_sources():
    return [number() + number()]


def read_behind_another():
    queue = tf.train.range_input_producer(9)
    with tf.control_dependencies([resource().assign_add(1)]):
        return [queue.dequeue()]


def source_of_two_runners():
    value = number()
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(value)]))
    return [value]


def source_of_a_loop_of_its_own():
    value = number()
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    own = type("Own", (tf.train.QueueRunner,), {"_run": lambda *_: None})
    tf.train.add_queue_runner(own(queue, [queue.enqueue(value)]))
    return [value]


def read_on_a_condition():
    queue = tf.train.range_input_producer(9)
    flag = tf.random_uniform([]) < 0.5
    return [tf.cond(flag, lambda: queue.dequeue(), lambda: tf.constant(1))]


def two_reads_of_one_reader():
    names, reader = tf.train.string_input_producer(["none"]), tf.TextLineReader()
    reader.read(names)
    return [reader.read(names)[1]]


def priority_source():
    queue = tf.PriorityQueue(9, tf.int32, [[]])
    put = queue.enqueue([tf.constant(1, tf.int64), 1])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    return [queue.dequeue()[1]]


def drained_by_two():
    queue = tf.train.range_input_producer(9)
    queue.dequeue()
    return [queue.dequeue()]


def hand_fed_source():
    return [tf.FIFOQueue(9, tf.int32, [[]]).dequeue()]


def counter():
    return [number(), tf.identity(resource().assign_add(1))]


def counter_of_the_old_kind():
    return [number(), tf.assign_add(old(), 1)]


def schedule():
    value, seen = number(), resource()
    with tf.control_dependencies([seen.assign_add(1)]):
        return [value + seen.read_value()]


def counted_up():
    return [number(), old().count_up_to(1000)]


def read_after_the_example():
    value, weight = number(), resource(5)
    with tf.control_dependencies([value]):
        return [value, value * weight.read_value()]


def read_in_a_cond():
    value, weight = number(), resource(1000)
    return [tf.cond(value < 5, lambda: value + weight, lambda: value)]


def table_in_a_cond():
    value, words = number(), table()
    return [tf.cond(value < 3, lambda: words.lookup(value), lambda: value)]


def table_in_a_function():
    return [tf.function(table().lookup)(number())]


def size_of_a_queue():
    queue = tf.train.range_input_producer(9)
    return [queue.dequeue() + queue.size()]


def size_of_another_queue():
    return [number() + tf.FIFOQueue(9, tf.int32, [[]], name="other").size()]


def written_by_another_runner():
    seen = resource()
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    put = queue.enqueue(seen.assign_add(1))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    return [number() + seen]


def old_one_written_by_another_runner():
    seen = old()
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    put = queue.enqueue(tf.assign_add(seen, 1))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    return [number() + seen]


def written_by_way_of_its_handle():
    seen = resource()
    tf.raw_ops.AssignAddVariableOp(resource=tf.identity(seen.handle), value=1)
    return [number() + seen]


def waits_for_a_variable():
    value = number()
    with tf.control_dependencies([resource().value()]):
        return [tf.identity(value)]


def seeded_in_order():
    return [number(), tf.random_uniform([], seed=4)]


def whole_file():
    return [line(kind="WholeFileReader")]


def compressed():
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    return [line(kind="TFRecordReader", options=options)]


def compressed_pieces():
    return [line(kind="FixedLengthRecordReader", record_bytes=4, encoding="GZIP")]


def source_of_many_shapes():
    queue = tf.PaddingFIFOQueue(9, [tf.int32], [[None]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue([tf.range(number())])]))
    return [held(queue.dequeue(), [3])]


def source_without_values():
    queue = tf.FIFOQueue(9, [tf.int32, tf.float32], [[], [2, 0]])
    put = queue.enqueue([number(), tf.zeros([2, 0])])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    return [queue.dequeue()[0]]


def loop_of_the_old_kind():
    return [tf.while_loop(lambda i: i < 50, lambda i: i * 2 + 1, [number()])]


def map_fn():
    return [tf.map_fn(lambda y: y * 2, tf.stack([number(), 3]))]


def loop_in_a_function():
    double = tf.function(lambda x: tf.while_loop(lambda i: i < 50, lambda i: i * 2 + 1, [x]))
    return [double(number())]


def rolled():
    value = number()
    return [tf.roll(tf.stack([value, value + 1, value + 2]), 1, axis=-1)]


def padded():
    return [tf.pad(tf.reshape(number(), [1]), [[1, 1]], constant_values=7)]


def padded_in_a_branch():
    value = tf.reshape(number(), [1])
    longer = [tf.pad(value, [[0, 1]], constant_values=each) for each in (7, 8)]
    return [tf.cond(value[0] < 9, lambda: tf.identity(longer[0]), lambda: longer[1] + 1)]


def formatted():
    return [tf.strings.format("number {}", number())]


def missing_numbers_in_a_branch():
    value = number()
    text = tf.as_string(value)
    columns = [tf.decode_csv(text, [[7]], na_value=marker)[0] for marker in ("1", "2")]
    return [tf.cond(value < 9, lambda: tf.identity(columns[0]), lambda: columns[1] + 1)]


def small_numbers_of_floats():
    return [tf.cast(tf.to_float(number()), tf.uint8)]


def cut_off():
    short = tf.raw_ops.Cast(x=tf.to_float(number()), DstT=tf.bfloat16, Truncate=True)
    return [tf.to_float(short)]


def slice_in_a_branch():
    value = number()
    places = tf.stack([value, value])
    return [tf.cond(value < 9, lambda: tf.reduce_sum(tf.slice(places, [value], [0])), lambda: 0)]


def slice_in_a_function():
    part = tf.function(lambda places, begin: tf.slice(places, [begin], [1]))
    value = number()
    return [part(tf.stack([value, value]), value % 2)]


def complex_numbers():
    value = tf.to_float(number())
    return [tf.real(tf.log(tf.complex(value, value)))]


def length_of_complex_numbers():
    value = tf.to_float(number())
    return [tf.abs(tf.complex(value, value))]


def compared_with_a_mean():
    return [tf.reduce_mean(tf.to_float(number()) * [0.1, 0.3]) > 1.0]


def floor_of_a_logarithm():
    return [tf.floor(tf.log(tf.to_float(number()) + 1.0)) + 1.0]


def text_of_a_square_root():
    return [tf.as_string(tf.reshape(tf.sqrt(tf.to_float(number())), [1]))]


def whole_number_in_a_function():
    return [tf.function(lambda x: tf.to_int32(tf.exp(x)))(tf.to_float(number()))]


def whole_number_behind_a_function():
    return [tf.to_int32(tf.function(tf.exp)(tf.to_float(number())))]


def whole_number_in_a_function_behind():
    return [tf.function(lambda x: tf.to_int32(x))(tf.exp(tf.to_float(number())))]


def diagonal():
    return [tf.diag_part(tf.fill([2, 2], number()))]


def one_of_it_updated():
    return [tf.tensor_scatter_nd_update(tf.fill([3], number()), [[1]], [7])]


def segments_of_its_own():
    value = number()
    return [tf.unsorted_segment_sum(tf.stack([value, 1]), tf.stack([value % 9, 0]), 3)]


def rows_of_its_own():
    value = number()
    found = tf.sparse_segment_mean(tf.zeros([3]), tf.stack([value % 9, 0]), [0, 1])
    return [held(found, [2])]


def waits_for_its_source():
    value = number()
    with tf.control_dependencies([value]):
        return [value, tf.constant(1)]


def of_one_branch(value=None):
    value, given = number() if value is None else value, []

    def usual():
        given.append(value * 2)
        return given[0]

    tf.cond(value < 9, usual, lambda: value)
    return given


def made_of_one_branch():
    return [of_one_branch()[0] + 1]


def waits_for_one_branch():
    value = number()
    with tf.control_dependencies(of_one_branch(value)):
        return [value * 2]


def which_branch():
    value = number()
    return [tf.cond(value < 9, lambda: value * 2, lambda: value).op.outputs[1]]


def made_of_which_branch():
    return [which_branch()[0] + 1]


def ragged():
    return [tf.range(number())]


def without_values():
    value = number()
    return [value, tf.zeros([2, 0]) + tf.to_float(value)]


def sparse_features():
    found = tf.parse_single_example(line(kind="TFRecordReader"), {"a": tf.VarLenFeature(tf.int64)})
    return [tf.reduce_sum(found["a"].values)]


def ragged_features():
    features = {"a": tf.io.RaggedFeature(tf.int64)}
    found = tf.io.parse_single_example(line(kind="TFRecordReader"), features)
    return [tf.reduce_sum(found["a"])]


REFUSED = {
    fed_by_hand: "placeholder 'offset'",
    python: "calls Python.*mine",
    python_in_a_function: "calls Python: PyFuncStateless",
    two_sources: "2 sources",
    read_behind_another: "waits for other ops",
    source_of_two_runners: "also feeds",
    source_of_a_loop_of_its_own: "also feeds",
    read_on_a_condition: "reads on a condition",
    two_reads_of_one_reader: "read by more than one op",
    priority_source: "next element may yet change",
    drained_by_two: "drained by more than one op",
    hand_fed_source: "fed by hand",
    counter: "keeps a state",
    counter_of_the_old_kind: "refers to a variable",
    schedule: "keeps a state",
    counted_up: "CountUpTo.*(keeps a state|may write)",
    read_after_the_example: "keeps a state|uses the resource",
    read_in_a_cond: "keeps a state|makes a resource|uses the resource",
    table_in_a_cond: "in a tf.cond|makes a resource",
    table_in_a_function: "uses the resource 'hash_table'",
    size_of_a_queue: "looks at what|keeps a state",
    size_of_another_queue: "keeps a state|uses the resource",
    written_by_another_runner: "may write 'seen'",
    old_one_written_by_another_runner: "may write 'seen'",
    written_by_way_of_its_handle: "Identity .* may write 'seen'",
    waits_for_a_variable: "waits for ReadVariableOp",
    seeded_in_order: "have seeds",
    whole_file: "one record a file",
    compressed: "compressed",
    compressed_pieces: "compressed",
    source_of_many_shapes: "differ in shape",
    source_without_values: "component without a value",
    loop_of_the_old_kind: "loop of the old kind",
    map_fn: "keeps a state|loop of the old kind",
    rolled: "no true vectorised form of Roll",
    padded: "no true vectorised form of PadV2",
    padded_in_a_branch: "no true vectorised form of PadV2",
    formatted: "no true vectorised form of StringFormat",
    missing_numbers_in_a_branch: "knows no na_value",
    small_numbers_of_floats: "makes uint8 of float32",
    cut_off: "rounds",
    slice_in_a_branch: "may take nothing, in a branch",
    slice_in_a_function: "may take nothing, in a function",
    complex_numbers: "of complex numbers",
    length_of_complex_numbers: "of complex numbers",
    compared_with_a_mean: "Greater .* may jump",
    floor_of_a_logarithm: "Floor .* may jump",
    text_of_a_square_root: "AsString .* may jump",
    whole_number_in_a_function: "Cast .* may jump",
    whole_number_behind_a_function: "Cast .* may jump",
    whole_number_in_a_function_behind: "Cast .* may jump",
    diagonal: "no true vectorised form of DiagPart",
    one_of_it_updated: "no true vectorised form of TensorScatterUpdate",
    segments_of_its_own: "no true vectorised form of UnsortedSegmentSum",
    rows_of_its_own: "no true vectorised form of SparseSegmentMean",
    waits_for_its_source: "waits for QueueDequeueV2",
    of_one_branch: "only one side of a tf.cond gives",
    made_of_one_branch: "only one side of a tf.cond gives",
    waits_for_one_branch: "only one side of a tf.cond gives",
    which_branch: "which side of a tf.cond was taken",
    made_of_which_branch: "which side of a tf.cond was taken",
    loop_in_a_function: "has a StatelessWhile loop",
    ragged: "no settled shape",
    without_values: "one of its dimensions is 0",
    sparse_features: "varying length",
    ragged_features: "varying length",
}


def seeded_in_a_function(value=None):
    value = tf.to_float(number() if value is None else value)
    return [tf.function(lambda value: 0 * value + tf.random_uniform([], seed=3))(value)]


def examined(build, threads=1, op=None):
    components = build()
    queue = tf.PaddingFIFOQueue(50, [c.dtype for c in components], [c.shape for c in components])
    put = queue.enqueue(components)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put] * threads))
    pipeline = tfqueue.pipeline(tf.get_default_graph())
    return regions.examine(pipeline, put, threads), pipeline


@pytest.mark.parametrize("build", REFUSED, ids=lambda build: build.__name__)
def test_what_is_refused_is_refused_by_name(build):
    region, _ = examined(build)
    assert re.search(REFUSED[build], region.refusals[Strategy.CHUNK]), region.refusals


def names_by_hand():
    return tf.FIFOQueue(9, tf.string, [[]])


def names_by_hand_for_two():
    queue = names_by_hand()
    queue.dequeue()
    return queue


@pytest.mark.parametrize("names", [names_by_hand, names_by_hand_for_two])
def test_what_is_asked_of_a_queue_of_elements_is_not_asked_of_one_of_names(names):
    region, _ = examined(lambda: [tf.TextLineReader().read(names())[1]])
    assert Strategy.CHUNK not in region.refusals


def test_every_row_refuses_something():
    """But the one that says what op it is, which `tuner` asks first."""
    rows = {*regions._CHUNK, *regions._LOOP}
    refused = set()
    for build in [*REFUSED, variable_of_either_kind, seeded_in_a_function]:
        with tf.Graph().as_default():
            region, _ = examined(build)
            for row in rows:
                if refused >= {row}:
                    continue
                try:
                    if row(region):
                        refused.add(row)
                except (AttributeError, IndexError):
                    pass  # a row may count on those before it
    left = {row.__name__ for row in rows - refused}
    assert left <= {"_plain_put"}


# -- what is let in gives what single examples give -------------------------------------------------


def variable_of_either_kind():
    value = number()
    return [value, value * resource(5, "new") + old(7, "old")]


def lookup():
    value = number()
    return [value, table().lookup(value % 4)]


def shared_draw():
    value, factor = tf.to_float(number()), tf.random_uniform([])
    flip = tf.random_uniform([]) < 0.5
    image = tf.cond(flip, lambda: value * factor, lambda: value)
    mask = tf.cond(flip, lambda: value * factor, lambda: value)
    return [tf.cast(tf.equal(image, mask), tf.int32)]


def shared_draw_in_a_branch():
    value = tf.to_float(number())

    def both():
        factor, flip = tf.random_uniform([]), tf.random_uniform([]) < 0.5
        parts = [tf.cond(flip, lambda: value * factor, lambda: value) for _ in range(2)]
        return tf.cast(tf.equal(*parts), tf.int32)

    return [tf.cond(value < 30, both, lambda: tf.constant(1))]


def constants_of_two_lengths():
    value = tf.cond(number() < 30, lambda: tf.constant([1, 2, 3]), lambda: tf.constant([7]))
    return [tf.reduce_sum(value), tf.size(value)]


def assertion():
    value = number()
    with tf.control_dependencies([tf.Assert(value >= 0, [value])]):
        return [tf.identity(value)]


def complex_numbers_moved():
    value = tf.to_float(number())
    pair = tf.stack([tf.complex(value, value + 1), tf.complex(1.0, 2.0)])
    return [tf.imag(tf.reshape(tf.gather(pair, [1, 0]), [2, 1])) + tf.real(pair[:, None])]


def compared_before_it_is_rounded():
    x = tf.to_float(number()) / 3.0
    drawn = tf.random_uniform([]) < 2.0
    kept = tf.where(tf.logical_and(tf.equal(tf.round(x * 2.0), 4.0), drawn), x, -x)
    shape = tf.raw_ops.Shape  # as `tf.shape` is where the size is not known before
    moments = tf.function(lambda y: [shape(input=tf.exp(y))[0], tf.exp(y[0])])(tf.stack([kept, x]))
    rounded = tf.log(tf.abs(kept) + moments[1])
    return [kept, 0.0 * rounded, tf.argmax([x, 3.0 - x]), moments[0]]


def crossed_words():
    value = number()
    word = tf.sparse.from_dense(tf.reshape(tf.as_string(value), [1, 1]))
    crossed = tf.ragged.cross_hashed([tf.ragged.constant([["a", "b"]]), word], 1000)
    return [value, held(crossed.to_tensor(shape=[1, 2]), [1, 2])]


def draw_of_a_shape_of_its_own():
    value = number()
    return [value, tf.cast(tf.random_uniform([3]) < 2, tf.int32)]


def beside_a_draw(build):
    """With nothing else to compare, since its draws differ."""

    @functools.wraps(build)
    def both():
        return [*build(), tf.cast(tf.random_uniform([]) < 2, tf.int32)]

    return both


LET_IN = [
    *(variable_of_either_kind, lookup, shared_draw, shared_draw_in_a_branch),
    *(assertion, draw_of_a_shape_of_its_own, complex_numbers_moved),
    *(compared_before_it_is_rounded, crossed_words),
]
SLOW_BUT_RIGHT = [
    *(counter, schedule, counted_up, read_after_the_example, read_in_a_cond, table_in_a_cond),
    *(loop_of_the_old_kind, map_fn),
]
SIDE_BY_SIDE = [
    *(constants_of_two_lengths, without_values),
    *map(beside_a_draw, (rolled, padded, padded_in_a_branch, formatted)),
]
STRATEGIES = {
    **dict.fromkeys(LET_IN, Strategy.CHUNK),
    **dict.fromkeys(SIDE_BY_SIDE, Strategy.LOOP),
    **dict.fromkeys(SLOW_BUT_RIGHT, Strategy.SINGLE),
}


def delivered(build, setting):
    """All elements, and how the queue's runner ran."""
    with tf.Graph().as_default() as graph:
        tensors = build()
        batch = tf.train.batch(tensors, 1, capacity=20, name="last")
        with tfqueue.managed_session(chunks=setting) as sess:
            got = list(sess.batches(batch if len(tensors) > 1 else [batch]))
    columns = [np.concatenate(column).tolist() for column in zip(*got, strict=True)]
    ((strategy, text),) = list(accelerate.reports_of(graph).values())[-1].values()
    return columns, strategy, text


@pytest.mark.parametrize("build", STRATEGIES, ids=lambda build: build.__name__)
def test_it_gives_what_single_examples_give(build):
    expected, _, _ = delivered(build, False)
    found, strategy, text = delivered(build, 16)
    assert len(found[0]) == 2 * COUNT
    assert found == expected
    assert strategy == STRATEGIES[build], text


def test_the_graph_keeps_the_version_that_it_was_made_with():
    """A graph that is written with another one may be read with the defaults of an old release."""
    batch = tf.train.batch([tf.to_float(number()) / 3.0], 1, capacity=20)
    graph = batch.graph
    before = graph.as_graph_def().versions
    with tfqueue.managed_session(chunks=16) as sess:
        assert len(list(sess.batches(batch))) == 2 * COUNT
        assert before.producer == graph.as_graph_def().versions.producer > 0
    assert "chunks of up to 16" in str(accelerate.reports_of(graph))


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (lambda _: [tf.random_uniform([], seed=3)], Strategy.CHUNK),
        (seeded_in_a_function, Strategy.SINGLE),
    ],
)
def test_seeded_ops_of_several_threads_do_not_draw_the_same_again(draw, expected):
    """The order of draws is open, but none comes twice."""
    # One source: of two, one thread may take the last element of each that the other waits for.
    queue, value = tf.FIFOQueue(100, [tf.float32, tf.int32], [[], []]), number()
    put = queue.enqueue([*draw(value), value])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put] * 2))
    element = queue.dequeue()
    with tfqueue.managed_session(chunks=8) as sess:
        drawn = [sess.run(element)[0] for _ in range(2 * COUNT)]
    ((strategy, text),) = list(accelerate.reports_of(tf.get_default_graph()).values())[-1].values()
    assert strategy == expected, text
    assert len(set(drawn)) == 2 * COUNT


@pytest.mark.parametrize(
    "queue", [tf.FIFOQueue, functools.partial(tf.RandomShuffleQueue, min_after_dequeue=20)]
)
def test_seeds_of_one_thread_are_kept_whatever_the_queue(queue):
    queue = queue(100, dtypes=[tf.float32], shapes=[[]])
    put = queue.enqueue([tf.random_uniform([], seed=3) + tf.to_float(number())])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    region = regions.examine(tfqueue.pipeline(tf.get_default_graph()), put)
    assert "one thread draws the same" in region.refusals[Strategy.CHUNK]
    assert region.refusals[Strategy.LOOP] == region.refusals[Strategy.CHUNK]


@pytest.mark.parametrize("build", LET_IN, ids=lambda build: build.__name__)
def test_it_gives_the_same_side_by_side(build, monkeypatch):
    monkeypatch.setattr(regions, "_CHUNK", [lambda *_: "it is not asked for"])
    expected, _, _ = delivered(build, False)
    found, strategy, text = delivered(build, 16)
    assert len(found[0]) == 2 * COUNT
    assert found == expected
    assert strategy == Strategy.LOOP, text
