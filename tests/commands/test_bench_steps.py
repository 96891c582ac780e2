"""How `tfqueue bench` takes batches and counts examples, without the processes that it starts."""

import types

import pytest

import tfqueue.v1 as tf
from tfqueue import cli
from tfqueue.commands import bench


@pytest.mark.parametrize(
    ("name", "said"), [(".", "is a directory"), ("no.py", "no such file or directory")]
)
def test_what_is_no_program(name, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["bench", name]) == 2
    assert capsys.readouterr().err == f"tfqueue: {name}: {said}\n"


class Session:
    """Gives rows of two components: three examples, and a number; until the data ends."""

    def __init__(self, steps):
        self.left = steps

    def run(self, fetches):
        assert fetches == "fetches"
        if not self.left:
            raise tf.errors.OutOfRangeError(None, None, "end")
        self.left -= 1
        return [[[1, 2, 3], 7]]


def clock(monkeypatch, step):
    """Time goes on by `step` seconds whenever somebody looks."""
    ticks = iter(range(10**6))
    fake = types.SimpleNamespace(perf_counter=lambda: next(ticks) * step)
    monkeypatch.setattr(bench, "time", fake)
    monkeypatch.setattr(bench, "_cpu", iter([1.0, 3.0, 9.0, 21.0]).__next__)


def drained(op, steps, seconds):
    take = types.SimpleNamespace(op=types.SimpleNamespace(type=op))
    return bench._drained(Session(steps), "fetches", take, seconds, 0.0)


@pytest.mark.parametrize(
    ("op", "each"), [("QueueDequeueManyV2", 3), ("QueueDequeueUpToV2", 3), ("QueueDequeueV2", 1)]
)
def test_data_that_ends_early_is_counted_from_the_first_batch(op, each, monkeypatch):
    clock(monkeypatch, 0.25)
    told = drained(op, 4, 100.0)
    # four batches in twenty looks at the clock; the second second has one batch
    assert told == {
        "examples_per_second": pytest.approx(each * 4 / 5),
        "first_batch_seconds": 0.0,
        "cpu_seconds_per_example": pytest.approx(6 / each),
        "data_ended": True,
        "by_second": [each * 2, each],
    }


def test_the_warm_up_does_not_count(monkeypatch):
    clock(monkeypatch, 0.25)
    told = drained("QueueDequeueManyV2", 1000, 3.0)
    assert (told["examples_per_second"], told["data_ended"]) == (4.0, False)
    assert told["cpu_seconds_per_example"] == pytest.approx(6 / 15)
    assert told["by_second"] == [6, 3, 6, 6]
