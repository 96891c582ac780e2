# ruff: noqa: BLE001, UP031
"""Parsing: one Example, batches of them, every kind of feature, defaults, and what is refused."""


def _records(tf, kit, name="example.tfrecord"):
    return list(tf.python_io.tf_record_iterator(kit.file(name)))


def _single(tf, kit, features, which=None, **how):
    """Each record parsed by parse_single_example, and the static facts of the result."""
    serialized = tf.placeholder(tf.string, [])
    parsed = tf.parse_single_example(serialized, features, **how)
    values, errors = [], []
    with tf.Session() as sess:
        for record in _records(tf, kit)[:which]:
            try:
                values.append(kit.value(sess.run(parsed, {serialized: record})))
            except Exception as raised:
                errors.append(kit.name(raised))
    return {"values": values, "errors": errors, "static": kit.static(parsed)}


def _batch(tf, kit, features, **how):
    serialized = tf.constant(_records(tf, kit))
    parsed = tf.parse_example(serialized, features, **how)
    facts = {"static": kit.static(parsed), "values": None}

    def run():
        with tf.Session() as sess:
            facts["values"] = kit.value(sess.run(parsed))

    facts["error"] = kit.error(run)
    return facts


def _fixed(tf):
    return {
        "id": tf.FixedLenFeature([], tf.int64),
        "weight": tf.FixedLenFeature([], tf.float32),
        "name": tf.FixedLenFeature([], tf.string),
        "image": tf.FixedLenFeature((), tf.string),
        "pair": tf.FixedLenFeature([2], tf.int64),
        "matrix": tf.FixedLenFeature([2, 3], tf.float32),
    }


def single_fixed(tf, kit):
    return _single(tf, kit, _fixed(tf))


def single_named(tf, kit):
    return _single(tf, kit, {"id": tf.FixedLenFeature([1], tf.int64)}, 1, name="features")


def single_defaults(tf, kit):
    features = {
        "maybe": tf.FixedLenFeature([], tf.float32, default_value=9.5),
        "nothing": tf.FixedLenFeature([], tf.string, default_value="none"),
        "row": tf.FixedLenFeature([2], tf.int64, default_value=[7, 8]),
        "one default for three": tf.FixedLenFeature([3], tf.int64, default_value=[1, 2, 3]),
    }
    return _single(tf, kit, features, 2)


def single_varlen(tf, kit):
    features = {
        "list": tf.VarLenFeature(tf.int64),
        "words": tf.VarLenFeature(tf.string),
        "maybe": tf.VarLenFeature(tf.float32),
        "absent": tf.VarLenFeature(tf.float32),
    }
    return _single(tf, kit, features)


def single_varlen_to_dense(tf, kit):
    serialized = tf.placeholder(tf.string, [])
    parsed = tf.parse_single_example(serialized, {"list": tf.VarLenFeature(tf.int64)})
    dense = tf.sparse_tensor_to_dense(parsed["list"], default_value=-1)
    with tf.Session() as sess:
        values = [sess.run(dense, {serialized: record}) for record in _records(tf, kit)]
    return {"values": kit.value(values), "static": kit.static(dense)}


def single_fixed_sequence(tf, kit):
    features = {
        "list": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
        "matrix": tf.FixedLenSequenceFeature([3], tf.float32, allow_missing=True),
    }
    return _single(tf, kit, features)


def single_sparse(tf, kit):
    return _single(tf, kit, {"s": tf.SparseFeature("id", "weight", tf.float32, 10)})


def single_missing_key(tf, kit):
    return _single(tf, kit, {"no such": tf.FixedLenFeature([], tf.int64)})


def single_key_missing_in_some(tf, kit):
    return _single(tf, kit, {"maybe": tf.FixedLenFeature([], tf.float32)})


def single_wrong_dtype(tf, kit):
    return _single(tf, kit, {"id": tf.FixedLenFeature([], tf.float32)})


def single_wrong_varlen_dtype(tf, kit):
    return _single(tf, kit, {"words": tf.VarLenFeature(tf.int64)})


def single_wrong_shape(tf, kit):
    return _single(tf, kit, {"pair": tf.FixedLenFeature([3], tf.int64)})


def single_list_as_scalar(tf, kit):
    return _single(tf, kit, {"list": tf.FixedLenFeature([], tf.int64)})


def single_not_an_example(tf, kit):
    serialized = tf.constant(b"this is not a serialized Example")
    parsed = tf.parse_single_example(serialized, {"id": tf.FixedLenFeature([], tf.int64)})
    with tf.Session() as sess:
        return {"error": kit.error(sess.run, parsed)}


def single_given_a_batch(tf, kit):
    serialized = tf.placeholder(tf.string)
    features = {"id": tf.FixedLenFeature([], tf.int64)}
    facts = {"of rank 1": kit.error(tf.parse_single_example, tf.constant(["a", "b"]), features)}
    parsed = tf.parse_single_example(serialized, features)
    with tf.Session() as sess:
        facts["fed rank 1"] = kit.error(sess.run, parsed, {serialized: _records(tf, kit)})
    return facts


def batch_fixed(tf, kit):
    return _batch(tf, kit, _fixed(tf))


def batch_named_with_example_names(tf, kit):
    names = tf.constant(["r%d" % number for number in range(6)])
    features = {"id": tf.FixedLenFeature([], tf.int64)}
    return _batch(tf, kit, features, name="parsed", example_names=names)


def batch_defaults(tf, kit):
    features = {
        "maybe": tf.FixedLenFeature([], tf.float32, default_value=0.0),
        "nothing": tf.FixedLenFeature([2], tf.string, default_value=["x", "y"]),
    }
    return _batch(tf, kit, features)


def batch_varlen(tf, kit):
    features = {"list": tf.VarLenFeature(tf.int64), "words": tf.VarLenFeature(tf.string)}
    return _batch(tf, kit, features)


def batch_fixed_sequence(tf, kit):
    features = {
        "list": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True, default_value=-1),
        "words": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True),
    }
    return _batch(tf, kit, features)


def batch_unknown_first_dimension(tf, kit):
    features = {"words": tf.FixedLenFeature([], tf.string, default_value="")}
    return _batch(tf, kit, features)


def batch_sparse(tf, kit):
    return _batch(tf, kit, {"s": tf.SparseFeature(["id"], "weight", tf.float32, [10])})


def batch_missing_key(tf, kit):
    return _batch(tf, kit, {"maybe": tf.FixedLenFeature([], tf.float32)})


def batch_of_none(tf, kit):
    serialized = tf.constant([], tf.string)
    parsed = tf.parse_example(serialized, {"id": tf.FixedLenFeature([], tf.int64)})
    with tf.Session() as sess:
        return {"values": kit.value(sess.run(parsed)), "static": kit.static(parsed)}


def batch_of_unknown_length(tf, kit):
    serialized = tf.placeholder(tf.string, [None])
    parsed = tf.parse_example(serialized, {"pair": tf.FixedLenFeature([2], tf.int64)})
    return {"static": kit.static(parsed)}


def building_errors(tf, kit):
    one, some = tf.constant("x"), tf.constant(["x"])

    def single(**features):
        return kit.error(tf.parse_single_example, one, features)

    return {
        "no features": kit.error(tf.parse_single_example, one, {}),
        "features None": kit.error(tf.parse_example, some, None),
        "features as a list": kit.error(tf.parse_single_example, one, [1]),
        "a dtype for a feature": single(a=tf.int64),
        "int32": single(a=tf.FixedLenFeature([], tf.int32)),
        "uint8 varlen": single(a=tf.VarLenFeature(tf.uint8)),
        "fixed without dtype": single(a=tf.FixedLenFeature([], None)),
        "varlen without dtype": single(a=tf.VarLenFeature(None)),
        "fixed without shape": single(a=tf.FixedLenFeature(None, tf.int64)),
        "shape with unknown rest": single(a=tf.FixedLenFeature([2, None], tf.int64)),
        "default of wrong shape": single(a=tf.FixedLenFeature([2], tf.int64, [1, 2, 3])),
        "default of wrong dtype": single(a=tf.FixedLenFeature([], tf.int64, "x")),
        "sequence not allowed to miss": single(a=tf.FixedLenSequenceFeature([], tf.int64)),
        "serialized numbers": kit.error(
            tf.parse_single_example, 3, {"a": tf.FixedLenFeature([], tf.int64)}
        ),
    }


def _sequences(tf, kit, context, lists, **how):
    """Each SequenceExample parsed, and the static facts."""
    serialized = tf.placeholder(tf.string, [])
    parsed = tf.parse_single_sequence_example(serialized, context, lists, **how)
    values, errors = [], []
    with tf.Session() as sess:
        for record in _records(tf, kit, "sequence.tfrecord"):
            try:
                values.append(kit.value(sess.run(parsed, {serialized: record})))
            except Exception as raised:
                errors.append(kit.name(raised))
    return {"values": values, "errors": errors, "static": kit.static(parsed)}


def _context(tf):
    return {
        "id": tf.FixedLenFeature([], tf.int64),
        "length": tf.FixedLenFeature([1], tf.int64),
        "absent": tf.FixedLenFeature([], tf.float32, default_value=0.5),
    }


def sequence_fixed(tf, kit):
    lists = {
        "tokens": tf.FixedLenSequenceFeature([], tf.int64),
        "vectors": tf.FixedLenSequenceFeature([2], tf.float32),
        "words": tf.FixedLenSequenceFeature([], tf.string),
    }
    return _sequences(tf, kit, _context(tf), lists)


def sequence_varlen(tf, kit):
    context = {"id": tf.VarLenFeature(tf.int64), "absent": tf.VarLenFeature(tf.string)}
    lists = {"ragged": tf.VarLenFeature(tf.int64), "words": tf.VarLenFeature(tf.string)}
    return _sequences(tf, kit, context, lists)


def sequence_context_only(tf, kit):
    return _sequences(tf, kit, {"id": tf.FixedLenFeature([], tf.int64)}, None, name="only")


def sequence_lists_only(tf, kit):
    return _sequences(tf, kit, None, {"tokens": tf.FixedLenSequenceFeature([], tf.int64)})


def sequence_allowed_to_miss(tf, kit):
    lists = {"absent": tf.FixedLenSequenceFeature([3], tf.float32, allow_missing=True)}
    return _sequences(tf, kit, None, lists)


def sequence_missing_list(tf, kit):
    return _sequences(tf, kit, None, {"absent": tf.FixedLenSequenceFeature([], tf.float32)})


def sequence_missing_context(tf, kit):
    return _sequences(tf, kit, {"absent": tf.FixedLenFeature([], tf.float32)}, None)


def sequence_wrong_dtype(tf, kit):
    return _sequences(tf, kit, None, {"tokens": tf.FixedLenSequenceFeature([], tf.float32)})


def sequence_wrong_shape(tf, kit):
    return _sequences(tf, kit, None, {"vectors": tf.FixedLenSequenceFeature([3], tf.float32)})


def sequence_ragged_as_fixed(tf, kit):
    return _sequences(tf, kit, None, {"ragged": tf.FixedLenSequenceFeature([], tf.int64)})


def sequence_building_errors(tf, kit):
    one = tf.constant("x")

    def build(context=None, lists=None):
        return kit.error(tf.parse_single_sequence_example, one, context, lists)

    return {
        "nothing asked": build(),
        "list feature in the context": build({"a": tf.FixedLenSequenceFeature([], tf.int64)}),
        "context feature in the lists": build(None, {"a": tf.FixedLenFeature([], tf.int64)}),
        "int32": build(None, {"a": tf.FixedLenSequenceFeature([], tf.int32)}),
        "a batch": kit.error(
            tf.parse_single_sequence_example,
            tf.constant(["a", "b"]),
            {"a": tf.FixedLenFeature([], tf.int64)},
        ),
    }
