"""Old input functions, each of another kind: what they read, compute, put and take.

`FUNCTIONS` has all, by name. They take the folder of `write`'s files. A function marked `loose` gives
values that are drawn at random, or elements that depend on which thread is first.
"""

import collections

import numpy as np

import tfqueue.v1 as tf

FUNCTIONS = {}
LOOSE = set()
PYTHON = set()

Pair = collections.namedtuple("Pair", "left right")


def row(function):
    FUNCTIONS[function.__name__] = function
    return function


def loose(function):
    LOOSE.add(function.__name__)
    return row(function)


def python(function):
    PYTHON.add(function.__name__)
    return row(function)


def write(folder):
    """Writes the files that the functions read."""
    number = 0
    for k, count in enumerate((4, 3, 5)):
        lines = [f"{number + i}\n" for i in range(count)]
        (folder / f"{k}.txt").write_text("".join(lines))
        number += count
    rows = [f"{k},{k / 2},{'ab'[k % 2]}\n" for k in range(10)]
    (folder / "head.csv").write_text("n,x,c\n" + "".join(rows))
    (folder / "fixed.bin").write_bytes(bytes(range(40)))
    (folder / "rest.bin").write_bytes(b"HH" + bytes(range(13)) + b"F")
    for k in range(4):
        image = np.full((2 + k % 2, 3, 3), 40 * k, np.uint8)
        with tf.Graph().as_default(), tf.Session() as sess:
            (folder / f"{k}.png").write_bytes(sess.run(tf.image.encode_png(image)))

    def example(k):
        floats = tf.train.Feature(float_list=tf.train.FloatList(value=[k, k + 0.5]))
        label = tf.train.Feature(int64_list=tf.train.Int64List(value=[k % 3]))
        many = tf.train.Feature(int64_list=tf.train.Int64List(value=range(k % 4)))
        raw = tf.train.Feature(bytes_list=tf.train.BytesList(value=[bytes([k, k + 1, k + 2])]))
        feature = {"x": floats, "label": label, "many": many, "raw": raw}
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()

    def sequence(k):
        steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[i])) for i in range(k % 5)]
        lists = {"tokens": tf.train.FeatureList(feature=steps)}
        length = tf.train.Feature(int64_list=tf.train.Int64List(value=[k % 5]))
        return tf.train.SequenceExample(
            context=tf.train.Features(feature={"length": length}),
            feature_lists=tf.train.FeatureLists(feature_list=lists),
        ).SerializeToString()

    for name, make in (("examples", example), ("sequences", sequence)):
        with tf.python_io.TFRecordWriter(str(folder / name)) as writer:
            for k in range(9):
                writer.write(make(k))
    gzip = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    with tf.python_io.TFRecordWriter(str(folder / "gzipped"), gzip) as writer:
        for k in range(5):
            writer.write(b"%d" % k)


# -- parts ----------------------------------------------------------------------------------------


def numbers(count=12, epochs=1, **how):
    return tf.train.range_input_producer(count, epochs, **{"shuffle": False, **how}).dequeue()


def texts(folder):
    return [str(folder / f"{k}.txt") for k in range(3)]


def names(folder, *files, epochs=1, **how):
    files = [str(folder / name) for name in files] or texts(folder)
    return tf.train.string_input_producer(files, epochs, **{"shuffle": False, **how})


def line(folder, **how):
    return tf.string_to_number(tf.TextLineReader().read(names(folder, **how))[1], tf.int32)


def record(folder, name="examples", epochs=1):
    return tf.TFRecordReader().read(names(folder, name, epochs=epochs))[1]


FEATURES = {"x": tf.FixedLenFeature([2], tf.float32), "label": tf.FixedLenFeature([], tf.int64)}


def parsed(folder):
    found = tf.parse_single_example(record(folder), FEATURES)
    return found["x"], found["label"]


def filled(queue, *puts, threads=1):
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, list(puts) * threads))
    return queue


# -- producers ------------------------------------------------------------------------------------


@row
def range_alone(folder):
    return numbers()


@row
def range_shuffled(folder):
    return tf.train.batch([numbers(shuffle=True)], 4)


@row
def range_seeded_epochs(folder):
    return tf.train.batch([numbers(epochs=3, shuffle=True, seed=7)], 6)


@row
def slices_of_a_dict(folder):
    one, two = tf.train.slice_input_producer(
        [np.arange(8, dtype=np.float32), [f"n{k}" for k in range(8)]], 1, shuffle=False
    )
    return tf.train.batch({"value": one, "text": two}, 4)


@row
def slices_of_many_rows(folder):
    rows = np.arange(900, dtype=np.float64).reshape(300, 3)
    return tf.train.batch(tf.train.slice_input_producer([rows], 1, shuffle=False), 100)


@row
def limited(folder):
    return tf.train.limit_epochs(tf.constant([1.5, 2.5]), 3)


@row
def input_producer_of_rows(folder):
    return tf.train.input_producer([[1, 2], [3, 4], [5, 6]], num_epochs=2, shuffle=False).dequeue()


@row
def strings(folder):
    return names(folder, "a", "b", epochs=2).dequeue()


@row
def matched_names(folder):
    found = tf.train.match_filenames_once(str(folder / "?.txt"))
    reader = tf.TextLineReader()
    return reader.read(tf.train.string_input_producer(found, 1, shuffle=False))[1]


# -- readers --------------------------------------------------------------------------------------


@row
def lines_with_keys(folder):
    return tf.train.batch(tf.TextLineReader().read(names(folder)), 3)


@row
def lines_without_the_head(folder):
    _, text = tf.TextLineReader(skip_header_lines=1).read(names(folder, "head.csv", epochs=2))
    return tf.decode_csv(text, [[0], [0.0], [""]])


@row
def lines_up_to(folder):
    return tf.TextLineReader().read_up_to(names(folder), 2)[1]


@row
def records_up_to_put_one_by_one(folder):
    keys, values = tf.TFRecordReader().read_up_to(names(folder, "examples"), 4)
    return tf.train.batch([keys, values], 3, enqueue_many=True, allow_smaller_final_batch=True)


@row
def records_with_keys(folder):
    return tf.TFRecordReader().read(names(folder, "examples", epochs=2))


@row
def records_compressed(folder):
    gzip = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    return tf.TFRecordReader(options=gzip).read(names(folder, "gzipped"))[1]


@row
def records_of_fixed_length(folder):
    reader = tf.FixedLengthRecordReader(record_bytes=8)
    raw = tf.decode_raw(reader.read(names(folder, "fixed.bin"))[1], tf.uint8)
    return tf.train.batch([tf.reshape(raw, [2, 4])], 2)


@row
def records_with_a_header_and_a_hop(folder):
    reader = tf.FixedLengthRecordReader(4, header_bytes=2, footer_bytes=1, hop_bytes=3)
    return reader.read(names(folder, "rest.bin"))


@row
def whole_files(folder):
    key, content = tf.WholeFileReader().read(names(folder))
    return tf.string_join([key, content], "|")


@row
def names_as_records(folder):
    return tf.IdentityReader().read(names(folder, "a", "b"))


@row
def files_read_by_an_op(folder):
    (path,) = tf.train.slice_input_producer([texts(folder)], 1, shuffle=False)
    return tf.train.batch([tf.read_file(path)], 3)


@row
def several_readers_alike(folder):
    queue = names(folder)
    return tf.train.batch_join([[tf.TextLineReader().read(queue)[1]] for _ in range(2)], 4)


@row
def readers_of_different_kinds(folder):
    lines = tf.TextLineReader().read(names(folder))[1]
    raw = tf.FixedLengthRecordReader(8).read(names(folder, "fixed.bin"))[1]
    joined = tf.train.batch_join([[lines], [raw]], 4, allow_smaller_final_batch=True)
    return tf.strings.length(joined)


@row
def readers_with_different_work(folder):
    queue = names(folder, shuffle=True)
    one, other = (tf.string_to_number(tf.TextLineReader().read(queue)[1]) for _ in range(2))
    return tf.train.batch_join([[one], [other]], 12) % 100.0


# -- parsing --------------------------------------------------------------------------------------


@row
def parsed_one_by_one(folder):
    return parsed(folder)


@row
def parsed_in_batches(folder):
    return tf.train.batch(parsed(folder), 4, allow_smaller_final_batch=True)


@row
def parsed_behind_the_batch(folder):
    batch = tf.train.batch([record(folder)], 3)
    return tf.parse_example(batch, FEATURES)


@row
def parsed_sparse(folder):
    many = tf.parse_single_example(record(folder), {"many": tf.VarLenFeature(tf.int64)})["many"]
    return tf.train.batch([many], 3)


@row
def parsed_sparse_to_dense(folder):
    many = tf.parse_single_example(record(folder), {"many": tf.VarLenFeature(tf.int64)})["many"]
    return tf.train.batch([tf.sparse.to_dense(many)], 3, dynamic_pad=True)


@row
def parsed_with_a_default(folder):
    feature = tf.FixedLenFeature([2], tf.float32, default_value=[1.0, -2.0])
    both = tf.parse_single_example(record(folder), {"missing": feature, "label": FEATURES["label"]})
    return tf.train.batch(both, 3)


@row
def parsed_texts_with_a_default(folder):
    found = tf.parse_single_example(
        record(folder),
        {
            "raw": tf.FixedLenFeature([], tf.string, default_value=""),
            "format": tf.FixedLenFeature((), tf.string, default_value="jpeg"),
            "names": tf.FixedLenFeature([2], tf.string, default_value=["a", "b\0"]),
        },
    )
    return tf.train.batch(found, 3)


@row
def parsed_boxes(folder):
    features = {"x": tf.VarLenFeature(tf.float32), "many": tf.VarLenFeature(tf.int64)}
    found = tf.parse_single_example(record(folder), features)
    low, high = found["x"].values - 1, tf.expand_dims(found["x"].values, 0)
    boxes = tf.transpose(tf.expand_dims(tf.concat([[low], high], 0), 0), [0, 2, 1])
    return boxes, tf.size(found["many"])


@row
def parsed_csv_with_computed_defaults(folder):
    _, text = tf.TextLineReader(skip_header_lines=1).read(names(folder, "head.csv"))
    return tf.decode_csv(text, [[0], tf.to_float([1]), tf.as_string([3])])


@row
def parsed_raw_bytes(folder):
    raw = tf.parse_single_example(record(folder), {"raw": tf.FixedLenFeature([], tf.string)})["raw"]
    image = tf.decode_raw(raw, tf.uint8)
    image.set_shape([3])
    return tf.train.batch([tf.cast(image, tf.float32) / 255.0 - 0.5], 3)


@row
def parsed_sequences(folder):
    context, lists = tf.parse_single_sequence_example(
        record(folder, "sequences"),
        {"length": tf.FixedLenFeature([], tf.int64)},
        {"tokens": tf.FixedLenSequenceFeature([], tf.int64)},
    )
    return tf.train.batch([context["length"], lists["tokens"]], 3, dynamic_pad=True)


@row
def parsed_sequences_with_a_computed_default(folder):
    sequence = record(folder, "sequences")
    size = tf.cast(tf.strings.length(sequence), tf.int64)
    context, lists = tf.parse_single_sequence_example(
        sequence,
        {"size": tf.FixedLenFeature([], tf.int64, default_value=size)},
        {"tokens": tf.FixedLenSequenceFeature([], tf.int64)},
    )
    return tf.train.batch([context["size"], lists["tokens"]], 3, dynamic_pad=True)


@row
def parsed_of_any_length(folder):
    feature = tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True)
    many = tf.parse_single_example(record(folder), {"many": feature})["many"]
    return tf.train.batch([tf.size(many), tf.reduce_sum(many)], 3)


@row
def parsed_sequences_behind_the_batch(folder):
    batch = tf.train.batch([record(folder, "sequences")], 4)
    return tf.io.parse_sequence_example(
        batch,
        {"length": tf.FixedLenFeature([], tf.int64)},
        {"tokens": tf.FixedLenSequenceFeature([], tf.int64)},
    )


@row
def parsed_and_filled_up(folder):
    batch = tf.train.batch([record(folder)], 4, allow_smaller_final_batch=True)
    how = {"dtype": tf.int64, "allow_missing": True}
    return tf.parse_example(
        batch,
        {
            "many": tf.FixedLenSequenceFeature([], default_value=-1, **how),
            "label": tf.FixedLenSequenceFeature([1], **how),
            "missing": tf.FixedLenSequenceFeature([], tf.string, True, default_value="none"),
        },
    )


@row
def parsed_csv_stacked(folder):
    _, text = tf.TextLineReader(skip_header_lines=1).read(names(folder, "head.csv"))
    columns = tf.decode_csv(text, [[0.0], [0.0], ["-"]])
    letter = tf.to_int32(tf.equal(columns[2], "a"))
    return tf.train.batch([tf.stack(columns[:2]), letter], 5)


@row
def images_of_one_size(folder):
    files = names(folder, "0.png", "2.png")
    image = tf.image.decode_png(tf.WholeFileReader().read(files)[1], channels=3)
    image.set_shape([2, 3, 3])
    return tf.train.batch([tf.image.convert_image_dtype(image, tf.float32)], 2)


@row
def images_of_many_sizes(folder):
    files = names(folder, *(f"{k}.png" for k in range(4)))
    image = tf.image.decode_png(tf.WholeFileReader().read(files)[1], channels=3)
    return tf.train.batch([tf.image.resize_image_with_crop_or_pad(image, 4, 2)], 2)


@row
def images_resized(folder):
    files = names(folder, *(f"{k}.png" for k in range(4)))
    image = tf.image.decode_png(tf.WholeFileReader().read(files)[1], channels=1)
    image = tf.image.resize_images(image, [4, 4])
    return tf.train.batch([tf.image.per_image_standardization(image)], 2)


# -- what is computed -----------------------------------------------------------------------------


@row
def conds(folder):
    number = numbers()
    return tf.train.batch([tf.cond(number % 3 > 0, lambda: number * 2, lambda: -number)], 4)


@row
def conds_of_constants(folder):
    number = numbers()
    return tf.train.batch([tf.cond(number > 5, lambda: 1.0, lambda: 0.0)], 4)


@row
def cases(folder):
    number = numbers()
    pairs = [(number < 3, lambda: number), (number < 6, lambda: number * 10)]
    return tf.case(pairs, default=lambda: -number)


@row
def conds_that_are_known(folder):
    training = tf.placeholder_with_default(True, [])
    number = numbers()
    grey = tf.image.rgb_to_grayscale(tf.to_float(tf.reshape(tf.tile([number], [12]), [2, 2, 3])))

    def checked():
        with tf.control_dependencies([tf.assert_less(number, 9)]):
            return number * 2

    chosen = tf.cond(training, checked, lambda: number)
    folded = tf.foldl(lambda a, x: a * 2 + x, tf.range(3) + number)
    return tf.train.batch([grey, chosen, folded], 3)


@row
def two_pipelines_of_which_one_is_taken(folder):
    one, other = tf.train.batch([numbers()], 3), tf.train.batch([numbers(15)], 3)
    training = tf.placeholder_with_default(False, [])
    return tf.cond(training, lambda: one, lambda: other * 2)


@row
def loops(folder):
    number = numbers(6)
    return tf.while_loop(lambda i, s: i < number, lambda i, s: (i + 1, s + i * i), [0, 1])


@row
def loops_that_grow(folder):
    number = numbers(5)
    grown = tf.while_loop(
        lambda i, x: i < number,
        lambda i, x: (i + 1, tf.concat([x, [i]], 0)),
        [0, tf.zeros([0], tf.int32)],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
    )[1]
    return tf.train.batch([grown], 2, dynamic_pad=True)


@row
def mapped(folder):
    number = numbers(6)
    return tf.reduce_sum(tf.map_fn(lambda i: i * i, tf.range(number)))


@row
def tables(folder):
    fill = tf.lookup.KeyValueTensorInitializer(["0", "1", "2"], [10, 11, 12], tf.string, tf.int64)
    table = tf.lookup.StaticHashTable(fill, -1)
    text = tf.as_string(numbers(6))
    return tf.train.batch([table.lookup(text), table.size()], 3)


@row
def tables_of_many_keys(folder):
    fill = tf.lookup.KeyValueTensorInitializer(tf.range(300), tf.range(300) * 2)
    return tf.train.batch([tf.lookup.StaticHashTable(fill, -1).lookup(numbers())], 4)


@row
def sparse_through_a_table(folder):
    fill = tf.lookup.KeyValueTensorInitializer(
        tf.range(5, dtype=tf.int64), [f"w{k}" for k in range(5)]
    )
    table = tf.lookup.StaticHashTable(fill, "-")
    many = tf.parse_single_example(record(folder), {"many": tf.VarLenFeature(tf.int64)})["many"]
    words = tf.SparseTensor(many.indices, table.lookup(many.values), many.dense_shape)
    batch, label = tf.train.batch([words, tf.shape(many)[0]], 3)
    return tf.sparse.to_dense(batch, default_value=""), label


@row
def sparse_looked_up_behind_the_batch(folder):
    fill = tf.lookup.KeyValueTensorInitializer(tf.range(5, dtype=tf.int64), tf.range(5) * 3)
    many = tf.parse_single_example(record(folder), {"many": tf.VarLenFeature(tf.int64)})["many"]
    batch = tf.train.batch([many], 3)
    table = tf.lookup.StaticHashTable(fill, -1)
    return tf.SparseTensor(batch.indices, table.lookup(batch.values), batch.dense_shape)


@row
def large_constants(folder):
    return tf.train.batch([tf.constant(np.arange(500, dtype=np.float32))[numbers()]], 4)


@row
def a_placeholder_with_a_default(folder):
    factor = tf.placeholder_with_default(3, [])
    return tf.train.batch([numbers() * factor], tf.placeholder_with_default(4, []))


@row
def a_variable_that_nobody_assigns(folder):
    scale = tf.get_variable("scale", initializer=[2.0, 0.5], trainable=False)
    return tf.train.batch([scale * tf.to_float(numbers())], 4)


@row
def an_old_variable_that_nobody_assigns(folder):
    mean = tf.Variable(np.full([250], 4.0, np.float32), trainable=False, use_resource=False)
    return tf.train.batch([tf.to_float(numbers()) - tf.reduce_mean(mean)], 4)


@row
def a_global_step(folder):
    step = tf.train.get_or_create_global_step()
    return numbers(), tf.identity(step)


@loose
def random_crops(folder):
    image = tf.reshape(tf.tile([numbers()], [27]), [3, 3, 3])
    return tf.train.batch([tf.random_crop(image, [2, 2, 3])], 4)


@loose
def random_boxes(folder):
    image = tf.reshape(tf.tile([numbers()], [75]), [5, 5, 3])
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        [5, 5, 3], [[[0.0, 0.0, 0.8, 0.8]]], area_range=[0.2, 1.0]
    )
    crop = tf.image.resize_images(tf.slice(image, begin, size), [4, 4])
    return tf.train.batch([tf.reshape(crop, [4, 4, 3])], 4)


@loose
def random_candidates(folder):
    label = tf.reshape(tf.to_int64(numbers()), [1, 1])
    sampled, _, _ = tf.random.log_uniform_candidate_sampler(label, 1, 5, True, 20)
    return tf.train.batch([label, sampled], 4)


@loose
def distorted(folder):
    image = tf.to_float(tf.reshape(tf.tile([numbers()], [27]), [3, 3, 3]))
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, 3.0)
    return tf.train.shuffle_batch([image], 4, 30, 6)


@row
def seeded_noise(folder):
    return tf.train.batch(
        [tf.random_uniform([2], seed=5), tf.to_float(tf.stack([numbers()] * 2))], 4
    )


@row
def texts_that_end_with_zeros(folder):
    return tf.strings.join([tf.as_string(numbers(3)), b"\0\0"])


@row
def text_ops(folder):
    text = tf.as_string(numbers())
    joined = tf.string_join(["n", text], "-")
    return tf.train.batch([tf.strings.upper(joined), tf.string_to_hash_bucket_fast(joined, 7)], 4)


@row
def one_hot_and_slices(folder):
    hot = tf.one_hot(numbers() % 4, 4, on_value=5.0, off_value=-1.0)
    return tf.train.batch([hot[1:3], hot[::-1], hot[tf.newaxis, ..., 0]], 4)


@row
def numbers_of_all_kinds(folder):
    number = numbers()
    kinds = [tf.int64, tf.uint8, tf.float16, tf.float64, tf.complex64, tf.bool]
    return tf.train.batch([tf.cast(number, kind) for kind in kinds], 4)


@row
def special_values(folder):
    number = tf.to_float(numbers())
    values = tf.constant([float("inf"), float("-inf"), float("nan"), -0.0, 1e-30])
    return tf.train.batch([values + number, number / 0.0], 4)


@row
def sorted_and_counted(folder):
    number = numbers()
    values, places = tf.nn.top_k(tf.stack([number % 3, number % 5, number]), 2)
    unique, counts = tf.unique(tf.stack([number % 2, 0, 1]))
    return values, places, unique, counts


@row
def rolled_from_the_end(folder):
    number = numbers()
    return tf.train.batch([tf.roll(tf.stack([number, number + 1, number + 2]), 1, axis=-1)], 4)


@row
def missing_numbers(folder):
    columns = tf.decode_csv(tf.as_string(numbers() % 3), [[7]], na_value="1")
    return tf.train.batch(columns, 4)


@row
def split_and_unstacked(folder):
    number = tf.to_float(numbers())
    left, right = tf.split(tf.stack([number, number + 1, number + 2, number + 3]), 2)
    return tf.train.batch([left, *tf.unstack(right)], 3)


@row
def a_function_of_tensorflow(folder):
    @tf.function
    def doubled(x):
        return x * 2, tf.square(x)

    return tf.train.batch(list(doubled(numbers())), 4)


# -- what is waited for ---------------------------------------------------------------------------


@row
def asserted(folder):
    number = numbers()
    with tf.control_dependencies([tf.Assert(number < 100, ["too big", number])]):
        doubled = number * 2
    return tf.train.batch([doubled], 4)


@row
def asserted_and_handed_on(folder):
    number = numbers()
    with tf.control_dependencies([tf.assert_less(number, 6)]):
        number = tf.identity(number)
    return tf.train.batch([number], 2)


@row
def asserted_in_a_branch(folder):
    number = numbers()

    def checked():
        with tf.control_dependencies([tf.Assert(number < 9, [number])]):
            return number + 1

    return tf.train.batch([tf.cond(number > 2, checked, lambda: number)], 3)


@row
def grouped_checks(folder):
    number = numbers()
    checks = tf.group(tf.assert_non_negative(number), tf.assert_rank(number, 0))
    with tf.control_dependencies([checks]):
        number = number - 1
    return tf.train.batch([number], 4)


@row
def a_pure_op_that_is_waited_for(folder):
    number = numbers(4)
    text = tf.where(number < 2, tf.as_string(number), "x")
    with tf.control_dependencies([tf.string_to_number(text)]):
        return tf.identity(number)


@row
def a_failure_in_the_middle(folder):
    return tf.string_to_number(tf.where(numbers() < 5, tf.as_string(numbers()), "five"))


# -- batches --------------------------------------------------------------------------------------


@row
def padded(folder):
    return tf.train.batch(
        [tf.range(numbers(6))], 4, dynamic_pad=True, allow_smaller_final_batch=True
    )


@row
def padded_texts(folder):
    many = tf.tile([tf.as_string(numbers(6))], [numbers(6) + 1])
    return tf.train.batch([many], 2, dynamic_pad=True)


@row
def nested(folder):
    return tf.train.batch([tf.train.batch([numbers()], 2)], 3)


@row
def put_many(folder):
    pair = tf.stack([numbers(), 100])
    return tf.train.batch([pair], 5, enqueue_many=True)


@row
def shuffled(folder):
    return tf.train.shuffle_batch(parsed(folder), 3, 30, 5)


@row
def shuffled_with_the_rest(folder):
    number = line(folder, epochs=2)
    return tf.train.shuffle_batch([number], 5, 30, 5, allow_smaller_final_batch=True)


@row
def shuffled_by_several(folder):
    queue = names(folder, shuffle=True)
    each = [[tf.TextLineReader().read(queue)[1]] for _ in range(3)]
    return tf.train.shuffle_batch_join(each, 4, 30, 5)


@row
def by_several_threads(folder):
    return tf.train.batch([numbers() * 3], 4, num_threads=3)


@row
def maybe(folder):
    number = numbers()
    return tf.train.maybe_batch([number], number % 2 > 0, 3)


@row
def maybe_many(folder):
    number = numbers()
    many = tf.stack([number, number + 1, number + 2])
    return tf.train.maybe_batch([many], tf.greater(many % 2, 0), 3, enqueue_many=True)


@row
def maybe_shuffled(folder):
    number = numbers()
    return tf.train.maybe_shuffle_batch([number], 3, 20, 5, number > 3)


@row
def bucketed(folder):
    number = numbers(24)
    return tf.contrib.training.bucket([number, number * 2], number % 3, 4, 3)


@row
def bucketed_one_by_one(folder):
    number = numbers(12)
    return tf.contrib.training.bucket([number, number * 2], number % 3, 1, 3)


@row
def bucketed_by_length(folder):
    number = numbers(20)
    return tf.contrib.training.bucket_by_sequence_length(
        number % 7, [tf.range(number % 7)], [2, 3, 4], [2, 5], dynamic_pad=True,
        allow_smaller_final_batch=True,
    )  # fmt: skip


@row
def bucketed_if_kept(folder):
    number = numbers(20)
    return tf.contrib.training.bucket(
        {"n": number}, number % 2, 2, 2, keep_input=number > 4, allow_smaller_final_batch=True
    )


# -- queues ---------------------------------------------------------------------------------------


@row
def queues_in_a_row(folder):
    queue = tf.FIFOQueue(5, [tf.int32], [[]])
    filled(queue, queue.enqueue(numbers() + 1))
    return tf.train.batch([queue.dequeue() * 2], 4)


@row
def several_components(folder):
    queue = tf.FIFOQueue(5, [tf.int32, tf.string], [[], []], names=["n", "t"])
    number = numbers()
    filled(queue, queue.enqueue({"n": number, "t": tf.as_string(number)}))
    return queue.dequeue_many(3)


@row
def without_shapes(folder):
    queue = tf.FIFOQueue(5, [tf.int32])
    filled(queue, queue.enqueue(tf.range(numbers(5))))
    return queue.dequeue()


@row
def up_to(folder):
    queue = tf.FIFOQueue(5, [tf.int32], [[]])
    return filled(queue, queue.enqueue(numbers())).dequeue_up_to(5)


@loose
def many_and_one(folder):
    queue = tf.train.range_input_producer(13, 1, shuffle=False)
    return queue.dequeue_many(3), queue.dequeue()


@loose
def one_and_one(folder):
    queue = names(folder, "a", "b", "c", "d", epochs=1)
    return Pair(queue.dequeue(), queue.dequeue())


@loose
def two_reads_of_one_reader(folder):
    reader, queue = tf.TextLineReader(), names(folder)
    return reader.read(queue)[1], reader.read(queue)[1]


@loose
def two_batches_of_one_read(folder):
    number = line(folder)  # neither queue has room for all, so that each fills a batch
    return tf.train.batch([number], 3, capacity=4), tf.train.batch([number + 0], 3, capacity=4)


@loose
def two_mixed_batches_of_one_read(folder):
    number = line(folder, shuffle=True)
    return tf.train.shuffle_batch([number], 2, 5, 3), tf.train.batch([number], 2, capacity=4)


@row
def zipped(folder):
    return numbers(6), line(folder)


@row
def by_priority(folder):
    queue = tf.PriorityQueue(50, [tf.int32, tf.string], [[], [2]])
    number = numbers()
    priority = tf.cast(number * 5 % 12, tf.int64)
    filled(queue, queue.enqueue([priority, number, tf.stack([tf.as_string(number), "x"])]))
    return queue.dequeue()[1:]


# -- results --------------------------------------------------------------------------------------


@row
def a_dict_of_five(folder):
    keys = ["image_height", "image_width", "image_channels", "image_label", "image_weight"]
    number = numbers()
    return tf.train.batch({key: number + k for k, key in enumerate(keys)}, 3)


@row
def an_input_fn(folder):
    x, label = tf.train.batch(parsed(folder), 3)
    return {"x": x, "many": x[:, 0]}, label


@row
def an_input_fn_without_labels(folder):
    return {"x": tf.train.batch(parsed(folder), 3)[0]}, None


@row
def named_and_nested(folder):
    number = numbers()
    return [Pair(number, (number, [number])), collections.OrderedDict(b=number, a=number * 2)]


@row
def ragged(folder):
    number = numbers(5)
    return tf.RaggedTensor.from_row_lengths(tf.range(number * 2), [number, number])


@row
def sparse_alone(folder):
    return tf.sparse.from_dense(tf.stack([numbers(), 0, 3]))


@row
def a_constant_beside(folder):
    return numbers(), tf.constant([1.5]), tf.constant(7, tf.int64)


# -- Python ---------------------------------------------------------------------------------------


@python
def python_functions(folder):
    def twice(n):
        return np.int32(n * 2)

    doubled = tf.py_func(twice, [numbers()], tf.int32)
    doubled.set_shape([])
    return tf.train.batch([doubled], 4)


@python
def python_functions_of_several(folder):
    text, size = tf.py_func(lambda n: (b"x" * n, np.int64(n)), [numbers(5)], [tf.string, tf.int64])
    return tf.reshape(text, []), tf.reshape(size, [])
