"""Rules about names and calls of TensorFlow 1: findings `tf-...`.

Each module, `*`, is a rule.
"""
