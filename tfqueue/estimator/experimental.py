"""`tf.estimator.experimental`: hooks that end a training early or evaluate in it, k-means, functions to logits."""

from tfqueue.v1 import _lazy_names

__getattr__, __dir__ = _lazy_names.attributes(
    __name__,
    _lazy_names.rows_of(
        "tfqueue.estimator",
        {
            "_canned": "dnn_logit_fn_builder linear_logit_fn_builder",
            "_evaluation_hooks": "InMemoryEvaluatorHook make_stop_at_checkpoint_step_hook",
            "_export": "build_raw_supervised_input_receiver_fn",
            "_extensions": "call_logit_fn",
            "_kmeans": "KMeans",
            "_early_stopping": (
                "make_early_stopping_hook stop_if_higher_hook stop_if_lower_hook "
                "stop_if_no_decrease_hook stop_if_no_increase_hook"
            ),
        },
    ),
)
