"""`tf.contrib.factorization`: k-means, as a graph and as an estimator."""

from collections.abc import Callable, Iterator
from typing import Any

from tensorflow.python.ops import clustering_ops as _core

from tfqueue.estimator import _kmeans
from tfqueue.names.sentence import GoneUseError
from tfqueue.v1 import _call_forms, _lazy_names
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Tensor

__all__ = ["KMeans", "KMeansClustering"]
_NAMES = "COSINE_DISTANCE KMEANS_PLUS_PLUS_INIT RANDOM_INIT SQUARED_EUCLIDEAN_DISTANCE"
_ROWS = {name: f"tensorflow.python.ops.clustering_ops:{name}" for name in _NAMES.split()}
_ROWS["clustering_ops"] = __name__

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)


class KMeans(_core.KMeans):
    """The graph of k-means (`tf.contrib.factorization.KMeans`).

    Args:
        inputs: Float tensor `[points, size]`, or a list of such.
        num_clusters: int, how many clusters; not used where the centers are given.
        initial_clusters: `"random"`, `"kmeans_plus_plus"`, `"kmc2"`, a float tensor or array
            `[clusters, size]`, or a function of a list with the points and of how many centers are missing.
        distance_metric: `"squared_euclidean"` or `"cosine"`.
        use_mini_batch: Whether each batch moves the centers.
        mini_batch_steps_per_iteration: Steps until the centers of the batches are taken over.
        random_seed: int, the seed of the ops that draw centers.
        kmeans_plus_plus_num_retries: int, how many points are tried for each center.
        kmc2_chain_length: int, how many points are looked at for each center of `"kmc2"`.

    Raises:
        ValueError: If there is no such way to find centers, or no such distance.
        GoneUseError: In a program for TensorFlow 1.0, whose graph had other parts.
    """

    def __init__(
        self,
        inputs: Tensor,
        num_clusters: Tensor,
        initial_clusters: Any = _core.RANDOM_INIT,
        distance_metric: str = _core.SQUARED_EUCLIDEAN_DISTANCE,
        use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1,
        random_seed: int = 0,
        kmeans_plus_plus_num_retries: int = 2,
        kmc2_chain_length: int = 200,
    ) -> None:
        if _call_forms.reaches("1.0"):
            use = "it gives six tensors and ops since, among them one that finds the first centers"
            raise GoneUseError("tf.contrib.factorization.KMeans of four tensors", "1.1", use)
        super().__init__(
            inputs,
            num_clusters,
            initial_clusters,
            distance_metric,
            use_mini_batch,
            mini_batch_steps_per_iteration,
            random_seed,
            kmeans_plus_plus_num_retries,
            kmc2_chain_length,
        )
        self._seed = random_seed  # today's takes the graph's in its place

    def training_graph(self) -> tuple[Any, ...]:
        """The graph.

        Returns:
            For each tensor of inputs the distances from all centers, in a list, and so the nearest center and the
            distance from it; whether there are first centers, the op that finds them, and the op of one step. In
            1.4 the variable of the centers is before the last two.
        """
        parts = super().training_graph()
        if _call_forms.reaches("1.4") and not _call_forms.reaches("1.3"):
            return (*parts[:4], self._variables[0], *parts[4:])
        return tuple(parts)

    def _create_variables(self, num_clusters: Tensor) -> tuple[Any, ...]:
        self._variables = super()._create_variables(num_clusters)
        return tuple(self._variables)


class KMeansClustering(_kmeans.KMeans):
    """The estimator of k-means (`tf.contrib.factorization.KMeansClustering`).

    It is `tf.estimator.experimental.KMeans` with another argument, another result of `transform`, and another meaning
    of the seed.

    Args:
        random_seed: int, the seed of the ops that draw centers.
        others: As for `tf.estimator.experimental.KMeans`.

    Raises:
        GoneUseError: In a program for TensorFlow 0.12, where it was the one of `tf.contrib.learn`.
    """

    ALL_SCORES, CLUSTERS, CLUSTER_IDX, SCORES = "all_scores", "clusters", "cluster_idx", "scores"

    __init__ = constructor(
        "num_clusters model_dir=None initial_clusters='random' distance_metric='squared_euclidean' "
        "random_seed=0 use_mini_batch=True mini_batch_steps_per_iteration=1 "
        "kmeans_plus_plus_num_retries=2 relative_tolerance=None config=None feature_columns=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        if _call_forms.reaches("0.12"):
            use = "tf.contrib.learn.KMeansClustering"
            raise GoneUseError("tf.contrib.factorization.KMeansClustering with fit", "1.0", use)
        super()._init_with({**given, "seed": given["random_seed"]})

    def _seed_of_ops(self, seed: int | None) -> int | None:
        return seed

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields each point's distances from all centers, those of the plane squared."""
        return self._one(input_fn, self.ALL_DISTANCES)
