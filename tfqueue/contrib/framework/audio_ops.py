"""`tf.contrib.framework.python.ops.audio_ops`: WAV files, spectrograms and their coefficients."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._types import Tensor

_raw = _tensorflow.compat_v1().raw_ops


def decode_wav(
    contents: Any, desired_channels: int = -1, desired_samples: int = -1, name: str | None = None
) -> Any:
    """Reads a WAV file of 16 bits a sample (`audio_ops.decode_wav`).

    Args:
        contents: Text scalar, the file's bytes.
        desired_channels: How many channels; as many as the file has when negative.
        desired_samples: How many samples; cut off, or filled with zeros. All when negative.

    Returns:
        A named pair: `audio`, float32 `[samples, channels]` from -1 to 1, and `sample_rate`, an
        int32 scalar in Hz.
    """
    return _raw.DecodeWav(
        contents=contents,
        desired_channels=desired_channels,
        desired_samples=desired_samples,
        name=name,
    )


def encode_wav(audio: Any, sample_rate: Any, name: str | None = None) -> Tensor:
    """Writes a WAV file of 16 bits a sample (`audio_ops.encode_wav`).

    Args:
        audio: float32 `[samples, channels]`, from -1 to 1.
        sample_rate: int32 scalar in Hz.

    Returns:
        A text scalar, the file's bytes.
    """
    return _raw.EncodeWav(audio=audio, sample_rate=sample_rate, name=name)


def audio_spectrogram(
    input: Any,
    window_size: int,
    stride: int,
    magnitude_squared: bool = False,
    name: str | None = None,
) -> Tensor:
    """The spectrogram of sound (`audio_ops.audio_spectrogram`).

    Args:
        input: float32 `[samples, channels]`.
        window_size: How many samples a window has.
        stride: How many samples are from one window to the next.
        magnitude_squared: Whether magnitudes are squared.

    Returns:
        float32 `[channels, windows, frequencies]`.
    """
    return _raw.AudioSpectrogram(
        input=input,
        window_size=window_size,
        stride=stride,
        magnitude_squared=magnitude_squared,
        name=name,
    )


def mfcc(
    spectrogram: Any,
    sample_rate: Any,
    upper_frequency_limit: float = 4000,
    lower_frequency_limit: float = 20,
    filterbank_channel_count: int = 40,
    dct_coefficient_count: int = 13,
    name: str | None = None,
) -> Tensor:
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
    return _raw.Mfcc(
        spectrogram=spectrogram,
        sample_rate=sample_rate,
        upper_frequency_limit=upper_frequency_limit,
        lower_frequency_limit=lower_frequency_limit,
        filterbank_channel_count=filterbank_channel_count,
        dct_coefficient_count=dct_coefficient_count,
        name=name,
    )
