"""`SyncReplicasOptimizer`, whose chief's queue runner is a supervised one."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.session.runner import QueueRunner
from tfqueue.v1._signatures import constructor

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
        replica_id: Not used: TensorFlow wanted it before 0.12.
    """

    __original__ = _tf.train.SyncReplicasOptimizer

    __init__ = constructor(
        "opt replicas_to_aggregate total_num_replicas=None variable_averages=None "
        "variables_to_average=None use_locking=False name='sync_replicas' replica_id=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        del given["replica_id"]
        super().__init__(**given)

    def get_chief_queue_runner(self) -> Any:
        """The `QueueRunner` that the chief has to start; after `apply_gradients`."""
        return QueueRunner.adopt(super().get_chief_queue_runner())
