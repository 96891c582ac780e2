# ruff: noqa: BLE001
"""Readers: every kind on files of its kind; records, keys, counters, reset."""


def _queue(tf, kit, names, epochs=1):
    return tf.train.string_input_producer([kit.file(name) for name in names], epochs, shuffle=False)


def _read(tf, kit, reader, names, epochs=1, limit=100):
    """Every record of the files in order, its key, the counters after it and the static facts."""
    pair = reader.read(_queue(tf, kit, names, epochs))
    produced, units = reader.num_records_produced(), reader.num_work_units_completed()
    keys, values, counters = [], [], []
    with kit.running() as run:
        end = None
        for _ in range(limit):
            try:
                key, value = run.sess.run(pair)
            except Exception as raised:
                end = kit.name(raised)
                break
            keys.append(kit.relative(key))
            values.append(kit.value(value))
            counters.append([int(each) for each in run.sess.run([produced, units])])
        after = [int(each) for each in run.sess.run([produced, units])]
    return {
        "keys": keys,
        "values": values,
        "counters [records, files]": counters,
        "counters at the end": after,
        "end": end,
        "joined": run.joined,
        "static": kit.static(pair),
        "key and value by field": [pair.key is pair[0], pair.value is pair[1]]
        if hasattr(pair, "key")
        else None,
        "reader": [reader.reader_ref.op.name, reader.reader_ref.op.type],
        "supports_serialize": reader.supports_serialize,
    }


def text_lines(tf, kit):
    return _read(tf, kit, tf.TextLineReader(), ["a.txt", "b.txt"])


def text_lines_two_epochs(tf, kit):
    return _read(tf, kit, tf.TextLineReader(name="lines"), ["b.txt", "a.txt"], epochs=2)


def text_lines_without_header(tf, kit):
    return _read(tf, kit, tf.TextLineReader(skip_header_lines=1), ["a.txt", "rows.csv"])


def text_lines_header_longer_than_file(tf, kit):
    return _read(tf, kit, tf.TextLineReader(skip_header_lines=5), ["a.txt", "rows.csv"])


def text_lines_of_windows(tf, kit):
    return _read(tf, kit, tf.TextLineReader(), ["crlf.txt"])


def text_lines_around_an_empty_file(tf, kit):
    return _read(tf, kit, tf.TextLineReader(), ["empty.txt", "a.txt", "empty.txt"])


def whole_files(tf, kit):
    return _read(tf, kit, tf.WholeFileReader(), ["a.txt", "empty.txt", "crlf.txt"])


def identity(tf, kit):
    reader = tf.IdentityReader()
    queue = tf.train.string_input_producer(["x", "y"], 2, shuffle=False)
    values, facts = kit.steps(reader.read(queue))
    facts.update(values=kit.value(values), supports_serialize=reader.supports_serialize)
    return facts


def fixed_length(tf, kit):
    reader = tf.FixedLengthRecordReader(3, header_bytes=4, footer_bytes=2)
    return _read(tf, kit, reader, ["fixed.bin", "fixed2.bin"])


def fixed_length_no_header(tf, kit):
    return _read(tf, kit, tf.FixedLengthRecordReader(record_bytes=7), ["fixed.bin"])


def fixed_length_hop_overlaps(tf, kit):
    reader = tf.FixedLengthRecordReader(5, header_bytes=4, footer_bytes=2, hop_bytes=2)
    return _read(tf, kit, reader, ["fixed.bin"])


def fixed_length_hop_skips(tf, kit):
    reader = tf.FixedLengthRecordReader(2, header_bytes=4, footer_bytes=2, hop_bytes=5)
    return _read(tf, kit, reader, ["fixed.bin"])


def fixed_length_odd_rest(tf, kit):
    reader = tf.FixedLengthRecordReader(3, header_bytes=4, footer_bytes=2)
    return _read(tf, kit, reader, ["fixed_odd.bin", "fixed2.bin"])


def tfrecords(tf, kit):
    return _read(tf, kit, tf.TFRecordReader(), ["example.tfrecord", "sequence.tfrecord"])


def tfrecords_two_epochs(tf, kit):
    return _read(tf, kit, tf.TFRecordReader(), ["sequence.tfrecord"], epochs=2)


def _compressed(tf, kit, kind, name):
    options = tf.python_io.TFRecordOptions(getattr(tf.python_io.TFRecordCompressionType, kind))
    return _read(tf, kit, tf.TFRecordReader(options=options), [name])


def tfrecords_gzip(tf, kit):
    return _compressed(tf, kit, "GZIP", "example.tfrecord.gz")


def tfrecords_zlib(tf, kit):
    return _compressed(tf, kit, "ZLIB", "example.tfrecord.zlib")


def tfrecords_read_as_if_not_compressed(tf, kit):
    return _read(tf, kit, tf.TFRecordReader(), ["example.tfrecord.gz"])


def tfrecords_read_as_if_compressed(tf, kit):
    return _compressed(tf, kit, "GZIP", "example.tfrecord")


def tfrecords_around_an_empty_file(tf, kit):
    return _read(tf, kit, tf.TFRecordReader(), ["empty.tfrecord", "sequence.tfrecord"])


def tfrecords_flipped_payload(tf, kit):
    return _read(tf, kit, tf.TFRecordReader(), ["flipped_payload.tfrecord"], limit=3)


def tfrecords_flipped_length(tf, kit):
    return _read(tf, kit, tf.TFRecordReader(), ["flipped_length.tfrecord"], limit=3)


def tfrecords_cut_in_payload(tf, kit):
    return _read(tf, kit, tf.TFRecordReader(), ["cut_payload.tfrecord"], limit=3)


def tfrecords_cut_in_header_reads_as_an_end(tf, kit):
    return _read(tf, kit, tf.TFRecordReader(), ["cut_header.tfrecord"], limit=3)


def missing_file_after_a_good_one(tf, kit):
    return _read(tf, kit, tf.TextLineReader(), ["a.txt", "no such file.txt"])


def missing_file_by_reader(tf, kit):
    facts = {}
    for make in (tf.TextLineReader, tf.WholeFileReader, tf.TFRecordReader):
        with tf.Graph().as_default():
            facts[make.__name__] = _read(tf, kit, make(), ["no such file"])["end"]
    with tf.Graph().as_default():
        reader = tf.FixedLengthRecordReader(2)
        facts["FixedLengthRecordReader"] = _read(tf, kit, reader, ["no such file"])["end"]
    return facts


def _read_up_to(tf, kit, reader, names, count):
    keys, values = reader.read_up_to(_queue(tf, kit, names), count)
    seen, facts = kit.steps([keys, values])
    facts["keys"] = [kit.relative(pair[0]) for pair in seen]
    facts["values"] = [kit.value(pair[1]) for pair in seen]
    facts["static"] = kit.static([keys, values])
    return facts


def up_to_two_lines(tf, kit):
    return _read_up_to(tf, kit, tf.TextLineReader(), ["a.txt", "b.txt"], 2)


def up_to_more_than_a_file_has(tf, kit):
    return _read_up_to(tf, kit, tf.TextLineReader(skip_header_lines=1), ["a.txt", "b.txt"], 50)


def up_to_four_tfrecords(tf, kit):
    return _read_up_to(tf, kit, tf.TFRecordReader(), ["sequence.tfrecord", "example.tfrecord"], 4)


def up_to_count_as_a_tensor(tf, kit):
    count = tf.constant(3, tf.int64)
    return _read_up_to(tf, kit, tf.TFRecordReader(), ["sequence.tfrecord"], count)


def up_to_two_whole_files(tf, kit):
    return _read_up_to(tf, kit, tf.WholeFileReader(), ["a.txt", "crlf.txt", "empty.txt"], 2)


def up_to_two_fixed(tf, kit):
    reader = tf.FixedLengthRecordReader(3, header_bytes=4, footer_bytes=2)
    return _read_up_to(tf, kit, reader, ["fixed.bin", "fixed2.bin"], 2)


def reset_goes_to_the_next_file(tf, kit):
    reader = tf.TextLineReader()
    pair = reader.read(_queue(tf, kit, ["a.txt", "b.txt"]))
    reset = reader.reset()
    produced, units = reader.num_records_produced(), reader.num_work_units_completed()
    with kit.running() as run:
        before = run.sess.run(pair)
        run.sess.run(reset)
        counters = [int(each) for each in run.sess.run([produced, units])]
        after = run.sess.run(pair)
    return {
        "before": kit.relative(before),
        "counters": counters,
        "after": kit.relative(after),
        "reset returns an operation": isinstance(reset, tf.Operation),
    }


def two_reads_of_one_reader_share_its_place(tf, kit):
    reader = tf.TextLineReader()
    queue = _queue(tf, kit, ["a.txt"])
    first, second = reader.read(queue), reader.read(queue)
    with kit.running() as run:
        seen = [kit.relative(run.sess.run(pair)) for pair in (first, second, first)]
    return {"seen": seen, "static": kit.static([first, second])}


def state_of_an_identity_reader(tf, kit):
    reader = tf.IdentityReader()
    queue = tf.train.string_input_producer(["x", "y", "z"], 1, shuffle=False)
    pair, state, produced = (
        reader.read(queue),
        reader.serialize_state(),
        reader.num_records_produced(),
    )
    saved = tf.placeholder(tf.string, [])
    restore = reader.restore_state(saved)
    with kit.running() as run:
        run.sess.run(pair)
        kept = run.sess.run(state)
        run.sess.run(pair)
        two = int(run.sess.run(produced))
        run.sess.run(restore, {saved: kept})
        one = int(run.sess.run(produced))
        bad = kit.error(run.sess.run, restore, {saved: b"nonsense"})
    return {"produced": [two, one], "static": kit.static(state), "bad state": bad}


def state_of_a_text_reader_is_not_implemented(tf, kit):
    reader = tf.TextLineReader()
    state = reader.serialize_state()
    with tf.Session() as sess:
        return {"error": kit.error(sess.run, state)}


def building_errors(tf, kit):
    return {
        "record_bytes zero": kit.error(tf.FixedLengthRecordReader, 0),
        "record_bytes negative": kit.error(tf.FixedLengthRecordReader, -1),
        "header negative": kit.error(tf.FixedLengthRecordReader, 1, -1),
        "record_bytes missing": kit.error(tf.FixedLengthRecordReader),
        "read without a queue": kit.error(tf.TextLineReader().read),
        "read from a list": kit.error(tf.TextLineReader().read, ["a.txt"]),
        "read from a string": kit.error(tf.TextLineReader().read, "a.txt"),
        "read from a queue of numbers": kit.error(
            tf.TextLineReader().read, tf.FIFOQueue(3, [tf.int32], [[]])
        ),
    }


def reading_from_a_queue_of_numbers(tf, kit):
    queue = tf.FIFOQueue(3, [tf.int32], [[]])
    fill, close = queue.enqueue([1]), queue.close()
    pair = tf.TextLineReader().read(queue)
    with tf.Session() as sess:
        sess.run(fill)
        sess.run(close)
        return {"error": kit.error(sess.run, pair)}


def the_files_by_python_iterator(tf, kit):
    return {
        name: [kit.value(each) for each in tf.python_io.tf_record_iterator(kit.file(name))]
        for name in ("example.tfrecord", "sequence.tfrecord", "empty.tfrecord")
    }


def the_damaged_files_by_python_iterator(tf, kit):
    facts = {}
    for name in ("flipped_payload", "flipped_length", "cut_payload", "cut_header", "no_such"):
        seen = []

        def read(name=name, seen=seen):
            for record in tf.python_io.tf_record_iterator(kit.file(name + ".tfrecord")):
                seen.append(len(record))

        error = kit.error(read)
        facts[name] = {"lengths": list(seen), "error": error}
    return facts
