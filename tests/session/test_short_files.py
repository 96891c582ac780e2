"""Files that are shorter than the header of their records, which TensorFlow takes for the end."""

from __future__ import annotations

import contextlib
import resource

import pytest

import tfqueue
import tfqueue.v1 as tf


@pytest.fixture(params=["0", "32", None], ids=["0", "32", "unset"])
def chunks(request, monkeypatch):
    """How many examples a step of a runner has."""
    if request.param is None:
        monkeypatch.delenv("TFQUEUE_CHUNKS", raising=False)
    else:
        monkeypatch.setenv("TFQUEUE_CHUNKS", request.param)


def batched(key):
    return tf.train.batch([key], 1)[0]


def by_hand(key):
    return key


def run(folder, sizes, build, **layout):
    """The names of the files that records came of, one each, and the error at the end."""
    paths = [folder / f"{number}" for number, _ in enumerate(sizes)]
    for path, size in zip(paths, sizes, strict=True):
        path.write_bytes(bytes(size))
    names = tf.train.string_input_producer([str(path) for path in paths], 1, shuffle=False)
    out = build(tf.FixedLengthRecordReader(4, **layout).read(names)[0])
    got = []
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.OpError) as raised:
            while True:
                got.append(int(sess.run(out).decode().rpartition(":")[0][-1]))
        coord.request_stop()
        if isinstance(raised.value, tf.errors.OutOfRangeError):
            coord.join(threads)
    return got, raised.value


@pytest.mark.parametrize("build", [batched, by_hand])
def test_it_is_no_end_of_the_data(build, chunks, tmp_path):
    for sizes, layout, before in [
        ((36, 3, 36), {"header_bytes": 16}, [0] * 5),
        ((36, 0, 36), {"header_bytes": 16}, [0] * 5),
        ((36, 3), {"header_bytes": 16}, [0] * 5),
        ((18, 3, 18), {"header_bytes": 4, "footer_bytes": 6}, [0] * 2),
        ((24, 3, 24), {"header_bytes": 4, "hop_bytes": 8}, [0] * 3),
    ]:
        with tf.Graph().as_default():
            got, error = run(tmp_path, sizes, build, **layout)
            assert got == before
            assert isinstance(error, tf.errors.DataLossError)
            story = "\n".join(error.__notes__)
            has = "0 bytes" if not sizes[1] else "3 bytes"
            assert f"{tmp_path / '1'} has {has}, and header_bytes is" in story


@pytest.mark.parametrize("build", [batched, by_hand])
def test_files_that_only_hold_nothing_end_the_data(build, chunks, tmp_path):
    """What comes of them is what `tensorflow.compat.v1` gives."""
    for sizes, layout, expected in [
        ((8, 0, 8), {}, [0, 0, 2, 2]),
        ((8, 3, 8), {}, [0, 0, 2, 2]),
        ((36, 16, 36), {"header_bytes": 16}, [0] * 5 + [2] * 5),
        ((10, 3, 10), {"footer_bytes": 6}, [0, 2]),
        ((20, 7, 20), {"header_bytes": 4, "footer_bytes": 6}, [0, 0, 2, 2]),
        ((11, 11), {"hop_bytes": 6}, [0, 0, 1, 1]),
        ((10, 3, 10), {"hop_bytes": 2}, [0] * 4 + [2] * 4),
    ]:
        with tf.Graph().as_default():
            got, error = run(tmp_path, sizes, build, **layout)
            assert isinstance(error, tf.errors.OutOfRangeError)
            assert got == expected


def test_a_program_that_reads_by_hand_may_go_on(tmp_path):
    paths = [tmp_path / "short", tmp_path / "sound"]
    paths[0].write_bytes(b"abc")
    paths[1].write_bytes(b"header00data")
    names = tf.train.string_input_producer([str(path) for path in paths], 1, shuffle=False)
    value = tf.FixedLengthRecordReader(4, header_bytes=8).read(names)[1]
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.DataLossError):
            sess.run(value)
        assert sess.run(value) == b"data"
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(value)


@pytest.fixture
def cut(tmp_path):
    """A `Saver` of one variable, and a checkpoint of it that is cut short."""
    saver = tf.train.Saver([tf.get_variable("v", shape=[1000])])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        path = saver.save(sess, str(tmp_path / "model"), write_meta_graph=False)
    with open(path + ".data-00000-of-00001", "r+b") as file:
        file.truncate(100)
    return saver, path


def restore(sess, saver, path, batch):
    saver.restore(sess, path)


def restore_under_a_coordinator(sess, saver, path, batch):
    coord = tf.train.Coordinator()
    with coord.stop_on_exception():
        saver.restore(sess, path)
    coord.join([])


def restore_in_a_runner(sess, saver, path, batch):
    assert list(sess.batches(batch)) == []


@pytest.mark.parametrize("what", [restore, restore_under_a_coordinator, restore_in_a_runner])
def test_a_checkpoint_that_is_cut_is_no_end_of_the_data(what, cut):
    saver, path = cut
    batch = None
    if what is restore_in_a_runner:
        value = tf.raw_ops.RestoreV2(
            prefix=path, tensor_names=["v"], shape_and_slices=[""], dtypes=[tf.float32]
        )[0]
        batch = tf.train.batch([tf.reshape(value, [1000])], 1)
    with pytest.raises(tf.errors.DataLossError, match="less bytes than requested"):
        with tfqueue.managed_session() as sess:
            what(sess, saver, path, batch)


def test_a_counter_that_reaches_its_limit_is_an_end():
    count = tf.Variable(0, trainable=False).count_up_to(2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert [sess.run(count), sess.run(count)] == [0, 1]
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(count)


@contextlib.contextmanager
def largest_file(size):
    """Within the block no file grows beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("write", ["checkpoint", "file"])
def test_a_file_that_is_too_large_to_be_written_is_no_end_of_the_data(write, tmp_path):
    path = str(tmp_path / "out")
    number = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    large = tf.fill([100_000], tf.cast(number, tf.float32))
    if write == "file":
        step = tf.write_file(path, tf.reduce_join(tf.as_string(large)))
    else:
        step = tf.raw_ops.SaveV2(
            prefix=path, tensor_names=["x"], shape_and_slices=[""], tensors=[large]
        )
    with tfqueue.managed_session() as sess:
        sess.run(step)
        with largest_file(1000), pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            sess.run(step)
        assert "too large" in str(caught.value)
        sess.run(step)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(step)
