"""What the optimizers of `tf.contrib.opt` compute; run by TensorFlow 1.15.5, it prints the expected values.

python tests/contrib/optimizers.py > tests/contrib/optimizers_115.json
"""

import json

import numpy as np

STEPS = 4


def made(tf, name):
    """The optimizer of a name."""
    opt, v2 = tf.contrib.opt, tf.contrib.optimizer_v2
    return {
        "adamax": lambda: opt.AdaMaxOptimizer(0.1),
        "nadam": lambda: opt.NadamOptimizer(0.1),
        "lazy": lambda: opt.LazyAdamOptimizer(0.1),
        "adamw": lambda: opt.AdamWOptimizer(0.05, 0.1),
        "adamw by name": lambda: opt.AdamWOptimizer(weight_decay=0.05, learning_rate=0.1),
        "momentumw": lambda: opt.MomentumWOptimizer(0.05, 0.1, 0.9, use_nesterov=True),
        "lars": lambda: opt.LARSOptimizer(10.0),
        "lars nesterov": lambda: opt.LARSOptimizer(
            10.0, 0.8, 0.01, 0.02, 0.5, skip_list=["bias"], use_nesterov=True
        ),
        "averaged": lambda: opt.MovingAverageOptimizer(
            tf.train.GradientDescentOptimizer(0.1), average_decay=0.5
        ),
        "v2 descent": lambda: v2.GradientDescentOptimizer(lambda: 0.1),
        "v2 momentum": lambda: v2.MomentumOptimizer(0.1, lambda: 0.9, use_nesterov=True),
        "v2 adam": lambda: v2.AdamOptimizer(0.1, beta2=0.9),
        "v2 rmsprop": lambda: v2.RMSPropOptimizer(0.1, epsilon=1e-3),
        "v2 rmsprop centered": lambda: v2.RMSPropOptimizer(
            0.1, 0.8, lambda: 0.5, lambda: 1e-2, centered=True
        ),
        "v2 adagrad": lambda: v2.AdagradOptimizer(0.1, 0.5),
        "v2 adadelta": lambda: v2.AdadeltaOptimizer(1.0, 0.9, 1e-4),
    }[name]()


NAMES = [
    "adamax",
    "nadam",
    "lazy",
    "adamw",
    "adamw by name",
    "momentumw",
    "averaged",
    "lars",
    "lars nesterov",
    "v2 descent",
    "v2 momentum",
    "v2 adam",
    "v2 rmsprop",
    "v2 rmsprop centered",
    "v2 adagrad",
    "v2 adadelta",
]


def trained(tf, name, resource, few):
    """The variables after some steps: with `few`, only `table` is said to decay."""
    with tf.Graph().as_default(), tf.Session() as sess:
        start = (np.arange(12).reshape(4, 3) / 5 - 1).astype(np.float32)
        table = tf.get_variable("table", initializer=start, use_resource=resource)
        bias = tf.get_variable("bias", initializer=start[0], use_resource=resource)
        rows = tf.gather(table, [0, 2, 0])  # a sparse gradient, with a row twice
        loss = tf.reduce_sum(tf.square(rows + bias)) + tf.reduce_sum(tf.sin(bias))
        optimizer = made(tf, name)
        more = {"decay_var_list": [table]} if few else {}
        step = tf.train.get_or_create_global_step()
        train = optimizer.minimize(loss, global_step=step, **more)
        sess.run(tf.global_variables_initializer())
        losses = []
        for _ in range(STEPS):
            losses.append(sess.run(loss))
            sess.run(train)
        variables = tf.global_variables()
        values = sess.run(variables)
    return {
        "losses": [round(float(value), 5) for value in losses],
        "variables": {
            variable.op.name: np.round(np.asarray(value, np.float64), 5).tolist()
            for variable, value in zip(variables, values)  # noqa: B905 (Python 3.7)
        },
    }


def by_scipy(tf):
    """What scipy makes of a loss, bounded, with and without conditions."""
    found = {}
    for name, more in [
        ("plain", {}),
        ("bounds", {"bounds": True}),
        ("conditions", {"method": "SLSQP", "conditions": True}),
        ("options", {"options": {"maxiter": 2}}),
    ]:
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.get_variable("x", initializer=np.float32([7, 7]))
            y = tf.get_variable("y", initializer=np.float32(3))
            loss = tf.reduce_sum(tf.square(x - [1, 2])) + tf.square(y + tf.reduce_sum(x))
            kwargs = dict(more)
            if kwargs.pop("bounds", False):
                kwargs["var_to_bounds"] = {x: ([1.5, 0], np.inf)}
            if kwargs.pop("conditions", False):
                kwargs.update(equalities=[x[0] - 2 * x[1]], inequalities=[y + 1])
            optimizer = tf.contrib.opt.ScipyOptimizerInterface(loss, **kwargs)
            sess.run(tf.global_variables_initializer())
            seen = []
            optimizer.minimize(sess, fetches=[loss], loss_callback=seen.append)
            found[name] = {
                "first": round(float(seen[0]), 3),
                "variables": [
                    np.round(np.asarray(v, np.float64), 3).tolist() for v in sess.run([x, y])
                ],
            }
    return found


if __name__ == "__main__":
    import tensorflow

    recorded = {
        # Where a variable is read before or behind its decay is left to chance in 1.15.5; with these
        # variables and optimizers it is before.
        f"{name} {few}": trained(tensorflow, name, True, few)
        for name in NAMES
        for few in ((False, True) if name == "adamw" else (False,))
    }
    recorded["scipy"] = by_scipy(tensorflow)
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in recorded.items()]
    print("{\n" + ",\n".join(lines) + "\n}")
