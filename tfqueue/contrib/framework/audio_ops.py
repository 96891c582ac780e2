"""`tf.contrib.framework.python.ops.audio_ops`: WAV files, spectrograms and their coefficients."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Tensor

_raw = _tensorflow.compat_v1().raw_ops


@takes("contents desired_channels=-1 desired_samples=-1 name=None")
def decode_wav(given: dict[str, Any]) -> Any:
    """Reads a WAV file of 16 bits a sample (`audio_ops.decode_wav`).

    Args:
        contents: Text scalar, the file's bytes.
        desired_channels: How many channels; as many as the file has when negative.
        desired_samples: How many samples; cut off, or filled with zeros. All when negative.

    Returns:
        A named pair: `audio`, float32 `[samples, channels]` from -1 to 1, and `sample_rate`, an
        int32 scalar in Hz.
    """
    return _raw.DecodeWav(**given)


@takes("audio sample_rate name=None")
def encode_wav(given: dict[str, Any]) -> Tensor:
    """Writes a WAV file of 16 bits a sample (`audio_ops.encode_wav`).

    Args:
        audio: float32 `[samples, channels]`, from -1 to 1.
        sample_rate: int32 scalar in Hz.

    Returns:
        A text scalar, the file's bytes.
    """
    return _raw.EncodeWav(**given)


@takes("input window_size stride magnitude_squared=False name=None")
def audio_spectrogram(given: dict[str, Any]) -> Tensor:
    """The spectrogram of sound (`audio_ops.audio_spectrogram`).

    Args:
        input: float32 `[samples, channels]`.
        window_size: How many samples a window has.
        stride: How many samples are from one window to the next.
        magnitude_squared: Whether magnitudes are squared.

    Returns:
        float32 `[channels, windows, frequencies]`.
    """
    return _raw.AudioSpectrogram(**given)


@takes(
    "spectrogram sample_rate upper_frequency_limit=4000 lower_frequency_limit=20 "
    "filterbank_channel_count=40 dct_coefficient_count=13 name=None"
)
def mfcc(given: dict[str, Any]) -> Tensor:
    """The coefficients that speech is recognised by (`audio_ops.mfcc`).

    Args:
        spectrogram: float32 `[channels, windows, frequencies]`, of squared magnitudes.
        sample_rate: int32 scalar in Hz.
        upper_frequency_limit: The highest frequency in Hz.
        lower_frequency_limit: The lowest frequency in Hz.
        filterbank_channel_count: How many bands of the mel scale.
        dct_coefficient_count: How many coefficients.

    Returns:
        float32 `[channels, windows, coefficients]`.
    """
    return _raw.Mfcc(**given)
