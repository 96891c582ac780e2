"""The names of TensorFlow 1 as plain data: what moved, and what is gone with what to use for it.

Nothing of tfqueue is imported here, and no TensorFlow: `v1`, `contrib` and `port` all read these
tables.

* `moved`: names that are others today; `forms`, with `forms.txt`: arguments that are. `older`: arguments of
  0.6 to 0.11.
* `gone`, `contrib` and `modules`: names that are not brought back, and where modules of `tf.contrib` are;
  `sentence` says it.
* `ledger`: what each release had.
"""
