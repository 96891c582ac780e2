"""The names of TensorFlow 1 as plain data: what moved, and what is gone with what to use for it.

Nothing of tfqueue is imported here, and no TensorFlow: `v1`, `contrib` and `port` all read these
tables.
"""
