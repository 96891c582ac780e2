"""`tf.contrib.seq2seq`: decoders, helpers, attention, beam search, and the loss.

`decoders` has the loop and the plain decoder, `helpers` its inputs, `attention` the mechanisms and their
cell, `beam_search` the other decoder, `decoder_functions` the decoders of 1.0, `losses` the loss.
"""

from tfqueue.v1 import _lazy_names

_HERE = "tfqueue.contrib.seq2seq"
_NAMES = {
    "attention": (
        "AttentionMechanism AttentionWrapper AttentionWrapperState BahdanauAttention "
        "BahdanauMonotonicAttention LuongAttention LuongMonotonicAttention hardmax "
        "_BaseAttentionMechanism _BaseMonotonicAttentionMechanism _bahdanau_score _compute_attention "
        "_luong_score _maybe_mask_score _monotonic_probability_fn _prepare_memory "
        "monotonic_attention safe_cumprod"
    ),
    "beam_search": (
        "BeamSearchDecoder BeamSearchDecoderOutput BeamSearchDecoderState "
        "FinalBeamSearchDecoderOutput gather_tree tile_batch"
    ),
    "decoder_functions": (
        "attention_decoder_fn_inference attention_decoder_fn_train dynamic_rnn_decoder "
        "prepare_attention simple_decoder_fn_inference simple_decoder_fn_train"
    ),
    "decoders": "_create_zero_outputs BasicDecoder BasicDecoderOutput Decoder dynamic_decode",
    "helpers": (
        "_unstack_ta CustomHelper GreedyEmbeddingHelper Helper InferenceHelper SampleEmbeddingHelper "
        "ScheduledEmbeddingTrainingHelper ScheduledOutputTrainingHelper TrainingHelper"
    ),
    "losses": "sequence_loss",
}
_ROWS = _lazy_names.rows_of(_HERE, _NAMES)
# programs take it from the modules inside
_ROWS["_transpose_batch_time"] = "tensorflow.python.ops.rnn:_transpose_batch_time"

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
