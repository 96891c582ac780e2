import os
import numpy as np
import tensorflow as tf


def write(folder, sizes):
    names = []
    for label, name in enumerate(sorted(sizes.keys())):
        path = os.path.join(folder, name + '.tfrecords')
        writer = tf.python_io.TFRecordWriter(path)
        for i in range(sizes[name]):
            image = np.full([4], i / 2, np.float32)
            writer.write(tf.train.Example(features=tf.train.Features(feature={
                'image': tf.train.Feature(
                    bytes_list=tf.train.BytesList(value=[image.tostring()])),
                'name': tf.train.Feature(bytes_list=tf.train.BytesList(value=[name])),
                'label': tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
            })).SerializeToString())
        writer.close()
        names.append(path)
    return names


def inputs(pattern, batch_size):
    queue = tf.train.string_input_producer(
        tf.train.match_filenames_once(pattern), num_epochs=2, shuffle=False)
    _, serialized = tf.TFRecordReader().read(queue)
    features = tf.parse_single_example(serialized, features={
        'image': tf.FixedLenFeature([], tf.string),
        'label': tf.FixedLenFeature([], tf.int64),
    })
    image = tf.decode_raw(features['image'], tf.float32)
    image.set_shape([4])
    return tf.train.batch([image, features['label']], batch_size)
