"""Runs under TensorFlow 0.12.1 on Python 2.7 (make.py starts it): what only that era had."""

if __name__ == "__main__":
    import record

    record.main("012", release="0.12.1")
