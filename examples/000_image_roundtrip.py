"""Document 000, the image round trip: photographs into a TFRecord file and back out of it.

Label, shape and pixels are all stored as bytes, as the document does it. The reading half keeps the
textbook form, with `try / except OutOfRangeError / finally`: one epoch is read, the end of the data
arrives as an exception, and whatever happened the threads are stopped and joined. What to look at:
the pixels come back flat and only the stored shape makes a picture of them again.
"""

import sys

import numpy as np
from _common import options, pyplot, save
from skimage import data

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

PHOTOS = {
    "astronaut": data.astronaut,
    "cat": data.chelsea,
    "coffee": data.coffee,
    "rocket": data.rocket,
}


def bytes_feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def write(photos, path):
    """Writes {name: uint8 array [height, width, 3]}, one record per photograph."""
    with tf.python_io.TFRecordWriter(path) as writer:
        for name, photo in photos.items():
            feature = {
                "label": bytes_feature(name.encode()),
                "shape": bytes_feature(np.array(photo.shape, np.int32).tobytes()),
                "image": bytes_feature(photo.tobytes()),
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())


def read(filenames):
    """One epoch of the files. Returns the tensors label (string), shape (int32 [3]) and image."""
    filename_queue = tf.train.string_input_producer(filenames, num_epochs=1)
    _, record = tf.TFRecordReader().read(filename_queue)
    parsed = tf.parse_single_example(
        record,
        features={key: tf.FixedLenFeature([], tf.string) for key in ("label", "shape", "image")},
    )
    shape = tf.decode_raw(parsed["shape"], tf.int32)
    image = tf.reshape(tf.decode_raw(parsed["image"], tf.uint8), shape)
    return parsed["label"], shape, image


def main(argv=None):
    chosen = options(__doc__, argv)
    path = str(chosen.out / "000_image_roundtrip.tfrecord")
    photos = {name: load() for name, load in PHOTOS.items()}
    write(photos, path)

    restored = {}
    label, shape, image = read([path])
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        try:
            while not coord.should_stop():
                name, size, picture = sess.run([label, shape, image])
                print(name, size, np.array_equal(picture, photos[name.decode()]))
                restored[name.decode()] = picture
        except tf.errors.OutOfRangeError:
            print(f"end of the data after {len(restored)} photographs")
        finally:
            coord.request_stop()
            coord.join(threads)

    plt = pyplot(chosen.show)
    figure, grid = plt.subplots(1, len(restored), figsize=(12, 3), layout="constrained")
    for axes, (name, picture) in zip(grid, restored.items(), strict=True):
        axes.imshow(picture)
        axes.set_title(f"{name} {picture.shape}")
        axes.set_axis_off()
    save(figure, chosen.out / "000_image_roundtrip.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
