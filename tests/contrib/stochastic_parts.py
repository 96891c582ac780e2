"""Losses and bounds of `tf.contrib.bayesflow`, in the words of 1.2 to 1.4.

`python stochastic_parts.py > stochastic_parts_14.json` with TensorFlow 1.4.1 records what they give. What is drawn
is fed, so that no seed has a say.
"""

import json

import numpy as np


def _parts(tf):
    flow = tf.contrib.bayesflow
    return flow.stochastic_tensor, flow.stochastic_graph, flow.stochastic_gradient_estimators


def _surrogate(loss_of, **words):
    """Values and gradients of a loss with a tensor that has no gradient, one that has and an observed one."""

    def build(tf):
        st, sg, sge = _parts(tf)
        logits = tf.get_variable("logits", initializer=[0.5, -1.0])
        loc = tf.get_variable("loc", initializer=[0.2, 0.4])
        words_now = {key: make(sge) for key, make in words.items()}
        kept = st.StochasticTensor(tf.contrib.distributions.Bernoulli(logits=logits), **words_now)
        smooth = st.StochasticTensor(tf.contrib.distributions.Normal(loc, 1.0))
        seen = st.ObservedStochasticTensor(
            tf.contrib.distributions.Normal(loc, 1.0), value=[1.0, 2.0]
        )
        losses = loss_of(tf, kept, smooth, seen)
        loss = sg.surrogate_loss(losses)
        fed = {kept.value(): [1, 0], smooth.value(): [0.3, -0.7]}
        return [loss, *(g for g in tf.gradients(loss, [logits, loc]) if g is not None)], fed

    return build


def _one(tf, kept, smooth, seen):
    return [tf.square(tf.to_float(kept) - 0.3) + tf.square(smooth) * seen]


def _two(tf, kept, smooth, seen):
    return [tf.to_float(kept) * 2.0 + [1.0, 5.0], tf.stack([smooth.value(), seen.value()])]


def _means(tf):
    st, _, _ = _parts(tf)
    loc = tf.get_variable("loc", initializer=[0.2, 0.4])
    dist = tf.contrib.distributions.Normal(loc, [1.0, 2.0])
    with st.value_type(st.MeanValue()):
        mean = st.StochasticTensor(dist)
        with st.value_type(st.SampleValue((3, 1), stop_gradient=True)):
            many = st.StochasticTensor(dist)
    stopped = st.StochasticTensor(dist, dist_value_type=st.MeanValue(stop_gradient=True))
    shape = tf.shape(many.value())
    term = stopped.loss(tf.constant([1.0, 2.0]))
    return [tf.identity(mean), tf.gradients(mean.value(), loc)[0], shape, term, mean.entropy()], {}


def _of_kinds(tf):
    """Which distributions get a term."""
    st, _, _ = _parts(tf)
    ds = tf.contrib.distributions
    made = [
        ds.Bernoulli(0.5),
        ds.Beta(2.0, 3.0),
        ds.Categorical(logits=[1.0, 2.0]),
        ds.Dirichlet([1.0, 2.0]),
        ds.Exponential(2.0),
        ds.Gamma(2.0, 3.0),
        ds.Laplace(0.0, 1.0),
        ds.Logistic(0.0, 1.0),
        ds.MultivariateNormalDiag([1.0], [2.0]),
        ds.Normal(0.0, 1.0),
        ds.StudentT(3.0, 0.0, 1.0),
        ds.Uniform(0.0, 1.0),
    ]
    terms = [st.StochasticTensor(each).loss(tf.constant(1.0)) is not None for each in made]
    return [tf.constant(terms)], {}


def _bound(form, joint=False, **words):
    def build(tf):
        vi = tf.contrib.bayesflow.variational_inference
        st, _, _ = _parts(tf)
        loc = tf.get_variable("loc", initializer=[0.2, 0.4])
        z = st.StochasticTensor(tf.contrib.distributions.Normal(loc, 0.5))
        vi.register_prior(z, tf.contrib.distributions.Normal(0.0, [1.0, 2.0]))
        first = tf.square(z.value() - 1.0)
        words["form"] = getattr(vi.ELBOForms, form)
        bound = vi.elbo_with_log_joint(first, **words) if joint else vi.elbo(first, **words)
        return [bound, tf.gradients(bound, loc)[0]], {z.value(): [0.3, -0.7]}

    return build


def _entropies(tf):
    ratios, forms = (
        tf.contrib.bayesflow.entropy,
        tf.contrib.bayesflow.variational_inference.ELBOForms,
    )
    q = tf.contrib.distributions.Normal([0.0, 0.5], [1.0, 2.0])
    p = tf.contrib.distributions.Normal([0.5, 0.5], [1.5, 1.0])
    z = tf.constant([[0.1, 0.2], [1.0, -1.0], [-0.5, 2.0]])
    made = [ratios.elbo_ratio(p.log_prob, q, z=z, form=one) for one in (None, forms.sample)]
    made += [ratios.entropy_shannon(q, z=z), ratios.entropy_shannon(q, z=z, form=forms.sample)]
    made += [ratios.renyi_ratio(p.log_prob, q, alpha, z=z) for alpha in (0.5, 2.0)]
    made += [ratios.renyi_alpha(step, 10, 0.1) for step in (0, 4, 20)]
    return made, {}


def _samples(tf):
    monte = tf.contrib.bayesflow.monte_carlo
    loc = tf.get_variable("loc", initializer=[0.2, 0.4])
    q = tf.contrib.distributions.Normal(loc, [1.0, 2.0])
    p = tf.contrib.distributions.Normal([0.5, 0.5], [1.5, 1.0])
    z = tf.constant([[0.1, 0.2], [1.0, -1.0], [-0.5, 2.0]])
    made = [
        monte.expectation_importance_sampler(lambda x: x * 2 - 1, p.log_prob, q, z=z),
        monte.expectation_importance_sampler_logspace(tf.square, p.log_prob, q, z=z),
        monte.expectation(tf.square, z),
        monte.expectation(tf.square, z, axis=[0, 1], keep_dims=True),
        monte.expectation(tf.square, z, q.log_prob, use_reparametrization=False),
    ]
    return [*made, *(g for g in (tf.gradients(one, loc)[0] for one in made) if g is not None)], {}


def _vimco(tf):
    sge = tf.contrib.bayesflow.stochastic_gradient_estimators
    loss = tf.constant([[0.5, 2.0], [1.5, 0.1], [3.0, 0.4]])
    made = [
        sge.get_vimco_advantage_fn()(None, loss),
        sge.get_vimco_advantage_fn(have_log_loss=True)(None, loss),
    ]
    return [*made, tf.gradients(made[0], loss)[0]], {}


CASES = {
    "one_loss": _surrogate(_one),
    "two_losses": _surrogate(_two),
    "no_term": _surrogate(_one, loss_fn=lambda sge: None),
    "constant_baseline": _surrogate(
        _one, loss_fn=lambda sge: sge.get_score_function_with_constant_baseline(0.5)
    ),
    "moving_baseline": _surrogate(_one, loss_fn=lambda sge: sge.get_score_function_with_baseline()),
    "advantage": _surrogate(
        _one, loss_fn=lambda sge: sge.get_score_function_with_advantage(lambda st, loss: loss * 3)
    ),
    "means": _means,
    "kinds": _of_kinds,
    "elbo": _bound("default"),
    "elbo_entropy": _bound("analytic_entropy"),
    "elbo_samples": _bound("sample", keep_batch_dim=False),
    "elbo_joint": _bound("default", joint=True),
    "elbo_joint_samples": _bound("sample", joint=True),
    "entropies": _entropies,
    "samples": _samples,
    "vimco": _vimco,
}


def run(tf, name):
    """What a case gives twice, one after the other, and the names of its variables."""
    with tf.Graph().as_default(), tf.Session() as sess:
        made, fed = CASES[name](tf)
        sess.run(tf.global_variables_initializer())
        values = [[np.asarray(one).tolist() for one in sess.run(made, fed)] for _ in range(2)]
        return {"values": values, "variables": sorted(v.op.name for v in tf.global_variables())}


if __name__ == "__main__":
    import tensorflow

    print(json.dumps({name: run(tensorflow, name) for name in CASES}, separators=(",", ":")))
