"""`tf.contrib`: what programs with input queues used of it, and the models that they trained.

Nothing is loaded before it is used. A row of a package says which name of today's TensorFlow stands
for an old one (`tfqueue.v1._lazy_names`); slim, layers and the like are the package tf_slim, which the
extra `slim` installs; the rest is written anew. For a name that is not brought back, one sentence
says what to use (`tfqueue.names.gone_contrib`).

A package or module here is `tf.contrib`'s of that name (`*`). Of others, `_compiler` is `tf.contrib.compiler`, `_gan` is
`tf.contrib.gan`, `_profiling` is `tf.contrib.tfprof`, `_keras_optimizers` is `tf.contrib.keras.optimizers`, and `_projector` is `tf.contrib.tensorboard.plugins.projector`; `_slim_patches` has
tf_slim run on today's TensorFlow.
"""

from tfqueue.names import gone_contrib
from tfqueue.v1 import _lazy_names

PARTS = (
    "autograph",
    "bayesflow",
    "checkpoint",
    "cluster_resolver",
    "compiler",
    "copy_graph",
    "crf",
    "cudnn_rnn",
    "data",
    "deprecated",
    "distribute",
    "distributions",
    "eager",
    "estimator",
    "factorization",
    "framework",
    "graph_editor",
    "grid_rnn",
    "layers",
    "image",
    "input_pipeline",
    "integrate",
    "kernel_methods",
    "keras",
    "learn",
    "legacy_seq2seq",
    "linalg",
    "lookup",
    "losses",
    "memory_stats",
    "metrics",
    "mixed_precision",
    "model_pruning",
    "ndlstm",
    "nn",
    "opt",
    "optimizer_v2",
    "periodic_resample",
    "predictor",
    "resampler",
    "rnn",
    "saved_model",
    "seq2seq",
    "session_bundle",
    "signal",
    "slim",
    "solvers",
    "sparsemax",
    "staging",
    "stateless",
    "summary",
    "tensorboard",
    "tfprof",
    "tpu",
    "training",
    "util",
)
"""The packages of `tf.contrib` that are brought back."""

_ROWS = {
    **{part: f"{__name__}.{part}" for part in PARTS},
    "ctc": "tensorflow.python.ops.ctc_ops",  # 0.8
    "skflow": f"{__name__}.learn",  # up to 0.8
    **{
        name: f"{__name__}._{name}"
        for name in gone_contrib.OUTSIDE
        if _lazy_names.goes_on_outside(f"contrib.{name}")
    },
}
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
__all__ = sorted(PARTS)
