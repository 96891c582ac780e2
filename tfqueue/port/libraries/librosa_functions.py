"""librosa as it was up to 0.9: functions that are gone or give something else. Translated programs call these."""

from __future__ import annotations

from typing import Any

import numpy as np


def write_wav(path: Any, y: Any, sr: int, norm: bool = False) -> None:
    """Stands for ``librosa.output.write_wav``.

    >>> import numpy, tempfile
    >>> from scipy.io import wavfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_wav(folder + "/a.wav", numpy.array([0.25, -0.5]), 8000, norm=True)
    ...     wavfile.read(folder + "/a.wav")[1].tolist()
    [0.5, -1.0]
    """
    from scipy.io import wavfile

    if norm and np.issubdtype(y.dtype, np.floating):
        largest = np.abs(y).max()
        y = y / largest if largest >= np.finfo(y.dtype).tiny else y
    wavfile.write(path, sr, y.T if y.ndim > 1 and y.shape[0] == 2 else y)


def logamplitude(
    S: Any, ref_power: Any = 1.0, amin: float = 1e-10, top_db: float | None = 80.0
) -> Any:
    """Stands for ``librosa.logamplitude``."""
    import librosa

    return librosa.power_to_db(S, ref=ref_power, amin=amin, top_db=top_db)


def _loud(y: Any, top_db: float, ref: Any, frame_length: int, hop_length: int) -> Any:
    """Which frames are no silence; the ends are mirrored, as before 0.10."""
    import librosa

    power = librosa.feature.rms(
        y=librosa.to_mono(y), frame_length=frame_length, hop_length=hop_length, pad_mode="reflect"
    )
    power = np.square(power).squeeze()
    return np.atleast_1d(librosa.power_to_db(power, ref=ref or np.max, top_db=None) > -top_db)


def trim(
    y: Any, top_db: float = 60, ref: Any = None, frame_length: int = 2048, hop_length: int = 512
) -> Any:
    """Stands for ``librosa.effects.trim``."""
    loud = np.flatnonzero(_loud(y, top_db, ref, frame_length, hop_length))
    start, end = (loud[0] * hop_length, (loud[-1] + 1) * hop_length) if loud.size else (0, 0)
    end = min(y.shape[-1], end)
    return y[..., start:end], np.asarray([start, end])


def split(
    y: Any, top_db: float = 60, ref: Any = None, frame_length: int = 2048, hop_length: int = 512
) -> Any:
    """Stands for ``librosa.effects.split``."""
    loud = _loud(y, top_db, ref, frame_length, hop_length)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], loud.astype(int), [0]])))
    return np.minimum(edges * hop_length, y.shape[-1]).reshape(-1, 2)
