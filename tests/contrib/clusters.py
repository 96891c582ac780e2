"""k-means of `tf.contrib.factorization`, in the words of any release since 1.4.

`python clusters.py > clusters_115.json` with TensorFlow 1.15.5 records what it gives.
"""

import json
import tempfile

import numpy as np

_AT = np.array([[0, 0], [4, 0], [0, 4]]).repeat(5, 0)
POINTS = (_AT + np.sin(np.arange(30) * 1.7).reshape(15, 2)).astype("float32")


def _graph(steps=4, seed=1, **words):
    """Centers, distances, nearest centers and losses at first and after some steps."""

    def build(tf):
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.set_random_seed(seed)
            kmeans = tf.contrib.factorization.KMeans(tf.constant(POINTS), 3, **words)
            parts = kmeans.training_graph()
            variables = tf.global_variables()
            sess.run(tf.global_variables_initializer())
            found = []
            while not sess.run(parts[3]):
                sess.run(parts[-2])
            for count in (0, steps):
                for _ in range(count):
                    sess.run(parts[-1])
                found += sess.run([variables[0]] + [parts[i][0] for i in range(3)])
            return [len(parts), [v.op.name for v in variables]] + [one.tolist() for one in found]

    return build


def _points(tf):
    return lambda: tf.train.limit_epochs(tf.convert_to_tensor(POINTS), num_epochs=3)


def _estimator(**words):
    def build(tf):
        config = tf.estimator.RunConfig(tf_random_seed=2)
        make = tf.contrib.factorization.KMeansClustering
        with tempfile.TemporaryDirectory() as folder:
            kmeans = make(3, folder, use_mini_batch=False, config=config, **words)
            kmeans.train(_points(tf))
            found = [kmeans.get_variable_names(), kmeans.cluster_centers().tolist()]
            found += [float(kmeans.score(_points(tf)))]
            found += [[one.tolist() for one in kmeans.transform(_points(tf))][:15]]
            return found + [[int(one) for one in kmeans.predict_cluster_index(_points(tf))][:15]]

    return build


def _learn(**words):
    def build(tf):
        learn, given = tf.contrib.learn, lambda: (tf.constant(POINTS), None)
        config = learn.RunConfig(tf_random_seed=2)
        with tempfile.TemporaryDirectory() as folder:
            kmeans = learn.KMeansClustering(3, folder, use_mini_batch=False, config=config, **words)
            kmeans.fit(input_fn=given, steps=5)
            found = [kmeans.get_variable_names(), kmeans.clusters().tolist()]
            found += [int(kmeans.get_variable_value("global_step"))]
            found += [float(kmeans.score(input_fn=given, steps=1))]
            found += [kmeans.transform(input_fn=_points_of_learn(tf)).tolist()]
            indices = kmeans.predict_cluster_idx(input_fn=_points_of_learn(tf))
            return found + [[int(one) for one in indices]]

    return build


def _points_of_learn(tf):
    return lambda: (tf.train.limit_epochs(tf.constant(POINTS), num_epochs=1), None)


CASES = {
    "random": _graph(),
    "seeds": _graph(seed=4, random_seed=7),
    "plus_plus": _graph(initial_clusters="kmeans_plus_plus"),
    "plus_plus_of_a_seed": _graph(
        seed=None,
        initial_clusters="kmeans_plus_plus",
        random_seed=5,
        kmeans_plus_plus_num_retries=3,
    ),
    "cosine": _graph(distance_metric="cosine"),
    "given": _graph(initial_clusters=POINTS[:3]),
    "batches": _graph(steps=0, use_mini_batch=True),
    "batches_apart": _graph(steps=0, use_mini_batch=True, mini_batch_steps_per_iteration=2),
    "estimator": _estimator(),
    "estimator_plus_plus": _estimator(initial_clusters="kmeans_plus_plus", random_seed=3),
    "learn": _learn(),
    "learn_plus_plus": _learn(initial_clusters="kmeans_plus_plus", random_seed=3),
    "learn_until_settled": _learn(relative_tolerance=0.01),
    "estimator_cosine": _estimator(distance_metric="cosine", relative_tolerance=0.01),
}


if __name__ == "__main__":
    import tensorflow

    print(json.dumps({name: build(tensorflow) for name, build in CASES.items()}, separators=",:"))
