"""Small graph programs that must do on tfqueue what they do on plain TensorFlow.

Each program is a function of a TensorFlow namespace and a `Stage`. `record.py` runs them all on
`tensorflow.compat.v1` and writes `golden/`; the tests run them on `tfqueue.v1` with chunks on, off
and of a fixed size, and compare.
"""
