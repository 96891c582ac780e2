"""`tf.contrib.learn.KMeansClustering`: points into clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue.contrib.learn import estimators, graph_actions
from tfqueue.estimator import _kmeans
from tfqueue.v1._types import Features, Tensors

_tf = _tensorflow.compat_v1()


class KMeansClustering(estimators.Estimator):
    """Points into clusters (`tf.contrib.learn.KMeansClustering`).

    The input function returns points, a float tensor `[batch, size]` or a dict of such, and None for labels.

    Args:
        num_clusters: int, how many clusters; not used where the centers are given.
        model_dir: Folder of the checkpoints and summaries; a new one when None.
        initial_clusters: `"random"`, `"kmeans_plus_plus"`, a float tensor or array `[clusters, size]`, or a
            function of a list with the points and of how many centers are missing.
        distance_metric: `"squared_euclidean"` or `"cosine"`.
        random_seed: int, the seed of the ops that draw centers.
        use_mini_batch: Whether each batch moves the centers. Otherwise each batch has to be all data.
        mini_batch_steps_per_iteration: Steps until the centers of the batches are taken over.
        kmeans_plus_plus_num_retries: int, how many points are tried for each center.
        relative_tolerance: float; a loss that changes by less than this part ends the training.
        config: A `RunConfig`.
    """

    SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = "squared_euclidean", "cosine"
    RANDOM_INIT, KMEANS_PLUS_PLUS_INIT = "random", "kmeans_plus_plus"
    SCORES, CLUSTER_IDX, ALL_SCORES = "scores", "cluster_idx", "all_scores"
    CLUSTERS, LOSS_OP_NAME = "clusters", "kmeans_loss"

    def __init__(
        self,
        num_clusters: int,
        model_dir: str | None = None,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        random_seed: int = 0,
        use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None,
        config: Any = None,
    ) -> None:
        given = {
            "num_clusters": num_clusters,
            "initial_clusters": initial_clusters,
            "distance_metric": distance_metric,
            "random_seed": random_seed,
            "use_mini_batch": use_mini_batch,
            "mini_batch_steps_per_iteration": mini_batch_steps_per_iteration,
            "kmeans_plus_plus_num_retries": kmeans_plus_plus_num_retries,
            "relative_tolerance": relative_tolerance,
        }
        super().__init__(self._clusters, model_dir, config, given)

    def _clusters(
        self, features: Features, labels: Tensors | None, mode: str, params: Any, config: Any
    ) -> estimators.ModelFnOps:
        assert labels is None, labels
        points = _kmeans.points_of(features, None)
        trains = mode == graph_actions.ModeKeys.TRAIN
        model = _kmeans.Model(
            params, points, params["random_seed"], trains, config, self.LOSS_OP_NAME
        )
        graph, loss = model.graph, model.loss
        return estimators.ModelFnOps(
            mode,
            {self.ALL_SCORES: graph.distances, self.CLUSTER_IDX: graph.nearest},
            loss,
            model.train_op,
            eval_metric_ops={self.SCORES: (loss, _tf.no_op())},
            training_hooks=model.hooks,
        )

    def predict_cluster_idx(self, input_fn: Callable[[], Any] | None = None) -> Iterator[Any]:
        """Yields the index of each point's cluster, an int."""
        for found in self.predict(input_fn=input_fn, outputs=[self.CLUSTER_IDX]):
            yield found[self.CLUSTER_IDX]

    def score(self, input_fn: Callable[[], Any] | None = None, steps: int | None = None) -> Any:
        """The sum of the distances of the last batch's points from their centers; cosine distances are halved.

        Args:
            input_fn: As for `fit`.
            steps: int, how many batches; until the data ends when None.
        """
        return np.sum(self.evaluate(input_fn=input_fn, steps=steps)[self.SCORES])

    def transform(
        self, input_fn: Callable[[], Any] | None = None, as_iterable: bool = False
    ) -> Any:
        """Each point's distances from all centers, those of the plane squared.

        Args:
            input_fn: As for `fit`.
            as_iterable: Whether to yield a dict with `"all_scores"` for each point.

        Returns:
            An array `[points, clusters]`, or an iterator.
        """
        found = self.predict(input_fn=input_fn, outputs=[self.ALL_SCORES], as_iterable=as_iterable)
        return found if as_iterable else found[self.ALL_SCORES]

    def clusters(self) -> Any:
        """The centers, an array `[clusters, size]`."""
        return self.get_variable_value(self.CLUSTERS)
