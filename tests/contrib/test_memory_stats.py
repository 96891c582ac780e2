"""`tf.contrib.memory_stats`: of a CPU it gives what TensorFlow 1.15.5 and 1.4.1 to 1.14.0 did."""

import importlib
import types

import pytest

import tfqueue.v1 as tf
from tfqueue import release

memory = tf.contrib.memory_stats


def run(value):
    with tf.Session() as sess:
        return sess.run(value)


@pytest.mark.parametrize(("of", "limit"), [(None, -1), ("1.14", -1), ("1.13", 0), ("1.4", 0)])
def test_a_cpu_has_no_limit(of, limit):
    release.assume(of)
    try:
        with tf.device("/cpu:0"):
            found = memory.BytesLimit()
    finally:
        release.assume(None)
    assert (found.name, found.dtype, found.shape.as_list()) == ("BytesLimit:0", tf.int64, [])
    assert run(found) == limit


@pytest.mark.parametrize("name", ["BytesInUse", "MaxBytesInUse"])
def test_what_a_cpu_holds_is_not_known(name):
    with tf.device("/cpu:0"):
        found = getattr(memory, name)()
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"{name} is for GPUs alone"):
        run(found)


def test_a_gpu_that_is_not_there():
    with tf.device("/gpu:7"):
        found = memory.BytesLimit()
    with pytest.raises(tf.errors.InvalidArgumentError, match="its device, GPU, is none here"):
        run(found)


def test_a_gpu_is_asked_when_the_op_runs(monkeypatch):
    """On a machine without one: what TensorFlow says of GPUs is said here."""
    asked = []
    gpus = [types.SimpleNamespace(name=f"/device:GPU:{i}", memory_limit=100 + i) for i in (0, 1)]
    monkeypatch.setattr(tf.compat.v1.config, "list_logical_devices", lambda kind: gpus)
    monkeypatch.setattr(memory.device_lib, "list_local_devices", lambda: gpus)

    def info(gpu):
        asked.append(gpu)
        return {"current": len(asked), "peak": 10 * len(asked)}

    monkeypatch.setattr(tf.compat.v1.config.experimental, "get_memory_info", info)
    first = memory.BytesInUse()
    with tf.device("/gpu:1"):
        most, limit = memory.MaxBytesInUse(), memory.BytesLimit()
    with tf.Session() as sess:
        assert [sess.run(one) for one in (first, most, first, limit)] == [1, 20, 3, 101]
    assert asked == ["GPU:0", "GPU:1", "GPU:0"]


def test_its_modules():
    name = "tfqueue.v1.contrib.memory_stats.python.ops.memory_stats_ops"
    assert importlib.import_module(name).BytesInUse is memory.BytesInUse
