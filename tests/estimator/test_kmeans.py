"""How k-means finds its first centers: whichever they are, 1.15.5 ends with the same ones on these points."""

import numpy as np
import pytest

import tfqueue.v1 as tf

POINTS = np.float32([[0, 0], [0, 1], [1, 0], [10, 10], [10, 11], [12, 10]])


def points():
    return tf.train.limit_epochs(tf.convert_to_tensor(POINTS), num_epochs=6)


def trained(count, initial, folder):
    config = tf.estimator.RunConfig(tf_random_seed=3)
    kmeans = tf.estimator.experimental.KMeans(
        count, folder, initial, use_mini_batch=False, config=config, seed=5
    )
    kmeans.train(points)
    return kmeans


@pytest.mark.slow
@pytest.mark.parametrize(
    ("initial", "count", "centers", "score"),
    [
        ("kmeans_plus_plus", 2, [[0.3333, 0.3333], [10.6667, 10.3333]], 4.6667),
        ("kmeans_plus_plus", 6, POINTS, 0),
        ("random", 6, POINTS, 0),
    ],
)
def test_clusters_that_lie_apart_are_found(initial, count, centers, score, tmp_path):
    kmeans = trained(count, initial, str(tmp_path))
    np.testing.assert_allclose(sorted(kmeans.cluster_centers().tolist()), centers, atol=1e-4)
    assert kmeans.score(points) == pytest.approx(score, abs=1e-4)


@pytest.mark.slow
def test_random_centers_are_points_and_end_in_the_middle_of_theirs(tmp_path):
    kmeans = trained(2, "random", str(tmp_path))
    which = np.array(list(kmeans.predict_cluster_index(points)))[: len(POINTS)]
    for cluster, center in enumerate(kmeans.cluster_centers()):
        own = POINTS[which == cluster]
        if len(own):
            np.testing.assert_allclose(center, own.mean(axis=0), atol=1e-4)
    assert set(which) <= {0, 1}
