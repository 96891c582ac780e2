"""Runs under TensorFlow 1.15.5 on Python 3.7 (make.py starts it): writes the goldens of that era."""

if __name__ == "__main__":
    import record

    record.main("115", release="1.15.5")
