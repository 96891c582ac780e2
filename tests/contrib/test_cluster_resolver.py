"""`tf.contrib.cluster_resolver`, whose classes stand elsewhere today."""

import tfqueue.v1 as tf


def test_a_cluster_is_what_the_environment_says(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", '{"cluster": {"worker": ["a:1", "b:2"]}}')
    cluster = tf.contrib.cluster_resolver.TFConfigClusterResolver().cluster_spec()
    assert cluster.as_dict() == {"worker": ["a:1", "b:2"]}


def test_clusters_are_joined():
    resolvers = tf.contrib.cluster_resolver
    parts = [
        resolvers.SimpleClusterResolver(tf.train.ClusterSpec({job: ["a:1"]}))
        for job in ("ps", "worker")
    ]
    joined = resolvers.UnionClusterResolver(*parts).cluster_spec()
    assert joined.as_dict() == {"ps": ["a:1"], "worker": ["a:1"]}
