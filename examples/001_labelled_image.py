"""Document 001, the image with a label that is a number.

One photograph and the int64 label of its class into a TFRecord file, and back through the queue,
with the session, the Coordinator and the one `sess.run` of the textbook. What to look at: all three
tensors come from ONE run. Fetched in three runs they would belong to three different records. And
the order of the names on the left must be that of the fetches on the right.
"""

import sys

import numpy as np
from _common import options, pyplot, save
from PIL import Image
from skimage import data

if __name__ == "__main__":
    options(__doc__)  # answers --help before TensorFlow is loaded

import tfqueue.v1 as tf

CLASSES = ["dog", "cat"]


def write(label, image_file, tfrecord_file):
    """Writes one record: the label as int64, shape (int32) and pixels (uint8) as bytes."""
    picture = np.asarray(Image.open(image_file), np.uint8)
    shape = np.array(picture.shape, np.int32)
    feature = {
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
        "shape": tf.train.Feature(bytes_list=tf.train.BytesList(value=[shape.tobytes()])),
        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[picture.tobytes()])),
    }
    with tf.python_io.TFRecordWriter(tfrecord_file) as writer:
        example = tf.train.Example(features=tf.train.Features(feature=feature))
        writer.write(example.SerializeToString())


def read(filenames):
    """Returns the tensors label (int64), shape (int32 [3]) and image, for ever."""
    filename_queue = tf.train.string_input_producer(filenames)
    _, record = tf.TFRecordReader().read(filename_queue)
    parsed = tf.parse_single_example(
        record,
        features={
            "label": tf.FixedLenFeature([], tf.int64),
            "shape": tf.FixedLenFeature([], tf.string),
            "image": tf.FixedLenFeature([], tf.string),
        },
    )
    shape = tf.decode_raw(parsed["shape"], tf.int32)
    image = tf.reshape(tf.decode_raw(parsed["image"], tf.uint8), shape)
    return parsed["label"], shape, image


def main(argv=None):
    chosen = options(__doc__, argv)
    image_file = str(chosen.out / "001_labelled_image_in.png")
    tfrecord_file = str(chosen.out / "001_labelled_image.tfrecord")
    Image.fromarray(data.chelsea()).save(image_file)
    write(CLASSES.index("cat"), image_file, tfrecord_file)

    fetches = read([tfrecord_file])
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        label, shape, image = sess.run(fetches)
        coord.request_stop()
        coord.join(threads)
    print(label)
    print(shape)

    plt = pyplot(chosen.show)
    figure, axes = plt.subplots(figsize=(6, 4.4), layout="constrained")
    axes.imshow(image)
    axes.set_title(f"label {label}: {CLASSES[label]}")
    save(figure, chosen.out / "001_labelled_image.png", chosen.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
