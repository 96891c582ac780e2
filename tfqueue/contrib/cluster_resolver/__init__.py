"""`tf.contrib.cluster_resolver`, which is `tf.distribute.cluster_resolver`."""

from tfqueue.v1 import _lazy_names

_NAMES = (
    "ClusterResolver GCEClusterResolver KubernetesClusterResolver SimpleClusterResolver "
    "SlurmClusterResolver TFConfigClusterResolver TPUClusterResolver"
)
_ROWS = {
    **{name: f"tf:distribute.cluster_resolver.{name}" for name in _NAMES.split()},
    "UnionClusterResolver": "tf:distribute.cluster_resolver.UnionResolver",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
