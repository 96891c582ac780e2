# ruff: noqa: UP031
"""decode_raw, decode_csv, and the image operations that input pipelines end in."""


def _run(tf, kit, tensor, feed=None):
    with tf.Session() as sess:
        return kit.value(sess.run(tensor, feed))


def raw_every_type(tf, kit):
    data = bytes(bytearray([0, 1, 0, 64, 0, 0, 128, 63, 59, 60, 2, 0, 1, 1, 0, 192]))
    facts = {}
    for dtype in (
        tf.uint8,
        tf.int8,
        tf.int16,
        tf.uint16,
        tf.int32,
        tf.int64,
        tf.float16,
        tf.float32,
        tf.float64,
    ):
        for little in (True, False):
            decoded = tf.decode_raw(data, dtype, little_endian=little)
            key = "%s %s" % (dtype.name, "little" if little else "big")
            facts[key] = _run(tf, kit, decoded)
    return facts


def raw_types_refused(tf, kit):
    names = ("bool", "string", "complex64", "complex128", "uint32", "uint64", "bfloat16", "qint8")
    return {name: kit.error(tf.decode_raw, b"\0" * 16, getattr(tf, name)) for name in names}


def raw_of_a_batch(tf, kit):
    decoded = tf.decode_raw(tf.constant([b"\1\2", b"\3\4"]), tf.uint8, name="pixels")
    return {"values": _run(tf, kit, decoded), "static": kit.static(decoded)}


def raw_of_nothing(tf, kit):
    decoded = tf.decode_raw(tf.constant(b""), tf.int32)
    return {"values": _run(tf, kit, decoded), "static": kit.static(decoded)}


def raw_errors(tf, kit):
    with tf.Session() as sess:
        return {
            "length does not fit": kit.error(sess.run, tf.decode_raw(b"abc", tf.int32)),
            "lengths differ": kit.error(sess.run, tf.decode_raw([b"ab", b"a"], tf.uint8)),
            "numbers": kit.error(tf.decode_raw, 3, tf.uint8),
        }


def raw_reshaped(tf, kit):
    image = tf.decode_raw(bytes(bytearray(range(12))), tf.uint8)
    image = tf.reshape(image, [2, 2, 3])
    facts = {"static": kit.static(image), "values": _run(tf, kit, image)}
    image.set_shape([2, 2, 3])
    with tf.Session() as sess:
        facts["wrong"] = kit.error(
            sess.run,
            tf.reshape(tf.decode_raw(tf.placeholder_with_default(b"ab", []), tf.uint8), [3]),
        )
    return facts


def csv_every_type(tf, kit):
    line = tf.constant("1,2.5,3000000000,0.1,word")
    columns = tf.decode_csv(
        line,
        [
            tf.constant([], tf.int32),
            tf.constant([], tf.float32),
            tf.constant([], tf.int64),
            tf.constant([], tf.float64),
            tf.constant([], tf.string),
        ],
        name="columns",
    )
    return {"values": _run(tf, kit, columns), "static": kit.static(columns)}


def csv_defaults(tf, kit):
    columns = tf.decode_csv([",,", "5,,x", "6,1.5,"], [[7], [8.5], ["none"]])
    return {"values": _run(tf, kit, columns), "static": kit.static(columns)}


def csv_quotes_and_delimiters(tf, kit):
    strings = [[""], [""]]
    return {
        "quoted": _run(tf, kit, tf.decode_csv('"a, b","say ""hi"""', strings)),
        "semicolons": _run(tf, kit, tf.decode_csv("a;b", strings, field_delim=";")),
        "tabs": _run(tf, kit, tf.decode_csv("a\tb c", strings, field_delim="\t")),
        "quotes are letters": _run(tf, kit, tf.decode_csv('"a",b', strings, use_quote_delim=False)),
        "na": _run(tf, kit, tf.decode_csv("NA,3", [[1], [2]], na_value="NA")),
        "selected": _run(tf, kit, tf.decode_csv("1,x,2.5", [[0], [0.0]], select_cols=[0, 2])),
    }


def csv_errors(tf, kit):
    with tf.Session() as sess:

        def run(line, defaults):
            return kit.error(sess.run, tf.decode_csv(line, defaults))

        return {
            "too few fields": run("1", [[0], [0]]),
            "too many fields": run("1,2,3", [[0], [0]]),
            "not a number": run("x", [[0]]),
            "float for an int": run("1.5", [[0]]),
            "too large": run("3000000000", [[0]]),
            "required and missing": run(",1", [tf.constant([], tf.int32), [0]]),
            "open quote": run('"a', [[""]]),
            "no defaults": kit.error(tf.decode_csv, "1", []),
            "default of two": kit.error(tf.decode_csv, "1", [[1, 2]]),
            "bool": kit.error(tf.decode_csv, "1", [[True]]),
            "long delimiter": kit.error(tf.decode_csv, "1", [[1]], field_delim=",,"),
        }


def csv_file_through_the_queues(tf, kit):
    queue = tf.train.string_input_producer([kit.file("rows.csv")], 1)
    _, line = tf.TextLineReader(skip_header_lines=1).read(queue)
    columns = tf.decode_csv(line, [[0], [9.5], [""], ["no label"]][:3])
    values, facts = kit.steps(columns)
    facts["values"] = kit.value(values)
    return facts


def csv_bad_row_in_a_file(tf, kit):
    queue = tf.train.string_input_producer([kit.file("bad.csv")], 1)
    _, line = tf.TextLineReader().read(queue)
    batch = tf.train.batch(tf.decode_csv(line, [[0], [0.0], [""]]), 1)
    values, facts = kit.steps(batch)
    facts["values"] = kit.value(values)
    return facts


def crop_or_pad(tf, kit):
    facts = {}
    for height, width in ((2, 2), (4, 5), (2, 5), (5, 3), (3, 4), (1, 7), (6, 6)):
        image = tf.constant(kit.np.arange(24, dtype=kit.np.uint8).reshape(3, 4, 2)) + 1
        resized = tf.image.resize_image_with_crop_or_pad(image, height, width)
        facts["%dx%d" % (height, width)] = _run(tf, kit, resized)
        facts["static %dx%d" % (height, width)] = kit.static(resized)
    return facts


def crop_or_pad_of_unknown_size(tf, kit):
    image = tf.placeholder(tf.int32, [None, None, 3])
    resized = tf.image.resize_image_with_crop_or_pad(image=image, target_height=3, target_width=2)
    facts = {"static": kit.static(resized)}
    for height, width in ((5, 1), (2, 4), (3, 2)):
        fed = kit.np.arange(height * width * 3).reshape(height, width, 3)
        facts["%dx%d" % (height, width)] = _run(tf, kit, resized, {image: fed})
    return facts


def crop_or_pad_of_a_batch(tf, kit):
    image = tf.constant(kit.np.arange(12, dtype=kit.np.float32).reshape(2, 3, 2, 1))
    resized = tf.image.resize_image_with_crop_or_pad(image, 2, 3)
    return {"values": _run(tf, kit, resized), "static": kit.static(resized)}


def crop_or_pad_to_sizes_in_tensors(tf, kit):
    image = tf.constant(kit.np.arange(9).reshape(3, 3, 1))
    resized = tf.image.resize_image_with_crop_or_pad(image, tf.constant(4), tf.constant(2))
    return {"values": _run(tf, kit, resized)}


def crop_or_pad_errors(tf, kit):
    crop = tf.image.resize_image_with_crop_or_pad
    image = kit.np.zeros([2, 2, 1])
    unshaped = tf.placeholder(tf.float32)
    with tf.Session() as sess:
        flat = {unshaped: [1.0]}
        return {
            "zero": kit.error(crop, image, 0, 2),
            "negative": kit.error(crop, image, 2, -1),
            "no channels": kit.error(crop, kit.np.zeros([2, 2]), 2, 2),
            "unknown rank": kit.error(crop, unshaped, 2, 2),
            "rank five": kit.error(crop, kit.np.zeros([1, 1, 1, 1, 1]), 2, 2),
            "unknown rank, fed": kit.error(
                sess.run, crop(tf.reshape(unshaped, [1, 1, -1]), 2, 2), flat
            ),
        }


def png_there_and_back(tf, kit):
    pixels = kit.np.arange(4 * 3 * 3, dtype=kit.np.uint8).reshape(4, 3, 3)
    encoded = tf.image.encode_png(pixels)
    decoded = tf.image.decode_png(encoded, channels=3)
    anything = tf.image.decode_image(encoded)
    facts = {"static": kit.static([decoded, anything]), "values": _run(tf, kit, decoded)}
    facts["same"] = _run(tf, kit, tf.reduce_all(tf.equal(decoded, anything)))
    with tf.Session() as sess:
        facts["not a picture"] = kit.error(sess.run, tf.image.decode_png(b"no picture"))
        facts["not a JPEG"] = kit.error(sess.run, tf.image.decode_jpeg(b"no picture"))
    return facts


def flips_and_crops(tf, kit):
    image = tf.constant(kit.np.arange(12, dtype=kit.np.float32).reshape(2, 3, 2))
    return {
        "left right": _run(tf, kit, tf.image.flip_left_right(image)),
        "up down": _run(tf, kit, tf.image.flip_up_down(image)),
        "transposed": _run(tf, kit, tf.image.transpose_image(image)),
        "central": _run(tf, kit, tf.image.central_crop(image, 0.5)),
        "padded": _run(tf, kit, tf.image.pad_to_bounding_box(image, 1, 0, 3, 4)),
        "cropped": _run(tf, kit, tf.image.crop_to_bounding_box(image, 0, 1, 2, 2)),
        "static": kit.static(tf.image.flip_left_right(image)),
    }
