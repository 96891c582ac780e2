"""k-means of `tf.contrib.factorization` gives what it gave in TensorFlow 1.15.5."""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import clusters
from tfqueue import release
from tfqueue.names.sentence import GoneError

pytestmark = pytest.mark.slow
RECORDED = json.loads((pathlib.Path(__file__).parent / "clusters_115.json").read_text())


@pytest.mark.parametrize("name", clusters.CASES)
def test_gives_what_1_15_gave(name):
    for one, other in zip(clusters.CASES[name](tf), RECORDED[name], strict=True):
        if isinstance(other, int) or (isinstance(other, list) and isinstance(other[0], str)):
            assert one == other
        else:  # distances are differences of products, which are summed up in another order today
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("of", "parts"), [("1.3", 6), ("1.4", 7), ("1.5", 6)])
def test_the_parts_of_a_graph_by_release(of, parts):
    release.assume(of)
    try:
        with tf.Graph().as_default():
            made = tf.contrib.factorization.KMeans(tf.zeros([4, 2]), 2).training_graph()
    finally:
        release.assume(None)
    assert len(made) == parts
    if parts == 7:
        assert made[4].op.name == "clusters"


def test_the_graph_of_1_0_is_refused():
    release.assume("1.0")
    try:
        with pytest.raises(GoneError, match="KMeans of four tensors is gone"):
            tf.contrib.factorization.KMeans(tf.zeros([4, 2]), 2)
    finally:
        release.assume(None)


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="initialization algorithm"):
        tf.contrib.factorization.KMeansClustering(3, initial_clusters="best")
    with pytest.raises(GoneError, match="scikit-learn"):
        _ = tf.contrib.factorization.WALSModel


def test_the_old_paths_of_modules():
    from tfqueue.v1.contrib.factorization.python.ops.clustering_ops import KMeans
    from tfqueue.v1.contrib.factorization.python.ops.kmeans import KMeansClustering

    assert KMeans is tf.contrib.factorization.KMeans
    assert KMeansClustering is tf.contrib.factorization.KMeansClustering
