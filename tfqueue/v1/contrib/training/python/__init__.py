"""Where TensorFlow 1.15 had the modules of `tf.contrib.training`."""
