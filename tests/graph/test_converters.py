"""pfor's converters: each gives for many examples what the op gives for each of them."""

import logging

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue._tensorflow import op_building
from tfqueue.graph import converters, exactness


@pytest.fixture(autouse=True)
def registered():
    converters.register()


def both(function, *columns):
    """What `function` gives for each example, and for all of them together."""
    count = len(columns[0])
    alone = []
    with op_building.new_graph().as_default() as graph:
        stacked = [tf.constant(column) for column in columns]
        before = set(graph.get_operations())

        def body(i):
            taken = [converters.element(column, i) for column in stacked]
            made = function(*taken)
            inside = tf.get_default_graph()
            converters.attach(inside.get_operations())
            return made

        made = op_building.vectorize(body, tf.constant(count))
        ops = {op.type for op in graph.get_operations() if op not in before}
        frozen = graph.as_graph_def(add_shapes=False)
        name = made.name
    with tf.Graph().as_default() as run:
        tf.import_graph_def(frozen, name="")
        with tf.Session(graph=run) as sess:
            together = sess.run(name)
    with tf.Graph().as_default(), tf.Session() as sess:
        given = [
            tf.placeholder(np.asarray(column).dtype, np.shape(column)[1:]) for column in columns
        ]
        result = function(*given)
        for row in zip(*columns, strict=True):
            alone.append(sess.run(result, dict(zip(given, row, strict=True))))
    return alone, together, ops


WORDS = np.array([b"one two", b"three four", b"five sixes"], object)
IMAGES = np.linspace(0, 1, 3 * 4 * 5 * 3).reshape([3, 4, 5, 3]).astype(np.float32)


BYTES = (np.arange(3 * 2 * 4 * 5).reshape([3, 2, 4, 5]) * 7 % 256).astype(np.uint8)


def of_two_consumers(x):
    """Transposed bytes that something else uses, too."""
    transposed = tf.transpose(x, [1, 2, 0])
    return tf.cast(transposed, tf.int32) + tf.cast(transposed[::-1], tf.int32)


def texts(name, **attributes):
    raw = getattr(tf.raw_ops, name)
    first = {"DecodeRaw": "bytes", "StringToNumber": "string_tensor"}.get(name, "input")
    first = {"StringToHashBucket": "string_tensor"}.get(name, first)
    return lambda text: raw(**{first: text}, **attributes)


CASES = {
    "length": (texts("StringLength", unit="BYTE"), [WORDS]),
    "strip": (texts("StringStrip"), [WORDS]),
    "upper": (texts("StringUpper", encoding=""), [WORDS]),
    "lower": (texts("StringLower", encoding=""), [WORDS]),
    "bucket": (texts("StringToHashBucket", num_buckets=7), [WORDS]),
    "fast": (texts("StringToHashBucketFast", num_buckets=7), [WORDS]),
    "strong": (texts("StringToHashBucketStrong", num_buckets=7, key=[1, 2]), [WORDS]),
    "replace": (
        texts("StaticRegexReplace", pattern="e", rewrite="E", replace_global=False),
        [WORDS],
    ),
    "replace all": (
        lambda text: tf.raw_ops.RegexReplace(
            input=text, pattern="e", rewrite="E", replace_global=True
        ),
        [WORDS],
    ),
    "match": (texts("StaticRegexFullMatch", pattern=".*two"), [WORDS]),
    "match of an op": (
        lambda text: tf.raw_ops.RegexFullMatch(input=text, pattern=".*two"),
        [WORDS],
    ),
    "base 64": (texts("EncodeBase64", pad=True), [WORDS]),
    "numbers": (
        lambda number: tf.as_string(number, precision=2, width=9, fill="0"),
        [np.float32([1.5, 2.25, 100])],
    ),
    "to numbers": (
        texts("StringToNumber", out_type=tf.int32),
        [np.array([b"1", b"22", b"-3"], object)],
    ),
    "raw": (
        texts("DecodeRaw", out_type=tf.int16, little_endian=False),
        [np.array([b"abcd", b"efgh"], object)],
    ),
    "hsv": (tf.image.rgb_to_hsv, [IMAGES]),
    "substring": (lambda text: tf.substr(text, 1, 3), [WORDS]),
    "substring of rows": (
        lambda text: tf.substr(text, 1, 2),
        [np.array([[b"abcd", b"efgh"], [b"ijkl", b"mnop"]], object)],
    ),
    "substring from a place": (
        lambda text, start: tf.substr(text, start, 2),
        [WORDS, np.int32([0, 1, 2])],
    ),
    "substring of a length": (
        lambda text, length: tf.substr(text, 1, length),
        [WORDS, np.int32([0, 1, 2])],
    ),
    "substring of rows from places": (
        lambda text, start: tf.substr(text, start, [1, 2]),
        [np.array([[b"abcd", b"efgh"], [b"ijkl", b"mnop"]], object), np.int32([[0, 1], [1, 0]])],
    ),
    "squeeze": (tf.squeeze, [np.arange(6).reshape([3, 1, 2, 1])]),
    "squeeze of one example": (tf.squeeze, [np.arange(2).reshape([1, 2, 1])]),
    "squeeze of nothing": (tf.squeeze, [np.arange(6).reshape([3, 2])]),
    "squeeze of an axis": (lambda x: tf.squeeze(x, [0]), [np.arange(6).reshape([3, 1, 2, 1])]),
    "squeeze of the last": (lambda x: tf.squeeze(x, [-1]), [np.arange(6).reshape([3, 1, 2, 1])]),
    "contrast": (
        lambda image, factor: tf.image.adjust_contrast(image, factor),
        [IMAGES, np.float32([0.5, 1, 2])],
    ),
    "contrast of all": (lambda image: tf.image.adjust_contrast(image, 0.5), [IMAGES]),
    "cast of transposed bytes": (
        lambda x: tf.cast(tf.transpose(x, [1, 2, 0]), tf.float32),
        [BYTES],
    ),
    "cast of transposed signed bytes": (
        lambda x: tf.cast(tf.transpose(x, [2, 0, 1]), tf.int16),
        [BYTES.view(np.int8)],
    ),
    "cast of transposed truths": (lambda x: tf.cast(tf.transpose(x), tf.float32), [BYTES % 3 == 0]),
    "cast of transposed bytes to bytes": (
        lambda x: tf.cast(tf.transpose(x), tf.int8),
        [BYTES],
    ),
    "cast of transposed numbers": (
        lambda x: tf.cast(tf.transpose(x), tf.uint8),
        [BYTES.astype(np.float32) + 0.75],
    ),
    "cast of transposed bytes with two consumers": (of_two_consumers, [BYTES]),
    "slice": (
        lambda x, begin: tf.slice(x, begin, [2, 3]),
        [np.arange(3 * 4 * 5).reshape([3, 4, 5]), np.int32([[0, 0], [2, 2], [1, 2]])],
    ),
    "slice of whole rows": (
        lambda x, begin: tf.slice(x, begin, [2, 5]),
        [np.arange(3 * 4 * 5).reshape([3, 4, 5]), np.int32([[0, 0], [2, 0], [1, 0]])],
    ),
    "slice at one place": (
        lambda x: tf.slice(x, [1, 2], [2, 3]),
        [np.arange(3 * 4 * 5).reshape([3, 4, 5])],
    ),
    "slice to the end": (
        lambda x: tf.slice(x, [1, 2], [-1, 3]),
        [np.arange(3 * 4 * 5).reshape([3, 4, 5])],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_many_at_once_are_as_one_after_the_other(name):
    function, columns = CASES[name]
    alone, together, ops = both(function, *columns)
    assert len(together) == len(alone)
    for one, other in zip(alone, together, strict=True):
        if np.asarray(one).dtype.kind == "f":
            np.testing.assert_allclose(other, one, rtol=1e-6, atol=1e-6)
        else:
            assert np.asarray(other).tolist() == np.asarray(one).tolist()
    assert not ops & {"While", "StatelessWhile"}, "no example is computed by itself"


def choose(then, otherwise):
    def function(number):
        return op_building.functional_cond(
            number < 2, lambda: [then(number)], lambda: [otherwise(number)]
        )[0]

    return function


@pytest.mark.parametrize(
    ("then", "otherwise", "is_picked"),
    [
        (lambda x: tf.identity(x), lambda x: tf.constant(7), True),
        (lambda x: tf.constant(8), lambda x: tf.identity(x), True),
        (lambda x: tf.constant(8), lambda x: tf.constant(7), True),
        (lambda x: x + 1, lambda x: tf.constant(7), False),
        (lambda x: tf.identity(x), lambda x: -x, False),
    ],
)
def test_a_branch_that_only_hands_on_is_picked(then, otherwise, is_picked):
    alone, together, ops = both(choose(then, otherwise), np.int32([1, 2, 3, 0]))
    assert together.tolist() == alone
    assert ("SelectV2" in ops) is is_picked


def test_a_slice_outside_of_its_input_is_an_error():
    def function(x, begin):
        return tf.slice(x, begin, [2])

    for place in ([3], [-1]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Slice outside of the input"):
            both(function, np.arange(8).reshape([2, 4]), np.int32([[0], place]))


# -- what is refused ------------------------------------------------------------------------------------


def refused(build):
    given = tf.placeholder(tf.float32, [4])
    before = set(tf.get_default_graph().get_operations())
    build(given)
    graph = tf.get_default_graph()
    ops = [op for op in graph.get_operations() if op not in before]
    return exactness.refusal(graph, ops)


def as_complex(x):
    return tf.complex(x, x)


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda x: x * 2.0, None),
        (lambda x: tf.raw_ops.PadV2(input=x, paddings=[[1, 1]], constant_values=0.0), "of PadV2"),
        (lambda x: tf.roll(x, 1, 0), "no true vectorised form of Roll"),
        (lambda x: tf.function(lambda x: tf.roll(x, 1, 0))(x), "no true vectorised form of Roll"),
        (lambda x: as_complex(x) + as_complex(x), None),
        (lambda x: as_complex(x) * as_complex(x), "is of complex numbers"),
        (lambda x: tf.raw_ops.IdentityN(input=[as_complex(x)]), None),
        (lambda x: tf.decode_csv("1,2", [[1], [2]]), None),
        (lambda x: tf.decode_csv("1,2", [[1], [2]], na_value="?"), "knows no na_value"),
        (lambda x: tf.cast(x, tf.int32), None),
        (lambda x: tf.cast(x, tf.int64), None),
        (lambda x: tf.cast(x, tf.uint8), "makes uint8 of float32, which may be out of its range"),
        (lambda x: tf.cast(tf.cast(x, tf.int32), tf.uint8), None),
        (lambda x: tf.cast(x, tf.float64), None),
        (lambda x: tf.raw_ops.Cast(x=x, DstT=tf.bfloat16, Truncate=True), "rounds"),
        (lambda x: tf.slice(x, [0], [0]), None),
        (
            lambda x: tf.function(lambda x: tf.slice(x, [0], [2]))(x),
            "may take nothing, in a function",
        ),
        (lambda x: tf.cast(tf.exp(x), tf.int32), "may jump where floats differ"),
    ],
)
def test_what_pfor_would_compute_in_another_way_is_refused(build, says):
    found = refused(build)
    assert (found is None) is (says is None)
    assert says is None or says in found


def test_a_function_that_was_built_elsewhere_is_not_looked_into():
    with tf.Graph().as_default() as elsewhere:
        given = tf.placeholder(tf.float32, [], name="x")
        tf.function(lambda x: tf.cast(tf.exp(x), tf.int32))(given)
        definition = elsewhere.as_graph_def()
    tf.import_graph_def(definition, name="")
    graph = tf.get_default_graph()
    calls = [op for op in graph.get_operations() if "PartitionedCall" in op.type]
    assert len(calls) == 1
    assert exactness.refusal(graph, calls) is None


# -- the log ------------------------------------------------------------------------------------------------


def test_tensorflow_logs_nothing_in_this_thread_for_a_while(caplog):
    logger = logging.getLogger("tensorflow")
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        logger.propagate, before = True, logger.propagate
        try:
            with converters.quiet():
                logger.warning("within")
            logger.warning("behind")
        finally:
            logger.propagate = before
    assert [record.getMessage() for record in caplog.records] == ["behind"]


def test_the_converter_of_tensorflow_stays_where_it_has_one():
    assert op_building.has_converter("Cast")
    assert not op_building.has_converter("no such op")
    before = dict(op_building.pfor_module()._pfor_converter_registry)
    converters.register()
    assert op_building.pfor_module()._pfor_converter_registry == before
    assert {*converters.ROWS, "LookupTableFindV2", "Substr"} <= before.keys()


def test_bytes_are_cast_before_they_are_transposed():
    """TensorFlow's optimizer, which prefers to move fewer bytes, leaves them so."""

    def function(x):
        return tf.cast(tf.transpose(x, [1, 2, 0]), tf.float32)

    def body(i):
        made = function(converters.element(images, i))
        converters.attach(tf.get_default_graph().get_operations())
        return made

    images = tf.placeholder(tf.uint8, [None, *BYTES.shape[1:]])
    made = op_building.vectorize(body, tf.shape(images)[0])
    options, told = tf.RunOptions(output_partition_graphs=True), tf.RunMetadata()
    with tf.Session() as sess:
        found = sess.run(made, {images: BYTES}, options, told)
    assert found.tolist() == BYTES.transpose([0, 2, 3, 1]).tolist()
    transposes = [
        node for part in told.partition_graphs for node in part.node if node.op == "Transpose"
    ]
    assert [node.attr["T"].type for node in transposes] == [tf.float32.as_datatype_enum]
