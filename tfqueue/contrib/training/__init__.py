"""`tf.contrib.training`: buckets, sampling by class, sequences in pieces, hyperparameters.

The training loop and what belongs to it are tf_slim's and need the extra `slim`.

`bucket_ops` has the buckets, `sampling_ops` and `resample` the sampling, `sequence_queueing_state_saver`
the sequences in pieces, `hparam` the hyperparameters, `feeding_queue_runner` the runner that feeds,
`device_setter` what chooses the task of a variable.
"""

from tfqueue.v1 import _lazy_names

_HERE = "tfqueue.contrib.training"
_OURS = {
    "bucket_ops": "bucket bucket_by_sequence_length",
    "device_setter": "GreedyLoadBalancingStrategy RandomStrategy byte_size_load_fn",
    "feeding_queue_runner": "FeedingQueueRunner",
    "hparam": "HParams parse_values",
    "resample": "resample_at_rate weighted_resample",
    "sampling_ops": "rejection_sample stratified_sample",
    "sequence_queueing_state_saver": (
        "NextQueuedSequenceBatch SequenceQueueingStateSaver batch_sequences_with_states"
    ),
}
_SLIM = {
    "training": (
        "add_gradients_summaries clip_gradient_norms clip_gradient_norms_fn create_train_op "
        "multiply_gradients train"
    ),
    "evaluation": (
        "StopAfterNEvalsHook SummaryAtEndHook checkpoints_iterator evaluate_once "
        "evaluate_repeatedly get_or_create_eval_step wait_for_new_checkpoint"
    ),
}
_ROWS = {
    **_lazy_names.rows_of(_HERE, _OURS),
    **_lazy_names.rows_of("tf_slim.training", _SLIM),
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
