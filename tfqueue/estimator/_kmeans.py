"""`tf.estimator.experimental.KMeans`: points into clusters, by all data or by batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue import estimator as _estimator
from tfqueue.estimator import _export
from tfqueue.v1 import train as _train
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Column, Features, Op, Session, Tensor

_tf = _tensorflow.compat_v1()
_RANDOM, _PLUS_PLUS = "random", "kmeans_plus_plus"
_EUCLIDEAN, _COSINE = "squared_euclidean", "cosine"
_CENTERS = "clusters"


class Graph:
    """The graph of a model; the names of the variables are those of TensorFlow 1.15.

    Args:
        given: The arguments of `KMeans`.
        points: Float tensor `[batch, size]`.
        seed: Of the ops that draw centers.
    """

    def __init__(self, given: dict[str, Any], points: Tensor, seed: int | None) -> None:
        initial = self._initial = given["initial_clusters"]
        if not isinstance(initial, str) and not callable(initial):
            self._initial = _tf.convert_to_tensor(initial)
            self._count = _tf.shape(self._initial)[0]
        else:
            self._count = _tf.convert_to_tensor(given["num_clusters"])
        self._cosine = given["distance_metric"] == _COSINE
        self._retries = given["kmeans_plus_plus_num_retries"]
        self._batches = given["use_mini_batch"]
        self._every = int(given["mini_batch_steps_per_iteration"])
        self._apart = self._batches and self._every > 1
        self._seed = seed
        self._given = points
        self._points = _tf.nn.l2_normalize(points, 1) if self._cosine else points
        self._add_variables()
        self._initialize = self._initializer()

    def _add_variables(self) -> None:
        none = _tf.placeholder_with_default([], shape=None)
        self._centers = _tf.Variable(none, name=_CENTERS, validate_shape=False)
        self.is_initialized = _tf.Variable(False, dtype=_tf.bool, name="initialized")
        self._updated = self._centers
        if self._apart:
            self._updated = _tf.Variable(none, name="clusters_updated", validate_shape=False)
            self._left = _tf.Variable(self._every, dtype=_tf.int64, name="update_in_steps")
        if self._batches:
            counts = _tf.zeros if self._apart else _tf.ones
            self._counts = _tf.Variable(counts([self._count], dtype=_tf.int64))

    def _normal(self, centers: Tensor) -> Tensor:
        return _tf.nn.l2_normalize(centers, 1) if self._cosine else centers

    def measure(self) -> None:
        """Finds the distances to all centers, the nearest one, and the loss of each point."""
        centers = self._centers
        if self._batches and not self._apart:  # otherwise they are normal already
            centers = self._normal(centers)
        points = self._points
        product = _tf.matmul(points, centers, transpose_b=True)
        if self._cosine:
            self.distances = 1 - product
        else:
            squares = [
                _tf.reduce_sum(_tf.square(each), 1, keepdims=True) for each in (points, centers)
            ]
            self.distances = squares[0] - 2 * product + _tf.transpose(squares[1])
        nearest, losses = _tf.raw_ops.NearestNeighbors(points=points, centers=centers, k=1)
        losses *= 0.5 if self._cosine else 1.0
        self.losses, self.nearest = _tf.squeeze(losses, [-1]), _tf.squeeze(nearest, [-1])

    def _chosen(self, missing: Tensor) -> Tensor:
        """Centers to begin with: as many as are missing, or as a batch has."""
        points, count = self._given, _tf.shape(self._given)[0]
        if callable(self._initial):
            chosen: Tensor = self._initial([points], missing)
            return chosen
        if not isinstance(self._initial, str):
            fits = _tf.debugging.assert_equal(missing, _tf.shape(self._initial)[0])
            with _tf.control_dependencies([fits]):
                return _tf.identity(self._initial)
        if self._initial == _PLUS_PLUS:
            enough = _tf.debugging.assert_greater_equal(count, missing)
            with _tf.control_dependencies([enough]):
                return _tf.raw_ops.KmeansPlusPlusInitialization(
                    points=self._points,
                    num_to_sample=_tf.cast(missing, _tf.int64),
                    seed=self._seed,
                    num_retries_per_sample=self._retries,
                )

        def some() -> Tensor:
            top = _tf.cast(count, _tf.int64)
            which = _tf.random_uniform(_tf.reshape(missing, [-1]), 0, top, _tf.int64, self._seed)
            return _tf.gather(points, which)

        return _tf.cond(count <= missing, lambda: _tf.identity(points), some)

    def _initializer(self) -> Op:
        """The op that adds centers, from one batch, until there are as many as there should be."""
        found = _tf.shape(self._centers)[0]
        missing = self._count - found

        def add() -> Op:
            with _tf.control_dependencies([_tf.debugging.assert_positive(missing)]):
                new = self._normal(self._chosen(missing))
                every = _tf.cond(
                    _tf.equal(found, 0),
                    lambda: _tf.identity(new),
                    lambda: _tf.concat([self._centers, new], 0),
                )
                made = _tf.assign(self._centers, every, validate_shape=False)
                if self._apart:
                    made = _tf.assign(self._updated, made, validate_shape=False)
                return _tf.cond(
                    _tf.equal(self._count - _tf.shape(made)[0], 0),
                    lambda: _tf.assign(self.is_initialized, True).op,
                    _tf.no_op,
                )

        return _tf.cond(
            _tf.equal(missing, 0),
            lambda: _tf.debugging.assert_equal(self.is_initialized, True),
            add,
        )

    def training(self) -> Op:
        """Measures, and gives the op of one step.

        In 1.15 nothing orders what a step of batches reads and writes, and results differ from run to
        run. Here it is done in the order that comes most often there.
        """
        renewed = []
        if self._apart:
            less = lambda: _tf.identity(_tf.assign_sub(self._left, 1))  # noqa: E731
            renewed = [_tf.cond(self._left <= 0, self._renew, less)]
        with _tf.control_dependencies(renewed):
            self.measure()
            return self._of_a_batch() if self._batches else self._of_all()

    def _renew(self) -> Tensor:
        """Takes over the centers of the batches, and counts from the beginning."""
        with _tf.control_dependencies([_tf.assign(self._left, self._every - 1)]):
            centers = self._normal(_tf.identity(self._updated))
        with _tf.control_dependencies([_tf.assign(self._centers, centers, validate_shape=False)]):
            zeros = _tf.assign(self._counts, _tf.zeros_like(self._counts))
        with _tf.control_dependencies([zeros]):
            return _tf.identity(self._left)

    def _of_a_batch(self) -> Op:
        """Moves each center that a point is nearest to, the less the more points it had.

        The batch's points count twice, as they do in 1.15 wherever the new counts are read.
        """
        centers, points = self._updated, self._points
        used, which = _tf.unique(_tf.reshape(self.nearest, [-1]))
        number = _tf.size(used)
        more = _tf.unsorted_segment_sum(_tf.ones_like(which, dtype=_tf.int64), which, number)
        moved = _tf.unsorted_segment_sum(points, which, number)
        moved -= _tf.cast(more, points.dtype)[:, None] * _tf.gather(centers, used)
        with _tf.control_dependencies([_tf.scatter_add(self._counts, used, more)]):
            count = _tf.gather(self._counts, used) + more
        moved *= _tf.reciprocal(_tf.cast(count, points.dtype))[:, None]
        return _tf.scatter_add(centers, used, moved).op

    def _of_all(self) -> Op:
        """Moves each center to the middle of its points."""
        points = self._points
        ones = _tf.ones([_tf.shape(points)[0], 1])
        sums, counts = (
            _tf.unsorted_segment_sum(each, self.nearest, self._count) for each in (points, ones)
        )
        centers = sums / (_tf.cast(counts, sums.dtype) + _tf.constant(1e-6, points.dtype))
        return _tf.assign(self._centers, self._normal(centers)).op

    def hook(self, is_chief: bool) -> _Initializing:
        """The hook that initializes the centers."""
        return _Initializing(self._initialize, self.is_initialized, is_chief)


class _Initializing(_train.SessionRunHook):
    """Makes the first centers before a training, from as many batches as that takes."""

    def __init__(self, op: Op, is_initialized: Tensor, is_chief: bool) -> None:
        self._op, self._is_initialized, self._is_chief = op, is_initialized, is_chief

    def after_create_session(self, session: Session, coord: Any) -> None:
        """Makes them; another machine than the chief waits for them."""
        while not session.run(self._is_initialized):
            if self._is_chief:
                session.run(self._op)
            else:
                time.sleep(1)


class Settled(_train.SessionRunHook):
    """Ends a training once the loss changes by less than a part."""

    def __init__(self, loss: Tensor, tolerance: float) -> None:
        self._loss, self._tolerance, self._last = loss, tolerance, 0.0

    def before_run(self, run_context: Any) -> Any:
        """Fetches the loss."""
        return _train.SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Compares it with the last one."""
        loss, last = run_values.results, self._last
        if last and abs(loss - last) / (1 + abs(last)) < self._tolerance:
            run_context.request_stop()
        self._last = loss


class Model:
    """What the estimators of k-means have in common: the graph, its loss, a step and the hooks of a training.

    Args:
        given: The arguments of the estimator.
        points: As for `Graph`.
        seed: As for `Graph`.
        trains: Whether the step moves the centers.
        config: The estimator's.
        name: Name of the loss.
    """

    def __init__(
        self,
        given: dict[str, Any],
        points: Tensor,
        seed: int | None,
        trains: bool,
        config: Any,
        name: str | None = None,
    ) -> None:
        graph = self.graph = Graph(given, points, seed)
        step = _tf.no_op()
        if trains:
            step = graph.training()
        else:
            graph.measure()
        loss = self.loss = _tf.reduce_sum(graph.losses, name=name)
        _tf.summary.scalar("loss/raw", loss)
        with _tf.control_dependencies([step, _tf.assign_add(_train.get_global_step(), 1)]):
            self.train_op = _tf.identity(loss)
        self.hooks: list[Any] = [graph.hook(config.is_chief)]
        if given["relative_tolerance"] is not None:
            self.hooks.append(Settled(loss, given["relative_tolerance"]))


def points_of(features: Features, columns: Sequence[Column] | None) -> Tensor:
    if not isinstance(features, dict):
        return features
    if columns:
        return _tf.feature_column.input_layer(features, columns)
    return _tf.concat([features[name] for name in sorted(features)], 1)


class KMeans(_estimator.Estimator):
    """Points into clusters (`tf.estimator.experimental.KMeans`).

    The input function returns points, a float tensor `[batch, size]` or a dict of such, and no labels.

    Args:
        num_clusters: int, how many clusters; not used where the centers are given.
        model_dir: Folder of the checkpoints and summaries; a new one when None.
        initial_clusters: How the first centers are found: `"random"`, `"kmeans_plus_plus"`, a float
            tensor or array `[clusters, size]`, or a function of a list with the points and of how
            many centers are missing.
        distance_metric: `"squared_euclidean"` or `"cosine"`.
        seed: int. As in 1.15 only whether there is one counts, and the seed of `config`;
            `"kmeans_plus_plus"` needs one of them.
        use_mini_batch: Whether each batch moves the centers. Otherwise each batch has to be all data.
        mini_batch_steps_per_iteration: Steps until the centers of the batches are taken over.
        kmeans_plus_plus_num_retries: int, how many points are tried for each center.
        relative_tolerance: float; a loss that changes by less than this part ends the training.
        config: A `tf.estimator.RunConfig`.
        feature_columns: Columns of the points; all features in the order of their names when None.

    Raises:
        ValueError: If there is no such way to find centers, or no such distance.
    """

    SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = _EUCLIDEAN, _COSINE
    RANDOM_INIT, KMEANS_PLUS_PLUS_INIT = _RANDOM, _PLUS_PLUS
    SCORE, CLUSTER_INDEX, ALL_DISTANCES = "score", "cluster_index", "all_distances"
    CLUSTER_CENTERS_VAR_NAME = _CENTERS

    __init__ = constructor(
        "num_clusters model_dir=None initial_clusters='random' distance_metric='squared_euclidean' "
        "seed=None use_mini_batch=True mini_batch_steps_per_iteration=1 "
        "kmeans_plus_plus_num_retries=2 relative_tolerance=None config=None feature_columns=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        initial, metric = given["initial_clusters"], given["distance_metric"]
        if isinstance(initial, str) and initial not in (_RANDOM, _PLUS_PLUS):
            raise ValueError(f"Unsupported initialization algorithm '{initial}'")
        if metric not in (_EUCLIDEAN, _COSINE):
            raise ValueError(f"Unsupported distance metric '{metric}'")
        self._arguments = given
        super().__init__(self._clusters, given["model_dir"], given["config"])

    def _seed_of_ops(self, seed: int | None) -> int | None:
        # as in 1.15: the graph's seed, where there is one or the model has one
        found: int | None = _tf.get_seed(seed)[0]
        return found

    def _clusters(self, features: Features, mode: str, config: Any) -> _estimator.EstimatorSpec:
        given = self._arguments
        points = points_of(features, given["feature_columns"])
        model = Model(
            given,
            points,
            self._seed_of_ops(given["seed"]),
            mode == _estimator.ModeKeys.TRAIN,
            config,
        )
        graph, loss = model.graph, model.loss
        predictions = {self.ALL_DISTANCES: graph.distances, self.CLUSTER_INDEX: graph.nearest}
        outputs = {name: _export.PredictOutput(value) for name, value in predictions.items()}
        default = _tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
        outputs[default] = _export.PredictOutput(graph.nearest)
        return _estimator.EstimatorSpec(
            mode,
            predictions,
            loss,
            model.train_op,
            eval_metric_ops={self.SCORE: _tf.metrics.mean(loss)},
            training_hooks=model.hooks,
            export_outputs=outputs,
        )

    def _one(self, input_fn: Callable[..., Any], key: str) -> Iterator[Any]:
        for found in self.predict(input_fn, predict_keys=[key]):
            yield found[key]

    def predict_cluster_index(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields the index of each point's cluster, an int."""
        return self._one(input_fn, self.CLUSTER_INDEX)

    def score(self, input_fn: Callable[..., Any]) -> float:
        """The sum of the distances of one batch's points from their centers; cosine distances are halved.

        Args:
            input_fn: As for `train`.
        """
        found: float = self.evaluate(input_fn, steps=1)[self.SCORE]
        return found

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields each point's distances from all centers, an array `[clusters]`."""
        squared = self._arguments["distance_metric"] == _EUCLIDEAN
        for distances in self._one(input_fn, self.ALL_DISTANCES):
            yield np.sqrt(distances) if squared else distances

    def cluster_centers(self) -> Any:
        """The centers, an array `[clusters, size]`."""
        return self.get_variable_value(_CENTERS)
