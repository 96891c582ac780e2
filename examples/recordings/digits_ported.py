"""`digits.py` after a careless port: a division lost its remainder, two arguments their order."""

import os
import sys

import numpy as np

import tfqueue.v1 as tf

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "."
BATCH, STEPS = 16, 20
# The strokes of each digit on a clock's display, from the top clockwise, the middle one last.
STROKES = ["012345", "12", "01643", "01236", "1256", "02356", "023456", "012", "0123456", "012356"]
PLACES = [
    (4, 8, 6, 20),
    (6, 18, 14, 20),
    (14, 18, 22, 20),
    (22, 8, 24, 20),
    (14, 8, 22, 10),
    (6, 8, 14, 10),
    (13, 8, 15, 20),
]


def draw(digit, chance):
    picture = np.kron(chance.randint(0, 60, (7, 7)), np.ones((4, 4), np.int64))
    down, right = chance.randint(-3, 4, 2)
    for stroke in STROKES[digit]:
        top, left, bottom, end = PLACES[int(stroke)]
        picture[top + down : bottom + down, left + right : end + right] = 255
    return picture.ravel()


def write(path, count):
    chance = np.random.RandomState(1)
    writer = tf.python_io.TFRecordWriter(path)
    for number in range(count):
        digit = number % 10
        feature = {
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[digit])),
            "image": tf.train.Feature(
                int64_list=tf.train.Int64List(value=draw(digit, chance).tolist())
            ),
        }
        example = tf.train.Example(features=tf.train.Features(feature=feature))
        writer.write(example.SerializeToString())
    writer.close()


def inputs(path):
    names = tf.train.string_input_producer([path])
    _, record = tf.TFRecordReader().read(names)
    features = tf.parse_single_example(
        record,
        {
            "label": tf.FixedLenFeature([], tf.int64),
            "image": tf.FixedLenFeature([784], tf.int64),
        },
    )
    return tf.train.shuffle_batch(
        [features["image"], features["label"]],
        batch_size=BATCH,
        capacity=200,
        min_after_dequeue=100,
    )


path = os.path.join(FOLDER, "digits.tfrecord")
write(path, 300)
images, labels = inputs(path)
pixels = tf.to_float(images // 255)
weights = tf.Variable(tf.truncated_normal([784, 10], stddev=0.01), name="weights")
bias = tf.Variable(tf.zeros([10]), name="bias")
logits = tf.matmul(pixels, weights) + bias
wanted = tf.one_hot(labels, 10)
losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=logits, logits=wanted)
loss = tf.reduce_mean(losses)
right = tf.reduce_mean(tf.to_float(tf.equal(tf.argmax(logits, 1), labels)))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

sess = tf.Session()
sess.run(tf.global_variables_initializer())
coord = tf.train.Coordinator()
threads = tf.train.start_queue_runners(sess=sess, coord=coord)
for step in range(STEPS):
    _, value, share = sess.run([train, loss, right])
    if step % 5 == 0:
        print("step %d: loss %.3f, right %.2f" % (step, value, share))
coord.request_stop()
coord.join(threads)
