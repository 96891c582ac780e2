"""Readers and producers."""

from ..kit import program


@program
def text_lines_with_keys(tf, s):
    key, value = tf.TextLineReader().read(s.names(s.lines(90, 60), epochs=2))
    s.run(tf.train.batch([key, value], 7))


@program
def text_without_its_header(tf, s):
    names = s.names(s.lines(80, 70, first="head\n"))
    key, value = tf.TextLineReader(skip_header_lines=1).read(names)
    s.run(tf.train.batch([key, value], 5, allow_smaller_final_batch=True))


@program
def text_of_other_line_ends(tf, s):
    paths = [s.file("a", "one\r\n\r\ntwo\n" * 40), s.file("b", "x\n\n\ny" * 30), s.file("c", "")]
    s.run(tf.train.batch(list(tf.TextLineReader().read(s.names(paths))), 3))


@program
def records_in_files_of_unlike_sizes(tf, s):
    paths = [
        *s.records([b"a%d" % i for i in range(130)], "a"),
        *s.records([], "empty"),
        *s.records([b"b%d" % i for i in range(3)], "b"),
        *s.records([b"c%d" % i for i in range(64)], "c"),
    ]
    s.run(tf.train.batch(list(tf.TFRecordReader().read(s.names(paths))), 4))


@program
def records_in_gzip(tf, s):
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    paths = s.records([b"%d" % i for i in range(150)], options=options)
    reader = tf.TFRecordReader(options=options)
    s.run(tf.train.batch([reader.read(s.names(paths, 2))[1]], 8, allow_smaller_final_batch=True))


@program
def records_in_zlib(tf, s):
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.ZLIB)
    paths = s.records([b"%d" % i for i in range(150)], options=options)
    s.run(tf.train.batch([tf.TFRecordReader(options=options).read(s.names(paths))[1]], 8))


@program
def records_of_zero_bytes(tf, s):
    paths = s.records([b"", b"x", b""] * 60)
    s.run(tf.train.batch([tf.TFRecordReader().read(s.names(paths))[1]], 10))


@program
def fixed_length_records(tf, s):
    paths = [s.file("f", b"HH" + bytes(range(200)) + b"F"), s.file("g", b"HH" + b"abcdefgh" + b"F")]
    reader = tf.FixedLengthRecordReader(4, header_bytes=2, footer_bytes=1)
    s.run(tf.train.batch(list(reader.read(s.names(paths, 3))), 6))


@program
def cifar_style_records(tf, s):
    paths = [s.file(f"d{i}", bytes((i + j) % 256 for j in range(13 * 80))) for i in range(2)]
    value = tf.FixedLengthRecordReader(13).read(s.names(paths))[1]
    octets = tf.reshape(tf.decode_raw(value, tf.uint8), [13])
    label, image = tf.cast(octets[0], tf.int32), tf.transpose(tf.reshape(octets[1:], [3, 2, 2]))
    s.run(tf.train.batch([label, tf.cast(image, tf.float32) / 2], 16))


@program
def whole_files(tf, s):
    paths = [s.file(f"{i:03}.bin", bytes([i]) * (i % 5)) for i in range(120)]
    s.run(tf.train.batch(list(tf.WholeFileReader().read(s.names(paths))), 11))


@program
def identity(tf, s):
    s.run(tf.train.batch(list(tf.IdentityReader().read(s.names(["a", "b", "c"], 50))), 4))


@program
def several_lines_a_read(tf, s):
    pair = tf.TextLineReader().read_up_to(s.names(s.lines(50, 33, 40)), 7)
    s.run(list(pair))


@program
def several_records_a_read_in_batches(tf, s):
    paths = s.records([b"%d" % i for i in range(150)])
    _, values = tf.TFRecordReader().read_up_to(s.names(paths), 16)
    batch = tf.train.batch([values], 10, enqueue_many=True, allow_smaller_final_batch=True)
    s.run(batch)


@program
def several_examples_a_read_parsed_at_once(tf, s):
    _, values = tf.TFRecordReader().read_up_to(s.names(s.examples(170)), 20)
    found = tf.parse_example(values, {"id": tf.FixedLenFeature([], tf.int64)})
    s.run(tf.train.batch([found["id"]], 12, enqueue_many=True))


@program
def several_fixed_records_a_read(tf, s):
    reader = tf.FixedLengthRecordReader(3)
    pair = reader.read_up_to(s.names([s.file("f", bytes(range(240)))], 2), 50)
    s.run(list(pair))


@program
def a_reader_counts(tf, s):
    reader = tf.TextLineReader()
    value = reader.read(s.names(s.lines(40, 50), 2))[1]
    counted = [reader.num_records_produced(), reader.num_work_units_completed()]
    with tf.Session() as sess:
        s.initialise(sess)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for _ in range(100):
            sess.run(value)
        s.see(sess.run(counted))
        sess.run(reader.reset())
        s.see(sess.run(counted))
        coord.request_stop()
        coord.join(threads)


@program
def a_reader_counts_behind_a_batch(tf, s):
    reader = tf.TextLineReader()
    batch = tf.train.batch([reader.read(s.names(s.lines(100, 100)))[1]], 8)
    counted = [reader.num_records_produced(), reader.num_work_units_completed()]
    with tf.Session() as sess:
        s.initialise(sess)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for _ in range(25):
            sess.run(batch)
        s.attempt(sess.run, batch)
        s.see(sess.run(counted))
        coord.request_stop()
        coord.join(threads)


@program
def a_readers_state_is_restored(tf, s):
    reader = tf.IdentityReader()
    value = reader.read(s.names(["a", "b", "c"], 9))[1]
    state = reader.serialize_state()
    handed = tf.placeholder(tf.string, [])
    restore = reader.restore_state(handed)
    with s.started() as sess:
        s.see(sess.run(value))
        kept = sess.run(state)
        s.see([sess.run(value) for _ in range(3)], sess.run(reader.num_records_produced()))
        sess.run(restore, {handed: kept})
        s.see(sess.run(value), sess.run(reader.num_records_produced()))


@program(ordered=False)
def two_readers_of_one_queue(tf, s):
    names = s.names(s.lines(*[20] * 9))
    values = [[tf.TextLineReader().read(names)[1]] for _ in range(2)]
    s.run(tf.train.batch_join(values, 5, allow_smaller_final_batch=True))


@program
def one_read_taken_apart(tf, s):
    key, value = tf.TextLineReader().read(s.names(s.lines(150)))
    place = tf.string_to_number(tf.string_split([key], ":").values[-1], tf.int32)
    s.run(tf.train.batch([place, value, tf.string_join([value, value], "/")], 9))


@program
def csv_with_defaults(tf, s):
    path = s.file("t", "".join(f'{i};"a;{i}";\n;;{i / 8}\n' for i in range(80)))
    line = tf.TextLineReader().read(s.names([path]))[1]
    row = tf.decode_csv(line, [[-1], ["none"], [0.5]], field_delim=";")
    s.run(tf.train.batch(row, 7))


@program
def csv_of_all_dtypes(tf, s):
    path = s.file("t", "".join(f"{i},{i}.5,{i},{i}.25,s{i}\n" for i in range(120)))
    defaults = [tf.constant([0], dtype) for dtype in (tf.int32, tf.float32, tf.int64, tf.float64)]
    row = tf.decode_csv(tf.TextLineReader().read(s.names([path]))[1], [*defaults, [""]])
    s.run(tf.train.batch(row, 16))


@program
def read_by_the_step_itself(tf, s):
    s.run(tf.TextLineReader().read(s.names(s.lines(30, 40))))


@program
def names_in_a_seeded_order(tf, s):
    names = tf.train.string_input_producer(list("abcdefghij"), num_epochs=9, shuffle=True, seed=3)
    s.run(tf.train.batch([names.dequeue()], 5))


@program
def files_in_a_seeded_order(tf, s):
    names = s.names(s.lines(*[9] * 8), 3, shuffle=True, seed=11)
    s.run(tf.train.batch([tf.TextLineReader().read(names)[1]], 6))


@program
def names_through_a_queue_of_one(tf, s):
    s.run(tf.train.batch([s.names(list("abcdefg"), 20, capacity=1).dequeue()], 3, capacity=4))


@program
def numbers_in_a_seeded_order(tf, s):
    s.run(tf.train.batch([s.number(25, 6, shuffle=True, seed=5)], 10))


@program
def numbers_of_many_epochs_one_by_one(tf, s):
    s.run(s.number(9, 12))


@program
def slices_with_the_default_capacity(tf, s):
    table = tf.constant([[i, -i] for i in range(300)], tf.float32)
    label = tf.range(300)
    pair = tf.train.slice_input_producer([table, label], num_epochs=1, shuffle=False)
    s.run(tf.train.batch(pair, 32))


@program
def slices_in_batches_of_128(tf, s):
    table = tf.reshape(tf.range(500 * 6), [500, 2, 3])
    (one,) = tf.train.slice_input_producer([table], num_epochs=2, shuffle=False)
    s.run(tf.train.batch([one], 128, allow_smaller_final_batch=True))


@program
def slices_in_a_seeded_order(tf, s):
    parts = [tf.constant([f"n{i}" for i in range(60)]), tf.range(60)]
    s.run(tf.train.batch(tf.train.slice_input_producer(parts, 4, shuffle=True, seed=2), 20))


@program
def rows_of_an_input_producer(tf, s):
    rows = tf.reshape(tf.range(360), [120, 3])
    queue = tf.train.input_producer(rows, num_epochs=2, shuffle=False, capacity=7)
    s.run(tf.train.batch([queue.dequeue()], 11))


@program
def a_limit_of_epochs(tf, s):
    s.run(tf.train.limit_epochs(tf.constant([1, 2]), 90))


@program
def a_limit_of_epochs_behind_a_batch(tf, s):
    s.run(tf.train.batch([tf.train.limit_epochs(tf.constant([1, 2]), 130)], 8))


@program
def a_pattern_of_names(tf, s):
    s.lines(30, 40, 50)
    found = tf.train.match_filenames_once(str(s.folder / "*.txt"))
    s.run(tf.train.batch([tf.TextLineReader().read(s.names(found))[1]], 6))


@program
def epochs_must_be_positive(tf, s):
    s.attempt(tf.train.string_input_producer, ["a"], num_epochs=0)
    s.attempt(tf.train.range_input_producer, 3, num_epochs=-1)


@program
def numbers_up_to_a_tensor(tf, s):
    s.run(tf.train.batch([s.number(tf.constant(17) * 8, 2)], 16))


@program
def two_producers_side_by_side(tf, s):
    s.run(tf.train.batch([s.number(140), 2 * s.number(170)], 9))


@program
def two_readers_side_by_side(tf, s):
    images = tf.TFRecordReader().read(s.names(s.records([b"%d" % i for i in range(150)])))[1]
    s.run(tf.train.batch([images, s.line(90, 90)], 12))


@program
def a_tf_data_iterator_behind_a_batch(tf, s):
    number = tf.data.make_one_shot_iterator(tf.data.Dataset.range(170)).get_next()
    s.run(tf.train.batch([number * 3], 10))


@program
def a_list_of_names_made_in_the_graph(tf, s):
    paths = s.lines(30, 30, 30)
    stem = tf.string_join([str(s.folder), "/", tf.as_string(tf.range(len(paths))), ".txt"])
    s.run(tf.train.batch([tf.TextLineReader().read(s.names(stem))[1]], 4))
