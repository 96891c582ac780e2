"""A decoded image has no shape until one is given to it."""

import tfqueue.v1 as tf

names = tf.train.string_input_producer(["cat.png", "dog.png"])
key, data = tf.WholeFileReader().read(names)
image = tf.image.decode_png(data, channels=3)
batch = tf.train.batch([image], batch_size=4)
