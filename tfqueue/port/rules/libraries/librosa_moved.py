"""librosa: arguments that have to be named since 0.10, a padding that changed, and names that are gone.

https://librosa.org/doc/main/changelog.html#v0-10-0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import call_forms, moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("librosa",)
_ROWS = {
    "librosa.output.write_wav": "tfqueue.port.libraries.librosa_functions.write_wav",
    "librosa.logamplitude": "tfqueue.port.libraries.librosa_functions.logamplitude",
    "librosa.core.logamplitude": "tfqueue.port.libraries.librosa_functions.logamplitude",
    "librosa.feature.rmse": "librosa.feature.rms",
    "librosa.display.waveplot": "librosa.display.waveshow",
    "librosa.core.time_frequency": "librosa.core.convert",
}
_LOADED = {
    *(f"librosa.core.{name}" for name in "audio constantq harmonic pitch spectrum".split()),
    *(f"librosa.feature.{name}" for name in ("rhythm", "spectral", "utils")),
    *(f"librosa.util.{name}" for name in ("files", "matching", "utils")),
}
"""Modules that `import librosa` brought along, and that 0.10 has once they are imported."""
_GIVES_OTHER = {
    f"librosa.effects.{name}": f"tfqueue.port.libraries.librosa_functions.{name}"
    for name in ("split", "trim")
}
"""Functions that are there, and mirrored the ends of a sound."""
_TRIM = "y | top_db ref frame_length hop_length"
_HPSS = "y sr S n_fft hop_length"
# name -> its arguments in the order that they had; those behind the bar have to be named today
_ARGUMENTS = {
    "amplitude_to_db": "S | ref amin top_db",
    "autocorrelate": "y | max_size axis",
    "beat.beat_track": "| y sr onset_envelope hop_length start_bpm tightness trim",
    "cqt": "y | sr hop_length fmin n_bins bins_per_octave tuning filter_scale norm",
    "db_to_amplitude": "S_db | ref",
    "db_to_power": "S_db | ref",
    "display.specshow": "data | x_coords y_coords x_axis y_axis sr hop_length fmin fmax",
    "effects.pitch_shift": "y | sr n_steps bins_per_octave",
    "effects.split": _TRIM,
    "effects.time_stretch": "y | rate",
    "effects.trim": _TRIM,
    "feature.chroma_stft": "| y sr S norm n_fft hop_length tuning",
    "feature.delta": "data | width order axis",
    "feature.melspectrogram": f"| {_HPSS}",
    "feature.mfcc": "| y sr S n_mfcc",
    "feature.rms": "| y S frame_length hop_length center pad_mode",
    "feature.rmse": "| y S frame_length hop_length center pad_mode",
    "feature.spectral_bandwidth": f"| {_HPSS}",
    "feature.spectral_centroid": f"| {_HPSS}",
    "feature.spectral_contrast": f"| {_HPSS}",
    "feature.spectral_rolloff": f"| {_HPSS}",
    "feature.tonnetz": "| y sr chroma",
    "feature.zero_crossing_rate": "y | frame_length hop_length center",
    "fft_frequencies": "| sr n_fft",
    "filters.mel": "| sr n_fft n_mels fmin fmax htk norm",
    "frames_to_samples": "frames | hop_length n_fft",
    "frames_to_time": "frames | sr hop_length n_fft",
    "get_duration": "| y sr S n_fft hop_length center filename",
    "hz_to_mel": "frequencies | htk",
    "istft": "stft_matrix | hop_length win_length window center dtype length",
    "load": "path | sr mono offset duration dtype res_type",
    "magphase": "D | power",
    "mel_frequencies": "n_mels | fmin fmax htk",
    "mel_to_hz": "mels | htk",
    "onset.onset_strength": "| y sr S",
    "power_to_db": "S | ref amin top_db",
    "resample": "y | orig_sr target_sr res_type fix scale",
    "samples_to_frames": "samples | hop_length n_fft",
    "samples_to_time": "samples | sr",
    "spectrum._spectrogram": "| y S n_fft hop_length power",
    "stft": "y | n_fft hop_length win_length window center dtype pad_mode",
    "time_to_frames": "times | sr hop_length n_fft",
    "util.fix_length": "data | size axis",
    "util.frame": "x | frame_length hop_length",
    "util.normalize": "S | norm axis threshold fill",
    "util.pad_center": "data | size axis",
}
_MEL = "feature.melspectrogram", "feature.mfcc"
_REFLECTED = frozenset(
    [
        *_MEL,
        "cqt",
        "feature.chroma_stft",
        "feature.rms",
        "feature.rmse",
        "onset.onset_strength",
        "spectrum._spectrogram",
        "stft",
    ]
) | {f"feature.spectral_{part}" for part in ("bandwidth", "centroid", "contrast", "rolloff")}
"""What mirrored the sound at its ends, and puts zeros there since 0.10."""


def find(module: Module) -> Iterator[Finding]:
    """Finds old names and calls."""
    for call, dotted in module.calls:
        name = dotted.removeprefix("librosa.").removeprefix("core.")
        if dotted.startswith("librosa.") and name in _ARGUMENTS:
            yield from _arguments(module, call, name)
    for node, dotted in module.references:
        home = ".".join(dotted.split(".")[:3])
        if home in _LOADED and home not in module.added and not module.imports(home):
            yield module.finding(
                node, f"{home} is loaded by an import of its own since librosa 0.10"
            )
            module.use_module(home)
    yield from moved_names.find(module, _ROWS | (_GIVES_OTHER if module.is_old else {}))


def _arguments(module: Module, call: ast.Call, name: str) -> Iterator[Finding]:
    free, _, named = _ARGUMENTS[name].partition("|")
    count, order = len(free.split()), [*free.split(), *named.split()]
    starred = any(isinstance(one, ast.Starred) for one in call.args)
    if not starred and count < len(call.args) <= len(order):
        yield module.finding(call, f"arguments of {name} have to be named since librosa 0.10")
        over = call.args[count:]
        del call.args[count:]
        for word, value in zip(order[count:], over, strict=False):
            module.add_argument(call, word, value)
    if module.is_old and name in _REFLECTED and not _pads(call):
        yield module.finding(call, f"{name} mirrored the ends of a sound up to librosa 0.9")
        call_forms.give_default(module, call, "pad_mode", "'reflect'")
    for keyword in call.keywords:
        norm = getattr(keyword.value, "value", None)
        if name == "filters.mel" and keyword.arg == "norm" and norm == 1 and module.is_old:
            yield module.finding(call, "norm=1 of mel is norm='slaney' since librosa 0.8")
            module.replace(keyword.value, ast.Constant("slaney"))
        elif name == "util.frame" and keyword.arg == "y":
            yield module.finding(call, "y of frame is x since librosa 0.8")
            module.rename(keyword, "x")


def _pads(call: ast.Call) -> bool:
    """Whether a call says how the ends are padded."""
    return any(
        keyword.arg == "pad_mode"
        or (
            keyword.arg is None
            and isinstance(keyword.value, ast.Dict)
            and call_forms.has(keyword.value, "pad_mode")
        )
        for keyword in call.keywords
    )
