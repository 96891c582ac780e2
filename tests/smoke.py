"""What the wheel alone must do: `python -I tests/smoke.py`, where nothing but the wheel is installed.

Run in an empty folder. Imports nothing of the project but the installed package.
"""

import importlib.metadata
import importlib.resources
import pathlib
import re
import subprocess
import sys

OLD = """
import tensorflow as tf
names = tf.train.string_input_producer(['rows.csv'], num_epochs=1, shuffle=False)
_, line = tf.TextLineReader().read(names)
a, b = tf.decode_csv(line, [[0], [0]])
batch = tf.train.batch([a, b], 3)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    try:
        while True:
            print sess.run(batch)[0].sum()
    except tf.errors.OutOfRangeError:
        print 'done'
    coord.request_stop()
    coord.join(threads)
"""


def tfqueue(*arguments, code=0):
    """What the command says."""
    command = [str(pathlib.Path(sys.executable).with_name("tfqueue")), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout or done.stderr


def main():
    """Uses each door once."""
    files = {str(file) for file in importlib.metadata.files("tfqueue")}
    assert "tfqueue/py.typed" in files
    assert not any(file.startswith(("tests/", "examples/", "docs/")) for file in files)
    assert (importlib.resources.files("tfqueue") / "py.typed").is_file()
    version = importlib.metadata.version("tfqueue")
    assert tfqueue("--version") == f"tfqueue {version}\n"

    from tfqueue import records

    assert "tensorflow" not in sys.modules
    records.write("a.tfrecord", ({"n": n} for n in range(10)))
    assert [example["n"].item() for example in records.examples("a.tfrecord")] == list(range(10))
    assert "tf.FixedLenFeature([], tf.int64)" in tfqueue("records", "schema", "a.tfrecord")
    assert tfqueue("records", "verify", "a.tfrecord").startswith("a.tfrecord: good, 10 records")

    pathlib.Path("rows.csv").write_text("".join(f"{n},{n * n}\n" for n in range(9)))
    pathlib.Path("old.py").write_text(OLD)
    if sys.version_info < (3, 13):
        assert tfqueue("run", "old.py").split() == ["3", "12", "21", "done"]
    else:  # the first Python without lib2to3
        assert "pip install 'tfqueue[port]'" in tfqueue("run", "old.py", code=2)
    pathlib.Path("old3.py").write_text(re.sub(r"print (.*)", r"print(\1)", OLD))
    assert "string_input_producer" in tfqueue("check", "old3.py", code=1)
    assert tfqueue("run", "old3.py").split() == ["3", "12", "21", "done"]
    tfqueue("draw", "old3.py", "-o", "p.svg")
    assert pathlib.Path("p.svg").read_text("utf-8").startswith("<svg")
    for arguments, extra in (
        (("draw", "old3.py", "-o", "p.png"), "images"),
        (("completion", "bash"), "completion"),
    ):
        assert f"pip install 'tfqueue[{extra}]'" in tfqueue(*arguments, code=2)

    import tfqueue as package
    import tfqueue.v1 as tf

    names = tf.train.string_input_producer(["a.tfrecord"], num_epochs=1, shuffle=False)
    _, record = tf.TFRecordReader().read(names)
    number = tf.parse_single_example(record, {"n": tf.FixedLenFeature([], tf.int64)})["n"]
    batch = tf.train.batch([number], 5)
    with package.managed_session() as sess:
        found = [step.tolist() for step in sess.batches(batch)]
    assert found == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]], found
    print(
        f"tfqueue {version} on Python {sys.version.split()[0]}, TensorFlow {tf.__version__}: good"
    )


if __name__ == "__main__":
    main()
