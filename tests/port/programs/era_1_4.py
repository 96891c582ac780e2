"""In the manner of TensorFlow 1.4: a monitored session, a queue runner, internals, a lookup."""
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.ops import control_flow_ops
from tensorflow.python.training import queue_runner

numbers = tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()
odd = control_flow_ops.cond(tf.equal(numbers % 2, 1), lambda: numbers * 10, lambda: numbers)
queue = tf.RandomShuffleQueue(20, 0, [tf.int32], shapes=[[]])
queue_runner.add_queue_runner(queue_runner.QueueRunner(queue, [queue.enqueue(odd)]))
batch = queue.dequeue_up_to(4)
step = tf.train.get_or_create_global_step()
assert isinstance(batch, ops.Tensor)

seen = []
with tf.train.MonitoredTrainingSession() as sess:
    while not sess.should_stop():
        seen.extend(sess.run(batch))
print(sorted(np.asarray(seen, dtype=np.int).tolist()))
