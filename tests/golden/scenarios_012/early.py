"""What only TensorFlow before 1.0 had or did: names, orders of arguments, classes, initialisers.

Runs under TensorFlow 0.12.1 on Python 2.7, and under `tfqueue.v1`.
"""

import os


def _run(tf, kit, *tensors):
    with tf.Session() as sess:
        values = [kit.value(sess.run(tensor)) for tensor in tensors]
    return values[0] if len(values) == 1 else values


def pack_and_unpack(tf, kit):
    packed = tf.pack([tf.constant([1, 2]), tf.constant([3, 4])])
    across = tf.pack([tf.constant([1, 2]), tf.constant([3, 4])], axis=1)
    rows = tf.unpack(packed)
    columns = tf.unpack(packed, axis=1)
    facts = {"values": _run(tf, kit, packed, across, *(rows + columns))}
    facts["shapes"] = [kit.shape(each.get_shape()) for each in [packed, across] + rows]
    facts["numbers"] = _run(tf, kit, tf.pack([1, tf.constant(2), 3]))
    facts["of a given count"] = len(tf.unpack(tf.placeholder(tf.float32, [None, 2]), num=3))
    facts["unknown count"] = kit.error(tf.unpack, tf.placeholder(tf.float32, [None, 2]))
    return facts


def names_of_pack_and_unpack(tf, kit):
    packed = tf.pack([1, 2], name="size")
    rows = tf.unpack(packed, name="parts")
    return {
        "named": [packed.name, rows[1].name],
        "plain": [tf.pack([1, 2]).name, tf.unpack(packed)[1].name],
    }


def concat_with_the_axis_first(tf, kit):
    rows, more = tf.constant([[1, 2]]), tf.constant([[3, 4]])
    return {
        "rows": _run(tf, kit, tf.concat(0, [rows, more])),
        "columns": _run(tf, kit, tf.concat(1, [rows, more])),
        "shape": kit.shape(tf.concat(1, [rows, more]).get_shape()),
    }


def concat_with_its_old_keyword(tf, kit):
    return {"rows": _run(tf, kit, tf.concat(concat_dim=0, values=[[[1, 2]], [[3, 4]]]))}


def split_with_the_axis_first(tf, kit):
    value = tf.constant([[1, 2, 3, 4], [5, 6, 7, 8]])
    return {
        "columns": _run(tf, kit, *tf.split(1, 2, value)),
        "rows": _run(tf, kit, *tf.split(0, 2, value)),
        "by keyword": _run(tf, kit, *tf.split(split_dim=1, num_split=4, value=value)),
    }


def arithmetic_by_short_names(tf, kit):
    left, right = tf.constant([1.0, 2.0]), tf.constant([3.0, -4.0])
    return {
        "mul": _run(tf, kit, tf.mul(left, right)),
        "sub": _run(tf, kit, tf.sub(left, right)),
        "neg": _run(tf, kit, tf.neg(right)),
        "div of ints": _run(tf, kit, tf.div(tf.constant([7, 8]), 2)),
        "select": _run(tf, kit, tf.select([True, False], left, right)),
        "batch_matmul": _run(
            tf, kit, tf.batch_matmul(tf.constant([[[1.0, 2.0]]]), tf.constant([[[3.0], [4.0]]]))
        ),
        "complex_abs": _run(tf, kit, tf.complex_abs(tf.constant([3 + 4j], tf.complex64))),
    }


def names_of_short_named_arithmetic(tf, kit):
    one = tf.constant(1.0)
    return {"names": [tf.mul(one, one).name, tf.sub(one, one).name, tf.neg(one).name]}


def reductions_with_their_old_keywords(tf, kit):
    value = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return {
        "sum": _run(tf, kit, tf.reduce_sum(value, reduction_indices=[1])),
        "mean kept": _run(tf, kit, tf.reduce_mean(value, reduction_indices=0, keep_dims=True)),
        "argmax": _run(tf, kit, tf.argmax(value, 1)),
        "argmax by keyword": _run(tf, kit, tf.argmax(value, dimension=0)),
        "expand_dims": _run(tf, kit, tf.expand_dims(tf.constant([1]), dim=0)),
        "squeeze": _run(tf, kit, tf.squeeze(tf.constant([[1]]), squeeze_dims=[0])),
        "one_hot": _run(tf, kit, tf.one_hot([1], 3)),
    }


def softmax_loss_by_position(tf, kit):
    # Powers of two where it matters, so that the last bit is the same on every machine.
    loss = tf.nn.softmax_cross_entropy_with_logits
    targets = tf.constant([[1.0, 0.0], [0.25, 0.75]])
    sharp = loss(tf.constant([[8.0, -8.0]]), tf.constant([[0.0, 1.0]]))
    return {
        "values": _run(tf, kit, loss(tf.zeros([2, 2]), targets)),
        "tells its arguments apart": _run(tf, kit, sharp > 15.0),
        "by keyword": _run(tf, kit, loss(labels=targets, logits=tf.zeros([2, 2]))),
    }


def sparse_softmax_loss_by_position(tf, kit):
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits
    labels = tf.constant([1, 0])
    return {
        "values": _run(tf, kit, loss(tf.zeros([2, 2]), labels)),
        "by keyword": _run(tf, kit, loss(labels=labels, logits=tf.zeros([2, 2]))),
    }


def sigmoid_loss_by_position(tf, kit):
    loss = tf.nn.sigmoid_cross_entropy_with_logits
    targets = tf.constant([[1.0, 0.0], [0.5, 1.0]])
    sharp = loss(tf.constant([[8.0, -8.0]]), tf.constant([[0.0, 1.0]]))
    return {
        "values": _run(tf, kit, loss(tf.zeros([2, 2]), targets)),
        "tells its arguments apart": _run(tf, kit, sharp > 7.0),
        "by keyword": _run(tf, kit, loss(logits=tf.zeros([2, 2]), targets=targets)),
    }


def initialisers_by_their_old_names(tf, kit):
    variable = tf.Variable([1, 2])
    other = tf.Variable(3)
    facts = {"collections": [tf.GraphKeys.VARIABLES == "variables", len(tf.all_variables())]}
    with tf.Session() as sess:
        facts["before"] = kit.error(sess.run, variable)
        sess.run(tf.initialize_variables([variable]))
        facts["one"] = kit.value(sess.run(variable))
        facts["the other"] = kit.error(sess.run, other)
        sess.run(tf.initialize_all_variables())
        facts["all"] = kit.value(sess.run([variable, other]))
        sess.run(tf.initialize_local_variables())
        facts["is initialised"] = bool(sess.run(tf.is_variable_initialized(other)))
    return facts


def only_the_global_initialiser(tf, kit):
    """Programs of that time run nothing but `initialize_all_variables`."""
    names = tf.train.match_filenames_once(kit.file("a.txt"))
    queue = tf.train.string_input_producer(names, num_epochs=2, shuffle=False)
    facts = {}
    with tf.Session() as sess:
        sess.run(tf.initialize_all_variables())
        facts["match_filenames_once"] = kit.error(sess.run, names)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        value = queue.dequeue()
        seen = []

        def drain():
            while True:
                seen.append(kit.relative(sess.run(value)))

        facts["end"] = kit.error(drain)
        facts["files"] = seen
        coord.request_stop()
        facts["joined"] = kit.error(coord.join, threads)
    return facts


def collections_of_a_producer(tf, kit):
    tf.train.match_filenames_once(kit.file("a.txt"))
    tf.train.string_input_producer(["a"], num_epochs=1)
    return {
        "local": [variable.name for variable in tf.local_variables()],
        "global": [variable.name for variable in tf.all_variables()],
    }


def operations_on_a_closed_queue(tf, kit):
    queue = tf.FIFOQueue(4, [tf.int32], [[]])
    put, put_many, close = queue.enqueue([1]), queue.enqueue_many([[1, 2]]), queue.close()
    take, take_many, size = queue.dequeue(), queue.dequeue_many(2), queue.size()
    cancel = queue.close(cancel_pending_enqueues=True)
    with tf.Session() as sess:
        sess.run(put)
        sess.run(close)
        facts = {
            "enqueue": kit.error(sess.run, put),
            "enqueue_many": kit.error(sess.run, put_many),
            "dequeue_many": kit.error(sess.run, take_many),
            "dequeue of the last": kit.error(sess.run, take),
            "dequeue": kit.error(sess.run, take),
            "close": kit.error(sess.run, close),
            "close with cancel": kit.error(sess.run, cancel),
            "size": int(sess.run(size)),
        }
    return facts


def summaries_by_their_old_names(tf, kit):
    facts = {
        "scalar": tf.scalar_summary("loss", tf.constant(1.0)).dtype.name,
        "histogram": tf.histogram_summary("values", tf.constant([1.0, 2.0])).dtype.name,
        "image": tf.image_summary("pictures", tf.zeros([1, 2, 2, 3])).dtype.name,
        "writer": callable(tf.train.SummaryWriter),
    }
    merged = tf.merge_all_summaries()
    facts["merged"] = kit.shape(merged.get_shape())
    with tf.Session() as sess, kit.scratch() as folder:
        summary = tf.Summary.FromString(sess.run(merged))
        facts["tags"] = sorted(value.tag.split("/")[0] for value in summary.value)
        writer = tf.train.SummaryWriter(folder, sess.graph)
        writer.add_summary(sess.run(merged), 1)
        writer.close()
        facts["files"] = [name.split(".")[2] for name in os.listdir(folder)]
    return facts


def summaries_have_the_tags_they_are_given(tf, kit):
    pictures = tf.zeros([2, 1, 1, 3])
    makers = {
        "scalar": lambda: tf.scalar_summary("loss", 1.0),
        "free text": lambda: tf.scalar_summary("my loss (%)", 1.0),
        "several": lambda: tf.scalar_summary(["p", "q"], [1.0, 2.0]),
        "a tensor": lambda: tf.scalar_summary(tf.constant("t"), 2.0),
        "histogram": lambda: tf.histogram_summary("values", [1.0, 2.0]),
        "images": lambda: tf.image_summary("pictures", pictures),
        "one image": lambda: tf.image_summary("pictures", pictures, max_images=1),
        "sounds": lambda: tf.audio_summary("sounds", tf.zeros([2, 4, 1]), 8000.0),
        "named": lambda: tf.scalar_summary("x", 1.0, name="mine"),
        "merged": lambda: tf.merge_summary([tf.scalar_summary("m", 1.0)]),
        "all": lambda: tf.merge_all_summaries("own"),
    }
    facts = {}
    tf.scalar_summary("kept", 1.0, collections=["own"])
    with tf.Session() as sess:
        for name, make in sorted(makers.items()):
            with tf.name_scope("scope"):
                made = make()
            told = tf.Summary.FromString(sess.run(made))
            facts[name] = {"op": made.op.name, "tags": [value.tag for value in told.value]}
        facts["none"] = tf.merge_all_summaries("nothing") is None
        facts["kept"] = len(tf.get_collection(tf.GraphKeys.SUMMARIES))
    return facts


def errors_have_these_classes(tf, kit):
    features = {"id": tf.FixedLenFeature([], tf.int64)}
    with tf.Session() as sess:
        return {
            "empty list": kit.error(tf.train.string_input_producer, []),
            "not an example": kit.error(sess.run, tf.parse_single_example(b"nonsense", features)),
            "missing key": kit.error(sess.run, tf.parse_single_example(b"", features)),
            "bad CSV": kit.error(sess.run, tf.decode_csv("x", [[1]])),
            "raw length": kit.error(sess.run, tf.decode_raw(b"abc", tf.int32)),
            "unknown shape": kit.error(tf.train.batch, [tf.placeholder(tf.float32)], 2),
        }


def _ends(tf, kit, reader, name):
    """Records, keys and the class at the end (local variables initialised as then)."""
    queue = tf.train.string_input_producer([kit.file(name)], 1, shuffle=False)
    pair = reader.read(queue)
    seen = []
    with kit.running() as run:

        def drain():
            while True:
                seen.append(run.sess.run(pair))

        end = kit.error(drain)
    return {
        "keys": [kit.relative(key) for key, _ in seen],
        "values": [kit.value(value) for _, value in seen],
        "end": end,
        "joined": run.joined,
    }


def text_lines(tf, kit):
    return _ends(tf, kit, tf.TextLineReader(skip_header_lines=1), "a.txt")


def tfrecords(tf, kit):
    return _ends(tf, kit, tf.TFRecordReader(), "example.tfrecord")


def fixed_length(tf, kit):
    return _ends(tf, kit, tf.FixedLengthRecordReader(3, 4, 2), "fixed.bin")


def whole_files(tf, kit):
    return _ends(tf, kit, tf.WholeFileReader(), "b.txt")


def missing_file(tf, kit):
    return _ends(tf, kit, tf.WholeFileReader(), "no such file")


def flipped_payload(tf, kit):
    return _ends(tf, kit, tf.TFRecordReader(), "flipped_payload.tfrecord")


def examples_through_the_queues(tf, kit):
    queue = tf.train.string_input_producer([kit.file("example.tfrecord")], num_epochs=1)
    _, record = tf.TFRecordReader().read(queue)
    features = tf.parse_single_example(
        record,
        features={
            "id": tf.FixedLenFeature([], tf.int64),
            "image": tf.FixedLenFeature([], tf.string),
            "list": tf.VarLenFeature(tf.int64),
        },
    )
    image = tf.reshape(tf.decode_raw(features["image"], tf.uint8), tf.pack([2, 2, 3]))
    resized = tf.image.resize_image_with_crop_or_pad(image, 3, 1)
    resized.set_shape([3, 1, 3])
    batch = tf.train.batch([resized, features["id"]], 2)
    values, facts = kit.steps(batch)
    facts.update(values=kit.value(values), shapes=[kit.shape(each.get_shape()) for each in batch])
    facts["names"] = [each.op.name for each in batch]
    return facts


def names_of_what_batching_makes(tf, kit):
    one = tf.constant(1.0)
    made = [
        tf.train.batch([one], 2),
        tf.train.shuffle_batch([one], 2, 32, 8),
        tf.train.batch_join([[one]], 2),
        tf.train.shuffle_batch_join([[one]], 2, 32, 8),
    ]
    return {
        "names": [each.op.name for each in made],
        "shapes": [kit.shape(each.get_shape()) for each in made],
        "runners": [each.name for each in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)],
    }
