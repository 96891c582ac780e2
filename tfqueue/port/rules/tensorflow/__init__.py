"""Rules about names and calls of TensorFlow 1: findings `tf-...`.

Each module, `*`, is a rule. Arguments of TensorFlow that changed need none: `v1._call_forms` reads a call in the form
of its release while the program runs, by `names/forms.txt`.
"""
