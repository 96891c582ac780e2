"""`tf.contrib.signal`, which is `tf.signal`."""

from tfqueue.v1 import _lazy_names

_ROWS = {
    "frame": "tf:signal.frame",
    "frames": "tf:signal.frame",  # up to 1.2
    "hamming_window": "tf:signal.hamming_window",
    "hann_window": "tf:signal.hann_window",
    "inverse_stft": "tf:signal.inverse_stft",
    "inverse_stft_window_fn": "tf:signal.inverse_stft_window_fn",
    "linear_to_mel_weight_matrix": "tf:signal.linear_to_mel_weight_matrix",
    "mfccs_from_log_mel_spectrograms": "tf:signal.mfccs_from_log_mel_spectrograms",
    "overlap_and_add": "tf:signal.overlap_and_add",
    "stft": "tf:signal.stft",
}

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)
