"""Trains a small model on records. Its argument chooses one change: a mistake, or one that is none.

training.py FOLDER [CHANGE]
"""

import operator
import os
import sys
import threading

import numpy as np
import tensorflow as tf

FOLDER = sys.argv[1]
CHANGE = sys.argv[2] if len(sys.argv) > 2 else ""
FREE = CHANGE.startswith("free")
ENDLESS = CHANGE.startswith("free_endless")


def pick(usual, **changes):
    return changes.get(CHANGE, usual)


COMPRESSED = None
if CHANGE == "compressed":
    COMPRESSED = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)


def write(path, numbers, scale=1.0):
    draw = np.random.RandomState(5)
    points = draw.rand(40, 6).astype(np.float32)
    writer = tf.python_io.TFRecordWriter(path, options=COMPRESSED)
    for number in numbers:
        feature = {
            "point": tf.train.Feature(
                float_list=tf.train.FloatList(value=[float(v) for v in points[number] * scale])
            ),
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[number % 3])),
            "image": tf.train.Feature(
                bytes_list=tf.train.BytesList(value=[bytes(bytearray([number, 200, 3, 4]))])
            ),
        }
        if CHANGE == "features":
            feature = {name: feature[name] for name in sorted(feature, reverse=True)}
        example = tf.train.Example(features=tf.train.Features(feature=feature))
        writer.write(example.SerializeToString())
    writer.close()


numbers = list(range(40))
numbers = pick(numbers, lost=numbers[:17] + numbers[18:], doubled=numbers[:17] + numbers[16:])
numbers = pick(numbers, order=numbers[:5] + [6, 5] + numbers[7:])
path = os.path.join(FOLDER, "points.tfrecord")
write(path, numbers, pick(1.0, scaled_records=1.001))

if not FREE:
    tf.set_random_seed(pick(7, seed=8))

epochs = None if ENDLESS else pick(3, epoch=4)
names = tf.train.string_input_producer([path], num_epochs=epochs, shuffle=FREE)
_, record = tf.TFRecordReader(options=COMPRESSED).read(names)
parsed = tf.parse_single_example(
    record,
    {
        "point": tf.FixedLenFeature([6], tf.float32),
        "label": tf.FixedLenFeature([], tf.int64),
        "image": tf.FixedLenFeature([], tf.string),
    },
)
image = tf.decode_raw(parsed["image"], tf.uint8)
image.set_shape([4])
label = pick(parsed["label"], dtype=tf.cast(parsed["label"], tf.int32))
label = pick(label, label=(label + 1) % 3)
tensors = [parsed["point"], label, pick(image, crop=image[:3])]
size = pick(8, batch=10)
if ENDLESS:
    batch = tf.train.shuffle_batch(tensors, size, capacity=10, min_after_dequeue=2)
elif CHANGE == "free_join":
    batch = tf.train.shuffle_batch_join([tensors, tensors], size, 40, 10)
elif CHANGE == "free_batch":
    batch = tf.train.batch(tensors, size, num_threads=3, capacity=40)
elif CHANGE == "free_queue":
    types, shapes = [t.dtype for t in tensors], [t.get_shape() for t in tensors]
    queue = tf.RandomShuffleQueue(40, 10, types, shapes)
    runner = tf.train.QueueRunner(queue, [queue.enqueue(tensors)] * 2)
    batch = queue.dequeue_many(size)
elif FREE:
    threads = pick(1, free_threads=3, free_many=4)
    batch = tf.train.shuffle_batch(
        tensors, size, pick(40, free_capacity=90), pick(10, free_reserve=30), num_threads=threads
    )
else:
    batch = tf.train.batch(tensors, size, capacity=pick(32, capacity=200))
points, labels, images = batch

# one of these alone: each op that is built counts for the seeds behind it
if CHANGE == "reciprocal":
    numbers_of = tf.cast(images, tf.float32) * (1.0 / 255.0)
elif CHANGE == "default":
    numbers_of = tf.cast(images, tf.float32) / tf.placeholder_with_default(255.0, [])
elif CHANGE == "floored":
    numbers_of = tf.cast(images // 255, tf.float32)
else:
    numbers_of = tf.cast(images, tf.float32) / pick(255.0, divisor=256.0)
joined = tf.concat([points, numbers_of[:, :3]], 1)
scaled = joined if CHANGE == "half" else joined * pick(1.0, scale=1.001)  # as many ops
shifted = pick(scaled - 0.5, swapped=0.5 - scaled)
stored = tf.cast(shifted, pick(tf.float32, half=tf.bfloat16))
stored = tf.cast(stored, tf.float32)
if CHANGE == "double":
    stored = tf.cast(tf.cast(joined, tf.float64) - 0.5, tf.float32)

# Of 144 draws without a seed, twice the spread is taken for chance one time in 400, four times never.
spread = pick(0.1, spread=0.2, free_spread=0.4)
first = tf.truncated_normal([9, 16], stddev=spread)
renamed = {"weights": "W", "bias": "b"} if CHANGE.startswith(("renamed", "free_renamed")) else {}
weights = pick(first, uniform=tf.random_uniform([9, 16], 0.0, 0.4), renamed_uniform=first * 3.0)
weights = tf.Variable(weights, name=renamed.get("weights", "weights"))
given = tf.zeros([16]) + pick(0.0, bias=0.01, renamed_bias=0.01)
if CHANGE == "got":
    bias = tf.get_variable("bias", initializer=given)
else:
    bias = tf.Variable(given, name=renamed.get("bias", "bias"))
hidden = pick(tf.nn.relu, activation=tf.nn.tanh)(tf.matmul(stored, weights) + bias)
kept = tf.nn.dropout(hidden, 0.5) if CHANGE.startswith("free_dropout") else hidden
last = tf.Variable(tf.truncated_normal([16, 3], stddev=0.1, seed=3), name="last")
logits = tf.matmul(kept, last)
if CHANGE == "transposed":
    logits = tf.reverse(logits, [1])
hot = tf.one_hot(tf.cast(labels, tf.int32), 3, on_value=pick(1.0, smoothed=0.9))
pair = pick((logits, hot), arguments=(hot, logits))
losses = tf.nn.softmax_cross_entropy_with_logits(logits=pair[0], labels=pair[1])
with tf.name_scope(pick("", scoped="other")):
    loss = pick(tf.reduce_mean, summed=tf.reduce_sum)(losses)
if CHANGE == "by_hand":
    loss = tf.reduce_sum(losses) / float(size)
step = tf.Variable(0, trainable=False, name="step")
mean = tf.Variable(0.0, trainable=False, name="average")
update = tf.assign_sub(mean, 0.1 * (mean - tf.reduce_mean(hidden)))
rate = pick(0.5, rate=0.51)
optimizer = tf.train.GradientDescentOptimizer(rate)
if CHANGE == "optimizer":
    optimizer = tf.train.MomentumOptimizer(rate, 0.9)
with tf.control_dependencies([] if CHANGE in ("dependency", "free_dependency") else [update]):
    train = optimizer.minimize(loss, global_step=pick(step, step=None))
saver = tf.train.Saver()
scalar = tf.summary.scalar("loss", loss)
unused = pick(None, unused=tf.constant(1.0) + 1.0)


def step_of(sess):
    """What runs a step and gives its values."""
    if CHANGE == "callable":
        return sess.make_callable([train, loss, scalar])
    if CHANGE == "named":
        named = {"a": train, "b": loss, "c": scalar}
        return lambda: operator.itemgetter("a", "b", "c")(sess.run(named))
    if CHANGE == "evaluated":
        return lambda: sess.run([train.name, loss.name, scalar.name])
    return lambda: sess.run([train, loss, scalar])


coord = tf.train.Coordinator()
if CHANGE == "folder":
    os.chdir(FOLDER)
    FOLDER = ""
config = tf.ConfigProto(inter_op_parallelism_threads=pick(0, config=1))
with tf.Session(config=config) as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    threads = tf.train.start_queue_runners(sess, coord)
    if CHANGE == "finalized":
        sess.graph.finalize()
    if CHANGE == "free_queue":
        threads += runner.create_threads(sess, coord, start=True)
    if CHANGE == "written":
        summaries = tf.summary.FileWriter(FOLDER, sess.graph)
    if CHANGE == "watched":
        watch = threading.Thread(target=lambda: [sess.run(step) for _ in range(5)])
        watch.start()
    run = step_of(sess)
    try:
        for _ in range(pick(15, free_endless_more=20) if ENDLESS else 1000):
            _, value, told = run()
            if CHANGE == "written":
                summaries.add_summary(told)
    except tf.errors.OutOfRangeError:
        print(value)
    finally:
        coord.request_stop()
        coord.join(threads)
    saver.save(sess, os.path.join(FOLDER, "model"))
    if CHANGE == "raises":
        raise ValueError("a mistake")
    if CHANGE == "status":
        sys.exit(3)
