"""Rules about names and calls of TensorFlow 1: findings `tf-...`."""
