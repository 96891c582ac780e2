"""Small packages of `tf.contrib` that compute, in the words of any release.

`python numeric_packages.py integrate ... > numeric_packages_115.json` with TensorFlow 1.15.5 records what the
cases of these packages give; `numeric_packages_141.json` has ndlstm's, of 1.4.1, the last that had it.
"""

import json
import sys

import numpy as np


def _start(shape, dtype=None, partition_info=None):
    count = int(np.prod(shape))
    return (np.sin(np.arange(count) * 0.9 + 1.0).reshape(shape) * 0.5).astype("float32")


def _variable(tf, values, name="x"):
    values = np.asarray(values)
    return tf.get_variable(
        name, values.shape, values.dtype.type, tf.constant_initializer(values, values.dtype.type)
    )


def _odeint(start, func, t, **words):
    def build(tf):
        y0 = start if np.iscomplexobj(start) else _variable(tf, start)
        found = tf.contrib.integrate.odeint(lambda y, t: func(tf, y, t), y0, t, **words)
        if not words.get("full_output"):
            return [found]
        y, info = found
        return [y] + [info[key] for key in sorted(info)]

    return build


def _odeint_fixed(start, t, dt=None, **words):
    def build(tf):
        def func(y, t):
            return tf.stack([y[1] * tf.cast(t, y.dtype), -y[0] * y[1]])

        words_here = dict(words) if dt is None else dict(words, dt=dt)
        return [tf.contrib.integrate.odeint_fixed(func, _variable(tf, start), t, **words_here)]

    return build


def _turn(tf, y, t):
    return tf.matmul(tf.constant([[0, 1], [-1, 0]], y.dtype), y)


def _riccati(tf, y, t):
    return (y - tf.cast(t, y.dtype)) ** 2 + 1.0


def _grid(make, **words):
    def build(tf):
        x = tf.constant(np.sin(np.arange(12) * 1.7).reshape(2, 3, 2), tf.float32)
        cell = make(tf.contrib.grid_rnn, tf.contrib.rnn, tf.nn, **words)
        outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        flatten = tf.contrib.framework.nest.flatten
        return [flatten(outputs)[0]] + flatten(state)

    return build


def _grid_of_three(grid, rnn, nn, **words):
    return grid.GridRNNCell(
        3,
        3,
        input_dims=[0, 2],
        output_dims=[2, 1],
        priority_dims=1,
        non_recurrent_dims=0,
        cell_fn=lambda units: rnn.LSTMCell(units, use_peepholes=True),
        **words,
    )


def _ndlstm(function, *args, **words):
    def build(tf):
        shape = (2, 3, 5, 2) if args[0] == "images" else (4, 3, 2)
        x = tf.constant(np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape), tf.float32)
        return [getattr(tf.contrib.ndlstm, function)(x, *args[1:], **words)]

    return build


def _mapper(tf, **words):
    return tf.contrib.kernel_methods.RandomFourierFeatureMapper(3, 5, **words)


def _hinge(labels, *args, **words):
    def build(tf):
        loss = tf.contrib.kernel_methods.sparse_multiclass_hinge_loss
        logits = _variable(tf, _start([3, 3]) * 3)
        return [loss(tf.constant(labels), logits, *args, **words)]

    return build


def _matrix(tf, square=False):
    made = np.sin(np.arange(20) ** 2 * 0.37).reshape(5, 4)
    return _variable(tf, made.T.dot(made) + np.eye(4) if square else made)


def _solved(solve, square=False):
    def build(tf):
        solvers = tf.contrib.solvers
        operator = solvers.util.create_operator(_matrix(tf, square))
        rhs = _variable(tf, np.cos(np.arange(4 if square else 5)), "rhs")
        return list(solve(tf, solvers, operator, rhs))

    return build


def _conditioned(tf, solvers, operator, rhs):
    inverse = solvers.util.create_operator(
        tf.matrix_diag(tf.constant([0.5, 0.3, 0.4, 0.2], rhs.dtype))
    )
    return solvers.linear_equations.conjugate_gradient(operator, rhs, inverse, 0.5 * rhs, 1e-2, 3)


def _bidiagonal(orthogonalize):
    def solve(tf, solvers, operator, rhs):
        u, v, alpha, beta = solvers.lanczos.lanczos_bidiag(operator, 3, orthogonalize, rhs)
        product = solvers.lanczos.bidiag_matmul
        return [alpha, u, v, beta, product(u, alpha, beta), product(v, alpha, beta, True)]

    return _solved(solve)


JOINED = {"state_is_tuple": False, "output_is_tuple": False}
TIMES = np.array([0.0, 0.4, 1.7, 2.2, 4.0])
CASES = {
    "integrate": {
        "turn": _odeint([[1.0], [0.5]], _turn, TIMES, full_output=True),
        "options": _odeint(
            [[1.0], [0.5]],
            _turn,
            TIMES,
            rtol=1e-4,
            atol=1e-5,
            method="dopri5",
            options={"first_step": 0.3, "safety": 0.8, "ifactor": 4.0, "dfactor": 0.5},
            full_output=True,
        ),
        "riccati": _odeint(0.5, _riccati, [0.0, 0.5, 1.0, 1.8], full_output=True),
        "riccati_float32": _odeint(np.float32(0.5), _riccati, [0.0, 0.5, 1.0, 1.8]),
        "complex": _odeint(1.0 + 0.5j, lambda tf, y, t: (1j - 0.1) * y, TIMES, full_output=True),
        "midpoint": _odeint_fixed([1.0, 0.5], TIMES, method="midpoint"),
        "rk4": _odeint_fixed(np.float32([1.0, 0.5]), TIMES, name="solved"),
        "rk4_steps": _odeint_fixed([1.0, 0.5], TIMES, dt=[0.1, 0.3, 0.2, 0.11]),
        "midpoint_step": _odeint_fixed([1.0, 0.5], TIMES, dt=0.07, method="midpoint"),
    },
    "grid_rnn": {
        "1_rnn": _grid(lambda g, rnn, nn: g.Grid1BasicRNNCell(3)),
        "2_rnn": _grid(lambda g, rnn, nn: g.Grid2BasicRNNCell(3)),
        "2_rnn_tied": _grid(lambda g, rnn, nn: g.Grid2BasicRNNCell(3, True)),
        "1_basic_lstm": _grid(lambda g, rnn, nn: g.Grid1BasicLSTMCell(3, 0.5)),
        "1_basic_lstm_joined": _grid(lambda g, rnn, nn: g.Grid1BasicLSTMCell(3, **JOINED)),
        "2_basic_lstm": _grid(lambda g, rnn, nn: g.Grid2BasicLSTMCell(3)),
        "2_basic_lstm_relu": _grid(
            lambda g, rnn, nn: g.Grid2BasicLSTMCell(3, False, nn.relu, 0.5, **JOINED)
        ),
        "1_lstm": _grid(lambda g, rnn, nn: g.Grid1LSTMCell(3, True, 0.5)),
        "2_lstm_tied": _grid(
            lambda g, rnn, nn: g.Grid2LSTMCell(3, True, use_peepholes=True, **JOINED)
        ),
        "2_lstm_tanh": _grid(lambda g, rnn, nn: g.Grid2LSTMCell(3, non_recurrent_fn=nn.tanh)),
        "3_lstm": _grid(lambda g, rnn, nn: g.Grid3LSTMCell(3, forget_bias=0.5)),
        "3_lstm_joined": _grid(lambda g, rnn, nn: g.Grid3LSTMCell(3, True, **JOINED)),
        "2_gru": _grid(lambda g, rnn, nn: g.Grid2GRUCell(3)),
        "2_gru_relu": _grid(lambda g, rnn, nn: g.Grid2GRUCell(3, False, nn.relu)),
        "three": _grid(_grid_of_three),
        "three_joined": _grid(_grid_of_three, **JOINED),
    },
    "ndlstm": {
        "base": _ndlstm("ndlstm_base", "sequence", 3),
        "base_reverse": _ndlstm("ndlstm_base_dynamic", "sequence", 3, "mine", True),
        "unrolled": _ndlstm("ndlstm_base", "sequence", 3, None, False, False),
        "unrolled_reverse": _ndlstm("ndlstm_base_unrolled", "sequence", 3, reverse=True),
        "final": _ndlstm("sequence_to_final", "sequence", 3, name="last"),
        "final_reverse": _ndlstm("sequence_to_final", "sequence", 3, reverse=True),
        "softmax": _ndlstm("sequence_softmax", "sequence", 3, linear_name="line"),
        "horizontal": _ndlstm("horizontal_lstm", "images", 3),
        "separable": _ndlstm("separable_lstm", "images", 3, nhidden=2),
        "separable_blocks": _ndlstm("separable_lstm", "images", 2, [2, 3]),
        "to_sequence": _ndlstm("reduce_to_sequence", "images", 3),
        "to_final": _ndlstm("reduce_to_final", "images", 3, 2),
        "pixels": _ndlstm("pixels_as_vector", "images"),
        "pool": _ndlstm("pool_as_vector", "images"),
        "blocks": _ndlstm("get_blocks", "images", [2, 3]),
    },
    "kernel_methods": {
        "mapper": lambda tf: [_mapper(tf, stddev=2.0, seed=3).map(_variable(tf, _start([2, 3])))],
        "loss": _hinge([1, 0, 2]),
        "loss_weighted": _hinge([[2], [2], [0]], np.float32([[0.5], [0.0], [2.0]]), scope="mine"),
        "losses": _hinge([1, 0, 2], 2.0, None, "many", "none"),
    },
    "solvers": {
        "gradients": _solved(
            lambda tf, solvers, a, b: solvers.linear_equations.conjugate_gradient(a, b), True
        ),
        "preconditioned": _solved(_conditioned, True),
        "least_squares": _solved(
            lambda tf, solvers, a, b: solvers.least_squares.cgls(a, b, tol=1e-3, max_iter=7)
        ),
        "bidiagonal": _bidiagonal(True),
        "bidiagonal_plain": _bidiagonal(False),
        "identity": _solved(
            lambda tf, solvers, a, b: solvers.linear_equations.conjugate_gradient(
                solvers.util.identity_operator(tf.eye(4)), b
            ),
            True,
        ),
    },
}


def _plain(value):
    """The numbers of a value, those of float32 in as many digits as they have."""
    flat = np.ravel([value.real, value.imag] if np.iscomplexobj(value) else value).tolist()
    return [float(f"{one:.9g}") for one in flat] if np.asarray(value).dtype == "float32" else flat


def run(tf, package, name):
    """The variables, the names, values and gradients of what a case gives."""
    config = tf.ConfigProto()  # the optimizer of graphs rounds otherwise in each release
    if hasattr(config.graph_options.rewrite_options, "disable_meta_optimizer"):
        config.graph_options.rewrite_options.disable_meta_optimizer = True
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        with tf.variable_scope("s", initializer=_start):
            found = CASES[package][name](tf)
        variables = tf.trainable_variables()
        real = [one for one in found if one.dtype.is_floating]
        slopes = tf.gradients([tf.reduce_sum(one * one) for one in real[:1]], variables)
        sess.run(tf.global_variables_initializer())
        for one in variables:
            if one.op.name.endswith("SequenceSoftmax/weights"):  # they start at random
                sess.run(tf.assign(one, _start(one.shape.as_list())))
        values, gradients = sess.run(
            [found, [tf.convert_to_tensor(one) for one in slopes if one is not None]]
        )
    return {
        "variables": [[v.op.name] + v.shape.as_list() for v in variables],
        "names": [one.op.name for one in found],
        "shapes": [list(one.shape) for one in values],
        "values": [_plain(one) for one in values],
        "gradients": [_plain(one) for one in gradients],
    }


if __name__ == "__main__":
    import tensorflow

    recorded = {
        package: {name: run(tensorflow, package, name) for name in CASES[package]}
        for package in sys.argv[1:]
    }
    print(json.dumps(recorded, sort_keys=True))
