"""`tf.contrib.distribute`: strategies with one replica, for the `RunConfig` of an estimator.

An estimator trains with one replica as it trains without a strategy. Of several, each would take a
batch of its own; a strategy for so many is refused when it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tfqueue import _tensorflow
from tfqueue.estimator import _training
from tfqueue.v1 import _lazy_names

_tf = _tensorflow.compat_v1()
_LIB = "tensorflow.python.distribute.distribute_lib"
_OF_TODAY = "CrossDeviceOps ReplicaContext get_loss_reduction get_replica_context get_strategy has_strategy in_cross_replica_context"
_ROWS = {
    **{name: f"tf:distribute.{name}" for name in _OF_TODAY.split()},
    "AllReduceCrossTowerOps": f"{__name__}:AllReduceCrossDeviceOps",  # up to 1.12
    "CrossTowerOps": "tf:distribute.CrossDeviceOps",
    "DistributionStrategy": "tf:distribute.Strategy",
    "ReductionToOneDeviceCrossDeviceOps": "tf:distribute.ReductionToOneDevice",
    "ReductionToOneDeviceCrossTowerOps": "tf:distribute.ReductionToOneDevice",
    "UpdateContext": f"{_LIB}:UpdateContext",
    "get_cross_replica_context": f"{_LIB}:get_cross_replica_context",
    "get_cross_tower_context": f"{_LIB}:get_cross_replica_context",
    "get_distribution_strategy": "tf:distribute.get_strategy",
    "get_tower_context": "tf:distribute.get_replica_context",
    "has_distribution_strategy": "tf:distribute.has_strategy",
    "require_replica_context": f"{_LIB}:require_replica_context",
    "require_tower_context": f"{_LIB}:require_replica_context",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)


class DistributeConfig(NamedTuple):
    """Strategies for `tf.estimator.RunConfig(experimental_distribute=...)`."""

    train_distribute: Any = None
    eval_distribute: Any = None
    remote_cluster: Any = None


class AllReduceCrossDeviceOps(_tf.distribute.CrossDeviceOps):
    """How gradients of several devices are added up; with one there is nothing to add, and no argument is used."""

    def __init__(
        self,
        all_reduce_alg: str = "nccl",
        num_packs: int = 1,
        agg_small_grads_max_bytes: int = 0,
        agg_small_grads_max_group: int = 10,
    ) -> None:
        super().__init__()


class OneDeviceStrategy(_tf.distribute.OneDeviceStrategy):
    """One replica, on one device.

    Args:
        device: str, such as `"/gpu:0"`.
        prefetch_on_device: Not used.
    """

    def __init__(self, device: str, prefetch_on_device: bool | None = None) -> None:
        super().__init__(device)
        self._device = device

    @property
    def num_towers(self) -> int:
        """The number of replicas, as up to 1.12 it was called."""
        return 1

    @property
    def is_single_tower(self) -> bool:
        """Whether there is one replica."""
        return True

    @property
    def worker_devices(self) -> list[str]:
        """The device of the replica."""
        return [self._device]

    @property
    def parameter_devices(self) -> list[str]:
        """The device of the variables."""
        return [self._device]

    def call_for_each_tower(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """What `fn` gives for the replica, as up to 1.12 it was called."""
        return self.extended.call_for_each_replica(fn, args, kwargs)


class _Gpus(OneDeviceStrategy):
    """A strategy for several GPUs of a machine, where there is one at the most."""

    def __init__(self, replicas: int, device: str | None = None) -> None:
        _training.require_one_replica(type(self).__name__, replicas)
        super().__init__(device or ("/gpu:0" if _gpus() else "/cpu:0"))


class MirroredStrategy(_Gpus):
    """A replica for each GPU; without a GPU one, on the CPU.

    Args:
        devices: List of one str, the device.
        num_gpus: int, at most 1; the number that there are, if None.
        num_gpus_per_worker: int, the same.
        cross_device_ops: Not used: there is nothing to add up.
        auto_shard_dataset: Not used.
        cross_tower_ops: Not used.
        prefetch_on_device: Not used.

    Raises:
        ValueError: If there are both devices and a number of GPUs, or two numbers.
        NotImplementedError: If that makes more than one replica.
    """

    def __init__(
        self,
        devices: Sequence[str] | None = None,
        num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None,
        cross_device_ops: Any = None,
        auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
        prefetch_on_device: bool | None = None,
    ) -> None:
        numbers = [each for each in (num_gpus, num_gpus_per_worker) if each is not None]
        if len(numbers) == 2:
            raise ValueError("Must only specify one of `num_gpus` and `num_gpus_per_worker`.")
        if devices is not None and numbers:
            raise ValueError("Must only specify one of `devices` and `num_gpus`.")
        if devices is not None:
            super().__init__(len(devices), *devices[:1])
        else:
            super().__init__(numbers[0] if numbers else _gpus())


class ParameterServerStrategy(_Gpus):
    """A replica for each GPU, with variables on the CPU.

    Args:
        num_gpus_per_worker: int, at most 1.

    Raises:
        NotImplementedError: If it is more.
    """

    def __init__(self, num_gpus_per_worker: int = 0) -> None:
        super().__init__(num_gpus_per_worker)


class CollectiveAllReduceStrategy(_Gpus):
    """A replica for each GPU of each worker.

    Args:
        num_gpus_per_worker: int, at most 1.
        communication: Not used: there is nothing to exchange.

    Raises:
        NotImplementedError: If there is more than one GPU.
    """

    def __init__(self, num_gpus_per_worker: int = 0, communication: Any = None) -> None:
        super().__init__(num_gpus_per_worker)


def _gpus() -> int:
    return len(_tf.config.list_physical_devices("GPU"))
