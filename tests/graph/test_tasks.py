"""The names of tasks, and where they are."""

import pytest

from tfqueue.graph import tasks


@pytest.mark.parametrize(
    ("device", "task"),
    [
        ("/job:ps/task:0", ("ps", 0)),
        ("/job:worker/replica:0/task:12/device:GPU:1", ("worker", 12)),
        ("/job:ps", None),
        ("/device:CPU:0", None),
        ("", None),
        (None, None),
    ],
)
def test_the_task_of_a_device(device, task):
    assert tasks.task_of(device) == task


def test_tasks_in_a_text_stand_there_once_each():
    text = "'/job:worker/replica:0/task:1' left; /job:ps/task:0, /job:worker/task:1/device:CPU:0"
    assert tasks.tasks_in(text) == [("worker", 1), ("ps", 0)]
    assert tasks.name_of(("worker", 1)) == "/job:worker/task:1"


def test_what_is_elsewhere_and_what_a_task_is_called():
    cluster = tasks.Cluster({("ps", 0): "host:1"}, ("worker", 0))
    assert cluster.is_elsewhere("/job:ps/task:0")
    assert not cluster.is_elsewhere("/job:worker/task:0/device:CPU:0")
    assert not cluster.is_elsewhere("/device:CPU:0")
    assert not tasks.Cluster({}, None).is_elsewhere("/job:ps/task:0")
    assert cluster.told(("ps", 0)) == "/job:ps/task:0 at host:1"
    assert cluster.told(("ps", 1)) == "/job:ps/task:1"
