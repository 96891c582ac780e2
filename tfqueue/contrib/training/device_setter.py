"""`tf.contrib.training`'s strategies for `ps_strategy` of `tf.train.replica_device_setter`.

Each is called with an op and gives the number of the task, or of the device, that is to hold it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

__all__ = ["GreedyLoadBalancingStrategy", "RandomStrategy", "byte_size_load_fn"]


class GreedyLoadBalancingStrategy:
    """Gives each op to the task with the least so far (`tf.contrib.training.GreedyLoadBalancingStrategy`).

    Of several with the least, the first has it.

    Args:
        num_tasks: How many tasks there are.
        load_fn: Takes an op and returns what it adds to its task, in any unit.
    """

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], float]) -> None:
        self._loads = [0.0] * num_tasks
        self._load_fn = load_fn

    def __call__(self, op: Any) -> int:
        task = self._loads.index(min(self._loads))
        self._loads[task] += self._load_fn(op)
        return task


class RandomStrategy:
    """Gives an op to a task by its name, the same in each run (`tf.contrib.training.RandomStrategy`).

    Args:
        num_ps_tasks: How many tasks there are.
        seed: Another number gives other tasks.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._number = num_ps_tasks
        self._seed = seed

    def __call__(self, op: Any) -> int:
        digest = hashlib.md5(f"{op.name}_{self._seed}".encode(), usedforsecurity=False)
        return int(digest.hexdigest(), 16) % self._number


def byte_size_load_fn(op: Any) -> int:
    """The bytes of an op's one output (`tf.contrib.training.byte_size_load_fn`).

    That of a resource variable is a handle of one byte, so that all of them weigh the same.

    Raises:
        ValueError: It has no output or several, or one whose shape is not known.
    """
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    shape = op.outputs[0].shape
    shape.assert_is_fully_defined()
    return int(shape.num_elements()) * max(1, int(op.outputs[0].dtype.size))
