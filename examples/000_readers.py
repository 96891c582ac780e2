"""Document 000, the readers: each on files of its own kind.

- `TextLineReader` on two tables of coins, measured in a photograph; `skip_header_lines=1` leaves
  out the first line of every file.
- `FixedLengthRecordReader` on a binary file of 32 x 32 colour tiles, a label byte before each.
- `WholeFileReader` on JPEG files, one sample per file.
- `TFRecordReader` on a TFRecord file of the same tiles.

What to look at: all four are used in the same way, and each `read` gives a key and a value. The key
says where the value comes from: `file:line`, `file:record` or the file. Skipped lines count.
"""

import os
import sys

import numpy as np
from _common import coin_regions, options, pyplot, save
from PIL import Image
from skimage import data, measure

import tfqueue

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

TILE = 32
PHOTOS = [data.astronaut, data.chelsea, data.coffee, data.rocket]


def once(paths):
    """A queue of file names: each once, in the order given."""
    return tf.train.string_input_producer(
        [str(path) for path in paths], num_epochs=1, shuffle=False
    )


def run(what, fetches):
    """Reads one pipeline to its end; prints the keys, file by file, returns the values."""
    print(what)
    keys, values = {}, []
    with tfqueue.managed_session() as sess:
        for key, *value in sess.batches(fetches):
            name, _, place = os.path.basename(key.decode()).partition(":")
            keys.setdefault(name, []).append(place)
            values.append(value)
    for name, places in keys.items():
        print(f"  {name}: {' '.join(places)}".rstrip(": "))
    return values


def text_lines(out):
    """Two files of comma separated values with a header each."""
    coins = measure.regionprops(coin_regions(), data.coins())
    paths = [out / "000_coins_1.csv", out / "000_coins_2.csv"]
    for path, some in zip(paths, (coins[:16], coins[16:]), strict=True):
        lines = [f"{c.area:.0f},{c.intensity_mean:.1f},{c.eccentricity:.2f}" for c in some]
        path.write_text("\n".join(["area,brightness,eccentricity", *lines]) + "\n")

    with tf.Graph().as_default():
        key, line = tf.TextLineReader(skip_header_lines=1).read(once(paths))
        columns = tf.decode_csv(line, record_defaults=[[0.0], [0.0], [0.0]])
        rows = np.array(run("TextLineReader, a header line in each file", [key, *columns]))
    print(f"  {len(rows)} coins, areas {rows[:, 0].astype(int).tolist()}")
    return rows


def tiles():
    """One label and one uint8 array [32, 32, 3] out of the middle of each photograph."""
    for label, load in enumerate(PHOTOS):
        photo = load()
        side = min(photo.shape[:2])
        top, left = (photo.shape[0] - side) // 2, (photo.shape[1] - side) // 2
        square = Image.fromarray(photo[top : top + side, left : left + side])
        yield label, np.asarray(square.resize((TILE, TILE)))


def fixed_length(out):
    path = out / "000_tiles.bin"
    path.write_bytes(b"".join(bytes([label]) + tile.tobytes() for label, tile in tiles()))

    with tf.Graph().as_default():
        reader = tf.FixedLengthRecordReader(record_bytes=1 + TILE * TILE * 3)
        key, record = reader.read(once([path]))
        numbers = tf.decode_raw(record, tf.uint8)
        label, tile = numbers[0], tf.reshape(numbers[1:], [TILE, TILE, 3])
        read = run("FixedLengthRecordReader, 3073 bytes each", [key, label, tile])
    print(f"  labels {[int(label) for label, _ in read]}")
    return [tile for _, tile in read]


def whole_files(out):
    paths = []
    for load in PHOTOS:
        paths.append(out / f"000_{load.__name__}.jpg")
        Image.fromarray(load()).save(paths[-1], quality=90)

    with tf.Graph().as_default():
        key, content = tf.WholeFileReader().read(once(paths))
        read = run("WholeFileReader, a JPEG file each", [key, tf.image.decode_jpeg(content)])
    print(f"  shapes {[picture.shape for (picture,) in read]}")
    return [picture for (picture,) in read]


def tfrecords(out):
    path = out / "000_tiles.tfrecord"
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for label, tile in tiles():
            feature = {
                "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
                "tile": tf.train.Feature(bytes_list=tf.train.BytesList(value=[tile.tobytes()])),
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())

    with tf.Graph().as_default():
        key, record = tf.TFRecordReader().read(once([path]))
        parsed = tf.parse_single_example(
            record,
            features={
                "label": tf.FixedLenFeature([], tf.int64),
                "tile": tf.FixedLenFeature([], tf.string),
            },
        )
        tile = tf.reshape(tf.decode_raw(parsed["tile"], tf.uint8), [TILE, TILE, 3])
        read = run("TFRecordReader, a tf.train.Example each", [key, parsed["label"], tile])
    print(f"  labels {[int(label) for label, _ in read]}")
    return [tile for _, tile in read]


def main(argv=None):
    chosen = options(__doc__, argv)
    table = text_lines(chosen.out)
    fixed = fixed_length(chosen.out)
    files = whole_files(chosen.out)
    records = tfrecords(chosen.out)
    print(f"binary file and TFRecord file hold the same: {np.array_equal(fixed, records)}")

    plt = pyplot(chosen.show)
    figure, grid = plt.subplot_mosaic(
        [["lines", "fixed"], ["lines", "files"], ["lines", "records"]],
        figsize=(11, 5.6),
        layout="constrained",
    )
    grid["lines"].bar(np.arange(len(table)), table[:, 0], color=plt.cm.copper(table[:, 1] / 255))
    grid["lines"].set_title("TextLineReader: area of each coin (shade: brightness)")
    grid["fixed"].imshow(np.hstack(fixed))
    grid["fixed"].set_title(f"FixedLengthRecordReader: tiles of {TILE} x {TILE}")
    small = [Image.fromarray(p).resize((p.shape[1] * 200 // p.shape[0], 200)) for p in files]
    grid["files"].imshow(np.hstack([np.asarray(p) for p in small]))
    grid["files"].set_title("WholeFileReader: JPEG files, drawn to one height")
    grid["records"].imshow(np.hstack(records))
    grid["records"].set_title(f"TFRecordReader: tiles of {TILE} x {TILE}")
    for name in ("fixed", "files", "records"):
        grid[name].set_axis_off()
    save(figure, chosen.out / "000_readers.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
