# ruff: noqa: UP010, UP020, UP031
"""The input files of the scenarios, and the files by which the writers of two TensorFlows compare.

`write_all(tf, folder)` is run by each old release (its files are committed) and by the tests under
`tfqueue.v1`: the bytes must be the same.
"""

from __future__ import unicode_literals

import io
import os


def _bytes(tf, *values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def _floats(tf, *values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def _ints(tf, *values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def _serialized(message):
    # The order of a map's keys is not defined unless asked for.
    return message.SerializeToString(deterministic=True)


def examples(tf):
    """Six records with a feature of every kind; `list` has 0 to 2 values, `maybe` is often absent."""
    records = []
    for number in range(6):
        features = {
            "id": _ints(tf, number),
            "weight": _floats(tf, number + 0.5),
            "name": _bytes(tf, ("record %d" % number).encode("ascii")),
            "image": _bytes(tf, bytes(bytearray(range(number, number + 12)))),
            "pair": _ints(tf, -number, 2**40 + number),
            "matrix": _floats(tf, *[number + 0.25 * i for i in range(6)]),
            "list": _ints(tf, *range(number % 3)),
            "words": _bytes(tf, *[("w%d" % i).encode("ascii") for i in range(number % 4)]),
        }
        if number % 2:
            features["maybe"] = _floats(tf, -1.5)
        records.append(_serialized(tf.train.Example(features=tf.train.Features(feature=features))))
    return records


def sequences(tf):
    """Four records with 1 to 4 steps: context, and lists of int64, float and bytes."""
    records = []
    for number in range(4):
        steps = range(number + 1)
        context = {"id": _ints(tf, number), "length": _ints(tf, number + 1)}
        lists = {
            "tokens": [_ints(tf, 10 * number + step) for step in steps],
            "vectors": [_floats(tf, step, step + 0.5) for step in steps],
            "words": [_bytes(tf, ("s%d" % step).encode("ascii")) for step in steps],
            "ragged": [_ints(tf, *range(step)) for step in steps],
        }
        records.append(
            _serialized(
                tf.train.SequenceExample(
                    context=tf.train.Features(feature=context),
                    feature_lists=tf.train.FeatureLists(
                        feature_list={
                            key: tf.train.FeatureList(feature=value) for key, value in lists.items()
                        }
                    ),
                )
            )
        )
    return records


def raw_records(tf):
    """Records of awkward lengths: empty, one byte, and one larger than a compression block."""
    del tf
    return [b"", b"x", b"\0" * 300, bytes(bytearray(i * 7 % 251 for i in range(70000)))]


RECORDS = {"example": examples, "sequence": sequences, "raw": raw_records}
COMPRESSIONS = {"": "NONE", ".gz": "GZIP", ".zlib": "ZLIB"}


def write_all(tf, folder):
    """Writes every TFRecord file into a folder with TensorFlow's own writer.

    Returns:
        The file names, sorted.
    """
    kinds = tf.python_io.TFRecordCompressionType
    names = []
    for kind, records in RECORDS.items():
        for suffix, compression in COMPRESSIONS.items():
            name = kind + ".tfrecord" + suffix
            options = tf.python_io.TFRecordOptions(getattr(kinds, compression))
            writer = tf.python_io.TFRecordWriter(os.path.join(folder, name), options=options)
            for record in records(tf):
                writer.write(record)
            writer.close()
            names.append(name)
    return sorted(names)


def write_inputs(folder):
    """Writes the files that need no TensorFlow, and damaged copies of `example.tfrecord`."""

    def put(name, content):
        with io.open(os.path.join(folder, name), "wb") as out:
            out.write(content)

    put("a.txt", b"alpha\nbeta\ngamma\n")
    put("b.txt", b"delta\n\nepsilon")  # an empty line; no newline at the end
    put("crlf.txt", b"one\r\ntwo\r\n")
    put("empty.txt", b"")
    put("rows.csv", b'id,score,label\n1,0.5,cat\n2,,dog\n3,2.25,"a, b"\n4,-1,\n')
    put("bad.csv", b"1,0.5,cat\nx,0.5,cat\n3,1,dog\n")
    put("fixed.bin", b"HEAD" + bytes(bytearray(range(15))) + b"FT")
    put("fixed2.bin", b"HEAD" + bytes(bytearray(range(50, 56))) + b"FT")
    put("fixed_odd.bin", b"HEAD" + bytes(bytearray(range(7))) + b"FT")
    with io.open(os.path.join(folder, "example.tfrecord"), "rb") as whole:
        good = whole.read()
    # A record is: length (8 bytes), its checksum (4), the payload, the payload's checksum (4).
    first = 16 + int(bytearray(good[:1])[0]) + 256 * int(bytearray(good[1:2])[0])
    flipped = bytearray(good)
    flipped[first + 40] ^= 0xFF
    put("flipped_payload.tfrecord", bytes(flipped))
    flipped = bytearray(good)
    flipped[first] ^= 0xFF
    put("flipped_length.tfrecord", bytes(flipped))
    put("cut_payload.tfrecord", good[: first + 40])
    put("cut_header.tfrecord", good[: first + 5])
    put("empty.tfrecord", b"")
