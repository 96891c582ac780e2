"""`SyncReplicasOptimizer`, whose chief's queue runner is a supervised one."""

from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.session.runner import QueueRunner

_tf = _tensorflow.compat_v1()


class SyncReplicasOptimizer(_tf.train.SyncReplicasOptimizer, metaclass=_tensorflow.StandsFor):
    """Applies the mean gradient of several workers at a time (`tf.train.SyncReplicasOptimizer`).

    The chief's queue runner collects the gradients, applies them, and puts a
    token for each worker into a queue, from which every worker takes one to go on.

    Args:
        opt: The `Optimizer` that applies them.
        replicas_to_aggregate: int, how many gradients make a step.
        total_num_replicas: int, how many workers there are.
        variable_averages: Optional `ExponentialMovingAverage`.
        use_locking: Whether updates lock.
        name: Name of the ops.
        replica_id: Not used: TensorFlow wanted it before 0.12.
    """

    __original__ = _tf.train.SyncReplicasOptimizer

    def __init__(
        self,
        opt: Any,
        replicas_to_aggregate: int,
        total_num_replicas: int | None = None,
        variable_averages: Any = None,
        variables_to_average: Sequence[Any] | None = None,
        use_locking: bool = False,
        name: str | None = "sync_replicas",
        replica_id: Any = None,
    ) -> None:
        super().__init__(
            opt,
            replicas_to_aggregate,
            total_num_replicas=total_num_replicas,
            variable_averages=variable_averages,
            variables_to_average=variables_to_average,
            use_locking=use_locking,
            name=name,
        )

    def get_chief_queue_runner(self) -> Any:
        """The `QueueRunner` that the chief has to start; after `apply_gradients`."""
        return QueueRunner.adopt(super().get_chief_queue_runner())
