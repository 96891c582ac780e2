"""What holds for the whole run of the tests; imports no TensorFlow. `tests/conftest.py` takes it in."""
