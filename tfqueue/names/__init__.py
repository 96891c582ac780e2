"""The names of TensorFlow 1 as plain data: what moved, and what is gone with what to use for it.

Nothing of tfqueue is imported here, and no TensorFlow: `v1`, `contrib` and `port` all read these
tables.

* `moved`: names that are others today; `forms`, with `forms.txt`: arguments that are. `older_forms`: arguments of
  0.6 to 0.11.
* `gone`, and `gone_contrib` for those of `tf.contrib`: names that are not brought back; `sentence` says it.
* `modules`: where the modules of `tf.contrib` are; `internals`: names that modules of `tensorflow.python` have lost.
* `keras`: the modules, names and arguments of Keras 1 and 2.
* `libraries`: the order of arguments in other libraries of the day; `values`: their functions that give other
  values today.
* `ledger`: what each release had.
"""
