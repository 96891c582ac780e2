"""Functions of librosa of before 0.10, on a stand-in for what they ask librosa. Expected values are librosa 0.6.3's."""

import inspect
import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import librosa_functions

SOUND = np.sin(np.arange(12000) ** 1.3 / 50) * np.linspace(0, 1, 12000) ** 4


def rms(y, frame_length, hop_length, pad_mode):
    assert pad_mode == "reflect"
    padded = np.pad(y, frame_length // 2, mode=pad_mode)
    starts = range(0, len(padded) - frame_length + 1, hop_length)
    return np.array([[np.sqrt((padded[at : at + frame_length] ** 2).mean()) for at in starts]])


def power_to_db(S, ref=1.0, amin=1e-10, top_db=80.0):
    most = np.maximum(amin, np.abs(ref(S) if callable(ref) else ref))
    found = 10 * np.log10(np.maximum(amin, S)) - 10 * np.log10(most)
    return found if top_db is None else np.maximum(found, found.max() - top_db)


@pytest.fixture(autouse=True)
def librosa(monkeypatch):
    module = types.ModuleType("librosa")
    module.power_to_db = power_to_db
    module.to_mono = lambda y: y.mean(axis=0) if y.ndim > 1 else y
    module.feature = types.SimpleNamespace(rms=rms)
    monkeypatch.setitem(sys.modules, "librosa", module)


@pytest.mark.parametrize("name", ["trim", "split"])
def test_what_nobody_says(name):
    said = inspect.signature(getattr(librosa_functions, name)).parameters
    assert [said[key].default for key in ("top_db", "frame_length", "hop_length")] == [
        60,
        2048,
        512,
    ]


def test_silence_is_cut_off_at_both_ends():
    cut, places = librosa_functions.trim(SOUND, 20)
    assert places.tolist() == [6656, 12000]
    assert cut.tolist() == SOUND[6656:].tolist()
    assert librosa_functions.trim(SOUND[::-1], 20)[1].tolist() == [0, 6144]
    assert librosa_functions.trim(np.stack([SOUND, SOUND]), 20)[0].shape == (2, 5344)
    assert librosa_functions.trim(np.zeros(3000), ref=1.0)[1].tolist() == [0, 0]


def test_silence_parts_a_sound():
    assert librosa_functions.split(SOUND, 15, frame_length=512, hop_length=128).tolist() == [
        [7808, 12000]
    ]
    twice = np.concatenate([SOUND[::-1], SOUND])
    assert librosa_functions.split(twice, top_db=20).tolist() == [[0, 6144], [18432, 24000]]
    assert librosa_functions.split(SOUND, ref=0.01, top_db=-10).tolist() == [[9728, 12000]]


def test_loudness_in_decibels():
    assert librosa_functions.logamplitude(np.array([100.0, 1e-9]), 10.0).tolist() == [10.0, -70.0]


def test_a_sound_of_two_channels_is_written(tmp_path):
    from scipy.io import wavfile

    librosa_functions.write_wav(tmp_path / "a.wav", np.zeros((2, 7)), 8000, norm=True)
    assert wavfile.read(tmp_path / "a.wav")[1].shape == (7, 2)
    librosa_functions.write_wav(tmp_path / "a.wav", np.array([3, -4], np.int16), 8000, norm=True)
    assert wavfile.read(tmp_path / "a.wav")[1].tolist() == [3, -4]


def test_a_sound_is_as_loud_as_can_be_where_its_loudest_is_a_normal_number(tmp_path):
    """The words of librosa's `normalize`: what is below the smallest of those stays as it is."""
    from scipy.io import wavfile

    smallest = np.finfo(np.float64).tiny
    for loudest, found in ((smallest, 1.0), (smallest / 2, smallest / 2)):
        librosa_functions.write_wav(tmp_path / "a.wav", np.array([0, loudest]), 8000, norm=True)
        assert wavfile.read(tmp_path / "a.wav")[1].tolist() == [0.0, found]
