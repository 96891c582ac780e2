"""Document 004: photographs and their segmentation masks through a TFRecord file, in batches.

Six photographs of six sizes, each with a mask of the same height and width that numbers its parts
(0 is the largest part, the background). What to look at:

1. Bytes forget the shape: a picture survives `tobytes` and `frombuffer` only with a `reshape`.
2. That is why every record carries its height and width. The file is read back without a graph,
   record by record, and compared with what was written: one `True` per picture and per mask.
3. Then the graph reads the same file. A batch needs pictures of one size, so each is cropped or
   padded to 384 x 384, mask and photograph alike, and `shuffle_batch` mixes ten epochs of them.
   The first three batches are shown, the rest is counted: every pair comes ten times, no more and
   no less, and no photograph ever meets another one's mask.

`overview.png` shows it all on one page.
"""

import sys
from collections import Counter

import numpy as np
from _common import options, pyplot, rgb, save
from matplotlib import colormaps
from skimage import data
from skimage.segmentation import felzenszwalb

import tfqueue

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

SIDE = 384
EPOCHS = 10
SHOWN = 3


def photographs():
    """Returns {name: uint8 array [height, width, 3]}, six photographs of six sizes."""
    return {
        "astronaut": data.astronaut(),
        "cat": data.chelsea(),
        "coffee": data.coffee(),
        "rocket": data.rocket(),
        "coins": rgb(data.coins()),
        "motorcycle": data.stereo_motorcycle()[0],
    }


def annotate(photo):
    """Numbers the parts of a photograph by size.

    Args:
      photo: uint8 array [height, width, 3].

    Returns:
      uint8 array [height, width]; 0 where the largest part is.
    """
    parts = felzenszwalb(photo, scale=400, sigma=1.2, min_size=800)
    by_size = np.argsort(-np.bincount(parts.ravel()))
    number = np.empty(len(by_size), np.uint8)
    number[by_size] = np.arange(len(by_size))
    return number[parts]


def raw(array):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[array.tobytes()]))


def whole(number):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[number]))


def write(pairs, path):
    with tf.python_io.TFRecordWriter(path) as writer:
        for photo, mask in pairs:
            height, width = mask.shape
            feature = {
                "height": whole(height),
                "width": whole(width),
                "image_raw": raw(photo),
                "mask_raw": raw(mask),
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())


def read_without_a_graph(path):
    """Yields the pairs of a file in the order they were written; needs no session."""
    for record in tf.python_io.tf_record_iterator(path):
        feature = tf.train.Example.FromString(record).features.feature
        height, width = (feature[key].int64_list.value[0] for key in ("height", "width"))
        photo, mask = (
            np.frombuffer(feature[key].bytes_list.value[0], np.uint8)
            for key in ("image_raw", "mask_raw")
        )
        yield photo.reshape(height, width, 3), mask.reshape(height, width)


def input_pipeline(path):
    """Ten epochs of the file in shuffled batches of two.

    Returns:
      Tensors of photographs, uint8 [2, 384, 384, 3], and masks, uint8 [2, 384, 384, 1].
    """
    filenames = tf.train.string_input_producer([path], num_epochs=EPOCHS)
    _, record = tf.TFRecordReader().read(filenames)
    parsed = tf.parse_single_example(
        record,
        features={
            "height": tf.FixedLenFeature([], tf.int64),
            "width": tf.FixedLenFeature([], tf.int64),
            "image_raw": tf.FixedLenFeature([], tf.string),
            "mask_raw": tf.FixedLenFeature([], tf.string),
        },
    )
    height = tf.cast(parsed["height"], tf.int32)
    width = tf.cast(parsed["width"], tf.int32)

    def square(key, depth):
        flat = tf.decode_raw(parsed[key], tf.uint8)
        picture = tf.reshape(flat, tf.pack([height, width, depth]))
        return tf.image.resize_image_with_crop_or_pad(picture, SIDE, SIDE)

    return tf.train.shuffle_batch(
        [square("image_raw", 3), square("mask_raw", 1)],
        batch_size=2,
        capacity=30,
        num_threads=2,
        min_after_dequeue=10,
    )


def crop_or_pad(array):
    """What `resize_image_with_crop_or_pad` does, in numpy: [height, width, ...] to [384, 384, ...]."""
    for axis in (0, 1):
        extra = array.shape[axis] - SIDE
        if extra > 0:
            array = array.take(range(extra // 2, extra // 2 + SIDE), axis)
        else:
            room = [(0, 0)] * array.ndim
            room[axis] = (-extra // 2, -extra - -extra // 2)
            array = np.pad(array, room)
    return array


def colours(mask):
    """A colour for each part: the background dark, twenty colours in turn for the others."""
    palette = (colormaps["tab20"](np.arange(256) % 20)[:, :3] * 255).astype(np.uint8)
    palette[0] = 30
    return palette[mask]


def draw_overview(pairs, batches, path, show):
    """One page: the pairs as they were written, to one scale, above the batches as they came."""
    plt = pyplot(show)
    gap = 24
    masks = [mask for _, mask in pairs.values()]
    lefts = np.cumsum([gap] + [mask.shape[1] + gap for mask in masks])
    tallest = max(mask.shape[0] for mask in masks)
    page = np.full((2 * tallest + gap, lefts[-1], 3), 255, np.uint8)
    for left, (photo, mask) in zip(lefts, pairs.values(), strict=False):
        height, width = mask.shape
        page[tallest - height : tallest, left : left + width] = photo
        page[tallest + gap : tallest + gap + height, left : left + width] = colours(mask)

    figure = plt.figure(figsize=(12, 11), facecolor="white")
    top, bottom = figure.subfigures(2, 1, height_ratios=[0.64, 1])
    top.suptitle("written: photographs and masks, each pair of a size of its own", fontsize=13)
    axes = top.add_axes((0.0, 0.0, 1.0, 0.86))
    axes.imshow(page)
    for left, name, mask in zip(lefts, pairs, masks, strict=False):
        height, width = mask.shape
        label = f"{name}\n{height} x {width}"
        axes.text(left + width / 2, tallest - height - 12, label, ha="center", fontsize=9)

    bottom.suptitle(f"read: batches of two, shuffled, each picture {SIDE} x {SIDE}", fontsize=13)
    place = {"left": 0.16, "right": 0.84, "top": 0.93, "bottom": 0.02, "wspace": 0, "hspace": 0.04}
    grid = bottom.subplots(len(batches), 4, gridspec_kw=place)
    for number, (row, (photos, masks)) in enumerate(zip(grid, batches, strict=True)):
        row[0].text(-25, SIDE / 2, f"batch {number}", ha="right", va="center", fontsize=11)
        row[0].imshow(photos[0])
        row[1].imshow(colours(masks[0, :, :, 0]))
        row[2].imshow(photos[1])
        row[3].imshow(colours(masks[1, :, :, 0]))
    for axes in figure.axes:
        axes.set_axis_off()
    save(figure, path, show)


def main(argv=None):
    chosen = options(__doc__, argv)
    plt = pyplot(chosen.show)

    # 1. Bytes and back.
    cat = data.chelsea()
    flat = np.frombuffer(cat.tobytes(), np.uint8)
    print(f"a picture of shape {cat.shape} as bytes comes back with shape {flat.shape}; reshaped:")
    print(np.allclose(cat, flat.reshape(cat.shape)))

    # 2. All pairs into a file and back, no graph.
    pairs = {name: (photo, annotate(photo)) for name, photo in photographs().items()}
    path = str(chosen.out / "004_segmentation_pairs.tfrecord")
    write(pairs.values(), path)
    print(f"{len(pairs)} pairs read back without a graph, photograph and mask of each equal:")
    for written, read in zip(pairs.values(), read_without_a_graph(path), strict=True):
        print(np.allclose(written[0], read[0]))
        print(np.allclose(written[1], read[1]))

    # 3. The graph.
    name_of = {crop_or_pad(photo).tobytes(): name for name, (photo, _) in pairs.items()}
    fitted = {name: crop_or_pad(mask) for name, (_, mask) in pairs.items()}
    seen = Counter()
    shown = []
    images, annotations = input_pipeline(path)
    with tfqueue.managed_session() as sess:
        for number, (photos, masks) in enumerate(sess.batches([images, annotations])):
            if number < SHOWN:
                print(photos[0].shape)
                print(f"batch {number}")
                shown.append((photos, masks))
                for k in range(2):
                    stem = f"004_batch_{number}_{k}"
                    plt.imsave(chosen.out / f"{stem}_image.png", photos[k])
                    plt.imsave(chosen.out / f"{stem}_mask.png", colours(masks[k, :, :, 0]))
            for photo, mask in zip(photos, masks, strict=True):
                name = name_of[photo.tobytes()]
                assert np.array_equal(mask[:, :, 0], fitted[name]), f"{name} has a foreign mask"
                seen[name] += 1

    print(f"{sum(seen.values()) // 2} batches in {EPOCHS} epochs; times that each pair came:")
    print(", ".join(f"{name} {seen[name]}" for name in pairs))
    draw_overview(pairs, shown, chosen.out / "overview.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
