"""Rules about names and calls of TensorFlow 1: findings `tf-...`.

Each module, `*`, is a rule. A call whose text alone shows what it meant has one: `concat_split`, `calls`, `losses`,
`dataset_map`, `initializer_shape`. All others need none: `v1._call_forms` reads a call in the form of its release
while the program runs, by `names/forms.txt`.
"""
